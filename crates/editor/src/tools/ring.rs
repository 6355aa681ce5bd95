//! A circle on the ground, and the outline of an agent.

use glam::Vec3;
use walkable::debug_draw::{DrawList, Line, Paint};

/// Returns a horizontal circle slightly above the ground.
pub(super) fn ring(center: Vec3, radius: f32) -> Vec<Line> {
    const CORNERS: u8 = 40;
    let corner = |i: u8| {
        let (sin, cos) = (std::f32::consts::TAU * f32::from(i) / f32::from(CORNERS)).sin_cos();
        center + Vec3::new(cos * radius, 0.06, sin * radius)
    };
    let side = |i| Line {
        a: corner(i),
        b: corner(i + 1),
        paint: Paint::Accent,
        width: 2.0,
        dashed: false,
    };
    (0..CORNERS).map(side).collect()
}

/// Draws an agent: rings at its feet and its head, joined by lines.
pub(super) fn body(list: &mut DrawList, at: Vec3, [radius, height]: [f32; 2], paint: Paint) {
    let head = at + Vec3::Y * height;
    let rings = ring(at, radius).into_iter().chain(ring(head, radius));
    list.lines.extend(rings.map(|line| Line { paint, ..line }));
    for (x, z) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
        let edge = Vec3::new(x, 0.0, z) * radius;
        list.line([at + edge, head + edge], 1.0, paint);
    }
}
