//! Cues that are made of two halves: who or what, and what is said of it. One row stands for all pairs of its halves,
//! so that a way of saying something is known in all its persons and tenses, and not only in those somebody thought of.
//!
//! A first half of `^` is the beginning of the sentence. The second half has a word of four letters or more, by which
//! raw text is searched.

use super::Class;

/// Who decides, with the beginnings of the tenses.
const WE: &[&str] =
    &["we", "weve", "we have", "we had", "we both", "we all", "we just", "the team", "team has"];
const WE_OR_I: &[&str] =
    &["we", "weve", "we have", "we had", "i", "ive", "i have", "we just", "i just", "the team", "^"];
const NOW: &[&str] = &["were", "we are", "were now", "we are now", "were just", "im"];
const WILL: &[&str] = &["well", "we will", "ill", "i will", "were going to", "we are going to", "lets just"];
const DID: &[&str] = &["i", "ive", "i have", "weve", "we have", "we", "ive now", "i just", "^"];

/// What goes wrong, as the subject of a sentence that says why.
const TROUBLES: &[&str] = &[
    "the problem",
    "the issue",
    "the bug",
    "the failure",
    "the failures",
    "the error",
    "the errors",
    "the crash",
    "the crashes",
    "the leak",
    "the hang",
    "the slowdown",
    "the slowness",
    "the delay",
    "the regression",
    "the mismatch",
    "the flakiness",
    "the deadlock",
    "the timeout",
    "the timeouts",
    "the conflict",
    "the catch",
    "the confusion",
    "the breakage",
    "the corruption",
    "the panic",
    "the race",
];
const PROBLEMAS: &[&str] = &[
    "o problema",
    "o bug",
    "o erro",
    "os erros",
    "a falha",
    "as falhas",
    "o vazamento",
    "a lentidão",
    "o travamento",
    "o crash",
    "a demora",
    "o atraso",
    "o timeout",
    "o conflito",
    "a regressão",
    "a diferença",
    "a confusão",
    "o defeito",
    "a quebra",
    "o bloqueio",
];

#[rustfmt::skip]
pub(super) const FRAMES: &[(Class, &[&str], &[&str])] = &[
    (Class::Decide, WE_OR_I, &[
        "decided to", "decided on", "decided that", "decided against", "decided not", "settled on", "settled for",
        "settled that", "opted for", "opted to", "opted against", "chose", "agreed to", "agreed on",
        "agreed that", "landed on", "picked", "went with", "gone with", "stuck with", "ruled out", "rejected",
        "adopted", "standardized on", "standardised on", "committed to", "converged on", "resolved to",
        "signed off on", "discarded", "ended up with", "ended up using", "ended up going",
    ]),
    (Class::Decide, &["weve", "we have", "ive", "i have"], &["chosen", "taken the decision", "made the call"]),
    (Class::Decide, WE, &[
        "moved to", "moved over to", "moved away", "moved off", "moved from", "switched to", "switched over",
        "switched from", "migrated to", "migrated from", "migrated off", "abandoned", "retired", "dropped support",
        "deprecated", "stopped using", "gave up on", "given up on", "kept using", "stayed with", "stayed on",
        "consolidated on", "banned", "frozen", "froze",
    ]),
    (Class::Decide, NOW, &[
        "going with", "going for", "sticking with", "sticking to", "staying on", "staying with", "staying away",
        "keeping", "dropping", "adopting", "moving to", "moving off", "moving away", "switching to", "migrating to",
        "standardizing on", "standardising on", "settling on", "ditching", "retiring", "abandoning", "freezing",
        "rejecting", "ruling out", "replacing", "deprecating", "not going to", "not going with", "not using",
        "not doing", "not touching", "not adding", "not moving", "not changing", "not supporting", "not shipping",
    ]),
    (Class::Decide, WILL, &[
        "go with", "stick with", "stick to", "stay with", "stay on", "standardize on", "standardise on",
        "settle on", "settle for", "keep using", "not use", "not support", "not touch", "adopt", "opt for",
    ]),
    // What was decided once is told here to date something else.
    (Class::Undecided, &["when we", "after we", "before we", "once we", "since we", "until we", "until they"], &[
        "moved", "switched", "migrated", "decided", "chose", "adopted", "dropped", "picked", "went with",
        "stopped using", "retired",
    ]),
    (Class::Undecided, &["quando", "depois que", "desde que", "antes de", "enquanto"], &[
        "decidimos", "migramos", "migrámos", "mudamos", "mudámos", "escolhemos", "optamos", "adotamos", "passamos",
    ]),
    (Class::Decide, &["the call is", "final call", "the verdict is", "the plan of record", "the winner is"], &[
        "to keep", "to use", "to drop", "to move", "to stay", "to stick", "that", "goes to",
    ]),
    (Class::Decide, &["fica", "ficou", "fica já", "ficou já"], &[
        "decidido", "definido", "acordado", "acertado", "combinado", "fechado", "assente", "estabelecido",
        "resolvido que", "determinado",
    ]),
    (Class::Decide, &["está", "tá", "foi"], &["decidido", "acordado", "acertado", "combinado", "assente"]),
    (Class::Decide, &[""], &[
        "decidi", "decidimos", "decidiu", "optei", "optamos", "optámos", "optou por", "escolhi", "escolhemos",
        "escolheu", "adotei", "adotamos", "adotámos", "adoptei", "adoptámos", "fiquei com", "ficamos com",
        "ficámos com", "ficou com", "fomos de", "fomos com", "fomos pela", "fomos pelo", "descartei", "descartamos",
        "descartámos", "abandonei", "abandonamos", "abandonámos", "desistimos", "desisti", "largamos",
        "largámos", "acordámos", "acordamos", "combinamos", "combinámos", "acertamos", "acertámos", "fechamos com",
        "fechámos", "seguimos com", "mantivemos", "mantemos", "preferimos", "padronizamos", "padronizámos",
        "migramos para", "migrámos para", "migramos do", "mudamos para", "mudámos para", "passamos para",
        "passámos para", "passámos a", "deixamos de usar", "deixámos de usar", "voltamos para", "voltámos para",
        "trocamos o", "trocamos a", "trocámos o", "trocámos a", "resolvi usar", "resolvi manter", "resolvi não",
        "concordamos", "concordámos", "congelamos", "congelámos",
    ]),
    (Class::Decide, &["vamos", "bora", "vamo", "a gente vai", "iremos", "não vamos"], &[
        "com o", "com a", "com os", "manter", "ficar com", "ficar só", "ficar na", "ficar no", "seguir com",
        "continuar com", "continuar no", "continuar na", "adotar", "adoptar", "optar", "usar", "utilizar", "largar",
        "abandonar", "padronizar", "migrar para", "migrar pro", "congelar", "aposentar", "tirar", "trocar",
        "deixar de", "deixar como", "passar a usar", "mexer no", "mexer na", "mexer em", "mexer nisso", "suportar",
    ]),
    (Class::Order, &["^vai de", "^vai com", "^vai no", "^vai na", "^segue com", "^segue de", "^fica com", "^fica na", "^fica no", "^fica em", "^fica só",
        "^fica como", "^fica assim",
        "^bora", "^bora de", "^bora com", "^pode usar", "^pode ir", "^mete", "^larga", "^chega de", "^acabou",
        "^deixa", "^não mexe", "^não mexas", "^não mexam", "^não toca", "^não toquem", "^não toques"], &[""]),
    (Class::Order, &["^dont", "^do not", "^lets not", "^nobody", "^never"], &[
        "touch", "bother with", "introduce", "pull in", "bring in", "depend on", "switch", "upgrade",
        "support", "change the schema", "change the api",
    ]),
    (Class::Ban, &["is", "are", "stays", "stay", "remains", "remain", "its", "theyre", "thats"], &[
        "banned", "forbidden", "off limits", "out of scope", "off the table", "mandatory", "non negotiable",
        "not allowed", "not negotiable", "final", "frozen", "out of the question",
    ]),
    (Class::Ban, &["é", "são", "está", "estão", "tá", "tão", "fica", "ficam", "continua"], &[
        "proibido", "proibida", "proibidos", "proibidas", "vetado", "vetada", "vetados", "fora de escopo",
        "fora do escopo", "fora de questão", "obrigatório", "obrigatória", "congelado", "congelada",
        "inegociável",
    ]),
    (Class::Choose, DID, &[
        "switched", "moved", "migrated", "replaced", "swapped", "kept", "dropped", "retired", "abandoned",
        "consolidated", "pinned", "defaulted", "reverted to", "stayed with", "stayed on", "made it", "made that",
        "made the", "avoided", "preferred", "left out", "used", "built", "implemented", "stored", "went back to",
        "capped", "restricted", "modelled", "modeled", "left the", "left it", "skipped", "disabled", "enabled", "raised", "lowered",
        "reused", "separated", "wrapped", "cached", "exposed",
    ]),
    (Class::Choose, &[""], &[
        "troquei", "trocamos", "trocámos", "migrei", "mantive", "mudei", "passei", "substituí", "usei", "utilizei",
        "preferi", "larguei", "implementei", "fixei", "limitei", "deixei", "evitei", "retirei", "voltei para",
        "voltei ao", "guardei", "modelei", "restringi",
    ]),
    (Class::Lesson, TROUBLES, &[
        "was", "was that", "is that", "turned out", "turns out", "came from", "comes from", "lies in", "lay in",
        "was due", "is due", "was caused", "is caused", "were caused", "are caused", "stems from", "stemmed from",
        "was simply", "only appears", "only appeared", "only occurs", "only occurred", "only happens",
        "only happened", "only shows", "goes back to", "boils down",
        "boiled down", "happens because", "happened because", "arises", "arose",
    ]),
    (Class::Lesson, &["it", "they", "this", "that", "these", "which"], &[
        "only occurs", "only occur", "only happens", "only happen", "only happened", "only fails", "only fail",
        "only breaks", "only shows up", "only show up", "only works", "only work", "only appears", "fails because",
        "fail because", "failed because", "breaks because", "broke because", "happens because", "happened because",
        "hangs because", "was failing because", "works only",
    ]),
    (Class::Lesson, PROBLEMAS, &[
        "era", "era que", "é que", "foi que", "estava", "está em", "está na", "está no", "vinha", "vem do", "vem da",
        "vem de", "veio do", "veio da", "deve se", "devia se", "acontecia", "acontece", "só acontece", "só aparece",
        "só aparecia", "ocorria", "ocorre", "nascia", "surgia", "surge", "é causado", "é causada", "era causado",
        "era causada", "foi causado", "foi causada", "resultava",
    ]),
    (Class::Lesson, &["a causa", "a origem", "a razão", "o motivo", "a culpa", "a raiz", "o culpado", "a explicação"], &[
        "era", "do erro", "da falha", "do problema", "do bug", "de tudo", "disso", "disto", "do travamento",
        "da lentidão", "do vazamento", "da demora", "está", "estava", "foi", "é que", "é o", "é a", "vem", "real",
    ]),
    (Class::Lesson, &["acontece que", "aconteceu que", "sucede que", "acontecia que"], &[""]),
    (Class::Lesson, &["só"], &[
        "funciona", "funcionam", "funcionava", "funcionou", "dá certo se", "roda se", "compila se", "passa se",
        "arranca se", "sobe se", "aceita se", "aceita quando", "carrega se", "vale se", "liberta", "libera",
    ]),
    (Class::Lesson, &["^what happened", "^what happens", "^what bit us", "^what bites", "^what broke", "^what i learned",
        "^what we learned", "^what i missed", "^what we missed", "^what tripped"], &["", "is", "was", "here"]),
    (Class::Lesson, &["o que aconteceu", "o que acontece", "o que acontecia", "o que aprendi", "o que aprendemos",
        "o que descobri", "o que eu não sabia", "o que faltava", "o que quebrava", "o que derrubava"], &[""]),
    (Class::Lesson, &["has bitten", "have bitten", "bit", "bites", "will bite", "bitten", "burned", "burnt", "caught"], &[
        "us before", "us once", "us twice", "me once", "me before", "you later", "us hard", "me off guard",
        "us off guard",
    ]),
    (Class::Lesson, &["doesnt", "does not", "wont", "will not", "cant", "cannot", "never", "fails to", "refuses to"], &[
        "work unless", "work until", "start unless", "start until", "work without", "start without", "load unless",
        "work across", "work under", "work inside", "survive", "propagate", "cross", "inherit",
    ]),
    (Class::Lesson, &["não"], &[
        "funciona sem", "funciona em", "funciona no", "funciona na", "arranca sem", "sobe sem", "sobrevive", "herda",
        "propaga", "roda sem", "compila sem", "carrega sem",
    ]),
];
