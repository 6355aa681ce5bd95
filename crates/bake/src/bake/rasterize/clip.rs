//! Splits convex polygons along planes. Works for any polygon.

use glam::Vec3A;

/// Maximum number of corners of a triangle after clipping to a cell: 7, and a reserve for grids so fine that
/// coordinates are rounded to the same number. Further corners are dropped.
const MAX_CORNERS: usize = 12;

/// A convex part of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Clipped {
    corners: [Vec3A; MAX_CORNERS],
    n: usize,
}

impl Clipped {
    pub(super) const EMPTY: Self = Self { corners: [Vec3A::ZERO; MAX_CORNERS], n: 0 };

    pub(super) fn new(corners: &[Vec3A; 3]) -> Self {
        let mut clipped = Self::EMPTY;
        for &corner in corners {
            clipped.push(corner);
        }
        clipped
    }

    pub(super) fn clear(&mut self) {
        self.n = 0;
    }

    pub(super) fn push(&mut self, corner: Vec3A) {
        if self.n < MAX_CORNERS {
            self.corners[self.n] = corner;
            self.n += 1;
        }
    }

    pub(super) fn corners(&self) -> &[Vec3A] {
        &self.corners[..self.n]
    }

    pub(super) fn is_polygon(&self) -> bool {
        3 <= self.n
    }

    /// Returns the minimum and maximum coordinate along `AXIS`.
    pub(super) fn extent<const AXIS: usize>(&self) -> (f32, f32) {
        let first = self.corners[0][AXIS];
        self.corners().iter().fold((first, first), |(min, max), corner| {
            let value = corner[AXIS];
            (if value < min { value } else { min }, if max < value { value } else { max })
        })
    }

    /// Splits at the plane where the coordinate `AXIS` is `at` into the parts before and beyond it.
    ///
    /// Corners on the plane belong to both parts.
    pub(super) fn divide<const AXIS: usize>(&self, at: f32, before: &mut Self, beyond: &mut Self) {
        before.n = 0;
        beyond.n = 0;
        let Some(&(mut previous)) = self.corners().last() else { return };
        let mut previous_room = at - previous[AXIS];
        for &corner in self.corners() {
            let room = at - corner[AXIS];
            if (0.0 <= room) == (0.0 <= previous_room) {
                if 0.0 <= room {
                    before.push(corner);
                }
                if room <= 0.0 {
                    beyond.push(corner);
                }
            } else {
                let along = previous_room / (previous_room - room);
                let crossing = previous + (corner - previous) * along;
                before.push(crossing);
                beyond.push(crossing);
                // A corner on the plane is the intersection itself.
                if 0.0 < room {
                    before.push(corner);
                } else if room < 0.0 {
                    beyond.push(corner);
                }
            }
            (previous, previous_room) = (corner, room);
        }
    }
}
