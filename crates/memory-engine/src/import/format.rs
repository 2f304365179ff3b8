//! The forms in which others keep what they remember: a row each, with its word, its name and what it looks like.

/// A form that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `memory.jsonl` of the MCP server for knowledge graphs.
    ServerMemory,
    /// The database of claude-mem.
    ClaudeMem,
    /// A folder of notes of basic-memory.
    BasicMemory,
    /// An export of ChatGPT.
    ChatGpt,
    /// An export of Claude.
    ClaudeAi,
    /// The memory folder that Claude Code keeps for a project.
    ClaudeMemory,
    /// Markdown with lists and paragraphs.
    Markdown,
    /// `conversations/*.json` of a memory root.
    Conversations,
    /// Another root, of this program or of one that it descends from.
    Memory,
}

/// Each format with its word, its name for people, and what it is made of.
const FORMATS: &[(Format, &str, &str, &str)] = &[
    (Format::Memory, "memory", "another memory", "the folder of another memory, such as `.memory`"),
    (Format::Conversations, "conversations", "saved conversations", "a folder of `<agent>.json` files"),
    (Format::ClaudeMemory, "claude-memory", "Claude Code's memory", "a folder of `.md` files"),
    (Format::ClaudeMem, "claude-mem", "claude-mem", "the file `claude-mem.db`"),
    (Format::ServerMemory, "server-memory", "the MCP memory server", "the file `memory.jsonl`"),
    (Format::BasicMemory, "basic-memory", "basic-memory", "a folder of notes"),
    (Format::ChatGpt, "chatgpt", "ChatGPT", "`conversations.json`, or the folder of an unpacked export"),
    (Format::ClaudeAi, "claude-ai", "Claude", "`conversations.json`, or the folder of an unpacked export"),
    (Format::Markdown, "markdown", "markdown", "a `.md` file such as `CLAUDE.md`, or a folder of them"),
];

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|row| row.0)
    }

    /// The format that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        FORMATS.iter().find(|row| row.1 == word).map(|row| row.0)
    }

    /// The word for it in commands.
    pub fn word(self) -> &'static str {
        self.row().1
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// What it is made of.
    pub fn form(self) -> &'static str {
        self.row().3
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        FORMATS.iter().find(|row| row.0 == self).unwrap_or(&FORMATS[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_comes_back_from_its_word() {
        for format in Format::all() {
            assert_eq!(Format::of_word(format.word()), Some(format));
            assert!(!format.name().is_empty() && !format.form().is_empty());
        }
        assert_eq!(Format::of_word("notes.md"), None);
    }
}
