//! Long-running work on background threads. Independent of the window.

pub mod animation;
pub mod answer;
pub mod ask_file;
mod auto_save;
mod background;
pub mod bake;
pub mod bake_workers;
pub mod browse;
pub mod changes;
pub mod check;
pub mod export;
pub mod fixes;
pub mod game;
pub mod game_answer;
pub mod lab;
mod map_level;
pub mod open;
pub mod open_store;
mod open_world;
pub mod others;
pub mod overview;
mod overview_tiles;
pub mod path_tests;
pub mod path_why;
pub mod pieces;
pub mod propose;
pub mod scenario;
pub mod slot;
pub mod soak;
pub mod sweep;
pub mod tile_sizes;
mod watch;
pub mod work;
pub mod world_route;

pub use auto_save::AutoSave;
pub use background::{BackgroundJobs, Results};
