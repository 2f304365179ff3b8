//! The passage of a text that answers best: whole sentences around as many of the wanted terms as fit.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::analyse::Analyser;
use super::class::is_dense;
use super::language::Language;
use super::sentence::sentences;
use super::token::Begins;

/// How many characters a snippet has unless asked otherwise.
pub const SNIPPET_CHARS: usize = 240;

/// A passage of a text and the words in it that were looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The passage, in bytes of the text.
    pub range: Range<usize>,
    /// The words to highlight, in bytes of the text, inside the passage, in order and without overlaps.
    pub marks: Vec<Range<usize>>,
}

/// What a passage is chosen by.
pub struct Clues<W, N> {
    /// How much a term as the index knows it (stems and marked exact terms) counts, 0 for one that was not looked for; all of
    /// them together count one at most.
    pub weight: W,
    /// How near a sentence is to what is meant, 1 for the same; `None` where words alone count.
    pub near: Option<N>,
    /// How all terms begin that were looked for.
    pub begins: Begins,
}

/// A passage that holds so much of what was looked for is the answer. Where there is none, what passages mean counts too.
const ENOUGH: f32 = 0.25;
/// So much of a text is looked at for what it means.
const MEANT_BYTES: usize = 8192;

/// The passage of at most `most_chars` characters with the highest weight, where each term counts once however
/// often it stands there; of equal ones that with more of them, then one with the first of them near its beginning, so that
/// what follows a heading is shown with it. Where no passage holds enough, the one that means most of it is taken. A text
/// without any gives its beginning.
pub fn snippet(
    analyser: &mut Analyser,
    (text, language): (&str, Language),
    clues: &Clues<impl Fn(&str) -> f32, impl Fn(&str) -> f32>,
    most_chars: usize,
) -> Snippet {
    let matches = Matches::of(analyser, (text, language), clues.begins, &clues.weight);
    let pieces: Vec<Piece> = sentences(text).map(|at| Piece::of(text, at)).collect();
    let worth = |range: &Range<usize>| matches.worth(range, most_chars.max(SNIPPET_CHARS) / 3);
    let mut best = best_of(passages(text, &pieces, &matches, most_chars), worth);
    // Of a text that is hardly longer than a passage, any passage shows most.
    if let Some(near) = clues.near.as_ref().filter(|_| text.len() > 2 * most_chars)
        && let Some((_, by_words)) = best.take_if(|((held, ..), _)| *held < ENOUGH)
    {
        let meant = Meant::of(text, &pieces, most_chars, near);
        let worth = |range: &Range<usize>| {
            let (held, often, lead) = worth(range);
            (held + meant.near(range), often, lead)
        };
        best = best_of(std::iter::once(by_words).chain(meant.windows(text, most_chars)), worth);
    }
    let range = best.map(|(_, range)| range).unwrap_or_default();
    let marks = matches.marks(&range);
    Snippet { range, marks }
}

/// The passages that hold something that was looked for, and the beginning of the text.
fn passages<'a>(
    text: &'a str,
    pieces: &'a [Piece],
    matches: &'a Matches,
    most_chars: usize,
) -> impl Iterator<Item = Range<usize>> + 'a {
    pieces.iter().enumerate().flat_map(move |(n, piece)| {
        let is_long = piece.chars > most_chars;
        let of_long = is_long.then(|| matches.passages(text, &piece.at, most_chars));
        let window = (!is_long).then(|| grown(text, pieces, n, most_chars));
        let window = window.filter(|window| n == 0 || matches.any_in(window));
        of_long.into_iter().flatten().chain(window)
    })
}

/// The sentences of a text, each with how near it is to what is meant.
struct Meant {
    pieces: Vec<Piece>,
    near: Vec<f32>,
}

impl Meant {
    /// Those that are too long are cut up.
    fn of(text: &str, sentences: &[Piece], most_chars: usize, near: impl Fn(&str) -> f32) -> Self {
        let mut pieces = Vec::new();
        for sentence in sentences.iter().take_while(|sentence| sentence.at.start < MEANT_BYTES) {
            let mut rest = sentence.at.clone();
            while !rest.is_empty() && rest.start < MEANT_BYTES {
                let end = cut_to_words(text, rest.clone(), most_chars).max(rest.start);
                let Some(after) = text.get(end..rest.end).filter(|_| end > rest.start) else { break };
                pieces.push(Piece::of(text, rest.start..end));
                rest.start = rest.end - after.trim_start().len();
            }
        }
        let near = pieces.iter().map(|piece| near(text.get(piece.at.clone()).unwrap_or_default())).collect();
        Self { pieces, near }
    }

    fn windows<'a>(&'a self, text: &'a str, most_chars: usize) -> impl Iterator<Item = Range<usize>> + 'a {
        (0..self.pieces.len()).map(move |n| grown(text, &self.pieces, n, most_chars))
    }

    /// How near the nearest sentence of a passage is; of those that show it, the one whose others are nearer too.
    fn near(&self, range: &Range<usize>) -> f32 {
        let from = self.pieces.partition_point(|piece| piece.at.start < range.start);
        let to = self.pieces.partition_point(|piece| piece.at.end <= range.end);
        let inside = self.near.get(from..to).unwrap_or_default();
        let mean = inside.iter().sum::<f32>() / inside.len().max(1) as f32;
        inside.iter().copied().reduce(f32::max).unwrap_or(0.0) + mean / 4.0
    }
}

/// The first of those that are worth most.
fn best_of(
    ranges: impl Iterator<Item = Range<usize>>,
    worth: impl Fn(&Range<usize>) -> Worth,
) -> Option<(Worth, Range<usize>)> {
    let mut best: Option<(Worth, Range<usize>)> = None;
    for range in ranges.filter(|range| !range.is_empty()) {
        let worth = worth(&range);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, range));
        }
    }
    best
}

struct Piece {
    at: Range<usize>,
    chars: usize,
}

impl Piece {
    fn of(text: &str, at: Range<usize>) -> Self {
        let chars = text.get(at.clone()).map_or(0, |piece| piece.chars().count());
        Self { at, chars }
    }
}

/// From a sentence on, as many whole ones as fit.
fn grown(text: &str, pieces: &[Piece], first: usize, most_chars: usize) -> Range<usize> {
    let Some(start) = pieces.get(first) else { return 0..0 };
    let (mut end, mut chars) = (start.at.end, start.chars);
    for piece in pieces.get(first + 1..).unwrap_or_default() {
        let gap = text.get(end..piece.at.start).map_or(0, |gap| gap.chars().count());
        if chars + gap + piece.chars > most_chars {
            break;
        }
        chars += gap + piece.chars;
        end = piece.at.end;
    }
    start.at.start..end
}

/// What a passage is worth: the weight of its terms, how often they stand in it, and how near to its beginning.
type Worth = (f32, usize, Reverse<usize>);

struct Match {
    at: Range<usize>,
    term: usize,
    weight: f32,
}

/// Every wanted term of a text, in order.
struct Matches {
    found: Vec<Match>,
    terms: usize,
}

impl Matches {
    fn of(
        analyser: &mut Analyser,
        (text, language): (&str, Language),
        begins: Begins,
        weight: impl Fn(&str) -> f32,
    ) -> Self {
        let mut found = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        analyser.each_beginning(begins, text, language, |token| {
            let weight = weight(token.term);
            if weight > 0.0 {
                let next = known.len();
                let term = match known.get(token.term) {
                    Some(&term) => term,
                    None => *known.entry(token.term.to_owned()).or_insert(next),
                };
                found.push(Match { at: token.bytes, term, weight });
            }
        });
        Self { found, terms: known.len() }
    }

    /// The matches that begin in a range.
    fn inside(&self, range: &Range<usize>) -> impl Iterator<Item = &Match> {
        let from = self.found.partition_point(|found| found.at.start < range.start);
        let to = self.found.partition_point(|found| found.at.start < range.end);
        let end = range.end;
        self.found.get(from..to).unwrap_or_default().iter().filter(move |found| found.at.end <= end)
    }

    fn any_in(&self, range: &Range<usize>) -> bool {
        self.inside(range).next().is_some()
    }

    fn worth(&self, range: &Range<usize>, near: usize) -> Worth {
        let mut best = vec![0.0_f32; self.terms];
        let (mut often, mut lead) = (0, None);
        for found in self.inside(range) {
            often += 1;
            lead = lead.or(Some(found.at.start - range.start));
            if let Some(known) = best.get_mut(found.term) {
                *known = known.max(found.weight);
            }
        }
        (best.iter().sum(), often, Reverse(lead.unwrap_or(0) / near))
    }

    /// Passages of a sentence that is too long: its beginning, and from shortly before a match on. A match close
    /// behind the last that had one gets none of its own, since a sentence may be a megabyte of matches.
    fn passages<'a>(
        &'a self,
        text: &'a str,
        sentence: &'a Range<usize>,
        most_chars: usize,
    ) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut free = sentence.start;
        let apart = self.inside(sentence).filter(move |found| {
            let far = found.at.start >= free;
            if far {
                free = found.at.start + most_chars / 8;
            }
            far
        });
        let starts = apart.map(move |found| {
            let before = text.get(sentence.start..found.at.start).unwrap_or_default();
            found.at.start - context(before, most_chars / 3).len()
        });
        let starts = std::iter::once(sentence.start).chain(starts);
        starts.map(move |start| start..cut_to_words(text, start..sentence.end, most_chars))
    }

    fn marks(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut marks: Vec<Range<usize>> = Vec::new();
        for found in self.inside(range) {
            match marks.last_mut() {
                Some(last) if found.at.start < last.end => last.end = last.end.max(found.at.end),
                _ => marks.push(found.at.clone()),
            }
        }
        marks
    }
}

/// The last words of what stands before a match, at most so many characters; the last signs in a script without gaps.
fn context(before: &str, most_chars: usize) -> &str {
    let start = before.char_indices().rev().take(most_chars).last().map_or(before.len(), |(at, _)| at);
    let (head, tail) = before.split_at_checked(start).unwrap_or_default();
    let begins = head.is_empty() || head.ends_with(char::is_whitespace);
    let whole = if begins { tail } else { tail.trim_start_matches(|c: char| !c.is_whitespace()) };
    let no_gaps = whole.is_empty() && tail.chars().all(is_dense);
    if no_gaps { tail } else { whole.trim_start() }
}

/// The end of the longest passage from here that has at most so many characters and ends with a word, or, where
/// there is no gap, with a character.
fn cut_to_words(text: &str, range: Range<usize>, most_chars: usize) -> usize {
    let rest = text.get(range.clone()).unwrap_or_default();
    let Some((cut, _)) = rest.char_indices().nth(most_chars) else { return range.end };
    let kept = rest.get(..cut).unwrap_or_default();
    let whole = rest.get(cut..).is_some_and(|next| next.starts_with(char::is_whitespace));
    let gap = kept.rfind(char::is_whitespace).filter(|&at| at > 0);
    let end = if whole { cut } else { gap.unwrap_or_else(|| between_signs(rest, cut)) };
    range.start + kept.get(..end).unwrap_or_default().trim_end().len()
}

/// The last place up to `cut` that does not tear a sign apart which is made of several characters.
fn between_signs(text: &str, cut: usize) -> usize {
    let is_torn = |at: usize| {
        let (before, behind) = text.split_at_checked(at).unwrap_or_default();
        before.ends_with(JOINER) || behind.starts_with(goes_on)
    };
    let places = text.get(..cut).unwrap_or_default().char_indices().rev().map(|(at, _)| at);
    let mut places = std::iter::once(cut).chain(places).filter(|&at| at > 0);
    places.find(|&at| !is_torn(at)).unwrap_or(cut)
}

/// What joins the pictures of a family.
const JOINER: char = '\u{200d}';

/// Whether a character belongs to the sign before it: an accent, a colour of skin, a joiner.
fn goes_on(c: char) -> bool {
    matches!(c, JOINER | '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::language_of;

    fn snippet(text: &str, weight: impl Fn(&str) -> f32, most_chars: usize) -> Snippet {
        let clues = Clues { weight, near: None::<fn(&str) -> f32>, begins: Begins::ANY };
        super::snippet(&mut Analyser::new(), (text, language_of(text)), &clues, most_chars)
    }

    /// The passage with its marks in brackets, for terms that weigh 1 each.
    fn check(text: &str, terms: &[&str], most_chars: usize, expect: &str) {
        let weight = |term: &str| if terms.contains(&term) { 1.0 } else { 0.0 };
        let found = snippet(text, weight, most_chars);
        let clues =
            Clues { weight, near: None::<fn(&str) -> f32>, begins: Begins::of(terms.iter().copied()) };
        let same = super::snippet(&mut Analyser::new(), (text, language_of(text)), &clues, most_chars);
        assert_eq!(same, found, "{text:?} {terms:?}");
        let mut shown = String::new();
        let mut at = found.range.start;
        for mark in &found.marks {
            shown.push_str(&format!("{}[{}]", &text[at..mark.start], &text[mark.clone()]));
            at = mark.end;
        }
        shown.push_str(&text[at..found.range.end]);
        assert_eq!(shown, expect, "{text:?} {terms:?}");
    }

    const TEXT: &str = "We met. The cache was cold. Nobody knew why. The memory cache was full. It ended.";

    #[test]
    fn what_follows_a_heading_is_shown_with_it() {
        let filler = "Nothing was said of it here, and nobody asked. ".repeat(4);
        let text = format!("{filler}\n\n## Launch date\n\nThe launch date is 9 December.");
        let weight = |term: &str| f32::from(u8::from(["launch", "date"].contains(&term)));
        let found = snippet(&text, weight, 220);
        assert!(text[found.range].ends_with("9 December."));
    }

    #[test]
    fn passages() {
        check("", &["x"], 10, "");
        check(
            TEXT,
            &["cach"],
            200,
            "We met. The [cache] was cold. Nobody knew why. The memory [cache] was full. It ended.",
        );
        check(TEXT, &["cach"], 20, "The [cache] was cold.");
        check(TEXT, &["cach", "memori"], 32, "The [memory] [cache] was full.");
        check(TEXT, &["=cache"], 20, "The [cache] was cold.");
        check(TEXT, &[], 20, "We met.");
        check(TEXT, &["knew"], 37, "The cache was cold. Nobody [knew] why.");
        check(TEXT, &["knew"], 0, "");
        check("one two three four five six seven", &["six"], 16, "five [six] seven");
        check("one two three four five six seven", &[], 12, "one two");
        check("aaaaaaaaaaaaaaaaaaaa", &[], 5, "aaaaa");
        check("日本語の文章です", &["文章"], 4, "の[文章]で");
        check("ab👨‍👩‍👧👨‍👩‍👧", &[], 8, "ab👨‍👩‍👧");
        check("aaaae\u{301}e\u{301}", &[], 5, "aaaa");
        check("ação não é ação.", &["não"], 20, "ação não é ação.");
        check("use MemoryStore here", &["store"], 20, "use Memory[Store] here");
        check("use MemoryStore here", &["=memorystore", "store"], 20, "use [MemoryStore] here");
    }

    #[test]
    fn what_is_meant_decides_where_words_do_not() {
        let near = |text: &str| f32::from(u8::from(text.contains("full")));
        let passage = |most: f32| {
            let weight = |term: &str| if term == "knew" { most } else { 0.0 };
            let clues = Clues { weight, near: Some(near), begins: Begins::ANY };
            let found = super::snippet(&mut Analyser::new(), (TEXT, language_of(TEXT)), &clues, 30);
            TEXT[found.range].to_owned()
        };
        assert_eq!(passage(0.2), "The memory cache was full.");
        assert_eq!(passage(0.6), "Nobody knew why.");
    }

    #[test]
    fn weights_decide() {
        let found =
            snippet("a b. C d.", |term| if term == "d" { 2.0 } else { f32::from(u8::from(term == "a")) }, 4);
        assert_eq!(found.range, 5..9);
    }

    proptest::proptest! {
        #[test]
        fn a_passage_fits_and_its_marks_lie_in_it(text in ".{0,200}|([a-z]{1,9}[ .!\n]{1,3}){0,40}", most in 0_usize..60) {
            let weight = |term: &str| f32::from(u8::from(term.len().is_multiple_of(3)));
            let read = (text.as_str(), language_of(&text));
            let near = |text: &str| f32::from(u8::from(text.len().is_multiple_of(2))) / 2.0;
            let found = super::snippet(&mut Analyser::new(), read, &Clues { weight, near: Some(near), begins: Begins::ANY }, most);
            let passage = text.get(found.range.clone());
            proptest::prop_assert!(passage.is_some_and(|passage| passage.chars().count() <= most), "{found:?}");
            let mut end = found.range.start;
            for mark in &found.marks {
                proptest::prop_assert!(mark.start >= end && mark.end <= found.range.end && text.get(mark.clone()).is_some());
                end = mark.end;
            }
        }
    }
}
