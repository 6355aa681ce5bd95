use std::f32::consts::{PI, TAU};

use glam::Vec3;
use walkable_bake::bake::{AreaVolume, VolumeShape};
use walkable_runtime::geom::from_above::{self, nearest_on_segment};

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
        let (sin, cos) = (TAU * f32::from(i) / 24.0).sin_cos();
        base + Vec3::new(cos, 0.0, sin) * radius
    };
    (0..24).map(corner).collect()
}

/// Draws the outline of the margin of a volume for an agent of this radius and cells of this size: the bake takes the
/// cells whose centers are inside. Draws nothing if the volume has no margin.
pub fn volume_margin(volume: &AreaVolume, agent_radius: f32, cell_size: f32) -> DrawList {
    let mut list = DrawList::default();
    let Some(reach) = volume.margin_reach(agent_radius, cell_size) else { return list };
    let bounds = volume.shape.bounds();
    for [a, b] in outset(&volume.shape, reach) {
        for y in [bounds.min.y, bounds.max.y] {
            list.dashed_line([a.with_y(y), b.with_y(y)], 1.5, Paint::VolumeMargin);
        }
    }
    list
}

/// Maximum angle between two sides of an arc.
const ARC_STEP: f32 = TAU / 24.0;

/// Returns the lines at the distance `reach` around `shape`, seen from above.
fn outset(shape: &VolumeShape, reach: f32) -> Vec<[Vec3; 2]> {
    if let VolumeShape::Cylinder { base, radius, .. } = *shape {
        return arc(base, radius + reach, [0.0, TAU]);
    }
    let mut corners = shape.outline();
    corners.dedup_by(|a, b| a.with_y(b.y) == *b);
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let n = corners.len();
    let sides = || (0..n).map(|i| [corners[i], corners[(i + 1) % n]]);
    let doubled_area: f32 = sides().map(|[a, b]| a.x * b.z - b.x * a.z).sum();
    let side_angle = |[a, b]: [Vec3; 2]| {
        let along = (b - a) * doubled_area.signum();
        (-along.x).atan2(along.z)
    };
    let mut lines = Vec::new();
    let mut is_convex = true;
    for (i, side) in sides().enumerate() {
        let angle = side_angle(side);
        let out = direction(angle) * reach;
        lines.push(side.map(|corner| corner + out));
        let turn = side_angle([side[1], corners[(i + 2) % n]]) - angle;
        let turn = (turn * doubled_area.signum() + PI).rem_euclid(TAU) - PI;
        if turn > 0.0 {
            let end = angle + turn * doubled_area.signum();
            lines.extend(arc(side[1], reach, [angle, end]));
        } else {
            is_convex &= turn > -1e-4;
        }
    }
    if is_convex {
        return lines;
    }
    // Around a concave corner, the lines of both sides and the arcs behind it reach into the margin.
    let is_outside = |point: Vec3| {
        let is_far = |[a, b]: [Vec3; 2]| {
            let nearest = nearest_on_segment(point, a, b);
            nearest.distance_sqr >= (0.98 * reach).powi(2)
        };
        !from_above::contains(&corners, point) && sides().all(is_far)
    };
    let pieces = lines.into_iter().flat_map(|line| pieces(line, 0.25 * reach));
    pieces.filter(|[a, b]| is_outside(a.midpoint(*b))).collect()
}

/// Returns the horizontal direction of an angle.
fn direction(angle: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    Vec3::new(cos, 0.0, sin)
}

/// Returns the sides of an arc around `middle`.
fn arc(middle: Vec3, radius: f32, [start, end]: [f32; 2]) -> Vec<[Vec3; 2]> {
    let at = |t: f32| middle + direction(start + (end - start) * t) * radius;
    divided(((end - start) / ARC_STEP).abs(), |t| t.map(at))
}

/// Returns the parts of a line, each about as long as `length`.
fn pieces([a, b]: [Vec3; 2], length: f32) -> Vec<[Vec3; 2]> {
    divided(a.distance(b) / length, |t| t.map(|t| a.lerp(b, t)))
}

/// Calls `part` with the ends of the at least `n` equal parts of 0 to 1, at most 32.
fn divided(n: f32, part: impl Fn([f32; 2]) -> [Vec3; 2]) -> Vec<[Vec3; 2]> {
    let ends = |i: u8, n: u8| [i, i + 1].map(|i| f32::from(i) / f32::from(n));
    let n = (1..32).find(|&whole| f32::from(whole) + 1e-3 >= n).unwrap_or(32);
    (0..n).map(|i| part(ends(i, n))).collect()
}

#[cfg(test)]
mod tests {
    use walkable_bake::bake::{GridFrame, RawArea};
    use walkable_runtime::geom::Aabb;

    use super::*;

    /// Returns a grid of one cell with its center at `point`.
    fn frame(point: Vec3, cell_size: f32) -> GridFrame {
        let min = point - 0.5 * Vec3::splat(cell_size);
        let bounds = Aabb::new(min, min + cell_size);
        GridFrame { bounds, cell_size, cell_height: cell_size, n_x: 1, n_z: 1, border_vx: 0 }
    }

    /// Checks that the drawn margin is where cells begin to be taken.
    #[track_caller]
    fn check(shape: VolumeShape, n_lines: usize) {
        let (radius, cell_size) = (0.6, 0.3);
        let height = 0.5 * (shape.bounds().min.y + shape.bounds().max.y);
        let volume = AreaVolume { erode: true, ..AreaVolume::new(RawArea::NULL, shape) };
        let lines = volume_margin(&volume, radius, cell_size).lines;
        assert_eq!(lines.len(), 2 * n_lines);
        for line in lines {
            assert!(line.paint == Paint::VolumeMargin && line.dashed);
            let is_taken = |t: f32, margin| {
                let point = line.a.lerp(line.b, t).with_y(height);
                volume.takes(&frame(point, cell_size), [0; 2], 0, margin)
            };
            assert!(is_taken(0.5, radius + 0.03) && !is_taken(0.5, radius - 0.03), "{line:?}");
            // The lines at a concave corner end where they meet, to within a piece.
            assert!(!is_taken(0.02, radius - 0.12) && !is_taken(0.98, radius - 0.12), "{line:?}");
        }
    }

    #[test]
    fn the_margin_is_drawn_where_the_bake_takes_cells() {
        let base = Vec3::new(3.0, 1.0, -2.0);
        check(VolumeShape::Cylinder { base, radius: 1.5, height: 2.0 }, 24);
        let bounds = Aabb::new(base, base + Vec3::new(4.0, 2.0, 1.0));
        check(VolumeShape::Box(bounds), 4 + 4 * 6);
        let half_extents = Vec3::new(2.0, 1.0, 0.5);
        check(VolumeShape::TurnedBox { center: base, half_extents, yaw: 0.4 }, 4 + 4 * 6);
        let mut outline = [[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [5.0, 6.0], [5.0, 1.0], [0.0, 1.0]]
            .map(|[x, z]| Vec3::new(x, 0.0, z))
            .to_vec();
        let prism = |outline| VolumeShape::Prism { min_y: 0.0, max_y: 2.0, outline };
        let n = outset(&prism(outline.clone()), 0.75).len();
        check(prism(outline.clone()), n);
        outline.reverse();
        check(prism(outline), n);
    }

    #[test]
    fn a_volume_without_a_margin_has_no_outline_of_one() {
        let shape = VolumeShape::Box(Aabb::new(Vec3::ZERO, Vec3::ONE));
        let volume = AreaVolume::new(RawArea::NULL, shape.clone());
        assert!(volume_margin(&volume, 0.6, 0.3).is_empty());
        let walkable = AreaVolume { erode: true, ..AreaVolume::new(RawArea(1), shape) };
        assert!(volume_margin(&walkable, 0.6, 0.3).is_empty());
    }
}
