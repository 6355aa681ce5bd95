//! Bounding volume hierarchy over triangles: which one does a ray meet first.
//!
//! A binary tree of boxes, built from the top by splitting a run of triangles in two, kept in one
//! array with the two children of a node next to each other. Building and searching are loops with a
//! stack of their own, so that no level, however odd, exhausts the thread's stack.

mod build;
#[cfg(test)]
mod tests;

use glam::{BVec3, Vec3};

use crate::geom::{Aabb, Ray};

/// Triangles by number.
pub trait Triangles {
    /// How many there are.
    fn n_triangles(&self) -> u32;
    /// Corners of triangle `index`, all finite.
    fn triangle(&self, index: u32) -> [Vec3; 3];
}

/// How a run of triangles is split in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Into halves of equal count, along the axis on which the triangles' middles spread widest.
    /// Builds fastest.
    Median,
    /// Along the same axis, where the boxes of the two parts, weighted by count, have the least surface:
    /// a measure of how many rays will have to enter them. Searches fastest.
    ///
    /// Source: Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007 (binned).
    SurfaceArea,
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the triangle.
    pub triangle: u32,
    /// Distance along the ray.
    pub t: f32,
    /// The place.
    pub point: Vec3,
}

/// Tree of boxes over triangles.
///
/// Invariants: `nodes[0]` is the root; a node's box holds all triangles below it; the leaves name
/// every entry of `order` exactly once; no node is deeper than [`Bvh::MAX_DEPTH`].
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    nodes: Vec<Node>,
    /// Triangle indices, leaf by leaf.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    /// First of its triangles in `order`, or first of its two children in `nodes`.
    first: u32,
    /// Number of its triangles; 0 for a node with children.
    n_triangles: u32,
}

impl Bvh {
    /// Deepest node below the root.
    pub const MAX_DEPTH: usize = build::BALANCED_BELOW + 32;

    /// Tree over all of `triangles`, split by surface area.
    pub fn build<T: Triangles + ?Sized>(triangles: &T) -> Self {
        Self::build_with(triangles, Split::SurfaceArea)
    }

    /// Tree over all of `triangles`. The same input gives the same tree.
    pub fn build_with<T: Triangles + ?Sized>(triangles: &T, split: Split) -> Self {
        build::build(triangles, split)
    }

    /// First of `triangles` that `ray` meets, from either side; of several at one distance the one
    /// with the lowest index. `triangles` must be those the tree was built over.
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
                // The nearer child is searched first, so it goes on the stack last.
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

    /// Whether `is_wanted` holds for a triangle whose part of the tree touches `bounds`. It is asked of all
    /// whose boxes touch, and of some more, until it returns true.
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

    /// Box around all triangles, [`Aabb::EMPTY`] where there are none.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds)
    }
}

/// A ray made ready for many boxes.
struct Slabs {
    origin: Vec3,
    inverse: Vec3,
    /// Axes along which the ray does not move.
    still: BVec3,
}

impl Slabs {
    /// Makes up for the rounding of the interval's far end, three operations of half a unit each.
    ///
    /// Source: Ize, "Robust BVH ray traversal", 2013.
    const FAR_SLACK: f32 = 1.0 + 2.0 * f32::EPSILON;

    fn new(ray: &Ray) -> Self {
        let inverse = ray.direction.recip();
        let still = !inverse.is_finite_mask();
        Self { origin: ray.origin, inverse: Vec3::select(still, Vec3::ZERO, inverse), still }
    }

    /// Distance at which the ray enters `bounds`, 0 from inside, `None` where it misses.
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
