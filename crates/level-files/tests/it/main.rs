//! Level files, good and broken, from outside.

mod gltf;
mod obj;
mod ply;
mod stl;
