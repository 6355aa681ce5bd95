//! The program, run as a person or another program runs it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod agents;
mod bake;
mod cache;
mod check;
mod commands;
mod crowd;
mod diagnostics;
mod diff;
mod doors;
mod export;
mod farm;
mod hostile;
mod investigations;
mod kill;
mod live;
mod packages;
mod path_tests;
mod repro;
#[cfg(target_os = "linux")]
mod resources;
mod run;
mod search;
mod shards;
#[cfg(feature = "window")]
mod shot;
mod soak;
mod store;
mod sweep;
mod watch;
mod why;
