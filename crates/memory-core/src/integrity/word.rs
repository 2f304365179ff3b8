//! A sentence as words: each folded, stemmed, and measured where it is a quantity.

use crate::text::{Analyser, Language, folded, is_stop};

/// One word of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// Lower case, without accents.
    pub(super) plain: String,
    pub(super) stem: String,
    /// It narrows nothing by itself: an article, a pronoun, a preposition.
    pub(super) is_stop: bool,
    /// It is written as names are: with a capital inside a sentence, in quotes or as code.
    pub(super) is_name: bool,
    /// The Portuguese `é`, which folded would be `e`.
    pub(super) is_copula: bool,
    pub(super) amount: Option<Amount>,
    /// The sign that follows it: `,`, `:`, `;`, `=`, or a space for none.
    pub(super) then: char,
}

/// A quantity in the smallest unit of its sort.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) value: String,
    pub(super) unit: String,
}

/// The words of a sentence; what stands in parentheses is left out.
pub(super) fn words(sentence: &str, language: Language, analyser: &mut Analyser) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut depth = 0_usize;
    for piece in sentence.split_whitespace() {
        let opens = piece.matches(['(', '[']).count();
        let closes = piece.matches([')', ']']).count();
        let inside = depth > 0 || opens > closes || piece.starts_with(['(', '[']) && closes > 0;
        depth = (depth + opens).saturating_sub(closes);
        if inside || piece.starts_with('#') {
            continue;
        }
        if matches!(piece, "=" | "->" | "→" | "—" | "–" | "-") {
            if let Some(last) = words.last_mut() {
                last.then = if piece == "=" { '=' } else { ',' };
            }
            continue;
        }
        let coded = piece.contains(['`', '"', '“']) || piece.starts_with('\'');
        let bare =
            piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '$' | '_' | '/' | '+'));
        // "We're" is no "were".
        let plain = folded(bare.strip_suffix("'re").or_else(|| bare.strip_suffix("’re")).unwrap_or(bare));
        if plain.is_empty() {
            continue;
        }
        let capital = !words.is_empty() && bare.chars().next().is_some_and(char::is_uppercase);
        let then = piece.chars().next_back().filter(|c| matches!(c, ',' | ':' | ';' | '=')).unwrap_or(' ');
        let amount = amount(&plain);
        words.push(Word {
            stem: analyser.stem(&plain, language).to_owned(),
            // Of a short text nobody can tell the language for sure.
            is_stop: is_stop(&plain, Language::English) || is_stop(&plain, Language::Portuguese),
            is_name: coded || capital,
            is_copula: matches!(bare.to_lowercase().as_str(), "é" | "são"),
            amount,
            then,
            plain,
        });
    }
    join_units(&mut words);
    words
}

/// `30 seconds` is one quantity, and `GitHub Actions` one name.
fn join_units(words: &mut Vec<Word>) {
    let mut n = 0;
    while n + 1 < words.len() {
        let next = words[n + 1].plain.clone();
        if words[n].then == ' '
            && let Some(amount) = words[n].amount.as_mut().filter(|amount| amount.unit.is_empty())
            && let Some((factor, unit)) = unit(&next)
        {
            *amount = scaled(&amount.value, factor, unit);
            words[n].then = words[n + 1].then;
            words.remove(n + 1);
            continue;
        }
        let pair = format!("{}-{next}", words[n].plain);
        if matches!(pair.as_str(), "github-actions" | "gitlab-ci" | "long-polling" | "merge-commits") {
            words[n].stem.clone_from(&pair);
            words[n].plain = pair;
            words[n].then = words[n + 1].then;
            words.remove(n + 1);
        }
        n += 1;
    }
}

/// A word that is a number, with its unit if that is written at once with it.
fn amount(plain: &str) -> Option<Amount> {
    let small = ["zero", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let pequenos = ["zero", "", "dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"];
    let spelled = small.iter().position(|word| !word.is_empty() && *word == plain);
    let spelled = spelled.or_else(|| pequenos.iter().position(|word| !word.is_empty() && *word == plain));
    if let Some(number) = spelled {
        return Some(Amount { value: number.to_string(), unit: String::new() });
    }
    let body = plain.trim_start_matches(['$', '€']).trim_start_matches("r$");
    let version = body.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let body = version.unwrap_or(body);
    let end =
        body.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '_'))).unwrap_or(body.len());
    let (number, rest) = body.split_at(end);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let number = number.trim_end_matches(['.', ',']).replace(['_', ','], "");
    match rest {
        "" => Some(Amount { value: number, unit: String::new() }),
        rest => unit(rest).map(|(factor, unit)| scaled(&number, factor, unit)),
    }
}

fn scaled(number: &str, factor: f64, unit: &str) -> Amount {
    let value = match number.parse::<f64>() {
        Ok(value) if factor != 1.0 => (value * factor).to_string(),
        _ => number.to_owned(),
    };
    Amount { value, unit: unit.to_owned() }
}

/// How many of the smallest unit of its sort a unit is.
fn unit(word: &str) -> Option<(f64, &'static str)> {
    Some(match word {
        "ms" | "millisecond" | "milliseconds" | "milissegundos" => (1.0, "ms"),
        "s" | "sec" | "secs" | "second" | "seconds" | "segundo" | "segundos" => (1e3, "ms"),
        "min" | "mins" | "minute" | "minutes" | "minuto" | "minutos" => (6e4, "ms"),
        "h" | "hour" | "hours" | "hora" | "horas" => (3.6e6, "ms"),
        "d" | "day" | "days" | "dia" | "dias" => (8.64e7, "ms"),
        "week" | "weeks" | "semana" | "semanas" => (6.048e8, "ms"),
        "month" | "months" | "mes" | "meses" => (1.0, "month"),
        "year" | "years" | "ano" | "anos" => (12.0, "month"),
        "b" | "bytes" | "byte" => (1.0, "byte"),
        "kb" | "kib" => (1e3, "byte"),
        "mb" | "mib" => (1e6, "byte"),
        "gb" | "gib" => (1e9, "byte"),
        "tb" | "tib" => (1e12, "byte"),
        "%" | "percent" | "porcento" => (1.0, "%"),
        "k" => (1e3, ""),
        "px" => (1.0, "px"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, expect: &str) {
        let shown: Vec<String> = words(sentence, Language::English, &mut Analyser::new())
            .iter()
            .map(|word| match &word.amount {
                Some(amount) => format!("{}{}", amount.value, amount.unit),
                None => word.plain.clone(),
            })
            .collect();
        assert_eq!(shown.join(" "), expect, "{sentence}");
    }

    #[test]
    fn quantities_have_one_form() {
        check("It expires after 30 seconds.", "it expires after 30000ms");
        check("It expires after 30s", "it expires after 30000ms");
        check("two replicas, 1.5 GB", "2 replicas 1500000000byte");
        check("version v1.2.3 at 50%", "version 1.2.3 at 50%");
        check("port 8080 (not 80) #net", "port 8080");
        check("GitHub Actions", "github-actions");
    }
}
