//! Convex polygons cut along planes: the plain way, right for any polygon.

use glam::Vec3A;

/// Most corners of a triangle cut along cell borders: 7, and some to spare for grids so fine that
/// coordinates cannot be told apart. What such a cut would add beyond them is left out.
const MAX_CORNERS: usize = 12;

/// A convex polygon cut from a triangle.
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

    /// Smallest and largest coordinate along `AXIS`.
    pub(super) fn extent<const AXIS: usize>(&self) -> (f32, f32) {
        let first = self.corners[0][AXIS];
        self.corners().iter().fold((first, first), |(min, max), corner| {
            let value = corner[AXIS];
            (if value < min { value } else { min }, if max < value { value } else { max })
        })
    }

    /// Cuts along the plane where the coordinate `AXIS` is `at`, into what lies before and beyond it.
    ///
    /// Corners on the plane go to both sides.
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
                // A corner on the plane is the crossing itself.
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
