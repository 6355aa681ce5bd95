use std::{
    borrow::Cow,
    ops::{Range, RangeInclusive},
};

use glam::Vec3;
use walkable_runtime::{
    geom::{
        Aabb,
        from_above::{NearRowByRow, RowByRow},
    },
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    AreaVolume, CompactField, GridFrame, HeightLayer, RawArea, VolumeShape,
    pulse::Pulse,
    volume::{self, prism_bounds},
};

/// Assigns the area of `volume` to the walkable spans inside it; unwalkable spans stay unwalkable.
///
/// A span is inside if its cell is, seen from above, and its floor is between the volume's lowest and highest cell.
/// [`VolumeShape`] defines which cells a shape contains.
///
/// Source: Recast, `rcMarkConvexPolyArea`, `rcMarkBoxArea` and `rcMarkCylinderArea`. `Differs:` a volume with
/// [`AreaVolume::erode`] also contains the cells around it that are nearer than the agent's radius. Recast marks after
/// erosion, so that the center of an agent can come up to a volume and its body into it.
pub(super) fn mark_volume(
    field: &CompactField,
    areas: &mut [RawArea],
    volume: &AreaVolume,
    agent_radius: f32,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let mut pulse = Pulse::new(monitor);
    cells_in(&field.frame, &volume.shape, volume.margin(agent_radius), |cell, floors| {
        pulse.step()?;
        for span in field.cell(cell) {
            let is_level = floors.contains(&i32::from(field.spans[span].floor_vx));
            if is_level && areas[span].is_walkable() {
                areas[span] = volume.area;
            }
        }
        Ok(())
    })
}

/// Calls `visit` with the index of each cell of `frame` that `shape` contains or that is nearer to it than `margin`
/// meters, and with the range of floor heights that are inside, in cells.
///
/// # Errors
/// Returns the first error of `visit`.
pub fn cells_in<E>(
    frame: &GridFrame,
    shape: &VolumeShape,
    margin: f32,
    mut visit: impl FnMut(usize, &RangeInclusive<i32>) -> Result<(), E>,
) -> Result<(), E> {
    let Footprint { columns, rows, floors } = Footprint::around(frame, shape, margin);
    let mut takes = cell_test(shape, margin, frame.cell_size);
    for z in rows {
        for x in columns.clone() {
            if takes(frame.cell_middle(x, z)) {
                visit(frame.cell_index(x, z), &floors)?;
            }
        }
    }
    Ok(())
}

impl AreaVolume {
    /// Whether the volume contains ground at height `floor_vx` in cell `(x, z)` of a grid, or has it within `margin`
    /// meters around it.
    pub fn takes(&self, frame: &GridFrame, [x, z]: [u32; 2], floor_vx: u16, margin: f32) -> bool {
        let Footprint { columns, rows, floors } = Footprint::around(frame, &self.shape, margin);
        columns.contains(&x)
            && rows.contains(&z)
            && floors.contains(&i32::from(floor_vx))
            && cell_test(&self.shape, margin, frame.cell_size)(frame.cell_middle(x, z))
    }
}

/// Makes the ground of `layer` inside an upright prism unwalkable: the same cells that [`mark_volume`] marks in the
/// field from which the layer was built.
pub(crate) fn carve_prism(layer: &mut HeightLayer, [min_y, max_y]: [f32; 2], outline: &[Vec3]) {
    let mut frame = layer.frame();
    frame.bounds.min.y -= f32::from(layer.min_y_vx) * layer.cell_height;
    let Footprint { columns, rows, floors } =
        Footprint::new(&frame, &prism_bounds([min_y, max_y], outline));
    let mut inside = RowByRow::new(outline);
    for z in rows {
        for x in columns.clone() {
            let cell = layer.cell_index(x, z);
            let floor_vx = i32::from(layer.min_y_vx) + i32::from(layer.heights[cell]);
            if floors.contains(&floor_vx) && inside.contains(frame.cell_middle(x, z)) {
                layer.areas[cell] = RawArea::NULL;
            }
        }
    }
}

/// Whether `shape` contains any cell of a grid, or has one within `margin` meters around it.
pub(super) fn touches(frame: &GridFrame, shape: &VolumeShape, margin: f32) -> bool {
    let Footprint { columns, mut rows, floors } = Footprint::around(frame, shape, margin);
    let mut takes = cell_test(shape, margin, frame.cell_size);
    let takes_any = |z| columns.clone().any(|x| takes(frame.cell_middle(x, z)));
    !floors.is_empty() && rows.any(takes_any)
}

/// The cells of a grid that a box touches, usually the box around a shape.
struct Footprint {
    columns: Range<u32>,
    rows: Range<u32>,
    floors: RangeInclusive<i32>,
}

impl Footprint {
    /// The cells that the box around a shape and its margin touches.
    fn around(frame: &GridFrame, shape: &VolumeShape, margin: f32) -> Self {
        let Aabb { min, max } = shape.bounds();
        let out = Vec3::new(margin, 0.0, margin);
        Self::new(frame, &Aabb { min: min - out, max: max + out })
    }

    fn new(frame: &GridFrame, &Aabb { min, max }: &Aabb) -> Self {
        let cells = |value: f32, origin: f32, cell: f32| truncate((value - origin) / cell);
        let origin = frame.bounds.min;
        let side = |[first, last]: [f32; 2], origin: f32, n: u32| {
            within(cells(first, origin, frame.cell_size), cells(last, origin, frame.cell_size), n)
        };
        Self {
            columns: side([min.x, max.x], origin.x, frame.n_x),
            rows: side([min.z, max.z], origin.z, frame.n_z),
            floors: cells(min.y, origin.y, frame.cell_height)
                ..=cells(max.y, origin.y, frame.cell_height),
        }
    }
}

/// Returns a function that tests whether the shape contains a cell, given its center, or has it within the margin. Cells
/// must be tested row by row.
fn cell_test(
    shape: &VolumeShape,
    margin: f32,
    cell_size: f32,
) -> Box<dyn FnMut(Vec3) -> bool + '_> {
    if margin > 0.0 {
        return margin_test(shape, volume::reach(margin, cell_size), 0.5 * cell_size);
    }
    match shape {
        VolumeShape::Prism { outline, .. } => {
            let mut rows = RowByRow::new(outline);
            Box::new(move |middle| rows.contains(middle))
        }
        VolumeShape::Box(_) => Box::new(|_| true),
        VolumeShape::TurnedBox { .. } => {
            let mut rows = RowByRow::new(shape.outline());
            Box::new(move |middle| rows.contains(middle))
        }
        VolumeShape::Cylinder { base, radius, .. } => Box::new(move |middle| {
            let (dx, dz) = (middle.x - base.x, middle.z - base.z);
            dx * dx + dz * dz < radius * radius
        }),
    }
}

/// Returns a function that tests whether the center of a cell is inside the shape or nearer to it than `reach`.
fn margin_test(
    shape: &VolumeShape,
    reach: f32,
    half_cell: f32,
) -> Box<dyn FnMut(Vec3) -> bool + '_> {
    if let VolumeShape::Cylinder { base, radius, .. } = *shape {
        let reach = radius + reach;
        return Box::new(move |middle| {
            let (dx, dz) = (middle.x - base.x, middle.z - base.z);
            dx * dx + dz * dz < reach * reach
        });
    }
    if let VolumeShape::Box(Aabb { min, max }) = *shape {
        return Box::new(move |middle| {
            let [dx, dz] = [Vec3::X, Vec3::Z].map(|axis| {
                let [min, middle, max] = [min, middle, max].map(|at| at.dot(axis));
                (min - middle).max(middle - max).max(0.0)
            });
            // A box takes every cell that it touches.
            dx.max(dz) <= half_cell || dx * dx + dz * dz < reach * reach
        });
    }
    let outline = match shape {
        VolumeShape::Prism { outline, .. } => Cow::from(outline),
        VolumeShape::Box(_) | VolumeShape::TurnedBox { .. } | VolumeShape::Cylinder { .. } => {
            Cow::from(shape.outline())
        }
    };
    let mut inside = RowByRow::new(outline.clone());
    let mut near = NearRowByRow::new(outline, reach);
    Box::new(move |middle| inside.contains(middle) || near.contains(middle))
}

/// The part of the cells `first` to `last` that lies within a grid of `n` cells.
fn within(first: i32, last: i32, n: u32) -> Range<u32> {
    match u32::try_from(last) {
        Ok(last) => u32::try_from(first).unwrap_or(0)..last.saturating_add(1).min(n),
        Err(_) => 0..0,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "truncation is meant; overflow saturates")]
fn truncate(value: f32) -> i32 {
    value as i32
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::{compact::compact, heightfield::tests::field};

    /// Marks area 7 on 4 × 3 cells of ground at height 5; prints areas, 63 as `#`.
    #[track_caller]
    fn check_shape(shape: VolumeShape, expected: &str) {
        check_volume(&AreaVolume::new(RawArea(7), shape), expected);
    }

    /// As [`check_shape`] for a volume, with an agent of 0.6 cells radius.
    #[track_caller]
    fn check_volume(volume: &AreaVolume, expected: &str) {
        let ground = field(&"4-5 4-5 4-5 4-5\n".repeat(3));
        let compacted = compact(&ground, 10, 2, &Unmonitored).unwrap();
        let mut areas = compacted.areas;
        areas[0] = RawArea::NULL;
        mark_volume(&compacted.field, &mut areas, volume, 0.6, &Unmonitored).unwrap();
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

    #[track_caller]
    fn check(corners: &[[f32; 2]], [min_y, max_y]: [f32; 2], expected: &str) {
        let outline = corners.iter().map(|[x, z]| Vec3::new(*x, 0.0, *z)).collect();
        check_shape(VolumeShape::Prism { min_y, max_y, outline }, expected);
    }

    /// Shapes of half a cell to one cell, with and without a margin of 0.6 cells.
    #[test]
    fn a_margin_takes_the_cells_around_a_shape() {
        let with_margin = |shape, area, expected| {
            let volume = AreaVolume { erode: true, ..AreaVolume::new(area, shape) };
            check_volume(&volume, expected);
        };
        let point = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        let outline = [[3.2, 0.2], [3.8, 0.2], [3.8, 0.8], [3.2, 0.8]].map(|[x, z]| point(x, z));
        let prism = VolumeShape::Prism { min_y: 0.0, max_y: 9.0, outline: outline.to_vec() };
        with_margin(prism.clone(), RawArea::NULL, "0#00 ##00 ####");
        check_volume(&AreaVolume::new(RawArea::NULL, prism.clone()), "0##0 #### ####");
        with_margin(prism, RawArea(7), "0##7 #### ####");
        let bounds = Aabb { min: Vec3::new(3.1, 0.0, 0.1), max: Vec3::new(3.9, 9.0, 0.9) };
        with_margin(VolumeShape::Box(bounds), RawArea::NULL, "0#00 ##00 ####");
        let far = Aabb { min: Vec3::new(4.4, 0.0, 1.2), max: Vec3::new(5.0, 9.0, 1.8) };
        with_margin(VolumeShape::Box(far), RawArea::NULL, "0### ###0 ####");
        let base = Vec3::new(3.5, 0.0, 0.5);
        let cylinder = VolumeShape::Cylinder { base, radius: 0.2, height: 9.0 };
        with_margin(cylinder, RawArea::NULL, "0#00 ###0 ####");
        let (center, half_extents) = (Vec3::new(2.0, 5.0, 1.5), Vec3::new(0.2, 1.0, 0.2));
        let turned = VolumeShape::TurnedBox { center, half_extents, yaw: 0.5 };
        with_margin(turned, RawArea::NULL, "000# #00# #00#");
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

    #[track_caller]
    fn check_box(min: [f32; 3], max: [f32; 3], expected: &str) {
        let bounds = Aabb { min: Vec3::from(min), max: Vec3::from(max) };
        check_shape(VolumeShape::Box(bounds), expected);
    }

    #[test]
    fn a_box_takes_every_cell_it_touches() {
        check_box([0.9, 0.0, 0.9], [1.1, 9.0, 1.1], "07## 77## ####");
        check_box([2.0, 0.0, -9.0], [99.0, 9.0, 0.0], "0#77 #### ####");
        check_box([0.0, 5.9, 0.0], [9.0, 9.0, 0.5], "0777 #### ####");
        check_box([0.0, 6.0, 0.0], [9.0, 9.0, 0.5], "0### #### ####");
        // Coordinates are truncated: less than a cell outside still counts as inside.
        check_box([-0.9, 0.0, 1.0], [-0.1, 9.0, 1.0], "0### 7### ####");
        check_box([-2.0, 0.0, 1.0], [-1.0, 9.0, 1.0], "0### #### ####");
        check_box([3.0, 0.0, 0.0], [1.0, 9.0, 9.0], "0### #### ####");
    }

    #[track_caller]
    fn check_cylinder(base: [f32; 3], radius: f32, height: f32, expected: &str) {
        let base = Vec3::from(base);
        check_shape(VolumeShape::Cylinder { base, radius, height }, expected);
    }

    #[test]
    fn a_cylinder_takes_cells_whose_middle_is_nearer_than_its_radius() {
        check_cylinder([1.5, 0.0, 1.5], 1.0, 9.0, "0### #7## ####");
        check_cylinder([1.5, 0.0, 1.5], 1.1, 9.0, "07## 777# #7##");
        check_cylinder([1.5, 0.0, 1.5], 1.5, 9.0, "077# 777# 777#");
        check_cylinder([1.5, 2.0, 1.5], 1.1, 3.0, "07## 777# #7##");
        check_cylinder([1.5, 2.0, 1.5], 1.1, 2.9, "0### #### ####");
        check_cylinder([1.5, 6.0, 1.5], 1.1, 3.0, "0### #### ####");
        check_cylinder([-9.0, 0.0, 1.5], 1.5, 9.0, "0### #### ####");
    }

    #[test]
    fn a_turned_box_takes_cells_whose_middle_is_inside() {
        let turned = |half_x, yaw| VolumeShape::TurnedBox {
            center: Vec3::new(1.5, 5.0, 1.5),
            half_extents: Vec3::new(half_x, 1.0, 0.4),
            yaw,
        };
        check_shape(turned(1.2, 0.0), "0### 777# ####");
        check_shape(turned(1.2, std::f32::consts::FRAC_PI_2), "07## #7## #7##");
        // From −x +z to +x −z, and in the opposite direction.
        check_shape(turned(1.6, std::f32::consts::FRAC_PI_4), "0#7# #7## 7###");
        check_shape(turned(1.6, -std::f32::consts::FRAC_PI_4), "0### #7## ##7#");
        check_shape(turned(0.0, 0.3), "0### #### ####");
    }
}
