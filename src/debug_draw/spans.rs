use crate::{
    bake::{GridFrame, Heightfield, Span},
    debug_draw::{Block, DrawList, Paint, compact::area_paint, floors::grid_line},
};

/// Solid spans as boxes, by area. The cells of the border belong to the tiles around and are left out.
pub fn spans(field: &Heightfield) -> DrawList {
    blocks(field, |_, span| area_paint(span.area))
}

/// Solid spans as boxes, painted by index and span.
pub(super) fn blocks(
    field: &Heightfield,
    mut paint_of: impl FnMut(usize, Span) -> Paint,
) -> DrawList {
    let mut blocks = Vec::with_capacity(field.spans.len());
    let border = field.frame.border_vx;
    for z in border..field.frame.n_z.saturating_sub(border) {
        for x in border..field.frame.n_x.saturating_sub(border) {
            let cell = field.frame.cell_index(x, z);
            for (&span, index) in field.column(cell).iter().zip(field.starts[cell] as usize..) {
                blocks.push(block(&field.frame, [x, z], span, paint_of(index, span)));
            }
        }
    }
    DrawList { blocks, ..DrawList::default() }
}

fn block(frame: &GridFrame, [x, z]: [u32; 2], span: Span, paint: Paint) -> Block {
    let corner = |x, y, z| frame.world_from_grid(grid_line(x), f32::from(y), grid_line(z));
    let (min, max) = (corner(x, span.min_vx, z), corner(x + 1, span.max_vx, z + 1));
    Block { min, max, paint }
}
