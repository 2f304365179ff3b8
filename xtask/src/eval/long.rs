//! Long notes about many things, as meetings and logs of a week are: each question asks for one thing in one of them.
//!
//! The notes of the sets that are no conversations are joined, some of them a dozen or a score to one, others not at all.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use super::pool::{self, Doc, Pool};

pub const NAME: &str = "long";

/// How many notes are joined, in turn.
const TOGETHER: [usize; 5] = [1, 12, 1, 20, 1];
/// A pool of fewer than this is no pool any more once its notes are joined.
const LEAST: usize = 500;

/// The pools, made of the notes of a folder; `None` where there are none.
pub fn pools(files: &[(String, PathBuf)]) -> Result<Option<Vec<Pool>>, String> {
    let mut all = Vec::new();
    for (name, file) in files {
        pool::each(file, &mut |mut pool| {
            pool.queries.iter_mut().for_each(|query| query.cat.clone_from(name));
            if pool.docs.len() >= LEAST && !pool.docs.iter().any(|doc| doc.is_turn) {
                all.push(joined(pool));
            }
            Ok(())
        })?;
    }
    Ok(Some(all).filter(|all| !all.is_empty()))
}

fn joined(mut pool: Pool) -> Pool {
    // What was kept one after the other is often about one thing; every so many-th is not.
    let apart = pool.docs.len().isqrt();
    let mut docs: Vec<(usize, Doc)> = pool.docs.drain(..).enumerate().collect();
    docs.sort_by_key(|(n, _)| (n % apart, *n));
    let mut rest = docs.into_iter().map(|(_, doc)| doc).peekable();
    let mut place: HashMap<String, String> = HashMap::new();
    for count in TOGETHER.into_iter().cycle() {
        let Some(mut long) = rest.next() else { break };
        place.insert(long.id.clone(), long.id.clone());
        for other in rest.by_ref().take(count - 1) {
            long.text.push_str("\n\n");
            long.text.push_str(&other.text);
            place.insert(other.id, long.id.clone());
        }
        pool.docs.push(long);
    }
    for query in &mut pool.queries {
        let gold: BTreeSet<String> = query.gold.iter().filter_map(|id| place.get(id).cloned()).collect();
        query.gold = gold.into_iter().collect();
    }
    pool.queries.retain(|query| !query.gold.is_empty());
    pool
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_note_stands_in_one_and_its_questions_ask_for_that() {
        let docs: Vec<_> = (0..100)
            .map(|n| serde_json::json!({ "id": n.to_string(), "text": format!("note {n}.") }))
            .collect();
        let asked = (0..100)
            .map(|n| serde_json::json!({ "qid": "q", "q": format!("note {n}."), "gold": [n.to_string()] }));
        let queries: Vec<_> = asked.collect();
        let pool = serde_json::json!({ "pool": "notes", "docs": docs, "queries": queries });
        let joined = joined(serde_json::from_value(pool).unwrap());
        assert!((10..30).contains(&joined.docs.len()), "{}", joined.docs.len());
        assert_eq!(joined.queries.len(), 100);
        for query in &joined.queries {
            let gold = joined.docs.iter().find(|doc| doc.id == query.gold[0]).unwrap();
            assert!(gold.text.contains(&query.q), "{} in {}", query.q, gold.text);
        }
    }
}
