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
    /// `$EDITOR`, then `$VISUAL`, as the reference does.
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
    set.map_or_else(|| "vi".to_owned(), |value| value.to_string_lossy().into_owned())
}

/// The variable may hold arguments and quotes (`code --wait`), which only a shell reads as its owner meant.
#[cfg(unix)]
fn run(editor: &str, file: &Path) -> std::io::Result<ExitStatus> {
    Command::new("sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(file).status()
}

#[cfg(not(unix))]
fn run(editor: &str, file: &Path) -> std::io::Result<ExitStatus> {
    let mut words = editor.split_whitespace();
    Command::new(words.next().unwrap_or("vi")).args(words).arg(file).status()
}
