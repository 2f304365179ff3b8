//! `completions`, `man`, `demo`, help and version.

use crate::sandbox::Sandbox;

#[test]
fn help_and_version_are_answers() {
    let sandbox = Sandbox::new();
    sandbox.run(["--version"]).code(0).says("agent-memory ").silent();
    sandbox.run(["--help"]).code(0).says("remember").says("Exit codes").silent();
    sandbox.run(["remember", "--help"]).code(0).says("Examples:").silent();
    sandbox.run([]).code(3).answers("");
    sandbox.run(["remembr"]).code(3).talks("error[E_USAGE]: ").talks("remember");
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
    let json = sandbox.run(["completions", "zsh", "--json"]).code(0).json();
    assert!(json["shell"] == "zsh" && json["script"].as_str().unwrap().starts_with("#compdef"), "{json}");
    let json = sandbox.run(["man", "--json"]).code(0).json();
    assert!(json["page"].as_str().unwrap().contains(".TH agent-memory 1"), "{json}");
    sandbox.run(["man"]).code(0).says(".TH agent-memory 1");
    sandbox.run(["man", "out/man1"]).code(0).says("out/man1");
    for page in ["agent-memory.1", "agent-memory-remember.1", "agent-memory-vault-add.1"] {
        assert!(sandbox.project().join("out/man1").join(page).exists(), "{page}");
    }
}

#[test]
fn a_manual_page_names_pages_that_there_are() {
    let sandbox = Sandbox::new();
    sandbox.run(["man", "pages"]).code(0);
    let page = sandbox.run(["man"]).code(0).stdout;
    assert_eq!(page, std::fs::read_to_string(sandbox.project().join("pages/agent-memory.1")).unwrap());
    let named = page.split("agent\\-memory\\-").skip(1).filter_map(|rest| rest.split_once("(1)"));
    let mut count = 0;
    for (name, _) in named {
        let file = format!("pages/agent-memory-{}.1", name.replace('\\', ""));
        assert!(sandbox.project().join(&file).exists(), "{file}");
        count += 1;
    }
    assert!(count > 30, "{page}");
    assert!(page.contains("\n.SH EXAMPLES\n") && !page.contains("EXTRA"), "{page}");
}

#[test]
fn what_is_hidden_is_not_completed_and_what_may_be_given_is_named() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.run(["completions", shell]).code(0).stdout;
        assert!(script.contains("transcripts-dir") && !script.contains("background"), "{shell}");
    }
    sandbox.run(["process", "--help"]).code(0).says("claude-code").says("windsurf");
    sandbox.run(["process", "--client", "nobody"]).code(3).talks("known are").talks("claude-code");
    sandbox.run(["inject", "--help"]).code(0).says("block").says("claude-code");
    sandbox.run(["remember", "--help"]).code(0).says("human-edit").says("private-user");
    sandbox.run(["compact", "--help"]).code(0).says("legacy");
}

/// What bash offers for the last of these words.
#[cfg(unix)]
fn completed(sandbox: &Sandbox, words: &[&str]) -> Option<Vec<String>> {
    let script = sandbox.run(["completions", "bash"]).code(0).stdout;
    let ask = r#"
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        words=("$@"); function=$(complete -p agent-memory | sed 's/.*-F \([^ ]*\).*/\1/')
        "$function" agent-memory "${words[$COMP_CWORD]}" "${words[$COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = std::process::Command::new("bash");
    bash.args(["--noprofile", "--norc", "-c", &format!("{script}\n{ask}"), "bash"]).args(words);
    let said = bash.output().ok().filter(|said| said.status.success())?;
    Some(String::from_utf8_lossy(&said.stdout).lines().map(str::to_owned).collect())
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_flags_and_values() {
    let sandbox = Sandbox::new();
    for (words, expect) in [
        (&["agent-memory", "sear"][..], "search"),
        (&["agent-memory", "search", "--expl"], "--explain"),
        (&["agent-memory", "vault", "del"], "delete"),
        (&["agent-memory", "vault", "delete", "--fo"], "--force"),
        (&["agent-memory", "sync-checkpoints", "--js"], "--json"),
        (&["agent-memory", "remember", "--scope", "proj"], "project"),
        (&["agent-memory", "completions", "fi"], "fish"),
    ] {
        let Some(got) = completed(&sandbox, words) else {
            eprintln!("left out: there is no bash here");
            return;
        };
        assert_eq!(got, [expect], "{words:?}");
    }
}

#[test]
fn the_demo_tells_a_true_story_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let temporary = sandbox.home().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let run = ["TMPDIR", "TMP", "TEMP"]
        .iter()
        .fold(sandbox.command(["demo"]), |run, name| run.env(name, &temporary));
    let ran = run.go().code(0).silent();
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
