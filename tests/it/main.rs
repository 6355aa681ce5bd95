//! What goes across the crates: built-in levels, readers under fire, the documentation, the sources.

mod dependencies;
mod docs;
mod fuzz;
mod generate;
mod modules;
mod tidy;
