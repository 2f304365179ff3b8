//! A small payload of each client's own for each thing that can happen, and any bytes at all.

use proptest::prelude::*;

use super::*;

/// What a payload comes to: the sort of event, then what is in it.
fn heard(client: &str, event: Option<&str>, json: &str) -> String {
    let named = Client::of_word(client).unwrap();
    let signal = read(Call { named, event, bytes: json.as_bytes() }, &|_| None).unwrap();
    let word = signal.happened.word();
    let inside = match signal.happened {
        Happened::Started { source: text }
        | Happened::Ended { reason: text }
        | Happened::Compacted { summary: text }
        | Happened::Reply { text } => text.unwrap_or_else(|| "-".to_owned()),
        Happened::Prompt { text } => text,
        Happened::Tool(ToolCall { name, paths, command, failed }) => {
            let failed = failed.map_or("?", |failed| if failed { "failed" } else { "ok" });
            format!("{name} {paths:?} {} {failed}", command.unwrap_or_else(|| "-".to_owned()))
        }
        _ => String::new(),
    };
    format!("{word} {inside}").trim_end().to_owned()
}

#[track_caller]
fn check(client: &str, json: &str, expect: &str) {
    assert_eq!(heard(client, None, json), expect, "{client}: {json}");
}

#[test]
fn claude_code() {
    let check = |json: &str, expect: &str| check("claude", json, expect);
    check(r#"{"hook_event_name":"SessionStart","source":"resume"}"#, "started resume");
    check(r#"{"hook_event_name":"UserPromptSubmit","prompt":"why?"}"#, "prompt why?");
    check(r#"{"hook_event_name":"Stop","last_assistant_message":"because"}"#, "reply because");
    check(r#"{"hook_event_name":"Stop","last_assistant_message":null}"#, "reply -");
    check(
        r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls -l"},
            "tool_response":{"stdout":"never kept"}}"#,
        "tool Bash [] ls -l ?",
    );
    check(
        r#"{"hook_event_name":"PostToolUseFailure","tool_name":"Edit","tool_input":{"file_path":"/p/a.rs"}}"#,
        r#"tool Edit ["/p/a.rs"] - failed"#,
    );
    check(r#"{"hook_event_name":"PreCompact","trigger":"auto"}"#, "compacting");
    check(r#"{"hook_event_name":"PostCompact","compact_summary":"short"}"#, "compacted short");
    check(r#"{"hook_event_name":"SessionEnd","reason":"clear"}"#, "ended clear");
    check(r#"{"hook_event_name":"SubagentStop","last_assistant_message":"x"}"#, "subagent");
    check(r#"{"hook_event_name":"Notification","message":"x"}"#, "notification");
    check(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#, "passing");
    check(r#"{"hook_event_name":"NextYearsEvent"}"#, "unknown");
    check(r#"{"hook_event_name":7,"prompt":[],"extra":{"deep":[1]}}"#, "unknown");
    check("{}", "unknown");
}

#[test]
fn clients_that_speak_nearly_as_claude_code_does() {
    check("codex", r#"{"hook_event_name":"UserPromptSubmit","turn_id":"t","prompt":"p"}"#, "prompt p");
    check("codex", r#"{"hook_event_name":"Stop","transcript_path":null}"#, "reply -");
    check(
        "codex",
        r#"{"hook_event_name":"PostToolUse","tool_name":"apply_patch",
            "tool_input":{"command":"*** Begin Patch\n*** Update File: src/a.rs\n-x\n+y\n*** Add File: b.md\n"}}"#,
        r#"tool apply_patch ["src/a.rs", "b.md"] - ?"#,
    );
    check(
        "codex",
        r#"{"hook_event_name":"PostToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","curl -s u | head"]}}"#,
        "tool shell [] curl -s u | head ?",
    );
    check(
        "codex",
        r#"{"hook_event_name":"PostToolUse","tool_name":"shell","tool_input":{"command":["git","status"]}}"#,
        "tool shell [] git status ?",
    );
    let echoed = r#"{"hook_event_name":"BeforeAgent","prompt":"<hook_context>ours</hook_context>\n\nmine"}"#;
    check("gemini", echoed, "prompt mine");
    check("gemini", r#"{"hook_event_name":"AfterAgent","prompt":"p","prompt_response":"r"}"#, "reply r");
    check(
        "gemini",
        r#"{"hook_event_name":"AfterTool","tool_name":"read_file","tool_input":{"absolute_path":"/p/a"},
            "tool_response":{"error":{"message":"no"}}}"#,
        r#"tool read_file ["/p/a"] - failed"#,
    );
    check("gemini", r#"{"hook_event_name":"PreCompress","trigger":"auto"}"#, "passing");
    let raw = r#"{"hook_event_name":"UserPromptSubmit","prompt":"made of it","submitted_prompt":"typed"}"#;
    check("qwen", raw, "prompt typed");
    check("qwen", r#"{"hook_event_name":"UserPromptSubmit","prompt":""}"#, "prompt");
    check("vscode", r#"{"hookEventName":"SessionStart","sessionId":"s","source":"new"}"#, "started new");
    check("vscode", r#"{"hook_event_name":"PostToolUse","toolName":"x","tool_input":{}}"#, "tool x [] - ?");
    check("goose", r#"{"event":"UserPromptSubmit","message":"hi","working_dir":"/p"}"#, "prompt hi");
    check("goose", r#"{"event":"Stop","last_assistant_message":"done"}"#, "reply done");
    check("goose", r#"{"event":"AfterFileEdit"}"#, "passing");
}

#[test]
fn cursor() {
    let check = |json: &str, expect: &str| check("cursor", json, expect);
    check(r#"{"hook_event_name":"sessionStart","transcript_path":null}"#, "started -");
    check("\u{feff}{\"hook_event_name\":\"beforeSubmitPrompt\",\"prompt\":\"p\"}", "prompt p");
    check(r#"{"hook_event_name":"afterAgentResponse","text":"r"}"#, "reply r");
    check(r#"{"hook_event_name":"stop","status":"completed"}"#, "reply -");
    check(
        r#"{"hook_event_name":"postToolUse","tool_name":"Shell","tool_input":"{\"command\":\"make\"}","tool_output":"x"}"#,
        "tool Shell [] make ?",
    );
    check(r#"{"hook_event_name":"afterFileEdit"}"#, "passing");
    // As it runs the files of Claude Code.
    check(r#"{"hook_event_name":"UserPromptSubmit","prompt":"p"}"#, "prompt p");
}

#[test]
fn copilot_names_its_events_on_the_command_line_or_not_at_all() {
    let check = |event, json: &str, expect: &str| {
        assert_eq!(heard("copilot", event, json), expect, "{event:?} {json}");
    };
    check(Some("sessionStart"), r#"{"sessionId":"s"}"#, "started -");
    check(None, r#"{"sessionId":"s","source":"new","initialPrompt":"p"}"#, "started new");
    check(None, r#"{"sessionId":"s","prompt":"p"}"#, "prompt p");
    check(None, r#"{"prompt":"p","transformedPrompt":"q"}"#, "passing");
    check(None, r#"{"toolName":"bash","toolArgs":{"command":"ls"}}"#, "passing");
    let done =
        r#"{"toolName":"bash","toolArgs":"{\"command\":\"ls\"}","toolResult":{"resultType":"failure"}}"#;
    check(None, done, "tool bash [] ls failed");
    check(None, r#"{"transcriptPath":"/t","stopReason":"end_turn"}"#, "reply -");
    check(None, r#"{"reason":"complete"}"#, "ended complete");
    check(None, r#"{"hook_event_name":"UserPromptSubmit","prompt":"p"}"#, "prompt p");
    check(Some("sessionEnd"), r#"{"hook_event_name":"Stop"}"#, "reply -");
    check(Some("nonsense"), r#"{"prompt":"p"}"#, "unknown");
}

#[test]
fn plugins_post_what_they_see() {
    check(
        "opencode",
        r#"{"event":"chat.message","data":{"output":{"parts":[{"type":"text","text":"a"},
            {"type":"text","text":"ours","synthetic":true},{"type":"file"},{"type":"text","text":"b"}]}}}"#,
        "prompt a\nb",
    );
    check("opencode", r#"{"event":"event:session.created","data":{"info":{"id":"s"}}}"#, "started -");
    check("opencode", r#"{"event":"event:session.idle","data":{"sessionID":"s","text":"r"}}"#, "reply r");
    check(
        "opencode",
        r#"{"event":"tool.execute.after","data":{"input":{"tool":"bash","args":{"command":"ls"}},
            "output":{"output":"never","metadata":{"exit":1}}}}"#,
        "tool bash [] ls failed",
    );
    check("opencode", r#"{"event":"event:brand.new","data":{}}"#, "passing");
    check("opencode", r#"{"event":"event:session.compacted","data":{}}"#, "compacted -");
    check("amp", r#"{"event":"session.start","thread":{"id":"T-1"}}"#, "started -");
    check("amp", r#"{"event":"agent.start","thread":{"id":"T-1"},"prompt":"p"}"#, "prompt p");
    check("amp", r#"{"event":"agent.end","text":"r"}"#, "reply r");
}

#[test]
fn cline_and_windsurf() {
    check("cline", r#"{"hookName":"agent_start","taskId":"t"}"#, "started -");
    check("cline", r#"{"hookName":"agent_end","turn":{"outputText":"r"}}"#, "reply r");
    check(
        "cline",
        r#"{"hookName":"tool_result","tool_result":{"name":"run_commands","input":{"commands":["a","b"]}},
            "postToolUse":{"success":true}}"#,
        "tool run_commands [] a b ok",
    );
    check(
        "cline",
        r#"{"hookName":"tool_result","tool_result":{"name":"use_mcp_tool","input":{"server_name":"x","arguments":"{}"}}}"#,
        "tool mcp__x__use_mcp_tool [] - ?",
    );
    check("cline", r#"{"hookName":"agent_end","parent_agent_id":"agent_1"}"#, "subagent");
    check("cline", r#"{"hookName":"UserPromptSubmit","userPromptSubmit":{"prompt":"p"}}"#, "prompt p");
    let prompt = "{\"agent_action_name\":\"pre_user_prompt\",\"tool_info\":{\"user_prompt\":\"one\ntwo\"}}";
    check("windsurf", prompt, "prompt one\ntwo");
    check(
        "windsurf",
        r#"{"agent_action_name":"post_run_command","tool_info":{"command_line":"make","cwd":"/p"}}"#,
        "tool post_run_command [] make ?",
    );
    check(
        "windsurf",
        r#"{"agent_action_name":"post_cascade_response","tool_info":{"response":"r"}}"#,
        "reply r",
    );
    check(
        "windsurf",
        r#"{"agent_action_name":"post_mcp_tool_use","tool_info":{"mcp_server_name":"github","mcp_tool_name":"get_issue"}}"#,
        "tool mcp__github__get_issue [] - ?",
    );
    check(
        "windsurf",
        r#"{"agent_action_name":"post_mcp_tool_use","tool_info":{"mcp_tool_name":"get_issue"}}"#,
        "tool mcp__get_issue [] - ?",
    );
    check("windsurf", r#"{"agent_action_name":"pre_write_code"}"#, "passing");
}

#[test]
fn what_surrounds_an_event_is_taken_along() {
    let check = |client: &str, json: &str, expect: [&str; 6]| {
        let named = Client::of_word(client).unwrap();
        let it = read(Call { named, event: None, bytes: json.as_bytes() }, &|_| None).unwrap();
        assert_eq!(
            it.call.map(|id| id.to_string()).as_deref(),
            json.contains("toolu_1").then_some("toolu_1")
        );
        let session = it.session.map(|id| id.to_string());
        let turn = it.turn.map(|id| id.to_string());
        let all = [session, turn, it.cwd, it.transcript, it.model, it.at.map(|at| at.iso())];
        assert_eq!(all.map(Option::unwrap_or_default), expect, "{client}: {json}");
    };
    check(
        "claude",
        r#"{"hook_event_name":"Stop","session_id":"s","prompt_id":"p","cwd":"/c","transcript_path":"/t"}"#,
        ["s", "p", "/c", "/t", "", ""],
    );
    check(
        "claude",
        r#"{"hook_event_name":"PostToolUse","session_id":"s","prompt_id":"p","tool_use_id":"toolu_1"}"#,
        ["s", "p", "", "", "", ""],
    );
    check(
        "codex",
        r#"{"hook_event_name":"Stop","session_id":"s","turn_id":"t","model":"m","transcript_path":null}"#,
        ["s", "t", "", "", "m", ""],
    );
    check(
        "cursor",
        r#"{"conversation_id":"c","generation_id":"","workspace_roots":["/w"],"hook_event_name":"stop"}"#,
        ["c", "", "/w", "", "", ""],
    );
    check(
        "copilot",
        r#"{"sessionId":"s","timestamp":1794725091355,"cwd":"/c","transcriptPath":"/t","stopReason":"x"}"#,
        ["s", "", "/c", "/t", "", "2026-11-15T06:44:51.355Z"],
    );
    check(
        "cline",
        r#"{"taskId":"conv","sessionContext":{"rootSessionId":"r"},"workspaceRoots":["/w"],"hookName":"x"}"#,
        ["r", "", "/w", "", "", ""],
    );
    check(
        "windsurf",
        r#"{"trajectory_id":"t","execution_id":"e","model_name":"m","tool_info":{"transcript_path":"/t"}}"#,
        ["t", "e", "", "/t", "m", ""],
    );
    check(
        "opencode",
        r#"{"event":"x","data":{"input":{"sessionID":"s"}},"directory":"/d"}"#,
        ["s", "", "/d", "", "", ""],
    );
    check("goose", r#"{"event":"Stop","session_id":"s","working_dir":"/w"}"#, ["s", "", "/w", "", "", ""]);
    check("amp", r#"{"event":"agent.end","thread":{"id":"T"},"cwd":"/c"}"#, ["T", "", "/c", "", "", ""]);
    let long = format!(r#"{{"session_id":"{}","cwd":7}}"#, "x".repeat(300));
    check("claude", &long, ["", "", "", "", "", ""]);
}

#[test]
fn a_very_long_text_is_cut_and_says_by_how_much() {
    let json = format!(r#"{{"hook_event_name":"UserPromptSubmit","prompt":"{}"}}"#, "é".repeat(200_000));
    let call = Call { named: Client::ClaudeCode, event: None, bytes: json.as_bytes() };
    let signal = read(call, &|_| None).unwrap();
    let Happened::Prompt { text } = &signal.happened else { panic!("{signal:?}") };
    assert_eq!((text.len(), signal.cut), (MOST_TEXT, 400_000 - MOST_TEXT));
}

#[test]
fn each_client_is_answered_in_its_own_form() {
    let check = |client: &str, event: &str, expect: Option<&str>| {
        let signal = signal(client, event, Happened::Passing);
        assert_eq!(reply(&signal, Some("x é😀")).as_deref(), expect, "{client} {event}");
        assert_eq!(reply(&signal, None), None);
        assert_eq!(reply(&signal, Some(" \n")), None);
    };
    let nested = |event: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":"x \u00e9\ud83d\ude00"}}}}"#
        )
    };
    for (client, events) in [
        ("claude", "SessionStart UserPromptSubmit PostToolUse"),
        ("codex", "SessionStart UserPromptSubmit PreToolUse PostToolUse"),
        ("gemini", "SessionStart BeforeAgent AfterTool"),
        ("qwen", "SessionStart UserPromptSubmit"),
        ("vscode", "SessionStart PostToolUse"),
    ] {
        events.split(' ').for_each(|event| check(client, event, Some(&nested(event))));
    }
    for event in ["sessionStart", "userPromptSubmitted", "postToolUse", "SessionStart", "UserPromptSubmit"] {
        check("copilot", event, Some(r#"{"additionalContext":"x \u00e9\ud83d\ude00"}"#));
    }
    for event in ["sessionStart", "beforeSubmitPrompt", "UserPromptSubmit"] {
        check("cursor", event, Some(r#"{"additional_context":"x \u00e9\ud83d\ude00"}"#));
    }
    let modified = r#"{"cancel":false,"contextModification":"x \u00e9\ud83d\ude00","errorMessage":""}"#;
    check("cline", "PreToolUse", Some(modified));
    check("opencode", "chat.message", Some(r#"{"additionalContext":"x \u00e9\ud83d\ude00"}"#));
    check("amp", "agent.start", Some(r#"{"message":{"content":"x \u00e9\ud83d\ude00","display":false}}"#));
    for (client, silent) in [
        ("claude", "Stop SubagentStop PreCompact PostCompact SessionEnd Notification"),
        ("codex", "Stop PreCompact PostCompact SessionEnd"),
        ("gemini", "AfterAgent PreCompress SessionEnd"),
        ("qwen", "Stop"),
        ("copilot", "agentStop Stop sessionEnd preToolUse"),
        ("vscode", "UserPromptSubmit Stop"),
        ("cursor", "stop preToolUse preCompact"),
        ("cline", "TaskComplete agent_end"),
        ("windsurf", "pre_user_prompt post_cascade_response"),
        ("goose", "SessionStart UserPromptSubmit Stop"),
        ("opencode", "event:session.idle"),
        ("amp", "agent.end"),
    ] {
        silent.split(' ').for_each(|event| check(client, event, None));
    }
}

#[test]
fn what_is_written_of_each_client_is_so() {
    let page = include_str!("../../../../docs/hooks.md");
    let check = |name: &str, client: &str, [start, prompt, tool]: [&str; 3]| {
        let said = Happened::Prompt { text: "why".to_owned() };
        let opens = |event: &str, happened: Happened| opening(&signal(client, event, happened));
        let moments = [
            opens(start, Happened::Started { source: None }) == Some(Opening::Start),
            opens(prompt, said) == Some(Opening::Prompt),
            opens(tool, Happened::Tool(ToolCall::default())) == Some(Opening::FirstTool),
        ];
        let moments = moments.map(|takes| if takes { "yes" } else { "no" }).join(" | ");
        assert!(page.contains(&format!("\n| {name} | {moments} |\n")), "{name} | {moments}");
    };
    let usual = ["SessionStart", "UserPromptSubmit", "PostToolUse"];
    check("Claude Code", "claude", usual);
    check("Codex", "codex", usual);
    check("Cursor", "cursor", ["sessionStart", "beforeSubmitPrompt", "postToolUse"]);
    check("Gemini CLI", "gemini", ["SessionStart", "BeforeAgent", "AfterTool"]);
    check("Qwen Code", "qwen", usual);
    check("Copilot CLI", "copilot", ["sessionStart", "userPromptSubmitted", "postToolUse"]);
    check("VS Code", "vscode", usual);
    check("OpenCode", "opencode", ["event:session.created", "chat.message", "tool.execute.after"]);
    check("Cline, in an editor", "cline", ["TaskStart", "UserPromptSubmit", "PostToolUse"]);
    check("Cline, on the command line", "cline", ["agent_start", "prompt_submit", "tool_result"]);
    check("Windsurf", "windsurf", ["none", "pre_user_prompt", "post_write_code"]);
    check("Goose", "goose", usual);
    check("Amp", "amp", ["session.start", "agent.start", "none"]);
}

#[test]
fn an_empty_prompt_is_not_answered() {
    let prompt = |text: &str| Happened::Prompt { text: text.to_owned() };
    assert!(reply(&signal("qwen", "UserPromptSubmit", prompt("why")), Some("x")).is_some());
    assert_eq!(reply(&signal("qwen", "UserPromptSubmit", prompt("")), Some("x")), None);
}

fn signal(client: &str, event: &str, happened: Happened) -> Signal {
    let named = Client::of_word(client).unwrap();
    let signal = read(Call { named, event: Some(event), bytes: b"{}" }, &|_| None).unwrap();
    Signal { event: event.to_owned(), happened, ..signal }
}

proptest! {
    #[test]
    fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..400), pick in 0_usize..64) {
        let clients: Vec<Client> = Client::all().collect();
        let call = Call { named: clients[pick % clients.len()], event: None, bytes: &bytes };
        if let Ok(signal) = read(call, &|_| Some("x".to_owned())) {
            let _ = reply(&signal, Some("x"));
        }
    }

    #[test]
    fn nearly_json_is_borne(text in r#"(\{|\}|"|\\|\\u[dD][89a-fA-F0-9]{0,4}|:|,|[a-z_]{0,9}|[\x00-\x1f]|é|<hook_context>|</hook_context>){0,40}"#) {
        let call = Call { named: Client::ClaudeCode, event: None, bytes: text.as_bytes() };
        let _ = read(call, &|_| None);
        let _ = without_injected(&text);
    }
}
