//! Any file and any memory: put, removed, set back.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::splice_layout::check(bytes));
