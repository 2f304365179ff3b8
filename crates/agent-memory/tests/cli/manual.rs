//! `completions`, `man`, `demo`, help and version.

use crate::sandbox::Sandbox;

#[test]
fn help_and_version_are_answers() {
    let sandbox = Sandbox::new();
    sandbox.run(["--version"]).code(0).says("agent-memory ").silent();
    sandbox.run(["--help"]).code(0).says("remember").says("Exit codes").silent();
    sandbox.run(["remember", "--help"]).code(0).says("Examples:").silent();
    sandbox.run([]).code(3).answers("");
    sandbox.run(["remembr"]).code(3).talks("remember");
    sandbox.run(["remembr", "--json"]).code(3).silent().fails_as("E_USAGE");
    sandbox.run(["show"]).code(3).talks("<ID>");
    sandbox.run(["show", "../x"]).code(3).talks("error[E_BAD_ID]");
}

#[test]
fn an_example_can_be_pasted() {
    fn look(command: &clap::Command) {
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in after.lines().filter(|line| line.starts_with("  ")) {
            assert!(line.chars().count() <= 100, "it is wrapped when it is shown: {line}");
        }
        command.get_subcommands().for_each(look);
    }
    look(&agent_memory::command());
}

#[test]
fn scripts_and_pages_are_made_from_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        sandbox.run(["completions", shell]).code(0).says("sensitivity").silent();
    }
    sandbox.run(["completions", "tcsh"]).code(3);
    sandbox.run(["man"]).code(0).says(".TH agent-memory 1");
    sandbox.run(["man", "out/man1"]).code(0).says("out/man1");
    for page in ["agent-memory.1", "agent-memory-remember.1", "agent-memory-vault-add.1"] {
        assert!(sandbox.project().join("out/man1").join(page).exists(), "{page}");
    }
}

#[test]
fn the_demo_tells_a_true_story_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let temporary = sandbox.home().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let ran = sandbox.command(["demo"]).env("TMPDIR", temporary.to_str().unwrap()).go().code(0).silent();
    let ran =
        ran.says("$ agent-memory init").says("remembered ").says("after 60 s").says("[redacted:github-pat]");
    ran.says("<!-- id:").says("restored ").says("all is well").says("agent-memory --help");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    assert_eq!(sandbox.tree(), before);
    let json = sandbox.run(["demo", "--json"]).code(0).json();
    let steps = json["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["code"] == 0));
    for (asked, found) in [("authentication", "token expired"), ("toolchian", "toolchain change")] {
        let is_asked = |step: &&serde_json::Value| step["command"].as_str().unwrap().contains(asked);
        let step = steps.iter().find(is_asked).unwrap();
        assert!(step["stdout"].as_str().unwrap().contains(found), "{step}");
    }
}
