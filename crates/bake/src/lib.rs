#![doc = include_str!("../README.md")]

pub mod bake;
pub mod tile_cache;
