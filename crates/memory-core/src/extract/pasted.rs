//! What a person pasted into a message to have it read: a mail, or a text between two rules behind "summarise this".
//! The words are somebody else's, though the person sent them.
//!
//! A stranger may write rules and headers into such a text, so a mail goes to the end of the message, and a text to the
//! last rule.

use std::borrow::Cow;
use std::ops::Range;

/// The message without what was pasted into it.
pub(super) fn without_pasted(text: &str) -> Cow<'_, str> {
    let own = text.get(..mail(text).unwrap_or(text.len())).unwrap_or(text);
    match between_rules(own) {
        Some(pasted) => Cow::Owned(format!("{}\n\n{}", &own[..pasted.start], &own[pasted.end..])),
        None => Cow::Borrowed(own),
    }
}

/// Headers of mails, in lower case.
#[rustfmt::skip]
const HEADERS: &[&str] = &[
    "from", "to", "cc", "bcc", "subject", "date", "sent", "reply-to", "message-id", "received", "return-path",
    "de", "para", "cco", "assunto", "data", "enviado", "enviada", "enviado em", "enviada em", "responder a",
];

/// Where a mail begins: at two headers or more, of which one is a subject or a sender with an address.
fn mail(text: &str) -> Option<usize> {
    let (mut start, mut count, mut telling) = (0, 0, false);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match header(line) {
            Some((name, value)) => {
                if count == 0 {
                    (start, telling) = (at, false);
                }
                count += 1;
                telling |= matches!(name.as_str(), "subject" | "assunto")
                    || matches!(name.as_str(), "from" | "de") && value.contains('@');
            }
            None => count = 0,
        }
        if count >= 2 && telling {
            return Some(start);
        }
        at += line.len();
    }
    None
}

fn header(line: &str) -> Option<(String, &str)> {
    let line = line.trim().trim_start_matches(['*', '>', ' ']);
    let (name, value) = line.split_once(':').filter(|(name, _)| name.len() <= 16)?;
    let name = name.trim_end_matches('*').to_lowercase();
    HEADERS.contains(&name.as_str()).then_some((name, value))
}

/// Words that ask to work on a text, in lower case.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "summarise", "summarize", "sum", "translate", "review", "proofread", "explain", "rewrite",
    "rephrase", "analyse", "analyze", "read", "check", "correct", "resuma", "resume", "resumir", "resumo",
    "traduza", "traduz", "traduzir", "revise", "revisa", "revisar", "reveja", "analise", "analisa", "analisar",
    "explique", "explica", "explicar", "leia", "corrija", "corrige", "corrigir", "reescreva", "reescreve",
];

/// Words for the text, in lower case.
#[rustfmt::skip]
const MEANT: &[&str] = &[
    "this", "these", "following", "below", "text", "page", "article", "isto", "isso", "este", "esta", "estes",
    "estas", "esse", "essa", "seguinte", "seguintes", "abaixo", "texto", "página", "pagina", "artigo",
];

/// A rule may stand so many lines with words behind the question.
const NEAR: usize = 3;

/// The text between the first rule close behind such words and the last rule.
fn between_rules(text: &str) -> Option<Range<usize>> {
    let mut near = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (mut asking, mut before) = (false, "");
        near -= usize::from(near > 0 && !line.trim().is_empty());
        for (start, word) in words(line) {
            if let Some(mark) = rule(word).filter(|_| near > 0) {
                let open = at + start;
                let behind = open + word.len();
                let last = words(&text[behind..]).filter(|(_, word)| rule(word) == Some(mark)).last();
                // Between the words of a sentence a single one is a dash.
                if last.is_none() && !before.is_empty() && !before.ends_with(':') {
                    continue;
                }
                return Some(open..last.map_or(text.len(), |(start, word)| behind + start + word.len()));
            }
            let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            if asking && MEANT.contains(&plain.as_str()) {
                near = NEAR + 1;
            }
            asking |= ASKING.contains(&plain.as_str());
            before = word;
        }
        at += line.len();
    }
    None
}

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    let placed = text.split_inclusive(char::is_whitespace).map(move |piece| {
        end += piece.len();
        (end - piece.len(), piece.trim_end())
    });
    placed.filter(|(_, word)| !word.is_empty())
}

/// The mark that a rule is made of.
fn rule(word: &str) -> Option<char> {
    let mark = word.chars().next().filter(|c| "-=*_~\"'".contains(*c))?;
    (word.len() >= 3 && word.chars().all(|c| c == mark)).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let own = without_pasted(text);
        assert_eq!(own.split_whitespace().collect::<Vec<_>>().join(" "), expect, "{text}");
    }

    #[test]
    fn a_mail_goes_to_the_end() {
        check("see:\nFrom: x@evil\nSubject: hi\n\nWe decided to x\n\n---\nplease", "see:");
        check("De: Ana <a@b.c>\nEnviado em: hoje\nAssunto: x\n\nDecidimos x", "");
        check("> **From:** x@evil\n> **Date:** today\nWe decided", "");
        for own in
            ["From: SQLite\nTo: Postgres\nwe move", "Subject: hi\n\nwe use x", "Data: hoje\nwe use x", ""]
        {
            check(own, &own.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    #[test]
    fn a_text_to_work_on_goes_to_the_last_rule() {
        check("summarise this page: --- we decided --- thanks", "summarise this page: thanks");
        check(
            "Please translate the following.\n\n---\nwe\n---\ndecided\n---\nok",
            "Please translate the following. ok",
        );
        check("Resuma este texto para mim:\n===\nDecidimos x", "Resuma este texto para mim:");
        check(
            "review this, I need it today\nfor the team\n\"\"\"\nwe decided\n\"\"\"",
            "review this, I need it today for the team",
        );
        for own in [
            "we decided to review this --- later",
            "we decided a\n---\nwe decided b\n---",
            "review the code\n---\nwe use x",
            "review this\na\nb\nc\nd\n---\nwe use x",
        ] {
            check(own, &own.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
