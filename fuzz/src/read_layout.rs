//! Any bytes, read as every file of a root: it never panics, it is the same every time, every place lies in the
//! file and after the one before, no name is given twice, and putting a memory back as it was changes nothing.

use std::collections::HashSet;

use memory_core::layout::{self, Change, Home};
use memory_core::memory::Body;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    for home in super::homes() {
        check_home(&home, bytes);
    }
}

fn check_home(home: &Home, bytes: &[u8]) {
    let reading = layout::read(home, bytes);
    assert_eq!(reading, layout::read(home, bytes), "{home:?} does not read the same twice");
    let mut visited = Vec::new();
    let defects = layout::visit(home, bytes, &mut |found| visited.push(found));
    assert_eq!(
        (&visited, &defects),
        (&reading.found, &reading.defects),
        "{home:?} visits what it does not read"
    );
    let lines = bytes.split_inclusive(|&b| b == b'\n').count().max(1);
    let mut end = 0;
    let mut last_line = 0;
    let mut names = HashSet::new();
    for found in &reading.found {
        let place = &found.place;
        assert!(place.bytes.start >= end && place.bytes.end <= bytes.len(), "{home:?} {place:?} after {end}");
        assert!(place.bytes.start < place.bytes.end, "{home:?} {place:?} is empty");
        // What was put right behind the end of a file shares a line with it.
        let shares = place.bytes.start > 0 && bytes[place.bytes.start - 1] != b'\n';
        assert!(
            place.first_line + usize::from(shares) > last_line && place.last_line <= lines,
            "{home:?} {place:?} of {lines} lines"
        );
        assert!(place.first_line <= place.last_line, "{home:?} {place:?}");
        (end, last_line) = (place.bytes.end, place.last_line);
        assert!(names.insert(found.memory.id.clone()), "{home:?} gives `{}` twice", found.memory.id);
        let body = &found.memory.body;
        assert_eq!(&Body::new(body.as_str()), body, "{home:?} gives a text that is not in the normal form");
        let edits = layout::splice(home, bytes, &[Change::Put(&found.memory)]);
        assert!(
            edits.is_empty(),
            "{home:?} changes `{}` although nothing is new: {edits:?}",
            found.memory.id
        );
    }
    for defect in &reading.defects {
        assert!((1..=lines + 1).contains(&defect.line), "{home:?} {defect:?} of {lines} lines");
        assert!(!defect.code.is_empty() && !defect.what.is_empty());
    }
}
