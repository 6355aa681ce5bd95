//! Level files, good and broken, from outside.

mod appearance;
mod gltf;
mod obj;
mod ply;
mod stl;
