//! Sessions: what a person and an agent said to each other, in one form for every client.
//!
//! A transcript of any client is read into [`Message`]s; what a tool gave back is not among them, only that it was
//! called, on which files, and whether it failed.

mod checks;
mod injected;
pub mod saved;
pub(crate) mod shell;
pub mod trail;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::{SessionId, TurnId};
use crate::time::Time;

pub use injected::{INJECTED_TAG, inside_block, strip_block, strip_injected};

/// A program in which people work with agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the client of that name")]
pub enum Client {
    ClaudeCode,
    Codex,
    Cursor,
    Gemini,
    Qwen,
    OpenCode,
    CopilotCli,
    CopilotVsCode,
    Cline,
    Windsurf,
    Amp,
    Goose,
    Continue,
    Aider,
    SpecStory,
    Droid,
    Pi,
    /// The vault tool's own `conversations/<agent>.json`.
    Conversations,
}

/// Each client with its name, other words that mean it, and its name for people.
const CLIENTS: &[(Client, &str, &[&str], &str)] = &[
    (Client::ClaudeCode, "claude-code", &["claude"], "Claude Code"),
    (Client::Codex, "codex", &["codex-cli"], "Codex"),
    (Client::Cursor, "cursor", &["cursor-agent"], "Cursor"),
    (Client::Gemini, "gemini-cli", &["gemini"], "Gemini CLI"),
    (Client::Qwen, "qwen-code", &["qwen"], "Qwen Code"),
    (Client::OpenCode, "opencode", &[], "OpenCode"),
    (Client::CopilotCli, "copilot-cli", &["copilot"], "Copilot CLI"),
    (Client::CopilotVsCode, "copilot-vscode", &["vscode"], "VS Code Copilot"),
    (Client::Cline, "cline", &[], "Cline"),
    (Client::Windsurf, "windsurf", &["cascade"], "Windsurf"),
    (Client::Amp, "amp", &[], "Amp"),
    (Client::Goose, "goose", &[], "Goose"),
    (Client::Continue, "continue", &[], "Continue"),
    (Client::Aider, "aider", &[], "Aider"),
    (Client::SpecStory, "specstory", &[], "SpecStory"),
    (Client::Droid, "droid", &["factory"], "Droid"),
    (Client::Pi, "pi", &[], "Pi"),
    (Client::Conversations, "conversations", &[], "conversations"),
];

impl Client {
    /// Every client.
    pub fn all() -> impl Iterator<Item = Self> {
        CLIENTS.iter().map(|row| row.0)
    }

    /// The client that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.to_lowercase();
        CLIENTS.iter().find(|row| row.1 == word || row.2.contains(&word.as_str())).map(|row| row.0)
    }

    /// The word for it in files and commands.
    pub fn word(self) -> &'static str {
        CLIENTS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        CLIENTS.iter().find(|row| row.0 == self).map_or("", |row| row.3)
    }
}

impl fmt::Display for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The agent.
    #[serde(alias = "assistant")]
    Agent,
}

impl Role {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
        }
    }
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who said it.
    pub role: Role,
    /// What was said; empty when the agent only called tools.
    pub text: String,
    /// When, where the transcript tells.
    pub at: Option<Time>,
    /// The session, where the record tells.
    pub session: Option<SessionId>,
    /// What the client calls this message or its turn.
    pub turn: Option<TurnId>,
    /// The folder in which the agent worked.
    pub cwd: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The tools that the agent called.
    pub tools: Vec<ToolCall>,
}

impl Message {
    /// A text of somebody, and nothing else.
    pub fn new(role: Role, text: &str) -> Self {
        Self {
            role,
            text: text.to_owned(),
            at: None,
            session: None,
            turn: None,
            cwd: None,
            model: None,
            tools: Vec::new(),
        }
    }
}

/// A tool that the agent called; never what the tool gave back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolCall {
    /// Its name, as the client calls it.
    pub name: String,
    /// Files and addresses that it was called with.
    pub paths: Vec<String>,
    /// The command line, for a shell.
    pub command: Option<String>,
    /// Whether it failed, where the transcript tells.
    pub failed: Option<bool>,
}

impl ToolCall {
    /// Whether its name is that of a tool that changes files.
    pub fn writes(&self) -> bool {
        trail::writes(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_has_words_of_its_own() {
        let mut words: Vec<&str> =
            CLIENTS.iter().flat_map(|row| row.2.iter().copied().chain([row.1])).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
        for client in Client::all() {
            assert_eq!(Client::of_word(&client.word().to_uppercase()), Some(client));
            assert!(!client.name().is_empty());
        }
        assert_eq!(Client::of_word("claude"), Some(Client::ClaudeCode));
        assert_eq!(Client::of_word("nobody"), None);
    }
}
