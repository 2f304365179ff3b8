//! The bundle: what is known about a project, as the payload of state and checkpoints.
//!
//! Its hash covers every field, the unknown ones included, so nothing in it is brought into another form.

use super::{bundle_hash, stable_string};
use crate::event::HistoryError;
use crate::event::fields::{Field, document};
use crate::event::record::{record, words};

record! {
    /// What is known about a project.
    Bundle {
        /// The project itself.
        project: Project = "project",
        /// What lies where in it.
        project_map: ProjectMap = "projectMap",
        /// What is being worked on.
        current_focus: CurrentFocus = "currentFocus",
        /// What goes wrong in it and how to avoid that.
        gotchas: Vec<Gotcha> = "gotchas",
        /// What should be done next.
        next_steps: Vec<NextStep> = "nextSteps",
        /// How to check that it works.
        validation_commands: Vec<ValidationCommand> = "validationCommands",
    }
}

impl Bundle {
    /// Reads a bundle that stands alone.
    pub fn parse(text: &str) -> Result<Self, HistoryError> {
        document(text)
    }

    /// The canonical text, with a line end.
    pub fn render(&self) -> String {
        stable_string(&self.write()) + "\n"
    }

    /// The hash that stands beside it as `bundleHash`.
    pub fn hash(&self) -> String {
        bundle_hash(&self.write())
    }
}

record! {
    /// What a project is.
    Project {
        /// Its name.
        name: String = "name",
        /// What it is for.
        summary: String = "summary",
        /// Its language family, such as `rust` or `node`.
        primary_ecosystem: String = "primaryEcosystem",
        /// Its package manager, or `none`.
        package_manager: String = "packageManager",
        /// Its workspace manager, or `none`.
        workspace_manager: String = "workspaceManager",
        /// The file that a newcomer reads first.
        recommended_entry_file: String = "recommendedEntryFile",
        /// The files that matter most.
        key_paths: Vec<String> = "keyPaths",
    }
}

record! {
    /// What lies where in a project.
    ProjectMap {
        /// Its parts.
        modules: Vec<Module> = "modules",
        /// Where running it begins.
        entrypoints: Vec<Entrypoint> = "entrypoints",
        /// Folders with much source.
        dense_source_areas: Vec<PathNote> = "denseSourceAreas",
        /// How the parts hang together.
        architecture_notes: Vec<String> = "architectureNotes",
        /// What to read first.
        first_files_to_read: Vec<String> = "firstFilesToRead",
    }
}

record! {
    /// A part of a project.
    Module {
        /// Its name.
        name: String = "name",
        /// Its folder.
        path: String = "path",
        /// What it does.
        responsibility: String = "responsibility",
    }
}

record! {
    /// A file where running begins.
    Entrypoint {
        /// The file.
        path: String = "path",
        /// What it starts.
        role: String = "role",
    }
}

record! {
    /// A path and what to know about it.
    PathNote {
        /// The path.
        path: String = "path",
        /// What to know.
        note: String = "note",
    }
}

record! {
    /// What is being worked on.
    CurrentFocus {
        /// The focus in a sentence.
        summary: String = "summary",
        /// How things stand.
        current_state: Vec<String> = "currentState",
        /// What may go wrong.
        known_risks: Vec<String> = "knownRisks",
        /// What the last check said.
        validation_snapshot: ValidationSnapshot = "validationSnapshot",
    }
}

record! {
    /// What the last check of a project said.
    ValidationSnapshot {
        /// How it went as a whole.
        status: SnapshotStatus = "status",
        /// When it was made, in the very words of the file, because they are hashed.
        validated_at: Option<String> = "validatedAt",
        /// How it went, in a sentence.
        summary: String = "summary",
        /// How each command went.
        results: Vec<ValidationResult> = "results",
        /// What to do about it.
        suggested_next_actions: Vec<String> = "suggestedNextActions",
    }
}

words! {
    /// How a check went as a whole.
    SnapshotStatus {
        /// Nothing was run.
        #[default]
        NotRun = "not-run",
        /// Everything passed.
        Passed = "passed",
        /// Everything failed.
        Failed = "failed",
        /// Some of it passed.
        Mixed = "mixed",
    }
}

record! {
    /// How one command of a check went.
    ValidationResult {
        /// Its short name.
        label: String = "label",
        /// The command line.
        command: String = "command",
        /// How it went.
        status: RunStatus = "status",
        /// What it said.
        summary: String = "summary",
    }
}

words! {
    /// How one command went.
    RunStatus {
        /// It passed.
        Passed = "passed",
        /// It failed.
        Failed = "failed",
        /// It could not be run.
        #[default]
        Unavailable = "unavailable",
    }
}

record! {
    /// Something that goes wrong, and how to avoid it.
    Gotcha {
        /// Its name.
        title: String = "title",
        /// How it shows.
        symptom: String = "symptom",
        /// Why it happens.
        cause: String = "cause",
        /// What to do instead.
        correct_path: String = "correctPath",
    }
}

record! {
    /// Something to do next.
    NextStep {
        /// Its name.
        title: String = "title",
        /// Why it is worth doing.
        why: String = "why",
        /// How to begin.
        start: String = "start",
        /// How to know that it is done.
        done: String = "done",
    }
}

record! {
    /// A command that checks the project.
    ValidationCommand {
        /// Its short name.
        label: String = "label",
        /// The program and its arguments.
        command: Vec<String> = "command",
        /// What it proves.
        purpose: String = "purpose",
    }
}
