//! Levels generated from a seed.
//!
//! The same kind, seed and size result in the same level on every machine, bit for bit: random numbers are integers,
//! and curves use only additions, multiplications and square roots.

mod caves;
mod draft;
mod house;
mod kind;
mod maze;
mod sample;
mod solid;
mod spiral;
mod surface_net;
mod terrain;
mod tower;
mod town;

pub use kind::{GenerateError, GeneratedLevel, LevelKind, generate};
