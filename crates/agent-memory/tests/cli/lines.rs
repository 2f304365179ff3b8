//! `remember --lines`.

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

fn answers(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_line_is_answered_in_order() {
    let sandbox = Sandbox::ready();
    let input = concat!(
        r#"{"text":"We decided to use SSE #sse","agent":"dev"}"#,
        "\n\n",
        r#"{"text":"t","kind":"lesson","tags":["a-b"],"title":"T","key":"k","onExisting":"replace","session":"s","sensitivity":"public","scope":"project"}"#,
        "\n",
        "not json\n",
        r#"{"text":"x","agent":"../up"}"#,
        "\n",
        r#"{"text":"x","colour":"red"}"#,
        "\n",
        r#"{"text":"  "}"#,
        "\n",
        r#"{"text":"We decided to use SSE #sse","agent":"dev"}"#,
    );
    for batch in ["1", "3", "100", "1000"] {
        let sandbox = Sandbox::ready();
        let ran = sandbox
            .command(["remember", "--lines", "--batch", batch])
            .stdin(input)
            .go()
            .code(1)
            .talks("4 of 8");
        let got = answers(&ran);
        let lines: Vec<u64> = got.iter().map(|it| it["line"].as_u64().unwrap()).collect();
        assert_eq!(lines, [1, 3, 4, 5, 6, 7, 8], "batch {batch}");
        let words: Vec<&str> =
            got.iter().map(|it| it["outcome"].as_str().or(it["code"].as_str()).unwrap()).collect();
        let expect = ["created", "created", "E_BAD_LINE", "E_BAD_LINE", "E_BAD_LINE", "E_EMPTY", "duplicate"];
        assert_eq!(words, expect, "batch {batch}");
        assert_eq!(got[0]["id"], got[6]["id"]);
    }
    assert_eq!(sandbox.outside(), ["home", "project"]);
}

#[test]
fn a_file_of_lines_and_a_good_end() {
    let sandbox = Sandbox::ready();
    let lines: String =
        (0..250).map(|n| format!("{}\n", json!({ "text": format!("fact {n}"), "agent": "dev" }))).collect();
    std::fs::write(sandbox.project().join("in.jsonl"), lines).unwrap();
    let ran = sandbox.run(["remember", "--lines", "--batch", "100", "--file", "in.jsonl"]).code(0).silent();
    assert_eq!(answers(&ran).len(), 250);
    let list = sandbox.run(["vault", "list", "dev", "notes", "--json"]).code(0).json();
    assert_eq!(list["entries"].as_array().unwrap().len(), 250);
    assert_eq!(list["entries"][0]["snippet"], "fact 249");
}

#[test]
fn retries_with_a_key_are_exactly_once() {
    let sandbox = Sandbox::ready();
    let input = "{\"text\":\"one\",\"key\":\"k1\"}\n{\"text\":\"two\",\"key\":\"k2\"}\n";
    let first = answers(&sandbox.command(["remember", "--lines"]).stdin(input).go().code(0));
    let second = answers(&sandbox.command(["remember", "--lines"]).stdin(input).go().code(0));
    for (one, two) in first.iter().zip(&second) {
        assert_eq!(one["id"], two["id"]);
        assert_eq!(two["outcome"], "duplicate");
    }
}

#[test]
fn a_huge_line_costs_only_itself() {
    let sandbox = Sandbox::ready();
    let input = format!(
        "{{\"text\":\"before\"}}\n{{\"text\":\"{}\"}}\n{{\"text\":\"after\"}}\n",
        "x".repeat(50 << 20)
    );
    let ran = sandbox.command(["remember", "--lines", "--batch", "10"]).stdin(input).go().code(1);
    let got = answers(&ran);
    assert_eq!(got[0]["outcome"], "created");
    assert_eq!(got[1]["code"], "E_TOO_LONG");
    assert_eq!(got[2]["outcome"], "created");
}

#[test]
fn deep_json_is_refused() {
    let sandbox = Sandbox::ready();
    let input = format!("{}\n", "[".repeat(100_000));
    let ran = sandbox.command(["remember", "--lines"]).stdin(input).go().code(1);
    assert_eq!(answers(&ran)[0]["code"], "E_BAD_LINE");
}

#[test]
fn a_list_of_values_is_no_draft() {
    let sandbox = Sandbox::ready();
    let input = "[\"text\",null,null,null,null,null,null,null,\"skip\",null,null]\n";
    let ran = sandbox.command(["remember", "--lines"]).stdin(input).go().code(1);
    assert_eq!(answers(&ran)[0]["code"], "E_BAD_LINE");
}

#[test]
fn flags_that_do_not_go_with_lines_are_refused() {
    let sandbox = Sandbox::ready();
    sandbox.run(["remember", "--lines", "--agent", "dev"]).code(3);
    sandbox.run(["remember", "--batch", "3", "x"]).code(3);
    sandbox.run(["remember", "--lines", "--batch", "0"]).code(3);
}

#[test]
fn large_groups_are_read_ahead_and_lose_nothing() {
    let sandbox = Sandbox::ready();
    let line = |n: usize| format!("{{\"text\":\"entry {n}\",\"agent\":\"a{}\"}}\n", n % 3);
    let input: String = (0..5000).map(line).collect();
    for (outcome, batch) in [("created", "700"), ("duplicate", "4096")] {
        let ran = sandbox.command(["remember", "--lines", "--batch", batch]).stdin(&input).go().code(0);
        let got = answers(&ran);
        assert_eq!(got.len(), 5000, "{outcome}");
        for (n, answer) in got.iter().enumerate() {
            assert_eq!((&answer["line"], &answer["outcome"]), (&json!(n + 1), &json!(outcome)));
        }
    }
    // The files are up to date when the command has ended.
    let written: usize =
        (0..3).map(|n| sandbox.read(&format!("a{n}/notes.md")).matches("<!-- id:").count()).sum();
    assert_eq!(written, 5000);
}
