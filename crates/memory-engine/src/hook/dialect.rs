//! The dialects: for each client its names for events and for the fields of its JSON, as data.
//!
//! Most clients speak as Claude Code does, so every dialect is that one with its own differences, and a name that a
//! client's own rows do not hold is looked for among Claude Code's: clients run each other's hook files.

use memory_core::session::Client;
use serde_json::Value;

use super::wire;

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Start,
    Prompt,
    Reply,
    Tool,
    FailedTool,
    Compacting,
    Compacted,
    End,
    Subagent,
    Notification,
    Passing,
}

use Sort::{
    Compacted, Compacting, End, FailedTool, Notification, Passing, Prompt, Reply, Start, Subagent, Tool,
};

type Paths = &'static [&'static str];

/// How one client speaks. Each field lists the paths at which a thing may stand; the first that is there counts.
pub(super) struct Dialect {
    client: Client,
    /// Its events. A name that ends in `*` stands for all that begin so.
    events: &'static [(&'static str, Sort)],
    /// For JSON that does not name its event: a field that only one event has, and that event.
    telling: &'static [(&'static str, &'static str)],
    pub(super) event: Paths,
    pub(super) session: Paths,
    pub(super) turn: Paths,
    pub(super) cwd: Paths,
    pub(super) transcript: Paths,
    pub(super) model: Paths,
    pub(super) time: Paths,
    pub(super) source: Paths,
    pub(super) reason: Paths,
    pub(super) prompt: Paths,
    pub(super) reply: Paths,
    pub(super) summary: Paths,
    pub(super) tool_name: Paths,
    pub(super) tool_input: Paths,
    pub(super) tool_id: Paths,
    /// The agent that started this one.
    pub(super) parent: Paths,
}

impl Dialect {
    /// The dialect of a client; one without hooks of its own is taken for Claude Code.
    pub(super) fn of(client: Client) -> &'static Self {
        DIALECTS.iter().find(|dialect| dialect.client == client).unwrap_or(&CLAUDE)
    }

    /// What an event of this name is about.
    pub(super) fn sort(&self, event: &str) -> Option<Sort> {
        let named = |row: &&(&str, Sort)| match row.0.strip_suffix('*') {
            Some(beginning) => event.starts_with(beginning),
            None => row.0 == event,
        };
        self.events.iter().find(named).or_else(|| CLAUDE.events.iter().find(named)).map(|row| row.1)
    }

    /// The event that the fields of a payload give away.
    pub(super) fn guess(&self, payload: &Value) -> Option<&'static str> {
        self.telling.iter().find(|row| wire::at(payload, row.0).is_some()).map(|row| row.1)
    }
}

const CLAUDE: Dialect = Dialect {
    client: Client::ClaudeCode,
    events: &[
        ("SessionStart", Start),
        ("UserPromptSubmit", Prompt),
        ("Stop", Reply),
        ("PostToolUse", Tool),
        ("PostToolUseFailure", FailedTool),
        ("PreCompact", Compacting),
        ("PostCompact", Compacted),
        ("SessionEnd", End),
        ("SubagentStart", Subagent),
        ("SubagentStop", Subagent),
        ("TeammateIdle", Subagent),
        ("Notification", Notification),
        ("MessageDisplay", Notification),
        ("UserPromptExpansion", Passing),
        ("PreToolUse", Passing),
        ("PostToolBatch", Passing),
        ("PermissionRequest", Passing),
        ("PermissionDenied", Passing),
        ("StopFailure", Passing),
        ("PreModelSwitch", Passing),
        ("PostModelSwitch", Passing),
        ("Setup", Passing),
        ("InstructionsLoaded", Passing),
        ("TaskCreated", Passing),
        ("TaskCompleted", Passing),
        ("ConfigChange", Passing),
        ("CwdChanged", Passing),
        ("DirectoryAdded", Passing),
        ("FileChanged", Passing),
        ("WorktreeCreate", Passing),
        ("WorktreeRemove", Passing),
        ("Elicitation", Passing),
        ("ElicitationResult", Passing),
    ],
    telling: &[],
    event: &["hook_event_name", "hookEventName"],
    session: &["session_id", "sessionId"],
    turn: &["prompt_id", "turn_id"],
    cwd: &["cwd"],
    transcript: &["transcript_path", "transcriptPath"],
    model: &["model"],
    time: &["timestamp"],
    source: &["source"],
    reason: &["reason"],
    prompt: &["prompt"],
    reply: &["last_assistant_message"],
    summary: &["compact_summary"],
    tool_name: &["tool_name"],
    tool_input: &["tool_input"],
    tool_id: &["tool_use_id", "tool_call_id"],
    parent: &[],
};

/// All dialects. Codex and Goose name what they have as Claude Code does; only the differences stand here.
const DIALECTS: &[Dialect] = &[
    CLAUDE,
    Dialect { client: Client::Codex, ..CLAUDE },
    Dialect {
        client: Client::Gemini,
        events: &[
            ("BeforeAgent", Prompt),
            ("AfterAgent", Reply),
            ("AfterTool", Tool),
            // It comes before every request to the model, whether anything is compacted or not.
            ("PreCompress", Passing),
            ("BeforeTool", Passing),
            ("BeforeModel", Passing),
            ("AfterModel", Passing),
            ("BeforeToolSelection", Passing),
        ],
        reply: &["prompt_response"],
        ..CLAUDE
    },
    // What the person typed stands beside what the client made of it; after a tool there is neither.
    Dialect { client: Client::Qwen, prompt: &["submitted_prompt", "prompt"], ..CLAUDE },
    Dialect {
        client: Client::Cursor,
        events: &[
            ("sessionStart", Start),
            ("beforeSubmitPrompt", Prompt),
            ("afterAgentResponse", Reply),
            ("stop", Reply),
            ("postToolUse", Tool),
            ("postToolUseFailure", FailedTool),
            ("preCompact", Compacting),
            ("sessionEnd", End),
            ("subagentStart", Subagent),
            ("subagentStop", Subagent),
            ("afterAgentThought", Passing),
            ("preToolUse", Passing),
            ("beforeShellExecution", Passing),
            ("afterShellExecution", Passing),
            ("beforeMCPExecution", Passing),
            ("afterMCPExecution", Passing),
            ("beforeReadFile", Passing),
            ("afterFileEdit", Passing),
            ("beforeTabFileRead", Passing),
            ("afterTabFileEdit", Passing),
            ("workspaceOpen", Passing),
        ],
        session: &["session_id", "conversation_id"],
        turn: &["generation_id"],
        cwd: &["cwd", "workspace_roots.0"],
        reply: &["text", "last_assistant_message"],
        ..CLAUDE
    },
    Dialect {
        client: Client::CopilotCli,
        events: &[
            ("sessionStart", Start),
            ("userPromptSubmitted", Prompt),
            ("agentStop", Reply),
            ("postToolUse", Tool),
            ("preCompact", Compacting),
            ("sessionEnd", End),
            ("subagentStart", Subagent),
            ("subagentStop", Subagent),
            ("notification", Notification),
            ("userPromptTransformed", Passing),
            ("preToolUse", Passing),
            ("permissionRequest", Passing),
            ("errorOccurred", Passing),
        ],
        // The order counts: what stands first has the field that the later ones lack.
        telling: &[
            ("source", "sessionStart"),
            ("transformedPrompt", "userPromptTransformed"),
            ("prompt", "userPromptSubmitted"),
            ("toolResult", "postToolUse"),
            ("toolName", "preToolUse"),
            ("stopReason", "agentStop"),
            ("reason", "sessionEnd"),
        ],
        tool_name: &["toolName", "tool_name"],
        tool_input: &["toolArgs", "tool_input", "tool_args"],
        ..CLAUDE
    },
    Dialect { client: Client::CopilotVsCode, tool_name: &["tool_name", "toolName"], ..CLAUDE },
    Dialect {
        client: Client::OpenCode,
        events: &[
            ("event:session.created", Start),
            ("chat.message", Prompt),
            ("event:session.idle", Reply),
            ("tool.execute.after", Tool),
            ("experimental.session.compacting", Compacting),
            ("event:session.compacted", Compacted),
            ("event:session.deleted", End),
            // The bus carries a hundred more, and every version adds some.
            ("event:*", Passing),
            ("plugin.init", Passing),
            ("tool.execute.before", Passing),
            ("experimental.chat.*", Passing),
        ],
        event: &["event"],
        session: &["data.sessionID", "data.input.sessionID", "data.info.id"],
        turn: &["data.output.message.id"],
        cwd: &["directory", "data.info.directory", "data.directory"],
        model: &["data.output.message.model.modelID", "data.info.model.id"],
        time: &["data.output.message.time.created", "data.info.time.created"],
        prompt: &["data.output.parts"],
        reply: &["data.text"],
        summary: &["data.text"],
        tool_name: &["data.input.tool"],
        tool_input: &["data.input.args"],
        tool_id: &["data.input.callID"],
        ..CLAUDE
    },
    Dialect {
        client: Client::Cline,
        events: &[
            ("agent_start", Start),
            ("agent_resume", Start),
            ("prompt_submit", Prompt),
            ("agent_end", Reply),
            ("tool_result", Tool),
            ("pre_compact", Compacting),
            ("agent_abort", End),
            ("session_shutdown", End),
            ("tool_call", Passing),
            ("agent_error", Passing),
            ("TaskStart", Start),
            ("TaskResume", Start),
            ("TaskComplete", Reply),
            ("TaskCancel", End),
            ("SessionShutdown", End),
            ("TaskError", Passing),
        ],
        event: &["hookName"],
        session: &["sessionContext.rootSessionId", "taskId"],
        cwd: &["workspaceInfo.rootPath", "workspaceRoots.0"],
        prompt: &["userPromptSubmit.prompt", "prompt"],
        reply: &["turn.outputText"],
        tool_name: &["tool_result.name", "postToolUse.toolName"],
        tool_input: &["tool_result.input", "postToolUse.parameters"],
        tool_id: &["tool_result.id"],
        parent: &["parent_agent_id"],
        ..CLAUDE
    },
    Dialect {
        client: Client::Windsurf,
        events: &[
            ("pre_user_prompt", Prompt),
            ("post_cascade_response", Reply),
            ("post_cascade_response_with_transcript", Reply),
            ("post_write_code", Tool),
            ("post_run_command", Tool),
            ("post_mcp_tool_use", Tool),
            ("post_read_code", Passing),
            ("post_setup_worktree", Passing),
            ("pre_*", Passing),
        ],
        event: &["agent_action_name"],
        session: &["trajectory_id"],
        turn: &["execution_id"],
        cwd: &["tool_info.cwd"],
        transcript: &["tool_info.transcript_path"],
        model: &["model_name"],
        prompt: &["tool_info.user_prompt"],
        reply: &["tool_info.response"],
        tool_name: &["tool_info.mcp_tool_name", "agent_action_name"],
        tool_input: &["tool_info"],
        ..CLAUDE
    },
    Dialect {
        client: Client::Goose,
        events: &[
            ("BeforeReadFile", Passing),
            ("AfterFileEdit", Passing),
            ("BeforeShellExecution", Passing),
            ("AfterShellExecution", Passing),
        ],
        event: &["event"],
        cwd: &["working_dir", "cwd"],
        prompt: &["message", "prompt"],
        ..CLAUDE
    },
    Dialect {
        client: Client::Amp,
        events: &[
            ("session.start", Start),
            ("agent.start", Prompt),
            ("agent.end", Reply),
            ("tool.result", Tool),
            ("tool.call", Passing),
        ],
        event: &["event"],
        session: &["thread.id"],
        prompt: &["prompt"],
        reply: &["text"],
        tool_name: &["tool"],
        tool_input: &["input"],
        tool_id: &["toolUseID"],
        ..CLAUDE
    },
];
