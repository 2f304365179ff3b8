//! Opening a root: whether this user made or approved it, whose its ledger is, and which settings hold.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memory_core::config::{Layer, Origin, Resolved, resolve};
use memory_core::id::AgentId;

use super::{Memory, Shared};
use crate::ambient::{self, names};
use crate::disk::{Disk, LEDGER, OsDisk};
use crate::doctor::SETTINGS;
use crate::error::{Error, Result};
use crate::model;
use crate::paths::{self, Token, Trust};
use crate::search::Searcher;
use crate::store::{self, OWN, Store};

impl Memory {
    /// Opens a root that is there and that this user made or approved.
    pub fn open(root: impl AsRef<Path>) -> Result<Self> {
        Self::open_waiting(root.as_ref(), None)
    }

    /// Opens a root to see what is wrong: a variable that cannot be used is told as a notice.
    pub fn open_to_check(root: impl AsRef<Path>) -> Result<Self> {
        Self::open_as(root.as_ref(), None, Unusable::Told)
    }

    pub(super) fn open_waiting(root: &Path, wait: Option<Duration>) -> Result<Self> {
        Self::open_as(root, wait, Unusable::Refused)
    }

    fn open_as(root: &Path, wait: Option<Duration>, unusable: Unusable) -> Result<Self> {
        let disk = OsDisk::open(root)?;
        let (trust, token) = paths::settled_standing(root)?;
        if trust == Trust::Foreign {
            return Err(Error::Untrusted { path: root.display().to_string() });
        }
        Self::on_disk(disk, wait, token, unusable)
    }

    /// Makes a root if there is none, approves it for this user, and opens it.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let memory = memory_engine::Memory::create(folder.path().join(".memory"))?;
    /// assert!(memory.agents()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create(root: impl AsRef<Path>) -> Result<Self> {
        let root = root.as_ref();
        let is_new = !root.exists();
        if paths::trust_of(root)? == Trust::Trusted {
            OsDisk::create(root)?;
            return Self::open_waiting(root, None);
        }
        paths::may_approve()?;
        let disk = OsDisk::create(root)?;
        let (token, others) = match approve(&disk, root) {
            Ok(approved) => approved,
            Err(error) => {
                if is_new {
                    disk.discard();
                }
                return Err(error);
            }
        };
        let memory = Self::on_disk(disk, None, Some(token), Unusable::Refused)?;
        memory.store().add_owners(&others)?;
        Ok(memory)
    }

    fn on_disk(
        disk: OsDisk,
        wait: Option<Duration>,
        token: Option<Token>,
        unusable: Unusable,
    ) -> Result<Self> {
        let root = disk.root().to_owned();
        let mut layers = Vec::new();
        if let Some(bytes) = disk.read("config.toml", 1 << 20)? {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            layers.push(Layer { origin: Origin::Repository, text });
        }
        let mut settings = resolved(layers, unusable)?;
        if let Some(wait) = wait {
            let limits = &mut settings.config.limits;
            limits.lock_wait_ms = limits.lock_wait_ms.min(wait.as_millis() as u64);
        }
        let is_known = token.is_some();
        let disk = Arc::new(disk);
        match Self::owned(disk.clone(), settings.clone(), token) {
            Err(error @ Error::OtherLedger { .. }) => match own_of(&store::owners_in(&*disk)?)? {
                // A copy of a ledger that this user made, such as a backup that was put back.
                Some(token) => {
                    paths::approve(&root, &token)?;
                    Self::owned(disk, settings, Some(token))
                }
                // Until somebody looked at it, the folder is as foreign as its ledger.
                None => paths::revoke(&root).and(Err(error)),
            },
            Ok(memory) if !is_known => memory.learn_owner().map(|()| memory),
            other => other,
        }
    }

    /// Notes the token of a ledger that was there before approvals had one, and gives it one where it has none. The ledger
    /// has it first: an approval with a token that no ledger has would make the root foreign.
    fn learn_owner(&self) -> Result<()> {
        let known = self.store().ledger().owners()?.into_iter().next();
        let token = known.clone().map_or_else(Token::fresh, Ok)?;
        if known.is_some() || self.store().add_owners(std::slice::from_ref(&token))? {
            // Without it everything works as before, and the next one to open the root tries again.
            let _ = paths::learn(&self.shared.root, &token);
        }
        Ok(())
    }

    /// Opens a root on any disk with these settings.
    pub fn with(disk: Arc<dyn Disk>, config: Resolved) -> Result<Self> {
        Self::owned(disk, config, None)
    }

    fn owned(disk: Arc<dyn Disk>, config: Resolved, owner: Option<Token>) -> Result<Self> {
        let root = disk.root().to_owned();
        let mut store = Store::open(disk, config.config.clone(), owner)?;
        for text in &config.unread {
            store.notice(SETTINGS, format!("{text}; `agent-memory config` tells more"));
        }
        let cost = store.cost();
        let shared = Shared {
            store: Arc::new(Mutex::new(store)),
            searcher: Mutex::new(Searcher::new(model::chosen(&config.config.meaning))),
            config,
            root,
            cost,
            pending: AtomicBool::new(false),
            writer: Mutex::new(None),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The settings that hold without any root: defaults, the user's file and the environment.
    pub fn settings() -> Result<Resolved> {
        resolved(Vec::new(), Unusable::Told)
    }
}

/// Approves a root: its token, and those of others that its new ledger is to have, too. A ledger of this user, such as
/// that of a folder which was moved, stays as it is; a stranger's is set aside, and nothing is taken from it.
fn approve(disk: &OsDisk, root: &Path) -> Result<(Token, Vec<Token>)> {
    // Whoever makes the same root at this moment approves it before there is a ledger.
    let _lock = disk.lock(Duration::from_secs(10))?;
    if let (Trust::Trusted, Some(token)) = paths::standing(root)? {
        return Ok((token, Vec::new()));
    }
    let owners = store::owners_in(disk)?;
    let own = own_of(&owners)?;
    if own.is_none() && disk.stats(OWN, &LEDGER)?.iter().any(Option::is_some) {
        store::set_ledger_aside(disk)?;
    }
    let others = if own.is_some() { Vec::new() } else { owners };
    let token = own.map_or_else(Token::fresh, Ok)?;
    disk.make_private()?;
    paths::approve(root, &token)?;
    Ok((token, others))
}

/// The token of a ledger's owners that is this user's.
fn own_of(owners: &[Token]) -> Result<Option<Token>> {
    let known = paths::own_tokens()?;
    Ok(owners.iter().find(|owner| known.contains(owner)).cloned())
}

/// Whether a variable that cannot be used ends everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unusable {
    /// It does: an agent under a name that cannot be one would be taken for a person, who may see more.
    Refused,
    /// It is told and left out, for a look at what is wrong.
    Told,
}

/// The settings of these layers, of the user and of the environment.
fn resolved(mut layers: Vec<Layer>, unusable: Unusable) -> Result<Resolved> {
    if let Some(text) = paths::user_settings_text()? {
        layers.push(Layer { origin: Origin::User, text });
    }
    let mut told = None;
    if let Some(agent) = ambient::variable(names::AGENT) {
        match AgentId::parse(&agent.to_string_lossy()) {
            Ok(agent) => {
                let agent = toml_string(agent.as_str());
                let text = format!("[memory]\nagent = {agent}\n");
                layers.push(Layer { origin: Origin::Environment, text });
            }
            Err(source) => {
                let error = Error::BadVariable { name: names::AGENT, source };
                if unusable == Unusable::Refused {
                    return Err(error);
                }
                told = Some(error.to_string());
            }
        }
    }
    let mut settings = resolve(&layers);
    settings.ignored.extend(told.clone());
    settings.unread.extend(told);
    Ok(settings)
}

fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
