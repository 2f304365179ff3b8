//! Spreads work that needs no order over all cores, and gives the answers in order.

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
    let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(8);
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
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        answers
    })
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn answers_keep_their_order() {
        for count in [0, 1, 511, 512, 513, 5000] {
            let doubled = spread((0..count).collect(), |n: usize| n * 2);
            assert_eq!(doubled, (0..count).map(|n| n * 2).collect::<Vec<_>>());
        }
    }
}
