//! Progress of long work, on stderr and only where a terminal shows it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar for things that are counted. It clears itself when it is dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(quiet: bool) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} {eta}");
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
        self.0.set_length(all as u64);
        self.0.set_position(done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
