#![doc = include_str!("../README.md")]

mod appearance;
mod collision;
mod faces;
mod file_warnings;
mod format;
mod gltf;
mod import;
mod level_file;
mod level_memory;
mod mtl;
mod obj;
mod obj_write;
mod oddities;
mod ply;
mod renumber;
mod stl;

pub use appearance::{AlphaMode, Appearance, ImageFile, TexturedRun};
pub use collision::is_collision_name;
pub use file_warnings::FileWarnings;
pub use format::{LevelFileError, LevelFormat};
pub use gltf::{GltfError, SideFile, read_gltf, read_gltf_with_appearance, read_gltf_within};
pub use import::{ImportHint, ImportOptions, UpAxis, import_hint};
pub use level_file::{LevelFile, LevelReading};
pub use mtl::{material_files, read_material_colors, texture_files};
pub use obj::{ObjError, read_obj, read_obj_with_appearance, read_obj_within};
pub use obj_write::to_obj;
pub use ply::{PlyError, read_ply, read_ply_with_appearance, read_ply_within};
pub use stl::{StlError, read_stl, read_stl_within};
