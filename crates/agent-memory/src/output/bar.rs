//! Progress of long work, on stderr and only where a terminal shows it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar for things that are counted. It clears itself when it is dropped.
pub(crate) struct Bar(ProgressBar);

/// What a bar counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Things,
    Bytes,
}

impl Bar {
    pub(super) fn new(counted: Counted, quiet: bool) -> Self {
        let style = ProgressStyle::with_template(match counted {
            Counted::Things => "{bar:40} {human_pos}/{human_len} {eta}",
            Counted::Bytes => "{bar:40} {bytes}/{total_bytes} {eta}",
        });
        let shown = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let hidden = |_| ProgressBar::hidden();
        Self(if quiet {
            ProgressBar::hidden()
        } else {
            style.map_or_else(hidden, |style| shown.with_style(style))
        })
    }

    /// So many of so many are done.
    pub(crate) fn set(&self, done: usize, all: usize) {
        self.set_bytes(done as u64, all as u64);
    }

    /// The same of bytes.
    pub(crate) fn set_bytes(&self, done: u64, all: u64) {
        self.0.set_length(all);
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
