//! What the model was really given: our block in its requests, whole and once, and again after compaction.
//!
//! Two things are kept before the session begins. One is told at its start, the other only answers the first prompt, so
//! each shows whether its own way works.

use serde_json::Value;

use super::model::Seen;
use super::place::Place;

/// A line of the project's page.
const PAGE: &str = "Tide tables come from buoy NINE-SEVEN.";
/// A task that is open.
const TASK: &str = "- [ ] paint the harbour crane";
/// A note that answers the first prompt, and is told to nobody who does not ask.
const NOTE: &str = "About the session store and greeting.txt: what we settled is marked plover-63";

/// The memories that are kept before the session.
pub(super) const KEPT: &[&str] = &[TASK, NOTE];

const OPEN: &str = "<agent-memory-context>";
const CLOSE: &str = "</agent-memory-context>";

/// Keeps what the session is to be given.
pub(super) fn prepare(place: &Place) -> Result<(), String> {
    let page = place.project().join(".memory/_project.md");
    std::fs::write(&page, format!("# Harbour\n\n{PAGE}\n"))
        .map_err(|error| format!("`{}`: {error}", page.display()))?;
    place.product(&["remember", "--", TASK])?;
    place.product(&["remember", "--kind", "note", NOTE])?;
    Ok(())
}

/// What is wrong with the last request that holds this prompt, as a model would see it.
pub(super) fn complaints(seen: &[Seen], prompt: &str, wanted: &[Wanted]) -> Vec<String> {
    let requests = seen.iter().filter(|seen| seen.method == "POST").map(|seen| texts(&seen.body));
    let Some(texts) = requests.rev().find(|texts| texts.iter().any(|text| text.contains(prompt))) else {
        return vec!["no request holds the prompt".to_owned()];
    };
    let mut complaints = Vec::new();
    let count = |part: &str| texts.iter().map(|text| text.matches(part).count()).sum::<usize>();
    for one in wanted {
        let (what, part) = match one {
            Wanted::Start => ("what a session starts with", PAGE),
            Wanted::Answer => ("what answers the prompt", NOTE),
        };
        match count(part) {
            1 => {}
            times => complaints.push(format!("{what} stands {times} times in the model's request, not once")),
        }
    }
    if wanted.contains(&Wanted::Start) && count(TASK) != 1 {
        complaints
            .push(format!("the open task stands {} times in the model's request, not once", count(TASK)));
    }
    for text in texts.iter().filter(|text| text.contains(OPEN)) {
        if !is_whole(text) {
            complaints.push(format!("a block is not whole: {text}"));
        }
    }
    complaints
}

/// What must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Start,
    Answer,
}

/// Whether every block in a text begins and ends.
fn is_whole(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        let inside = &rest[at + OPEN.len()..];
        let Some(end) = inside.find(CLOSE) else { return false };
        let block = &inside[..end];
        if block.contains(OPEN) || !block.starts_with("\n## MEMORY CONTEXT\n") || !block.ends_with("\n---\n")
        {
            return false;
        }
        rest = &inside[end + CLOSE.len()..];
    }
    true
}

/// Every text in a request.
fn texts(body: &Value) -> Vec<String> {
    match body {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::Object(all) => all.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_block_counts_once_and_whole() {
        let block = |inner: &str| format!("{OPEN}\n## MEMORY CONTEXT\n{inner}\n---\n{CLOSE}");
        let check = |texts: &[String], wanted: &[Wanted], expect: usize| {
            let body = json!({ "messages": [{ "content": texts }] });
            let seen = Seen { method: "POST".into(), path: "/".into(), body, answer: String::new() };
            assert_eq!(complaints(&[seen], "do it", wanted).len(), expect, "{texts:?}");
        };
        let start = block(&format!("{PAGE}\n{TASK}"));
        let answer = block(NOTE);
        let both = [Wanted::Start, Wanted::Answer];
        check(&["do it".into(), start.clone(), answer.clone()], &both, 0);
        check(&["do it".into(), start.clone()], &[Wanted::Start], 0);
        check(&["do it".into(), start.clone()], &both, 1);
        check(&["do it".into(), start.clone(), start.clone(), answer.clone()], &both, 2);
        check(&["do it".into(), start.replace(CLOSE, "")], &[Wanted::Start], 1);
        check(&["something else".into()], &both, 1);
    }
}
