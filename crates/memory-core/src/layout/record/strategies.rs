//! What the property tests of the layouts are fed with: texts, files and memories of every odd sort.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::id::{AgentId, Key, MemoryId, SessionId, Tag, TurnId};
use crate::kind::Kind;
use crate::memory::{Body, Confidence, Memory, Provenance};
use crate::scope::{Scope, Sensitivity, SourceClass};
use crate::time::Time;

/// Text with much of what means something in some layout.
pub(in crate::layout) fn text() -> impl Strategy<Value = String> {
    let crumbs = select(vec![
        "---",
        "\n---\n",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        " ",
        "\t",
        "- {",
        "- {\"id\":\"x\",\"text\":\"y\"}",
        "\n## ",
        "# t",
        "## h\n",
        "<!-- id:1 -->",
        "<!-- -->",
        "<!--",
        "-->",
        "{",
        "}",
        "\\",
        "\"",
        "\\n",
        "\u{feff}",
        "\u{2028}",
        "\0",
        "\u{85}",
        "\u{3000}",
        "é",
        "日本",
        "a",
        "word",
        "```",
        "[ ]",
        "- ",
    ]);
    prop_oneof![any::<String>(), vec(crumbs, 0..12).prop_map(|crumbs| crumbs.concat())]
}

/// The bytes of a file: noise, text, or text with a byte order mark and bad UTF-8.
pub(in crate::layout) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        text().prop_map(String::into_bytes),
        Just(b"\xff\xc3".to_vec()),
        Just(b"---\n{\"title\":\"t\",\"n\":1}\n---\n".to_vec()),
        Just(b"\xef\xbb\xbf---\r\n{}\r\n---\r\nx".to_vec()),
    ];
    prop_oneof![vec(any::<u8>(), 0..80), vec(pieces, 0..4).prop_map(|pieces| pieces.concat())]
}

fn opaque() -> impl Strategy<Value = String> {
    "[^\\p{C}\\p{Z}]{1,12}"
}

fn id() -> impl Strategy<Value = MemoryId> {
    "[a-z0-9][a-zA-Z0-9é日_.:-]{0,20}".prop_filter_map("an id", |text| MemoryId::parse(&text).ok())
}

fn scope() -> impl Strategy<Value = Scope> {
    prop_oneof![
        Just(Scope::Project),
        Just(Scope::User),
        Just(Scope::Global),
        opaque().prop_map(|session| Scope::Session(SessionId::parse(&session).unwrap())),
        "[a-z][a-z0-9]{2,9}x".prop_map(|agent| Scope::Agent(AgentId::parse(&agent).unwrap())),
    ]
}

fn time() -> impl Strategy<Value = Time> {
    prop_oneof![Just(Time(0)), (-62_000_000_000_000..253_000_000_000_000i64).prop_map(Time)]
}

fn provenance() -> impl Strategy<Value = Provenance> {
    let trust =
        (select(SourceClass::ALL.to_vec()), select(Sensitivity::ALL.to_vec()), option::of(0..=1000u16));
    let from = (text(), option::of(opaque()), option::of(opaque()), option::of(text()), vec(id(), 0..3));
    (trust, from).prop_map(|((class, sensitivity, confidence), (origin, session, turn, event, lineage))| {
        Provenance {
            origin,
            class,
            session: session.map(|session| SessionId::parse(&session).unwrap()),
            turn: turn.map(|turn| TurnId::parse(&turn).unwrap()),
            event,
            lineage,
            confidence: confidence.map(|share| Confidence::from(f64::from(share) / 1000.0)),
            sensitivity,
        }
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-8000..8000i32).prop_map(|quarters| Value::from(f64::from(quarters) / 4.0)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((text(), inner), 0..3).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Members of other systems; `inner` is the name of the layout's inner object, `kind` that of its kind.
fn extra(inner: &'static str, kind: &'static str) -> impl Strategy<Value = (Kind, Map<String, Value>)> {
    let members = || vec(("x[a-zA-Z\"\\\\é ]{0,6}", value()), 0..3);
    let words =
        select(vec!["fact", "note", "decision", "turn-summary", "learned", "Zettel", "Fact", " odd\nword "]);
    (members(), members(), words).prop_map(move |(outer, inside, word)| {
        let mut extra: Map<String, Value> = outer.into_iter().collect();
        if !inside.is_empty() {
            extra.insert(inner.to_owned(), Value::Object(inside.into_iter().collect()));
        }
        let of_kind = Kind::of_word(word);
        if of_kind.word() != word {
            extra.insert(kind.to_owned(), json!(word));
        }
        (of_kind, extra)
    })
}

/// Any memory that JSON can say.
pub(in crate::layout) fn memory(inner: &'static str, kind: &'static str) -> impl Strategy<Value = Memory> {
    let names = (id(), option::of(opaque()), option::of(text()), vec("[^\\p{C}\\p{Z}#,]{1,8}", 0..3));
    (names, text(), scope(), extra(inner, kind), (time(), option::of(time())), provenance()).prop_map(
        |((id, key, title, tags), text, scope, (kind, extra), (created, updated), mut provenance)| {
            if let Scope::Session(session) = &scope {
                provenance.session = Some(session.clone());
            }
            Memory {
                id,
                kind,
                scope,
                key: key.map(|key| Key::parse(&key).unwrap()),
                title: title.filter(|title| !title.trim().is_empty()),
                body: Body::new(&text),
                tags: tags.iter().map(|tag| Tag::parse(tag).unwrap()).collect(),
                created,
                updated: updated.unwrap_or(created),
                provenance,
                extra,
            }
        },
    )
}
