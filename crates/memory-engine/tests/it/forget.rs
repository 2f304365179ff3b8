//! Forgetting: for good means that no byte of it is left under the root; into the archive means that every byte can
//! come back. And secrets never get there in the first place.

use memory_engine::core::id::{MemoryId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::layout::Page;
use memory_engine::core::memory::Provenance;
use memory_engine::core::scope::{Scope, SourceClass};
use memory_engine::core::time::Time;
use memory_engine::{Change, Compact, Draft, Expect, Forget, Memory, Outcome, Severity, Supersede, Update};

use crate::sandbox::{Asked as _, Dice, Sandbox, note};

/// A word of 32 letters that stands nowhere else.
fn marker(seed: u64) -> String {
    let mut dice = Dice(seed);
    (0..32).map(|_| char::from(b'a' + dice.below(26) as u8)).collect()
}

/// The files under the root in which a word stands, as raw bytes.
fn hits(sandbox: &Sandbox, word: &str) -> Vec<String> {
    let has = |bytes: &[u8]| bytes.windows(word.len()).any(|part| part == word.as_bytes());
    sandbox.everything().into_iter().filter(|(_, bytes)| has(bytes)).map(|(path, _)| path).collect()
}

/// Plants a word in a memory's past and present, forgets it for good, and looks for it everywhere.
fn check(what: &str, layout: &str, plant: impl Fn(&Sandbox, &Memory, &str) -> MemoryId) {
    let word = marker(what.len() as u64 * 31 + layout.len() as u64);
    let sandbox = Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"));
    let memory = sandbox.open();
    let other = sandbox.open();
    memory.note("stays before");
    let id = plant(&sandbox, &memory, &word);
    memory.note("stays after");
    memory.flush().unwrap();
    assert!(!hits(&sandbox, &word).is_empty(), "{what}, {layout}: the word was planted");
    other.texts();
    let gone = memory.forget(std::slice::from_ref(&id), Forget::Hard).unwrap();
    assert!(gone.archive.is_none() && !gone.unreachable.is_empty(), "{what}: it says what it cannot reach");
    assert_eq!(hits(&sandbox, &word), Vec::<String>::new(), "{what}, {layout}: while handles are open");
    assert_eq!(memory.show(&id).unwrap_err().code(), "E_NOT_FOUND", "{what}, {layout}");
    assert_eq!(other.show(&id).unwrap_err().code(), "E_NOT_FOUND", "{what}, {layout}");
    stay(&memory);
    drop((memory, other));
    assert_eq!(hits(&sandbox, &word), Vec::<String>::new(), "{what}, {layout}: after all is closed");
    let memory = sandbox.open();
    stay(&memory);
    assert!(memory.deep().findings.is_empty(), "{what}, {layout}: {:?}", memory.deep().findings);
}

fn stay(memory: &Memory) {
    let texts = memory.texts();
    assert!(texts.iter().all(|text| text.starts_with("stays")) && texts.len() >= 2, "{texts:?}");
}

/// A note under a plain title, from which records take their id.
fn entitled(memory: &Memory, text: &str) -> MemoryId {
    memory.remember(Draft { title: Some("Plain".into()), ..note(text) }).unwrap().id
}

#[test]
fn forgetting_for_good_leaves_no_byte() {
    for layout in ["vault", "record", "journal"] {
        check("just kept", layout, |_, memory, word| entitled(memory, &format!("the word is {word}")));
        check("written to the file", layout, |_, memory, word| {
            let id = entitled(memory, &format!("the word is {word}"));
            memory.flush().unwrap();
            id
        });
        check("edited in and out", layout, |_, memory, word| {
            let id = memory.note("no word yet");
            memory.reword(&id, &format!("the word is {word}"));
            memory.reword(&id, "no word any more");
            id
        });
        check("archived and restored", layout, |_, memory, word| {
            let id = entitled(memory, &format!("the word is {word}"));
            memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
            memory.restore(id.as_str()).unwrap();
            id
        });
        check("archived and left there", layout, |_, memory, word| {
            let id = entitled(memory, &format!("the word is {word}"));
            memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
            id
        });
    }
    check("a title and a key", "vault", |_, memory, word| {
        let title = Some(format!("title {word}"));
        let key = memory_engine::core::id::Key::parse(&format!("key-{word}")).ok();
        memory.remember(Draft { title, key, ..note("with a title") }).unwrap().id
    });
}

#[test]
fn forgetting_for_good_reaches_edits_by_hand() {
    check("typed in an editor", "vault", |sandbox, memory, word| {
        let id = memory.note("as it was");
        memory.flush().unwrap();
        let file = sandbox.text("default/notes.md");
        sandbox.save("default/notes.md", file.replace("as it was", &format!("typed {word}")));
        memory.texts();
        memory.reword(&id, "changed once more");
        id
    });
    check("taken out in an editor", "vault", |sandbox, memory, word| {
        let id = memory.note(&format!("as it was {word}"));
        memory.note("stays between");
        memory.flush().unwrap();
        let file = sandbox.text("default/notes.md");
        sandbox.save("default/notes.md", file.replace(&format!("as it was {word}"), "typed over"));
        memory.texts();
        id
    });
}

#[test]
fn what_was_forgotten_for_good_does_not_come_back_from_an_old_buffer() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("stays");
    let word = marker(9);
    let id = memory.note(&word);
    memory.flush().unwrap();
    let old = sandbox.text("default/notes.md");
    memory.forget(std::slice::from_ref(&id), Forget::Hard).unwrap();
    for saved in [old.clone(), format!("{old}\n")] {
        sandbox.save("default/notes.md", saved);
        assert_eq!(memory.texts(), ["stays"]);
        assert_eq!(hits(&sandbox, &word), Vec::<String>::new(), "not in the ledger and its log either");
    }
    // Words of a person's own under the id are no way back for the old ones.
    sandbox.save("default/notes.md", old.replace(&word, "other words"));
    assert_eq!(memory.texts().len(), 2);
    sandbox.save("default/notes.md", old);
    assert_eq!(memory.texts(), ["stays"]);
    assert_eq!(hits(&sandbox, &word), Vec::<String>::new());
}

#[test]
fn other_words_under_an_id_that_was_forgotten_for_good_stay() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("goes for good");
    memory.flush().unwrap();
    let old = sandbox.text("default/notes.md");
    sandbox.save("_project.md", "# Shop\n\nthe page as it was\n");
    memory.texts();
    let page = MemoryId::parse("project").unwrap();
    memory.forget(&[id.clone(), page.clone()], Forget::Hard).unwrap();
    sandbox.save("default/notes.md", old.replace("goes for good", "a person's own words"));
    sandbox.save("default/ideas.md", old.replace("goes for good", "an idea of a person"));
    sandbox.save("_project.md", "# Shop\n\nwholly new words\n");
    let mut texts = memory.texts();
    texts.sort();
    assert_eq!(texts, ["a person's own words", "an idea of a person"]);
    assert!(sandbox.text("_project.md").contains("wholly new words"));
}

#[test]
fn a_secret_never_reaches_the_disk() {
    // A token of the right form that nobody ever had.
    let body: String = marker(7).chars().chain(marker(8).chars()).take(36).collect();
    let token = format!("ghp_{body}");
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let text = format!("the key of the bot is {token}, keep it safe");
    let kept = memory.remember(note(&text)).unwrap();
    assert_eq!(kept.redacted.len(), 1, "{kept:?}");
    assert!(memory.text_of(&kept.id).contains("[redacted:"));
    let id = memory.note("to be edited");
    memory.reword(&id, &text);
    memory.write_page(Page::Project, &format!("# Project\n\n{text}\n")).unwrap();
    memory.write_page(Page::Project, &format!("# Project again\n\n{text}\n")).unwrap();
    memory.remember(Draft { title: Some(format!("bot {token}")), ..note("with a title") }).unwrap();
    let record = Draft { scope: Some(Scope::Project), kind: Some(Kind::Fact), ..Draft::note(&text) };
    memory.remember(record).unwrap();
    memory.forget(&[kept.id], Forget::Archive).unwrap();
    memory.flush().unwrap();
    assert_eq!(hits(&sandbox, &token), Vec::<String>::new());
    assert_eq!(hits(&sandbox, &token[8..40]), Vec::<String>::new(), "nor a part of it");
    drop(memory);
    assert_eq!(hits(&sandbox, &token), Vec::<String>::new());
    let masked = hits(&sandbox, "[redacted:");
    for path in ["_project.md", "default/notes.md", "records/", "archive/"] {
        assert!(masked.iter().any(|hit| hit.starts_with(path)), "{path} is not among {masked:?}");
    }
}

#[test]
fn what_comes_back_from_the_archive_has_the_bytes_it_had() {
    for layout in ["vault", "record", "journal"] {
        let sandbox = Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"));
        let memory = sandbox.open();
        let keep = |n| {
            // Entries of one millisecond have no order of their own in a journal.
            std::thread::sleep(std::time::Duration::from_millis(2));
            memory.note(&format!("entry {n} #tag{n}\n\n---\n\nwith more"))
        };
        let ids: Vec<MemoryId> = (0..5).map(keep).collect();
        memory.flush().unwrap();
        let mut files = sandbox.files();
        let of_ours = |path: &String, _: &mut Vec<u8>| !path.starts_with("archive");
        files.retain(of_ours);
        for gone in [&ids[..1], &ids[2..3], &ids[4..], &ids[1..4], &ids[..]] {
            let batch = memory.forget(gone, Forget::Archive).unwrap().archive.unwrap();
            assert_eq!(memory.texts().len(), 5 - gone.len(), "{layout}");
            let restored = memory.restore(&batch).unwrap();
            assert!(gone.iter().all(|id| restored.ids.contains(id)), "{layout}");
            let mut after = sandbox.files();
            after.retain(of_ours);
            assert!(after == files, "{layout}: {} of 5 gone and back", gone.len());
        }
    }
}

/// What becomes of a draft of this class that was said at this moment, after a memory was forgotten.
fn after_forgetting(text: &str, class: SourceClass, at: Option<Time>) -> Outcome {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.remember(note("The release is called Copper, since June.")).unwrap().id;
    memory.edit(&id, Change::Text("The release is called Zinc".into()), &Expect::Anything).unwrap();
    memory.forget(&[id], Forget::Archive).unwrap();
    let draft = Draft { at, provenance: Provenance::of("codex", class), ..note(text) };
    sandbox.open().remember(draft).unwrap().outcome
}

#[test]
fn only_a_person_brings_back_what_was_forgotten() {
    let check =
        |text: &str, class, at, expect| assert_eq!(after_forgetting(text, class, at), expect, "{text}");
    let before = Some(Time(1_700_000_000_000));
    check("The release is called Zinc", SourceClass::Agent, None, Outcome::Forgotten);
    check("the RELEASE is called  zínc.", SourceClass::Agent, None, Outcome::Forgotten);
    check("the release is called copper - since June", SourceClass::Tool, None, Outcome::Forgotten);
    check("The release is called Zinc", SourceClass::Human, before, Outcome::Forgotten);
    check("The release is called Zinc", SourceClass::Human, None, Outcome::Created);
    check("The release is called Tin", SourceClass::Agent, None, Outcome::Created);
}

#[test]
fn what_was_superseded_is_not_extracted_again() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let old = memory.remember(note("The port is 8080")).unwrap().id;
    let new = memory.remember(note("The port is 9090")).unwrap().id;
    memory.supersede(&Supersede::By { old: old.clone(), new }).unwrap();
    for memory in [&memory, &sandbox.open()] {
        let heard =
            Draft { provenance: Provenance::of("codex", SourceClass::Agent), ..note("The port is 8080") };
        let kept = memory.remember(heard).unwrap();
        assert_eq!((kept.outcome, &kept.id), (Outcome::Duplicate, &old));
    }
    // A person takes it up again, once.
    let again = memory.remember(note("The port is 8080")).unwrap();
    assert_eq!(again.outcome, Outcome::Created);
    let twice = memory.remember(note("The port is 8080")).unwrap();
    assert_eq!((twice.outcome, twice.id), (Outcome::Duplicate, again.id));
}

#[test]
fn tags_come_back_from_the_archive() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let tags = |words: &[&str]| words.iter().map(|word| Tag::parse(word).unwrap()).collect::<Vec<_>>();
    let id = memory.remember(Draft { tags: Some(tags(&["one", "two"])), ..note("text #three") }).unwrap().id;
    memory.edit(&id, Change::Tags(tags(&["wrong"])), &Expect::Anything).unwrap();
    memory.restore(id.as_str()).unwrap();
    assert_eq!(memory.show(&id).unwrap().memory.tags, tags(&["one", "two"]));
    memory.edit(&id, Change::Text("other #words".to_owned()), &Expect::Anything).unwrap();
    memory.restore(id.as_str()).unwrap();
    let back = memory.show(&id).unwrap().memory;
    assert_eq!((back.body.as_str(), back.tags), ("text #three", tags(&["one", "two"])));
}

#[test]
fn other_words_under_the_same_id_in_another_file_stay() {
    for how in [Forget::Archive, Forget::Hard] {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        let id = memory.note("use A in dev");
        memory.flush().unwrap();
        let copy = sandbox.text("default/notes.md").replace("use A in dev", "use B in zoe");
        sandbox.save("zoe/notes.md", copy);
        assert!(memory.deep().findings.iter().any(|it| it.code == "duplicate-id"));
        memory.forget(std::slice::from_ref(&id), how).unwrap();
        assert_eq!(memory.texts(), ["use B in zoe"]);
        assert!(sandbox.text("zoe/notes.md").contains("use B in zoe"));
        assert!(memory.codes().contains(&"same-id"));
    }
}

#[test]
fn what_comes_back_takes_nobodys_place() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("use A in dev");
    memory.flush().unwrap();
    let copy = sandbox.text("default/notes.md").replace("use A in dev", "use B in zoe");
    sandbox.save("zoe/notes.md", copy.replace("## 2", "## 1"));
    let gone = memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
    assert_eq!(memory.texts(), ["use B in zoe"]);
    let before = sandbox.text("zoe/notes.md");
    let refused = memory.restore(id.as_str()).unwrap_err();
    assert_eq!(refused.code(), "E_ID_TAKEN");
    assert!(refused.to_string().contains("zoe/notes.md"), "{refused}");
    let restored = memory.restore(gone.archive.as_deref().unwrap()).unwrap();
    assert_eq!((restored.ids.len(), restored.left.len()), (0, 1), "{restored:?}");
    assert_eq!(sandbox.text("zoe/notes.md"), before);
    std::fs::remove_file(sandbox.place("zoe/notes.md")).unwrap();
    memory.restore(id.as_str()).unwrap();
    assert_eq!(memory.texts(), ["use A in dev"]);
}

#[test]
fn a_check_up_names_what_is_hidden_unread_or_torn() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let (old, new) = (memory.note("the port is 80"), memory.note("the port is 81"));
    memory.supersede(&Supersede::By { old, new: new.clone() }).unwrap();
    memory.forget(&[new], Forget::Archive).unwrap();
    sandbox.save("default/Big Ideas.md", "never read");
    let torn = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> 82e25b9\n";
    sandbox.save("default/ideas.md", torn);
    memory.texts();
    let codes: Vec<&str> = memory.deep().findings.iter().map(|it| it.code).collect();
    for code in ["superseded-by-nothing", "file-name", "merge-conflict"] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
}

#[test]
fn forgetting_for_good_strikes_the_words_out_of_our_other_files() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the \"zqx\" policy is for auditors alone");
    memory.reword(&id, "the zqx policy is for everybody now");
    memory.flush().unwrap();
    for file in [
        "history/events.jsonl",
        ".vault/transcripts/s.json",
        "conversations/dev.json",
        ".vault/checkpoints/dev.json",
    ] {
        let said = r#"{"text":"We said: the \"zqx\" policy is for auditors alone. Then: the zqx policy is for everybody now"}"#;
        sandbox.save(file, said);
    }
    sandbox.save("mine.txt", "the zqx policy is for everybody now");
    let gone = memory.forget(std::slice::from_ref(&id), Forget::Hard).unwrap();
    assert_eq!(gone.still_in, ["mine.txt"]);
    assert_eq!(hits(&sandbox, "zqx"), ["mine.txt"]);
    assert_eq!(sandbox.text("conversations/dev.json"), r#"{"text":"[forgotten] [forgotten]"}"#);
}

#[test]
fn short_words_and_titles_are_struck_out_too() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let pin = memory.note("PIN 8812-ZQXA");
    let title = Some("Zqxa vault in the cellar".to_owned());
    let titled = memory.remember(Draft { title, ..note("behind the second door on the left") }).unwrap().id;
    memory.flush().unwrap();
    for file in ["conversations/default.json", ".vault/checkpoints/default.json"] {
        let said = r#"{"text":"Remember:\nPIN 8812-ZQXA. That is for the Zqxa vault in the cellar!"}"#;
        sandbox.save(file, said);
    }
    let gone = memory.forget(&[pin, titled], Forget::Hard).unwrap();
    assert_eq!((gone.still_in, hits(&sandbox, "ZQXA"), hits(&sandbox, "Zqxa")), (vec![], vec![], vec![]));
}

#[test]
fn what_cannot_be_read_is_named() {
    let sandbox = Sandbox::new().settings("[limits]\nfile_bytes = 2000\n");
    let memory = sandbox.open();
    let id = memory.note("the zqx policy is for auditors alone");
    let large = format!("{{\"text\":\"{} the zqx policy is for auditors alone\"}}", "x".repeat(3000));
    sandbox.save("conversations/default.json", large);
    let gone = memory.forget(&[id], Forget::Hard).unwrap();
    assert_eq!(gone.still_in, ["conversations/default.json"]);
    assert!(gone.unreachable.iter().any(|it| it.contains("could not be looked into")), "{gone:?}");
}

#[test]
fn another_memory_with_the_same_words_is_named_and_not_the_ledger() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the zqx policy is for auditors alone");
    let other = memory.note("As agreed: the zqx policy is for auditors alone. Tell them.");
    memory.flush().unwrap();
    let gone = memory.forget(&[id], Forget::Hard).unwrap();
    let told = gone.unreachable.join("\n");
    assert!(told.contains(&format!("the memory `{other}` in `default/notes.md`")), "{told}");
    assert!(told.contains(&format!("agent-memory forget --hard {other}")), "{told}");
    assert!(!told.contains("ledger.db"), "{told}");
    assert_eq!(gone.still_in, ["default/notes.md", ".vault/ledger.db"]);
    let gone = memory.forget(&[other], Forget::Hard).unwrap();
    assert_eq!((gone.still_in, hits(&sandbox, "zqx")), (vec![], vec![]));
}

/// What left by upkeep stands in the archive alone, in copies of whole files, once the ledger let go of its text.
#[test]
fn what_upkeep_took_away_is_forgotten_for_good_too() {
    let sandbox = Sandbox::new().settings("[ledger]\nkeep_text_days = 0\n");
    let memory = sandbox.open();
    let text = |n: usize| format!("Choice {n} concerns the gateway of zqx {n}. It is final.");
    let decision = |n| Draft { kind: Some(Kind::Decision), ..Draft::note(&text(n)) };
    let kept = memory.remember_all((0..31).map(decision).collect()).unwrap();
    let id = kept.into_iter().nth(3).unwrap().unwrap().id;
    memory.flush().unwrap();
    memory.compact(&Compact::default(), &mut |_, _| {}).unwrap();
    assert!(memory.show(&id).is_err());
    for file in ["history/events.jsonl", "conversations/dev.json"] {
        sandbox.save(file, format!("{{\"text\":\"We said: {}\"}}\n", text(3)));
    }
    let gone = memory.forget(std::slice::from_ref(&id), Forget::Hard).unwrap();
    assert_eq!((gone.still_in, hits(&sandbox, "zqx 3.")), (vec![], vec![]));
    let heard = Draft { provenance: Provenance::of("codex", SourceClass::Agent), ..decision(3) };
    assert_eq!(memory.remember(heard).unwrap().outcome, Outcome::Forgotten);
    assert!(memory.deep().findings.iter().all(|it| it.severity != Severity::Problem));
}

#[test]
fn what_only_the_archive_knows_is_forgotten_for_good() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the zqx policy is for auditors alone");
    memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
    sandbox.close(memory);
    std::fs::remove_file(sandbox.place(".vault/ledger.db")).unwrap();
    let gone = sandbox.open().forget(&[id], Forget::Hard).unwrap();
    assert_eq!((gone.still_in, hits(&sandbox, "zqx")), (vec![], vec![]));
}

#[test]
fn what_is_not_looked_into_is_named() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the zqx policy is for auditors alone");
    let deep = "a/b/c/d/e/f/g/h/i/j.txt";
    sandbox.save(deep, "the zqx policy is for auditors alone");
    std::fs::write(sandbox.beside("linked.txt"), "the zqx policy is for auditors alone").unwrap();
    std::os::unix::fs::symlink(sandbox.beside("linked.txt"), sandbox.place("link.txt")).unwrap();
    let gone = memory.forget(&[id], Forget::Hard).unwrap();
    assert_eq!(gone.still_in, ["a/b/c/d/e/f/g/h/i", "link.txt"]);
    assert!(gone.unreachable.iter().any(|it| it.contains("too deep")), "{gone:?}");
    assert!(gone.unreachable.iter().any(|it| it.contains("`link.txt`")), "{gone:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the zqx policy is for auditors alone");
    memory.flush().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"bad\xff.md");
    std::fs::write(sandbox.place("default").join(odd), "the zqx policy is for auditors alone").unwrap();
    assert_eq!(memory.texts().len(), 1);
    assert!(memory.deep().findings.iter().any(|it| it.file == "default/bad\u{fffd}.md"));
    let gone = memory.forget(&[id], Forget::Hard).unwrap();
    assert_eq!(gone.still_in, ["default/bad\u{fffd}.md"]);
}

#[test]
fn words_that_are_wrapped_over_lines_are_found() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the zqx policy is for auditors alone");
    sandbox.save("mine.txt", "I wrote that the zqx policy is\n  for auditors alone.\n");
    assert_eq!(memory.forget(&[id], Forget::Hard).unwrap().still_in, ["mine.txt"]);
}

#[test]
fn a_wrong_id_takes_no_index_away() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("stays");
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    let index = || sandbox.everything().into_keys().filter(|path| path.starts_with(".vault/index/")).count();
    let before = index();
    assert!(before > 1);
    let wrong = MemoryId::parse("404").unwrap();
    assert_eq!(memory.forget(&[id, wrong], Forget::Hard).unwrap_err().code(), "E_NOT_FOUND");
    assert_eq!(index(), before);
}
