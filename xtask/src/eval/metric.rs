//! What is measured of one question: how much of the known answer comes back, how early, and inside how many tokens.

use std::collections::HashSet;

use super::pool::{Pool, Query};

/// The names of the figures, in their order.
pub const NAMES: [&str; 16] = [
    "recall@1",
    "recall@5",
    "recall@10",
    "recall@20",
    "any@5",
    "any@10",
    "all@5",
    "all@10",
    "ndcg@10",
    "mrr",
    "in 500",
    "in 1000",
    "in 2000",
    "in 4000",
    "sess any@5",
    "sess all@5",
];

/// The figures of one question.
pub struct Figures(pub [f64; NAMES.len()]);

impl Figures {
    /// Measures a ranking of the pool's documents.
    pub fn of(pool: &Pool, query: &Query, ranked: &[usize]) -> Self {
        let gold: HashSet<&str> = query.gold.iter().map(String::as_str).collect();
        let is_gold = |doc: &usize| gold.contains(pool.docs[*doc].id.as_str());
        let found = |k: usize| ranked.iter().take(k).filter(|doc| is_gold(doc)).count() as f64;
        let all = gold.len() as f64;
        let share = |k: usize| found(k) / all;
        let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
        let ideal: f64 = (0..gold.len().min(10)).map(gain).sum();
        let got: f64 =
            ranked.iter().take(10).enumerate().filter(|(_, doc)| is_gold(doc)).map(|(n, _)| gain(n)).sum();
        let first = ranked.iter().position(&is_gold);
        let packed = |budget: usize| {
            let mut left = budget;
            let mut held = 0.0;
            for doc in ranked {
                let cost = tokens(pool, *doc);
                if cost <= left {
                    left -= cost;
                    held += f64::from(u8::from(is_gold(doc)));
                }
            }
            held / all
        };
        let wanted: HashSet<String> = query.gold_sessions().into_iter().collect();
        let mut sessions: Vec<String> = Vec::new();
        for doc in ranked {
            let session = pool.docs[*doc].session();
            if !sessions.contains(&session) {
                sessions.push(session);
            }
        }
        let in_five = sessions.iter().take(5).filter(|session| wanted.contains(*session)).count();
        let flag = |set: bool| f64::from(u8::from(set));
        Self([
            share(1),
            share(5),
            share(10),
            share(20),
            flag(found(5) > 0.0),
            flag(found(10) > 0.0),
            flag(found(5) >= all),
            flag(found(10) >= all),
            got / ideal,
            first.map_or(0.0, |n| 1.0 / (n as f64 + 1.0)),
            packed(500),
            packed(1000),
            packed(2000),
            packed(4000),
            flag(in_five > 0),
            flag(in_five >= wanted.len()),
        ])
    }
}

/// What a document costs as it would be shown: `[date] who: text`, four characters a token.
fn tokens(pool: &Pool, doc: usize) -> usize {
    let doc = &pool.docs[doc];
    let around = [doc.date.as_str(), doc.who.as_str()].into_iter().filter(|part| !part.is_empty());
    let around: usize = around.map(|part| part.chars().count() + 2).sum();
    (doc.text.chars().count() + around + 1).div_ceil(4)
}
