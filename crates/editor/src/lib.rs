//! Walkable's editor without its window: the session, commands and the reducer that carries them out, background work.
#![expect(
    missing_docs,
    reason = "an item of an application has a comment where its name does not say all"
)]

// `tr!` names this crate.
extern crate self as walkable_editor;

pub mod answer;
pub mod area_names;
pub mod cluster_map;
pub mod coloring;
pub mod command;
pub mod destination;
pub mod habits;
pub mod headless;
pub mod jobs;
pub mod keymap;
pub mod labels;
pub mod layouts;
pub mod level_appearance;
pub mod level_colors;
pub mod memory_budget;
pub mod navigation;
pub mod notices;
pub mod overview_store;
pub mod pick;
pub mod pictures;
pub mod pointer;
pub mod prefs;
pub mod ranges;
pub mod recovered_work;
pub mod reducer;
pub mod session;
pub mod shortcut;
pub mod task;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod thumbnails;
pub mod tools;
