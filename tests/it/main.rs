//! Tests across the crates: built-in levels, the documentation, the sources.

mod dependencies;
mod docs;
mod generate;
mod modules;
mod tidy;
mod wildcards;
