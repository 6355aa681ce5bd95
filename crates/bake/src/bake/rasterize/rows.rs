//! Cuts triangles into rows of cells.
//!
//! The outline consists of two flanks, from the corner with the smallest z to the corner with the largest; the third
//! corner is on one of them. A plane in between crosses each flank once. So the part beyond a plane does not have to be
//! copied: the two crossings and the corners after them describe it.
//!
//! Every number is computed by the same operations in the same order as in [`Clipped::divide`].

use glam::Vec3A;

use super::clip::Clipped;

/// The remaining part of a triangle that is cut along planes of increasing z.
pub(super) struct Rows {
    /// Current edge of the flank in the direction of the outline: its start and end.
    first: [Vec3A; 2],
    /// Current edge of the flank against the direction of the outline, from low to high z.
    second: [Vec3A; 2],
    last: Vec3A,
    /// The third corner, until it is passed.
    bend: Option<Bend>,
    is_cut: bool,
    /// Whether the start of the first flank's edge is repeated, as after a cut along an edge.
    is_doubled: bool,
}

#[derive(Clone, Copy)]
struct Bend {
    corner: Vec3A,
    is_on_first: bool,
}

impl Rows {
    pub(super) fn new(corners: [Vec3A; 3]) -> Self {
        let [mut low, mut high] = [0, 0];
        for i in 1..3 {
            low = if corners[i].z < corners[low].z { i } else { low };
            high = if corners[high].z < corners[i].z { i } else { high };
        }
        if low == high {
            high = (low + 1) % 3;
        }
        let bend = corners[3 - low - high];
        let is_on_first = (low + 1) % 3 != high;
        let (straight, bent) = ([corners[low], corners[high]], [corners[low], bend]);
        let (first, second) = if is_on_first { (bent, straight) } else { (straight, bent) };
        let bend = Some(Bend { corner: bend, is_on_first });
        Self { first, second, last: corners[high], bend, is_cut: false, is_doubled: false }
    }

    /// Cuts along the plane at z = `at`, which must not be beyond the first corner. Must be called first. Returns
    /// whether there is a polygon before the plane, in `row`: it has no width and is on an edge.
    pub(super) fn begin(&mut self, at: f32, row: &mut Clipped) -> bool {
        let low = self.first[0];
        if at < low.z {
            return false;
        }
        self.is_cut = true;
        let Some(Bend { corner, is_on_first }) = self.bend.filter(|bend| bend.corner.z <= at)
        else {
            let [to, from] = self.second;
            self.second[0] = crossing(from, to, at);
            return false;
        };
        let (entry, exit) = if is_on_first { (low, corner) } else { (corner, low) };
        self.bend = None;
        self.first = [exit, self.last];
        self.second = [crossing(self.last, entry, at), self.last];
        self.is_doubled = true;
        row.clear();
        for corner in [self.second[0], exit, exit] {
            row.push(corner);
        }
        true
    }

    /// Cuts off the part before the plane at z = `at`, which must be between the first and the last corner of the
    /// remaining part, and stores it in `row`. Returns `false` without a cut if a corner is on the plane.
    pub(super) fn cut(&mut self, at: f32, row: &mut Clipped) -> bool {
        let passed = self.bend.filter(|bend| bend.corner.z <= at);
        if passed.is_some_and(|bend| at <= bend.corner.z) {
            return false;
        }
        row.clear();
        row.push(self.first[0]);
        if std::mem::take(&mut self.is_doubled) {
            row.push(self.first[0]);
        }
        let tip = self.second[0];
        if let Some(Bend { corner, is_on_first }) = passed {
            self.bend = None;
            let edge = if is_on_first { &mut self.first } else { &mut self.second };
            *edge = [corner, self.last];
            if is_on_first {
                row.push(corner);
            }
        }
        // The second flank's edge is crossed from its end, in the direction of the outline.
        let [from, to] = self.first;
        self.first[0] = crossing(from, to, at);
        let [to, from] = self.second;
        self.second[0] = crossing(from, to, at);
        row.push(self.first[0]);
        row.push(self.second[0]);
        if let Some(Bend { corner, is_on_first: false }) = passed {
            row.push(corner);
        }
        if self.is_cut {
            row.push(tip);
        }
        self.is_cut = true;
        true
    }

    /// Stores the remaining part in `row`.
    pub(super) fn write_to(&self, row: &mut Clipped) {
        row.clear();
        row.push(self.first[0]);
        if self.is_doubled {
            row.push(self.first[0]);
        }
        if let Some(Bend { corner, is_on_first: true }) = self.bend {
            row.push(corner);
        }
        row.push(self.last);
        if let Some(Bend { corner, is_on_first: false }) = self.bend {
            row.push(corner);
        }
        if self.is_cut {
            row.push(self.second[0]);
        }
    }
}

/// Returns the crossing of the edge from `from` to `to` with the plane at z = `at`.
fn crossing(from: Vec3A, to: Vec3A, at: f32) -> Vec3A {
    let (from_room, to_room) = (at - from.z, at - to.z);
    from + (to - from) * (from_room / (from_room - to_room))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a coordinate that often lies on a plane: planes are at whole numbers.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![(-8..8_i8).prop_map(f32::from), -8.0..8.0_f32]
    }

    fn corner() -> impl Strategy<Value = Vec3A> {
        (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vec3A::new(x, y, z))
    }

    /// Returns whether both have the same corners in the same order, starting at any corner.
    fn is_same_outline(a: &Clipped, b: &Clipped) -> bool {
        let (a, mut b) = (a.corners(), b.corners().to_vec());
        (0..b.len()).any(|_| {
            b.rotate_left(1);
            a == b
        })
    }

    proptest! {
        #[test]
        fn both_methods_of_cutting_give_the_same_result(triangle in [corner(), corner(), corner()]) {
            let mut rest = Clipped::new(&triangle);
            let (min, max) = rest.extent::<2>();
            let mut rows = Rows::new(triangle);
            let [mut fast, mut plain, mut next] = [rest; 3];
            if min < max && min.fract().abs() < f32::MIN_POSITIVE {
                rest.divide::<2>(min, &mut plain, &mut next);
                std::mem::swap(&mut rest, &mut next);
                prop_assert_eq!(rows.begin(min, &mut fast), plain.is_polygon());
                prop_assert!(!plain.is_polygon() || is_same_outline(&fast, &plain));
            }
            for at in (-8..8_i8).map(f32::from).filter(|at| min < *at && *at < max) {
                if !rows.cut(at, &mut fast) {
                    break;
                }
                rest.divide::<2>(at, &mut plain, &mut next);
                std::mem::swap(&mut rest, &mut next);
                prop_assert!(is_same_outline(&fast, &plain), "{:?}", fast.corners());
            }
            rows.write_to(&mut fast);
            prop_assert!(is_same_outline(&fast, &rest), "{:?}", fast.corners());
        }
    }
}
