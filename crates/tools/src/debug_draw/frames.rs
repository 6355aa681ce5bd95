use glam::{Vec3, vec3};
use walkable_runtime::geom::Aabb;

use crate::debug_draw::{DrawList, Paint};

/// Draws the twelve edges of a box, dashed.
pub fn outline(bounds: &Aabb) -> DrawList {
    frame(bounds, Paint::Bounds)
}

/// Draws the twelve edges of a box, dashed, in `paint`.
pub fn frame(bounds: &Aabb, paint: Paint) -> DrawList {
    let mut list = edges(bounds, 1.0, paint);
    list.lines.iter_mut().for_each(|line| line.dashed = true);
    list
}

/// Draws the twelve edges of a box, `width` points wide.
pub fn edges(bounds: &Aabb, width: f32, paint: Paint) -> DrawList {
    let mut list = DrawList::default();
    let Aabb { min, max } = *bounds;
    let corners = [[min.x, min.z], [max.x, min.z], [max.x, max.z], [min.x, max.z]];
    let at = |[x, z]: [f32; 2], y: f32| vec3(x, y, z);
    let mut edge = |a: Vec3, b: Vec3| list.line([a, b], width, paint);
    for (from, to) in corners.into_iter().zip(corners.into_iter().cycle().skip(1)) {
        edge(at(from, min.y), at(to, min.y));
        edge(at(from, max.y), at(to, max.y));
        edge(at(from, min.y), at(from, max.y));
    }
    list
}
