//! A circle on the ground.

use glam::Vec3;
use walkable::debug_draw::{Line, Paint};

/// A horizontal circle slightly above the ground.
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
