//! The same work on many things, on all cores where that pays.

use rayon::prelude::*;

/// So many small steps are work for more than one thread.
pub const MANY: usize = 1 << 14;

/// What `work` makes of each of `items`, in their order. The work of all of them together is `n_steps`, of some
/// nanoseconds each; where they are few, the thread that calls does them alone.
pub fn each<I, R>(
    items: I,
    n_steps: usize,
    work: impl Fn(<I as IntoIterator>::Item) -> R + Sync + Send,
) -> Vec<R>
where
    I: IntoIterator + IntoParallelIterator<Item = <I as IntoIterator>::Item>,
    <I as IntoParallelIterator>::Iter: IndexedParallelIterator,
    R: Send,
{
    if n_steps <= MANY {
        items.into_iter().map(work).collect()
    } else {
        items.into_par_iter().map(work).collect()
    }
}

/// Returns the results of two pieces of work, done at the same time if there is a second core.
pub fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(first, second)
}
