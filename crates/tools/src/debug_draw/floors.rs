//! Floors of open spans as flat quads, shared by the stages that color them.

use walkable_bake::bake::{CompactField, GridFrame};

use crate::debug_draw::{
    DrawList, Paint,
    patches::{grid_line, patches},
};

/// Draws the floors of all spans for which `paint_of` returns a paint, given the span index. Adjacent cells that look
/// the same become one quad.
pub(super) fn floors(field: &CompactField, paint_of: impl Fn(usize) -> Option<Paint>) -> DrawList {
    cells(&field.frame, |x, z| {
        let spans = field.cell(field.frame.cell_index(x, z));
        spans.filter_map(|span| Some((field.spans[span].floor_vx, paint_of(span)?)))
    })
}

/// Draws cells of `frame` like [`floors`], as flat quads with the heights and paints that `looks_of` returns for each
/// cell.
pub(super) fn cells<I: IntoIterator<Item = (u16, Paint)>>(
    frame: &GridFrame,
    looks_of: impl FnMut(u32, u32) -> I,
) -> DrawList {
    let mut list = DrawList::default();
    for floor in patches(frame, looks_of) {
        let (floor_vx, paint) = floor.look;
        let y = f32::from(floor_vx);
        let corner = |x, z| frame.world_from_grid(grid_line(x), y, grid_line(z));
        let (x, z) = (floor.x, floor.z);
        let corners = [
            corner(x.start, z.start),
            corner(x.start, z.end),
            corner(x.end, z.end),
            corner(x.end, z.start),
        ];
        list.fill(&corners, paint);
    }
    list
}
