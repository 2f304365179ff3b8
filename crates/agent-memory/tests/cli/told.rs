//! What a session is told: with which prompts, how much at its start, and of which other sessions.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A session of a client, as its hooks tell of it.
struct Session<'a> {
    sandbox: &'a Sandbox,
    name: &'a str,
}

impl Session<'_> {
    /// What the client is given with an event.
    fn hears(&self, event: &str, more: &Value) -> String {
        let project = self.sandbox.project();
        let mut told = json!({ "session_id": self.name, "hook_event_name": event, "cwd": project });
        told.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let run = self.sandbox.command(["hook", "claude"]).env("CLAUDE_PROJECT_DIR", &project);
        let said = run.stdin(told.to_string()).go().code(0).stdout;
        let said: Value = serde_json::from_str(&said).unwrap_or_default();
        said["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    }

    fn starts(&self) -> String {
        self.hears("SessionStart", &json!({ "source": "startup" }))
    }

    fn asks(&self, prompt: &str) -> String {
        self.hears("UserPromptSubmit", &json!({ "prompt": prompt, "prompt_id": prompt }))
    }
}

const KEPT: [&str; 10] = [
    "Let's go with Drizzle then. Reason: cold starts matter, we run on Lambda.",
    "No, use pnpm (Should I go ahead with npm?)",
    "We'll use zod for validation everywhere.",
    "We'll use a queue (SQS) for the replays later",
    "Decidimos continuar com REST; vamos usar OpenAPI",
    "Please always write commit messages in English",
    "Deploys on Fridays are forbidden, the ops team said.",
    "The staging database is on host stg-db.internal port 6432 (pgbouncer)",
    "Let's keep the next version small",
    "Lesson: the build is ok only when the cache is fresh",
];

#[test]
fn a_prompt_that_asks_nothing_is_answered_with_nothing() {
    let sandbox = Sandbox::ready();
    sandbox.write("_project.md", "# Shop\n\nIt sells lighthouses.\n");
    let name = |prompt: &str| format!("s-{}", prompt.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let nothing = [
        "ok, go on",
        "ok",
        "go ahead",
        "continue",
        "next",
        "let's go",
        "use it",
        "looks good, commit",
        "sim, pode ir",
        "continua",
        "vamos lá",
        "what's next?",
        "use the other one",
        "which printer do we use and why?",
        "qual impressora vamos usar?",
    ];
    let something = [
        ("which database do we use on staging?", "stg-db.internal"),
        ("can I deploy on friday?", "ops team"),
        ("why is the build red?", "cache is fresh"),
        ("which ORM do we use and why?", "Drizzle"),
        ("qual ORM vamos usar?", "Drizzle"),
    ];
    for prompt in nothing.into_iter().chain(something.map(|(prompt, _)| prompt)) {
        Session { sandbox: &sandbox, name: &name(prompt) }.starts();
    }
    KEPT.iter().for_each(|text| drop(sandbox.run(["remember", "--", text]).code(0)));
    let told = |prompt: &str| Session { sandbox: &sandbox, name: &name(prompt) }.asks(prompt);
    for prompt in nothing {
        assert_eq!(told(prompt), "", "{prompt}");
    }
    for (prompt, part) in something {
        assert!(told(prompt).contains(part), "{prompt}");
    }
}

#[test]
fn what_fits_is_told_at_the_start() {
    let sandbox = Sandbox::ready();
    let lines: String = (0..15)
        .flat_map(|n| {
            [("decision", "use the part"), ("preference", "prefer the colour"), ("fact", "know the room")]
                .map(|(kind, text)| json!({ "kind": kind, "text": format!("We {text} {n} of the house") }))
        })
        .map(|line| format!("{line}\n"))
        .collect();
    sandbox.command(["remember", "--lines"]).stdin(lines).go().code(0);
    let told = sandbox.run(["inject", "preview", "default", "--json"]).code(0).json();
    let count = |part: &str| told["context"][part].as_array().unwrap().len();
    assert_eq!((count("decisions"), count("preferences"), count("notes")), (15, 15, 15));
    // With less room some are left out, and that is said.
    let told = sandbox.run(["inject", "preview", "default", "--budget", "600", "--json"]).code(0).json();
    let fates = told["considered"].as_array().unwrap().iter().map(|one| one["fate"].as_str().unwrap());
    let fates: Vec<&str> = fates.collect();
    assert_eq!(fates.len(), 45, "{fates:?}");
    assert!(fates.contains(&"no-room"), "{fates:?}");
}

#[test]
fn the_project_page_is_given_once_and_without_comments() {
    let sandbox = Sandbox::ready();
    let page = "# Shop\n\nThe shop sells lighthouses.\n\n## Conventions\n\n<!-- TODO: rules -->\n";
    sandbox.write("_project.md", page);
    let session = Session { sandbox: &sandbox, name: "s-1" };
    assert!(session.starts().contains("lighthouses"));
    assert_eq!(session.asks("which shop sells lighthouses?"), "");
    let command = ["inject", "preview", "default", "which shop sells lighthouses?"];
    let told = sandbox.run(command).code(0).stdout;
    assert_eq!(told.matches("lighthouses").count(), 1, "{told}");
    let settings = "[profiles.bare]\nproject = false\n";
    std::fs::write(sandbox.home().join("config.toml"), settings).unwrap();
    let told = sandbox.run(["inject", "preview", "default", command[3], "--profile", "bare"]).code(0).stdout;
    assert!(told.contains("lighthouses") && !told.contains("TODO"), "{told}");
}

#[test]
fn a_session_is_not_told_its_own_last_words() {
    let sandbox = Sandbox::ready();
    let one = Session { sandbox: &sandbox, name: "s-1" };
    one.starts();
    one.asks("implement the importer");
    one.hears("Stop", &json!({ "last_assistant_message": "I read the code first." }));
    sandbox.run(["process"]).code(0);
    // Another one is told, and that the first may still run.
    let other = Session { sandbox: &sandbox, name: "s-2" }.starts();
    assert!(other.contains("it may still run in another window"), "{other}");
    one.hears("PreCompact", &json!({ "trigger": "auto" }));
    let again = one.hears("SessionStart", &json!({ "source": "compact" }));
    assert!(!again.contains("Recovering"), "{again}");
}
