use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{GridFrame, Heightfield, Span, pulse::Pulse};

/// Removes all spans outside of `bounds`. Without bounds, all spans are kept.
///
/// A span is inside a box if the center of its cell is, seen from above, and the height ranges of span and box overlap.
/// Ceilings above all boxes are removed as well, so they do not reduce clearance.
pub(super) fn keep_within(
    field: Heightfield,
    bounds: &[Aabb],
    monitor: &dyn Monitor,
) -> Result<Heightfield, Cancelled> {
    if bounds.is_empty() {
        return Ok(field);
    }
    let Heightfield { frame, starts, mut spans } = field;
    let mut pulse = Pulse::new(monitor);
    let mut kept_starts = Vec::with_capacity(starts.len());
    let (mut cell, mut n_kept) = (0, 0_u32);
    kept_starts.push(n_kept);
    let mut of_row: Vec<&Aabb> = Vec::new();
    for z in 0..frame.n_z {
        let row = frame.cell_middle(0, z).z;
        of_row.clear();
        of_row.extend(bounds.iter().filter(|bound| bound.min.z <= row && row <= bound.max.z));
        for x in 0..frame.n_x {
            pulse.step()?;
            let middle = frame.cell_middle(x, z);
            for index in starts[cell] as usize..starts[cell + 1] as usize {
                pulse.steps(u32::try_from(of_row.len()).unwrap_or(u32::MAX))?;
                let span = spans[index];
                if of_row.iter().any(|bound| holds(bound, &frame, middle, span)) {
                    spans[n_kept as usize] = span;
                    n_kept += 1;
                }
            }
            kept_starts.push(n_kept);
            cell += 1;
        }
    }
    spans.truncate(n_kept as usize);
    Ok(Heightfield { frame, starts: kept_starts, spans })
}

/// Returns whether a span in a cell with this center is inside `bound`. The row of the cell is already known to be.
fn holds(bound: &Aabb, frame: &GridFrame, middle: Vec3, span: Span) -> bool {
    let height = |y_vx: u16| frame.bounds.min.y + f32::from(y_vx) * frame.cell_height;
    let is_inside = |value: f32, min: f32, max: f32| min <= value && value <= max;
    is_inside(middle.x, bound.min.x, bound.max.x)
        && height(span.min_vx) <= bound.max.y
        && bound.min.y <= height(span.max_vx)
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::heightfield::tests::{field, show};

    const GROUND: &str = "0-1,8-9 0-1 .\n0-1 0-4! 3-4";

    #[track_caller]
    fn check(bounds: &[[[f32; 3]; 2]], expected: &str) {
        let bounds: Vec<_> =
            bounds.iter().map(|[min, max]| Aabb::new(Vec3::from(*min), Vec3::from(*max))).collect();
        let kept = keep_within(field(GROUND), &bounds, &Unmonitored).unwrap();
        assert_eq!(show(&kept), expected);
    }

    #[test]
    fn spans_outside_every_bound_are_dropped() {
        check(&[], GROUND);
        check(&[[[0.0, 0.0, 0.0], [3.0, 9.0, 2.0]]], GROUND);
        check(&[[[0.0, 2.0, 0.0], [3.0, 9.0, 2.0]]], "8-9 . .\n. 0-4! 3-4");
        check(&[[[0.0, 0.0, 0.0], [1.4, 0.0, 0.5]]], "0-1 . .\n. . .");
        check(&[[[0.0, 0.0, 0.0], [1.5, 0.0, 0.5]]], "0-1 0-1 .\n. . .");
        check(&[[[9.0, 0.0, 0.0], [9.0, 9.0, 9.0]]], ". . .\n. . .");
    }

    #[test]
    fn bounds_add_up() {
        let west = [[0.0, 0.0, 0.0], [0.9, 2.0, 2.0]];
        let east = [[2.0, 0.0, 0.0], [3.0, 9.0, 2.0]];
        check(&[west, east], "0-1 . .\n0-1 . 3-4");
    }
}
