#![doc = include_str!("../README.md")]

mod bincode;
mod format;
mod glb;
mod godot;
mod ground;
mod input;
mod json;
mod ply;
mod polygon_map;
mod rerecast;
mod stage;
mod stage_gltf;
mod stage_json;
mod stage_obj;
mod stage_ply;

pub use format::ExportFormat;
pub use input::{ExportError, ExportInput};
pub use json::JSON_VERSION;
pub use stage::{StageFormat, StageInput, StagePart, StageTile};
