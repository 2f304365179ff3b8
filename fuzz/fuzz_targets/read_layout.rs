//! Any bytes, read as every file of a root.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::read_layout::check(bytes));
