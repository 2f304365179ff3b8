//! Labels before a sentence, such as `DECISION:` or `Próximo passo:`, which say outright what it is.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::cue::{Class, Hits};
use super::wording::{folded, words};

/// What a label says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Decision,
    /// A decision against what follows. The label stays with it, since without it the text says the contrary.
    Rejected,
    Lesson,
    Task,
    Done,
    Path,
    Check,
    Fact,
    Preference,
}

/// The labels. Those that are ordinary words in lower case need a capital letter.
const LABELS: &[(Label, Case, &[&str])] = &[
    (
        Label::Decision,
        Case::Any,
        &[
            "decision",
            "decisions",
            "decided",
            "decisão",
            "decisões",
            "decidido",
            "final decision",
            "decision recorded",
            "decision noted",
            "decisão registada",
            "decisão registrada",
            "our convention",
            "team convention",
            "our rule",
            "nossa convenção",
            "a nossa convenção",
            "nossa regra",
            "a nossa regra",
            "agreed",
            "agreed approach",
            "chosen approach",
            "decisão final",
            "settled",
            "chosen",
            "final call",
            "verdict",
            "ruling",
            "ficou assim",
            "fica assim",
            "fechado",
            "acordado",
            "acertado",
            "combinado",
            "definido",
            "escolhido",
            "veredito",
        ],
    ),
    (
        Label::Rejected,
        Case::Capital,
        &[
            "rejected",
            "discarded",
            "ruled out",
            "out of scope",
            "not chosen",
            "descartado",
            "descartada",
            "rejeitado",
            "fora de escopo",
            "fora do escopo",
        ],
    ),
    (
        Label::Lesson,
        Case::Any,
        &[
            "gotcha",
            "gotchas",
            "lesson",
            "lessons",
            "lesson learned",
            "lessons learned",
            "learned",
            "root cause",
            "caveat",
            "pitfall",
            "takeaway",
            "insight",
            "lição",
            "lições",
            "aprendizado",
            "causa raiz",
            "pegadinha",
            "lição aprendida",
            "cuidado",
            "atenção",
            "careful",
            "watch out",
            "beware",
            "armadilha",
            "the cause",
            "a causa",
            "culprit",
            "the culprit",
            "o culpado",
            "what happened",
            "why it failed",
            "what i learned",
            "what we learned",
            "o que aprendi",
            "o que aprendemos",
            "o que aconteceu",
            "uma pegadinha",
            "one gotcha",
            "small gotcha",
            "one caveat",
            "one catch",
            "the catch",
            "learning",
            "learnings",
            "ressalva",
            "motivo da falha",
            "motivo do erro",
            "origem do problema",
            "origem do erro",
        ],
    ),
    (
        Label::Lesson,
        Case::Capital,
        &[
            "note",
            "nota",
            "important",
            "importante",
            "cause",
            "causa",
            "warning",
            "aviso",
            "observação",
            "obs",
        ],
    ),
    (
        Label::Task,
        Case::Any,
        &[
            "todo",
            "to do",
            "next step",
            "next steps",
            "action item",
            "follow up",
            "still open",
            "still left",
            "still to do",
            "remaining",
            "pending",
            "left to do",
            "not done",
            "próximo passo",
            "próximos passos",
            "pendente",
            "pendência",
            "por fazer",
            "tarefa",
            "em aberto",
            "task",
            "falta",
            "faltam",
            "open item",
            "open point",
        ],
    ),
    (Label::Task, Case::Capital, &["next", "próximo", "próxima", "open", "a fazer", "seguinte"]),
    (
        Label::Done,
        Case::Capital,
        &["done", "feito", "feita", "concluído", "concluída", "finished", "completed"],
    ),
    (Label::Path, Case::Upper, &["path", "paths", "key path", "file", "caminho", "ficheiro", "arquivo"]),
    (Label::Check, Case::Upper, &["validation", "validated", "validação", "validado", "verification"]),
    (
        Label::Fact,
        Case::Any,
        &[
            "remember",
            "fact",
            "facto",
            "fato",
            "lembrete",
            "lembra",
            "lembre se",
            "anota aí",
            "fyi",
            "não te esqueças",
            "não se esqueça",
            "não esqueças",
            "não esqueça",
        ],
    ),
    (Label::Preference, Case::Any, &["preference", "preferência", "user preference"]),
];

/// Whether a label may stand in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Any,
    Capital,
    /// Capital letters alone.
    Upper,
}

/// Words of labels that warn, folded.
#[rustfmt::skip]
const WARNINGS: &[&str] = &[
    "trap", "gotcha", "gotchas", "caveat", "catch", "snag", "quirk", "surprise", "pitfall", "footgun", "lesson",
    "pegadinha", "armadilha", "surpresa", "ressalva", "licao", "culprit", "cause", "culpado", "causa",
];

/// The label that a sentence begins with, and what stands behind it.
pub(super) fn label(sentence: &str) -> Option<(Label, &str)> {
    let bare = sentence.trim_start_matches(['*', '_', '-', '•', ' ', '[']);
    let head = bare.get(..bare.floor_char_boundary(40))?;
    let colon = head.find([':', '：'])?;
    let name = bare[..colon].trim_end_matches(['*', '_', ']', ' ']);
    let behind = bare[colon..].trim_start_matches([':', '：']);
    // Behind a label stands a space: `next:hover` and `path::Path` are names in code.
    if !behind.is_empty() && !behind.starts_with([' ', '*', '_', '\t', '\u{a0}']) {
        return None;
    }
    let name_folded = folded(name);
    // "What we did agree on:" is a label too.
    let titled = || Hits::of(&name_folded).has(Class::DecisionsTitle).then_some((Label::Decision, Case::Any));
    // "One small trap here:" warns by one of its words.
    let warned = || {
        let few = words(&name_folded).count() <= 5;
        (few && words(&name_folded).any(|word| WARNINGS.contains(&word)))
            .then_some((Label::Lesson, Case::Any))
    };
    let (label, case) = KNOWN.get(&name_folded).copied().or_else(titled).or_else(warned)?;
    let capital = name.chars().next().is_some_and(char::is_uppercase);
    let fits = match case {
        Case::Any => true,
        Case::Capital => capital,
        Case::Upper => !name.chars().any(char::is_lowercase),
    };
    let behind = behind.trim_start_matches(['*', '_', ' ', '\t', '\u{a0}']);
    fits.then_some((label, if label == Label::Rejected { bare } else { behind }))
}

/// The labels by their folded form.
static KNOWN: LazyLock<HashMap<String, (Label, Case)>> = LazyLock::new(|| {
    let rows =
        LABELS.iter().flat_map(|(label, case, names)| names.iter().map(move |name| (name, (*label, *case))));
    rows.map(|(name, row)| (folded(name), row)).collect()
});

/// Pieces of which one stands in every raw text that holds a label.
pub(super) fn pieces() -> Vec<String> {
    let mut pieces: Vec<String> = WARNINGS.iter().map(|word| (*word).to_owned()).collect();
    for (_, case, names) in LABELS {
        for name in *names {
            // Ordinary words count only with what stands behind a label.
            let ends: &[&str] =
                if *case != Case::Any && name.is_ascii() { &[":", "*", "_", " :"] } else { &[""] };
            ends.iter().for_each(|end| match end {
                &"" => super::cue::raw_pieces(name, &mut pieces),
                end => pieces.push(format!("{name}{end}")),
            });
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, expect: Option<(Label, &str)>) {
        assert_eq!(label(sentence), expect, "{sentence}");
    }

    #[test]
    fn the_cheap_look_passes_every_label() {
        for (_, _, names) in LABELS {
            for name in *names {
                let capital = name.to_uppercase();
                assert!(crate::extract::cue::may_matter(&format!("{capital}: x")), "{name}");
                assert!(label(&format!("{capital}: x")).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn labels_and_look_alikes() {
        check("DECISION: use X", Some((Label::Decision, "use X")));
        check("**Decision:** use X", Some((Label::Decision, "use X")));
        check("**Root cause**: it broke", Some((Label::Lesson, "it broke")));
        check("DECISÃO: usar X", Some((Label::Decision, "usar X")));
        check("Próximo passo: testar", Some((Label::Task, "testar")));
        check("LIÇÃO: testar", Some((Label::Lesson, "testar")));
        check("FEITO: migrar", Some((Label::Done, "migrar")));
        check("Done: all of it", Some((Label::Done, "all of it")));
        check("done: all of it", None);
        check("note: run with RUST_BACKTRACE=1", None);
        check("Note: it is slow", Some((Label::Lesson, "it is slow")));
        check("next:hover stays", None);
        check("std::path::Path", None);
        check("We said: no", None);
        check("TODO: x", Some((Label::Task, "x")));
        check("decision", None);
        check("**Rejected:** opaque tokens", Some((Label::Rejected, "Rejected:** opaque tokens")));
        check("rejected: opaque tokens", None);
    }
}
