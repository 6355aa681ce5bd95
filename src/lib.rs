//! Navigation meshes for games: bakes them from triangles, finds paths, and explains why an agent cannot walk
//! somewhere.
//!
//! ```text
//! mesh::TriMesh ──► bake::BakePlan ──► bake::bake_tile ──► navmesh::Tile ──► navmesh::NavMesh ──► query::find_path
//!   triangles        settings, grid      every stage kept     Detour's data       linked tiles        corridor, path
//! ```
//!
//! # Crates
//!
//! This crate re-exports the crates of the library, each of which can also be used alone. A game that only loads
//! navmeshes and finds paths needs [`walkable_runtime`]; a game that bakes at run time or uses moving obstacles also
//! needs [`walkable_bake`]. Neither reads level files or JSON.
//!
//! Points and vectors are types of [`glam`], which is re-exported in the version that the library uses.
//!
//! # Conventions
//!
//! The world is right-handed, **y up**, in meters; walkable triangles are counter-clockwise seen
//! from above. The voxel grid counts cells along x and z; vertical cells count along y. World
//! lengths carry no suffix, cell quantities end in `_vx`, angles in files and settings end in `_deg`.
//!
//! # What is absent
//!
//! The library opens no windows and no files, reads no clock, writes no log and starts no threads of its own. Long work
//! takes a [`monitor::Monitor`], which receives the progress and can cancel the work.

pub use glam;
#[doc(inline)]
pub use walkable_bake::{bake, tile_cache};
#[doc(inline)]
pub use walkable_export as export;
#[doc(inline)]
pub use walkable_runtime::{
    crowd, diagnostic, geom, ids, monitor, navmesh, phrase, query, search, stage, streaming, tasks,
};
#[doc(inline)]
pub use walkable_search::{grid, voxel};
#[doc(inline)]
pub use walkable_store as store;
#[doc(inline)]
pub use walkable_tools::{
    check, compare, debug_draw, explain, ground, links, route, shrink, soak, suite, sweep,
};

pub mod level;
pub mod mesh;

// The README's example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
