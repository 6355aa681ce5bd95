use glam::Vec3;
use walkable_bake::bake::{AreaVolume, VolumeShape};

use crate::debug_draw::{DrawList, Paint};

/// Draws a volume: its edges in `edges`, its sides in the color of its area.
pub fn volume(volume: &AreaVolume, edges: Paint) -> DrawList {
    let mut list = DrawList::default();
    let bounds = volume.shape.bounds();
    let bottom = ground_plan(&volume.shape);
    let top: Vec<Vec3> = bottom.iter().map(|corner| corner.with_y(bounds.max.y)).collect();
    let sides =
        if volume.area.is_walkable() { Paint::Area(volume.area.in_tile()) } else { Paint::Problem };
    let round = matches!(volume.shape, VolumeShape::Cylinder { .. });
    for (i, (&a, &above_a)) in bottom.iter().zip(&top).enumerate() {
        let next = (i + 1) % bottom.len();
        list.fill(&[a, bottom[next], top[next], above_a], sides);
        if !round || i % 6 == 0 {
            list.line([a, above_a], 1.5, edges);
        }
    }
    list.ring(&bottom, 1.5, edges);
    list.ring(&top, 1.5, edges);
    list
}

/// Returns the corners of the bottom of `shape`; a polygon of 24 sides for a cylinder.
pub fn ground_plan(shape: &VolumeShape) -> Vec<Vec3> {
    let VolumeShape::Cylinder { base, radius, .. } = *shape else { return shape.outline() };
    let corner = |i: u8| {
        let (sin, cos) = (std::f32::consts::TAU * f32::from(i) / 24.0).sin_cos();
        base + Vec3::new(cos, 0.0, sin) * radius
    };
    (0..24).map(corner).collect()
}
