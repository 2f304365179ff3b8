//! The clients, one row each: where their sessions lie, in which form, and what stands around a person's words.
//!
//! A new client is a new row, and a reader if its records are like nobody else's.

use std::path::Path;

use memory_core::session::Client;
use serde_json::Value;

use super::assembly::Tags;
use super::homes::{Base, System};
use super::lines::{Log, Worth};
use super::record::{self, text};
use super::rewinds::Rewinds;
use super::rows::Store;
use super::said::{Facts, Said};
use super::tools::local_path;
use super::whole::Whole;
use super::{
    amp, claude, cline, codex, continue_dev, conversations, copilot, cursor, droid, google, goose, markdown,
    pi, stem, vscode, windsurf,
};
use crate::disk::foreign;

/// A client.
pub(super) struct Row {
    pub(super) client: Client,
    pub(super) places: &'static [Lies],
    /// The form of a file by its name and first bytes.
    form: fn(&str, &[u8]) -> Form,
    pub(super) tags: Tags,
    /// What the place of a file tells about the session in it.
    beside: fn(&Path) -> Facts,
    pub(super) proof: Proof,
}

/// How a file is read.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Log(Log),
    Whole(fn(&[u8]) -> Option<Whole>),
    Rows(Store),
    Unread(&'static str),
}

/// Where sessions lie: a folder that a variable may name, and below it a pattern. In a pattern `*` is any part of a
/// name, `**` any folders, and `{slug}` a folder named after the project's path.
pub(super) struct Lies {
    pub(super) on: &'static [System],
    pub(super) variable: Option<&'static str>,
    pub(super) base: Base,
    pub(super) folder: &'static str,
    pub(super) pattern: &'static str,
}

/// What shows that a session belongs to a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// The folder that its records or the files beside it name.
    Folder,
    /// No record names a folder: the files that the agent touched, and the name of the folder where those are silent.
    Files,
}

impl Row {
    pub(super) fn form(&self, path: &Path, head: &[u8]) -> Form {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        // What could be unpacked was; see `Foreign`.
        if name.ends_with(".zst") && head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            return Form::Unread("the file is compressed, and broken or very large: unpack it to read it");
        }
        (self.form)(name.strip_suffix(".zst").unwrap_or(&name), head)
    }

    pub(super) fn beside(&self, path: &Path) -> Facts {
        (self.beside)(path)
    }
}

/// The row of a client.
pub(super) fn row(client: Client) -> &'static Row {
    // Each client has a row, which a test holds; the first stands in for a client that would not.
    ROWS.iter().find(|row| row.client == client).unwrap_or(&ROWS[0])
}

/// Every variable that moves a client's folder.
pub(super) fn variables() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|row| row.places).filter_map(|lies| lies.variable)
}

const ALL: &[System] = &[System::Linux, System::MacOs, System::Windows];

const fn lies(base: Base, folder: &'static str, pattern: &'static str) -> Lies {
    Lies { on: ALL, variable: None, base, folder, pattern }
}

const fn moved(variable: &'static str, base: Base, folder: &'static str, pattern: &'static str) -> Lies {
    Lies { on: ALL, variable: Some(variable), base, folder, pattern }
}

const fn on(on: &'static [System], base: Base, folder: &'static str, pattern: &'static str) -> Lies {
    Lies { on, variable: None, base, folder, pattern }
}

const NO_TAGS: Tags = Tags { dropped: &[], unwrapped: &[] };

/// Every client.
pub(super) const ROWS: &[Row] = &[
    Row {
        client: Client::ClaudeCode,
        places: &[moved("CLAUDE_CONFIG_DIR", Base::Home, ".claude", "projects/{slug}/*.jsonl")],
        form: |_, _| Form::Log(Log { skim: skim_claude, read: claude::read, rewinds: Rewinds::ByParent }),
        tags: Tags { dropped: claude::TAGS, unwrapped: &[] },
        beside: by_stem,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Codex,
        places: &[
            moved("CODEX_HOME", Base::Home, ".codex", "sessions/*/*/*/rollout-*.jsonl*"),
            moved("CODEX_HOME", Base::Home, ".codex", "archived_sessions/rollout-*.jsonl*"),
        ],
        form: |_, _| Form::Log(Log { skim: skim_codex, read: codex::read, rewinds: Rewinds::ByCount }),
        tags: Tags { dropped: codex::TAGS, unwrapped: &[] },
        beside: rollout,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Cursor,
        places: &[
            moved("CURSOR_CONFIG_DIR", Base::Home, ".cursor", "projects/{slug}/agent-transcripts/*/*.jsonl"),
            moved("CURSOR_CONFIG_DIR", Base::Home, ".cursor", "projects/{slug}/agent-transcripts/*.jsonl"),
        ],
        form: |_, _| log(cursor::read),
        tags: Tags { dropped: cursor::TAGS, unwrapped: &["user_query"] },
        beside: by_stem,
        proof: Proof::Files,
    },
    Row {
        client: Client::Gemini,
        places: &[
            lies(Base::Home, ".gemini", "tmp/*/chats/session-*.jsonl"),
            lies(Base::Home, ".gemini", "tmp/*/chats/*.json"),
        ],
        form: |name, _| match name.ends_with(".json") {
            true => Form::Whole(|bytes| google::chat(&record::value(bytes).ok()??)),
            false => Form::Log(Log { skim: skim_none, read: google::gemini, rewinds: Rewinds::ByName }),
        },
        tags: Tags { dropped: google::TAGS, unwrapped: &[] },
        beside: gemini_project,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Qwen,
        places: &[lies(Base::Home, ".qwen", "projects/{slug}/chats/*.jsonl")],
        form: |_, _| log(google::qwen),
        tags: Tags { dropped: google::TAGS, unwrapped: &[] },
        beside: by_stem,
        proof: Proof::Folder,
    },
    Row {
        client: Client::OpenCode,
        places: &[
            moved("OPENCODE_DB", Base::Shared, "opencode/opencode.db", ""),
            lies(Base::Shared, "opencode", "opencode-*.db"),
        ],
        form: |_, _| Form::Rows(Store::OpenCode),
        tags: NO_TAGS,
        beside: |_| Facts::default(),
        proof: Proof::Folder,
    },
    Row {
        client: Client::CopilotCli,
        places: &[moved("COPILOT_HOME", Base::Home, ".copilot", "session-state/*/events.jsonl")],
        form: |_, _| log(copilot::read),
        tags: Tags { dropped: &["current_datetime"], unwrapped: &[] },
        beside: by_folder,
        proof: Proof::Folder,
    },
    Row {
        client: Client::CopilotVsCode,
        places: &[
            lies(Base::Settings, "Code/User/workspaceStorage", "*/chatSessions/*.json*"),
            lies(Base::Settings, "Code/User/workspaceStorage", "*/GitHub.copilot-chat/transcripts/*.jsonl"),
            lies(Base::Settings, "Code - Insiders/User/workspaceStorage", "*/chatSessions/*.json*"),
            lies(
                Base::Settings,
                "Code - Insiders/User/workspaceStorage",
                "*/GitHub.copilot-chat/transcripts/*.jsonl",
            ),
            lies(Base::Settings, "VSCodium/User/workspaceStorage", "*/chatSessions/*.json*"),
        ],
        form: |name, head| match name.ends_with(".jsonl") && !holds(head, b"\"kind\"") {
            true => log(copilot::read),
            false => Form::Whole(vscode::read),
        },
        tags: NO_TAGS,
        beside: vscode_workspace,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Cline,
        places: &[
            lies(Base::Home, ".cline", "data/sessions/*/*.messages.json"),
            lies(Base::Home, ".cline", "data/tasks/*/api_conversation_history.json"),
            lies(
                Base::Settings,
                "Code/User/globalStorage/saoudrizwan.claude-dev",
                "tasks/*/api_conversation_history.json",
            ),
        ],
        form: |_, _| Form::Whole(cline::read),
        tags: Tags { dropped: cline::TAGS, unwrapped: cline::WORDS },
        beside: cline_manifest,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Windsurf,
        places: &[lies(Base::Home, ".windsurf", "transcripts/*.jsonl")],
        form: |_, _| log(windsurf::read),
        tags: NO_TAGS,
        beside: by_stem,
        proof: Proof::Files,
    },
    Row {
        client: Client::Amp,
        places: &[lies(Base::Local, "amp", "threads/T-*.json")],
        form: |_, _| Form::Whole(amp::read),
        tags: NO_TAGS,
        beside: by_stem,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Goose,
        places: &[
            on(&[System::Linux, System::MacOs], Base::Shared, "goose", "sessions/sessions.db"),
            on(&[System::Linux, System::MacOs], Base::Shared, "goose", "sessions/*.jsonl"),
            on(&[System::MacOs], Base::Settings, "Block/goose", "sessions/sessions.db"),
            on(&[System::Windows], Base::Settings, "Block/goose", "data/sessions/sessions.db"),
            on(&[System::Windows], Base::Settings, "Block/goose", "data/sessions/*.jsonl"),
        ],
        form: |name, _| if name.ends_with(".jsonl") { log(goose::read) } else { Form::Rows(Store::Goose) },
        tags: NO_TAGS,
        beside: |path| if is_log(path) { by_stem(path) } else { Facts::default() },
        proof: Proof::Folder,
    },
    Row {
        client: Client::Continue,
        places: &[moved("CONTINUE_GLOBAL_DIR", Base::Home, ".continue", "sessions/*.json")],
        form: |_, _| Form::Whole(continue_dev::read),
        tags: NO_TAGS,
        beside: by_stem,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Aider,
        places: &[lies(Base::Project, ".aider.chat.history.md", "")],
        form: |_, _| Form::Whole(markdown::aider),
        tags: NO_TAGS,
        beside: |path| folder_above(path, 1),
        proof: Proof::Folder,
    },
    Row {
        client: Client::SpecStory,
        places: &[lies(Base::Project, ".specstory", "history/*.md")],
        form: |_, _| Form::Whole(markdown::specstory),
        tags: NO_TAGS,
        beside: |path| folder_above(path, 3),
        proof: Proof::Folder,
    },
    Row {
        client: Client::Droid,
        places: &[lies(Base::Home, ".factory", "sessions/**/*.jsonl")],
        form: |_, _| log(droid::read),
        tags: NO_TAGS,
        beside: by_stem,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Pi,
        places: &[moved("PI_CODING_AGENT_DIR", Base::Home, ".pi/agent", "sessions/{slug}/*.jsonl")],
        form: |_, _| log(pi::read),
        tags: NO_TAGS,
        beside: by_stem,
        proof: Proof::Folder,
    },
    Row {
        client: Client::Conversations,
        places: &[lies(Base::Root, "conversations", "*.json")],
        form: |_, _| Form::Whole(conversations::read),
        tags: NO_TAGS,
        beside: |path| folder_above(path, 3),
        proof: Proof::Folder,
    },
];

fn log(read: fn(&Value, &mut Vec<Said>)) -> Form {
    Form::Log(Log { skim: skim_none, read, rewinds: Rewinds::Never })
}

fn skim_none(_line: &[u8]) -> Worth {
    Worth::Reading
}

/// Record types that Claude Code writes with their type in front and that hold copies of whole requests.
fn skim_claude(line: &[u8]) -> Worth {
    let begins = |kind: &[u8]| line.strip_prefix(b"{\"type\":\"").is_some_and(|rest| rest.starts_with(kind));
    let known = begins(b"user\"") || begins(b"assistant\"") || begins(b"system\"") || begins(b"attachment\"");
    if line.starts_with(b"{\"type\":\"") && !known { Worth::Nothing } else { Worth::Reading }
}

/// Record types that Codex writes with instructions, states and counts; the type stands near the front.
fn skim_codex(line: &[u8]) -> Worth {
    let head = line.get(..line.len().min(160)).unwrap_or_default();
    let dull: [&[u8]; 4] = [
        b"\"type\":\"world_state\"",
        b"\"type\":\"compacted\"",
        b"\"type\":\"token_usage_record\"",
        b"\"type\":\"token_count\"",
    ];
    if dull.iter().any(|kind| holds(head, kind)) { Worth::Nothing } else { Worth::Reading }
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}

/// The session is the file's name.
fn by_stem(path: &Path) -> Facts {
    Facts { session: stem(path), ..Facts::default() }
}

/// The session is the end of a rollout's name, after the time at which it began.
fn rollout(path: &Path) -> Facts {
    let stem = stem(path).unwrap_or_default();
    let id = stem.len().checked_sub(36).and_then(|at| stem.get(at..));
    let id = id.filter(|id| id.bytes().filter(|byte| *byte == b'-').count() == 4);
    Facts { session: id.map(str::to_owned), ..Facts::default() }
}

/// The session is the name of the folder in which the file stands.
fn by_folder(path: &Path) -> Facts {
    let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    Facts { session: folder, ..Facts::default() }
}

/// The project is a folder above the file.
fn folder_above(path: &Path, levels: usize) -> Facts {
    let folder = path.ancestors().nth(levels).map(|folder| folder.display().to_string());
    Facts { cwd: folder.filter(|folder| !folder.is_empty()), ..Facts::default() }
}

/// A file of Gemini beside the chats names the project.
fn gemini_project(path: &Path) -> Facts {
    let marker = path.ancestors().nth(2).map(|folder| folder.join(".project_root"));
    let cwd = marker.and_then(|marker| foreign::small_text(&marker, 16 << 10));
    Facts { cwd: cwd.map(|cwd| cwd.trim().to_owned()), ..Facts::default() }
}

/// The manifest of a session of Cline.
fn cline_manifest(path: &Path) -> Facts {
    let session = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let manifest = session.as_ref().and_then(|session| {
        let text = foreign::small_text(&path.with_file_name(format!("{session}.json")), 1 << 20)?;
        record::value(text.as_bytes()).ok().flatten()
    });
    let of = |key: &str| manifest.as_ref().and_then(|manifest| text(manifest, key));
    let cwd = of("/cwd").or_else(|| of("/workspace_root"));
    Facts { session, cwd, model: of("/model"), ..Facts::default() }
}

/// The folder that a workspace of VS Code stands for.
fn vscode_workspace(path: &Path) -> Facts {
    let found = path.ancestors().skip(1).take(4).find_map(|folder| {
        let text = foreign::small_text(&folder.join("workspace.json"), 64 << 10)?;
        record::value(text.as_bytes()).ok().flatten()
    });
    let of =
        |key: &str| found.as_ref().and_then(|workspace| text(workspace, key)).map(|uri| local_path(&uri));
    let beside = of("/workspace").map(|file| workspace_folders(Path::new(&file))).unwrap_or_default();
    Facts { session: stem(path), cwd: of("/folder"), beside, model: None }
}

/// The folders of a workspace that has several.
fn workspace_folders(file: &Path) -> Vec<String> {
    let text_of = foreign::small_text(file, 256 << 10);
    let workspace =
        text_of.and_then(|text| record::value(text.as_bytes()).ok().flatten()).unwrap_or_default();
    let home = file.parent().unwrap_or(file);
    let folders = record::list(&workspace, "/folders").iter().filter_map(|folder| {
        let uri = text(folder, "/uri").map(|uri| local_path(&uri));
        text(folder, "/path").map(|path| home.join(path).display().to_string()).or(uri)
    });
    folders.collect()
}
