//! Processes that take sessions in: `process` and `watch` are killed at random while transcripts grow and hooks tell,
//! and afterwards every decision that was said stands in the vault exactly once, and each session has one handoff.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Dice, Product, in_a_folder, number, seed, strike};

/// Things that are decided about, so that no two decisions are alike.
const THINGS: [&str; 12] = [
    "login page",
    "payment queue",
    "search index",
    "billing export",
    "mail worker",
    "image cache",
    "audit log",
    "session store",
    "feature flags",
    "report builder",
    "upload service",
    "release script",
];

/// Runs it.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let (kills, sessions) = (number(args, "--kills", 500)?, number(args, "--sessions", 12)?);
    let (seed, binary) = (seed(args)?, super::binary(args)?);
    in_a_folder("kill-capture", |place| {
        println!("{kills} kills, {sessions} sessions, seed {seed}");
        let project = place.join("project");
        fs::create_dir_all(&project).map_err(error)?;
        let product = Product::new(&binary, &project, place);
        let mut run = Run {
            dice: Dice::new(seed),
            product,
            place: place.to_owned(),
            project,
            said: Vec::new(),
            sessions,
        };
        run.all(kills, seed)
    })
}

struct Run {
    dice: Dice,
    product: Product,
    place: PathBuf,
    project: PathBuf,
    /// The words by which decisions are told apart.
    said: Vec<String>,
    sessions: usize,
}

impl Run {
    fn all(&mut self, kills: usize, seed: u64) -> Result<(), String> {
        self.finished(&["init"])?;
        let (mut killed, mut ended) = (0, 0);
        while killed < kills {
            for _ in 0..1 + self.dice.below(4) {
                self.say()?;
            }
            let watch = self.dice.below(4) == 0;
            let args: &[&str] =
                if watch { &["watch", "--debounce", "1", "--quiet"] } else { &["process", "--quiet"] };
            let mut child =
                self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(error)?;
            let most = if watch { 400 } else { 60 };
            std::thread::sleep(Duration::from_micros(self.dice.below(most * 1000) as u64));
            if strike(&mut child)? {
                killed += 1;
            } else {
                ended += 1;
            }
            if ended > 20 * kills + 200 {
                return Err("the kills come too late to meet anybody at work".to_owned());
            }
        }
        // The sessions rest long enough to be handed over.
        for session in 0..self.sessions {
            let path = self.transcript(session);
            if path.exists() {
                let old = std::time::SystemTime::now() - Duration::from_secs(3600);
                let file = OpenOptions::new().append(true).open(&path).map_err(error)?;
                file.set_modified(old).map_err(error)?;
            }
        }
        self.finished(&["process"])?;
        self.finished(&["process"])?;
        self.judge(killed, ended, seed)
    }

    /// Appends a turn with a decision to a transcript; sometimes the hook tells of it too, and sometimes the line is
    /// not yet whole.
    fn say(&mut self) -> Result<(), String> {
        let n = self.said.len();
        let word = unique(n);
        let thing = THINGS[n % THINGS.len()];
        let session = self.dice.below(self.sessions);
        let text = format!("We decided to use {word} for the {thing} because the old one was too slow.");
        let id = format!("00000000-0000-4000-8000-{session:012}");
        let line = |role: &str, content: Value, m: usize| {
            let message = json!({ "role": role, "content": content, "id": format!("msg_{m}"), "model": "m" });
            json!({
                "type": role, "message": message, "uuid": format!("u-{m}"), "isSidechain": false, "sessionId": id,
                "cwd": self.project, "timestamp": format!("2026-11-15T06:{:02}:{:02}.000Z", n / 60 % 60, n % 60),
            })
        };
        let asked = line("user", json!(format!("What shall we do about the {thing}, number {n}?")), 2 * n);
        let answer = line("assistant", json!([{ "type": "text", "text": text }]), 2 * n + 1);
        let path = self.transcript(session);
        fs::create_dir_all(path.parent().unwrap_or(&self.place)).map_err(error)?;
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(error)?;
        let lines = format!("{asked}\n{answer}\n");
        let cut = self.dice.below(lines.len());
        file.write_all(&lines.as_bytes()[..cut]).map_err(error)?;
        if self.dice.below(3) == 0 {
            let event = if self.dice.below(4) == 0 { "PreCompact" } else { "Stop" };
            let hook = json!({
                "session_id": id, "transcript_path": path, "cwd": self.project, "hook_event_name": event,
                "last_assistant_message": text,
            });
            self.hook(&hook)?;
        }
        file.write_all(&lines.as_bytes()[cut..]).map_err(error)?;
        self.said.push(word);
        Ok(())
    }

    fn transcript(&self, session: usize) -> PathBuf {
        let slug: String = self
            .project
            .to_string_lossy()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        self.place
            .join("user/.claude/projects")
            .join(slug)
            .join(format!("00000000-0000-4000-8000-{session:012}.jsonl"))
    }

    fn hook(&self, payload: &Value) -> Result<(), String> {
        let mut child = self.command(&["hook", "claude"]).stdin(Stdio::piped()).spawn().map_err(error)?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(payload.to_string().as_bytes()).map_err(error)?;
        }
        let status = child.wait().map_err(error)?;
        if status.success() { Ok(()) } else { Err(format!("a hook ended with {status}")) }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.product.command(args);
        command.current_dir(&self.project).env("HOME", self.place.join("user"));
        for name in
            ["CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CODEX_HOME"]
        {
            command.env_remove(name);
        }
        command
    }

    fn finished(&self, args: &[&str]) -> Result<String, String> {
        let output = self.command(args).output().map_err(error)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let talk = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(text) } else { Err(format!("`{}`: {text} {talk}", args.join(" "))) }
    }

    fn judge(&self, killed: usize, ended: usize, seed: u64) -> Result<(), String> {
        let listed = |kind: &str| -> Result<Vec<String>, String> {
            let text = self.finished(&["list", "--json", "--kind", kind, "--limit", "100000"])?;
            let value: Value = serde_json::from_str(&text).map_err(error)?;
            let all = value["memories"].as_array().cloned().unwrap_or_default();
            Ok(all.iter().map(|it| it["text"].as_str().unwrap_or_default().to_owned()).collect())
        };
        let decisions = listed("decision")?;
        let mut counts: HashMap<&str, usize> = self.said.iter().map(|word| (word.as_str(), 0)).collect();
        let mut strange = 0;
        for text in &decisions {
            let word = text.split_whitespace().find(|word| counts.contains_key(word));
            match word.and_then(|word| counts.get_mut(word)) {
                Some(count) => *count += 1,
                None => strange += 1,
            }
        }
        let lost = counts.values().filter(|count| **count == 0).count();
        let doubled = counts.values().filter(|count| **count > 1).count();
        let handoffs = listed("handoff")?.len();
        let touched = (0..self.sessions).filter(|&session| self.transcript(session).exists()).count();
        println!("kills          {killed}   {ended} ended before");
        println!("said           {}", self.said.len());
        println!("lost           {lost}");
        println!("doubled        {doubled}");
        println!("strange        {strange}");
        println!("handoffs       {handoffs} of {touched} sessions");
        println!("seed           {seed}");
        let doctor = self.finished(&["doctor", "--deep"])?;
        println!("check-up       {}", doctor.lines().last().unwrap_or_default());
        if lost + doubled + strange == 0 && handoffs == touched {
            Ok(())
        } else {
            Err("what was said does not stand once".to_owned())
        }
    }
}

/// A word that no other number has and that no stemmer or spelling brings near another.
fn unique(n: usize) -> String {
    let mut rest = (n * 7919 + 13) % (20 * 5 * 20 * 5 * 20 * 5);
    let mut word = String::new();
    for _ in 0..3 {
        word.push(char::from(b"bcdfghjklmnpqrstvwxz"[rest % 20]).to_ascii_uppercase());
        rest /= 20;
        word.push(char::from(b"aeiou"[rest % 5]));
        rest /= 5;
    }
    format!("{}db", word.to_lowercase())
}

fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
