//! Reduces a level to a small one in which a problem remains: delta debugging.
//!
//! What the problem is, the caller decides: each function takes a predicate that tells whether it remains in a smaller
//! candidate, usually by baking it. The functions assume that it is present at the start.

mod crop;
mod list;
mod mesh;
mod settings;

pub use crop::{Cropped, cropped, within};
pub use list::shrink_list;
pub use mesh::{shrink_mesh, submesh};
pub use settings::shrink_settings;
