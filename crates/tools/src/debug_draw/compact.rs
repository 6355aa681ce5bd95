use std::collections::BTreeMap;

use walkable_bake::bake::{CompactField, RawArea};
use walkable_runtime::ids::Dir;

use crate::debug_draw::{DrawList, Paint, floors::floors, patches::grid_line};

/// Draws the floors of open spans by area, and the edges between neighboring cells: thin where their spans are linked,
/// wide where the neighboring cell has a span that is not linked. `areas` has one area per span.
pub fn compact(field: &CompactField, areas: &[RawArea]) -> DrawList {
    let mut list = open_floors(field, areas);
    for (EdgeLine { runs_along_x, number, floor_vx, is_linked }, cells) in edge_lines(field) {
        let y = f32::from(floor_vx);
        let (width, paint) =
            if is_linked { (0.75, Paint::CellEdge) } else { (2.5, Paint::MissingLink) };
        for (first, last) in runs(&cells) {
            let ends = [first, last + 1].map(|along| {
                let (x, z) = if runs_along_x { (along, number) } else { (number, along) };
                field.frame.world_from_grid(grid_line(x), y, grid_line(z))
            });
            list.line(ends, width, paint);
        }
    }
    list
}

/// Draws the floors of open spans by area. `areas` has one area per span.
pub(super) fn open_floors(field: &CompactField, areas: &[RawArea]) -> DrawList {
    floors(field, |span| Some(area_paint(*areas.get(span)?)))
}

/// Returns the paint of a floor or span of `area`.
pub(super) fn area_paint(area: RawArea) -> Paint {
    if area.is_walkable() { Paint::Area(area.in_tile()) } else { Paint::Blocked }
}

/// Edges of cells on one line of the grid that look the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EdgeLine {
    /// Whether the line leads from west to east.
    runs_along_x: bool,
    /// Number of the grid line.
    number: u32,
    floor_vx: u16,
    is_linked: bool,
}

/// Returns the columns or rows of the cells with edges on each line, ascending. An edge without a neighboring span
/// between its cells is left out, as is the border of the frame.
fn edge_lines(field: &CompactField) -> BTreeMap<EdgeLine, Vec<u32>> {
    let frame = &field.frame;
    let inside = |n: u32| frame.border_vx..n.saturating_sub(frame.border_vx);
    let mut lines: BTreeMap<EdgeLine, Vec<u32>> = BTreeMap::new();
    for (x, z) in inside(frame.n_z).flat_map(|z| inside(frame.n_x).map(move |x| (x, z))) {
        for span in field.cell(frame.cell_index(x, z)) {
            for dir in Dir::ALL {
                let neighbor = field.neighbor((x, z), span, dir);
                // Of two linked spans, only one draws the edge between them.
                let is_drawn_there = matches!(dir, Dir::West | Dir::South);
                let is_linked = neighbor.is_some();
                if is_linked && is_drawn_there || !is_linked && !has_span_beside(field, x, z, dir) {
                    continue;
                }
                let floor_vx = field.spans[span].floor_vx;
                let (runs_along_x, number, along) = match dir {
                    Dir::West => (false, x, z),
                    Dir::East => (false, x + 1, z),
                    Dir::South => (true, z, x),
                    Dir::North => (true, z + 1, x),
                };
                let line = EdgeLine { runs_along_x, number, floor_vx, is_linked };
                lines.entry(line).or_default().push(along);
            }
        }
    }
    for cells in lines.values_mut() {
        cells.sort_unstable();
    }
    lines
}

fn has_span_beside(field: &CompactField, x: u32, z: u32, dir: Dir) -> bool {
    let (x, z) = (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
    let is_in_frame = x < field.frame.n_x && z < field.frame.n_z;
    is_in_frame && !field.cell(field.frame.cell_index(x, z)).is_empty()
}

/// Returns the first and the last number of each run of consecutive numbers. A number can be repeated.
fn runs(numbers: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let runs = numbers.chunk_by(|before, next| next - before <= 1);
    runs.filter_map(|run| Some((*run.first()?, *run.last()?)))
}
