//! Searches on maps of the literature by name: one query, or a whole scenario against its lengths.

mod bench_scen;
mod search;

pub(super) use bench_scen::{BenchScenArgs, run as bench_scen};
pub(super) use search::{SearchArgs, run as search};
