//! Benchmarks that compare side by side in one run. They measure; tests never do.

mod capture;
mod hook;
mod inject;
mod measure;
mod scan;
mod search;
mod store;

use std::process::Command;

pub(crate) use measure::product;
pub(crate) use search::minisearch::Node;

/// Runs the named benchmark, in release, in a process of its own.
pub fn run(args: &[String]) -> Result<(), String> {
    let name = args.first().map(String::as_str).unwrap_or_default();
    if matches!(name, "capture" | "hook" | "inject" | "scan" | "search" | "store") && cfg!(debug_assertions) {
        return in_release(args);
    }
    match name {
        "capture" => capture::run(&args[1..]),
        "hook" => hook::run(&args[1..]),
        "inject" => inject::run(&args[1..]),
        "scan" => scan::run(&args[1..]),
        "search" => search::run(&args[1..]),
        "store" => store::run(&args[1..]),
        _ => {
            Err("which benchmark? `cargo xtask bench store`, `search`, `hook`, `inject`, `capture` or `scan`"
                .to_owned())
        }
    }
}

/// Builds this program and the product in release and hands the work to it.
fn in_release(args: &[String]) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--package", "xtask", "--", "bench"])
        .args(args)
        .status()
        .map_err(|error| format!("could not start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the benchmark failed".to_owned()) }
}
