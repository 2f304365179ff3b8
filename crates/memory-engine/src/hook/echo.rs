//! What we gave an agent and what comes back inside its prompts: our own text is never captured as a person's.

use memory_core::session::{strip_block, strip_injected};

/// Elements that clients wrap around what hooks gave them.
const WRAPPERS: &[&str] = &["hook_context", "qwen:user-prompt-submit-context"];

/// A text without the context that was injected into it.
pub fn without_injected(text: &str) -> String {
    let own = strip_injected(text).into_owned();
    let rest = WRAPPERS.iter().fold(own, |text, tag| strip_block(&text, tag).into_owned());
    rest.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_text_is_taken_out() {
        let check = |text: &str, expect: &str| assert_eq!(without_injected(text), expect, "{text}");
        check("plain", "plain");
        check("<hook_context>ours</hook_context>\n\nWhat now?", "What now?");
        check("a <agent-memory-context id=\"7\">\nours\n</agent-memory-context> b", "a  b");
        check("<hook_context><agent-memory-context>x</agent-memory-context></hook_context>q", "q");
        check("<hook_context source=\"PreToolUse\">x</hook_context><hook_context>y</hook_context>z", "z");
        check("what is <hook_context> for?", "what is <hook_context> for?");
        check("<hook_contextual>stays</hook_contextual>", "<hook_contextual>stays</hook_contextual>");
        check("1 < 2 and <b>bold</b>", "1 < 2 and <b>bold</b>");
        check("", "");
    }
}
