//! Signals that would end us: caught, so that the client hears of them and what was said is kept.
//!
//! They are caught from before the client's start until what was said is safe; then they end us as ever.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGWINCH};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::end::News;

#[derive(Debug)]
pub(crate) struct Caught {
    /// Whether they end us again.
    over: Arc<AtomicBool>,
    #[cfg(unix)]
    signals: Option<signal_hook::iterator::Signals>,
}

impl Caught {
    pub(crate) fn set() -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        for signal in ENDING {
            signal_hook::flag::register_conditional_default(*signal, Arc::clone(&over))?;
        }
        #[cfg(unix)]
        let signals = Some(signal_hook::iterator::Signals::new(ENDING.iter().chain(&[SIGWINCH]))?);
        Ok(Self {
            over,
            #[cfg(unix)]
            signals,
        })
    }

    /// From now on they end us.
    pub(crate) fn let_go(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Tells of each, those included that came already.
    #[cfg(unix)]
    pub(super) fn tell(&mut self, news: &Sender<News>) {
        if let Some(mut signals) = self.signals.take() {
            let news = news.clone();
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    if news.send(News::Signal(signal)).is_err() {
                        break;
                    }
                }
            });
        }
    }

    /// There is nothing to tell: a console tells all its programs by itself.
    #[cfg(not(unix))]
    pub(super) fn tell(&mut self, _: &Sender<News>) {}
}

/// Those that end us.
#[cfg(unix)]
const ENDING: &[i32] = &[SIGHUP, SIGINT, SIGTERM];
#[cfg(not(unix))]
const ENDING: &[i32] = &[SIGINT, SIGTERM];
