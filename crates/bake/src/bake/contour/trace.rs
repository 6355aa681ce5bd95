//! Walking around a region along the borders of its cells.

use walkable_runtime::ids::{Dir, RegionId};

use super::{ContourVertex, Ground};
use crate::bake::{
    RawArea,
    adjacency::{EitherLinks, Links, SpanIndex},
};

/// Most steps around one contour; longer ones are cut. Source: `walkContour`.
pub(super) const MAX_STEPS: u32 = 39_999;

/// A span with its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) x: u32,
    pub(super) z: u32,
    pub(super) span: usize,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Back at its start, or at an edge that an earlier walk took.
    Closed,
    /// After [`MAX_STEPS`].
    TooLong,
}

/// Per span: bit `d` where the span's cell has an edge in direction `d` with another region or
/// nothing across it. Zero for spans without region and in border regions.
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

/// Walks from the first marked edge of `start` around its region, clearing the marks it passes and
/// appending one vertex per edge to `raw`, in cells with the border included.
///
/// A vertex holds the region across the edge that ends at it.
///
/// Source: `walkContour`.
pub(super) fn trace(
    ground: Ground<'_>,
    start: Place,
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

fn step(ground: Ground<'_>, at: Place, dir: Dir) -> Option<Place> {
    let span = ground.field.adjacency.step(at.span, dir)?;
    let (x, z) = (at.x.wrapping_add_signed(dir.dx()), at.z.wrapping_add_signed(dir.dz()));
    Some(Place { x, z, span })
}

/// The vertex at the end of the edge of `place` in direction `dir`, walking clockwise.
fn edge_vertex(ground: Ground<'_>, place: Place, dir: Dir, area: RawArea) -> ContourVertex {
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

/// Region and area of a span; two spans with the same one belong together.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Kind {
    region: RegionId,
    area: RawArea,
}

impl Kind {
    const NOTHING: Self = Self { region: RegionId::NONE, area: RawArea::NULL };
}

/// What meets at a corner of a cell: up to four spans that can be reached from one another.
struct Corner {
    /// Highest floor of the spans.
    height_vx: u16,
    /// In turn around the corner, starting with the span walked on.
    kinds: [Kind; 4],
}

impl Corner {
    /// The corner of `place` between directions `dir` and `dir.next()`.
    fn around(ground: Ground<'_>, place: Place, dir: Dir) -> Self {
        let floor = |p: Place| ground.field.spans[p.span].floor_vx;
        let kind = |p: Place| Kind { region: ground.regions[p.span], area: ground.areas[p.span] };
        let mut corner = Self {
            height_vx: floor(place),
            kinds: [kind(place), Kind::NOTHING, Kind::NOTHING, Kind::NOTHING],
        };
        let side = dir.next();
        // The span across the corner is reached by two ways, which may lead to different floors:
        // both count for the height, the second for the kind.
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

    /// Whether the outline only passes along the tile's border here: two cells of one border region
    /// face two inner cells of one area. Such a corner is needed by no polygon.
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
