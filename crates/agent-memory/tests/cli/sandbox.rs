//! A project and a home in a temporary folder, and the real program run in them.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    /// A project without a memory.
    pub(crate) fn new() -> Self {
        let sandbox = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(sandbox.home()).unwrap();
        std::fs::create_dir(sandbox.project()).unwrap();
        sandbox
    }

    /// A project with a fresh memory.
    pub(crate) fn ready() -> Self {
        let sandbox = Self::new();
        sandbox.run(["init"]).code(0);
        sandbox
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// A file of the memory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.project().join(".memory").join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Every file under the temporary folder with its bytes, by its path.
    pub(crate) fn tree(&self) -> Vec<(String, Vec<u8>)> {
        let mut all = Vec::new();
        walk(self.folder.path(), self.folder.path(), &mut all);
        all.sort();
        all
    }

    /// The folder around project and home, where nothing else may appear.
    pub(crate) fn outside(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            names.map(|it| it.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the program to its end with nothing on stdin.
    pub(crate) fn run<const N: usize>(&self, arguments: [&str; N]) -> Ran {
        self.command(arguments).go()
    }

    /// A run to prepare further.
    pub(crate) fn command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, arguments: I) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments).current_dir(self.project()).env("AGENT_MEMORY_HOME", self.home());
        for name in
            ["AGENT_MEMORY_DIR", "AGENT_MEMORY_AGENT", "NO_COLOR", "CLICOLOR_FORCE", "EDITOR", "VISUAL"]
        {
            command.env_remove(name);
        }
        // A test that ends takes its folder away, so nothing may still be at work in it.
        command.env("AGENT_MEMORY_NO_BACKGROUND", "1");
        Run { command, stdin: None }
    }

    /// Remembers a text and gives its id.
    pub(crate) fn remember(&self, text: &str) -> String {
        let ran = self.run(["remember", "--agent", "dev", "--json", "--", text]).code(0);
        ran.json()["id"].as_str().unwrap().to_owned()
    }
}

fn walk(top: &Path, folder: &Path, all: &mut Vec<(String, Vec<u8>)>) {
    for it in std::fs::read_dir(folder).unwrap() {
        let path = it.unwrap().path();
        let sort = std::fs::symlink_metadata(&path).unwrap();
        if sort.is_dir() {
            walk(top, &path, all);
        } else if sort.is_file() {
            let name = path.strip_prefix(top).unwrap().to_string_lossy().replace('\\', "/");
            all.push((name, std::fs::read(&path).unwrap()));
        }
    }
}

pub(crate) struct Run {
    command: Command,
    stdin: Option<Vec<u8>>,
}

impl Run {
    pub(crate) fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin = Some(bytes.as_ref().to_vec());
        self
    }

    /// The command itself, for a test that starts it on its own.
    pub(crate) fn into_command(self) -> Command {
        self.command
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn go(mut self) -> Ran {
        let stdin = if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
        let mut child =
            self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pipe = child.stdin.take();
        let bytes = self.stdin.take().unwrap_or_default();
        // A thread feeds stdin, since the program may answer before it has read everything, or stop reading.
        let feeder = std::thread::spawn(move || {
            let _ = pipe.map(|mut pipe| pipe.write_all(&bytes));
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// What a run gave.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn code(self, expect: i32) -> Self {
        assert_eq!(self.code, Some(expect), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The answer is exactly this.
    #[track_caller]
    pub(crate) fn answers(self, expect: &str) -> Self {
        assert_eq!(self.stdout, expect, "stderr: {}", self.stderr);
        self
    }

    /// The answer contains this.
    #[track_caller]
    pub(crate) fn says(self, expect: &str) -> Self {
        assert!(
            self.stdout.contains(expect),
            "{expect:?} not in stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// The talk contains this.
    #[track_caller]
    pub(crate) fn talks(self, expect: &str) -> Self {
        assert!(
            self.stderr.contains(expect),
            "{expect:?} not in stderr: {}\nstdout: {}",
            self.stderr,
            self.stdout
        );
        self
    }

    #[track_caller]
    pub(crate) fn silent(self) -> Self {
        assert_eq!(self.stderr, "", "stdout: {}", self.stdout);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }

    /// The answer is a JSON error with this code.
    #[track_caller]
    pub(crate) fn fails_as(self, code: &str) -> Self {
        let json = self.json();
        assert_eq!(json["code"], code, "{json}");
        assert!(json["error"].as_str().is_some_and(|text| !text.is_empty()), "{json}");
        self
    }
}

/// A file without the comment lines that say when an entry was edited and by whom.
pub(crate) fn without_meta(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|b| *b == b'\n');
    lines.filter(|line| !line.starts_with(b"<!-- meta:")).flatten().copied().collect()
}
