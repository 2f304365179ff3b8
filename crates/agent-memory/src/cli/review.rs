//! `review`: newer memories that contradict older ones, for a person to settle. Nothing is done unasked.

use std::io;

use clap::Args;
use memory_engine::Proposal;
use memory_engine::core::id::MemoryId;
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::scan::brief;
use crate::cli::shown::{self, counted};
use crate::output::{Page, Render, Tone, folded};

/// Settle newer memories that contradict older ones
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory review
  agent-memory review --accept 1
  agent-memory review --accept 1773679871839
  agent-memory review --dismiss 2 3

A proposal is named by its number in the list, by its key, or by the id of its older memory.")]
pub(crate) struct Review {
    /// Let the newer memory take the place of the older one
    #[arg(long, value_name = "PROPOSAL", num_args = 1.., conflicts_with = "dismiss")]
    accept: Vec<String>,

    /// Both hold: do not propose it again
    #[arg(long, value_name = "PROPOSAL", num_args = 1..)]
    dismiss: Vec<String>,
}

impl Review {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        if self.accept.is_empty() && self.dismiss.is_empty() {
            let proposals = match app.memory_if_any()? {
                Some(memory) => memory.review()?,
                None => Vec::new(),
            };
            return Ok(app.out.show(&List(&proposals))?);
        }
        let memory = app.memory_to_change()?;
        let proposals = memory.review()?;
        let chosen = chosen(&proposals, if self.accept.is_empty() { &self.dismiss } else { &self.accept })?;
        if self.accept.is_empty() {
            memory.dismiss_proposals(&chosen)?;
            return Ok(app.out.show(&Settled { chosen: &chosen, word: "dismissed" })?);
        }
        for proposal in &chosen {
            memory.accept_proposal(proposal)?;
        }
        app.wrote_memories(chosen.len() * 2);
        Ok(app.out.show(&Settled { chosen: &chosen, word: "superseded" })?)
    }
}

/// The proposals that were named, each once; all of them must be there before anything is done.
fn chosen(proposals: &[Proposal], names: &[String]) -> Outcome<Vec<Proposal>> {
    let mut chosen: Vec<Proposal> = Vec::new();
    for name in names {
        let by_number = name.parse::<usize>().ok().and_then(|n| proposals.get(n.checked_sub(1)?));
        let of_name = |it: &&Proposal| it.key == *name || it.old.memory.id.as_str() == name;
        let named: Vec<&Proposal> = proposals.iter().filter(of_name).collect();
        let found = match (by_number, named.as_slice()) {
            (Some(found), _) => found,
            (None, [found]) => found,
            (None, []) => {
                return Err(Failure::missing(
                    "E_NO_PROPOSAL",
                    format!("no proposal is named `{name}`: `agent-memory review` lists them"),
                ));
            }
            (None, several) => {
                let keys: Vec<&str> = several.iter().map(|it| it.key.as_str()).collect();
                return Err(Failure::usage(format!(
                    "several proposals are about `{name}`: name one by its key, {}",
                    keys.join(" or ")
                )));
            }
        };
        if !chosen.iter().any(|it| it.key == found.key) {
            chosen.push(found.clone());
        }
    }
    Ok(chosen)
}

struct List<'a>(&'a [Proposal]);

impl Render for List<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.0.is_empty() {
            return page.say("(nothing to review)");
        }
        for (n, proposal) in self.0.iter().enumerate() {
            page.line(&[(Tone::Strong, &format!("{}. ", n + 1)), (Tone::Dim, &proposal.key)])?;
            sides(page, proposal)?;
        }
        page.say(&format!(
            "{}: `review --accept N` lets the newer take the older's place, `review --dismiss N` keeps both",
            counted(self.0.len() as u64, "proposal")
        ))
    }

    fn json(&self) -> Value {
        json!({ "proposals": self.0.iter().map(proposal_json).collect::<Vec<_>>() })
    }
}

struct Settled<'a> {
    chosen: &'a [Proposal],
    word: &'a str,
}

impl Render for Settled<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        for proposal in self.chosen {
            let (old, new) = (proposal.old.memory.id.as_str(), proposal.new.memory.id.as_str());
            let between = if self.word == "superseded" { " by " } else { ": both hold, with " };
            page.line(&[
                (Tone::Good, &format!("{} ", self.word)),
                (Tone::Id, old),
                (Tone::Plain, between),
                (Tone::Id, new),
            ])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let ids = self.chosen.iter().map(|it| {
            let (old, new): (&MemoryId, &MemoryId) = (&it.old.memory.id, &it.new.memory.id);
            json!({ "key": it.key, "old": old, "new": new })
        });
        json!({ (self.word): ids.collect::<Vec<_>>() })
    }
}

/// Both sides of a contradiction, one below the other, with what they are about and why they cannot both hold.
pub(crate) fn sides(page: &mut Page<'_>, proposal: &Proposal) -> io::Result<()> {
    let what = &proposal.what;
    page.line(&[
        (Tone::Plain, "  "),
        (Tone::Strong, &what.subject),
        (Tone::Plain, &format!(": {}", what.why)),
    ])?;
    for (word, entry, says) in
        [("old", &proposal.old, &what.old_says), ("new", &proposal.new, &what.new_says)]
    {
        page.line(&[
            (Tone::Dim, &format!("    {word}  ")),
            (Tone::Id, entry.memory.id.as_str()),
            (Tone::Dim, &format!("  {}  {}  ", shown::date(entry), shown::lines(entry))),
            (Tone::Plain, &folded(says, 120)),
        ])?;
    }
    Ok(())
}

/// A proposal for programs.
pub(crate) fn proposal_json(proposal: &Proposal) -> Value {
    let what = &proposal.what;
    json!({
        "key": proposal.key,
        "subject": what.subject,
        "why": what.why,
        "old": brief(&proposal.old),
        "oldSays": what.old_says,
        "new": brief(&proposal.new),
        "newSays": what.new_says,
    })
}
