//! `related`: what is about the same things, without the memory itself.

use serde_json::json;

use crate::sandbox::Sandbox;

#[test]
fn what_is_about_the_same_is_found_without_itself() {
    let sandbox = Sandbox::ready();
    let first = sandbox.remember("the login failed after the session token expired");
    let second = sandbox.remember("session tokens expire after one hour, then the login fails");
    sandbox.remember("the coffee machine is on the second floor");
    let json = sandbox.run(["related", &first, "--json"]).code(0).json();
    assert_eq!(json["id"], first);
    assert_eq!(json["results"][0]["id"], second, "{json}");
    assert!(json["results"].as_array().unwrap().iter().all(|hit| hit["id"] != first), "{json}");
    sandbox.run(["related", &first, "-l", "1"]).code(0).says(&format!("[dev/notes] {second} score="));
    sandbox.run(["related", &first, "--explain"]).code(0).says("    score: ").says("related to ");
    sandbox.run(["related", "404", "--json"]).code(2).fails_as("E_NOT_FOUND");
    sandbox.run(["related", &first, "-l", "x"]).code(3);
}

#[test]
fn a_memory_that_stands_alone_says_so() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("zyzzyva");
    let ran = sandbox.run(["related", &id]).code(0).answers("(no results)\n");
    ran.talks("no other memory is about the same things");
    assert_eq!(sandbox.run(["related", &id, "--json"]).code(0).json()["results"], json!([]));
    Sandbox::new().run(["related", "1"]).code(2).talks("E_NO_ROOT");
}
