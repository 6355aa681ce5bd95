//! Floors of open spans as flat quads, shared by the stages that colour them.

use crate::{
    bake::{CompactField, GridFrame},
    debug_draw::{DrawList, Paint},
};

/// A strip of floor along x, one cell deep.
struct Strip {
    start_x: u32,
    end_x: u32,
    z: u32,
    floor_vx: u16,
    paint: Paint,
}

/// Floors of all spans that `paint_of` gives a colour, by span index. The cells of the border belong
/// to the tiles around and are left out. Cells of one row that look the same become one quad.
pub(super) fn floors(
    field: &CompactField,
    mut paint_of: impl FnMut(usize) -> Option<Paint>,
) -> DrawList {
    let mut list = DrawList::default();
    let mut open: Vec<Strip> = Vec::new();
    let border = field.frame.border_vx;
    for z in border..field.frame.n_z.saturating_sub(border) {
        for x in border..field.frame.n_x.saturating_sub(border) {
            for span in field.cell(field.frame.cell_index(x, z)) {
                let Some(paint) = paint_of(span) else { continue };
                let floor_vx = field.spans[span].floor_vx;
                let same =
                    |s: &&mut Strip| s.end_x == x && s.floor_vx == floor_vx && s.paint == paint;
                match open.iter_mut().find(same) {
                    Some(strip) => strip.end_x = x + 1,
                    None => open.push(Strip { start_x: x, end_x: x + 1, z, floor_vx, paint }),
                }
            }
            open.retain(|strip| keep_growing(strip, x, &field.frame, &mut list));
        }
        open.drain(..).for_each(|strip| draw(&strip, &field.frame, &mut list));
    }
    list
}

/// Whether a strip reached the cell `x` just looked at; draws it where not.
fn keep_growing(strip: &Strip, x: u32, frame: &GridFrame, list: &mut DrawList) -> bool {
    let grew = strip.end_x == x + 1;
    if !grew {
        draw(strip, frame, list);
    }
    grew
}

fn draw(strip: &Strip, frame: &GridFrame, list: &mut DrawList) {
    let y = f32::from(strip.floor_vx);
    let corner = |x, z| frame.world_from_grid(grid_line(x), y, grid_line(z));
    let (x, z) = (strip.start_x..strip.end_x, strip.z..strip.z + 1);
    let corners = [
        corner(x.start, z.start),
        corner(x.start, z.end),
        corner(x.end, z.end),
        corner(x.end, z.start),
    ];
    list.fill(&corners, strip.paint);
}

/// Number of a line of the grid as a coordinate.
#[expect(clippy::cast_precision_loss, reason = "grids are narrower than 2^24 cells")]
pub(super) fn grid_line(number: u32) -> f32 {
    number as f32
}
