//! Mathematics on points, boxes, rays and triangles. Knows no navigation.

mod aabb;
mod bvh;
pub mod from_above;
mod ray;

pub use aabb::Aabb;
pub use bvh::{Bvh, Hit, Split, Triangles};
pub use ray::Ray;
