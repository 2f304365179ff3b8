//! What must stand in the vault after a session: each decision once, a handoff, and nothing more after another pass.
//!
//! It reads what `list --json` answers, as a person's script would.

use serde_json::Value;

use super::model::SCRIPT;

/// The memories that matter here, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// For each exchange of the script, how many memories hold its decision.
    pub decisions: Vec<usize>,
    pub handoffs: usize,
    pub all: usize,
}

/// Counts what `list --json` answered.
pub(super) fn count(listed: &str) -> Result<Count, String> {
    let listed: Value = serde_json::from_str(listed)
        .map_err(|error| format!("`list --json` answered something else: {error}"))?;
    let memories = listed["memories"].as_array().ok_or("`list --json` answered no memories")?;
    // A handoff tells of the decisions too; it is not the memory of one.
    let is_handoff = |memory: &&Value| memory["kind"] == "handoff";
    let holds =
        |memory: &Value, words: &str| memory["text"].as_str().is_some_and(|text| text.contains(words));
    let of_decision = |words: &str| {
        memories.iter().filter(|memory| !is_handoff(memory)).filter(|memory| holds(memory, words)).count()
    };
    Ok(Count {
        decisions: SCRIPT.iter().map(|exchange| of_decision(exchange.decision)).collect(),
        handoffs: memories.iter().filter(is_handoff).count(),
        all: memories.len(),
    })
}

/// What is wrong with a vault after so many exchanges.
pub(super) fn complaints(count: &Count, exchanges: usize) -> Vec<String> {
    let mut complaints = Vec::new();
    for (exchange, &times) in SCRIPT.iter().zip(&count.decisions).take(exchanges) {
        if times != 1 {
            complaints.push(format!("the decision to {} stands {times} times", exchange.decision));
        }
    }
    // The second exchange goes on with the session of the first.
    if count.handoffs != 1 {
        complaints.push(format!("one session has {} handoffs", count.handoffs));
    }
    complaints
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_decision_stands_once_and_a_handoff_is_not_one() {
        let first = json!({"kind": "decision", "text": format!("We decided: {}", SCRIPT[0].says)});
        let handoff = json!({"kind": "handoff", "text": SCRIPT[0].says});
        for (memories, exchanges, expect) in [
            (vec![first.clone(), handoff.clone()], 1, 0),
            (vec![first.clone(), handoff.clone()], 2, 1),
            (vec![first.clone(), first.clone(), handoff.clone()], 1, 1),
            (vec![first], 1, 1),
            (vec![handoff], 1, 1),
            (vec![], 1, 2),
        ] {
            let count = count(&json!({"memories": memories}).to_string()).unwrap();
            assert_eq!(complaints(&count, exchanges).len(), expect, "{memories:?}");
        }
        assert!(count("nothing").is_err() && count("[]").is_err());
    }
}
