//! Where a user's folders are, on each system and with the variables that move them.
//!
//! A value like any other, so that a test can stand on three systems at once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::table;
use crate::ambient;

/// An operating system, as far as it decides where programs keep their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum System {
    Linux,
    MacOs,
    Windows,
}

/// A user's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Homes {
    /// The system.
    pub system: System,
    /// The home folder.
    pub home: PathBuf,
    /// The variables that are set, by name.
    pub variables: BTreeMap<String, PathBuf>,
}

/// A folder below which programs keep their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// The home folder itself.
    Home,
    /// `$XDG_DATA_HOME` or `~/.local/share`, for programs that go there on every system.
    Shared,
    /// Settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    Settings,
    /// Data: `~/.local/share`, `%LOCALAPPDATA%`.
    Local,
    /// The project's folder, each checkout of it.
    Project,
    /// The memory roots of the project.
    Root,
}

/// Variables that move whole bases.
const BASES: [&str; 4] = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"];

impl Homes {
    /// A home folder on this system with no variables set.
    pub fn at(system: System, home: impl Into<PathBuf>) -> Self {
        Self { system, home: home.into(), variables: BTreeMap::new() }
    }

    /// The folders of the user of this process; `None` when there is no home.
    pub fn of_user() -> Option<Self> {
        let system = if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::MacOs
        } else {
            System::Linux
        };
        let names = if cfg!(windows) { ["USERPROFILE", "HOME"] } else { ["HOME", "USERPROFILE"] };
        let home = names.iter().find_map(|name| ambient::variable(name))?;
        let known = BASES.into_iter().chain(table::variables());
        let set = known.filter_map(|name| Some((name.to_owned(), PathBuf::from(ambient::variable(name)?))));
        Some(Self { system, home: PathBuf::from(home), variables: set.collect() })
    }

    /// Where a base is; `None` for those that belong to a project.
    pub(super) fn base(&self, base: Base) -> Option<PathBuf> {
        let moved = |name: &str, usual: &str| {
            let set =
                self.variables.get(name).filter(|path| path.is_absolute() || self.system == System::Windows);
            set.cloned().unwrap_or_else(|| self.home.join(usual))
        };
        Some(match (base, self.system) {
            (Base::Home, _) => self.home.clone(),
            (Base::Settings, System::Linux) => moved("XDG_CONFIG_HOME", ".config"),
            (Base::Settings, System::MacOs) => self.home.join("Library/Application Support"),
            (Base::Settings, System::Windows) => moved("APPDATA", "AppData/Roaming"),
            (Base::Local, System::Windows) => moved("LOCALAPPDATA", "AppData/Local"),
            (Base::Shared | Base::Local, _) => moved("XDG_DATA_HOME", ".local/share"),
            (Base::Project | Base::Root, _) => return None,
        })
    }
}
