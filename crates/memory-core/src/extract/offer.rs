//! What was put to the person: a question with a choice, ways that were named, a proposal. A short answer gets its
//! subject from here, and only where there is no doubt what it answers.

use serde::{Deserialize, Serialize};

use super::cue::{Class, Hits};
use super::judge::Sentence;
use super::label::Label;
use super::lines::{Part, Shape};
use super::wording::{clean, folded, words};

/// A question or choice that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Offer {
    /// The question, where exactly one wants a choice.
    pub question: Option<String>,
    /// The ways that were named, in their order.
    pub options: Vec<String>,
    /// The one proposal that was made.
    pub proposal: Option<String>,
    /// Whether a choice is wanted; otherwise something was only found or said.
    pub choice: bool,
}

/// What the agent's words put to the person.
pub(super) fn by_agent(sentences: &[Sentence], asked: Option<&Offer>) -> Offer {
    let mut offer = Offer::default();
    let items = || sentences.iter().filter(|s| matches!(s.shape, Shape::Item | Shape::Open) && s.first);
    let several = items().nth(1).is_some();
    let wants = |s: &&Sentence| wants_choice(s) || several && asks_which(s);
    let questions: Vec<&Sentence> =
        sentences.iter().filter(|s| s.text.trim_end().ends_with('?')).filter(wants).collect();
    if let [one] = questions.as_slice() {
        offer.question = Some(clean(&one.text));
    }
    let listed =
        sentences.iter().any(|s| s.hits.has(Class::Options) || s.part == Part::Options || may_do_either(s));
    if listed || !questions.is_empty() {
        offer.options = items().take(8).map(|s| clean(&s.text)).collect();
    }
    let proposals: Vec<&Sentence> =
        sentences.iter().filter(|s| s.hits.has(Class::Propose) && !s.asks).collect();
    if let [one] = proposals.as_slice() {
        offer.proposal = Some(clean(&one.text));
    }
    offer.choice = listed || !questions.is_empty() || offer.proposal.is_some();
    // An answer of the agent that asks nothing back leaves the person's own question open.
    if questions.is_empty()
        && !listed
        && let Some(asked) = asked.filter(|asked| asked.choice)
    {
        offer.choice = true;
        offer.question = offer.question.or_else(|| asked.question.clone());
    }
    offer
}

/// Whether a decision of an agent speaks of what will be, which whoever is asked may still refuse.
pub(super) fn is_to_come(sentence: &Sentence) -> bool {
    const WILL: &[&str] = &[
        " will ",
        " well ",
        " ill ",
        " lets ",
        " going to ",
        " vamos ",
        " vou ",
        " iremos ",
        " a gente vai ",
    ];
    sentence.label == Some(Label::Decision)
        || sentence.part == Part::Decisions
        || WILL.iter().any(|will| sentence.folded.contains(will))
}

/// Whether the last words of a message ask whether to go on with what it says.
pub(super) fn asks_for_leave(sentences: &[Sentence]) -> bool {
    const LEAVE: &[&str] = &[
        " shall i ",
        " shall we ",
        " should i ",
        " should we ",
        " want me to ",
        " may i ",
        " can i start ",
        " do you want ",
        " would you like ",
        " do you agree ",
        " sound good ",
        " sounds good ",
        " look good ",
        " looks good ",
        " is that ok ",
        " that ok ",
        " this ok ",
        " okay with you ",
        " ok with you ",
        " work for you ",
        " proceed ",
        " go ahead ",
        " your approval ",
        " your go ",
        " posso ",
        " devo ",
        " quer que ",
        " queres que ",
        " concorda ",
        " concordas ",
        " pode ser ",
        " avanco ",
        " comeco ",
        " podemos comecar ",
        " esta bem assim ",
        " de acordo ",
        " faz sentido ",
    ];
    const OFFER: &[&str] = &[
        " let me know if ",
        " tell me if ",
        " your approval ",
        " your go ahead ",
        " waiting for your ",
        " me avisa ",
        " avisa me ",
        " diz me se ",
        " aguardo ",
    ];
    let says = |s: &Sentence, cues: &[&str]| cues.iter().any(|cue| s.folded.contains(cue));
    sentences.last().is_some_and(|s| s.asks && says(s, LEAVE) || says(s, OFFER))
}

/// Whether a person's first words let the agent go on with what it put to them.
pub(super) fn gives_leave(sentences: &[Sentence]) -> bool {
    const GO: &[&str] =
        &["start", "go", "proceed", "continue", "begin", "comeca", "comece", "avanca", "segue", "manda"];
    let Some(said) = sentences.first() else { return false };
    let first = words(&said.folded).next().unwrap_or_default();
    let agrees =
        said.hits.has(Class::Accept) && (first != "vamos" || said.count() <= 2) || GO.contains(&first);
    agrees
        && !said.asks
        && !sentences.iter().any(|s| s.hits.has(Class::Reverse))
        && !said.hits.has(Class::Against)
}

/// Whether a question asks for one of the items beside it.
fn asks_which(sentence: &Sentence) -> bool {
    let which = ["^ which ", "^ qual ", "^ quais "];
    // What is to be looked at or done now is no choice that holds.
    let for_work =
        [" first ", " look ", " read ", " check ", " open ", " start ", " edit ", " see ", " show ", " run "];
    which.iter().any(|start| sentence.folded.starts_with(start))
        && !for_work.iter().any(|word| sentence.folded.contains(word))
}

/// Whether the boxes of a message are ways of which the person is asked to take one.
pub(super) fn asks_for_one(sentences: &[Sentence]) -> bool {
    const ONE: &[&str] = &[
        " which one do you ",
        " which do you ",
        " which one would you ",
        " which would you ",
        "^ qual preferes ",
        "^ qual prefere ",
        "^ qual queres ",
        "^ qual voce ",
        "^ qual delas ",
        "^ qual deles ",
    ];
    let of_order = [" first ", " start ", " begin ", " next ", " primeiro ", " comecar "];
    let says = |s: &Sentence, words: &[&str]| words.iter().any(|word| s.folded.contains(word));
    sentences.iter().any(|s| s.text.trim_end().ends_with('?') && says(s, ONE) && !says(s, &of_order))
}

/// Whether an agent says that it can do one thing or another.
fn may_do_either(sentence: &Sentence) -> bool {
    let can =
        [" i can ", " i could ", " we can ", " we could ", " posso ", " podemos ", " da para ", " da pra "];
    let or = [" or ", " ou "];
    let says = |words: &[&str]| words.iter().any(|word| sentence.folded.contains(word));
    says(&can) && says(&or)
}

/// What the person's own question leaves open.
pub(super) fn by_person(sentences: &[Sentence]) -> Option<Offer> {
    // "Tabs or spaces, last chance" asks without its sign.
    let either = |s: &Sentence| words(&s.folded).take(4).any(|word| matches!(word, "or" | "ou" | "vs"));
    let seeks = |s: &Sentence| {
        let says = |cues: &[&str]| cues.iter().any(|cue| s.folded.contains(cue));
        let between =
            says(&[" or ", " ou "]) && says(&[" escolher ", " choose ", " pick ", " decide ", " decidir "]);
        between
            || s.asks
                && says(&["^ which ", "^ qual ", "^ quais "])
                && says(&[" we ", " a gente ", " usamos ", " usar "])
    };
    let open =
        |s: &&Sentence| s.asks && wants_choice(s) || s.hits.has(Class::Undecided) || either(s) || seeks(s);
    let questions: Vec<&Sentence> = sentences.iter().filter(open).collect();
    let question = match questions.as_slice() {
        [] => return None,
        [one] => Some(clean(&one.text)),
        _ => None,
    };
    Some(Offer { question, choice: true, ..Offer::default() })
}

/// Whether a question asks to choose, and not for what is the case or comes first.
fn wants_choice(sentence: &Sentence) -> bool {
    let folded = sentence.folded.as_str();
    let for_facts = [
        "^ what ",
        "^ whats ",
        "^ o que ",
        " qual e ",
        " quais sao ",
        "^ where ",
        "^ onde ",
        " first ",
        " primeiro ",
    ];
    let for_wishes = [" prefer", " should ", " want ", " queres ", " quer ", " devemos ", " devo "];
    sentence.hits.any(&[Class::Choice, Class::Options])
        && (!for_facts.iter().any(|start| folded.contains(start))
            || for_wishes.iter().any(|wish| folded.contains(wish)) && !folded.contains(" first "))
}

/// Words that choose by place.
const PLACES: &[(&str, usize)] = &[
    ("1", 0),
    ("first", 0),
    ("a", 0),
    ("primeira", 0),
    ("primeiro", 0),
    ("2", 1),
    ("second", 1),
    ("b", 1),
    ("segunda", 1),
    ("segundo", 1),
    ("3", 2),
    ("third", 2),
    ("c", 2),
    ("terceira", 2),
    ("terceiro", 2),
    ("4", 3),
    ("d", 3),
];

/// Words that may stand beside a place.
const AROUND: &[&str] = &[
    "the", "option", "one", "number", "go", "with", "lets", "do", "please", "pls", "opcao", "a", "o",
    "vamos", "com", "de", "yes", "sim", "pela", "way", "approach", "use", "usa", "usar", "take", "pick",
];

/// The words of an answer that may do nothing but choose or agree.
fn few(answer: &str) -> Option<String> {
    let folded = folded(answer);
    (1..=6).contains(&words(&folded).count()).then_some(folded).filter(|_| !answer.contains('?'))
}

/// The way that an answer names by its place in the list.
pub(super) fn placed(answer: &str, offer: &Offer) -> Option<String> {
    let folded = few(answer)?;
    let said: Vec<&str> = words(&folded).collect();
    // Beside other words `a` is an article.
    let places: Vec<usize> = said
        .iter()
        .filter(|word| **word != "a" || said.len() == 1)
        .filter_map(|word| PLACES.iter().find(|(name, _)| name == word))
        .map(|(_, n)| *n)
        .collect();
    let known = said.iter().all(|word| AROUND.contains(word) || PLACES.iter().any(|(name, _)| name == word));
    places.last().filter(|_| known).and_then(|place| offer.options.get(*place).cloned())
}

/// The proposal to which an answer says nothing but yes.
pub(super) fn agreed(answer: &str, offer: &Offer) -> Option<String> {
    let folded = few(answer)?;
    let agreed = Hits::of(&folded).has(Class::Accept) && words(&folded).count() <= 3;
    let one = agreed && offer.options.is_empty() && offer.question.is_none();
    offer.proposal.clone().filter(|_| one)
}
