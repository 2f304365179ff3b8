//! A client at a terminal of its own: it sees a screen as large as the person's, and every key reaches it at once.

use std::io::{self, Read, Write};
use std::process::Command;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memory_engine::ambient;
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, waitpid};
use rustix::termios::{self, LocalModes, OptionalActions, Termios};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};

use super::caught::Caught;
use super::end::{self, Care, Carried, Heed, News};
use super::screen::Medium;
use super::talk::Talk;
use super::{Ended, Start};

/// Our side of the client's terminal.
type Master = Arc<Mutex<Box<dyn MasterPty + Send>>>;

/// Runs it to its end.
pub(super) fn run(command: &Command, start: &Start, caught: &mut Caught) -> io::Result<Ended> {
    let pair = native_pty_system().openpty(size()).map_err(io::Error::other)?;
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(command.get_args());
    command
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)))
        .for_each(|(name, value)| builder.env(name, value));
    if let Ok(folder) = ambient::current_dir() {
        builder.cwd(folder);
    }
    let child = pair.slave.spawn_command(builder).map_err(io::Error::other)?;
    let pid = child.process_id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let pid = pid.ok_or_else(|| io::Error::other("it has no process"))?;
    drop(pair.slave);
    let input = pair.master.take_writer().map_err(io::Error::other)?;
    let output = pair.master.try_clone_reader().map_err(io::Error::other)?;
    let master: Master = Arc::new(Mutex::new(pair.master));
    let mut talk = Talk::new(medium());
    if let Some(asked) = &start.prompt {
        talk.asked(asked);
    }
    let talk = Arc::new(Mutex::new(talk));
    let mut seated =
        Seated { child: pid, raw: Raw::set(), master: Arc::clone(&master), talk: Arc::clone(&talk) };
    let (tell, news) = mpsc::channel();
    caught.tell(&tell);
    pass_keys(input, master, Arc::clone(&talk));
    let carried = Carried::default();
    carried.start(output, Arc::clone(&talk), tell.clone());
    std::thread::spawn(move || {
        loop {
            let next = next_of(pid);
            let is_over = matches!(next, News::Ended(_));
            if tell.send(next).is_err() || is_over {
                break;
            }
        }
    });
    let end = end::wait(&news, &carried, &mut seated);
    let talk = locked(&talk).end();
    Ok(Ended { code: end.code, talk, unshown: end.unshown })
}

/// Passes keys on as long as the process lives; the client's end does not wait for it.
fn pass_keys(mut input: Box<dyn Write + Send>, master: Master, talk: Arc<Mutex<Talk>>) {
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = io::stdin().read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default();
            if !is_hidden(&master) {
                locked(&talk).typed(bytes);
            }
            if input.write_all(bytes).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
}

/// Whether the client asks for something that nobody may read, such as a password: it takes a line and does not show it.
/// A client that shows what is typed by itself takes keys and no lines.
fn is_hidden(master: &Master) -> bool {
    let modes = locked(master).get_termios().map(|modes| modes.local_flags.bits());
    modes.is_some_and(|modes| modes & LocalModes::ICANON.bits() != 0 && modes & LocalModes::ECHO.bits() == 0)
}

/// What happens to the client next.
fn next_of(child: Pid) -> News {
    loop {
        match waitpid(Some(child), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) if status.stopped() => return News::Stopped,
            Ok(Some((_, status))) => {
                let code = status.exit_status().and_then(|code| u8::try_from(code).ok());
                let code = code.or_else(|| status.terminating_signal().map(end::code_of_signal));
                return News::Ended(code.unwrap_or(1));
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return News::Ended(1),
        }
    }
}

/// A client at its terminal.
struct Seated {
    child: Pid,
    raw: Raw,
    master: Master,
    talk: Arc<Mutex<Talk>>,
}

impl Seated {
    /// Sends a signal to the client and to whoever it lets use the terminal now.
    fn send(&self, signal: Signal) {
        let before = locked(&self.master).process_group_leader().and_then(Pid::from_raw);
        let _ = kill_process_group(self.child, signal);
        if let Some(group) = before.filter(|group| *group != self.child) {
            let _ = kill_process_group(group, signal);
        }
    }

    fn resize(&self) {
        let _ = locked(&self.master).resize(size());
        locked(&self.talk).resize(medium());
    }
}

impl Care for Seated {
    fn pass(&mut self, signal: i32) -> Heed {
        match signal {
            SIGWINCH => self.resize(),
            SIGINT => self.send(Signal::INT),
            SIGHUP => self.send(Signal::HUP),
            SIGTERM => self.send(Signal::TERM),
            _ => {}
        }
        // Shells do not heed the last one, and after the other the person is gone.
        if matches!(signal, SIGHUP | SIGTERM) { Heed::LeaveSoon } else { Heed::Wait }
    }

    fn stop(&mut self) {
        self.raw.unset();
        let _ = kill_process(getpid(), Signal::STOP);
        self.raw = Raw::set();
        self.resize();
        let _ = kill_process_group(self.child, Signal::CONT);
    }

    /// The person's terminal is gone, and with it the client's.
    fn unseen(&mut self) -> Heed {
        self.pass(SIGHUP)
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The size of the person's terminal.
fn size() -> PtySize {
    let size = termios::tcgetwinsize(io::stdout()).ok();
    size.map_or_else(PtySize::default, |size| PtySize {
        rows: size.ws_row,
        cols: size.ws_col,
        pixel_width: size.ws_xpixel,
        pixel_height: size.ws_ypixel,
    })
}

fn medium() -> Medium {
    let size = size();
    Medium::Terminal { rows: size.rows.into(), columns: size.cols.into() }
}

/// A terminal that hands on every key as it is, until this value goes.
struct Raw(Option<Termios>);

impl Raw {
    fn set() -> Self {
        let Ok(before) = termios::tcgetattr(io::stdin()) else { return Self(None) };
        let mut raw = before.clone();
        raw.make_raw();
        let set = termios::tcsetattr(io::stdin(), OptionalActions::Now, &raw);
        Self(set.is_ok().then_some(before))
    }

    fn unset(&mut self) {
        if let Some(before) = self.0.take() {
            let _ = termios::tcsetattr(io::stdin(), OptionalActions::Now, &before);
        }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        self.unset();
    }
}
