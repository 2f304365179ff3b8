//! State, checkpoints, sources and manifests: the state tool's own bytes, errors by name, and properties.

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;
use crate::event::tests::{any_json, any_text};

const STATE: &str = include_str!("../../tests/history/state.json");
const CHECKPOINT: &str = include_str!("../../tests/history/chk-000002.json");
const SOURCES: &str = include_str!("../../tests/history/sources.json");
const MANIFEST: &str = include_str!("../../tests/history/manifest.json");
/// What the JavaScript writer makes of some values.
const STABLE: &str = include_str!("../../tests/history/stable.json");

const GOLDEN_HASH: &str = "064a82ecbc8b63ca97d01824fdb45f860aa0481cd2ebf8e1bdd8e392cd4c29d8";

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_hash_of_the_reference() {
    assert_eq!(bundle_hash(&value(STATE)["bundle"]), GOLDEN_HASH);
    let state = State::parse(STATE).unwrap();
    assert_eq!(state.bundle.hash(), GOLDEN_HASH);
    assert_eq!(state.verify(), Ok(()));
    assert_eq!(Checkpoint::parse(CHECKPOINT).unwrap().verify(), Ok(()));
}

#[test]
fn files_of_the_reference_keep_their_bytes() {
    assert_eq!(State::parse(STATE).unwrap().render(), STATE);
    assert_eq!(Checkpoint::parse(CHECKPOINT).unwrap().render(), CHECKPOINT);
    assert_eq!(render_sources(&parse_sources(SOURCES).unwrap()), SOURCES);
    assert_eq!(Manifest::parse(MANIFEST).unwrap().render(), MANIFEST);
    assert_eq!(Manifest::parse(&format!("\u{feff}{MANIFEST}")).unwrap().render(), MANIFEST);
}

#[test]
fn fields_of_the_reference() {
    let state = State::parse(STATE).unwrap();
    assert_eq!(state.generated_at.iso(), "2026-03-28T15:12:27.127Z");
    assert_eq!(state.provider.model, None);
    assert_eq!(state.maintenance.latest_checkpoint_id, CheckpointId::new(1));
    assert_eq!(state.bundle.project_map.modules[1].path, "src/core");
    assert_eq!(state.bundle.validation_commands[1].command, ["npm", "test"]);
    assert_eq!(state.bundle.current_focus.validation_snapshot.status, SnapshotStatus::Passed);
    let checkpoint = Checkpoint::parse(CHECKPOINT).unwrap();
    assert_eq!((checkpoint.id, checkpoint.event_id), (CheckpointId::new(2).unwrap(), EventId::new(3)));
    let sources = parse_sources(SOURCES).unwrap();
    assert_eq!(sources[0].last_sync_error.as_deref(), Some("line 3 is not JSON"));
    assert_eq!((sources[1].last_synced_at, sources[1].last_sync_status), (None, SyncStatus::Never));
    assert_eq!(Manifest::parse(MANIFEST).unwrap().archived_event_ids.len(), 2);
}

#[test]
fn stable_text_is_that_of_the_javascript_writer() {
    let cases = value(STABLE);
    for case in cases.as_array().unwrap() {
        let (input, text) = (case["json"].as_str().unwrap(), case["stable"].as_str().unwrap());
        assert_eq!(stable_string(&value(input)), text, "{input}");
        assert_eq!(stable_hash(&value(input)), case["sha256"].as_str().unwrap(), "{input}");
    }
    assert!(cases.as_array().unwrap().len() > 10);
}

#[test]
fn numbers() {
    for (number, expect) in [
        (json!(1.234_567_890_123_456_8e20), "123456789012345680000"),
        (json!(-1.234_567_890_123_456_8e21), "-1.2345678901234568e+21"),
        (json!(f64::from_bits(0x431b_c0c0_a75c_41ed)), "1952939511320699.2"),
        (json!(0.1 + 0.2), "0.30000000000000004"),
        (json!(-1.234_567_890_123_456_8e-6), "-0.0000012345678901234567"),
        (json!(2.220_446_049_250_313e-16), "2.220446049250313e-16"),
        // JavaScript would round these three, and so lose what a file says.
        (json!(u64::MAX), "18446744073709551615"),
        (json!(i64::MIN), "-9223372036854775808"),
        (json!(9_007_199_254_740_993_u64), "9007199254740993"),
    ] {
        assert_eq!(stable_string(&number), expect);
    }
}

#[test]
fn a_changed_bundle_does_not_verify() {
    let mut state = State::parse(STATE).unwrap();
    state.bundle.gotchas[0].title.push('!');
    let actual = state.bundle.hash();
    assert_eq!(state.verify(), Err(HistoryError::Hash { written: GOLDEN_HASH.to_owned(), actual }));
    // An unknown field is hashed too.
    let mut state = State::parse(STATE).unwrap();
    state.bundle.extra.insert("later".to_owned(), Value::Null);
    assert!(state.verify().is_err());
}

/// The error that a state gives when one piece of its text is exchanged.
fn check(from: &str, to: &str, expect: &str) {
    assert!(STATE.contains(from), "{from}");
    let told = State::parse(&STATE.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(told.starts_with(expect), "{told}");
}

#[test]
fn errors_name_the_field() {
    check("\"schemaVersion\": 2", "\"schemaVersion\": 1", "`schemaVersion` is 1, only 2 can be read; build");
    check("\"schemaVersion\": 2", "\"schemaVersion\": -2", "`schemaVersion` must be a whole number from 0");
    check("\"generatorVersion\": \"0.2.1\",", "", "`generatorVersion` is missing");
    check("\"model\": null,", "", "`provider.model` is missing");
    check("\"model\": null", "\"model\": 4", "`provider.model` must be text, it is another number");
    check(
        "\"2026-03-28T15:12:27.127Z\"",
        "\"now\"",
        "`generatedAt` is `now`, which is no time; write it like",
    );
    check("\"Repo-root", "1,\"x\":\"", "`bundle.nextSteps[0].why` must be text, it is another number");
    check("\"src/core\"", "[]", "`bundle.projectMap.denseSourceAreas[0].path` must be text, it is a list");
    check(
        "\"status\": \"passed\"",
        "\"status\": \"ok\"",
        "`bundle.currentFocus.validationSnapshot.results[0].status` is `ok`, it must be one of: passed, failed, unavailable",
    );
    check(
        "\"chk-000001\"",
        "\"evt-000001\"",
        "`maintenance.latestCheckpointId` is refused: invalid checkpoint id `evt-000001`",
    );
    check(
        "\"historyEventCount\": 1",
        "\"historyEventCount\": 1.5",
        "`maintenance.historyEventCount` must be a whole number",
    );
    check("\"bundle\": {", "\"bundle\": {,", "not valid JSON at line 2, column 14: key must be a string");
    for text in ["", "null", "[]", "{}", "\u{feff}", "{\"schemaVersion\":2}", &"[".repeat(100_000)] {
        assert!(
            State::parse(text).is_err() && Checkpoint::parse(text).is_err() && Manifest::parse(text).is_err()
        );
    }
    assert_eq!(parse_sources("[{}]").unwrap_err().to_string(), "`[0].id` is missing");
    assert_eq!(parse_sources("{}").unwrap_err().to_string(), "`document` must be a list, it is an object");
    assert_eq!(parse_sources("[]").unwrap(), []);
    assert_eq!(render_sources(&[]), "[]\n");
}

#[test]
fn a_new_state_is_read_back() {
    let state = State { generator_version: "1".to_owned(), ..State::default() };
    assert_eq!(State::parse(&state.render()), Ok(state.clone()));
    assert_eq!(serde_json::from_value(serde_json::to_value(&state).unwrap()).ok(), Some(state));
    assert_eq!(CheckpointId::after([]), CheckpointId::new(1));
    assert_eq!(
        CheckpointId::after(CheckpointId::new(8)).map(|id| id.to_string()).as_deref(),
        Some("chk-000009")
    );
}

/// Values shaped like a template: other texts, shorter and longer lists, unknown fields. Texts with a form of
/// their own (times, ids, statuses) and numbers stay as they are.
fn like(template: &Value) -> BoxedStrategy<Value> {
    const FORMED: &[&str] = &[
        "status",
        "lastSyncStatus",
        "createdAt",
        "updatedAt",
        "generatedAt",
        "lastSyncedAt",
        "lastRecalledAt",
        "lastRecalledEventId",
        "latestCheckpointId",
        "eventId",
        "archivedEventIds",
        "archivedCheckpointIds",
    ];
    match template {
        Value::String(text) if text.starts_with("chk-") => Just(template.clone()).boxed(),
        Value::String(_) => any_text().prop_map(Value::from).boxed(),
        Value::Array(items) => match items.first() {
            Some(first) => prop::collection::vec(like(first), 0..3).prop_map(Value::from).boxed(),
            None => Just(template.clone()).boxed(),
        },
        Value::Object(map) => {
            let field = |(key, value): (&String, &Value)| {
                let formed = FORMED.contains(&key.as_str());
                (Just(key.clone()), if formed { Just(value.clone()).boxed() } else { like(value) })
            };
            let known: Vec<_> = map.iter().map(field).collect();
            let extra =
                prop::collection::vec((any_text().prop_map(|name| format!("x{name}")), any_json()), 0..2);
            (known, extra)
                .prop_map(|(known, extra)| {
                    Value::Object(known.into_iter().chain(extra).collect::<Map<_, _>>())
                })
                .boxed()
        }
        plain => Just(plain.clone()).boxed(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_state_comes_back(value in like(&value(STATE))) {
        let state = State::parse(&value.to_string()).unwrap();
        prop_assert_eq!(state.render(), stable_string(&value) + "\n");
        prop_assert_eq!(State::parse(&state.render()), Ok(state.clone()));
        prop_assert_eq!(Bundle::parse(&state.bundle.render()), Ok(state.bundle.clone()));
        prop_assert_eq!(state.bundle.hash(), bundle_hash(&value["bundle"]));
        prop_assert_eq!(serde_json::from_value::<State>(serde_json::to_value(&state).unwrap()).unwrap(), state);
    }

    #[test]
    fn any_checkpoint_comes_back(value in like(&value(CHECKPOINT))) {
        let checkpoint = Checkpoint::parse(&value.to_string()).unwrap();
        prop_assert_eq!(checkpoint.render(), stable_string(&value) + "\n");
        prop_assert_eq!(Checkpoint::parse(&checkpoint.render()), Ok(checkpoint));
    }

    #[test]
    fn any_sources_come_back(value in like(&value(SOURCES))) {
        let sources = parse_sources(&value.to_string()).unwrap();
        prop_assert_eq!(render_sources(&sources), stable_string(&value) + "\n");
        prop_assert_eq!(parse_sources(&render_sources(&sources)), Ok(sources));
    }

    #[test]
    fn any_manifest_comes_back(value in like(&value(MANIFEST))) {
        let manifest = Manifest::parse(&value.to_string()).unwrap();
        prop_assert_eq!(manifest.render(), stable_string(&value) + "\n");
        prop_assert_eq!(Manifest::parse(&manifest.render()), Ok(manifest));
    }
}

proptest! {
    #[test]
    fn stable_text_is_json_of_the_same_value(value in any_json()) {
        let text = stable_string(&value);
        let back: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&back, &value);
        prop_assert_eq!(stable_string(&back), text);
    }

    #[test]
    fn keys_may_come_in_any_order(fields in prop::collection::vec((any_text(), any::<u8>()), 0..6)) {
        let forward: Map<String, Value> = fields.iter().map(|(k, v)| (k.clone(), Value::from(*v))).collect();
        let backward: Map<String, Value> = forward.iter().rev().map(|(k, v)| (k.clone(), v.clone())).collect();
        prop_assert_eq!(stable_string(&Value::Object(forward)), stable_string(&Value::Object(backward)));
    }

    #[test]
    fn any_text_is_answered(text in any_text(), value in any_json(), cut in 0..STATE.len() - 1) {
        for text in [&text, &value.to_string(), &STATE[..cut]] {
            prop_assert!(State::parse(text).is_err());
            prop_assert!(Checkpoint::parse(text).is_err());
            prop_assert!(Manifest::parse(text).is_err());
            let _ = parse_sources(text);
        }
    }
}
