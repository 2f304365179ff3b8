//! `config`.

use crate::sandbox::Sandbox;

#[test]
fn every_setting_with_its_origin() {
    let sandbox = Sandbox::new();
    sandbox.run(["config"]).code(0).says("memory.agent").says("(default)").says("config.toml").silent();
    sandbox.run(["init"]).code(0);
    sandbox.write("config.toml", "[memory]\nagent = \"repo\"\n[limits]\nlock_wait_ms = 1\n");
    sandbox.run(["config", "memory.agent"]).code(0).answers("repo\n");
    let json = sandbox.run(["config", "--json"]).code(0).json();
    assert_eq!(
        json["values"]["memory.agent"],
        serde_json::json!({ "value": "repo", "origin": "repository" })
    );
    assert_eq!(json["ignored"].as_array().unwrap().len(), 1);
    std::fs::write(sandbox.home().join("config.toml"), "[memory]\nagent = \"me\"\n").unwrap();
    sandbox
        .run(["config", "memory.agent", "--json"])
        .code(0)
        .answers("{\"key\":\"memory.agent\",\"value\":\"me\",\"origin\":\"user\"}\n");
    let ran =
        sandbox.command(["config", "memory.agent", "--json"]).env("AGENT_MEMORY_AGENT", "env").go().code(0);
    assert_eq!(ran.json()["origin"], "environment");
    sandbox.run(["config", "no.such", "--json"]).code(2).fails_as("E_NO_SETTING");
}

#[test]
fn broken_settings_are_named_and_stop_nothing() {
    let sandbox = Sandbox::ready();
    std::fs::write(sandbox.home().join("config.toml"), "]").unwrap();
    sandbox.run(["remember", "x"]).code(0);
    sandbox.run(["config"]).code(0).says("ignored: the user settings are not used");
}

#[test]
fn a_setting_that_does_not_fit_is_named_and_the_session_starts_all_the_same() {
    let sandbox = Sandbox::ready();
    sandbox.remember("We decided to use SSE");
    let settings =
        "[context]\nprofile = \"plam\"\n[reconcile]\nfrozen_share = 7.0\n[memory]\nlayout = \"page\"\n";
    std::fs::write(sandbox.home().join("config.toml"), settings).unwrap();
    sandbox.run(["inject", "preview", "dev", "use SSE"]).code(0).says("use SSE");
    sandbox.run(["config"]).code(0).says("ignored: the user setting `context.profile` does not fit");
    sandbox.run(["config", "context.profile"]).code(0).answers("auto\n");
    let told = sandbox.run(["doctor"]).code(0);
    let told =
        told.says("warning[settings]").says("`context.profile`").says("use one of: auto, default, debug");
    told.says("`reconcile.frozen_share` does not fit: it must be").says("`memory.layout`");
    sandbox
        .run(["inject", "preview", "default", "x", "--profile", "plam", "--json"])
        .code(1)
        .fails_as("E_NO_PROFILE");
}

#[test]
fn an_agent_that_cannot_be_one_is_no_person() {
    let sandbox = Sandbox::ready();
    sandbox.remember("for dev alone");
    let as_team = |arguments: &[&str]| sandbox.command(arguments).env("AGENT_MEMORY_AGENT", "Dev Team").go();
    as_team(&["search", "alone", "--json"]).code(3).fails_as("E_BAD_ID");
    as_team(&["remember", "x"]).code(3);
    sandbox.command(["list"]).env("AGENT_MEMORY_AGENT", "").go().code(0).says("for dev alone");
}

#[test]
fn settings_that_cannot_be_read_are_told_by_every_command() {
    let sandbox = Sandbox::ready();
    sandbox.write("config.toml", "[limits\n");
    sandbox.run(["list"]).code(0).talks("the repository settings are not used");
}

#[test]
fn a_name_that_is_no_agents_is_named_with_its_variable() {
    let sandbox = Sandbox::ready();
    let asked = |arguments: &[&str]| sandbox.command(arguments).env("AGENT_MEMORY_AGENT", "Claude Code").go();
    for arguments in [&["list"][..], &["search", "x"], &["remember", "x"]] {
        asked(arguments).code(3).talks("E_BAD_ID").talks("`AGENT_MEMORY_AGENT`").talks("unset it");
    }
    asked(&["config", "memory.agent"]).code(0).answers("default\n");
    asked(&["config"]).code(0).says("AGENT_MEMORY_AGENT");
    asked(&["doctor"]).code(0).talks("AGENT_MEMORY_AGENT");
}
