//! The run-time library for JavaScript: navmeshes, paths, other queries and crowds. `README.md` documents it for users.

mod convert;
mod crowd;
mod filter;
mod navmesh;

use convert::{to_error, vec3};
