//! Search algorithms by name on benchmark maps: one query, or all queries of a scenario, compared with its lengths.

mod bench_scen;
mod search;

pub(super) use bench_scen::{BenchScenArgs, run as bench_scen};
pub(super) use search::{SearchArgs, run as search};
