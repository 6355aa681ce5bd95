//! Walkable: the editor and its commands.

mod jobs;

#[cfg(feature = "gui")]
mod command;
#[cfg(feature = "gui")]
mod session;

fn main() {}
