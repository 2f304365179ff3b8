//! A client's screen: what it paints becomes the text that a person could read.
//!
//! Lines that were written over count as they were left, and frames that were painted over do not count. What scrolled
//! off is kept until it is read. Nothing of the alternate screen is kept: editors and pagers live there. Movements that
//! are not known are skipped; whatever comes, only text is lost by it.

#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};

use super::paint::{Paint, Painted};

/// Characters that are kept of what scrolled off.
const MOST: usize = 64 << 10;

/// Where the text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// A terminal of this size.
    #[cfg_attr(not(unix), allow(dead_code, reason = "no client has a terminal of its own there"))]
    Terminal { rows: usize, columns: usize },
    /// A pipe: lines are as long as they are, and one that begins again takes the place of what it was.
    Pipe,
}

/// A line of the screen.
#[derive(Debug, Default, Clone)]
struct Row {
    /// A character a column; the second half of a wide one is `'\0'`.
    cells: Vec<char>,
    /// Whether it goes on in the next row, because it was too long.
    goes_on: bool,
    /// What it said when the screen was read last.
    told: Option<String>,
}

impl Row {
    fn text(&self) -> String {
        let text: String = self.cells.iter().filter(|c| **c != '\0').collect();
        if self.goes_on { text } else { text.trim_end().to_owned() }
    }

    fn cut(&mut self, at: usize) {
        self.cells.truncate(at);
        self.goes_on = false;
    }

    fn put(&mut self, at: usize, c: char) {
        if self.cells.len() <= at {
            self.cells.resize(at + 1, ' ');
        }
        self.cells[at] = c;
    }
}

#[derive(Debug)]
pub(super) struct Screen {
    paint: Paint,
    /// What scrolled off since the last reading, and below it the screen.
    rows: VecDeque<Row>,
    /// Where the screen begins.
    top: usize,
    /// Characters above it.
    off: usize,
    height: usize,
    width: usize,
    is_pipe: bool,
    /// The cursor, from the top left of the screen. It may stand behind the last column.
    at: (usize, usize),
    saved: (usize, usize),
    /// The rows that scroll, the last one included.
    region: (usize, usize),
    /// Where the cursor was before the alternate screen.
    before: Option<(usize, usize)>,
    /// In a pipe: the line begins again with the next character.
    again: bool,
    /// Lines that were on the screen when it was read last.
    known: HashSet<String>,
}

impl Screen {
    pub(super) fn new(medium: Medium) -> Self {
        let mut screen = Self {
            paint: Paint::default(),
            rows: VecDeque::new(),
            top: 0,
            off: 0,
            height: 0,
            width: 0,
            is_pipe: medium == Medium::Pipe,
            at: (0, 0),
            saved: (0, 0),
            region: (0, 0),
            before: None,
            again: false,
            known: HashSet::new(),
        };
        screen.resize(medium);
        screen
    }

    /// Takes on another size; what stands there stays as it is.
    pub(super) fn resize(&mut self, medium: Medium) {
        (self.height, self.width) = match medium {
            // Where nobody knows the size it is the usual one.
            Medium::Terminal { rows, columns } => {
                (if rows == 0 { 24 } else { rows }, if columns == 0 { 80 } else { columns })
            }
            Medium::Pipe => (24, MOST),
        };
        self.region = (0, self.height - 1);
        // Rows below the last one belong to what scrolled off.
        while self.rows.len() > self.top + self.height {
            self.leave();
        }
        self.go(self.at.0, self.at.1);
    }

    pub(super) fn is_alternate(&self) -> bool {
        self.before.is_some()
    }

    /// Paints these bytes.
    pub(super) fn show(&mut self, bytes: &[u8]) {
        for painted in self.paint.read(bytes) {
            if let Painted::Control { mark: Some('?'), numbers, last: last @ ('h' | 'l') } = &painted {
                if numbers.iter().any(|number| matches!(number, 47 | 1047 | 1049)) {
                    self.turn_alternate(*last == 'h');
                }
            } else if self.before.is_none() {
                self.do_one(painted);
            }
        }
    }

    /// What was shown since the last reading. The screen stays, and what stands on it is not told again.
    pub(super) fn read(&mut self) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut goes_on = false;
        for row in &self.rows {
            let text = row.text();
            let new = match &row.told {
                None => Some(text.as_str()),
                Some(_) if text.is_empty() || self.known.contains(&text) => None,
                // Something was written behind it, such as an answer behind a prompt.
                Some(told) => Some(text.strip_prefix(told.as_str()).unwrap_or(&text)),
            };
            match (new, lines.last_mut().filter(|_| goes_on)) {
                (Some(new), Some(line)) => line.push_str(new),
                (Some(new), None) => lines.push(new.to_owned()),
                (None, _) => {}
            }
            goes_on = row.goes_on && new.is_some();
        }
        self.rows.drain(..self.top);
        (self.top, self.off) = (0, 0);
        self.known.clear();
        for row in &mut self.rows {
            let text = row.text();
            self.known.insert(text.clone());
            row.told = Some(text);
        }
        lines.dedup();
        let text = lines.join("\n");
        let from = text.len().saturating_sub(MOST);
        let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text[from..].to_owned()
    }

    fn turn_alternate(&mut self, on: bool) {
        match (on, self.before) {
            (true, None) => self.before = Some(self.at),
            (false, Some(at)) => {
                self.before = None;
                self.at = at;
            }
            _ => {}
        }
    }

    fn do_one(&mut self, painted: Painted) {
        match painted {
            Painted::Text(c) => self.write(c),
            Painted::Key(c) => match c {
                '\n' | '\u{b}' | '\u{c}' => {
                    let column = if self.is_pipe { 0 } else { self.at.1 };
                    self.feed();
                    (self.at.1, self.again) = (column, false);
                }
                '\r' => (self.at.1, self.again) = (0, self.is_pipe),
                '\u{8}' => self.at.1 = self.at.1.min(self.width - 1).saturating_sub(1),
                '\t' => self.at.1 = ((self.at.1 / 8 + 1) * 8).min(self.width - 1),
                _ => {}
            },
            Painted::Escape(c) => match c {
                '7' => self.saved = self.at,
                '8' => self.at = self.saved,
                'D' => self.feed(),
                'E' => {
                    self.feed();
                    self.at.1 = 0;
                }
                'M' if self.at.0 == self.region.0 => self.scroll_down(1),
                'M' => self.at.0 = self.at.0.saturating_sub(1),
                'c' => {
                    self.erase(0, self.height);
                    self.region = (0, self.height - 1);
                    self.at = (0, 0);
                }
                _ => {}
            },
            Painted::Control { mark: None, numbers, last } => self.control(&numbers, last),
            Painted::Control { .. } => {}
        }
    }

    fn control(&mut self, numbers: &[usize], last: char) {
        let number = |n: usize| numbers.get(n).copied().unwrap_or(0);
        // No screen is larger, and a number may be any.
        let count = number(0).clamp(1, self.height.max(self.width));
        let (row, column) = (self.at.0, self.at.1.min(self.width - 1));
        match last {
            'A' => self.go(row.saturating_sub(count), column),
            'B' | 'e' => self.go(row + count, column),
            'C' | 'a' => self.go(row, column + count),
            'D' => self.go(row, column.saturating_sub(count)),
            'E' => self.go(row + count, 0),
            'F' => self.go(row.saturating_sub(count), 0),
            'G' | '`' => self.go(row, count - 1),
            'd' => self.go(count - 1, column),
            'H' | 'f' => self.go(number(0).max(1) - 1, number(1).max(1) - 1),
            'J' => match number(0) {
                0 => {
                    self.row().cut(column);
                    self.erase(row + 1, self.height);
                }
                1 => {
                    self.erase(0, row);
                    self.blank(0, column + 1);
                }
                2 => self.erase(0, self.height),
                // What scrolled off is forgotten; who does this paints it once more.
                3 => {
                    self.rows.drain(..self.top);
                    (self.top, self.off) = (0, 0);
                }
                _ => {}
            },
            'K' => match number(0) {
                0 => self.row().cut(column),
                1 => self.blank(0, column + 1),
                2 => self.row().cut(0),
                _ => {}
            },
            'X' => self.blank(column, count),
            'P' => {
                let cells = &mut self.row().cells;
                let from = column.min(cells.len());
                let to = (column + count).min(cells.len());
                cells.drain(from..to);
            }
            '@' => {
                let width = self.width;
                let cells = &mut self.row().cells;
                if column < cells.len() {
                    cells.splice(column..column, std::iter::repeat_n(' ', count));
                    cells.truncate(width);
                }
            }
            'L' | 'M' if (self.region.0..=self.region.1).contains(&row) => {
                let region = self.region;
                self.region.0 = row;
                if last == 'L' {
                    self.scroll_down(count);
                } else {
                    self.scroll_up(count, Scrolled::Gone);
                }
                self.region = region;
            }
            'S' => self.scroll_up(count, Scrolled::Kept),
            'T' => self.scroll_down(count),
            'r' => {
                let last = if number(1) == 0 { self.height } else { number(1).min(self.height) };
                let first = number(0).max(1);
                if first < last {
                    self.region = (first - 1, last - 1);
                    self.at = (0, 0);
                }
            }
            's' => self.saved = self.at,
            'u' => self.at = self.saved,
            _ => {}
        }
    }

    fn write(&mut self, c: char) {
        if std::mem::take(&mut self.again) {
            self.row().cut(0);
        }
        let wide = !self.is_pipe && is_wide(c);
        if self.at.1 + usize::from(wide) >= self.width {
            self.row().goes_on = true;
            self.feed();
            self.at.1 = 0;
        }
        let column = self.at.1;
        let row = self.row();
        row.put(column, c);
        if wide {
            row.put(column + 1, '\0');
        }
        self.at.1 += 1 + usize::from(wide);
    }

    /// The row of the cursor.
    fn row(&mut self) -> &mut Row {
        let at = self.top + self.at.0;
        self.fill(self.at.0 + 1);
        &mut self.rows[at]
    }

    /// Makes the screen have so many rows.
    fn fill(&mut self, rows: usize) {
        let needed = self.top + rows;
        if self.rows.len() < needed {
            self.rows.resize(needed, Row::default());
        }
    }

    fn go(&mut self, row: usize, column: usize) {
        self.at = (row.min(self.height - 1), column.min(self.width - 1));
    }

    /// Goes down a row; at the last one that scrolls, the others go up.
    fn feed(&mut self) {
        if self.at.0 == self.region.1 {
            self.scroll_up(1, Scrolled::Kept);
        } else {
            self.at.0 = (self.at.0 + 1).min(self.height - 1);
        }
    }

    fn scroll_up(&mut self, count: usize, scrolled: Scrolled) {
        let (first, last) = self.region;
        for _ in 0..count.min(last - first + 1) {
            self.fill(last + 1);
            if first == 0 && scrolled == Scrolled::Kept {
                self.rows.insert(self.top + last + 1, Row::default());
                self.leave();
            } else {
                self.rows.remove(self.top + first);
                self.rows.insert(self.top + last, Row::default());
            }
        }
    }

    fn scroll_down(&mut self, count: usize) {
        let (first, last) = self.region;
        for _ in 0..count.min(last - first + 1) {
            self.fill(last + 1);
            self.rows.remove(self.top + last);
            self.rows.insert(self.top + first, Row::default());
        }
    }

    /// The first row of the screen scrolls off.
    fn leave(&mut self) {
        self.off += self.rows[self.top].cells.len() + 1;
        self.top += 1;
        while self.off > MOST
            && self.top > 0
            && let Some(row) = self.rows.pop_front()
        {
            self.off -= row.cells.len() + 1;
            self.top -= 1;
        }
    }

    fn erase(&mut self, from: usize, to: usize) {
        let rows = self.rows.iter_mut().skip(self.top + from).take(to.saturating_sub(from));
        rows.for_each(|row| row.cut(0));
    }

    fn blank(&mut self, from: usize, count: usize) {
        self.row().cells.iter_mut().skip(from).take(count).for_each(|cell| *cell = ' ');
    }
}

/// What becomes of rows that scroll off at the top.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scrolled {
    Kept,
    Gone,
}

/// Whether a character takes two columns: those of East Asia, and pictures.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f
        | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd)
}
