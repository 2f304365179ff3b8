//! A file that would grow above the limit: what does not fit is refused before it is kept, and nothing that was kept
//! goes dark.

use memory_engine::core::kind::Kind;
use memory_engine::{Change, Depth, Draft, Expect, Forget, Memory, Search, Severity};

use crate::sandbox::{Asked as _, Sandbox, note};

const FILE: &str = "default/notes.md";
const SMALL: &str = "[limits]\nfile_bytes = 20000\n";

/// Words that no spelling takes for each other.
const WORDS: [&str; 12] = [
    "heron", "quartz", "violin", "maple", "zephyr", "igloo", "cactus", "bramble", "yacht", "dolphin",
    "ferment", "kestrel",
];

fn text(n: usize) -> String {
    format!("{} {n} {}", WORDS[n % WORDS.len()], "and more of it ".repeat(130)).trim_end().to_owned()
}

/// What everybody finds of the texts with these numbers.
fn check(memory: &Memory, kept: &[usize]) {
    assert_eq!(memory.texts().len(), kept.len());
    for &n in kept {
        let hits = memory.search(&Search::new(&text(n)[..12])).unwrap().hits;
        assert!(hits.first().is_some_and(|hit| hit.entry.memory.body.as_str() == text(n)), "{n}");
    }
}

#[test]
fn a_draft_that_does_not_fit_its_file_is_refused() {
    for large in [false, true] {
        let sandbox = Sandbox::new().settings(SMALL);
        let memory = sandbox.open();
        let answers: Vec<_> = if large {
            memory.remember_all((0..20).map(|n| note(&text(n))).collect()).unwrap()
        } else {
            (0..20).map(|n| memory.remember(note(&text(n)))).collect()
        };
        // How much room there is left is known to the byte only once all of it stands in the file.
        let kept: Vec<usize> = (0..20).filter(|&n| answers[n].is_ok()).collect();
        assert!((6..10).contains(&kept.len()), "{kept:?}");
        let refused = answers.into_iter().find_map(|answer| answer.err()).unwrap();
        assert_eq!(refused.code(), "E_TOO_LARGE");
        assert!(refused.to_string().contains("limits.file_bytes"), "{refused}");
        let other = Draft { kind: Some(Kind::Fact), ..Draft::note("another file has room") };
        let other = memory.remember(other).unwrap().id;
        memory.flush().unwrap();
        assert!(std::fs::metadata(sandbox.place(FILE)).unwrap().len() <= 20000);
        memory.forget(&[other], Forget::Archive).unwrap();
        check(&memory, &kept);
        assert!(memory.deep().findings.is_empty());
    }
}

#[test]
fn an_edit_that_does_not_fit_its_file_is_refused() {
    let sandbox = Sandbox::new().settings(SMALL);
    let memory = sandbox.open();
    let id = memory.note("short");
    let long = memory.edit(&id, Change::Text("long ".repeat(5000)), &Expect::Anything).unwrap_err();
    assert_eq!(long.code(), "E_TOO_LARGE");
    assert_eq!(memory.text_of(&id), "short");
    assert!(memory.archive(&Default::default()).unwrap().is_empty(), "nothing left its place");
}

#[test]
fn a_file_above_the_limit_still_answers() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<_> = (0..12).map(|n| memory.note(&text(n))).collect();
    sandbox.close(memory);
    let before = sandbox.text(FILE);
    let sandbox = sandbox.settings(SMALL);
    let memory = sandbox.open();
    check(&memory, &Vec::from_iter(0..12));
    for depth in [Depth::Fast, Depth::Deep] {
        let found = memory.doctor(depth).unwrap().findings;
        let named = found.iter().any(|it| it.file == FILE && it.severity == Severity::Problem);
        assert!(named, "{found:?}");
    }
    // What cannot be written into the file is not done at all.
    assert_eq!(memory.forget(&ids[..1], Forget::Archive).unwrap_err().code(), "E_TOO_LARGE");
    let edit = memory.edit(&ids[0], Change::Text("x".into()), &Expect::Anything);
    assert_eq!(edit.unwrap_err().code(), "E_TOO_LARGE");
    check(&memory, &Vec::from_iter(0..12));
    assert_eq!(sandbox.text(FILE), before);
}
