//! The repository around a root, for reading only: its files, and where they define symbols and commands. Nothing is
//! started, and no setting of the repository is obeyed; folders that hold what was made or fetched are left out.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use memory_core::integrity::{
    Anchor, Command, Definition, Look, Symbol, Tool, all_definitions, defined_names, definitions,
};
use serde_json::Value;

use crate::disk::foreign::{self, Foreign};
use crate::disk::{Sort, Stat};

/// A file that is larger is no source that people write.
const LARGEST: u64 = 2 << 20;
/// Folders that hold what was made or fetched.
#[rustfmt::skip]
const MADE: &[&str] = &[
    "target", "node_modules", "dist", "build", "out", "vendor", "venv", "__pycache__", "coverage", "bower_components", "Pods",
    "DerivedData", "site-packages",
];
/// More files than these are not walked over.
const MOST_FILES: usize = 60_000;
/// A name with more definitions means none of them in particular.
const MOST_DEFINITIONS: usize = 4;
/// Words that a definition has at least to be known again without its name.
const TELLING: usize = 8;
/// Bytes that a file has at least to be known again under another name.
const TELLING_BYTES: u64 = 32;

/// The files of a project.
pub(super) struct Repository {
    root: PathBuf,
    memory: PathBuf,
    files: OnceCell<Vec<String>>,
    /// The files that define a name.
    defined: OnceCell<HashMap<String, Vec<String>>>,
    texts: RefCell<HashMap<String, Option<std::rc::Rc<str>>>>,
}

impl Repository {
    pub(super) fn new(root: &Path, memory: &Path) -> Self {
        let (root, memory) = (root.to_owned(), memory.to_owned());
        Self {
            root,
            memory,
            files: OnceCell::new(),
            defined: OnceCell::new(),
            texts: RefCell::new(HashMap::new()),
        }
    }

    pub(super) fn stat(&self, path: &str) -> Option<Stat> {
        foreign::stat_at(&self.root.join(path))
    }

    /// Whether a folder is there, so that a path in it is one of this repository.
    pub(super) fn has_folder(&self, path: &str) -> bool {
        foreign::sort_at(&self.root.join(path)) == Some(Sort::Folder)
    }

    /// How something looks in one file.
    pub(super) fn look_in(&self, anchor: &Anchor, place: &str) -> Vec<Look> {
        match anchor {
            Anchor::File(_) => self.look_at(place).into_iter().collect(),
            Anchor::Symbol(symbol) => self.symbol_in(symbol, place),
            Anchor::Command(command) => {
                self.command(command).into_iter().filter(|look| look.place == place).collect()
            }
        }
    }

    /// How something looks wherever it is under its own name.
    pub(super) fn look_for(&self, anchor: &Anchor) -> Vec<Look> {
        match anchor {
            Anchor::File(path) => {
                self.files_named(path).iter().filter_map(|path| self.look_at(path)).collect()
            }
            Anchor::Symbol(symbol) => {
                let places = self.defined().get(&symbol.name).cloned().unwrap_or_default();
                if places.len() > MOST_DEFINITIONS * 8 {
                    return Vec::new();
                }
                let found: Vec<Look> =
                    places.iter().flat_map(|place| self.symbol_in(symbol, place)).collect();
                if found.len() > MOST_DEFINITIONS { Vec::new() } else { found }
            }
            Anchor::Command(command) => self.command(command).into_iter().collect(),
        }
    }

    /// What looks the same and goes by another name.
    pub(super) fn look_again(&self, anchor: &Anchor, before: &Look) -> Vec<Look> {
        let Some(shape) = before.shape else { return Vec::new() };
        match anchor {
            Anchor::File(_) => {
                let ending = before.place.rsplit('.').next().unwrap_or_default();
                let alike = self.files().iter().filter(|path| path.ends_with(ending));
                alike.filter_map(|path| self.look_at(path)).filter(|look| look.shape == Some(shape)).collect()
            }
            Anchor::Symbol(_) => {
                let there = [before.place.clone()];
                let near = there.iter().filter(|place| self.stat(place).is_some());
                for places in [near.collect::<Vec<_>>(), self.sources().collect()] {
                    let looks = places.into_iter().flat_map(|place| {
                        let all = self.text(place).map(|text| all_definitions(&text)).unwrap_or_default();
                        all.into_iter().map(move |it| look_of(&it, place))
                    });
                    let found: Vec<Look> = looks.filter(|look| look.shape == Some(shape)).collect();
                    if !found.is_empty() {
                        return found;
                    }
                }
                Vec::new()
            }
            Anchor::Command(Command { tool: Tool::Npm, .. }) => {
                let scripts = self.scripts(&before.place);
                scripts.into_iter().filter(|look| look.shape == Some(shape)).collect()
            }
            Anchor::Command(_) => Vec::new(),
        }
    }

    /// Whether the file in which a command would be defined is there.
    pub(super) fn has_tool(&self, tool: Tool) -> bool {
        match tool {
            Tool::Npm => self.stat("package.json").is_some(),
            Tool::Make => MAKEFILES.iter().any(|name| self.stat(name).is_some()),
            Tool::Just => JUSTFILES.iter().any(|name| self.stat(name).is_some()),
            Tool::Xtask | Tool::Bin => false,
        }
    }

    fn look_at(&self, path: &str) -> Option<Look> {
        let stat = self.stat(path)?;
        let digest = self.digest(path, stat)?;
        let shape = (stat.size >= TELLING_BYTES).then_some(digest);
        Some(Look { place: path.to_owned(), name: path.to_owned(), digest, shape })
    }

    fn digest(&self, path: &str, stat: Stat) -> Option<u64> {
        let mut file = Foreign::open(&self.root.join(path)).ok().flatten()?;
        let bytes = file.read_at(0, stat.size.min(LARGEST * 16)).ok()?;
        Some(short(&bytes))
    }

    fn symbol_in(&self, symbol: &Symbol, place: &str) -> Vec<Look> {
        let Some(text) = self.text(place) else { return Vec::new() };
        definitions(place, &text, symbol).iter().map(|it| look_of(it, place)).collect()
    }

    fn command(&self, command: &Command) -> Option<Look> {
        let name = command.name.as_str();
        let look = |place: &str, digest: u64| Look {
            place: place.to_owned(),
            name: name.to_owned(),
            digest,
            shape: None,
        };
        match command.tool {
            Tool::Npm => self.scripts("package.json").into_iter().find(|look| look.name == name),
            Tool::Make => {
                MAKEFILES.iter().find_map(|file| Some(look(file, recipe(&self.text(file)?, name)?)))
            }
            Tool::Just => {
                JUSTFILES.iter().find_map(|file| Some(look(file, recipe(&self.text(file)?, name)?)))
            }
            Tool::Xtask => {
                let own = [format!("xtask/src/{name}.rs"), format!("xtask/src/{name}/mod.rs")];
                let own = own.iter().find_map(|place| Some(look(place, self.look_at(place)?.digest)));
                let quoted = format!("\"{name}\"");
                own.or_else(|| {
                    let mut mains = ["xtask/src/main.rs", "xtask/src/lib.rs"].into_iter();
                    let place =
                        mains.find(|place| self.text(place).is_some_and(|text| text.contains(&quoted)))?;
                    Some(look(place, 0))
                })
            }
            Tool::Bin => {
                let file = format!("src/bin/{name}.rs");
                let own =
                    self.files().iter().find(|path| **path == file || path.ends_with(&format!("/{file}")));
                let own = own.and_then(|place| Some(look(place, self.look_at(place)?.digest)));
                let line = format!("name = \"{name}\"");
                own.or_else(|| {
                    let mut manifests = self.files().iter().filter(|path| path.ends_with("Cargo.toml"));
                    let place =
                        manifests.find(|path| self.text(path).is_some_and(|text| text.contains(&line)))?;
                    Some(look(place, 0))
                })
            }
        }
    }

    /// The scripts of a `package.json`; the shape of one is what it runs.
    fn scripts(&self, place: &str) -> Vec<Look> {
        let Some(text) = self.text(place) else { return Vec::new() };
        let Ok(Value::Object(package)) = serde_json::from_str::<Value>(&text) else { return Vec::new() };
        let scripts = package.get("scripts").and_then(Value::as_object).into_iter().flatten();
        scripts
            .filter_map(|(name, line)| {
                let digest = short(line.as_str()?.as_bytes());
                Some(Look { place: place.to_owned(), name: name.clone(), digest, shape: Some(digest) })
            })
            .collect()
    }

    /// The files that a path means: itself, those that end with it, or those of its name.
    fn files_named(&self, path: &str) -> Vec<String> {
        if self.stat(path).is_some() {
            return vec![path.to_owned()];
        }
        let end = format!("/{path}");
        let ends: Vec<String> = self.files().iter().filter(|it| it.ends_with(&end)).cloned().collect();
        if ends.is_empty() {
            let name = format!("/{}", path.rsplit('/').next().unwrap_or(path));
            let of_name = |it: &&String| it.ends_with(&name) || it[..] == name[1..];
            return self.files().iter().filter(of_name).cloned().collect();
        }
        ends
    }

    /// Whether a path means exactly one file, and which.
    pub(super) fn the_file(&self, path: &str) -> Option<String> {
        if self.stat(path).is_some() {
            return Some(path.to_owned());
        }
        let end = format!("/{path}");
        let mut ends = self.files().iter().filter(|it| it.ends_with(&end));
        let first = ends.next().cloned();
        first.filter(|_| ends.next().is_none())
    }

    fn text(&self, place: &str) -> Option<std::rc::Rc<str>> {
        let known = self.texts.borrow().get(place).cloned();
        known.unwrap_or_else(|| {
            let text = foreign::small_text(&self.root.join(place), LARGEST).map(std::rc::Rc::from);
            self.texts.borrow_mut().insert(place.to_owned(), text.clone());
            text
        })
    }

    fn defined(&self) -> &HashMap<String, Vec<String>> {
        self.defined.get_or_init(|| {
            let mut all: HashMap<String, Vec<String>> = HashMap::new();
            for place in self.sources() {
                let Some(text) = self.text(place) else { continue };
                let mut names = defined_names(&text);
                names.sort_unstable();
                names.dedup();
                for name in names {
                    all.entry(name.to_owned()).or_default().push(place.clone());
                }
            }
            all
        })
    }

    fn sources(&self) -> impl Iterator<Item = &String> {
        self.files().iter().filter(|path| {
            let ending =
                path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
            ending.is_some_and(|ending| SOURCES.contains(&ending))
        })
    }

    fn files(&self) -> &[String] {
        self.files.get_or_init(|| {
            let mut all = Vec::new();
            let mut folders = vec![String::new()];
            while let Some(folder) = folders.pop() {
                let inside = self.root.join(&folder);
                if inside == self.memory || all.len() >= MOST_FILES {
                    continue;
                }
                for name in foreign::names_in(&inside) {
                    let path =
                        if folder.is_empty() { name.name.clone() } else { format!("{folder}/{}", name.name) };
                    let hidden = name.name.starts_with('.') && name.name != ".github";
                    match name.sort {
                        Sort::Folder if !hidden && !MADE.contains(&name.name.as_str()) => folders.push(path),
                        Sort::File => all.push(path),
                        _ => {}
                    }
                }
            }
            all.sort();
            all
        })
    }
}

const MAKEFILES: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];
const JUSTFILES: [&str; 3] = ["justfile", "Justfile", ".justfile"];
/// Endings of files that define symbols.
#[rustfmt::skip]
const SOURCES: &[&str] = &[
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "go", "java", "kt", "rb", "php", "c", "h", "cc", "cpp", "hpp", "cs", "swift",
    "scala", "ex", "exs", "sh", "lua", "zig", "dart", "vue", "svelte", "proto", "sql",
];

fn look_of(it: &Definition, place: &str) -> Look {
    let shape = (it.words >= TELLING).then_some(it.shape);
    Look { place: place.to_owned(), name: it.name.clone(), digest: it.digest, shape }
}

/// The digest of a rule of a Makefile or a recipe of a justfile.
fn recipe(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines();
    let defines = |line: &&str| {
        let head = line
            .split(':')
            .next()
            .filter(|head| head.len() < line.len() && !line.starts_with(char::is_whitespace));
        head.is_some_and(|head| {
            !head.contains('=') && head.split_whitespace().any(|word| word.trim_start_matches('@') == name)
        })
    };
    let first = lines.find(defines)?;
    let body: Vec<&str> = lines.take_while(|line| line.starts_with(char::is_whitespace)).collect();
    Some(short(format!("{first}\n{}", body.join("\n")).as_bytes()))
}

fn short(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*blake3::hash(bytes).as_bytes().first_chunk().unwrap_or(&[0; 8]))
}
