//! Whether something that was open is said to be done. Strict, since a task that is closed by mistake is lost, and one
//! that stays open is only told once more.

use super::cue::Class;
use super::judge::Sentence;
use super::wording::{content, folded, words};

/// The ends of sentences that say of their subject that it is done, folded; their cues are of [`Class::Finished`].
#[rustfmt::skip]
const FINISHED: &[&str] = &[
    " is done", " are done", " is now done", " are now done", " is finished", " are finished", " is complete",
    " is completed", " has been done", " was done", " esta feito", " esta feita", " estao feitos", " estao feitas",
    " esta pronto", " esta pronta", " esta terminado", " esta terminada", " esta concluido", " esta concluida",
    " ja esta feito", " ja esta feita", " foi feito", " foi feita",
];

/// Words that leave it open whether it is done.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "not", "nothing", "almost", "nearly", "half", "partly", "mostly", "if", "when", "once", "until", "unless", "after",
    "before", "make", "sure", "first", "part", "some", "most", "none", "nao", "nada", "quase", "metade", "se",
    "quando", "ate", "depois", "antes", "parte", "nem", "ainda",
];

/// Some piece of these stands in every text that may close something, in lower case.
const PIECES: &[&str] = &["[x]", "done", "finished", "complete", "feit", "terminad", "conclu", "pront"];

/// Whether a text may say that something is done; a cheap look.
pub fn may_close(text: &str) -> bool {
    let text = text.to_lowercase();
    PIECES.iter().any(|piece| text.contains(piece))
}

/// What a sentence says is done.
pub(super) fn finished(sentence: &Sentence) -> Option<String> {
    if !sentence.hits.has(Class::Finished) {
        return None;
    }
    let said = sentence.folded.trim_start_matches('^').trim_end_matches(" $");
    let subject = FINISHED.iter().find_map(|end| said.strip_suffix(end))?;
    let told = !sentence.asks && words(subject).next().is_some();
    (told && !words(subject).any(|word| OPEN.contains(&word))).then(|| subject.trim().to_owned())
}

/// The one of these tasks that is closed by what is said to be done.
pub(super) fn closed<'t>(tasks: impl Iterator<Item = &'t String>, said: &str) -> Option<&'t String> {
    let said = content(said);
    let mut fitting = tasks.filter(|task| closes(task, &said));
    let one = fitting.next()?;
    // Where it may mean one or another, it means none.
    fitting.all(|other| content(other) == content(one)).then_some(one)
}

/// Whether all that a task names is told and nothing else; the verb before it may be left out.
fn closes(task: &str, said: &[String]) -> bool {
    let whole = content(task);
    if whole.is_empty() {
        return false;
    }
    let folded = folded(task);
    let verb = words(&folded).next().unwrap_or_default();
    let named: Vec<&String> = whole.iter().filter(|word| *word != verb).collect();
    whole == said || named.len() >= 2 && named.len() < whole.len() && named.into_iter().eq(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_closed_by_all_of_its_words_alone() {
        for (tasks, said, expect) in [
            (&["Write the migration guide"][..], "write the migration guide", Some(0)),
            (&["Write the migration guide"], "the migration guide", Some(0)),
            (&["Write the migration guide"], "the guide", None),
            (&["Write the migration guide"], "the migration guide for v2", None),
            (&["Write tests for login on mobile"], "write tests for login on desktop", None),
            (&["Write tests"], "tests", None),
            (&["Write the migration guide", "Review the migration guide"], "the migration guide", None),
            (&["Escrever o guia de migração"], "o guia de migracao", Some(0)),
            (&[""], "", None),
        ] {
            let tasks: Vec<String> = tasks.iter().map(|task| (*task).to_owned()).collect();
            assert_eq!(closed(tasks.iter(), said), expect.and_then(|n: usize| tasks.get(n)), "{said}");
        }
    }
}
