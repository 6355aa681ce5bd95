//! What the search asks of a surface.

use std::num::NonZeroU64;

use glam::DVec2;

/// Names a point at which paths may turn, so that two ways to it can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneCorner(pub(super) NonZeroU64);

impl PlaneCorner {
    /// The corner with this number. Equal numbers mean the same point; the largest number of all
    /// means what the one before it means.
    pub const fn new(number: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(number))
    }
}

/// An end of a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateEnd {
    /// Where.
    pub at: DVec2,
    /// Its name where a path may turn there. A point around which all is walkable may have none:
    /// no shortest path turns in the open. A gate that is a point is passed only if it has a name.
    pub corner: Option<PlaneCorner>,
}

/// A way out of a polygon: a segment of its boundary, or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate<P> {
    /// Its left end as seen when walking out.
    pub left: GateEnd,
    /// Its right end.
    pub right: GateEnd,
    /// The polygon behind it.
    pub to: P,
    /// Whether nothing leads out of that polygon but back. `false` is always right, but slower.
    pub is_dead_end: bool,
}

/// Convex polygons, joined by gates. "Left" is left where x points right and y up.
pub trait Polygons {
    /// Names a polygon.
    type Poly: Copy + PartialEq;

    /// How far ends of gates that should be one point may be apart, above zero. Corners are cut by no
    /// more than that.
    fn tolerance(&self) -> f64;

    /// Calls `visit` with every way out of `poly`, in an order that is always the same.
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
