//! Whether something that was open is said to be done, or not to be wanted any more. Strict, since a task that is closed
//! by mistake is lost, and one that stays open is only told once more.

mod said;
mod verbs;

use super::cue::Class;
use super::judge::Sentence;
use super::wording::{content, folded, words};

use self::said::{BREAK, follows, names, tokens};

/// Words with which a task begins that say that there is one, folded.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "todo", "still", "need", "needs", "to", "we", "i", "you", "have", "must", "should", "please", "remind", "me", "dont",
    "forget", "remember", "also", "then", "next", "falta", "faltam", "ainda", "so", "precisamos", "preciso", "temos", "tenho",
    "de", "que", "lembra", "lembrar", "nao", "esquecer", "tambem", "resta",
];

/// Clauses behind a task that say when, folded.
#[rustfmt::skip]
const LATER: &[&str] = &[
    "deixa", "deixamos", "deixo", "fica", "ficou", "leave", "later", "left", "because", "porque", "depois", "amanha", "tomorrow",
    "next", "for",
];

/// An open task, as its verb and what it names.
struct Task<'t> {
    text: &'t String,
    verb: String,
    /// Its words without those of [`LEADS`], in their order.
    whole: Vec<String>,
    named: Vec<String>,
}

impl<'t> Task<'t> {
    fn of(text: &'t String) -> Self {
        let said = tokens(text);
        let mut clauses = said.split(|word| word == BREAK);
        let mut kept: Vec<&String> = clauses.next().unwrap_or_default().iter().collect();
        for clause in clauses {
            if clause.first().is_some_and(|word| LATER.contains(&word.as_str())) {
                break;
            }
            kept.extend(clause);
        }
        while kept.len() > 2 && LEADS.contains(&kept[0].as_str()) {
            kept.remove(0);
        }
        let verb = kept.first().map(|word| word.to_string()).unwrap_or_default();
        let whole: Vec<String> = kept.into_iter().filter(|word| said::is_content(word)).cloned().collect();
        let named = whole.iter().filter(|word| **word != verb).cloned().collect();
        Self { text, verb, whole, named }
    }
}

/// The one of these tasks that is closed by what is said to be done.
pub(super) fn closed<'t>(tasks: impl Iterator<Item = &'t String>, said: &str) -> Option<&'t String> {
    let words = content(said);
    let tasks: Vec<Task<'t>> = tasks.map(Task::of).collect();
    let by_words = only_one(tasks.iter().filter(|task| closes(task.text, &words)));
    by_words.or_else(|| {
        let said = tokens(said);
        only_one(tasks.iter().filter(|task| is_told(task, &said)))
    })
}

/// The tasks that a sentence says were done.
pub(super) fn reported<'t>(tasks: &[&'t String], sentence: &Sentence) -> Vec<&'t String> {
    if !may_tell(sentence) {
        return Vec::new();
    }
    let said = tokens(&sentence.text);
    if said.iter().any(|word| OPEN.contains(&word.as_str())) {
        return Vec::new();
    }
    let tasks: Vec<Task<'t>> = tasks.iter().map(|task| Task::of(task)).collect();
    let starts = said::clauses(&said);
    starts.iter().filter_map(|&at| only_one(tasks.iter().filter(|task| is_told(task, &said[at..])))).collect()
}

/// Whether a sentence may tell what was done, or what is not wanted.
fn may_tell(sentence: &Sentence) -> bool {
    const DOUBT: &[Class] = &[
        Class::Hedge,
        Class::Should,
        Class::Undecided,
        Class::Would,
        Class::Ask,
        Class::Others,
        Class::Recall,
    ];
    !sentence.asks && !sentence.hits.any(DOUBT) && !sentence.text.contains(['"', '“', '«'])
}

/// Words that leave it open whether something is done, folded.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "not", "nothing", "almost", "nearly", "half", "partly", "mostly", "if", "when", "once", "until", "unless", "after",
    "before", "make", "sure", "first", "part", "some", "most", "none", "but", "yet", "except", "stub", "stubbed", "placeholder",
    "draft", "partial", "partially", "wip", "tried", "will", "planned", "plan", "backlog", "roadmap", "list", "board", "tomorrow",
    "later", "reverted", "fails", "failed", "broken", "hasnt", "havent", "isnt", "wasnt", "arent", "didnt", "nobody",
    "nao", "nada", "quase", "metade", "se", "quando", "ate", "depois", "antes", "parte", "nem", "ainda", "mas", "porem", "exceto",
    "rascunho", "parcialmente", "amanha", "lista", "plano", "vou", "vai", "falha", "falhou", "ninguem",
];

/// What is said of a thing that is done whatever the work was, folded; each with what may follow alone.
#[rustfmt::skip]
const FINISHED: &[&str] = &[
    "is done", "are done", "is now done", "are now done", "is finished", "are finished", "is complete", "are complete",
    "is completed", "are completed", "has been done", "has been completed", "was done", "was completed", "esta feito",
    "esta feita", "estao feitos", "estao feitas", "esta pronto", "esta pronta", "estao prontos", "estao prontas",
    "esta terminado", "esta terminada", "esta concluido", "esta concluida", "estao concluidos", "estao concluidas",
    "ja esta feito", "ja esta feita", "ja esta pronto", "ja esta pronta", "foi feito", "foi feita", "foi concluido",
    "foi concluida",
];

/// What is said of a thing that was made and is there, folded.
#[rustfmt::skip]
const THERE: &[&str] = &[
    "is in place", "are in place", "is now in place", "are now in place", "is implemented", "are implemented",
    "is now implemented", "has been implemented", "have been implemented", "was implemented", "is live", "is now live",
    "is ready", "are ready", "works now", "now works", "work now", "now work", "is working now", "is now working", "exists now",
    "now exists", "esta implementado", "esta implementada", "foi implementado", "foi implementada", "estao implementados",
    "estao implementadas", "ja funciona", "agora funciona", "funciona agora", "esta funcionando", "esta a funcionar", "ja existe",
    "agora existe",
];

/// Words before a participle, folded.
#[rustfmt::skip]
const WAS: &[&str] = &[
    "has been", "have been", "has now been", "have now been", "is now", "are now", "is", "are", "was", "were", "got", "ja foi",
    "ja foram", "ja esta", "ja estao", "foi", "foram", "esta", "estao", "ficou", "ficaram", "agora esta", "",
];

/// Words before the past of a report, folded.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "i", "ive", "have", "we", "weve", "just", "now", "also", "already", "finally", "successfully", "eu", "ja", "agora", "tambem",
    "finalmente", "acabei",
];

/// What many tasks name, so that alone it does not tell which.
#[rustfmt::skip]
const BROAD: &[&str] = &[
    "test", "tests", "doc", "docs", "documentation", "code", "file", "files", "bug", "bugs", "type", "types", "comments", "error",
    "errors", "changes", "it", "teste", "testes", "documentacao", "codigo", "arquivo", "arquivos", "ficheiro", "erro", "erros",
    "tipos", "comentarios",
];

/// Whether a clause tells that a task was done: by its own verb in the past before what it names, or by what is said of
/// that behind it.
fn is_told(task: &Task<'_>, clause: &[String]) -> bool {
    let one = task.named.len() == 1;
    if task.named.is_empty() || one && BROAD.contains(&task.named[0].as_str()) {
        return by_end(task, clause, &task.whole);
    }
    let mut at = 0;
    while clause.get(at).is_some_and(|word| HEADS.contains(&word.as_str())) {
        at += 1;
    }
    let past = clause.get(at).is_some_and(|word| {
        // "Set up the CI" is an order, "I set up the CI" none.
        let told = *word != task.verb || at > 0;
        told && (verbs::is_past(&task.verb, word) || both_make(&task.verb, word) && !one)
    });
    let told =
        past && names(&clause[at + 1..], &task.named).is_some_and(|rest| follows(&clause[at + 1 + rest..]));
    told || by_end(task, clause, &task.named) || by_end(task, clause, &task.whole)
}

/// Whether work of one sort is told in the word of another: what was to be created was added.
fn both_make(verb: &str, word: &str) -> bool {
    const MADE: &[&str] = &[
        "added",
        "created",
        "implemented",
        "built",
        "wrote",
        "adicionei",
        "criei",
        "implementei",
        "fiz",
        "acrescentei",
    ];
    verbs::makes(verb) && MADE.contains(&word)
}

/// Whether a clause names these words and says of them that they are done.
fn by_end(task: &Task<'_>, clause: &[String], named: &[String]) -> bool {
    let Some(at) = names(clause, named).filter(|_| !named.is_empty()) else { return false };
    let behind = &clause[at..];
    let is_whole = named.len() == task.whole.len();
    let starts = |cue: &str| {
        let cue: Vec<&str> = cue.split(' ').filter(|word| !word.is_empty()).collect();
        (behind.len() >= cue.len() && cue.iter().zip(behind).all(|(a, b)| a == b))
            .then(|| &behind[cue.len()..])
    };
    let ends = |cues: &[&str]| cues.iter().filter_map(|cue| starts(cue)).any(follows);
    let by_verb = || {
        WAS.iter().filter_map(|was| starts(was)).any(|rest| {
            rest.split_first()
                .is_some_and(|(word, rest)| verbs::is_participle(&task.verb, word) && follows(rest))
        })
    };
    let tells = named.len() >= 2 || is_whole;
    let broad = matches!(named, [one] if BROAD.contains(&one.as_str()));
    tells && ends(FINISHED)
        || tells && verbs::makes(&task.verb) && ends(THERE)
        || !is_whole && !broad && by_verb()
}

/// How a person says that something is not wanted any more, folded.
#[rustfmt::skip]
const UNWANTED: &[&str] = &[
    "we no longer need", "i no longer need", "we dont need", "i dont need", "no longer needed", "no need for", "no need to",
    "skip", "drop", "we wont do", "we wont", "we will not", "were not doing", "were not going to", "we are not going to",
    "lets not do", "lets not", "lets skip", "lets drop", "forget", "forget about", "cancel", "scrap", "never mind",
    "nao precisamos mais de", "nao precisamos mais do", "nao precisamos mais da", "nao precisamos mais", "ja nao precisamos de",
    "ja nao precisamos do", "ja nao precisamos da", "ja nao precisamos", "nao precisa mais", "nao vamos mais", "nao vamos",
    "esquece", "esqueca", "cancela", "cancele", "deixa pra la", "pula", "salta", "descarta",
];

/// Words beside the name of a task that say only that it is one, or that it is over.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "task", "tasks", "todo", "item", "step", "anymore", "any", "more", "now", "then", "please", "after", "all", "idea", "plan",
    "tarefa", "tarefas", "passo", "mais", "afinal", "agora", "favor", "plano",
];

/// The task that a person says is not wanted any more.
pub(super) fn unwanted<'t>(tasks: &[&'t String], sentence: &Sentence) -> Option<&'t String> {
    if !may_tell(sentence) {
        return None;
    }
    let said = tokens(&sentence.text);
    let clause = said.split(|word| word == BREAK).find(|clause| !clause.is_empty())?;
    let text = clause.join(" ");
    let cue = UNWANTED.iter().filter(|cue| text.strip_prefix(*cue).is_some_and(|rest| rest.starts_with(' ')));
    let behind = &text[cue.map(|cue| cue.len()).max()?..];
    let called = words(behind).any(|word| matches!(word, "task" | "todo" | "tarefa"));
    let meant: Vec<String> = words(behind)
        .filter(|word| said::is_content(word) && !BESIDE.contains(word))
        .map(str::to_owned)
        .collect();
    let tasks: Vec<Task<'t>> = tasks.iter().map(|task| Task::of(task)).collect();
    only_one(tasks.iter().filter(|task| {
        let enough = called || task.named.len() >= 2;
        !meant.is_empty() && (task.whole == meant || task.named == meant && enough)
    }))
}

/// Whether a sentence says that all steps of a list are done; with how many they are, where it tells.
pub(super) fn all_done(sentence: &Sentence) -> Option<Option<usize>> {
    const ALL: &[&str] = &["all", "todos", "todas", "both", "ambos", "ambas"];
    const OF: &[&str] =
        &["of", "the", "these", "those", "them", "os", "as", "estes", "esses", "estas", "essas"];
    const STEPS: &[&str] = &[
        "steps", "tasks", "items", "points", "boxes", "todos", "parts", "passos", "tarefas", "itens",
        "pontos", "etapas",
    ];
    const DONE: &[&str] = &[
        "are done",
        "are now done",
        "are finished",
        "are complete",
        "are completed",
        "are implemented",
        "are now implemented",
        "are in place",
        "have been done",
        "have been completed",
        "have been implemented",
        "done",
        "completed",
        "implemented",
        "estao feitos",
        "estao feitas",
        "estao prontos",
        "estao prontas",
        "estao concluidos",
        "estao concluidas",
        "estao implementados",
        "estao implementadas",
        "foram feitos",
        "foram feitas",
        "foram concluidos",
        "foram concluidas",
        "foram implementados",
        "foram implementadas",
        "feitos",
        "feitas",
        "concluidos",
        "concluidas",
    ];
    const NUMBERS: &[&str] =
        &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    const NUMEROS: &[&str] =
        &["zero", "uma", "duas", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"];
    let said = tokens(&sentence.text);
    if !may_tell(sentence) || said.iter().any(|word| OPEN.contains(&word.as_str())) {
        return None;
    }
    let (all, mut rest) = said.split_first().filter(|(all, _)| ALL.contains(&all.as_str()))?;
    let mut count = all.starts_with("bo").then_some(2).or_else(|| all.starts_with("amb").then_some(2));
    while let Some((word, behind)) = rest.split_first() {
        let number = [NUMBERS, NUMEROS].iter().find_map(|names| names.iter().position(|name| name == word));
        let number = number.or_else(|| (word == "dois").then_some(2)).or_else(|| word.parse().ok());
        if number.is_none() && !OF.contains(&word.as_str()) {
            break;
        }
        count = number.or(count);
        rest = behind;
    }
    let (_, rest) = rest.split_first().filter(|(word, _)| STEPS.contains(&word.as_str()))?;
    let ends = |cue: &&&str| {
        let cue: Vec<&str> = cue.split(' ').collect();
        rest.len() >= cue.len() && cue.iter().zip(rest).all(|(a, b)| a == b) && follows(&rest[cue.len()..])
    };
    DONE.iter().find(ends).map(|_| count)
}

/// The one of these, if they all say the same. Where it may mean one or another, it means none.
fn only_one<'a, 't: 'a>(mut fitting: impl Iterator<Item = &'a Task<'t>>) -> Option<&'t String> {
    let one = fitting.next()?;
    fitting.all(|other| content(other.text) == content(one.text)).then_some(one.text)
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
            (
                &["Write the migration guide", "Review the migration guide"],
                "wrote the migration guide",
                Some(0),
            ),
            (&["Escrever o guia de migração"], "o guia de migracao", Some(0)),
            (&[""], "", None),
        ] {
            let tasks: Vec<String> = tasks.iter().map(|task| (*task).to_owned()).collect();
            assert_eq!(closed(tasks.iter(), said), expect.and_then(|n: usize| tasks.get(n)), "{said}");
        }
    }
}
