//! The interface of surfaces that can be searched.

use std::num::NonZeroU64;

use glam::DVec2;

/// Identifies a point at which paths may turn, so that paths to it can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneCorner(pub(super) NonZeroU64);

impl PlaneCorner {
    /// Creates the corner with this number. Equal numbers are the same point. The largest number is the same corner as
    /// the second largest.
    pub const fn new(number: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(number))
    }
}

/// An end of a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateEnd {
    /// The point.
    pub at: DVec2,
    /// The corner, if a path may turn here. A point that is surrounded by walkable ground needs none: no shortest path
    /// turns there. A gate that is a point is passed only if it is a corner.
    pub corner: Option<PlaneCorner>,
}

/// A gate out of a polygon: a segment of its boundary, or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate<P> {
    /// Left end, seen when walking out.
    pub left: GateEnd,
    /// Right end.
    pub right: GateEnd,
    /// The polygon beyond it.
    pub to: P,
    /// Whether all gates of that polygon lead back to this one. `false` is always correct, but slower.
    pub is_dead_end: bool,
}

/// Convex polygons, joined by gates. "Left" is left where x points right and y up.
pub trait Polygons {
    /// Identifies a polygon.
    type Poly: Copy + PartialEq;

    /// Returns the largest distance between ends of gates that are the same point; above zero. Paths cut corners by at
    /// most this distance.
    fn tolerance(&self) -> f64;

    /// Calls `visit` with every gate of `poly`, always in the same order.
    fn for_each_gate(&self, poly: Self::Poly, visit: impl FnMut(&Gate<Self::Poly>));
}

/// A point on a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanePoint<P> {
    /// The polygon.
    pub poly: P,
    /// The point, in the polygon or on its boundary.
    pub point: DVec2,
}
