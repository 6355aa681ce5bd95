//! Mathematics on points, boxes, rays and triangles. Knows no navigation.

mod aabb;
mod bvh;
pub mod from_above;
mod range;
mod ray;
mod ring;
mod total;
mod triangle;

pub use aabb::Aabb;
pub use bvh::{Bvh, Hit, Split, Triangles};
pub use range::{MAX_COORDINATE, in_range};
pub use ray::Ray;
pub use ring::{RING_CORNERS, Ring, WayOut};
pub use total::total;
pub use triangle::{nearest_on_triangle, triangle_touches_box};
