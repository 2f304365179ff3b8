//! `run`: a client that has no hooks, with memory: it is given context, what is said is kept, and its end is a handoff.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use memory_engine::capture::inbox::{self, Put};
use memory_engine::core::id::{AgentId, SessionId};
use memory_engine::core::session::Client;
use memory_engine::disk::OsDisk;
use memory_engine::hook::{Happened, Signal, without_injected};
use memory_engine::{Ask, Memory, Process, ProcessFrom, ambient};

use crate::app::{App, Failure, Outcome};
use crate::project::files;
use crate::wrap::{self, Caught, Given, Piped, Said, Seat, Speaker};

/// Run an agent's client that has no hooks, with memory
///
/// The client is given what it should know: where an argument says `{context}` or `{context-file}`, by its own flag
/// (aider, llm), or in front of what is piped into it; else the variable AGENT_MEMORY_CONTEXT_FILE names a file that holds it. Where
/// an argument holds it, everybody on this machine can read it while the client runs. What is said is listened to,
/// decisions and lessons of it are kept, and at its end there is a handoff. What is typed unseen, such as a password, is
/// not listened to, nor is anything on the alternate screen, where editors and pagers are. Signals reach the client, and
/// its exit code is ours.
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory run -- aider
  agent-memory run --agent dev -- my-agent --system {context}
  echo \"what did we decide about the cache?\" | agent-memory run -- ollama run llama3.2")]
pub(crate) struct Run {
    /// Whose memory it is [default: the agent of the settings]
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// Tokens of context at most [default: the setting context.tokens]
    #[arg(short, long, value_name = "TOKENS")]
    budget: Option<usize>,

    /// The client and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true, num_args = 1..)]
    command: Vec<String>,
}

/// A session of another client that rested so long is handed over.
const IDLE: Duration = Duration::from_secs(300);
/// How long to wait for another process that takes sessions in.
const WAIT: Duration = Duration::from_secs(60);

impl Run {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        let agent = self.agent.unwrap_or_else(|| memory.config().config.memory.agent.clone());
        let now = ambient::now();
        let session = SessionId::parse(&format!("run-{}", now.0)).map_err(Failure::from)?;
        let asked = self.command.last().filter(|word| word.contains(' ')).cloned().unwrap_or_default();
        let ask = Ask {
            command: asked,
            session: Some(session.clone()),
            client: "run".to_owned(),
            tokens: self.budget,
            ..Ask::new(agent.clone())
        };
        let block = memory.hand_over(&ask)?.0.context.text;
        let mut caught = Caught::set()?;
        let context = ContextFile::write(&block)?;
        let seat = match (std::io::stdin().is_terminal(), std::io::stdout().is_terminal()) {
            (true, true) => Seat::Terminal,
            (true, false) => Seat::TerminalIn,
            (false, _) => Seat::Pipes,
        };
        let piped = if seat == Seat::Pipes { Piped::In } else { Piped::Not };
        let start = wrap::start(&self.command, &block, &context.file, piped);
        if start.given == Given::File {
            app.out.note(
                "the client is told nothing by itself: put {context} or {context-file} where it takes it",
            );
        }
        app.out.flush()?;
        let ended = wrap::run(&start, &context.file, seat, &mut caught).map_err(|error| {
            Failure::error("E_NO_PROGRAM", format!("could not run `{}`: {error}", start.program))
        })?;
        drop(context);
        let known = Client::of_word(&wrap::name_of(&start.program));
        let known = known.filter(|client| *client != Client::Conversations);
        let (from, idle) = match known {
            // It writes its sessions down itself, and better than a listener can.
            Some(client) => (ProcessFrom::Clients(vec![client]), Duration::ZERO),
            None => {
                // What others told before belongs to the agent of the settings.
                let waiting = Process { agent: None, idle: IDLE, from: ProcessFrom::Hooks, wait: WAIT };
                memory.process(&waiting, &mut |_, _| {})?;
                if tell(&memory, &session, &ended.talk)? == Told::InPart {
                    app.out.warn(
                        "the inbox is full, so not all that was said is kept; `agent-memory process` empties it",
                    );
                }
                (ProcessFrom::Hooks, IDLE)
            }
        };
        // What was said is in the inbox, or with the client: whoever empties it next finds it.
        caught.let_go();
        let process = Process { agent: Some(agent), idle, from, wait: WAIT };
        let done = memory.process(&process, &mut |_, _| {})?;
        app.wrote_memories(done.kept.values().sum::<usize>() + done.handoffs);
        if let Some(error) = ended.unshown.filter(|error| error.kind() != std::io::ErrorKind::BrokenPipe) {
            return Err(Failure::Stream(error));
        }
        if ended.code == 0 { Ok(()) } else { Err(Failure::Told(ended.code)) }
    }
}

/// Puts what was said into the inbox, as a client's hooks would. What the client was given is no part of it, though it
/// may have said it again.
fn tell(memory: &Memory, session: &SessionId, talk: &[Said]) -> Outcome<Told> {
    let disk = OsDisk::open(memory.root())?;
    let mut signals = vec![Happened::Started { source: None }];
    let texts = talk.iter().map(|said| (said.who, without_injected(&said.text)));
    signals.extend(texts.filter(|(_, text)| !text.is_empty()).map(|(who, text)| match who {
        Speaker::Person => Happened::Prompt { text },
        Speaker::Client => Happened::Reply { text: Some(text) },
    }));
    signals.push(Happened::Ended { reason: None });
    let cwd = ambient::current_dir().ok().map(|folder| folder.display().to_string());
    let mut told = Told::All;
    for (n, happened) in signals.into_iter().enumerate() {
        let signal = Signal {
            client: Client::Conversations,
            event: format!("run-{n}"),
            happened,
            session: Some(session.clone()),
            turn: None,
            call: None,
            cwd: cwd.clone(),
            transcript: None,
            model: None,
            at: Some(ambient::now()),
            cut: 0,
        };
        if inbox::put(&disk, &signal)? == Put::Full {
            told = Told::InPart;
        }
    }
    Ok(told)
}

/// How much of what was said is in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    All,
    InPart,
}

/// The context in a file that goes with this value.
struct ContextFile {
    file: PathBuf,
    folder: PathBuf,
}

impl ContextFile {
    fn write(block: &str) -> Outcome<Self> {
        let folder = files::private_folder("agent-memory-run")?;
        let file = folder.join("context.md");
        files::replace(&file, block.as_bytes())?;
        Ok(Self { file, folder })
    }
}

impl Drop for ContextFile {
    fn drop(&mut self) {
        files::remove_folder(&self.folder);
    }
}
