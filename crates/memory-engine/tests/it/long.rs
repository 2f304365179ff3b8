//! Long memories about many things: each of them is found by what one part means, and that part is shown.

use memory_engine::{Memory, Search, Update};

use crate::sandbox::{Asked as _, Sandbox};

/// Minutes of a meeting; what is asked for stands in the middle and at the end, in other words.
fn minutes() -> String {
    let before = "The kitchen on the third floor gets a second dishwasher and everybody puts their own cups into it. \
        The summer party takes place by the lake, with a barbecue and a band from the neighbourhood. ";
    let after = "Parking spaces are given out anew each quarter, those who share a car come first. \
        The plants in the entrance hall are watered by the reception from now on. ";
    format!(
        "{}\n\nLogin failed after the token expired, so people were thrown out in the midst of their work.\n\n{}\n\n\
         New colleagues get a laptop with the large screen on their first morning.",
        before.repeat(5),
        after.repeat(5)
    )
}

fn check(memory: &Memory, question: &str, expect: &str) {
    let answer = memory.search(&Search::new(question)).unwrap();
    assert!(!answer.hits.is_empty(), "{question:?} gave {answer:#?}");
    let first = &answer.hits[0];
    assert!(first.entry.memory.body.as_str().contains("dishwasher"), "{question:?} gave {first:#?}");
    let passage = &first.passage;
    assert!(passage.text.contains(expect), "{question:?} showed {:?}", passage.text);
    let lines: Vec<&str> = first.entry.memory.body.as_str().lines().collect();
    let at = (first.entry.text_line + lines.iter().position(|line| line.contains(expect)).unwrap() as u64)
        .min(first.entry.last_line);
    assert!((passage.first_line..=passage.last_line).contains(&at), "{at} is not in {passage:?}");
}

#[test]
fn one_part_of_a_long_memory_is_found_by_what_it_means_and_shown() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for n in 0..40 {
        memory.note(&format!("Room {n} has a window to the yard and {n} chairs around the table"));
    }
    memory.note(&minutes());
    for _ in ["without an index", "with one"] {
        check(&memory, "authentication problem", "Login failed");
        check(&memory, "what hardware do new employees receive?", "laptop");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}
