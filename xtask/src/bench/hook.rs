//! `bench hook`: what a client waits for at each step of a session, as a cold process on a root of many memories beside
//! the start of a program that does nothing; then a thousand hooks at once, and how many of them are lost.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use memory_engine::capture::inbox;
use memory_engine::core::config::Resolved;
use memory_engine::core::id::AgentId;
use memory_engine::core::scope::Scope;
use memory_engine::disk::OsDisk;
use memory_engine::{Draft, Memory};

use super::measure::{Times, product};

/// Cold runs of each payload.
const RUNS: usize = 500;

/// Hooks of the second part, and how many run at a time.
const MANY: usize = 1000;
const AT_ONCE: usize = 32;

pub(super) fn run(args: &[String]) -> Result<(), String> {
    let memories = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => 100_000,
        ["--quick"] => 2000,
        ["--memories", count] => count.parse().map_err(|_| format!("`{count}` is no number"))?,
        words => return Err(format!("`{}` is not understood; use --quick or --memories N", words.join(" "))),
    };
    let place = std::env::temp_dir().join(format!("agent-memory-hook-{}", std::process::id()));
    std::fs::create_dir_all(&place).map_err(error)?;
    let done = Bench { binary: product()?, place: place.clone() }.all(memories);
    let _ = std::fs::remove_dir_all(&place);
    done
}

struct Bench {
    binary: PathBuf,
    place: PathBuf,
}

impl Bench {
    fn all(&self, memories: usize) -> Result<(), String> {
        println!("hook benchmark, a root of {memories} memories, {RUNS} cold processes of each");
        self.fill(memories)?;
        let mut nothing = Times::default();
        let mut ours: Vec<Times> = EVENTS.iter().map(|_| Times::default()).collect();
        // The machine's mood changes by the second, so all take turns.
        for n in 0..RUNS {
            nothing.push(once(&mut Command::new("/bin/true"), b"{}")?);
            for (event, times) in EVENTS.iter().zip(&mut ours) {
                times.push(once(&mut self.hook(), &self.payload(event, n))?);
            }
        }
        report("/bin/true", &mut nothing);
        for (event, times) in EVENTS.iter().zip(&mut ours) {
            report(event.name, times);
        }
        println!("  (goal p50 3 ms, p99 15 ms)");
        let waiting = self.waiting()?;
        let expect = RUNS * EVENTS.len();
        println!("  {} of {expect} wait in the inbox", waiting.len());
        let disk = OsDisk::open(&self.root()).map_err(error)?;
        waiting.iter().try_for_each(|name| inbox::done(&disk, name)).map_err(error)?;
        self.many()?;
        if waiting.len() == expect { Ok(()) } else { Err("signals were lost".to_owned()) }
    }

    /// Many hooks at once; every one of them must wait in the inbox afterwards.
    fn many(&self) -> Result<(), String> {
        let next = AtomicUsize::new(0);
        let failed = AtomicUsize::new(0);
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        if n >= MANY {
                            return;
                        }
                        let event = &EVENTS[n % EVENTS.len()];
                        if once(&mut self.hook(), &self.payload(event, n)).is_err() {
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let rate = MANY as f64 / start.elapsed().as_secs_f64();
        let (there, failed) = (self.waiting()?.len(), failed.into_inner());
        let lost = MANY - there.min(MANY);
        println!(
            "{MANY} hooks, {AT_ONCE} at a time: {rate:.0} /s, {there} wait, {lost} lost, {failed} failed"
        );
        if there == MANY && failed == 0 { Ok(()) } else { Err("signals were lost".to_owned()) }
    }

    fn root(&self) -> PathBuf {
        self.place.join("project/.memory")
    }

    fn fill(&self, memories: usize) -> Result<(), String> {
        let mut init = Command::new(&self.binary);
        init.arg("--dir").arg(self.root()).arg("init").env("AGENT_MEMORY_HOME", self.place.join("home"));
        let status = init.stdout(Stdio::null()).stderr(Stdio::null()).status().map_err(error)?;
        if !status.success() {
            return Err(format!("`init` ended with {status}"));
        }
        let disk = OsDisk::open(&self.root()).map_err(error)?;
        let memory = Memory::with(Arc::new(disk), Resolved::default()).map_err(error)?;
        for begin in (0..memories).step_by(8192) {
            let drafts = (begin..memories.min(begin + 8192))
                .map(|n| {
                    let agent = AgentId::parse(&format!("agent{}", n % 20)).map_err(error)?;
                    let text = format!("Lesson {n}: the queue of worker {} retries after a release", n / 7);
                    Ok(Draft { scope: Some(Scope::Agent(agent)), ..Draft::note(&text) })
                })
                .collect::<Result<Vec<_>, String>>()?;
            memory.remember_all(drafts).map_err(error)?;
        }
        memory.flush().map_err(error)
    }

    fn waiting(&self) -> Result<Vec<String>, String> {
        inbox::waiting(&OsDisk::open(&self.root()).map_err(error)?).map_err(error)
    }

    fn hook(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(["hook", "claude"]).current_dir(&self.place);
        command.env("AGENT_MEMORY_HOME", self.place.join("home")).env("AGENT_MEMORY_NO_BACKGROUND", "1");
        for name in ["AGENT_MEMORY_DIR", "CLAUDE_PROJECT_DIR", "CURSOR_VERSION", "COPILOT_CLI"] {
            command.env_remove(name);
        }
        command
    }

    fn payload(&self, event: &Event, n: usize) -> Vec<u8> {
        let cwd = serde_json::Value::from(self.place.join("project").display().to_string());
        let start =
            r#"{"session_id":"56020b30-101d","transcript_path":"/t.jsonl","permission_mode":"default""#;
        let (name, rest) = (event.name, event.rest);
        format!(r#"{start},"cwd":{cwd},"prompt_id":"p-{n}","hook_event_name":"{name}",{rest}}}"#).into_bytes()
    }
}

/// An event of Claude Code, and what it carries.
struct Event {
    name: &'static str,
    rest: &'static str,
}

const EVENTS: [Event; 3] = [
    // These capture alone; `bench inject` measures hooks that answer.
    Event { name: "PreCompact", rest: r#""trigger":"manual""# },
    Event {
        name: "PostToolUse",
        rest: r#""tool_name":"Bash","tool_input":{"command":"cargo test -p memory-core","description":"Run the tests"},
            "tool_response":{"stdout":"running 12 tests ... ok","stderr":"","interrupted":false},"duration_ms":6512"#,
    },
    Event {
        name: "Stop",
        rest: r#""stop_hook_active":false,"background_tasks":[],
            "last_assistant_message":"We decided to use SSE, because the proxy in front drops idle sockets.""#,
    },
];

/// How long a cold process takes from its start to its end, with this on its standard input.
pub(super) fn once(command: &mut Command, input: &[u8]) -> Result<Duration, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().map_err(error)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads nothing may be gone already.
        let _ = stdin.write_all(input);
    }
    let status = child.wait().map_err(error)?;
    let time = start.elapsed();
    if status.success() { Ok(time) } else { Err(format!("it ended with {status}")) }
}

pub(super) fn report(name: &str, times: &mut Times) {
    let [half, most, all] = [0.5, 0.99, 1.0].map(|share| times.share(share));
    println!("  {name:<18} p50 {half:>7.2} ms   p99 {most:>7.2} ms   max {all:>7.2} ms");
}

pub(super) fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
