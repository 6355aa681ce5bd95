//! Finds the ground at the ends of off-mesh links.
//!
//! Source: `dtNavMesh::baseOffMeshLinks` and `connectExtOffMeshLinks`.

use std::ops::ControlFlow;

use glam::Vec3;

use super::{OffMeshConnection, Tile, surface};
use crate::geom::Aabb;

/// Maximum number of polygons considered around an end.
const MAX_CANDIDATES: usize = 128;
/// [`OffMeshConnection::flags`] bit of a bidirectional off-mesh link.
const BOTH_WAYS: u8 = 1;

/// The ground at an end of an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    pub(super) poly: u32,
    pub(super) point: Vec3,
}

impl OffMeshConnection {
    /// Returns whether the off-mesh link is bidirectional.
    pub fn is_both_ways(&self) -> bool {
        self.flags & BOTH_WAYS != 0
    }
}

/// Returns the approximate maximum number of polygons and detail triangles that [`landing`] visits.
pub(super) fn work(tile: &Tile) -> usize {
    let most = MAX_CANDIDATES * usize::from(u8::MAX);
    tile.polys.len() + tile.detail_triangles.len().min(most)
}

/// Finds the ground of `tile` nearest to `end`, within `radius` horizontally and `climb` vertically.
pub(super) fn landing(tile: &Tile, end: Vec3, radius: f32, climb: f32) -> Option<Landing> {
    let half_extents = Vec3::new(radius, climb, radius);
    let bounds = Aabb { min: end - half_extents, max: end + half_extents };
    let mut nearest: Option<(usize, Vec3)> = None;
    let mut least = f32::MAX;
    let mut n_seen = 0;
    tile.for_each_poly_in_box(&bounds, |poly| {
        if n_seen == MAX_CANDIDATES {
            return ControlFlow::Break(());
        }
        n_seen += 1;
        let on = tile.closest_point(poly, end);
        let distance = surface::preference(end, &on, tile.header.walkable_climb);
        if distance < least {
            least = distance;
            nearest = Some((poly, on.point));
        }
        ControlFlow::Continue(())
    });
    let (poly, point) = nearest?;
    // The height on a nearly degenerate triangle can overflow.
    if !point.is_finite() {
        return None;
    }
    let (dx, dz) = (point.x - end.x, point.z - end.z);
    if dx * dx + dz * dz > radius * radius {
        return None;
    }
    Some(Landing { poly: u32::try_from(poly).ok()?, point })
}
