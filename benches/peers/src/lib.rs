//! Walkable beside other libraries, on the same inputs, in one process.
//!
//! `bin/bake.rs` compares bakes with C++ Recast and Detour: first that every stage of every tile
//! comes to the same, then how long each takes; `bin/agree.rs` looks for random bakes that do not come to the
//! same. This package exists apart from the main one because it needs cmake, libclang and a C++ compiler.

pub mod agreement;
pub mod cases;
pub mod clock;
pub mod crowd;
pub mod detour;
pub mod landmarks;
pub mod levels;
pub mod memory;
pub mod recast;
