//! How a memory looks wherever it is shown: the same fields in JSON, the same words for its place.

use memory_engine::Entry;
use memory_engine::core::scope::SourceClass;
use memory_engine::core::time::Time;
use serde_json::{Value, json};

/// The whole memory for programs.
pub(crate) fn whole(entry: &Entry) -> Value {
    let memory = &entry.memory;
    let mut value = json!({
        "id": memory.id,
        "kind": memory.kind,
        "scope": memory.scope,
        "agent": entry.agent(),
        "category": entry.category(),
        "title": memory.title,
        "key": memory.key,
        "text": memory.body.as_str(),
        "tags": memory.tags,
        "created": memory.dated().map(Time::iso),
        "updated": memory.updated.known().map(Time::iso),
        "class": memory.provenance.class.word(),
        "provenance": memory.provenance,
        "file": entry.file,
        "firstLine": entry.first_line,
        "lastLine": entry.last_line,
    });
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, field| !field.is_null());
        if !memory.extra.is_empty() {
            fields.insert("extra".to_owned(), Value::Object(memory.extra.clone()));
        }
    }
    value
}

/// When it was kept; hand-written text says nothing of it.
pub(crate) fn date(entry: &Entry) -> String {
    entry.memory.dated().map_or_else(|| "by hand".to_owned(), Time::minute)
}

/// Whose memory it is, in few words: `agent/category`, or scope and kind.
pub(crate) fn place(entry: &Entry) -> String {
    match (entry.agent(), entry.category()) {
        (Some(agent), Some(category)) => format!("{agent}/{category}"),
        _ => format!("{}/{}", entry.memory.scope.word(), entry.memory.kind),
    }
}

/// The mark of words that nobody here vouches for; agents are not told them by themselves.
pub(crate) fn doubt(entry: &Entry) -> Option<String> {
    let class = entry.memory.provenance.class;
    (class <= SourceClass::Untrusted).then(|| format!("[{}]", class.word()))
}

/// The tags as they stand in a header: `#a #b`.
pub(crate) fn tags(entry: &Entry) -> String {
    let words: Vec<String> = entry.memory.tags.iter().map(|tag| format!("#{tag}")).collect();
    words.join(" ")
}

/// File and lines, as editors take them.
pub(crate) fn lines(entry: &Entry) -> String {
    // A memory that is durable but not yet in its file has no lines.
    if entry.first_line == 0 {
        return entry.file.clone();
    }
    if entry.first_line == entry.last_line {
        return format!("{}:{}", entry.file, entry.first_line);
    }
    format!("{}:{}-{}", entry.file, entry.first_line, entry.last_line)
}

/// `1 thing`, `2 things`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let plural = match thing.strip_suffix('y') {
        _ if number == 1 => thing.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{thing}s"),
    };
    format!("{number} {plural}")
}

/// A number of bytes in few digits: `812 bytes`, `1.4 MB`.
pub(crate) fn sized(bytes: u64) -> String {
    let [kilo, mega, giga] = [1e3, 1e6, 1e9].map(|unit| bytes as f64 / unit);
    match bytes {
        0..1_000 => counted(bytes, "byte"),
        1_000..1_000_000 => format!("{kilo:.1} kB"),
        1_000_000..1_000_000_000 => format!("{mega:.1} MB"),
        _ => format!("{giga:.1} GB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_of_a_thing() {
        let many = ["1 day", "2 days", "2 memories", "2 keys", "2 bytes"];
        let things = [(1, "day"), (2, "day"), (2, "memory"), (2, "key"), (2, "byte")];
        assert_eq!(things.map(|(number, thing)| counted(number, thing)), many);
    }

    #[test]
    fn sizes_have_few_digits() {
        for (bytes, expect) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_450, "1.4 kB"),
            (2_000_000, "2.0 MB"),
            (3 << 30, "3.2 GB"),
        ] {
            assert_eq!(sized(bytes), expect);
        }
    }
}
