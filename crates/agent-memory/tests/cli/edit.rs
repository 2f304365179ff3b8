//! `edit` and `history`.

use crate::sandbox::{Sandbox, without_meta};

#[test]
fn a_new_text_from_every_source() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("The port is 8080 #port");
    sandbox
        .run(["edit", &id, "--content", "The port is 9090 #port"])
        .code(0)
        .says(&format!("edited {id}  dev/notes.md:"));
    sandbox.run(["show", &id, "--raw"]).answers("The port is 9090 #port\n");
    sandbox.command(["edit", &id]).stdin("The port is 7070\n").go().code(0).says("edited");
    sandbox.command(["edit", &id, "-"]).stdin("The port is 7171\n").go().code(0).says("edited");
    sandbox.run(["show", &id, "--raw"]).answers("The port is 7171\n");
    std::fs::write(sandbox.project().join("new.txt"), "- The port is 6060").unwrap();
    let json = sandbox.run(["edit", &id, "--file", "new.txt", "--json"]).code(0).json();
    assert_eq!((&json["text"], &json["changed"]), (&"- The port is 6060".into(), &true.into()));
    sandbox.run(["edit", &id, "-c", "- The port is 6060"]).code(0).says("unchanged");
    sandbox.run(["edit", &id, "The port", "is 5050", "--tags", "port"]).code(0).says("edited");
    sandbox.run(["show", &id]).says("#port").says("The port is 5050\n");
    sandbox.run(["edit", &id, "- [ ] a port"]).code(0).says("edited");
    sandbox.run(["edit", &id, "one text", "-c", "another"]).code(3);
    sandbox.run(["edit", &id, "--json", "-c", ""]).code(1).fails_as("E_EMPTY");
    sandbox.run(["edit", &id, "--json"]).code(1).fails_as("E_EMPTY");
    sandbox.run(["edit", "404", "--json", "-c", "x"]).code(2).fails_as("E_NOT_FOUND");
}

#[test]
fn what_is_masked_in_a_new_text_is_said() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("The bot has a token");
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let text = format!("The bot uses {token}");
    let ran = sandbox.run(["edit", &id, "-c", &text, "--json"]).code(0).talks("masked");
    assert_eq!(ran.json()["redacted"], serde_json::json!(["github-pat"]));
    let ran = sandbox.run(["vault", "edit", "dev", "notes", &id, "-c", &text, "--json"]).code(0);
    assert_eq!(ran.talks("masked").json()["redacted"], serde_json::json!(["github-pat"]));
}

#[test]
fn a_tag_that_is_a_credential_is_left_out() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("The bot has a token");
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let tags = format!("bot,{token}");
    let json = sandbox.run(["edit", &id, "--tags", &tags, "--json"]).code(0).talks("masked").json();
    assert_eq!(
        (&json["tags"], &json["redacted"]),
        (&serde_json::json!(["bot"]), &serde_json::json!(["github-pat"]))
    );
    sandbox.run(["search", "bot"]).code(0);
    let holds = |bytes: &[u8]| bytes.windows(token.len()).any(|at| at == token.as_bytes());
    assert_eq!(sandbox.tree().into_iter().filter(|(_, bytes)| holds(bytes)).count(), 0);
}

#[test]
fn tags_are_set_without_touching_the_text() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("text");
    let json = sandbox.run(["edit", &id, "--tags", "a,b-c", "--json"]).code(0).json();
    assert_eq!(json["tags"], serde_json::json!(["a", "b-c"]));
    assert_eq!(json["text"], "text");
    sandbox.run(["edit", &id, "--tags", "has space", "--json"]).code(3).fails_as("E_BAD_ID");
}

#[test]
fn history_tells_every_version() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("first text");
    sandbox.run(["edit", &id, "-c", "second text"]).code(0);
    let file = sandbox.read("dev/notes.md").replace("second text", "third text");
    sandbox.write("dev/notes.md", file);
    let json = sandbox.run(["history", &id, "--json"]).code(0).json();
    let versions: Vec<(&str, &str, bool)> = json["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["what"].as_str().unwrap(),
                it["text"].as_str().unwrap_or(""),
                it["current"].as_bool().unwrap(),
            )
        })
        .collect();
    let expect =
        [("put", "first text", false), ("edit", "second text", false), ("found-edit", "third text", true)];
    assert_eq!(versions, expect);
    sandbox
        .run(["history", &id])
        .code(0)
        .says("  added\n  first text\n")
        .says("  edited  (the text before it: ")
        .says("  edited in the file  current")
        .says("\n  third text\n");
    sandbox.run(["history", "404", "--json"]).code(2).fails_as("E_NOT_FOUND");
}

#[test]
fn editing_one_entry_leaves_the_others_as_they_were() {
    let sandbox = Sandbox::ready();
    let first = sandbox.remember("one\n\n---\n\n<!-- id:1 -->\n## 2020-01-01\n\nstill one");
    let second = sandbox.remember("two");
    sandbox
        .run(["show", &first, "--raw"])
        .answers("one\n\n---\n\n<!-- id:1 -->\n## 2020-01-01\n\nstill one\n");
    let before = sandbox.read("dev/notes.md");
    sandbox.run(["edit", &second, "-c", "2"]).code(0);
    let after = without_meta(sandbox.read("dev/notes.md").as_bytes());
    assert_eq!(String::from_utf8(after).unwrap(), before.replacen("\n\ntwo\n\n", "\n\n2\n\n", 1));
}
