//! What a word of a question stands for besides itself. Who asks for the database means Postgres where that is what was
//! kept, and `k8s` is Kubernetes. No vector of a word's use tells that reliably for the names of tools.

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
    /// Whether these are other names of the very same.
    pub same: bool,
}

/// The things that the words of a question stand for.
pub fn things_in(question: &str) -> Vec<Things> {
    let mut words: Vec<(u32, String)> = Vec::new();
    let mut found: Vec<Things> = Vec::new();
    Analyser::new().each(question, Language::Other, |token| {
        let word = token.term.trim_start_matches(EXACT_MARK);
        match token.form {
            Form::Exact => words.push((token.position, word.to_owned())),
            Form::Whole => beginning(&[(token.position, word.to_owned())], &mut found),
            Form::Stem | Form::Joined | Form::Date => {}
        }
    });
    for at in 0..words.len() {
        beginning(words.get(at..).unwrap_or_default(), &mut found);
    }
    // `vector database` is one sort of thing, and `database` in it is no other.
    let covers = |all: &Things, part: &Things| {
        all.positions.len() > part.positions.len()
            && part.positions.iter().all(|at| all.positions.contains(at))
    };
    let kinds: Vec<Things> = found.iter().filter(|found| !found.same).cloned().collect();
    found.retain(|found| found.same || !kinds.iter().any(|all| covers(all, found)));
    found
}

/// Adds what the words stand for with which these begin.
fn beginning(words: &[(u32, String)], found: &mut Vec<Things>) {
    let mut add = |names: &[&str], things: &[&'static str], same: bool| {
        let Some(count) = names.iter().filter_map(|name| begins_with(words, name)).max() else { return };
        let own = words.get(..count).unwrap_or_default();
        let said = own.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
        let things = things.iter().copied().filter(|thing| !is_plural(&said, thing)).collect();
        found.push(Things { positions: own.iter().map(|(at, _)| *at).collect(), things, same });
    };
    KINDS.iter().for_each(|(names, are)| add(names, are, false));
    SAME.iter().for_each(|names| add(names, names, true));
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
        check("banco central", "postgres", false);
        check("o banco caiu", "postgres", true);
        check("", "postgres", false);
    }

    #[test]
    fn the_lists_are_as_texts_are_looked_up() {
        let all = KINDS
            .iter()
            .flat_map(|(names, are)| names.iter().chain(*are))
            .chain(SAME.iter().copied().flatten());
        for word in all {
            assert_eq!(*word, super::super::folded(word), "{word}");
            assert!(
                !word.is_empty() && !word.starts_with(' ') && !word.ends_with(' ') && !word.contains("  "),
                "{word}"
            );
        }
        for (names, are) in KINDS {
            let mut seen = std::collections::HashSet::new();
            assert!(names.iter().chain(*are).all(|word| seen.insert(word)), "{names:?} holds one twice");
        }
    }
}
