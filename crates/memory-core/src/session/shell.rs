//! A command line as the commands that it runs: behind quotes, substitutions, groups, what only starts another program,
//! and shells that are given a script. It is total, and reads no byte more often than commands may stand in each other.

use std::str::Chars;

/// A command of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Command {
    /// The program and its arguments, without quotes.
    pub(crate) words: Vec<String>,
    /// The files whose text it is given.
    pub(crate) reads: Vec<String>,
    /// The files into which its text goes.
    pub(crate) writes: Vec<String>,
    /// The text that the line itself gives it.
    pub(crate) given: String,
    /// It runs on another machine.
    pub(crate) elsewhere: bool,
}

impl Command {
    /// The name of the program, in lower case.
    pub(crate) fn program(&self) -> String {
        self.words.first().map_or("", |word| program_name(word)).to_lowercase()
    }

    /// The words behind the program that are no options.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.words.iter().skip(1).map(String::as_str).filter(|word| !word.starts_with('-'))
    }
}

/// The name of a program without its folder.
pub(crate) fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Whether a word sets a variable for what follows it.
pub(crate) fn is_setting(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Deeper commands are not looked for.
const DEEPEST: usize = 6;

/// The commands of a line, in the order in which they end.
pub(crate) fn commands(line: &str) -> Vec<Command> {
    let mut found = Vec::new();
    run(line, 0, &mut found);
    found
}

fn run(line: &str, depth: usize, found: &mut Vec<Command>) {
    let mut reader = Reader { rest: line.chars(), found: Vec::new(), texts: Vec::new() };
    reader.list(None, depth);
    for mut command in reader.found {
        unwrap(&mut command);
        match script(&command).filter(|_| depth < DEEPEST) {
            Some((script, elsewhere)) => {
                let from = found.len();
                run(&script, depth + 1, found);
                found.iter_mut().skip(from).for_each(|inner| inner.elsewhere |= elsewhere);
            }
            None if command.words.is_empty() && command.reads.is_empty() => {}
            None => found.push(command),
        }
    }
}

/// Words of a shell before which nothing of a command stands.
const KEYWORDS: &[&str] = &["if", "then", "else", "elif", "while", "until", "do", "!", "{", "}"];

/// Programs that start another one: their options that take a word, and how many words stand before the other program.
#[rustfmt::skip]
const STARTERS: &[(&str, &str, usize)] = &[
    ("sudo", "ugpCrtUDRTh", 0), ("doas", "uC", 0), ("env", "uC", 0), ("timeout", "sk", 1), ("nice", "n", 0),
    ("ionice", "cnp", 0), ("nohup", "", 0), ("time", "fo", 0), ("exec", "a", 0), ("command", "", 0),
    ("builtin", "", 0), ("setsid", "", 0), ("stdbuf", "ioe", 0), ("xargs", "InPLdasE", 0),
    ("watch", "n", 0), ("flock", "wE", 1), ("strace", "eopP", 0), ("unbuffer", "", 0), ("busybox", "", 0),
    ("caffeinate", "t", 0), ("proxychains", "f", 0), ("proxychains4", "f", 0), ("torsocks", "", 0),
    ("xvfb-run", "ens", 0), ("chronic", "", 0), ("winpty", "", 0), ("wsl", "deu", 0), ("rtk", "", 0),
];

/// Takes away what stands before the program that really runs.
fn unwrap(command: &mut Command) {
    let words = &command.words;
    let mut start = 0;
    loop {
        let rest = words.get(start..).unwrap_or_default();
        let skip = rest.iter().take_while(|w| is_setting(w) || KEYWORDS.contains(&w.as_str())).count();
        start += skip;
        let first = rest.get(skip).map(|word| program_name(word).to_lowercase());
        let starter = STARTERS.iter().find(|(name, ..)| Some(*name) == first.as_deref());
        let behind = rest.get(skip + 1..).unwrap_or_default();
        match starter.and_then(|(_, options, before)| behind_options(behind, options, *before)) {
            Some(length) => start += 1 + length,
            None => break,
        }
    }
    command.words.drain(..start);
}

/// How many words of the beginning are options with what belongs to them, or one of the words that must stand there.
/// Nothing, if nothing is left behind them.
fn behind_options(words: &[String], with_word: &str, mut before: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let word = words.get(at)?;
        at += match word.strip_prefix('-') {
            Some(letter) => 1 + usize::from(letter.len() == 1 && with_word.contains(letter)),
            None if before == 0 => return Some(at),
            None => {
                before -= 1;
                1
            }
        };
    }
}

/// Options of `ssh` that take a word.
const OF_SSH: &str = "BbcDEeFIiJLlmOopQRSWw";

/// The script that a command hands to a shell, and whether the shell runs on another machine.
fn script(command: &Command) -> Option<(String, bool)> {
    let words = &command.words;
    let behind = words.get(1..).unwrap_or_default();
    match command.program().as_str() {
        "bash" | "sh" | "zsh" | "dash" | "ksh" | "fish" | "ash" => {
            let takes = |word: &String| {
                word.strip_prefix('-')
                    .is_some_and(|letters| !letters.starts_with('-') && letters.ends_with('c'))
            };
            let at = behind.iter().position(takes);
            let given = || Some(command.given.clone()).filter(|given| !given.is_empty());
            at.map(|at| behind[at + 1..].join(" ")).or_else(given).map(|script| (script, false))
        }
        "powershell" | "pwsh" | "cmd" => {
            let at = behind
                .iter()
                .position(|word| matches!(word.to_lowercase().as_str(), "-c" | "-command" | "/c" | "/k"))?;
            Some((behind[at + 1..].join(" "), false))
        }
        "eval" => Some((behind.join(" "), false)),
        "ssh" => {
            let at = behind_options(behind, OF_SSH, 1)?;
            Some((behind[at..].join(" "), true))
        }
        _ => None,
    }
}

struct Reader<'l> {
    rest: Chars<'l>,
    found: Vec<Command>,
    /// Texts that begin on the next line: the word that ends each, and the command that is given it.
    texts: Vec<(String, usize)>,
}

/// A command that is being read.
#[derive(Default)]
struct Draft {
    command: Command,
    word: Option<String>,
    role: Role,
    /// The words that end the texts of the command.
    ends: Vec<String>,
}

/// What the next word of a command is.
#[derive(Default)]
enum Role {
    #[default]
    Word,
    Read,
    Written,
    Given,
    Ends,
}

impl Draft {
    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::take(&mut self.role) {
            Role::Word => self.command.words.push(word),
            Role::Read => self.command.reads.push(word),
            Role::Given => self.command.given.push_str(&word),
            Role::Ends => self.ends.push(word),
            Role::Written => self.command.writes.push(word),
        }
    }
}

impl Reader<'_> {
    /// Reads commands up to the mark that closes them.
    fn list(&mut self, close: Option<char>, depth: usize) {
        let mut draft = Draft::default();
        while let Some(c) = self.rest.next() {
            match c {
                c if Some(c) == close => break,
                '\'' => {
                    draft.word.get_or_insert_default();
                    self.rest.by_ref().take_while(|c| *c != '\'').for_each(|c| draft.push(c));
                }
                '"' => self.quoted(&mut draft, depth),
                '\\' => self.escaped(&mut draft),
                '$' | '<' | '>' if self.peek() == Some('(') => {
                    self.rest.next();
                    self.inner(')', &mut draft, depth);
                }
                '`' => self.inner('`', &mut draft, depth),
                '(' => {
                    self.end(&mut draft);
                    if depth < DEEPEST {
                        self.list(Some(')'), depth + 1);
                    }
                }
                '<' | '>' => self.redirection(c, &mut draft),
                '&' if self.peek() == Some('>') => {}
                '#' if draft.word.is_none() => {
                    let comment = self.rest.as_str().find('\n').unwrap_or(self.rest.as_str().len());
                    self.rest = self.rest.as_str()[comment..].chars();
                }
                '\n' => {
                    self.end(&mut draft);
                    self.texts_of_line();
                }
                ';' | '|' | '&' | ')' => self.end(&mut draft),
                c if c.is_whitespace() => draft.end_word(),
                c => draft.push(c),
            }
        }
        self.end(&mut draft);
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// A command inside another; where the word stands that it makes, nothing is known.
    fn inner(&mut self, close: char, draft: &mut Draft, depth: usize) {
        if depth < DEEPEST {
            self.list(Some(close), depth + 1);
            draft.word.get_or_insert_default();
        }
    }

    fn quoted(&mut self, draft: &mut Draft, depth: usize) {
        draft.word.get_or_insert_default();
        while let Some(c) = self.rest.next() {
            match c {
                '"' => return,
                '\\' => self.escaped(draft),
                '$' if self.peek() == Some('(') => {
                    self.rest.next();
                    self.inner(')', draft, depth);
                }
                '`' => self.inner('`', draft, depth),
                c => draft.push(c),
            }
        }
    }

    /// The mark after a backslash. Before a letter the backslash belongs to a path of Windows.
    fn escaped(&mut self, draft: &mut Draft) {
        match self.rest.next() {
            None | Some('\n') => {}
            Some(c) if c.is_alphanumeric() => {
                draft.push('\\');
                draft.push(c);
            }
            Some(c) => draft.push(c),
        }
    }

    fn redirection(&mut self, sign: char, draft: &mut Draft) {
        let numbered = draft.word.as_ref().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
        if numbered {
            draft.word = None;
        }
        draft.end_word();
        let mut signs = 1;
        while let Some(c) = self.peek().filter(|c| *c == sign || matches!(c, '&' | '-' | '|')) {
            signs += usize::from(c == sign);
            self.rest.next();
        }
        draft.role = match (sign, signs) {
            ('<', 1) => Role::Read,
            ('<', 2) => Role::Ends,
            ('<', _) => Role::Given,
            _ => Role::Written,
        };
    }

    fn end(&mut self, draft: &mut Draft) {
        draft.end_word();
        let Draft { command, ends, .. } = std::mem::take(draft);
        if command != Command::default() {
            self.texts.extend(ends.into_iter().map(|end| (end, self.found.len())));
            self.found.push(command);
        }
    }

    /// The texts that begin on this line, each up to the line that ends it.
    fn texts_of_line(&mut self) {
        for (end, command) in std::mem::take(&mut self.texts) {
            let mut length = 0;
            for line in self.rest.as_str().split_inclusive('\n') {
                length += line.len();
                if line.trim() == end {
                    break;
                }
                if let Some(command) = self.found.get_mut(command) {
                    command.given.push_str(line);
                }
            }
            self.rest = self.rest.as_str()[length..].chars();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: &[&str]) {
        let found: Vec<String> = commands(line).iter().map(|command| command.words.join(" ")).collect();
        assert_eq!(found, expect, "{line}");
    }

    #[test]
    fn commands_of_a_line() {
        check("cd x && curl -s y | head; ls&", &["cd x", "curl -s y", "head", "ls"]);
        check("git commit -m 'a; curl b' # curl c", &["git commit -m a; curl b"]);
        check("B=$(curl -s a); echo \"$B $(wget b) curl c\"", &["curl -s a", "wget b", "echo $B  curl c"]);
        check("(curl a) `wget b` <(http c)", &["curl a", "wget b", "http c", " "]);
        check("if ! curl a; then { wget b; }; fi", &["curl a", "wget b", "fi"]);
        check("sudo -u ana timeout -k 1 20 env X=1 curl a", &["curl a"]);
        check("sudo apt install curl", &["apt install curl"]);
        check("bash -lc 'cd x && curl \"a b\"'", &["cd x", "curl a b"]);
        check("bash -lc curl a", &["curl a"]);
        check("bash run.sh", &["bash run.sh"]);
        check("ssh -i k host 'cat a | head'", &["cat a", "head"]);
        check("powershell -c Invoke-WebRequest a", &["Invoke-WebRequest a"]);
        check("make 2>&1 >out | tee x &>y", &["make", "tee x"]);
        check("cat > x <<'E'\ncurl a\nE\nls", &["cat", "ls"]);
        check("bash <<E\ncurl a\nE\n", &["curl a"]);
        check("type C:\\Users\\x\\y.txt a\\ b", &["type C:\\Users\\x\\y.txt a b"]);
        check("", &[]);
        check("'", &[""]);
    }

    #[test]
    fn what_is_given_to_a_command() {
        let found = commands("python3 -m json.tool < ~/x; python3 - <<-E\nimport a\n\tE\ncat <<< b");
        assert_eq!(
            (found[0].reads.as_slice(), found[1].given.as_str()),
            (&["~/x".to_owned()][..], "import a\n")
        );
        assert_eq!((found[2].given.as_str(), found.len()), ("b", 3));
        assert!(commands("ssh host cat a")[0].elsewhere && !commands("cat a")[0].elsewhere);
    }

    #[test]
    fn crowded_lines_stay_in_bounds() {
        for piece in ["$(", "`", "(", "\"", "'", "<<a\n", "bash -c '", "sudo ", "\\", "eval ", "<(", "<<<"] {
            assert!(commands(&piece.repeat(5000)).len() <= 20_000, "{piece}");
        }
    }
}
