//! Small words that carry little of a question's meaning: articles, pronouns, prepositions, auxiliaries, question
//! words. They are indexed like all words and dropped only from questions that hold other words too.

use super::language::Language;

/// Whether a folded, unstemmed word is a small word of the language. `Other` has none.
pub fn is_stop(word: &str, language: Language) -> bool {
    match language {
        Language::English => languages_of(word) & IN_ENGLISH != 0,
        Language::Portuguese => languages_of(word) & IN_PORTUGUESE != 0,
        Language::Other => false,
    }
}

pub(super) const IN_ENGLISH: u8 = 1;
pub(super) const IN_PORTUGUESE: u8 = 2;
/// Of Spanish, French, German, Italian or Dutch.
pub(super) const IN_FOREIGN: u8 = 4;

/// The languages in which it is a small word, as a sum of the constants above.
pub(super) fn languages_of(word: &str) -> u8 {
    let mut at = hash(word.as_bytes()) % PLACES;
    while let Some((held, languages)) = TABLE.get(at).filter(|place| place.1 != 0) {
        if *held == word {
            return *languages;
        }
        at = (at + 1) % PLACES;
    }
    0
}

const PLACES: usize = 2048;

/// All small words by their hash, since every text that is kept is looked up here word by word. Where a place is
/// taken the next free one holds the word.
static TABLE: [(&str, u8); PLACES] = table();

const fn table() -> [(&'static str, u8); PLACES] {
    let mut table = [("", 0); PLACES];
    let lists = [(ENGLISH, IN_ENGLISH), (PORTUGUESE, IN_PORTUGUESE), (FOREIGN, IN_FOREIGN)];
    let mut list = 0;
    while list < lists.len() {
        let (words, language) = lists[list];
        let mut index = 0;
        while index < words.len() {
            let word = words[index];
            let mut at = hash(word.as_bytes()) % PLACES;
            while table[at].1 != 0 && !same(table[at].0.as_bytes(), word.as_bytes()) {
                at = (at + 1) % PLACES;
            }
            table[at] = (word, table[at].1 | language);
            index += 1;
        }
        list += 1;
    }
    table
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

const fn hash(word: &[u8]) -> usize {
    let mut hash = 0_u32;
    let mut at = 0;
    while at < word.len() {
        hash = (hash ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 15)) as usize
}

/// Sorted by bytes; a test holds them to it.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "about", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are", "arent",
    "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can",
    "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "done", "dont",
    "down", "during", "each", "either", "ever", "few", "find", "for", "from", "further", "get", "gets",
    "getting", "give", "given", "got", "had", "has", "hasnt", "have", "havent", "having", "he", "her",
    "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "im",
    "in", "into", "is", "isnt", "it", "its", "itself", "ive", "just", "know", "lets", "like", "me",
    "might", "more", "most", "much", "must", "my", "myself", "no", "nor", "not", "now", "of", "off", "on",
    "once", "one", "only", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "per", "please",
    "rather", "s", "same", "shall", "she", "should", "shouldnt", "show", "since", "so", "some", "such", "t",
    "tell", "than", "that", "thats", "the", "their", "theirs", "them", "themselves", "then", "there",
    "theres", "these", "they", "this", "those", "through", "thus", "to", "too", "under", "until", "up",
    "upon", "us", "very", "was", "wasnt", "we", "were", "werent", "what", "whats", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "wont",
    "would", "wouldnt", "yet", "you", "your", "youre", "yours", "yourself", "yourselves",
];

/// Folded: `nao` stands for `não`.
#[rustfmt::skip]
const PORTUGUESE: &[&str] = &[
    "a", "agora", "ai", "ainda", "alem", "ali", "antes", "ao", "aos", "apenas", "aquela", "aquelas",
    "aquele", "aqueles", "aqui", "aquilo", "as", "assim", "ate", "atraves", "cada", "com", "como", "contra",
    "da", "das", "de", "dela", "delas", "dele", "deles", "depois", "desde", "dessa", "dessas", "desse",
    "desses", "desta", "destas", "deste", "destes", "deve", "devem", "devemos", "deveria", "deveriam", "devo", "diga", "disso", "disto", "do", "dos",
    "e", "ela", "elas", "ele", "eles", "em", "embora", "enquanto", "entao", "entre", "era", "eram", "essa",
    "essas", "esse", "esses", "esta", "estao", "estas", "estava", "estavam", "este", "estes", "estou", "eu",
    "faz", "fazer", "feito", "fica", "ficou", "foi", "fomos", "for", "foram", "fosse", "fossem", "fui",
    "ha", "havia", "houve", "isso", "isto", "ja", "la", "lhe", "lhes", "lo", "mais", "mas", "me", "mesma",
    "mesmas", "mesmo", "mesmos", "meu", "meus", "mim", "minha", "minhas", "mostre", "muita", "muitas",
    "muito", "muitos", "na", "nao", "nas", "nem", "nenhum", "nenhuma", "nessa", "nessas", "nesse", "nesses",
    "nesta", "nestas", "neste", "nestes", "no", "nos", "nossa", "nossas", "nosso", "nossos", "num", "numa",
    "o", "onde", "os", "ou", "outra", "outras", "outro", "outros", "para", "pela", "pelas", "pelo", "pelos",
    "perante", "pode", "podem", "podemos", "poderia", "poderiam", "pois", "por", "porem", "porque", "posso", "pra", "pro",
    "quais", "qual", "qualquer", "quando", "quanta", "quantas", "quanto", "quantos", "que", "quem", "quero",
    "sabe", "sao", "se", "seja", "sejam", "sem", "sempre", "sendo", "ser", "sera", "serao", "seria", "seu",
    "seus", "si", "sido", "so", "sob", "sobre", "somos", "sou", "sua", "suas", "tal", "tambem", "tampouco",
    "te", "tem", "temos", "tendo", "tenha", "tenho", "ter", "teu", "teus", "teve", "ti", "tinha", "tinham",
    "toda", "todas", "todo", "todos", "tu", "tua", "tuas", "tudo", "um", "uma", "umas", "uns", "vai",
    "vamos", "vao", "voce", "voces", "vos",
];

#[rustfmt::skip]
const FOREIGN: &[&str] = &[
    "aber", "al", "anche", "ancora", "auch", "auf", "aus", "avec", "bist", "cada", "ces", "cet", "cette",
    "che", "chez", "como", "con", "cual", "cuando", "cuya", "dans", "de", "degli", "del", "della", "delle",
    "dem", "der", "des", "desde", "deux", "dich", "diese", "dieser", "donde", "durch", "een", "ein", "eine",
    "einen", "einer", "eines", "el", "ella", "ellas", "elle", "elles", "ellos", "en", "entre", "es", "eso",
    "est", "esta", "este", "esto", "et", "etre", "fue", "fuer", "fur", "geen", "gli", "haben", "hacer",
    "hasta", "het", "ich", "ihr", "il", "ils", "immer", "ist", "je", "kann", "kein", "keine", "la", "las",
    "le", "les", "leur", "lo", "los", "lui", "mais", "me", "mehr", "mein", "meine", "mit", "muy", "naar",
    "nach", "nel", "nella", "ni", "nicht", "nie", "noch", "notre", "nous", "nuestra", "nuestro", "nur",
    "och", "oder", "ohne", "ook", "ou", "para", "perche", "pero", "piu", "por", "quand", "quando", "que",
    "quel", "quelle", "quello", "qui", "quoi", "se", "sehr", "sein", "si", "sich", "sie", "siempre", "sind",
    "sobre", "sono", "sont", "sopra", "stato", "su", "suis", "sur", "sus", "tambien", "tiene", "todo",
    "tous", "tout", "tres", "tu", "uber", "ueber", "un", "una", "und", "une", "unos", "unter", "vom", "von",
    "voor", "vous", "waren", "warum", "weil", "welche", "wenn", "werden", "wie", "wir", "wird", "wo", "y",
    "ya", "zijn", "zu", "zum", "zur",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_folded() {
        for list in [ENGLISH, PORTUGUESE, FOREIGN] {
            assert!(list.is_sorted_by(|a, b| a < b), "{:?}", list.windows(2).find(|pair| pair[0] >= pair[1]));
            for word in list {
                assert_eq!(crate::text::fold::folded(word), *word);
            }
        }
    }

    #[test]
    fn small_words() {
        use Language::{English, Other, Portuguese};
        let check = |word: &str, language: Language, expect: bool| {
            assert_eq!(is_stop(word, language), expect, "{word} {language:?}");
        };
        check("the", English, true);
        check("what", English, true);
        check("memory", English, false);
        check("may", English, false);
        check("nao", Portuguese, true);
        check("quando", Portuguese, true);
        check("memoria", Portuguese, false);
        check("the", Portuguese, false);
        check("the", Other, false);
    }
}
