//! Vectors from a server: a small one on this machine, which keeps what it was sent.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use memory_engine::core::memory::Provenance;
use memory_engine::core::scope::{Sensitivity, SourceClass};
use memory_engine::{Answer, Draft, Memory, Search, Update, Updated};
use serde_json::{Value, json};

use crate::sandbox::{Asked as _, Sandbox, note};

/// What a server was sent.
#[derive(Clone, Default)]
struct Sent(Arc<Mutex<Vec<(String, Value)>>>);

impl Sent {
    fn all(&self) -> String {
        self.0.lock().unwrap().iter().map(|(head, body)| format!("{head}\n{body}\n")).collect()
    }

    fn texts(&self) -> usize {
        let sent = self.0.lock().unwrap();
        sent.iter().filter_map(|(_, body)| body["input"].as_array()).map(Vec::len).sum()
    }
}

/// Starts a server whose model knows three subjects; gives its address.
fn server(answer: impl Fn(&Value) -> (u16, String) + Send + Sync + 'static) -> (String, Sent) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let sent = Sent::default();
    let kept = sent.clone();
    std::thread::spawn(move || {
        std::thread::scope(|scope| {
            for stream in listener.incoming().flatten() {
                scope.spawn(|| serve(stream, &answer, &kept));
            }
        });
    });
    (address, sent)
}

fn serve(
    mut stream: TcpStream,
    answer: &impl Fn(&Value) -> (u16, String),
    sent: &Sent,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
                length = number.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body: Value = serde_json::from_slice(&body).unwrap();
        let (status, text) = answer(&body);
        sent.0.lock().unwrap().push((head, body));
        write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n{text}", text.len())?;
    }
}

/// Texts about pets point one way, about ships another, all others a third.
fn subjects(body: &Value) -> (u16, String) {
    let vector = |text: &Value| {
        let text = text.as_str().unwrap();
        let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if any(&["dog", "cat", "pet"]) {
            [1.0, 0.1, 0.0]
        } else if any(&["boat", "ship", "harbour"]) {
            [0.0, 1.0, 0.1]
        } else {
            [0.1, 0.0, 1.0]
        }
    };
    let data: Vec<Value> =
        body["input"].as_array().unwrap().iter().map(|text| json!({ "embedding": vector(text) })).collect();
    (200, json!({ "data": data }).to_string())
}

fn sandbox(address: &str, rest: &str) -> Sandbox {
    Sandbox::new().settings(&format!("[meaning]\nendpoint = \"{address}\"\nmodel = \"m\"\n{rest}"))
}

fn fill(memory: &Memory) {
    memory.note("My dog sleeps under the table");
    memory.note("The boat was painted blue");
    for n in 0..30 {
        memory.note(&format!("Invoice number {n} was paid"));
    }
}

fn first(answer: &Answer) -> &str {
    answer.hits.first().map_or("", |hit| hit.entry.memory.body.as_str())
}

#[test]
fn a_server_that_the_user_names_gives_the_vectors() {
    let (address, sent) = server(subjects);
    let sandbox = sandbox(&address, "");
    let memory = sandbox.open();
    fill(&memory);
    assert_eq!(sent.texts(), 0, "nothing is sent before a vector is wanted");
    // Without an index, with one, and with what came since.
    assert!(first(&memory.search(&Search::new("pet")).unwrap()).contains("dog"));
    assert_eq!(memory.update_index(Update::Behind, &mut |_, _| {}).unwrap(), Updated::Done(32));
    let asked = sent.texts();
    assert!(first(&sandbox.open().search(&Search::new("harbour")).unwrap()).contains("boat"));
    assert_eq!(sent.texts(), asked + 1, "the index has the other vectors");
    memory.note("A ship called Anna");
    assert!(
        memory
            .search(&Search::new("harbour"))
            .unwrap()
            .hits
            .iter()
            .take(2)
            .any(|hit| { hit.entry.memory.body.as_str().contains("Anna") })
    );
    assert!(memory.index_state().unwrap().model.contains(&address));
    assert!(memory.notices().is_empty(), "{:?}", memory.notices());
}

#[test]
fn a_server_that_fails_costs_only_meaning() {
    for status in [500, 401, 302] {
        let (address, _) = server(move |_| (status, String::from("no")));
        let sandbox = sandbox(&address, "");
        let memory = sandbox.open();
        fill(&memory);
        let answer = memory.search(&Search::new("boat blue")).unwrap();
        assert!(first(&answer).contains("boat"));
        let notices = memory.notices();
        assert!(notices.iter().any(|notice| notice.text.contains("by words alone")), "{notices:?}");
        // An index without vectors would hide that for good.
        assert!(memory.update_index(Update::Behind, &mut |_, _| {}).is_err());
    }
    // Nobody there at all.
    let sandbox = sandbox("http://127.0.0.1:9/v1", "");
    let memory = sandbox.open();
    fill(&memory);
    assert!(first(&memory.search(&Search::new("boat blue")).unwrap()).contains("boat"));
}

#[test]
fn private_texts_and_credentials_stay_here() {
    let (address, sent) = server(subjects);
    let sandbox = sandbox(&address, "");
    let memory = sandbox.open();
    fill(&memory);
    for (text, sensitivity) in [
        ("the cat hides in the cellar", Sensitivity::PrivateUser),
        ("the safe opens with seven turns", Sensitivity::Secret),
    ] {
        let provenance = Provenance { sensitivity, ..Provenance::of("test", SourceClass::Human) };
        memory.remember(Draft { provenance, ..note(text) }).unwrap();
    }
    let secret = ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let answer = memory.search(&Search::new(&format!("cellar {secret}"))).unwrap();
    assert!(first(&answer).contains("cellar"), "words find it all the same");
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    memory.related(&answer.hits[0].entry.memory.id, &Search::new("")).unwrap();
    let all = sent.all();
    assert!(all.contains("Invoice") && !all.contains("hides in") && !all.contains("seven turns"), "{all}");
    assert!(!all.contains(&secret), "{all}");
}

#[test]
fn an_answer_that_does_not_fit_is_refused() {
    for text in ["", "{}", "[1]", r#"{"data":[]}"#, r#"{"data":[{"embedding":["x"]}]}"#] {
        let (address, _) = server(move |_| (200, text.to_owned()));
        let sandbox = sandbox(&address, "");
        let memory = sandbox.open();
        fill(&memory);
        assert!(first(&memory.search(&Search::new("boat blue")).unwrap()).contains("boat"), "{text}");
        assert!(!memory.notices().is_empty(), "{text}");
    }
}

#[test]
fn a_slow_server_costs_no_more_than_its_time() {
    // It answers when the search has long ended; one that waited for it would have nothing to say of `timeout_ms`.
    let (ended, end) = std::sync::mpsc::channel::<()>();
    let end = std::sync::Mutex::new(end);
    let (address, _) = server(move |body| {
        let _ = end.lock().unwrap().recv_timeout(std::time::Duration::from_secs(60));
        subjects(body)
    });
    let sandbox = sandbox(&address, "timeout_ms = 100\n");
    let memory = sandbox.open();
    fill(&memory);
    assert!(first(&memory.search(&Search::new("boat blue")).unwrap()).contains("boat"));
    assert!(memory.notices().iter().any(|notice| notice.text.contains("timeout_ms")));
    drop(ended);
}
