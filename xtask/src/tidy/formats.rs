//! The examples in docs/formats.md are read with the code that reads real files, and no kind of file is left out.

use std::path::Path;
use std::sync::Arc;

use memory_core::config::Resolved;
use memory_core::event::{self, EventLog};
use memory_core::layout::{self, Home, Layout};
use memory_core::state::{Checkpoint, Manifest, State, parse_sources, render_sources};
use memory_engine::Memory;
use memory_engine::disk::OsDisk;

use crate::run::root;

const KINDS: [&str; 10] =
    ["vault", "page", "record", "journal", "events", "state", "checkpoint", "manifest", "sources", "batch"];

#[test]
fn every_example_in_docs_formats_is_understood() {
    let text = std::fs::read_to_string(root().join("docs/formats.md")).unwrap_or_default();
    super::none(&misunderstood(&text));
}

#[test]
fn docs_formats_names_every_table_of_the_ledger() {
    let schema = std::fs::read_to_string(root().join("crates/memory-engine/src/ledger/schema.rs")).unwrap();
    let text = std::fs::read_to_string(root().join("docs/formats.md")).unwrap_or_default();
    let tables: Vec<&str> =
        schema.split("CREATE TABLE ").skip(1).filter_map(|rest| rest.split('(').next()).collect();
    assert!(!tables.is_empty());
    for table in tables {
        assert!(
            text.contains(&format!("| `{table}` |")),
            "docs/formats.md does not tell of the table `{table}`"
        );
    }
}

/// A fenced block whose first word is one of ours.
struct Example<'a> {
    line: usize,
    kind: &'a str,
    file: &'a str,
    text: String,
}

fn examples(document: &str) -> Vec<Example<'_>> {
    let mut found = Vec::new();
    let mut open: Option<Example<'_>> = None;
    for (n, line) in document.lines().enumerate() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(words), None) => {
                let (kind, file) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
                open = Some(Example { line: n + 1, kind, file, text: String::new() });
            }
            (None, Some(example)) => {
                example.text.push_str(line);
                example.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found.retain(|example| KINDS.contains(&example.kind));
    found
}

fn misunderstood(document: &str) -> Vec<String> {
    let examples = examples(document);
    let mut complaints: Vec<String> = KINDS
        .iter()
        .filter(|kind| !examples.iter().any(|example| example.kind == **kind))
        .map(|kind| format!("there is no example of `{kind}`"))
        .collect();
    for example in &examples {
        if let Err(why) = read(example) {
            complaints.push(format!("line {}: `{}`: {why}", example.line, example.kind));
        }
    }
    let batch: Vec<&Example<'_>> = examples.iter().filter(|example| example.kind == "batch").collect();
    complaints.extend(restores(&batch).err());
    complaints
}

fn read(example: &Example<'_>) -> Result<(), String> {
    let text = example.text.as_str();
    let wrong = |error: memory_core::event::HistoryError| error.to_string();
    let canonical = match example.kind {
        "vault" => return of_layout(example, Layout::Vault),
        "page" => return of_layout(example, Layout::Page),
        "record" => return of_layout(example, Layout::Record),
        "journal" => return of_layout(example, Layout::Journal),
        "events" => {
            let log = EventLog::read(text.as_bytes());
            if log.events.is_empty() || !log.defects.is_empty() {
                return Err(format!("{} events, defects: {:?}", log.events.len(), log.defects));
            }
            event::render(log.events.iter().map(|logged| &logged.event))
        }
        "state" => {
            let state = State::parse(text).map_err(wrong)?;
            state.verify().map_err(wrong)?;
            state.render()
        }
        "checkpoint" => {
            let checkpoint = Checkpoint::parse(text).map_err(wrong)?;
            checkpoint.verify().map_err(wrong)?;
            checkpoint.render()
        }
        "manifest" => Manifest::parse(text).map_err(wrong)?.render(),
        "sources" => render_sources(&parse_sources(text).map_err(wrong)?),
        // Files of a batch are looked at together.
        _ => return Ok(()),
    };
    if canonical == text { Ok(()) } else { Err(format!("it would be written as:\n{canonical}")) }
}

fn of_layout(example: &Example<'_>, layout: Layout) -> Result<(), String> {
    let home = Home::of_path(example.file).ok_or_else(|| format!("`{}` is no memory file", example.file))?;
    if home.layout() != layout {
        return Err(format!("`{}` is not of this layout", example.file));
    }
    let reading = layout::read(&home, example.text.as_bytes());
    match (reading.found.len(), reading.defects.as_slice()) {
        (1.., []) => Ok(()),
        (count, defects) => Err(format!("{count} memories, defects: {defects:?}")),
    }
}

/// Lays the files of a batch into a folder, and asks the engine to list and restore them.
fn restores(files: &[&Example<'_>]) -> Result<(), String> {
    let Some(name) = files.first().and_then(|file| Path::new(file.file).parent()?.file_name()?.to_str())
    else {
        return Ok(());
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for file in files {
        let path = folder.path().join(file.file);
        let parent = path.parent().ok_or("a file of a batch needs a folder")?;
        std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        // The bytes of an entry end before the line end of its last line.
        let text = if file.file.ends_with(".json") { &file.text } else { file.text.trim_end() };
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
    }
    let wrong = |error: memory_engine::Error| format!("the batch `{name}`: {error}");
    let disk = OsDisk::open(folder.path()).map_err(wrong)?;
    let memory = Memory::with(Arc::new(disk), Resolved::default()).map_err(wrong)?;
    let listed = memory.archive(&Default::default()).map_err(wrong)?;
    let items: usize = listed.iter().map(|batch| batch.items.len()).sum();
    let restored = memory.restore(name).map_err(wrong)?;
    if items + 1 == files.len() && restored.ids.len() == items {
        Ok(())
    } else {
        Err(format!("the batch `{name}` lists {items} entries and restores {}", restored.ids.len()))
    }
}

#[test]
fn an_example_that_is_not_understood_is_found() {
    let document = std::fs::read_to_string(root().join("docs/formats.md")).unwrap_or_default();
    let check = |from: &str, to: &str, expect: &str| {
        assert!(document.contains(from), "{from}");
        let found = misunderstood(&document.replacen(from, to, 1));
        assert!(found.len() == 1 && found[0].contains(expect), "{from} -> {to}: {found:?}");
    };
    check("<!-- id:1773600000000 -->", "<!-- id:1773679871839 -->", "duplicate-id");
    check("```vault dev/decisions.md", "```vault dev", "no memory file");
    check("```page USER.md", "```page MEMORY.md", "not of this layout");
    check("\"kind\": \"fact\",", "\"kind\": \"fact\"", "record-bad-json");
    check("- {\"id\":\"0b9f3a52\",\"sessionId\"", "- {\"id\":\"0b9f3a52\",sessionId", "journal-bad-line");
    check("{\"id\":\"evt-000001\"", "{\"id\":\"evt\"", "bad-event");
    check("\"name\": \"tide-clock\"", "\"name\": \"tide-watch\"", "bundle");
    check("\"keepRecent\": 10", "\"keepRecent\":  10", "written as");
    check("```sources", "```json", "no example of `sources`");
    check("\"digest\": \"", "\"digest\": \"0", "not those that were archived");
}
