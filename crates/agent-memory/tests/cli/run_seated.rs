//! `run` at a terminal: what is heard, what is not, and how it ends.

use rustix::process::Signal;

use crate::sandbox::Sandbox;
use crate::seat::Seat;

/// A client as a shell script.
fn client(sandbox: &Sandbox, script: &str) -> String {
    let path = sandbox.project().join("client.sh");
    std::fs::write(&path, script).unwrap();
    path.to_str().unwrap().to_owned()
}

fn seated(sandbox: &Sandbox, script: &str) -> Seat {
    let client = client(sandbox, script);
    Seat::at(sandbox, &["run", "--agent", "dev", "--", "sh", &client])
}

/// What was said, as it can be recovered.
fn said(sandbox: &Sandbox) -> Vec<String> {
    let tail = sandbox.run(["session", "recover", "dev", "--json"]).code(0).json();
    let messages = tail["messages"].as_array().unwrap();
    messages.iter().map(|said| said["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_typed_unseen_is_kept_nowhere() {
    let sandbox = Sandbox::ready();
    let mut seat = seated(
        &sandbox,
        "stty -echo; printf 'Password: '; read -r word; stty echo
         printf '\\nQuestion: '; read -r question; echo 'Answered.'",
    );
    seat.until("Password: ").types("my tulip word\r");
    seat.until("Question: ").types("which cache do we use?\r").until("Answered.").ends(0);
    let holding = |text: &str| {
        let tree = sandbox.tree().into_iter();
        tree.filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(text)).count()
    };
    assert_eq!(holding("my tulip word"), 0);
    assert!(holding("which cache do we use?") > 0, "{}", seat.shown);
}

#[test]
fn messages_keep_their_order() {
    let sandbox = Sandbox::ready();
    let mut seat = seated(
        &sandbox,
        "for n in 1 2 3 4 5 6; do printf 'ask %s> ' $n; read -r question; echo \"answer $n\"; done",
    );
    for n in 1..=6 {
        seat.until(&format!("ask {n}> ")).types(&format!("question {n}\r"));
    }
    seat.ends(0);
    let said = said(&sandbox).join("\n");
    let mut words = said.split_whitespace().filter(|word| word.parse::<u32>().is_ok());
    for n in ["1", "2", "3", "4", "5", "6"] {
        assert_eq!((words.next(), words.next()), (Some(n), Some(n)), "{said}");
    }
}

#[test]
fn a_signal_reaches_the_client_and_loses_nothing() {
    for (signal, code) in [(Signal::HUP, 129), (Signal::TERM, 143), (Signal::INT, 130)] {
        let sandbox = Sandbox::ready();
        let mut seat = seated(
            &sandbox,
            "echo 'We decided to cache pages for one hour because the origin is slow.'
             echo ready; while :; do sleep 1; done",
        );
        seat.until("ready");
        assert!(!seat.takes_lines());
        seat.sends(signal).ends(code);
        assert!(seat.takes_lines(), "{signal:?}");
        sandbox.run(["list", "--agent", "dev"]).code(0).says("We decided to cache pages");
        let left: Vec<String> = sandbox.tree().into_iter().map(|(name, _)| name).collect();
        assert!(!left.iter().any(|name| name.contains("agent-memory-run")), "{left:?}");
    }
}

#[test]
fn a_client_that_does_not_heed_a_signal_is_left_behind() {
    let sandbox = Sandbox::ready();
    let mut seat = seated(
        &sandbox,
        "trap '' TERM HUP; echo 'We decided to cache pages for one hour because the origin is slow.'
         echo ready; while test -e client.sh; do sleep 0.1; done",
    );
    seat.until("ready").sends(Signal::TERM).ends(143);
    std::fs::remove_file(sandbox.project().join("client.sh")).unwrap();
    sandbox.run(["list", "--agent", "dev"]).code(0).says("We decided to cache pages");
}

#[test]
fn the_end_of_the_client_is_the_end() {
    let sandbox = Sandbox::ready();
    let mut seat =
        seated(&sandbox, "(trap '' HUP; while test -e client.sh; do sleep 0.1; done) & echo done; exit 4");
    seat.until("done").ends(4);
    std::fs::remove_file(sandbox.project().join("client.sh")).unwrap();
}

#[test]
fn a_client_that_stops_gives_the_terminal_back() {
    let sandbox = Sandbox::ready();
    let mut seat = seated(&sandbox, "echo before; kill -STOP $$; echo after");
    seat.stops();
    assert!(seat.takes_lines());
    seat.sends(Signal::CONT).until("before").until("after").ends(0);
    assert!(seat.takes_lines());
}

#[test]
fn half_a_sentence_is_no_decision() {
    let sandbox = Sandbox::ready();
    // Each word is painted with all that came before, as clients do that paint their whole screen.
    let script = |begin: &str, end: &str| {
        format!(
            "printf '{begin}'; said=''
             for word in We decided to cache pages for one hour because the origin is slow.; do
                 said=\"$said $word\"; printf '\\033[H\\033[2J+---+\\r\\n%s\\r\\n+---+' \"$said\"
             done; printf '{end}\\r\\n'"
        )
    };
    seated(&sandbox, &script("\\033[?1049h", "\\033[?1049l")).ends(0);
    let decisions = |expect: usize| {
        let kept = sandbox.run(["list", "--agent", "dev", "--kind", "decision", "--json"]).code(0).json();
        let texts: Vec<&str> =
            kept["memories"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(texts.len(), expect, "{texts:?}");
        assert!(texts.iter().all(|text| text.ends_with("the origin is slow.")), "{texts:?}");
    };
    decisions(0);
    seated(&sandbox, &script("", "")).ends(0);
    decisions(1);
}
