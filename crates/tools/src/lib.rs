#![doc = include_str!("../README.md")]

pub mod check;
mod clip;
pub mod compare;
pub mod debug_draw;
pub mod explain;
pub mod ground;
pub mod level;
pub mod links;
mod pairs;
pub mod route;
pub mod shrink;
pub mod soak;
pub mod suite;
pub mod sweep;
