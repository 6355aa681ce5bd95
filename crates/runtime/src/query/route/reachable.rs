//! Reachability between polygons, and the reachable point nearest to a given one.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::{DVec3, Vec3};

use super::{
    cells::{CellPoly, SIDES, cell_place},
    check_state,
    clusters::{ClusterReach, Clusters, Numbered},
    overlay::RouteOverlay,
};
use crate::{
    geom::Aabb,
    navmesh::{LiveTile, NavMesh, PolyKind, TilePlace, TilePoly},
    query::{MeshPoint, QueryError, closest_point, error::check_finite},
};

/// A cluster of a [`RouteOverlay`](super::RouteOverlay): polygons in a cell of 4 by 4 tiles that reach each other
/// within the cell.
///
/// Differs: in Unreal's Detour, a cluster consists of polygons of one tile, and one-way links do not separate clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteCluster {
    /// Column and row of the cell: those of its tiles, divided by 4 and rounded down.
    pub cell: [i32; 2],
    /// Number of the cluster in the cell.
    pub number: u16,
}

impl RouteCluster {
    /// Returns the cell that contains a tile.
    pub fn cell_of(tile: TilePlace) -> [i32; 2] {
        cell_place([tile.x, tile.z], SIDES[0])
    }
}

impl RouteOverlay {
    /// Returns whether a polygon can be reached from another, as of the last update; tiles need not be loaded. `None`
    /// if the overlay has no such polygon, the costs of its cell were never computed, or a cell has more than 65,535
    /// clusters.
    ///
    /// Takes constant time if there are few one-way links; the first call after an update takes time in proportion to
    /// the number of cells. [`find_route`](super::find_route) calls it before it searches.
    ///
    /// If all tiles are loaded, [`Reachability`](crate::query::Reachability) gives the same results, and takes less
    /// time to compute because it has no costs.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use walkable::{bake::*, level::*, monitor::Unmonitored};
    /// # use walkable::query::*;
    /// # let level = generate(LevelKind::Sample, 1, 30.0)?;
    /// # let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    /// # let mesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
    /// # let filter = Filter::default();
    /// # let on = |point| nearest(&mesh, &NearestRequest::new(point, &filter)).map(Option::unwrap);
    /// # let (start, end) = (on(level.start)?, on(level.end)?);
    /// let overlay = RouteOverlay::new(&mesh, &filter)?;
    /// // A game can keep these: they do not depend on what is loaded.
    /// let [start, end] = [start, end].map(|point| mesh.tile_poly(point.poly).expect("not stale"));
    /// assert_eq!(overlay.can_reach(start, end), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_reach(&self, from: TilePoly, to: TilePoly) -> Option<bool> {
        let (from, to) = (self.cluster_at(from)?, self.cluster_at(to)?);
        if from == to {
            return Some(true);
        }
        let reach = || ClusterReach::new(&self.clusters(), &self.levels[0].cells, &self.crossings);
        self.reach.get_or_init(reach).reaches(from, to)
    }

    /// Returns the number of clusters.
    pub fn n_clusters(&self) -> usize {
        self.leaves.iter().map(|leaf| usize::from(leaf.clusters.n)).sum()
    }

    /// Returns the cluster of a polygon, as of the last update; `None` in the cases of [`RouteOverlay::can_reach`].
    pub fn cluster(&self, poly: TilePoly) -> Option<RouteCluster> {
        let (leaf, number) = self.cluster_at(poly)?;
        Some(RouteCluster { cell: self.levels[0].cells[leaf as usize].place, number })
    }

    /// Returns the links between clusters, each once, as pairs of source and target. A bidirectional link is listed in
    /// both directions.
    pub fn cluster_links(&self) -> Vec<[RouteCluster; 2]> {
        let clusters = self.clusters();
        let numbers = Numbered::new(&clusters);
        let mut links = numbers.links(&clusters, &self.levels[0].cells, &self.crossings);
        links.sort_unstable();
        links.dedup();
        let cluster = |number: u32| {
            // Cells without clusters begin where the next one does.
            let leaf = numbers.first.partition_point(|&first| first <= number) - 1;
            let number = u16::try_from(number - numbers.first[leaf]).unwrap_or(u16::MAX);
            RouteCluster { cell: self.levels[0].cells[leaf].place, number }
        };
        links.into_iter().map(|link| link.map(cluster)).collect()
    }

    /// Returns the cell of the lowest level and the number of a polygon's cluster.
    pub(super) fn cluster_at(&self, poly: TilePoly) -> Option<(u32, u16)> {
        let leaf = self.leaf_at(poly.tile)?;
        Some((leaf, self.leaves[leaf as usize].clusters.of(CellPoly::of(poly))?))
    }

    /// Returns the clusters of each cell of the lowest level.
    fn clusters(&self) -> Vec<&Clusters> {
        self.leaves.iter().map(|leaf| &leaf.clusters).collect()
    }
}

/// How far ground may be outside the bounds of its tile, in meters.
const SLACK: f64 = 0.01;

/// Finds the reachable point nearest to `point` from `start`, without a search. A route to an end that cannot be
/// reached leads there, see [`RouteRequest::allows_partial`](super::RouteRequest::allows_partial).
///
/// Of all reachable ground polygons, the result is the one whose [`closest_point`] is nearest to `point`, with that
/// point; of equally near ones, the first by row, column and layer of its tile and by index. Routes can only end in
/// cells of 4 by 4 tiles that are loaded completely, so other polygons are ignored. If none is left, the result is
/// `start`; if it is not known what can be reached, `None`, see [`RouteOverlay::can_reach`].
///
/// Differs: the partial paths of Detour and of [`find_path`](crate::query::find_path) end in the polygon whose entry
/// point is nearest to the end.
///
/// # Errors
/// Returns a [`QueryError`] if the polygon of `start` is stale, a point is not finite, or the navmesh has changed since
/// the last update of the overlay.
pub fn nearest_reachable(
    mesh: &NavMesh,
    overlay: &RouteOverlay,
    start: MeshPoint,
    point: Vec3,
) -> Result<Option<MeshPoint>, QueryError> {
    check_state(mesh, overlay)?;
    check_finite("the start", start.point)?;
    check_finite("the point", point)?;
    let from = mesh.tile_poly(start.poly).ok_or(QueryError::StalePolygon { poly: start.poly })?;
    if overlay.can_reach(from, from).is_none() {
        return Ok(None);
    }
    let mut best: Option<(f64, TilePoly, MeshPoint)> = None;
    let tiles: Vec<&LiveTile> = mesh.live_tiles().collect();
    let mut by_distance: BinaryHeap<_> = (0..tiles.len())
        .map(|at| Reverse((distance_to(&tiles[at].tile.header.bounds, point).to_bits(), at)))
        .collect();
    while let Some(Reverse((distance, at))) = by_distance.pop() {
        if best.is_some_and(|(least, ..)| f64::from_bits(distance) > least + SLACK) {
            break;
        }
        let (live, place) = (tiles[at], TilePlace::of(&tiles[at].tile));
        if overlay.loaded_leaf(mesh, place).is_err() {
            continue;
        }
        // Most polygons of a tile are in the same cluster.
        let mut last = None;
        for (index, poly) in (0..).zip(&live.tile.polys) {
            let to = TilePoly { tile: place, poly: index };
            let cluster = overlay.cluster_at(to);
            if poly.kind != PolyKind::Ground || cluster.is_none() {
                continue;
            }
            let is_reachable = match last {
                Some((known, is_reachable)) if known == cluster => is_reachable,
                _ => overlay.can_reach(from, to) == Some(true),
            };
            last = Some((cluster, is_reachable));
            if !is_reachable {
                continue;
            }
            let poly = live.poly_ref(index);
            let nearest = closest_point(mesh, poly, point)?.point;
            let distance = nearest.as_dvec3().distance(point.as_dvec3());
            if best.is_none_or(|(least, first, _)| (distance, to) < (least, first)) {
                best = Some((distance, to, MeshPoint { poly, point: nearest }));
            }
        }
    }
    Ok(Some(best.map_or(start, |(_, _, place)| place)))
}

/// Returns the horizontal distance from a box, in meters.
fn distance_to(bounds: &Aabb, point: Vec3) -> f64 {
    let [min, max, at] = [bounds.min, bounds.max, point].map(Vec3::as_dvec3);
    let away = (min - at).max(at - max).max(DVec3::ZERO);
    away.x.hypot(away.z)
}
