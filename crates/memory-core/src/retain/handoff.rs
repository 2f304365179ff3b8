//! Handoffs: what is told of a session to the one that comes after it.
//!
//! A handoff says what was requested, what was done, what is open, where, and what was said last; the same trail gives
//! the same text. It tells what was worked on before what was only talked about, and nothing that is kept as a memory:
//! memories are told by themselves as long as they hold, while a handoff stays as it is.

use std::borrow::Cow;

use crate::memory::Memory;
use crate::session::Role;
use crate::session::trail::{Trail, Turn, clipped};
use crate::strike::STRUCK;
use crate::text::sentences;

use super::tone::{Tone, asks, plain, points, tone};

/// The tag of handoffs that were made of what was said.
pub const AUTOMATIC: &str = "autohandoff";
/// The tag of those whose session was a few words and nothing more.
pub const CHAT: &str = "chat";

/// What is told as open tasks, as long as it is open.
const OPEN: &str = "### What is open\n";
/// Requests and answers that are told, the last ones, and the characters of each.
const TOLD: usize = 6;
const ASKED_CHARS: usize = 150;
const SAID_CHARS: usize = 200;
/// The words of a request and of its answer that are nothing but a few words.
const CHAT_ASKED: usize = 8;
const CHAT_SAID: usize = 20;

/// The handoff of a session.
pub fn handoff(trail: &Trail) -> String {
    let words = Words::of(trail);
    let requested = words.requested();
    let done = words.done();
    let told = requested.iter().map(|&n| clipped(&words.turns[n].asked, ASKED_CHARS));
    let asked: Vec<String> = words.opening(trail).into_iter().chain(told).collect();
    let said: Vec<String> = done.iter().map(|&n| clipped(&words.turns[n].said, SAID_CHARS)).collect();
    let last = words.last().filter(|(n, role)| match role {
        Role::Agent => !done.contains(n),
        Role::User => !requested.contains(n),
    });
    let last = last.map(|(n, role)| {
        let turn = &words.turns[n];
        let text = if role == Role::Agent { &turn.said } else { &turn.asked };
        format!("{}: {}", role.word(), clipped(text, 200))
    });
    let mut text = format!("Auto-handoff ({} messages).", trail.messages);
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            text.push_str(&format!("\n\n### {title}\n{body}"));
        }
    };
    let listed = |items: &mut dyn Iterator<Item = String>| {
        items.map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
    };
    let how = |failed: bool| if failed { "failed" } else { "passed" };
    let mut checks = trail.commands.iter().map(|(command, failed)| format!("`{command}` {}", how(*failed)));
    section("What was requested", asked.join("; "));
    section("What was done", said.join("; "));
    section("What is open", listed(&mut trail.open.iter().filter(|open| *open != STRUCK).cloned()));
    section("Checks", listed(&mut checks));
    section("Files touched", listed(&mut trail.files.iter().map(|file| format!("`{file}`"))));
    section("Last message", last.unwrap_or_default());
    text
}

/// Whether nothing came of a session, however long it was: nothing was changed, checked, decided or left open, and what
/// was said were questions or a few words.
pub fn is_chat(trail: &Trail) -> bool {
    let short = |text: &str, most: usize| (1..=most).contains(&text.split_whitespace().count());
    let few = |turn: &Turn| {
        let few = short(&turn.asked, CHAT_ASKED) && (turn.said.is_empty() || short(&turn.said, CHAT_SAID));
        !turn.worked && (few || asks(&turn.asked))
    };
    !trail.turns.is_empty()
        && trail.kept.is_empty()
        && trail.open.is_empty()
        && trail.files.is_empty()
        && trail.commands.is_empty()
        && trail.turns.iter().all(few)
}

/// What a handoff says that still holds: of one that was made of what was said, not what was open then, which open tasks
/// tell as it is now. `None` where that is nothing.
pub fn standing(handoff: &Memory) -> Option<Cow<'_, str>> {
    let text = handoff.body.as_str();
    if !has_tag(handoff, AUTOMATIC) {
        return Some(Cow::Borrowed(text));
    }
    let text = match text.split_once(OPEN) {
        None => Cow::Borrowed(text),
        Some((before, rest)) => {
            let after = rest.find("\n### ").and_then(|at| rest.get(at + 1..)).unwrap_or_default();
            Cow::Owned(format!("{before}{after}").trim_end().to_owned())
        }
    };
    text.contains("### ").then_some(text)
}

/// The handoff with which the last session ended; what upkeep wrote is none, and a few words do not take the place of
/// work.
pub fn latest_handoff<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> Option<&'a Memory> {
    let handoffs = memories.into_iter().filter(|memory| memory.kind == crate::kind::Kind::Handoff);
    let weight = |memory: &&Memory| (tells_of_work(memory), memory.updated, memory.id.millis());
    handoffs.filter(|memory| !super::is_compacted(memory)).max_by_key(weight)
}

/// Whether a handoff tells of work: a few words do not take its place, and what upkeep wrote is no session's.
pub fn tells_of_work(handoff: &Memory) -> bool {
    !has_tag(handoff, CHAT) && !super::is_compacted(handoff)
}

fn has_tag(memory: &Memory, tag: &str) -> bool {
    memory.tags.iter().any(|known| known.as_str() == tag)
}

/// The turns of a session without what memories tell.
struct Words {
    turns: Vec<Spoken>,
    kept: Vec<String>,
}

struct Spoken {
    asked: String,
    said: String,
    /// How the request sounds as it was made.
    tone: Tone,
    worked: bool,
}

impl Words {
    fn of(trail: &Trail) -> Self {
        let kept = trail.kept.iter().map(|text| plain(text)).collect();
        let mut words = Self { turns: Vec::new(), kept };
        for turn in &trail.turns {
            let tone = if turn.asked.is_empty() { Tone::Talk } else { tone(&turn.asked) };
            let (asked, said) = (words.left(&turn.asked), words.left(&turn.said));
            words.turns.push(Spoken { asked, said, tone, worked: turn.worked });
        }
        words
    }

    /// The sentences of a text that no memory tells, as far as they say something by themselves.
    fn left(&self, text: &str) -> String {
        let mut left: Vec<&str> = Vec::new();
        for line in text.lines() {
            left.extend(sentences(line).filter_map(|range| line.get(range)).filter(|one| !self.is_kept(one)));
        }
        finished(&left.iter().map(|one| one.trim()).collect::<Vec<_>>().join(" ")).to_owned()
    }

    fn is_kept(&self, sentence: &str) -> bool {
        if sentence.trim() == STRUCK {
            return true;
        }
        let sentence = plain(sentence);
        // A word or two stand in many a text.
        let says = |text: &str| text.split_whitespace().nth(2).is_some();
        let holds = |one: &str, other: &str| one == other || says(other) && one.contains(other);
        self.kept.iter().any(|kept| holds(&sentence, kept) || holds(kept, &sentence))
    }

    /// Whether anything was worked on.
    fn is_work(&self) -> bool {
        self.turns.iter().any(|turn| turn.worked)
    }

    /// The requests that say what is wanted, the last ones: those that led to work, and in the room that is left others.
    /// Beside work, what was only asked is no part of it.
    fn requested(&self) -> Vec<usize> {
        let is_work = self.is_work();
        let says = |n: &usize| {
            let turn = &self.turns[*n];
            turn.tone == Tone::Talk && tone(&turn.asked) == Tone::Talk
        };
        let (mut told, others): (Vec<usize>, Vec<usize>) =
            (0..self.turns.len()).filter(says).partition(|&n| self.led_to_work(n));
        told.drain(..told.len().saturating_sub(TOLD));
        let others = others.into_iter().rev().filter(|&n| !is_work || !asks(&self.turns[n].asked));
        told.extend(others.take(TOLD - told.len()));
        told.sort_unstable();
        told
    }

    /// Whether a request was worked on, at once or when the person said "go on".
    fn led_to_work(&self, n: usize) -> bool {
        let after = self.turns.iter().skip(n + 1).take_while(|turn| turn.tone == Tone::Assent);
        self.turns.iter().skip(n).take(1).chain(after).any(|turn| turn.worked)
    }

    /// What the session began with, where that is so long ago that its turn is not there any more.
    fn opening(&self, trail: &Trail) -> Option<String> {
        let is_there = trail.turns.iter().any(|turn| turn.asked == trail.first);
        let first = self.left(&trail.first);
        let tells = tone(&first) == Tone::Talk && !(self.is_work() && asks(&first));
        (!is_there && tells).then(|| clipped(&first, ASKED_CHARS))
    }

    /// The last answers that say what was done, those of turns with work before others.
    fn done(&self) -> Vec<usize> {
        let says = |turn: &Spoken| tone(&turn.said) == Tone::Talk;
        let worked = self.last_of(|turn| turn.worked && says(turn));
        if worked.is_empty() {
            return self.last_of(|turn| matches!(turn.tone, Tone::Talk | Tone::Assent) && says(turn));
        }
        worked
    }

    fn last_of(&self, is: impl Fn(&Spoken) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.turns.len()).filter(|&n| is(&self.turns[n])).collect();
        found.split_off(found.len().saturating_sub(TOLD))
    }

    /// The turn with the last message that is more than a courtesy, or a question beside work, and whose that is, where it
    /// says something.
    fn last(&self) -> Option<(usize, Role)> {
        let is_work = self.is_work();
        let counts =
            |turn: &Spoken| turn.worked || turn.tone != Tone::Courtesy && !(is_work && asks(&turn.asked));
        let n = self.turns.iter().rposition(counts)?;
        let turn = self.turns.get(n)?;
        let (role, text) =
            if turn.said.is_empty() { (Role::User, &turn.asked) } else { (Role::Agent, &turn.said) };
        matches!(tone(text), Tone::Talk | Tone::Chore).then_some((n, role))
    }
}

/// A text without an end that only leads up to something that is not there. What says what to do with it stays.
fn finished(text: &str) -> &str {
    let mut text = text.trim_end();
    while text.ends_with(':') {
        let end = text.rfind(['.', '!', '?', ';', ',', '…']);
        text = match end.and_then(|at| text.get(..=at)) {
            Some(before) => before.trim_end_matches([',', ';']).trim_end(),
            None if points(text) => "",
            None => break,
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Tag;
    use crate::kind::Kind;
    use crate::retain::tests::memory;
    use crate::session::{Message, ToolCall};

    fn say(trail: &mut Trail, role: Role, text: &str) {
        trail.add(&Message::new(role, text), text);
    }

    fn session(turns: &[(&str, &str)]) -> Trail {
        let mut trail = Trail::default();
        for (asked, said) in turns {
            say(&mut trail, Role::User, asked);
            say(&mut trail, Role::Agent, said);
        }
        trail
    }

    fn told() -> Trail {
        let mut trail = Trail::default();
        say(&mut trail, Role::User, "Please add a cache to the login page");
        for n in 0..4 {
            say(&mut trail, Role::Agent, &format!("step {n} is done"));
            say(&mut trail, Role::User, &format!("now step {}", n + 1));
        }
        let call = |name: &str, path: &str, command: Option<&str>| ToolCall {
            name: name.into(),
            paths: vec![path.into()],
            command: command.map(str::to_owned),
            failed: command.map(|command| command.contains("bad")),
        };
        let mut last = Message::new(Role::Agent, "The cache\nis in.");
        last.cwd = Some("/home/ana/shop".into());
        last.tools = vec![
            call("Edit", "/home/ana/shop/src/login.rs", None),
            call("Read", "/home/ana/shop/src/other.rs", None),
            call("Write", "/home/ana/shop/src/cache.rs", None),
            call("Edit", "/home/ana/shop/src/login.rs", None),
            call("Bash", "", Some("cargo test --bad")),
            call("Bash", "", Some("ls")),
        ];
        trail.add(&last, "");
        trail.add_open("- [ ] write the docs");
        trail
    }

    #[test]
    fn a_handoff_says_what_was_asked_done_open_and_where() {
        let expect = "Auto-handoff (10 messages).\n\n\
            ### What was requested\nPlease add a cache to the login page; now step 1; now step 2; now step 3; \
            now step 4\n\n\
            ### What was done\nThe cache is in.\n\n\
            ### What is open\n- write the docs\n\n\
            ### Checks\n- `cargo test --bad` failed\n\n\
            ### Files touched\n- `src/cache.rs`\n- `src/login.rs`";
        assert_eq!(handoff(&told()), expect);
    }

    #[test]
    fn how_a_session_closed_is_not_what_was_done() {
        let turns = [
            (
                "Please migrate billing to v2. Start with the webhooks.",
                "I migrated the webhooks in billing/webhook.py.",
            ),
            ("now the refunds", "Refunds use v2 now."),
            ("looks good, commit", "Committed as 4f2a91c."),
            ("push it", "Pushed to origin/billing-v2."),
            ("thanks!", "You're welcome!"),
        ];
        let expect = "Auto-handoff (10 messages).\n\n\
            ### What was requested\nPlease migrate billing to v2. Start with the webhooks.; now the refunds\n\n\
            ### What was done\nI migrated the webhooks in billing/webhook.py.; Refunds use v2 now.\n\n\
            ### Last message\nagent: Pushed to origin/billing-v2.";
        assert_eq!(handoff(&session(&turns)), expect);
        let turns = [("arruma o login", "Arrumei em login.rs."), ("muito obrigado!", "De nada!")];
        let expect = "Auto-handoff (4 messages).\n\n\
            ### What was requested\narruma o login\n\n### What was done\nArrumei em login.rs.";
        assert_eq!(handoff(&session(&turns)), expect);
        let mut waits = session(&turns[..1]);
        say(&mut waits, Role::User, "and the logout");
        assert!(!handoff(&waits).contains("Last message"), "{}", handoff(&waits));
    }

    #[test]
    fn what_a_memory_tells_is_left_to_it() {
        let mut trail = session(&[
            (
                "We decided to use Redis for the queues.\nPlease fix the login page.",
                "Fixed. The [cache](docs/cache.md) must be warm.",
            ),
            ("TODO: rename the folder", "ok"),
        ]);
        for kept in ["We decided to use Redis for the queues", "Rename the folder", "The cache must be warm."]
        {
            trail.add_kept(kept);
        }
        // What was forgotten for good was struck out.
        say(&mut trail, Role::User, "[forgotten]");
        trail.add_open("[forgotten]");
        trail.add_open("Rename the folder");
        trail.add_kept("login");
        let expect = "Auto-handoff (5 messages).\n\n\
            ### What was requested\nPlease fix the login page.\n\n\
            ### What was done\nFixed.\n\n### What is open\n- Rename the folder";
        assert_eq!(handoff(&trail), expect);
    }

    #[test]
    fn of_a_handoff_what_was_open_then_is_not_told() {
        let automatic = |text: &str| Memory {
            kind: Kind::Handoff,
            tags: vec![Tag::parse(AUTOMATIC).unwrap()],
            ..memory(1, text)
        };
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(standing(&automatic(text)).as_deref(), expect, "{text}");
        };
        check("A (2).\n\n### What is open\n- x\n- y\n\n### Checks\n- z", Some("A (2).\n\n### Checks\n- z"));
        check("A (2).\n\n### Checks\n- z\n\n### What is open\n- x", Some("A (2).\n\n### Checks\n- z"));
        check("A (2).\n\n### What is open\n- x", None);
        check("A (2).", None);
        let own = Memory { tags: Vec::new(), ..automatic("Done.\n### What is open\n- x") };
        assert_eq!(standing(&own).as_deref(), Some("Done.\n### What is open\n- x"));
    }

    fn work(asked: &str, said: &str, trail: &mut Trail) {
        say(trail, Role::User, asked);
        let mut answer = Message::new(Role::Agent, said);
        let edit = ToolCall { name: "Edit".into(), paths: vec!["a.ts".into()], ..ToolCall::default() };
        answer.tools = vec![edit];
        trail.add(&answer, "");
    }

    #[test]
    fn work_is_told_before_small_talk() {
        let mut trail = session(&[("hi! how was your weekend?", "Fine, thanks!")]);
        work("add the coupon table", "Added `db/coupons.sql`.", &mut trail);
        work("now the endpoint for coupons", "`POST /coupons` works.", &mut trail);
        say(&mut trail, Role::User, "the checkout page should show the discount");
        say(&mut trail, Role::Agent, "With or without tax?");
        work("B", "It shows the discount with tax.", &mut trail);
        say(&mut trail, Role::User, "what time is it in Lisbon?");
        say(&mut trail, Role::Agent, "It's 10:42.");
        say(&mut trail, Role::User, "explica-me o que é um fuso horário");
        say(&mut trail, Role::Agent, "Uma faixa da Terra.");
        let expect = "Auto-handoff (14 messages).\n\n\
            ### What was requested\nadd the coupon table; now the endpoint for coupons; the checkout page should show \
            the discount\n\n\
            ### What was done\nAdded `db/coupons.sql`.; `POST /coupons` works.; It shows the discount with tax.\n\n\
            ### Files touched\n- `a.ts`";
        assert_eq!(handoff(&trail), expect);
        assert!(!is_chat(&trail));
        // Work comes before what was only said, however late that was.
        for n in 0..9 {
            say(&mut trail, Role::User, &format!("the colour number {n} is nice as it is"));
            say(&mut trail, Role::Agent, "Yes.");
        }
        let text = handoff(&trail);
        for asked in ["add the coupon table", "now the endpoint", "number 8"] {
            assert!(text.contains(asked), "{text}");
        }
        assert!(!text.contains("number 1"), "{text}");
    }

    #[test]
    fn what_leads_up_to_nothing_is_left_out() {
        let check = |text: &str, expect: &str| assert_eq!(finished(text), expect, "{text}");
        check("olha o que recebi do deploy:", "");
        check("Fixed the login. Remaining:", "Fixed the login.");
        check("please fix the build, here is the log:", "please fix the build");
        check("add these fields: a, b", "add these fields: a, b");
        check("Remaining:", "");
        check("summarise this mail:", "summarise this mail:");
        check("", "");
        let trail = session(&[("corrige o login. olha o que recebi:", "Corrigi o login. Falta:")]);
        let expect = "### What was requested\ncorrige o login.\n\n### What was done\nCorrigi o login.";
        assert!(handoff(&trail).contains(expect), "{}", handoff(&trail));
    }

    #[test]
    fn what_a_session_began_with_is_told_after_many_turns() {
        let mut trail = session(&[("Please move billing to v2", "Yes.")]);
        (0..60).for_each(|n| work(&format!("now the part {n}"), "It is moved.", &mut trail));
        let text = handoff(&trail);
        assert!(
            text.contains("### What was requested\nPlease move billing to v2; now the part 54"),
            "{text}"
        );
    }

    #[test]
    fn a_few_words_are_no_work() {
        let check = |trail: &Trail, expect: bool| assert_eq!(is_chat(trail), expect, "{}", handoff(trail));
        let hello = [("hi", "Hello! How can I help?"), ("how do I exit vim again", "Type :q!")];
        check(&session(&hello), true);
        let questions = [
            (
                "which ORM do we use and why?",
                "Kysely, because its types are those of the tables that there are.",
            ),
            ("como guardamos os preços?", "numeric"),
            ("explain to me how the deploy works from the merge to the last step", "In five steps."),
            ("may I deploy today?", "No."),
            ("and tomorrow?", "Yes."),
        ];
        check(&session(&questions), true);
        let mut worked = session(&questions);
        work("fix the login", "Done.", &mut worked);
        check(&worked, false);
        check(
            &session(&[("Could you migrate the billing service from v1 to v2, tests too?", "Done")]),
            false,
        );
        check(&told(), false);
        check(&session(&[("Please migrate the billing service from Stripe v1 to v2", "Done")]), false);
        check(&Trail::default(), false);
        let mut decided = session(&hello);
        decided.add_kept("We use vim");
        check(&decided, false);
    }
}
