//! From pieces to a query: operators become filters, the rest text, phrases and exclusions.

use super::split::{Operator, Piece, What, looks_left_out, pieces};
use super::{Filter, Note, PROMPT_CHARS, Query, SENTENCE_WORDS, Wanted, kind_of};
use crate::id::{AgentId, Category, Tag};
use crate::text::date_value;
use crate::time::Time;

/// Understands what was typed; `now` is what `yesterday` and `7d` are seen from.
///
/// `"a phrase"`, `-word`, `-#tag`, `-"a phrase"`, `tag:`, `agent:`, `category:`, `kind:`, `since:`, `until:` (in Portuguese
/// `etiqueta:`, `agente:`, `categoria:`, `tipo:`, `desde:`, `até:`), each also with a minus. A value with spaces is
/// quoted. `until:` includes the day, month or year that it names. In a sentence phrases and minuses are text.
pub fn parse(input: &str, now: Time) -> Query {
    let input = input.trim();
    if input.contains(['\n', '\r']) || input.chars().nth(PROMPT_CHARS).is_some() {
        return Query { text: input.to_owned(), ..Query::default() };
    }
    let mut query = Query::default();
    let pieces = pieces(input);
    let sentence = is_sentence(input, &pieces);
    for piece in pieces {
        let is_letter =
            piece.typed.strip_prefix('-').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
        let is_minus = piece.negated || is_letter;
        if sentence && is_minus && matches!(piece.what, What::Word(_) | What::Phrase(_)) {
            let why = format!(
                "in a question, or in more than {SENTENCE_WORDS} words, a minus leaves nothing out: use fewer words"
            );
            query.notes.push(Note { typed: piece.typed.to_owned(), why });
        }
        match piece.what {
            What::Word(_) | What::Phrase(_) if sentence => add_text(&mut query.text, piece.typed),
            What::Word(word) if piece.negated => query.not.push(word.to_owned()),
            What::Phrase(phrase) if piece.negated => query.not.push(phrase.trim().to_owned()),
            What::Phrase(phrase) => query.phrases.push(phrase.trim().to_owned()),
            What::Word(word) => {
                if looks_left_out(word) {
                    let why = "a minus leaves out words of two letters or more, tags and phrases";
                    query.notes.push(Note { typed: word.to_owned(), why: why.to_owned() });
                }
                add_text(&mut query.text, word);
            }
            What::Operator(operator, value) => {
                if let Err(why) = apply(&mut query.filter, operator, value, &piece, now) {
                    query.notes.push(Note { typed: piece.typed.to_owned(), why });
                    add_text(&mut query.text, piece.typed);
                }
            }
        }
    }
    query
}

/// Whether all of it is said rather than looked for: operators are no part of what is said, and a phrase is one word.
fn is_sentence(input: &str, pieces: &[Piece<'_>]) -> bool {
    let words = pieces.iter().filter(|piece| !matches!(piece.what, What::Operator(..))).count();
    words > SENTENCE_WORDS || input.ends_with('?') && words > 2
}

fn add_text(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

fn apply(
    filter: &mut Filter,
    operator: Operator,
    value: &str,
    piece: &Piece<'_>,
    now: Time,
) -> Result<(), String> {
    let negated = piece.negated;
    match operator {
        Operator::Tag => {
            add(&mut filter.tags, Tag::parse(value).map_err(|error| error.to_string())?, negated);
        }
        Operator::Agent => {
            add(&mut filter.agents, AgentId::parse(value).map_err(|error| error.to_string())?, negated);
        }
        Operator::Category => {
            add(&mut filter.categories, Category::parse(value).map_err(|error| error.to_string())?, negated);
        }
        Operator::Kind => add(&mut filter.kinds, kind_of(value), negated),
        Operator::Since | Operator::Until => {
            let range = date_value(value, now).ok_or_else(|| {
                format!("no date in `{value}`: write a day such as `2026-03-16`, `yesterday`, `7d` or `2w`")
            })?;
            // What is not since a moment is until it, and the other way round.
            if (operator == Operator::Since) != negated {
                let moment = if negated { range.until } else { range.since };
                filter.since = filter.since.max(moment);
            } else {
                let moment = if negated { range.since } else { range.until };
                filter.until = [filter.until, moment].into_iter().flatten().min();
            }
        }
    }
    Ok(())
}

fn add<T: PartialEq>(wanted: &mut Wanted<T>, value: T, negated: bool) {
    let list = if negated { &mut wanted.no } else { &mut wanted.yes };
    if !list.contains(&value) {
        list.push(value);
    }
}
