//! Walkable: the editor and its commands.

mod jobs;

#[cfg(feature = "gui")]
mod command;
#[cfg(feature = "gui")]
mod session;
#[cfg(feature = "gui")]
mod theme;
#[cfg(feature = "gui")]
mod viewport;

fn main() {}
