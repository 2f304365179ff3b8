//! The rules of the house as tests: what a reviewer would otherwise have to look for in every change.
//!
//! Each rule is a function from texts to complaints, so that its test can show both that the repository keeps it
//! and that a made-up violation is found.

mod codes;
mod commands;
mod files;
mod formats;
mod generated;
mod glossary;
mod homes;
mod map;
mod order;
mod shape;
mod source;
mod words;

/// Fails with all complaints at once.
fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
