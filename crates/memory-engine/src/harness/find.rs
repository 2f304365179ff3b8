//! Finding the sessions of a project among all that the clients of this user have.
//!
//! A session belongs to a project when the folder in its records does. Names of folders that clients make from paths
//! only narrow the search, because different paths give the same name; then only the first records of a file are read.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use memory_core::id::SessionId;
use memory_core::scope::SourceClass;
use memory_core::session::{Client, Message, ToolCall};
use memory_core::state::sha256_hex;
use memory_core::time::Time;

use super::assembly::{Assembly, Context, Place};
use super::homes::{Base, Homes};
use super::said::Facts;
use super::table::{Form, Lies, Proof, ROWS, Row, row};
use super::{Notes, Source, lines, record, rows, stem, whole};
use crate::disk::foreign::{self, Foreign};
use crate::disk::{Sort, Stat};
use crate::error::Result;
use crate::git::tracks;
use crate::paths::{self, Trust};
use crate::project::{NAMES, Project, project_of};

/// The sessions of a project.
#[derive(Debug, Clone, Default)]
pub struct Sessions {
    /// Those that can be read, the newest first.
    pub found: Vec<Found>,
    /// Files that may be sessions of the project and cannot be read, with the reason.
    pub unread: Vec<(PathBuf, String)>,
}

/// A session of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The client that wrote it.
    pub client: Client,
    /// Its file.
    pub path: PathBuf,
    /// What the client calls it.
    pub session: Option<SessionId>,
    /// When it last changed.
    pub modified: Time,
    /// How large its file is.
    pub size: u64,
    /// The folder that its records name; `None` where they name none and the files in it decided.
    pub cwd: Option<String>,
    /// No word of it is trusted more than this: a file that lies in the project may have come with it.
    pub most: SourceClass,
}

impl Found {
    /// A session to which a client itself points.
    pub(crate) fn of(source: Source, stat: Stat) -> Self {
        let Source { client, path, session } = source;
        let modified = Time(stat.modified_ns / 1_000_000);
        Self { client, path, session, modified, size: stat.size, cwd: None, most: SourceClass::Human }
    }

    /// The session as something to be read.
    pub fn source(&self) -> Source {
        Source { client: self.client, path: self.path.clone(), session: self.session.clone() }
    }
}

/// How much of a file is read to learn where it belongs.
const HEAD: u64 = 256 << 10;

/// Finds every session of a project.
pub fn sessions(homes: &Homes, project: &Project) -> Sessions {
    let mut search = Search::new(project, Whose::Project);
    for row in ROWS {
        for lies in row.places.iter().filter(|lies| lies.on.contains(&homes.system)) {
            for (folder, checkout) in folders(homes, project, lies) {
                search.place(row, lies, &folder, checkout);
            }
        }
    }
    search.sorted()
}

/// Finds every session of a client below a folder, whichever project it is of.
pub fn sessions_in(folder: &Path, client: Client) -> Sessions {
    let project = project_of(folder);
    let mut search = Search::new(&project, Whose::Anyone);
    let row = row(client);
    if row.places.iter().any(|lies| matches!(lies.base, Base::Project | Base::Root)) {
        search.most = SourceClass::HumanEdit;
    }
    let mut files = Vec::new();
    for lies in row.places {
        let place = if lies.pattern.is_empty() { lies.folder } else { lies.pattern };
        let name = place.rsplit('/').next().unwrap_or_default();
        search.walk(folder, &["**", name], 0, &mut files);
    }
    files.sort_unstable();
    files.dedup();
    for path in files {
        if let Some(stat) = foreign::stat_at(&path) {
            search.file(row, &path, stat);
        }
    }
    search.sorted()
}

/// Whose sessions are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Project,
    Anyone,
}

impl<'a> Search<'a> {
    fn new(project: &'a Project, whose: Whose) -> Self {
        let (known, out) = (HashMap::new(), Sessions::default());
        Self { project, whose, known, most: SourceClass::Human, out }
    }

    fn sorted(self) -> Sessions {
        let mut out = self.out;
        out.found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
        out.found.dedup_by(|a, b| a.path == b.path && a.session == b.session);
        out
    }
}

/// The folders, or single files, of a place, each with the checkout in which it lies.
fn folders<'a>(homes: &Homes, project: &'a Project, lies: &Lies) -> Vec<(PathBuf, Option<&'a Path>)> {
    if let Some(moved) = lies.variable.and_then(|name| homes.variables.get(name)) {
        return vec![(moved.clone(), None)];
    }
    let checkouts = project.checkouts.iter().map(PathBuf::as_path);
    match lies.base {
        Base::Project => checkouts.map(|checkout| (checkout.join(lies.folder), Some(checkout))).collect(),
        Base::Root => {
            let roots =
                checkouts.flat_map(|checkout| NAMES.map(|name| (checkout.join(name), Some(checkout))));
            // A folder that came with a clone is inert until somebody approves it.
            let approved = |(root, _): &(PathBuf, _)| matches!(paths::trust_of(root), Ok(Trust::Trusted));
            roots.filter(approved).map(|(root, checkout)| (root.join(lies.folder), checkout)).collect()
        }
        base => homes.base(base).map(|base| (base.join(lies.folder), None)).into_iter().collect(),
    }
}

/// How far the words of sessions are trusted that lie in a checkout. A file there cannot prove who spoke. What git
/// tracks came with the repository; where there is none, the folder may have been unpacked with everything in it.
fn most_in(base: Base, checkout: &Path, place: &Path) -> SourceClass {
    match (base, tracks(checkout, place)) {
        (_, Some(false)) | (Base::Root, None) => SourceClass::HumanEdit,
        _ => SourceClass::Foreign,
    }
}

struct Search<'a> {
    project: &'a Project,
    whose: Whose,
    /// Whether a folder belongs to the project, for those that were asked already.
    known: HashMap<String, bool>,
    /// How far the words of those are trusted that are found now.
    most: SourceClass,
    out: Sessions,
}

impl Search<'_> {
    fn place(&mut self, row: &Row, lies: &Lies, folder: &Path, checkout: Option<&Path>) {
        let mut files = Vec::new();
        if lies.pattern.is_empty() {
            files.push(folder.to_owned());
        } else {
            let parts: Vec<&str> = lies.pattern.split('/').collect();
            self.walk(folder, &parts, 0, &mut files);
        }
        let there = |path: PathBuf| foreign::stat_at(&path).map(|stat| (path, stat));
        let files: Vec<(PathBuf, Stat)> = files.into_iter().filter_map(there).collect();
        let within = checkout.filter(|_| !files.is_empty());
        self.most = within.map_or(SourceClass::Human, |checkout| most_in(lies.base, checkout, folder));
        for (path, stat) in files {
            self.file(row, &path, stat);
        }
    }

    fn walk(&self, folder: &Path, parts: &[&str], depth: usize, files: &mut Vec<PathBuf>) {
        let Some((part, rest)) = parts.split_first() else { return };
        if !part.contains(['*', '{']) {
            let path = folder.join(part);
            match rest {
                [] if foreign::stat_at(&path).is_some() => files.push(path),
                [] => {}
                rest => self.walk(&path, rest, depth, files),
            }
            return;
        }
        if *part == "**" {
            self.walk(folder, rest, depth, files);
        }
        for name in foreign::names_in(folder) {
            let path = folder.join(&name.name);
            match (name.sort, *part) {
                (Sort::Folder, "**") if depth < 4 => self.walk(&path, parts, depth + 1, files),
                (_, "**") => {}
                (Sort::Folder, "{slug}") if self.may_be(&name.name) => self.walk(&path, rest, depth, files),
                (Sort::Folder, part) if !rest.is_empty() && fits(part, &name.name) => {
                    self.walk(&path, rest, depth, files);
                }
                (Sort::File, part) if rest.is_empty() && fits(part, &name.name) => files.push(path),
                _ => {}
            }
        }
    }

    /// Whether a folder's name may stand for the project or a folder in it.
    fn may_be(&self, name: &str) -> bool {
        let name = slug(name);
        self.project.checkouts.iter().any(|checkout| name.starts_with(&slug(&checkout.to_string_lossy())))
    }

    fn file(&mut self, row: &Row, path: &Path, stat: Stat) {
        // Whose a file is that cannot be read nobody knows, so it is named to everyone; one that is gone is not.
        let (mut file, head) = match opened(path) {
            Ok(Some(opened)) => opened,
            Ok(None) => return,
            Err(error) => return self.out.unread.push((path.to_owned(), error.to_string())),
        };
        let form = row.form(path, &head);
        let mut facts = row.beside(path);
        // What stands beside the file may tell already that it is somebody else's.
        if self.whose == Whose::Project && facts.cwd.as_ref().is_some_and(|cwd| !self.holds(cwd)) {
            return;
        }
        let is_told = facts.cwd.is_some() && facts.session.is_some();
        let mut seen = Vec::new();
        let mut folders = HashSet::new();
        match form {
            Form::Rows(store) => return self.rows(row, path, store, stat),
            Form::Unread(what) => {
                self.out.unread.push((path.to_owned(), what.to_owned()));
                return;
            }
            Form::Log(log) if !is_told || row.proof == Proof::Files => {
                let mut each = |message: Message| seen.push(message);
                let mut assembly = Assembly::new(Context::default(), &Place::default(), row.tags, &mut each);
                let ran_in = RefCell::new(&mut folders);
                let enough = |context: &Context| {
                    ran_in
                        .borrow_mut()
                        .extend(context.facts.cwd.clone().filter(|_| row.proof == Proof::Files));
                    let told =
                        |new: &Option<String>, known: &Option<String>| new.is_some() || known.is_some();
                    row.proof == Proof::Folder
                        && told(&context.facts.cwd, &facts.cwd)
                        && told(&context.facts.session, &facts.session)
                };
                // What cannot be read tells nothing, and is reported when the session itself is read.
                let _ = lines::head(&mut file, log, HEAD, &mut assembly, &enough);
                if assembly.context.aside {
                    return;
                }
                assembly.close();
                let learned = assembly.context.facts.clone();
                facts.learn(learned);
            }
            Form::Whole(parse) if !is_told => {
                let mut notes = Notes::default();
                let bytes = match whole::bytes(&mut file, &mut notes) {
                    Ok(bytes) => bytes,
                    Err(error) => return self.out.unread.push((path.to_owned(), error.to_string())),
                };
                let unread = notes.defects.into_iter().map(|defect| (path.to_owned(), defect.what));
                self.out.unread.extend(unread);
                let Some(bytes) = bytes else { return };
                let Some(whole) = parse(&bytes) else { return self.torn(row, path, &bytes) };
                if whole.aside {
                    return;
                }
                facts.learn(whole.facts);
            }
            Form::Log(_) | Form::Whole(_) => {}
        }
        if self.whose == Whose::Project && row.proof == Proof::Folder {
            facts.cwd = self.own_folder(row, path, &facts);
        }
        let belongs = match (&facts.cwd, row.proof) {
            _ if self.whose == Whose::Anyone => true,
            (cwd, Proof::Folder) => cwd.is_some(),
            (_, Proof::Files) => self.touched(path, &seen, &folders),
        };
        if belongs {
            // Conversations that nobody named are told apart by their agents, which name the files.
            if row.client == Client::Conversations {
                facts.session = facts.session.or_else(|| stem(path));
            }
            self.add(row.client, path, facts, stat);
        }
    }

    /// Tells of a file that was only half written, where it may be one of the project's. One that is whole and says
    /// nothing is another file of its client.
    fn torn(&mut self, row: &Row, path: &Path, bytes: &[u8]) {
        if record::value(bytes).is_ok() {
            return;
        }
        let names = |checkout: &PathBuf| {
            let name = checkout.display().to_string();
            bytes.windows(name.len().max(1)).any(|part| part == name.as_bytes())
        };
        let may_be_own = self.whose == Whose::Anyone
            || row.client == Client::Conversations
            || self.project.checkouts.iter().any(names);
        if may_be_own {
            let why = "it is no JSON that can be read, and may be a part of a session";
            self.out.unread.push((path.to_owned(), why.to_owned()));
        }
    }

    /// The folder of the project in which a session took place, among those that its records and its place name.
    fn own_folder(&mut self, row: &Row, path: &Path, facts: &Facts) -> Option<String> {
        if let Some(own) = facts.cwd.iter().chain(&facts.beside).find(|folder| self.holds(folder)) {
            return Some(own.clone());
        }
        // The first versions of Gemini name a folder by the digest of the project's path.
        let is_unknown = facts.cwd.is_none() && row.client == Client::Gemini;
        let name = path.ancestors().nth(2).filter(|_| is_unknown)?.file_name()?.to_str()?;
        let folders = self.project.checkouts.iter().map(|checkout| checkout.display().to_string());
        folders.into_iter().find(|folder| sha256_hex(folder.as_bytes()) == name)
    }

    /// Whether most of the files that an agent wrote are those of the project; where it wrote none, whether a command
    /// ran there, or most that it read is there. Where nothing tells, the name of the folder does.
    fn touched(&mut self, path: &Path, seen: &[Message], folders: &HashSet<String>) -> bool {
        let tools = || seen.iter().flat_map(|message| &message.tools);
        let written: Vec<&Path> = tools().filter(|tool| tool.writes()).flat_map(absolute).collect();
        if written.is_empty() && folders.iter().any(|folder| self.holds(folder)) {
            return true;
        }
        let project = self.project;
        let is_own = |path: &&Path| project.checkouts.iter().any(|checkout| path.starts_with(checkout));
        let all: Vec<&Path> = if written.is_empty() { tools().flat_map(absolute).collect() } else { written };
        let (own, absolute): (Vec<&Path>, Vec<&Path>) = all.into_iter().partition(is_own);
        if !own.is_empty() && own.len() >= absolute.len() {
            return true;
        }
        let slugs: Vec<String> =
            self.project.checkouts.iter().map(|checkout| slug(&checkout.to_string_lossy())).collect();
        // Another path that gives the same name: the session is of that one.
        let twin = absolute
            .iter()
            .any(|path| slugs.iter().any(|own| slug(&path.to_string_lossy()).starts_with(own)));
        let is_named = path.ancestors().filter_map(Path::file_name).any(|name| {
            let name = slug(&name.to_string_lossy());
            slugs.contains(&name)
        });
        is_named && !twin
    }

    fn rows(&mut self, row: &Row, path: &Path, store: rows::Store, stat: Stat) {
        let listed = rows::open(path, &mut Notes::default())
            .and_then(|db| rows::list(&db, store).map_err(rows::failed(path)));
        let listed = match listed {
            Ok(listed) => listed,
            Err(error) => return self.out.unread.push((path.to_owned(), error.to_string())),
        };
        let written =
            rows::log_of(path).map_or(stat.modified_ns, |log| log.modified_ns.max(stat.modified_ns));
        for session in listed {
            if self.whose == Whose::Anyone || self.holds(&session.cwd) {
                let facts =
                    Facts { session: Some(session.session), cwd: Some(session.cwd), ..Facts::default() };
                let modified_ns = session.modified.map_or(written, |ms| ms.saturating_mul(1_000_000));
                let size = session.size.unwrap_or(stat.size);
                self.add(row.client, path, facts, Stat { modified_ns, size, ..stat });
            }
        }
    }

    fn holds(&mut self, cwd: &str) -> bool {
        if let Some(known) = self.known.get(cwd) {
            return *known;
        }
        let holds = self.project.holds(Path::new(cwd));
        self.known.insert(cwd.to_owned(), holds);
        holds
    }

    fn add(&mut self, client: Client, path: &Path, facts: Facts, stat: Stat) {
        self.out.found.push(Found {
            client,
            path: path.to_owned(),
            session: facts.session.as_deref().and_then(|id| SessionId::parse(id).ok()),
            modified: Time(stat.modified_ns / 1_000_000),
            size: stat.size,
            cwd: facts.cwd,
            most: self.most,
        });
    }
}

fn absolute(tool: &ToolCall) -> impl Iterator<Item = &Path> {
    tool.paths.iter().map(Path::new).filter(|path| path.is_absolute())
}

/// A file with its first bytes, if it is there.
fn opened(path: &Path) -> Result<Option<(Foreign, Vec<u8>)>> {
    let Some(mut file) = Foreign::open(path)? else { return Ok(None) };
    let head = file.read_at(0, 512)?;
    Ok(Some((file, head)))
}

/// A path as clients make folder names of it, in a form that is the same for all of them. Some write one dash for a
/// drive's colon and slash and some two, so dashes in a row count as one.
fn slug(path: &str) -> String {
    let mut slug = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    // Long names are cut by clients, so no more than this can be compared.
    slug.trim_matches('-').chars().take(180).collect()
}

/// Whether a name fits a pattern with one `*` in it.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((begin, end)) = pattern.split_once('*') else { return pattern == name };
    if let Some((middle, end)) = end.split_once('*') {
        let Some(rest) = name.strip_prefix(begin) else { return false };
        return rest
            .find(middle)
            .is_some_and(|at| rest.get(at + middle.len()..).is_some_and(|rest| rest.ends_with(end)));
    }
    name.len() >= begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let check = |pattern: &str, name: &str, expect: bool| {
            assert_eq!(fits(pattern, name), expect, "{pattern} {name}");
        };
        check("*.jsonl", "a.jsonl", true);
        check("*.jsonl", "a.json", false);
        check("a*a", "a", false);
        check("events.jsonl", "events.jsonl", true);
        check("rollout-*.jsonl*", "rollout-1.jsonl", true);
        check("rollout-*.jsonl*", "rollout-1.jsonl.zst", true);
        check("rollout-*.jsonl*", "rollout-1.json", false);
    }

    #[test]
    fn one_name_for_the_ways_in_which_clients_write_a_path() {
        for name in
            ["/Users/a/dev/x", "Users-a-dev-x", "-Users-a-dev-x", "--Users-a-dev-x--", "users-a-dev-x"]
        {
            assert_eq!(slug(name), "users-a-dev-x");
        }
        assert_eq!(slug("/a/日本 🚀x"), "a-x");
        for name in ["D:\\projects\\x", "d-projects-x", "d--projects-x", "D--projects-x"] {
            assert_eq!(slug(name), "d-projects-x");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let project = project_of(folder.path());
        let whose = Whose::Anyone;
        let mut search = Search::new(&project, whose);
        let stat = foreign::stat_at(folder.path()).unwrap_or_default();
        // A folder cannot be read even by those who may read everything.
        search.file(row(Client::ClaudeCode), folder.path(), stat);
        search.file(row(Client::ClaudeCode), &folder.path().join("gone.jsonl"), stat);
        let unread: Vec<&Path> = search.out.unread.iter().map(|(path, _)| path.as_path()).collect();
        assert_eq!(unread, [folder.path()]);
    }
}
