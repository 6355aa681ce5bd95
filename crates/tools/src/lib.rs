#![doc = include_str!("../README.md")]

pub mod check;
pub mod debug_draw;
pub mod explain;
pub mod ground;
pub mod level;
pub mod links;
pub mod route;
pub mod shrink;
