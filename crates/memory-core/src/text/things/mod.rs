//! What a word of a question stands for besides itself. Who asks for the database means Postgres where that is what was
//! kept, who asks for somebody's pets means the dog, and `k8s` is Kubernetes. No vector of a word's use tells that reliably.

mod daily;
mod everyday;
mod kinds;
mod short;

use self::kinds::KINDS;
use self::short::SAME;
use super::EXACT_MARK;
use super::analyse::Analyser;
use super::language::Language;
use super::token::Form;

/// What words of a question stand for besides themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Things {
    /// The positions of the words in the question.
    pub positions: Vec<u32>,
    /// What a memory may say instead; several words must stand there word by word.
    pub things: Vec<&'static str>,
    /// What these are to the words.
    pub are: Are,
}

/// What things are to the words that stand for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Are {
    /// Other names of the very same.
    Same,
    /// Of the sort that the words name, and called by a name of their own: Postgres.
    Named,
    /// Of the sort that the words name, and told by an ordinary word: a dog, two dogs.
    Told,
}

/// The other names of what the words of a text name.
pub fn same_things_in(text: &str) -> Vec<Things> {
    found_in(text, |words, _, found| other_names(words, found))
}

/// The things that the words of a question stand for.
pub fn things_in(question: &str) -> Vec<Things> {
    let mut found = found_in(question, |words, asks, found| {
        other_names(words, found);
        of_sorts(words, asks, found);
    });
    // `vector database` is one sort of thing, and `database` in it is no other.
    let covers = |all: &Things, part: &Things| {
        all.positions.len() > part.positions.len()
            && part.positions.iter().all(|at| all.positions.contains(at))
    };
    let sorts: Vec<Things> = found.iter().filter(|found| found.are != Are::Same).cloned().collect();
    found.retain(|found| found.are == Are::Same || !sorts.iter().any(|all| covers(all, found)));
    found
}

/// A word and where it stands.
type Word = (u32, String);

/// Calls a function with each word of a text and those that follow it.
fn found_in(text: &str, look: impl Fn(&[Word], Asks, &mut Vec<Things>)) -> Vec<Things> {
    let mut words: Vec<Word> = Vec::new();
    let mut found: Vec<Things> = Vec::new();
    Analyser::new().each(text, Language::Other, |token| {
        let word = token.term.trim_start_matches(EXACT_MARK);
        match token.form {
            Form::Exact => words.push((token.position, word.to_owned())),
            Form::Whole => look(&[(token.position, word.to_owned())], Asks::No, &mut found),
            Form::Stem | Form::Joined | Form::Date => {}
        }
    });
    let mut asks = Asks::No;
    for (at, (_, word)) in words.iter().enumerate() {
        look(words.get(at..).unwrap_or_default(), asks, &mut found);
        asks = asks.after(word);
    }
    found
}

/// Whether the words before ask for things of a sort. The sorts of daily life are ordinary words, and in most sentences
/// they are no question for all that is of that sort, unless they are told in the plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    No,
    /// For a sort that is named within so many words.
    Within(u8),
}

impl Asks {
    fn after(self, word: &str) -> Self {
        match self {
            _ if ASKING.contains(&word) => Self::Within(NEXT),
            Self::No | Self::Within(0) => Self::No,
            Self::Within(left) => Self::Within(left - 1),
        }
    }
}

/// `What types of sports did …`: a sort is named soon after the word that asks for it.
const NEXT: u8 = 4;

#[rustfmt::skip]
const ASKING: &[&str] = &[
    "what", "which", "whose", "many", "list", "any", "favorite", "favourite", "name", "names",
    "qual", "quais", "que", "quantos", "quantas", "algum", "alguma", "favorito", "favorita",
];

/// Adds the other names of what these words begin with.
fn other_names(words: &[Word], found: &mut Vec<Things>) {
    for names in SAME.iter().chain(daily::SAME) {
        if let Some(named) = Named::by(names, words) {
            found.push(named.stand_for(names.iter().copied(), Are::Same));
        }
    }
}

/// Adds the things of the sorts whose names these words begin with.
fn of_sorts(words: &[Word], asks: Asks, found: &mut Vec<Things>) {
    for (names, things) in KINDS {
        if let Some(named) = Named::by(names, words) {
            found.push(named.stand_for(things.iter().copied(), Are::Named));
        }
    }
    if asks == Asks::No && !words.iter().take(LONGEST_NAME).any(|(_, word)| may_be_plural(word)) {
        return;
    }
    for sort in everyday::sorts() {
        if let Some(named) = Named::by(&sort.names, words)
            && (asks != Asks::No || named.is_plural)
        {
            found.push(named.stand_for(sort.things(), Are::Told));
        }
    }
}

/// Words of the longest name of a sort that is looked for in the plural.
const LONGEST_NAME: usize = 4;

/// Whether a word, or the last of several, looks like more than one of something.
fn may_be_plural(name: &str) -> bool {
    let is_one = ["ss", "us", "is", "ics", "species", "series", "news"].iter().any(|end| name.ends_with(end));
    name.ends_with('s') && !is_one || name == "children"
}

/// Words that are a name.
struct Named<'a> {
    words: &'a [Word],
    is_plural: bool,
}

impl<'a> Named<'a> {
    /// The longest of some names that these words begin with.
    fn by(names: &[&str], words: &'a [Word]) -> Option<Self> {
        let counted = names.iter().filter_map(|name| Some((begins_with(words, name)?, name)));
        let (count, name) = counted.max_by_key(|(count, _)| *count)?;
        let words = words.get(..count)?;
        let is_other = words.iter().zip(name.split(' ')).any(|((_, word), part)| word != part);
        Some(Self { words, is_plural: is_other || may_be_plural(name) })
    }

    fn stand_for(self, things: impl Iterator<Item = &'static str>, are: Are) -> Things {
        let said = self.words.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
        let things = things.filter(|thing| !is_plural(&said, thing)).collect();
        Things { positions: self.words.iter().map(|(at, _)| *at).collect(), things, are }
    }
}

/// How many words a name has, where these begin with it.
fn begins_with(words: &[(u32, String)], name: &str) -> Option<usize> {
    // Most names are ruled out by their first letter.
    if words.first()?.1.as_bytes().first() != name.as_bytes().first() {
        return None;
    }
    let mut count = 0;
    for part in name.split(' ') {
        if !is_plural(&words.get(count)?.1, part) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// Whether a word is another, or more than one of it in English or Portuguese.
fn is_plural(word: &str, one: &str) -> bool {
    let ends = |plural: &str, single: &str| {
        word.strip_suffix(plural).zip(one.strip_suffix(single)).is_some_and(|(a, b)| a == b)
    };
    word == one
        || one.len() > 2 && (ends("s", "") || ends("ies", "y") || ends("es", ""))
        || one.len() > 4 && (ends("oes", "ao") || ends("ns", "m") || ends("is", "l"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, thing: &str, expect: bool) {
        let found = things_in(question);
        let is = found.iter().any(|found| found.things.contains(&thing));
        assert_eq!(is, expect, "{question}: {found:?}");
    }

    #[test]
    fn names_of_sorts_and_short_forms() {
        check("What database do we use?", "postgres", true);
        check("databases", "sqlite", true);
        check("qual banco de dados usamos", "postgres", true);
        check("filas de mensagens", "kafka", true);
        check("linguagens", "rust", true);
        check("the package manager of the monorepo", "pnpm", true);
        check("which package was sent", "pnpm", false);
        check("k8s migration", "kubernetes", true);
        check("kubernetes migration", "k8s", true);
        check("kubernetes migration", "kubernetes", false);
        check("CI pipeline", "github actions", true);
        check("end-to-end tests", "playwright", true);
        check("a vector database", "qdrant", true);
        check("a vector database", "mysql", false);
        check("Node.js", "nodejs", true);
        check("when did we go to the cinema", "movies", true);
        check("comprei um telemovel", "celular", true);
        check("banco central", "postgres", false);
        check("o banco caiu", "postgres", true);
        check("", "postgres", false);
    }

    #[test]
    fn sorts_of_daily_life_where_they_are_asked_for() {
        check("What pets do I have?", "dog", true);
        check("which hobbies does Ana have", "pottery", true);
        check("what is her favorite kind of dessert", "tiramisu", true);
        check("how many countries did we visit", "portugal", true);
        check("quais sao os passatempos dela", "croche", true);
        check("Que comidas ela come?", "feijoada", true);
        check("films and books from last year", "netflix", true);
        check("stress test results", "yoga", false);
        check("os jogos que joguei", "minecraft", true);
        check("we sold the pet store", "dog", false);
        check("What did the vet say when I came with my old pet", "dog", false);
        let told = |things: &Things| things.are == Are::Told && things.things.contains(&"dog");
        assert!(things_in("which pets").iter().any(told));
        assert!(things_in("what database").iter().all(|found| found.are != Are::Told));
    }

    #[test]
    fn the_lists_are_as_texts_are_looked_up() {
        let all = KINDS
            .iter()
            .flat_map(|(names, are)| names.iter().chain(*are))
            .chain(SAME.iter().chain(daily::SAME).copied().flatten());
        for word in all {
            assert_eq!(*word, super::super::folded(word), "{word}");
            assert!(
                !word.is_empty() && !word.starts_with(' ') && !word.ends_with(' ') && !word.contains("  "),
                "{word}"
            );
        }
        for (names, are) in KINDS {
            once(names.iter().chain(*are).copied());
        }
        for sort in everyday::sorts() {
            let all: Vec<&str> = sort.names.iter().copied().chain(sort.things()).collect();
            for word in &all {
                assert_eq!(*word, super::super::folded(word), "{word}");
                assert!(!word.is_empty() && *word == word.trim() && !word.contains("  "), "{word}");
            }
            assert!(sort.things().count() > 1, "{all:?}");
            once(all.into_iter());
        }
    }

    fn once<'a>(all: impl Iterator<Item = &'a str>) {
        let mut seen = std::collections::HashSet::new();
        let twice: Vec<&str> = all.filter(|word| !seen.insert(*word)).collect();
        assert!(twice.is_empty(), "twice: {twice:?} in {seen:?}");
    }
}
