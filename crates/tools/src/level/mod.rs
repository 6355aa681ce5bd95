//! Levels made by the program: a seeded generator.
//!
//! The same kind, seed and size give the same level on every machine, bit for bit: random numbers are
//! integers, and curves are made of additions, multiplications and square roots.

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
