//! `hook`: what a client calls at each step of a session. It puts what happened into the inbox and is gone.
//!
//! Whatever comes, the exit code is 0 and nothing is printed but context in the client's own form: clients take other
//! codes for a veto and other words for an error. What went wrong stands in `.vault/log`. The arguments are read here
//! and not by the parser of all other commands, whose complaints would be just that, and which takes longer to set up
//! than the rest of the work.

use std::ffi::OsString;
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use memory_engine::capture::{self, Heard};
use memory_engine::context::{self, CLIENT_CUTS};
use memory_engine::core::session::Client;
use memory_engine::hook::{self, Happened, Opening, Signal};
use memory_engine::{Ask, Memory, Moment};
use serde_json::json;

use crate::app::{App, Failure, Outcome, background};
use crate::cli::hooked::{self, Settings};
use crate::output::{ColourChoice, Format, Output, Talk, stdin_is_person};

/// Take what a client's hook tells on stdin
///
/// The clients are claude, codex, cursor, gemini, qwen, opencode, copilot, vscode, cline, windsurf, goose and amp. It
/// reads the client's JSON, puts what matters of it into the inbox of the memory that the agent works in, and exits
/// with 0 whatever happens. Where there is no memory, or one that you have not approved, it does nothing. What went
/// wrong stands in `.vault/log`. docs/hooks.md says how each client is told to call it, and `--print` gives the settings
/// of one, ready to paste.
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory hook claude --print
  agent-memory hook claude < event.json
  agent-memory hook copilot sessionStart < event.json")]
pub(crate) struct Hook {
    /// The client whose settings name this hook
    #[arg(value_name = "CLIENT")]
    client: Option<String>,

    /// The event, for clients whose JSON does not name it
    #[arg(value_name = "EVENT")]
    event: Option<String>,

    /// Print the settings with which the client calls this, and take nothing
    #[arg(long)]
    print: bool,
}

impl Hook {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        if self.print {
            return print(app, &self.client.unwrap_or_default());
        }
        Order { client: self.client.unwrap_or_default(), event: self.event, dir: None }.carry_out();
        Ok(())
    }
}

/// Prints the settings of a client, and says where they go.
fn print(app: &mut App, client: &str) -> Outcome<()> {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("agent-memory"));
    let Some(settings) = hooked::settings(client, &program) else {
        let words: Vec<&str> = hooked::words().collect();
        let text = format!("no settings for `{client}`: name one of {}", words.join(", "));
        return Err(Failure::usage(text));
    };
    if app.out.format() == Format::Json {
        let Settings { client, place, text } = settings;
        return Ok(app.out.json(&json!({ "client": client, "place": place, "settings": text }))?);
    }
    app.out.exact(settings.text.as_bytes())?;
    app.out.flush()?;
    app.out.mention(&settings.place);
    Ok(())
}

/// A call of this command, as it was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Order {
    client: String,
    event: Option<String>,
    dir: Option<PathBuf>,
}

/// The order in these arguments; `None` when they are for another command, or ask for help or settings.
pub(super) fn order(arguments: impl Iterator<Item = OsString>) -> Option<Order> {
    let mut arguments = arguments;
    let mut dir = None;
    let mut words = Vec::new();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        match text.as_ref() {
            "--help" | "-h" | "--version" | "-V" | "--print" => return None,
            "--dir" => dir = arguments.next().map(PathBuf::from),
            "--color" => drop(arguments.next()),
            flag if flag.starts_with('-') => {
                dir = flag.strip_prefix("--dir=").map(PathBuf::from).or(dir);
            }
            word => words.push(word.to_owned()),
        }
        if words.first().is_some_and(|word| word != "hook") {
            return None;
        }
    }
    let mut words = words.into_iter();
    words.next()?;
    Some(Order { client: words.next().unwrap_or_default(), event: words.next(), dir })
}

impl Order {
    /// Hears the hook out and answers it. Even a defect of ours must not end the client's turn.
    pub(super) fn carry_out(&self) {
        std::panic::set_hook(Box::new(|_| {}));
        let heard = std::panic::catch_unwind(|| {
            let input = if stdin_is_person() { Vec::new() } else { input(&mut io::stdin().lock()) };
            capture::hear(capture::Hook {
                client: &self.client,
                event: self.event.as_deref(),
                input: &input,
                dir: self.dir.as_deref(),
            })
        });
        if let Ok(Some(heard)) = heard {
            or_noted(&heard, answer);
            or_noted(&heard, wake);
        }
    }
}

/// Does something about a hook. A defect of ours is a line in the log.
fn or_noted(heard: &Heard, act: fn(&Heard)) {
    if let Err(panic) = std::panic::catch_unwind(|| act(heard)) {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        note(heard, &format!("a defect of agent-memory: {words}"));
    }
}

/// Notes in the root's log what went wrong.
fn note(heard: &Heard, what: &str) {
    context::note_trouble(&heard.root, &format!("hook {}: {what}", heard.signal.client.word()));
}

/// What is told, up to the end of its object: a client may leave the pipe open. What is longer than is read is taken and
/// dropped, so that the client can finish writing.
fn input(from: &mut dyn BufRead) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut object = Object::default();
    loop {
        let part = match from.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // What came before an error is looked at all the same.
            Err(_) => break,
        };
        let end = object.end_in(part);
        if bytes.len() as u64 <= hook::MOST_BYTES {
            bytes.extend_from_slice(part);
        }
        let count = part.len();
        from.consume(count);
        if end || count == 0 {
            break;
        }
    }
    bytes
}

/// How far a JSON object has come, byte by byte. What begins with anything else has no end but that of the input.
#[derive(Debug, Default)]
struct Object {
    depth: usize,
    is_other: bool,
    inside_text: bool,
    escaped: bool,
}

impl Object {
    /// Whether it ends within these bytes.
    fn end_in(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().any(|byte| self.ends_with(*byte))
    }

    fn ends_with(&mut self, byte: u8) -> bool {
        if self.is_other {
            return false;
        }
        match (self.inside_text, byte) {
            (true, _) if std::mem::take(&mut self.escaped) => {}
            (true, b'\\') => self.escaped = true,
            (inside, b'"') => self.inside_text = !inside,
            (true, _) => {}
            (false, b'{' | b'[') if self.depth > 0 || byte == b'{' => self.depth += 1,
            (false, b'}' | b']') if self.depth > 0 => {
                self.depth -= 1;
                return self.depth == 0;
            }
            // White space and a byte order mark may come before it.
            (false, byte) => {
                let is_before = byte.is_ascii_whitespace() || matches!(byte, 0 | 0xef | 0xbb | 0xbf);
                self.is_other = self.depth == 0 && !is_before;
            }
        }
        false
    }
}

/// Prints context in the form that the client takes, where there is any.
fn answer(heard: &Heard) {
    if let Some(reply) = hook::reply(&heard.signal, context(heard).as_deref()) {
        let mut out = Output::new(Format::Text, Talk::Errors, ColourChoice::Never);
        let _ = out.exact(reply.as_bytes()).and_then(|()| out.flush());
    }
}

/// How long a hook waits for another process that writes.
const WAIT: Duration = Duration::from_millis(300);
/// Memories that no index has yet and that a hook still reads; with more of them it gives what needs no search.
const MOST_UNINDEXED: usize = 2000;
/// What Codex takes at most, in its own tokens of four bytes.
const CODEX_TOKENS: usize = 2400;

/// What the agent should know now, once: of an event that was heard before nothing is said again.
fn context(heard: &Heard) -> Option<String> {
    let signal = &heard.signal;
    match (&signal.happened, signal.client) {
        (Happened::Compacting, Client::Gemini) => {}
        // It says nothing before it compacts that a hook could hear.
        (Happened::Compacting, _) | (Happened::Compacted { .. }, Client::OpenCode) => forget_given(heard),
        _ => {}
    }
    let opening = hook::opening(signal)?;
    let begun = || signal.session.as_ref().is_some_and(|session| context::has_begun(&heard.root, session));
    match opening {
        Opening::FirstTool if begun() => return None,
        // A session that goes on still has what it was given.
        Opening::Start if is_resumed(signal) && begun() => return None,
        Opening::Start | Opening::Prompt if !heard.kept => return None,
        _ => {}
    }
    // Without its ledger a memory would first be read in as a whole, which is nothing for a hook.
    if !heard.known {
        return None;
    }
    let trouble = |what: &str| note(heard, what);
    let memory =
        Memory::open_within(&heard.root, WAIT).inspect_err(|error| trouble(&error.to_string())).ok()?;
    let settings = &memory.config().config;
    let command = match &signal.happened {
        Happened::Prompt { text } => text.clone(),
        _ => String::new(),
    };
    let most = settings.context.tokens.max(settings.context.prompt_tokens);
    let ask = Ask {
        command,
        moment: if opening == Opening::Prompt { Moment::Prompt } else { Moment::Start },
        session: signal.session.clone(),
        client: signal.client.word().to_owned(),
        tokens: (signal.client == Client::Codex && most > CODEX_TOKENS).then_some(CODEX_TOKENS),
        characters: Some(CLIENT_CUTS),
        most_unindexed: Some(MOST_UNINDEXED),
        ..Ask::new(settings.memory.agent.clone())
    };
    let handed = memory.hand_over(&ask).inspect_err(|error| trouble(&error.to_string()));
    memory.notices().iter().for_each(|notice| trouble(&notice.text));
    let (told, _) = handed.ok()?;
    Some(told.context.text).filter(|text| !text.is_empty())
}

/// Whether a session goes on with what it was given; most clients keep that only as long as they run.
fn is_resumed(signal: &Signal) -> bool {
    matches!(&signal.happened, Happened::Started { source: Some(source) } if source == "resume")
        && matches!(signal.client, Client::ClaudeCode | Client::Codex)
}

/// What a session was given is gone after compaction, so it is given again. Gemini says this before every request, which
/// proves nothing.
fn forget_given(heard: &Heard) {
    let signal = &heard.signal;
    let Some(session) = &signal.session else { return };
    let noted = Memory::settings().and_then(|settings| {
        let agent = &settings.config.memory.agent;
        context::note_compaction(&heard.root, agent, signal.client.word(), session)
    });
    if let Err(error) = noted {
        note(heard, &error.to_string());
    }
}

/// Starts whoever empties the inbox, when a turn or a session ended. At its begin and end all sessions are looked at,
/// in between only those to which hooks point.
fn wake(heard: &Heard) {
    let which = match heard.signal.happened {
        Happened::Reply { .. } | Happened::Compacting => "hooks",
        Happened::Started { .. } | Happened::Ended { .. } => "all",
        _ => return,
    };
    if heard.kept {
        background::process(&heard.root, which);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::project::files;

    /// A pipe that nobody closes: reading on after what came would never end.
    struct Open<'a>(&'a [u8]);

    impl Read for Open<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "read on after the end");
            self.0.read(buffer)
        }
    }

    #[test]
    fn an_object_is_taken_as_soon_as_it_is_whole() {
        for text in [r#"{}"#, "\u{feff} {\"a\":[{\"b\":\"}\\\"]\"},{}]}", "{\"a\":\"\\\\\"}\n"] {
            for size in [1, 3, 8192] {
                let got = input(&mut io::BufReader::with_capacity(size, Open(text.as_bytes())));
                assert_eq!(String::from_utf8_lossy(&got).trim_end(), text.trim_end(), "{size}");
            }
        }
    }

    #[test]
    fn what_is_no_object_is_read_to_its_end() {
        for text in ["", "[1] {}", "words {}", "{\"a\":\"}", "{\"a\":[}", "\"{}\""] {
            assert_eq!(input(&mut text.as_bytes()), text.as_bytes(), "{text}");
        }
    }

    #[test]
    fn a_defect_of_ours_is_a_line_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let signal = Signal {
            client: Client::ClaudeCode,
            event: "Stop".to_owned(),
            happened: Happened::Compacting,
            session: None,
            turn: None,
            call: None,
            cwd: None,
            transcript: None,
            model: None,
            at: None,
            cut: 0,
        };
        let heard = Heard { root: folder.path().to_owned(), signal, kept: true, known: true };
        or_noted(&heard, |_| panic!("out of cheese"));
        let log = files::read_bytes(&folder.path().join(".vault/log"), 1000).unwrap().unwrap();
        let log = String::from_utf8(log).unwrap();
        assert!(log.contains("hook claude-code: a defect of agent-memory: out of cheese"), "{log}");
    }

    #[test]
    fn arguments_become_an_order_or_are_for_another_command() {
        let check = |typed: &str, expect: Option<(&str, Option<&str>, Option<&str>)>| {
            let got = order(typed.split_whitespace().map(OsString::from));
            let expect = expect.map(|(client, event, dir)| Order {
                client: client.to_owned(),
                event: event.map(str::to_owned),
                dir: dir.map(PathBuf::from),
            });
            assert_eq!(got, expect, "{typed}");
        };
        check("hook claude", Some(("claude", None, None)));
        check("hook copilot sessionStart", Some(("copilot", Some("sessionStart"), None)));
        check("--dir x hook claude", Some(("claude", None, Some("x"))));
        check("hook claude --dir=x --json", Some(("claude", None, Some("x"))));
        check("--color never -q hook claude --frobnicate", Some(("claude", None, None)));
        check("hook", Some(("", None, None)));
        check("hook a b c d", Some(("a", Some("b"), None)));
        check("hook --help", None);
        check("help hook", None);
        check("--dir hook list", None);
        check("remember hook claude", None);
        check("--json list", None);
        check("", None);
    }
}
