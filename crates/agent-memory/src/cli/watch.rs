//! `watch`: takes sessions in while they go on, with the flags and the words of the vault tool.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use memory_engine::core::id::AgentId;
use memory_engine::core::session::Client;
use memory_engine::{
    Compact, Ended, Error, Memory, Process, ProcessFrom, Processed, Watch as Asked, Watched,
};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::process::{client, clients};
use crate::cli::shown::counted;
use crate::cli::words::OneOf;
use crate::output::Format;

/// Take sessions in while they go on, until it is stopped
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory watch
  agent-memory watch --agent dev --idle-timeout 300 --debounce 10
  agent-memory watch --wait-for-transcripts --quiet
  agent-memory watch --json")]
pub(crate) struct Watch {
    /// Whose memories they become [default: the agent of the settings]
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// A session in which nothing happened for so many seconds is handed over
    #[arg(long, value_name = "SECONDS", default_value = "180", value_parser = clap::value_parser!(u64).range(10..=A_YEAR))]
    idle_timeout: u64,

    /// After a change so many seconds are waited for others
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u64).range(1..=A_DAY))]
    debounce: u64,

    /// Only this client
    #[arg(long, value_name = "CLIENT", value_parser = OneOf { parse: client, words: clients })]
    client: Option<Client>,

    /// Wait for the first session of this project; this is always so, and the flag is there for scripts of the vault tool
    #[arg(long)]
    wait_for_transcripts: bool,
}

/// The seconds of a day and of a year: nobody waits longer.
const A_DAY: u64 = 24 * 3600;
const A_YEAR: u64 = 366 * A_DAY;

/// Upkeep is due after so many new memories, or so long after the last one if there is any.
const MANY: usize = 50;
const LONG: Duration = Duration::from_secs(30 * 60);

impl Watch {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        let idle = Duration::from_secs(self.idle_timeout);
        let asked = Asked {
            process: Process {
                agent: self.agent,
                idle,
                from: ProcessFrom::Clients(self.client.into_iter().collect()),
                wait: Duration::from_secs(1),
            },
            debounce: Duration::from_secs(self.debounce),
            every: Duration::from_secs(15).min(idle),
        };
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, stop.clone())?;
        }
        let mut upkeep = Upkeep { since: Instant::now(), new: 0 };
        let mut watch = |app: &mut App, memory: &Memory| {
            memory.watch(&asked, &stop, &mut |watched| {
                tell(app, &watched);
                if let Watched::Took(done) = &watched {
                    upkeep.after(app, memory, done);
                }
            })
        };
        let mut ended = watch(app, &memory);
        if let Err(error @ Error::TakenAway { .. }) = &ended {
            let again = format!("{error}; opening it anew");
            say(app, &again, &json!({ "event": "opened-anew", "why": error.to_string() }));
            drop(memory);
            let memory = app.memory()?;
            ended = watch(app, &memory);
        }
        match ended? {
            Ended::Stopped => {
                say(app, "stopped", &json!({ "event": "stopped" }));
                Ok(())
            }
            Ended::Taken => {
                Err(Failure::error("E_BUSY", "another process is watching this memory already: it is enough"))
            }
        }
    }
}

/// Tells of something that happened: a line of talk for people, a line of JSON for programs.
fn say(app: &mut App, text: &str, event: &Value) {
    if app.out.format() == Format::Text {
        return app.out.mention(&format!("[agent-memory watch] {text}"));
    }
    // Whoever reads it is told at once; one that left is no reason to stop watching.
    let _ = app.out.json(event).and_then(|()| app.out.flush());
}

fn tell(app: &mut App, watched: &Watched) {
    match watched {
        Watched::Watching { folders, polling } => {
            let besides = polling
                .as_ref()
                .map_or_else(String::new, |why| format!(", and looking every few seconds besides ({why})"));
            let text = format!("watching {}{besides}", counted(*folders as u64, "folder"));
            say(app, &text, &json!({ "event": "watching", "folders": folders, "polling": polling }));
        }
        Watched::Took(done) => {
            let kept: usize = done.kept.values().sum();
            if kept + done.handoffs > 0 {
                let text = format!(
                    "{}: {} and {} kept",
                    counted(done.messages, "message"),
                    counted(kept as u64, "memory"),
                    counted(done.handoffs as u64, "handoff")
                );
                let count = json!({ "event": "took", "messages": done.messages, "memories": kept, "handoffs": done.handoffs });
                say(app, &text, &count);
            }
            for (place, why) in &done.errors {
                app.out.warn(&format!("{place}: {why}"));
            }
        }
        Watched::Failed(error) => app.out.warn(&error.to_string()),
    }
}

struct Upkeep {
    since: Instant,
    new: usize,
}

impl Upkeep {
    /// Keeps the memory lean and the index up to what was taken in. What fails here is done by the next upkeep.
    fn after(&mut self, app: &mut App, memory: &Memory, done: &Processed) {
        self.new += done.kept.values().sum::<usize>() + done.handoffs;
        if self.new >= MANY || self.new > 0 && self.since.elapsed() >= LONG {
            match memory.compact(&Compact::default(), &mut |_, _| {}) {
                Ok(compacted) => {
                    for (path, why) in &compacted.errors {
                        app.out.warn(&format!("{path}: {why}"));
                    }
                    if let Some(batch) = &compacted.archive {
                        let merged = compacted.merged;
                        let text =
                            format!("compacted {}, archived as {batch}", counted(merged as u64, "memory"));
                        say(
                            app,
                            &text,
                            &json!({ "event": "compacted", "memories": merged, "archive": batch }),
                        );
                    }
                }
                Err(error) => app.out.warn(&error.to_string()),
            }
            *self = Self { since: Instant::now(), new: 0 };
        }
    }
}
