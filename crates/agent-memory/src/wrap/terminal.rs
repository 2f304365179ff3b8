//! A client at a terminal of its own: it sees a screen as large as the person's, and every key reaches it at once.

use std::io::{self, Read, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memory_engine::ambient;
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::termios::{self, OptionalActions, Termios};
use signal_hook::consts::SIGWINCH;

use super::Ended;
use super::pipes::prompt_in;
use super::talk::Talk;

/// Runs it to its end.
pub(super) fn run(command: &Command) -> io::Result<Ended> {
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
    let mut child = pair.slave.spawn_command(builder).map_err(io::Error::other)?;
    drop(pair.slave);
    let mut input = pair.master.take_writer().map_err(io::Error::other)?;
    let mut output = pair.master.try_clone_reader().map_err(io::Error::other)?;
    let talk = Arc::new(Mutex::new(Talk::default()));
    if let Some(asked) = prompt_in(command) {
        talk.lock().unwrap_or_else(PoisonError::into_inner).asked(&asked);
    }
    let _raw = Raw::set();
    let keys = Arc::clone(&talk);
    // It waits for keys as long as the process lives; the client's end does not wait for it.
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = io::stdin().read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default();
            keys.lock().unwrap_or_else(PoisonError::into_inner).typed(bytes);
            if input.write_all(bytes).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    follow_size(pair.master);
    let mut buffer = [0; 16 << 10];
    let mut unshown = None;
    // The reading side fails when the client has gone.
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        let bytes = buffer.get(..count).unwrap_or_default();
        talk.lock().unwrap_or_else(PoisonError::into_inner).shown(bytes);
        if let Err(error) = io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()) {
            // The person's terminal is gone, and with it the client's.
            let _ = child.kill();
            unshown = Some(error);
            break;
        }
    }
    let status = child.wait()?;
    let talk = std::mem::take(&mut *talk.lock().unwrap_or_else(PoisonError::into_inner));
    let code = u8::try_from(status.exit_code().min(255)).unwrap_or(1);
    Ok(Ended { code, talk: talk.end(), unshown })
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

/// Passes a new size on to the client.
fn follow_size(master: Box<dyn MasterPty + Send>) {
    let changed = Arc::new(AtomicBool::new(false));
    if signal_hook::flag::register(SIGWINCH, Arc::clone(&changed)).is_err() {
        return;
    }
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(100));
            if changed.swap(false, Ordering::Relaxed) && master.resize(size()).is_err() {
                break;
            }
        }
    });
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
}

impl Drop for Raw {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = termios::tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}
