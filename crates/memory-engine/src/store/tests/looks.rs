//! What a look at the files costs and tells.

use super::*;

#[test]
fn a_question_does_not_wait_for_a_writer() {
    let mut answered = 0;
    for call in 0..60 {
        let place = folder();
        let disk = FaultyDisk::new(place.path());
        let mut log = prelude(&disk);
        let memory = open(&disk).unwrap();
        let (send, said) = std::sync::mpsc::channel();
        let hook = move |disk: &FaultyDisk| {
            let asking = open(disk).unwrap();
            let found = asking.search(&Search::new("platypus")).unwrap().hits.len() == 1;
            let waited = asking.notices().iter().any(|notice| notice.code == "E_LOCKED");
            let file = disk.cat(FILE).unwrap_or_default();
            let written = String::from_utf8_lossy(&file).contains("platypus");
            send.send((found, waited, written)).unwrap_or(());
        };
        disk.interrupt(call, Box::new(hook));
        remember(&memory, &mut log, "platypus").unwrap();
        drop(memory);
        answered += said.try_iter().filter(|said| *said == (true, false, false)).count();
        assert_eq!(check(&disk, &log), Ok(()), "call {call}");
    }
    assert!(answered > 0, "no question met a writer between its commit and its file");
}

#[test]
fn a_file_dated_to_the_second_may_have_changed_within_two() {
    let check = |modified_ns: i64, seen_ms: i64, expect: Sameness| {
        let stat = Stat { size: 1, modified_ns, inode: 1 };
        let row = FileRow { stat, seen: Time(seen_ms), ..FileRow::default() };
        assert_eq!(is_unchanged(&row, Some(stat)), expect, "{modified_ns} seen at {seen_ms}");
    };
    check(5_000_000_000, 6_900, Sameness::Unsure);
    check(5_000_000_000, 7_100, Sameness::Same);
    check(5_001_000_000, 5_040, Sameness::Unsure);
    check(5_001_000_000, 5_100, Sameness::Same);
}

#[test]
fn what_is_gone_costs_no_look_of_its_own() {
    let folder = folder();
    let disk = FaultyDisk::new(folder.path());
    let memory = open(&disk).unwrap();
    let ids: Vec<MemoryId> =
        (0..40).map(|n| memory.remember(note(&format!("entry {n}"))).unwrap().id).collect();
    memory.forget(&ids[..30], Forget::Archive).unwrap();
    drop(memory);
    let mut store = super::super::Store::open(Arc::new(disk.clone()), settings().config, None).unwrap();
    let mut calls = |ids: &[MemoryId]| {
        let (before, mut there) = (disk.calls(), 0);
        let away = store.each_current(ids, &mut |_| there += 1).unwrap();
        assert!(away.is_empty());
        (disk.calls() - before, there)
    };
    calls(&ids);
    let (one, all) = (calls(&ids[29..]), calls(&ids));
    assert_eq!((one.1, all.1), (10, 10));
    // A file that was just written may be looked at once more.
    assert!(all.0 <= one.0 + 10, "{} and {} calls", one.0, all.0);
}

#[test]
fn a_writer_at_any_moment_hides_no_memory() {
    let mut met = 0;
    for call in 0.. {
        let place = folder();
        let disk = FaultyDisk::new(place.path());
        let mut log = prelude(&disk);
        remember(&open(&disk).unwrap(), &mut log, "asked for by its name").unwrap();
        let (asking, writing) = (open(&disk).unwrap(), open(&disk).unwrap());
        // A person wrote in the file, so it is looked at before the answer.
        let by_hand = [&disk.cat(FILE).unwrap()[..], b"\nand a line by hand\n"].concat();
        disk.edit(FILE, &by_hand, false);
        let (send, wrote) = std::sync::mpsc::channel();
        let hook = move |_: &FaultyDisk| {
            let done = writing.remember(note("written meanwhile")).and_then(|_| writing.flush());
            send.send(done.is_ok()).unwrap_or(());
        };
        let before = disk.calls();
        disk.interrupt(call, Box::new(hook));
        let shown = asking.show(&log.ids[0]);
        let found = asking.search(&Search::new("its name")).unwrap().hits.len();
        let reached = disk.calls() - before > call;
        disk.disarm();
        assert!(shown.is_ok(), "call {call}: {shown:?}");
        assert_eq!(found, 1, "call {call}");
        met += wrote.try_iter().filter(|wrote| *wrote).count();
        if !reached {
            break;
        }
    }
    assert!(met > 5, "a writer came in between {met} times");
}

#[test]
fn what_goes_wrong_after_the_commit_is_said_and_fails_nothing() {
    for call in 0.. {
        let place = folder();
        let disk = FaultyDisk::new(place.path());
        let mut log = prelude(&disk);
        let memory = open(&disk).unwrap();
        remember(&memory, &mut log, "kept long ago, or nearly so").unwrap();
        let kept = memory.remember(note("kept long ago, or so")).unwrap();
        let before = disk.calls();
        disk.arm(call, Fault::Fail(ErrorKind::StorageFull));
        memory.similar(&kept);
        memory.flush_or_say().unwrap();
        let reached = disk.calls() - before > call;
        disk.disarm();
        drop(memory);
        log.stands.insert("kept long ago, or so".to_owned());
        assert_eq!(check(&disk, &log), Ok(()), "call {call}");
        if !reached {
            break;
        }
    }
}

#[test]
fn a_change_that_failed_has_not_happened() {
    type Act = fn(&Memory, &MemoryId, &MemoryId) -> Result<()>;
    type Happened = fn(&Memory, &MemoryId) -> bool;
    let changes: [(&str, Act, Happened); 3] = [
        (
            "forget",
            |memory, id, _| memory.forget(std::slice::from_ref(id), Forget::Archive).map(|_| ()),
            |memory, id| memory.show(id).is_err(),
        ),
        (
            "edit",
            |memory, id, _| {
                memory.edit(id, Change::Text("other words".into()), &Expect::Anything).map(|_| ())
            },
            |memory, id| memory.show(id).unwrap().memory.body.as_str() == "other words",
        ),
        (
            "supersede",
            |memory, old, new| {
                let (old, new) = (old.clone(), new.clone());
                memory.supersede(&crate::Supersede::By { old, new }).map(|_| ())
            },
            |memory, id| memory.show(id).unwrap().memory.superseded_by().is_some(),
        ),
    ];
    for (what, act, happened) in changes {
        for call in 0.. {
            let place = folder();
            let disk = FaultyDisk::new(place.path());
            let mut log = prelude(&disk);
            let memory = open(&disk).unwrap();
            remember(&memory, &mut log, "first").unwrap();
            remember(&memory, &mut log, "second").unwrap();
            memory.flush().unwrap();
            let before = disk.calls();
            disk.arm(call, Fault::Fail(ErrorKind::StorageFull));
            let done = act(&memory, &log.ids[0], &log.ids[1]);
            let reached = disk.calls() - before > call;
            disk.disarm();
            // Only where the commit itself fails, nobody can tell whether it happened.
            let unsure = done.as_ref().is_err_and(|error| error.to_string().contains("could not commit"));
            assert!(
                unsure || happened(&memory, &log.ids[0]) == done.is_ok(),
                "{what}, call {call}: {done:?}"
            );
            if !reached {
                break;
            }
        }
    }
}
