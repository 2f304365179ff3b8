//! The block of `.gitignore` lines that keeps derived and private files out of version control.
//!
//! Only the marked block is ever changed; all other bytes and the file's line ends stay as they are.

/// The folders of the root that are not for version control: rebuilt, volatile, or what was forgotten on purpose.
const FOLDERS: [&str; 3] = [".vault/", "conversations/", "archive/"];

const BEGIN: &str = "# >>> agent-memory";
const END: &str = "# <<< agent-memory";

/// One pattern of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ignored(String);

impl Ignored {
    /// The patterns for a `.gitignore` beside the root of this name.
    pub(crate) fn beside(root_name: &str) -> Vec<Self> {
        let name: String = root_name.chars().flat_map(escaped).collect();
        FOLDERS.iter().map(|folder| Self(format!("{name}/{folder}"))).collect()
    }

    /// The patterns for a `.gitignore` inside the root.
    pub(crate) fn inside() -> Vec<Self> {
        FOLDERS.iter().map(|folder| Self(format!("/{folder}"))).collect()
    }

    /// The pattern as it stands in the file.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn escaped(c: char) -> impl Iterator<Item = char> {
    let special = matches!(c, '*' | '?' | '[' | ']' | '\\' | '!' | '#' | ' ');
    special.then_some('\\').into_iter().chain([c])
}

/// The file with the block in it, or `None` when it already says the same.
pub(crate) fn with_block(before: &[u8], lines: &[Ignored]) -> Option<Vec<u8>> {
    let end_of_line = if before.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let stands: Vec<&[u8]> = before.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end).collect();
    if lines.iter().all(|line| stands.contains(&line.0.as_bytes())) {
        return None;
    }
    let mut block = String::new();
    for line in [BEGIN].into_iter().chain(lines.iter().map(Ignored::as_str)).chain([END]) {
        block.push_str(line);
        block.push_str(end_of_line);
    }
    let (head, tail) = match around_block(before) {
        Some((head, tail)) => (head.to_vec(), tail),
        None => {
            let mut head = before.to_vec();
            if !head.is_empty() && !head.ends_with(b"\n") {
                head.extend_from_slice(end_of_line.as_bytes());
            }
            if !head.is_empty() {
                head.extend_from_slice(end_of_line.as_bytes());
            }
            (head, &[][..])
        }
    };
    Some([&head, block.as_bytes(), tail].concat())
}

/// The bytes before and after an existing block; `None` when there is none, or no end to it.
fn around_block(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    let mut begin = None;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let text = line.trim_ascii_end();
        match begin {
            None if text == BEGIN.as_bytes() => begin = Some(at),
            Some(begin) if text == END.as_bytes() => {
                return Some((bytes.get(..begin)?, bytes.get(at + line.len()..)?));
            }
            _ => {}
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: Option<&str>) {
        let got = with_block(before.as_bytes(), &[Ignored(".memory/.vault/".into())]);
        assert_eq!(got.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(), after, "{before:?}");
    }

    #[test]
    fn the_block_is_added_once_and_everything_else_stays() {
        let block = "# >>> agent-memory\n.memory/.vault/\n# <<< agent-memory\n";
        check("", Some(block));
        check("target\n", Some(&format!("target\n\n{block}")));
        check("target", Some(&format!("target\n\n{block}")));
        check("target\r\n", Some(&format!("target\r\n\r\n{}", block.replace('\n', "\r\n"))));
        check(&format!("a\n{block}b\n"), None);
        check("x\n.memory/.vault/\n", None);
        check(&format!("a\n{}b\n", block.replace(".vault", ".old")), Some(&format!("a\n{block}b\n")));
        check("# >>> agent-memory\nno end\n", Some(&format!("# >>> agent-memory\nno end\n\n{block}")));
    }

    #[test]
    fn odd_folder_names_are_escaped() {
        assert_eq!(Ignored::beside("a b[1]")[0].as_str(), "a\\ b\\[1\\]/.vault/");
        assert_eq!(Ignored::inside()[1].as_str(), "/conversations/");
    }
}
