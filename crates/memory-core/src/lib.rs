//! What agent-memory decides, as pure functions over plain values.
//!
//! Nothing here touches files, clocks, the environment or threads, and nothing panics on input: broken
//! text becomes a [`layout::Defect`], a bad identifier an error that names it. The engine acts on what
//! these functions answer. Modules stand in the order in which they may use each other.

pub mod id;
pub mod time;
pub mod kind;
pub mod scope;
pub mod memory;
pub mod task;
pub mod session;
pub mod event;
pub mod layout;
pub mod config;
pub mod text;
pub mod redact;
pub mod strike;
pub mod admit;
pub mod retell;
mod replace;
pub mod extract;
pub mod query;
pub mod rank;
pub mod state;
pub mod retain;
pub mod integrity;
pub mod flat;
pub mod context;
