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
            // A name may be one of code, or a credential that is known only as it is.
            let name = field("name")?.to_owned();
            let sort = field("entityType").unwrap_or_default().to_owned();
            let observations = record::list(line, "/observations").iter().filter_map(Value::as_str);
            let observations = observations.map(str::trim).filter(|text| !text.is_empty());
            let mut texts: Vec<String> = observations.map(|text| format!("{name}: {text}")).collect();
            if texts.is_empty() {
                texts.push(if sort.is_empty() { name } else { format!("{name} ({sort})") });
            }
            Some(Sentences { texts, sort })
        }
        "relation" => {
            let text = format!("{} {} {}", field("from")?, plain(field("relationType")?), field("to")?);
            Some(Sentences { texts: vec![text], sort: String::new() })
        }
        _ => None,
    }
}

/// The word of a relation as people write it, unless it may be more than words: a credential would not be known then.
fn plain(word: &str) -> String {
    let is_word = word.len() <= 40 && word.chars().all(|c| c.is_alphabetic() || c == '_');
    if is_word { word.replace('_', " ") } else { word.to_owned() }
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
            Some((&["Ana_Lima: Prefers tea", "Ana_Lima: Speaks Portuguese"], "person")),
        );
        check(
            r#"{"type":"entity","name":"Acme","entityType":"company"}"#,
            Some((&["Acme (company)"], "company")),
        );
        check(
            r#"{"type":"relation","from":"Ana_Lima","to":"Acme","relationType":"works_at"}"#,
            Some((&["Ana_Lima works at Acme"], "")),
        );
        check(
            r#"{"type":"entity","name":"ghp_0123456789abcdefghijABCDEFGHIJ012345","entityType":"api_key"}"#,
            Some((&["ghp_0123456789abcdefghijABCDEFGHIJ012345 (api_key)"], "api_key")),
        );
        check(
            r#"{"type":"relation","from":"parse_line","to":"A","relationType":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}"#,
            Some((&["parse_line ghp_0123456789abcdefghijABCDEFGHIJ012345 A"], "")),
        );
        check(r#"{"type":"relation","from":"Ana_Lima","to":"Acme"}"#, None);
        check(r#"{"type":"entity","observations":["x"]}"#, None);
        check(r#"{"name":"x"}"#, None);
        check("[1]", None);
    }
}
