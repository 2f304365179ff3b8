//! The index as a cache: whatever becomes of it, or of the files while it is made, the answers are those of the files.

use std::fs;
use std::path::PathBuf;

use memory_engine::{Depth, Memory, Search, Update};

use crate::sandbox::{Asked as _, Sandbox};

fn found(memory: &Memory, question: &str) -> Vec<String> {
    let answer = memory.search(&Search::new(question)).unwrap();
    answer.hits.iter().map(|hit| hit.entry.memory.body.as_str().to_owned()).collect()
}

fn update(memory: &Memory, how: Update) {
    memory.update_index(how, &mut |_, _| {}).unwrap();
}

/// Every file of the index, with its bytes.
fn files_of_index(sandbox: &Sandbox) -> Vec<(PathBuf, Vec<u8>)> {
    let files = sandbox.everything().into_iter().filter(|(path, _)| path.contains(".vault/index/g-"));
    files.map(|(path, bytes)| (sandbox.place(&path), bytes)).collect()
}

#[test]
fn what_was_away_while_the_index_was_made_is_found_when_it_is_back() {
    let file = "default/notes.md";
    for (how, leave) in [
        (Update::Anew, None),
        (Update::Behind, None),
        // As an editor leaves it for a moment, and one that took most of it out.
        (Update::Anew, Some("")),
        (Update::Behind, Some("")),
        (Update::Anew, Some("left over\n")),
    ] {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        (0..12).for_each(|n| {
            memory.note(&format!("the quokka naps on day number{n}"));
        });
        memory.flush().unwrap();
        let bytes = fs::read(sandbox.place(file)).unwrap();
        if how == Update::Behind {
            // It has them, and has to take them in again.
            update(&memory, Update::Anew);
            sandbox.save(file, String::from_utf8_lossy(&bytes).replace("naps", "sleeps"));
            assert_eq!(found(&memory, "sleeps number3")[0], "the quokka sleeps on day number3");
        }
        let bytes = fs::read(sandbox.place(file)).unwrap();
        match leave {
            None => fs::remove_file(sandbox.place(file)).unwrap(),
            Some(text) => fs::write(sandbox.place(file), text).unwrap(),
        }
        let warm = sandbox.open();
        found(&warm, "quokka");
        update(&sandbox.open(), how);
        found(&warm, "quokka");
        sandbox.save(file, &bytes);
        for memory in [&warm, &sandbox.open()] {
            let texts = found(memory, "quokka");
            assert!(texts.len() == 10 && texts.iter().all(|text| text.contains("quokka")), "{texts:#?}");
            assert!(found(memory, "number3")[0].ends_with("number3"), "{how:?} {leave:?}");
        }
        update(&memory, Update::Behind);
        assert_eq!(sandbox.open().index_state().unwrap().behind, 0, "{how:?} {leave:?}");
        assert!(found(&sandbox.open(), "number3")[0].ends_with("number3"), "{how:?} {leave:?}");
    }
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_answering() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("the axolotl smiles");
    memory.flush().unwrap();
    sandbox.save("ops/notes.md", "the axolotl swims\n");
    update(&memory, Update::Anew);
    let place = sandbox.place("default/notes.md");
    fs::rename(&place, sandbox.beside("away.md")).unwrap();
    fs::create_dir(&place).unwrap();
    for _ in 0..2 {
        assert_eq!(found(&sandbox.open(), "axolotl"), ["the axolotl swims"]);
        update(&sandbox.open(), Update::Anew);
    }
    fs::remove_dir(&place).unwrap();
    fs::rename(sandbox.beside("away.md"), &place).unwrap();
    assert_eq!(found(&sandbox.open(), "axolotl").len(), 2);
}

#[test]
fn a_damaged_byte_is_no_error_and_is_healed() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("the quokka naps");
    memory.note("the quokka sleeps at noon");
    update(&memory, Update::Anew);
    let sorts = files_of_index(&sandbox).len();
    let mut noticed = 0;
    for sort in 0..sorts {
        for step in 0..40 {
            // The last that was noticed made the index anew, in files of other names and the same order.
            let (path, good) = files_of_index(&sandbox).swap_remove(sort);
            let mut bad = good.clone();
            let Some(byte) = bad.get_mut(good.len() * step / 40) else { continue };
            *byte ^= 0x7f;
            fs::write(&path, &bad).unwrap();
            let memory = sandbox.open();
            let answer = memory.search(&Search::new("quokka sleeps")).unwrap();
            let texts: Vec<&str> = answer.hits.iter().map(|hit| hit.entry.memory.body.as_str()).collect();
            memory.index_state().unwrap();
            let told = memory.doctor(Depth::Deep).unwrap();
            let told = answer.broken_index.is_none() && told.findings.iter().any(|it| it.code == "index");
            // A search does not look at every byte; whoever looks deeper is told.
            let found = texts.contains(&"the quokka sleeps at noon");
            assert!(found || told, "{path:?} at step {step}: {texts:?}");
            match answer.broken_index {
                None => fs::write(&path, &good).unwrap(),
                Some(why) => {
                    noticed += 1;
                    update(&memory, Update::Behind);
                    let healed = sandbox.open().search(&Search::new("quokka sleeps")).unwrap();
                    assert_eq!(healed.broken_index, None, "{path:?} at step {step}: {why}");
                }
            }
        }
    }
    assert!(noticed > sorts, "{noticed}");
}
