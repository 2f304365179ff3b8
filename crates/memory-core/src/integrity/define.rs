//! Where a name is defined in a source text, without knowing the language: by the word before it or the shape of the
//! line, with the block that belongs to it.
//!
//! The digest of a definition does not change when it is only indented or broken into lines differently; its *shape* is the
//! digest without its own name, so that a definition is known again under another one.

use super::anchor::Symbol;

/// A definition in a source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// What it defines.
    pub name: String,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Of its words.
    pub digest: u64,
    /// Of its words without its name.
    pub shape: u64,
    /// How many words it has; of a few words many definitions have the same shape.
    pub words: usize,
}

/// Words that stand before what they define.
#[rustfmt::skip]
const DEFINES: &[&str] = &[
    "fn", "struct", "enum", "union", "trait", "type", "mod", "macro_rules", "class", "interface", "def", "function", "func", "fun",
    "object", "module", "record", "namespace", "protocol", "sub", "proc", "defmodule", "defp", "define",
];
/// Words that define only where nothing is indented, or they would name every local variable.
const DEFINES_ON_TOP: &[&str] = &["const", "static", "let", "var", "val", "final", "export"];
/// Words that may stand between those and the name.
const BETWEEN: &[&str] = &[
    "async", "mut", "self", "static", "inline", "unsafe", "abstract", "default", "class", "const", "extern",
    "ref",
];
/// What looks like a method but is not.
const CONTROL: &[&str] = &[
    "if", "for", "while", "switch", "catch", "return", "else", "match", "do", "try", "with", "loop", "when",
    "until", "elif", "await", "new", "throw",
];
/// A block that goes on for longer is taken up to here.
const LONGEST: usize = 3000;

/// The definitions of a symbol in a source text. What it is a part of must stand around it, or name the file.
pub fn definitions(path: &str, source: &str, symbol: &Symbol) -> Vec<Definition> {
    if !source.contains(symbol.name.as_str()) {
        return Vec::new();
    }
    let lines: Vec<&str> = source.lines().collect();
    let mut found: Vec<usize> = (0..lines.len())
        .filter(|&n| {
            lines[n].contains(symbol.name.as_str()) && defined(&lines, n) == Some(symbol.name.as_str())
        })
        .collect();
    if let Some(of) = &symbol.of
        && !is_module(path, of)
    {
        let around = blocks_of(&lines, of);
        let receives =
            |n: usize| lines[n].split(symbol.name.as_str()).next().is_some_and(|head| has_word(head, of));
        found.retain(|&n| receives(n) || around.iter().any(|block| block.0 < n && n <= block.1));
    }
    found.into_iter().map(|n| definition(&lines, n, &symbol.name)).collect()
}

/// Every definition of a source text.
pub fn all_definitions(source: &str) -> Vec<Definition> {
    let lines: Vec<&str> = source.lines().collect();
    let named = (0..lines.len()).filter_map(|n| Some((n, defined(&lines, n)?.to_owned())));
    named.map(|(n, name)| definition(&lines, n, &name)).collect()
}

/// The names that a source text defines, each as often as it does.
pub fn defined_names(source: &str) -> Vec<&str> {
    let lines: Vec<&str> = source.lines().collect();
    (0..lines.len()).filter_map(|n| defined(&lines, n)).collect()
}

fn definition(lines: &[&str], first: usize, name: &str) -> Definition {
    let last = block_end(lines, first);
    let (mut digest, mut shape) = (blake3::Hasher::new(), blake3::Hasher::new());
    let mut words = 0;
    for line in &lines[first..=last] {
        for word in line.split_whitespace() {
            digest.update(word.as_bytes());
            digest.update(b" ");
            shape.update(word.replace(name, "\0").as_bytes());
            shape.update(b" ");
            words += 1;
        }
    }
    let (digest, shape) = (short(&digest), short(&shape));
    Definition { name: name.to_owned(), line: first + 1, digest, shape, words }
}

fn short(hash: &blake3::Hasher) -> u64 {
    u64::from_le_bytes(*hash.finalize().as_bytes().first_chunk().unwrap_or(&[0; 8]))
}

/// The name that a line defines.
fn defined<'a>(lines: &[&'a str], n: usize) -> Option<&'a str> {
    let line = lines[n];
    let start = line.trim_start();
    if start.starts_with("//") || start.starts_with("/*") || start.starts_with('*') || start.starts_with("--")
    {
        return None;
    }
    let indented = line.len() > start.len();
    let words = identifiers(start);
    let on_top = if indented { &[] } else { DEFINES_ON_TOP };
    after_keyword(start, &words, DEFINES)
        .or_else(|| method(lines, n, start, &words))
        .or_else(|| after_keyword(start, &words, on_top))
        .or_else(|| assigned(start, indented, &words))
}

/// The name after one of these words.
fn after_keyword<'a>(start: &str, words: &[(usize, &'a str)], keywords: &[&str]) -> Option<&'a str> {
    for (at, &(from, word)) in words.iter().enumerate() {
        if start[..from].contains(['"', '\'', '`', '=']) || from > 160 {
            break;
        }
        if !keywords.contains(&word) || start[..from].ends_with(['.', '(', '$']) {
            continue;
        }
        // `func (s *Store) Refresh(`: what receives stands between.
        if word == "func" && start[from + word.len()..].trim_start().starts_with('(') {
            let close = start[from..].find(')').map_or(start.len(), |end| from + end);
            return words.iter().find(|(from, _)| *from > close).map(|(_, name)| *name);
        }
        let skipped =
            |word: &str| BETWEEN.contains(&word) || DEFINES.contains(&word) || DEFINES_ON_TOP.contains(&word);
        let name = words[at + 1..].iter().find(|(_, word)| !skipped(word))?;
        if !start[from + word.len()..name.0].contains(['(', '{', '=', ';', ':', ',']) {
            return Some(name.1);
        }
    }
    None
}

/// `refresh(token) {` in a class, or `int refresh(void)` with its brace on the next line.
fn method<'a>(lines: &[&'a str], n: usize, start: &'a str, words: &[(usize, &'a str)]) -> Option<&'a str> {
    let ends = start.trim_end();
    let next = || lines.get(n + 1).is_some_and(|line| line.trim_start().starts_with('{'));
    if !(ends.ends_with('{') || ends.ends_with(')') && next())
        || words.first().is_some_and(|(_, word)| CONTROL.contains(word))
    {
        return None;
    }
    let open = start.find('(')?;
    let (from, name) = words.iter().rev().find(|(from, word)| from + word.len() <= open)?;
    let head = start[..*from].trim_end();
    let right_before = start[from + name.len()..open].trim().is_empty()
        || start[from + name.len()..open].trim().starts_with('<');
    let plain = !head.ends_with(['.', '=', '(', ',', '!', '&', '|', '?', ':']) || head.ends_with("::");
    (right_before && plain && !CONTROL.contains(name) && !start[..*from].contains(['=', '"', '(']))
        .then_some(*name)
}

/// `name = (…) => …`, `exports.name = …`, and what is set where nothing is indented.
fn assigned<'a>(start: &str, indented: bool, words: &[(usize, &'a str)]) -> Option<&'a str> {
    let at = start.find(['=', ':'])?;
    let (from, name) = words.iter().rev().find(|(from, word)| from + word.len() <= at)?;
    let after = start[at + 1..].trim_start_matches([':', '=']).trim_start();
    let function = after.starts_with("function")
        || after.starts_with("async")
        || after.starts_with('(') && after.contains("=>")
        || after.starts_with("lambda");
    let alone = *from == 0 || start[..*from].ends_with('.');
    let compares =
        start[at..].starts_with("==") || start[at..].starts_with("=>") || start[at..].starts_with("::");
    (alone
        && !compares
        && start[from + name.len()..at].trim().is_empty()
        && (function || !indented && start[at..].starts_with('=')))
    .then_some(*name)
}

/// The identifiers of a line with where they begin.
fn identifiers(line: &str) -> Vec<(usize, &str)> {
    let mut all = Vec::new();
    let mut from = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        let inside = c.is_alphanumeric() || c == '_';
        match (from, inside) {
            (None, true) => from = Some(at),
            (Some(start), false) => {
                let word = &line[start..at];
                if !word.starts_with(|c: char| c.is_ascii_digit()) {
                    all.push((start, word));
                }
                from = None;
            }
            _ => {}
        }
    }
    all
}

fn has_word(text: &str, word: &str) -> bool {
    identifiers(text).iter().any(|(_, it)| *it == word)
}

/// Whether a file is the module of this name.
fn is_module(path: &str, name: &str) -> bool {
    let mut parts = path.rsplit('/');
    let stem = parts.next().and_then(|file| file.split('.').next()).unwrap_or_default();
    let folder = parts.next().unwrap_or_default();
    stem == name || matches!(stem, "mod" | "index" | "__init__" | "lib") && folder == name
}

/// First and last line of the blocks of a type: its own, and those that add to it.
fn blocks_of(lines: &[&str], name: &str) -> Vec<(usize, usize)> {
    let opens = |n: &usize| {
        let line = lines[*n].trim_start();
        let adds = ["impl", "extension", "export default class"].iter().any(|word| line.starts_with(word))
            && has_word(line, name);
        adds || lines[*n].contains(name) && defined(lines, *n) == Some(name)
    };
    (0..lines.len()).filter(opens).map(|n| (n, block_end(lines, n))).collect()
}

/// The last line of what begins in a line: where its braces close, where it is no longer indented, or itself.
fn block_end(lines: &[&str], first: usize) -> usize {
    let stop = lines.len().min(first + LONGEST);
    let (mut depth, mut round) = (0_i32, 0_i32);
    for (n, line) in lines[first..stop].iter().enumerate() {
        let mut chars = line.char_indices().peekable();
        let mut quote: Option<char> = None;
        while let Some((at, c)) = chars.next() {
            match (quote, c) {
                (Some(_), '\\') => drop(chars.next()),
                (Some(open), _) => quote = Some(open).filter(|open| *open != c),
                (None, '"' | '`') => quote = Some(c),
                // A character, and not a lifetime or an apostrophe.
                (None, '\'') if line[at + 1..].chars().take(3).skip(1).any(|c| c == '\'') => quote = Some(c),
                (None, '/') if line[at..].starts_with("//") => break,
                (None, '(' | '[') => round += 1,
                (None, ')' | ']') => round -= 1,
                (None, '{') => depth += 1,
                (None, '}') => {
                    depth -= 1;
                    if depth <= 0 && round <= 0 {
                        return first + n;
                    }
                }
                (None, ';') if depth == 0 && round <= 0 => return first + n,
                _ => {}
            }
        }
        if depth == 0 && round <= 0 && !goes_on(lines, first + n) {
            break;
        }
    }
    if depth > 0 { stop - 1 } else { indented_end(lines, first, stop) }
}

/// Whether the head of a definition goes on in the next line.
fn goes_on(lines: &[&str], n: usize) -> bool {
    let next = lines.get(n + 1).map_or("", |line| line.trim_start());
    let heads = ["{", "->", "where", "extends", "implements", "throws"];
    heads.iter().any(|head| next.starts_with(head))
        || lines[n].trim_end().ends_with(',')
        || lines[n].trim() == "where"
}

fn indented_end(lines: &[&str], first: usize, stop: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines[first]);
    let mut last = first;
    for (n, line) in lines.iter().enumerate().take(stop).skip(first + 1) {
        if line.trim().is_empty() {
            continue;
        }
        if indent(line) > own {
            last = n;
            continue;
        }
        let closes = indent(line) == own && matches!(line.trim(), "end" | ")" | "):" | "};" | "]" | "}");
        return if closes { n } else { last };
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, source: &str, symbol: &str, expect: &[(usize, usize)]) {
        let (of, name) =
            symbol.split_once("::").map_or((None, symbol), |(of, name)| (Some(of.to_owned()), name));
        let symbol = Symbol { of, name: name.to_owned() };
        let lines: Vec<&str> = source.lines().collect();
        let found: Vec<(usize, usize)> = definitions(path, source, &symbol)
            .iter()
            .map(|it| (it.line, block_end(&lines, it.line - 1) + 1))
            .collect();
        assert_eq!(found, expect, "{symbol:?} in\n{source}");
    }

    #[test]
    fn definitions_of_many_languages() {
        let rust = "pub struct TokenStore<'a> {\n    name: &'a str,\n}\n\nimpl<'a> TokenStore<'a> {\n    pub async fn refresh(\n        &self,\n    ) -> Result<()> {\n        call(\"}\");\n    }\n}\n\nfn refresh() {}\n";
        check("a.rs", rust, "TokenStore", &[(1, 3)]);
        check("a.rs", rust, "TokenStore::refresh", &[(6, 10)]);
        check("a.rs", rust, "refresh", &[(6, 10), (13, 13)]);
        check("a.rs", rust, "Other::refresh", &[]);
        check("src/other.rs", rust, "other::refresh", &[(6, 10), (13, 13)]);
        check("a.rs", "// fn refresh() {}\nlet x = refresh();\nrefresh();", "refresh", &[]);
        check("a.rs", "pub const LIMIT: usize = 3;\n    let inner = 4;", "LIMIT", &[(1, 1)]);
        check("a.rs", "pub const LIMIT: usize = 3;\n    let inner = 4;", "inner", &[]);
        check(
            "a.py",
            "class Store:\n    def refresh(self, a):\n        x = 1\n\n        return x\n\n    def other(self):\n        pass\n",
            "Store::refresh",
            &[(2, 5)],
        );
        check(
            "a.py",
            "class Store:\n    def refresh(self):\n        return 1\n\nLIMIT = 3\n",
            "Store",
            &[(1, 3)],
        );
        check("a.py", "LIMIT = 3\nif LIMIT == 4:\n    pass\n", "LIMIT", &[(1, 1)]);
        check(
            "a.ts",
            "export class Store {\n  async refresh(token: string): Promise<void> {\n    if (x) {\n    }\n  }\n}\n",
            "Store::refresh",
            &[(2, 5)],
        );
        check("a.ts", "export const refresh = async (a) => {\n  return a\n}\n", "refresh", &[(1, 3)]);
        check("a.js", "exports.refresh = function (a) {\n  return a;\n};\n", "refresh", &[(1, 3)]);
        check("a.js", "if (refresh(a)) {\n}\nstore.refresh(a);\n", "refresh", &[]);
        check(
            "a.go",
            "func (s *Store) Refresh(a int) error {\n\treturn nil\n}\n",
            "Store::Refresh",
            &[(1, 3)],
        );
        check("a.go", "func Refresh(a int) error {\n\treturn nil\n}\n", "Refresh", &[(1, 3)]);
        check("a.c", "static int refresh(int a)\n{\n    return a;\n}\n", "refresh", &[(1, 4)]);
        check(
            "a.java",
            "class Store {\n    public void refresh(int a) {\n        a();\n    }\n}\n",
            "Store::refresh",
            &[(2, 4)],
        );
        check("a.rb", "class Store\n  def refresh(a)\n    a\n  end\nend\n", "Store::refresh", &[(2, 4)]);
        check("a.h", "#define LIMIT 3\n", "LIMIT", &[(1, 1)]);
    }

    #[test]
    fn layout_does_not_count_and_a_name_can_be_left_out() {
        let one = &all_definitions("fn old(a: u8) -> u8 {\n    a + 1\n}\n")[0];
        let laid_out = &all_definitions("  fn old(a: u8) -> u8 {\n  a + 1\n\n}\n")[0];
        let renamed = &all_definitions("fn new(a: u8) -> u8 {\n    a + 1\n}\n")[0];
        let changed = &all_definitions("fn old(a: u8) -> u8 {\n    a + 2\n}\n")[0];
        assert_eq!((one.digest, one.shape), (laid_out.digest, laid_out.shape));
        assert_ne!(one.digest, renamed.digest);
        assert_eq!(one.shape, renamed.shape);
        assert_ne!((one.digest, one.shape), (changed.digest, changed.shape));
    }
}
