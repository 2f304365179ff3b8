//! The lines between two `---` in front of a note, as far as notes use them: `key: value`, lists of words, and texts of
//! several lines.
//!
//! This is no reader of YAML. A line that it does not know is passed over, and a note without such lines is all text.

/// What stands in front of a note, and its text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Note<'a> {
    fields: Vec<(String, Vec<String>)>,
    pub(super) text: &'a str,
}

impl<'a> Note<'a> {
    /// Takes a note apart.
    pub(super) fn of(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let plain = Self { fields: Vec::new(), text };
        let Some(rest) =
            text.strip_prefix("---").and_then(|rest| rest.trim_start_matches('\r').strip_prefix('\n'))
        else {
            return plain;
        };
        let mut fields: Vec<(String, Vec<String>)> = Vec::new();
        let mut block: Option<char> = None;
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            at += line.len();
            if line.trim_end() == "---" {
                return Self { fields, text: rest.get(at..).unwrap_or_default() };
            }
            let is_inside = line.starts_with([' ', '\t']) || line.trim().is_empty();
            if let Some(mark) = block.filter(|_| is_inside) {
                if let Some((_, words)) = fields.last_mut() {
                    add_line(words, line.trim(), mark);
                }
                continue;
            }
            block = None;
            if let Some(word) = line.trim_start().strip_prefix("- ") {
                if let Some((_, words)) = fields.last_mut() {
                    words.push(unquoted(word));
                }
            } else if let Some((key, value)) = line.split_once(':') {
                block = block_mark(value.trim());
                let words = if block.is_some() { Vec::new() } else { words_of(value) };
                fields.push((key.trim().to_lowercase(), words));
            }
        }
        plain
    }

    /// The one value of a field, if it is not empty.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.words(key).first().map(String::as_str)
    }

    /// All values of a field.
    pub(super) fn words(&self, key: &str) -> &[String] {
        self.fields
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, words)| words.as_slice())
            .unwrap_or_default()
    }
}

/// The mark of a text that stands on the lines below: `>` folds them into one, `|` keeps them.
fn block_mark(value: &str) -> Option<char> {
    let mark = value.chars().next().filter(|mark| matches!(mark, '>' | '|'))?;
    value.chars().skip(1).all(|c| matches!(c, '+' | '-') || c.is_ascii_digit()).then_some(mark)
}

fn add_line(words: &mut Vec<String>, line: &str, mark: char) {
    match words.first_mut() {
        _ if line.is_empty() => {}
        Some(text) => {
            text.push(if mark == '|' { '\n' } else { ' ' });
            text.push_str(line);
        }
        None => words.push(line.to_owned()),
    }
}

fn words_of(value: &str) -> Vec<String> {
    let value = value.trim();
    let list = value.strip_prefix('[').and_then(|inside| inside.strip_suffix(']'));
    let words: Vec<&str> = list.map_or_else(|| vec![value], |inside| inside.split(',').collect());
    words.into_iter().map(unquoted).filter(|word| !word.is_empty()).collect()
}

fn unquoted(word: &str) -> String {
    let word = word.trim();
    let inside = |quote: char| word.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_text() {
        let note = Note::of(
            "---\ntitle: \"A: b\"\ntags:\n- one\n- 'two'\nkinds: [x, \"y\"]\nempty:\n---\nText\n---\n",
        );
        assert_eq!(note.value("title"), Some("A: b"));
        assert_eq!(note.words("tags"), ["one", "two"]);
        assert_eq!(note.words("kinds"), ["x", "y"]);
        assert_eq!((note.value("empty"), note.value("none")), (None, None));
        assert_eq!(note.text, "Text\n---\n");
    }

    #[test]
    fn a_text_of_several_lines() {
        let note = Note::of(
            "---\ndescription: >-\n  Tabs, and\n  - never blanks: at all\n\nname: |\n  a\n  b\ntype: x\nmore: > y\n---\nText",
        );
        assert_eq!(note.value("description"), Some("Tabs, and - never blanks: at all"));
        assert_eq!((note.value("name"), note.value("type")), (Some("a\nb"), Some("x")));
        assert_eq!((note.value("more"), note.text), (Some("> y"), "Text"));
    }

    #[test]
    fn a_note_without_them_is_all_text() {
        for text in ["", "Text", "---\nno end", "----\ntitle: x\n---\n", "--- \n"] {
            let note = Note::of(text);
            assert_eq!((note.text, note.fields.len()), (text, 0), "{text:?}");
        }
        assert_eq!(Note::of("\u{feff}---\r\ntitle: x\r\n---\r\nText").value("title"), Some("x"));
    }
}
