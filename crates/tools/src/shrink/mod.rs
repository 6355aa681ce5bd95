//! Reduces a level to a small one that still has a problem (delta debugging).
//!
//! The caller defines the problem: each function takes a predicate that returns whether a smaller candidate still has
//! the problem, usually by baking it. The functions assume that the original has the problem.

mod crop;
mod list;
mod mesh;
mod settings;

pub use crop::{Cropped, cropped, within};
pub use list::shrink_list;
pub use mesh::{shrink_mesh, submesh};
pub use settings::shrink_settings;
