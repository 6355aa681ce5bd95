//! Random points on the ground.
//!
//! The caller supplies the random numbers: a function that returns a number from 0 up to, but not including, 1 at each
//! call. [`Seeded`] is one that returns the same numbers on every platform.

use glam::Vec3;

use super::{
    Filter, MAX_NODES, MeshPoint, QueryError, Scratch,
    dijkstra::Spread,
    error::check_length,
    trace::{NoTrace, Observer},
};
use crate::{
    geom::from_above::{doubled_area, nearest_on_segment},
    navmesh::{LiveTile, NavMesh, PolyAt, PolyKind, Portal, Tile},
};

/// Minimum weight of a triangle when a point is placed in a polygon: twice an area, in square meters.
const LEAST_AREA: f32 = 0.001;

/// A generator of random numbers from a seed, the same on every platform.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// Creates the generator of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number, from 0 up to, but not including, 1.
    ///
    /// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014 (`SplitMix64`).
    pub fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        #[expect(clippy::cast_precision_loss, reason = "24 bits fit single precision")]
        let top = (mixed >> 40) as f32;
        top / 16_777_216.0
    }
}

/// How likely each tile is to get a random point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TileChoice {
    /// Every tile with the same probability, as in Detour. Fast, but ground in nearly empty tiles is chosen more often,
    /// and no point is found if the chosen tile has no polygon that passes the filter.
    #[default]
    Alike,
    /// By the area of the polygons that pass the filter: every square meter has the same probability. Visits all
    /// polygons.
    ByArea,
}

/// Parameters of [`random_point`].
#[derive(Clone, Copy, Debug)]
pub struct RandomPointRequest<'a> {
    /// The polygons on which the point may lie.
    pub filter: &'a Filter,
    /// The weights of the tiles.
    pub tiles: TileChoice,
}

impl<'a> RandomPointRequest<'a> {
    /// Requests a point on ground that passes `filter`, with Detour's distribution.
    pub fn new(filter: &'a Filter) -> Self {
        Self { filter, tiles: TileChoice::Alike }
    }
}

/// Returns a random point on the ground, or `None` if no polygon passes the filter. `random` returns numbers from 0 up
/// to, but not including, 1.
///
/// Source: `dtNavMeshQuery::findRandomPoint`, with [`TileChoice::Alike`].
pub fn random_point(
    mesh: &NavMesh,
    request: &RandomPointRequest<'_>,
    mut random: impl FnMut() -> f32,
) -> Option<MeshPoint> {
    let RandomPointRequest { filter, tiles } = *request;
    let mut draw = Draw::default();
    match tiles {
        TileChoice::Alike => {
            let mut tiles = Draw::default();
            for live in mesh.live_tiles() {
                tiles.offer(live, 1.0, &mut random);
            }
            let live = tiles.chosen?;
            offer_ground(&mut draw, live, filter, &mut random);
        }
        TileChoice::ByArea => {
            for live in mesh.live_tiles() {
                offer_ground(&mut draw, live, filter, &mut random);
            }
        }
    }
    let (live, index) = draw.chosen?;
    let point = point_on(&live.tile, index as usize, &mut random);
    Some(MeshPoint { poly: live.poly_ref(index), point })
}

/// Parameters of [`random_point_around`].
#[derive(Clone, Copy, Debug)]
pub struct RandomPointAroundRequest<'a> {
    /// Center of the circle, where the search starts.
    pub center: MeshPoint,
    /// Radius of the circle, in meters.
    pub radius: f32,
    /// The polygons that may be used.
    pub filter: &'a Filter,
    /// Maximum number of nodes of the search.
    pub max_nodes: usize,
}

impl<'a> RandomPointAroundRequest<'a> {
    /// Requests a point around `center`, with Detour's maximum number of nodes.
    pub fn new(center: MeshPoint, radius: f32, filter: &'a Filter) -> Self {
        Self { center, radius, filter, max_nodes: MAX_NODES }
    }
}

/// Returns a random point on the ground polygons that are reachable from the center of a circle over edges that touch
/// the circle, seen from above. The point itself can lie outside the circle. Returns `None` if the first polygon does
/// not pass the filter. `random` is the same as for [`random_point`].
///
/// # Errors
/// Returns a [`QueryError`] if the polygon is stale, the point not finite or the radius negative.
///
/// Source: `dtNavMeshQuery::findRandomPointAroundCircle`.
pub fn random_point_around(
    mesh: &NavMesh,
    request: &RandomPointAroundRequest<'_>,
    scratch: &mut Scratch,
    mut random: impl FnMut() -> f32,
) -> Result<Option<MeshPoint>, QueryError> {
    let RandomPointAroundRequest { center, radius, filter, max_nodes } = *request;
    check_length("the radius", radius)?;
    scratch.with_trace(|scratch, trace| {
        let spread = Spread::new(mesh, center, filter, max_nodes, scratch)?;
        Ok(match trace {
            Some(trace) => draw_around(spread, center, radius, &mut random, trace),
            None => draw_around(spread, center, radius, &mut random, &mut NoTrace),
        })
    })
}

fn draw_around(
    mut spread: Spread<'_>,
    center: MeshPoint,
    radius: f32,
    random: &mut impl FnMut() -> f32,
    observer: &mut impl Observer,
) -> Option<MeshPoint> {
    let (mesh, filter) = (spread.mesh, spread.filter);
    let radius_sqr = radius * radius;
    if !super::is_usable(mesh, center.poly, filter) {
        return None;
    }
    let mut draw = Draw::default();
    let touches = |portal: &Portal| {
        nearest_on_segment(center.point, portal.left, portal.right).distance_sqr <= radius_sqr
    };
    spread.run(
        touches,
        |_| 1.0,
        |at, _, _| {
            let tile = &mesh.live(at.tile).tile;
            if tile.polys[at.poly as usize].kind == PolyKind::Ground {
                draw.offer(at, doubled_area_of(tile, at.poly as usize), random);
            }
        },
        observer,
    );
    draw.chosen.map(|PolyAt { tile, poly }| {
        let live = mesh.live(tile);
        let point = point_on(&live.tile, poly as usize, random);
        MeshPoint { poly: live.poly_ref(poly), point }
    })
}

/// Chooses one of many items by weight, in one pass.
struct Draw<T> {
    chosen: Option<T>,
    weight: f32,
}

impl<T> Default for Draw<T> {
    fn default() -> Self {
        Self { chosen: None, weight: 0.0 }
    }
}

impl<T> Draw<T> {
    fn offer(&mut self, item: T, weight: f32, random: &mut impl FnMut() -> f32) {
        self.weight += weight;
        if random() * self.weight <= weight {
            self.chosen = Some(item);
        }
    }
}

/// Offers the ground polygons of a tile, weighted by area.
fn offer_ground<'a>(
    draw: &mut Draw<(&'a LiveTile, u32)>,
    live: &'a LiveTile,
    filter: &Filter,
    random: &mut impl FnMut() -> f32,
) {
    for (index, poly) in (0..).zip(&live.tile.polys) {
        if poly.kind == PolyKind::Ground && filter.passes(poly) {
            draw.offer((live, index), doubled_area_of(&live.tile, index as usize), random);
        }
    }
}

/// Returns twice the area of a polygon, projected onto the ground plane.
fn doubled_area_of(tile: &Tile, index: usize) -> f32 {
    let corners = tile.corners(&tile.polys[index]);
    let pairs = corners.windows(2).skip(1);
    pairs.fold(0.0, |area, pair| area + doubled_area(corners[0], pair[0], pair[1]))
}

/// Returns a random point of a ground polygon, on its detail mesh.
///
/// Source: `dtRandomPointInConvexPoly`.
fn point_on(tile: &Tile, index: usize, random: &mut impl FnMut() -> f32) -> Vec3 {
    let (s, t) = (random(), random());
    let corners = tile.corners(&tile.polys[index]);
    let first = corners[0];
    let triangles = || {
        corners
            .windows(2)
            .skip(1)
            .map(|pair| (pair[0], pair[1], doubled_area(first, pair[0], pair[1])))
    };
    let whole = triangles().fold(0.0, |sum, (.., area)| sum + area.max(LEAST_AREA));
    let threshold = s * whole;
    let mut below = 0.0;
    // Because of rounding, the threshold can lie in no triangle: then take the last edge.
    let last = corners.windows(2).last().map_or((first, first), |pair| (pair[0], pair[1]));
    let mut place = (last.0, last.1, 1.0);
    for (a, b, area) in triangles() {
        if threshold >= below && threshold < below + area {
            place = (a, b, (threshold - below) / area);
            break;
        }
        below += area;
    }
    let (a, b, u) = place;
    let v = t.sqrt();
    let point = first * (1.0 - v) + a * ((1.0 - u) * v) + b * (u * v);
    tile.closest_point(index, point).point
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navmesh::{
        PolyRef,
        sample::{mesh, solo, tile},
    };

    /// Counts the points that each polygon gets.
    fn shares(mesh: &NavMesh, tiles: TileChoice, filter: &Filter) -> Vec<(PolyRef, usize)> {
        let mut seeded = Seeded::new(7);
        let mut found: Vec<PolyRef> = (0..4000)
            .map(|_| {
                let request = RandomPointRequest { filter, tiles };
                let end = random_point(mesh, &request, || seeded.share()).unwrap();
                let over = crate::query::closest_point(mesh, end.poly, end.point).unwrap();
                assert!(over.point.distance(end.point) < 1e-5, "on its polygon");
                end.poly
            })
            .collect();
        found.sort_unstable();
        found.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
    }

    #[test]
    fn ground_is_drawn_by_size_or_tile_by_tile() {
        // One tile has four polygons, the other one.
        let mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &[".#", "##"])]);
        let n_alone = |choice| {
            let drawn = shares(&mesh, choice, &Filter::default());
            assert_eq!(drawn.len(), 5);
            drawn.iter().find(|(poly, _)| Some(*poly) == mesh.poly_ref(1, 0)).unwrap().1
        };
        assert!((1900..2100).contains(&n_alone(TileChoice::Alike)));
        assert!((720..880).contains(&n_alone(TileChoice::ByArea)));
    }

    #[test]
    fn polygons_rejected_by_the_filter_are_not_drawn() {
        let mut mesh = solo(&["..", ".."]);
        for poly in 0..3 {
            mesh.set_flags(mesh.poly_ref(0, poly).unwrap(), 2);
        }
        let filter = Filter { exclude_flags: 2, ..Filter::default() };
        let drawn = shares(&mesh, TileChoice::ByArea, &filter);
        assert_eq!(drawn, [(mesh.poly_ref(0, 3).unwrap(), 4000)]);
        let none = Filter { include_flags: 0, ..Filter::default() };
        let request = RandomPointRequest { filter: &none, tiles: TileChoice::ByArea };
        assert_eq!(random_point(&mesh, &request, || 0.5), None);
        let center = MeshPoint { poly: mesh.poly_ref(0, 0).unwrap(), point: Vec3::ZERO };
        let scratch = &mut Scratch::default();
        let request = RandomPointAroundRequest::new(center, 9.0, &filter);
        let around = random_point_around(&mesh, &request, scratch, || 0.5);
        assert_eq!(around, Ok(None));
    }

    #[test]
    fn seeded_numbers_are_shares() {
        let mut seeded = Seeded::new(3);
        let numbers: Vec<f32> = (0..1000).map(|_| seeded.share()).collect();
        assert!(numbers.iter().all(|share| (0.0..1.0).contains(share)));
        let mean = numbers.iter().sum::<f32>() / 1000.0;
        assert!((0.47..0.53).contains(&mean), "{mean}");
        assert_eq!(numbers[0].to_bits(), Seeded::new(3).share().to_bits());
    }
}
