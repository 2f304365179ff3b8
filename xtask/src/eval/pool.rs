//! The sets: one pool of documents and questions a line, as `data/bench/README.md` describes them.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

/// Documents and the questions that are asked of them.
#[derive(Clone, Deserialize)]
pub struct Pool {
    pub pool: String,
    pub docs: Vec<Doc>,
    pub queries: Vec<Query>,
}

impl Pool {
    /// Whether it is a conversation: a few people who say everything.
    fn is_talk(&self) -> bool {
        let speakers: HashSet<&str> = self.docs.iter().map(|doc| doc.who.as_str()).collect();
        speakers.len() <= 4 && !speakers.contains("")
    }
}

/// A document.
#[derive(Clone, Deserialize)]
pub struct Doc {
    pub id: String,
    pub text: String,
    #[serde(default)]
    pub who: String,
    #[serde(default)]
    sess: Value,
    #[serde(default)]
    pub date: String,
    #[serde(default)]
    pub ord: i64,
    /// Whether somebody says it in a conversation.
    #[serde(skip)]
    pub is_turn: bool,
    /// The session from which it was kept, where it is no turn.
    #[serde(skip)]
    pub kept_from: Option<String>,
}

impl Doc {
    /// The session that is kept with it.
    pub fn told_in(&self) -> Option<String> {
        if self.is_turn { Some(self.session()) } else { self.kept_from.clone() }
    }

    /// The name of its session.
    pub fn session(&self) -> String {
        name_of(&self.sess)
    }
}

/// A question and what answers it.
#[derive(Clone, Deserialize)]
pub struct Query {
    pub qid: String,
    pub q: String,
    #[serde(default)]
    pub cat: String,
    pub gold: Vec<String>,
    #[serde(default)]
    gold_sess: Vec<Value>,
    #[serde(default)]
    pub date: Option<String>,
}

impl Query {
    /// The names of the sessions that hold the answer.
    pub fn gold_sessions(&self) -> Vec<String> {
        self.gold_sess.iter().map(name_of).collect()
    }
}

fn name_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Calls a function with each pool of a file.
pub fn each(file: &Path, each: &mut dyn FnMut(Pool) -> Result<(), String>) -> Result<(), String> {
    let told = |error: std::io::Error| format!("`{}`: {error}", file.display());
    let packed = file.extension().is_some_and(|ending| ending == "zst");
    let mut child = None;
    let input: Box<dyn Read> = if packed {
        let mut started = Command::new("zstd")
            .args(["-dc", "--long=27"])
            .arg(file)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("could not start `zstd`, which unpacks the sets: {error}"))?;
        let output = started.stdout.take().ok_or("zstd has no output")?;
        child = Some(started);
        Box::new(output)
    } else {
        Box::new(File::open(file).map_err(told)?)
    };
    for line in BufReader::with_capacity(1 << 20, input).lines() {
        let line = line.map_err(told)?;
        let mut pool: Pool =
            serde_json::from_str(&line).map_err(|error| format!("`{}`: {error}", file.display()))?;
        let is_turn = pool.is_talk();
        pool.docs.iter_mut().for_each(|doc| doc.is_turn = is_turn);
        if !pool.docs.is_empty() {
            each(pool)?;
        }
    }
    if let Some(mut child) = child {
        let status = child.wait().map_err(told)?;
        if !status.success() {
            return Err(format!("`{}` could not be unpacked", file.display()));
        }
    }
    Ok(())
}
