//! Records: the files of the record tool, every odd one, and the promises of the layout on any input.

use proptest::prelude::*;
use serde_json::json;

use super::super::{Change, Home, apply};
use super::*;
use crate::id::{SessionId, Tag};
use crate::kind::Kind;
use crate::scope::{Scope, Sensitivity, SourceClass};

macro_rules! sample {
    ($stem:literal) => {
        ($stem, include_bytes!(concat!("../../../tests/layouts/record/", $stem, ".md")).as_slice())
    };
}

const SAMPLES: &[(&str, &[u8])] = &[
    sample!("2026-05-15-release-plan-a1b2c3d4"),
    sample!("2026-05-16-crlf-and-mark-0badcafe"),
    sample!("2026-05-17-private-to-a-session-12345678"),
    sample!("2026-05-18-unknown-fields-deadbeef"),
    sample!("2026-05-19-rules-in-the-text-00c0ffee"),
    sample!("2026-05-20-bad-json-feedface"),
    sample!("2026-05-21-no-final-line-end-5eed5eed"),
    sample!("copied-by-hand"),
];

fn home_of(stem: &str) -> Home {
    Home::of_path(&format!("records/{stem}.md")).unwrap()
}

fn the_one(home: &Home, bytes: &[u8]) -> Memory {
    let mut found = read(home, bytes).found;
    assert_eq!(found.len(), 1);
    found.remove(0).memory
}

fn put(home: &Home, bytes: &[u8], memory: &Memory) -> Vec<u8> {
    apply(bytes, &splice(home, bytes, &Change::Put(memory)))
}

fn sample(stem: &str) -> (Home, &'static [u8]) {
    let found = SAMPLES.iter().find(|(name, _)| name.contains(stem)).unwrap();
    (home_of(found.0), found.1)
}

fn codes(home: &Home, bytes: &[u8]) -> Vec<&'static str> {
    read(home, bytes).defects.iter().map(|defect| defect.code).collect()
}

#[test]
fn samples_say_what_they_say() {
    let (home, bytes) = sample("release-plan");
    let plan = the_one(&home, bytes);
    assert_eq!(plan.id.as_str(), "2026-05-15-release-plan-a1b2c3d4");
    assert_eq!(
        (plan.title.as_deref(), &plan.kind, &plan.scope),
        (Some("Release plan"), &Kind::Fact, &Scope::Project)
    );
    assert_eq!(plan.body.as_str(), "The release codename is copper.");
    assert_eq!(plan.key.as_ref().map(|key| key.as_str()), Some("release-plan"));
    assert_eq!(plan.tags, [Tag::parse("release").unwrap()]);
    assert_eq!(plan.created.iso(), "2026-05-15T00:00:00.000Z", "the day of the id");
    assert_eq!((plan.provenance.class, plan.provenance.origin.as_str()), (SourceClass::Human, "file"));
    assert_eq!(plan.provenance.session, Some(SessionId::parse("s1").unwrap()));

    let (home, bytes) = sample("private");
    let private = the_one(&home, bytes);
    assert_eq!(private.scope, Scope::Session(SessionId::parse("chat-7").unwrap()));
    assert_eq!((private.kind, private.provenance.origin.as_str()), (Kind::Note, "turn_capture"));
    assert_eq!(private.extra, *json!({"kind": "turn-capture"}).as_object().unwrap());

    let (home, bytes) = sample("unknown");
    let unknown = the_one(&home, bytes);
    assert_eq!(unknown.extra["pinned"], json!(true));
    assert_eq!(unknown.extra["metadata"]["dedupe"]["simhash"], json!(1.2345678901234568e29));
    assert_eq!(unknown.provenance.sensitivity, Sensitivity::PrivateUser);
    assert_eq!(unknown.tags.len(), 1, "`two words` is no tag");

    let (home, bytes) = sample("rules");
    assert!(the_one(&home, bytes).body.as_str().starts_with("---\nnot a fence"));
}

#[test]
fn samples_have_these_defects() {
    let expect: &[(&str, &[&str])] = &[
        ("release-plan", &[]),
        ("crlf", &[]),
        ("private", &[]),
        ("unknown", &["record-bad-field"]),
        ("rules", &[]),
        ("bad-json", &["record-bad-json"]),
        ("no-final", &["record-id-differs"]),
        ("by-hand", &["record-no-front-matter", "invalid-utf8"]),
    ];
    for (stem, expect) in expect {
        let (home, bytes) = sample(stem);
        assert_eq!(codes(&home, bytes), *expect, "{stem}");
    }
}

#[test]
fn what_is_read_and_put_back_changes_nothing() {
    for (stem, bytes) in SAMPLES {
        let home = home_of(stem);
        assert_eq!(splice(&home, bytes, &Change::Put(&the_one(&home, bytes))), [], "{stem}");
    }
}

fn check_edit(stem: &str, change: impl FnOnce(&mut Memory), old: &str, new: &str) {
    let (home, bytes) = sample(stem);
    let mut memory = the_one(&home, bytes);
    change(&mut memory);
    let after = put(&home, bytes, &memory);
    let (text, after_text) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&after));
    assert_eq!(text.matches(old).count(), 1, "{stem}: the sample has {old:?} once");
    assert_eq!(after_text, text.replacen(old, new, 1), "{stem}");
    assert_eq!(splice(&home, &after, &Change::Put(&memory)), [], "{stem}: a second time");
}

#[test]
fn an_edit_touches_only_what_changed() {
    let hello = Body::new("hello\nworld");
    check_edit("release-plan", |m| m.body = hello.clone(), "The release codename is copper.", "hello\nworld");
    check_edit("release-plan", |m| m.tags = vec![], "[\"release\"]", "[]");
    check_edit("release-plan", |m| m.title = None, "  \"title\": \"Release plan\",\n", "");
    check_edit("release-plan", |m| m.key = None, ",\n    \"memoryKey\": \"release-plan\"", "");
    check_edit(
        "release-plan",
        |m| m.updated = Time(1_778_900_000_000),
        "\"release-plan\"\n",
        "\"release-plan\",\n    \"updatedAt\": \"2026-05-16T02:53:20.000Z\"\n",
    );
    check_edit("crlf", |m| m.body = hello.clone(), "Line one\r\nline two\r\n", "hello\r\nworld\r\n");
    check_edit("crlf", |m| m.kind = Kind::Decision, "\"kind\" : \"lesson\"", "\"kind\" : \"decision\"");
    check_edit("unknown", |m| m.tags.clear(), "[\"ok\", \"two words\"]", "[\n    \"two words\"\n  ]");
    check_edit("unknown", |m| m.title = Some("New".into()), "\"Old title\"", "\"New\"");
    check_edit("unknown", |m| drop(m.extra.shift_remove("pinned")), "  \"pinned\": true,\n", "");
    check_edit("rules", |m| m.scope = Scope::Global, "\"scope\":\"user\"", "\"scope\":\"global\"");
    check_edit("no-final", |m| m.body = hello.clone(), "No line end here", "hello\nworld\n");
}

#[test]
fn what_broken_front_matter_said_may_have_been_strict() {
    let (home, bytes) = sample("bad-json");
    let mut memory = the_one(&home, bytes);
    let strict = |memory: &Memory| (memory.provenance.sensitivity, memory.provenance.class);
    assert_eq!(strict(&memory), (Sensitivity::default(), SourceClass::Untrusted));
    let hidden = b"---\n{\"metadata\":{\"sensitivity\":\"Secret\",}}\n---\n\ntext\n";
    assert_eq!(strict(&the_one(&home, hidden)), (Sensitivity::Secret, SourceClass::Untrusted));
    memory.body = Body::new("hello\nworld");
    let after = put(&home, bytes, &memory);
    let again = the_one(&home, &after);
    assert_eq!((again.body.as_str(), strict(&again)), ("hello\nworld", strict(&memory)));
}

#[test]
fn the_digest_of_the_text_follows_the_text() {
    let (home, bytes) = sample("private");
    let mut memory = the_one(&home, bytes);
    memory.body = Body::new("abc");
    let after = String::from_utf8(put(&home, bytes, &memory)).unwrap();
    let abc = "\"contentHash\": \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"";
    assert!(after.contains(abc), "{after}");
}

#[test]
fn plain_files_stay_plain_while_plain_text_can_say_it() {
    let home = home_of("x");
    let mut memory = the_one(&home, b"\xef\xbb\xbfhello\r\n");
    assert_eq!(
        (&memory.kind, &memory.scope, memory.provenance.class),
        (&Kind::Fact, &Scope::Project, SourceClass::HumanEdit)
    );
    memory.updated = Time(7);
    assert_eq!(put(&home, b"\xef\xbb\xbfhello\r\n", &memory), b"\xef\xbb\xbfhello\r\n");
    memory.body = Body::new("new\ntext");
    assert_eq!(put(&home, b"\xef\xbb\xbfhello\r\n", &memory), b"\xef\xbb\xbfnew\r\ntext\r\n");
    memory.body = Body::new("---\n{}\n---\nnot front matter");
    let after = put(&home, b"hello\n", &memory);
    assert_eq!(the_one(&home, &after).body, memory.body);
    let titled = Memory { title: Some("Greeting".into()), body: Body::new("hello"), ..memory.clone() };
    assert_eq!(the_one(&home, &put(&home, b"hello", &titled)), titled);
    memory.body = Body::new("hello");
    memory.provenance.sensitivity = Sensitivity::Secret;
    let after = put(&home, b"\xef\xbb\xbfhello\r\n", &memory);
    assert!(after.starts_with(b"\xef\xbb\xbf---\r\n{") && after.ends_with(b"---\r\n\r\nhello\r\n"));
    assert_eq!(the_one(&home, &after), memory);
}

#[test]
fn a_text_below_a_front_without_end() {
    let home = home_of("x");
    for (front, expect) in [
        ("---\n{}\n---", "---\n{}\n---\n\nhi\n"),
        ("---\n{}\n---\n", "---\n{}\n---\n\nhi\n"),
        ("---\r\n{}\r\n--- \r\n\r\n", "---\r\n{}\r\n--- \r\n\r\nhi\r\n"),
    ] {
        let memory = Memory { body: Body::new("hi"), ..the_one(&home, front.as_bytes()) };
        assert_eq!(String::from_utf8_lossy(&put(&home, front.as_bytes(), &memory)), expect, "{front:?}");
    }
}

#[test]
fn an_agent_is_ours_only_in_an_agents_memory() {
    let home = home_of("x");
    let read = |scope: &str| {
        the_one(
            &home,
            format!("---\n{{\"scope\":\"{scope}\",\"metadata\":{{\"agentId\":\"dev\"}}}}\n---\n").as_bytes(),
        )
    };
    assert_eq!(read("user").extra, *json!({"metadata": {"agentId": "dev"}}).as_object().unwrap());
    assert_eq!(read("agent").scope, Scope::Agent(crate::id::AgentId::parse("dev").unwrap()));
    assert_eq!(read("agent").extra, Map::new());
}

fn check_unclear(front: &str, scope: &Scope, class: SourceClass, sensitivity: Sensitivity) {
    let home = home_of("x");
    let bytes = format!("---\n{front}\n---\nbody\n");
    let memory = the_one(&home, bytes.as_bytes());
    let got = (&memory.scope, memory.provenance.class, memory.provenance.sensitivity);
    assert_eq!(got, (scope, class, sensitivity), "{front}");
    assert_eq!(codes(&home, bytes.as_bytes()), ["record-bad-field"], "{front}");
}

#[test]
fn unclear_values_are_read_strictly() {
    let (human, usual) = (SourceClass::Human, Sensitivity::Operational);
    let nobody = Scope::Session(SessionId::parse("x").unwrap());
    check_unclear(r#"{"scope":"session"}"#, &nobody, human, usual);
    check_unclear(r#"{"scope":"agent"}"#, &Scope::Agent(crate::id::AgentId::unnamed()), human, usual);
    check_unclear(r#"{"scope":"galaxy"}"#, &Scope::Project, human, usual);
    check_unclear(r#"{"metadata":{"class":"boss"}}"#, &Scope::Project, SourceClass::Untrusted, usual);
    check_unclear(r#"{"metadata":{"sensitivity":"hush"}}"#, &Scope::Project, human, Sensitivity::Secret);
    check_unclear(r#"{"metadata":{"createdAt":"soon"}}"#, &Scope::Project, human, usual);
    check_unclear(r#"{"metadata":{"turnId":7}}"#, &Scope::Project, human, usual);
    check_unclear(r#"{"tags":"one"}"#, &Scope::Project, human, usual);
}

#[test]
fn times_may_be_milliseconds() {
    let memory = the_one(&home_of("x"), b"---\n{\"metadata\":{\"createdAt\":1778900000000}}\n---\n");
    assert_eq!((memory.created, memory.updated), (Time(1_778_900_000_000), Time(1_778_900_000_000)));
    for absurd in ["9223372036854775807", "-9223372036854775808", "1e300", "-1e300"] {
        let file = format!("---\n{{\"metadata\":{{\"createdAt\":{absurd}}}}}\n---\n");
        let created = the_one(&home_of("x"), file.as_bytes()).created;
        assert_eq!(Time::parse(&created.iso()), Some(created), "{absurd}");
    }
}

#[test]
fn blank_files_and_other_ids() {
    let home = home_of("x");
    let x = MemoryId::parse("x").unwrap();
    let y = MemoryId::parse("y").unwrap();
    assert_eq!((codes(&home, b""), codes(&home, b" \n")), (vec![], vec!["record-empty"]));
    assert_eq!(splice(&home, b"\n", &Change::Remove(&x)), []);
    assert_eq!(splice(&home, b"a", &Change::Remove(&y)), []);
    assert_eq!(apply(b"a", &splice(&home, b"a", &Change::Remove(&x))), b"");
    assert_eq!(splice(&home, b"a", &Change::Restore(&x, b"b")), []);
    assert_eq!(splice(&home, b"", &Change::Restore(&y, b"b")), []);
    assert_eq!(apply(b"\n", &splice(&home, b"\n", &Change::Restore(&x, b"b"))), b"b");
    let other = Memory { id: y, ..the_one(&home, b"a") };
    assert_eq!(splice(&home, b"", &Change::Put(&other)), []);
}

#[test]
fn deep_nesting_is_bad_json() {
    let deep = format!("---\n{{\"a\":{}\n---\nx", "[".repeat(200_000));
    assert_eq!(codes(&home_of("x"), deep.as_bytes()), ["record-bad-json"]);
}

proptest! {
    #[test]
    fn any_bytes_read_and_put_back(bytes in strategies::bytes()) {
        let home = home_of("x");
        if let Some(found) = read(&home, &bytes).found.first() {
            prop_assert_eq!(splice(&home, &bytes, &Change::Put(&found.memory)), vec![]);
        }
    }

    #[test]
    fn any_memory_comes_back(memory in strategies::memory("metadata", "kind")) {
        let home = Home::Record(memory.id.clone());
        let after = put(&home, b"", &memory);
        prop_assert_eq!(&the_one(&home, &after), &memory);
        prop_assert_eq!(codes(&home, &after), Vec::<&str>::new());
        prop_assert_eq!(splice(&home, &after, &Change::Put(&memory)), vec![]);
        prop_assert_eq!(apply(&after, &splice(&home, &after, &Change::Remove(&memory.id))), b"");
    }

    #[test]
    fn any_memory_becomes_any_other(
        old in strategies::memory("metadata", "kind"),
        new in strategies::memory("metadata", "kind"),
        style in 0..4u8,
    ) {
        let home = Home::Record(old.id.clone());
        let new = Memory { id: old.id.clone(), ..new };
        let mut bytes = put(&home, b"", &old);
        if style & 1 == 1 {
            bytes = String::from_utf8(bytes).unwrap().replace('\n', "\r\n").into_bytes();
        }
        if style & 2 == 2 {
            bytes.splice(0..0, *b"\xef\xbb\xbf");
        }
        prop_assert_eq!(&the_one(&home, &bytes), &old);
        let after = put(&home, &bytes, &new);
        prop_assert_eq!(&the_one(&home, &after), &new);
        prop_assert_eq!(splice(&home, &after, &Change::Put(&new)), vec![]);
        let bare = |bytes: &[u8]| bytes.windows(2).any(|two| two[1] == b'\n' && two[0] != b'\r');
        prop_assert!(style & 1 == 0 || !bare(&after), "a line end lost its carriage return");
    }

    #[test]
    fn a_new_text_leaves_the_front_as_it_is(
        memory in strategies::memory("metadata", "kind"),
        text in strategies::text(),
        tail in "(\r?\n){0,3}",
    ) {
        let home = Home::Record(memory.id.clone());
        let mut object = fields::RECORD.write(&memory);
        object["metadata"].as_object_mut().unwrap().shift_remove("contentHash");
        let front = format!("---\n{}\n---", Value::Object(object));
        let bytes = format!("{front}\n{}{tail}", memory.body.as_str()).into_bytes();
        let new = Memory { body: Body::new(&text), ..memory };
        let after = put(&home, &bytes, &new);
        prop_assert!(after.starts_with(front.as_bytes()));
        prop_assert_eq!(the_one(&home, &after), new);
    }

    #[test]
    fn any_text_can_be_put_over_any_file(bytes in strategies::bytes(), text in strategies::text()) {
        let home = home_of("x");
        prop_assume!(!is_blank(&bytes));
        let memory = Memory { body: Body::new(&text), ..the_one(&home, &bytes) };
        let after = put(&home, &bytes, &memory);
        prop_assert_eq!(&the_one(&home, &after).body, &memory.body);
        prop_assert_eq!(splice(&home, &after, &Change::Put(&memory)), vec![]);
    }
}
