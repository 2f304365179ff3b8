//! When a question means: the stretch of time it names, if it names one.

use super::bound::{Bounded, DateRange};
use super::calendar::{is_year, month_named, ordinal};
use super::fold::folded;
use super::span::{Place, Words, apart, day_of};
use crate::time::Time;

/// Longer texts are not questions about time, and their first words are enough.
const WORDS: usize = 400;
/// Bytes of the longest word that may name one.
const LONGEST: usize = 40;

/// A stretch of time that a question names, and the words that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTime {
    /// The stretch.
    pub range: DateRange,
    /// The words that name it, in lower case and without accents.
    pub words: Vec<String>,
    /// Whether it is only a bound: nobody who asks for what was `before June` wants June.
    pub is_bound: bool,
    /// Whether it is told from now (`yesterday`, `3 weeks ago`) and not by its date.
    pub is_relative: bool,
}

/// The first stretch of time that a question names, in English or Portuguese: `yesterday`, `semana passada`,
/// `in May 2023`, `since Monday`, `há 3 dias`, `between March and May`, `2026-03-16`. Seen from `now`; a month or
/// weekday without year is the latest that is not in the future. A question that is nothing but `november` names it
/// too, unless it may as well be another word.
pub fn named_time(question: &str, now: Time) -> Option<NamedTime> {
    let words = words_of(question);
    let reader = Words { words: &words, now, today: day_of(now)? };
    let in_sentence = |at: usize| Some((at, reader.span(at, Place::Sentence)?));
    let alone = || {
        let (span, taken) = reader.span(0, Place::Value)?;
        let is_name =
            words.iter().any(|word| word.len() > 3 && word.chars().all(|c| c.is_alphabetic() || c == '-'))
                || words.first().is_some_and(|word| word.starts_with('q'));
        let is_other =
            matches!(reader.word(0), "march" | "segunda" | "terca" | "quarta" | "quinta" | "sexta");
        (taken == words.len() && is_name && !(is_other && taken == 1)).then_some((0, (span, taken)))
    };
    let (at, (span, taken)) = (0..words.len()).find_map(in_sentence).or_else(alone)?;
    let Bounded { range, from, until } = reader.bounded(at, at + taken, span);
    let named = words.get(from..until.unwrap_or(at + taken)).unwrap_or_default();
    Some(NamedTime {
        range,
        words: named.to_vec(),
        is_bound: until.is_some(),
        is_relative: named.iter().any(|word| RELATIVE.contains(&word.as_str()))
            // `last week of March 2025` is told by its date, `2000 days ago` is not.
            && !(named.len() > 2 && named.iter().skip(1).any(|word| names_a_date(word))),
    })
}

fn names_a_date(word: &str) -> bool {
    month_named(word).is_some() || word.len() == 4 && ordinal(word).is_some_and(is_year)
}

const RELATIVE: &[&str] = &[
    "ago",
    "last",
    "past",
    "yesterday",
    "today",
    "tonight",
    "this",
    "atras",
    "ha",
    "faz",
    "ontem",
    "anteontem",
    "hoje",
    "passada",
    "passado",
    "ultima",
    "ultimas",
    "ultimo",
    "ultimos",
    "esta",
    "este",
    "nesta",
    "neste",
    "desta",
    "deste",
];

/// `16.03`, which is a time behind `on` or `em` alone.
fn is_day_and_month(word: &str) -> bool {
    let is = |number: &str| number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit());
    word.split_once('.').is_some_and(|(day, month)| is(day) && is(month))
}

/// The stretch of time that a value such as that of `since:` names; all of the value must be part of it. Beside what
/// [`named_time`] knows, a bare `march`, `monday` or `2023` is understood, and `7d`, `2w`, `3m`, `1y`, `12h`, which are
/// the day, or the minute, so long ago. A date with a time of day is that minute, or that moment where it is told finer.
pub fn date_value(value: &str, now: Time) -> Option<DateRange> {
    let value = value.trim();
    if value.contains(['T', ':'])
        && let Some(time) = Time::parse(value)
    {
        let length = if time.0 % 60_000 == 0 { 60_000 } else { 1 };
        return Some(DateRange { since: Some(time), until: Some(Time(time.0.saturating_add(length))) });
    }
    let words = words_of(value);
    let reader = Words { words: &words, now, today: day_of(now)? };
    let (span, taken) = reader.span(0, Place::Value)?;
    (taken == words.len()).then_some(DateRange { since: Some(span.from), until: Some(span.to) })
}

fn words_of(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '.' | '\u{300}'..='\u{36f}');
    let words = text.split(|c: char| !is_part(c)).flat_map(|word| {
        // A dot belongs to a word only in a date: `16.3.2026`.
        let word = word.trim_matches(['-', '/', '.']);
        let is_date = apart(word, '.').is_some() || is_day_and_month(word);
        word.split(move |c| c == '.' && !is_date)
    });
    let words = words.map(|word| word.trim_matches(['-', '/']));
    let words = words.filter(|word| !word.is_empty()).take(WORDS);
    // No name of a time is so long.
    words.map(|word| if word.len() > LONGEST { String::from("…") } else { folded(word) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thursday, 2026-03-19, at 10:30.
    const NOW: &str = "2026-03-19T10:30";

    fn shown(range: Option<DateRange>) -> String {
        let end = |time: Option<Time>| time.map_or(String::new(), |time| time.minute().replace("T00:00", ""));
        range.map_or("none".to_owned(), |range| format!("{}..{}", end(range.since), end(range.until)))
    }

    fn check(question: &str, expect: &str) {
        let now = Time::parse(NOW).unwrap();
        assert_eq!(shown(named_time(question, now).map(|named| named.range)), expect, "{question}");
    }

    fn check_value(value: &str, expect: &str) {
        let now = Time::parse(NOW).unwrap();
        assert_eq!(shown(date_value(value, now)), expect, "{value}");
    }

    #[test]
    fn days() {
        check("what did we do yesterday?", "2026-03-18..2026-03-19");
        check("o que fizemos ontem", "2026-03-18..2026-03-19");
        check("hoje", "2026-03-19..2026-03-20");
        check("anteontem", "2026-03-17..2026-03-18");
        check("the day before yesterday", "2026-03-17..2026-03-18");
        check("notes of 2026-03-16", "2026-03-16..2026-03-17");
        check("2026-03-16T16:51 log", "2026-03-16..2026-03-17");
        check("em 16/03/2026", "2026-03-16..2026-03-17");
        check("on 03/16/2026", "2026-03-16..2026-03-17");
        check("on 16.03.2026.", "2026-03-16..2026-03-17");
        check("am 7.3.2026", "2026-03-07..2026-03-08");
        check("version 7.13.20", "none");
        check("deployed.yesterday", "2026-03-18..2026-03-19");
        check("on 7 May 2023", "2023-05-07..2023-05-08");
        check("on May 7th, 2023", "2023-05-07..2023-05-08");
        check("em 7 de maio de 2023", "2023-05-07..2023-05-08");
        check("dia 7 de maio", "2025-05-07..2025-05-08");
        check("on March 7", "2026-03-07..2026-03-08");
        check("on 29 February", "2024-02-29..2024-03-01");
        check("3 days ago", "2026-03-16..2026-03-17");
        check("há 3 dias", "2026-03-16..2026-03-17");
        check("três dias atrás", "2026-03-16..2026-03-17");
        check("faz 2 dias que", "2026-03-17..2026-03-18");
    }

    #[test]
    fn weeks_months_and_years() {
        check("last week", "2026-03-09..2026-03-16");
        check("na semana passada", "2026-03-09..2026-03-16");
        check("this week", "2026-03-16..2026-03-23");
        check("tarefas desta semana", "2026-03-16..2026-03-23");
        check("notes from january", "2026-01-01..2026-02-01");
        check("everything from january on", "2026-01-01..");
        check("esta semana", "2026-03-16..2026-03-23");
        check("this month", "2026-03-01..2026-04-01");
        check("no mês passado", "2026-02-01..2026-03-01");
        check("last year", "2025-01-01..2026-01-01");
        check("2 weeks ago", "2026-03-02..2026-03-09");
        check("a couple of weeks ago", "2026-03-02..2026-03-09");
        check("há um mês", "2026-02-01..2026-03-01");
        check("the past 3 days", "2026-03-16..2026-03-20");
        check("nas últimas 2 semanas", "2026-03-05..2026-03-20");
        check("in March", "2026-03-01..2026-04-01");
        check("em março", "2026-03-01..2026-04-01");
        check("in May", "2025-05-01..2025-06-01");
        check("in May 2023", "2023-05-01..2023-06-01");
        check("maio de 2023", "2023-05-01..2023-06-01");
        check("last March", "2026-03-01..2026-04-01");
        check("in 2023", "2023-01-01..2024-01-01");
        check("2026-02", "2026-02-01..2026-03-01");
    }

    #[test]
    fn parts_of_months_and_years() {
        check("what did we ship in Q4", "2025-10-01..2026-01-01");
        check("Q1 2026 goals", "2026-01-01..2026-04-01");
        check("the third quarter of 2025", "2025-07-01..2025-10-01");
        check("H2 2025", "2025-07-01..2026-01-01");
        check("segundo semestre de 2025", "2025-07-01..2026-01-01");
        check("no primeiro trimestre", "2026-01-01..2026-04-01");
        check("last quarter", "2025-10-01..2026-01-01");
        check("neste trimestre", "2026-01-01..2026-04-01");
        check("trimestre passado", "2025-10-01..2026-01-01");
        check("two quarters ago", "2025-07-01..2025-10-01");
        check("last weekend", "2026-03-14..2026-03-16");
        check("no fim de semana passado", "2026-03-14..2026-03-16");
        check("this weekend", "2026-03-21..2026-03-23");
        check("the first week of 2026", "2026-01-01..2026-01-08");
        check("first week of March", "2026-03-01..2026-03-08");
        check("last week of february", "2026-02-22..2026-03-01");
        check("na segunda semana de março", "2026-03-08..2026-03-15");
        check("early February 2026", "2026-02-01..2026-02-10");
        check("in mid-February", "2026-02-10..2026-02-19");
        check("at the end of 2025", "2025-09-01..2026-01-01");
        check("meados de janeiro", "2026-01-11..2026-01-21");
        check("no início do mês passado", "2026-02-01..2026-02-10");
        check("since the beginning of March", "2026-03-01..");
        check("the week of March 5", "2026-03-02..2026-03-09");
        check("na semana de 5 de março", "2026-03-02..2026-03-09");
        check("the week before 16 February", "2026-02-09..2026-02-16");
        check("the day after 2026-03-01", "2026-03-02..2026-03-03");
        for question in [
            "quarter of the heap",
            "the first half",
            "fim de semana",
            "weekend",
            "end of file",
            "mid-size",
            "in the first half of the log",
        ] {
            check(question, "none");
        }
    }

    #[test]
    fn from_one_to_another() {
        check("between 1 and 15 October", "2025-10-01..2025-10-16");
        check("from 1 to 15 october", "2025-10-01..2025-10-16");
        check("de 1 a 15 de outubro", "2025-10-01..2025-10-16");
        check("entre 1 e 15 de outubro", "2025-10-01..2025-10-16");
        check("2026-03-01 to 2026-03-10", "2026-03-01..2026-03-11");
        check("2026-03-01..2026-03-10", "2026-03-01..2026-03-11");
        check("2025-12-20 - 2026-01-05", "2025-12-20..2026-01-06");
        check("in January and February", "2026-01-01..2026-03-01");
        check("in 2024 and 2025", "2024-01-01..2026-01-01");
        check("from January to March", "2026-01-01..2026-04-01");
        check("de janeiro a março", "2026-01-01..2026-04-01");
        check("the first of March", "2026-03-01..2026-03-02");
        check("primeiro de março", "2026-03-01..2026-03-02");
        check("more than a month ago", "..2026-02-19");
        check("older than 6 months ago", "..2025-09-19");
        check("less than a week ago", "2026-03-12..");
        check("há mais de um mês", "..2026-02-19");
        check("later than March 7", "2026-03-08..");
        check("prior to March 7", "..2026-03-07");
        check("até ao fim de março", "..2026-04-01");
        check("até o fim de março", "..2026-04-01");
    }

    #[test]
    fn years_weeks_and_months_in_words() {
        check("in May last year", "2025-05-01..2025-06-01");
        check("em maio do ano passado", "2025-05-01..2025-06-01");
        check("maio do ano passado", "2025-05-01..2025-06-01");
        check("no segundo semestre do ano passado", "2025-07-01..2026-01-01");
        check("first quarter of last year", "2025-01-01..2025-04-01");
        check("first quarter of this year", "2026-01-01..2026-04-01");
        check("2025 Q4", "2025-10-01..2026-01-01");
        check("Q4/2025", "2025-10-01..2026-01-01");
        check("Q3", "2025-07-01..2025-10-01");
        check("on Tuesday last week", "2026-03-10..2026-03-11");
        check("on Monday of last week", "2026-03-09..2026-03-10");
        check("this Friday", "2026-03-20..2026-03-21");
        check("this January", "2026-01-01..2026-02-01");
        check("março passado", "2025-03-01..2025-04-01");
        check("on the last day of February", "2026-02-28..2026-03-01");
        check("último dia de fevereiro", "2026-02-28..2026-03-01");
        check("the last three months of 2025", "2025-10-01..2026-01-01");
        check("the first six months of 2025", "2025-01-01..2025-07-01");
        check("primeira metade de 2025", "2025-01-01..2025-07-01");
        check("primeira quinzena de fevereiro", "2026-02-01..2026-02-16");
        check("segunda quinzena de fevereiro", "2026-02-16..2026-03-01");
        check("the month before February", "2026-01-01..2026-02-01");
        check("the week starting 16 February", "2026-02-16..2026-02-23");
        check("half a year ago", "2025-09-01..2025-10-01");
        check("há um ano e meio", "2024-09-01..2024-10-01");
        check("a fortnight ago", "2026-03-02..2026-03-09");
        check("há quinze dias", "2026-03-04..2026-03-05");
        check("thirty days ago", "2026-02-17..2026-02-18");
        check("2000 days ago", "2020-09-26..2020-09-27");
        check("nos últimos meses", "2025-12-19..2026-03-20");
        check("in the last days", "2026-03-16..2026-03-20");
        check("the last couple of days", "2026-03-17..2026-03-20");
        check("past 7d", "2026-03-12..2026-03-20");
        check("the week before last", "2026-03-02..2026-03-09");
        check("semana retrasada", "2026-03-02..2026-03-09");
        check("antes de ontem", "2026-03-17..2026-03-18");
        check("last night", "2026-03-18..2026-03-19");
        check("over the weekend", "2026-03-14..2026-03-16");
        check("no fim de semana", "2026-03-14..2026-03-16");
        check("desde o início do mês", "2026-03-01..");
        check("at the start of the year", "2026-01-01..2026-05-02");
        check("in Jan", "2026-01-01..2026-02-01");
        check("since Jan", "2026-01-01..");
        check("on Mon", "2026-03-16..2026-03-17");
        check("last Fri", "2026-03-13..2026-03-14");
        check("on Mar 16", "2026-03-16..2026-03-17");
        check("em 16/03", "2026-03-16..2026-03-17");
        check("on 16.03.", "2026-03-16..2026-03-17");
        check("em 16/03/26", "2026-03-16..2026-03-17");
        check("03/2026", "2026-03-01..2026-04-01");
        check("março/2026", "2026-03-01..2026-04-01");
        check("20260316", "2026-03-16..2026-03-17");
        check("no dia 16", "2026-03-16..2026-03-17");
        check("on the 16th", "2026-03-16..2026-03-17");
    }

    #[test]
    fn words_of_times_that_name_none() {
        for question in [
            "node 2 may crash",
            "2 out of 3 replicas",
            "how late may the job start",
            "early may I know",
            "the end of 2000 lines",
            "gives up after 2000 ms",
            "a limit of 2000 rows",
            "what do we use in h2",
            "the size of h2 headings",
            "na quarta coluna",
            "na segunda opção do menu",
            "há um ano de garantia",
            "16/9 format",
            "port 20300",
            "last 3 digits",
            "the last three rows",
            "the first of all",
            "month of work",
            "version 10.4.2024",
        ] {
            check(question, "none");
        }
        let long = format!("{}march", "mid-".repeat(40_000));
        check(&long, "none");
        check(&"end of ".repeat(400), "none");
    }

    #[test]
    fn directions() {
        check("since Monday", "2026-03-16..");
        check("desde segunda-feira", "2026-03-16..");
        check("desde a segunda", "2026-03-16..");
        check("since last week", "2026-03-09..");
        check("after March 7", "2026-03-08..");
        check("before 2026-03-16", "..2026-03-16");
        check("antes de março", "..2026-03-01");
        check("until March", "..2026-04-01");
        check("até ontem", "..2026-03-19");
        check("a partir de janeiro de 2026", "2026-01-01..");
        check("between January and March 2026", "2026-01-01..2026-04-01");
        check("entre janeiro e março", "2026-01-01..2026-04-01");
        check("from 2026-01-05 to 2026-01-07", "2026-01-05..2026-01-08");
        check("on Friday", "2026-03-13..2026-03-14");
        check("on Thursday", "2026-03-19..2026-03-20");
        check("last Thursday", "2026-03-12..2026-03-13");
        check("na sexta-feira passada", "2026-03-13..2026-03-14");
        check("2 hours ago", "2026-03-19T08:30..2026-03-20");
    }

    #[test]
    fn bounds_are_no_words_to_look_for() {
        let now = Time::parse(NOW).unwrap();
        for (question, expect) in [
            ("cache before June", "june"),
            ("cache antes de junho de 2025", "junho de 2025"),
            ("login between January and March 2026", "january and march 2026"),
            ("deploys until 2026-03-16", "2026-03-16"),
            ("cache in June", ""),
            ("what did we do yesterday", ""),
            ("cache", ""),
        ] {
            let bounds = named_time(question, now).filter(|named| named.is_bound);
            assert_eq!(bounds.map_or(String::new(), |named| named.words.join(" ")), expect, "{question}");
        }
    }

    #[test]
    fn a_question_may_be_a_time_and_nothing_else() {
        check("november", "2025-11-01..2025-12-01");
        check("Novembro?", "2025-11-01..2025-12-01");
        check("friday", "2026-03-13..2026-03-14");
        check("March 2025", "2025-03-01..2025-04-01");
        check("11 november", "2025-11-11..2025-11-12");
        check("nov 11", "2025-11-11..2025-11-12");
        check("what did we do on november 11th", "2025-11-11..2025-11-12");
    }

    #[test]
    fn no_time_is_named() {
        for question in [
            "",
            "march",
            "may",
            "2023",
            "7d",
            "segunda",
            "november rain",
            "may I march on",
            "it may break",
            "version 2.0 of the api",
            "segunda opção",
            "port 2023",
            "the last step",
            "this is it",
            "3 days of work",
            "a week",
            "out of 10 5",
        ] {
            check(question, "none");
        }
    }

    #[test]
    fn values() {
        check_value("2026-01-01", "2026-01-01..2026-01-02");
        check_value("yesterday", "2026-03-18..2026-03-19");
        check_value("7d", "2026-03-12..2026-03-13");
        check_value("2w", "2026-03-05..2026-03-06");
        check_value("12h", "2026-03-18T22:30..2026-03-18T22:31");
        check_value("março", "2026-03-01..2026-04-01");
        check_value("monday", "2026-03-16..2026-03-17");
        check_value("2023", "2023-01-01..2024-01-01");
        check_value("last week", "2026-03-09..2026-03-16");
        check_value("2026-03-16T16:51", "2026-03-16T16:51..2026-03-16T16:52");
        check_value("rubbish", "none");
        check_value("7", "none");
        check_value("yesterday and more", "none");
        check_value("99999999d", "none");
        check_value("", "none");
    }

    #[test]
    fn a_range_is_open_at_its_end() {
        let range = DateRange { since: Some(Time(5)), until: Some(Time(7)) };
        assert_eq!([4, 5, 6, 7].map(|ms| range.contains(Time(ms))), [false, true, true, false]);
        assert!(DateRange::default().contains(Time(0)));
    }
}
