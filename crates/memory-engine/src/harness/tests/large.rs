//! Large amounts: 200 MB of one transcript in bounded time and memory, and thousands of files to search.

use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use memory_core::session::Client;

use super::source;
use crate::harness::{Begin, Cursor, Homes, System, Until, read_tail, sessions};
use crate::project::project_of;

/// A turn as Claude Code writes it: mostly what tools gave back, and copies of requests.
fn turn(out: &mut impl Write, n: usize, output: &str) -> usize {
    let lines = [
        format!(
            r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"question {n}"}},"uuid":"u{n}","timestamp":"2026-11-15T06:47:29.251Z","cwd":"/home/dev/proj","sessionId":"s"}}"#
        ),
        format!(
            r#"{{"type":"api-request-blob","sessionId":"s","message":{{"role":"user","content":"{output}"}}}}"#
        ),
        format!(
            r#"{{"parentUuid":"u{n}","isSidechain":false,"type":"assistant","message":{{"id":"m{n}","role":"assistant","model":"x","content":[{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{"command":"cat {n}"}}}}],"stop_reason":"tool_use"}},"cwd":"/home/dev/proj","sessionId":"s"}}"#
        ),
        format!(
            r#"{{"parentUuid":"m{n}","isSidechain":false,"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"t{n}","type":"tool_result","content":"{output}","is_error":false}}]}},"toolUseResult":{{"stdout":"{output}"}},"cwd":"/home/dev/proj","sessionId":"s"}}"#
        ),
        format!(
            r#"{{"parentUuid":"m{n}","isSidechain":false,"type":"assistant","message":{{"id":"a{n}","role":"assistant","model":"x","content":[{{"type":"text","text":"answer {n}"}}],"stop_reason":"end_turn"}},"cwd":"/home/dev/proj","sessionId":"s"}}"#
        ),
    ];
    for line in &lines {
        writeln!(out, "{line}").unwrap();
    }
    lines.iter().map(|line| line.len() + 1).sum()
}

#[test]
#[ignore = "writes 200 MB; run it with a release build for its figures"]
fn a_large_transcript_is_read_in_bounded_time_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let output = "a line of output with \\\"quotes\\\" and \\n line ends, ".repeat(80);
    let mut file = BufWriter::new(std::fs::File::create(&path).unwrap());
    let (mut bytes, mut turns) = (0, 0);
    while bytes < 200 << 20 {
        bytes += turn(&mut file, turns, &output);
        turns += 1;
    }
    file.flush().unwrap();
    let source = source(Client::ClaudeCode, &path, None);
    let mut count = 0;
    let start = Instant::now();
    let tail = read_tail(&source, &Cursor::default(), Until::Settled, &mut |_| count += 1).unwrap();
    let took = start.elapsed();
    assert_eq!((count, tail.given), (3 * turns, 3 * turns as u64));
    for n in 0..2 {
        turn(&mut file, turns + n, &output);
    }
    file.flush().unwrap();
    let start = Instant::now();
    let next = read_tail(&source, &tail.cursor, Until::Settled, &mut |_| count += 1).unwrap();
    let after = start.elapsed();
    assert_eq!((next.begin, next.given), (Begin::Continued, 6));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!("{bytes} bytes, {count} messages: {took:?}; the next ten lines: {after:?}; {peak}");
    assert!(took < Duration::from_secs(10) && after < Duration::from_millis(50));
}

#[test]
#[ignore = "writes thousands of files; run it for its figures"]
fn the_sessions_of_a_project_are_found_among_thousands() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let project = home.join("p");
    std::fs::create_dir_all(&project).unwrap();
    let vendor = "x".repeat(20 << 10);
    for n in 0..5000 {
        let cwd = if n % 100 == 0 { project.display().to_string() } else { format!("/elsewhere/{}", n % 40) };
        let codex = home.join(format!(".codex/sessions/2026/11/{:02}", n % 28));
        std::fs::create_dir_all(&codex).unwrap();
        let line = format!(
            r#"{{"type":"session_meta","payload":{{"id":"{n}","cwd":"{cwd}","base_instructions":"{vendor}"}}}}"#
        );
        std::fs::write(codex.join(format!("rollout-{n}.jsonl")), format!("{line}\n{line}\n")).unwrap();
        let claude = home.join(".claude/projects").join(cwd.replace('/', "-"));
        std::fs::create_dir_all(&claude).unwrap();
        let line =
            format!(r#"{{"type":"user","cwd":"{cwd}","sessionId":"{n}","message":{{"content":"x"}}}}"#);
        std::fs::write(claude.join(format!("{n}.jsonl")), format!("{line}\n")).unwrap();
    }
    let start = Instant::now();
    let all = sessions(&Homes::at(System::Linux, &home), &project_of(&project));
    let took = start.elapsed();
    println!("{} sessions among 10000 files: {took:?}", all.found.len());
    assert_eq!(all.found.len(), 100);
    assert!(took < Duration::from_secs(5));
}
