//! Texts cut to the room that there is: whole lines, and of a long line its first words.

use super::budget::Cost;

/// Bytes from which a line is begun where it does not fit; a shorter one is left out.
const LONG: usize = 240;
/// Fewer bytes of a line say nothing.
const LEAST: usize = 40;
const NEWLINE: Cost = Cost { bytes: 1, units: 1 };

/// The first lines that fit, and how many of them are whole.
pub(super) fn beginning(all: &[&str], room: Cost) -> (String, usize) {
    let (whole, taken) = whole_lines(all.iter(), room);
    let mut text = all[..whole].join("\n");
    let between = if whole > 0 { NEWLINE } else { Cost::default() };
    let next = all.get(whole).filter(|line| line.len() > LONG);
    if let Some(words) = next.and_then(|line| first_words(line, room.less(taken + between))) {
        if whole > 0 {
            text.push('\n');
        }
        text.push_str(&words);
    }
    (text, whole)
}

/// The last lines that fit, and how many of them are whole.
pub(super) fn ending(all: &[&str], room: Cost) -> (String, usize) {
    let (whole, _) = whole_lines(all.iter().rev(), room);
    match all.last() {
        Some(line) if whole == 0 => (beginning(&[line], room).0, 0),
        _ => (all[all.len() - whole..].join("\n"), whole),
    }
}

/// How many lines fit, and what they cost.
fn whole_lines<'a>(lines: impl Iterator<Item = &'a &'a str>, room: Cost) -> (usize, Cost) {
    let (mut count, mut taken) = (0, Cost::default());
    for line in lines {
        let next = taken + Cost::of(line) + if count > 0 { NEWLINE } else { Cost::default() };
        if !room.holds(next) {
            break;
        }
        (count, taken) = (count + 1, next);
    }
    (count, taken)
}

/// The first words of a line that does not fit; `None` where they would say nothing.
pub(super) fn first_words(line: &str, room: Cost) -> Option<String> {
    let room = room.less(Cost::of("…"));
    let mut taken = Cost::default();
    let mut end = 0;
    for (at, c) in line.char_indices() {
        taken = taken + Cost { bytes: c.len_utf8(), units: c.len_utf16() };
        if !room.holds(taken) {
            break;
        }
        end = at + c.len_utf8();
    }
    let fits = line.get(..end).unwrap_or_default();
    let words = fits.rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
    let kept = fits.get(..words).unwrap_or(fits).trim_end();
    (kept.len() >= LEAST).then(|| format!("{kept}…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(bytes: usize) -> Cost {
        Cost { bytes, units: usize::MAX }
    }

    #[test]
    fn whole_lines_come_first_and_a_long_one_is_begun() {
        let long = "word ".repeat(60);
        let check = |all: &[&str], bytes: usize, expect: &str, whole: usize| {
            let (text, count) = beginning(all, room(bytes));
            assert_eq!((text.as_str(), count), (expect, whole), "{all:?} {bytes}");
            assert!(text.len() <= bytes, "{text}");
        };
        check(&["one", "two", "three"], 7, "one\ntwo", 2);
        check(&["one", "two", "three"], 99, "one\ntwo\nthree", 3);
        check(&["one", "two"], 2, "", 0);
        let begun = format!("{}…", ["word"; 10].join(" "));
        check(&[&long], 55, &begun, 0);
        check(&["one", &long, "two"], 59, &format!("one\n{begun}"), 1);
        check(&["one", &long], 30, "one", 1);
        check(&[], 9, "", 0);
    }

    #[test]
    fn of_an_ending_the_last_lines_stay() {
        let long = "word ".repeat(60);
        let check = |all: &[&str], bytes: usize, expect: &str, whole: usize| {
            let (text, count) = ending(all, room(bytes));
            assert_eq!((text.as_str(), count), (expect, whole), "{all:?} {bytes}");
        };
        check(&["one", "two", "three"], 9, "two\nthree", 2);
        check(&["one", &long], 55, &format!("{}…", ["word"; 10].join(" ")), 0);
        check(&[], 9, "", 0);
    }
}
