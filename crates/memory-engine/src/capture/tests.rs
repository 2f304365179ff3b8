//! Letters put in and taken out: none lost, none in half, none with a secret, and no more than there is room for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use memory_core::config::Config;
use memory_core::id::{AgentId, MemoryId};
use memory_core::kind::Kind;
use memory_core::retell::Likeness;
use memory_core::session::Client;
use memory_core::time::Time;

use super::door::{Door, Settled, TakenBack};
use super::drain::drain;
use super::group::{Group, Heard};
use super::inbox::{self, Put, Room, has_room};
use super::letter::Letter;
use super::processed::{Process, Processed};
use super::progress::{Progress, Rest};
use super::sources::From;
use crate::disk::{Disk, Fault, FaultyDisk, OsDisk, Piece};
use crate::error::{Error, Result};
use crate::hook::{self, Call, Signal};
use crate::keep::{Draft, Kept};
use crate::store::Outcome;

fn told(client: &str, json: &str) -> Signal {
    let named = Client::of_word(client).unwrap();
    hook::read(Call { named, event: None, bytes: json.as_bytes() }, &|_| None).unwrap()
}

fn prompt(text: &str) -> Signal {
    told("claude", &format!(r#"{{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"{text}"}}"#))
}

fn log_of(disk: &dyn Disk) -> String {
    String::from_utf8(disk.read(".vault/log", 1 << 20).unwrap().unwrap_or_default()).unwrap()
}

#[test]
fn letters_come_back_as_they_went_in_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    let signals = [
        r#"{"hook_event_name":"SessionStart","session_id":"s","source":"startup","model":"m"}"#,
        r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt_id":"p","prompt":"a\nb é"}"#,
        r#"{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/a","command":"c"}}"#,
        r#"{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{}}"#,
        r#"{"hook_event_name":"Stop","cwd":"/c","transcript_path":"/t","last_assistant_message":"r"}"#,
        r#"{"hook_event_name":"Stop"}"#,
        r#"{"hook_event_name":"PreCompact"}"#,
        r#"{"hook_event_name":"PostCompact","compact_summary":"short"}"#,
        r#"{"hook_event_name":"SessionEnd","reason":"other"}"#,
    ]
    .map(|json| told("claude", json));
    let mut names = Vec::new();
    for signal in &signals {
        let Put::Waits(name) = inbox::put(&disk, signal).unwrap() else { panic!("full") };
        names.push(name);
        // Letters of one millisecond have no order among them.
        disk.pause(std::time::Duration::from_millis(2));
    }
    assert_eq!(inbox::waiting(&disk).unwrap(), names);
    for (name, signal) in names.iter().zip(&signals) {
        let letter = inbox::read(&disk, name).unwrap().unwrap();
        assert_eq!(&letter.signal, signal);
        assert!(letter.heard > Time(0) && letter.key.len() == 32);
        inbox::done(&disk, name).unwrap();
        inbox::done(&disk, name).unwrap();
        assert_eq!(inbox::read(&disk, name).unwrap(), None);
    }
    assert_eq!((inbox::waiting(&disk).unwrap(), log_of(&disk)), (Vec::new(), String::new()));
}

#[test]
fn a_secret_at_the_cut_does_not_reach_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    let url = "postgres://app:Zx9kwPqLm2TrueSecret@db/app";
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    for (most, secret) in [(256 << 10, url), (256 << 10, &token)] {
        let filled = "a ".repeat(most / 2 - 14);
        let _ = inbox::put(&disk, &prompt(&format!("{filled}{secret} and more"))).unwrap();
    }
    for (most, secret) in [(4096, url), (4096, &token)] {
        let filled = "a ".repeat(most / 2 - 14);
        let json = format!(
            r#"{{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"command":"{filled}{secret} and more"}}}}"#
        );
        let _ = inbox::put(&disk, &told("claude", &json)).unwrap();
    }
    let names = inbox::waiting(&disk).unwrap();
    assert_eq!(names.len(), 4);
    for name in names {
        let file = disk.read(&format!(".vault/inbox/{name}"), 1 << 20).unwrap().unwrap();
        let text = String::from_utf8(file).unwrap();
        assert!(text.contains("[redacted:"), "{}", &text[text.len() - 400..]);
        assert!(!text.contains("Zx9kw") && !text.contains("16C7"), "{}", &text[text.len() - 400..]);
    }
}

#[test]
fn secrets_do_not_reach_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    for json in [
        format!(r#"{{"hook_event_name":"UserPromptSubmit","prompt":"use {token}","model":"{token}"}}"#),
        format!(
            r#"{{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"command":"T={token} x","path":"/{token}"}},"tool_response":"{token}"}}"#
        ),
        format!(r#"{{"hook_event_name":"Stop","last_assistant_message":"{token}","session_id":"{token}"}}"#),
        format!(r#"{{"hook_event_name":"SessionEnd","reason":"{token}","cwd":"/{token}"}}"#),
        format!(r#"{{"hook_event_name":"PostCompact","compact_summary":"{token}"}}"#),
    ] {
        let _ = inbox::put(&disk, &told("claude", &json)).unwrap();
    }
    let names = inbox::waiting(&disk).unwrap();
    assert_eq!(names.len(), 5);
    for name in names {
        let text = disk.read(&format!(".vault/inbox/{name}"), 1 << 20).unwrap().unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("[redacted:github-pat]") && !text.contains("16C7e42F292c"), "{text}");
    }
}

#[test]
fn many_at_once_lose_none() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(OsDisk::open(folder.path()).unwrap());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let disk = disk.clone();
            scope.spawn(move || {
                for n in 0..50 {
                    let _ = inbox::put(&*disk, &prompt(&format!("{thread}-{n}"))).unwrap();
                }
            });
        }
    });
    let names = inbox::waiting(&*disk).unwrap();
    let keys: BTreeSet<String> =
        names.iter().map(|name| inbox::read(&*disk, name).unwrap().unwrap().key).collect();
    assert_eq!((names.len(), keys.len()), (400, 400));
    assert_eq!(disk.list(".vault/inbox").unwrap().len(), 400);
}

#[test]
fn the_same_told_twice_has_one_key() {
    let check = |same: bool, one: (&str, &str), other: (&str, &str)| {
        let key = |(client, json): (&str, &str)| Letter::of(&told(client, json), Time(1_800_000_000_000)).key;
        assert_eq!(key(one) == key(other), same, "{one:?} {other:?}");
    };
    let camel = r#"{"sessionId":"s","timestamp":1794725091426,"prompt":"p"}"#;
    let pascal = r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","timestamp":"2026-11-15T06:44:51.426Z","prompt":"p"}"#;
    let later = r#"{"sessionId":"s","timestamp":1794725099999,"prompt":"p"}"#;
    check(true, ("copilot", camel), ("vscode", pascal));
    check(false, ("copilot", camel), ("copilot", later));
    let turn = |turn: &str, text: &str| {
        format!(
            r#"{{"hook_event_name":"Stop","session_id":"s","prompt_id":"{turn}","last_assistant_message":"{text}"}}"#
        )
    };
    check(
        true,
        ("claude", &turn("1", "a")),
        ("cursor", &turn("1", "a").replace("prompt_id", "generation_id")),
    );
    check(false, ("claude", &turn("1", "a")), ("claude", &turn("2", "a")));
    // A turn that another hook made go on ends twice.
    check(false, ("claude", &turn("1", "a")), ("claude", &turn("1", "b")));
    check(false, ("claude", &turn("1", "a")), ("claude", &turn("1", "a").replace("\"s\"", "\"t\"")));
    let tool = |id: &str| {
        format!(
            r#"{{"hook_event_name":"PostToolUse","session_id":"s","tool_use_id":"{id}","tool_name":"Bash"}}"#
        )
    };
    check(true, ("claude", &tool("1")), ("claude", &tool("1")));
    check(false, ("claude", &tool("1")), ("claude", &tool("2")));
    check(false, ("claude", &tool("1")), ("claude", &tool("1").replace("PostToolUse", "Stop")));
}

#[test]
fn the_example_in_the_documents_is_a_letter() {
    let text = include_str!("../../../../docs/formats.md");
    let example = text.split("## Inbox").nth(1).and_then(|text| text.split("```json").nth(1));
    let letter = Letter::parse(example.unwrap().split("```").next().unwrap().as_bytes()).unwrap();
    assert_eq!((letter.signal.happened.word(), letter.key.len()), ("prompt", 32));
}

#[test]
fn a_letter_that_nobody_can_read_is_set_aside_and_told_of() {
    for (bytes, why) in [
        (&b"{\"v\":1"[..], "line 1"),
        (b"", "line"),
        (br#"{"v":9,"key":"k","heard":1,"client":"claude-code","what":"prompt","event":"e"}"#, "newer"),
        (br#"{"v":1,"key":"k","heard":1,"client":"nobody","what":"prompt","event":"e"}"#, "client"),
        (br#"{"v":1,"key":"k","heard":1,"client":"codex","what":"dream","event":"e"}"#, "what happened"),
        (br#"{"v":1,"key":"k","heard":1,"client":"codex","what":"tool","event":"e"}"#, "tool"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        disk.make_folder(".vault/inbox").unwrap();
        disk.write(".vault/inbox/1.json", "x", &[Piece::Bytes(bytes.to_vec())]).unwrap();
        assert_eq!(inbox::waiting(&disk).unwrap(), ["1.json"]);
        assert_eq!(inbox::read(&disk, "1.json").unwrap(), None, "{why}");
        assert_eq!(inbox::waiting(&disk).unwrap().len(), 0);
        assert_eq!(disk.read(".vault/inbox/bad/1.json", 1 << 20).unwrap().unwrap(), bytes);
        assert!(log_of(&disk).contains(why) && log_of(&disk).lines().count() == 1, "{}", log_of(&disk));
    }
}

#[test]
fn a_full_inbox_takes_nothing_more_and_says_so_until_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    let names: Vec<String> = (0..4)
        .map(|n| match inbox::put(&disk, &prompt(&n.to_string())).unwrap() {
            Put::Waits(name) => name,
            Put::Full => panic!("full"),
        })
        .collect();
    let room = |files, bytes| Room { files, bytes };
    assert!(has_room(&disk, &room(5, 1 << 20)).unwrap());
    assert_eq!(log_of(&disk), "");
    assert!(!has_room(&disk, &room(4, 1 << 20)).unwrap());
    assert!(!has_room(&disk, &room(100, 200)).unwrap());
    assert_eq!(log_of(&disk).matches("4 signals wait").count(), 2);
    assert!(disk.stat(".vault/inbox/full").unwrap().is_some());
    // With the mark there, every put counts, and the real limits leave room.
    assert!(matches!(inbox::put(&disk, &prompt("5")).unwrap(), Put::Waits(_)));
    assert!(disk.stat(".vault/inbox/full").unwrap().is_none());
    inbox::done(&disk, &names[0]).unwrap();
    assert_eq!(inbox::waiting(&disk).unwrap().len(), 4);
}

#[test]
fn a_disk_that_fails_leaves_no_half_letter() {
    let folder = tempfile::tempdir().unwrap();
    let mut failed = 0;
    for call in 0..12 {
        let disk = FaultyDisk::new(folder.path());
        disk.arm(call, Fault::Fail(std::io::ErrorKind::StorageFull));
        let put = inbox::put(&disk, &prompt("p"));
        disk.disarm();
        failed += usize::from(put.is_err());
        let names = inbox::waiting(&disk).unwrap();
        assert_eq!(names.len(), usize::from(put.is_ok()), "call {call}");
        assert!(names.iter().all(|name| inbox::read(&disk, name).unwrap().is_some()));
    }
    assert!(failed >= 3, "{failed}");
}

#[test]
fn what_a_killed_process_left_is_cleared_up_when_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    disk.make_folder(".vault/inbox").unwrap();
    let young = format!(".{:015}-1-1.json.new", crate::ambient::now().0);
    for name in [".000001794725091-1-1.json.new", &young, ".other"] {
        disk.write(&format!(".vault/inbox/{name}"), "x", &[Piece::Bytes(b"{".to_vec())]).unwrap();
    }
    assert_eq!(inbox::waiting(&disk).unwrap().len(), 0);
    let left: Vec<String> = disk.list(".vault/inbox").unwrap().into_iter().map(|it| it.name).collect();
    assert_eq!(left, [young, ".other".to_owned()]);
}

/// A door that counts, and that lets nothing in together with a certain word.
#[derive(Default)]
struct Counting {
    config: Config,
    closed_to: Option<&'static str>,
    locked: bool,
    compared: usize,
    commits: usize,
    let_in: Vec<String>,
    settled: Vec<String>,
}

impl Door for Counting {
    fn config(&self) -> &Config {
        &self.config
    }

    fn keep(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>> {
        self.commits += 1;
        if self.locked {
            return Err(Error::Locked { path: "x".to_owned(), waited_ms: 1 });
        }
        if self.closed_to.is_some_and(|word| drafts.iter().any(|draft| draft.text.contains(word))) {
            return Err(Error::Broken { path: "x".to_owned(), why: "closed".to_owned() });
        }
        let kept = |draft: Draft| {
            self.let_in.push(draft.text);
            Ok(Kept {
                id: MemoryId::parse("1").unwrap(),
                outcome: Outcome::Created,
                file: String::new(),
                redacted: Vec::new(),
                kind: draft.kind.unwrap_or(Kind::Note),
            })
        };
        Ok(drafts.into_iter().map(kept).collect())
    }

    fn unsaid(&mut self, _: &str, _: Option<Time>) -> Result<Option<String>> {
        Ok(None)
    }

    fn compare(&mut self, _: &Draft) -> Result<Likeness> {
        self.compared += 1;
        Ok(Likeness::New)
    }

    fn open_tasks(&mut self, _: &AgentId) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn standing(&mut self, _: &AgentId) -> Result<Vec<(Kind, String)>> {
        Ok(Vec::new())
    }

    fn settle(&mut self, settled: &Settled) -> Result<()> {
        self.settled.push(settled.was.text.clone());
        Ok(())
    }

    fn take_back(&mut self, _: &TakenBack<'_>) -> Result<usize> {
        Ok(0)
    }

    fn is_of_another(&mut self, _: &MemoryId, _: &Draft) -> Result<bool> {
        Ok(false)
    }

    fn give_turn(&mut self, _: &Draft) -> Result<()> {
        Ok(())
    }
}

/// Sessions without a transcript, each with so many decisions, taken in as soon as they are heard.
fn told_of(disk: &dyn Disk, sessions: usize, decisions: usize) {
    for session in 0..sessions {
        for n in 0..decisions {
            let text = format!("We decided to use lib{session}x{n} for mod{n}, because it is small.");
            let json = format!(
                r#"{{"hook_event_name":"UserPromptSubmit","session_id":"s{session}","prompt":"{text}"}}"#
            );
            let _ = inbox::put(disk, &told("claude", &json)).unwrap();
        }
    }
}

fn drained(disk: &dyn Disk, door: &mut Counting) -> Processed {
    let wait = Duration::from_secs(5);
    let process = Process { agent: None, idle: Duration::ZERO, from: From::Hooks, wait };
    drain(disk, door, &process, &mut |_, _| {}).unwrap()
}

#[test]
fn a_backlog_of_small_sessions_is_compared_and_committed_in_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    told_of(&disk, 250, 10);
    let mut door = Counting::default();
    let done = drained(&disk, &mut door);
    assert_eq!((done.kept_of(&Kind::Decision), done.handoffs, done.errors.len()), (2500, 250, 0));
    // While anything is compared, each session is let in alone; the other 150 share a few commits.
    assert_eq!((door.compared, door.commits), (1000, 106));
    assert_eq!((door.let_in.len(), inbox::waiting(&disk).unwrap().len()), (2750, 0));
    let again = drained(&disk, &mut door);
    assert_eq!((again.handoffs, door.commits), (0, 106));
}

#[test]
fn a_session_that_is_kept_out_keeps_out_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    told_of(&disk, 130, 10);
    let mut door = Counting { closed_to: Some("lib77x3 "), ..Counting::default() };
    let done = drained(&disk, &mut door);
    assert_eq!((done.kept_of(&Kind::Decision), done.handoffs, done.errors.len()), (1290, 129, 1));
    assert_eq!(inbox::waiting(&disk).unwrap().len(), 10);
    door.closed_to = None;
    let done = drained(&disk, &mut door);
    assert_eq!((done.kept_of(&Kind::Decision), done.handoffs, done.errors.len()), (10, 1, 0));
    assert_eq!(inbox::waiting(&disk).unwrap().len(), 0);
}

#[test]
fn a_lock_that_somebody_else_keeps_is_waited_for_once() {
    let mut door = Counting { locked: true, ..Counting::default() };
    let agent = AgentId::parse("dev").unwrap();
    let mut group = Group::default();
    for n in 0..3 {
        group.add(Heard {
            name: n.to_string(),
            progress: Progress::default(),
            drafts: vec![Draft::note("x")],
            settled: Vec::new(),
            handoff: None,
            rest: Rest::of(Client::Amp, &agent, Time(0)),
        });
    }
    let kept = group.keep(&mut door);
    assert!(kept.iter().all(|(_, kept)| matches!(kept, Err(Error::Locked { .. }))));
    assert_eq!((kept.len(), door.commits), (3, 1));
}
