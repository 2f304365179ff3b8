//! British spellings as American ones, where the ending tells: `behaviour`, `optimise`, `catalogue`. A text may be spelt one
//! way and the question the other.

use std::borrow::Cow;

/// Endings, the shortest word that may have each, and what stands there in American English. The first that fits is taken.
/// A few words with such an ending are spelt alike everywhere; their stem changes, and it does so in text and question.
const ENDINGS: &[(&str, usize, &str)] = &[
    ("isations", 10, "izations"),
    ("isation", 9, "ization"),
    ("isers", 7, "izers"),
    ("iser", 6, "izer"),
    ("ising", 7, "izing"),
    ("ised", 6, "ized"),
    ("ises", 6, "izes"),
    ("ise", 5, "ize"),
    ("ysing", 8, "yzing"),
    ("ysed", 7, "yzed"),
    ("yser", 7, "yzer"),
    ("yse", 6, "yze"),
    ("oural", 9, "oral"),
    ("ourable", 9, "orable"),
    ("ourites", 9, "orites"),
    ("ourite", 8, "orite"),
    ("ouring", 8, "oring"),
    ("oured", 7, "ored"),
    ("ours", 7, "ors"),
    ("our", 6, "or"),
    ("ogues", 8, "ogs"),
    ("ogue", 7, "og"),
];

/// Words that only a list tells.
const WORDS: &[(&str, &str)] = &[
    ("artefact", "artifact"),
    ("artefacts", "artifacts"),
    ("centre", "center"),
    ("centred", "centered"),
    ("centres", "centers"),
    ("cheque", "check"),
    ("cheques", "checks"),
    ("defence", "defense"),
    ("fibre", "fiber"),
    ("fibres", "fibers"),
    ("grey", "gray"),
    ("licence", "license"),
    ("licences", "licenses"),
    ("litre", "liter"),
    ("litres", "liters"),
    ("metre", "meter"),
    ("metres", "meters"),
    ("offence", "offense"),
    ("programme", "program"),
    ("programmes", "programs"),
    ("theatre", "theater"),
    ("theatres", "theaters"),
];

/// A folded English word as it is spelt in American English.
pub(super) fn american(word: &str) -> Cow<'_, str> {
    if let Ok(at) = WORDS.binary_search_by_key(&word, |(british, _)| british) {
        return WORDS.get(at).map_or(Cow::Borrowed(word), |(_, american)| Cow::Borrowed(*american));
    }
    let fits = |(ending, least, american): &(&str, usize, &'static str)| {
        let head = word.strip_suffix(ending).filter(|_| word.len() >= *least)?;
        Some(Cow::Owned(format!("{head}{american}")))
    };
    ENDINGS.iter().find_map(fits).unwrap_or(Cow::Borrowed(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_spelt_one_way() {
        for (british, expect) in [
            ("behaviour", "behavior"),
            ("behavioural", "behavioral"),
            ("colours", "colors"),
            ("favourite", "favorite"),
            ("optimise", "optimize"),
            ("optimised", "optimized"),
            ("authorisation", "authorization"),
            ("virtualisation", "virtualization"),
            ("analyse", "analyze"),
            ("analyser", "analyzer"),
            ("catalogue", "catalog"),
            ("centre", "center"),
            ("theatres", "theaters"),
        ] {
            assert_eq!(american(british), expect);
        }
    }

    #[test]
    fn others_are_left_as_they_are() {
        for word in ["hour", "four", "wise", "rise", "tour", "rogue", "center", "server", "analysis", "user"]
        {
            assert_eq!(american(word), word);
        }
        assert!(WORDS.is_sorted(), "they are found by halving");
    }
}
