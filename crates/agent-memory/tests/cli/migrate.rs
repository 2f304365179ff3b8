//! `migrate`: flat files become vaults.

use serde_json::json;

use crate::sandbox::Sandbox;

const FLAT: &str = "# dev\n\nBorn in the spring\n\n## Decisões Técnicas\n\nDecidimos usar SSE\n\n## Tasks\n- [ ] write docs\n\n## Deploy tips\n\nNever on Fridays\n";

#[test]
fn sections_become_memories_and_the_file_a_backup() {
    let sandbox = Sandbox::ready();
    sandbox.write("dev.md", FLAT);
    sandbox.write("qa.md", "## Handoffs\nStopped at the parser\n");
    for name in ["MEMORY.md", "USER.md", "README.md", "_notes.md", ".hidden.md"] {
        sandbox.write(name, "## Decisions\nNot a flat file\n");
    }
    let before = sandbox.tree();
    sandbox.run(["migrate", "--dry-run"]).code(0).says("Would migrate: dev, qa\nSkipped: (none)\n");
    let files = |tree: Vec<(String, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        tree.into_iter().filter(|(name, _)| !name.contains(".vault")).collect()
    };
    assert_eq!(files(sandbox.tree()), files(before), "a look changes nothing");
    let ran = sandbox.run(["migrate"]).code(0).says("Migrated: dev, qa\nSkipped: (none)\n");
    ran.talks("dev: 2 lessons, 1 decision, 1 task");
    assert_eq!(sandbox.read("dev.md.bak"), FLAT);
    assert!(!sandbox.file("dev.md").exists());
    assert!(sandbox.read("dev/decisions.md").contains("Decidimos usar SSE"));
    assert!(sandbox.read("dev/tasks.md").contains("- [ ] write docs"));
    let lessons = sandbox.read("dev/lessons.md");
    assert!(lessons.contains("Born in the spring") && lessons.contains("Deploy tips"), "{lessons}");
    assert!(sandbox.read("qa/handoffs.md").contains("Stopped at the parser"));
    assert_eq!(sandbox.read("README.md"), "## Decisions\nNot a flat file\n");
    let json = sandbox.run(["migrate", "--json"]).code(0).json();
    assert_eq!(json, json!({ "migrated": [], "skipped": [] }));
}

#[test]
fn what_was_migrated_before_is_skipped_and_said() {
    let sandbox = Sandbox::ready();
    sandbox.remember("a vault of dev");
    sandbox.write("dev.md", FLAT);
    sandbox.write("qa.md", FLAT);
    sandbox.write("qa.md.bak", "an older one");
    let ran = sandbox.run(["migrate"]).code(0).says("Migrated: (none)\nSkipped: dev, qa\n");
    ran.talks("the vault `dev/` is there already").talks("`qa.md.bak` is there already");
    assert_eq!(
        sandbox.run(["migrate", "--json"]).code(0).json(),
        json!({ "migrated": [], "skipped": ["dev", "qa"] })
    );
    assert_eq!(sandbox.read("dev.md"), FLAT);
    assert_eq!(sandbox.read("qa.md.bak"), "an older one");
}

#[test]
fn names_that_cannot_be_agents_are_left_and_named() {
    let sandbox = Sandbox::ready();
    sandbox.write("my notes.md", FLAT);
    sandbox.write("broken.md", b"## Decisions\n\xff\xfe\n");
    let ran = sandbox.run(["migrate"]).code(1).says("Migrated: (none)");
    ran.talks("`my notes.md` is left as it is").talks("rename the file").talks("not UTF-8");
    assert_eq!(sandbox.read("my notes.md"), FLAT);
    let json = sandbox.run(["migrate", "--json"]).code(1).json();
    assert_eq!(json["left"].as_array().unwrap().len(), 2);
}

#[test]
fn a_migration_that_was_cut_short_goes_on_without_doubling() {
    let sandbox = Sandbox::ready();
    sandbox.write("dev.md", FLAT);
    sandbox.run(["migrate"]).code(0);
    let vault = sandbox.read("dev/lessons.md");
    // As a crash leaves it between keeping and renaming.
    std::fs::rename(sandbox.file("dev.md.bak"), sandbox.file("dev.md")).unwrap();
    sandbox.write(".vault/migrating", "dev.md\n");
    sandbox.run(["migrate"]).code(0).says("Migrated: dev");
    assert_eq!(sandbox.read("dev/lessons.md"), vault);
    assert_eq!(sandbox.read("dev.md.bak"), FLAT);
    assert!(!sandbox.file(".vault/migrating").exists());
    sandbox.run(["list", "--json"]).code(0).says("Deploy tips");
}

#[test]
fn a_look_tells_what_the_run_would_refuse() {
    let sandbox = Sandbox::ready();
    sandbox.write("dev.md", format!("## Decisions\nWe use SSE\n\n## Lessons\n{}\n", "word ".repeat(300_000)));
    sandbox.write("qa.md", "## Decisions\nWe use SSE\n\n## Decisions\nWe use SSE\n");
    let look = sandbox.run(["migrate", "--dry-run"]).code(1).says("Would migrate: qa");
    look.talks("`dev.md` is left as it is").talks("qa: 1 decision");
    sandbox.run(["migrate"]).code(1).says("Migrated: qa").talks("`dev.md` is left as it is");
}
