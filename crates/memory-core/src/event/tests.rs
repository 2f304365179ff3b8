//! The event log: a real log line by line, damaged logs, and properties over arbitrary text and bytes.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

use super::*;

const LOG: &str = include_str!("../../tests/history/events.jsonl");

/// Any text, with the characters that separate lines and end strings more often than chance would give.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        3 => any::<char>(),
        2 => prop::sample::select(vec!['\n', '\r', '"', '\\', '\u{2028}', '\0', '\u{7f}', '\u{feff}', '{']),
        2 => prop::char::range('a', 'z'),
    ];
    prop::collection::vec(c, 0..12).prop_map(String::from_iter)
}

/// Any JSON value. Floats are eighths, which every parser reads exactly.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(|n| Value::from(f64::from(n) + 0.125)),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_text(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_text(), 0..3)
}

/// Unknown fields, under names that no version uses.
fn any_extra() -> impl Strategy<Value = Map<String, Value>> {
    let field = (any_text().prop_map(|name| format!("x{name}")), any_json());
    prop::collection::vec(field, 0..3).prop_map(|fields| fields.into_iter().collect())
}

fn any_event() -> impl Strategy<Value = Event> {
    let signals = (texts(), texts(), texts(), texts(), texts(), any_extra()).prop_map(
        |(decisions, gotchas, next_step_hints, key_paths, validation_observations, extra)| Signals {
            decisions,
            gotchas,
            next_step_hints,
            key_paths,
            validation_observations,
            extra,
        },
    );
    let head = (
        0..=999_999_999_999_999_u64,
        any_text(),
        0..KINDS.len() + 1,
        any_text(),
        prop::option::of(any_text()),
    );
    let tail = (any_text(), any_text(), signals, any_text(), any_extra());
    let whose = (prop::option::of("[a-z ü\"]{1,9}x"), prop::option::of("a[a-z0-9]{0,9}"));
    (head, -62_000_000_000_000..253_000_000_000_000_i64, tail, whose).prop_map(|(head, at, tail, whose)| {
        Event {
            id: EventId::new(head.0).unwrap(),
            kind: KINDS.get(head.2).map_or(EventKind::of_word(&head.1), |row| row.0.clone()),
            source_id: head.3,
            external_item_id: head.4,
            created_at: Time(at),
            content_hash: tail.0,
            summary: tail.1,
            signals: tail.2,
            source_ref: tail.3,
            session: whose.0.map(|id| SessionId::parse(&id).unwrap()),
            agent: whose.1.and_then(|id| AgentId::parse(&id).ok()),
            extra: tail.4,
        }
    })
}

proptest! {
    #[test]
    fn an_event_comes_back_from_its_line(event in any_event()) {
        let line = append_line(&event);
        prop_assert_eq!(line.matches('\n').count(), 1);
        let log = EventLog::read(line.as_bytes());
        prop_assert_eq!(&log.defects, &[]);
        prop_assert_eq!(&log.events[0].event, &event);
        prop_assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
    }

    #[test]
    fn a_log_comes_back_whole(events in prop::collection::vec(any_event(), 0..4)) {
        let text = render(&events);
        let log = EventLog::read(text.as_bytes());
        prop_assert_eq!(log.events.iter().map(|e| e.event.clone()).collect::<Vec<_>>(), events);
        prop_assert_eq!(log.events.iter().map(|e| &text[e.bytes.clone()]).collect::<String>(), text);
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let log = EventLog::read(&bytes);
        prop_assert!(log.events.is_empty());
    }

    #[test]
    fn any_json_can_be_read(values in prop::collection::vec(any_json(), 0..4), cut in any::<Index>()) {
        let text: String = values.iter().map(|value| format!("{value}\n")).collect();
        prop_assert_eq!(EventLog::read(text.as_bytes()).defects.len(), values.len());
        EventLog::read(&text.as_bytes()[..cut.index(text.len() + 1)]);
    }

    #[test]
    fn a_cut_off_write_loses_only_itself(cut in 0..LOG.len()) {
        let whole = EventLog::read(LOG.as_bytes());
        let log = EventLog::read(&LOG.as_bytes()[..cut]);
        let kept = whole.events.iter().filter(|e| e.bytes.end - 1 <= cut).count();
        prop_assert_eq!(&log.events[..], &whole.events[..kept].iter().cloned().map(|mut e| {
            e.bytes.end = e.bytes.end.min(cut);
            e
        }).collect::<Vec<_>>()[..]);
        // Appending after the cut keeps the new event apart from the remains.
        let line = append_line(&whole.events[3].event);
        let mended = [&LOG.as_bytes()[..cut], log.lead().as_bytes(), line.as_bytes()].concat();
        let after = EventLog::read(&mended);
        prop_assert_eq!(after.events.len(), kept + 1);
        prop_assert!(!after.open_end);
    }
}

#[test]
fn a_log_of_the_reference_keeps_its_bytes() {
    let log = EventLog::read(LOG.as_bytes());
    assert_eq!(log.defects, []);
    assert_eq!(render(log.events.iter().map(|e| &e.event)), LOG);
    assert_eq!(log.events.iter().map(|e| e.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(log.highest.map(|id| id.to_string()).as_deref(), Some("evt-000004"));
    let [first, second, _, fourth] = &log.events[..] else { panic!("four events") };
    assert_eq!(first.event.kind, EventKind::ToolRun);
    assert_eq!(first.event.external_item_id, None);
    assert_eq!(second.event.external_item_id.as_deref(), Some("b7d2"));
    assert_eq!(second.event.signals.validation_observations, ["cargo test: 41 passed"]);
    assert_eq!(second.event.created_at.iso(), "2026-11-01T22:41:07.519Z");
    assert_eq!(fourth.event.session.as_ref().map(SessionId::as_str), Some("s-81"));
    assert_eq!(fourth.event.agent.as_ref().map(AgentId::as_str), Some("dev"));
    assert_eq!(
        Value::Object(fourth.event.extra.clone()),
        json!({"weather": {"wind": [3, 4.5, null], "calm": false}})
    );
}

/// The defects of a log as `line code: what`, with `…` for the rest of a long message.
fn check(log: &str, events: usize, expect: &[&str]) {
    let read = EventLog::read(log.as_bytes());
    assert_eq!(read.events.len(), events, "{log}: {:?}", read.defects);
    assert_eq!(read.defects.len(), expect.len(), "{log}: {:?}", read.defects);
    for (defect, expect) in read.defects.iter().zip(expect) {
        let told = format!("{} {}: {}", defect.line, defect.code, defect.what);
        assert!(told.starts_with(expect), "{log}: {told}");
    }
}

/// A line of the log with one piece of its text exchanged.
fn with(from: &str, to: &str) -> String {
    let line = LOG.lines().next().unwrap();
    assert!(line.contains(from));
    line.replacen(from, to, 1) + "\n"
}

#[test]
fn damaged_logs() {
    let good = with("", "");
    check("", 0, &[]);
    check("\n\r\n  \n", 0, &[]);
    check(&good.replace('\n', "\r\n"), 1, &[]);
    check(&format!("\u{feff}{good}"), 1, &[]);
    check(good.trim_end(), 1, &[]);
    check(&good[..90], 0, &["1 torn-line: not valid JSON: EOF while parsing"]);
    check(&format!("{}\n{good}", &good[..90]), 1, &["1 broken-json: not valid JSON"]);
    check(
        &format!("{good}{good}"),
        2,
        &["2 duplicate-id: `evt-000001` is already the id of an earlier line"],
    );
    check(
        "[]\n7",
        0,
        &["1 bad-event: `document` must be an object, it is a list", "2 bad-event: `document`"],
    );
    check("{}", 0, &["1 bad-event: `id` is missing"]);
    check(
        &with("evt-000001", "evt-x"),
        0,
        &["1 bad-event: `id` is refused: invalid event id `evt-x`: it must be"],
    );
    check(&with("\"tool_run\"", "3"), 0, &["1 bad-event: `kind` must be text, it is another number"]);
    check(&with("tool_run", "session_export"), 1, &[]);
    check(
        &with("2026-11-01T10:00:00.000Z", "soon"),
        0,
        &["1 bad-event: `createdAt` is `soon`, which is no time"],
    );
    check(
        &with("2026-11-01T10:00:00.000Z", "-000400-01-01T00:00Z"),
        0,
        &["1 bad-event: `createdAt` is `-000400"],
    );
    check(&with("2026-11-01T10:00:00.000Z", "2026-11-01T10:00:00.123456+01:00"), 1, &[]);
    check(&with("\"externalItemId\":null,", ""), 1, &[]);
    check(
        &with("\"gotchas\":[]", "\"gotchas\":[\"a\",null]"),
        0,
        &["1 bad-event: `signals.gotchas[1]` must be text"],
    );
    check(&with("\"gotchas\":[],", ""), 0, &["1 bad-event: `signals.gotchas` is missing"]);
    check(
        &with("\"sourceRef\"", "\"agentId\":\"../x\",\"sourceRef\""),
        0,
        &["1 bad-event: `agentId` is refused"],
    );
    check(&with("\"sourceRef\"", "\"agentId\":null,\"sourceRef\""), 1, &[]);
    check(&("[".repeat(100_000) + "\n"), 0, &["1 broken-json: not valid JSON: recursion limit exceeded"]);
}

#[test]
fn bytes_that_are_no_text_are_a_defect() {
    let log = EventLog::read(b"\xff\xfe\n\0\0\0\n");
    assert_eq!(log.defects.iter().map(|d| d.code).collect::<Vec<_>>(), ["broken-json", "broken-json"]);
}

#[test]
fn ids_are_never_given_twice() {
    let id = |n| EventId::new(n).unwrap();
    assert_eq!(next_event_id([], None), Some(id(1)));
    assert_eq!(next_event_id([id(3), id(7), id(2)], None), Some(id(8)));
    assert_eq!(next_event_id([id(3)], Some(id(9))), Some(id(10)));
    assert_eq!(next_event_id([id(999_999_999_999_999)], None), None);
    // Lines that are cut off or lack a field still hold their number.
    let log = EventLog::read(b"{\"id\":\"evt-000041\"}\n{\"id\":\"evt-000055\",\"ki");
    assert_eq!(next_event_id(log.highest, None), Some(id(56)));
    let cut = EventLog::read(b"{\"id\":\"evt-0000");
    assert_eq!(next_event_id(cut.highest, Some(id(4))), Some(id(5)));
}

#[test]
fn numbered_ids() {
    for (text, expect) in [
        ("evt-000001", Some("evt-000001")),
        ("evt-7", Some("evt-000007")),
        ("evt-1234567", Some("evt-1234567")),
        ("evt-999999999999999", Some("evt-999999999999999")),
        ("evt-1000000000000000", None),
        ("evt-", None),
        ("evt-+1", None),
        ("evt--1", None),
        ("evt-1 ", None),
        ("chk-000001", None),
        ("", None),
    ] {
        assert_eq!(EventId::parse(text).ok().map(|id| id.to_string()).as_deref(), expect, "{text}");
    }
}

#[test]
fn every_kind_comes_back_from_its_word() {
    for kind in EventKind::all() {
        assert_eq!(EventKind::of_word(kind.word()), kind);
        assert!(!matches!(EventKind::of_word(kind.word()), EventKind::Other(_)));
    }
    assert_eq!(EventKind::of_word("Prompt"), EventKind::Other("Prompt".to_owned()));
}

#[test]
fn carried_fields_keep_their_order() {
    let line = with(":init\"", ":init\",\"z\":1,\"m\":{\"y\":3,\"b\":4},\"a\":2,\"k\":5");
    let event = EventLog::read(line.as_bytes()).events.remove(0).event;
    assert_eq!(append_line(&event), line);
}

#[test]
fn a_carried_field_never_hides_a_known_one() {
    let mut event = EventLog::read(LOG.as_bytes()).events.remove(0).event;
    let line = append_line(&event);
    event.extra.insert("summary".to_owned(), Value::from("another"));
    assert_eq!(append_line(&event), line);
}
