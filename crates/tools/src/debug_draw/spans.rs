use walkable_bake::bake::{Heightfield, Span};

use crate::debug_draw::{
    Block, DrawList, Paint,
    compact::area_paint,
    patches::{grid_line, patches},
};

/// Draws the solid spans as boxes, by area. The cells of the border belong to the neighboring tiles and are left out.
/// Equal adjacent spans become one box.
pub fn spans(field: &Heightfield) -> DrawList {
    blocks(field, |_, span| Some(area_paint(span.area)))
}

/// Draws spans like [`spans`], only the walkable ones.
pub fn walkable_spans(field: &Heightfield) -> DrawList {
    blocks(field, |_, span| span.area.is_walkable().then(|| area_paint(span.area)))
}

/// Draws the solid spans as boxes in the paint that `paint_of` returns for index and span. Spans without a paint are
/// left out.
pub(super) fn blocks(
    field: &Heightfield,
    paint_of: impl Fn(usize, Span) -> Option<Paint>,
) -> DrawList {
    let frame = &field.frame;
    let boxes = patches(frame, |x, z| {
        let cell = frame.cell_index(x, z);
        let column = field.column(cell).iter().zip(field.starts[cell] as usize..);
        column.filter_map(|(&span, index)| Some((span.min_vx, span.max_vx, paint_of(index, span)?)))
    });
    let corner = |x, y, z| frame.world_from_grid(grid_line(x), f32::from(y), grid_line(z));
    let blocks = boxes.into_iter().map(|each| {
        let (min_vx, max_vx, paint) = each.look;
        Block {
            min: corner(each.x.start, min_vx, each.z.start),
            max: corner(each.x.end, max_vx, each.z.end),
            cell_size: frame.cell_size,
            paint,
        }
    });
    DrawList { blocks: blocks.collect(), ..DrawList::default() }
}
