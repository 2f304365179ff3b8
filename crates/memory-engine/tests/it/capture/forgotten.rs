//! What was forgotten for good is heard no more: neither what a memory was made of, nor when its session is read again.

use super::*;

const WORD: &str = "Heliotrope";

fn hits(told: &Told) -> Vec<String> {
    let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(WORD);
    told.sandbox.everything().into_iter().filter(|(_, bytes)| has(bytes)).map(|(path, _)| path).collect()
}

fn forget(memory: &Memory) {
    let is_one = |text: &str| text.contains(WORD);
    let all = memory.list(&Filter::default()).unwrap();
    let ids = all.into_iter().filter(|entry| is_one(entry.memory.body.as_str())).map(|entry| entry.memory.id);
    let ids: Vec<_> = ids.collect();
    assert_eq!(ids.len(), 1);
    let gone = memory.forget(&ids, Forget::Hard).unwrap();
    assert_eq!(gone.still_in, Vec::<String>::new());
}

#[test]
fn what_a_memory_was_made_of_goes_with_it_however_it_was_said() {
    for said in [
        "ok, so scratch that, we decided to use Heliotrope for the cache, because it survives restarts.",
        "we decided to use Heliotrope for\nthe cache, because it survives restarts.",
        "We decided to use **Heliotrope** for the cache, because it survives \"restarts\".",
        "Yes. We decided to use [Heliotrope](https://a.example/b) for the cache, because it survives restarts.",
        "TODO: call Heliotrope about the unpaid invoice of March",
    ] {
        let mut told = Told::new();
        let memory = told.sandbox.open();
        told.says("user", "Add a cache to the importer.");
        told.says("assistant", "The cache is in.");
        told.says("user", said);
        told.says("assistant", "Fine, that is in place.");
        told.take(&memory);
        forget(&memory);
        assert_eq!(hits(&told), Vec::<String>::new(), "{said}");
        told.says("user", "Now add a test for the importer.");
        told.says("assistant", "The test is in.");
        told.rests();
        told.take(&memory);
        assert_eq!(hits(&told), Vec::<String>::new(), "{said}");
        let handoff = texts(&memory, Kind::Handoff).remove(0);
        assert!(handoff.contains("Now add a test") && !handoff.contains("forgotten"), "{handoff}");
    }
}

#[test]
fn a_session_that_is_read_from_its_start_does_not_bring_it_back() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    let said = "Hm, we decided to use Heliotrope for the cache, because it survives restarts.";
    let first = told.says_after(None, "user", said);
    let first = told.says_after(Some(first), "assistant", said);
    told.says_after(Some(first), "user", "Now the docs please.");
    told.take(&memory);
    forget(&memory);
    assert_eq!(hits(&told), Vec::<String>::new());
    told.says_after(Some(first), "user", "Now the changelog please.");
    told.rests();
    told.take(&memory);
    assert_eq!(hits(&told), Vec::<String>::new());
    // A person who says it anew means it.
    let mut record: Value = serde_json::from_str(&told.line("user", &json!(said))).unwrap();
    record["timestamp"] = json!("2999-01-01T00:00:00.000Z");
    record["parentUuid"] = json!(format!("u{}", told.records - 1));
    told.write(&format!("{record}\n"));
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Decision).len(), 1);
}
