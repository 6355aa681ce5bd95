//! Mathematics on points, boxes and triangles. Knows no navigation.

mod aabb;

pub use aabb::Aabb;
