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

/// The passage of at most `most_chars` characters with the highest weight, where each term counts once however
/// often it stands there; of equal ones that with more of them, then one with the first of them near its beginning, so that
/// what follows a heading is shown with it. `weight` answers for a term as the index knows it (stems and
/// marked exact terms), 0 for one that was not looked for, and all that were begin as `begins` says. A text without any
/// gives its beginning.
pub fn snippet(
    analyser: &mut Analyser,
    (text, language): (&str, Language),
    begins: Begins,
    weight: impl Fn(&str) -> f32,
    most_chars: usize,
) -> Snippet {
    let matches = Matches::of(analyser, (text, language), begins, weight);
    let mut best: Option<(Worth, Range<usize>)> = None;
    let mut offer = |range: Range<usize>| {
        let worth = matches.worth(&range, most_chars.max(SNIPPET_CHARS) / 3);
        if !range.is_empty() && best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, range));
        }
    };
    let pieces: Vec<Piece> = sentences(text).map(|at| Piece::of(text, at)).collect();
    for (index, piece) in pieces.iter().enumerate() {
        if piece.chars > most_chars {
            matches.passages(text, &piece.at, most_chars).for_each(&mut offer);
            continue;
        }
        let window = grown(text, &pieces, index, most_chars);
        // A window without a match is worth something only as the beginning of the text.
        if index == 0 || matches.any_in(&window) {
            offer(window);
        }
    }
    let range = best.map(|(_, range)| range).unwrap_or_default();
    let marks = matches.marks(&range);
    Snippet { range, marks }
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
        super::snippet(&mut Analyser::new(), (text, language_of(text)), Begins::ANY, weight, most_chars)
    }

    /// The passage with its marks in brackets, for terms that weigh 1 each.
    fn check(text: &str, terms: &[&str], most_chars: usize, expect: &str) {
        let weight = |term: &str| if terms.contains(&term) { 1.0 } else { 0.0 };
        let found = snippet(text, weight, most_chars);
        let begins = Begins::of(terms.iter().copied());
        let text_and_language = (text, language_of(text));
        let same = super::snippet(&mut Analyser::new(), text_and_language, begins, weight, most_chars);
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
    fn weights_decide() {
        let found =
            snippet("a b. C d.", |term| if term == "d" { 2.0 } else { f32::from(u8::from(term == "a")) }, 4);
        assert_eq!(found.range, 5..9);
    }
}
