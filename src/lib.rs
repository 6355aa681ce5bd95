//! Navigation meshes for games: bake them from triangles, ask them for paths, and see why an agent
//! cannot walk somewhere.
//!
//! ```text
//! mesh::TriMesh ──► bake::BakePlan ──► bake::bake_tile ──► navmesh::Tile ──► navmesh::NavMesh ──► query::find_path
//!   triangles        settings, grid      every stage kept     Detour's data       linked tiles        corridor, path
//! ```
//!
//! # Crates
//!
//! This crate is the whole library under one name; what it re-exports lives in crates that can be had alone.
//! A game that loads navmeshes and asks for paths needs [`walkable_runtime`] only, one that bakes while it
//! runs or moves obstacles [`walkable_bake`], too. Neither reads level files or JSON.
//!
//! Points and vectors are those of [`glam`], re-exported here in the version that is meant.
//!
//! # Conventions
//!
//! The world is right-handed, **y up**, in meters; walkable triangles are counter-clockwise seen
//! from above. The voxel grid counts cells along x and z; vertical cells count along y. World
//! lengths carry no suffix, cell quantities end in `_vx`, angles in files and settings end in `_deg`.
//!
//! # What is absent
//!
//! The library knows no window, no file, no clock, no log and no thread of its own: values in,
//! values out. Long work takes a [`monitor::Monitor`] to report to and to be cancelled by.

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
