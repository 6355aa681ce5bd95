use glam::Vec3;
use serde::{Deserialize, Serialize};

/// An axis-aligned box in world space.
///
/// Invariant: `min <= max` on each axis, and all six numbers are finite, except for [`Aabb::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    /// Minimum corner.
    pub min: Vec3,
    /// Maximum corner.
    pub max: Vec3,
}

impl Aabb {
    /// A box without points; the neutral element of [`Aabb::grown_to`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Creates the box of two opposite corners, in any order.
    #[inline]
    pub fn new(a: Vec3, b: Vec3) -> Self {
        Self { min: a.min(b), max: a.max(b) }
    }

    /// Returns the smallest box around all `points`; [`Aabb::EMPTY`] if there are none.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::grown_to)
    }

    /// Returns the smallest box around this one and `point`.
    #[must_use]
    #[inline]
    pub fn grown_to(self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Returns whether the box contains no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// Returns the center.
    #[inline]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Returns the size along each axis.
    #[inline]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Returns whether two boxes overlap or touch.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && self.max.cmpge(other.min).all()
    }

    /// Returns whether two boxes overlap or touch, projected onto the ground plane.
    #[inline]
    pub fn overlaps_xz(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && self.max.x >= other.min.x
            && self.min.z <= other.max.z
            && self.max.z >= other.min.z
    }
}
