//! Where the ends of off-mesh links meet the ground.
//!
//! Source: `dtNavMesh::baseOffMeshLinks` and `connectExtOffMeshLinks`.

use std::ops::ControlFlow;

use glam::Vec3;

use super::{OffMeshConnection, Tile, surface};
use crate::geom::Aabb;

/// Most polygons that are looked at around an end.
const MAX_CANDIDATES: usize = 128;
/// [`OffMeshConnection::flags`] bit of a connection that can be taken both ways.
const BOTH_WAYS: u8 = 1;

/// The ground under an end of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    pub(super) poly: u32,
    pub(super) point: Vec3,
}

impl OffMeshConnection {
    /// Whether it can be taken from its end to its start too.
    pub fn is_both_ways(&self) -> bool {
        self.flags & BOTH_WAYS != 0
    }
}

/// About how many polygons and detail triangles [`landing`] looks at, at most.
pub(super) fn work(tile: &Tile) -> usize {
    let most = MAX_CANDIDATES * usize::from(u8::MAX);
    tile.polys.len() + tile.detail_triangles.len().min(most)
}

/// The ground of `tile` nearest to `end`, no farther than `radius` from above and no farther than
/// `climb` up or down.
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
    // Heights of ground with coordinates near the largest there are can overflow.
    if !point.is_finite() {
        return None;
    }
    let (dx, dz) = (point.x - end.x, point.z - end.z);
    if dx * dx + dz * dz > radius * radius {
        return None;
    }
    Some(Landing { poly: u32::try_from(poly).ok()?, point })
}
