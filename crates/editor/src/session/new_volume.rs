//! Settings of the next volume to draw.

use glam::Vec3;
use walkable::bake::{AreaVolume, RawArea, VolumeShape};

use super::{ShapeKind, between};

/// Maximum length of a sharp corner, as a multiple of the distance between the sides.
const SPIKE: f32 = 2.5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewVolume {
    pub kind: ShapeKind,
    pub area: RawArea,
    /// Distance of its bottom below the lowest clicked point, in meters.
    pub below: f32,
    /// Distance of its top above the highest clicked point, in meters.
    pub above: f32,
    /// Distance of its sides outside the clicked points, in meters.
    pub margin: f32,
    /// Whether it keeps the agent's radius away, if it is not walkable.
    pub erode: bool,
}

impl Default for NewVolume {
    fn default() -> Self {
        let (below, above, margin) = (1.0, 3.0, 0.0);
        Self { kind: ShapeKind::Prism, area: RawArea(4), below, above, margin, erode: false }
    }
}

impl NewVolume {
    pub fn with_shape(&self, shape: VolumeShape) -> AreaVolume {
        let erode = self.erode && !self.area.is_walkable();
        AreaVolume { erode, ..AreaVolume::new(self.area, shape) }
    }

    /// Returns the shape for clicks on `corners`; `None` if there are too few.
    pub fn drawn(&self, corners: &[Vec3]) -> Option<VolumeShape> {
        let heights = || corners.iter().map(|corner| corner.y);
        let (lowest, highest) =
            (heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max));
        let shape = between(&self.kind.drawn(corners)?, lowest - self.below, highest + self.above);
        Some(if self.margin > 0.0 { widened(shape, self.margin) } else { shape })
    }
}

/// Returns `shape` with its sides moved outward by `by` meters.
fn widened(shape: VolumeShape, by: f32) -> VolumeShape {
    match shape {
        VolumeShape::Prism { min_y, max_y, outline } => {
            VolumeShape::Prism { min_y, max_y, outline: widened_outline(&outline, by) }
        }
        VolumeShape::Box(mut bounds) => {
            let out = Vec3::new(by, 0.0, by);
            (bounds.min, bounds.max) = (bounds.min - out, bounds.max + out);
            VolumeShape::Box(bounds)
        }
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            let half_extents = half_extents + Vec3::new(by, 0.0, by);
            VolumeShape::TurnedBox { center, half_extents, yaw }
        }
        VolumeShape::Cylinder { base, radius, height } => {
            VolumeShape::Cylinder { base, radius: radius + by, height }
        }
    }
}

/// Moves each corner to the intersection of its two sides after they were moved outward by `by` meters.
fn widened_outline(outline: &[Vec3], by: f32) -> Vec<Vec3> {
    let n = outline.len();
    let side = |from: usize| {
        let along = outline[(from + 1) % n] - outline[from];
        Vec3::new(along.z, 0.0, -along.x).normalize_or_zero()
    };
    let doubled_area: f32 = (0..n)
        .map(|i| (outline[i], outline[(i + 1) % n]))
        .map(|(a, b)| a.x * b.z - b.x * a.z)
        .sum();
    let out = by * doubled_area.signum();
    let corner = |i: usize| {
        let (before, after) = (side((i + n - 1) % n), side(i));
        let way = (before + after) / (1.0 + before.dot(after)).max(1e-3);
        outline[i] + way.clamp_length_max(SPIKE) * out
    };
    (0..n).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Vec3; 4] = [
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(4.0, 2.0, 0.0),
        Vec3::new(4.0, 1.0, 4.0),
        Vec3::new(0.0, 1.0, 4.0),
    ];

    #[test]
    fn heights_and_margins_are_as_requested() {
        for kind in ShapeKind::ALL {
            let new = NewVolume { kind, below: 0.5, above: 2.0, ..NewVolume::default() };
            let [plain, wide] = [0.0, 0.75]
                .map(|margin| NewVolume { margin, ..new }.drawn(&SQUARE[..3]).unwrap().bounds());
            assert_eq!((plain.min.y, plain.max.y), (0.5, 4.0), "{kind:?}");
            let least = if kind == ShapeKind::Prism { 0.74 } else { 0.7499 };
            assert!(
                wide.min.x <= plain.min.x - least && wide.max.z >= plain.max.z + least,
                "{kind:?}"
            );
            assert_eq!((wide.min.y, wide.max.y), (0.5, 4.0), "{kind:?}");
            assert!(new.drawn(&SQUARE[..1]).is_none());
        }
    }

    #[test]
    fn outlines_grow_outwards_whichever_way_they_were_drawn() {
        let mut turned = SQUARE;
        turned.reverse();
        for outline in [SQUARE, turned] {
            for (before, after) in outline.iter().zip(widened_outline(&outline, 1.0)) {
                let corner = (*before - Vec3::new(2.0, 0.0, 2.0)).with_y(0.0).signum().with_y(0.0);
                assert!((after - *before).distance(corner) < 1e-5, "{before} {after}");
            }
        }
    }

    #[test]
    fn sharp_corners_and_doubled_ones_stay_near() {
        let needle = [Vec3::ZERO, Vec3::new(20.0, 0.0, 0.05), Vec3::new(0.0, 0.0, 0.1), Vec3::ZERO];
        for (before, after) in needle.iter().zip(widened_outline(&needle, 1.0)) {
            assert!(before.distance(after) <= SPIKE + 1e-5, "{before} {after}");
        }
    }
}
