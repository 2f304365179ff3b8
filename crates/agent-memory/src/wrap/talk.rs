//! What is said, from the bytes that go to a client and those that it shows.
//!
//! A person's message is a line that was typed or piped in; what the client shows until the next one is its answer, as
//! its screen has it. On the alternate screen nothing is listened to, whoever speaks: what is typed there are the keys
//! of an editor or a pager.

use super::screen::{Medium, Screen};

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
#[derive(Debug)]
pub(super) struct Talk {
    said: Vec<Said>,
    typing: Vec<u8>,
    escape: Escape,
    screen: Screen,
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
    pub(super) fn new(medium: Medium) -> Self {
        Self { said: Vec::new(), typing: Vec::new(), escape: Escape::default(), screen: Screen::new(medium) }
    }

    /// The terminal has another size.
    #[cfg(unix)]
    pub(super) fn resize(&mut self, medium: Medium) {
        self.screen.resize(medium);
    }

    /// Bytes that a person typed.
    pub(super) fn typed(&mut self, bytes: &[u8]) {
        if self.screen.is_alternate() {
            return;
        }
        for &byte in bytes {
            match (self.escape, byte) {
                (_, 0x1b) => self.escape = Escape::Begun,
                (Escape::Begun, b'[' | b'O') => self.escape = Escape::Within,
                (Escape::Begun, _) => self.escape = Escape::None,
                (Escape::Within, 0x40..=0x7e) => self.escape = Escape::None,
                (Escape::Within, _) => {}
                (Escape::None, b'\r' | b'\n') => self.person(),
                (Escape::None, 0x7f | 0x08) => self.rub_out(),
                // A line that is given up.
                (Escape::None, 0x03 | 0x15) => self.typing.clear(),
                (Escape::None, 0x00..=0x1f) => {}
                (Escape::None, byte) => self.typing.push(byte),
            }
        }
    }

    /// Takes the last character back, all bytes of it.
    fn rub_out(&mut self) {
        while self.typing.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
    }

    /// Text that came as a whole, such as a prompt in the arguments or a pipe.
    pub(super) fn asked(&mut self, text: &str) {
        self.client("");
        self.add(Speaker::Person, text);
    }

    /// Bytes that the client showed.
    pub(super) fn shown(&mut self, bytes: &[u8]) {
        self.screen.show(bytes);
    }

    /// Everything that was said since the last time. What is only half typed is said with the end.
    pub(super) fn end(&mut self) -> Vec<Said> {
        self.client("");
        self.person();
        std::mem::take(&mut self.said)
    }

    fn person(&mut self) {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.typing)).into_owned();
        if !line.trim().is_empty() {
            self.client(line.trim());
            self.add(Speaker::Person, &line);
        }
    }

    /// What the client said so far. What a terminal echoes is what was just typed, or is about to be said.
    fn client(&mut self, typed: &str) {
        let text = self.screen.read();
        let text = text.trim();
        let before = self.said.last().filter(|said| said.who == Speaker::Person);
        let text = before.and_then(|said| text.strip_prefix(said.text.as_str())).unwrap_or(text);
        let text = text.strip_suffix(typed).unwrap_or(text).to_owned();
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

#[cfg(test)]
mod tests {
    use super::*;

    const TERMINAL: Medium = Medium::Terminal { rows: 24, columns: 80 };

    #[test]
    fn both_sides_take_turns() {
        let mut talk = Talk::new(TERMINAL);
        talk.shown(b"Welcome\r\n> ");
        talk.typed(b"Add a cachw\x7fe\x1b[D\r");
        talk.shown(b"Add a cache\r\nWe decided to cache pages.\r\n> ");
        talk.typed(b"\r");
        talk.typed(b"oops\x03");
        // What is typed is mostly echoed before it is sent.
        talk.shown(b"oops^C\r\n> bye");
        talk.typed("byé€\x7f\x7fe\n".as_bytes());
        talk.shown(b"\r\nBye\r\n");
        let said: Vec<(Speaker, String)> = talk.end().into_iter().map(|said| (said.who, said.text)).collect();
        let expect = [
            (Speaker::Client, "Welcome\n>"),
            (Speaker::Person, "Add a cache"),
            (Speaker::Client, "We decided to cache pages.\n> oops^C\n>"),
            (Speaker::Person, "bye"),
            (Speaker::Client, "Bye"),
        ];
        assert_eq!(said, expect.map(|(who, text)| (who, text.to_owned())));
    }

    #[test]
    fn long_answers_keep_their_end() {
        let mut talk = Talk::new(Medium::Pipe);
        talk.asked("go");
        for n in 0..50_000 {
            talk.shown(format!("line {n}\n").as_bytes());
        }
        let said = talk.end();
        assert!(said[1].text.len() <= 64 << 10 && said[1].text.ends_with("line 49999"));
    }

    #[test]
    fn nothing_is_heard_of_what_goes_on_in_an_editor() {
        let mut talk = Talk::new(TERMINAL);
        talk.shown(b"$ vim\r\n\x1b[?1049h~");
        talk.typed(b"iWe decided nothing\r:wq\r");
        talk.shown(b"We decided nothing\x1b[?1049l$ ");
        talk.typed(b"ls\r");
        let said: Vec<String> = talk.end().into_iter().map(|said| said.text).collect();
        assert_eq!(said, ["$ vim\n$", "ls"]);
    }
}
