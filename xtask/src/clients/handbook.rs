//! The settings that docs/hooks.md tells people to write, as the clients get them here: what does not work is not told.
//!
//! A section's first block of code is the one that counts; the program in it stands for ours.

/// What people read.
const HANDBOOK: &str = include_str!("../../../docs/hooks.md");

/// The program as the handbook writes it.
const PROGRAM: &str = "/usr/local/bin/agent-memory";

/// The block of a section, with this program in it.
pub(super) fn block(section: &str, program: &str) -> Result<String, String> {
    let block = in_text(HANDBOOK, section).ok_or(format!("docs/hooks.md has no block under `{section}`"))?;
    if !block.contains(PROGRAM) {
        return Err(format!("the block under `{section}` in docs/hooks.md does not call `{PROGRAM}`"));
    }
    Ok(block.replace(PROGRAM, program))
}

/// The first block of code under a heading.
fn in_text(text: &str, section: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| line.strip_prefix("## ") == Some(section))?;
    let mut block = lines.take_while(|line| !line.starts_with("## "));
    block.find(|line| line.starts_with("```"))?;
    Some(block.take_while(|line| !line.starts_with("```")).map(|line| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        let text = "# a\n\n## One\n\nWords.\n\n```json\n{\n}\n```\n\n```sh\nno\n```\n\n## Two\n\n## Three\n```\nx\n```\n";
        for (section, expect) in
            [("One", Some("{\n}\n")), ("Two", None), ("Three", Some("x\n")), ("Four", None)]
        {
            assert_eq!(in_text(text, section).as_deref(), expect, "{section}");
        }
        assert!(block("Codex", "/opt/x").is_ok_and(|block| block.contains("\"/opt/x hook codex\"")));
    }
}
