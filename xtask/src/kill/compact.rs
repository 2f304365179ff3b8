//! Processes that compact: they are killed at random while memories, conversations and old files come, and afterwards
//! every sentence is in the vault or in the archive, nothing stands under two names, and another run has nothing to do.
//!
//! With `--kills 0` it is one quiet run over a large vault: a look lists what the run does, and `restore` gives every
//! file its first bytes again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use memory_core::layout::{self, Home};
use serde_json::{Value, json};

use super::{Dice, Product, in_a_folder, number, seed, strike};

const KINDS: [&str; 3] = ["decision", "lesson", "fact"];
const AGENTS: usize = 4;

/// Runs it.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let (kills, entries) = (number(args, "--kills", 300)?, number(args, "--entries", 600)?);
    let (seed, binary) = (seed(args)?, super::binary(args)?);
    in_a_folder("kill-compact", |place| {
        println!("{kills} kills, {entries} memories to begin with, seed {seed}");
        let project = place.join("project");
        fs::create_dir_all(&project).map_err(error)?;
        let product = Product::new(&binary, &project, place);
        let mut run = Run { dice: Dice::new(seed), product, said: Vec::new(), files: 0 };
        run.finished(&["init"])?;
        run.remember(entries)?;
        if kills == 0 { run.quiet() } else { run.killed(kills, seed) }
    })
}

struct Run {
    dice: Dice,
    product: Product,
    /// Every sentence that was ever said.
    said: Vec<String>,
    /// Files beside the memories that were made.
    files: usize,
}

impl Run {
    fn killed(&mut self, kills: usize, seed: u64) -> Result<(), String> {
        let start = Instant::now();
        let (mut killed, mut ended) = (0, 0);
        // So long a process has at most; it grows and shrinks so that now and then one comes to its end.
        let mut most = 100_000;
        while killed < kills {
            let count = 10 + self.dice.below(60);
            self.remember(count)?;
            self.talk()?;
            self.leave_files()?;
            let mut child = self
                .product
                .command(&["compact", "--quiet"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(error)?;
            std::thread::sleep(Duration::from_micros(self.dice.below(most) as u64));
            if strike(&mut child)? {
                killed += 1;
                most += most / 50;
            } else {
                ended += 1;
                most -= most / 10;
            }
            if ended > 20 * kills + 200 {
                return Err("the kills come too late to meet anybody at work".to_owned());
            }
        }
        self.finished(&["compact"])?;
        println!("kills          {killed}   {ended} ended before, {:.0} s", start.elapsed().as_secs_f64());
        println!("seed           {seed}");
        self.judge()
    }

    fn quiet(&mut self) -> Result<(), String> {
        self.talk()?;
        self.leave_files()?;
        let first = self.tree()?;
        let look = self.value(&["compact", "--dry-run", "--json"])?;
        if self.tree()? != first {
            return Err("a look changed files".to_owned());
        }
        let start = Instant::now();
        let done = self.value(&["compact", "--json"])?;
        println!(
            "compacted      {} merged in {:.1} s",
            done["vaultEntriesMerged"],
            start.elapsed().as_secs_f64()
        );
        if look["deeds"] != done["deeds"] {
            return Err("the look and the run did not do the same".to_owned());
        }
        println!("look and run   the same {} deeds", done["deeds"].as_array().map_or(0, Vec::len));
        self.judge()?;
        let start = Instant::now();
        let batch = done["archive"].as_str().unwrap_or_default().to_owned();
        self.finished(&["restore", &batch, "--quiet"])?;
        let mut then = self.tree()?;
        then.retain(|path, _| !path.starts_with("archive/"));
        let different: Vec<&String> = first
            .iter()
            .filter(|(path, bytes)| then.get(*path) != Some(bytes))
            .map(|(path, _)| path)
            .collect();
        let more = then.keys().filter(|path| !first.contains_key(*path)).count();
        println!(
            "restored       {} files in {:.1} s, {} differ, {more} are new",
            first.len(),
            start.elapsed().as_secs_f64(),
            different.len()
        );
        if different.is_empty() && more == 0 { Ok(()) } else { Err(format!("not as before: {different:?}")) }
    }

    /// Keeps memories through the product.
    fn remember(&mut self, count: usize) -> Result<(), String> {
        let mut lines = String::new();
        for _ in 0..count {
            let n = self.said.len();
            let first =
                format!("Matter {} of {} came up when the {} was built.", word(n), word(n + 7), word(n * 3));
            let second =
                format!("It was settled by taking {} in place of {}.", word(n * 5 + 1), word(n * 11));
            let agent = format!("agent{}", self.dice.below(AGENTS));
            let mut draft = json!({
                "text": format!("{first} {second}"),
                "agent": agent,
                "kind": KINDS[self.dice.below(KINDS.len())],
            });
            if self.dice.below(20) == 0 {
                draft["text"] = format!("{first}\n- [ ] {second}").into();
            }
            lines.push_str(&format!("{draft}\n"));
            self.said.extend([first, second]);
        }
        let mut child = self
            .product
            .command(&["remember", "--lines", "--batch", "2000", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(error)?;
        if let Some(mut sink) = child.stdin.take() {
            sink.write_all(lines.as_bytes()).map_err(error)?;
        }
        let status = child.wait().map_err(error)?;
        if status.success() { Ok(()) } else { Err(format!("`remember` ended with {status}")) }
    }

    /// A conversation goes on, as another program saves it.
    fn talk(&mut self) -> Result<(), String> {
        let path = self.product.root.join(format!("conversations/agent{}.json", self.dice.below(AGENTS)));
        fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(error)?;
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut value: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!({ "messages": [] }));
        for _ in 0..8 {
            let n = self.said.len();
            let said =
                format!("We decided to use {}db for the {} because it was faster.", word(n), word(n + 3));
            let asked = format!("What shall we do about the {} number {n}?", word(n + 3));
            if let Some(all) = value["messages"].as_array_mut() {
                all.push(json!({ "role": "user", "text": asked }));
                all.push(json!({ "role": "agent", "text": said }));
            }
            self.said.extend([asked, said]);
        }
        let beside = path.with_extension("saving");
        fs::write(&beside, value.to_string()).map_err(error)?;
        fs::rename(&beside, &path).map_err(error)
    }

    /// Files that upkeep takes away.
    fn leave_files(&mut self) -> Result<(), String> {
        let n = self.files;
        self.files += 1;
        let root = &self.product.root;
        fs::create_dir_all(root.join(".vault/checkpoints")).map_err(error)?;
        let said = format!("Snapshot {n} of {}", word(n));
        let snapshot =
            json!({ "agentId": "old", "savedAt": 1000, "messages": [{ "role": "user", "text": said }] });
        fs::write(root.join(format!(".vault/checkpoints/old{n}.json")), snapshot.to_string())
            .map_err(error)?;
        let backup = format!("Backup {n} of {}", word(n));
        fs::write(root.join(format!("old{n}.md.bak")), &backup).map_err(error)?;
        self.said.extend([said, backup]);
        Ok(())
    }

    fn judge(&self) -> Result<(), String> {
        let again = self.value(&["compact", "--dry-run", "--json"])?;
        let left = again["deeds"].as_array().map_or(0, Vec::len);
        let tree = self.tree()?;
        let all: Vec<u8> = tree.values().flat_map(|bytes| [bytes.as_slice(), b"\n"].concat()).collect();
        let text = String::from_utf8_lossy(&all);
        let mut here: BTreeSet<&str> = BTreeSet::new();
        for piece in text.split(['\n', '"']) {
            let piece = piece.strip_prefix("- [ ] ").unwrap_or(piece);
            here.insert(piece);
            if let Some((first, second)) = piece.split_once(". It was") {
                here.extend([&piece[..=first.len()], &piece[piece.len() - second.len() - 6..]]);
            }
        }
        let lost: Vec<&String> = self.said.iter().filter(|said| !here.contains(said.as_str())).collect();
        let (doubled, standing) = names(&tree);
        let twice = quoted_twice(&tree);
        println!("said           {} sentences", self.said.len());
        println!("standing       {standing} memories");
        println!("lost           {}", lost.len());
        println!("doubled        {}", doubled.len());
        println!("quoted twice   {twice}");
        println!("left to do     {left}");
        let doctor = self.finished(&["doctor", "--deep"])?;
        println!("check-up       {}", doctor.lines().last().unwrap_or_default());
        if lost.len() + doubled.len() + twice + left == 0 {
            Ok(())
        } else {
            let (lost, doubled) = (lost.first(), doubled.first());
            Err(format!("upkeep lost or doubled something: {lost:?} {doubled:?} {}", again["deeds"]))
        }
    }

    /// Every file of the root but what is derived, with its bytes.
    fn tree(&self) -> Result<BTreeMap<String, Vec<u8>>, String> {
        let mut all = BTreeMap::new();
        walk(&self.product.root, &self.product.root, &mut all)?;
        all.retain(|path, _| !path.starts_with(".vault/") || path.starts_with(".vault/checkpoints/"));
        Ok(all)
    }

    fn value(&self, args: &[&str]) -> Result<Value, String> {
        serde_json::from_str(&self.finished(args)?).map_err(error)
    }

    fn finished(&self, args: &[&str]) -> Result<String, String> {
        let output = self.product.command(args).output().map_err(error)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let talk = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(text) } else { Err(format!("`{}`: {text} {talk}", args.join(" "))) }
    }
}

/// Texts that stand under more than one id, in files and in copies of them; and how many memories stand.
fn names(tree: &BTreeMap<String, Vec<u8>>) -> (Vec<String>, usize) {
    let mut names: HashMap<String, BTreeSet<String>> = HashMap::new();
    let mut standing = 0;
    for (path, bytes) in tree {
        let copy = path.starts_with("archive/") && bytes.starts_with(b"<!-- id:");
        let home = if copy { Home::of_path("agent0/decisions.md") } else { Home::of_path(path) };
        let Some(home) = home.filter(|home| matches!(home, Home::Vault { .. })) else { continue };
        layout::visit(&home, bytes, &mut |found| {
            standing += usize::from(!copy);
            let text = found.memory.body.as_str();
            if !text.starts_with("Compacted ") {
                names.entry(text.to_owned()).or_default().insert(found.memory.id.to_string());
            }
        });
    }
    let doubled = names.into_iter().filter(|(_, ids)| ids.len() > 1);
    (doubled.map(|(text, ids)| format!("{text} {ids:?}")).collect(), standing)
}

/// How many memories are quoted more than once by the summaries that stand.
fn quoted_twice(tree: &BTreeMap<String, Vec<u8>>) -> usize {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for bytes in tree.iter().filter(|(path, _)| !path.starts_with("archive/")).map(|(_, bytes)| bytes) {
        let text = String::from_utf8_lossy(bytes);
        for piece in text.split("(id ").skip(1) {
            let id: String = piece.chars().take_while(char::is_ascii_digit).collect();
            *counts.entry(id).or_default() += 1;
        }
    }
    counts.values().filter(|count| **count > 1).count()
}

fn walk(top: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(error)? {
        let path: PathBuf = entry.map_err(error)?.path();
        if path.is_dir() {
            walk(top, &path, all)?;
        } else {
            let name = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
            all.insert(name, fs::read(&path).map_err(error)?);
        }
    }
    Ok(())
}

/// A word that looks like no other number's.
fn word(n: usize) -> String {
    let mut rest = (n * 7_368_787 + 1) % 60_usize.pow(4);
    let mut word = String::new();
    for _ in 0..4 {
        let syllable = rest % 60;
        word.push(char::from(b"bdfgklmnprtv"[syllable / 5]));
        word.push(char::from(b"aeiou"[syllable % 5]));
        rest /= 60;
    }
    word + "k"
}

fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
