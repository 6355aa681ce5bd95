//! Finds the polygons of an island by a point on it.

use std::collections::BTreeSet;

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Paint},
    geom::from_above,
    navmesh::{NavMesh, PolyKind, PolyRef},
};

/// Maximum height difference between a polygon and the point, in meters.
const REACH: f32 = 1.0;

/// Returns the polygons reachable from `place`; if its island was removed, the polygons removed with it.
pub(super) fn island_at(mesh: &NavMesh, place: Vec3) -> Vec<PolyRef> {
    let Some(start) = poly_at(mesh, place) else { return Vec::new() };
    let is_in_use = |poly: PolyRef| {
        mesh.resolve(poly).is_some_and(|(tile, index)| tile.polys[index].flags != 0)
    };
    let kind = is_in_use(start);
    let mut seen = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some(poly) = waiting.pop() {
        for link in mesh.links(poly) {
            if is_in_use(link.to) == kind && seen.insert(link.to) {
                waiting.push(link.to);
            }
        }
    }
    seen.into_iter().collect()
}

/// Returns the ground polygon nearest above or below `place`.
fn poly_at(mesh: &NavMesh, place: Vec3) -> Option<PolyRef> {
    let mut best: Option<(f32, PolyRef)> = None;
    for (slot, tile) in mesh.slots() {
        for (index, poly) in tile.polys.iter().enumerate() {
            let corners = tile.corners(poly);
            if poly.kind != PolyKind::Ground || !from_above::contains(&corners, place) {
                continue;
            }
            let nearest = corners.iter().map(|at| (at.y - place.y).abs()).fold(REACH, f32::min);
            if best.is_none_or(|(least, _)| nearest < least) {
                best = mesh.poly_ref(slot, index).map(|poly| (nearest, poly));
            }
        }
    }
    best.map(|(_, poly)| poly)
}

/// Draws the island at `place` so that it is visible through other geometry.
pub fn island_picture(mesh: &NavMesh, place: Vec3) -> DrawList {
    let mut list = debug_draw::corridor(mesh, &island_at(mesh, place));
    for triangle in &mut list.triangles {
        triangle.paint = Paint::Accent;
    }
    list.point(place, 9.0, Paint::Accent);
    list
}
