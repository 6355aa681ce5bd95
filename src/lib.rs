//! Navigation meshes for games: bake them from triangles, ask them for paths, and see why an agent
//! cannot walk somewhere.
//!
//! ```text
//! mesh::TriMesh ──► bake::BakePlan ──► bake::bake_tile ──► navmesh::Tile ──► navmesh::NavMesh ──► query::find_path
//!   triangles        settings, grid      every stage kept     Detour's data       linked tiles        corridor, path
//! ```
//!
//! # Conventions
//!
//! The world is right-handed, **y up**, in metres; walkable triangles are counter-clockwise seen
//! from above. The voxel grid counts cells along x and z; vertical cells count along y. World
//! lengths carry no suffix, cell quantities end in `_vx`, angles in files and settings end in `_deg`.
//!
//! # What is absent
//!
//! The library knows no window, no file, no clock, no log and no thread of its own: values in,
//! values out. Long work takes a [`monitor::Monitor`] to report to and to be cancelled by.

pub mod bake;
pub mod debug_draw;
pub mod diagnostic;
pub mod explain;
pub mod geom;
pub mod grid;
pub mod ground;
pub mod ids;
pub mod level;
pub mod links;
pub mod mesh;
pub mod monitor;
pub mod navmesh;
pub mod query;
mod random;
pub mod search;
mod side_by_side;
pub mod stage;
pub mod tile_cache;
pub mod voxel;

// The README's example is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
