//! Walkable beside other libraries, on the same inputs, in one process.
//!
//! `bin/bake.rs` compares bakes with C++ Recast and Detour: first that every stage of every tile
//! comes to the same, then how long each takes. This package exists apart from the main one because
//! it needs cmake, libclang and a C++ compiler.

pub mod clock;
pub mod detour;
pub mod levels;
pub mod memory;
pub mod recast;
