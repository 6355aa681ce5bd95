//! Long work on background threads. Knows no window.

#[cfg(feature = "gui")]
pub mod answer;
#[cfg(feature = "gui")]
pub mod ask_file;
#[cfg(feature = "gui")]
mod auto_save;
#[cfg(feature = "gui")]
pub mod bake;
#[cfg(feature = "gui")]
mod desk;
#[cfg(feature = "gui")]
pub mod export;
#[cfg(feature = "gui")]
mod film;
#[cfg(feature = "gui")]
mod lab;
#[cfg(feature = "gui")]
mod map_level;
#[cfg(feature = "gui")]
pub mod open;
#[cfg(feature = "gui")]
mod others;
#[cfg(feature = "gui")]
mod outcome;
#[cfg(feature = "gui")]
mod propose;
pub mod runner;
#[cfg(feature = "gui")]
mod scenario;
#[cfg(feature = "gui")]
pub mod slot;
#[cfg(feature = "gui")]
mod watch;

#[cfg(feature = "gui")]
pub use auto_save::AutoSave;
#[cfg(feature = "gui")]
pub use desk::{Desk, REST, Results};
#[cfg(feature = "gui")]
pub use outcome::{Happened, Outcome};
