//! What a text names of a repository: files, symbols and commands. Whether they are there is for others to find out;
//! a name that stands for nothing in the repository is no anchor, so this side may be generous.

use std::fmt;

/// Something of a repository that a text names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    /// A file, by its path or its end: `src/auth/token.rs`, `token.rs`.
    File(String),
    /// A symbol, with what it is a part of if that is said.
    Symbol(Symbol),
    /// A command that the repository defines.
    Command(Command),
}

/// A symbol by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    /// The type, class or module that it belongs to, where that is said.
    pub of: Option<String>,
    /// Its name.
    pub name: String,
}

/// A command that a repository defines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Command {
    /// Who defines it.
    pub tool: Tool,
    /// Its name there.
    pub name: String,
}

/// Where commands are defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// `scripts` of `package.json`.
    Npm,
    /// A target of the `Makefile`.
    Make,
    /// A recipe of the `justfile`.
    Just,
    /// A task of the crate `xtask`.
    Xtask,
    /// A binary of a Cargo package.
    Bin,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(path),
            Self::Symbol(Symbol { of: Some(of), name }) => write!(f, "{of}::{name}"),
            Self::Symbol(Symbol { of: None, name }) => f.write_str(name),
            Self::Command(Command { tool, name }) => match tool {
                Tool::Npm => write!(f, "npm run {name}"),
                Tool::Make => write!(f, "make {name}"),
                Tool::Just => write!(f, "just {name}"),
                Tool::Xtask => write!(f, "cargo xtask {name}"),
                Tool::Bin => write!(f, "cargo run --bin {name}"),
            },
        }
    }
}

/// A text that names more is about none of them in particular.
const MOST: usize = 24;

/// What a text names, each once, in the order in which it appears.
pub fn anchors(text: &str) -> Vec<Anchor> {
    let mut all: Vec<Anchor> = Vec::new();
    let mut add = |found: Option<Anchor>| {
        if let Some(anchor) = found.filter(|anchor| all.len() < MOST && !all.contains(anchor)) {
            all.push(anchor);
        }
    };
    for (n, piece) in text.split('`').enumerate() {
        let words: Vec<&str> = piece.split_whitespace().collect();
        let coded = n % 2 == 1;
        let mut at = 0;
        while at < words.len() {
            if let Some((command, length)) = command(&words[at..], coded) {
                add(Some(Anchor::Command(command)));
                at += length;
                continue;
            }
            add(word(words[at], coded && words.len() == 1));
            at += 1;
        }
    }
    all
}

/// A command at the beginning of some words, and of how many of them it consists.
fn command(words: &[&str], coded: bool) -> Option<(Command, usize)> {
    let bare = |word: &&str| {
        word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | ':')).to_owned()
    };
    let plain: Vec<String> = words.iter().take(5).map(bare).collect();
    let is = |n: usize, word: &str| plain.get(n).is_some_and(|it| it == word);
    let named = |tool, n: usize| {
        let name =
            plain.get(n).map(|name| name.trim_end_matches(':')).filter(|name| is_command_name(name))?;
        Some((Command { tool, name: name.to_owned() }, n + 1))
    };
    match plain.first().map(String::as_str)? {
        "npm" | "pnpm" | "yarn" | "bun" if is(1, "run") => named(Tool::Npm, 2),
        "cargo" if is(1, "xtask") => named(Tool::Xtask, 2),
        "cargo" if is(1, "run") && is(2, "--bin") => named(Tool::Bin, 3),
        // In prose these are ordinary words.
        "make" if coded => named(Tool::Make, 1),
        "just" if coded => named(Tool::Just, 1),
        _ => None,
    }
}

fn is_command_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-:.".contains(c))
}

/// A file or a symbol. A word that is code by itself may be any name; in prose it must look like one.
fn word(word: &str, alone_in_code: bool) -> Option<Anchor> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '/' | '(' | ')'));
    let word = word.trim_end_matches(['.', '/']);
    if word.len() > 200 || word.contains("://") || word.starts_with("www.") {
        return None;
    }
    let calls = word.ends_with("()");
    let name = word.trim_end_matches("()").trim_matches(['(', ')']);
    file(name)
        .map(Anchor::File)
        .filter(|_| !calls)
        .or_else(|| symbol(name, calls, alone_in_code).map(Anchor::Symbol))
}

/// Endings of files that people name without a folder.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "go", "java", "kt", "rb", "php", "c", "h", "cc", "cpp", "hpp", "cs", "swift",
    "scala", "ex", "exs", "sh", "bash", "sql", "toml", "yml", "yaml", "json", "css", "scss", "html", "vue", "svelte", "md", "proto",
    "tf", "gradle", "xml", "lua", "zig", "hs", "ml", "dart", "r", "ps1", "dockerfile", "lock", "cfg", "ini", "env",
];

fn file(word: &str) -> Option<String> {
    // `src/main.rs:12` and `src/main.rs#L3` name a place in the file.
    let word = word.split([':', '#']).next().unwrap_or(word);
    let path = word.strip_prefix("./").unwrap_or(word);
    let fits = !path.starts_with(['/', '~', '-', '.']) || path.starts_with(".github/");
    let plain = path.chars().all(|c| c.is_alphanumeric() || "_-./@+".contains(c));
    if !fits || !plain || path.contains("..") || path.contains("//") {
        return None;
    }
    let (folder, name) = path.rsplit_once('/').map_or((None, path), |(folder, name)| (Some(folder), name));
    let (stem, ending) = name.rsplit_once('.')?;
    let known = ENDINGS.contains(&ending.to_lowercase().as_str());
    let lettered = stem.chars().any(char::is_alphabetic) && ending.chars().all(|c| c.is_ascii_alphanumeric());
    (known && lettered && (folder.is_some() || !stem.contains('.') || stem.len() > 3))
        .then(|| path.to_owned())
}

fn symbol(word: &str, calls: bool, alone_in_code: bool) -> Option<Symbol> {
    let parts: Vec<&str> =
        word.split("::").flat_map(|part| part.split("->")).flat_map(|part| part.split(['.', '#'])).collect();
    let is_identifier = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !parts.iter().all(is_identifier) {
        return None;
    }
    let name = parts.last().copied()?.to_owned();
    let of = parts.len().checked_sub(2).map(|n| parts[n].to_owned());
    let of = of.filter(|of| !matches!(of.as_str(), "self" | "this" | "crate" | "super" | "Self"));
    let qualified = word.contains("::") || of.is_some() && (calls || alone_in_code);
    let looks = calls || alone_in_code || is_mixed(&name);
    (name.len() >= 4 && (qualified || looks && parts.len() == 1)).then_some(Symbol { of, name })
}

/// `TokenStore`, `tokenStore` and `token_store`, but neither `Token` nor `TOKEN`.
fn is_mixed(name: &str) -> bool {
    let inner: Vec<char> = name.chars().skip(1).collect();
    let humps = inner.iter().any(|c| c.is_ascii_uppercase()) && inner.iter().any(|c| c.is_ascii_lowercase());
    humps || name.trim_matches('_').contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<String> = anchors(text).iter().map(ToString::to_string).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn files_symbols_and_commands() {
        check("Tokens are refreshed in `src/auth/token.rs`.", &["src/auth/token.rs"]);
        check("See src/auth/token.rs:42 and ./docs/a.md.", &["src/auth/token.rs", "docs/a.md"]);
        check("`TokenStore::refresh` retries twice", &["TokenStore::refresh"]);
        check("call refresh_token() before TokenStore.save()", &["refresh_token", "TokenStore::save"]);
        check("run cargo xtask bench or `npm run build`", &["cargo xtask bench", "npm run build"]);
        check("`make deploy` but make sure", &["make deploy"]);
        check("pnpm run test:unit, then `just lint`", &["npm run test:unit", "just lint"]);
        check("`parse` reads, Parser too", &["parse"]);
        check("in token.rs and Cargo.toml", &["token.rs", "Cargo.toml"]);
        check("twice: `a_b_c` and a_b_c", &["a_b_c"]);
    }

    #[test]
    fn what_only_looks_like_one() {
        check("and/or, TCP/IP, 24/7, 1.5, v1.2", &[]);
        check("https://x.io/a/b.rs www.x.io/c.js", &[]);
        check("/etc/passwd.json ~/x.rs ../up.rs", &[]);
        check("e.g. this. And that", &[]);
        check("The API is slow; use JSON", &[]);
    }
}
