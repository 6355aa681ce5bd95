use glam::Vec3;
use walkable_bake::bake::OffMeshLink;

use crate::debug_draw::{DrawList, Paint};

/// Draws an off-mesh link: an arc from start to end, an arrow head at each end that it leads to, and a ring around each
/// end with the radius in which it looks for ground.
pub fn link(link: &OffMeshLink, paint: Paint) -> DrawList {
    let mut list = DrawList::default();
    let OffMeshLink { start, end, radius, bidirectional, .. } = *link;
    let corners = arc(start, end);
    for piece in corners.windows(2) {
        list.line([piece[0], piece[1]], 2.5, paint);
    }
    let (first, last) = (corners[1], corners[corners.len() - 2]);
    arrow_head(&mut list, last, end, paint);
    if bidirectional {
        arrow_head(&mut list, first, start, paint);
    }
    for at in [start, end] {
        ring(&mut list, at, radius, paint);
        list.point(at, 9.0, paint);
    }
    list
}

/// Returns the points of an arc between two places.
pub(super) fn arc(start: Vec3, end: Vec3) -> [Vec3; 17] {
    let rise = 0.25 * start.distance(end);
    let mut piece = 0_u8;
    [(); 17].map(|()| {
        let t = f32::from(piece) / 16.0;
        piece += 1;
        start.lerp(end, t) + Vec3::Y * (4.0 * t * (1.0 - t) * rise)
    })
}

pub(super) fn arrow_head(list: &mut DrawList, from: Vec3, tip: Vec3, paint: Paint) {
    let back = (from - tip).normalize_or_zero();
    let side = back.cross(Vec3::Y).normalize_or(Vec3::X);
    let length = (from.distance(tip) * 2.0).clamp(0.15, 0.5);
    for side in [side, -side] {
        list.line([tip, tip + (back + side * 0.5) * length], 2.5, paint);
    }
}

/// Draws a circle on the ground.
pub(super) fn ring(list: &mut DrawList, center: Vec3, radius: f32, paint: Paint) {
    const N: u8 = 32;
    let corner = |i: u8| {
        let (sin, cos) = (std::f32::consts::TAU * f32::from(i) / f32::from(N)).sin_cos();
        center + Vec3::new(cos * radius, 0.05, sin * radius)
    };
    let corners: Vec<_> = (0..N).map(corner).collect();
    list.ring(&corners, 1.5, paint);
}
