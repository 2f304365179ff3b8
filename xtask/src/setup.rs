//! What the checks need beyond Rust and git: one table, and how each row gets onto a machine.
//!
//! Nothing is fetched when everything is there. What is missing is installed when it is required, on a machine
//! that checks changes (`CI` is set), or when a person asks with `cargo xtask setup`.

use crate::run::{answers, cargo, finish, program};

/// A row of the table.
struct Tool {
    name: &'static str,
    /// A command that answers when the tool is there.
    probe: &'static [&'static str],
    from: Source,
    need: Need,
}

/// Where a tool comes from. Another registry is another variant with its line in [`install`].
#[derive(Clone, Copy)]
enum Source {
    /// Debian's packages.
    Debian(&'static [&'static str]),
    /// A program on crates.io.
    Crate(&'static str),
}

/// When a tool is installed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing works without it.
    Always,
    /// The checks fall back without it, but a machine that checks changes has it.
    OnCi,
    /// Only one command or a person's wish needs it.
    Asked,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "a C compiler",
        probe: &["cc", "--version"],
        from: Source::Debian(&["gcc", "libc6-dev"]),
        need: Need::Always,
    },
    Tool {
        name: "nextest",
        probe: &["cargo", "nextest", "--version"],
        from: Source::Crate("cargo-nextest"),
        need: Need::OnCi,
    },
    Tool {
        name: "a C++ compiler",
        probe: &["c++", "--version"],
        from: Source::Debian(&["g++"]),
        need: Need::Asked,
    },
    Tool {
        name: "cargo-fuzz",
        probe: &["cargo", "fuzz", "--version"],
        from: Source::Crate("cargo-fuzz"),
        need: Need::Asked,
    },
    Tool {
        name: "cargo-deny",
        probe: &["cargo", "deny", "--version"],
        from: Source::Crate("cargo-deny"),
        need: Need::Asked,
    },
];

/// `cargo xtask setup`: everything.
pub fn run(_arguments: &[String]) -> Result<(), String> {
    TOOLS.iter().try_for_each(|tool| bring(tool, Wish::Said))
}

/// What the ordinary checks need.
pub fn for_checks() -> Result<(), String> {
    let wish = if std::env::var_os("CI").is_some() { Wish::Ci } else { Wish::None };
    TOOLS.iter().try_for_each(|tool| bring(tool, wish))
}

/// What fuzzing needs.
pub fn for_fuzzing() -> Result<(), String> {
    let needed = ["a C++ compiler", "cargo-fuzz"];
    TOOLS.iter().filter(|tool| needed.contains(&tool.name)).try_for_each(|tool| bring(tool, Wish::Said))
}

/// Who wants a tool.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    None,
    Ci,
    Said,
}

fn bring(tool: &Tool, wish: Wish) -> Result<(), String> {
    if cfg!(windows) && matches!(tool.from, Source::Debian(_)) {
        // There the compiler comes with what Rust links with, and cargo finds it by itself.
        return Ok(());
    }
    if answers(tool.probe) {
        println!("    {}: there", tool.name);
        return Ok(());
    }
    if !wanted(tool.need, wish) {
        println!("    {}: not there; `cargo xtask setup` installs it", tool.name);
        return Ok(());
    }
    println!("    {}: not there, installing it", tool.name);
    let outcome = install(tool.from);
    if tool.need == Need::OnCi && wish == Wish::Ci {
        // The checks fall back, so a registry that does not answer is told but stops nothing.
        if let Err(why) = outcome {
            println!("    {}: not installed: {why}", tool.name);
        }
        return Ok(());
    }
    outcome.map_err(|why| format!("{} is missing and could not be installed: {why}", tool.name))
}

fn wanted(need: Need, wish: Wish) -> bool {
    match need {
        Need::Always => true,
        Need::OnCi => wish != Wish::None,
        Need::Asked => wish == Wish::Said,
    }
}

fn install(from: Source) -> Result<(), String> {
    match from {
        Source::Debian(packages) => {
            if !answers(&["apt-get", "--version"]) || !is_root() {
                return Err(format!("install {} with the tools of your system", packages.join(" and ")));
            }
            finish(&mut program("apt-get", &["update"]))?;
            let arguments = [&["install", "--yes", "--no-install-recommends"], packages].concat();
            finish(program("apt-get", &arguments).env("DEBIAN_FRONTEND", "noninteractive"))
        }
        Source::Crate(name) => finish(&mut cargo(&["install", "--locked", name])),
    }
}

fn is_root() -> bool {
    let id = program("id", &["-u"]).output();
    id.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_what() {
        for (need, wish, expect) in [
            (Need::Always, Wish::None, true),
            (Need::OnCi, Wish::None, false),
            (Need::OnCi, Wish::Ci, true),
            (Need::Asked, Wish::Ci, false),
            (Need::Asked, Wish::Said, true),
        ] {
            assert_eq!(wanted(need, wish), expect);
        }
    }

    #[test]
    fn every_row_can_be_probed_and_installed() {
        for tool in TOOLS {
            assert!(!tool.probe.is_empty(), "{}", tool.name);
            let names = match tool.from {
                Source::Debian(packages) => packages,
                Source::Crate(name) => &[name],
            };
            assert!(names.iter().all(|name| !name.is_empty()) && !names.is_empty(), "{}", tool.name);
        }
    }
}
