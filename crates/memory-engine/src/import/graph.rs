//! `memory.jsonl` of the MCP memory server: entities with observations, and relations between them.
//!
//! Each observation becomes a memory that names its entity, so that it is found alone; a relation becomes a sentence.
//! The file tells no times, so its own counts.

use memory_core::kind::Kind;
use memory_core::scope::SourceClass;
use memory_core::time::Time;
use serde_json::Value;

use super::pieces::{Piece, lines};
use super::{Came, Context, Hear, Item, folder};
use crate::disk::foreign::Foreign;
use crate::error::{Error, Result};
use crate::harness::record;

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    let path = context.import.path.as_path();
    let shown = path.display().to_string();
    let Some(mut file) = Foreign::open(path)? else { return Err(Error::absent(path)) };
    let at = folder::changed(file.stat());
    let mut lines_of = file.read_from(0)?;
    lines(&mut lines_of, &shown, &mut |number, piece| {
        let place = format!("{shown}:{number}");
        let value = match piece {
            Piece::Whole(bytes) => {
                record::value(&bytes).map_err(|error| format!("the line is not JSON: {error}"))
            }
            Piece::TooLong | Piece::Torn => Err("the line is too long".to_owned()),
        };
        match value.map(|value| value.and_then(|value| sentences(&value))) {
            Ok(Some(said)) => {
                for text in said.texts {
                    hear.item(item(context, &text, &said.sort, at))?;
                }
            }
            Ok(None) => hear.defect(place, "it is neither an entity nor a relation".to_owned()),
            Err(why) => hear.defect(place, why),
        }
        Ok(())
    })
}

fn item(context: &Context<'_>, text: &str, sort: &str, at: Time) -> Item {
    let mut draft = context.draft(text, SourceClass::Agent, Some(at));
    draft.kind = Some(Kind::Fact);
    draft.tags = Some(context.tags([sort]));
    Item { identity: text.to_owned(), draft, origin: Came::Written }
}

/// What a line says, and the sort of its entity.
#[derive(Debug, PartialEq, Eq)]
struct Sentences {
    texts: Vec<String>,
    sort: String,
}

fn sentences(line: &Value) -> Option<Sentences> {
    let field =
        |name: &str| line.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    match field("type")? {
        "entity" => {
            let name = plain(field("name")?);
            let sort = field("entityType").map(plain).unwrap_or_default();
            let observations = record::list(line, "/observations").iter().filter_map(Value::as_str);
            let observations = observations.map(str::trim).filter(|text| !text.is_empty());
            let mut texts: Vec<String> = observations.map(|text| format!("{name}: {text}")).collect();
            if texts.is_empty() {
                texts.push(if sort.is_empty() { name } else { format!("{name} ({sort})") });
            }
            Some(Sentences { texts, sort })
        }
        "relation" => {
            let text = format!(
                "{} {} {}",
                plain(field("from")?),
                plain(field("relationType")?),
                plain(field("to")?)
            );
            Some(Sentences { texts: vec![text], sort: String::new() })
        }
        _ => None,
    }
}

/// A name as people write it.
fn plain(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_sentences() {
        let check = |line: &str, expect: Option<(&[&str], &str)>| {
            let got = sentences(&serde_json::from_str(line).unwrap());
            let expect = expect.map(|(texts, sort)| Sentences {
                texts: texts.iter().map(|text| (*text).to_owned()).collect(),
                sort: sort.to_owned(),
            });
            assert_eq!(got, expect, "{line}");
        };
        check(
            r#"{"type":"entity","name":"Ana_Lima","entityType":"person","observations":["Prefers tea"," ","Speaks Portuguese"]}"#,
            Some((&["Ana Lima: Prefers tea", "Ana Lima: Speaks Portuguese"], "person")),
        );
        check(
            r#"{"type":"entity","name":"Acme","entityType":"company"}"#,
            Some((&["Acme (company)"], "company")),
        );
        check(
            r#"{"type":"relation","from":"Ana_Lima","to":"Acme","relationType":"works_at"}"#,
            Some((&["Ana Lima works at Acme"], "")),
        );
        check(r#"{"type":"relation","from":"Ana_Lima","to":"Acme"}"#, None);
        check(r#"{"type":"entity","observations":["x"]}"#, None);
        check(r#"{"name":"x"}"#, None);
        check("[1]", None);
    }
}
