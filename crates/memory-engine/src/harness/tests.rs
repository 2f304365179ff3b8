//! Every reader, the cursors and the search, on made files and on recorded ones.

#![allow(clippy::disallowed_methods, reason = "tests write the files that clients write")]
#![allow(clippy::disallowed_macros, reason = "a test that is skipped says so")]

mod cursors;
mod databases;
mod formats;
mod large;
mod made;
mod places;
mod recorded;
mod rewinds;

use std::path::Path;

use memory_core::id::SessionId;
use memory_core::session::{Client, Message, Role};

use super::{Cursor, Source, Tail, Until, read_tail};

/// Reads a file from its start to its end.
fn read(client: Client, path: &Path, session: Option<&str>) -> (Vec<Message>, Tail) {
    let source = source(client, path, session);
    let mut messages = Vec::new();
    let tail =
        read_tail(&source, &Cursor::default(), Until::End, &mut |message| messages.push(message)).unwrap();
    assert_eq!(tail.given, messages.len() as u64);
    (messages, tail)
}

fn source(client: Client, path: &Path, session: Option<&str>) -> Source {
    Source { client, path: path.to_owned(), session: session.map(|id| SessionId::parse(id).unwrap()) }
}

fn count(messages: &[Message], role: Role) -> usize {
    messages.iter().filter(|message| message.role == role).count()
}

/// A message as one line.
fn shown(message: &Message) -> String {
    let mut line = format!("{}: {}", message.role.word(), message.text);
    for tool in &message.tools {
        let end = match tool.failed {
            Some(true) => "failed",
            Some(false) => "ok",
            None => "?",
        };
        let command = tool.command.as_ref().map(|command| format!("`{command}`"));
        let parts: Vec<&str> = tool.paths.iter().chain(&command).map(String::as_str).collect();
        let parts = parts.join(" ");
        line.push_str(&format!(" {{{} {parts}{}{end}}}", tool.name, if parts.is_empty() { "" } else { " " }));
    }
    line
}
