//! Links the program to a fixed place where that makes it start faster (docs/decisions/0015).

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a build script speaks through its output and is told through its environment"
)]

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    // Elsewhere the system asks for programs that can be put anywhere, or the linker has another word for it.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
