//! `state.json` and the history of the system that keeps a project's knowledge as one bundle: each part of the bundle
//! and each signal of an event becomes a memory of the project.

use memory_core::event::EventLog;
use memory_core::id::Tag;
use memory_core::kind::Kind;
use memory_core::scope::{Scope, SourceClass};
use memory_core::state::{Bundle, State};
use memory_core::task;
use memory_core::time::Time;

use super::{Came, Context, Hear, Item, folder};
use crate::disk::foreign;
use crate::error::Result;

pub(super) fn read(context: &Context<'_>, most: SourceClass, hear: &mut dyn Hear) -> Result<()> {
    let class = most.min(SourceClass::Agent);
    let path = context.import.path.join("state.json");
    let shown = path.display().to_string();
    let parsed = folder::bytes(&path, context.file_bytes).and_then(|(bytes, _)| {
        State::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
    });
    match parsed {
        Ok(state) => {
            for (kind, text) in known(&state.bundle) {
                let mut item = item(context, Scope::Project, kind, &text, state.generated_at);
                item.draft.provenance.class = class;
                hear.item(item)?;
            }
        }
        Err(why) => hear.defect(shown, why),
    }
    history(context, class, hear)
}

fn history(context: &Context<'_>, class: SourceClass, hear: &mut dyn Hear) -> Result<()> {
    let path = context.import.path.join("history/events.jsonl");
    if foreign::stat_at(&path).is_none() {
        return Ok(());
    }
    let shown = path.display().to_string();
    let log = match folder::bytes(&path, context.file_bytes) {
        Ok((bytes, _)) => EventLog::read(&bytes),
        Err(why) => {
            hear.defect(shown, why);
            return Ok(());
        }
    };
    for defect in log.defects {
        hear.defect(format!("{shown}:{}", defect.line), defect.what);
    }
    for logged in log.events {
        let event = logged.event;
        let scope = event.agent.map_or(Scope::Project, Scope::Agent);
        let signals = event.signals;
        let tasks = signals.next_step_hints.into_iter().map(|text| task::render_open(&text));
        let said = signals.decisions.into_iter().map(|text| (Kind::Decision, text));
        let said = said.chain(signals.gotchas.into_iter().map(|text| (Kind::Lesson, text)));
        for (kind, text) in said.chain(tasks.map(|text| (Kind::Task, text))) {
            let mut item = item(context, scope.clone(), kind, &text, event.created_at);
            item.draft.provenance.class = class;
            item.draft.provenance.session = event.session.clone();
            item.draft.provenance.event = Some(event.id.to_string());
            hear.item(item)?;
        }
    }
    Ok(())
}

fn item(context: &Context<'_>, scope: Scope, kind: Kind, text: &str, at: Time) -> Item {
    let mut draft = context.draft(text, SourceClass::Agent, Some(at));
    let identity = format!("{scope}\0{kind}\0{text}");
    let own = memory_core::memory::tags_in(text);
    draft.tags = Some(context.tags(own.iter().map(Tag::as_str)));
    draft.scope = Some(scope);
    draft.kind = Some(kind);
    Item { identity, draft, origin: Came::Written }
}

/// What a bundle says, each thing by itself.
fn known(bundle: &Bundle) -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    let mut add = |kind: Kind, lines: &[(&str, &str)]| {
        let told = lines.iter().filter(|(_, words)| !words.trim().is_empty());
        let lines: Vec<String> = told.map(|(label, words)| format!("{label}{}", words.trim())).collect();
        if !lines.is_empty() {
            all.push((kind, lines.join("\n")));
        }
    };
    let project = &bundle.project;
    if !project.summary.trim().is_empty() {
        add(Kind::Context, &[("", &format!("{}: {}", project.name, project.summary))]);
    }
    let map = &bundle.project_map;
    for module in &map.modules {
        add(Kind::Map, &[("", &format!("{} ({}): {}", module.name, module.path, module.responsibility))]);
    }
    for entry in &map.entrypoints {
        add(Kind::Map, &[("", &format!("{}: {}", entry.path, entry.role))]);
    }
    map.architecture_notes.iter().for_each(|note| add(Kind::Context, &[("", note)]));
    add(Kind::Focus, &[("", &bundle.current_focus.summary)]);
    bundle.current_focus.known_risks.iter().for_each(|risk| add(Kind::Lesson, &[("Risk: ", risk)]));
    for gotcha in &bundle.gotchas {
        add(
            Kind::Lesson,
            &[
                ("", &gotcha.title),
                ("Symptom: ", &gotcha.symptom),
                ("Cause: ", &gotcha.cause),
                ("Instead: ", &gotcha.correct_path),
            ],
        );
    }
    for step in &bundle.next_steps {
        let title =
            if step.title.trim().is_empty() { String::new() } else { task::render_open(step.title.trim()) };
        add(
            Kind::Task,
            &[("", &title), ("Why: ", &step.why), ("Start: ", &step.start), ("Done when: ", &step.done)],
        );
    }
    for command in &bundle.validation_commands {
        let line = format!("{}: `{}`", command.label, command.command.join(" "));
        add(Kind::Command, &[("", &line), ("", &command.purpose)]);
    }
    all
}
