//! Levels and grounds, from outside.

mod ground;
mod level_paths;
mod pictures;
