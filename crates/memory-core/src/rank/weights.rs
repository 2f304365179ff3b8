//! Every number of the ranking. One set for all memories; docs/decisions says how each was found.

/// The numbers.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the comments beside the values say what each is for")]
pub struct Weights {
    pub saturation: f32,
    pub length: f32,
    pub longest: f32,
    pub session_length: f32,
    pub title: f32,
    pub about: f32,
    pub exact: f32,
    pub beginning: f32,
    pub misspelt: f32,
    pub same_thing: f32,
    pub kind_of_thing: f32,
    pub faint: f32,
    pub name: f32,
    pub farther: f32,
    pub usual_rarity: f32,
    pub again: f32,
    pub priors: Vec<(Prior, f32)>,
}

/// Something that counts besides a memory's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prior {
    /// Its own words.
    Words,
    /// Words follow each other in it as they do in the question.
    InOrder,
    /// What it means.
    Meaning,
    /// The words of its session.
    SessionWords,
    /// What the best of its session means.
    SessionMeaning,
    /// The words of the memories before and after it in its session.
    NeighbourWords,
    /// What those mean.
    NeighbourMeaning,
    /// The question names whoever speaks.
    Speaker,
    /// The same, and they speak of themselves.
    OfSelf,
    /// Somebody with a name tells something: a fact, a plan, a taste.
    Tells,
    /// The same, and they tell a name or a number.
    Names,
    /// A person says how they want things.
    SaysHow,
    /// A person's own words in a conversation, or the agent's where the question asks for those.
    Role,
    /// It falls into the time that the question names.
    Time,
    /// The question asks when, and it tells a time.
    TellsTime,
    /// It asks instead of telling.
    Asks,
    /// It is longer than others.
    Length,
    /// It is recent.
    Recent,
    /// How sure its source was, and how far it is trusted.
    Trust,
    /// It stands behind those that hold the few words of the question.
    FewWords,
    /// Others of its session stand before it, and the question asks for more than one place.
    Again,
    /// Another says the same in another language than the question's.
    Language,
}

impl Prior {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Words,
        Self::InOrder,
        Self::Meaning,
        Self::SessionWords,
        Self::SessionMeaning,
        Self::NeighbourWords,
        Self::NeighbourMeaning,
        Self::Speaker,
        Self::OfSelf,
        Self::Tells,
        Self::Names,
        Self::SaysHow,
        Self::Role,
        Self::Time,
        Self::TellsTime,
        Self::Asks,
        Self::Length,
        Self::Recent,
        Self::Trust,
        Self::FewWords,
        Self::Again,
        Self::Language,
    ];

    /// The word for it in explanations.
    pub fn word(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::InOrder => "in-order",
            Self::Meaning => "meaning",
            Self::SessionWords => "session-words",
            Self::SessionMeaning => "session-meaning",
            Self::NeighbourWords => "neighbour-words",
            Self::NeighbourMeaning => "neighbour-meaning",
            Self::Speaker => "speaker",
            Self::OfSelf => "of-self",
            Self::Tells => "tells",
            Self::Names => "names",
            Self::SaysHow => "says-how",
            Self::Role => "role",
            Self::Time => "time",
            Self::TellsTime => "tells-time",
            Self::Asks => "asks",
            Self::Length => "length",
            Self::Recent => "recent",
            Self::Trust => "trust",
            Self::FewWords => "few-words",
            Self::Again => "again",
            Self::Language => "language",
        }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            // How soon more of the same word stops counting, and how much long texts are held back: up to so many times the
            // usual length, since a long memory that alone holds a word is the answer still.
            saturation: 1.2,
            length: 0.73,
            longest: 4.0,
            session_length: 0.6,
            // A word in the heading, in tags and dates, in exactly this form.
            title: 0.55,
            about: 0.5,
            exact: 0.15,
            // Words that only begin so, or are one edit away, count less than the word itself.
            beginning: 0.4,
            misspelt: 0.5,
            // What a word stands for: another name of the same, and a thing of the sort that it names.
            same_thing: 0.7,
            kind_of_thing: 0.9,
            // Words of a question that speak of telling or asking, or of a time told from now.
            faint: 0.3,
            // The name of somebody who speaks: who says it tells that better than whoever says the name.
            name: 0.15,
            // The words of the memory after the next beside those of the next.
            farther: 0.6,
            // A word of this rarity counts one in what a question means.
            usual_rarity: 3.0,
            // What another turn of one session pays where a number of things, or their course, is asked for.
            again: 0.6,
            priors: vec![
                (Prior::Words, 0.63),
                (Prior::InOrder, 0.25),
                (Prior::Meaning, 1.0),
                (Prior::SessionWords, 0.49),
                (Prior::SessionMeaning, 0.675),
                (Prior::NeighbourWords, 0.25),
                (Prior::NeighbourMeaning, 0.1),
                // These eight hold for turns of conversations alone, never for ordinary memories.
                (Prior::Speaker, 6.4),
                (Prior::OfSelf, 1.35),
                (Prior::Tells, 0.9),
                (Prior::Names, 0.9),
                (Prior::SaysHow, 3.2),
                (Prior::Role, 3.4),
                (Prior::TellsTime, 1.5),
                (Prior::Asks, -0.5),
                // Small ones, which never hide a match of words.
                (Prior::Time, 0.9),
                (Prior::Length, -0.15),
                (Prior::Recent, 0.2),
                (Prior::Trust, 0.05),
            ],
        }
    }
}
