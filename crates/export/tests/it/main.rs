//! Exports of real navmeshes, read back.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod formats;
mod gltf;
mod godot;
mod json;
mod polygon_map;
mod rerecast;
mod sample;
