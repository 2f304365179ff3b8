//! The program at a terminal that the test holds: keys are typed when the screen asks for them, so nothing is timed.

use std::io::{Read, Write};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::sandbox::Sandbox;

pub(crate) struct Seat {
    master: Box<dyn MasterPty + Send>,
    screen: Box<dyn Read + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// All that was shown, and how far `until` looked.
    pub(crate) shown: String,
    seen: usize,
}

impl Seat {
    pub(crate) fn at(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let run = sandbox.command(arguments).env("TMPDIR", sandbox.home()).into_command();
        let mut command = CommandBuilder::new(run.get_program());
        command.args(run.get_args());
        command.cwd(sandbox.project());
        for (name, value) in run.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        Self { master: pair.master, screen, keys, child, shown: String::new(), seen: 0 }
    }

    /// Reads on until the screen shows this.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) -> &mut Self {
        loop {
            if let Some(at) = self.shown[self.seen..].find(text) {
                self.seen += at + text.len();
                return self;
            }
            assert!(self.read(), "{text:?} never came: {}", self.shown);
        }
    }

    pub(crate) fn types(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self
    }

    pub(crate) fn sends(&mut self, signal: Signal) -> &mut Self {
        kill_process(self.process(), signal).unwrap();
        self
    }

    /// Waits until it is stopped.
    #[track_caller]
    pub(crate) fn stops(&mut self) -> &mut Self {
        let (_, status) = waitpid(Some(self.process()), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{status:?}: {}", self.shown);
        self
    }

    /// Whether the terminal takes lines, as it did before.
    pub(crate) fn takes_lines(&self) -> bool {
        let modes = self.master.get_termios().unwrap().local_flags.bits();
        modes & rustix::termios::LocalModes::ICANON.bits() != 0
    }

    /// Reads on to the end, which has this exit code.
    #[track_caller]
    pub(crate) fn ends(&mut self, code: u32) -> &mut Self {
        while self.read() {}
        let status = self.child.wait().unwrap();
        assert_eq!(status.exit_code(), code, "{}", self.shown);
        self
    }

    fn process(&self) -> Pid {
        Pid::from_raw(self.child.process_id().unwrap().try_into().unwrap()).unwrap()
    }

    fn read(&mut self) -> bool {
        let mut buffer = [0; 4096];
        let count = self.screen.read(&mut buffer).unwrap_or(0);
        self.shown.push_str(&String::from_utf8_lossy(&buffer[..count]));
        count > 0
    }
}
