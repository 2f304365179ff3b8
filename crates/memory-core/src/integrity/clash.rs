//! Whether two claims can both hold, and the contradictions among many memories.
//!
//! Precision comes first: a pair is named only when both speak of the same thing in the same terms and give it
//! different values. What is merely alike is no contradiction.

use std::collections::{HashMap, HashSet};

use super::claim::{Claim, Form, Stems, Thing, claims};
use super::lexicon::{SINGLE, are_opposite, takes_sides};
use super::word::Amount;
use crate::memory::Memory;
use crate::text::{Analyser, Language, folded};

/// Two memories that cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The number of the older one among those given.
    pub old: usize,
    /// The number of the newer one.
    pub new: usize,
    /// What both are about.
    pub subject: String,
    /// Why they cannot both hold, a sentence without a full stop.
    pub why: String,
    /// What the older one says.
    pub old_says: String,
    /// What the newer one says.
    pub new_says: String,
}

/// A posting longer than this tells nothing: the word is everywhere.
const COMMON: usize = 400;

/// The pairs of memories that contradict each other, the older of each first. Those whose place another took, and
/// those that tell what happened or is to be done, are no claims about how things are.
pub fn contradictions(memories: &[&Memory]) -> Vec<Contradiction> {
    let mut all: Vec<(usize, Claim)> = Vec::new();
    for (n, memory) in memories.iter().enumerate().filter(|(_, memory)| can_contradict(memory)) {
        all.extend(claims(memory.body.as_str()).into_iter().map(|claim| (n, claim)));
    }
    let mut by_word: HashMap<String, Vec<usize>> = HashMap::new();
    for (n, (_, claim)) in all.iter().enumerate() {
        for word in keys(claim) {
            by_word.entry(word).or_default().push(n);
        }
    }
    let mut compared: HashSet<(usize, usize)> = HashSet::new();
    let mut found: HashMap<(usize, usize), Contradiction> = HashMap::new();
    for list in by_word.values().filter(|list| list.len() <= COMMON) {
        for (at, &a) in list.iter().enumerate() {
            for &b in &list[at + 1..] {
                let (one, other) = (all[a].0, all[b].0);
                if one == other || !compared.insert((a, b)) || !same_matter(memories[one], memories[other]) {
                    continue;
                }
                let order = |n: usize| (memories[n].created, memories[n].id.clone());
                let ((old, first), (new, second)) = if order(one) <= order(other) {
                    ((one, &all[a].1), (other, &all[b].1))
                } else {
                    ((other, &all[b].1), (one, &all[a].1))
                };
                // Whoever says both says nothing against the other.
                let says = |n: usize, claim: &Claim| {
                    all.iter().any(|(of, it)| *of == n && it.sentence == claim.sentence)
                };
                if let Some((subject, why)) = clash(first, second)
                    && !says(old, second)
                    && !says(new, first)
                {
                    let said = Surfaces::of([&first.sentence, &second.sentence]);
                    found.entry((old, new)).or_insert_with(|| Contradiction {
                        old,
                        new,
                        subject: worded(&subject, &said),
                        why: quoted_worded(&why, &said),
                        old_says: first.sentence.clone(),
                        new_says: second.sentence.clone(),
                    });
                }
            }
        }
    }
    let mut found: Vec<Contradiction> = found.into_values().collect();
    found.sort_by_key(|it| (it.old, it.new));
    found
}

/// The words of sentences by their stems, since a stem alone is no word.
struct Surfaces(HashMap<String, String>);

impl Surfaces {
    fn of(sentences: [&str; 2]) -> Self {
        let mut analyser = Analyser::new();
        let mut surfaces = HashMap::new();
        let words = sentences.into_iter().flat_map(str::split_whitespace);
        for word in words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())) {
            for language in [Language::English, Language::Portuguese] {
                let stem = analyser.stem(&folded(word), language).to_owned();
                surfaces.entry(stem).or_insert_with(|| word.to_lowercase());
            }
        }
        Self(surfaces)
    }
}

/// A text of stems with the words that were said in their place.
fn worded(text: &str, said: &Surfaces) -> String {
    let between = |c: char| matches!(c, ' ' | ',' | '(' | ')');
    let pieces = text.split_inclusive(between).map(|piece| {
        let stem = piece.trim_end_matches(between);
        let word = said.0.get(stem).map_or(stem, String::as_str);
        format!("{word}{}", &piece[stem.len()..])
    });
    pieces.collect()
}

/// The same for what stands in code marks alone.
fn quoted_worded(text: &str, said: &Surfaces) -> String {
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(n, piece)| if n % 2 == 1 { worded(piece, said) } else { piece.to_owned() });
    pieces.collect::<Vec<_>>().join("`")
}

/// Whether a memory says how things are, and still holds.
fn can_contradict(memory: &Memory) -> bool {
    memory.kind.says_how_things_are() && memory.superseded_by().is_none()
}

/// Two titles that have no word in common speak of two things.
fn same_matter(a: &Memory, b: &Memory) -> bool {
    let words = |title: &str| -> HashSet<String> {
        folded(title)
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 2)
            .map(str::to_owned)
            .collect()
    };
    match (&a.title, &b.title) {
        (Some(a), Some(b)) => words(a).intersection(&words(b)).next().is_some(),
        _ => true,
    }
}

/// The words under which a claim meets those that it may contradict.
fn keys(claim: &Claim) -> Vec<String> {
    let of = |things: &[Thing]| -> Vec<String> {
        let slots = things.iter().filter_map(|thing| thing.slot).map(|slot| format!("slot {slot}"));
        slots.chain(things.iter().map(|thing| format!("thing {}", thing.name))).collect()
    };
    let about = || claim.about.iter().map(|stem| format!("about {stem}"));
    match &claim.form {
        Form::Choice { chosen, rejected } => [of(chosen), of(rejected), about().collect()].concat(),
        Form::Value(_) => about().collect(),
        Form::Way { things, .. } => about().chain(of(things)).collect(),
    }
}

/// What two claims disagree on, and how; `None` when both may hold.
pub(super) fn clash(a: &Claim, b: &Claim) -> Option<(String, String)> {
    match (&a.form, &b.form) {
        (Form::Choice { .. }, Form::Choice { .. }) => choices(a, b),
        (Form::Value(one), Form::Value(other)) => values(a, one, b, other),
        (Form::Way { .. }, Form::Way { .. }) => ways(a, b),
        _ => None,
    }
}

fn choices(a: &Claim, b: &Claim) -> Option<(String, String)> {
    let (
        Form::Choice { chosen: one, rejected: not_one },
        Form::Choice { chosen: other, rejected: not_other },
    ) = (&a.form, &b.form)
    else {
        return None;
    };
    let (first, second) = (narrowed(&a.about, one), narrowed(&b.about, other));
    let alike = match (first.is_empty(), second.is_empty()) {
        (true, true) => true,
        (false, false) => share(&first, &second) >= 0.5,
        // "For the queues" names a queue, and says of a cache what it is for.
        _ => a.about == b.about,
    };
    let subject = |thing: &Thing| {
        let about: Vec<&str> = first.union(&second).map(String::as_str).collect();
        match thing.slot {
            Some(slot) if about.is_empty() => slot.to_owned(),
            Some(slot) => format!("{slot} ({})", about.join(", ")),
            None if about.is_empty() => thing.name.clone(),
            None => about.join(", "),
        }
    };
    let common = one.iter().find(|thing| other.iter().any(|it| it.name == thing.name));
    if a.denies != b.denies {
        // Whoever never uses a thing does not use it for anything; whoever leaves it out of one place may use it elsewhere.
        let blanket = if a.denies { first.is_empty() } else { second.is_empty() };
        return common
            .filter(|_| alike || blanket)
            .map(|thing| (subject(thing), format!("one uses `{}`, the other does not", thing.name)));
    }
    if a.denies || common.is_some() {
        return None;
    }
    // Whoever puts something in the place of a thing, and does not say where, does so wherever it is used.
    let taken_and_not = |taken: &[Thing], not: &[Thing], about: &Stems| {
        let counts = alike || about.is_empty();
        taken.iter().find(|thing| counts && not.iter().any(|it| it.name == thing.name)).cloned()
    };
    let left = taken_and_not(one, not_other, &second).or_else(|| taken_and_not(other, not_one, &first));
    if let Some(thing) = left {
        return Some((
            subject(&thing),
            format!("one uses `{}`, the other something in its place", thing.name),
        ));
    }
    if !alike {
        return None;
    }
    for thing in one {
        for it in other {
            let one_of_a_kind = thing.slot.is_some() && thing.slot == it.slot && thing.slot != Some("day");
            let for_one_purpose = !first.is_empty() && first == second && thing.is_name && it.is_name;
            if one_of_a_kind || for_one_purpose {
                return Some((subject(thing), format!("one says `{}`, the other `{}`", thing.name, it.name)));
            }
        }
    }
    None
}

/// What a choice is for, without the words that only name what was chosen.
fn narrowed(about: &Stems, chosen: &[Thing]) -> Stems {
    let slots: Vec<_> = super::lexicon::SLOTS
        .iter()
        .filter(|slot| chosen.iter().any(|thing| thing.slot == Some(slot.name)))
        .collect();
    let names = |stem: &String| {
        slots.iter().any(|slot| {
            slot.words.iter().any(|word| word == stem || stem.len() > 3 && word.starts_with(stem.as_str()))
        })
    };
    about.iter().filter(|stem| !names(stem)).cloned().collect()
}

fn values(a: &Claim, one: &[Thing], b: &Claim, other: &[Thing]) -> Option<(String, String)> {
    if a.about != b.about {
        return None;
    }
    let subject = || a.about.iter().cloned().collect::<Vec<_>>().join(" ");
    let same = |x: &Thing, y: &Thing| x.name == y.name && x.amount == y.amount;
    if a.denies != b.denies {
        let common = one.iter().find(|thing| other.iter().any(|it| same(thing, it)));
        return common
            .map(|thing| (subject(), format!("one says `{}`, the other that it is not", thing.name)));
    }
    if a.denies || one.iter().any(|thing| other.iter().any(|it| same(thing, it))) {
        return None;
    }
    let single = a.about.iter().any(|stem| {
        SINGLE.iter().any(|noun| noun == stem || stem.len() > 2 && noun.starts_with(stem.as_str()))
    });
    for thing in one {
        for it in other {
            let differ = match (&thing.amount, &it.amount) {
                (Some(x), Some(y)) => x.unit == y.unit && x.value != y.value,
                (None, None) => {
                    are_opposite(&thing.name, &it.name)
                        || thing.slot.is_some() && thing.slot == it.slot
                        || single && thing.is_name && it.is_name
                        || single && one_word(thing) && one_word(it)
                }
                _ => false,
            };
            if differ {
                return Some((subject(), format!("one says `{}`, the other `{}`", shown(thing), shown(it))));
            }
        }
    }
    None
}

fn one_word(thing: &Thing) -> bool {
    !thing.name.contains(' ') && !takes_sides(&thing.name)
}

fn shown(thing: &Thing) -> String {
    match &thing.amount {
        Some(amount) => plain_amount(amount),
        None => thing.name.clone(),
    }
}

fn plain_amount(amount: &Amount) -> String {
    let per = |unit: f64, word: &str| {
        let value = amount.value.parse::<f64>().ok()?;
        (value >= unit && (value / unit).fract() == 0.0).then(|| format!("{} {word}", value / unit))
    };
    let units: &[(f64, &str)] = match amount.unit.as_str() {
        "ms" => &[(8.64e7, "d"), (3.6e6, "h"), (6e4, "min"), (1e3, "s"), (1.0, "ms")],
        "byte" => &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes")],
        "" => return amount.value.clone(),
        unit => return format!("{} {unit}", amount.value),
    };
    units.iter().find_map(|&(unit, word)| per(unit, word)).unwrap_or_else(|| amount.value.clone())
}

fn ways(a: &Claim, b: &Claim) -> Option<(String, String)> {
    let (
        Form::Way { amounts: one, things: named, is_rule },
        Form::Way { amounts: other, things: also_named, is_rule: also_rule },
    ) = (&a.form, &b.form)
    else {
        return None;
    };
    let subject = || a.about.intersection(&b.about).cloned().collect::<Vec<_>>().join(" ");
    let names = |things: &[Thing]| things.iter().map(|thing| thing.name.clone()).collect::<Vec<_>>();
    if a.denies != b.denies {
        let agree = share(&a.about, &b.about) >= 0.8 && names(named) == names(also_named) && one == other;
        return (agree && (*is_rule || *also_rule))
            .then(|| (subject(), "one says to do it, the other not to".to_owned()));
    }
    if a.about != b.about || a.about.len() < 2 {
        return None;
    }
    match (one.as_slice(), other.as_slice(), named.as_slice(), also_named.as_slice()) {
        ([x], [y], [], []) if x.unit == y.unit && x.value != y.value => {
            Some((subject(), format!("one says `{}`, the other `{}`", plain_amount(x), plain_amount(y))))
        }
        ([], [], [x], [y]) if x.slot == y.slot && x.name != y.name => {
            Some((subject(), format!("one says `{}`, the other `{}`", x.name, y.name)))
        }
        _ => None,
    }
}

/// The share of words that two sets have in common.
fn share(a: &Stems, b: &Stems) -> f32 {
    let both = a.intersection(b).count() as f32;
    both / (a.union(b).count() as f32).max(1.0)
}
