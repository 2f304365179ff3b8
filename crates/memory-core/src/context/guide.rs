//! What an agent is told about the memory itself: where to write, and which project is meant.

use crate::id::AgentId;

/// How an agent writes memories when it has no tool for that: the vault tool's three lines, and the command that is better.
pub fn instructions(root: &str, agent: &AgentId) -> String {
    let root = root.trim_end_matches(['/', '\\']);
    format!(
        "## MEMORY: When asked to save/learn/remember, WRITE to files (don't just say you will).\n\
         Shared: {root}/_project.md | Personal: {root}/{agent}/{{decisions,lessons,tasks,projects,handoffs}}.md\n\
         Or run: agent-memory remember --agent {agent} --class agent \"…\" (and agent-memory search \"…\" to look things up)\n\
         ---\n"
    )
}

/// Which project an agent works on, for one that is started from somewhere else.
pub fn scope_block(project: &str, workspace: &str) -> String {
    format!(
        "## PROJECT SCOPE\n\
         You work on the project \"{project}\" in {workspace}.\n\
         Read, analyse and change that project alone; the program that started you and its files are not part of it.\n\
         ---\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_told_where_to_write() {
        let text = instructions("/p/.memory/", &AgentId::parse("dev").unwrap());
        assert!(text.starts_with("## MEMORY: When asked to save/learn/remember, WRITE to files"), "{text}");
        assert!(
            text.contains("Shared: /p/.memory/_project.md | Personal: /p/.memory/dev/{decisions,lessons,"),
            "{text}"
        );
        assert!(text.contains("remember --agent dev --class agent "), "{text}");
        assert!(scope_block("shop", "/p").contains("\"shop\" in /p."));
    }
}
