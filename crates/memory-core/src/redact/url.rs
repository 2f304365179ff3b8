//! Passwords behind a user and a colon, as in `scheme://user:password@host`, and tokens in the place of both.
//!
//! Only the password is masked, so that the memory still says which database was meant. Placeholders,
//! references to variables and passwords equal to the user's name stay.

use std::ops::Range;

use super::examples;
use super::names::Name;
use super::value::{self, Form};

/// What stands between a scheme and the rest of an address.
pub(super) const ANCHOR: &str = "://";

/// Longer user names and passwords are not looked for, which bounds the work for each anchor.
const LONGEST: usize = 256;

/// The password of the address whose `://` stands at `anchor`.
pub(super) fn find(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let scheme = anchor.start.checked_sub(1).and_then(|before| bytes.get(before))?;
    if !scheme.is_ascii_alphanumeric() {
        return None;
    }
    let user = anchor.end;
    let rest = bytes.get(user..)?;
    let colon = rest.iter().take(LONGEST).position(|b| ends_user(*b))?;
    if rest.get(colon) == Some(&b'@') {
        return token(text, user..user + colon);
    }
    if rest.get(colon) != Some(&b':') {
        return None;
    }
    let start = user + colon + 1;
    let end = password_end(bytes, start)?;
    let (user, password) = (text.get(user..user + colon)?, text.get(start..end)?);
    let host = text.get(end + 1..)?;
    // An image pinned by its digest has the same shape: `docker://alpine:3.20@sha256:…`.
    let pinned = host.starts_with("sha256:") || host.starts_with("sha512:");
    (!pinned && is_secret(user, password)).then_some(start..end)
}

/// The token that stands for a user and a password, as in `https://token@host`. The key of an address to which
/// errors are reported is public; a number follows its host.
fn token(text: &str, user: Range<usize>) -> Option<Range<usize>> {
    let value = text.get(user.clone())?;
    let place = text.get(user.end + 1..)?.split(|c: char| c.is_whitespace() || c == '"').next()?;
    let number = place.rsplit_once('/').is_some_and(|(_, last)| last.bytes().all(|b| b.is_ascii_digit()));
    let public = number && value.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    (value.len() >= 20 && !public && value::is_secret(value, Name::SECRET, Form::Code)).then_some(user)
}

fn ends_user(b: u8) -> bool {
    b == b':' || b == b'@' || ends_password(b) || is_path(b)
}

fn ends_password(b: u8) -> bool {
    b.is_ascii_whitespace()
        || b.is_ascii_control()
        || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b'[' | b']' | b'\\' | b'|')
}

fn is_path(b: u8) -> bool {
    matches!(b, b'/' | b'?' | b'#')
}

/// The place of the last `@` before the host ends. People paste passwords without encoding them, so an `@`
/// or a slash may belong to one; but digits before a slash are a port.
fn password_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut found = None;
    for (at, b) in bytes.iter().enumerate().skip(start).take(LONGEST) {
        match *b {
            b'@' => found = Some(at),
            b if ends_password(b) => break,
            b if is_path(b) => {
                let port = bytes.get(start..at).is_some_and(|run| run.iter().all(u8::is_ascii_digit));
                if found.is_some() || port {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// What names that stand for a password end with.
#[rustfmt::skip]
const NAMING: &[&str] = &[
    "PASSWORD", "PASS", "PASSWD", "PWD", "PW", "SENHA", "TOKEN", "SECRET", "KEY", "PAT", "CREDENTIALS", "AUTH", "HERE",
    "VALUE",
];

fn is_secret(user: &str, password: &str) -> bool {
    let shouted = |text: &str| text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    // A name in capitals stands for a password; other capitals may be one.
    let named = NAMING.contains(&password.rsplit('_').next().unwrap_or_default());
    let stands_for_one = shouted(password) && (named || !user.is_empty() && shouted(user));
    password.len() >= 4
        && !password.eq_ignore_ascii_case(user)
        && !stands_for_one
        && !password.contains('{')
        && password != "x-oauth-basic"
        && !examples::is_reference(password)
        && !examples::is_placeholder(password)
}

/// The password of the user that stands at `at` as the value of an option. A group or a number after the colon is no
/// password.
pub(super) fn login(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let quote = bytes.get(at).copied().filter(|b| matches!(b, b'"' | b'\''));
    let user = at + usize::from(quote.is_some());
    let rest = bytes.get(user..)?;
    let colon = rest
        .iter()
        .take(LONGEST)
        .position(|b| ends_user(*b))
        .filter(|at| *at > 0 && rest.get(*at) == Some(&b':'))?;
    let start = user + colon + 1;
    let ends = |b: u8| quote.map_or(ends_password(b), |quote| b == quote || b == b'\n');
    let length = bytes.get(start..)?.iter().take(LONGEST).take_while(|b| !ends(**b)).count();
    let (user, password) = (text.get(user..user + colon)?, text.get(start..start + length)?);
    let has = |test: fn(&u8) -> bool| password.as_bytes().iter().any(test);
    let mixed = has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) || has(u8::is_ascii_punctuation);
    let plain = user.bytes().all(|b| b.is_ascii_alphanumeric() || b"._@+-".contains(&b));
    // `http://…` and `module::name` have a colon in the same place.
    let other = password.starts_with(['/', ':']) || password.contains('(');
    (plain && !other && has(u8::is_ascii_alphabetic) && mixed && is_secret(user, password))
        .then_some(start..start + length)
}
