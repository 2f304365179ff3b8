//! Any order of memories, hand edits, crashes and restarts.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::reconcile::check(bytes));
