//! What became of a draft at the door, as one word.

/// What happened to a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is a new memory.
    Created,
    /// The memory under its key was changed.
    Updated,
    /// The same text was there already.
    Duplicate,
    /// Its key was there already and the draft did not say what to do.
    KeyTaken,
    /// What it says was forgotten, and no person has said it since; nothing was written.
    Forgotten,
}

impl Outcome {
    /// A word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Duplicate => "duplicate",
            Self::KeyTaken => "key-taken",
            Self::Forgotten => "forgotten",
        }
    }
}
