//! Conversations and notes in one root, as a memory that has grown holds them: neither sort may hide the other.
//!
//! Each conversation of the sets gets a share of one pool of notes, kept from sessions a few at a time, and the questions
//! of both are asked; a category is the set that a question comes from.

use std::collections::HashSet;
use std::path::PathBuf;

use super::pool::{self, Pool};

pub const NAME: &str = "mixed";

/// Conversations of one set that are taken: some sets have a hundred.
const TALKS: usize = 10;
/// Notes that are put beside a conversation besides those that answer.
const NOTES: usize = 600;
/// Notes that are kept from one session.
const TOGETHER: usize = 5;
/// Questions that are asked of each of the two.
const QUESTIONS: usize = 60;

/// The pools, made of the sets of a folder; `None` where one of the two sorts is missing.
pub fn pools(files: &[(String, PathBuf)]) -> Result<Option<Vec<Pool>>, String> {
    let (mut talks, mut notes) = (Vec::new(), Vec::new());
    for (name, file) in files {
        let mut taken = 0;
        pool::each(file, &mut |mut pool| {
            pool.queries.retain(|query| !query.gold.is_empty());
            pool.queries.iter_mut().for_each(|query| query.cat.clone_from(name));
            if !pool.docs.iter().all(|doc| doc.is_turn) {
                notes.push(pool);
            } else if taken < TALKS {
                talks.push(pool);
                taken += 1;
            }
            Ok(())
        })?;
    }
    if talks.is_empty() || notes.is_empty() {
        return Ok(None);
    }
    Ok(Some(talks.into_iter().zip(notes.iter().cycle()).map(|(talk, notes)| mixed(talk, notes)).collect()))
}

fn mixed(mut talk: Pool, notes: &Pool) -> Pool {
    talk.queries = spread(&talk.queries, QUESTIONS);
    let mut notes = Pool { queries: spread(&notes.queries, QUESTIONS), ..notes.clone() };
    let wanted: HashSet<&str> =
        notes.queries.iter().flat_map(|query| &query.gold).map(String::as_str).collect();
    let (answers, others): (Vec<_>, Vec<_>) =
        notes.docs.into_iter().partition(|doc| wanted.contains(doc.id.as_str()));
    notes.docs = spread(&others, NOTES);
    notes.docs.extend(answers);
    for (n, doc) in notes.docs.iter_mut().enumerate() {
        doc.kept_from = Some(format!("notes-{}", n / TOGETHER));
    }
    // Two sets may number their documents alike.
    notes.docs.iter_mut().for_each(|doc| doc.id.insert_str(0, "note "));
    notes.queries.iter_mut().flat_map(|query| &mut query.gold).for_each(|id| id.insert_str(0, "note "));
    talk.pool = format!("{} and {}", talk.pool, notes.pool);
    talk.docs.append(&mut notes.docs);
    talk.queries.append(&mut notes.queries);
    talk
}

/// So many of a list at most, from all over it.
fn spread<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    all.iter().step_by(all.len().div_ceil(most).max(1)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(name: &str, docs: usize, is_turn: bool) -> Pool {
        let docs: Vec<_> = (0..docs)
            .map(|n| serde_json::json!({ "id": n.to_string(), "text": "t", "who": if is_turn { "Ana" } else { "" } }))
            .collect();
        let queries = serde_json::json!([{ "qid": "1", "q": "t?", "gold": ["0"] }]);
        let mut pool: Pool =
            serde_json::from_value(serde_json::json!({ "pool": name, "docs": docs, "queries": queries }))
                .unwrap();
        pool.docs.iter_mut().for_each(|doc| doc.is_turn = is_turn);
        pool
    }

    #[test]
    fn both_sorts_stand_in_one_pool_and_their_answers_with_them() {
        let mixed = mixed(pool("talk", 5, true), &pool("notes", 2000, false));
        assert_eq!(mixed.docs.iter().filter(|doc| doc.is_turn).count(), 5);
        assert!((400..=NOTES + 1).contains(&(mixed.docs.len() - 5)), "{}", mixed.docs.len());
        let held: HashSet<&str> = mixed.docs.iter().map(|doc| doc.id.as_str()).collect();
        assert_eq!(held.len(), mixed.docs.len(), "an id stands twice");
        assert!(mixed.queries.iter().flat_map(|query| &query.gold).all(|id| held.contains(id.as_str())));
    }
}
