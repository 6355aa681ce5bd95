//! Outlines of a layer's regions, traced around their cells and simplified.

use walkable_runtime::ids::{Dir, RegionId};

use super::regions::LayerRegions;
use crate::bake::{
    HeightLayer, RawArea,
    lattice::{Point, Segment},
};

/// The outline of one region, without holes: regions have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    pub(super) region: RegionId,
    pub(super) area: RawArea,
    /// At least three, counter-clockwise seen from above.
    pub(super) corners: Vec<Corner>,
}

/// A corner of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    /// Position, in cells.
    pub(super) place: [u16; 3],
    /// Direction in which the edge that begins here leads out of the layer; `None` if it does not.
    pub(super) portal: Option<Dir>,
    /// Whether the corner only marks the end of a region at the layer's border.
    pub(super) is_removable: bool,
}

/// The other side of an edge of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Across {
    Wall,
    Portal(Dir),
    Region(RegionId),
}

/// A traced corner, with the other side of the edge that ends there.
#[derive(Clone, Copy, Debug)]
struct RawCorner {
    x: u16,
    y: u8,
    z: u16,
    across: Across,
}

impl RawCorner {
    fn point(self) -> Point {
        Point::new(i32::from(self.x), i32::from(self.z))
    }

    const fn key(self) -> (u16, u16) {
        (self.x, self.z)
    }
}

/// Returns the outlines with at least three corners, by region.
///
/// Source: `dtBuildTileCacheContours`.
/// Differs: a layer of a single cell has no outline; Detour divides by the number of its corners, which is zero.
pub(super) fn outlines(
    layer: &HeightLayer,
    regions: &LayerRegions,
    climb_vx: u32,
    max_error: f32,
) -> Vec<Outline> {
    let tracer = Tracer { layer, regions };
    let mut outlines: Vec<Option<Outline>> = vec![None; regions.n_regions];
    for z in 0..layer.n_z {
        for x in 0..layer.n_x {
            let cell = layer.cell_index(x, z);
            let region = regions.ids[cell];
            let Some(index) = usize::from(region.0).checked_sub(1) else { continue };
            if outlines[index].is_none() {
                let raw = tracer.trace((x, z));
                let kept = simplify(&raw, max_error);
                let corners = tracer.finish(&raw, &kept, climb_vx);
                outlines[index] = Some(Outline { region, area: layer.areas[cell], corners });
            }
        }
    }
    outlines.into_iter().flatten().filter(|outline| outline.corners.len() >= 3).collect()
}

struct Tracer<'a> {
    layer: &'a HeightLayer,
    regions: &'a LayerRegions,
}

impl Tracer<'_> {
    fn across(&self, at: (u32, u32), dir: Dir) -> Across {
        let links = self.layer.links[self.layer.cell_index(at.0, at.1)];
        if links.is_linked(dir) {
            let next = self.layer.neighbor_cell(at, dir).map(|next| self.regions.ids[next]);
            return match next {
                Some(id) if id != RegionId::NONE => Across::Region(id),
                _ => Across::Wall,
            };
        }
        if links.is_portal(dir) { Across::Portal(dir) } else { Across::Wall }
    }

    /// Follows the border of the region of the cell `start`, with the region on the left, for at most as many steps as
    /// the layer has cells. A longer outline remains open, as in Recast.
    fn trace(&self, start: (u32, u32)) -> Vec<RawCorner> {
        let own = Across::Region(self.regions.ids[self.layer.cell_index(start.0, start.1)]);
        let mut raw = Vec::new();
        let first = [Dir::South, Dir::West, Dir::North, Dir::East];
        let Some(start_dir) = first.into_iter().find(|&dir| self.across(start, dir) != own) else {
            return raw;
        };
        let (mut at, mut dir) = (start, start_dir);
        for step in 0..self.layer.areas.len() {
            let across = self.across(at, dir);
            let next = if across == own {
                (dir.step_from(at), dir.previous())
            } else {
                append(&mut raw, self.corner(at, dir, across));
                (at, dir.next())
            };
            if step > 0 && (at, dir) == (start, start_dir) {
                break;
            }
            (at, dir) = next;
        }
        if let [first, .., last] = raw[..]
            && first.key() == last.key()
        {
            raw.pop();
        }
        raw
    }

    /// Returns the corner at the end of side `dir` of the cell `at`, in the direction of the outline.
    fn corner(&self, at: (u32, u32), dir: Dir, across: Across) -> RawCorner {
        let (dx, dz) = match dir {
            Dir::West => (0, 1),
            Dir::North => (1, 1),
            Dir::East => (1, 0),
            Dir::South => (0, 0),
        };
        let y = self.layer.heights[self.layer.cell_index(at.0, at.1)];
        RawCorner { x: coordinate(at.0 + dx), y, z: coordinate(at.1 + dz), across }
    }

    /// Returns the corners `kept` of the traced outline.
    fn finish(&self, raw: &[RawCorner], kept: &[usize], climb_vx: u32) -> Vec<Corner> {
        let next = kept.iter().cycle().skip(1);
        let corner = |(&at, &next): (&usize, &usize)| {
            let (y, is_removable) = self.settle(raw[at], climb_vx);
            let portal = match raw[next].across {
                Across::Portal(dir) => Some(dir),
                Across::Wall | Across::Region(_) => None,
            };
            Corner { place: [raw[at].x, u16::from(y), raw[at].z], portal, is_removable }
        };
        kept.iter().zip(next).map(corner).collect()
    }

    /// Returns the height of a corner: that of the highest cell around it within the climb height. Also returns whether
    /// the corner is removable: all cells around it belong to one region and lead out through the same side.
    ///
    /// Source: `getCornerHeight`.
    fn settle(&self, corner: RawCorner, climb_vx: u32) -> (u8, bool) {
        let layer = self.layer;
        let before = |at: u16| u32::from(at).checked_sub(1);
        let rows = [before(corner.z), Some(u32::from(corner.z))];
        let columns = [before(corner.x), Some(u32::from(corner.x))];
        let around = rows
            .into_iter()
            .flatten()
            .flat_map(|z| columns.into_iter().flatten().map(move |x| (x, z)));
        let reached: Vec<usize> = around
            .filter(|&(x, z)| x < layer.n_x && z < layer.n_z)
            .map(|(x, z)| layer.cell_index(x, z))
            .filter(|&cell| {
                let rise = u32::from(layer.heights[cell].abs_diff(corner.y));
                rise <= climb_vx && layer.areas[cell].is_walkable()
            })
            .collect();
        let height = reached.iter().map(|&cell| layer.heights[cell]).max().unwrap_or(0);
        let leads_out = |dir: &Dir| reached.iter().all(|&cell| layer.links[cell].is_portal(*dir));
        let is_one_region =
            reached.windows(2).all(|pair| self.regions.ids[pair[0]] == self.regions.ids[pair[1]]);
        let n_ways_out = Dir::ALL.iter().filter(|dir| leads_out(dir)).count();
        (height, reached.len() > 1 && n_ways_out == 1 && is_one_region)
    }
}

/// Adds a corner, or moves the last one if the outline continues straight along the same neighbor.
fn append(raw: &mut Vec<RawCorner>, corner: RawCorner) {
    if let [.., before, last] = &mut raw[..]
        && last.across == corner.across
    {
        let is_along_z = before.x == last.x && last.x == corner.x;
        let is_along_x = before.z == last.z && last.z == corner.z;
        if is_along_z || is_along_x {
            *last = corner;
            return;
        }
    }
    raw.push(corner);
}

/// Returns the positions in `raw` of the corners to keep, ascending: those at which the neighbor changes, and as many
/// in between as `max_error` requires.
///
/// Source: `simplifyContour` of the tile cache.
fn simplify(raw: &[RawCorner], max_error: f32) -> Vec<usize> {
    let after = |at: usize| if at + 1 < raw.len() { at + 1 } else { 0 };
    let changes = |&at: &usize| raw[at].across != raw[after(at)].across;
    let mut kept: Vec<usize> = (0..raw.len()).filter(changes).collect();
    if kept.len() < 2 {
        kept = extremes(raw);
    }
    let mut i = 0;
    while i < kept.len() {
        let end = kept[(i + 1) % kept.len()];
        match farthest_between(raw, kept[i], end) {
            Some((far, distance_squared)) if distance_squared > max_error * max_error => {
                kept.insert(i + 1, far);
            }
            _ => i += 1,
        }
    }
    let least = (0..kept.len()).min_by_key(|&i| kept[i]).unwrap_or(0);
    kept.rotate_left(least);
    kept
}

/// Returns the smallest and the largest corner by x, then z; the first if several are equal.
fn extremes(raw: &[RawCorner]) -> Vec<usize> {
    let least = (0..raw.len()).min_by_key(|&at| raw[at].key());
    let greatest = (0..raw.len()).rev().max_by_key(|&at| raw[at].key());
    least.into_iter().chain(greatest).collect()
}

/// Returns the corner strictly between `start` and `end` that is farthest from the line between them, and its squared
/// distance; `None` if all are on the line. Searches from the smaller end, so that the result is the same for both
/// sides of a border.
fn farthest_between(raw: &[RawCorner], start: usize, end: usize) -> Option<(usize, f32)> {
    let ascending = raw[start].key() < raw[end].key();
    let (from, to) = if ascending { (start, end) } else { (end, start) };
    let step = if ascending { 1 } else { raw.len() - 1 };
    let segment = Segment::between(raw[start].point(), raw[end].point());
    let mut farthest = None;
    let mut max_squared = 0.0;
    let mut at = (from + step) % raw.len();
    while at != to {
        let distance_squared = segment.distance_squared_to(raw[at].point());
        if distance_squared > max_squared {
            max_squared = distance_squared;
            farthest = Some((at, distance_squared));
        }
        at = (at + step) % raw.len();
    }
    farthest
}

#[expect(clippy::cast_possible_truncation, reason = "a grid has at most 65535 cells along a side")]
const fn coordinate(at: u32) -> u16 {
    at as u16
}
