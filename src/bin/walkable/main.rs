//! Walkable: the editor and its commands.

fn main() {}
