//! Whether a memory is on the topic of a prompt. A prompt is answered only by what is, since every line that an agent
//! reads for nothing costs attention.

use crate::search::{Answer, Hit, Word};

/// Of so many rarest words of a prompt a memory must hold its share.
const RAREST: usize = 6;
/// The share of their weight that it must hold.
const SHARE: f32 = 0.34;
/// What a word weighs that no memory holds, beside one that a single memory holds: it is a part of what is asked, and
/// no memory answers that part.
const UNKNOWN: f32 = 0.5;

/// Words that any memory may hold, whatever it is about.
#[rustfmt::skip]
const WEAK: &[&str] = &[
    "use", "uses", "used", "using", "go", "goes", "going", "get", "gets", "make", "makes", "do", "does", "did", "done",
    "let", "lets", "keep", "keeps", "run", "runs", "put", "take", "give", "want", "need", "try", "look", "looks", "see",
    "show", "tell", "know", "think", "say", "said", "work", "works", "add", "fix", "change", "update", "write", "check",
    "start", "continue", "ok", "yes", "no", "next", "again", "now", "also", "then", "please", "right", "other", "one",
    "thing", "things", "new", "first", "last", "good",
    "usar", "usa", "uso", "usamos", "fazer", "faz", "faca", "ir", "vai", "vamos", "ver", "ve", "veja", "dar", "ter",
    "tem", "temos", "ser", "quero", "preciso", "tenta", "tentar", "olha", "mostra", "diz", "sabe", "acho", "muda",
    "mudar", "adiciona", "adicionar", "corrige", "corrigir", "escreve", "escrever", "roda", "rodar", "corre", "correr",
    "continua", "continuar", "segue", "sim", "nao", "proximo", "proxima", "agora", "novo", "nova", "outro", "outra",
    "coisa", "bom", "boa",
];

/// Whether a memory holds enough of what the prompt is about: of its rarest words.
pub(super) fn is_met(answer: &Answer, hit: &Hit) -> bool {
    let rarity = |memories: usize| (1.0 + answer.among as f32 / (memories as f32 + 0.5)).ln();
    let weight = |word: &&Word| match word.memories {
        _ if WEAK.contains(&word.word.as_str()) => 0.0,
        0 => UNKNOWN * rarity(1),
        memories => rarity(memories),
    };
    let mut weights: Vec<f32> = answer.words.iter().map(|word| weight(&word)).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let most: f32 = weights.iter().take(RAREST).sum();
    let is_held = |word: &&Word| hit.matched.iter().any(|(matched, _)| *matched == word.word);
    let held: f32 = answer.words.iter().filter(is_held).map(|word| weight(&word)).sum();
    held > 0.0 && held >= SHARE * most
}
