//! What the product answers: its exit, its talk and its hits, and whether two answers are the same.
//!
//! An error is anything but exit 0, and any talk on stderr that is not a notice or the reason for an empty answer.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use super::Product;

/// A memory in an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hit {
    pub(super) id: String,
    pub(super) score: f64,
    pub(super) content: String,
}

/// An answer to a question.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) hits: Vec<Hit>,
    /// In how many memories the rarest word of the question stands.
    pub(super) holders: u64,
}

/// Six digits of a score are shown; so far apart may two be that are the same.
const LAST_DIGIT: f64 = 2e-6;

/// Asks a question.
pub(super) fn ask(product: &Product, question: &str) -> Result<Answer, String> {
    let (value, talk) = one(finish(product, &["search", "--json", question], "")?)?;
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let why = list("why");
    no_errors(
        &talk.into_iter().filter(|line| !why.iter().any(|why| why == line.as_str())).collect::<Vec<_>>(),
    )?;
    let text = |hit: &Value, name: &str| hit[name].as_str().unwrap_or_default().to_owned();
    let found = list("results");
    let hits = found.iter().map(|hit| Hit {
        id: text(hit, "id"),
        score: hit["score"].as_f64().unwrap_or(f64::NAN),
        content: text(hit, "content"),
    });
    let holders = list("words").iter().filter_map(|word| word["memories"].as_u64()).min();
    Ok(Answer { hits: hits.collect(), holders: holders.unwrap_or(0) })
}

/// Runs a command that answers with one JSON value and has nothing to say besides.
pub(super) fn tell(product: &Product, args: &[&str]) -> Result<Value, String> {
    let (value, talk) = one(finish(product, args, "")?)?;
    no_errors(&talk).map(|()| value)
}

/// Runs a command that reads lines and answers each with a JSON line.
pub(super) fn tell_lines(product: &Product, args: &[&str], input: &str) -> Result<Vec<Value>, String> {
    let (stdout, talk) = finish(product, args, input)?;
    no_errors(&talk)?;
    stdout.lines().map(parsed).collect()
}

/// What a process that ended well told: its stdout, and the lines of its talk that are no notices.
pub(super) fn heard(output: &Output) -> Result<(String, Vec<String>), String> {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("it ended with {}: {stdout} {stderr}", output.status));
    }
    // Texts of the same few words are bound to be like each other.
    let is_notice = |line: &&str| line.starts_with("note: ") || line.starts_with("similar: ");
    Ok((stdout, stderr.lines().filter(|line| !is_notice(line)).map(str::to_owned).collect()))
}

/// Fails with the talk, if there is any.
pub(super) fn no_errors(talk: &[String]) -> Result<(), String> {
    if talk.is_empty() { Ok(()) } else { Err(format!("it said: {}", talk.join(" / "))) }
}

fn finish(product: &Product, args: &[&str], input: &str) -> Result<(String, Vec<String>), String> {
    let failed = |why: String| format!("`{}`: {why}", args.join(" "));
    let mut command = product.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let sink = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // Both pipes may fill up, so one thread writes while the other reads.
        scope.spawn(|| sink.map(|mut sink| sink.write_all(input.as_bytes())));
        child.wait_with_output()
    });
    heard(&output.map_err(|error| failed(error.to_string()))?).map_err(failed)
}

fn one((stdout, talk): (String, Vec<String>)) -> Result<(Value, Vec<String>), String> {
    parsed(&stdout).map(|value| (value, talk))
}

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("no JSON: {error}: {text}"))
}

/// Where two answers differ. Hits whose scores differ in the last digit alone may stand in either order, or outside.
pub(super) fn difference(left: &[Hit], right: &[Hit]) -> Option<String> {
    let close = |a: f64, b: f64| (a - b).abs() <= LAST_DIGIT;
    let missing = |these: &[Hit], those: &[Hit], side: &str| {
        let last = those.last().map_or(f64::NAN, |hit| hit.score);
        let why = |hit: &Hit| match those.iter().find(|other| other.id == hit.id) {
            Some(other) if hit.content != other.content => Some("has another text".to_owned()),
            Some(other) => (!close(hit.score, other.score)).then(|| format!("has {} there", other.score)),
            None if those.len() == these.len() && close(hit.score, last) => None,
            None => Some(format!("stands only on the {side}, there the last has {last}")),
        };
        these.iter().find_map(|hit| Some(format!("{} {} {}", hit.id, hit.score, why(hit)?)))
    };
    missing(left, right, "left").or_else(|| missing(right, left, "right"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_differ_by_ids_scores_and_texts_but_not_by_the_moment() {
        let hits = |of: &[(&str, f64)]| -> Vec<Hit> {
            let hit = |&(id, score): &(&str, f64)| Hit { id: id.into(), score, content: String::new() };
            of.iter().map(hit).collect()
        };
        let check = |left: &[(&str, f64)], right: &[(&str, f64)], same: bool| {
            assert_eq!(difference(&hits(left), &hits(right)).is_none(), same, "{left:?} {right:?}");
        };
        check(&[], &[], true);
        check(&[("a", 2.0), ("b", 1.0)], &[("a", 2.0), ("b", 1.0)], true);
        check(&[("a", 2.0), ("b", 1.0)], &[("a", 2.000_001), ("b", 1.000_001)], true);
        check(&[("a", 2.0), ("b", 1.999_999)], &[("b", 2.0), ("a", 1.999_999)], true);
        check(&[("a", 2.0), ("b", 1.0)], &[("a", 2.0), ("c", 1.0)], true);
        check(&[("a", 2.0), ("b", 1.0)], &[("a", 2.0), ("c", 1.1)], false);
        check(&[("a", 2.0), ("b", 1.0)], &[("a", 2.0)], false);
        check(&[("a", 2.0)], &[], false);
        check(&[("a", 2.0)], &[("a", 2.000_1)], false);
        check(&[("a", 2.0), ("b", 1.0)], &[("b", 2.0), ("a", 1.0)], false);
        let other = [Hit { content: "new".to_owned(), ..hits(&[("a", 2.0)])[0].clone() }];
        assert!(difference(&hits(&[("a", 2.0)]), &other).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn only_notices_are_no_errors() {
        let said = |script: &str| {
            let output = std::process::Command::new("sh").args(["-c", script]).output().unwrap();
            heard(&output).and_then(|(_, talk)| no_errors(&talk))
        };
        assert_eq!(said("echo 'note: x' >&2"), Ok(()));
        assert!(said("echo 'note: x\nwarning: y' >&2").is_err_and(|why| why.contains("warning: y")));
        assert!(said("exit 2").is_err());
        assert!(said("kill -9 $$").is_err());
    }
}
