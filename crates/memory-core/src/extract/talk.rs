//! A conversation read from its first message to its last: what each sentence is, with its reason; what answers what;
//! what was taken back; and each thing once.

use crate::kind::Kind;
use crate::memory::{Confidence, tags_in};
use crate::scope::SourceClass;
use crate::session::{Message, Role};

use super::cue::Class;
use super::judge::{Before, Sentence, Verdict, judge, sentences_of};
use super::lines::{Part, Shape, lines, looked_at, without_injected};
use super::offer::{self, Offer};
use super::wording::{clean, content, overlap};
use super::{Bearing, LONGEST, Standing, Taken, calls, cue};

/// How many decisions and open tasks are remembered from call to call.
const REMEMBERED: usize = 32;

/// Of one message no more is taken.
const MOST: usize = 24;

/// A person's message of at most so many bytes is read though it holds no cue: it may be an answer.
const ANSWER: usize = 4096;

/// Texts with so much in common say the same.
const SAME: f64 = 0.8;

/// How a client begins a message in which it sums up an earlier session by itself.
const SUMMED_UP: &str = "This session is being continued from a previous conversation";

/// Reads a conversation.
pub(super) fn read(messages: &[Message], before: Standing) -> (Vec<Taken>, Standing) {
    let mut talk = Talk { standing: before, taken: Vec::new(), words: Vec::new(), asked: None };
    for (at, message) in messages.iter().enumerate() {
        talk.hear(at, message);
    }
    (talk.taken, talk.standing)
}

struct Talk {
    standing: Standing,
    taken: Vec<Taken>,
    /// The content words of what was taken, in the same order.
    words: Vec<Vec<String>>,
    /// The person's own question that the agent has not answered yet.
    asked: Option<Offer>,
}

/// Something of a message, before it is compared with the rest.
struct Candidate {
    text: String,
    verdict: Verdict,
    class: SourceClass,
    instead_of: Option<String>,
}

impl Talk {
    fn hear(&mut self, at: usize, message: &Message) {
        self.standing.untrusted |= calls::reads_strangers(message);
        let class = match message.role {
            Role::User => SourceClass::Human,
            Role::Agent => self.agents_class(),
        };
        let text = without_injected(&message.text);
        if !text.trim_start().starts_with(SUMMED_UP) {
            match message.role {
                Role::User => self.hear_person(at, &text, class),
                Role::Agent => self.hear_agent(at, &text, class),
            }
        }
        for path in calls::changed(message) {
            self.keep_once(at, Kind::Map, path, Bearing::Plain, self.agents_class());
        }
        for (command, failed) in calls::checks(message) {
            let bearing = match failed {
                Some(true) => Bearing::Failed,
                Some(false) => Bearing::Passed,
                None => Bearing::Plain,
            };
            self.keep_once(at, Kind::Command, command, bearing, SourceClass::Tool.min(self.agents_class()));
        }
    }

    fn agents_class(&self) -> SourceClass {
        if self.standing.untrusted { SourceClass::Untrusted } else { SourceClass::Agent }
    }

    fn hear_agent(&mut self, at: usize, text: &str, class: SourceClass) {
        if text.trim().is_empty() {
            return;
        }
        let mut sentences = Vec::new();
        for part in looked_at(text).into_iter().filter(|part| cue::may_matter(part)) {
            sentences.extend(read_sentences(part));
        }
        if sentences.is_empty() {
            // What an answer would refer to stands at the end.
            let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(ANSWER))..];
            sentences = read_sentences(tail);
        } else {
            let found = gather(&sentences, Role::Agent, Before::Nothing, class);
            self.keep(at, &sentences, found);
        }
        self.standing.offer = Some(offer::by_agent(&sentences, self.asked.take().as_ref()));
    }

    fn hear_person(&mut self, at: usize, text: &str, class: SourceClass) {
        let offer = self.standing.offer.take();
        let before = match &offer {
            None => Before::Nothing,
            Some(offer) if offer.choice => Before::Choice,
            Some(_) => Before::Finding,
        };
        let mut sentences = Vec::new();
        for part in looked_at(text).into_iter().filter(|part| part.len() <= ANSWER || cue::may_matter(part)) {
            sentences.extend(read_sentences(part));
        }
        let mut found = gather(&sentences, Role::User, before, class);
        if let Some(offer) = offer.filter(|offer| offer.choice) {
            self.hear_answer(&sentences, &offer, &mut found);
        }
        self.asked = offer::by_person(&sentences);
        self.keep(at, &sentences, found);
    }

    /// A short message behind a choice settles it, though no word of it says so.
    fn hear_answer(&self, sentences: &[Sentence], offer: &Offer, found: &mut Vec<Candidate>) {
        let settled = found.iter_mut().find(|candidate| candidate.verdict.kind == Kind::Decision);
        if let Some(settled) = settled {
            with_question(&mut settled.text, offer);
            return;
        }
        let count: usize = sentences.iter().map(Sentence::count).sum();
        let Some(first) = sentences.first() else { return };
        let verdict = |sure| Verdict { kind: Kind::Decision, bearing: Bearing::Plain, sure };
        if count <= 8
            && let Some(option) = offer::picked(&first.text, offer)
        {
            // The person agreed, but the words are the agent's.
            let class = self.agents_class();
            found.push(Candidate { text: option, verdict: verdict(0.65), class, instead_of: None });
            return;
        }
        if count > 40 || !found.is_empty() {
            return;
        }
        let Some(n) = sentences.iter().position(|s| is_answer(s)) else { return };
        if sentences[..n].iter().any(|s| s.asks)
            || sentences.iter().any(|s| s.asks && s.hits.has(Class::Choice))
        {
            return;
        }
        let mut text = sentences[n].text.clone();
        add_reason(&mut text, &sentences[n + 1..], Role::User, &Kind::Decision);
        let mut text = clean(&without_yes(&text));
        with_question(&mut text, offer);
        found.push(Candidate { text, verdict: verdict(0.6), class: SourceClass::Human, instead_of: None });
    }

    fn keep(&mut self, at: usize, sentences: &[Sentence], found: Vec<Candidate>) {
        let mut instead_of = None;
        for sentence in sentences.iter().filter(|s| is_reversal(s)) {
            instead_of = self.take_back(at, sentence).or(instead_of);
        }
        for mut candidate in found.into_iter().take(MOST) {
            if candidate.verdict.kind == Kind::Decision {
                candidate.instead_of = instead_of.take();
            }
            self.keep_candidate(at, candidate);
        }
        if let Some(old) = instead_of {
            let verdict = Verdict { kind: Kind::Decision, bearing: Bearing::Against, sure: 0.6 };
            let text = clean(&format!("No longer: {old}"));
            self.keep_candidate(
                at,
                Candidate { text, verdict, class: SourceClass::Human, instead_of: Some(old) },
            );
        }
    }

    /// Drops the decision or task that a sentence takes back. One of an earlier call is given back instead.
    fn take_back(&mut self, at: usize, sentence: &Sentence) -> Option<String> {
        let said = content(&sentence.text);
        let bare = sentence.count() <= 4;
        let meant =
            |words: &[String]| said.iter().any(|word| word.len() > 2 && words.binary_search(word).is_ok());
        let fits = |taken: &Taken, words: &[String]| {
            matches!(taken.kind, Kind::Decision | Kind::Task)
                && taken.message < at
                && (meant(words) || bare && taken.kind == Kind::Decision && taken.message + 4 >= at)
        };
        if let Some(n) = (0..self.taken.len()).rev().find(|n| fits(&self.taken[*n], &self.words[*n])) {
            let dropped = self.taken.remove(n);
            self.words.remove(n);
            self.standing.recent.retain(|text| *text != dropped.text);
            self.standing.open.retain(|text| *text != dropped.text);
            return dropped.instead_of;
        }
        let n = self.standing.recent.iter().rposition(|text| meant(&content(text)))?;
        let known = self.taken.iter().any(|taken| taken.text == self.standing.recent[n]);
        (!known).then(|| self.standing.recent.remove(n))
    }

    fn keep_candidate(&mut self, at: usize, candidate: Candidate) {
        let Candidate { text, verdict, class, instead_of } = candidate;
        let words = content(&text);
        if words.is_empty() || only_masked(&text) {
            return;
        }
        if verdict.bearing == Bearing::Done {
            let same = |known: &String| overlap(&content(known), &words) >= SAME;
            let Some(n) = self.standing.open.iter().rposition(same) else { return };
            self.standing.open.remove(n);
        } else if self.is_known(&verdict, &text, &words) {
            return;
        }
        match verdict.kind {
            Kind::Decision => remember(&mut self.standing.recent, &text),
            Kind::Task if verdict.bearing == Bearing::Open => remember(&mut self.standing.open, &text),
            _ => {}
        }
        let tags = tags_in(&text);
        let confidence = Confidence::from(verdict.sure);
        let bearing = verdict.bearing;
        self.taken.push(Taken {
            kind: verdict.kind,
            text,
            message: at,
            class,
            confidence,
            bearing,
            tags,
            instead_of,
        });
        self.words.push(words);
    }

    /// Whether the same was taken already, here or, for tasks, in an earlier call.
    fn is_known(&self, verdict: &Verdict, text: &str, words: &[String]) -> bool {
        let here = self.taken.iter().zip(&self.words).any(|(taken, known)| {
            let kind = taken.kind == verdict.kind && taken.bearing != Bearing::Done;
            kind && (taken.text == text || overlap(known, words) >= SAME)
        });
        let open = verdict.kind == Kind::Task
            && self.standing.open.iter().any(|known| overlap(&content(known), words) >= SAME);
        here || open
    }

    fn keep_once(&mut self, at: usize, kind: Kind, text: String, bearing: Bearing, class: SourceClass) {
        let known = |taken: &Taken| taken.kind == kind && taken.bearing == bearing && taken.text == text;
        if self.taken.iter().rev().any(known) {
            return;
        }
        let confidence = Confidence::from(1.0);
        self.words.push(Vec::new());
        self.taken.push(Taken {
            kind,
            text,
            message: at,
            class,
            confidence,
            bearing,
            tags: Vec::new(),
            instead_of: None,
        });
    }
}

fn read_sentences(text: &str) -> Vec<Sentence> {
    lines(text).iter().flat_map(sentences_of).collect()
}

/// What the sentences of a message are, each with its reason.
fn gather(sentences: &[Sentence], role: Role, before: Before, class: SourceClass) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut skip = 0;
    for (n, sentence) in sentences.iter().enumerate() {
        if n < skip {
            continue;
        }
        let rest = &sentences[n + 1..];
        let announced = role == Role::Agent && sentence.hits.has(Class::Found) && sentence.count() <= 7;
        if announced && let Some(next) = rest.first().filter(|next| !next.asks && next.shape == Shape::Plain)
        {
            let mut text = next.text.clone();
            let more = add_reason(&mut text, &rest[1..], role, &Kind::Lesson);
            let verdict = Verdict { kind: Kind::Lesson, bearing: Bearing::Plain, sure: 0.8 };
            found.push(Candidate { text: clean(&text), verdict, class, instead_of: None });
            skip = n + 2 + more;
            continue;
        }
        let Some(verdict) = judge(sentence, role, before) else { continue };
        let mut text = sentence.text.clone();
        let points_back = verdict.kind == Kind::Fact && sentence.count() <= 4;
        if points_back {
            // "Remember that." speaks of the sentence before it.
            let Some(before) = n.checked_sub(1).and_then(|n| sentences.get(n)) else { continue };
            text = before.text.clone();
        } else if verdict.kind == Kind::Fact {
            text = without_request(&text);
        } else {
            skip = n + 1 + add_reason(&mut text, rest, role, &verdict.kind);
        }
        let text = clean(&without_yes(&text));
        if text.chars().count() < 8 {
            continue;
        }
        found.push(Candidate { text, verdict, class, instead_of: None });
    }
    found
}

/// Openings of sentences that give the reason for what was said before them, folded.
const REASONS: &[&str] = &[
    "^ because ",
    "^ the reason",
    "^ since ",
    "^ otherwise ",
    "^ that way ",
    "^ this way ",
    "^ so that ",
    "^ porque ",
    "^ pois ",
    "^ a razao ",
    "^ o motivo ",
    "^ assim ",
    "^ senao ",
    "^ caso contrario ",
    "^ ja que ",
    "^ desta forma ",
    "^ dessa forma ",
];

/// Adds the sentences behind a text that belong to it; gives how many.
fn add_reason(text: &mut String, rest: &[Sentence], role: Role, kind: &Kind) -> usize {
    let mut added = 0;
    for next in rest.iter().take(2) {
        let reason = REASONS.iter().any(|start| next.folded.starts_with(start));
        let remedy = *kind == Kind::Lesson
            && next.hits.any(&[Class::Fix, Class::Cause])
            && !next.hits.any(&[Class::Task, Class::Aloud]);
        let short = role == Role::User
            && *kind == Kind::Decision
            && text.chars().count() < 60
            && judge(next, role, Before::Nothing).is_none()
            && !next.hits.has(Class::Accept);
        let fits = text.chars().count() + next.text.chars().count() < LONGEST - 2;
        let goes_on = next.shape == Shape::Plain && !next.first && next.label.is_none() && !next.asks;
        if !goes_on || !fits || !(reason || remedy || short) {
            break;
        }
        if !text.ends_with(['.', '!', '…', ':', ';', ',']) {
            text.push('.');
        }
        text.push(' ');
        text.push_str(&next.text);
        added += 1;
    }
    added
}

fn is_reversal(sentence: &Sentence) -> bool {
    sentence.hits.has(Class::Reverse) && !sentence.asks && !sentence.hits.any(&[Class::Fact, Class::Remind])
}

/// Whether a sentence may answer a choice by what it names.
fn is_answer(sentence: &Sentence) -> bool {
    let only_yes = sentence.hits.has(Class::Accept) && sentence.count() <= 3;
    let says_something = content(&sentence.text).iter().any(|word| word.chars().count() > 1 && word != "x")
        || sentence.text.contains('`');
    let of_the_speaker =
        ["^ i ", "^ ill ", "^ im ", "^ eu ", "^ those ", "^ thanks ", "^ obrigado ", "^ they ", "^ it "]
            .iter()
            .any(|start| sentence.folded.starts_with(start));
    !only_yes
        && says_something
        && !of_the_speaker
        && !sentence.asks
        && !sentence.hits.any(cue::UNSURE)
        && sentence.count() <= 16
        && sentence.part == Part::Free
}

/// Adds the question that a few words answer, so that they read alone.
fn with_question(text: &mut String, offer: &Offer) {
    let Some(question) = &offer.question else { return };
    if text.chars().count() < 40 && text.chars().count() + question.chars().count() + 3 <= LONGEST {
        let end = text.trim_end_matches(['.', '!']).len();
        text.truncate(end);
        text.push_str(&format!(" ({question})"));
    }
}

/// Words that agree and say nothing, before a sentence.
const YES: &[&str] = &[
    "ok", "okay", "yeah", "yes", "so", "hmm", "great", "cool", "right", "well", "agreed", "sure", "perfect",
    "fine", "alright", "btw", "and", "also", "sim", "certo", "beleza", "blz", "então", "bom", "tá", "e",
];

/// A text without the words that agree before it.
fn without_yes(text: &str) -> String {
    let mut rest = text.trim_start();
    for _ in 0..3 {
        let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let behind = rest[word.len()..].trim_start_matches([',', '.', '!', ';', ' ', ':']);
        if word.is_empty()
            || !YES.contains(&word.to_lowercase().as_str())
            || behind.split_whitespace().count() < 2
        {
            break;
        }
        rest = behind;
    }
    rest.to_owned()
}

/// Openings that only ask to remember what follows them.
const REQUESTS: &[&str] = &[
    "please remember that",
    "remember that",
    "please remember",
    "remember:",
    "remember",
    "please keep in mind that",
    "keep in mind that",
    "bear in mind that",
    "for the record",
    "for future reference",
    "fyi",
    "just so you know",
    "don't forget that",
    "take note that",
    "lembre-se de que",
    "lembre-se que",
    "lembre-se",
    "lembre que",
    "lembra-te de que",
    "lembra-te que",
    "lembra que",
    "anota aí que",
    "anota aí",
    "anota que",
    "anote que",
    "anote aí",
    "anota isso",
    "anota isto",
    "toma nota",
    "guarda isso",
    "guarda isto",
    "guarda que",
    "não te esqueças que",
    "não te esqueças de que",
    "não esqueça que",
    "não se esqueça que",
    "não se esqueça de que",
    "para que saibas",
    "só para saberes",
    "para registro",
    "para registo",
    "pra constar",
];

fn without_request(text: &str) -> String {
    let text = without_yes(text);
    let lower = text.to_lowercase();
    for request in REQUESTS {
        if let Some(at) = lower.find(request).filter(|at| *at <= 24)
            && lower.len() == text.len()
        {
            let rest = text[at + request.len()..].trim_start_matches([',', ':', ';', '-', '—', ' ', '.']);
            if rest.split_whitespace().count() >= 2 {
                return rest.to_owned();
            }
        }
    }
    text
}

fn remember(list: &mut Vec<String>, text: &str) {
    list.push(text.to_owned());
    if list.len() > REMEMBERED {
        list.remove(0);
    }
}

/// Whether nothing is left of a text but what was masked in it.
fn only_masked(text: &str) -> bool {
    let mut rest = text.to_owned();
    while let Some(at) = rest.find("[redacted:") {
        let end = rest[at..].find(']').map_or(rest.len(), |end| at + end + 1);
        rest.replace_range(at..end, "");
    }
    rest.len() < text.len() && content(&rest).len() < 2
}
