//! Walkable's editor without its window: the document with its undo history, the session, commands and the reducer that
//! carries them out, background jobs, files and projects. The window draws it; the command line uses parts of it.

// `tr!` names this crate.
extern crate self as walkable_editor;

pub mod after_bake;
pub mod agent_files;
pub mod answer;
pub mod area_names;
pub mod bake_cache;
pub mod changes;
pub mod check;
pub mod cluster_map;
pub mod coloring;
pub mod command;
pub mod crowd_scene;
pub mod destination;
pub mod disk_cache;
pub mod document;
pub mod files;
pub mod format;
pub mod habits;
pub mod headless;
pub mod jobs;
#[cfg(not(target_family = "wasm"))]
pub mod keyed_tiles;
pub mod labels;
pub mod lang;
pub mod layered;
pub mod layouts;
pub mod level_appearance;
pub mod level_colors;
pub mod level_files;
#[cfg(not(target_family = "wasm"))]
pub mod level_store;
pub mod limits;
pub mod live;
pub mod navigation;
pub mod notices;
pub mod overview_store;
pub mod palette;
pub mod path_tests;
pub mod path_text;
pub mod path_why;
pub mod pick;
pub mod pictures;
pub mod pieces;
pub mod pointer;
pub mod positions;
pub mod prefs;
pub mod presets;
pub mod project;
pub mod ranges;
pub mod recovered_work;
pub mod reducer;
pub mod report;
pub mod repro;
pub mod runner;
pub mod scene_files;
pub mod searches;
pub mod session;
pub mod shard;
pub mod stage_geometry;
#[cfg(not(target_family = "wasm"))]
pub mod store_bake;
pub mod store_check;
pub mod store_export;
pub mod store_route;
pub mod suite_file;
pub mod sweep;
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod thumbnails;
pub mod tile_sizes;
mod time_limit;
pub mod tools;
pub mod units;
pub mod values;
pub mod watched;
mod wire;
mod words;
