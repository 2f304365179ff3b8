//! Notes that look like what agents keep, made from a seed: the same on every machine, and none of them anybody's.
//!
//! Words follow Zipf's law as they do in real text: some function words everywhere, then words of software and made-up
//! ones, the rarest in one note of thousands. Note `n` is the same however many there are.

use std::collections::HashSet;

/// Words that stand everywhere and say little.
const FUNCTION: &str = "the of to and a in is it that for on with as was be by this are or an not we from but at have \
    has which so can if when all will one they you there were more no out do up what about into than them only other \
    new some could these then now its over also after most";

/// Words of the trade.
const SOFTWARE: &str = "accept account action adapter address admin agent alert alias allocate analysis anchor api \
    append archive argument array artifact assert async atomic attribute audit backend backoff backup balance bandwidth \
    barrier baseline batch benchmark binary binding bitmap block boolean bootstrap boundary branch breakpoint bridge \
    broker browser bucket buffer build bundle byte bytecode cache callback cancel canary capacity certificate channel \
    checkout checksum child chunk circuit class client clone cluster codec collect column command commit compact \
    compare compile component compress concurrency config conflict connection console constant constraint consumer \
    container context contract controller convert cookie coroutine corrupt counter coverage crash credential cron \
    cursor daemon dashboard database deadline deadlock debug decode decorator default defer delegate delete delta \
    dependency deploy deprecated descriptor deserialize desktop device digest directory disable discard disk dispatch \
    docker document domain download driver duplicate duration edge editor element embed empty enable encode encrypt \
    endpoint engine entity entry enum environment error escape event evict exception exclude execute exit export \
    expire extension extract factory failover fallback feature fetch field file filter firewall fixture flag flush \
    folder font foreign fork format fragment frame framework frontend function garbage gateway generate global gradient \
    grammar graph group guard handshake hardware hash header heap heartbeat hook host hotfix identity idle ignore image \
    immutable import include increment indent index inherit init inject inline input insert inspect install instance \
    integer integrate interface internal interpreter interrupt invalid invoke iterator job join journal json kernel \
    lambda latency layer layout lease leak library license limit linker linter listener literal load local lock logger \
    login logout loop macro mailbox manifest mapping marker mask master match memory merge message metadata method \
    metric middleware migrate mirror mock module monitor mount mutex namespace network node null object observer \
    offline offset opaque operator optimize option orchestrate origin orphan output overflow override owner package \
    packet padding page panic parallel parameter parent parse partition patch path pattern payload peer permission \
    persist pipeline pixel platform plugin pointer policy poll pool popup port prefetch prefix preview primary \
    priority privilege probe process producer profile project promise protocol provider proxy publish pull push query \
    queue quota race random rate reboot rebuild receiver record recover recursion redirect redis reduce refactor \
    reference refresh regex region register regression release reload remote render repair replay replica repository \
    request resolve resource response restart restore result retry return reverse revert review revoke rollback root \
    route router runner runtime sandbox scale scan scheduler schema scope script search segment select semaphore sender \
    serial server session setting shard shell shutdown sidecar signal signature skip snapshot socket sort source spawn \
    split stack stage standby state static status storage stream string struct submit subscribe suffix suite swap \
    switch symbol sync syntax system table tag target task template tenant terminal thread throttle throughput timeout \
    timer token toolchain topic trace traffic transaction transfer transform trigger tuple type unicode update upgrade \
    upload upstream validate value variable vector vendor verify version view virtual volume watcher webhook widget \
    window worker workflow workspace wrapper writer yaml zone";

const VOCABULARY: usize = 80_000;
const SEED: u64 = 0x6d65_6d6f_7279_2031;
const AGENTS: usize = 20;

/// Kinds of memories, each of which has a file of its own in an agent's vault.
const KINDS: [&str; 5] = ["decision", "lesson", "task", "fact", "note"];

/// A small source of numbers that look random (splitmix).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64, n: usize) -> Self {
        Self(SEED ^ seed.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (n as u64).wrapping_mul(0xa076_1d64_78bd_642f))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap_or(0)
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A note.
pub struct Note {
    pub body: String,
    pub tags: Vec<String>,
    /// Its words by their rank, in their order.
    pub words: Vec<usize>,
}

/// All the notes.
pub struct Notes {
    words: Vec<String>,
    /// The sum of all frequencies up to each word.
    sums: Vec<f64>,
    known: HashSet<String>,
    function: usize,
}

impl Notes {
    pub fn new() -> Self {
        let words = vocabulary();
        let mut sum = 0.0;
        let sums = (0..words.len()).map(|rank| {
            sum += (rank as f64 + 2.7).powf(-1.05);
            sum
        });
        let sums = sums.collect();
        let known = words.iter().cloned().collect();
        Self { words, sums, known, function: FUNCTION.split_whitespace().count() }
    }

    pub fn note(&self, n: usize) -> Note {
        let mut dice = Dice::new(1, n);
        let length = 30 + dice.below(51);
        let words: Vec<usize> = (0..length).map(|_| self.draw(&mut dice)).collect();
        let body = self.written(&words, &mut dice);
        let tags = (0..dice.below(4)).map(|_| self.words[self.function + dice.below(200)].clone());
        let mut tags: Vec<String> = tags.collect();
        tags.sort();
        tags.dedup();
        Note { body, tags, words }
    }

    /// Words as sentences, with an identifier here and there.
    fn written(&self, words: &[usize], dice: &mut Dice) -> String {
        let mut text = String::new();
        let mut left = 0;
        for (at, &rank) in words.iter().enumerate() {
            let word = &self.words[rank];
            if left == 0 {
                text.push_str(if at == 0 { "" } else { ". " });
                text.push_str(&word[..1].to_uppercase());
                text.push_str(&word[1..]);
                left = 7 + dice.below(9);
            } else if dice.below(40) == 0 {
                text.push_str(if dice.below(2) == 0 { "_" } else { "/" });
                text.push_str(word);
            } else {
                text.push_str(if dice.below(14) == 0 { ", " } else { " " });
                text.push_str(word);
            }
            left -= 1;
        }
        text.push('.');
        text
    }

    /// A word, the frequent ones often.
    pub fn draw(&self, dice: &mut Dice) -> usize {
        let sought = dice.share() * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|sum| *sum < sought).min(self.words.len() - 1)
    }

    pub fn word(&self, rank: usize) -> &str {
        &self.words[rank]
    }

    pub fn knows(&self, word: &str) -> bool {
        self.known.contains(word)
    }

    /// Whether a word says something.
    pub fn has_content(&self, rank: usize) -> bool {
        rank >= self.function
    }
}

/// Whose note it is, of so many.
pub fn agent_of(n: usize, count: usize) -> String {
    format!("agent{:02}", n * AGENTS / count.max(1))
}

pub fn kind_of(n: usize) -> &'static str {
    KINDS[n % KINDS.len()]
}

/// The vocabulary, the most frequent first.
fn vocabulary() -> Vec<String> {
    let mut words: Vec<String> = FUNCTION.split_whitespace().map(str::to_owned).collect();
    let mut seen: HashSet<String> = words.iter().cloned().collect();
    let mut real = SOFTWARE.split_whitespace().map(str::to_owned);
    seen.extend(real.clone());
    let mut dice = Dice::new(2, 0);
    while words.len() < VOCABULARY {
        words.extend(real.next());
        for _ in 0..2 {
            let word = made_up(words.len(), &mut dice);
            if (3..=10).contains(&word.len()) && seen.insert(word.clone()) {
                words.push(word);
            }
        }
    }
    words.truncate(VOCABULARY);
    words
}

/// A word that could be one; frequent words are shorter.
fn made_up(rank: usize, dice: &mut Dice) -> String {
    const BEGIN: [&str; 32] = [
        "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl",
        "pr", "r", "s", "sh", "sl", "st", "t", "th", "tr", "v", "w", "z", "",
    ];
    const MIDDLE: [&str; 10] = ["a", "e", "i", "o", "u", "ea", "ai", "ou", "y", "io"];
    const END: [&str; 20] =
        ["", "", "", "", "n", "r", "l", "s", "t", "m", "nd", "st", "ck", "rd", "x", "p", "ng", "b", "g", "d"];
    let syllables = match rank {
        0..500 => 1 + dice.below(2),
        500..10_000 => 2 + dice.below(2),
        _ => 2 + dice.below(3),
    };
    let mut word = String::new();
    for _ in 0..syllables {
        for part in [BEGIN[dice.below(32)], MIDDLE[dice.below(10)], END[dice.below(20)]] {
            word.push_str(part);
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_the_same_every_time_and_look_like_notes() {
        let (first, second) = (Notes::new(), Notes::new());
        let distinct: HashSet<&String> = first.words.iter().collect();
        assert_eq!((first.words.len(), distinct.len()), (VOCABULARY, VOCABULARY));
        for n in 0..500 {
            let note = first.note(n);
            assert_eq!(note.body, second.note(n).body);
            assert!((30..=80).contains(&note.words.len()), "{}", note.body);
        }
        assert_ne!(first.note(1).body, first.note(2).body);
        let common = (0..500).filter(|&n| first.note(n).words.contains(&0)).count();
        let rare = (0..500).filter(|&n| first.note(n).words.contains(&5000)).count();
        assert!(common > 400 && rare < 10, "{common} {rare}");
    }

    #[test]
    fn every_agent_and_kind_has_its_share() {
        let files: HashSet<(String, &str)> = (0..1000).map(|n| (agent_of(n, 1000), kind_of(n))).collect();
        assert_eq!(files.len(), AGENTS * KINDS.len());
    }
}
