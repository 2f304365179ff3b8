//! As much HTTP as the clients speak to a model on the same machine: a request in, an answer out, and the end.
//!
//! A request that is broken or too large is an error of its connection and of nothing else.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// The most that a request may hold; a conversation with all its tools is about a hundredth of it.
const MOST_BYTES: usize = 32 << 20;

/// A request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub method: String,
    pub path: String,
    pub body: Vec<u8>,
}

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub kind: &'static str,
    pub body: String,
}

impl Reply {
    pub(super) fn json(value: &serde_json::Value) -> Self {
        Self { kind: "application/json", body: value.to_string() }
    }

    /// Events, one after the other; each may have a name.
    pub(super) fn events<'a>(events: impl IntoIterator<Item = (Option<&'a str>, String)>) -> Self {
        let mut body = String::new();
        for (name, text) in events {
            if let Some(name) = name {
                body.push_str(&format!("event: {name}\n"));
            }
            body.push_str(&format!("data: {text}\n\n"));
        }
        Self { kind: "text/event-stream", body }
    }
}

/// Reads one request and answers it. The connection closes after that, which every client takes.
pub(super) fn serve(stream: &TcpStream, answer: impl FnOnce(&Request) -> Reply) -> io::Result<()> {
    let mut out = stream;
    let request = read(&mut BufReader::new(stream), &mut out)?;
    let Reply { kind, body } = answer(&request);
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    out.write_all(head.as_bytes())?;
    if request.method != "HEAD" {
        out.write_all(body.as_bytes())?;
    }
    out.flush()
}

fn read(input: &mut impl BufRead, out: &mut impl Write) -> io::Result<Request> {
    let first = line(input)?;
    let mut words = first.split(' ');
    let mut request = Request {
        method: words.next().unwrap_or_default().to_owned(),
        path: words.next().unwrap_or_default().to_owned(),
        body: Vec::new(),
    };
    let mut length = 0;
    let mut chunked = false;
    loop {
        let header = line(input)?;
        let Some((name, value)) = header.split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                length = value.trim().parse().map_err(|_| bad("a length that is no number"))?;
            }
            "transfer-encoding" => chunked = value.contains("chunked"),
            "expect" => out.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    if chunked {
        loop {
            let size = line(input)?;
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| bad("a chunk without a size"))?;
            take(input, size, &mut request.body)?;
            line(input)?;
            if size == 0 {
                break;
            }
        }
    } else {
        take(input, length, &mut request.body)?;
    }
    Ok(request)
}

fn take(input: &mut impl BufRead, size: usize, body: &mut Vec<u8>) -> io::Result<()> {
    if body.len().saturating_add(size) > MOST_BYTES {
        return Err(bad("a request that is too large"));
    }
    let begun = body.len();
    input.take(size as u64).read_to_end(body)?;
    if body.len() - begun == size { Ok(()) } else { Err(bad("a request that ends early")) }
}

fn line(input: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(64 << 10).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expect: Option<(&str, &str, &str)>) {
        let read = read(&mut input.as_bytes(), &mut Vec::new()).ok();
        let read = read.map(|it| (it.method, it.path, String::from_utf8_lossy(&it.body).into_owned()));
        let expect = expect.map(|(method, path, body)| (method.to_owned(), path.to_owned(), body.to_owned()));
        assert_eq!(read, expect, "{input}");
    }

    #[test]
    fn requests() {
        check("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n", Some(("GET", "/v1/models", "")));
        check("POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcdef", Some(("POST", "/a", "abcd")));
        check(
            "POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\na;x=1\r\n0123456789\r\n0\r\n\r\n",
            Some(("POST", "/a", "abc0123456789")),
        );
        check("POST /a HTTP/1.1\r\ncontent-length: 9\r\n\r\nabc", None);
        check("POST /a HTTP/1.1\r\ncontent-length: nine\r\n\r\nabc", None);
        check("POST /a HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\nabc", None);
        check("POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n", None);
    }

    #[test]
    fn a_client_that_waits_for_leave_gets_it() {
        let mut out = Vec::new();
        let input = "POST /a HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\nx";
        read(&mut input.as_bytes(), &mut out).unwrap();
        assert!(out.starts_with(b"HTTP/1.1 100"));
    }
}
