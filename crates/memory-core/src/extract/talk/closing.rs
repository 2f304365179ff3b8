//! Open tasks of a conversation that are closed: told as done, or not wanted any more.

use crate::kind::Kind;
use crate::memory::Confidence;
use crate::scope::SourceClass;

use super::super::judge::Sentence;
use super::super::lines::Shape;
use super::super::phrase::Candidate;
use super::super::wording::{clean, content};
use super::super::{Bearing, Taken, done};
use super::Talk;

impl Talk<'_> {
    /// Notes which tasks stood in one list.
    pub(super) fn note_list(&mut self, found: &[Candidate]) {
        let open = |it: &&Candidate| it.verdict.kind == Kind::Task && it.verdict.bearing == Bearing::Open;
        let listed: Vec<String> = found.iter().filter(open).map(|it| it.text.clone()).collect();
        if listed.len() > 1 {
            self.standing.listed = listed;
        }
    }

    pub(super) fn has_open(&self) -> bool {
        !self.standing.open.is_empty() || !self.standing.known.is_empty()
    }

    /// The open tasks that these words may close. Those of an earlier session are not closed by the words of strangers.
    pub(super) fn closable(&self, class: SourceClass) -> Vec<&String> {
        let known = self.standing.known.iter().filter(|_| class >= SourceClass::Agent);
        self.standing.open.iter().chain(known).collect()
    }

    /// Closes the tasks that sentences tell as done.
    pub(super) fn close_told(&mut self, at: usize, sentences: &[Sentence], class: SourceClass) {
        // Labels and boxes are read with everything else.
        let free = |s: &&Sentence| s.label.is_none() && !matches!(s.shape, Shape::Open | Shape::Done);
        for sentence in sentences.iter().filter(free) {
            let mut closed: Vec<String> =
                done::reported(&self.closable(class), sentence).into_iter().cloned().collect();
            let listed = &self.standing.listed;
            if done::all_done(sentence).is_some_and(|count| count.is_none_or(|count| count == listed.len())) {
                closed.extend(listed.iter().filter(|task| self.standing.open.contains(task)).cloned());
            }
            for task in closed {
                self.close(at, &sentence.text, task, class);
            }
        }
    }

    /// Closes the task that a person does not want any more; gives whether there was one.
    pub(super) fn drop_unwanted(&mut self, at: usize, sentence: &Sentence, class: SourceClass) -> bool {
        let task = done::unwanted(&self.closable(class), sentence).cloned();
        let found = task.is_some();
        if let Some(task) = task {
            self.close(at, &sentence.text, task, class);
        }
        found
    }

    pub(super) fn close(&mut self, at: usize, said: &str, task: String, class: SourceClass) {
        self.forget_open(&task);
        let text = clean(said);
        let (bearing, confidence) = (Bearing::Done, Confidence::from(0.9));
        let kind = Kind::Task;
        self.words.push(content(&text));
        let tags = Vec::new();
        self.taken.push(Taken {
            kind,
            text,
            message: at,
            class,
            confidence,
            bearing,
            tags,
            instead_of: Some(task),
        });
    }

    pub(super) fn forget_open(&mut self, task: &str) {
        self.standing.open.retain(|open| open != task);
        self.standing.known.retain(|open| open != task);
    }

    /// The open task that is said to be done. One of an earlier session is not closed by the words of strangers.
    pub(super) fn closed(&mut self, said: &str, class: SourceClass) -> Option<String> {
        let task = match done::closed(self.standing.open.iter(), said) {
            Some(task) => task.clone(),
            None if class < SourceClass::Agent => return None,
            None => done::closed(self.standing.known.iter(), said)?.clone(),
        };
        self.forget_open(&task);
        Some(task)
    }
}
