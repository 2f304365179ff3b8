//! `doctor`.

use crate::sandbox::Sandbox;

#[test]
fn a_healthy_memory() {
    let sandbox = Sandbox::ready();
    sandbox.remember("x");
    sandbox.run(["doctor"]).code(0).says("all is well");
    let json = sandbox.run(["doctor", "--deep", "--json"]).code(0).json();
    assert_eq!((&json["ok"], &json["findings"]), (&true.into(), &serde_json::json!([])));
    sandbox.run(["doctor", "--repair"]).code(0);
    sandbox.run(["doctor", "--deep", "--repair"]).code(3);
    Sandbox::new().run(["doctor", "--json"]).code(2).fails_as("E_NO_ROOT");
}

#[test]
fn a_foreign_folder_is_named_and_not_read() {
    let sandbox = Sandbox::new();
    sandbox.write("dev/decisions.md", "x");
    sandbox.run(["doctor"]).code(2).talks("agents: dev").talks("E_UNTRUSTED").talks("agent-memory trust");
    let json = sandbox.run(["doctor", "--json"]).code(2).json();
    assert_eq!(json["holds"]["agents"], serde_json::json!(["dev"]));
}

#[test]
fn a_file_that_lost_most_of_its_entries_is_frozen_until_a_person_accepts_it() {
    let sandbox = Sandbox::ready();
    for n in 0..12 {
        sandbox.remember(&format!("entry number {n}"));
    }
    let file = sandbox.read("dev/notes.md");
    let first = file.split("\n\n<!-- id:").next().unwrap().to_owned();
    sandbox.write("dev/notes.md", &first);
    let ran = sandbox.run(["doctor", "--json"]);
    let json = ran.json();
    let frozen = json["findings"].as_array().unwrap().iter().any(|it| it["file"] == "dev/notes.md");
    assert!(frozen, "{json}");
    let ran = sandbox.run(["remember", "--agent", "dev", "one more"]).talks("dev/notes.md");
    assert_eq!(sandbox.read("dev/notes.md"), first, "a frozen file was written: {}", ran.stdout);
    sandbox.run(["doctor", "--accept", "dev/notes.md"]).code(0).says("accepted dev/notes.md");
    sandbox.run(["remember", "--agent", "dev", "and one more"]).code(0).silent();
    assert!(sandbox.read("dev/notes.md").contains("and one more"));
    sandbox.run(["doctor"]).code(0);
}

#[test]
fn a_flipped_byte_in_the_archive_is_a_problem() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("a text to archive");
    sandbox.run(["forget", &id]).code(0);
    let (name, mut bytes) = sandbox
        .tree()
        .into_iter()
        .find(|(name, it)| name.contains("/archive/") && it.windows(6).any(|w| w == b"a text"))
        .unwrap();
    let at = bytes.windows(6).position(|it| it == b"a text").unwrap();
    bytes[at] = b'b';
    std::fs::write(sandbox.project().parent().unwrap().join(name), bytes).unwrap();
    sandbox.run(["doctor", "--deep"]).code(1).says("problem[").says("1 problem");
    let json = sandbox.run(["doctor", "--deep", "--json"]).code(1).json();
    assert_eq!(json["ok"], false);
}

#[test]
fn what_is_not_there_is_not_accepted() {
    let sandbox = Sandbox::ready();
    sandbox.run(["doctor", "--accept", "dev/nothing.md"]).code(2).talks("there is no memory file");
    sandbox.write("a-file", "text");
    let file = sandbox.file("a-file");
    sandbox.run(["--dir", file.to_str().unwrap(), "list"]).code(1).talks("is no folder");
}
