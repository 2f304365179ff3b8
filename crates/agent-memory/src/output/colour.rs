//! When colour is used and which: few tones with a meaning each, and everything reads without them.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use memory_engine::ambient;

/// What a piece of text is, which decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Dim,
    Strong,
    Id,
    /// A word that was looked for.
    Mark,
    Good,
    Warn,
    Bad,
}

impl Tone {
    /// The style of the terminal for it.
    pub(crate) fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Dim => Style::new().dimmed(),
            Self::Strong => Style::new().bold(),
            Self::Id => AnsiColor::Cyan.on_default(),
            Self::Mark => AnsiColor::Magenta.on_default().bold(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Warn => AnsiColor::Yellow.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
        }
    }
}

/// What `--color` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Even into a pipe
    Always,
    /// Not at all
    Never,
}

impl ColourChoice {
    /// Whether a stream gets colour. A console of Windows has to be told that colour will come; one that is too old for
    /// it gets none.
    pub(crate) fn applies_to(self, stream: &dyn IsScreen) -> bool {
        let is_able = self == Self::Never || anstyle_query::windows::enable_ansi_colors().unwrap_or(true);
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if ambient::variable("NO_COLOR").is_some() => false,
            Self::Auto if ambient::variable("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Self::Auto => {
                is_able && stream.is_screen() && ambient::variable("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// A stream that may be a terminal ([`IsTerminal`] itself cannot be a trait object).
pub(crate) trait IsScreen {
    fn is_screen(&self) -> bool;
}

impl<T: IsTerminal> IsScreen for T {
    fn is_screen(&self) -> bool {
        self.is_terminal()
    }
}
