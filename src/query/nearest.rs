//! The polygon nearest to a point, and all polygons in a box.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{Filter, PathEnd};
use crate::{
    geom::Aabb,
    navmesh::{LiveTile, NavMesh, PolyRef, SurfacePoint, Tile, preference},
};

/// The nearest point of the mesh to `center` and its polygon, among polygons whose boxes touch the box
/// around `center`. A polygon straight above or below by no more than a step counts as touching.
/// `None` where there is none, and where the box is not finite.
///
/// - `half_extents`: half the size of the box, in metres.
///
/// Source: `dtNavMeshQuery::findNearestPoly`. Of equally near polygons the first in tile and tree
/// order wins, as there.
pub fn nearest(
    mesh: &NavMesh,
    center: Vec3,
    half_extents: Vec3,
    filter: &Filter,
) -> Option<PathEnd> {
    let bounds = Aabb { min: center - half_extents, max: center + half_extents };
    if !bounds.min.is_finite() || !bounds.max.is_finite() {
        return None;
    }
    let mut search = Search {
        mesh,
        center,
        filter,
        bounds,
        least: f32::MAX,
        best: None,
        beside: ArrayVec::new(),
        n_met: 0,
    };
    mesh.for_each_tile_in(&bounds, |id| search.look_into(id));
    for candidate in std::mem::take(&mut search.beside) {
        search.try_beside(&candidate);
    }
    let (Candidate { tile, poly, .. }, point) = search.best?;
    Some(PathEnd { poly: mesh.live(tile).poly_ref(u32::try_from(poly).ok()?), point })
}

/// Most polygons that are put off.
const MAX_PUT_OFF: usize = 64;

/// A polygon that may be the nearest.
#[derive(Clone, Copy)]
struct Candidate {
    tile: u32,
    poly: usize,
    /// How many were met before it: of equally near ones the first wins.
    order: usize,
    /// What its distance, squared and seen from above, is certainly not below.
    least: f32,
}

/// Polygons below or above the point are tried at once. What lies beside it has its turn later, when most
/// of it is known to be too far away.
struct Search<'a> {
    mesh: &'a NavMesh,
    center: Vec3,
    filter: &'a Filter,
    bounds: Aabb,
    /// Squared distance of the nearest.
    least: f32,
    best: Option<(Candidate, Vec3)>,
    beside: ArrayVec<Candidate, MAX_PUT_OFF>,
    n_met: usize,
}

impl Search<'_> {
    fn look_into(&mut self, id: u32) {
        let tile = &*self.mesh.live(id).tile;
        if tile.bv_nodes.is_empty() {
            tile.for_each_poly_in_box(&self.bounds.clone(), |poly| {
                self.meet(tile, (id, poly), 0.0);
                ControlFlow::Continue(())
            });
            return;
        }
        let quant = tile.header.bv_quant_factor;
        let in_cells = (self.center - tile.header.bounds.min) * quant;
        let cell_sqr = 1.0 / (quant * quant);
        tile.for_each_leaf_in_box(&self.bounds.clone(), |leaf, smaller| {
            let gap = leaf.distance_sqr(in_cells) * cell_sqr;
            let was = self.least;
            self.meet(tile, (id, leaf.poly), gap);
            if self.least < was {
                self.bounds = around(self.center, &self.bounds, self.least);
                *smaller = Some(self.bounds);
            }
            ControlFlow::Continue(())
        });
    }

    /// Tries a polygon at once, or puts it off. `gap_sqr` is how far away its box is.
    fn meet(&mut self, tile: &Tile, (id, poly): (u32, usize), gap_sqr: f32) {
        if !self.filter.passes(&tile.polys[poly]) {
            return;
        }
        self.n_met += 1;
        // Boxes are known to about a cell of rounding.
        let least = if gap_sqr > 0.0 { (gap_sqr.sqrt() * 0.999 - 0.01).max(0.0) } else { 0.0 };
        let candidate = Candidate { tile: id, poly, order: self.n_met, least: least * least };
        let height = if least > 0.0 { None } else { tile.height_at(poly, self.center) };
        if let Some(height) = height {
            let on = SurfacePoint { point: self.center.with_y(height), is_over: true };
            let distance = preference(self.center, &on, tile.header.walkable_climb);
            self.offer(candidate, on.point, distance);
        } else if self.beside.try_push(candidate).is_err() {
            self.try_beside(&candidate);
        }
    }

    fn try_beside(&mut self, candidate: &Candidate) {
        if candidate.least > self.least {
            return;
        }
        let tile = &self.mesh.live(candidate.tile).tile;
        // A little more than needed, so that rounding leaves nothing out.
        let slack = 1e-6 * self.center.abs().max_element() + f32::MIN_POSITIVE;
        let reach = self.least.sqrt() * 1.001 + slack;
        let nearest = tile.closest_beside(candidate.poly, self.center, reach * reach);
        if let Some(point) = nearest {
            let on = SurfacePoint { point, is_over: false };
            let distance = preference(self.center, &on, tile.header.walkable_climb);
            self.offer(*candidate, point, distance);
        }
    }

    fn offer(&mut self, candidate: Candidate, point: Vec3, distance: f32) {
        let is_first = self.best.is_none_or(|(best, _)| candidate.order < best.order);
        if distance < self.least || (distance <= self.least && is_first) {
            self.least = distance;
            self.best = Some((candidate, point));
        }
    }
}

/// The part of `bounds` in which a polygon can be nearer to `center` than the squared distance `least`,
/// seen from above, and a little more, so that rounding leaves nothing out.
fn around(center: Vec3, bounds: &Aabb, least: f32) -> Aabb {
    let reach = least.sqrt() * 1.001 + 0.01;
    let [mut min, mut max] = [bounds.min, bounds.max];
    (min.x, max.x) = (min.x.max(center.x - reach), max.x.min(center.x + reach));
    (min.z, max.z) = (min.z.max(center.z - reach), max.z.min(center.z + reach));
    Aabb { min, max }
}

/// Appends to `found` the polygons that the filter lets pass and whose boxes touch the box around
/// `center`. None where the box is not finite.
///
/// Source: `dtNavMeshQuery::queryPolygons`.
pub fn polygons_in_box(
    mesh: &NavMesh,
    center: Vec3,
    half_extents: Vec3,
    filter: &Filter,
    found: &mut Vec<PolyRef>,
) {
    for_each_in_box(mesh, [center, half_extents], filter, |live, _, index| {
        found.push(live.poly_ref(index));
    });
}

fn for_each_in_box(
    mesh: &NavMesh,
    [center, half_extents]: [Vec3; 2],
    filter: &Filter,
    mut visit: impl FnMut(&LiveTile, usize, u32),
) {
    let bounds = Aabb { min: center - half_extents, max: center + half_extents };
    if !bounds.min.is_finite() || !bounds.max.is_finite() {
        return;
    }
    mesh.for_each_tile_in(&bounds, |id| {
        let live = mesh.live(id);
        live.tile.for_each_poly_in_box(&bounds, |poly| {
            if filter.passes(&live.tile.polys[poly])
                && let Ok(index) = u32::try_from(poly)
            {
                visit(live, poly, index);
            }
            ControlFlow::Continue(())
        });
    });
}
