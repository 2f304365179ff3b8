//! A client that has no hooks, started by us: it is given context, what is said is listened to, and its end is ours.
//!
//! `talk` makes messages of what goes in and out, with a `screen` for what is painted; `terminal` lends the client a
//! terminal of its own where a person sits at one, `pipes` does the same for programs. Nothing is held back from either
//! side, and a signal that would end us reaches the client first.

mod paint;
mod screen;
mod talk;
mod end;
mod caught;
mod pipes;
#[cfg(unix)]
mod terminal;

use std::io;
use std::path::Path;
use std::process::Command;

pub(crate) use caught::Caught;
pub(crate) use talk::{Said, Speaker};

/// What a client said and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code; 128 and the signal where one ended it.
    pub(crate) code: u8,
    /// What was said, in order.
    pub(crate) talk: Vec<Said>,
    /// Why not all that it said could be shown.
    pub(crate) unshown: Option<io::Error>,
}

/// How a client is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    /// Text that goes in front of what is piped in.
    pub(crate) before: Option<String>,
    /// What the person asks for in the arguments, where the client is known to take it there.
    pub(crate) prompt: Option<String>,
    /// Whether the client is given its context at all.
    pub(crate) given: Given,
}

/// How a client gets its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    /// In its arguments or in front of its input.
    Whole,
    /// Only as a file that a variable names.
    File,
}

/// What stands in an argument for the context, and for the file that holds it.
const CONTEXT: &str = "{context}";
const FILE: &str = "{context-file}";

/// Clients without hooks that take context by a flag: the flag, and what follows it. It is a file, since everybody on a
/// machine may read the arguments of every program.
const FLAGS: &[(&str, &str, &str)] = &[("aider", "--read", FILE), ("llm", "--system-fragment", FILE)];

/// Clients whose last argument is a prompt where it is more than a word. Of others it may be anything, such as a script.
const PROMPTED: &[&str] = &["aichat", "aider", "llm", "mods", "ollama", "sgpt"];

/// A program's name without its folder, by which clients are known.
pub(crate) fn name_of(program: &str) -> String {
    Path::new(program).file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// How to start a client so that it gets this context, which also stands in this file.
pub(crate) fn start(words: &[String], context: &str, file: &Path, piped: Piped) -> Start {
    let (program, rest) = words
        .split_first()
        .map_or((String::new(), Vec::new()), |(program, rest)| (program.clone(), rest.to_vec()));
    let mut arguments = rest;
    let asks = arguments.iter().any(|argument| argument.contains(CONTEXT) || argument.contains(FILE));
    let name = name_of(&program);
    let prompt =
        arguments.last().filter(|last| PROMPTED.contains(&name.as_str()) && is_prompt(last)).cloned();
    let flag = FLAGS.iter().find(|row| row.0 == name).filter(|_| !asks);
    if let Some((_, flag, value)) = flag {
        arguments.splice(0..0, [(*flag).to_owned(), (*value).to_owned()]);
    }
    let given = asks || flag.is_some();
    for argument in &mut arguments {
        *argument = argument.replace(FILE, &file.display().to_string()).replace(CONTEXT, context);
    }
    let before = (!given && piped == Piped::In).then(|| context.to_owned());
    let given = if given || before.is_some() { Given::Whole } else { Given::File };
    Start { program, arguments, before, prompt, given }
}

fn is_prompt(argument: &str) -> bool {
    argument.trim().contains(char::is_whitespace) && !argument.contains(CONTEXT) && !argument.contains(FILE)
}

/// Whether the input of the client comes from a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piped {
    In,
    Not,
}

/// Runs a client to its end and listens.
pub(crate) fn run(start: &Start, file: &Path, seat: Seat, caught: &mut Caught) -> io::Result<Ended> {
    let mut command = Command::new(&start.program);
    command.args(&start.arguments).env(VARIABLE, file);
    match seat {
        #[cfg(unix)]
        Seat::Terminal => terminal::run(&command, start, caught),
        _ => pipes::run(command, start, seat, caught),
    }
}

/// The variable that names the file with the context.
const VARIABLE: &str = "AGENT_MEMORY_CONTEXT_FILE";

/// Where the client sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seat {
    /// At a terminal, with a person before it.
    Terminal,
    /// At a terminal for its input alone.
    TerminalIn,
    /// Between programs.
    Pipes,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, piped: Piped, expect: &str, before: bool, given: Given) {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let start = start(&words, "BLOCK", Path::new("/c.md"), piped);
        let shown = format!("{} {}", start.program, start.arguments.join(" "));
        assert_eq!((shown.trim(), start.before.is_some(), start.given), (expect, before, given));
    }

    #[test]
    fn context_goes_where_the_client_takes_it() {
        check("mine -s {context} x", Piped::Not, "mine -s BLOCK x", false, Given::Whole);
        check("mine --read={context-file}", Piped::In, "mine --read=/c.md", false, Given::Whole);
        check("/usr/bin/aider -m x", Piped::Not, "/usr/bin/aider --read /c.md -m x", false, Given::Whole);
        check("aider --read {context-file}", Piped::Not, "aider --read /c.md", false, Given::Whole);
        check("llm hello", Piped::Not, "llm --system-fragment /c.md hello", false, Given::Whole);
        check("mine hello", Piped::In, "mine hello", true, Given::Whole);
        check("mine hello", Piped::Not, "mine hello", false, Given::File);
    }

    #[test]
    fn only_known_clients_take_prompts_as_arguments() {
        let check = |words: &[&str], expect: Option<&str>| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let start = start(&words, "BLOCK", Path::new("/c.md"), Piped::Not);
            assert_eq!(start.prompt.as_deref(), expect, "{words:?}");
        };
        check(&["/usr/bin/llm", "which cache?"], Some("which cache?"));
        check(&["ollama", "run", "llama3.2", "which cache?"], Some("which cache?"));
        check(&["llm", "chat"], None);
        check(&["llm", "-s", "you know {context}"], None);
        check(&["sh", "-c", "echo We decided"], None);
    }
}
