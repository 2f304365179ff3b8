//! What a person took back, in the ways in which clients write that down.

use std::path::Path;

use memory_core::session::Client;

use super::{read, source};
use crate::harness::{Begin, Cursor, Until, read_tail};

/// What a log gives that is read at once, and in two readings with a cut; and which turns the second takes back.
fn check(client: Client, before: &str, after: &str, given: &[&str], second: &[&str], rewound: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s1.jsonl");
    std::fs::write(&path, [before, after].concat()).unwrap();
    let texts: Vec<String> = read(client, &path, None).0.into_iter().map(|it| it.text).collect();
    assert_eq!(texts, given, "{client} at once");
    in_two(client, &path, before, after, second, rewound);
}

fn in_two(client: Client, path: &Path, before: &str, after: &str, second: &[&str], rewound: &[&str]) {
    std::fs::write(path, before).unwrap();
    let source = source(client, path, None);
    let first = read_tail(&source, &Cursor::default(), Until::End, &mut |_| {}).unwrap();
    std::fs::write(path, [before, after].concat()).unwrap();
    let mut texts = Vec::new();
    let tail = read_tail(&source, &first.cursor, Until::End, &mut |it| texts.push(it.text)).unwrap();
    let mut turns: Vec<&str> = tail.rewound.iter().map(|turn| turn.as_str()).collect();
    turns.sort_unstable();
    assert_eq!((tail.begin, texts.as_slice()), (Begin::Continued, second.map_owned().as_slice()), "{client}");
    assert_eq!(turns, rewound, "{client}");
}

trait Owned {
    fn map_owned(&self) -> Vec<String>;
}

impl Owned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|text| (*text).to_owned()).collect()
    }
}

fn claude(own: &str, parent: Option<&str>, kind: &str, content: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(
        "{{\"parentUuid\":{parent},\"type\":\"{kind}\",\"uuid\":\"{own}\",\"sessionId\":\"s1\",\"message\":{{\"id\":\"m-{own}\",\"stop_reason\":\"end_turn\",\"content\":{content}}}}}\n"
    )
}

fn asked(own: &str, parent: Option<&str>) -> String {
    claude(own, parent, "user", &format!("\"{own}\""))
}

fn answered(own: &str, parent: &str) -> String {
    claude(own, Some(parent), "assistant", &format!("[{{\"type\":\"text\",\"text\":\"{own}\"}}]"))
}

#[test]
fn a_prompt_that_is_tried_again_takes_the_first_one_back() {
    let before = [asked("a", None), answered("b", "a"), asked("c", Some("b")), answered("d", "c")].concat();
    let after = [asked("e", Some("b")), answered("f", "e"), asked("g", Some("f"))].concat();
    let given = ["a", "b", "e", "f", "g"];
    check(Client::ClaudeCode, &before, &after, &given, &["e", "f", "g"], &["c", "m-d"]);
    // Twice, and further up the second time.
    let again = [&after, &*asked("h", Some("b"))].concat();
    check(Client::ClaudeCode, &before, &again, &["a", "b", "h"], &["h"], &["c", "m-d"]);
    // A record that nobody typed stands between.
    let system = "{\"parentUuid\":\"b\",\"type\":\"system\",\"uuid\":\"s\"}\n";
    let between = [&asked("a", None), &answered("b", "a"), system, &asked("c", Some("s"))].concat();
    check(Client::ClaudeCode, &between, &asked("e", Some("b")), &["a", "b", "e"], &["e"], &["c"]);
}

#[test]
fn what_only_goes_on_takes_nothing_back() {
    let result = |own: &str, parent: &str| {
        claude(
            own,
            Some(parent),
            "user",
            "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"x\"}]",
        )
    };
    // Two tools at once: the answer hangs at the second result, and the first is left aside.
    let before = [asked("a", None), answered("b", "a"), answered("c", "b"), result("r", "b")].concat();
    let after = [result("q", "c"), answered("d", "q"), asked("e", Some("d"))].concat();
    check(Client::ClaudeCode, &before, &after, &["a", "b", "c", "d", "e"], &["d", "e"], &[]);
    // After a compaction the conversation begins anew.
    let compacted = "{\"parentUuid\":null,\"type\":\"system\",\"uuid\":\"x\"}\n";
    let after = [compacted.to_owned(), asked("f", Some("x")), asked("g", Some("f"))].concat();
    check(Client::ClaudeCode, &before, &after, &["a", "b", "c", "f", "g"], &["f", "g"], &[]);
    // A record that nobody finds proves nothing.
    check(Client::ClaudeCode, &before, &asked("h", Some("gone")), &["a", "b", "c", "h"], &["h"], &[]);
}

#[test]
fn codex_tells_how_many_turns_go() {
    let event = |n: u32, kind: &str, turn: &str, text: &str| {
        format!(
            "{{\"ordinal\":{n},\"type\":\"event_msg\",\"payload\":{{\"type\":\"item_completed\",\"turn_id\":\"{turn}\",\"item\":{{\"type\":\"{kind}\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}}}\n"
        )
    };
    let back = |turns: &str| {
        format!(
            "{{\"type\":\"event_msg\",\"payload\":{{\"type\":\"thread_rolled_back\",\"num_turns\":{turns}}}}}\n"
        )
    };
    let before = [
        "{\"type\":\"session_meta\",\"payload\":{\"id\":\"s1\",\"cwd\":\"/p\"}}\n".to_owned(),
        event(1, "UserMessage", "t1", "a"),
        event(2, "AgentMessage", "t1", "b"),
        event(3, "UserMessage", "t2", "c"),
        event(4, "AgentMessage", "t2", "d"),
    ]
    .concat();
    let next = event(9, "UserMessage", "t3", "e");
    check(
        Client::Codex,
        &before,
        &[back("1"), next.clone()].concat(),
        &["a", "b", "e"],
        &["e"],
        &["t2/3", "t2/4"],
    );
    let all = ["t1/1", "t1/2", "t2/3", "t2/4"];
    check(Client::Codex, &before, &[back("9"), next.clone()].concat(), &["e"], &["e"], &all);
    let none = [back("0"), back("\"x\""), next].concat();
    check(Client::Codex, &before, &none, &["a", "b", "c", "d", "e"], &["e"], &[]);
}
