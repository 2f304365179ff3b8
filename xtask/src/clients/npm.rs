//! Clients out of the npm registry, each installed once into the build folder, and a Node that is new enough for them.
//!
//! A folder is complete or not there: what is installed stands beside its place until it is whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use super::child::{self, Ended};
use crate::run::{answers, program, target};

/// How often an installation is tried, and how long one may take.
const TRIES: usize = 3;
const LIMIT: Duration = Duration::from_secs(240);

/// A package that is installed.
#[derive(Debug, Clone)]
pub(super) struct Installed {
    pub version: String,
    folder: PathBuf,
    package: String,
}

impl Installed {
    /// The folder of the programs that came with it.
    pub(super) fn programs(&self) -> PathBuf {
        self.folder.join("node_modules/.bin")
    }

    /// The folder of the package itself.
    fn contents(&self) -> PathBuf {
        self.folder.join("node_modules").join(&self.package)
    }
}

/// A package in this version; in the newest one, and loudly, where the registry has lost it.
pub(super) fn install(name: &str, package: &str, version: &str) -> Result<Installed, String> {
    let folder = target().join("clients").join(format!("{name}-{version}"));
    if !folder.is_dir() {
        if !answers(&["npm", "--version"]) {
            return Err("npm is not on this machine".to_owned());
        }
        println!("    {name}: installing {package} {version}");
        if let Err(why) = bring(&folder, package, version) {
            if !why.contains("ETARGET") {
                return Err(why);
            }
            println!("    {name}: VERSION {version} IS NOT IN THE REGISTRY, taking the newest");
            bring(&folder, package, "latest")?;
        }
    }
    let mut installed = Installed { version: String::new(), folder, package: package.to_owned() };
    let manifest = installed.contents().join("package.json");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("`{}`: {error}", manifest.display()))?;
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    installed.version = manifest["version"].as_str().unwrap_or("unknown").to_owned();
    Ok(installed)
}

fn bring(folder: &Path, package: &str, version: &str) -> Result<(), String> {
    let half = folder.with_extension(format!("half-{}", std::process::id()));
    let outcome = try_to_bring(&half, package, version)
        .and_then(|()| fs::rename(&half, folder).map_err(|error| format!("`{}`: {error}", folder.display())));
    let _ = fs::remove_dir_all(&half);
    outcome
}

fn try_to_bring(half: &Path, package: &str, version: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("`{}`: {error}", half.display());
    let log = half.join("npm.log");
    let mut why = String::new();
    for _ in 0..TRIES {
        let _ = fs::remove_dir_all(half);
        fs::create_dir_all(half).map_err(told)?;
        fs::write(half.join("package.json"), "{\"private\": true}\n").map_err(told)?;
        let wanted = format!("{package}@{version}");
        let mut command = program(
            "npm",
            &["install", "--no-audit", "--no-fund", "--loglevel", "error", "--fetch-retries", "1", &wanted],
        );
        command.current_dir(half).stdin(Stdio::null());
        let ended = child::run(&mut command, &log, LIMIT)?;
        if ended == Ended::Well {
            return Ok(());
        }
        let said = fs::read_to_string(&log).unwrap_or_default();
        why = format!(
            "npm could not install {wanted} ({ended}): {}",
            said.lines().take(3).collect::<Vec<_>>().join(" ")
        );
        if said.contains("ETARGET") {
            break;
        }
    }
    Err(why)
}

/// The folder of a Node that is at least this new: none when the one on this machine is.
pub(super) fn node(least: u32) -> Result<Option<PathBuf>, String> {
    let own = program("node", &["--version"]).output().ok();
    let own = own.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
    if own.as_deref().and_then(major).is_some_and(|major| major >= least) {
        return Ok(None);
    }
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let installed = install("node", &format!("node-{system}-{machine}"), &least.to_string())?;
    Ok(Some(installed.contents().join("bin")))
}

/// The first number of a version such as `v22.1.0`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majors() {
        for (version, expect) in
            [("v22.1.0", Some(22)), ("v8", Some(8)), ("22.1", None), ("", None), ("vx.1", None)]
        {
            assert_eq!(major(version), expect, "{version}");
        }
    }
}
