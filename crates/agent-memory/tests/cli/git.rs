//! The memory in a repository: what git puts into the files counts as meant, merges take what both sides kept, and a
//! merge that is not finished is left alone. Real git; where there is none, the tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::Sandbox;

const FILE: &str = "default/decisions.md";

/// A project with a memory that git versions.
struct Repository {
    sandbox: Sandbox,
}

impl Repository {
    /// One commit on `main`, with one decision; `None` where there is no git.
    fn new() -> Option<Self> {
        let it = Self { sandbox: Sandbox::new() };
        if Command::new("git").arg("--version").output().is_err() {
            eprintln!("there is no git here, so nothing is tested");
            return None;
        }
        it.git("init --quiet");
        it.git("checkout --quiet -b main");
        it.sandbox.run(["init"]).code(0);
        it.keep("We decided to use SSE");
        it.commit();
        Some(it)
    }

    fn git(&self, words: &str) -> String {
        let (ok, said) = git_in(&self.sandbox.project(), words);
        assert!(ok, "git {words}: {said}");
        said
    }

    fn commit(&self) {
        self.git("add --all");
        self.git("commit --quiet -m change");
    }

    fn keep(&self, text: &str) {
        self.sandbox.run(["remember", "--", text]).code(0);
    }

    /// The decisions that the memory lists, the newest first.
    fn listed(&self) -> String {
        listed(&self.sandbox, &self.sandbox.project())
    }

    /// What git sees as changed.
    fn changed(&self) -> String {
        self.git("status --short")
    }
}

fn git_in(folder: &Path, words: &str) -> (bool, String) {
    let mut git = Command::new("git");
    for setting in ["user.name=somebody", "user.email=somebody@example.com", "core.autocrlf=false"] {
        git.args(["-c", setting]);
    }
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_EDITOR", "true");
    let ran = git.args(words.split(' ')).current_dir(folder).output().unwrap();
    let said = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8_lossy(&said).into_owned())
}

fn listed(sandbox: &Sandbox, folder: &Path) -> String {
    let all = sandbox.command(["list", "--json"]).within(folder).go().code(0).json();
    let texts = all["memories"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap());
    let words = texts.map(|text| text.trim_start_matches("We decided to use "));
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_branch_keeps_its_own_memories() {
    let Some(it) = Repository::new() else { return };
    it.git("checkout --quiet -b feat");
    it.keep("We decided to use Unleash");
    it.commit();
    for _ in 0..2 {
        it.git("checkout --quiet main");
        assert_eq!((it.listed(), it.changed()), ("SSE".into(), String::new()));
        it.git("checkout --quiet feat");
        assert_eq!((it.listed(), it.changed()), ("Unleash, SSE".into(), String::new()));
    }
    it.git("checkout --quiet main");
    it.sandbox.run(["list"]).code(0);
    it.git("merge --quiet feat");
    assert_eq!((it.listed(), it.changed()), ("Unleash, SSE".into(), String::new()));
}

#[test]
fn a_stash_is_taken_and_given_back() {
    let Some(it) = Repository::new() else { return };
    it.keep("We decided to use Unleash");
    it.git("stash");
    assert_eq!((it.listed(), it.changed()), ("SSE".into(), String::new()));
    it.git("stash pop");
    assert_eq!(it.listed(), "Unleash, SSE");
}

#[test]
fn a_reset_and_a_restore_hold_and_what_is_gone_is_archived() {
    let Some(it) = Repository::new() else { return };
    for undo in ["reset --quiet --hard", "checkout --quiet -- .memory"] {
        it.keep("We decided to use Unleash");
        it.git(undo);
        assert_eq!((it.listed(), it.changed()), ("SSE".into(), String::new()), "{undo}");
    }
    let archived = it.sandbox.tree().into_iter().filter(|(name, _)| name.contains("/archive/found-"));
    let archived: Vec<String> =
        archived.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()).collect();
    assert!(archived.iter().any(|text| text.contains("Unleash")), "{archived:?}");
}

#[test]
fn what_was_forgotten_comes_back_with_its_branch() {
    let Some(it) = Repository::new() else { return };
    it.keep("We decided to use Unleash");
    it.commit();
    let id = it.sandbox.run(["list", "--json"]).json()["memories"][0]["id"].as_str().unwrap().to_owned();
    it.sandbox.run(["forget", &id, "--yes"]).code(0);
    it.git("checkout --quiet -- .memory");
    assert_eq!((it.listed(), it.changed()), ("Unleash, SSE".into(), String::new()));
}

#[test]
fn a_branch_with_far_fewer_memories_is_no_accident() {
    let Some(it) = Repository::new() else { return };
    it.git("checkout --quiet -b feat");
    (1..8).for_each(|n| it.keep(&format!("We decided to use part {n}")));
    it.commit();
    it.git("checkout --quiet main");
    assert_eq!((it.listed(), it.changed()), ("SSE".into(), String::new()));
    it.sandbox.run(["doctor"]).code(0);
}

#[test]
fn a_linked_checkout_is_a_checkout() {
    let Some(it) = Repository::new() else { return };
    let linked = it.sandbox.project().join("linked");
    it.git("worktree add --quiet -b feat linked");
    let run = |words: &[&str]| it.sandbox.command(words).within(&linked).go().code(0);
    let root = linked.join(".memory").to_string_lossy().into_owned();
    run(&["init", "--yes", "--dir", &root]);
    run(&["remember", "--dir", &root, "We decided to use Unleash"]);
    assert!(git_in(&linked, "checkout --quiet -- .memory/default").0);
    run(&["list", "--dir", &root]);
    let text = std::fs::read_to_string(linked.join(".memory").join(FILE)).unwrap();
    assert!(!text.contains("Unleash"), "{text}");
}

#[test]
fn an_old_buffer_is_set_back_in_a_repository_too() {
    let Some(it) = Repository::new() else { return };
    let before = it.sandbox.read(FILE);
    it.keep("We decided to use Unleash");
    // The very text that was committed, and yet an editor wrote it.
    it.sandbox.write(FILE, before);
    assert_eq!(it.listed(), "Unleash, SSE");
}

/// Two clones of a repository, both with a memory of their own.
fn clones(it: &Repository) -> [PathBuf; 2] {
    ["one", "two"].map(|name| {
        let place = it.sandbox.project().parent().unwrap().join(name);
        it.git(&format!("clone --quiet . ../{name}"));
        it.sandbox.command(["init", "--yes"]).within(&place).go().code(0);
        place
    })
}

#[test]
fn what_two_people_keep_is_merged() {
    let Some(it) = Repository::new() else { return };
    let [one, two] = clones(&it);
    let keep = |folder: &Path, text: &str| {
        it.sandbox.command(["remember", text]).within(folder).go().code(0);
        assert!(git_in(folder, "add --all").0 && git_in(folder, "commit --quiet -m more").0);
    };
    keep(&one, "We decided to use Unleash");
    keep(&one, "We decided to use Rust");
    keep(&two, "We decided to use pnpm");
    let (ok, said) = git_in(&two, "pull --quiet --no-rebase --no-edit ../one main");
    assert!(ok, "{said}");
    assert_eq!(listed(&it.sandbox, &two), "pnpm, Rust, Unleash, SSE");
    keep(&two, "We decided to use zod");
    keep(&one, "We decided to use SQS");
    let (ok, said) = git_in(&one, "pull --quiet --rebase ../two main");
    assert!(ok, "{said}");
    assert_eq!(listed(&it.sandbox, &one), "SQS, zod, pnpm, Rust, Unleash, SSE");
    it.sandbox.command(["doctor"]).within(&one).go().code(0).says("all is well");
    assert_eq!(git_in(&one, "status --short").1, "");
}

#[test]
fn a_merge_that_is_not_finished_is_left_alone() {
    let Some(it) = Repository::new() else { return };
    std::fs::remove_file(it.sandbox.file(".gitattributes")).unwrap();
    it.commit();
    it.git("checkout --quiet -b feat");
    it.keep("We decided to use Unleash");
    it.commit();
    it.git("checkout --quiet main");
    it.keep("We decided to use pnpm");
    it.commit();
    assert!(!git_in(&it.sandbox.project(), "merge feat").0);
    let conflict = it.sandbox.read(FILE);
    assert!(conflict.starts_with("<<<<<<< "), "{conflict}");
    it.keep("We decided to use zod");
    assert_eq!(it.sandbox.read(FILE), conflict);
    it.sandbox.run(["doctor"]).code(1).says("a merge of it is not finished (line 1)");
    assert_eq!(it.listed(), "zod, pnpm, Unleash, SSE");
    // Finished, with both sides.
    let lines = conflict
        .lines()
        .filter(|line| !["<<<<<<< ", "=======", ">>>>>>> "].iter().any(|mark| line.starts_with(mark)));
    it.sandbox.write(FILE, lines.collect::<Vec<_>>().join("\n"));
    assert_eq!(it.listed(), "zod, pnpm, Unleash, SSE");
    assert!(it.sandbox.read(FILE).contains("zod"));
    it.sandbox.run(["doctor"]).code(0);
}
