//! Walkable: the editor and its commands.

mod jobs;

fn main() {}
