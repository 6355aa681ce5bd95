//! Polygons of a tile that cover the same ground.

use glam::Vec3;
use walkable_runtime::{
    geom::{Aabb, from_above},
    navmesh::{PolyKind, Tile},
};

/// Two polygons that overlap at about the same height.
#[derive(Debug)]
pub(super) struct Overlap {
    pub(super) polys: [usize; 2],
    pub(super) point: Vec3,
    /// Height difference at the point.
    pub(super) difference: f32,
}

/// Maximum number of comparisons per polygon of a tile, on average.
const MAX_COMPARISONS: usize = 1024;
/// Maximum number of overlaps per polygon of a tile, on average.
const MAX_OVERLAPS: usize = 16;
/// Number of overlaps that are found in any tile.
const MIN_OVERLAPS: usize = 1000;

/// Finds ground polygons of `tile` whose overlap is more than `depth` wide and whose heights differ by less than
/// `height` in the overlap. Returns the number of comparisons after which the search ended early, if it did.
pub(super) fn find(
    tile: &Tile,
    depth: f32,
    height: f32,
    report: &mut dyn FnMut(Overlap),
) -> Option<usize> {
    let ground = tile.polys.iter().enumerate().filter(|(_, poly)| poly.kind == PolyKind::Ground);
    let mut polys: Vec<_> = ground
        .map(|(index, poly)| {
            let corners = tile.corners(poly);
            (Aabb::around(corners.iter().copied()), index, corners)
        })
        .collect();
    polys.sort_by(|a, b| a.0.min.x.total_cmp(&b.0.min.x));
    let (mut n, mut n_found) = (0, 0);
    let most = polys.len() * MAX_COMPARISONS;
    let most_found = (polys.len() * MAX_OVERLAPS).max(MIN_OVERLAPS);
    let mut clip = Clip::default();
    let mut open: Vec<usize> = Vec::new();
    for (at, (bounds, index, corners)) in polys.iter().enumerate() {
        open.retain(|&other| polys[other].0.max.x > bounds.min.x + depth);
        n += open.len();
        if n > most || n_found > most_found {
            return Some(n);
        }
        for &other in &open {
            let (other_bounds, other_index, other_corners) = &polys[other];
            let is_near = other_bounds.min.z + depth < bounds.max.z
                && bounds.min.z + depth < other_bounds.max.z
                && other_bounds.min.y < bounds.max.y + height
                && bounds.min.y < other_bounds.max.y + height;
            if !is_near {
                continue;
            }
            let Some(point) = clip.common_point(corners, other_corners, depth) else { continue };
            let [own, others] = [*index, *other_index].map(|poly| tile.height_at(poly, point));
            let Some(difference) = own.zip(others).map(|(own, others)| (own - others).abs()) else {
                continue;
            };
            if difference < height {
                n_found += 1;
                report(Overlap { polys: [*index, *other_index], point, difference });
            }
        }
        open.push(at);
    }
    None
}

/// Memory for clipping polygons.
#[derive(Default)]
struct Clip {
    common: Vec<Vec3>,
    before: Vec<Vec3>,
}

impl Clip {
    /// Returns the middle of the overlap of two convex polygons, if it is more than `depth` wide.
    fn common_point(&mut self, a: &[Vec3], b: &[Vec3], depth: f32) -> Option<Vec3> {
        let Self { common, before } = self;
        common.clear();
        common.extend(a);
        for (_, from, to) in from_above::edges(b) {
            std::mem::swap(common, before);
            cut(before, from, to, common);
            if common.len() < 3 {
                return None;
            }
        }
        let area: f32 = (2..common.len())
            .map(|i| from_above::doubled_area(common[0], common[i - 1], common[i]))
            .sum();
        let longest = from_above::edges(common)
            .map(|(_, from, to)| (to - from).with_y(0.0).length())
            .fold(0.0, f32::max);
        let middle = common.iter().sum::<Vec3>() / f32::from(u8::try_from(common.len()).ok()?);
        (longest > depth && area.abs() > depth * longest).then_some(middle)
    }
}

/// Sets `kept` to the part of a convex polygon on the inner side of the line from `from` to `to`.
fn cut(corners: &[Vec3], from: Vec3, to: Vec3, kept: &mut Vec<Vec3>) {
    let inside = |at: Vec3| from_above::doubled_area(from, to, at);
    kept.clear();
    for (_, a, b) in from_above::edges(corners) {
        let (at_a, at_b) = (inside(a), inside(b));
        if (at_a < 0.0) != (at_b < 0.0) {
            kept.push(from_above::point_between(a, b, at_a / (at_a - at_b)));
        }
        if at_b >= 0.0 {
            kept.push(b);
        }
    }
}
