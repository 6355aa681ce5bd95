//! Searches on maps of the literature by name: one query, or a whole scenario against its lengths.

mod algorithm;
mod bench_scen;
mod grids;
mod map;
mod search;
mod volumes;

pub(super) use bench_scen::{BenchScenArgs, run as bench_scen};
pub(super) use search::{SearchArgs, run as search};
