//! Compares Walkable with other libraries, on the same inputs, in one process.
//!
//! `bin/bake.rs` compares bakes with C++ Recast and Detour: first that every stage of every tile has the same result,
//! then the time of each; `bin/agree.rs` searches for random bakes with different results. This package is separate
//! from the main one because it needs cmake, libclang and a C++ compiler.

pub mod agreement;
pub mod cases;
pub mod clock;
pub mod crowd;
pub mod detour;
pub mod landmarks;
pub mod levels;
pub mod memory;
pub mod recast;
