//! The program as people and other programs meet it: real processes in a temporary folder with a home of its own.

#![allow(clippy::disallowed_methods, reason = "tests look at files with their own eyes")]
#![allow(clippy::disallowed_macros, reason = "a test that is skipped says so")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod bench;
mod compact;
mod config;
mod doctor;
mod edit;
mod forget;
mod git;
mod hook;
mod hostile;
mod import;
mod index;
mod init;
mod inject;
mod lines;
mod list;
mod manual;
mod migrate;
mod process;
mod project;
mod related;
mod remember;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod run_seated;
mod sandbox;
mod scan;
mod screen;
#[cfg(unix)]
mod seat;
mod search;
mod session;
mod supersede;
mod surfaces;
#[cfg(target_os = "linux")]
mod terminal;
mod told;
mod trust;
mod vault;
