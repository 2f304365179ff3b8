//! The marks behind what we put into a context: ` [1794854865590]`, ` [1794854865590, 2026-11-16]`. An agent that
//! retells a memory copies its mark, which says where it comes from and is no part of what was said.

use std::borrow::Cow;

use crate::id::MemoryId;

/// The text without marks of ours.
pub(super) fn without_marks(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    for (at, _) in text.match_indices(" [") {
        let inside = &text[at + 2..];
        let Some(end) = inside.find([']', '\n', '[']).filter(|end| inside[*end..].starts_with(']')) else {
            continue;
        };
        // `[name](address)` is a link.
        if is_mark(&inside[..end]) && !inside[end + 1..].starts_with('(') {
            out.push_str(&text[kept..at]);
            kept = at + 2 + end + 1;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Whether this is an id of ours, alone or with a day or an origin.
fn is_mark(inside: &str) -> bool {
    let (id, note) = inside.split_once(", ").unwrap_or((inside, ""));
    let plain = note.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    plain && MemoryId::parse(id).is_ok_and(|id| is_given(&id))
}

/// Whether an id has a form that only we give: a time in milliseconds, the digest of a text, or a day with one.
fn is_given(id: &MemoryId) -> bool {
    let text = id.to_string();
    let timed = text.len() >= 13 && id.millis().is_some();
    let dated = text.get(..10).is_some_and(|day| day.bytes().filter(u8::is_ascii_digit).count() == 8)
        && text
            .rsplit('-')
            .next()
            .is_some_and(|end| end.len() == 8 && end.bytes().all(|b| b.is_ascii_hexdigit()));
    timed || dated || id.is_untracked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_ours_are_taken_off() {
        for (text, expect) in [
            ("- [ ] write docs [1794854865590]\n- [x] b", "- [ ] write docs\n- [x] b"),
            ("we use SSE [1794854865590, 2026-11-16], so", "we use SSE, so"),
            ("a [1794854865590, untrusted] b [2026-05-15-release-plan-a1b2c3d4]", "a b"),
            ("a [t-0123456789abcdef]", "a"),
            ("see [1] and [12] of [RFC 9110]", "see [1] and [12] of [RFC 9110]"),
            ("- [ ] write [1794854865590](http://x)", "- [ ] write [1794854865590](http://x)"),
            ("an open [1794854865590", "an open [1794854865590"),
            ("[2026-05-15]", "[2026-05-15]"),
        ] {
            assert_eq!(without_marks(text), expect, "{text}");
        }
    }
}
