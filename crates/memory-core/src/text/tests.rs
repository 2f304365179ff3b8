//! Cases and properties of the whole analysis.

use proptest::prelude::*;

use super::*;

/// The terms of a text as `position:term`, in the order in which they come.
fn terms(text: &str, language: Language) -> Vec<String> {
    let mut terms = Vec::new();
    Analyser::new().each(text, language, |token| terms.push(format!("{}:{}", token.position, token.term)));
    terms
}

/// All terms of a text: those of one position between `|`.
fn check_in(text: &str, language: Language, expect: &str) {
    let mut shown = String::new();
    let mut before = 0;
    Analyser::new().each(text, language, |token| {
        if token.position > before {
            shown.push_str("| ");
            before = token.position;
        }
        shown.push_str(token.term);
        shown.push(' ');
    });
    assert_eq!(shown.trim_end(), expect, "{text:?}");
}

fn check(text: &str, expect: &str) {
    check_in(text, Language::English, expect);
}

/// Only the whole terms of a text.
fn check_wholes(text: &str, expect: &str) {
    let mut shown = Vec::new();
    Analyser::new().each(text, Language::English, |token| {
        if token.form == Form::Whole {
            shown.push(token.term.to_owned());
        }
    });
    assert_eq!(shown.join(" "), expect, "{text:?}");
}

/// Only the words of a text, unstemmed.
fn check_words(text: &str, expect: &str) {
    let mut shown = Vec::new();
    Analyser::new().each(text, Language::English, |token| {
        if token.form == Form::Exact {
            shown.push(token.term.trim_start_matches('=').to_owned());
        }
    });
    assert_eq!(shown.join(" "), expect, "{text:?}");
}

#[test]
fn words_and_stems() {
    check("", "");
    check(" ,;() ", "");
    check("Memories", "=memories memori");
    check("the memories.", "=the the | =memories memori");
    check("Running, ran", "=running run | =ran ran");
    check_in("ações", Language::Portuguese, "=acoes ~aca");
    check_in("acoes", Language::Portuguese, "=acoes ~aca");
    check_in("ação", Language::Portuguese, "=acao ~aca");
    check_in("memórias running", Language::Other, "=memorias memorias | =running running");
    check("42", "=42 42");
    check("x", "=x x");
}

#[test]
fn portuguese_forms_meet() {
    let stem = |word: &str| terms(word, Language::Portuguese).pop().unwrap_or_default();
    for forms in [
        &["configuração", "configurações", "configuracao", "configurar", "configurado"][..],
        &["decisão", "decisões", "decisoes"],
        &["imagem", "imagens"],
        &["animal", "animais"],
        &["possível", "possíveis", "possiveis"],
        &["memória", "memórias", "memorias"],
        &["referência", "referências", "referencia"],
    ] {
        for form in forms {
            assert_eq!(stem(form), stem(forms[0]), "{form} and {}", forms[0]);
        }
    }
}

#[test]
fn accents_and_letters_fold() {
    check_words("Ação", "acao");
    check_words("Straße ÆSOP Øre Łódź œuvre Þór", "strasse aesop ore lodz oeuvre thor");
    check_words("cafe\u{301} ｆｕｌｌ ﬁne", "cafe full fine");
    check_words("İstanbul", "istanbul");
    check_words("Привет Ёлка", "привет елка");
    check_words("हिन्दी", "हिन्दी");
    check_words("שָׁלוֹם مُحَمَّد", "שלום محمد");
}

#[test]
fn ignorable_characters_stay_out_of_words() {
    check_words("soft\u{ad}hyphen", "softhyphen");
    check_words("zero\u{200b}width\u{feff}d", "zerowidthd");
    check_words("bell\u{7}s a\u{0}b", "bells ab");
    check_words("end\u{200b} \u{200b}start", "end start");
    check_words("a\u{200b}.b", "a b");
}

#[test]
fn identifiers_are_wholes_and_parts() {
    check("camelCase", "=camelcase camelcas =camel camel | =case case");
    check("PascalCase", "=pascalcase pascalcas =pascal pascal | =case case");
    check("HTTPServer", "=httpserver httpserver =http http | =server server");
    check("snake_cases", "=snakecases snakecas =snake snake | =cases case");
    check("kebab-case", "=kebabcase kebabcas =kebab kebab | =case case");
    check("dotted.path", "=dotted.path =dotted dot | =path path");
    check("foo::bar", "=foo::bar =foo foo | =bar bar");
    check("E_NOT_FOUND", "=enotfound enotfound =e e | =not not | =found found");
    check("ERR-4012", "=err4012 =err err | =4012 4012");
    check("user@host", "=user@host =user user | =host host");
    check("#123", "=#123 =123 123");
    check("0x7f", "=0x7f 0x7f");
    check("utf-8", "=utf8 =utf utf | =8 8");
    check("stand-up", "=standup standup =stand stand | =up up");
    check("v1-2", "=v1-2 =v1 v1 | =2 2");
    check("utf8", "=utf8 =utf utf | =8 8");
    check("sha256", "=sha256 =sha sha | =256 256");
    check("1.2.3", "=1.2.3 =1 1 | =2 2 | =3 3");
    check("v1.2.3", "=v1.2.3 =1.2.3 =v1 v1 | =2 2 | =3 3");
    check("tokio-1.38.0", "=tokio-1.38.0 =tokio tokio | =1.38.0 =1 1 | =38 38 | =0 0");
    check("nginx:1.25", "=nginx:1.25 =nginx nginx | =1.25 =1 1 | =25 25");
    check("v2.1-rc1", "=v2.1-rc1 =2.1-rc1 =2.1 =v2.1 =v2 v2 | =1 1 | =rc1 =rc rc | =1 1");
    check("a/1.2", "=a/1.2 =a a | =1.2 =1 1 | =2 2");
    check("1.2-3.4", "=1.2-3.4 =1.2 =1 1 | =2 2 | =3.4 =3 3 | =4 4");
    check("src/rank.rs", "=src/rank.rs =src src | =rank.rs =rank rank | =rs rs");
    check("a/FooBar", "=a/foobar =a a | =foobar foobar =foo foo | =bar bar");
    check("APIs", "=apis api");
    check("HTTP", "=http http");
    check("Utf8Reader", "=utf8reader =utf utf | =8 8 | =reader reader");
    check("a1b2c3", "=a1b2c3 a1b2c3");
    check("aB3dE5fG", "=ab3de5fg ab3de5fg");
    check("C++ and C#", "=c++ =c c | =and and | =c# =c c");
    check("16th 5ms", "=16th =16 16 | =th th | =5ms =5 5 | =ms ms");
    check("iPhone手机", "=iphone iphon =i i | =phone phone | =手机 手机");
}

#[test]
fn wholes_of_longer_things() {
    check_wholes("see crate::store::MemoryStore now", "=crate::store::memorystore =memorystore");
    check_wholes("src/core/rank.rs", "=src/core/rank.rs =rank.rs");
    check_wholes("node_modules/.bin/tsc", "=node_modules/.bin/tsc =nodemodules");
    check_wholes("Table::active_on, a/b_c.rs", "=table::active_on =activeon =a/b_c.rs =b_c.rs =bc");
    check_wholes("C:\\Users\\x.txt", "=c:\\users\\x.txt =x.txt");
    check_wholes("https://example.com/a/b?x=1", "=https://example.com/a/b");
    check_wholes("at 16:51, end.", "=16:51");
    check_wholes("wait... what--no a.b. x -flag --long /etc/hosts", "=a.b =etc/hosts");
    check_wholes("__init__ foo__bar", "=foo__bar");
    check_wholes("AÇÃO_Ótima", "=acaootima");
    check_wholes("#abc a#1", "=#1");
}

#[test]
fn many_parts_are_several_chunks_and_no_word_is_lost() {
    let long: Vec<String> = (0..40).map(|n| format!("w{n}")).collect();
    check_words(&long.join("-"), &long.join(" "));
    let humps = "FooBar".repeat(20);
    check_words(&humps, "foo bar ".repeat(20).trim_end());
}

#[test]
fn long_words_are_cut_and_blobs_are_one_term() {
    let long = "abcde".repeat(40);
    check(
        &long,
        &format!("={0} {0}", &long[..64]).replace(
            &format!(" {}", &long[..64]),
            &format!(" {}", {
                let mut analyser = Analyser::new();
                analyser.stem(&long[..64], Language::English).to_owned()
            }),
        ),
    );
    let hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    check(&format!("x {hex} y"), &format!("=x x | ={hex} | =y y"));
    let base64 = "iVBORw0KGgoAAAANSUhEUgAA+AUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4/8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
    check_words(base64, "");
    assert_eq!(terms(base64, Language::English).len(), 1);
    check_words(
        "crates/memory-core/src/text/analyse_the_whole_of_it/mod",
        "crates memory core src text analyse the whole of it mod",
    );
    check_words(
        "thisIsQuiteALongCamelCaseIdentifierForATest",
        "this is quite a long camel case identifier for a test",
    );
    check_words("550e8400-e29b-41d4-a716-446655440000", "550e8400 e29b 41d4 a716 446655440000");
}

#[test]
fn apostrophes() {
    check("user's", "=user user");
    check("users' x", "=users user | =x x");
    check("don't", "=dont dont =don don");
    check("don’t x", "=dont dont =don don | =x x");
    check("we're", "=we we");
    check_in("d'água", Language::Portuguese, "=dagua ~dagu =agua ~agu");
    check("'quoted'", "=quoted quot");
    check("O'Brien", "=obrien obrien =brien brien");
}

#[test]
fn scripts_without_spaces_are_pairs() {
    check("日本語", "=日本 日本 | =本語 本語");
    check("字", "=字 字");
    check("한국어", "=한국 한국 | =국어 국어");
    check("カタ", "=カタ カタ");
    check("ｶﾞﾗ", "=ガラ ガラ");
    check("か\u{3099}く", "=がく がく");
    check("ไทย", "=ไท ไท | =ทย ทย");
    check("中文 test", "=中文 中文 | =test test");
    check("🚀 go", "=🚀 🚀 | =go go");
    check("👍🏽❤️", "=👍 👍 | =❤ ❤");
    check("🇧🇷🇵🇹", "=🇧🇷 🇧🇷 | =🇵🇹 🇵🇹");
}

#[test]
fn dates() {
    check("2026-03-16", "=2026-03-16 =2026-03 2026 =2026 march ~marc");
    check("2026/03/16 x", "=2026-03-16 =2026-03 2026 =2026 march ~marc | =x x");
    check("2026-05", "=2026-05 2026 =2026 may ~mai");
    check("16/03/2026", "=2026-03-16 =2026-03 2026 =2026 march ~marc");
    check("03.04.2026", "=2026-04-03 =2026-04 2026 =2026 april ~abril");
    check("03-16-2026.", "=2026-03-16 =2026-03 2026 =2026 march ~marc");
    check_wholes("16/30/2026 16/03/20267 10.1.2024", "=16/30/2026 =16/03/20267 =10.1.2024");
    check("2026-13-01", "=2026-13-01 =2026 2026 | =13 13 | =01 01");
    check("2026-02-30", "=2026-02-30 =2026 2026 | =02 02 | =30 30");
    check_wholes("2026-03-16T16:51:09Z", "=2026-03-16t16:51:09z =2026-03-16");
    check_words("2026-03-16T16:51:09Z", "16 51 09z");
    check_wholes("memory/2026-03-16.md", "=memory/2026-03-16.md =2026-03-16.md =2026-03-16");
    check_wholes("on 16 March 2026 we", "=2026-03-16");
    check_wholes("March 16th, 2026", "=16th =2026-03-16");
    check_wholes("em 16 de março de 2026", "=2026-03-16");
    check_wholes("maio de 2023", "=2023-05");
    check_wholes("31 April 2026", "=2026-04");
    check_wholes("the 7 dwarfs of 2023", "");
    check_wholes("16\nMarch\n2026", "");
    check("May 2023", "=may may | =2023 2023 =2023-05 may ~mai");
}

#[test]
fn the_terms_of_a_day() {
    let mut terms = Vec::new();
    date_terms(2026, 3, 16, |term| terms.push(term.to_owned()));
    assert_eq!(terms.join(" "), "=2026-03-16 =2026-03 2026 =2026 march ~marc");
    date_terms(2026, 2, 30, |term| panic!("{term}"));
}

#[test]
fn month_stems_are_what_the_stemmers_say() {
    let mut analyser = Analyser::new();
    for [english, portuguese, english_stem, portuguese_stem] in calendar::MONTHS {
        assert_eq!(analyser.stem(english, Language::English), english_stem);
        assert_eq!(analyser.stem(portuguese, Language::Portuguese), portuguese_stem);
    }
}

#[test]
fn languages() {
    let check = |text: &str, expect: Language| assert_eq!(language_of(text), expect, "{text}");
    check("", Language::English);
    check("deploy", Language::English);
    check("The server was restarted and the cache is warm.", Language::English);
    check("O servidor foi reiniciado e a cache não está quente.", Language::Portuguese);
    check("configuração", Language::Portuguese);
    check("O usuario prefere respostas curtas em portugues, sem emojis.", Language::Portuguese);
    check("Der Server wurde neu gestartet und ist nicht bereit.", Language::Other);
    check("El servidor se reinició y los datos están en la caché del sistema.", Language::Other);
    check("Le serveur est dans les nuages et nous avons une panne.", Language::Other);
    check("Сервер был перезапущен", Language::Other);
    check("サーバーを再起動しました", Language::Other);
    check("fn main() { let x = do_it(); }", Language::English);
    check("Usar `git rebase --onto main` para mover os commits da branch.", Language::Portuguese);
}

/// A question's terms: `word(stems)`, `[whole]`, `.part`, small words with `-`, counts above one as `*n`.
fn check_question(text: &str, expect: &str) {
    let shown: Vec<String> = query_terms(text)
        .iter()
        .map(|term| {
            let stems = term.stems.join(",");
            let small = if term.stop { "-" } else { "" };
            let count = if term.count > 1 { format!("*{}", term.count) } else { String::new() };
            match term.asked {
                Asked::Word => format!("{small}{}({stems}){count}", term.word()),
                Asked::Part => format!(".{small}{}({stems}){count}", term.word()),
                Asked::Whole => format!("[{}]{count}", term.word()),
            }
        })
        .collect();
    assert_eq!(shown.join(" "), expect, "{text}");
}

#[test]
fn questions() {
    check_question("what is the memory", "-what(what,~what) -is(is) -the(the,~the) memory(memori,~memory)");
    check_question("memories", "memories(memori,~memori)");
    check_question("configurações da API", "configuracoes(configuraco,~configur) -da(da) api(api,~api)");
    check_question("MemoryStore", "[memorystore] .memory(memori,~memory) .store(store,~stor)");
    check_question("stand-up", "[standup] .stand(stand,~stand) .-up(up)");
    check_question("redis", "redis(redi,~red)");
    check_question(
        "store the MemoryStore to it",
        "store(store,~stor)*2 -the(the,~the) [memorystore] .memory(memori,~memory) -to(to) -it(it)",
    );
    check_question("MemoryStore store", "[memorystore] .memory(memori,~memory) store(store,~stor)*2");
    check_question("2026-03-16", "[2026-03-16]");
    check_question("16/03/2026", "[2026-03-16]");
    check_question(
        "16 tests on 16 March 2026",
        "16(16)*2 tests(test,~tests) -on(on) march(march,~march) 2026(2026) [2026-03-16]",
    );
    check_question("on march 16th, 2026", "-on(on) march(march,~march) 2026(2026) [2026-03-16]");
    check_question("7 de maio de 2026", "-de(de)*2 maio(maio,~mai) 2026(2026) [2026-05-07]");
    check_question("cache cache", "cache(cach,~cach)*2");
}

#[test]
fn typing_errors() {
    for (chars, expect) in [(0, 0), (2, 0), (3, 1), (7, 1), (8, 2), (30, 2)] {
        assert_eq!(edit_distance_for(chars), expect, "{chars}");
    }
    let distance = |text: &str| query_terms(text)[0].distance;
    assert_eq!(distance("memorystore"), 2);
    assert_eq!(distance("utf8"), 0);
    assert_eq!(distance("src/core"), 0);
    assert_eq!(distance("日本"), 0);
}

/// Found by many cases: the number of a version came before its first part, but stood behind it.
#[test]
fn a_version_without_its_letter_stands_where_the_version_does() {
    let mut starts = Vec::new();
    Analyser::new()
        .each("v0.a ", Language::English, |token| starts.push((token.term.to_owned(), token.bytes.start)));
    assert!(starts.contains(&("=0.a".to_owned(), 0)), "{starts:?}");
    assert!(starts.is_sorted_by_key(|start| start.1), "{starts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_lie_in_the_text_in_order(text in any_text()) {
        for language in [Language::English, Language::Portuguese, Language::Other] {
            let (mut start, mut position) = (0, 0);
            Analyser::new().each(&text, language, |token| {
                assert!(text.get(token.bytes.clone()).is_some_and(|bytes| !bytes.is_empty()), "{token:?} in {text:?}");
                assert!(token.bytes.start >= start && token.position >= position, "{token:?} in {text:?}");
                assert!(token.position <= position + 1, "{token:?} in {text:?}");
                assert!(!token.term.is_empty() && token.term.chars().count() <= WHOLE_CHARS + 1);
                let marked = token.term.starts_with(EXACT_MARK);
                assert!(marked == matches!(token.form, Form::Exact | Form::Whole) || token.form == Form::Date);
                (start, position) = (token.bytes.start, token.position);
            });
        }
    }

    #[test]
    fn a_word_is_the_same_in_any_company(words in proptest::collection::vec("[a-zà-öø-ü]{1,12}", 1..12)) {
        let mut alone = Vec::new();
        for (position, word) in words.iter().enumerate() {
            alone.extend(terms(word, Language::Portuguese).iter().map(|term| term.replacen('0', &position.to_string(), 1)));
        }
        prop_assert_eq!(terms(&words.join(" ("), Language::Portuguese), alone);
    }

    #[test]
    fn an_analyser_remembers_nothing(first in any_text(), text in any_text()) {
        let mut used = Analyser::new();
        used.each(&first, Language::English, |_| {});
        let mut again = Vec::new();
        used.each(&text, Language::Portuguese, |token| again.push(format!("{}:{}", token.position, token.term)));
        prop_assert_eq!(again, terms(&text, Language::Portuguese));
    }

    #[test]
    fn folding_twice_is_folding_once(text in "\\PC{0,20}") {
        let once = fold::folded(&text);
        prop_assert_eq!(fold::folded(&once), once);
    }

    /// A word that begins otherwise than what is looked for has no stem that could be it.
    #[test]
    fn words_that_begin_otherwise_are_left_out_and_nothing_else(text in any_text(), letters in "[a-z0-9]{0,6}") {
        let wanted: Vec<String> = letters.chars().map(String::from).collect();
        for language in [Language::English, Language::Portuguese, Language::Other] {
            let (mut all, mut some) = (Vec::new(), Vec::new());
            Analyser::new().each(&text, language, |token| all.push(format!("{token:?}")));
            let mut kept = Vec::new();
            Analyser::new().each(&text, language, |token| {
                let first = token.term.trim_start_matches([EXACT_MARK, PORTUGUESE_MARK]).chars().next().unwrap_or('é');
                let is_word = matches!(token.form, Form::Exact | Form::Stem) && first.is_ascii();
                if !is_word || letters.contains(first) {
                    kept.push(format!("{token:?}"));
                }
            });
            let begins = Begins::of(wanted.iter().map(String::as_str));
            let mut analyser = Analyser::new();
            analyser.each_beginning(begins, &text, language, |token| some.push(format!("{token:?}")));
            prop_assert_eq!(&some, &kept);
            some.clear();
            analyser.each_beginning(Begins::ANY, &text, language, |token| some.push(format!("{token:?}")));
            prop_assert_eq!(&some, &all);
        }
    }

    #[test]
    fn nothing_panics(text in any_text(), now in any::<i64>()) {
        let _ = (language_of(&text), query_terms(&text), named_time(&text, crate::time::Time(now)));
        let _ = date_value(&text, crate::time::Time(now));
        let mut end = 0;
        for range in sentences(&text) {
            prop_assert!(range.start >= end && range.end > range.start && text.get(range.clone()).is_some());
            end = range.end;
        }
    }
}

// If their time grew with the square of the length, the next two would not come to an end.

#[test]
fn a_long_run_of_anything_is_read_in_one_go() {
    let pieces = [
        ".",
        ".)",
        "a.",
        "A. ",
        "1. ",
        "\u{a0}",
        "aB",
        "a1",
        "é",
        "a'",
        "a-",
        "a/",
        "a\u{200b}",
        "\u{301}",
        "日",
        "#",
        "\"",
        "2026-11-",
        "since ",
        "in 3 ",
    ];
    for piece in pieces {
        let run = piece.repeat((1 << 16) / piece.len());
        let text = format!("see {run}x hello");
        let count = sentences(&text).count();
        let read = (text.as_str(), language_of(&text));
        let weight = |term: &str| if piece == "a." { 0.0 } else { term.len() as f32 };
        let clues = Clues { weight, near: Some(|text: &str| text.len() as f32), begins: Begins::ANY };
        let found = snippet(&mut Analyser::new(), read, &clues, 200);
        let _ = (query_terms(&text), named_time(&text, crate::time::Time(0)));
        assert!(count > 0 && found.range.end <= text.len(), "{piece:?}");
    }
}

#[test]
fn a_word_without_end_is_cut() {
    for piece in ["FooBarBaz", "aB", "a", "é"] {
        let text = format!("{}Z", piece.repeat((1 << 22) / piece.len()));
        let mut count = 0;
        Analyser::new().each(&text, Language::English, |_| count += 1);
        assert!(count > 0, "{piece:?}");
    }
}

/// Text of the sorts that matter here: words, identifiers, dates, signs, other scripts, and anything.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z]{1,9}",
        "[a-zA-Z0-9_.:/'’-]{1,20}",
        "[0-9]{1,4}[-/][0-9]{1,2}([-/T][0-9]{1,2})?",
        "(1?[0-9] )?(march|de maio|Feb)( de)? (20[0-9]{2})?",
        "(since|desde|last|ha|in) ([0-9]{1,4}|two) ?(days|semanas|years|monday)( ago)?",
        "[\u{3040}-\u{30ff}\u{ff66}-\u{ff9f}\u{ac00}-\u{ac20}\u{1100}-\u{11ff}\u{e01}-\u{e4e}]{1,5}",
        "[\u{0}-\u{20}\u{ad}\u{200b}\u{300}-\u{305}\u{fe0f}'.?!]{1,3}",
        "\\PC{1,6}",
        any::<char>().prop_map(String::from),
        "[A-Za-z0-9+/]{30,60}",
    ];
    proptest::collection::vec((piece, prop_oneof![Just(" "), Just(""), Just("\n"), Just(". ")]), 0..12)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, gap)| format!("{piece}{gap}")).collect())
}
