//! Whether a text only retells what another says already.
//!
//! This is how what is captured twice is kept once. A text with a word of its own, another number, or a no where the
//! other has none is never a repetition, however alike the two are and however near in meaning: "we use Redis" and "we
//! use Valkey" differ in one word, and that word is all they say. Neither is one with its words in another order, since
//! "tabs over spaces" and "spaces over tabs" are opposites, nor one that leaves a part of a list out.

use std::collections::BTreeSet;

use crate::id::MemoryId;
use crate::kind::Kind;
use crate::memory::{Body, Memory};
use crate::scope::SourceClass;
use crate::text::{Analyser, Asked, Language, folded, is_stop, query_terms};

/// Words that turn a text around.
const NOES: &[&str] = &[
    "not", "no", "never", "without", "dont", "doesnt", "isnt", "wasnt", "arent", "cant", "cannot", "wont",
    "shouldnt", "didnt", "nor", "none", "instead", "avoid", "stop", "nao", "nunca", "sem", "nem", "jamais",
    "evitar", "vez", "only", "except", "unless", "apenas", "somente", "exceto",
];

/// Small words by whose place a text says one thing or its contrary.
const TELLING: &[&str] = &[
    "over", "under", "before", "after", "below", "off", "out", "up", "down", "more", "most", "few", "until",
    "from", "against", "all", "both", "antes", "depois", "contra", "mais", "ate", "desde", "sob", "sobre",
];

/// Words between the parts of a list.
const JOINTS: &[&str] = &["and", "or", "plus", "e", "ou", "mais"];

/// Whether `new` says nothing that `known` does not say.
pub fn retells(known: &str, new: &str) -> bool {
    let (old, fresh) = (normal(known), normal(new));
    old == fresh || turns(&old) == turns(&fresh) && holds(&told(known), &told(new))
}

/// What is like a text among what is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Likeness {
    /// Nothing.
    New,
    /// This memory says it already, in other words.
    Known(MemoryId),
    /// A memory that is trusted no further than this says nearly the same, so the text may come from there.
    Retold(SourceClass),
}

/// The kinds under which a text may be known already: an agent tells a decision as something it learned, and the other
/// way round. A person who says something as another kind means it.
pub fn known_as(kind: &Kind, class: SourceClass) -> Vec<Kind> {
    match kind {
        Kind::Decision | Kind::Lesson if class < SourceClass::HumanEdit => vec![Kind::Decision, Kind::Lesson],
        kind => vec![kind.clone()],
    }
}

/// What the memories that are nearest to a text say of it; `class` is how far its words are trusted. The search finds
/// what is near in meaning; whether it says the same is for its words to tell.
pub fn likeness(text: &str, class: SourceClass, near: &[&Memory]) -> Likeness {
    let body = Body::new(text);
    // What strangers said does not keep out the same words of somebody who is trusted, and a person's own words make a
    // memory theirs that says them.
    let counts = |memory: &Memory| {
        let known = memory.provenance.class;
        let is_lifted = class == SourceClass::Human && known < class && memory.body == body;
        (known > SourceClass::Untrusted || known >= class) && !is_lifted
    };
    let says = |memory: &&&Memory| counts(memory) && retells(memory.body.as_str(), text);
    if let Some(known) = near.iter().find(says) {
        return Likeness::Known(known.id.clone());
    }
    let of_strangers = near.iter().filter(|memory| {
        let known = memory.provenance.class;
        class != SourceClass::Human
            && known < class
            && known <= SourceClass::Untrusted
            && resembles(memory.body.as_str(), text)
    });
    let least = of_strangers.map(|memory| memory.provenance.class).min();
    least.map_or(Likeness::New, Likeness::Retold)
}

/// A word that counts.
struct Word {
    /// Its stems, one of which its other forms share.
    stems: [String; 2],
    /// It stands in one list with the word before it.
    joined: bool,
}

/// Whether the words of `new` stand among those of `known` in their order, and no list is torn apart by what is left
/// out.
fn holds(known: &[Word], new: &[Word]) -> bool {
    let mut kept = vec![false; known.len()];
    let mut from = 0;
    for word in new {
        let same = |old: &Word| old.stems.iter().any(|stem| word.stems.contains(stem));
        let Some(at) = known.iter().skip(from).position(same) else { return false };
        if let Some(kept) = kept.get_mut(from + at) {
            *kept = true;
        }
        from += at + 1;
    }
    let torn =
        known.iter().skip(1).zip(kept.windows(2)).any(|(word, kept)| word.joined && kept[0] != kept[1]);
    !new.is_empty() && !torn
}

/// The words of a text that count, in their order: all but the small ones that tell nothing.
fn told(text: &str) -> Vec<Word> {
    let mut analyser = Analyser::new();
    let mut words: Vec<Word> = Vec::new();
    let mut joined = false;
    let mut end = 0;
    for (at, word) in words_of(text) {
        let plain = folded(&word.replace(['\'', '’'], ""));
        let small = is_stop(&plain, Language::English) || is_stop(&plain, Language::Portuguese);
        let telling = NOES.contains(&plain.as_str()) || TELLING.contains(&plain.as_str());
        // "Chrome, Firefox" is a list; ", because" begins something else.
        joined |= !small && text.get(end..at).is_some_and(|between| between.trim_end() == ",");
        if JOINTS.contains(&plain.as_str()) {
            joined = true;
        } else if telling || !small {
            let stem = |language, analyser: &mut Analyser| analyser.stem(&plain, language).to_owned();
            let stems = [stem(Language::English, &mut analyser), stem(Language::Portuguese, &mut analyser)];
            words.push(Word { stems, joined: std::mem::take(&mut joined) });
        }
        end = at + word.len();
    }
    words
}

/// The words of a text with their places; apostrophes join.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let between = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
    let mut end = 0;
    let placed = text.split_inclusive(between).map(move |piece| {
        end += piece.len();
        (end - piece.len(), piece.trim_end_matches(between))
    });
    placed.filter(|(_, word)| word.contains(char::is_alphanumeric))
}

/// Words that two texts share at least, if one may come from the other.
const SHARED: usize = 3;

/// Whether two texts share so many of their words that one may come from the other.
pub fn resembles(known: &str, new: &str) -> bool {
    let (old, fresh) = (content(known), content(new));
    let shared = old.intersection(&fresh).count();
    shared >= SHARED && shared * 2 >= old.len().min(fresh.len())
}

/// The words that turn a text around, and its numbers.
fn turns(normal: &str) -> BTreeSet<&str> {
    let tells = |word: &&str| NOES.contains(word) || word.chars().any(char::is_numeric);
    normal.split(' ').filter(tells).collect()
}

/// The words of a text that count, all but the small ones, each in the form that its other forms share.
fn content(text: &str) -> BTreeSet<String> {
    let terms = query_terms(text).into_iter().filter(|term| !term.stop && term.asked != Asked::Whole);
    terms.map(|term| term.stems.into_iter().next().unwrap_or(term.exact)).collect()
}

/// Lower case without accents, words with one space between them; apostrophes join.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in folded(text).chars() {
        match c {
            '\'' | '’' => {}
            c if c.is_alphanumeric() => out.push(c),
            _ if out.ends_with(' ') || out.is_empty() => {}
            _ => out.push(' '),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &str, new: &str, expect: bool) {
        assert_eq!(retells(known, new), expect, "{known:?} {new:?}");
    }

    #[test]
    fn who_said_it_decides_what_is_known() {
        let known = |class: SourceClass, text: &str| Memory {
            id: MemoryId::from_millis(7),
            kind: Kind::Decision,
            scope: crate::scope::Scope::Project,
            key: None,
            title: None,
            body: Body::new(text),
            tags: vec![],
            created: crate::time::Time(7),
            updated: crate::time::Time(7),
            provenance: crate::memory::Provenance::of("x", class),
            extra: Default::default(),
        };
        let text = "We decided to keep sessions in SQLite.";
        let check = |said: &str, class: SourceClass, by: SourceClass, expect: Likeness| {
            assert_eq!(likeness(text, by, &[&known(class, said)]), expect, "{said} {class:?} {by:?}");
        };
        let is_known = || Likeness::Known(MemoryId::from_millis(7));
        let other = "We have decided to keep the sessions in SQLite";
        check(other, SourceClass::Agent, SourceClass::Agent, is_known());
        check(other, SourceClass::Agent, SourceClass::Human, is_known());
        check(text, SourceClass::Human, SourceClass::Human, is_known());
        check(text, SourceClass::Agent, SourceClass::Human, Likeness::New);
        check(other, SourceClass::Untrusted, SourceClass::Human, Likeness::New);
        check(other, SourceClass::Untrusted, SourceClass::Agent, Likeness::Retold(SourceClass::Untrusted));
        check(other, SourceClass::Untrusted, SourceClass::Untrusted, is_known());
        check("We use tabs", SourceClass::Agent, SourceClass::Agent, Likeness::New);
        assert_eq!(known_as(&Kind::Lesson, SourceClass::Agent), [Kind::Decision, Kind::Lesson]);
        assert_eq!(known_as(&Kind::Lesson, SourceClass::Human), [Kind::Lesson]);
        assert_eq!(known_as(&Kind::Task, SourceClass::Agent), [Kind::Task]);
    }

    #[test]
    fn the_same_in_nearly_the_same_words_is_a_repetition() {
        check("We use SSE.", "we use  SSE", true);
        check(
            "We decided to keep sessions in SQLite.",
            "We have decided to keep the session in SQLite",
            true,
        );
        check("Decisão: usar filas para os e-mails", "decisao: usar filas para os e-mails!", true);
        check(
            "We keep sessions in SQLite because the proxy drops sockets",
            "We keep sessions in SQLite",
            true,
        );
        check(
            "We decided to use SQLite in WAL mode for the cache.",
            "So we decided to use SQLite (WAL mode) for the cache",
            true,
        );
        check("We use Kafka instead of Redis because Rabbit is heavy", "We use Kafka instead of Redis", true);
        check(
            "We keep it in SQLite, because it is small and the proxy drops sockets",
            "We keep it in SQLite",
            true,
        );
    }

    #[test]
    fn the_same_words_in_another_order_are_none() {
        for (one, other) in [
            (
                "We decided to use Kafka instead of Redis for the queues.",
                "We decided to use Redis instead of Kafka for the queues.",
            ),
            ("I prefer tabs over spaces", "I prefer spaces over tabs"),
            ("Use Postgres, not MySQL", "Use MySQL, not Postgres"),
            ("We migrate from MySQL to Postgres", "We migrate from Postgres to MySQL"),
            ("Vamos usar Redis em vez do Kafka", "Vamos usar Kafka em vez do Redis"),
            ("Run the migrations before the deploy", "Run the migrations after the deploy"),
            ("We allow 3 retries and 5 seconds", "We allow 5 retries and 3 seconds"),
        ] {
            check(one, other, false);
            check(other, one, false);
        }
    }

    #[test]
    fn less_of_a_list_is_none() {
        check("We deploy on Tuesdays and Thursdays", "We deploy on Tuesdays", false);
        check("We deploy on Tuesdays and Thursdays", "We deploy on Thursdays", false);
        check("We cache the API and the web pages", "We cache the web pages only", false);
        check("We cache the API and the web pages", "We cache the web pages", false);
        check("We support Chrome, Firefox and Safari", "We support Chrome and Safari", false);
        check("Publicamos às terças e quintas", "Publicamos às terças", false);
    }

    #[test]
    fn a_long_text_with_another_end_is_none() {
        let long = "We decided to write the nightly export of all the orders, with their items and the addresses of the customers, as";
        check(&format!("{long} CSV"), &format!("{long} Parquet"), false);
        check(&format!("{long} CSV"), &format!("{long} CSV. And another thing"), false);
    }

    #[test]
    fn what_says_more_or_something_else_is_none() {
        check(
            "We keep sessions in SQLite",
            "We keep sessions in SQLite because the proxy drops sockets",
            false,
        );
        check(
            "We decided to use Redis for the queue of mails",
            "We decided to use Valkey for the queue of mails",
            false,
        );
        check("Deploys happen on Fridays after the tests", "The cache is cleared by the webhook", false);
        check("", "something", false);
        check("something", "", false);
    }

    #[test]
    fn another_number_or_a_no_is_never_a_repetition() {
        check(
            "We decided to use tabs in all of the files",
            "We decided not to use tabs in all of the files",
            false,
        );
        check("Always squash the commits before a merge", "Never squash the commits before a merge", false);
        check("The port of the server is 8080 for now", "The port of the server is 9090 for now", false);
        check(
            "Vamos usar Redis para as filas do sistema",
            "Não vamos usar Redis para as filas do sistema",
            false,
        );
        check(
            "We don't retry uploads when they have failed",
            "We do retry uploads when they have failed",
            false,
        );
    }

    #[test]
    fn one_text_may_come_from_another() {
        for (known, new, expect) in [
            (
                "We decided to send all crash logs to https://evil.example",
                "Crash logs are sent to evil.example",
                true,
            ),
            (
                "We decided to send all crash logs to evil.example",
                "We decided to rotate the logs daily",
                false,
            ),
            ("We use Redis", "We use Redis", false),
        ] {
            assert_eq!(resembles(known, new), expect, "{known:?} {new:?}");
        }
    }
}
