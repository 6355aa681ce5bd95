use glam::Vec3;

use crate::{
    bake::{AreaVolume, CompactField, pulse::Pulse},
    geom::Aabb,
    ids::AreaId,
    monitor::{Cancelled, Monitor},
};

/// Gives the walkable spans inside `volume` its area.
///
/// A span is inside if the middle of its cell lies within the outline, seen from above, and its floor is
/// between the volume's lowest and highest cell. Concave outlines work as well.
///
/// Source: Recast, `rcMarkConvexPolyArea`.
pub(super) fn mark_volume(
    field: &CompactField,
    areas: &mut [AreaId],
    volume: &AreaVolume,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let frame = &field.frame;
    let origin = frame.bounds.min;
    let cells = |value: f32, origin: f32, cell: f32| truncate((value - origin) / cell);
    let outline = Aabb::around(volume.outline.iter().copied());
    let columns = within(
        cells(outline.min.x, origin.x, frame.cell_size),
        cells(outline.max.x, origin.x, frame.cell_size),
        frame.n_x,
    );
    let rows = within(
        cells(outline.min.z, origin.z, frame.cell_size),
        cells(outline.max.z, origin.z, frame.cell_size),
        frame.n_z,
    );
    let floors = cells(volume.min_y, origin.y, frame.cell_height)
        ..=cells(volume.max_y, origin.y, frame.cell_height);

    let mut pulse = Pulse::new(monitor);
    for z in rows {
        for x in columns.clone() {
            pulse.step()?;
            let middle = Vec3::new(
                origin.x + (to_float(x) + 0.5) * frame.cell_size,
                0.0,
                origin.z + (to_float(z) + 0.5) * frame.cell_size,
            );
            let cell = field.cell(frame.cell_index(x, z));
            if cell.is_empty() || !contains(&volume.outline, middle) {
                continue;
            }
            for span in cell {
                let is_level = floors.contains(&i32::from(field.spans[span].floor_vx));
                if is_level && areas[span].is_walkable() {
                    areas[span] = volume.area;
                }
            }
        }
    }
    Ok(())
}

/// The part of the cells `first` to `last` that lies on a grid of `n` cells.
fn within(first: i32, last: i32, n: u32) -> std::ops::Range<u32> {
    match u32::try_from(last) {
        Ok(last) => u32::try_from(first).unwrap_or(0)..last.saturating_add(1).min(n),
        Err(_) => 0..0,
    }
}

/// Whether `point` lies inside `outline` seen from above: a ray towards +x crosses it an odd number of
/// times.
fn contains(outline: &[Vec3], point: Vec3) -> bool {
    let Some(&(mut previous)) = outline.last() else { return false };
    let mut is_inside = false;
    for &corner in outline {
        if (point.z < corner.z) != (point.z < previous.z) {
            let (dx, dz) = (previous.x - corner.x, previous.z - corner.z);
            if point.x < dx * (point.z - corner.z) / dz + corner.x {
                is_inside = !is_inside;
            }
        }
        previous = corner;
    }
    is_inside
}

#[expect(clippy::cast_possible_truncation, reason = "truncation is meant; overflow saturates")]
fn truncate(value: f32) -> i32 {
    value as i32
}

#[expect(clippy::cast_precision_loss, reason = "grids have at most 65535 cells along a side")]
fn to_float(cell: u32) -> f32 {
    cell as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bake::{compact::compact, heightfield::tests::field},
        monitor::Unmonitored,
    };

    /// Marks area 7 on 4 × 3 cells of ground at height 5; shows areas, 63 as `#`.
    #[track_caller]
    fn check(corners: &[[f32; 2]], heights: [f32; 2], expected: &str) {
        let ground = field(&"4-5 4-5 4-5 4-5\n".repeat(3));
        let compacted = compact(&ground, 10, 2, &Unmonitored).unwrap();
        let mut areas = compacted.areas;
        areas[0] = AreaId::NULL;
        let volume = AreaVolume {
            area: AreaId(7),
            min_y: heights[0],
            max_y: heights[1],
            outline: corners.iter().map(|[x, z]| Vec3::new(*x, 0.0, *z)).collect(),
        };
        mark_volume(&compacted.field, &mut areas, &volume, &Unmonitored).unwrap();
        let shown: Vec<_> = areas
            .chunks(4)
            .map(|row| {
                row.iter()
                    .map(|a| if a.0 == 63 { "#".to_owned() } else { a.0.to_string() })
                    .collect::<String>()
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    const LEFT: [[f32; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    #[test]
    fn marks_walkable_cells_whose_middle_is_inside() {
        check(&LEFT, [0.0, 9.0], "07## 77## ####");
        check(&[[1.4, 0.0], [1.4, 3.0], [0.0, 3.0], [0.0, 0.0]], [0.0, 9.0], "0### 7### 7###");
        check(&[[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]], [0.0, 9.0], "0777 7777 7777");
        check(&[[7.0, 7.0], [9.0, 7.0], [9.0, 9.0]], [0.0, 9.0], "0### #### ####");
        check(&[[-7.0, -7.0], [-9.0, -7.0], [-9.0, -9.0]], [0.0, 9.0], "0### #### ####");
    }

    #[test]
    fn marks_floors_between_its_heights() {
        check(&LEFT, [5.9, 9.0], "07## 77## ####");
        check(&LEFT, [6.0, 9.0], "0### #### ####");
        check(&LEFT, [0.0, 4.9], "0### #### ####");
        check(&LEFT, [0.0, 5.0], "07## 77## ####");
    }

    #[test]
    fn an_outline_without_corners_marks_nothing() {
        check(&[], [0.0, 9.0], "0### #### ####");
        check(&[[1.0, 1.0]], [0.0, 9.0], "0### #### ####");
    }
}
