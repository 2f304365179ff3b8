//! Stories for the target `reconcile` to begin with, and the bytes that stand for them.
//!
//! A script is one byte for how people save and then, for each step, one byte for what happens and some for how. A
//! fuzzer that begins with nothing has to find by chance that an entry can only be forgotten after it was kept.

/// What can happen, in the order of the bytes that stand for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A memory is kept: which lines, which sort.
    Remember,
    /// The same once more, so that it is drawn more often.
    RememberToo,
    /// The files are written.
    Flush,
    /// The memory is closed and opened.
    Reopen,
    /// A person adds text: which file, which lines.
    HandAdds,
    /// A person changes a text: which file, which text.
    HandChanges,
    /// A person takes a text out: which file, which text.
    HandTakesOut,
    /// An editor opens: which file.
    OpensBuffer,
    /// The editor saves what it opened, with new text: which lines.
    SavesBuffer,
    /// An entry is forgotten: which.
    Forget,
    /// An entry is edited: which, to which lines.
    Edit,
    /// An entry is restored: which.
    Restore,
    /// The power goes soon: at which call.
    Crash,
    /// All entries are listed.
    List,
}

impl Step {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Remember,
        Self::RememberToo,
        Self::Flush,
        Self::Reopen,
        Self::HandAdds,
        Self::HandChanges,
        Self::HandTakesOut,
        Self::OpensBuffer,
        Self::SavesBuffer,
        Self::Forget,
        Self::Edit,
        Self::Restore,
        Self::Crash,
        Self::List,
    ];
}

/// Lines that look like the frame of an entry, or like something else than what they are.
pub const LINES: [&str; 12] = [
    "plain words",
    "---",
    "<!-- id:1 -->",
    "<!-- id:1773679871839 -->\n## 2026-03-16T16:51 · #x",
    "## 2020-01-01T00:00",
    "## A title",
    "\\---\n\n---\n\n",
    "- [ ] a task",
    "```\n---\n```",
    "日本 ação 🌊\r\nline",
    "<!-- meta:{\"key\":\"a\"} -->",
    "trailing   \n\n\n   leading",
];

/// In a story: the lines are those that the script is made for.
const LINE: u8 = u8::MAX;

type Story = &'static [(Step, &'static [u8])];

const STORIES: &[Story] = {
    use Step::*;
    &[
        // Two entries between hand-written texts; one goes and comes back.
        &[
            (HandAdds, &[0, LINE]),
            (Remember, &[LINE, 0]),
            (Remember, &[0, 0]),
            (Flush, &[]),
            (HandAdds, &[0, 0]),
            (Forget, &[0]),
            (List, &[]),
            (Restore, &[0]),
            (Flush, &[]),
        ],
        // An edit of ours and one by hand, before and after the other is written.
        &[
            (Remember, &[LINE, 1]),
            (Flush, &[]),
            (HandChanges, &[1, 0]),
            (Edit, &[0, LINE]),
            (HandChanges, &[1, 1]),
            (Reopen, &[]),
            (Edit, &[0, 0]),
            (Flush, &[]),
        ],
        // An old buffer over new entries, an edit and a removal.
        &[
            (Remember, &[LINE, 0]),
            (Remember, &[0, 0]),
            (Flush, &[]),
            (OpensBuffer, &[0]),
            (Remember, &[LINE, 0]),
            (Edit, &[0, 0]),
            (Forget, &[1]),
            (Flush, &[]),
            (SavesBuffer, &[LINE]),
            (List, &[]),
            (Edit, &[0, LINE]),
        ],
        // A person takes entries out, some of which are set back.
        &[
            (Remember, &[LINE, 0]),
            (Remember, &[LINE, 0]),
            (Remember, &[0, 0]),
            (Flush, &[]),
            (HandTakesOut, &[0, 1]),
            (List, &[]),
            (Restore, &[1]),
            (HandTakesOut, &[0, 0]),
            (Forget, &[2]),
            (Restore, &[2]),
        ],
        // The power goes while an entry is written, edited and forgotten beside hand-written text.
        &[
            (HandAdds, &[2, LINE]),
            (Crash, &[13]),
            (Remember, &[LINE, 2]),
            (Flush, &[]),
            (Crash, &[21]),
            (Edit, &[0, LINE]),
            (Flush, &[]),
            (Crash, &[17]),
            (Forget, &[0]),
            (Flush, &[]),
            (Reopen, &[]),
            (Restore, &[0]),
        ],
        // Everything waits, and a person writes first.
        &[
            (OpensBuffer, &[0]),
            (Remember, &[LINE, 0]),
            (Edit, &[0, LINE]),
            (Remember, &[0, 3]),
            (SavesBuffer, &[LINE]),
            (Forget, &[1]),
            (Crash, &[5]),
            (HandTakesOut, &[0, 0]),
            (List, &[]),
        ],
    ]
};

/// Every story with every sort of lines, saved in place and by rename in turn, as scripts with a name each.
pub fn scripts() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (n, story) in STORIES.iter().enumerate() {
        for line in (0..).take(LINES.len()) {
            let mut bytes = vec![line % 2];
            for (step, how) in *story {
                let number = Step::ALL.iter().position(|one| one == step).unwrap_or_default();
                bytes.push(u8::try_from(number).unwrap_or_default());
                bytes.extend(how.iter().map(|&byte| if byte == LINE { line } else { byte }));
            }
            all.push((format!("story-{n}-{line}"), bytes));
        }
    }
    all
}
