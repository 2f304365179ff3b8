//! The scripted model: a server on 127.0.0.1 that speaks the four protocols of the clients and says what the
//! [`script`] says.
//!
//! It keeps every request, so that a check can see what a model would really have seen. It ends with its value.

mod anthropic;
mod chat;
mod gemini;
mod http;
mod responses;
mod script;

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use self::http::{Reply, Request};
use self::script::{Flow, answer};
pub(super) use self::script::{GREETING, SCRIPT};

/// A client that says nothing for this long has gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// A model that runs.
pub(super) struct Model {
    port: u16,
    state: Arc<State>,
}

/// A request that the model got.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub method: String,
    pub path: String,
    /// The body; null where it is no JSON.
    pub body: Value,
    /// What was answered, as it was sent.
    pub answer: String,
}

#[derive(Default)]
struct State {
    seen: Mutex<Vec<Seen>>,
    answers: AtomicUsize,
    ended: AtomicBool,
}

impl Model {
    /// Starts a model on a free port.
    pub(super) fn start() -> Result<Self, String> {
        let told = |error: std::io::Error| format!("the scripted model does not start: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(told)?;
        let port = listener.local_addr().map_err(told)?.port();
        let state = Arc::new(State::default());
        let inside = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if inside.ended.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let state = Arc::clone(&inside);
                thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(PATIENCE));
                    // A client that goes away in the middle is the client's affair; what it asked is kept.
                    let _ = http::serve(&stream, |request| state.reply(request));
                });
            }
        });
        Ok(Self { port, state })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Every request so far, in its order.
    pub(super) fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::SeqCst);
        // A connection wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

impl State {
    fn reply(&self, request: &Request) -> Reply {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let Request { method, path, .. } = request;
        let number = self.answers.fetch_add(1, Ordering::SeqCst) + 1;
        let reply = reply(method, path, &body, number);
        let seen = Seen { method: method.clone(), path: path.clone(), body, answer: reply.body.clone() };
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(seen);
        reply
    }
}

fn reply(method: &str, path: &str, body: &Value, number: usize) -> Reply {
    let path = path.split('?').next().unwrap_or_default();
    let is = |end: &str| path.ends_with(end);
    if method != "POST" {
        let models = json!([{"id": "scripted", "object": "model", "created": 1, "owned_by": "nobody"}]);
        return Reply::json(&match is("/models") {
            true => json!({"object": "list", "data": models, "models": []}),
            false => json!({}),
        });
    }
    if is("/messages") {
        let asked = anthropic::read(body);
        anthropic::write(&asked, &answer(&asked), number)
    } else if is("/responses") {
        let asked = responses::read(body);
        responses::write(&asked, &answer(&asked), number)
    } else if is("/chat/completions") {
        let asked = chat::read(body);
        chat::write(&asked, &answer(&asked), number)
    } else if is(":generateContent") || is(":streamGenerateContent") {
        let flow = if is(":streamGenerateContent") { Flow::Stream } else { Flow::Whole };
        let asked = gemini::read(body, flow);
        gemini::write(&asked, &answer(&asked))
    } else if is("/count_tokens") {
        Reply::json(&json!({"input_tokens": 100}))
    } else if is(":countTokens") {
        Reply::json(&json!({"totalTokens": 100}))
    } else {
        Reply::json(&json!({}))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn every_protocol_has_its_path() {
        for (method, path, expect) in [
            ("POST", "/v1/messages?beta=true", "\"type\":\"message\""),
            ("POST", "/v1/messages/count_tokens", "input_tokens"),
            ("POST", "/v1/responses", "\"object\":\"response\""),
            ("POST", "/v1/chat/completions", "\"object\":\"chat.completion\""),
            ("POST", "/v1beta/models/gemini-2.5-pro:generateContent", "{\"candidates\""),
            ("POST", "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse", "data: {\"candidates\""),
            ("POST", "/v1beta/models/gemini-2.5-pro:countTokens", "totalTokens"),
            ("GET", "/v1/models", "\"scripted\""),
            ("GET", "/", "{}"),
            ("POST", "/telemetry", "{}"),
        ] {
            let body = reply(method, path, &json!({}), 1).body;
            assert!(body.contains(expect), "{method} {path}: {body}");
        }
    }

    #[test]
    fn it_answers_over_a_socket_and_remembers_what_was_asked() {
        let model = Model::start().unwrap();
        let body = json!({"messages": [{"role": "user", "content": "hello"}]}).to_string();
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, model.port())).unwrap();
        let head = format!("POST /v1/messages HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(head.as_bytes()).unwrap();
        let mut got = String::new();
        stream.read_to_string(&mut got).unwrap();
        assert!(got.starts_with("HTTP/1.1 200 OK\r\n") && got.contains("\"role\":\"assistant\""), "{got}");
        let seen = model.seen();
        assert_eq!((seen.len(), seen[0].path.as_str()), (1, "/v1/messages"));
        assert_eq!(seen[0].body["messages"][0]["content"], "hello");
    }
}
