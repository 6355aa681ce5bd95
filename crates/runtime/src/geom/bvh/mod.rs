//! Bounding volume hierarchy over triangles, for ray queries.
//!
//! A binary tree of boxes, built top-down by splitting a range of triangles in two, and stored in one array with the
//! two children of a node next to each other. Building and searching use loops with an explicit stack, so that no
//! level exhausts the thread's stack.

mod build;
#[cfg(test)]
mod tests;

use glam::{BVec3, Vec3};

use crate::geom::{Aabb, Ray};

/// Triangles by index.
pub trait Triangles {
    /// Returns the number of triangles.
    fn n_triangles(&self) -> u32;
    /// Returns the vertices of triangle `index`, all finite.
    fn triangle(&self, index: u32) -> [Vec3; 3];
}

/// How a range of triangles is split in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Splits into halves of equal count, along the axis with the widest spread of triangle centers. Fastest to build.
    Median,
    /// Splits along the same axis, where the surface areas of the two boxes, weighted by count, have the smallest sum,
    /// which estimates the number of rays that enter them. Fastest to search.
    ///
    /// Source: Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007 (binned).
    SurfaceArea,
}

/// The intersection of a ray and a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the triangle.
    pub triangle: u32,
    /// Distance along the ray.
    pub t: f32,
    /// The point of intersection.
    pub point: Vec3,
}

/// A tree of boxes over triangles.
///
/// Invariants: `nodes[0]` is the root; a node's box contains all triangles below it; the leaves contain every entry of
/// `order` exactly once; no node is deeper than [`Bvh::MAX_DEPTH`].
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    nodes: Vec<Node>,
    /// Triangle indices, leaf by leaf.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    /// Index of its first triangle in `order`, or of its first child in `nodes`.
    first: u32,
    /// Number of its triangles; 0 for an inner node.
    n_triangles: u32,
}

impl Bvh {
    /// Maximum depth below the root.
    pub const MAX_DEPTH: usize = build::BALANCED_BELOW + 32;

    /// Builds a tree over all of `triangles`, split by surface area.
    pub fn build<T: Triangles + ?Sized>(triangles: &T) -> Self {
        Self::build_with(triangles, Split::SurfaceArea)
    }

    /// Builds a tree over all of `triangles`. The result is deterministic.
    pub fn build_with<T: Triangles + ?Sized>(triangles: &T, split: Split) -> Self {
        build::build(triangles, split)
    }

    /// Finds the first of `triangles` that `ray` hits, from either side; among several at the same distance, the one
    /// with the lowest index. `triangles` must be those that the tree was built from.
    pub fn raycast<T: Triangles + ?Sized>(&self, triangles: &T, ray: &Ray) -> Option<Hit> {
        let slabs = Slabs::new(ray);
        let mut nearest: Option<(f32, u32)> = None;
        let mut waiting = Vec::with_capacity(64);
        waiting.extend(slabs.enter(&self.nodes.first()?.bounds).map(|t| (0, t)));
        while let Some((node, entered_at)) = waiting.pop() {
            if nearest.is_some_and(|(t, _)| entered_at > t) {
                continue;
            }
            let node: &Node = &self.nodes[node];
            let first = node.first as usize;
            if node.n_triangles == 0 {
                let child = |index: usize| Some((index, slabs.enter(&self.nodes[index].bounds)?));
                // The nearer child is searched first, so it is pushed last.
                match (child(first), child(first + 1)) {
                    (Some(a), Some(b)) if a.1 <= b.1 => waiting.extend([b, a]),
                    (a, b) => waiting.extend(a.into_iter().chain(b)),
                }
                continue;
            }
            for &triangle in &self.order[first..first + node.n_triangles as usize] {
                let Some(t) = ray.hit_triangle(triangles.triangle(triangle)) else { continue };
                if nearest.is_none_or(|best| (t, triangle) < best) {
                    nearest = Some((t, triangle));
                }
            }
        }
        nearest.map(|(t, triangle)| Hit { triangle, t, point: ray.at(t) })
    }

    /// Returns whether `is_wanted` returns true for any triangle near `bounds`. It is called for all triangles whose
    /// boxes touch `bounds`, and for some more, until it returns true.
    pub fn any_in_box(&self, bounds: &Aabb, mut is_wanted: impl FnMut(u32) -> bool) -> bool {
        let mut waiting = vec![0];
        while let Some(node) = waiting.pop() {
            let Some(node) = self.nodes.get(node) else { continue };
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            let first = node.first as usize;
            if node.n_triangles == 0 {
                waiting.extend([first + 1, first]);
                continue;
            }
            let own = &self.order[first..first + node.n_triangles as usize];
            if own.iter().any(|&triangle| is_wanted(triangle)) {
                return true;
            }
        }
        false
    }

    /// Returns the bounds of all triangles; [`Aabb::EMPTY`] if there are none.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds)
    }
}

/// A ray with values precomputed for intersection tests with boxes.
struct Slabs {
    origin: Vec3,
    inverse: Vec3,
    /// Axes to which the ray is perpendicular.
    still: BVec3,
}

impl Slabs {
    /// Compensates for rounding of the interval's far end, three operations of half a unit each.
    ///
    /// Source: Ize, "Robust BVH ray traversal", 2013.
    const FAR_SLACK: f32 = 1.0 + 2.0 * f32::EPSILON;

    fn new(ray: &Ray) -> Self {
        let inverse = ray.direction.recip();
        let still = !inverse.is_finite_mask();
        Self { origin: ray.origin, inverse: Vec3::select(still, Vec3::ZERO, inverse), still }
    }

    /// Returns the distance at which the ray enters `bounds`, 0 if it starts inside, `None` if it misses.
    fn enter(&self, bounds: &Aabb) -> Option<f32> {
        let beside = self.origin.cmplt(bounds.min) | self.origin.cmpgt(bounds.max);
        if (beside & self.still).any() {
            return None;
        }
        let to_min = (bounds.min - self.origin) * self.inverse;
        let to_max = (bounds.max - self.origin) * self.inverse;
        let nears = Vec3::select(self.still, Vec3::NEG_INFINITY, to_min.min(to_max));
        let fars = Vec3::select(self.still, Vec3::INFINITY, to_min.max(to_max));
        let near = nears.max_element().max(0.0);
        (near <= fars.min_element() * Self::FAR_SLACK).then_some(near)
    }
}
