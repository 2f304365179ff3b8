//! Context from one look at the files, and without waiting for what no index holds.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use memory_core::config::{Config, resolve};

use super::*;
use crate::disk::{FaultyDisk, OsDisk};
use crate::store::Filter;
use crate::{Draft, Memory};

fn texts(store: &mut Store) -> Result<String> {
    let mut texts = Vec::new();
    store.each(&Filter::default(), &mut |entry| {
        texts.push(entry.memory.body.as_str().to_owned());
        Ok(std::ops::ControlFlow::Continue(()))
    })?;
    Ok(texts.join("|"))
}

#[test]
fn an_answer_is_made_of_one_look_at_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::new(folder.path());
    let mut store = Store::open(Arc::new(disk.clone()), Config::default(), None).unwrap();
    let save = |text: &str| disk.edit("default/notes.md", format!("# Notes\n\n{text}\n").as_bytes(), false);
    save("one");
    let during = store.at_one_look(|store| {
        let before = texts(store)?;
        save("another");
        // What stood there is gone, and what stands there is not known yet.
        Ok((before, texts(store)?.contains("another")))
    });
    assert_eq!(during.unwrap(), ("one".to_owned(), false));
    assert_eq!(texts(&mut store).unwrap(), "another");
    // One that came to nothing does not leave the next without a look.
    let torn = AssertUnwindSafe(|| store.at_one_look::<()>(|_| panic!("torn")));
    assert!(std::panic::catch_unwind(torn).is_err());
    save("a third");
    assert_eq!(texts(&mut store).unwrap(), "a third");
}

#[test]
fn who_waits_is_not_made_to_wait_for_what_no_index_holds() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::with(Arc::new(OsDisk::open(folder.path()).unwrap()), resolve(&[])).unwrap();
    for port in [8080, 9090, 7070] {
        memory.remember(Draft::note(&format!("The service listens on port {port}"))).unwrap();
    }
    let found = |most: Option<usize>| {
        let ask = Ask {
            command: "on which port does the service listen?".to_owned(),
            most_unindexed: most,
            ..Ask::new(AgentId::parse("default").unwrap())
        };
        memory.context(&ask).unwrap().pool.found.len()
    };
    assert_eq!((found(None), found(Some(3)), found(Some(2))), (3, 3, 0));
    memory.update_index(crate::Update::Behind, &mut |_, _| {}).unwrap();
    assert_eq!(found(Some(0)), 3);
}
