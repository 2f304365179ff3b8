//! What every engine is asked, and how often: one file that all the measured processes read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::notes::{Dice, Notes};

/// Questions before the counted ones, so that a warm process is warm.
const BEFORE: usize = 10;

/// A sort of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// Three words of a note.
    Words,
    /// Two words of a note, one letter of one changed.
    Typo,
    /// The beginning of a word.
    Prefix,
    /// A prompt of 40 words, a part of them from a note.
    Prompt,
}

impl Sort {
    pub const ALL: [Self; 4] = [Self::Words, Self::Typo, Self::Prefix, Self::Prompt];

    /// Its name for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Typo => "typo",
            Self::Prefix => "prefix",
            Self::Prompt => "prompt",
        }
    }

    /// Its name for people.
    pub fn shown(self) -> &'static str {
        match self {
            Self::Words => "3 words",
            Self::Typo => "typo",
            Self::Prefix => "prefix",
            Self::Prompt => "40 words",
        }
    }

    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.word() == word)
    }
}

/// A question and the note that it was made from.
#[derive(Serialize, Deserialize)]
pub struct Query {
    pub text: String,
    pub note: usize,
}

/// How often is asked. What is slow is asked less often, but not less than the least.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    pub cold: usize,
    pub warm: usize,
    /// Seconds for one sort of question.
    pub seconds: f64,
    pub least: usize,
}

/// The whole of it.
#[derive(Serialize, Deserialize)]
pub struct Plan {
    pub count: usize,
    pub pace: Pace,
    pub before: usize,
    pub queries: BTreeMap<Sort, Vec<Query>>,
}

/// The times of one sort of question, and how often the note stood among ten answers.
#[derive(Default, Serialize, Deserialize)]
pub struct Asked {
    pub ms: Vec<f64>,
    pub found: usize,
}

impl Plan {
    pub fn new(notes: &Notes, count: usize, pace: Pace) -> Self {
        let each = BEFORE + pace.warm.max(pace.cold);
        let of_sort = |sort: Sort| (0..each).map(|n| query(notes, count, sort, n)).collect();
        let queries = Sort::ALL.into_iter().map(|sort| (sort, of_sort(sort))).collect();
        Self { count, pace, before: BEFORE, queries }
    }

    pub fn write(&self, place: &Path) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        fs::write(place.join("plan.json"), text).map_err(|error| error.to_string())
    }

    pub fn read(place: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(place.join("plan.json")).map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    /// The questions before the counted ones, and the counted ones.
    pub fn of_sort(&self, sort: Sort) -> (&[Query], &[Query]) {
        let all = self.queries.get(&sort).map_or(&[][..], Vec::as_slice);
        all.split_at(self.before.min(all.len()))
    }

    /// Asks all questions in this process; `ask` gives the notes that were found.
    pub fn ask(
        &self,
        mut ask: impl FnMut(Sort, &str) -> Result<Vec<usize>, String>,
    ) -> Result<BTreeMap<Sort, Asked>, String> {
        let mut all = BTreeMap::new();
        for sort in Sort::ALL {
            let (before, counted) = self.of_sort(sort);
            for query in before {
                ask(sort, &query.text)?;
            }
            let mut asked = Asked::default();
            let begun = Instant::now();
            for query in counted.iter().take(self.pace.warm) {
                if begun.elapsed().as_secs_f64() > self.pace.seconds && asked.ms.len() >= self.pace.least {
                    break;
                }
                let start = Instant::now();
                let found = ask(sort, &query.text)?;
                asked.ms.push(start.elapsed().as_secs_f64() * 1000.0);
                // Many notes hold a word that begins so, and any of them is an answer.
                let is_found =
                    if sort == Sort::Prefix { !found.is_empty() } else { found.contains(&query.note) };
                asked.found += usize::from(is_found);
            }
            all.insert(sort, asked);
        }
        Ok(all)
    }
}

/// The `n`th question of a sort; a note that has no words for it is passed over.
fn query(notes: &Notes, count: usize, sort: Sort, n: usize) -> Query {
    let mut dice = Dice::new(3 + sort as u64, n);
    loop {
        let note = dice.below(count);
        let mut content = notes.note(note).words;
        content.retain(|&rank| notes.has_content(rank));
        let made = match sort {
            Sort::Words => pick(notes, &content, 3, 3, &mut dice).map(|words| words.join(" ")),
            Sort::Typo => {
                pick(notes, &content, 2, 5, &mut dice).and_then(|words| misspelt(notes, words, &mut dice))
            }
            Sort::Prefix => pick(notes, &content, 1, 6, &mut dice).map(|words| words[0][..4].to_owned()),
            Sort::Prompt => prompt(notes, &content, &mut dice),
        };
        if let Some(text) = made {
            return Query { text, note };
        }
    }
}

/// So many different words of at least this length.
fn pick(notes: &Notes, from: &[usize], many: usize, length: usize, dice: &mut Dice) -> Option<Vec<String>> {
    let mut from: Vec<&str> = from.iter().map(|&rank| notes.word(rank)).collect();
    from.retain(|word| word.len() >= length);
    from.sort_unstable();
    from.dedup();
    let mut picked = Vec::with_capacity(many);
    while picked.len() < many && !from.is_empty() {
        picked.push(from.swap_remove(dice.below(from.len())).to_owned());
    }
    (picked.len() == many).then_some(picked)
}

/// Changes a letter of one of the words, so that it is no longer a word.
fn misspelt(notes: &Notes, mut words: Vec<String>, dice: &mut Dice) -> Option<String> {
    let at = dice.below(words.len());
    let word = &words[at];
    let place = 1 + dice.below(word.len() - 1);
    let letter = char::from(b'a' + u8::try_from(dice.below(26)).unwrap_or(0));
    let changed = format!("{}{letter}{}", &word[..place], &word[place + 1..]);
    if notes.knows(&changed) {
        return None;
    }
    words[at] = changed;
    Some(words.join(" "))
}

/// 15 words of the note among 25 of any text.
fn prompt(notes: &Notes, content: &[usize], dice: &mut Dice) -> Option<String> {
    let mut words = pick(notes, content, 15, 3, dice)?;
    while words.len() < 40 {
        let other = notes.word(notes.draw(dice)).to_owned();
        words.insert(dice.below(words.len() + 1), other);
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { cold: 40, warm: 200, seconds: 5.0, least: 5 };

    #[test]
    fn each_sort_of_question_is_what_it_says() {
        let notes = Notes::new();
        let plan = Plan::new(&notes, 1000, PACE);
        for sort in Sort::ALL {
            let (before, counted) = plan.of_sort(sort);
            assert_eq!((before.len(), counted.len()), (BEFORE, 200));
            for query in counted {
                let words: Vec<&str> = query.text.split(' ').collect();
                let note = notes.note(query.note);
                let of_note = |word: &&&str| note.words.iter().any(|&rank| notes.word(rank) == **word);
                let known = words.iter().filter(of_note).count();
                match sort {
                    Sort::Words => assert_eq!((words.len(), known), (3, 3), "{}", query.text),
                    Sort::Typo => assert_eq!((words.len(), known), (2, 1), "{}", query.text),
                    Sort::Prefix => {
                        assert!(note.words.iter().any(|&rank| notes.word(rank).starts_with(&query.text)));
                    }
                    Sort::Prompt => assert!(words.len() == 40 && known >= 15, "{}", query.text),
                }
            }
        }
    }

    #[test]
    fn what_is_slow_is_asked_less_often_and_what_is_found_is_counted() {
        let plan = Plan::new(&Notes::new(), 1000, Pace { warm: 30, seconds: 0.0, least: 7, ..PACE });
        let asked = plan.ask(|_, _| Ok(vec![1_000_000])).unwrap();
        assert!(asked.values().all(|asked| asked.ms.len() == 7));
        assert_eq!((asked[&Sort::Words].found, asked[&Sort::Prefix].found), (0, 7));
        let note_of: BTreeMap<&str, usize> =
            plan.queries.values().flatten().map(|query| (query.text.as_str(), query.note)).collect();
        let asked = plan.ask(|_, text| Ok(vec![note_of[text]])).unwrap();
        assert!(asked.values().all(|asked| asked.found == 7));
    }
}
