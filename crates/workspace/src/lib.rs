//! Files, levels, documents and projects for the commands, the editor and the web page, without a window or a session.
#![expect(
    missing_docs,
    reason = "an item of an application has a comment where its name does not say all"
)]

// `tr!` names this crate.
extern crate self as walkable_workspace;

pub mod after_bake;
pub mod agent_files;
pub mod agent_table;
pub mod bake_cache;
pub mod changes;
pub mod check;
pub mod crowd_scene;
pub mod disk_cache;
pub mod document;
pub mod files;
pub mod format;
#[cfg(not(target_family = "wasm"))]
pub mod keyed_tiles;
pub mod lang;
pub mod layered;
pub mod level_files;
#[cfg(not(target_family = "wasm"))]
pub mod level_store;
pub mod limits;
pub mod live;
pub mod palette;
pub mod path_terms;
pub mod path_tests;
pub mod path_text;
pub mod path_why;
pub mod pieces;
pub mod positions;
pub mod presets;
pub mod project;
pub mod references;
pub mod report;
pub mod repro;
pub mod runner;
pub mod scene_files;
pub mod searches;
pub mod shard;
pub mod stage_geometry;
pub mod stage_pictures;
pub mod stage_view;
#[cfg(not(target_family = "wasm"))]
pub mod store_bake;
pub mod store_check;
pub mod store_export;
pub mod store_route;
pub mod suite_file;
pub mod sweep;
#[macro_use]
mod tables;
pub mod tile_sizes;
mod time_limit;
pub mod units;
pub mod values;
pub mod watched;
pub mod whole_level;
pub mod wire;
mod words;
