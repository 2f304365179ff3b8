//! What must stand in the vault after a session: each decision and each lesson once, one handoff, and nothing else.
//!
//! It reads what `list --json` and `process --json` answer, as a person's script would, and the history.

use serde_json::Value;

use super::given;
use super::model::SCRIPT;

/// The memories, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// For each exchange of the script, how many memories hold its decision.
    pub decisions: Vec<usize>,
    /// The same for its lesson.
    pub lessons: Vec<usize>,
    pub handoffs: usize,
    /// What was kept before the session.
    pub before: usize,
    /// The beginnings of all others.
    pub others: Vec<String>,
}

/// Counts what `list --json` answered.
pub(super) fn count(listed: &str) -> Result<Count, String> {
    let listed = parsed(listed, "list")?;
    let memories = listed["memories"].as_array().ok_or("`list --json` answered no memories")?;
    let nothing = vec![0; SCRIPT.len()];
    let mut count = Count { decisions: nothing.clone(), lessons: nothing, ..Count::default() };
    for memory in memories {
        let kind = memory["kind"].as_str().unwrap_or_default();
        let text = memory["text"].as_str().unwrap_or_default();
        let decided = SCRIPT.iter().position(|exchange| text.contains(exchange.decision));
        let learned =
            SCRIPT.iter().position(|exchange| exchange.lesson.is_some_and(|words| text.contains(words)));
        match (kind, decided, learned) {
            // It stood there before, and must not come again out of what the agent was given.
            _ if given::KEPT.contains(&text) => count.before += 1,
            // It tells of the decisions too.
            ("handoff", ..) => count.handoffs += 1,
            ("decision", Some(number), _) => count.decisions[number] += 1,
            ("lesson", _, Some(number)) => count.lessons[number] += 1,
            _ => count.others.push(format!("{kind}: {}", text.chars().take(80).collect::<String>())),
        }
    }
    Ok(count)
}

/// What is wrong with a vault after so many exchanges of one session.
pub(super) fn complaints(count: &Count, exchanges: usize) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, exchange) in SCRIPT.iter().enumerate().take(exchanges) {
        if count.decisions[number] != 1 {
            let times = count.decisions[number];
            complaints.push(format!("the decision to {} stands {times} times", exchange.decision));
        }
        if exchange.lesson.is_some() && count.lessons[number] != 1 {
            complaints.push(format!(
                "the lesson of exchange {} stands {} times",
                number + 1,
                count.lessons[number]
            ));
        }
    }
    if count.handoffs != 1 {
        complaints.push(format!("one session has {} handoffs", count.handoffs));
    }
    if count.before != given::KEPT.len() {
        complaints.push(format!(
            "of {} memories from before there are {} now",
            given::KEPT.len(),
            count.before
        ));
    }
    complaints
        .extend(count.others.iter().map(|other| format!("nobody said that this is worth keeping: {other}")));
    complaints
}

/// What `process --json` says that it could not read.
pub(super) fn unread(processed: &str) -> Result<Vec<String>, String> {
    let processed = parsed(processed, "process")?;
    let lists = ["errors", "defects"].map(|name| processed[name].as_array().cloned().unwrap_or_default());
    Ok(lists.into_iter().flatten().map(|defect| format!("`process` could not read all: {defect}")).collect())
}

/// What is wrong with the history after so many exchanges: a hook must have told of replies, of none twice. Two that a
/// client tells within a minute, without their words and their time, are one.
pub(super) fn history(events: &str, exchanges: usize) -> Vec<String> {
    let is_reply =
        |line: &&str| serde_json::from_str::<Value>(line).is_ok_and(|event| event["kind"] == "reply");
    let replies = events.lines().filter(is_reply).count();
    if (1..=exchanges).contains(&replies) {
        return Vec::new();
    }
    vec![format!("the history holds {replies} replies that a hook told, of {exchanges}")]
}

fn parsed(answer: &str, command: &str) -> Result<Value, String> {
    serde_json::from_str(answer)
        .map_err(|error| format!("`{command} --json` answered something else: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(memories: &[&Value], exchanges: usize, expect: usize) {
        let before = given::KEPT.iter().map(|text| json!({"kind": "note", "text": text}));
        let all: Vec<Value> = memories.iter().map(|memory| (*memory).clone()).chain(before).collect();
        let count = count(&json!({ "memories": all }).to_string()).unwrap();
        assert_eq!(complaints(&count, exchanges).len(), expect, "{memories:?}");
    }

    #[test]
    fn each_thing_stands_once_and_nothing_else_does() {
        let memory = |kind: &str, text: &str| json!({"kind": kind, "text": format!("Said: {text}.")});
        let decision = memory("decision", SCRIPT[0].decision);
        let second = memory("decision", SCRIPT[1].decision);
        let lesson = memory("lesson", SCRIPT[0].lesson.unwrap());
        let handoff = memory("handoff", SCRIPT[0].says);
        let other = memory("note", SCRIPT[0].decision);
        check(&[&decision, &lesson, &handoff], 1, 0);
        check(&[&decision, &lesson, &handoff], 2, 1);
        check(&[&decision, &second, &lesson, &handoff], 2, 0);
        check(&[&decision, &decision, &lesson, &handoff], 1, 1);
        check(&[&decision, &lesson, &lesson, &handoff], 1, 1);
        check(&[&decision, &lesson, &handoff, &handoff], 1, 1);
        check(&[&decision, &lesson, &handoff, &other], 1, 1);
        check(&[&handoff], 1, 2);
        check(&[], 1, 3);
        check(&[&decision, &lesson, &handoff, &json!({"kind": "note", "text": given::KEPT[0]})], 1, 1);
        assert!(count("nothing").is_err() && count("[]").is_err());
    }

    #[test]
    fn replies_are_in_the_history_and_none_is_twice() {
        let (start, reply) = ("{\"kind\":\"session_start\"}\n", "{\"kind\":\"reply\"}\n");
        for (events, exchanges, expect) in [
            (format!("{start}{reply}"), 1, 0),
            (format!("{start}{reply}{reply}"), 2, 0),
            (format!("{start}{reply}"), 2, 0),
            (format!("{start}{reply}{reply}"), 1, 1),
            (start.to_owned(), 1, 1),
            (String::new(), 1, 1),
        ] {
            assert_eq!(history(&events, exchanges).len(), expect, "{events}");
        }
    }

    #[test]
    fn what_could_not_be_read_is_told() {
        let of = |answer: Value| unread(&answer.to_string()).map(|list| list.len());
        assert_eq!(of(json!({"errors": [], "defects": []})), Ok(0));
        assert_eq!(of(json!({"errors": [{"transcript": "a"}], "defects": [{"transcript": "b"}]})), Ok(2));
        assert!(unread("").is_err());
    }
}
