//! A conversation read from its first message to its last: what each sentence is, with its reason; what answers what;
//! what was taken back; and each thing once.

mod back;
mod closing;
mod instead;

use std::collections::HashSet;

use crate::kind::Kind;
use crate::memory::{Confidence, tags_in};
use crate::retell::retells;
use crate::scope::SourceClass;
use crate::session::{Message, Role};

use self::back::TakenBack;
use super::cue::Class;
use super::judge::{Before, Sentence, Verdict};
use super::lines::{lines, looked_at, without_injected};
use super::marks::without_marks;
use super::offer::{self, Offer};
use super::pasted::without_pasted;
use super::phrase::{Candidate, add_reason, gather, is_answer, read_sentences, with_question, without_yes};
use super::reverse::turns_down;
use super::wording::{clean, content};
use super::{Bearing, LONGEST, Standing, Taken, calls, cue};

/// How many decisions and open tasks are remembered from call to call.
const REMEMBERED: usize = 32;

/// Of one message no more is taken.
const MOST: usize = 24;

/// Of one message no more open tasks are taken.
const MOST_TASKS: usize = 5;

/// A person's message of at most so many bytes is read though it holds no cue: it may be an answer.
const ANSWER: usize = 4096;

/// An answer of fewer characters reads alone only with its question.
const SHORT: usize = 40;

/// An agent's answer to a report of trouble of at most so many bytes is its explanation.
const EXPLANATION: usize = 1500;

/// In so many bytes at the end of an agent's message without a cue a question is looked for.
const QUESTION: usize = 1024;

/// So many of the last things are compared with a new one, so that a long session takes no longer than its parts.
const COMPARED: usize = 400;

/// Classes of which an agent's message has one that tells more than that work was done.
const FINDING: &[Class] = &[
    Class::Lesson,
    Class::Found,
    Class::Heed,
    Class::Trouble,
    Class::Lacking,
    Class::Cause,
    Class::Choose,
    Class::Decide,
    Class::Propose,
    Class::Task,
];

/// How a client begins a message in which it sums up an earlier session by itself.
const SUMMED_UP: &str = "This session is being continued from a previous conversation";

/// Reads a conversation.
pub(super) fn read(messages: &[Message], before: Standing, project: &[String]) -> (Vec<Taken>, Standing) {
    let mut talk = Talk {
        project,
        standing: before,
        taken: Vec::new(),
        words: Vec::new(),
        seen: HashSet::new(),
        asked: None,
        trouble: false,
        left: false,
        questioned: false,
    };
    for (at, message) in messages.iter().enumerate() {
        talk.hear(at, message);
    }
    (talk.taken, talk.standing)
}

struct Talk<'p> {
    /// The folders of the project.
    project: &'p [String],
    standing: Standing,
    taken: Vec<Taken>,
    /// The content words of what was taken, in the same order.
    words: Vec<Vec<String>>,
    /// Files and checks that were taken.
    seen: HashSet<(Kind, Bearing, String)>,
    /// The person's own question that the agent has not answered yet.
    asked: Option<Offer>,
    /// The person last spoke of something that goes wrong.
    trouble: bool,
    /// The person last asked what is left to do.
    left: bool,
    /// The person last asked something.
    questioned: bool,
}

impl Talk<'_> {
    fn hear(&mut self, at: usize, message: &Message) {
        let strange = calls::reads_strangers(message, &mut self.standing, self.project);
        self.standing.untrusted |= strange;
        let class = match message.role {
            Role::User => SourceClass::Human,
            Role::Agent => self.agents_class(),
        };
        let text = without_injected(&message.text);
        let text = without_marks(&text);
        if !text.trim_start().starts_with(SUMMED_UP) {
            match message.role {
                Role::User => self.hear_person(at, &without_pasted(&text), class),
                Role::Agent => self.hear_agent(at, &text, class),
            }
        }
        for path in calls::changed(message, self.project) {
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

    fn before_agent(&self, text: &str) -> Before {
        match (self.left, self.trouble) {
            (true, _) => Before::Left,
            // A long answer is more than the explanation that was wanted.
            (_, true) if text.len() <= EXPLANATION => Before::Trouble,
            _ => Before::Nothing,
        }
    }

    fn agents_class(&self) -> SourceClass {
        if self.standing.untrusted { SourceClass::Untrusted } else { SourceClass::Agent }
    }

    fn hear_agent(&mut self, at: usize, text: &str, class: SourceClass) {
        if text.trim().is_empty() {
            return;
        }
        let (mut sentences, mut told) = (Vec::new(), Vec::new());
        // An explanation of what goes wrong needs no cue.
        let awaited = |part: &str| self.trouble && part.len() <= EXPLANATION;
        let wanted = |part: &str| awaited(part) || cue::may_matter(part);
        // What was open may be told as done in any words.
        let open = self.has_open();
        for part in looked_at(text) {
            let is_wanted = wanted(part);
            if is_wanted || open {
                let read = read_sentences(part);
                told.extend(read.iter().filter(|_| open).cloned());
                sentences.extend(read.into_iter().filter(|_| is_wanted));
            }
        }
        self.close_told(at, &told, class);
        if sentences.is_empty() {
            // Without a cue only a question or a choice at the end may want an answer.
            let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(QUESTION))..];
            if ["?", " or ", " ou "].iter().any(|sign| tail.contains(sign)) {
                sentences = read_sentences(tail);
            }
        } else {
            let back = self.take_back(at, &sentences);
            let mut found = gather(&sentences, Role::Agent, self.before_agent(text), class);
            if offer::asks_for_leave(&sentences) {
                let held = found.extract_if(.., |candidate| candidate.to_come);
                self.standing.held = held.map(|candidate| candidate.text).collect();
            }
            self.keep(at, found, class, back);
        }
        let offer = offer::by_agent(&sentences, self.asked.take().as_ref());
        // Behind a plain report of work an order is only more work.
        let found =
            offer.choice || self.trouble || self.questioned || sentences.iter().any(|s| s.hits.any(FINDING));
        self.standing.offer = found.then_some(offer);
    }

    fn hear_person(&mut self, at: usize, text: &str, class: SourceClass) {
        let offer = self.standing.offer.take();
        let mut sentences = Vec::new();
        for part in looked_at(text).into_iter().filter(|part| part.len() <= ANSWER || cue::may_matter(part)) {
            sentences.extend(read_sentences(part));
        }
        self.close_told(at, &sentences, class);
        sentences.retain(|sentence| !self.drop_unwanted(at, sentence, class));
        let placed = self.put_all_in_place(at, &mut sentences);
        let back = self.take_back(at, &sentences);
        let before = match &offer {
            Some(offer) if offer.choice => Before::Choice,
            _ if back.any => Before::Reversed,
            None => Before::Nothing,
            Some(_) => Before::Finding,
        };
        let mut found = gather(&sentences, Role::User, before, class);
        let held = std::mem::take(&mut self.standing.held);
        if offer::gives_leave(&sentences) {
            // The person agreed, but the words are the agent's.
            let verdict = Verdict { kind: Kind::Decision, bearing: Bearing::Plain, sure: 0.8 };
            let held =
                held.into_iter().map(|text| Candidate::new(text, verdict.clone(), self.agents_class()));
            found.splice(0..0, held);
        }
        let refused = sentences.iter().any(turns_down);
        if let Some(offer) = offer.filter(|offer| offer.choice && !refused) {
            self.hear_answer(text, &sentences, &offer, &mut found);
        }
        let why =
            |s: &Sentence| [" why ", "^ porque ", "^ por que "].iter().any(|why| s.folded.contains(why));
        let reports = |s: &Sentence| {
            s.hits.any(&[Class::Trouble, Class::Ails]) || (s.asks || s.folded.contains(" why ")) && why(s)
        };
        self.questioned = sentences.iter().any(|s| s.asks);
        self.left = sentences.iter().any(|s| s.hits.has(Class::Left));
        self.trouble = sentences.iter().any(reports) || lines(text).is_empty() && !text.trim().is_empty();
        self.asked = offer::by_person(&sentences);
        for candidate in placed {
            self.keep_candidate(at, candidate);
        }
        self.keep(at, found, class, back);
    }

    /// A short message behind a choice settles it, though no word of it says so.
    fn hear_answer(&self, text: &str, sentences: &[Sentence], offer: &Offer, found: &mut Vec<Candidate>) {
        let count: usize = sentences.iter().map(Sentence::count).sum();
        let verdict = |sure| Verdict { kind: Kind::Decision, bearing: Bearing::Plain, sure };
        // The person agreed, but the words are the agent's.
        let class = self.agents_class();
        let chosen = |text: String| Candidate::new(text, verdict(0.65), class);
        if count <= 8
            && let Some(mut option) = offer::placed(text, offer)
        {
            with_question(&mut option, offer, LONGEST);
            found.retain(|candidate| candidate.verdict.kind != Kind::Decision);
            found.push(chosen(option));
            return;
        }
        let settled = found.iter_mut().find(|candidate| candidate.verdict.kind == Kind::Decision);
        if let Some(settled) = settled {
            with_question(&mut settled.text, offer, SHORT);
            return;
        }
        if count <= 8
            && let Some(proposal) = offer::agreed(text, offer)
        {
            found.push(chosen(proposal));
            return;
        }
        if count > 40 || !found.is_empty() {
            return;
        }
        let Some(n) = sentences.iter().position(is_answer) else { return };
        if sentences[..n].iter().any(|s| s.asks)
            || sentences.iter().any(|s| s.asks && s.hits.has(Class::Choice))
        {
            return;
        }
        let mut text = sentences[n].text.clone();
        add_reason(&mut text, &sentences[n + 1..], Role::User, &Kind::Decision);
        let mut text = clean(&without_yes(&text));
        with_question(&mut text, offer, SHORT);
        found.push(Candidate::new(text, verdict(0.6), SourceClass::Human));
    }

    fn keep(&mut self, at: usize, found: Vec<Candidate>, class: SourceClass, back: TakenBack) {
        let mut instead_of = back.of_earlier;
        let mut tasks = 0;
        self.note_list(&found);
        for mut candidate in found.into_iter().take(MOST) {
            let open = candidate.verdict.kind == Kind::Task && candidate.verdict.bearing == Bearing::Open;
            tasks += usize::from(open);
            if open && tasks > MOST_TASKS {
                continue;
            }
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
                Candidate { instead_of: Some(old), ..Candidate::new(text, verdict, class) },
            );
        }
    }

    fn keep_candidate(&mut self, at: usize, candidate: Candidate) {
        let Candidate { text, verdict, class, mut instead_of, .. } = candidate;
        let text = if verdict.kind == Kind::Fact { text } else { without_masked(text) };
        let words = content(&text);
        if words.is_empty() || only_masked(&text) {
            return;
        }
        if verdict.bearing == Bearing::Done {
            let Some(task) = self.closed(&text, class) else { return };
            instead_of = Some(task);
        } else if self.is_known(&verdict, &text) {
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
    fn is_known(&self, verdict: &Verdict, text: &str) -> bool {
        let here = self.taken.iter().rev().take(COMPARED).any(|taken| {
            let kind = taken.kind == verdict.kind && taken.bearing != Bearing::Done;
            kind && retells(&taken.text, text)
        });
        let open = verdict.kind == Kind::Task && self.standing.open.iter().any(|known| retells(known, text));
        here || open
    }

    fn keep_once(&mut self, at: usize, kind: Kind, text: String, bearing: Bearing, class: SourceClass) {
        if !self.seen.insert((kind.clone(), bearing, text.clone())) {
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

fn remember(list: &mut Vec<String>, text: &str) {
    list.push(text.to_owned());
    if list.len() > REMEMBERED {
        list.remove(0);
    }
}

/// A text without the clauses in which something was masked, which say nothing without it.
fn without_masked(text: String) -> String {
    if !text.contains(MASK) {
        return text;
    }
    let clauses = text.split(", ").flat_map(|part| part.split("; ")).flat_map(|part| part.split(". "));
    let kept: Vec<&str> = clauses.filter(|clause| !clause.contains(MASK)).collect();
    let kept = kept.join(", ");
    let bare = ["and ", "but ", "so ", "e ", "mas "].iter().find_map(|word| kept.strip_prefix(word));
    clean(bare.unwrap_or(&kept))
}

/// How a mask begins.
const MASK: &str = "[redacted:";

/// Whether nothing is left of a text but what was masked in it.
fn only_masked(text: &str) -> bool {
    let mut rest = text.to_owned();
    while let Some(at) = rest.find(MASK) {
        let end = rest[at..].find(']').map_or(rest.len(), |end| at + end + 1);
        rest.replace_range(at..end, "");
    }
    rest.len() < text.len() && content(&rest).len() < 2
}
