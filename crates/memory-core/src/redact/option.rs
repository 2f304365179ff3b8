//! Passwords behind an option that is too short for a name: `curl -u user:password`, `mysql -pPASSWORD`,
//! `redis-cli -a …`, `smbclient -U user%password`.
//!
//! Such an option says nothing by itself, so the program in front of it decides whether it takes a password.

use std::ops::Range;

use super::names::{Family, Name};
use super::url;
use super::value::{Form, is_secret};

/// The options, each with the space before it.
pub(super) const OPTIONS: &[&str] = &[" -u", " --user ", " --user=", " --proxy-user ", " -p", " -a ", " -U "];

/// Programs that take a user and a group after `-u`.
const GROUPS: &[&str] = &["docker", "podman", "nerdctl", "docker-compose", "kubectl"];

/// Programs that take a user and a password after it.
const LOGINS: &[&str] = &["curl", "wget", "http", "https", "xh"];

/// Programs that take a password directly after `-p`.
const GLUED: &[&str] = &["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlsh", "mariadb", "sshpass"];

/// Words of commands that take one as the next word: `docker login`, `az login`.
const SPACED: &[&str] = &["sshpass", "login"];

/// The password after the option at `at`.
pub(super) fn find(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    let front = front(text.as_bytes(), at.start);
    let runs = |programs: &[&str]| {
        front
            .split(|b| b.is_ascii_whitespace() || b"/\\\"'".contains(b))
            .any(|word| programs.iter().any(|program| program.as_bytes() == word))
    };
    let spaced = text.as_bytes().get(at.end) == Some(&b' ');
    let value = at.end + usize::from(spaced);
    match text.get(at.clone())? {
        " -u" if spaced || runs(LOGINS) => {
            (runs(LOGINS) || !runs(GROUPS)).then(|| url::login(text, value))?
        }
        " --user " | " --user=" | " --proxy-user " => url::login(text, at.end),
        " -p" if runs(if spaced { SPACED } else { GLUED }) => password(text, value),
        " -a " if runs(&["redis-cli"]) => password(text, at.end),
        " -U " if runs(&["smbclient", "rpcclient", "net"]) => {
            let user = text
                .get(at.end..)?
                .bytes()
                .take(LONGEST)
                .take_while(|b| !ends(*b))
                .position(|b| b == b'%')?;
            password(text, at.end + user + 1)
        }
        _ => None,
    }
}

/// Longer passwords are not looked for.
const LONGEST: usize = 128;

/// The beginning of a command is looked for in so many bytes.
const FRONT: usize = 200;

/// What stands before an option in its command. A marker ends it: a mask must not bring a program nearer.
fn front(bytes: &[u8], at: usize) -> &[u8] {
    let head = bytes.get(at.saturating_sub(FRONT)..at).unwrap_or_default();
    head.rsplit(|b| matches!(b, b'\n' | b';' | b'|' | b'&' | b'`' | b'(' | b']')).next().unwrap_or_default()
}

fn ends(b: u8) -> bool {
    b.is_ascii_whitespace() || b.is_ascii_control() || b"\"'`<>|;&()[]".contains(&b)
}

/// The password that begins at `at`, in quotes or bare.
fn password(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let quote = rest.bytes().next().filter(|b| matches!(b, b'"' | b'\''));
    let start = at + usize::from(quote.is_some());
    let closes = |b: u8| quote.map_or(ends(b), |quote| b == quote || b == b'\n');
    let length = text.get(start..)?.bytes().take(LONGEST).take_while(|b| !closes(*b)).count();
    let value = text.get(start..start + length)?;
    let number = value.bytes().all(|b| b.is_ascii_digit());
    (!number && is_secret(value, PASSWORD, Form::Literal)).then_some(start..start + length)
}

/// What stands there is a password, even if it is a word.
const PASSWORD: Name = Name {
    family: Family::Password,
    shouted: true,
    ends_so: true,
    report: false,
    terse: false,
    header: false,
};
