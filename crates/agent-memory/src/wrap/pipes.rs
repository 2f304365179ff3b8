//! A client between programs: what is piped in goes on to it, what it says goes on to stdout, and both are listened to.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use super::talk::Talk;
use super::{Ended, Seat};

/// Runs it to its end. `before` goes in front of what is piped in.
pub(super) fn run(mut command: Command, before: Option<&str>, seat: Seat) -> io::Result<Ended> {
    let piped = seat == Seat::Pipes;
    command.stdin(if piped { Stdio::piped() } else { Stdio::inherit() }).stdout(Stdio::piped());
    let asked = prompt_in(&command);
    let mut child = command.spawn()?;
    let talk = Arc::new(Mutex::new(Talk::default()));
    let hear = |talk: &Mutex<Talk>, hear: &mut dyn FnMut(&mut Talk)| {
        hear(&mut talk.lock().unwrap_or_else(PoisonError::into_inner));
    };
    if let Some(asked) = asked {
        hear(&talk, &mut |talk| talk.asked(&asked));
    }
    if let Some(mut input) = child.stdin.take() {
        let (talk, before) = (Arc::clone(&talk), before.map(str::to_owned));
        // It ends with its input, or with the process; a client that is gone does not wait for it.
        std::thread::spawn(move || {
            let heard = |bytes: &[u8]| talk.lock().unwrap_or_else(PoisonError::into_inner).typed(bytes);
            let _ = before.map_or(Ok(()), |before| input.write_all(before.as_bytes()));
            let _ = copy(&mut io::stdin(), &mut input, &mut |bytes| heard(bytes));
            heard(b"\n");
        });
    }
    // Where nobody reads on, neither do we: the client ends as it would without us, and what was heard counts.
    let unshown = child.stdout.take().and_then(|mut output| {
        copy(&mut output, &mut io::stdout(), &mut |bytes| hear(&talk, &mut |talk| talk.shown(bytes))).err()
    });
    let status = child.wait()?;
    let talk = std::mem::take(&mut *talk.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Ended { code: code(status), talk: talk.end(), unshown })
}

/// The last argument that is more than a word: most clients take their prompt so.
pub(super) fn prompt_in(command: &Command) -> Option<String> {
    let last = command.get_args().last()?.to_string_lossy().into_owned();
    (last.trim().contains(char::is_whitespace) && !last.contains("<agent-memory-context")).then_some(last)
}

fn copy(from: &mut dyn Read, to: &mut dyn Write, hear: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = [0; 16 << 10];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = buffer.get(..count).unwrap_or_default();
        hear(bytes);
        to.write_all(bytes)?;
        to.flush()?;
    }
}

/// The exit code as shells tell it.
pub(super) fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128_u8.saturating_add(u8::try_from(signal).unwrap_or(127));
    }
    status.code().map_or(1, |code| u8::try_from(code.clamp(0, 255)).unwrap_or(1))
}
