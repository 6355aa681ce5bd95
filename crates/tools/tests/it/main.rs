//! Levels and grounds, from outside.

mod checked;
mod explained;
mod faults;
mod ground;
mod level_paths;
mod pictures;
mod routes;
