//! What a memory says in one line: its best sentence, quoted and not retold, with its date and its id.
//!
//! Open tasks are no sentences: they are carried along verbatim, because somebody still has to do them.

use std::collections::{HashMap, HashSet};

use crate::admit::Likeness;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::task;
use crate::text::sentences;

/// The longest quotation, in characters.
const LONGEST: usize = 200;

/// How rare words are among some texts; what stands in all of them says nothing about one.
pub(super) struct Rarity {
    texts: f32,
    counts: HashMap<u64, f32>,
}

impl Rarity {
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut rarity = Self { texts: 0.0, counts: HashMap::new() };
        for text in texts {
            rarity.texts += 1.0;
            for word in words(text).collect::<HashSet<u64>>() {
                *rarity.counts.entry(word).or_default() += 1.0;
            }
        }
        rarity
    }

    /// How much a sentence says: its rare words, each once, set against its length.
    fn weight(&self, sentence: &str) -> f32 {
        let all: Vec<u64> = words(sentence).collect();
        let count = all.len() as f32;
        let distinct: HashSet<u64> = all.into_iter().collect();
        let said: f32 =
            distinct.iter().map(|word| (1.0 + self.texts / self.counts.get(word).unwrap_or(&1.0)).ln()).sum();
        said / (count + 4.0).sqrt()
    }
}

/// The words of a text as numbers.
fn words(text: &str) -> impl Iterator<Item = u64> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    words.map(|word| {
        let step = |hash: u64, c: char| (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3);
        word.chars().flat_map(char::to_lowercase).fold(0xcbf2_9ce4_8422_2325, step)
    })
}

/// What a summary says of one memory: a line, and its open tasks below it.
#[derive(Debug, Clone)]
pub(super) struct Quote {
    pub(super) text: String,
    pub(super) id: Option<MemoryId>,
    pub(super) has_tasks: bool,
    weight: f32,
}

impl Quote {
    /// The quote of a memory, with the lines of it that are open.
    pub(super) fn of(memory: &Memory, open: &[String], rarity: &Rarity) -> Self {
        let (said, weight) = best_sentence(memory, open, rarity);
        let replaced = memory.extra.get("supersededBy").and_then(serde_json::Value::as_str);
        let replaced = replaced.map_or(String::new(), |by| format!(", superseded by {by}"));
        let mut text = format!("- [{}] {said} (id {}{replaced})", memory.created.minute(), memory.id);
        for task in open {
            text.push('\n');
            text.push_str(task);
        }
        Self { text, id: Some(memory.id.clone()), has_tasks: !open.is_empty(), weight }
    }

    /// The quotes of a summary that was made before, with the lines of it that are still open.
    pub(super) fn still_open(summary: &Memory, open: &[String], rarity: &Rarity) -> Vec<Self> {
        let open: HashSet<&str> = open.iter().map(String::as_str).collect();
        let stays = |line: &&str| task::parse(line).is_none() || open.contains(line.trim());
        Self::of_lines(summary.body.as_str().lines().skip(1).filter(stays), rarity)
    }

    /// The quotes in the lines of a summary. Lines that begin none belong to the one above.
    fn of_lines<'a>(lines: impl Iterator<Item = &'a str>, rarity: &Rarity) -> Vec<Self> {
        let mut quotes: Vec<Self> = Vec::new();
        for line in lines.filter(|line| !line.starts_with(MORE) && !line.trim().is_empty()) {
            let dated =
                line.strip_prefix("- [").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let has_tasks = is_open_task(line);
            match quotes.last_mut() {
                Some(last) if !dated => {
                    last.has_tasks |= has_tasks;
                    last.text.push('\n');
                    last.text.push_str(line);
                }
                _ => {
                    let weight = rarity.weight(line);
                    quotes.push(Self { text: line.to_owned(), id: id_of(line), has_tasks, weight });
                }
            }
        }
        quotes
    }
}

/// A summary without what it quotes of one memory; `None` where it quotes nothing of it.
pub fn unquoted(body: &str, id: &MemoryId) -> Option<String> {
    let (first, _) = body.split_once('\n')?;
    let rarity = Rarity::of([]);
    let all = Quote::of_lines(body.lines().skip(1), &rarity);
    let left: Vec<&Quote> = all.iter().filter(|quote| quote.id.as_ref() != Some(id)).collect();
    if left.len() == all.len() {
        return None;
    }
    let mut text = first.to_owned();
    for quote in left {
        text.push('\n');
        text.push_str(&quote.text);
    }
    let more = body.lines().filter(|line| line.starts_with(MORE));
    more.for_each(|line| text.push_str(&format!("\n{line}")));
    Some(text)
}

/// With what the line begins that counts what is not quoted.
const MORE: &str = "- … and ";

fn is_open_task(line: &str) -> bool {
    task::parse(line).is_some_and(|task| !task.ticked)
}

/// The id at the end of a line that we wrote.
fn id_of(line: &str) -> Option<MemoryId> {
    let (_, last) = line.rsplit_once("(id ")?;
    let word = last.split([',', ')']).next()?;
    MemoryId::parse(word).ok()
}

/// Chooses at most so many quotes: those that say most, none nearly twice, in the order given. Open tasks always stay.
/// The last line counts what is not quoted of `total`.
pub(super) fn quoted(quotes: Vec<Quote>, most: usize, total: usize) -> (String, Vec<MemoryId>) {
    let chosen = if quotes.len() > most { chosen(&quotes, most) } else { vec![true; quotes.len()] };
    let mut text = String::new();
    let mut ids = Vec::new();
    let mut count = 0;
    for (quote, _) in quotes.into_iter().zip(chosen).filter(|(_, chosen)| *chosen) {
        count += 1;
        text.push('\n');
        text.push_str(&quote.text);
        ids.extend(quote.id);
    }
    if count < total {
        text.push_str(&format!("\n{MORE}{} more, whole in the archive", total - count));
    }
    (text, ids)
}

fn chosen(quotes: &[Quote], most: usize) -> Vec<bool> {
    let mut chosen: Vec<bool> = quotes.iter().map(|quote| quote.has_tasks).collect();
    let mut left = most.saturating_sub(chosen.iter().filter(|chosen| **chosen).count());
    let mut order: Vec<usize> = (0..quotes.len()).filter(|&n| !chosen[n]).collect();
    order.sort_by(|&a, &b| quotes[b].weight.total_cmp(&quotes[a].weight).then(a.cmp(&b)));
    let mut told: Vec<Likeness> = Vec::new();
    for n in order {
        if left == 0 {
            break;
        }
        let likeness = Likeness::of(&quotes[n].text);
        if told.iter().any(|other| other.is_near(likeness)) {
            continue;
        }
        told.push(likeness);
        chosen[n] = true;
        left -= 1;
    }
    chosen
}

/// The sentence that says most; the first one has a little advantage, because people begin with what matters.
fn best_sentence(memory: &Memory, open: &[String], rarity: &Rarity) -> (String, f32) {
    let text = memory.body.as_str();
    let mut best: Option<(f32, &str)> = None;
    for (n, range) in sentences(text).take(200).enumerate() {
        let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let sentence = &text[range];
        if is_open_task(line) || !sentence.chars().any(char::is_alphanumeric) {
            continue;
        }
        let weight = rarity.weight(sentence) * if n == 0 { 1.2 } else { 1.0 };
        if best.is_none_or(|(most, _)| weight > most) {
            best = Some((weight, sentence));
        }
    }
    match best {
        Some((weight, sentence)) => {
            let marks = |c: char| matches!(c, '-' | '*' | '+' | '>' | '#') || c.is_whitespace();
            (cut(sentence.trim_start_matches(marks)), weight)
        }
        None => {
            let said = match (open.len(), &memory.title) {
                (_, Some(title)) => cut(title),
                (0, None) => match text.lines().find_map(task::parse) {
                    Some(task) => format!("no longer open: {}", cut(task.words)),
                    None => cut(memory.heading()),
                },
                (1, None) => "an open task".to_owned(),
                (tasks, None) => format!("{tasks} open tasks"),
            };
            (said, 0.0)
        }
    }
}

/// The beginning of a text, cut between words.
pub(super) fn cut(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if folded.chars().count() <= LONGEST {
        return folded;
    }
    let end = folded.char_indices().nth(LONGEST - 1).map_or(folded.len(), |(at, _)| at);
    let end = folded[..end].rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", folded[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::super::tasks::Open;
    use super::super::tests::memory;
    use super::*;

    fn check(text: &str, expect: &str) {
        let others = ["We decided to use SSE.", "We decided to use Postgres.", "We decided on Rust."];
        let rarity = Rarity::of(others.into_iter().chain([text]));
        let memory = memory(1_773_679_871_839, text);
        let open = Open::among([&memory]);
        assert_eq!(Quote::of(&memory, open.of(&memory), &rarity).text, expect, "{text}");
    }

    #[test]
    fn a_memory_in_a_line() {
        check("Plain.", "- [2026-03-16T16:51] Plain. (id 1773679871839)");
        check(
            "We decided.\nThe proxy drops idle sockets after thirty seconds.",
            "- [2026-03-16T16:51] The proxy drops idle sockets after thirty seconds. (id 1773679871839)",
        );
        check(
            "- [ ] one\n- [ ] two",
            "- [2026-03-16T16:51] 2 open tasks (id 1773679871839)\n- [ ] one\n- [ ] two",
        );
        check("1. [ ] one\n2) [x] two", "- [2026-03-16T16:51] 2) [x] two (id 1773679871839)\n1. [ ] one");
        check("- a list item", "- [2026-03-16T16:51] a list item (id 1773679871839)");
        check("---", "- [2026-03-16T16:51]  (id 1773679871839)");
    }

    #[test]
    fn what_is_forgotten_is_no_longer_quoted() {
        let check = |body: &str, expect: Option<&str>| {
            assert_eq!(unquoted(body, &MemoryId::from_millis(2)).as_deref(), expect, "{body}");
        };
        let (one, two) = ("- [2026-01-01T00:00] one (id 1)", "- [2026-01-01T00:00] two (id 2)\n- [ ] task");
        let three =
            "- [2026-01-01T00:00] three (id 3, superseded by 2)\n- … and 4 more, whole in the archive";
        check(
            &format!("Compacted 7 older entries:\n{one}\n{two}\n{three}"),
            Some(&format!("Compacted 7 older entries:\n{one}\n{three}")),
        );
        check(&format!("Compacted 7 older entries:\n{one}\n{three}"), None);
        check("two (id 2)", None);
    }

    #[test]
    fn long_sentences_are_cut_between_words() {
        let long = "word ".repeat(100);
        let short = cut(&long);
        assert!(short.chars().count() <= LONGEST && short.ends_with("word…"), "{short}");
        assert_eq!(cut(&"ä".repeat(400)).chars().count(), LONGEST);
    }

    #[test]
    fn quotes_come_back_from_a_summary() {
        let rarity = Rarity::of(["a"]);
        let memories = [memory(1, "first thing said here"), memory(2, "- [ ] to do\n- [x] done")];
        let open = Open::among(&memories);
        let quotes: Vec<Quote> =
            memories.iter().map(|memory| Quote::of(memory, open.of(memory), &rarity)).collect();
        let texts: Vec<String> = quotes.iter().map(|quote| quote.text.clone()).collect();
        let (body, ids) = quoted(quotes, 9, 2);
        assert_eq!(ids.len(), 2);
        let again = Quote::of_lines(body.lines(), &rarity);
        assert_eq!(again.iter().map(|quote| quote.text.clone()).collect::<Vec<_>>(), texts);
        assert_eq!(again.iter().filter_map(|quote| quote.id.clone()).collect::<Vec<_>>(), ids);
        assert!(again[1].has_tasks && !again[0].has_tasks);
    }
}
