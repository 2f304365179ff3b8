//! The files that a rule looks at: those that git tracks or would track, with their text.

use crate::run::{program, root};

/// A file of the repository.
pub(super) struct File {
    /// Its path from the root of the repository, with `/` between the parts.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn made_up(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether it is Rust under one of these folders.
    pub(super) fn is_rust_in(&self, folders: &[&str]) -> bool {
        self.path.ends_with(".rs") && folders.iter().any(|folder| self.path.starts_with(folder))
    }
}

/// Every text file that is tracked, or is new and not ignored.
pub(super) fn all() -> Vec<File> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = program("git", &arguments).output().expect("git is there");
    assert!(
        listed.status.success(),
        "git does not list the files: {}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let mut paths: Vec<String> = listed
        .stdout
        .split(|&b| b == 0)
        .filter(|path| !path.is_empty())
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect();
    paths.sort();
    paths.dedup();
    // A file may be deleted and not yet committed so, or hold no text; neither concerns any rule.
    let read = |path: String| Some(File { text: std::fs::read_to_string(root().join(&path)).ok()?, path });
    paths.into_iter().filter_map(read).collect()
}

#[test]
fn the_list_of_files_holds_sources_documents_and_this_file() {
    let files = all();
    for path in ["Cargo.toml", "xtask/src/tidy/files.rs", "crates/memory-core/src/lib.rs"] {
        assert!(files.iter().any(|file| file.path == path), "{path}");
    }
    assert!(!files.iter().any(|file| file.path.starts_with("target/")));
}
