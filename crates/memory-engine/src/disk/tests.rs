//! A file is put in its place, or taken away, while somebody else saves, makes or deletes it at any call, and again at
//! any later call. What the other hand wrote last stands afterwards, and nothing is left beside.

use std::sync::mpsc::{Sender, channel};

use super::{Disk, FaultyDisk, OsDisk, Piece, Replaced, Sort, Stat, replace, take_away, temporary};
use crate::error::Result;

const FILE: &str = "notes.md";

/// What somebody else does with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hand {
    Rename,
    InPlace,
    Delete,
}

impl Hand {
    fn act(self, disk: &FaultyDisk, text: &'static str, said: &Sender<Option<&'static str>>) {
        match self {
            Self::Rename => disk.edit(FILE, text.as_bytes(), false),
            Self::InPlace => disk.edit(FILE, text.as_bytes(), true),
            Self::Delete => disk.remove(FILE).unwrap(),
        }
        said.send((self != Self::Delete).then_some(text)).unwrap();
    }
}

type Act = fn(&FaultyDisk, Option<Stat>) -> Result<bool>;

/// An act of ours with two acts of another hand in it; whether the first of them happened.
fn beside(before: Option<&str>, [one, two]: [(usize, Hand); 2], act: Act) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::new(folder.path());
    if let Some(text) = before {
        disk.edit(FILE, text.as_bytes(), false);
    }
    let expect = disk.stat(FILE).unwrap();
    let (send, said) = channel();
    let hook = move |disk: &FaultyDisk| {
        one.1.act(disk, "first", &send);
        disk.interrupt(two.0, Box::new(move |disk| two.1.act(disk, "second", &send)));
    };
    disk.interrupt(one.0, Box::new(hook));
    let done = act(&disk, expect).unwrap();
    disk.disarm();
    let stands = disk.cat(FILE).map(|bytes| String::from_utf8(bytes).unwrap());
    let what = format!("{before:?}, {one:?}, then {two:?}, done: {done}, stands: {stands:?}");
    assert_eq!(disk.cat(&temporary(FILE)), None, "something is left beside: {what}");
    let said: Vec<_> = said.try_iter().collect();
    match said.last() {
        None => assert!(done, "{what}"),
        Some(Some(text)) => assert_eq!(stands.as_deref(), Some(*text), "{what}"),
        Some(None) => assert!(done || stands.as_deref() != before || before.is_none(), "{what}"),
    }
    !said.is_empty()
}

/// Every pair of moments and hands.
fn check(before: Option<&str>, act: Act) {
    const HANDS: [Hand; 3] = [Hand::Rename, Hand::InPlace, Hand::Delete];
    let mut runs = 0;
    for (one, two) in HANDS.iter().flat_map(|one| HANDS.map(|two| (*one, two))) {
        let mut first = 0;
        // All second moments, so no early end.
        while (0..10).filter(|&second| beside(before, [(first, one), (second, two)], act)).count() > 0 {
            runs += 1;
            first += 1;
        }
    }
    assert!(runs > 40, "only {runs} moments");
}

fn put(disk: &FaultyDisk, expect: Option<Stat>) -> Result<bool> {
    let pieces = [Piece::Bytes(b"ours".to_vec())];
    Ok(matches!(replace(disk, FILE, expect, &pieces)?, Replaced::Done(..)))
}

fn take(disk: &FaultyDisk, expect: Option<Stat>) -> Result<bool> {
    take_away(disk, FILE, expect.unwrap())
}

#[test]
fn a_file_made_by_another_hand_just_before_ours_stays() {
    check(None, put);
}

#[test]
fn a_file_saved_by_another_hand_just_before_ours_stays() {
    check(Some("before"), put);
}

#[test]
fn a_file_saved_by_another_hand_is_not_taken_away() {
    check(Some("before"), take);
}

#[test]
fn the_system_places_a_file_only_where_none_is() {
    let folder = tempfile::tempdir().unwrap();
    let disk = OsDisk::open(folder.path()).unwrap();
    for name in ["a", "b"] {
        disk.write(name, name, &[Piece::Bytes(name.as_bytes().to_vec())]).unwrap();
    }
    assert!(!disk.place("a", "b").unwrap());
    assert_eq!(disk.read("b", 9).unwrap().as_deref(), Some(b"b".as_slice()));
    assert!(disk.place("a", "c").unwrap());
    assert_eq!((disk.stat("a").unwrap(), disk.read("c", 9).unwrap()), (None, Some(b"a".to_vec())));
    assert!(disk.place("a", "d").is_err(), "there is nothing to place");
}

#[test]
fn one_at_a_time_is_elected_and_what_is_appended_stands_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let double = tempfile::tempdir().unwrap();
    let disks: [Box<dyn Disk>; 2] =
        [Box::new(OsDisk::open(folder.path()).unwrap()), Box::new(FaultyDisk::new(double.path()))];
    for disk in disks {
        let first = disk.elect("drain").unwrap();
        assert!(first.is_some());
        assert!(disk.elect("drain").unwrap().is_none());
        assert!(disk.elect("watch").unwrap().is_some());
        drop(first);
        assert!(disk.elect("drain").unwrap().is_some());
        disk.append("log", b"one\n").unwrap();
        disk.append("log", b"two\n").unwrap();
        assert_eq!(disk.read("log", 99).unwrap().as_deref(), Some(b"one\ntwo\n".as_slice()));
    }
}

#[test]
fn what_is_listed_is_looked_at_and_what_looks_otherwise_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let double = tempfile::tempdir().unwrap();
    let disks: [Box<dyn Disk>; 2] =
        [Box::new(OsDisk::open(folder.path()).unwrap()), Box::new(FaultyDisk::new(double.path()))];
    for disk in disks {
        disk.make_folder("dev").unwrap();
        for path in ["dev/b.md", "dev/a.md", "c.md"] {
            disk.write(path, path, &[Piece::Bytes(path.as_bytes().to_vec())]).unwrap();
        }
        let looked = |folder: &str| {
            let mut looked = Vec::new();
            disk.look(folder, &mut |name, stat| {
                let stat = (name.sort == Sort::File).then(|| stat().unwrap().unwrap());
                looked.push((name.name.clone(), stat));
            })
            .unwrap();
            looked
        };
        let stat = |path: &str| disk.stat(path).unwrap();
        assert_eq!(looked("dev"), [("a.md".into(), stat("dev/a.md")), ("b.md".into(), stat("dev/b.md"))]);
        assert!(looked("").contains(&("c.md".into(), stat("c.md"))) && looked("none").is_empty());
        let known = stat("dev/a.md").unwrap();
        let read = |path: &str| disk.read_if(path, &|stat| stat == known, &[4..8, 0..3, 7..99]).unwrap();
        let parts = ["a.md", "dev", "d"].map(|part| part.as_bytes().to_vec());
        assert_eq!(read("dev/a.md"), Some(parts.to_vec()));
        assert_eq!((read("dev/b.md"), read("dev/none.md")), (None, None));
    }
}
