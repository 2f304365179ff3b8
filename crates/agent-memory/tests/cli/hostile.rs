//! Bad input of every sort: a clear error with a stable code, nothing lost, nothing written outside.

use std::time::{Duration, Instant};

use crate::sandbox::{Ran, Sandbox, without_meta};

#[test]
fn bad_names_are_refused_in_every_spelling() {
    let sandbox = Sandbox::ready();
    let before = sandbox.tree();
    for name in [
        "../up", "a/b", "a\\b", ".vault", "..", "a%2e%2e", "ａ", "dé", "nul", "records", "a b", "", "-x",
        "a\nb",
    ] {
        let agent = format!("--agent={name}");
        sandbox.run(["remember", &agent, "x", "--json"]).code(3).fails_as("E_BAD_ID");
        sandbox.run(["list", &agent, "--json"]).code(3).fails_as("E_BAD_ID");
        if !name.starts_with('-') {
            sandbox.run(["vault", "add", name, "tasks", "-c", "x", "--json"]).code(3).fails_as("E_BAD_ID");
        }
    }
    for id in ["../x", "a/b", "a b", "<x>", ".x", ""] {
        for verb in ["show", "history", "forget"] {
            sandbox.run([verb, id, "--json"]).code(3).fails_as("E_BAD_ID");
        }
        sandbox.run(["vault", "get", "dev", "tasks", id, "--json"]).code(3).fails_as("E_BAD_ID");
    }
    sandbox.run(["doctor", "--accept", "../../etc/passwd"]).code(1);
    assert_eq!(sandbox.outside(), ["home", "project"]);
    let names = |tree: Vec<(String, Vec<u8>)>| -> Vec<String> {
        tree.into_iter().map(|it| it.0).filter(|name| !name.contains(".vault/")).collect()
    };
    assert_eq!(names(sandbox.tree()), names(before));
}

#[test]
fn text_that_cannot_be_kept_is_refused() {
    let sandbox = Sandbox::ready();
    let long = "x".repeat(2 << 20);
    sandbox.command(["remember", "--json"]).stdin(&long).go().code(1).fails_as("E_TOO_LONG");
    std::fs::write(sandbox.project().join("long.txt"), &long).unwrap();
    sandbox.run(["remember", "--json", "--file", "long.txt"]).code(1).fails_as("E_TOO_LONG");
    sandbox.run(["vault", "add", "dev", "tasks", "--json", "-f", "long.txt"]).code(1).fails_as("E_TOO_LONG");
    sandbox.command(["remember", "--json"]).stdin(b"a\0b").go().code(1).fails_as("E_NUL");
    sandbox.command(["remember", "--json"]).stdin(b"\xff\xfe").go().code(1).fails_as("E_NOT_TEXT");
    sandbox.command(["remember"]).stdin("y".repeat(1 << 20)).go().code(0);
    sandbox.run(["doctor", "--deep"]).code(0);
}

#[test]
fn text_made_to_take_long_is_kept_soon() {
    let sandbox = Sandbox::ready();
    let started = Instant::now();
    let returns = format!("kept{}\nat once", "\r".repeat(900 << 10));
    let json = sandbox.command(["remember", "--json"]).stdin(&returns).go().code(0).json();
    sandbox.run(["show", json["id"].as_str().unwrap(), "--raw"]).answers("kept\nat once\n");
    let tags: String = (0..120_000).map(|n| format!("#{n} ")).collect();
    let json = sandbox.command(["remember", "--json"]).stdin(&tags).go().code(0).json();
    let shown = sandbox.run(["show", json["id"].as_str().unwrap(), "--json"]).code(0).json();
    assert_eq!(shown["tags"].as_array().map(Vec::len), Some(64));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[cfg(unix)]
#[test]
fn endless_input_ends() {
    let sandbox = Sandbox::ready();
    let started = Instant::now();
    sandbox.run(["remember", "--json", "--file", "/dev/zero"]).code(1).fails_as("E_TOO_LONG");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_the_vault_are_not_followed() {
    let sandbox = Sandbox::ready();
    sandbox.remember("a note that stays");
    let secret = sandbox.home().join("secret.md");
    std::fs::write(&secret, "<!-- id:7 -->\n## 2026-01-01T00:00\n\nthe private key\n\n---").unwrap();
    std::os::unix::fs::symlink(&secret, sandbox.file("dev/decisions.md")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(sandbox.file("dev/lessons.md")).status();
    let started = Instant::now();
    let ran = sandbox.run(["list", "--limit", "0"]);
    assert!(!ran.stdout.contains("private key"), "{}", ran.stdout);
    ran.says("a note that stays");
    sandbox.run(["show", "7"]).code(2);
    not_written(
        &sandbox.run(["vault", "add", "dev", "decisions", "-c", "x", "--json"]),
        "E_NOT_PLAIN",
        "dev/decisions.md",
    );
    if made.is_ok_and(|status| status.success()) {
        not_written(
            &sandbox.run(["vault", "add", "dev", "lessons", "-c", "x", "--json"]),
            "E_NOT_PLAIN",
            "dev/lessons.md",
        );
    }
    assert!(std::fs::read_to_string(&secret).unwrap().ends_with("the private key\n\n---"));
    assert!(started.elapsed() < Duration::from_secs(20), "something waited on a pipe");
    sandbox.run(["doctor"]).says("dev/decisions.md");
}

#[cfg(unix)]
#[test]
fn a_linked_folder_of_an_agent_is_not_entered() {
    let sandbox = Sandbox::ready();
    std::fs::write(sandbox.home().join("notes.md"), "the private key").unwrap();
    std::os::unix::fs::symlink(sandbox.home(), sandbox.file("linked")).unwrap();
    let ran = sandbox.run(["list", "--limit", "0"]).code(0);
    assert!(!ran.stdout.contains("private key"), "{}", ran.stdout);
    not_written(
        &sandbox.run(["vault", "add", "linked", "tasks", "-c", "x", "--json"]),
        "E_NOT_PLAIN",
        "linked",
    );
    assert!(!sandbox.home().join("tasks.md").exists());
}

/// A memory whose file cannot be written is either refused with a code, or durable in the ledger, and then stderr
/// says that it waits and for which file.
fn not_written(ran: &Ran, code: &str, file: &str) {
    match ran.code {
        Some(0) => assert!(ran.stderr.contains(file), "{}", ran.stderr),
        Some(1) => {
            assert!(ran.json()["code"] == code || ran.stderr.contains(code), "{} {}", ran.stdout, ran.stderr);
        }
        other => panic!("{other:?} {}", ran.stderr),
    }
}

#[test]
fn a_lost_ledger_loses_no_memory() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("kept in markdown");
    for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
        let _ = std::fs::remove_file(sandbox.file(".vault").join(name));
    }
    sandbox.run(["show", &id, "--raw"]).code(0).answers("kept in markdown\n");
    sandbox.run(["doctor", "--deep"]).code(0);
}

#[test]
fn a_corrupt_ledger_is_set_aside_and_rebuilt() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("kept in markdown");
    for name in ["ledger.db-wal", "ledger.db-shm"] {
        let _ = std::fs::remove_file(sandbox.file(".vault").join(name));
    }
    sandbox.write(".vault/ledger.db", "this is no database ".repeat(500));
    sandbox.run(["show", &id, "--raw"]).code(0).answers("kept in markdown\n").talks("ledger");
    sandbox.run(["remember", "--agent", "dev", "and on it goes"]).code(0);
    let aside = sandbox
        .tree()
        .into_iter()
        .any(|(name, bytes)| name.contains("quarantine") && bytes.starts_with(b"this is no"));
    assert!(aside, "the damaged ledger is gone");
}

#[test]
fn a_huge_file_is_named_and_left_alone() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("small");
    let path = sandbox.file("dev/lessons.md");
    let huge = std::fs::File::create(&path).unwrap();
    huge.set_len(100 << 20).unwrap();
    sandbox.run(["show", &id, "--raw"]).code(0).answers("small\n");
    sandbox.run(["list"]).code(0).says("small");
    not_written(
        &sandbox.run(["vault", "add", "dev", "lessons", "-c", "x", "--json"]),
        "E_TOO_LARGE",
        "dev/lessons.md",
    );
    let json = sandbox.run(["doctor", "--json"]).json();
    assert!(json.to_string().contains("dev/lessons.md"), "{json}");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 100 << 20);
}

#[test]
fn a_line_of_many_megabytes_in_a_file_is_bounded() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("small");
    sandbox.write(
        "dev/lessons.md",
        format!("<!-- id:5 -->\n## 2026-01-01T00:00\n\n{}\n\n---", "y".repeat(40 << 20)),
    );
    sandbox.run(["show", &id, "--raw"]).code(0).answers("small\n");
    let ran = sandbox.run(["list", "--limit", "0"]).code(0);
    assert!(ran.stdout.len() < 10_000);
    sandbox.run(["vault", "list", "dev", "lessons"]).code(0).says("yyy…");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_still_reads() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("readable");
    let probe = sandbox.home().join("probe");
    std::fs::create_dir(&probe).unwrap();
    let lock = |mode: u32| {
        for folder in ["dev", ".vault", "."] {
            std::fs::set_permissions(sandbox.file(folder), std::fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    std::fs::set_permissions(&probe, std::fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser may write anywhere, so there is nothing to see.
    if std::fs::write(probe.join("x"), "").is_ok() {
        return;
    }
    lock(0o500);
    let shown = sandbox.run(["show", &id, "--raw"]);
    let kept = sandbox.run(["remember", "--agent", "dev", "--json", "x"]);
    lock(0o700);
    shown.code(0).answers("readable\n");
    let code = kept.code(1).json()["code"].as_str().unwrap().to_owned();
    assert!(["E_READONLY", "E_DENIED"].contains(&code.as_str()), "{code}");
}

#[test]
fn a_root_that_is_a_file_is_refused() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.project().join("plain"), "x").unwrap();
    sandbox.run(["--dir", "plain", "init"]).code(1);
    sandbox.run(["--dir", "plain", "remember", "x"]).code(1);
    sandbox.run(["--dir", "", "list"]).code(3);
    assert_eq!(std::fs::read(sandbox.project().join("plain")).unwrap(), b"x");
}

#[test]
fn invalid_bytes_in_a_file_survive() {
    let sandbox = Sandbox::ready();
    let mut bytes: Vec<u8> = b"before \xff\xfe\n\n<!-- id:5 -->\n## 2026-01-01T00:00\n\nfive\n\n---".to_vec();
    sandbox.write("dev/notes.md", &bytes);
    sandbox.run(["show", "5", "--raw"]).code(0).answers("five\n");
    sandbox.run(["edit", "5", "-c", "FIVE"]).code(0);
    let at = bytes.windows(4).position(|it| it == b"five").unwrap();
    bytes.splice(at..at + 4, *b"FIVE");
    let after = without_meta(&std::fs::read(sandbox.file("dev/notes.md")).unwrap());
    assert_eq!(after, bytes);
}
