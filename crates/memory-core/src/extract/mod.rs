//! What is worth keeping out of a conversation, without a model.
//!
//! [`extract`] reads messages in their order and gives decisions, lessons, tasks, preferences and facts as sentences
//! that read well alone, the files that were changed, and the checks that were run with how they ended. It is total
//! and deterministic and takes linear time; of a very long message it looks at the beginning and the end. Nothing is
//! learned from questions, quotes, code, logs, tables or text that we put into a prompt ourselves.

mod wording;
mod ground;
mod calls;
mod word_lists;
mod label;
mod marks;
mod said;
mod cue;
mod lines;
mod pasted;
mod own;
mod wish;
mod rule;
mod reverse;
mod judge;
mod offer;
mod correct;
mod done;
mod phrase;
mod talk;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::id::Tag;
use crate::kind::Kind;
use crate::memory::Confidence;
use crate::scope::SourceClass;
use crate::session::Message;

pub use self::correct::may_replace;
pub use self::offer::Offer;
pub use self::own::own_words;
pub use self::rule::says_how;
pub use crate::config::Profile;

/// The longest text that is taken, in characters.
pub const LONGEST: usize = 300;

/// The tag around the text that we put into prompts; nothing inside it is ever learned.
pub const INJECTED: &str = "agent-memory-context";

/// Something worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// What sort of thing it is. A changed file is a [`Kind::Map`], a check that was run a [`Kind::Command`].
    pub kind: Kind,
    /// What was said, in at most [`LONGEST`] characters; for a file its path, for a check its command line.
    pub text: String,
    /// The message it was said in, as an index into those given.
    pub message: usize,
    /// How far its words are trusted.
    pub class: SourceClass,
    /// How sure the reading is.
    pub confidence: Confidence,
    /// Which way it points.
    pub bearing: Bearing,
    /// The `#words` of the text.
    pub tags: Vec<Tag>,
    /// What this takes the place of, given out by an earlier call or told as standing, or the open task that is done: in
    /// the words it was given out with.
    pub instead_of: Option<String>,
}

/// Which way something points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Bearing {
    /// As its text says.
    #[default]
    Plain,
    /// A decision not to do something.
    Against,
    /// A task that is still to be done.
    Open,
    /// A task that was open and is done.
    Done,
    /// A check that passed.
    Passed,
    /// A check that failed.
    Failed,
}

/// What the next call must know of the messages before it. The default is that of a new session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// The agent has read text of strangers; its words are not trusted as its own any more.
    pub untrusted: bool,
    /// The folder in which the session began.
    pub began: Option<String>,
    /// Files outside the project that the session wrote itself, newest last.
    pub written: Vec<String>,
    /// What was last put to the person and not answered yet.
    pub offer: Option<Offer>,
    /// Decisions of the agent that wait for the person's leave.
    pub held: Vec<String>,
    /// The last decisions that were given out, newest last.
    pub recent: Vec<String>,
    /// Tasks that were given out and are not known to be done, newest last.
    pub open: Vec<String>,
    /// The boxes of the last list of them.
    pub listed: Vec<String>,
    /// Tasks that are open from earlier sessions, told anew for each call.
    #[serde(skip)]
    pub known: Vec<String>,
    /// Decisions, preferences and facts of earlier sessions that stand, told anew for each call.
    #[serde(skip)]
    pub chosen: Vec<(Kind, String)>,
}

/// Reads messages that follow those of `before`, and gives what is worth keeping with what the next call must know.
pub fn extract(messages: &[Message], before: Standing, profile: Profile) -> (Vec<Taken>, Standing) {
    extract_in(&[], messages, before, profile)
}

/// The same for a project with these folders. What lies in them, or in the folder where the session began, is its own.
pub fn extract_in(
    project: &[String],
    messages: &[Message],
    before: Standing,
    profile: Profile,
) -> (Vec<Taken>, Standing) {
    match profile {
        Profile::Default => talk::read(messages, before, project),
        Profile::WordLists => word_lists::read(messages, before, project),
    }
}

/// What was taken without the tasks that are done, for those who keep nothing that would have to be ticked.
pub fn without_done(taken: Vec<Taken>) -> Vec<Taken> {
    let done = |taken: &Taken| taken.bearing == Bearing::Done;
    let closed: Vec<String> =
        taken.iter().filter(|it| done(it)).filter_map(|it| it.instead_of.clone()).collect();
    let is_closed = |taken: &Taken| taken.bearing == Bearing::Open && closed.contains(&taken.text);
    taken.into_iter().filter(|it| !done(it) && !is_closed(it)).collect()
}
