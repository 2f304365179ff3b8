//! `forget` and `restore`.

use crate::sandbox::Sandbox;

#[test]
fn forgetting_archives_and_restoring_brings_back_the_same_bytes() {
    let sandbox = Sandbox::ready();
    let first = sandbox.remember("keep me");
    let second = sandbox.remember("forget me");
    let before = sandbox.read("dev/notes.md");
    let json = sandbox.run(["forget", &second, "--json"]).code(0).json();
    assert_eq!(json["ids"], serde_json::json!([second]));
    let batch = json["archive"].as_str().unwrap().to_owned();
    sandbox.run(["show", &second]).code(2);
    sandbox.run(["show", &first]).code(0);
    sandbox.run(["restore"]).code(0).says(&batch).says(&second).says("forget me");
    let archive = sandbox.run(["restore", "--json"]).code(0).json();
    assert!(archive["archive"].as_array().unwrap().iter().any(|it| it["name"] == batch.as_str()));
    sandbox.run(["restore", &batch]).code(0).says(&format!("restored {second}"));
    assert_eq!(sandbox.read("dev/notes.md"), before);
    sandbox.run(["restore", &batch]).code(0).says(&format!("already there {second}"));
}

#[test]
fn several_at_once_and_back_by_id() {
    let sandbox = Sandbox::ready();
    let ids = [sandbox.remember("a"), sandbox.remember("b")];
    sandbox
        .run(["forget", &ids[0], &ids[1]])
        .code(0)
        .says(&format!("forgot {}", ids[0]))
        .says("agent-memory restore ");
    sandbox.run(["restore", &ids[1]]).code(0).says(&format!("restored {}", ids[1]));
    sandbox.run(["show", &ids[1]]).code(0);
    sandbox.run(["show", &ids[0]]).code(2);
}

#[test]
fn forgetting_for_good_needs_consent_and_leaves_no_trace() {
    let sandbox = Sandbox::ready();
    let marker = "kumquat-marker-9f31c2";
    let id = sandbox.remember(&format!("remember the {marker}"));
    sandbox.run(["edit", &id, "-c", &format!("once more the {marker}")]).code(0);
    sandbox.run(["forget", "--hard", &id]).code(2).talks("--yes");
    sandbox.run(["forget", "--hard", &id, "--json"]).code(2).fails_as("E_NEEDS_CONFIRMATION");
    sandbox.run(["show", &id]).code(0);
    let json = sandbox.run(["forget", "--hard", "--yes", &id, "--json"]).code(0).json();
    assert!(json["archive"].is_null());
    assert!(json["unreachable"].is_array());
    for (name, bytes) in sandbox.tree() {
        assert!(!bytes.windows(marker.len()).any(|it| it == marker.as_bytes()), "{name} still holds it");
    }
    sandbox.run(["show", &id]).code(2);
    sandbox.run(["restore", &id, "--json"]).code(2).fails_as("E_NOT_ARCHIVED");
}

#[test]
fn unknown_names_are_not_found() {
    let sandbox = Sandbox::ready();
    sandbox.run(["forget", "404", "--json"]).code(2).fails_as("E_NOT_FOUND");
    sandbox.run(["restore", "404", "--json"]).code(2).fails_as("E_NOT_ARCHIVED");
    sandbox.run(["restore", "../../home", "--json"]).code(2).fails_as("E_NOT_ARCHIVED");
    sandbox.run(["restore"]).code(0).answers("(the archive is empty)\n");
    sandbox.run(["forget"]).code(3);
    Sandbox::new().run(["restore"]).code(0).answers("(the archive is empty)\n");
}

#[test]
fn one_unknown_id_among_several_forgets_none() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("stay");
    sandbox.run(["forget", &id, "404"]).code(2);
    sandbox.run(["show", &id]).code(0);
}

#[test]
fn what_is_in_the_archive_says_so() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("goes for a while");
    sandbox.run(["forget", &id]).code(0);
    for arguments in [&["show", &id][..], &["forget", &id], &["edit", &id, "x"]] {
        sandbox.command(arguments).go().code(2).talks(&format!("`agent-memory restore {id}` brings it back"));
    }
    sandbox.run(["restore", &id]).code(0);
    sandbox.run(["show", &id]).code(0).says("goes for a while");
}

#[test]
fn an_agent_sees_of_the_archive_what_it_may_see() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("the plan of dev alone");
    sandbox.run(["forget", &id]).code(0);
    sandbox.run(["restore"]).code(0).says("the plan of dev alone");
    let of = |agent: &str| {
        sandbox.command(["restore", "--json"]).env("AGENT_MEMORY_AGENT", agent).go().code(0).json()
    };
    assert_eq!(of("dev")["archive"][0]["items"][0]["heading"], "the plan of dev alone");
    assert_eq!(of("qa")["archive"][0]["items"][0]["heading"], "");
}
