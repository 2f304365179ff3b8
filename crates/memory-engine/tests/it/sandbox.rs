//! A folder with a root in it, and short words for what tests do to it.
//!
//! The root lies in a folder of its own, so that [`Sandbox::outside`] can tell whether anything beside it changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use memory_engine::core::config::{Layer, Origin, Resolved, resolve};
use memory_engine::core::id::MemoryId;
use memory_engine::core::kind::Kind;
use memory_engine::disk::OsDisk;
use memory_engine::{Change, Depth, Diagnosis, Draft, Expect, Filter, Memory, Result};
use tempfile::TempDir;

/// A root to play with.
pub(crate) struct Sandbox {
    folder: TempDir,
    root: PathBuf,
    settings: String,
}

impl Sandbox {
    /// An empty root, in memory where the system has a place for that.
    pub(crate) fn new() -> Self {
        let folder = fast_folder();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        Self { folder, root, settings: String::new() }
    }

    /// A root on top of a folder that is there already, such as a mounted one.
    pub(crate) fn at(root: PathBuf) -> Self {
        Self { folder: fast_folder(), root, settings: String::new() }
    }

    /// These settings for every handle opened from now on.
    pub(crate) fn settings(mut self, text: &str) -> Self {
        self.settings = text.to_owned();
        self
    }

    /// A file, written a minute ago, so that nobody takes it for one that is being written.
    pub(crate) fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.save(path, bytes);
        self
    }

    /// Writes a file as a program would that replaces it, dated a minute ago.
    pub(crate) fn save(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let place = self.root.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let beside = place.with_extension("saving");
        fs::write(&beside, bytes).unwrap();
        date(&beside, SystemTime::now() - Duration::from_secs(60));
        fs::rename(&beside, &place).unwrap();
    }

    /// A new handle, as another process would have one.
    pub(crate) fn open(&self) -> Memory {
        self.try_open().unwrap()
    }

    /// A new handle, or why there is none.
    pub(crate) fn try_open(&self) -> Result<Memory> {
        Memory::with(Arc::new(OsDisk::create(&self.root)?), self.resolved())
    }

    fn resolved(&self) -> Resolved {
        resolve(&[Layer { origin: Origin::User, text: self.settings.clone() }])
    }

    /// Closes a handle for good: one that is writing in the background may live on for a moment.
    pub(crate) fn close(&self, memory: Memory) {
        drop(memory);
        // SQLite takes its log away when the last connection closes.
        let log = self.place(".vault/ledger.db-wal");
        for _ in 0..5000 {
            if !log.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("a handle is still open");
    }

    /// Where a path of the root is on the real disk.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Where a path beside the root is.
    pub(crate) fn beside(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// A file of the root as text.
    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.place(path)).unwrap()).into_owned()
    }

    /// Every file under the root that people may call their own: all but what is in `.vault`.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = self.everything();
        all.retain(|path, _| !path.starts_with(".vault"));
        all
    }

    /// Every file under the root with its bytes.
    pub(crate) fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        listing(&self.root, &self.root)
    }

    /// Everything beside the root, with its bytes.
    pub(crate) fn outside(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = listing(self.folder.path(), self.folder.path());
        all.retain(|path, _| path != "root" && !path.starts_with("root/"));
        all
    }
}

/// Short words for what tests ask a memory.
pub(crate) trait Asked {
    /// The texts of all entries, newest first.
    fn texts(&self) -> Vec<String>;
    /// Keeps a note and gives its id.
    fn note(&self, text: &str) -> MemoryId;
    /// The text of an entry.
    fn text_of(&self, id: &MemoryId) -> String;
    /// Gives an entry another text.
    fn reword(&self, id: &MemoryId, text: &str);
    /// A deep check-up.
    fn deep(&self) -> Diagnosis;
    /// The codes of the notices since the last time.
    fn codes(&self) -> Vec<&'static str>;
}

impl Asked for Memory {
    fn texts(&self) -> Vec<String> {
        let entries = self.list(&Filter::default()).unwrap();
        entries.into_iter().map(|entry| entry.memory.body.as_str().to_owned()).collect()
    }

    fn note(&self, text: &str) -> MemoryId {
        self.remember(note(text)).unwrap().id
    }

    fn text_of(&self, id: &MemoryId) -> String {
        self.show(id).unwrap().memory.body.as_str().to_owned()
    }

    fn reword(&self, id: &MemoryId, text: &str) {
        self.edit(id, Change::Text(text.to_owned()), &Expect::Anything).unwrap();
    }

    fn deep(&self) -> Diagnosis {
        self.doctor(Depth::Deep).unwrap()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.notices().into_iter().map(|notice| notice.code).collect()
    }
}

/// A note, whatever its words look like.
pub(crate) fn note(text: &str) -> Draft {
    Draft { kind: Some(Kind::Note), ..Draft::note(text) }
}

/// Gives a file a date.
pub(crate) fn date(path: &Path, when: SystemTime) {
    fs::File::options().write(true).open(path).unwrap().set_modified(when).unwrap();
}

/// Whether the long form of the sampling suites is wanted.
pub(crate) fn is_deep() -> bool {
    std::env::var_os("AGENT_MEMORY_DEEP").is_some()
}

/// A small repeatable source of choices.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }
}

/// A temporary folder, in memory where the system has a place for that.
pub(crate) fn fast_folder() -> TempDir {
    let fast = Path::new("/dev/shm");
    if fast.is_dir() { tempfile::tempdir_in(fast).unwrap() } else { tempfile::tempdir().unwrap() }
}

fn listing(folder: &Path, from: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(std::result::Result::unwrap) {
        let path = entry.path();
        let name = path.strip_prefix(from).unwrap().to_string_lossy().into_owned();
        let sort = entry.file_type().unwrap();
        if sort.is_dir() {
            all.insert(format!("{name}/"), Vec::new());
            all.extend(listing(&path, from));
        } else if sort.is_file() {
            all.insert(name, fs::read(&path).unwrap());
        } else if sort.is_symlink() {
            all.insert(name, fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes());
        } else {
            all.insert(name, b"special".to_vec());
        }
    }
    all
}
