//! Processes that index: they are killed at random between writes, and every answer afterwards must be the one that
//! a memory without an index gives. Then each of many writes must be found at once while an index is being written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::answers::{heard, no_errors, tell};
use super::book::{Book, Kept};
use super::verdict::{Complaint, found, gone, same};
use super::{Dice, Product, in_a_folder, number, seed};

/// Questions whose answers are compared with those of a copy without an index.
const QUESTIONS: [&str; 10] = [
    "cache",
    "why does the login fail after the token expired?",
    "\"worker queue\"",
    "postgress bilng",
    "certif",
    "the",
    "config -backup",
    "kind:decision deploy rollback",
    "tag:infra agent:agent2 latency",
    "We saw that the export of an invoice is slow when the session of the customer has expired before the report was \
     made, and the gateway then returns an empty stream with a wrong header, so what did we decide about the retry?",
];

/// Memories before the first kill.
const MEMORIES: usize = 2000;
/// Complaints that are printed.
const MOST_TOLD: usize = 20;

/// What a run is asked to do.
#[derive(Clone, Copy)]
struct Plan {
    kills: usize,
    writes: usize,
    seed: u64,
}

/// What became of it.
#[derive(Default)]
struct Counts {
    killed: [usize; 3],
    ended: usize,
    searches: usize,
    wrong: usize,
    missing: usize,
    outranked: usize,
    errors: usize,
}

/// Runs it.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let plan = Plan {
        kills: number(args, "--kills", 200)?,
        writes: number(args, "--writes", 1000)?,
        seed: seed(args)?,
    };
    let binary = super::binary(args)?;
    in_a_folder("kill-index", |place| {
        let product = Product::new(&binary, &place.join("project"), place);
        let without = Product::new(&binary, &place.join("without"), place);
        kill(plan, product, without)
    })
}

fn kill(plan: Plan, product: Product, without: Product) -> Result<(), String> {
    println!("{} kills, {} own writes, seed {}", plan.kills, plan.writes, plan.seed);
    // Both are made here, so that nobody is asked whether to trust them; the copy is then replaced.
    tell(&product, &["init", "--json"])?;
    tell(&without, &["init", "--json"])?;
    let mut run = Run {
        book: Book::new(plan.seed),
        dice: Dice::new(plan.seed ^ 0x5eed),
        usual: [Duration::ZERO; 2],
        counts: Counts::default(),
        product,
        without,
    };
    run.book.write(&run.product, MEMORIES, 500)?;
    run.usual[Verb::Rebuild as usize] = run.indexed(Verb::Rebuild)?;
    // What `init` wrote is a memory too.
    let besides = run.in_index()? - run.book.live.len() as u64;
    run.book.write(&run.product, 40, 1)?;
    run.usual[Verb::Update as usize] = run.indexed(Verb::Update)?;
    let mut rounds = 0;
    while run.counts.killed.iter().sum::<usize>() < plan.kills {
        rounds += 1;
        if rounds > 3 * plan.kills + 20 {
            return Err("the kills come too late to meet anybody at work".to_owned());
        }
        run.round()?;
    }
    run.indexed(Verb::Update)?;
    let state = tell(&run.product, &["index", "status", "--json"])?;
    let is_whole = state["usable"] == true
        && state["behind"] == 0
        && state["memories"] == run.book.live.len() as u64 + besides;
    run.look(200, 100)?;
    let (found, updates) = run.own_writes(plan.writes)?;
    run.report(plan, &state, found, updates);
    let Counts { wrong, missing, outranked, errors, .. } = run.counts;
    if wrong + missing + outranked + errors == 0 && is_whole && found == plan.writes {
        Ok(())
    } else {
        Err("answers hang on the index".to_owned())
    }
}

/// How the index is brought up to date.
#[derive(Clone, Copy)]
enum Verb {
    Update,
    Rebuild,
}

impl Verb {
    fn word(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Rebuild => "rebuild",
        }
    }
}

struct Run {
    product: Product,
    /// A copy of the memory without its index.
    without: Product,
    book: Book,
    dice: Dice,
    /// How long an update and a rebuild usually take.
    usual: [Duration; 2],
    counts: Counts,
}

impl Run {
    /// Brings the index up to date, undisturbed.
    fn indexed(&mut self, verb: Verb) -> Result<Duration, String> {
        let start = Instant::now();
        tell(&self.product, &["index", verb.word(), "--json"])?;
        Ok(start.elapsed())
    }

    /// How many memories the index holds.
    fn in_index(&self) -> Result<u64, String> {
        let state = tell(&self.product, &["index", "status", "--json"])?;
        state["memories"].as_u64().ok_or_else(|| format!("no number of memories: {state}"))
    }

    /// Writes, starts an update, kills it, and looks at the answers.
    fn round(&mut self) -> Result<(), String> {
        let written = 20 + self.dice.below(41);
        self.book.write(&self.product, written, 1 + self.dice.below(16))?;
        let (forgotten, edited) = (2 + self.dice.below(3), 2 + self.dice.below(3));
        self.book.forget(&self.product, forgotten)?;
        self.book.edit(&self.product, edited)?;
        let verb = if self.dice.below(5) == 0 { Verb::Rebuild } else { Verb::Update };
        // A little longer than usual, so that the last steps are met too and a run that ends tells how long it took.
        let most = self.usual[verb as usize].mul_f64(1.1);
        let delay = Duration::from_micros(self.dice.below(most.as_micros() as usize) as u64);
        let before = Trace::of(&self.product.root);
        match strike(&self.product, verb, delay)? {
            Struck::Killed => self.counts.killed[before.until(&Trace::of(&self.product.root)) as usize] += 1,
            Struck::Ended(time) => {
                self.counts.ended += 1;
                let usual = &mut self.usual[verb as usize];
                *usual = (*usual + time) / 2;
            }
            Struck::Failed(why) => self.complain(Complaint::Error(why)),
        }
        self.look(8, forgotten + edited)
    }

    /// Asks for the memories and the words that changed last and for some others, and compares whole answers.
    fn look(&mut self, fresh: usize, changed: usize) -> Result<(), String> {
        let live = &self.book.live;
        let mut wanted: Vec<Kept> = live.iter().rev().take(fresh).cloned().collect();
        wanted.extend((0..fresh).map(|_| live[self.dice.below(live.len())].clone()));
        let mut words: Vec<String> = self.book.gone.iter().rev().take(changed).cloned().collect();
        let others = if self.book.gone.is_empty() { 0 } else { 2 };
        words.extend((0..others).map(|_| self.book.gone[self.dice.below(self.book.gone.len())].clone()));
        let found = in_two(&wanted, |kept| found(&self.product, kept));
        let gone = in_two(&words, |word| gone(&self.product, word));
        copy_without_index(&self.product.root, &self.without.root)
            .map_err(|error| format!("the memory could not be copied: {error}"))?;
        let same = in_two(&QUESTIONS, |question| same(&self.product, &self.without, question));
        self.counts.searches += found.len() + gone.len() + 2 * same.len();
        for complaint in [found, gone, same].into_iter().flatten().filter_map(Result::err) {
            self.complain(complaint);
        }
        Ok(())
    }

    /// Writes in one process and searches in another, while a third keeps bringing the index up to date. Gives how
    /// many writes were found at once, and how many updates ran.
    fn own_writes(&mut self, count: usize) -> Result<(usize, usize), String> {
        let done = AtomicBool::new(false);
        let updater = Product {
            binary: self.product.binary.clone(),
            root: self.product.root.clone(),
            home: self.product.home.clone(),
        };
        let (found, updates) = std::thread::scope(|scope| {
            let updates = scope.spawn(|| {
                let mut all = Vec::new();
                while !done.load(Ordering::Acquire) {
                    let verb = if all.len() % 8 == 7 { Verb::Rebuild } else { Verb::Update };
                    all.push(tell(&updater, &["index", verb.word(), "--json"]));
                }
                all
            });
            let found = self.write_and_find(count);
            done.store(true, Ordering::Release);
            (found, updates.join().unwrap_or_default())
        });
        let ran = updates.len();
        updates.into_iter().filter_map(Result::err).for_each(|why| self.complain(Complaint::Error(why)));
        Ok((found?, ran))
    }

    fn write_and_find(&mut self, count: usize) -> Result<usize, String> {
        let mut at_once = 0;
        for _ in 0..count {
            let kept = self.book.write_one(&self.product)?;
            self.counts.searches += 1;
            match found(&self.product, &kept) {
                Ok(()) => at_once += 1,
                Err(complaint) => self.complain(complaint),
            }
        }
        Ok(at_once)
    }

    fn complain(&mut self, complaint: Complaint) {
        let counts = &mut self.counts;
        let (count, name, why) = match complaint {
            Complaint::Wrong(why) => (&mut counts.wrong, "wrong", why),
            Complaint::Missing(why) => (&mut counts.missing, "missing", why),
            Complaint::Outranked(why) => (&mut counts.outranked, "outranked", why),
            Complaint::Error(why) => (&mut counts.errors, "error", why),
        };
        *count += 1;
        if *count <= MOST_TOLD {
            println!("  {name}: {why}");
        }
    }

    fn report(&self, plan: Plan, state: &serde_json::Value, found: usize, updates: usize) {
        let counts = &self.counts;
        let [untouched, begun, committed] = counts.killed;
        println!(
            "kills          {}   before the first byte {untouched}, half way {begun}, after a commit {committed}; \
             {} ended before",
            untouched + begun + committed,
            counts.ended
        );
        println!("memories       {}", self.book.live.len());
        println!("searches       {}", counts.searches);
        println!("wrong          {}", counts.wrong);
        println!("missing        {}", counts.missing);
        println!("outranked      {}", counts.outranked);
        println!("errors         {}", counts.errors);
        println!("index          usable {}, behind {}", state["usable"], state["behind"]);
        println!("own writes     {found}/{} found at once, beside {updates} updates", plan.writes);
        println!("seed           {}", plan.seed);
    }
}

/// How a process that was to be killed ended.
enum Struck {
    Killed,
    Ended(Duration),
    Failed(String),
}

fn strike(product: &Product, verb: Verb, delay: Duration) -> Result<Struck, String> {
    let error = |error: std::io::Error| format!("`index {}`: {error}", verb.word());
    let mut command = product.command(&["index", verb.word(), "--json"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().map_err(error)?;
    let is_running = loop {
        if child.try_wait().map_err(error)?.is_some() {
            break false;
        }
        match delay.checked_sub(start.elapsed()) {
            Some(rest) if !rest.is_zero() => std::thread::sleep(rest.min(Duration::from_millis(2))),
            _ => break true,
        }
    };
    let time = start.elapsed();
    if is_running {
        child.kill().map_err(error)?;
    }
    let output = child.wait_with_output().map_err(error)?;
    // One that was killed has no exit code, where the system tells.
    if is_running && !output.status.success() && !(cfg!(unix) && output.status.code().is_some()) {
        let said = String::from_utf8_lossy(&output.stderr);
        let unfit = !said.trim().is_empty();
        return Ok(if unfit {
            Struck::Failed(format!("before it was killed it said: {said}"))
        } else {
            Struck::Killed
        });
    }
    Ok(match heard(&output).and_then(|(_, talk)| no_errors(&talk)) {
        Ok(()) => Struck::Ended(time),
        Err(why) => Struck::Failed(format!("`index {}`: {why}", verb.word())),
    })
}

/// The files of an index, and what names its state.
struct Trace {
    names: Vec<Vec<u8>>,
    files: BTreeSet<PathBuf>,
}

/// How far a process had come.
#[derive(Clone, Copy)]
enum Reached {
    Nothing,
    Begun,
    Committed,
}

impl Trace {
    fn of(root: &Path) -> Self {
        let folder = root.join(".vault/index");
        let current = fs::read_to_string(folder.join("current")).unwrap_or_default();
        let meta = fs::read(folder.join(&current).join("meta.json")).unwrap_or_default();
        let mut files = BTreeSet::new();
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    folders.push(path.clone());
                }
                files.insert(path);
            }
        }
        Self { names: vec![current.into_bytes(), meta], files }
    }

    fn until(&self, later: &Self) -> Reached {
        match (self.names == later.names, self.files == later.files) {
            (false, _) => Reached::Committed,
            (true, false) => Reached::Begun,
            (true, true) => Reached::Nothing,
        }
    }
}

/// Does something for each of a list, by two threads.
fn in_two<T: Sync>(
    list: &[T],
    act: impl Fn(&T) -> Result<(), Complaint> + Sync,
) -> Vec<Result<(), Complaint>> {
    let (left, right) = list.split_at(list.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| right.iter().map(&act).collect::<Vec<_>>());
        let mut all: Vec<_> = left.iter().map(&act).collect();
        all.extend(
            other.join().unwrap_or_else(|_| vec![Err(Complaint::Error("a thread panicked".to_owned()))]),
        );
        all
    })
}

fn copy_without_index(from: &Path, to: &Path) -> std::io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.ends_with(".vault/index") {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_without_index(&from, &to)?;
        } else {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
