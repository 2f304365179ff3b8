//! Memories that name code, in a made repository that is then changed in sixty ways: rename, edit, delete and move of
//! files and symbols. What `scan` says of each is compared with what was done.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use memory_engine::core::id::MemoryId;
use memory_engine::core::integrity::{Drift, Verdict};
use memory_engine::core::kind::Kind;
use memory_engine::core::time::Time;
use memory_engine::{Draft, Look, Memory};

use crate::sandbox::Dice;

/// A repository with a root in it.
struct Made {
    folder: tempfile::TempDir,
    dice: Dice,
}

/// A file of the repository with the functions that it defines.
struct Module {
    path: String,
    functions: Vec<String>,
}

const WORDS: [&str; 12] = [
    "token", "order", "cache", "session", "parser", "ledger", "queue", "router", "mailer", "report",
    "billing", "search",
];

impl Made {
    fn new(seed: u64) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), dice: Dice(seed) }
    }

    fn place(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let place = self.place(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place(path)).unwrap()
    }

    /// Files in three languages, each with a type and a few functions that are like no others.
    fn modules(&mut self, count: usize) -> Vec<Module> {
        let mut all = Vec::new();
        for n in 0..count {
            let word = WORDS[n % WORDS.len()];
            let folder = ["src/core", "src/web", "lib"][n % 3];
            let ending = ["rs", "py", "ts"][n % 3];
            let path = format!("{folder}/{word}_{n}.{ending}");
            let functions: Vec<String> =
                (0..3).map(|f| format!("{word}_{}_{n}", ["load", "store", "check"][f])).collect();
            let mut text = String::new();
            for name in &functions {
                let (a, b, c) = (self.dice.below(9000), self.dice.below(9000), self.dice.below(9000));
                let _ = match ending {
                    "rs" => write!(
                        text,
                        "/// Works.\npub fn {name}(input: u64) -> u64 {{\n    let first = input + {a};\n    if first > {b} {{\n        return first * {c};\n    }}\n    first\n}}\n\n"
                    ),
                    "py" => write!(
                        text,
                        "def {name}(value):\n    first = value + {a}\n    if first > {b}:\n        return first * {c}\n\n    return first\n\n\n"
                    ),
                    _ => write!(
                        text,
                        "export function {name}(value: number): number {{\n  const first = value + {a};\n  if (first > {b}) {{\n    return first * {c};\n  }}\n  return first;\n}}\n\n"
                    ),
                };
            }
            self.write(&path, &text);
            all.push(Module { path, functions });
        }
        all
    }
}

/// What was done to something, and what must be said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Done {
    Nothing,
    Edited,
    Deleted,
    Moved,
    Renamed,
    MovedAndEdited,
}

fn fits(done: Done, is_file: bool, verdict: &Verdict) -> bool {
    match (done, verdict) {
        (Done::Nothing, Verdict::Fresh) | (Done::Deleted, Verdict::Gone) => true,
        (Done::Edited, Verdict::Drifted(Drift::Changed))
        | (Done::Renamed, Verdict::Drifted(Drift::Renamed { .. })) => true,
        // A memory that names a symbol says nothing of where it stands.
        (Done::Moved, Verdict::Fresh) => !is_file,
        (Done::Moved, Verdict::Drifted(Drift::Moved { .. })) => is_file,
        (Done::MovedAndEdited, Verdict::Drifted(Drift::Moved { .. })) => true,
        _ => false,
    }
}

fn change_file(made: &Made, path: &str, done: Done) {
    let text = made.read(path);
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    let elsewhere = format!("moved/deep/{name}");
    match done {
        Done::Nothing => {}
        Done::Edited => made.write(path, &text.replacen("first", "start", 2)),
        Done::Deleted => fs::remove_file(made.place(path)).unwrap(),
        Done::Moved | Done::MovedAndEdited => {
            fs::remove_file(made.place(path)).unwrap();
            made.write(
                &elsewhere,
                &if done == Done::Moved { text } else { text.replacen("first", "start", 2) },
            );
        }
        Done::Renamed => {
            fs::remove_file(made.place(path)).unwrap();
            made.write(&path.replace('_', "-"), &text);
        }
    }
}

/// The text of one function in its file.
fn body_of(text: &str, name: &str) -> String {
    let at = text.find(&format!("fn {name}")).or_else(|| text.find(&format!("def {name}")));
    let at = at.or_else(|| text.find(&format!("function {name}"))).unwrap();
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let rest = &text[start..];
    let end =
        rest.find("\n}\n").map(|n| n + 3).or_else(|| rest.find("return first\n").map(|n| n + 13)).unwrap();
    rest[..end].to_owned()
}

fn change_symbol(made: &Made, path: &str, name: &str, done: Done) {
    let text = made.read(path);
    let body = body_of(&text, name);
    let other = format!("moved/{}", path.rsplit('/').next().unwrap().replace('.', "_new."));
    match done {
        Done::Nothing => {}
        Done::Edited => made.write(path, &text.replace(&body, &body.replacen("first", "start", 1))),
        Done::Deleted => made.write(path, &text.replace(&body, "")),
        Done::Moved | Done::MovedAndEdited => {
            made.write(path, &text.replace(&body, ""));
            made.write(&other, &if done == Done::Moved { body } else { body.replacen("first", "start", 1) });
        }
        Done::Renamed => made.write(path, &text.replace(name, &format!("{name}_again"))),
    }
}

/// Two sentences of which one names it.
fn names(memory: &Memory, what: &str, n: usize) -> MemoryId {
    let text = match n % 3 {
        0 => format!("The tricky part is in `{what}`, look there first ({n})"),
        1 => format!("Number {n}: {what} must stay idempotent. The rest is plain"),
        _ => format!("Lesson {n}: callers of `{what}` hold the lock"),
    };
    memory.remember(Draft::note(&text)).unwrap().id
}

#[test]
fn sixty_changes_of_a_repository_are_told() {
    let mut made = Made::new(7);
    let modules = made.modules(48);
    let memory = Memory::with(
        std::sync::Arc::new(memory_engine::disk::OsDisk::create(&made.place(".memory")).unwrap()),
        memory_engine::core::config::resolve(&[]),
    )
    .unwrap();
    let kinds =
        [Done::Edited, Done::Deleted, Done::Moved, Done::Renamed, Done::MovedAndEdited, Done::Nothing];
    let mut plan: Vec<(MemoryId, String, bool, Done, String)> = Vec::new();
    // Files of the first thirty-six modules, symbols of the others.
    for (n, module) in modules.iter().enumerate().take(36) {
        let id = names(&memory, &module.path, n);
        plan.push((id, module.path.clone(), true, kinds[n % kinds.len()], module.path.clone()));
    }
    for (n, module) in modules.iter().enumerate().skip(36) {
        for (f, function) in module.functions.iter().enumerate() {
            let done = kinds[(n * 3 + f) % kinds.len()];
            let id = names(&memory, &format!("{function}()"), 100 + n * 3 + f);
            plan.push((id, function.clone(), false, done, module.path.clone()));
        }
    }
    let first = memory.scan(&[Look::Code]).unwrap();
    assert_eq!((first.code.len(), first.fresh), (0, plan.len()), "the first look is what is meant");
    for (_, name, is_file, done, path) in &plan {
        if *is_file { change_file(&made, path, *done) } else { change_symbol(&made, path, name, *done) }
    }
    let found = memory.scan(&[Look::Code]).unwrap();
    let verdicts: HashMap<MemoryId, Verdict> =
        found.code.iter().map(|it| (it.entry.memory.id.clone(), it.verdict.clone())).collect();
    let (mut right, mut wrong) = (0, Vec::new());
    let mut table: HashMap<(bool, Done), (usize, usize)> = HashMap::new();
    for (id, name, is_file, done, _) in &plan {
        let verdict = verdicts.get(id).unwrap_or(&Verdict::Fresh);
        let row = table.entry((*is_file, *done)).or_default();
        row.1 += 1;
        if fits(*done, *is_file, verdict) {
            right += 1;
            row.0 += 1;
        } else {
            wrong.push(format!("{name}: {done:?} but {verdict:?}"));
        }
    }
    for ((is_file, done), (right, all)) in &table {
        println!("{:>6} {done:?}: {right} of {all}", if *is_file { "file" } else { "symbol" });
    }
    println!("{right} of {} right", plan.len());
    let changes = plan.iter().filter(|(_, _, _, done, _)| *done != Done::Nothing).count();
    assert!(changes >= 60, "{changes}");
    assert!(right * 100 >= plan.len() * 95, "{wrong:#?}");
    // Whoever looked and says that it still holds is not told again.
    let ids: Vec<MemoryId> = verdicts.keys().cloned().collect();
    memory.confirm(&ids).unwrap();
    let after = memory.scan(&[Look::Code]).unwrap();
    assert!(after.code.iter().all(|it| it.verdict == Verdict::Gone), "{:?}", after.code);
    // Without its cache the scan begins anew.
    fs::remove_file(made.place(".memory/.vault/anchors.json")).unwrap();
    assert!(memory.scan(&[Look::Code]).unwrap().code.iter().all(|it| it.verdict == Verdict::Gone));
}

#[test]
fn what_a_person_changed_or_looked_at_is_new_again() {
    let made = Made::new(7);
    made.write("src/a.rs", "fn load() {\n    one();\n}\n");
    let memory = Memory::create(made.place(".memory")).unwrap();
    let fact =
        |text: &str| Draft { kind: Some(Kind::Fact), at: Some(Time(1_600_000_000_000)), ..Draft::note(text) };
    let edited = memory.remember(fact("The port of the service is 8080")).unwrap();
    let looked_at = memory.remember(fact("The mail server stands in Porto")).unwrap();
    let named = memory.remember(fact("The loader in `src/a.rs` calls one")).unwrap();
    memory.flush().unwrap();
    let stale = |memory: &Memory| {
        let found = memory.scan(&[Look::Stale]).unwrap().stale;
        found.into_iter().map(|aged| aged.entry.memory.id).collect::<Vec<_>>()
    };
    let before = stale(&memory);
    assert!(before.contains(&edited.id) && before.contains(&looked_at.id));
    // A hand edit is a change like others.
    let file = format!(".memory/{}", edited.file);
    made.write(&file, &made.read(&file).replace("8080", "9090"));
    let after = stale(&memory);
    assert!(!after.contains(&edited.id) && after.contains(&looked_at.id), "{after:?}");
    let shown = memory.show(&edited.id).unwrap().memory;
    assert!(shown.updated > shown.created && shown.body.as_str().contains("9090"));
    memory.confirm(std::slice::from_ref(&looked_at.id)).unwrap();
    assert!(!stale(&memory).contains(&looked_at.id));
    // What it names means the code as it is after the edit.
    made.write("src/a.rs", "fn load() {\n    two();\n    three();\n}\n");
    let drifted = |memory: &Memory| {
        memory.scan(&[Look::Code]).unwrap().code.iter().any(|it| it.entry.memory.id == named.id)
    };
    assert!(drifted(&memory));
    made.write(&file, &made.read(&file).replace("calls one", "calls two"));
    assert!(!drifted(&memory));
}
