//! Cases and properties of the query language.

use proptest::prelude::*;

use super::*;

const NOW: &str = "2026-03-19T10:30";

fn now() -> Time {
    Time::parse(NOW).unwrap()
}

/// A query as text: `text "phrase" not=word tag=a !tag=b since=.. until=.. (notes)`.
fn shown(query: &Query) -> String {
    fn list<T: std::fmt::Display>(out: &mut Vec<String>, name: &str, wanted: &Wanted<T>) {
        out.extend(wanted.yes.iter().map(|value| format!("{name}={value}")));
        out.extend(wanted.no.iter().map(|value| format!("!{name}={value}")));
    }
    let mut out = Vec::new();
    if !query.text.is_empty() {
        out.push(query.text.clone());
    }
    out.extend(query.phrases.iter().map(|phrase| format!("\"{phrase}\"")));
    out.extend(query.not.iter().map(|word| format!("not={word}")));
    list(&mut out, "tag", &query.filter.tags);
    list(&mut out, "agent", &query.filter.agents);
    list(&mut out, "category", &query.filter.categories);
    list(&mut out, "kind", &query.filter.kinds);
    out.extend(query.filter.since.map(|time| format!("since={}", time.minute().replace("T00:00", ""))));
    out.extend(query.filter.until.map(|time| format!("until={}", time.minute().replace("T00:00", ""))));
    out.extend(query.notes.iter().map(|note| format!("({})", note.typed)));
    out.join(" ")
}

fn check(input: &str, expect: &str) {
    assert_eq!(shown(&parse(input, now())), expect, "{input:?}");
}

#[test]
fn words_phrases_and_exclusions() {
    check("", "");
    check("  two  words ", "two words");
    check("\"a phrase\" word", "word \"a phrase\"");
    check("“a phrase”", "\"a phrase\"");
    check("cache -redis", "cache not=redis");
    check("cache -\"old one\" x", "cache x not=old one");
    check("\"\" x", "x");
    check("-ação", "not=ação");
}

#[test]
fn operators() {
    check("tag:x word", "word tag=x");
    check("tag:#x TAG:y tag:x", "tag=x tag=y");
    check("-tag:x", "!tag=x");
    check("agent:Dev kind:decisions category:lessons", "agent=dev category=lessons kind=decision");
    check("kind:zettel", "kind=zettel");
    check("since:2026-01-01", "since=2026-01-01");
    check("since:yesterday", "since=2026-03-18");
    check("since:7d until:2026-03-18", "since=2026-03-12 until=2026-03-19");
    check("since:\"last week\" x", "x since=2026-03-09");
    check("-since:2026-03-01", "until=2026-03-01");
    check("-until:2026-03-01", "since=2026-03-02");
    check("since:2026-01-01 since:2026-02-01", "since=2026-02-01");
    check("until:2026-01 until:2025", "until=2026-01-01");
    check(
        "desde:2w até:ontem etiqueta:x agente:a categoria:c tipo:tarefa",
        "tag=x agent=a category=c kind=task since=2026-03-05 until=2026-03-19",
    );
    check("ate:ontem", "until=2026-03-19");
}

#[test]
fn what_only_looks_like_an_operator_is_text() {
    for text in [
        "http://example.com/tag:x",
        "std::fs",
        "tag::x",
        "since://x",
        "12:30",
        "--flag",
        "a-b",
        "-",
        "foo:bar",
        "#x",
        "tag:",
        "tag: x",
        "an \"open quote",
        "-\"open",
        "it's 5\" wide",
        "xtag:y",
    ] {
        check(text, text);
    }
}

#[test]
fn what_a_minus_does_not_leave_out_is_text_with_a_note() {
    check("-5", "-5 (-5)");
    check("git rebase -i main", "git rebase -i main (-i)");
    check("uploads -#web", "uploads !tag=web");
    check("uploads -s3", "uploads not=s3");
    check("notas -é", "notas not=é");
}

#[test]
fn a_value_that_makes_no_sense_is_text_with_a_note() {
    check("since:rubbish x", "since:rubbish x (since:rubbish)");
    check("agent:../x", "agent:../x (agent:../x)");
    check("-until:rubbish", "-until:rubbish (-until:rubbish)");
    let query = parse("since:rubbish", now());
    assert_eq!(
        query.notes[0].why,
        "no date in `rubbish`: write a day such as `2026-03-16`, `yesterday`, `7d` or `2w`"
    );
}

#[test]
fn what_a_sentence_quotes_need_not_stand_there() {
    check("did we say \"never again\"?", "did we say \"never again\" ?");
    check("\"never again\"?", "? \"never again\"");
    check("the \"fast\" path of search is not -taken", "the path of search is not \"fast\" not=taken");
    let long = "`op log -p` now only shows \"interesting\" revisions by default";
    check(long, &format!("{long} (-p`)"));
    check(
        "when did we drop -o from the \"push\" command tag:git",
        "when did we drop -o from the \"push\" command tag=git (-o)",
    );
    check("which cache -redis ?", "which cache -redis ? (-redis)");
}

#[test]
fn operators_and_the_words_of_a_phrase_make_no_sentence() {
    check(
        "token timeout -redis tag:auth agent:dev kind:note category:notes tag:a tag:b tag:c",
        "token timeout not=redis tag=auth tag=a tag=b tag=c agent=dev category=notes kind=note",
    );
    check(
        "\"one two three four five six seven eight nine ten\" x",
        "x \"one two three four five six seven eight nine ten\"",
    );
}

#[test]
fn prompts_are_text() {
    check("tag:x\n-y \"z\"", "tag:x\n-y \"z\"");
    let long = format!("tag:x {}", "a".repeat(PROMPT_CHARS));
    check(&long, &long);
    let short = format!("tag:x {}", "a".repeat(PROMPT_CHARS - 6));
    check(&short, &format!("{} tag=x", "a".repeat(PROMPT_CHARS - 6)));
}

#[test]
fn words_for_ranking() {
    assert_eq!(parse("a \"b c\" -dd tag:e", now()).words(), "a b c");
    assert_eq!(parse("\"b c\"", now()).words(), "b c");
    assert_eq!(parse("tag:e", now()).words(), "");
}

#[test]
fn which_tags_fit() {
    let tags = |words: &[&str]| words.iter().map(|word| Tag::parse(word).unwrap()).collect::<Vec<_>>();
    let wanted = Wanted { yes: tags(&["a", "B"]), no: tags(&["ação"]) };
    let fits = |words: &[&str]| wanted.fits_all(&tags(words));
    assert!(fits(&["A", "b", "c"]) && !fits(&["a"]) && !fits(&["a", "b", "Acao"]));
    let open = Wanted { yes: Vec::new(), no: tags(&["x"]) };
    assert!(open.fits_all(&[]) && !open.is_empty() && Wanted::<Tag>::default().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsing_never_fails_and_loses_no_plain_word(
        input in "(-?(tag|since|até|kind|x):?[\"“”a-z0-9:/ -]{0,6}|\\PC{0,4}| |[\"-]){0,12}",
        time in any::<i64>(),
    ) {
        let _ = parse(&input, Time(time));
        let plain: String = input.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        let query = parse(&plain, Time(time));
        prop_assert_eq!(query.text.split_whitespace().collect::<Vec<_>>(), plain.split_whitespace().collect::<Vec<_>>());
    }
}
