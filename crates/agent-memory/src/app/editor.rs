//! A person's editor on a copy of a text, in a private folder.
//!
//! The copy is handed back together with its place, so that an edit that could not be saved is not lost.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use memory_engine::ambient;

use crate::app::failure::{Failure, Outcome};
use crate::app::source::Source;
use crate::project::files;

/// Which variable is asked first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EditorOrder {
    /// `$VISUAL`, then `$EDITOR`, as most programs do.
    VisualFirst,
    /// `$EDITOR`, then `$VISUAL`, as the vault tool does.
    EditorFirst,
}

/// A text after a person had it in an editor.
pub(crate) struct Edited {
    /// The text as it was saved.
    pub(crate) text: String,
    /// Where the copy lies.
    pub(crate) file: PathBuf,
    /// The editor's own exit code, 0 when all went well.
    pub(crate) code: i32,
    folder: PathBuf,
}

impl Edited {
    /// Takes the copy away, once the text is safe elsewhere.
    pub(crate) fn discard(self) {
        files::remove_folder(&self.folder);
    }
}

/// Opens the editor on a copy of the text and waits for it.
pub(crate) fn edited(name: &str, text: &str, order: EditorOrder, limit: usize) -> Outcome<Edited> {
    let editor = editor(order);
    let folder = files::private_folder("agent-memory-edit")?;
    let file = folder.join(name);
    files::replace(&file, text.as_bytes())?;
    let status = run(&editor, &file).map_err(|error| {
        files::remove_folder(&folder);
        let text =
            format!("could not start the editor `{editor}`: {error}; set `EDITOR`, or give `--content`");
        Failure::error("E_EDITOR", text)
    })?;
    let text = Source::File(file.clone()).read(limit)?;
    Ok(Edited { text, file, folder, code: status.code().unwrap_or(1) })
}

fn editor(order: EditorOrder) -> String {
    let names = match order {
        EditorOrder::VisualFirst => ["VISUAL", "EDITOR"],
        EditorOrder::EditorFirst => ["EDITOR", "VISUAL"],
    };
    let set = names.into_iter().find_map(ambient::variable);
    set.map_or_else(|| USUAL.to_owned(), |value| value.to_string_lossy().into_owned())
}

/// The editor that is there where nobody chose one.
const USUAL: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// The variable may hold arguments and quotes (`code --wait`), which only a shell reads as its owner meant.
#[cfg(unix)]
fn run(editor: &str, file: &Path) -> std::io::Result<ExitStatus> {
    Command::new("sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(file).status()
}

#[cfg(not(unix))]
fn run(editor: &str, file: &Path) -> std::io::Result<ExitStatus> {
    let mut words = words_of(editor).into_iter();
    Command::new(words.next().unwrap_or_else(|| USUAL.to_owned())).args(words).arg(file).status()
}

/// The words of a command line without a shell: what stands in double quotes is one, spaces and all. A backslash is part
/// of a path and nothing else.
#[cfg(any(test, not(unix)))]
fn words_of(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut inside, mut within_word) = (false, false);
    for c in line.chars() {
        match c {
            '"' => {
                inside = !inside;
                if !within_word {
                    words.push(String::new());
                }
                within_word = true;
            }
            c if c.is_whitespace() && !inside => within_word = false,
            c => {
                if !within_word {
                    words.push(String::new());
                }
                within_word = true;
                if let Some(word) = words.last_mut() {
                    word.push(c);
                }
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_taken_apart_as_its_owner_meant() {
        let check = |line: &str, expect: &[&str]| assert_eq!(words_of(line), expect, "{line}");
        check("notepad", &["notepad"]);
        check("code --wait", &["code", "--wait"]);
        check(r#""C:\Program Files\x\x.exe" --wait"#, &[r"C:\Program Files\x\x.exe", "--wait"]);
        check(r#"C:\"Program Files"\x.exe -n"#, &[r"C:\Program Files\x.exe", "-n"]);
        check(r#"x "" y"#, &["x", "", "y"]);
        check(r#""not closed"#, &["not closed"]);
        check("  ", &[]);
    }
}
