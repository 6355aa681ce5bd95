//! Questions to a navmesh, one file each. A query changes nothing but the caller's [`Scratch`].

mod filter;
mod path;
mod scratch;

pub use crate::navmesh::Portal;
pub use filter::Filter;
pub use path::{Expansion, NavPath, PathEnd, PathRequest, PathStatus, WhyNot, find_path};
pub use scratch::Scratch;
