//! The clients, one row each: the package, its settings with our hooks in them, and its command line.
//!
//! A new client is a new row and its settings. The hooks are those of docs/hooks.md, word for word. In texts, `@PORT@` for the model's port, `@FREE@` for one that nobody has, `@HOME@` and `@PROJECT@` for the folders, `@PROMPT@` for what is asked.

use memory_core::session::Client;

use super::given::Wanted;

/// A client.
pub(super) struct Row {
    pub client: Client,
    pub package: &'static str,
    pub version: &'static str,
    /// The program that comes with the package.
    pub program: &'static str,
    /// The oldest Node that it takes.
    pub node: u32,
    pub environment: &'static [(&'static str, &'static str)],
    pub files: &'static [Settings],
    /// What follows the program in a new session, and in one that goes on.
    pub first: &'static [&'static str],
    pub again: &'static [&'static str],
    /// The same with which it compacts the session, where a command can.
    pub compacts: &'static [&'static str],
    /// What its model is given in the first exchange.
    pub gives: &'static [Wanted],
    /// Hooks that must fire in every session.
    pub fires: &'static [&'static str],
}

/// A file of a client.
pub(super) struct Settings {
    pub path: &'static str,
    pub text: Text,
    pub mode: Mode,
}

/// What is in it.
pub(super) enum Text {
    /// This.
    Own(&'static str),
    /// What docs/hooks.md has under this heading.
    Documented(&'static str),
    /// That, and these settings of JSON in the same file.
    Both(&'static str, &'static str),
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Read,
    Run,
}

/// A file of our own.
const fn own(path: &'static str, text: &'static str) -> Settings {
    Settings { path, text: Text::Own(text), mode: Mode::Read }
}

/// A file as the documents have it.
const fn documented(path: &'static str, section: &'static str) -> Settings {
    Settings { path, text: Text::Documented(section), mode: Mode::Read }
}

/// A file as the documents have it, with settings that make the client run here.
const fn both(path: &'static str, section: &'static str, text: &'static str) -> Settings {
    Settings { path, text: Text::Both(section, text), mode: Mode::Read }
}

/// A program as the documents have it.
const fn script(path: &'static str, section: &'static str) -> Settings {
    Settings { path, text: Text::Documented(section), mode: Mode::Run }
}

/// For all of them: no telemetry, no looking for updates, and a proxy that is not there for everything but this machine.
pub(super) const ENVIRONMENT: &[(&str, &str)] = &[
    ("LANG", "C.UTF-8"),
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("DO_NOT_TRACK", "1"),
    ("NO_UPDATE_NOTIFIER", "1"),
    // Node looks at the proxy only when it is told to.
    ("NODE_USE_ENV_PROXY", "1"),
    ("HTTP_PROXY", "http://127.0.0.1:9"),
    ("HTTPS_PROXY", "http://127.0.0.1:9"),
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("no_proxy", "127.0.0.1,localhost"),
];

/// What most models are given: all that matters at the start, and what answers the prompt.
const BOTH: &[Wanted] = &[Wanted::Start, Wanted::Answer];

pub(super) const ROWS: &[Row] = &[
    Row {
        client: Client::ClaudeCode,
        package: "@anthropic-ai/claude-code",
        version: "2.1.325",
        program: "claude",
        node: 22,
        environment: &[
            ("ANTHROPIC_BASE_URL", "http://127.0.0.1:@PORT@"),
            ("ANTHROPIC_API_KEY", "x"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
        ],
        files: &[both(
            "@HOME@/.claude/settings.json",
            "Claude Code",
            include_str!("settings/claude-code.json"),
        )],
        first: &["-p", "@PROMPT@"],
        again: &["-c", "-p", "@PROMPT@"],
        compacts: &["-c", "-p", "/compact"],
        gives: BOTH,
        fires: &["SessionStart", "UserPromptSubmit", "Stop"],
    },
    Row {
        client: Client::Codex,
        package: "@openai/codex",
        version: "0.166.0",
        program: "codex",
        node: 16,
        environment: &[("SCRIPTED_KEY", "x")],
        files: &[
            own("@HOME@/.codex/config.toml", include_str!("settings/codex.toml")),
            documented("@HOME@/.codex/hooks.json", "Codex"),
        ],
        // Trust of hooks is given by a person in the client; a run that wrote them itself may say so.
        first: &[
            "exec",
            "--dangerously-bypass-hook-trust",
            "--dangerously-bypass-approvals-and-sandbox",
            "@PROMPT@",
        ],
        again: &[
            "exec",
            "--dangerously-bypass-hook-trust",
            "--dangerously-bypass-approvals-and-sandbox",
            "resume",
            "--last",
            "@PROMPT@",
        ],
        compacts: &[],
        gives: BOTH,
        fires: &["SessionStart", "UserPromptSubmit", "Stop"],
    },
    Row {
        client: Client::Gemini,
        package: "@google/gemini-cli",
        version: "0.61.0",
        program: "gemini",
        node: 20,
        environment: &[
            ("GEMINI_API_KEY", "x"),
            ("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:@PORT@"),
            ("GEMINI_TELEMETRY_ENABLED", "false"),
        ],
        files: &[both(
            "@HOME@/.gemini/settings.json",
            "Gemini CLI",
            include_str!("settings/gemini-cli.json"),
        )],
        first: &["--yolo", "-p", "@PROMPT@"],
        again: &["--yolo", "--resume", "latest", "-p", "@PROMPT@"],
        compacts: &[],
        gives: BOTH,
        fires: &["SessionStart", "BeforeAgent", "AfterAgent"],
    },
    Row {
        client: Client::Qwen,
        package: "@qwen-code/qwen-code",
        version: "0.24.4",
        program: "qwen",
        node: 22,
        environment: &[
            ("OPENAI_API_KEY", "x"),
            ("OPENAI_BASE_URL", "http://127.0.0.1:@PORT@/v1"),
            ("OPENAI_MODEL", "scripted"),
        ],
        files: &[both("@HOME@/.qwen/settings.json", "Qwen Code", include_str!("settings/qwen-code.json"))],
        first: &["--yolo", "-p", "@PROMPT@"],
        again: &["--yolo", "--continue", "-p", "@PROMPT@"],
        compacts: &[],
        gives: BOTH,
        fires: &["SessionStart", "UserPromptSubmit", "Stop"],
    },
    Row {
        client: Client::OpenCode,
        package: "opencode-ai",
        version: "1.18.33",
        program: "opencode",
        node: 16,
        environment: &[
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
            // It looks for types of its plugins in the registry and waits for them; ours has none.
            ("npm_config_offline", "true"),
            ("npm_config_fetch_retries", "0"),
        ],
        files: &[
            own("@HOME@/.config/opencode/opencode.json", include_str!("settings/opencode.json")),
            documented("@HOME@/.config/opencode/plugins/agent-memory.js", "OpenCode"),
        ],
        first: &["run", "@PROMPT@"],
        again: &["run", "--continue", "@PROMPT@"],
        compacts: &[],
        gives: BOTH,
        fires: &["chat.message", "event:session.idle"],
    },
    Row {
        client: Client::CopilotCli,
        package: "@github/copilot",
        version: "1.0.102",
        program: "copilot",
        node: 22,
        environment: &[
            ("COPILOT_PROVIDER_BASE_URL", "http://127.0.0.1:@PORT@/v1"),
            ("COPILOT_MODEL", "scripted"),
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
        ],
        files: &[documented("@HOME@/.copilot/hooks/agent-memory.json", "Copilot CLI and VS Code")],
        first: &["--allow-all-tools", "-p", "@PROMPT@"],
        again: &["--allow-all-tools", "--continue", "-p", "@PROMPT@"],
        compacts: &[],
        gives: BOTH,
        fires: &["sessionStart", "userPromptSubmitted", "agentStop"],
    },
    Row {
        client: Client::Cline,
        package: "cline",
        version: "3.0.65",
        program: "cline",
        node: 22,
        // It leaves a process behind that listens; a port of its own keeps it apart from the person's.
        environment: &[
            ("CLINE_HUB_PORT", "@FREE@"),
            ("CLINE_NO_AUTO_UPDATE", "1"),
            ("CLINE_TELEMETRY_DISABLED", "1"),
        ],
        files: &[
            own("@HOME@/.cline/data/settings/providers.json", include_str!("settings/cline.json")),
            script("@HOME@/.cline/hooks/TaskStart", "Cline"),
            script("@HOME@/.cline/hooks/UserPromptSubmit", "Cline"),
            script("@HOME@/.cline/hooks/PostToolUse", "Cline"),
            script("@HOME@/.cline/hooks/TaskComplete", "Cline"),
        ],
        first: &["--auto-approve", "true", "@PROMPT@"],
        // It goes on with a session only at a terminal.
        again: &[],
        compacts: &[],
        // Its command line tells no prompt to any hook.
        gives: &[Wanted::Start],
        fires: &["agent_start", "agent_end"],
    },
];
