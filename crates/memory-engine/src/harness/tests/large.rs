//! A transcript of 200 MB: read in bounded time and memory, and its next lines without reading it again.

use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use memory_core::session::Client;

use super::source;
use crate::harness::{Begin, Cursor, Until, read_tail};

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
