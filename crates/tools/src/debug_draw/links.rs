use glam::Vec3;
use walkable_bake::bake::{CompactField, RawArea};
use walkable_runtime::ids::Dir;

use crate::debug_draw::{DrawList, Paint, compact::open_floors, patches::grid_line};

/// Draws the floors of open spans by area, and a line between the middles of each two linked spans. Consecutive links
/// with the same rise are one line. The border of the frame is left out. `areas` has one area per span.
pub fn links(field: &CompactField, areas: &[RawArea]) -> DrawList {
    let mut list = open_floors(field, areas);
    for dir in [Dir::East, Dir::North] {
        draw_links(field, dir, &mut list);
    }
    list
}

/// Draws the links in direction `dir`, in which span indices increase.
fn draw_links(field: &CompactField, dir: Dir, list: &mut DrawList) {
    // Per span: the start of the line that leads to it, and the rise of that line per cell.
    let mut runs: Vec<Option<(Vec3, i32)>> = vec![None; field.spans.len()];
    let inside = |n: u32| field.frame.border_vx..n.saturating_sub(field.frame.border_vx);
    let (xs, zs) = (inside(field.frame.n_x), inside(field.frame.n_z));
    let floor = |span: usize| field.spans[span].floor_vx;
    let middle = |(x, z), span| {
        let y = f32::from(floor(span));
        field.frame.world_from_grid(grid_line(x) + 0.5, y, grid_line(z) + 0.5)
    };
    for at in zs.clone().flat_map(|z| xs.clone().map(move |x| (x, z))) {
        for span in field.cell(field.frame.cell_index(at.0, at.1)) {
            let next = field.neighbor(at, span, dir);
            let next = next.filter(|next| xs.contains(&next.x) && zs.contains(&next.z));
            let rise = next.map(|next| i32::from(floor(next.span)) - i32::from(floor(span)));
            let run = runs[span].take();
            let (goes_on, ended): (Option<_>, Option<_>) = match run {
                Some((from, before)) if Some(before) == rise => (Some(from), None),
                run => (None, run),
            };
            let mut draw = |from, to| list.line([from, to], 1.0, Paint::InnerEdge);
            if let Some((from, _)) = ended {
                draw(from, middle(at, span));
            }
            let Some((next, rise)) = next.zip(rise) else { continue };
            let from = goes_on.unwrap_or_else(|| middle(at, span));
            match &mut runs[next.span] {
                // If two floors are linked to one, each has its own line.
                Some(_) => draw(from, middle((next.x, next.z), next.span)),
                free => *free = Some((from, rise)),
            }
        }
    }
}
