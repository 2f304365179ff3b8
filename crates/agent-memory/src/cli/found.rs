//! How an answer to a question looks: the vault tool's two lines for each hit, and on request the reasons.
//!
//! Stdout holds the hits and nothing else; why there are none, and what is the matter with the index, is talk.

use std::io;

use memory_engine::core::id::MemoryId;
use memory_engine::core::memory::Holds;
use memory_engine::core::query::{Query, parse};
use memory_engine::core::time::Time;
use memory_engine::{Answer, Hit, Memory, Search, Word, ambient};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome, background};
use crate::cli::nothing::{self, Nothing};
use crate::cli::shown::{self, counted};
use crate::output::{Page, Render, Tone, folded};

/// Words of a question that an explanation lists.
const MOST_WORDS: usize = 40;

/// What was asked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked<'a> {
    /// A question in words.
    Question(&'a str),
    /// What is like this memory.
    Memory(&'a MemoryId),
}

/// How much is told of each hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The hit.
    Brief,
    /// Also why it was found.
    Explained,
}

impl Detail {
    /// What `--explain` says.
    pub(crate) fn of_flag(explain: bool) -> Self {
        if explain { Self::Explained } else { Self::Brief }
    }
}

/// Shows an answer, says what there is to say about it, and lets the index be brought up to date if it lags.
pub(crate) fn tell(
    app: &mut App,
    memory: &Memory,
    search: &Search,
    answer: &Answer,
    asked: Asked<'_>,
    detail: Detail,
) -> Outcome<()> {
    let query = parse(&search.text, search.now.unwrap_or_else(ambient::now));
    let nothing = match (answer.hits.is_empty(), asked) {
        (false, Asked::Question(_)) => nothing::but_meaning(answer),
        (false, Asked::Memory(_)) => Nothing::default(),
        (true, Asked::Question(_)) => nothing::why(memory, search, &query, answer)?,
        (true, Asked::Memory(_)) => nothing::why_alone(search, answer),
    };
    let only = only(search, &query);
    app.out.show(&Found { asked, answer, detail, query: &query, only: &only, nothing: &nothing })?;
    app.out.flush()?;
    for note in &answer.notes {
        app.out.note(&format!("`{}` is taken as text: {}", note.typed, note.why));
    }
    nothing.sentences.iter().for_each(|sentence| app.out.mention(sentence));
    tell_index(app, answer);
    if nothing.is_missing { Err(Failure::Told(2)) } else { Ok(()) }
}

/// The answer where there is no memory to ask.
pub(crate) fn nothing_yet(app: &mut App, text: &str) -> Outcome<()> {
    let sentence =
        "no memories yet: `agent-memory init` sets a memory up, `agent-memory remember` keeps the first";
    let nothing = Nothing { sentences: vec![sentence.to_owned()], is_missing: false };
    let answer = Answer::default();
    let (asked, detail) = (Asked::Question(text), Detail::Brief);
    let query = Query::default();
    app.out.show(&Found { asked, answer: &answer, detail, query: &query, only: &[], nothing: &nothing })?;
    app.out.flush()?;
    app.out.mention(sentence);
    Ok(())
}

fn tell_index(app: &mut App, answer: &Answer) {
    let step = match background::is_on() {
        true => "it is being made in the background",
        false => "`agent-memory index update` makes it",
    };
    if let Some(why) = &answer.broken_index {
        app.out.warn(&format!("the index could not be used, so every memory was read: {why}; {step} anew"));
        app.index_lags();
    } else if answer.behind >= background::MANY {
        let waiting = counted(answer.behind as u64, "memory");
        app.out.note(&format!("{waiting} had to be read for this, for want of an index of them; {step}"));
        app.index_lags();
    }
}

/// What must hold of a memory apart from its words, from flags and question alike.
fn only(search: &Search, query: &Query) -> Vec<String> {
    let filter = &query.filter;
    let mut only = Vec::new();
    let mut add = |name: &str, value: &str| only.push(format!("{name} {value}"));
    search.audience.agent.iter().for_each(|it| add("what may be seen by", it.as_str()));
    search.agent.iter().chain(&filter.agents.yes).for_each(|it| add("agent", it.as_str()));
    filter.agents.no.iter().for_each(|it| add("not agent", it.as_str()));
    search.category.iter().chain(&filter.categories.yes).for_each(|it| add("category", it.as_str()));
    filter.categories.no.iter().for_each(|it| add("not category", it.as_str()));
    search.kind.iter().chain(&filter.kinds.yes).for_each(|it| add("kind", it.word()));
    filter.kinds.no.iter().for_each(|it| add("not kind", it.word()));
    search.tag.iter().chain(&filter.tags.yes).for_each(|it| add("tag", it.as_str()));
    filter.tags.no.iter().for_each(|it| add("not tag", it.as_str()));
    search.since.max(filter.since).iter().for_each(|it| add("since", &it.minute()));
    let until = [search.until, filter.until].into_iter().flatten().min();
    until.iter().for_each(|it| add("before", &it.minute()));
    match search.holds {
        Holds::At(moment) => add("what held at", &moment.minute()),
        Holds::Ever | Holds::Now => {}
    }
    query.phrases.iter().for_each(|it| add("the phrase", &format!("\"{it}\"")));
    query.not.iter().for_each(|it| add("without", &format!("\"{it}\"")));
    only
}

struct Found<'a> {
    asked: Asked<'a>,
    answer: &'a Answer,
    detail: Detail,
    query: &'a Query,
    only: &'a [String],
    nothing: &'a Nothing,
}

impl Render for Found<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.answer.hits.is_empty() {
            page.say("(no results)")?;
        }
        for (n, hit) in self.answer.hits.iter().enumerate() {
            if n > 0 {
                page.say("")?;
            }
            head(page, hit)?;
            page.passage(&hit.passage.text, &hit.passage.marks)?;
            alike(page, hit)?;
            if self.detail == Detail::Explained {
                reasons(page, hit)?;
            }
        }
        if self.detail == Detail::Explained {
            page.say("")?;
            self.understood(page)?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let results: Vec<Value> = self.answer.hits.iter().map(|hit| hit_json(hit, self.detail)).collect();
        let words = self.answer.words.iter();
        let words = words.map(|it| json!({ "word": it.word, "memories": it.memories, "near": it.near }));
        let notes = self.answer.notes.iter().map(|it| json!({ "typed": it.typed, "why": it.why }));
        let mut value = match self.asked {
            Asked::Question(text) => json!({ "query": text }),
            Asked::Memory(id) => json!({ "id": id }),
        };
        if let Value::Object(fields) = &mut value {
            fields.insert("results".to_owned(), results.into());
            fields.insert("hidden".to_owned(), self.answer.hidden.into());
            fields.insert("behind".to_owned(), self.answer.behind.into());
            fields.insert("words".to_owned(), words.collect());
            fields.insert("notes".to_owned(), notes.collect());
            if self.detail == Detail::Explained {
                fields.insert("only".to_owned(), self.only.into());
                if let Some(time) = &self.answer.time {
                    let minute = |time: Option<Time>| time.map(|time| time.minute());
                    let ends = json!({ "since": minute(time.since), "before": minute(time.until) });
                    fields.insert("time".to_owned(), ends);
                }
            }
            if !self.nothing.sentences.is_empty() {
                fields.insert("why".to_owned(), self.nothing.sentences.as_slice().into());
            }
        }
        value
    }
}

/// `[agent/category] id score=0.000`, as the vault tool has it, then the day and the place.
fn head(page: &mut Page<'_>, hit: &Hit) -> io::Result<()> {
    let entry = &hit.entry;
    let day = entry.memory.dated().map_or_else(|| "by hand".to_owned(), Time::day);
    page.line(&[
        (Tone::Strong, &format!("[{}]", shown::place(entry))),
        (Tone::Plain, " "),
        (Tone::Id, entry.memory.id.as_str()),
        (Tone::Plain, &format!(" score={:.3}", hit.score)),
        (Tone::Warn, &shown::doubt(entry).map_or(String::new(), |doubt| format!(" {doubt}"))),
        (Tone::Dim, &format!("  {day}  {}", place(hit))),
    ])?;
    if let Some(by) = entry.memory.superseded_by() {
        page.line(&[(Tone::Warn, &format!("  superseded by {by}"))])?;
    }
    // A page shows its title as its first heading anyway.
    match entry.memory.title.as_ref().filter(|title| !hit.passage.text.contains(title.as_str())) {
        Some(title) => page.line(&[(Tone::Strong, &format!("  {}", folded(title, 120)))]),
        None => Ok(()),
    }
}

/// File and lines of the passage, as editors take them.
fn place(hit: &Hit) -> String {
    let (file, first, last) = (&hit.entry.file, hit.passage.first_line, hit.passage.last_line);
    match (first, last) {
        (0, _) => file.clone(),
        (first, last) if first == last => format!("{file}:{first}"),
        (first, last) => format!("{file}:{first}-{last}"),
    }
}

fn reasons(page: &mut Page<'_>, hit: &Hit) -> io::Result<()> {
    let mut line = |text: String| page.line(&[(Tone::Dim, &format!("    {text}"))]);
    let parts: Vec<String> =
        hit.reasons.iter().map(|(prior, part)| format!("{} {part:+.3}", prior.word())).collect();
    match (parts.is_empty(), hit.matched.is_empty()) {
        (true, true) => return line("nothing was asked but filters: the newest stand first".to_owned()),
        (true, false) => {}
        (false, _) => line(format!("score: {}", parts.join(", ")))?,
    }
    let matched: Vec<String> =
        hit.matched.iter().map(|(word, fields)| format!("{word} ({})", fields.join(", "))).collect();
    line(match matched.is_empty() {
        true => "no word of the question stands in it".to_owned(),
        false => format!("holds: {}", matched.join(", ")),
    })
}

/// Which memories are not shown because they say nearly what this one says.
fn alike(page: &mut Page<'_>, hit: &Hit) -> io::Result<()> {
    if hit.also.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = hit.also.iter().map(MemoryId::as_str).collect();
    page.line(&[(Tone::Dim, &format!("  nearly the same: {}", ids.join(", ")))])
}

impl Found<'_> {
    /// The question as it was understood.
    fn understood(&self, page: &mut Page<'_>) -> io::Result<()> {
        let answer = self.answer;
        match self.asked {
            Asked::Question(text) => {
                page.line(&[(Tone::Strong, "question: "), (Tone::Plain, &folded(text, 120))])?;
            }
            Asked::Memory(id) => page.line(&[(Tone::Strong, "related to "), (Tone::Id, id.as_str())])?,
        }
        let words = answer.words.iter().take(MOST_WORDS);
        let width = words.clone().map(|it| it.word.chars().count().min(30)).max().unwrap_or(0);
        for word in words {
            page.put(Tone::Plain, "  ")?;
            page.column(Tone::Mark, &folded(&word.word, 30), width)?;
            page.say(&held(word))?;
        }
        if answer.words.len() > MOST_WORDS {
            page.say(&format!("  … and {}", counted((answer.words.len() - MOST_WORDS) as u64, "word")))?;
        }
        if answer.words.is_empty() && self.query.words().trim().is_empty() {
            page.say("  no words")?;
        }
        if let Some(time) = &answer.time {
            page.say(&format!("  time: {}", nothing::spoken(time)))?;
        }
        if !self.only.is_empty() {
            page.say(&format!("  only: {}", self.only.join(", ")))?;
        }
        for note in &answer.notes {
            page.say(&format!("  `{}` taken as text: {}", note.typed, note.why))?;
        }
        if answer.hidden > 0 {
            page.say(&format!("  {} hidden by scope", counted(answer.hidden as u64, "memory")))?;
        }
        if answer.behind > 0 {
            page.say(&format!("  {} read outside the index", counted(answer.behind as u64, "memory")))?;
        }
        Ok(())
    }
}

/// How many memories hold a word.
fn held(word: &Word) -> String {
    let count = match word.memories {
        0 => "in no memory".to_owned(),
        count => format!("in {}", counted(count as u64, "memory")),
    };
    match (word.near.is_empty(), word.known) {
        (true, _) => count,
        (false, true) => format!("{count}, taken for {} too", word.near.join(", ")),
        (false, false) => format!("{count}, taken for {}", word.near.join(", ")),
    }
}

fn hit_json(hit: &Hit, detail: Detail) -> Value {
    let (entry, memory) = (&hit.entry, &hit.entry.memory);
    // Six digits are what the number has; more would only show how it is stored.
    let number = |score: f32| (f64::from(score) * 1e6).round() / 1e6;
    let mut value = json!({
        "id": memory.id,
        "agentId": entry.agent(),
        "category": entry.category(),
        "kind": memory.kind,
        "scope": memory.scope,
        "class": memory.provenance.class.word(),
        "title": memory.title,
        "tags": memory.tags,
        "date": memory.dated().map(Time::minute),
        "score": number(hit.score),
        "snippet": hit.passage.text,
        "content": memory.body.as_str(),
        "file": entry.file,
        "firstLine": hit.passage.first_line,
        "lastLine": hit.passage.last_line,
        "also": hit.also,
        "supersededBy": memory.superseded_by(),
    });
    if let Value::Object(fields) = &mut value {
        if detail == Detail::Explained {
            let reasons = hit.reasons.iter();
            let reasons = reasons.map(|(prior, part)| (prior.word().to_owned(), number(*part).into()));
            fields.insert("reasons".to_owned(), Value::Object(reasons.collect()));
            let matched = hit.matched.iter().map(|(word, fields)| (word.clone(), json!(fields)));
            fields.insert("matched".to_owned(), Value::Object(matched.collect()));
        }
        fields.retain(|_, field| !field.is_null());
    }
    value
}
