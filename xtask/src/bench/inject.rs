//! `bench inject`: what a session waits for before it knows: `inject` and the hooks that answer, as cold processes on
//! roots of many memories, all of them one agent's, beside the vault tool's own command line where that is there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use memory_engine::core::config::Resolved;
use memory_engine::core::id::AgentId;
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::Scope;
use memory_engine::disk::OsDisk;
use memory_engine::{Draft, Memory, Update};

use super::hook::{error, once, report};
use super::measure::{Times, product};
use super::search::notes::Notes;

/// Cold runs of each.
const RUNS: usize = 200;
/// Entries for the vault tool, which needs seconds for more.
const VAULT_TOOL_ENTRIES: usize = 1000;
const KINDS: [Kind; 5] = [Kind::Decision, Kind::Lesson, Kind::Task, Kind::Fact, Kind::Handoff];
const COMMAND: [&str; 3] = ["retry", "queue", "release"];
const PROMPT: &str = "Why do we not use sockets between the browser and the server, and since when is that so? I \
    would like to change the retry policy of the queue before the next release, so tell me what we learned about \
    timeouts and which tests cover it";

pub(super) fn run(args: &[String]) -> Result<(), String> {
    let sizes: Vec<usize> = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => vec![10_000, 100_000],
        ["--quick"] => vec![1000],
        ["--memories", count] => vec![count.parse().map_err(|_| format!("`{count}` is no number"))?],
        words => return Err(format!("`{}` is not understood; use --quick or --memories N", words.join(" "))),
    };
    let binary = product()?;
    for memories in sizes {
        let place = std::env::temp_dir().join(format!("agent-memory-inject-{}", std::process::id()));
        std::fs::create_dir_all(&place).map_err(error)?;
        let done = Bench { binary: binary.clone(), place: place.clone() }.all(memories);
        let _ = std::fs::remove_dir_all(&place);
        done?;
    }
    Ok(())
}

struct Bench {
    binary: PathBuf,
    place: PathBuf,
}

impl Bench {
    fn all(&self, memories: usize) -> Result<(), String> {
        println!(
            "inject benchmark, a root of {memories} memories of one agent, {RUNS} cold processes of each"
        );
        self.fill(memories)?;
        let mut rows: Vec<(&str, Times)> =
            ["/bin/true", "start", "3 words", "a prompt", "hook: start", "hook: prompt"]
                .into_iter()
                .map(|name| (name, Times::default()))
                .collect();
        // The machine's mood changes by the second, so all take turns.
        for n in 0..RUNS {
            for (name, times) in &mut rows {
                let (mut command, input) = self.call(name, n);
                times.push(once(&mut command, &input)?);
            }
        }
        for (name, times) in &mut rows {
            report(name, times);
        }
        let goal = if memories > 10_000 { 20 } else { 10 };
        println!("  (goal p50 {goal} ms, p99 60 ms)");
        self.vault_tool()
    }

    fn call(&self, name: &str, n: usize) -> (Command, Vec<u8>) {
        let mut command = Command::new(if name == "/bin/true" { Path::new(name) } else { &self.binary });
        command.current_dir(self.place.join("project"));
        command.env("AGENT_MEMORY_HOME", self.place.join("home")).env("AGENT_MEMORY_NO_BACKGROUND", "1");
        command.env("AGENT_MEMORY_AGENT", "dev");
        for name in ["AGENT_MEMORY_DIR", "CLAUDE_PROJECT_DIR", "CURSOR_VERSION", "COPILOT_CLI"] {
            command.env_remove(name);
        }
        let cwd = serde_json::Value::from(self.place.join("project").display().to_string());
        let event = |session: usize, rest: String| {
            format!(r#"{{"session_id":"s-{session}","cwd":{cwd},"prompt_id":"p-{n}",{rest}}}"#).into_bytes()
        };
        match name {
            "start" => drop(command.args(["inject", "preview", "dev"])),
            "3 words" => drop(command.args(["inject", "preview", "dev"]).args(COMMAND)),
            "a prompt" => drop(command.args(["inject", "preview", "dev", PROMPT])),
            "hook: start" => {
                command.args(["hook", "claude"]);
                return (
                    command,
                    event(n, r#""hook_event_name":"SessionStart","source":"startup""#.to_owned()),
                );
            }
            "hook: prompt" => {
                command.args(["hook", "claude"]);
                let rest = format!(r#""hook_event_name":"UserPromptSubmit","prompt":"{PROMPT} {n}""#);
                return (command, event(0, rest));
            }
            _ => {}
        }
        (command, Vec::new())
    }

    fn fill(&self, memories: usize) -> Result<(), String> {
        let project = self.place.join("project");
        std::fs::create_dir_all(&project).map_err(error)?;
        once(
            Command::new(&self.binary)
                .arg("init")
                .current_dir(&project)
                .env("AGENT_MEMORY_HOME", self.place.join("home")),
            b"",
        )?;
        let root = project.join(".memory");
        let page = "# Bench\n\nA queue with workers, in Rust, on SQLite.\n";
        std::fs::write(root.join("_project.md"), page).map_err(error)?;
        let disk = OsDisk::open(&root).map_err(error)?;
        let memory = Memory::with(Arc::new(disk), Resolved::default()).map_err(error)?;
        let (notes, agent) = (Notes::new(), AgentId::parse("dev").map_err(error)?);
        for begin in (0..memories).step_by(8192) {
            let drafts = (begin..memories.min(begin + 8192)).map(|n| self.draft(&notes, &agent, n)).collect();
            memory.remember_all(drafts).map_err(error)?;
        }
        memory.flush().map_err(error)?;
        memory.update_index(Update::Behind, &mut |_, _| {}).map_err(error)?;
        Ok(())
    }

    /// A note of some kind; of the tasks, one in two hundred is open.
    fn draft(&self, notes: &Notes, agent: &AgentId, n: usize) -> Draft {
        let kind = KINDS[n % KINDS.len()].clone();
        let body = notes.note(n).body;
        let text = match kind {
            Kind::Task if n % 1000 == 2 => format!("- [ ] {body}"),
            Kind::Task => format!("- [x] {body}"),
            _ => body,
        };
        Draft { kind: Some(kind), scope: Some(Scope::Agent(agent.clone())), ..Draft::note(&text) }
    }

    /// The vault tool's own command line, where `AGENT_MEMORY_VAULT_TOOL` names it.
    fn vault_tool(&self) -> Result<(), String> {
        let Some(vault_tool) = std::env::var_os("AGENT_MEMORY_VAULT_TOOL") else {
            println!(
                "  the vault tool is not measured: AGENT_MEMORY_VAULT_TOOL names its command line, if it is there"
            );
            return Ok(());
        };
        let folder = self.place.join("vault_tool");
        let run = |words: &[&str]| {
            let mut command = Command::new("node");
            command.arg(&vault_tool).arg("--dir").arg(&folder).args(words);
            once(&mut command, b"")
        };
        for n in 0..VAULT_TOOL_ENTRIES {
            run(&["vault", "add", "dev", "decisions", "-c", &Notes::new().note(n).body])?;
        }
        run(&["compact"])?;
        let mut times = Times::default();
        for _ in 0..20 {
            times.push(run(&["inject", "preview", "dev", COMMAND[0], COMMAND[1], COMMAND[2]])?);
        }
        report(&format!("vault tool, {VAULT_TOOL_ENTRIES}"), &mut times);
        Ok(())
    }
}
