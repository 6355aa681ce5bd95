//! Splits faces into triangles.

use earcut::Earcut;
use glam::{DVec2, DVec3, Vec3};

/// Limit for all faces of a file together: the sum of the squared numbers of corners, which bounds the time of splitting.
const MAX_WORK: u64 = 1 << 32;
/// Relative difference of areas that counts as rounding.
const ROUNDING: f64 = 1e-4;

/// How a face was split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split<'a> {
    /// Into a fan from its first corner, in file order.
    Fan,
    /// Into these triangles, with the numbers of its corners.
    Ears(&'a [[u32; 3]]),
}

/// Splits faces into triangles that cover exactly their inside: into a fan from the first corner if that does, and by
/// cutting off ears otherwise.
#[derive(Default)]
pub(crate) struct FaceSplitter {
    earcut: Earcut<f64>,
    /// The corners in the plane of the face.
    flat: Vec<DVec2>,
    indices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    n_work: u64,
}

impl FaceSplitter {
    /// Splits a face. Also returns whether its triangles cover exactly its inside: not if its outline crosses itself,
    /// or if it has too many corners.
    pub(crate) fn split(&mut self, corners: &[Vec3]) -> (Split<'_>, bool) {
        if corners.len() < 4 {
            return (Split::Fan, true);
        }
        let normal = normal(corners);
        if is_fan(corners, normal) {
            return (Split::Fan, true);
        }
        let n = corners.len() as u64;
        self.n_work = self.n_work.saturating_add(n * n);
        if self.n_work > MAX_WORK {
            return (Split::Fan, false);
        }
        self.flat.clear();
        self.flat.extend(flattened(corners, normal));
        let area = normal.length();
        self.earcut.earcut(self.flat.iter().map(DVec2::to_array), &[], &mut self.indices);
        let (triangles, _) = self.indices.as_chunks::<3>();
        self.triangles.clear();
        let mut covered = 0.0;
        for &[a, b, c] in triangles {
            let signed = double_area([a, b, c].map(|corner| self.flat[corner as usize]));
            covered += signed.abs();
            let places = [a, b, c].map(|corner| corners[corner as usize]);
            // Corners in one line; such an ear is no fault of the file.
            if self::normal(&places) == DVec3::ZERO {
                continue;
            }
            // The ears may be cut off in either direction; the triangles keep that of the face.
            self.triangles.push(if signed < 0.0 { [a, c, b] } else { [a, b, c] });
        }
        if self.triangles.is_empty() {
            return (Split::Fan, false);
        }
        let is_exact = (covered - area).abs() <= ROUNDING * area;
        (Split::Ears(&self.triangles), is_exact)
    }
}

/// Splits again the faces of `triangles`, which are fans in file order, if they do not cover exactly the inside. `faces` are
/// the faces of the triangles; `crossing` is called with a face that cannot be split exactly and its number of corners.
pub(crate) fn split_again(
    vertices: &[Vec3],
    (triangles, faces): (&mut Vec<[u32; 3]>, &mut Vec<u32>),
    mut crossing: impl FnMut(u32, usize),
) {
    let mut splitter = FaceSplitter::default();
    let (mut cut, mut faces_of_cut) = (Vec::new(), Vec::new());
    let (mut corners, mut places) = (Vec::new(), Vec::new());
    let (mut rest, mut n_kept) = (&triangles[..], 0);
    for face in faces.chunk_by(|a, b| a == b) {
        let fan;
        (fan, rest) = rest.split_at(face.len());
        let numbers = [fan[0][0], fan[0][1]].into_iter().chain(fan.iter().map(|ear| ear[2]));
        corners.clear();
        corners.extend(numbers);
        places.clear();
        places.extend(corners.iter().map(|&corner| vertices[corner as usize]));
        let (split, is_exact) = splitter.split(&places);
        if !is_exact {
            crossing(face[0], corners.len());
        }
        let ears = match split {
            // Nothing is copied before the first face that is no fan.
            Split::Fan if cut.is_empty() => {
                n_kept += fan.len();
                continue;
            }
            Split::Fan => {
                cut.extend(fan);
                fan.len()
            }
            Split::Ears(ears) => {
                cut.extend(ears.iter().map(|ear| ear.map(|corner| corners[corner as usize])));
                ears.len()
            }
        };
        faces_of_cut.extend(std::iter::repeat_n(face[0], ears));
    }
    triangles.truncate(n_kept);
    triangles.append(&mut cut);
    faces.truncate(n_kept);
    faces.append(&mut faces_of_cut);
}

/// Returns the normals of the triangles of a fan from the first corner, each twice as long as the area.
fn fan_normals(corners: &[Vec3]) -> impl Iterator<Item = DVec3> {
    let origin = corners[0].as_dvec3();
    let from_origin = move |corner: Vec3| corner.as_dvec3() - origin;
    corners[1..].windows(2).map(move |edge| from_origin(edge[0]).cross(from_origin(edge[1])))
}

/// Returns the normal of a face, twice as long as its area.
fn normal(corners: &[Vec3]) -> DVec3 {
    fan_normals(corners).sum()
}

/// Returns whether all triangles of a fan from the first corner look in the direction of the face, or have no area.
fn is_fan(corners: &[Vec3], normal: DVec3) -> bool {
    let area = normal.length_squared();
    let mut normals = fan_normals(corners);
    if area == 0.0 {
        return normals.all(|of_triangle| of_triangle == DVec3::ZERO);
    }
    normals.all(|of_triangle| of_triangle.dot(normal) >= -ROUNDING * area)
}

/// Returns the corners in the plane of the face, seen from its front.
fn flattened(corners: &[Vec3], normal: DVec3) -> impl Iterator<Item = DVec2> {
    let (across, along) = normal.normalize_or(DVec3::Y).any_orthonormal_pair();
    let origin = corners[0].as_dvec3();
    corners.iter().map(move |corner| {
        let at = corner.as_dvec3() - origin;
        DVec2::new(at.dot(across), at.dot(along))
    })
}

/// Returns twice the area of a triangle, negative if its corners are in clockwise order.
fn double_area([a, b, c]: [DVec2; 3]) -> f64 {
    (b - a).perp_dot(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a face of corners in the plane of x and z, in the order that looks up.
    fn face(corners: &[[f32; 2]]) -> Vec<Vec3> {
        corners.iter().rev().map(|&[x, z]| Vec3::new(x, 0.0, z)).collect()
    }

    /// Returns whether the triangles cover exactly the inside, and their areas, negative if they look down.
    fn areas(corners: &[Vec3]) -> (bool, Vec<f64>) {
        let mut splitter = FaceSplitter::default();
        let (split, is_exact) = splitter.split(corners);
        let triangles: Vec<[u32; 3]> = match split {
            Split::Fan => {
                (2..u32::try_from(corners.len()).unwrap()).map(|n| [0, n - 1, n]).collect()
            }
            Split::Ears(ears) => ears.to_vec(),
        };
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| corners[corner as usize].as_dvec3());
            (b - a).cross(c - a).y / 2.0
        };
        (is_exact, triangles.iter().map(area).collect())
    }

    #[track_caller]
    fn check(corners: &[[f32; 2]], expected: f64) {
        let corners = face(corners);
        for turn in 0..corners.len() {
            let mut turned = corners.clone();
            turned.rotate_left(turn);
            let (is_exact, areas) = areas(&turned);
            assert!(is_exact && areas.iter().all(|area| *area >= 0.0), "{turn}: {areas:?}");
            assert!((areas.iter().sum::<f64>() - expected).abs() < 1e-3, "{turn}: {areas:?}");
            // The back of the face looks down.
            turned.reverse();
            let (is_exact, areas) = self::areas(&turned);
            assert!(is_exact && areas.iter().all(|area| *area <= 0.0), "{turn}: {areas:?}");
        }
    }

    #[test]
    fn triangles_cover_exactly_the_inside() {
        check(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]], 12.0);
        let arrow = [[0.0, 0.0], [4.0, 4.0], [0.0, 8.0], [1.0, 4.0]];
        check(&arrow, 12.0);
        let ell = [[0.0, 0.0], [6.0, 0.0], [6.0, 2.0], [2.0, 2.0], [2.0, 6.0], [0.0, 6.0]];
        check(&ell, 20.0);
        let points_on_edges = [
            [0.0, 0.0],
            [3.0, 0.0],
            [6.0, 0.0],
            [6.0, 2.0],
            [4.0, 2.0],
            [2.0, 2.0],
            [2.0, 6.0],
            [0.0, 6.0],
        ];
        check(&points_on_edges, 20.0);
        let tee = [
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 3.0],
            [6.0, 3.0],
            [6.0, 9.0],
            [3.0, 9.0],
            [3.0, 3.0],
            [0.0, 3.0],
        ];
        check(&tee, 45.0);
        // A square with a square hole; two edges at the same place lead to the hole and back.
        let frame = [
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 9.0],
            [0.0, 9.0],
            [0.0, 0.0],
            [3.0, 3.0],
            [3.0, 6.0],
            [6.0, 6.0],
            [6.0, 3.0],
            [3.0, 3.0],
        ];
        check(&frame, 72.0);
    }

    #[test]
    fn fans_keep_their_order() {
        let mut splitter = FaceSplitter::default();
        let square = face(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]]);
        assert_eq!(splitter.split(&square), (Split::Fan, true));
        // The corners of a quad of terrain are not in one plane.
        let bent = [[0.0, 0.0, 0.0], [0.0, 3.0, 4.0], [4.0, 0.0, 4.0], [4.0, 3.0, 0.0]];
        assert_eq!(splitter.split(&bent.map(Vec3::from_array)), (Split::Fan, true));
        // A concave face, all of which is seen from its first corner.
        let corners = [[1.0, 4.0], [0.0, 0.0], [4.0, 4.0], [0.0, 8.0]];
        let mut seen = face(&corners);
        seen.rotate_right(1);
        assert_eq!(splitter.split(&seen), (Split::Fan, true));
        let nowhere = vec![Vec3::ONE; 5];
        assert_eq!(splitter.split(&nowhere), (Split::Fan, true));
    }

    #[test]
    fn faces_that_cross_themselves_and_too_much_work_are_said() {
        let bow = face(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 5.0]]);
        assert!(!areas(&bow).0);
        let mut splitter = FaceSplitter { n_work: MAX_WORK, ..FaceSplitter::default() };
        let mut arrow = face(&[[0.0, 0.0], [4.0, 4.0], [0.0, 8.0], [1.0, 4.0]]);
        arrow.rotate_left(1);
        assert_eq!(splitter.split(&arrow), (Split::Fan, false));
    }
}
