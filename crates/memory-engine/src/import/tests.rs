//! Whatever stands in a source, its readers give items or defects and never panic, and records come out as they went in.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::front::Note;
use super::markdown::blocks;
use super::pieces::{Piece, elements, lines};

/// Text as notes have it, with the marks that readers look for.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("\n"),
        Just("- "),
        Just("# "),
        Just("```"),
        Just("---\n"),
        Just("[["),
        Just("]] "),
        Just("[fact] "),
        Just("<!--"),
        Just("-->"),
        Just("  "),
        Just("12. "),
        Just("a: b"),
        Just("<agent-memory-context>"),
        Just("ação 日本 "),
    ];
    prop_oneof![prop::collection::vec(word, 0..40).prop_map(|words| words.concat()), any::<String>(),]
}

fn whole(piece: Piece) -> Option<Vec<u8>> {
    match piece {
        Piece::Whole(bytes) => Some(bytes),
        Piece::TooLong | Piece::Torn => None,
    }
}

proptest! {
    #[test]
    fn any_text_is_taken_apart(text in text()) {
        for block in blocks(&text) {
            prop_assert!(!block.text.trim().is_empty());
        }
        let note = Note::of(&text);
        prop_assert!(text.ends_with(note.text));
    }

    #[test]
    fn elements_come_out_as_they_went_in(texts in prop::collection::vec(any::<String>(), 0..6), cut in 0_usize..400) {
        let all: Vec<Value> = texts.iter().map(|text| json!({ "a": [text, { "b": text }] })).collect();
        let file = Value::from(all.clone()).to_string();
        let read = |bytes: &[u8]| {
            let mut got = Vec::new();
            elements(&mut &*bytes, "x", &mut |_, piece| {
                got.push(whole(piece));
                Ok(())
            })
            .unwrap();
            got
        };
        let got: Vec<Value> = read(file.as_bytes())
            .into_iter()
            .map(|bytes| serde_json::from_slice(&bytes.unwrap()).unwrap())
            .collect();
        prop_assert_eq!(&got, &all);
        // A file that was cut gives what stands before the cut.
        let short = read(&file.as_bytes()[..cut.min(file.len())]);
        let whole = short.iter().flatten().count();
        prop_assert!(short.len() - whole <= 1 && whole <= all.len());
    }

    #[test]
    fn any_bytes_are_cut(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut count = 0;
        lines(&mut &*bytes, "x", &mut |_, piece| {
            count += whole(piece).unwrap().len();
            Ok(())
        })
        .unwrap();
        prop_assert!(count <= bytes.len());
        elements(&mut &*bytes, "x", &mut |_, _| Ok(())).unwrap();
    }
}
