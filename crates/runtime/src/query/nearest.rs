//! The polygon nearest to a point, and all polygons in a box.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::{Filter, MeshPoint, QueryError, error::check_finite};
use crate::{
    geom::Aabb,
    navmesh::{LiveTile, NavMesh, Outline, PolyKind, PolyRef, SurfacePoint, preference},
};

/// Parameters of [`nearest`].
#[derive(Clone, Copy, Debug)]
pub struct NearestRequest<'a> {
    /// Center of the search box.
    pub center: Vec3,
    /// Half-extents of the search box, in meters.
    pub half_extents: Vec3,
    /// Filter of the polygons.
    pub filter: &'a Filter,
}

impl<'a> NearestRequest<'a> {
    /// The usual half-extents: 2 m horizontally and 4 m vertically.
    pub const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);

    /// Requests the polygon nearest to `center` within [`NearestRequest::HALF_EXTENTS`].
    pub fn new(center: Vec3, filter: &'a Filter) -> Self {
        Self { center, half_extents: Self::HALF_EXTENTS, filter }
    }
}

/// Finds the point of the navmesh nearest to the center, and its polygon, among the polygons whose boxes touch the
/// search box. A polygon above or below the center by at most a step has distance zero. Returns `None` if no polygon
/// that passes the filter touches the box.
///
/// # Errors
/// Returns [`QueryError::BadNumber`] if the box is not finite or an extent is negative.
///
/// Source: `dtNavMeshQuery::findNearestPoly`. Among equally near polygons, the first in the order of tiles and of their
/// trees is found, as in Detour.
pub fn nearest(
    mesh: &NavMesh,
    request: &NearestRequest<'_>,
) -> Result<Option<MeshPoint>, QueryError> {
    let NearestRequest { center, half_extents, filter } = *request;
    let bounds = checked_box(center, half_extents)?;
    let mut search = NearestSearch {
        mesh,
        outlines: mesh.outlines(),
        center,
        filter,
        bounds,
        least: f32::MAX,
        best: None,
        beside: ArrayVec::new(),
    };
    let mut around: ArrayVec<(u32, u32), MAX_PUT_OFF> = ArrayVec::new();
    let mut n_tiles = 0;
    mesh.for_each_tile_in(&bounds, |id| {
        n_tiles += 1;
        if search.is_under(id) || around.try_push((id, n_tiles)).is_err() {
            search.look_into(id, n_tiles);
        }
    });
    for &(id, order) in &around {
        if !search.is_beyond(id) {
            search.look_into(id, order);
        }
    }
    search.try_all_beside();
    Ok(search.best.and_then(|(Candidate { tile, poly, .. }, point)| {
        Some(MeshPoint { poly: mesh.live(tile).poly_ref(u32::try_from(poly).ok()?), point })
    }))
}

/// Returns the search box, if it is valid.
fn checked_box(center: Vec3, half_extents: Vec3) -> Result<Aabb, QueryError> {
    let bounds = Aabb { min: center - half_extents, max: center + half_extents };
    // The sum is finite unless an operand is not, or both are huge.
    if bounds.min.is_finite() && bounds.max.is_finite() && half_extents.min_element() >= 0.0 {
        return Ok(bounds);
    }
    check_finite("the point", center)?;
    Err(QueryError::BadNumber { what: "the half extents" })
}

/// Maximum number of postponed polygons, and of postponed tiles.
const MAX_PUT_OFF: usize = 64;

/// A polygon that may be the nearest.
#[derive(Clone, Copy)]
struct Candidate {
    tile: u32,
    poly: usize,
    /// Numbers of tiles, and of polygons of the tile, before it. Among equally near ones the first is found.
    order: [u32; 2],
    /// Lower bound of the squared distance, seen from above.
    least: f32,
}

/// The tile around the point, and polygons below or above it, are tried at once. Others are postponed: later, most of
/// them are known to be too far away.
struct NearestSearch<'a> {
    mesh: &'a NavMesh,
    outlines: &'a [Outline],
    center: Vec3,
    filter: &'a Filter,
    bounds: Aabb,
    /// Squared distance of the nearest polygon so far.
    least: f32,
    best: Option<(Candidate, Vec3)>,
    beside: ArrayVec<Candidate, MAX_PUT_OFF>,
}

impl NearestSearch<'_> {
    /// Returns whether the point is in the square of a tile.
    fn is_under(&self, id: u32) -> bool {
        let Aabb { min, max } = self.mesh.live(id).tile.header.bounds;
        let center = self.center;
        min.x <= center.x && center.x <= max.x && min.z <= center.z && center.z <= max.z
    }

    /// Returns whether a tile is certainly farther away than the nearest polygon.
    fn is_beyond(&self, id: u32) -> bool {
        let Aabb { min, max } = self.mesh.live(id).tile.header.bounds;
        let near = &self.bounds;
        let is_apart =
            near.max.x < min.x || near.min.x > max.x || near.max.z < min.z || near.min.z > max.z;
        self.best.is_some() && is_apart
    }

    fn look_into(&mut self, id: u32, n_tiles: u32) {
        let live = self.mesh.live(id);
        let tile = &*live.tile;
        let mut order = [n_tiles, 0];
        if tile.bv_nodes.is_empty() {
            tile.for_each_poly_in_box(&self.bounds.clone(), |poly| {
                order[1] += 1;
                self.meet(live, Candidate { tile: id, poly, order, least: 0.0 });
                ControlFlow::Continue(())
            });
            return;
        }
        let quant = tile.header.bv_quant_factor;
        let in_cells = (self.center - tile.header.bounds.min) * quant;
        let cell_sqr = 1.0 / (quant * quant);
        tile.for_each_leaf_in_box(&self.bounds.clone(), |leaf, smaller| {
            order[1] += 1;
            let gap_sqr = leaf.distance_sqr(in_cells) * cell_sqr;
            // Boxes are rounded to about a cell.
            let least = if gap_sqr > 0.0 { (gap_sqr.sqrt() * 0.999 - 0.01).max(0.0) } else { 0.0 };
            let was = self.least;
            let candidate = Candidate { tile: id, poly: leaf.poly, order, least: least * least };
            self.meet(live, candidate);
            if self.cannot_be_nearer(order) {
                return ControlFlow::Break(());
            }
            if self.least < was {
                self.bounds = around(self.center, &self.bounds, self.least);
                *smaller = Some(self.bounds);
            }
            ControlFlow::Continue(())
        });
    }

    /// Returns whether polygons from `order` on can be at most as near as the nearest one, and so are not found.
    fn cannot_be_nearer(&self, order: [u32; 2]) -> bool {
        self.least <= 0.0 && self.best.is_some_and(|(best, _)| best.order <= order)
    }

    /// Tries a polygon at once, or postpones it.
    fn meet(&mut self, live: &LiveTile, candidate: Candidate) {
        let Candidate { poly, least, .. } = candidate;
        if !self.filter.passes(&live.tile.polys[poly]) {
            return;
        }
        let is_over = least <= 0.0
            && live.tile.polys[poly].kind == PolyKind::Ground
            && self.outlines[live.first_node as usize + poly].ring.contains(self.center);
        if is_over {
            let height = live.tile.height_over(poly, self.center);
            let on = SurfacePoint { point: self.center.with_y(height), is_over: true };
            let distance = preference(self.center, &on, live.tile.header.walkable_climb);
            self.offer(candidate, on.point, distance);
        } else if self.beside.try_push(candidate).is_err() {
            self.try_beside(&candidate);
        }
    }

    fn try_all_beside(&mut self) {
        for at in 0..self.beside.len() {
            let candidate = self.beside[at];
            if !self.cannot_be_nearer(candidate.order) {
                self.try_beside(&candidate);
            }
        }
    }

    fn try_beside(&mut self, candidate: &Candidate) {
        if candidate.least > self.least {
            return;
        }
        let tile = &self.mesh.live(candidate.tile).tile;
        // Slightly more than needed, so that rounding does not exclude a polygon.
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

/// Returns the part of `bounds` in which a polygon can be nearer to `center` than the squared distance `least`, seen
/// from above. It is slightly enlarged, so that rounding does not exclude a polygon.
fn around(center: Vec3, bounds: &Aabb, least: f32) -> Aabb {
    let reach = least.sqrt() * 1.001 + 0.01;
    let [mut min, mut max] = [bounds.min, bounds.max];
    (min.x, max.x) = (min.x.max(center.x - reach), max.x.min(center.x + reach));
    (min.z, max.z) = (min.z.max(center.z - reach), max.z.min(center.z + reach));
    Aabb { min, max }
}

/// Parameters of [`polygons_in_box`].
#[derive(Clone, Copy, Debug)]
pub struct PolygonsInBoxRequest<'a> {
    /// Center of the box.
    pub center: Vec3,
    /// Half-extents of the box, in meters.
    pub half_extents: Vec3,
    /// Filter of the polygons.
    pub filter: &'a Filter,
}

impl<'a> PolygonsInBoxRequest<'a> {
    /// Requests the polygons in the box around `center`.
    pub fn new(center: Vec3, half_extents: Vec3, filter: &'a Filter) -> Self {
        Self { center, half_extents, filter }
    }
}

/// Finds the polygons that pass the filter and whose boxes touch the search box.
///
/// # Errors
/// Returns [`QueryError::BadNumber`] if the box is not finite or an extent is negative.
///
/// Source: `dtNavMeshQuery::queryPolygons`.
pub fn polygons_in_box(
    mesh: &NavMesh,
    request: &PolygonsInBoxRequest<'_>,
) -> Result<Vec<PolyRef>, QueryError> {
    let mut found = Vec::new();
    polygons_in_box_into(mesh, request, &mut found)?;
    Ok(found)
}

/// Like [`polygons_in_box`], but reuses the memory of an earlier result.
///
/// # Errors
/// See [`polygons_in_box`]. `found` is then empty.
pub fn polygons_in_box_into(
    mesh: &NavMesh,
    request: &PolygonsInBoxRequest<'_>,
    found: &mut Vec<PolyRef>,
) -> Result<(), QueryError> {
    found.clear();
    let PolygonsInBoxRequest { center, half_extents, filter } = *request;
    let bounds = checked_box(center, half_extents)?;
    mesh.for_each_tile_in(&bounds, |id| {
        let live = mesh.live(id);
        live.tile.for_each_poly_in_box(&bounds, |poly| {
            if filter.passes(&live.tile.polys[poly])
                && let Ok(index) = u32::try_from(poly)
            {
                found.push(live.poly_ref(index));
            }
            ControlFlow::Continue(())
        });
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navmesh::{
        BvNode,
        sample::{mesh, tile},
    };

    /// Detour's trees end in an unused node that reads as the first polygon, at the tile's corner.
    #[test]
    fn the_spare_node_of_a_tree_finds_higher_polygons() {
        let mut tile = tile(0, 0, &["####", "####", "##.#", "####"]);
        tile.vertices.iter_mut().for_each(|vertex| vertex.y = 1.5);
        let leaf = BvNode { min: [20, 15, 20], max: [30, 15, 30], index: 0 };
        tile.bv_nodes = vec![leaf, BvNode { min: [0; 3], max: [0; 3], index: 0 }];
        let mesh = mesh([tile]);
        let filter = Filter::default();
        let near = |center, half_extents| {
            nearest(&mesh, &NearestRequest { center, half_extents, filter: &filter }).unwrap()
        };
        let center = Vec3::new(2.5, 0.5, 2.5);
        // Low enough to miss the polygon's own node.
        let found = near(center, Vec3::new(3.0, 0.6, 3.0)).unwrap();
        assert_eq!(found.point, Vec3::new(2.5, 1.5, 2.5));
        assert_eq!(near(center, Vec3::new(2.0, 0.6, 2.0)), None, "the corner is missed, too");
    }

    #[test]
    fn boxes_without_a_size_are_refused() {
        let (mesh, filter) = (mesh([tile(0, 0, &["..", ".."])]), Filter::default());
        let ask = |center, half_extents| {
            let request = NearestRequest { center, half_extents, filter: &filter };
            let in_box = PolygonsInBoxRequest::new(center, half_extents, &filter);
            let in_box = polygons_in_box(&mesh, &in_box);
            assert_eq!(in_box.is_err(), nearest(&mesh, &request).is_err());
            in_box.map(|found| found.len())
        };
        let extents = QueryError::BadNumber { what: "the half extents" };
        assert_eq!(ask(Vec3::ONE, Vec3::ZERO.with_y(-1.0)), Err(extents));
        assert_eq!(ask(Vec3::ONE, Vec3::INFINITY), Err(extents));
        assert_eq!(ask(Vec3::NAN, Vec3::ONE), Err(QueryError::BadNumber { what: "the point" }));
        assert_eq!(ask(Vec3::ONE, Vec3::ONE), Ok(4));
    }

    #[test]
    fn of_equally_near_polygons_the_first_in_tile_order_wins() {
        let mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
        let (half_extents, filter) = (Vec3::ONE, Filter::default());
        // On the border between both.
        for x in [1.999, 2.0, 2.001] {
            let center = Vec3::new(x, 0.3, 0.5);
            let request = NearestRequest { center, half_extents, filter: &filter };
            let found = nearest(&mesh, &request).unwrap().unwrap();
            let slot = usize::from(x >= 2.0);
            let poly = mesh.poly_ref(slot, 1 - slot).unwrap();
            assert_eq!((found.poly, found.point), (poly, center.with_y(0.0)), "{x}");
        }
    }
}
