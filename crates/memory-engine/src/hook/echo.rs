//! What we gave an agent and what comes back inside its prompts: our own text is never captured as a person's.

/// Elements that hold text of ours, or that a client wraps around it.
const TAGS: &[&str] = &["agent-memory-context", "hook_context", "qwen:user-prompt-submit-context"];

/// A text without the context that was injected into it; an element that is not closed stays.
pub fn without_injected(text: &str) -> String {
    let rest = TAGS.iter().fold(text.to_owned(), |text, tag| without(&text, tag));
    rest.trim().to_owned()
}

fn without(text: &str, tag: &str) -> String {
    let close = format!("</{tag}>");
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((start, inner)) = opening(rest, tag)
        && let Some(end) = rest[inner..].find(&close)
    {
        out.push_str(&rest[..start]);
        rest = &rest[inner + end + close.len()..];
    }
    out + rest
}

/// Where the next opening of this element begins and ends.
fn opening(text: &str, tag: &str) -> Option<(usize, usize)> {
    let (start, rest) = text.match_indices('<').find_map(|(start, _)| {
        let rest = text[start + 1..].strip_prefix(tag)?;
        (rest.starts_with('>') || rest.starts_with(char::is_whitespace)).then_some((start, rest))
    })?;
    Some((start, start + 1 + tag.len() + rest.find('>')? + 1))
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
        check("<hook_context> is never closed", "<hook_context> is never closed");
        check("<hook_contextual>stays</hook_contextual>", "<hook_contextual>stays</hook_contextual>");
        check("1 < 2 and <b>bold</b>", "1 < 2 and <b>bold</b>");
        check("<hook_context", "<hook_context");
        check("", "");
    }
}
