//! Folders made to hurt: links, pipes, devices, huge files, bytes that are no text, forged archives. The answer is a
//! stable code or a notice, every other memory still answers, and nothing beside the root is read or written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use memory_engine::core::id::{AgentId, Category, MemoryId};
use memory_engine::core::kind::Kind;
use memory_engine::{Draft, Forget, Memory, Severity};

use crate::sandbox::{Asked as _, Sandbox, note};

const FILE: &str = "default/notes.md";
const OUTSIDE: &[u8] = b"<!-- id:5 -->\n## 2026-03-16T16:51\n\nnot yours to read\n\n---\n";

/// A root with a memory in another file, and something of value beside the root.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.beside("elsewhere/default")).unwrap();
    fs::write(sandbox.beside("elsewhere/notes.md"), OUTSIDE).unwrap();
    fs::write(sandbox.beside("elsewhere/default/notes.md"), OUTSIDE).unwrap();
    sandbox.open().remember(Draft { kind: Some(Kind::Fact), ..Draft::note("stands apart") }).unwrap();
    sandbox
}

/// Everything a person does, with something odd in the place of the notes: it is refused with a code and said, all else
/// answers, and once the odd thing is gone the notes work.
fn check(what: &str, odd: impl FnOnce(&Sandbox)) {
    let sandbox = sandbox();
    odd(&sandbox);
    let before = sandbox.outside();
    let memory = sandbox.open();
    assert_eq!(memory.texts(), ["stands apart"], "{what}");
    let refused = memory.remember(note("not now")).map_err(|error| error.code());
    assert_eq!(refused.err(), Some("E_NOT_PLAIN"), "{what}");
    let fact = Draft { kind: Some(Kind::Fact), ..Draft::note("all else is kept") };
    assert!(memory.remember(fact).is_ok(), "{what}");
    assert_eq!(memory.texts(), ["all else is kept", "stands apart"], "{what}");
    let found = memory.deep().findings;
    let said = found.iter().any(|finding| finding.severity > Severity::Note && finding.text.contains(FILE));
    assert!(said, "{what}: {found:?}");
    drop(memory);
    assert!(sandbox.outside() == before, "{what}: something beside the root changed");
    clear(&sandbox.place(FILE));
    let memory = sandbox.open();
    memory.note("kept at last");
    memory.flush().unwrap();
    assert!(sandbox.text(FILE).contains("kept at last"), "{what}");
    assert!(sandbox.outside() == before, "{what}: something beside the root changed");
}

/// Takes an odd thing away.
fn clear(path: &Path) {
    let folder = fs::symlink_metadata(path).unwrap().is_dir();
    if folder { fs::remove_dir(path) } else { fs::remove_file(path) }.unwrap();
}

/// Makes a pipe, a socket or a device; the call for it is not there on every system.
#[cfg(target_os = "linux")]
fn node(path: &Path, sort: rustix::fs::FileType, device: u64) -> bool {
    use rustix::fs::{CWD, Mode, mknodat};
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    mknodat(CWD, path, sort, Mode::from_raw_mode(0o600), device).is_ok()
}

#[test]
fn a_linked_file_is_neither_read_nor_written() {
    let link = |to: &str| {
        let to = to.to_owned();
        move |sandbox: &Sandbox| {
            let to = sandbox.beside(&to);
            symlink(to, sandbox.place(FILE)).unwrap();
        }
    };
    check("a link to a file outside", link("elsewhere/notes.md"));
    check("a dangling link", link("elsewhere/not-there.md"));
    check("a link to a folder", link("elsewhere"));
    check("a link to itself", |sandbox| symlink("notes.md", sandbox.place(FILE)).unwrap());
    check("a relative link", |sandbox| {
        symlink("../../elsewhere/notes.md", sandbox.place(FILE)).unwrap();
    });
    check("a link within the root", |sandbox| symlink("facts.md", sandbox.place(FILE)).unwrap());
}

#[test]
fn a_folder_is_no_file() {
    check("a folder", |sandbox| fs::create_dir(sandbox.place(FILE)).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_no_files() {
    use rustix::fs::FileType;
    check("a pipe", |sandbox| assert!(node(&sandbox.place(FILE), FileType::Fifo, 0)));
    check("a socket", |sandbox| assert!(node(&sandbox.place(FILE), FileType::Socket, 0)));
    let probe = Sandbox::new();
    if !node(&probe.place("zero"), FileType::CharacterDevice, rustix::fs::makedev(1, 5)) {
        eprintln!("skipped: only root can make a device");
        return;
    }
    check("a device", |sandbox| {
        assert!(node(&sandbox.place(FILE), FileType::CharacterDevice, rustix::fs::makedev(1, 5)));
    });
}

#[test]
fn a_linked_agents_folder_is_neither_read_nor_written() {
    let sandbox = sandbox();
    let dev = AgentId::parse("dev").unwrap();
    symlink(sandbox.beside("elsewhere/default"), sandbox.place("dev")).unwrap();
    let before = sandbox.outside();
    let memory = sandbox.open();
    assert_eq!(memory.texts(), ["stands apart"]);
    let scope = Some(memory_engine::core::scope::Scope::Agent(dev));
    let draft = Draft { scope, ..note("for dev") };
    assert_eq!(memory.remember(draft.clone()).unwrap_err().code(), "E_NOT_PLAIN");
    memory.deep();
    memory.agents().unwrap();
    assert!(sandbox.outside() == before);
    fs::remove_file(sandbox.place("dev")).unwrap();
    memory.remember(draft).unwrap();
    memory.flush().unwrap();
    assert!(sandbox.text("dev/notes.md").contains("for dev"));
    assert!(sandbox.outside() == before);
}

#[test]
fn a_linked_folder_of_ours_is_refused() {
    for folder in [".vault", "archive", "records", "memory"] {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.beside("elsewhere")).unwrap();
        symlink(sandbox.beside("elsewhere"), sandbox.place(folder)).unwrap();
        let outcome = sandbox.try_open().and_then(|memory| {
            let id = memory.remember(note("one"))?.id;
            memory.flush()?;
            memory.forget(&[id], Forget::Archive)?;
            let scope = Some(memory_engine::core::scope::Scope::Project);
            memory.remember(Draft { scope, ..note("two") })?;
            memory.flush()
        });
        let expect = if folder == "memory" { Ok(()) } else { Err("E_NOT_PLAIN") };
        assert_eq!(outcome.map_err(|error| error.code()), expect, "{folder}");
        assert_eq!(sandbox.outside().len(), 1, "{folder}: nothing is written through the link");
    }
}

#[test]
fn a_linked_root_is_one_root() {
    let sandbox = sandbox();
    symlink(sandbox.place(""), sandbox.beside("other-name")).unwrap();
    let other = Sandbox::at(sandbox.beside("other-name"));
    let id = other.open().note("through the other name");
    assert_eq!(sandbox.open().text_of(&id), "through the other name");
}

#[test]
fn a_lock_that_is_a_link_is_refused() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.place(".vault")).unwrap();
    symlink(sandbox.beside("victim"), sandbox.place(".vault/lock")).unwrap();
    let refused = sandbox.try_open().and_then(|memory| memory.remember(note("x")).map(|_| ()));
    assert_eq!(refused.unwrap_err().code(), "E_NOT_PLAIN");
    assert!(sandbox.outside().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_lock_that_is_a_pipe_is_refused() {
    let sandbox = Sandbox::new();
    assert!(node(&sandbox.place(".vault/lock"), rustix::fs::FileType::Fifo, 0));
    let refused = sandbox.try_open().and_then(|memory| memory.remember(note("x")).map(|_| ()));
    assert_eq!(refused.unwrap_err().code(), "E_NOT_PLAIN");
}

/// Runs something that must not hang.
fn within(seconds: u64, act: impl FnOnce() + Send + 'static) {
    let (send, done) = mpsc::channel();
    std::thread::spawn(move || {
        act();
        let _ = send.send(());
    });
    let answer = done.recv_timeout(Duration::from_secs(seconds));
    assert!(answer.is_ok(), "no answer within {seconds} s: {answer:?}");
}

#[test]
fn a_file_above_the_limit_is_said_and_left_alone() {
    within(60, || {
        let sandbox = sandbox();
        let huge = fs::File::create(sandbox.place(FILE)).unwrap();
        huge.set_len(100 << 20).unwrap();
        let memory = sandbox.open();
        assert_eq!(memory.texts(), ["stands apart"]);
        assert!(memory.codes().contains(&"E_TOO_LARGE"));
        assert_eq!(memory.remember(note("x")).unwrap_err().code(), "E_TOO_LARGE");
        let found = memory.deep().findings;
        assert!(found.iter().any(|finding| finding.code == "E_TOO_LARGE"), "{found:?}");
        assert_eq!(fs::metadata(sandbox.place(FILE)).unwrap().len(), 100 << 20);
        fs::remove_file(sandbox.place(FILE)).unwrap();
        memory.note("kept at last");
        memory.flush().unwrap();
        assert!(sandbox.text(FILE).contains("kept at last"));
    });
}

#[test]
fn a_line_of_fifty_megabytes_is_read_and_kept() {
    within(120, || {
        let sandbox = sandbox();
        let line = vec![b'x'; 50_000_000];
        sandbox.save(FILE, &line);
        let memory = sandbox.open();
        assert_eq!(memory.texts().len(), 2);
        memory.note("beside the long line");
        memory.flush().unwrap();
        let file = fs::read(sandbox.place(FILE)).unwrap();
        let at = file.iter().position(|&byte| byte == b'x').unwrap();
        assert!(file.len() > line.len() && file[at..].starts_with(&line[..1000]));
        assert_eq!(file.iter().filter(|&&byte| byte == b'x').count(), line.len());
    });
}

#[test]
fn bytes_that_are_no_text_survive() {
    let odd: [&[u8]; 5] = [
        b"caf\xe9 \xff\xfe\n",
        b"nul \0 in the middle\n\0\0\n",
        b"\xef\xbb\xbfwith a mark\r\nand other line ends\r\n",
        b"\x1b[31mred\x1b[0m \xe2\x80\xae turned round\n",
        b"\xed\xa0\x80 half a pair\n",
    ];
    for bytes in odd {
        let sandbox = sandbox();
        sandbox.save(FILE, bytes);
        let memory = sandbox.open();
        assert_eq!(memory.texts().len(), 2, "{bytes:?}");
        assert_eq!(fs::read(sandbox.place(FILE)).unwrap(), bytes, "reading changes nothing");
        let id = memory.note("beside it");
        memory.flush().unwrap();
        let with = fs::read(sandbox.place(FILE)).unwrap();
        let trimmed = bytes.trim_ascii_end();
        let kept = with.windows(trimmed.len()).any(|part| part == trimmed);
        assert!(kept, "{bytes:?} became {:?}", String::from_utf8_lossy(&with));
        memory.reword(&id, "changed beside it");
        memory.forget(&[id], Forget::Archive).unwrap();
        let after = fs::read(sandbox.place(FILE)).unwrap();
        assert_eq!(after.trim_ascii_end(), trimmed, "and taking it out again brings back what was there");
    }
}

#[test]
fn names_that_lead_out_are_no_names() {
    let names =
        ["../x", "..", "a/b", "a\\b", "/etc/passwd", "%2e%2e/x", "..\\x", "．．/x", "a\0b", "", " ", "con"];
    for name in names {
        assert!(AgentId::parse(name).is_err(), "{name:?}");
        assert!(Category::parse(name).is_err(), "{name:?}");
    }
    let sandbox = sandbox();
    let before = sandbox.outside();
    let memory = sandbox.open();
    for name in names {
        assert_eq!(memory.restore(name).unwrap_err().code(), "E_NOT_ARCHIVED", "{name:?}");
        if let Ok(id) = MemoryId::parse(name) {
            assert_eq!(memory.show(&id).unwrap_err().code(), "E_NOT_FOUND", "{name:?}");
            assert!(memory.forget(&[id], Forget::Hard).is_err());
        }
    }
    for name in ["../elsewhere/notes.md", "default/../../elsewhere/notes.md", ".."] {
        assert!(memory.accept(name).is_err(), "{name:?}");
    }
    assert!(sandbox.outside() == before);
}

/// A root whose archive holds one entry, and that entry's id and batch.
fn with_archive() -> (Sandbox, Memory, MemoryId, String) {
    let sandbox = sandbox();
    let memory = sandbox.open();
    let id = memory.note("to be archived");
    let batch = memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap().archive.unwrap();
    (sandbox, memory, id, batch)
}

#[test]
fn forged_archives_write_nothing_outside() {
    let forge: [(&str, &str, &str); 9] = [
        ("\"0001.md\"", "\"../../../elsewhere/notes.md\"", "E_BROKEN"),
        ("\"0001.md\"", "\"..\\\\x\"", "E_BROKEN"),
        ("\"0001.md\"", "\"..\"", "E_IO"),
        ("\"0001.md\"", "\"not-there.md\"", "E_BROKEN"),
        ("\"default/notes.md\"", "\"../elsewhere/default/notes.md\"", "E_BROKEN"),
        ("\"default/notes.md\"", "\"/tmp/notes.md\"", "E_BROKEN"),
        ("\"default/notes.md\"", "\".vault/ledger.db\"", "E_BROKEN"),
        ("\"version\"", "version", "E_BROKEN"),
        ("\"items\": [", "\"items\": [\"x\",", "E_BROKEN"),
    ];
    for (old, new, code) in forge {
        let (sandbox, memory, _, batch) = with_archive();
        let before = sandbox.outside();
        let place = format!("archive/{batch}/manifest.json");
        let manifest = sandbox.text(&place);
        assert!(manifest.contains(old), "{manifest}");
        sandbox.save(&place, manifest.replacen(old, new, 1));
        let files = sandbox.files();
        assert_eq!(memory.restore(&batch).unwrap_err().code(), code, "{new}");
        let found = memory.deep().findings;
        let said = found.iter().any(|finding| finding.file.starts_with("archive/"));
        assert!(said || old.contains("notes.md"), "{new}: {found:?}");
        assert!(sandbox.files() == files && sandbox.outside() == before, "{new}");
        assert_eq!(memory.texts(), ["stands apart"]);
    }
}

#[test]
fn an_archived_entry_with_other_bytes_does_not_come_back() {
    let (sandbox, memory, id, batch) = with_archive();
    let place = format!("archive/{batch}/0001.md");
    let entry = sandbox.text(&place);
    sandbox.save(&place, entry.replace("archived", "smuggled"));
    assert_eq!(memory.restore(id.as_str()).unwrap_err().code(), "E_BROKEN");
    assert_eq!(memory.show(&id).unwrap_err().code(), "E_NOT_FOUND");
    let found = memory.deep().findings;
    assert!(found.iter().any(|finding| finding.severity == Severity::Problem), "{found:?}");
    sandbox.save(&place, entry);
    memory.restore(id.as_str()).unwrap();
    assert_eq!(memory.text_of(&id), "to be archived");
}

#[test]
fn links_in_the_archive_are_not_followed() {
    let (sandbox, memory, id, batch) = with_archive();
    let place = sandbox.place(&format!("archive/{batch}/0001.md"));
    let bytes = fs::read(&place).unwrap();
    fs::write(sandbox.beside("copy.md"), bytes).unwrap();
    fs::remove_file(&place).unwrap();
    symlink(sandbox.beside("copy.md"), &place).unwrap();
    let before = sandbox.outside();
    assert_eq!(memory.restore(id.as_str()).unwrap_err().code(), "E_NOT_PLAIN");
    assert!(sandbox.outside() == before);
}
