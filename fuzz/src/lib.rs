//! What the fuzz targets hold: each is a function of bytes that panics when a promise is broken.
//!
//! The functions know nothing of a fuzzer, so the ordinary tests run them too, on fixtures and on every input that
//! once broke something (`regressions/`).

pub mod read_layout;
pub mod reconcile;
pub mod splice_layout;
pub mod stories;

use memory_core::layout::Home;

/// One home of every sort.
fn homes() -> Vec<Home> {
    let paths = [
        "dev/decisions.md",
        "records/2026-05-15-release-plan-a1b2c3d4.md",
        "MEMORY.md",
        "_project.md",
        "memory/2026-03-16.md",
        "LONGMEMORY.md",
        "USER.md",
        "dev/tasks.md",
    ];
    paths.iter().filter_map(|path| Home::of_path(path)).collect()
}
