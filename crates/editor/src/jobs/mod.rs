//! Long work on background threads. Knows no window.

pub mod answer;
pub mod ask_file;
mod auto_save;
pub mod bake;
mod desk;
pub mod export;
mod film;
mod lab;
mod map_level;
pub mod open;
mod others;
mod outcome;
mod propose;
pub mod runner;
mod scenario;
pub mod slot;
mod watch;

pub use auto_save::AutoSave;
pub use desk::{Desk, REST, Results};
pub use outcome::{Happened, Outcome};
