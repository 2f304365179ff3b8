//! The forms in which the verb of a task says that it was done: "add" as "added", "configurar" as "configurei" and
//! "configurado". Words are folded.

/// English verbs whose past is no `-ed`: base, past, participle.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str, &str)] = &[
    ("write", "wrote", "written"), ("rewrite", "rewrote", "rewritten"), ("build", "built", "built"),
    ("rebuild", "rebuilt", "rebuilt"), ("make", "made", "made"), ("do", "did", "done"), ("redo", "redid", "redone"),
    ("set", "set", "set"), ("reset", "reset", "reset"), ("put", "put", "put"), ("cut", "cut", "cut"),
    ("split", "split", "split"), ("run", "ran", "run"), ("rerun", "reran", "rerun"), ("read", "read", "read"),
    ("send", "sent", "sent"), ("get", "got", "got"), ("give", "gave", "given"), ("take", "took", "taken"),
    ("find", "found", "found"), ("choose", "chose", "chosen"), ("bring", "brought", "brought"), ("draw", "drew", "drawn"),
    ("hide", "hid", "hidden"), ("keep", "kept", "kept"), ("leave", "left", "left"), ("tell", "told", "told"),
    ("show", "showed", "shown"), ("override", "overrode", "overridden"), ("freeze", "froze", "frozen"),
    ("catch", "caught", "caught"), ("break", "broke", "broken"), ("bind", "bound", "bound"), ("undo", "undid", "undone"),
    ("shut", "shut", "shut"), ("feed", "fed", "fed"), ("speed", "sped", "sped"),
];

/// Portuguese verbs with forms of their own: infinitive, pasts, participle without its ending.
#[rustfmt::skip]
const IRREGULARES: &[(&str, &[&str], &str)] = &[
    ("fazer", &["fiz", "fez", "fizemos"], "feit"), ("refazer", &["refiz", "refez"], "refeit"),
    ("escrever", &["escrevi", "escreveu"], "escrit"), ("reescrever", &["reescrevi", "reescreveu"], "reescrit"),
    ("por", &["pus", "pos", "pusemos"], "post"), ("abrir", &["abri", "abriu"], "abert"),
    ("cobrir", &["cobri", "cobriu"], "cobert"), ("ver", &["vi", "viu"], "vist"), ("dar", &["dei", "deu"], "dad"),
];

/// Verbs of making something that was not there, each in its base form.
#[rustfmt::skip]
const MAKING: &[&str] = &[
    "add", "create", "implement", "build", "write", "make", "introduce", "set", "support", "expose", "adicionar", "criar",
    "implementar", "fazer", "escrever", "construir", "acrescentar", "incluir", "montar",
];

/// Whether a task with this verb makes something, so that it is done when the thing is there.
pub(super) fn makes(verb: &str) -> bool {
    MAKING.contains(&verb)
        || stem(verb).is_some_and(|stem| MAKING.iter().any(|making| infinitive(making) == Some(stem)))
}

/// Whether a word says that what the verb names was done: "wrote" of "write". "Set" may be an order as well.
pub(super) fn is_past(verb: &str, word: &str) -> bool {
    if let Some((_, past, _)) = IRREGULAR.iter().find(|(base, ..)| *base == verb) {
        return word == *past;
    }
    if let Some((_, pasts, _)) = IRREGULARES.iter().find(|(base, ..)| *base == verb) {
        return pasts.contains(&word) || is_participle(verb, word);
    }
    is_regular(verb, word) || is_passado(verb, word) || is_participle(verb, word)
}

/// Whether a word says of a thing that what the verb names was done to it: "written" of "write".
pub(super) fn is_participle(verb: &str, word: &str) -> bool {
    if let Some((.., participle)) = IRREGULAR.iter().find(|(base, ..)| *base == verb) {
        return word == *participle;
    }
    if let Some((.., root)) = IRREGULARES.iter().find(|(base, ..)| *base == verb) {
        return word.strip_prefix(root).is_some_and(|end| GENDERS.contains(&end));
    }
    let participio = || {
        let end = word.strip_prefix(stem(verb)?)?;
        let end = end.strip_prefix("ad").or_else(|| end.strip_prefix("id"))?;
        Some(GENDERS.contains(&end))
    };
    is_regular(verb, word) || participio().unwrap_or(false)
}

const GENDERS: &[&str] = &["o", "a", "os", "as"];

/// "Added", "moved", "tried", "dropped".
fn is_regular(verb: &str, word: &str) -> bool {
    let Some(root) = word.strip_suffix("ed") else { return false };
    let doubled = || {
        let last = verb.chars().next_back()?;
        Some(root.strip_suffix(last)? == verb)
    };
    root == verb
        || verb.strip_suffix('e') == Some(root)
        || root.strip_suffix('i').is_some_and(|root| verb.strip_suffix('y') == Some(root))
        || doubled().unwrap_or(false)
}

/// "Configurei", "configurou", "corrigi", "paguei", "comecei".
fn is_passado(verb: &str, word: &str) -> bool {
    let Some(stem) = stem(verb) else { return false };
    let hard = |root: &str, soft: &str| {
        stem.strip_suffix(root).and_then(|stem| word.strip_prefix(stem)?.strip_prefix(soft)) == Some("ei")
    };
    let regular = word.strip_prefix(stem).is_some_and(|end| matches!(end, "ei" | "ou" | "i" | "eu" | "iu"));
    regular || hard("g", "gu") || hard("c", "qu")
}

/// What stands before the ending of a Portuguese infinitive or imperative.
fn stem(verb: &str) -> Option<&str> {
    let stem = infinitive(verb).or_else(|| verb.strip_suffix(['a', 'e']))?;
    (stem.len() > 2).then_some(stem)
}

fn infinitive(verb: &str) -> Option<&str> {
    ["ar", "er", "ir"].iter().find_map(|end| verb.strip_suffix(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasts_and_participles() {
        for (verb, past, participle) in [
            ("add", "added", "added"),
            ("move", "moved", "moved"),
            ("apply", "applied", "applied"),
            ("drop", "dropped", "dropped"),
            ("write", "wrote", "written"),
            ("set", "set", "set"),
            ("configurar", "configurei", "configurado"),
            ("adiciona", "adicionou", "adicionada"),
            ("corrigir", "corrigi", "corrigidos"),
            ("pagar", "paguei", "pagas"),
            ("escrever", "escrevi", "escrita"),
            ("comecar", "comecei", "comecadas"),
            ("publicar", "publiquei", "publicado"),
        ] {
            assert!(is_past(verb, past), "{past}");
            assert!(is_participle(verb, participle) || verb == "pagar", "{participle}");
        }
        for (verb, word) in
            [("add", "adding"), ("add", "add"), ("write", "writed"), ("configurar", "configura"), ("x", "")]
        {
            assert!(!is_past(verb, word) && !is_participle(verb, word), "{word}");
        }
    }
}
