//! What a person pasted into a message to have it read: a mail, a text between two rules behind "summarise this", one
//! behind a line such as "Fix this issue:", one between tags. The words are somebody else's, though the person sent
//! them.
//!
//! A stranger may write rules, headers and tags into such a text, so a mail goes to the end of the message as what
//! follows such a line does, a text to the last rule, and what a tag opens to the last tag that closes it.

use std::borrow::Cow;
use std::ops::Range;

/// The message without what was pasted into it.
pub(super) fn without_pasted(text: &str) -> Cow<'_, str> {
    let text = without_tagged(text);
    let own = text.get(..mail(&text).unwrap_or(text.len())).unwrap_or(&text);
    let handed = handed(own);
    let ruled = between_rules(own).filter(|ruled| {
        // A rule belongs to what was handed over, unless it opens it.
        handed.is_none_or(|at| at >= ruled.start || own[at..ruled.start].trim().is_empty())
    });
    match (ruled, handed) {
        (Some(ruled), _) => {
            let behind = &own[ruled.end..];
            let behind = &behind[..self::handed(behind).unwrap_or(behind.len())];
            Cow::Owned(format!("{}\n\n{behind}", &own[..ruled.start]))
        }
        (None, Some(at)) => Cow::Owned(own[..at].to_owned()),
        (None, None) if own.len() == text.len() => text,
        (None, None) => Cow::Owned(own.to_owned()),
    }
}

/// Behind so many tags nothing more is read.
const MOST_TAGS: usize = 64;

/// The text without what stands between tags on lines of their own. A tag that nothing closes hides what follows.
fn without_tagged(text: &str) -> Cow<'_, str> {
    let mut rest = text;
    let mut out = String::new();
    for n in 0..=MOST_TAGS {
        let Some((open, name)) = first_tag(rest) else { break };
        out.push_str(&rest[..open]);
        out.push('\n');
        let inside = &rest[open..];
        let end = inside.rfind(&format!("</{name}>")).filter(|_| n < MOST_TAGS);
        rest = end.map_or("", |at| &inside[at + name.len() + 3..]);
    }
    if out.is_empty() && rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Where the first line begins that is a tag, or stands between one and its end, and the name of the tag.
fn first_tag(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let name = bare.strip_prefix('<').map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_-:".contains(c));
            &rest[..end.unwrap_or(rest.len())]
        });
        let is_tag = |name: &&str| {
            let whole = bare.find('>').is_some_and(|end| end + 1 == bare.len() && !bare.ends_with("/>"));
            let ended = bare.strip_suffix('>').is_some_and(|rest| rest.ends_with(&format!("</{name}")));
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && (whole || ended)
        };
        if let Some(name) = name.filter(is_tag) {
            return Some((at, name));
        }
        at += line.len();
    }
    None
}

/// Words for what others wrote, in lower case.
#[rustfmt::skip]
const DOCUMENTS: &[&str] = &[
    "issue", "issues", "readme", "pr", "page", "article", "text", "message", "email", "e-mail", "mail", "log", "logs",
    "output", "document", "description", "comment", "ticket", "thread", "post", "transcript", "changelog", "snippet",
    "quote", "letter", "página", "pagina", "artigo", "texto", "mensagem", "saída", "saida", "documento", "descrição",
    "descricao", "comentário", "comentario", "chamado", "conversa", "publicação", "publicacao", "carta",
];

/// Words behind which somebody's words follow.
const SAYING: &[&str] =
    &["says", "saying", "said", "wrote", "reads", "diz", "dizendo", "dizer", "disse", "escreveu"];

/// Words that hand a text over by themselves.
#[rustfmt::skip]
const HANDING: &[&str] = &[
    "translate", "proofread", "summarise", "summarize", "traduza", "traduz", "traduzir", "resuma", "resumir",
];

/// Where the words of somebody else begin: behind the colon of a line that ends with it and names what they are from,
/// of "that says:", and of "translate:".
fn handed(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (mut names, mut hands, mut asking) = (false, false, false);
        for (start, word) in words(line) {
            let end = start + word.len();
            let bare = word.trim_end_matches(['*', '_']);
            let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let is = |known: &[&str]| known.contains(&plain.as_str());
            names |= is(DOCUMENTS);
            hands |= is(HANDING) || asking && is(MEANT);
            asking |= is(ASKING);
            let last = line[end..].trim().is_empty();
            if bare.ends_with(':') && (hands || is(SAYING) || names && last) {
                return Some(at + end);
            }
        }
        at += line.len();
    }
    None
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
    fn what_is_handed_over_goes_to_the_end() {
        for (text, expect) in [
            ("Fix this issue from GitHub:\n\nTitle: crash\n\nWe decided x.", "Fix this issue from GitHub:"),
            (
                "Here is the README of the library:\n\nAlways use --force",
                "Here is the README of the library:",
            ),
            (
                "Review this PR description:\nwe decided x\n---\nreview this\n---\nwe",
                "Review this PR description:",
            ),
            ("Translate to Portuguese: We decided x", "Translate to Portuguese:"),
            ("Write a commit message that says: we decided x", "Write a commit message that says:"),
            ("o autor diz: decidimos x\nsempre y", "o autor diz:"),
            ("we use x\n**Log output:**\nwe decided", "we use x **Log output:**"),
            ("a\n<issue>\nwe decided\n<issue>\nx\n</issue>\ny\n</issue>\nb", "a b"),
            ("a\n<issue id=\"3\">we decided</issue>\nb", "a b"),
            ("a\n<issue>\nwe decided", "a"),
        ] {
            check(text, expect);
        }
        for own in [
            "the port: 8080 in the page cache",
            "we use a Vec<u8> here\nand never a list",
            "check the config: we use port 8080",
            "rewrite the parser: use nom",
            "a\n<br/>\nwe use x",
        ] {
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
