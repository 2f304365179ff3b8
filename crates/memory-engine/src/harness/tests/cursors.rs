//! Cursors: however a session is cut into readings, the same messages come, and a file that is another is noticed.

use std::path::Path;

use memory_core::session::{Client, Message};
use proptest::prelude::*;

use super::made::{FILES, LOGS, Made};
use super::source;
use crate::harness::{Begin, Cursor, Tail, Until, read_tail};

fn step(client: Client, path: &Path, from: &Cursor, until: Until, into: &mut Vec<Message>) -> Tail {
    // A cursor is kept as text between two readings.
    let from: Cursor = serde_json::from_str(&serde_json::to_string(from).unwrap()).unwrap();
    read_tail(&source(client, path, None), &from, until, &mut |message| into.push(message)).unwrap()
}

/// Reads a file as it grows: after each of the cuts, at its full length, and once more when it rests.
fn in_steps(client: Client, path: &Path, bytes: &[u8], cuts: &[usize]) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut cursor = Cursor::default();
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        std::fs::write(path, &bytes[..cut.min(bytes.len())]).unwrap();
        let tail = step(client, path, &cursor, Until::Settled, &mut messages);
        assert_ne!(tail.begin, Begin::Rewritten, "{client} at {cut}");
        cursor = tail.cursor;
    }
    step(client, path, &cursor, Until::End, &mut messages);
    messages
}

#[test]
fn any_one_cut_gives_the_same_messages() {
    let folder = tempfile::tempdir().unwrap();
    for made in LOGS {
        let path = folder.path().join(made.file);
        let bytes = made.text.as_bytes();
        let whole = in_steps(made.client, &path, bytes, &[]);
        assert_eq!(whole.len(), made.expect.len());
        for cut in (0..bytes.len()).step_by(5) {
            assert_eq!(in_steps(made.client, &path, bytes, &[cut]), whole, "{} cut at {cut}", made.client);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_number_of_cuts_gives_the_same_messages(
        which in 0..LOGS.len(),
        order in prop::collection::vec(0_usize..32, 1..40),
        mut cuts in prop::collection::vec(0.0..1.0_f64, 0..12),
    ) {
        let Made { client, file, text, .. } = &LOGS[which];
        // Lines in any order and number: what they say together makes no sense, and must still be the same.
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mixed: String = order.iter().map(|at| lines[at % lines.len()]).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        cuts.sort_by(f64::total_cmp);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small length")]
        let cuts: Vec<usize> = cuts.iter().map(|cut| (cut * mixed.len() as f64) as usize).collect();
        let whole = in_steps(*client, &path, mixed.as_bytes(), &[]);
        prop_assert_eq!(in_steps(*client, &path, mixed.as_bytes(), &cuts), whole);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(which in 0..LOGS.len() + FILES.len(), at in 0.0..1.0_f64, junk in prop::collection::vec(any::<u8>(), 0..40)) {
        let made = LOGS.iter().chain(FILES).nth(which).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(made.file);
        let mut bytes = made.text.as_bytes().to_vec();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small length")]
        let at = (at * bytes.len() as f64) as usize;
        bytes.splice(at..(at + junk.len() / 2).min(bytes.len()), junk);
        std::fs::write(&path, bytes).unwrap();
        let mut messages = Vec::new();
        step(made.client, &path, &Cursor::default(), Until::End, &mut messages);
    }
}

#[test]
fn whole_files_give_only_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dev.json");
    let write = |texts: &[&str]| {
        let said = texts.iter().enumerate().map(|(n, text)| {
            let role = if n % 2 == 0 { "user" } else { "agent" };
            format!("{{\"role\":\"{role}\",\"text\":\"{text}\"}}")
        });
        let text = format!("{{\"messages\":[{}]}}", said.collect::<Vec<_>>().join(","));
        std::fs::write(&path, text).unwrap();
    };
    let mut cursor = Cursor::default();
    let mut read = |until: Until| {
        let mut messages = Vec::new();
        let tail = step(Client::Conversations, &path, &cursor, until, &mut messages);
        cursor = tail.cursor;
        (tail.begin, tail.held_back, messages.into_iter().map(|it| it.text).collect::<Vec<_>>().join(" "))
    };
    write(&["a", "b"]);
    assert_eq!(read(Until::Settled), (Begin::Start, true, "a".to_owned()));
    write(&["a", "b and more"]);
    assert_eq!(read(Until::Settled), (Begin::Continued, true, String::new()));
    write(&["a", "b and more", "c"]);
    assert_eq!(read(Until::Settled), (Begin::Continued, false, "b and more c".to_owned()));
    write(&["a", "b and more", "c", "d"]);
    assert_eq!(read(Until::End), (Begin::Continued, false, "d".to_owned()));
    assert_eq!(read(Until::End), (Begin::Continued, false, String::new()));
    // Trimmed to its last messages, as hosts do.
    write(&["c", "d", "e"]);
    assert_eq!(read(Until::End), (Begin::Rewritten, false, "c d e".to_owned()));
}

#[test]
fn a_file_that_is_another_is_read_from_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let line = |text: &str| format!("{{\"role\":\"user\",\"message\":{{\"content\":\"{text}\"}}}}\n");
    let long: String = (0..400).map(|n| line(&format!("message {n}"))).collect();
    let check = |before: &str, after: &str, begin: Begin, given: u64| {
        let mut messages = Vec::new();
        std::fs::write(&path, before).unwrap();
        let first = step(Client::Cursor, &path, &Cursor::default(), Until::Settled, &mut messages);
        std::fs::write(&path, after).unwrap();
        let next = step(Client::Cursor, &path, &first.cursor, Until::Settled, &mut messages);
        assert_eq!((next.begin, next.given), (begin, given), "{} bytes after {}", after.len(), before.len());
    };
    let (a, b, c) = (line("a"), line("b"), line("c"));
    check(&format!("{a}{b}"), &format!("{a}{b}{c}"), Begin::Continued, 1);
    check(&format!("{a}{b}"), &format!("{a}{b}"), Begin::Continued, 0);
    check(&format!("{a}{b}"), &a, Begin::Rewritten, 1);
    check(&format!("{a}{b}"), "", Begin::Rewritten, 0);
    check(&format!("{a}{b}"), &format!("{a}{c}{c}"), Begin::Rewritten, 3);
    check(&format!("{a}{b}"), &format!("{c}{b}{c}"), Begin::Rewritten, 3);
    check(&long, &format!("{long}{c}"), Begin::Continued, 1);
    check(&long, &format!("{}{}", line("Message 0"), &long[a.len() + 8..]), Begin::Rewritten, 400);
    let end = long.len() - 6;
    check(&long, &format!("{}X{}{c}", &long[..end], &long[end + 1..]), Begin::Rewritten, 401);
}

#[test]
fn a_message_that_was_given_early_does_not_come_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session-1.jsonl");
    let first = "{\"id\":\"1\",\"type\":\"gemini\",\"content\":\"Hello\"}\n";
    let more = "{\"id\":\"1\",\"type\":\"gemini\",\"content\":\"Hello\",\"tokens\":{}}\n";
    let grown = "{\"id\":\"1\",\"type\":\"gemini\",\"content\":\"Hello\",\"toolCalls\":[{\"name\":\"x\"}]}\n";
    let mut messages = Vec::new();
    std::fs::write(&path, first).unwrap();
    let tail = step(Client::Gemini, &path, &Cursor::default(), Until::End, &mut messages);
    std::fs::write(&path, [first, more].concat()).unwrap();
    let tail = step(Client::Gemini, &path, &tail.cursor, Until::End, &mut messages);
    assert_eq!(messages.len(), 1);
    std::fs::write(&path, [first, more, grown].concat()).unwrap();
    step(Client::Gemini, &path, &tail.cursor, Until::End, &mut messages);
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0].turn, messages[1].turn);
}
