//! Level files, valid and broken, read through the public interface.

mod appearance;
mod draco;
mod gltf;
mod import;
mod obj;
mod ply;
mod stl;
