//! The stretches of a vault file that hold open boxes, found without holding or parsing the whole file.

use memchr::{memchr, memmem};

use crate::disk::Disk;
use crate::error::Result;

/// How an entry begins.
const ENTRY: &[u8] = b"\n<!-- id:";

/// The beginning of a box's text as a number, by which most texts are told apart.
type Head = u64;
/// Bytes of a text that go into it.
const BEGINNING: usize = 24;

/// The entries of a file with an open box, and those with a ticked one whose text begins as that of an open one, which
/// it may settle. A short file with an open box is one part: what people wrote by hand between entries is told apart by
/// what stands around it.
pub(super) fn parts(disk: &dyn Disk, path: &str) -> Result<Vec<Vec<u8>>> {
    let mut open = Open::default();
    disk.read_through(path, &mut |bytes, is_rest| open.look_at(bytes, is_rest))?;
    let Open { parts, mut heads, ticked, .. } = open;
    heads.sort_unstable();
    let is_open = |head: &Head| heads.binary_search(head).is_ok();
    if !ticked.iter().any(is_open) {
        return Ok(parts);
    }
    // Seldom: something that is still open somewhere is done elsewhere.
    let settles = |found: &Box<'_>| found.mark == b' ' || is_open(&found.head());
    let mut parts = Vec::new();
    disk.read_through(path, &mut |bytes, is_rest| {
        let whole = whole_entries(bytes, is_rest);
        around(whole, &boxes(whole), settles, &mut parts);
        whole.len()
    })?;
    Ok(parts)
}

/// What was seen of a file's boxes.
#[derive(Default)]
struct Open {
    begun: bool,
    parts: Vec<Vec<u8>>,
    heads: Vec<Head>,
    ticked: Vec<Head>,
}

impl Open {
    fn look_at(&mut self, bytes: &[u8], is_rest: bool) -> usize {
        let whole = whole_entries(bytes, is_rest);
        let boxes = boxes(whole);
        let is_all = !std::mem::replace(&mut self.begun, true) && is_rest;
        if is_all {
            self.parts.extend(boxes.iter().any(|found| found.mark == b' ').then(|| whole.to_vec()));
            return whole.len();
        }
        for found in &boxes {
            if found.mark == b' ' {
                self.heads.push(found.head());
            } else {
                self.ticked.push(found.head());
            }
        }
        around(whole, &boxes, |found| found.mark == b' ', &mut self.parts);
        whole.len()
    }
}

/// The bytes up to the beginning of the last entry, which may go on; all, where nothing comes after them.
fn whole_entries(bytes: &[u8], is_rest: bool) -> &[u8] {
    let end = if is_rest { bytes.len() } else { memmem::rfind(bytes, ENTRY).map_or(0, |at| at + 1) };
    &bytes[..end]
}

/// The entries around the boxes that are wanted.
fn around(bytes: &[u8], boxes: &[Box<'_>], wanted: impl Fn(&Box<'_>) -> bool, parts: &mut Vec<Vec<u8>>) {
    let mut done = 0;
    for found in boxes {
        if found.at < done || !wanted(found) {
            continue;
        }
        let before = bytes.get(done..found.at).unwrap_or_default();
        let start = memmem::rfind(before, ENTRY).map_or(done, |at| done + at + 1);
        let end = memmem::find(bytes.get(found.at..).unwrap_or_default(), ENTRY)
            .map_or(bytes.len(), |end| found.at + end + 1);
        parts.push(bytes.get(start..end).unwrap_or_default().to_vec());
        done = end;
    }
}

/// A box in a file.
struct Box<'a> {
    at: usize,
    mark: u8,
    /// What comes behind it, to the end of what is held.
    after: &'a [u8],
}

impl Box<'_> {
    fn head(&self) -> Head {
        let text = self.after.trim_ascii_start();
        let mut head = [0; BEGINNING];
        let line = text.iter().take_while(|&&byte| byte != b'\n');
        let kept = head.iter_mut().zip(line).map(|(to, &byte)| *to = byte).count();
        let kept = head[..kept].trim_ascii_end().len();
        head[kept..].fill(0);
        // Distinct numbers for distinct texts, nearly always; where not, an entry is parsed in vain.
        let (words, _) = head.as_chunks();
        let mix = |number: u64, word: &[u8; 8]| {
            (number.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        words.iter().fold(0, mix)
    }
}

/// Every box of these bytes, in order.
fn boxes(bytes: &[u8]) -> Vec<Box<'_>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(found) = bytes.get(from..).and_then(|rest| memchr(b'[', rest)) {
        let at = from + found;
        from = at + 1;
        if let Some([b'[', mark @ (b' ' | b'x' | b'X'), b']', after @ ..]) = bytes.get(at..) {
            all.push(Box { at, mark: *mark, after });
            from = at + 3;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::OsDisk;

    /// The ids that stand in the parts, and how many parts there are.
    fn told(text: &str) -> (Vec<String>, usize) {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::create(folder.path()).unwrap();
        disk.append("tasks.md", text.as_bytes()).unwrap();
        let parts = parts(&disk, "tasks.md").unwrap();
        let ids = parts.iter().flat_map(|part| std::str::from_utf8(part).unwrap().split("<!-- id:").skip(1));
        (ids.map(|rest| rest.split(' ').next().unwrap().to_owned()).collect(), parts.len())
    }

    fn file(entries: usize, body: impl Fn(usize) -> String) -> String {
        let entry = |n: usize| format!("<!-- id:{n} -->\n## 2026-03-16T16:51\n\n{}\n\n---\n\n", body(n));
        (0..entries).map(entry).collect()
    }

    #[test]
    fn of_a_large_file_only_entries_with_boxes_are_told() {
        let text = file(30_000, |n| {
            let body = match n % 10_000 {
                7 => "- [ ] open it",
                9 => "- [x] open it",
                11 => "- [x] something else",
                _ => "- never a task at all",
            };
            body.to_owned()
        });
        assert!(text.len() > 1 << 20);
        let ids = ["7", "9", "10007", "10009", "20007", "20009"].map(str::to_owned);
        assert_eq!(told(&text), (ids.to_vec(), 6));
    }

    #[test]
    fn a_short_file_is_told_whole_or_not_at_all() {
        let text = |mark| file(4, |n| format!("- [{}] task {n}", if n == 2 { mark } else { 'x' }));
        assert_eq!(told(&text(' ')), (["0", "1", "2", "3"].map(str::to_owned).to_vec(), 1));
        assert_eq!(told(&text('X')), (Vec::new(), 0));
    }

    #[test]
    fn nothing_is_cut_wherever_the_parts_that_are_read_end() {
        let long = "words and more words\n".repeat(40_000);
        let text = file(3, |n| if n == 1 { format!("{long}- [ ] far below") } else { "- [x] b".to_owned() });
        assert_eq!(told(&text), (vec!["1".to_owned()], 1));
        for pad in [0, 1, 7, 8, 9, 30, 100] {
            let text = file(9000, |n| if n % 3000 == 2999 { "- [ ] x".to_owned() } else { "y".repeat(pad) });
            assert_eq!(told(&text), (["2999", "5999", "8999"].map(str::to_owned).to_vec(), 3), "{pad}");
        }
    }
}
