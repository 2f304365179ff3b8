//! What is said, from the bytes that go to a client and those that it shows.
//!
//! A person's message is a line that was typed or piped in; what the client shows until the next one is its answer. Of
//! what it paints only the text counts: escapes are gone, a line that was written over counts as it was left.

/// Bytes of one answer that are kept: its end, where the result stands.
const MOST: usize = 64 << 10;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Person,
    Client,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) who: Speaker,
    pub(crate) text: String,
}

/// Listens to both sides.
#[derive(Debug, Default)]
pub(super) struct Talk {
    said: Vec<Said>,
    typing: Vec<u8>,
    escape: Escape,
    shown: Vec<u8>,
}

/// How far an escape of the keyboard has come.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    Begun,
    Within,
}

impl Talk {
    /// Bytes that a person typed.
    pub(super) fn typed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match (self.escape, byte) {
                (_, 0x1b) => self.escape = Escape::Begun,
                (Escape::Begun, b'[' | b'O') => self.escape = Escape::Within,
                (Escape::Begun, _) => self.escape = Escape::None,
                (Escape::Within, 0x40..=0x7e) => self.escape = Escape::None,
                (Escape::Within, _) => {}
                (Escape::None, b'\r' | b'\n') => self.person(),
                (Escape::None, 0x7f | 0x08) => drop(self.typing.pop()),
                // A line that is given up.
                (Escape::None, 0x03 | 0x15) => self.typing.clear(),
                (Escape::None, 0x00..=0x1f) => {}
                (Escape::None, byte) => self.typing.push(byte),
            }
        }
    }

    /// Text that came as a whole, such as a prompt in the arguments or a pipe.
    pub(super) fn asked(&mut self, text: &str) {
        self.client();
        self.add(Speaker::Person, text);
    }

    /// Bytes that the client showed.
    pub(super) fn shown(&mut self, bytes: &[u8]) {
        self.shown.extend_from_slice(bytes);
        if self.shown.len() > 2 * MOST {
            self.shown.drain(..self.shown.len() - MOST);
        }
    }

    /// Everything that was said.
    pub(super) fn end(mut self) -> Vec<Said> {
        self.client();
        self.person();
        self.said
    }

    fn person(&mut self) {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.typing)).into_owned();
        if !line.trim().is_empty() {
            self.client();
            self.add(Speaker::Person, &line);
        }
    }

    fn client(&mut self) {
        let shown = std::mem::take(&mut self.shown);
        let from = shown.len().saturating_sub(MOST);
        let text = plain(&String::from_utf8_lossy(&shown[from..]));
        // What a terminal echoes is what was just typed.
        let last = self.said.last().filter(|said| said.who == Speaker::Person).map(|said| said.text.clone());
        let text = match last {
            Some(typed) => text.trim_start().strip_prefix(typed.as_str()).unwrap_or(&text).to_owned(),
            None => text,
        };
        self.add(Speaker::Client, &text);
    }

    fn add(&mut self, who: Speaker, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        match self.said.last_mut().filter(|last| last.who == who) {
            Some(last) => {
                last.text.push('\n');
                last.text.push_str(text);
            }
            None => self.said.push(Said { who, text: text.to_owned() }),
        }
    }
}

/// The text of what was painted: without escapes, each line as it was left, and none twice in a row.
fn plain(painted: &str) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    let mut chars = painted.chars().peekable();
    let mut wiped = false;
    while let Some(c) = chars.next() {
        let Some(line) = lines.last_mut() else { break };
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\n' => {
                lines.push(String::new());
                wiped = false;
            }
            '\r' => wiped = true,
            '\u{8}' => drop(line.pop()),
            c if c.is_control() && c != '\t' => {}
            c => {
                if std::mem::take(&mut wiped) {
                    line.clear();
                }
                line.push(c);
            }
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines.dedup();
    lines.join("\n")
}

/// Skips what belongs to an escape: `[…letter`, `]…end`, or one character.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
        Some(']' | 'P' | '_' | '^') => {
            while let Some(c) = chars.next() {
                if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_painted_becomes_text() {
        let check = |painted: &str, expect: &str| assert_eq!(plain(painted), expect, "{painted:?}");
        check("plain\ntext", "plain\ntext");
        check("\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}ok", "red ok");
        check("10%\r50%\r100%\r\ndone", "100%\ndone");
        check("line\r\nnext\r\n", "line\nnext\n");
        check("abc\u{8}d", "abd");
        check("same\nsame\nother", "same\nother");
        check("\u{1b}[", "");
        check("\u{1b}", "");
    }

    #[test]
    fn both_sides_take_turns() {
        let mut talk = Talk::default();
        talk.shown(b"Welcome\r\n> ");
        talk.typed(b"Add a cachw\x7fe\x1b[D\r");
        talk.shown(b"Add a cache\r\nWe decided to cache pages.\r\n> ");
        talk.typed(b"\r");
        talk.typed(b"oops\x03");
        talk.typed(b"bye\n");
        talk.shown(b"Bye\n");
        let said: Vec<(Speaker, String)> = talk.end().into_iter().map(|said| (said.who, said.text)).collect();
        let expect = [
            (Speaker::Client, "Welcome\n>"),
            (Speaker::Person, "Add a cache"),
            (Speaker::Client, "We decided to cache pages.\n>"),
            (Speaker::Person, "bye"),
            (Speaker::Client, "Bye"),
        ];
        assert_eq!(said, expect.map(|(who, text)| (who, text.to_owned())));
    }

    #[test]
    fn long_answers_keep_their_end() {
        let mut talk = Talk::default();
        talk.asked("go");
        for n in 0..50_000 {
            talk.shown(format!("line {n}\n").as_bytes());
        }
        let said = talk.end();
        assert!(said[1].text.len() <= MOST && said[1].text.ends_with("line 49999"));
    }
}
