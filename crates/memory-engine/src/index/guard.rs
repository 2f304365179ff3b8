//! Damaged bytes may make the library that reads them panic. That is caught and told in our own words.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread is caught and told otherwise, so that a program's own hook need not speak of it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Calls a function that may panic; `None` when it did.
pub(crate) fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    let before = GUARDED.replace(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    read.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_none() {
        let inside = |should_panic: bool| {
            assert!(is_guarded() && !should_panic, "guarded");
            7
        };
        assert_eq!(guarded(|| guarded(|| inside(true)).or(Some(inside(false)))), Some(Some(7)));
        assert!(!is_guarded());
    }
}
