//! A client's end: it is the process's own end that counts, not that of the last program that holds its output open.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::talk::Talk;

/// After its end a client is listened to until it was silent for so long.
const QUIET: Duration = Duration::from_millis(200);
/// So often at most, where somebody else goes on speaking in its place.
const ROUNDS: usize = 10;
/// A client that is told to end is waited for so long.
const GRACE: Duration = Duration::from_secs(2);

/// What happens while a client runs.
#[derive(Debug)]
pub(super) enum News {
    /// It ended with this exit code.
    Ended(u8),
    /// Nothing more comes from it; perhaps because it could not be shown.
    Silent(Option<io::Error>),
    /// It was stopped, as by `kill -STOP`.
    #[cfg(unix)]
    Stopped,
    /// We were sent a signal.
    #[cfg(unix)]
    Signal(i32),
}

/// How it was with a client.
#[derive(Debug)]
pub(super) struct End {
    pub(super) code: u8,
    /// Why not all that it said could be shown.
    pub(super) unshown: Option<io::Error>,
}

/// What is done about news, each as it suits the seat of the client.
pub(super) trait Care {
    /// Passes a signal on.
    #[cfg(unix)]
    fn pass(&mut self, signal: i32) -> Heed;
    /// It stopped: so do we, until somebody lets us go on.
    #[cfg(unix)]
    fn stop(&mut self) {}
    /// Nobody sees what it shows.
    fn unseen(&mut self) -> Heed;
}

/// Whether the end of a client is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heed {
    Wait,
    /// Not for long: what it was told is to end it.
    #[cfg(unix)]
    LeaveSoon,
}

/// Waits for the client's end and for what it said last.
pub(super) fn wait(news: &Receiver<News>, carried: &Carried, care: &mut dyn Care) -> End {
    let mut end = End { code: 1, unshown: None };
    let mut leave_at = None;
    let mut silent = false;
    loop {
        let next = match leave_at {
            None => news.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => news.recv_timeout(Instant::saturating_duration_since(&at, Instant::now())),
        };
        let heed = match next {
            Ok(News::Ended(code)) => {
                end.code = code;
                break;
            }
            Ok(News::Silent(why)) => {
                silent = true;
                end.unshown = why;
                if end.unshown.is_some() { care.unseen() } else { Heed::Wait }
            }
            #[cfg(unix)]
            Ok(News::Stopped) => {
                carried.settle();
                care.stop();
                Heed::Wait
            }
            #[cfg(unix)]
            Ok(News::Signal(signal)) => {
                // It counts where the client is left behind.
                end.code = code_of_signal(signal);
                care.pass(signal)
            }
            Err(_) => break,
        };
        if heed != Heed::Wait {
            leave_at.get_or_insert_with(|| Instant::now() + GRACE);
        }
    }
    let mut rounds = 0;
    while !silent && rounds < ROUNDS {
        match carried.listen(news) {
            Moment::Silent(why) => {
                silent = true;
                end.unshown = why;
            }
            // Somebody reads slowly, which is no reason to lose what is on its way.
            Moment::Showing => {}
            Moment::Speaking => rounds += 1,
        }
    }
    carried.left.store(true, Ordering::Relaxed);
    end
}

/// What a client says, on its way to stdout.
#[derive(Debug, Default, Clone)]
pub(super) struct Carried {
    /// Odd while something that was read is being shown.
    steps: Arc<AtomicUsize>,
    /// Whether nobody cares any more.
    left: Arc<AtomicBool>,
}

impl Carried {
    /// Carries it in a thread of its own until it ends.
    pub(super) fn start(
        &self,
        mut from: impl Read + Send + 'static,
        talk: Arc<Mutex<Talk>>,
        news: Sender<News>,
    ) {
        let carried = self.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 16 << 10];
            let mut rest = Vec::new();
            let unshown = loop {
                let count = match from.read(&mut buffer) {
                    Ok(0) => break None,
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    // The reading side of a terminal fails when the client has gone.
                    Err(_) => break None,
                };
                carried.steps.fetch_add(1, Ordering::Relaxed);
                if carried.left.load(Ordering::Relaxed) {
                    break None;
                }
                let bytes = buffer.get(..count).unwrap_or_default();
                talk.lock().unwrap_or_else(PoisonError::into_inner).shown(bytes);
                if let Err(error) = show(bytes, &mut rest) {
                    break Some(error);
                }
                carried.steps.fetch_add(1, Ordering::Relaxed);
            };
            // Where nobody reads on, neither do we: a client between programs ends as it would without us.
            drop(from);
            let _ = news.send(News::Silent(unshown));
        });
    }

    /// Waits until what was said last is shown.
    #[cfg(unix)]
    fn settle(&self) {
        for _ in 0..ROUNDS {
            let before = self.steps.load(Ordering::Relaxed);
            std::thread::sleep(QUIET / 10);
            if self.steps.load(Ordering::Relaxed) == before && before.is_multiple_of(2) {
                break;
            }
        }
    }

    /// Listens for a moment.
    fn listen(&self, news: &Receiver<News>) -> Moment {
        let before = self.steps.load(Ordering::Relaxed);
        let until = Instant::now() + QUIET;
        loop {
            match news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(News::Silent(why)) => return Moment::Silent(why),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Moment::Silent(None),
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        match self.steps.load(Ordering::Relaxed) {
            now if !now.is_multiple_of(2) => Moment::Showing,
            now if now == before => Moment::Silent(None),
            _ => Moment::Speaking,
        }
    }
}

/// What a moment after the client's end was like.
enum Moment {
    Silent(Option<io::Error>),
    Showing,
    Speaking,
}

/// The exit code that tells of a signal, as shells have it.
#[cfg(unix)]
pub(super) fn code_of_signal(signal: i32) -> u8 {
    128_u8.saturating_add(u8::try_from(signal).unwrap_or(127))
}

/// Shows bytes on stdout as they are. A console of Windows takes nothing but text, so there what is none is replaced.
fn show(bytes: &[u8], rest: &mut Vec<u8>) -> io::Result<()> {
    let mut stdout = io::stdout();
    if cfg!(windows) && stdout.is_terminal() {
        stdout.write_all(as_text(bytes, rest).as_bytes())?;
    } else {
        stdout.write_all(bytes)?;
    }
    stdout.flush()
}

/// Bytes as text; a character whose end is still to come waits in `rest`.
fn as_text(bytes: &[u8], rest: &mut Vec<u8>) -> String {
    rest.extend_from_slice(bytes);
    let after = rest.split_off(rest.len() - incomplete(rest));
    String::from_utf8_lossy(&std::mem::replace(rest, after)).into_owned()
}

/// How many bytes at the end begin a character that is not complete.
fn incomplete(bytes: &[u8]) -> usize {
    let begun = bytes.iter().rev().take(3).position(|byte| byte & 0xc0 != 0x80);
    let Some(after) = begun else { return 0 };
    let needed = match bytes[bytes.len() - 1 - after] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    if needed > after + 1 { after + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_console_gets_text_whatever_comes() {
        let mut rest = Vec::new();
        let shown: String = ["日".as_bytes(), b"a\xff", "é".as_bytes()]
            .concat()
            .chunks(1)
            .map(|part| as_text(part, &mut rest))
            .collect();
        assert_eq!(shown, "日a\u{fffd}é");
    }
}
