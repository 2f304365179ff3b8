//! Links the program so that it starts faster: to a fixed place, and with as few libraries to load as can be
//! (docs/decisions/0015).

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a build script speaks through its output and is told through its environment"
)]

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    // Elsewhere the system asks for programs that can be put anywhere, or the linker has another word for it.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        unwind_inside();
    }
}

/// Takes the code that unwinds after a panic into the program, where the compiler has it as an archive; else it is a
/// library of its own, which is looked for and loaded at each start.
fn unwind_inside() {
    let same = env::var("HOST").ok() == env::var("TARGET").ok();
    let asked = same.then(|| Command::new("cc").arg("-print-file-name=libgcc_eh.a").output().ok()).flatten();
    let archive = asked.and_then(|told| String::from_utf8(told.stdout).ok()).unwrap_or_default();
    let archive = Path::new(archive.trim());
    // A compiler that has none says the bare name again.
    if let Some(folder) = archive.parent().filter(|_| archive.is_absolute() && archive.is_file()) {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}
