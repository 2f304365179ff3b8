//! What is marked as private stays so, in every layout: no repetition and no change of ours makes it more public.

use memory_engine::core::id::{Key, MemoryId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::{OnExisting, Provenance};
use memory_engine::core::scope::{Sensitivity, SourceClass};
use memory_engine::{Change, Draft, Expect, Forget, Memory, Outcome, Supersede};

use crate::sandbox::{Asked as _, Sandbox};

const LAYOUTS: [&str; 3] = ["vault", "record", "journal"];
const TEXT: &str = "the vault code lies in the third drawer";

fn root(layout: &str) -> Sandbox {
    Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"))
}

fn draft(text: &str, class: SourceClass, sensitivity: Sensitivity) -> Draft {
    let provenance = Provenance { sensitivity, ..Provenance::of("cli", class) };
    Draft { kind: Some(Kind::Decision), provenance, ..Draft::note(text) }
}

fn keyed(text: &str, on_existing: OnExisting, sensitivity: Sensitivity) -> Draft {
    let key = Key::parse("drawer").ok();
    Draft { key, on_existing, ..draft(text, SourceClass::Human, sensitivity) }
}

fn sensitivity(memory: &Memory, id: &MemoryId) -> Sensitivity {
    memory.show(id).unwrap().memory.provenance.sensitivity
}

/// The mark is what every handle sees, and what the file says when the ledger is lost.
fn check(sandbox: &Sandbox, id: &MemoryId, expect: Sensitivity, what: &str) {
    let memory = sandbox.open();
    assert_eq!(sensitivity(&memory, id), expect, "{what}");
    memory.flush().unwrap();
    sandbox.close(memory);
    std::fs::remove_dir_all(sandbox.place(".vault")).unwrap();
    assert_eq!(sensitivity(&sandbox.open(), id), expect, "{what}, in the file");
}

#[test]
fn a_person_who_says_it_again_does_not_publish_it() {
    for layout in LAYOUTS {
        for mark in [Sensitivity::Secret, Sensitivity::PrivateUser] {
            for waits in [true, false] {
                let sandbox = root(layout);
                let memory = sandbox.open();
                let id = memory.remember(draft(TEXT, SourceClass::Agent, mark)).unwrap().id;
                if !waits {
                    memory.flush().unwrap();
                }
                let again = memory.remember(draft(TEXT, SourceClass::Human, Sensitivity::default())).unwrap();
                assert_eq!((&again.id, again.outcome), (&id, Outcome::Duplicate), "{layout}");
                assert_eq!(memory.show(&id).unwrap().memory.provenance.class, SourceClass::Human, "{layout}");
                sandbox.close(memory);
                check(&sandbox, &id, mark, layout);
            }
        }
    }
}

#[test]
fn who_says_that_it_is_private_is_heard_unless_others_are_trusted_further() {
    let told = |layout: &str, first: SourceClass, then: SourceClass| {
        let sandbox = root(layout);
        let memory = sandbox.open();
        let id = memory.remember(draft(TEXT, first, Sensitivity::default())).unwrap().id;
        memory.remember(draft(TEXT, then, Sensitivity::Secret)).unwrap();
        sandbox.close(memory);
        (sandbox, id)
    };
    for layout in LAYOUTS {
        for (first, then) in
            [(SourceClass::Human, SourceClass::Human), (SourceClass::Agent, SourceClass::Human)]
        {
            let (sandbox, id) = told(layout, first, then);
            check(&sandbox, &id, Sensitivity::Secret, layout);
        }
        let (sandbox, id) = told(layout, SourceClass::Human, SourceClass::Untrusted);
        check(&sandbox, &id, Sensitivity::default(), layout);
    }
}

#[test]
fn a_mark_that_was_written_by_hand_stays() {
    let files = [
        (
            "default/decisions.md",
            format!(
                "<!-- id:1700000000001 -->\n## 2023-11-14T22:13\n<!-- meta:{{\"sensitivity\":\"secret\"}} -->\n\n{TEXT}\n\n---\n"
            ),
        ),
        (
            "MEMORY.md",
            format!(
                "- {{\"id\":\"r1\",\"category\":\"decision\",\"text\":\"{TEXT}\",\"provenance\":{{\"timestamp\":\
                 \"2026-01-01T00:00:00.000Z\",\"sensitivity\":\"secret\"}}}}\n"
            ),
        ),
    ];
    for (path, text) in files {
        let sandbox = Sandbox::new().file(path, text);
        let memory = sandbox.open();
        let shown = memory.list(&all()).unwrap();
        let [entry] = &shown[..] else { panic!("{path}: {shown:?}") };
        let scope = Some(entry.memory.scope.clone());
        let again = Draft { scope, ..draft(TEXT, SourceClass::Human, Sensitivity::default()) };
        let again = memory.remember(again).unwrap();
        assert_eq!(again.outcome, Outcome::Duplicate, "{path}");
        memory.flush().unwrap();
        assert_eq!(sensitivity(&memory, &again.id), Sensitivity::Secret, "{path}");
        assert!(sandbox.text(path).contains("\"sensitivity\":\"secret\""), "{}", sandbox.text(path));
    }
}

fn all() -> memory_engine::Filter {
    let mut filter = memory_engine::Filter::default();
    filter.audience.secrets = memory_engine::core::scope::Secrets::Show;
    filter
}

#[test]
fn no_change_of_a_memory_publishes_it() {
    type Act = fn(&Memory, &MemoryId);
    let acts: [(&str, Act); 5] = [
        ("replaced by its key", |memory, _| {
            memory.remember(keyed("it moved", OnExisting::Replace, Sensitivity::default())).unwrap();
        }),
        ("added to by its key", |memory, _| {
            memory.remember(keyed("it moved", OnExisting::Append, Sensitivity::Public)).unwrap();
        }),
        ("edited", |memory, id| {
            memory.reword(id, "it moved");
            let tags = vec![Tag::parse("moved").unwrap()];
            memory.edit(id, Change::Tags(tags), &Expect::Anything).unwrap();
        }),
        ("superseded and taken up again", |memory, id| {
            let new = memory.note("another drawer");
            memory.supersede(&Supersede::By { old: id.clone(), new }).unwrap();
            memory.supersede(&Supersede::Undo(id.clone())).unwrap();
        }),
        ("forgotten and restored", |memory, id| {
            memory.forget(std::slice::from_ref(id), Forget::Archive).unwrap();
            memory.restore(id.as_str()).unwrap();
        }),
    ];
    for layout in LAYOUTS {
        for (what, act) in acts {
            let sandbox = root(layout);
            let memory = sandbox.open();
            let id = memory.remember(keyed(TEXT, OnExisting::Skip, Sensitivity::Secret)).unwrap().id;
            act(&memory, &id);
            sandbox.close(memory);
            check(&sandbox, &id, Sensitivity::Secret, &format!("{layout}: {what}"));
        }
    }
}

#[test]
fn private_words_under_an_open_key_close_it() {
    for layout in LAYOUTS {
        for how in [OnExisting::Replace, OnExisting::Append] {
            let sandbox = root(layout);
            let memory = sandbox.open();
            let id = memory.remember(keyed("it is in a drawer", how, Sensitivity::default())).unwrap().id;
            memory.remember(keyed(TEXT, how, Sensitivity::Secret)).unwrap();
            sandbox.close(memory);
            check(&sandbox, &id, Sensitivity::Secret, &format!("{layout} {how:?}"));
        }
    }
}

#[test]
fn words_that_come_back_from_the_archive_bring_their_mark() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.remember(draft(TEXT, SourceClass::Human, Sensitivity::Secret)).unwrap().id;
    memory.reword(&id, "it is in a drawer");
    memory.flush().unwrap();
    // The person takes the mark off what is no longer a secret.
    let text = sandbox.text("default/decisions.md").replace("secret", "operational");
    sandbox.save("default/decisions.md", text);
    assert_eq!(sensitivity(&memory, &id), Sensitivity::Operational);
    let batches = memory.archive(&all().audience).unwrap();
    let edit = batches.iter().find(|batch| batch.reason == "edit").unwrap();
    memory.restore(&edit.name).unwrap();
    assert_eq!(memory.text_of(&id), TEXT);
    assert_eq!(sensitivity(&memory, &id), Sensitivity::Secret);
}
