//! Files that other programs of this family write, too: each one JSON object, of which only our own members change.

use serde_json::{Map, Value};

use super::log::say;
use crate::disk::{Disk, write_whole};
use crate::error::{Error, Result};

/// The members of a file; what is no object has none.
pub(super) fn load(disk: &dyn Disk, path: &str, largest: u64) -> Result<Map<String, Value>> {
    let bytes = disk.read(path, largest)?.unwrap_or_default();
    Ok(serde_json::from_slice(&bytes).unwrap_or_default())
}

/// Changes members of a file. Others may have written it meanwhile, so it is read again first; what is no object is
/// set aside as `.bad`.
pub(super) fn change(
    disk: &dyn Disk,
    path: &str,
    largest: u64,
    change: impl FnOnce(&mut Map<String, Value>),
) -> Result<()> {
    let bytes = disk.read(path, largest)?.unwrap_or_default();
    let mut members = match serde_json::from_slice(&bytes) {
        Ok(members) => members,
        Err(_) if bytes.trim_ascii().is_empty() => Map::new(),
        Err(error) => {
            let aside = format!("{path}.bad");
            disk.rename(path, &aside)?;
            say(disk, &format!("`{path}` is no JSON object and was set aside as `{aside}`: {error}"));
            Map::new()
        }
    };
    change(&mut members);
    let bytes = serde_json::to_vec_pretty(&members).map_err(Error::unwritten(path))?;
    write_whole(disk, path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::OsDisk;

    #[test]
    fn only_our_members_change() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let file = ".vault/x.json";
        disk.make_folder(".vault").unwrap();
        let ours = |members: &mut Map<String, Value>| drop(members.insert("ours".into(), Value::from(1)));
        let read = || String::from_utf8(disk.read(file, 1000).unwrap().unwrap()).unwrap();
        write_whole(&disk, file, br#"{"version":2,"theirs":{"a":[1]}}"#).unwrap();
        change(&disk, file, 1000, ours).unwrap();
        let expect = serde_json::json!({"version": 2, "theirs": {"a": [1]}, "ours": 1});
        assert_eq!(serde_json::from_str::<Value>(&read()).unwrap(), expect);
        for broken in ["[1]", "{\"a\":", "3"] {
            write_whole(&disk, file, broken.as_bytes()).unwrap();
            assert_eq!(load(&disk, file, 1000).unwrap(), Map::new());
            change(&disk, file, 1000, ours).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&read()).unwrap(), serde_json::json!({"ours": 1}));
            assert_eq!(disk.read(".vault/x.json.bad", 1000).unwrap().unwrap(), broken.as_bytes());
            assert!(disk.read(".vault/log", 10_000).unwrap().is_some());
        }
    }
}
