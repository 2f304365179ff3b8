//! `bench`: how fast and how well search works on a person's own memories.
//!
//! Questions are made of words of memories that are there, so it is known which memory should come back. Only
//! reading is measured and nothing is written.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::Instant;

use clap::Args;
use memory_engine::core::id::MemoryId;
use memory_engine::core::scope::Sensitivity;
use memory_engine::core::text::sentences;
use memory_engine::{Entry, Filter, IndexState, Memory, Search};
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::cli::index::state_json;
use crate::cli::shown::{counted, sized};
use crate::output::{Page, Render, Tone};

/// Words of one memory that are looked at.
const MOST_WORDS: usize = 2000;
/// A question has so many rare words.
const RARE: std::ops::RangeInclusive<usize> = 3..=6;
/// A sentence that is asked has so many words.
const SENTENCE: std::ops::RangeInclusive<usize> = 4..=30;

/// Measure search on your own memories
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory bench
  agent-memory bench --count 50 --json

Some memories are asked for, each by its rarest words and by one of its sentences;
the report tells how often that memory came back.
Times are those of one question within this process, without its start.
Nothing is changed.")]
pub(crate) struct Bench {
    /// How many memories to ask for
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=2000))]
    count: u32,
}

impl Bench {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        let state = memory.index_state()?;
        let sample = Sample::take(&memory, self.count as usize, state.memories + state.behind)?;
        let opened = Instant::now();
        memory.search(&Search::new("memory"))?;
        let first = millis(opened);
        let mut runs = Vec::new();
        for made in [Made::RareWords, Made::Sentence] {
            runs.push(ask(&memory, &sample, made)?);
        }
        app.out.show(&Report { state: &state, sample: &sample, first, runs: &runs })?;
        app.out.flush()?;
        if sample.memories == 0 {
            app.out.mention("no memories yet: `agent-memory remember` keeps the first");
        }
        Ok(())
    }
}

/// What a question is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    /// The words of a memory that the fewest memories hold.
    RareWords,
    /// A sentence of a memory as it stands there.
    Sentence,
}

impl Made {
    fn word(self) -> &'static str {
        match self {
            Self::RareWords => "rare-words",
            Self::Sentence => "sentence",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::RareWords => "its rarest words",
            Self::Sentence => "one of its sentences",
        }
    }

    fn question(self, text: &str, sample: &Sample) -> Option<String> {
        match self {
            Self::RareWords => rare_words(text, &sample.holding),
            Self::Sentence => one_sentence(text),
        }
    }
}

/// Memories to ask for, and how many memories hold each word.
struct Sample {
    texts: Vec<(MemoryId, String)>,
    holding: HashMap<String, u32>,
    memories: usize,
}

impl Sample {
    /// Memories at even distances from the newest to the oldest, so that every run asks for the same.
    fn take(memory: &Memory, count: usize, about: usize) -> Outcome<Self> {
        let about = about.max(count);
        // A question goes to the server that the user named, and what is private does not.
        let has_server = !memory.config().config.meaning.endpoint.is_empty();
        let may_ask =
            |entry: &Entry| !has_server || entry.memory.provenance.sensitivity < Sensitivity::PrivateUser;
        let mut sample = Self { texts: Vec::new(), holding: HashMap::new(), memories: 0 };
        memory.each(&Filter::default(), &mut |entry| {
            let text = entry.memory.body.as_str();
            for word in words(text).collect::<HashSet<_>>() {
                *sample.holding.entry(word).or_insert(0) += 1;
            }
            let is_next = sample.texts.len() < count && sample.memories >= sample.texts.len() * about / count;
            if is_next && may_ask(&entry) {
                sample.texts.push((entry.memory.id.clone(), text.to_owned()));
            }
            sample.memories += 1;
            Ok(true)
        })?;
        Ok(sample)
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().nth(2).is_some());
    words.take(MOST_WORDS).map(str::to_lowercase)
}

/// The words that the fewest memories hold, in the order in which they stand.
fn rare_words(text: &str, holding: &HashMap<String, u32>) -> Option<String> {
    let mut known = HashSet::new();
    let mut all: Vec<(u32, usize, String)> = words(text)
        .filter(|word| known.insert(word.clone()))
        .enumerate()
        .map(|(at, word)| (holding.get(&word).copied().unwrap_or(0), at, word))
        .collect();
    all.sort();
    all.truncate(*RARE.end());
    all.sort_by_key(|(_, at, _)| *at);
    let rare: Vec<String> = all.into_iter().map(|(_, _, word)| word).collect();
    (rare.len() >= *RARE.start()).then(|| rare.join(" "))
}

/// The longest sentence that is not too long, without the signs that mean something in a question.
fn one_sentence(text: &str) -> Option<String> {
    let plain = |at: std::ops::Range<usize>| -> Vec<String> {
        let signs = ['"', '“', '”', ':'];
        let words = text.get(at).unwrap_or_default().split(|c: char| c.is_whitespace() || signs.contains(&c));
        words.map(|word| word.trim_start_matches('-').to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let fitting = sentences(text).map(plain).filter(|words| SENTENCE.contains(&words.len()));
    // Of equally long ones the first is taken.
    fitting
        .reduce(|best, next| if next.len() > best.len() { next } else { best })
        .map(|words| words.join(" "))
}

/// What came of one sort of questions.
struct Run {
    made: Made,
    asked: usize,
    /// How often the memory came first, and among the first ten.
    first: usize,
    ten: usize,
    /// Milliseconds of each, ascending.
    times: Vec<f64>,
}

fn ask(memory: &Memory, sample: &Sample, made: Made) -> Outcome<Run> {
    let mut run = Run { made, asked: 0, first: 0, ten: 0, times: Vec::new() };
    for (id, text) in &sample.texts {
        let Some(question) = made.question(text, sample) else { continue };
        let start = Instant::now();
        let answer = memory.search(&Search::new(&question))?;
        run.times.push(millis(start));
        let place = answer.hits.iter().position(|hit| hit.entry.memory.id == *id || hit.also.contains(id));
        run.asked += 1;
        run.first += usize::from(place == Some(0));
        run.ten += usize::from(place.is_some_and(|place| place < 10));
    }
    run.times.sort_by(f64::total_cmp);
    Ok(run)
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

impl Run {
    /// The time within which so many of a hundred are answered.
    fn within(&self, percent: usize) -> f64 {
        let at = (self.times.len() * percent).div_ceil(100).saturating_sub(1);
        self.times.get(at).copied().unwrap_or(0.0)
    }

    fn share(&self, found: usize) -> f64 {
        found as f64 / self.asked.max(1) as f64
    }
}

struct Report<'a> {
    state: &'a IndexState,
    sample: &'a Sample,
    first: f64,
    runs: &'a [Run],
}

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        let memories = counted(self.sample.memories as u64, "memory");
        let index = match (self.state.usable, self.state.behind) {
            (false, _) => "none that can be used; every memory was read".to_owned(),
            (true, 0) => "up to date".to_owned(),
            (true, behind) => format!("behind by {}", counted(behind as u64, "memory")),
        };
        for (name, value) in [
            ("memories", format!("{memories}, {} of them asked for", self.sample.texts.len())),
            ("index", format!("{index}, {}", sized(self.state.bytes))),
            ("first answer", format!("{:.2} ms, before anything is warm", self.first)),
        ] {
            page.column(Tone::Strong, name, 12)?;
            page.say(&value)?;
        }
        page.say("")?;
        page.line(&[(
            Tone::Strong,
            "asked by               questions   came first   in first ten    p50 ms    p99 ms",
        )])?;
        for run in self.runs.iter().filter(|run| run.asked > 0) {
            page.say(&format!(
                "{:<20} {:>11} {:>10.1} % {:>12.1} % {:>9.2} {:>9.2}",
                run.made.name(),
                run.asked,
                run.share(run.first) * 100.0,
                run.share(run.ten) * 100.0,
                run.within(50),
                run.within(99),
            ))?;
        }
        page.say("")?;
        page.line(&[(
            Tone::Dim,
            "A question is made of words of one memory; it is found when that memory, or one that says",
        )])?;
        page.line(&[(
            Tone::Dim,
            "nearly the same, comes back. Times are those of one question within this process.",
        )])
    }

    fn json(&self) -> Value {
        let exact = |number: f64| (number * 1e4).round() / 1e4;
        let questions = self.runs.iter().map(|run| {
            json!({
                "made": run.made.word(),
                "asked": run.asked,
                "rank1": exact(run.share(run.first)),
                "top10": exact(run.share(run.ten)),
                "p50Ms": exact(run.within(50)),
                "p99Ms": exact(run.within(99)),
            })
        });
        json!({
            "memories": self.sample.memories,
            "sampled": self.sample.texts.len(),
            "firstMs": exact(self.first),
            "questions": questions.collect::<Vec<_>>(),
            "index": state_json(self.state),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_are_those_that_few_hold() {
        let holding = [("the", 9), ("token", 2), ("login", 1), ("expired", 1), ("after", 5)];
        let holding: HashMap<String, u32> = holding.map(|(word, count)| (word.to_owned(), count)).into();
        let rare = |text: &str| rare_words(text, &holding);
        assert_eq!(rare("The login, the token: expired"), Some("the login token expired".to_owned()));
        let many = "the after token login expired one two three four five six";
        assert_eq!(rare(many), Some("one two three four five six".to_owned()));
        assert_eq!(rare("is it so"), None);
    }

    #[test]
    fn a_sentence_has_no_signs_of_a_query() {
        let text = "Short one. The \"login\" failed: tag:x -y --z after all. Two words.";
        assert_eq!(one_sentence(text), Some("The login failed tag x y z after all.".to_owned()));
        assert_eq!(one_sentence("no"), None);
    }

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let times: Vec<f64> = (1..=200).map(f64::from).collect();
        let run = Run { made: Made::Sentence, asked: 200, first: 150, ten: 200, times };
        assert_eq!((run.within(50), run.within(99), run.share(run.first)), (100.0, 198.0, 0.75));
        let none = Run { made: Made::Sentence, asked: 0, first: 0, ten: 0, times: Vec::new() };
        assert_eq!((none.within(99), none.share(0)), (0.0, 0.0));
    }
}
