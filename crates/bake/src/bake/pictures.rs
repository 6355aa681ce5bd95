//! Compact heightfields drawn as text, for tests of the stages after the regions.

use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    ids::{Dir, RegionId},
};

use crate::bake::{CompactField, GridFrame, OpenSpan, RawArea, contour, detail};

/// A compact heightfield with at most one span per cell, with areas and regions.
pub(super) struct Picture {
    pub(super) field: CompactField,
    areas: Vec<RawArea>,
    regions: Vec<RegionId>,
}

impl Picture {
    pub(super) fn for_contours(&self) -> contour::Ground<'_> {
        let Self { field, areas, regions } = self;
        contour::Ground { field, areas, regions }
    }

    pub(super) fn for_detail(&self) -> detail::Ground<'_> {
        let Self { field, regions, .. } = self;
        detail::Ground { field, regions }
    }
}

/// Parses a picture: a line per row of cells, z downward, x to the right; blanks are ignored.
///
/// `.` is nothing; `A`, `B`, … are regions 1, 2, … on plain ground at height `height(x, z)`; `a`,
/// `b`, … the same regions in area 5; `1`, `2`, … are border regions. Neighbors are connected if their
/// heights differ by at most 4.
pub(super) fn picture_with(
    text: &str,
    border_vx: u32,
    height: impl Fn(u32, u32) -> u16,
) -> Picture {
    let rows: Vec<Vec<u8>> = text.split_whitespace().map(|row| row.bytes().collect()).collect();
    let count = |n: usize| u32::try_from(n).unwrap();
    let cells = |n: usize| f32::from(u16::try_from(n).unwrap());
    let (n_x, n_z) = (rows[0].len(), rows.len());
    let size = Vec3::new(cells(n_x), 100.0, cells(n_z));
    let frame = GridFrame {
        bounds: Aabb::new(Vec3::ZERO, size),
        cell_size: 1.0,
        cell_height: 1.0,
        n_x: count(n_x),
        n_z: count(n_z),
        border_vx,
    };
    let at = |x: u32, z: u32| {
        rows.get(z as usize).and_then(|r| r.get(x as usize)).copied().unwrap_or(b'.')
    };
    let (mut starts, mut spans) = (vec![0], Vec::new());
    let (mut areas, mut regions, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for z in 0..frame.n_z {
        for x in 0..frame.n_x {
            let letter = at(x, z);
            let (region, area) = match letter {
                b'A'..=b'Z' => (RegionId(u16::from(letter - b'A') + 1), RawArea::WALKABLE),
                b'a'..=b'z' => (RegionId(u16::from(letter - b'a') + 1), RawArea(5)),
                b'1'..=b'9' => {
                    (RegionId(RegionId::BORDER_BIT | u16::from(letter - b'0')), RawArea::WALKABLE)
                }
                _ => (RegionId::NONE, RawArea::NULL),
            };
            if letter != b'.' {
                links.push(Dir::ALL.map(|dir| {
                    let (nx, nz) =
                        (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
                    let is_open = at(nx, nz) != b'.' && height(nx, nz).abs_diff(height(x, z)) <= 4;
                    if is_open { 0 } else { CompactField::NO_LINK }
                }));
                spans.push(OpenSpan { floor_vx: height(x, z), clearance_vx: 50 });
                areas.push(area);
                regions.push(region);
            }
            starts.push(count(spans.len()));
        }
    }
    let field = CompactField::new(frame, [10, 4], (starts, spans), &links);
    Picture { field, areas, regions }
}

/// Like [`picture_with`], flat at height 0 and without a border.
pub(super) fn picture(text: &str) -> Picture {
    picture_with(text, 0, |_, _| 0)
}
