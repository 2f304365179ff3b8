//! A client between programs: what is piped in goes on to it, what it says goes on to stdout, and both are listened to.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use super::caught::Caught;
use super::end::{self, Care, Carried, Heed, News};
use super::screen::Medium;
use super::talk::Talk;
use super::{Ended, Seat, Start};

/// Runs it to its end.
pub(super) fn run(mut command: Command, start: &Start, seat: Seat, caught: &mut Caught) -> io::Result<Ended> {
    let piped = seat == Seat::Pipes;
    command.stdin(if piped { Stdio::piped() } else { Stdio::inherit() }).stdout(Stdio::piped());
    let mut talk = Talk::new(Medium::Pipe);
    if let Some(asked) = &start.prompt {
        talk.asked(asked);
    }
    let talk = Arc::new(Mutex::new(talk));
    let mut child = command.spawn()?;
    let (tell, news) = mpsc::channel();
    caught.tell(&tell);
    if let Some(input) = child.stdin.take() {
        hand_in(start.before.clone(), input, Arc::clone(&talk));
    }
    let carried = Carried::default();
    if let Some(output) = child.stdout.take() {
        carried.start(output, Arc::clone(&talk), tell.clone());
    }
    let mut care = Between::of(&child);
    std::thread::spawn(move || {
        let code = child.wait().map_or(1, code);
        let _ = tell.send(News::Ended(code));
    });
    let end = end::wait(&news, &carried, &mut care);
    let talk = talk.lock().unwrap_or_else(PoisonError::into_inner).end();
    Ok(Ended { code: end.code, talk, unshown: end.unshown })
}

/// Hands the context in, and what is piped in after it. It ends with its input, or with the process; a client that is
/// gone does not wait for it.
fn hand_in(before: Option<String>, mut input: impl Write + Send + 'static, talk: Arc<Mutex<Talk>>) {
    std::thread::spawn(move || {
        let heard = |bytes: &[u8]| talk.lock().unwrap_or_else(PoisonError::into_inner).typed(bytes);
        let _ = before.map_or(Ok(()), |before| input.write_all(before.as_bytes()));
        let mut buffer = [0; 16 << 10];
        loop {
            let count = match io::stdin().read(&mut buffer) {
                Ok(count @ 1..) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
            };
            let bytes = buffer.get(..count).unwrap_or_default();
            heard(bytes);
            if input.write_all(bytes).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
        heard(b"\n");
    });
}

/// A client in our own group of processes.
struct Between {
    #[cfg(unix)]
    child: rustix::process::Pid,
}

impl Between {
    #[cfg(unix)]
    fn of(child: &Child) -> Self {
        Self { child: rustix::process::Pid::from_child(child) }
    }

    #[cfg(not(unix))]
    fn of(_: &Child) -> Self {
        Self {}
    }
}

impl Care for Between {
    /// A client that goes on is waited for, as it would be without us.
    #[cfg(unix)]
    fn pass(&mut self, signal: i32) -> Heed {
        use rustix::process::{Signal, kill_process};
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let signal = match signal {
            SIGHUP => Some(Signal::HUP),
            SIGTERM => Some(Signal::TERM),
            // A key reaches the client by itself, and twice may mean more than once.
            SIGINT if !is_at_the_keys() => Some(Signal::INT),
            _ => None,
        };
        if let Some(signal) = signal {
            let _ = kill_process(self.child, signal);
        }
        Heed::Wait
    }

    /// It is ended by the pipe, as it would be without us.
    fn unseen(&mut self) -> Heed {
        Heed::Wait
    }
}

/// Whether a terminal sends its keys to our group of processes.
#[cfg(unix)]
fn is_at_the_keys() -> bool {
    let own = rustix::process::getpgrp();
    let group = |group: rustix::io::Result<rustix::process::Pid>| group.is_ok_and(|group| group == own);
    group(rustix::termios::tcgetpgrp(io::stdin()))
        || group(rustix::termios::tcgetpgrp(io::stdout()))
        || group(rustix::termios::tcgetpgrp(io::stderr()))
}

/// The exit code as shells tell it.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return end::code_of_signal(signal);
    }
    status.code().map_or(1, in_a_byte)
}

/// Windows has larger codes, and a program that crashed has one below zero: neither may look like success.
fn in_a_byte(code: i32) -> u8 {
    u8::try_from(code).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_failure_looks_like_success() {
        for (code, expect) in [(0, 0), (7, 7), (255, 255), (256, 1), (-1_073_741_819, 1)] {
            assert_eq!(in_a_byte(code), expect, "{code}");
        }
    }
}
