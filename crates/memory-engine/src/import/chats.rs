//! Conversations of chat programs: what is worth keeping is taken out of them as it is out of sessions; nothing is
//! copied whole.

use std::path::{Path, PathBuf};

use memory_core::extract::{Standing, Taken, extract, without_done};
use memory_core::id::{SessionId, TurnId};
use memory_core::kind::Kind;
use memory_core::scope::SourceClass;
use memory_core::session::{Message, Role, ToolCall};
use memory_core::time::Time;
use serde_json::Value;

use super::pieces::{Piece, elements};
use super::{Came, Context, Hear, Item};
use crate::capture::draft_of;
use crate::disk::Sort;
use crate::disk::foreign::{self, Foreign};
use crate::error::{Error, Result};
use crate::harness::record;
use crate::keep::Draft;

/// Messages that are looked at together.
const AT_ONCE: usize = 256;

/// A conversation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Chat {
    pub(super) id: String,
    /// When something was said whose time nobody tells.
    pub(super) at: Option<Time>,
    pub(super) messages: Vec<Message>,
}

/// Reads every conversation of an export, one at a time.
pub(super) fn read(
    context: &Context<'_>,
    hear: &mut dyn Hear,
    parse: &dyn Fn(&Value) -> std::result::Result<Chat, String>,
) -> Result<()> {
    for path in exports(&context.import.path)? {
        let shown = path.display().to_string();
        let Some(mut file) = Foreign::open(&path)? else { return Err(Error::absent(&path)) };
        elements(&mut file.read_from(0)?, &shown, &mut |number, piece| {
            let value = match piece {
                Piece::Whole(bytes) => record::value(&bytes)
                    .map_err(|error| format!("it is not JSON: {error}"))
                    .and_then(|value| value.ok_or_else(|| "it is blank".to_owned())),
                Piece::TooLong => Err("it is too long to be read".to_owned()),
                Piece::Torn => Err("the file ends in the middle of it".to_owned()),
            };
            match value.and_then(|value| parse(&value)) {
                Ok(chat) => take(context, &chat, hear),
                Err(why) => {
                    hear.defect(format!("{shown}, conversation {number}"), why);
                    Ok(())
                }
            }
        })?;
    }
    Ok(())
}

/// The files of an export: the one that is named, or those in its folder.
fn exports(path: &Path) -> Result<Vec<PathBuf>> {
    if foreign::sort_at(path) != Some(Sort::Folder) {
        return Ok(vec![path.to_owned()]);
    }
    let names =
        foreign::names_in(path).into_iter().filter(|name| name.sort == Sort::File && is_export(&name.name));
    let files: Vec<PathBuf> = names.map(|name| path.join(name.name)).collect();
    if files.is_empty() {
        let why = "it holds no `conversations.json`: name the folder of the unpacked export".to_owned();
        return Err(Error::NotImportable { path: path.display().to_string(), why });
    }
    Ok(files)
}

/// Whether a file's name is that of an export's conversations.
pub(super) fn is_export(name: &str) -> bool {
    name.strip_prefix("conversations").is_some_and(|rest| {
        rest == ".json"
            || rest
                .strip_prefix('-')
                .and_then(|rest| rest.strip_suffix(".json"))
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

fn take(context: &Context<'_>, chat: &Chat, hear: &mut dyn Hear) -> Result<()> {
    let mut standing = Standing::default();
    for messages in chat.messages.chunks(AT_ONCE) {
        let (taken, after) = extract(messages, standing, context.profile);
        standing = after;
        // What is done need not be done again.
        for taken in without_done(taken) {
            // Files and commands of a chat are nobody's.
            if matches!(taken.kind, Kind::Map | Kind::Command) {
                continue;
            }
            if let Some(message) = messages.get(taken.message) {
                hear.item(item(context, chat, message, &taken))?;
            }
        }
    }
    Ok(())
}

fn item(context: &Context<'_>, chat: &Chat, message: &Message, taken: &Taken) -> Item {
    // A file cannot prove that a person said something, so nothing in it is trusted as if it had just been said.
    let class = taken.class.min(SourceClass::HumanEdit);
    let plain = context.draft("", class, message.at.or(chat.at));
    let mut from = plain.provenance;
    from.session = SessionId::parse(&chat.id).ok();
    from.turn = message.turn.clone();
    let tags = context.tags(["autoextract"]);
    let draft = Draft { scope: plain.scope, at: plain.at, ..draft_of(taken, &taken.text, from, tags) };
    let identity = format!("{}\0{}\0{}", chat.id, taken.kind, draft.text);
    Item { identity, draft, origin: Came::Said }
}

/// A message of a chat.
pub(super) fn message(role: Role, text: &str, at: Option<Time>, turn: Option<&str>) -> Message {
    Message { at, turn: turn.and_then(|turn| TurnId::parse(turn).ok()), ..Message::new(role, text) }
}

/// The mark of a tool that read what strangers wrote; the agent's words after it are not its own any more.
pub(super) fn reads_strangers(message: &mut Message, tool: &str) {
    // Every tool of a chat program works outside: a search, a page, a file that was given to it.
    message.tools.push(ToolCall { name: format!("fetch:{tool}"), ..ToolCall::default() });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_exports() {
        for (name, expect) in [
            ("conversations.json", true),
            ("conversations-000.json", true),
            ("conversations-.json", false),
            ("conversations-a.json", false),
            ("shared_conversations.json", false),
        ] {
            assert_eq!(is_export(name), expect, "{name}");
        }
    }
}
