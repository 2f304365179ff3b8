//! The one binary of agent-memory: it turns arguments into verbs of the engine and shows what they answer.
//!
//! Only [`main`] and [`command`] are public: the first is the program, the second its commands as a value, for
//! completions, man pages and the tests that compare the documentation with them.
//! Modules stand in the order in which they may use each other.

mod output;
mod project;
mod app;
mod wrap;
mod cli;

pub use cli::{command, main};
