//! Work on many items, in parallel if that is faster.

use rayon::prelude::*;

/// Minimum number of small steps for which more than one thread is used.
pub const MANY: usize = 1 << 14;

/// Returns the results of `work` for `items`, in the same order. `n_steps` is the total work of all items, in steps of
/// some nanoseconds; if it is small, the calling thread does all of it.
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
