//! Spreads work that needs no order over all cores, and gives the answers in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Result as Caught;

/// Fewer items than this are not worth a thread.
const ENOUGH: usize = 512;

/// Calls a function for each item, on all cores when there are many.
pub(crate) fn spread<T: Send, U: Send>(items: Vec<T>, each: impl Fn(T) -> U + Sync) -> Vec<U> {
    spread_from(ENOUGH, items, each)
}

/// Calls a function for each item, on all cores from so many items on.
pub(crate) fn spread_from<T: Send, U: Send>(
    enough: usize,
    mut items: Vec<T>,
    each: impl Fn(T) -> U + Sync,
) -> Vec<U> {
    // Asking for the number of cores reads files, so few items never ask.
    let cores = if items.len() < enough { 1 } else { cores() };
    if cores == 1 {
        return items.into_iter().map(each).collect();
    }
    let share = items.len().div_ceil(cores);
    let each = &each;
    std::thread::scope(|scope| {
        let mut shares = Vec::with_capacity(cores);
        let mut rest = items.split_off(share.min(items.len()));
        while !rest.is_empty() {
            let after = rest.split_off(share.min(rest.len()));
            let theirs = std::mem::replace(&mut rest, after);
            shares.push(scope.spawn(move || theirs.into_iter().map(each).collect::<Vec<U>>()));
        }
        // The first share is this thread's own.
        let mut answers: Vec<U> = items.into_iter().map(each).collect();
        for share in shares {
            match share.join() {
                Ok(theirs) => answers.extend(theirs),
                // A panic in a share is passed on, as it would be without threads.
                Err(panic) => resume_unwind(panic),
            }
        }
        answers
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

/// More than a few would only wait for the one who takes, and each remembers words.
const MOST_WORKERS: usize = 4;

/// Works on several cores while items still come: `give` hands each to a [`Relay`], and `take` gets the answers, in the
/// order of the items. The first error ends it.
pub(crate) fn relay<T: Send, U: Send, E>(
    work: impl Fn(T) -> U + Sync,
    take: impl FnMut(U) -> Result<(), E>,
    give: impl FnOnce(&mut Relay<'_, T, U, E>) -> Result<(), E>,
) -> Result<(), E> {
    let workers = cores().min(MOST_WORKERS);
    let (items, waiting) = channel::<(usize, T)>();
    let (answers, answered) = channel();
    let waiting = Mutex::new(waiting);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (work, waiting, answers) = (&work, &waiting, answers.clone());
            scope.spawn(move || {
                let next = || waiting.lock().ok()?.recv().ok();
                while let Some((number, item)) = next() {
                    let answer = catch_unwind(AssertUnwindSafe(|| work(item)));
                    if answers.send((number, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(answers);
        let mut relay = Relay {
            items,
            answered,
            early: BTreeMap::new(),
            given: 0,
            taken: 0,
            most: 2 * workers + 1,
            take: Box::new(take),
        };
        give(&mut relay)?;
        relay.take_until(0)
    })
}

/// Takes items while those before them are worked on.
pub(crate) struct Relay<'a, T, U, E> {
    items: Sender<(usize, T)>,
    answered: Receiver<(usize, Caught<U>)>,
    /// Answers that came before their turn.
    early: BTreeMap<usize, Caught<U>>,
    given: usize,
    taken: usize,
    /// So many items are on their way at once.
    most: usize,
    take: Box<dyn FnMut(U) -> Result<(), E> + 'a>,
}

impl<T, U, E> Relay<'_, T, U, E> {
    /// One more item. It waits while many are on their way.
    pub(crate) fn give(&mut self, item: T) -> Result<(), E> {
        self.take_until(self.most - 1)?;
        // Workers end after this side does, so there is one.
        let _ = self.items.send((self.given, item));
        self.given += 1;
        Ok(())
    }

    /// Takes answers until no more than so many items are on their way.
    fn take_until(&mut self, left: usize) -> Result<(), E> {
        while self.given - self.taken > left {
            let answer = match self.early.remove(&self.taken) {
                Some(answer) => answer,
                None => match self.answered.recv() {
                    Ok((number, answer)) if number == self.taken => answer,
                    Ok((number, answer)) => {
                        self.early.insert(number, answer);
                        continue;
                    }
                    // Workers catch what goes wrong; one that is gone all the same must not pass for an answer.
                    Err(gone) => resume_unwind(Box::new(gone)),
                },
            };
            self.taken += 1;
            match answer {
                Ok(answer) => (self.take)(answer)?,
                Err(panic) => resume_unwind(panic),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{relay, spread};

    #[test]
    fn answers_are_taken_in_the_order_of_their_items() {
        for count in [0_u64, 1, 4, 100] {
            let mut taken = Vec::new();
            let slow_first = |n: u64| {
                let micros = if n.is_multiple_of(7) { 900 } else { 10 };
                std::thread::sleep(std::time::Duration::from_micros(micros));
                n * 2
            };
            let take = |n: u64| {
                taken.push(n);
                Ok::<(), ()>(())
            };
            relay(slow_first, take, |relay| (0..count).try_for_each(|n| relay.give(n))).unwrap();
            assert_eq!(taken, (0..count).map(|n| n * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_error_ends_a_relay() {
        let mut taken = 0;
        let take = |n: u64| {
            taken += 1;
            if n == 3 { Err("three") } else { Ok(()) }
        };
        let ended = relay(|n| n, take, |relay| (0..1000).try_for_each(|n| relay.give(n)));
        assert_eq!((ended, taken), (Err("three"), 4));
        let ended = relay(|n: u64| n, |_| Ok(()), |_| Err("none to give"));
        assert_eq!(ended, Err("none to give"));
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_is_passed_on() {
        let work = |n: u64| assert!(n != 7, "seven");
        let _ = relay(work, |()| Ok::<(), ()>(()), |relay| (0..100).try_for_each(|n| relay.give(n)));
    }

    #[test]
    fn answers_keep_their_order() {
        for count in [0, 1, 511, 512, 513, 5000] {
            let doubled = spread((0..count).collect(), |n: usize| n * 2);
            assert_eq!(doubled, (0..count).map(|n| n * 2).collect::<Vec<_>>());
        }
    }
}
