//! The block of lines in a `.gitignore` that keeps derived and private files out of version control, and the one in a
//! `.gitattributes` that keeps both sides of a merge.
//!
//! Lines are only ever added, inside the marked block; all other bytes and the file's line ends stay as they are.

/// What of the root is not for version control: rebuilt, volatile, forgotten on purpose, what was said word for word,
/// and who the person is.
const PRIVATE: [&str; 5] = [".vault/", "conversations/", "archive/", "history/", "USER.md"];

const BEGIN: &str = "# >>> agent-memory";
const END: &str = "# <<< agent-memory";

/// One line of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line(String);

impl Line {
    /// The patterns for a `.gitignore` beside the root of this name.
    pub(crate) fn beside(root_name: &str) -> Vec<Self> {
        let name: String = root_name.chars().flat_map(escaped).collect();
        PRIVATE.iter().map(|path| Self(format!("{name}/{path}"))).collect()
    }

    /// The patterns for a `.gitignore` inside the root.
    pub(crate) fn inside() -> Vec<Self> {
        PRIVATE.iter().map(|path| Self(format!("/{path}"))).collect()
    }

    /// The line for a `.gitattributes` inside the root: new entries of both sides come to the top of the same file, and
    /// each is whole, so a merge takes them all.
    pub(crate) fn merging() -> Vec<Self> {
        vec![Self("*.md merge=union".to_owned())]
    }

    /// The line as it stands in the file.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn escaped(c: char) -> impl Iterator<Item = char> {
    let special = matches!(c, '*' | '?' | '[' | ']' | '\\' | '!' | '#' | ' ');
    special.then_some('\\').into_iter().chain([c])
}

/// The file with every line in it, or `None` when they all stand there already. What is missing comes to the end of
/// the block.
pub(crate) fn with_block(before: &[u8], lines: &[Line]) -> Option<Vec<u8>> {
    let end_of_line = if before.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let stands: Vec<&[u8]> = before.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let missing = lines.iter().map(Line::as_str).filter(|line| !stands.contains(&line.as_bytes()));
    let mut added: Vec<&str> = missing.collect();
    if added.is_empty() {
        return None;
    }
    let end = end_of_block(before);
    let (head, tail) = before.split_at(end.unwrap_or(before.len()));
    let mut file = head.to_vec();
    if end.is_none() {
        if !file.is_empty() && !file.ends_with(b"\n") {
            file.extend_from_slice(end_of_line.as_bytes());
        }
        if !file.is_empty() {
            file.extend_from_slice(end_of_line.as_bytes());
        }
        added.insert(0, BEGIN);
        added.push(END);
    }
    for line in added {
        file.extend_from_slice(line.as_bytes());
        file.extend_from_slice(end_of_line.as_bytes());
    }
    Some([&file, tail].concat())
}

/// Where the last line of the block begins; `None` when there is no block, or no end to it.
fn end_of_block(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut inside = false;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let text = line.trim_ascii_end();
        if inside && text == END.as_bytes() {
            return Some(at);
        }
        inside |= text == BEGIN.as_bytes();
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: Option<&str>) {
        let got = with_block(before.as_bytes(), &[Line(".memory/.vault/".into())]);
        assert_eq!(got.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(), after, "{before:?}");
    }

    #[test]
    fn lines_are_added_once_and_everything_else_stays() {
        let block = "# >>> agent-memory\n.memory/.vault/\n# <<< agent-memory\n";
        check("", Some(block));
        check("target\n", Some(&format!("target\n\n{block}")));
        check("target", Some(&format!("target\n\n{block}")));
        check("target\r\n", Some(&format!("target\r\n\r\n{}", block.replace('\n', "\r\n"))));
        check(&format!("a\n{block}b\n"), None);
        check("x\n.memory/.vault/\n", None);
        let older = "a\n# >>> agent-memory\n.memory/mine\n# <<< agent-memory\nb\n";
        check(older, Some(&older.replace("mine\n", "mine\n.memory/.vault/\n")));
        check("# >>> agent-memory\nno end\n", Some(&format!("# >>> agent-memory\nno end\n\n{block}")));
    }

    #[test]
    fn odd_folder_names_are_escaped() {
        assert_eq!(Line::beside("a b[1]")[0].as_str(), "a\\ b\\[1\\]/.vault/");
        assert_eq!(Line::inside()[1].as_str(), "/conversations/");
    }
}
