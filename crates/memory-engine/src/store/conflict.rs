//! Whether a file holds a merge that nobody finished. Such a file is left alone: what is written into it would come to
//! stand on one side of the merge and could leave with it.

use std::ops::Range;

/// The line on which an unfinished merge begins. What stands in a `settled` stretch of the file was there before, so it
/// is text that tells of such a thing.
pub(super) fn unfinished_merge(bytes: &[u8], settled: &[Range<usize>]) -> Option<usize> {
    let begins = |at: &usize| *at == 0 || bytes.get(at - 1) == Some(&b'\n');
    let is_new = |at: &usize| !settled.iter().any(|range| range.contains(at));
    let marks = |mark: &'static [u8]| memchr::memmem::find_iter(bytes, mark).filter(begins).filter(is_new);
    let first = marks(b"<<<<<<< ").next()?;
    marks(b">>>>>>> ").any(|end| end > first).then(|| super::reconcile::count_lines(&bytes[..first]) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, settled: usize, expect: Option<usize>) {
        assert_eq!(
            unfinished_merge(text.as_bytes(), std::slice::from_ref(&(0..settled))),
            expect,
            "{text:?}"
        );
    }

    #[test]
    fn where_an_unfinished_merge_begins() {
        check("a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> feat\n", 0, Some(2));
        check("<<<<<<< HEAD\r\nx\r\n=======\r\n>>>>>>> feat\r\n", 0, Some(1));
        check("a <<<<<<< HEAD\n>>>>>>> feat\n", 0, None);
        check("<<<<<<< HEAD\nno end\n", 0, None);
        check(">>>>>>> feat\n<<<<<<< HEAD\n", 0, None);
        check("<<<<<<<\n>>>>>>>\n", 0, None);
        // A lesson that quotes one.
        check("<<<<<<< a\n>>>>>>> b\n", 22, None);
        check("<<<<<<< a\n>>>>>>> b\n<<<<<<< a\n>>>>>>> b\n", 20, Some(3));
    }
}
