//! Traces the border of a region along its cells.

use walkable_runtime::ids::{Dir, RegionId};

use super::{ContourVertex, Ground};
use crate::bake::{
    RawArea,
    adjacency::{EitherLinks, Links, SpanIndex},
};

/// Maximum number of steps around a contour; longer ones are cut off. Source: `walkContour`.
pub(super) const MAX_STEPS: u32 = 39_999;

/// A span with its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpanPlace {
    pub(super) x: u32,
    pub(super) z: u32,
    pub(super) span: usize,
}

/// The end of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At its start, or at an edge of an earlier trace.
    Closed,
    /// After [`MAX_STEPS`].
    TooLong,
}

/// Returns a bit set per span: bit `d` if another region, or nothing, is beyond the edge in direction `d`. The set is
/// empty for spans without region and in border regions.
pub(super) fn mark_edges(ground: Ground<'_>) -> Vec<u8> {
    match ground.field.adjacency.links() {
        EitherLinks::Narrow(links) => edges_between(ground.regions, links),
        EitherLinks::Wide(links) => edges_between(ground.regions, links),
    }
}

fn edges_between<I: SpanIndex>(regions: &[RegionId], links: Links<'_, I>) -> Vec<u8> {
    let marks = |(span, own): (usize, &RegionId)| {
        if !own.is_ground() {
            return 0;
        }
        let [west, north, east, south] =
            links.around(span).map(|next| u8::from(regions.get(next) != Some(own)));
        west | north << 1 | east << 2 | south << 3
    };
    regions.iter().enumerate().map(marks).collect()
}

/// Traces the region from the first marked edge of `start`. Clears the marks on the way, and appends one vertex per
/// edge to `raw`, in cells including the border.
///
/// A vertex stores the region beyond the edge that ends at it.
///
/// Source: `walkContour`.
pub(super) fn trace(
    ground: Ground<'_>,
    start: SpanPlace,
    edges: &mut [u8],
    raw: &mut Vec<ContourVertex>,
) -> End {
    let Some(start_dir) = Dir::ALL.into_iter().find(|&dir| edges[start.span] & bit(dir) != 0)
    else {
        return End::Closed;
    };
    let area = ground.areas[start.span];
    let (mut place, mut dir) = (start, start_dir);
    for _ in 0..MAX_STEPS {
        if edges[place.span] & bit(dir) != 0 {
            raw.push(edge_vertex(ground, place, dir, area));
            edges[place.span] &= !bit(dir);
            dir = dir.next();
        } else {
            let Some(next) = step(ground, place, dir) else { return End::Closed };
            place = next;
            dir = dir.previous();
        }
        if place.span == start.span && dir == start_dir {
            return End::Closed;
        }
    }
    End::TooLong
}

const fn bit(dir: Dir) -> u8 {
    1 << dir as u8
}

fn step(ground: Ground<'_>, at: SpanPlace, dir: Dir) -> Option<SpanPlace> {
    let span = ground.field.adjacency.step(at.span, dir)?;
    let (x, z) = (at.x.wrapping_add_signed(dir.dx()), at.z.wrapping_add_signed(dir.dz()));
    Some(SpanPlace { x, z, span })
}

/// Returns the vertex at the clockwise end of the edge of `place` in direction `dir`.
fn edge_vertex(ground: Ground<'_>, place: SpanPlace, dir: Dir, area: RawArea) -> ContourVertex {
    let corner = Corner::around(ground, place, dir);
    let (dx, dz) = match dir {
        Dir::West => (0, 1),
        Dir::North => (1, 1),
        Dir::East => (1, 0),
        Dir::South => (0, 0),
    };
    let mut region_and_flags = 0;
    if let Some(across) = step(ground, place, dir) {
        region_and_flags = u32::from(ground.regions[across.span].0);
        if ground.areas[across.span] != area {
            region_and_flags |= ContourVertex::AREA_BORDER;
        }
    }
    if corner.lies_on_tile_border() {
        region_and_flags |= ContourVertex::BORDER_VERTEX;
    }
    ContourVertex {
        x: place.x.cast_signed() + dx,
        y: i32::from(corner.height_vx),
        z: place.z.cast_signed() + dz,
        region_and_flags,
    }
}

/// Region and area of a span. Spans with equal ones belong together.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Kind {
    region: RegionId,
    area: RawArea,
}

impl Kind {
    const NOTHING: Self = Self { region: RegionId::NONE, area: RawArea::NULL };
}

/// The spans at a corner of a cell: up to four that are connected.
struct Corner {
    /// Highest floor of the spans.
    height_vx: u16,
    /// The spans in order around the corner, beginning with the traced span.
    kinds: [Kind; 4],
}

impl Corner {
    /// Returns the corner of `place` between the directions `dir` and `dir.next()`.
    fn around(ground: Ground<'_>, place: SpanPlace, dir: Dir) -> Self {
        let floor = |p: SpanPlace| ground.field.spans[p.span].floor_vx;
        let kind =
            |p: SpanPlace| Kind { region: ground.regions[p.span], area: ground.areas[p.span] };
        let mut corner = Self {
            height_vx: floor(place),
            kinds: [kind(place), Kind::NOTHING, Kind::NOTHING, Kind::NOTHING],
        };
        let side = dir.next();
        // Two paths lead to the span across the corner, possibly to different floors. Both count for the height, the
        // second for the kind.
        for (slot, first, second) in [(1, dir, side), (3, side, dir)] {
            let Some(beside) = step(ground, place, first) else { continue };
            corner.height_vx = corner.height_vx.max(floor(beside));
            corner.kinds[slot] = kind(beside);
            let Some(opposite) = step(ground, beside, second) else { continue };
            corner.height_vx = corner.height_vx.max(floor(opposite));
            corner.kinds[2] = kind(opposite);
        }
        corner
    }

    /// Returns whether the corner is only on the tile's border: two cells of one border region are opposite two inner
    /// cells of one area. No polygon needs such a corner.
    fn lies_on_tile_border(&self) -> bool {
        (0..4).all(|i| self.kinds[i] != Kind::NOTHING)
            && (0..4).any(|i| {
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| self.kinds[(i + k) & 3]);
                a == b
                    && a.region.is_border()
                    && !c.region.is_border()
                    && !d.region.is_border()
                    && c.area == d.area
            })
    }
}
