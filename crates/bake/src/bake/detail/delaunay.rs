//! Delaunay triangulation of the samples in and around a polygon.
//!
//! For the open side of each edge, the point is searched whose circle through the ends of the edge contains no other
//! point. Among points on one circle, the later one is used if its new edges cross no edge.
//!
//! A new sample leaves most triangles unchanged, so each edge stores the state of its search, which is continued.
//!
//! Source: `delaunayHull` and `completeFacet`, which evaluate all points again each time, and search a list of edges
//! instead of a table.

use std::num::NonZeroU16;

use glam::Vec3;

use super::{plane, vertex_index};

/// Points closer to the line of an edge form no triangle with it. Twice the area, in square meters.
const MIN_DOUBLED_AREA: f32 = 1e-5;
/// Smaller triangles have no circle. Twice the area, in square meters.
const MIN_CIRCLE_DOUBLED_AREA: f32 = 1e-6;
/// Points at this distance from a circle count as on it. A fraction of its radius.
const ON_CIRCLE: f32 = 0.001;
/// Maximum number of edges per point. More edges mean that triangles overlap.
const MAX_EDGES_PER_POINT: usize = 10;

/// Initial capacity for pairs.
const MIN_PAIRS: usize = 64;

/// One side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Not known yet.
    Open,
    /// Nothing.
    Hull,
    /// The triangle with this number.
    Face(u16),
}

/// An edge with its two sides, in the direction from its first end to its second.
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [u8; 2],
    left: Side,
    right: Side,
}

/// The result of a triangulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every triangle has three edges.
    Sound,
    /// Some triangles lacked an edge and were omitted.
    Holes,
}

/// Triangulates points, with buffers that are reused for each polygon.
#[derive(Debug, Default)]
pub(super) struct Delaunay {
    edges: Vec<Edge>,
    n_faces: u16,
    faces: Vec<[Option<u8>; 3]>,
    /// Pairs of points that were the ends of an edge since [`Delaunay::begin`], one per direction.
    pairs: Vec<Pair>,
    /// Index of each pair, at its [`slot`].
    pair_at: Vec<Option<PairIndex>>,
}

/// One more than the index of a pair.
type PairIndex = NonZeroU16;

/// An ordered pair of points.
#[derive(Clone, Copy, Debug)]
struct Pair {
    ends: [u8; 2],
    /// Index of the edge between them, if this run has one.
    edge: Option<NonZeroU16>,
    search: ApexSearch,
}

/// The part of the search for the best point on the left of an edge that depends only on the points.
#[derive(Clone, Copy, Debug, Default)]
struct ApexSearch {
    /// Number of evaluated points, from the first on.
    n_seen: u8,
    /// The best one so far.
    apex: Option<u8>,
    /// The circle through the edge's ends and the best point.
    circle: Circle,
}

impl Delaunay {
    /// Begins a polygon. Must be called before the first [`Delaunay::run`].
    pub(super) fn begin(&mut self) {
        self.edges.clear();
        for pair in self.pairs.drain(..) {
            self.pair_at[slot(pair.ends)] = None;
        }
    }

    /// Triangulates `points` inside `hull`, the points around a polygon in order, and stores the result in `triangles`.
    ///
    /// `points` must begin with the points of the last run since [`Delaunay::begin`].
    pub(super) fn run(
        &mut self,
        points: &[Vec3],
        hull: &[u8],
        triangles: &mut Vec<[u8; 3]>,
    ) -> Outcome {
        self.clear();
        let n_slots = points.len() * points.len();
        if self.pair_at.capacity() < n_slots {
            // With doubling, up to half of the capacity would be unused.
            self.pair_at.reserve_exact(n_slots - self.pair_at.len() + n_slots / 4);
        }
        self.pair_at.resize(n_slots.max(self.pair_at.len()), None);
        let mut before = hull[hull.len() - 1];
        for &vertex in hull {
            self.add_edge(points.len(), [before, vertex], Side::Hull);
            before = vertex;
        }
        let mut at = 0;
        while at < self.edges.len() {
            if self.edges[at].left == Side::Open {
                self.complete(points, at);
            }
            if self.edges[at].right == Side::Open {
                self.complete(points, at);
            }
            at += 1;
        }
        self.collect(triangles)
    }

    fn clear(&mut self) {
        self.edges.clear();
        self.pairs.iter_mut().for_each(|pair| pair.edge = None);
        self.n_faces = 0;
    }

    /// Returns the pair from the first to the second point.
    fn pair(&mut self, ends: [u8; 2]) -> &mut Pair {
        let index = self.pair_at[slot(ends)].unwrap_or_else(|| {
            if self.pairs.len() == self.pairs.capacity() {
                self.pairs.reserve_exact((self.pairs.len() / 4).max(MIN_PAIRS));
            }
            self.pairs.push(Pair { ends, edge: None, search: ApexSearch::default() });
            let index = one_more(self.pairs.len() - 1);
            self.pair_at[slot(ends)] = Some(index);
            index
        });
        &mut self.pairs[usize::from(index.get()) - 1]
    }

    /// Returns the index of the edge between two points.
    fn edge_between(&self, ends: [u8; 2]) -> Option<usize> {
        let index = self.pair_at[slot(ends)]?;
        let edge = self.pairs[usize::from(index.get()) - 1].edge?;
        Some(usize::from(edge.get()) - 1)
    }

    /// Adds an edge whose right side is open, unless it exists or there are too many.
    fn add_edge(&mut self, n_points: usize, [a, b]: [u8; 2], left: Side) {
        if self.edges.len() >= n_points * MAX_EDGES_PER_POINT || self.edge_between([a, b]).is_some()
        {
            return;
        }
        let index = one_more(self.edges.len());
        self.pair([a, b]).edge = Some(index);
        self.pair([b, a]).edge = Some(index);
        self.edges.push(Edge { ends: [a, b], left, right: Side::Open });
    }

    /// Sets the side on the left of the edge with index `edge`, in the direction from `a` to `b`, if it is open.
    fn close(&mut self, edge: usize, [a, b]: [u8; 2], side: Side) {
        let edge = &mut self.edges[edge];
        if edge.ends == [a, b] && edge.left == Side::Open {
            edge.left = side;
        } else if edge.ends == [b, a] && edge.right == Side::Open {
            edge.right = side;
        }
    }

    /// Finds the first open side of an edge, and closes it.
    fn complete(&mut self, points: &[Vec3], edge: usize) {
        let Edge { ends: [a, b], left, .. } = self.edges[edge];
        let [a, b] = if left == Side::Open { [a, b] } else { [b, a] };
        let Some(apex) = self.find_apex(points, [a, b]) else {
            self.close(edge, [a, b], Side::Hull);
            return;
        };
        let face = Side::Face(self.n_faces);
        self.n_faces += 1;
        self.close(edge, [a, b], face);
        for ends in [[apex, a], [b, apex]] {
            match self.edge_between(ends) {
                Some(known) => self.close(known, ends, face),
                None => self.add_edge(points.len(), ends, face),
            }
        }
    }

    /// Returns the point on the left of the line from `a` to `b` that forms the best triangle with it.
    fn find_apex(&mut self, points: &[Vec3], [a, b]: [u8; 2]) -> Option<u8> {
        let mut search = self.pair([a, b]).search;
        let (from, to) = (points[usize::from(a)], points[usize::from(b)]);
        // Ties depend on edges that may change, so the state is not stored after a tie.
        let mut lasting = None;
        for candidate in search.n_seen..vertex_index(points.len()) {
            let point = points[usize::from(candidate)];
            if candidate != a && candidate != b && plane::cross(from, to, point) > MIN_DOUBLED_AREA
            {
                let location =
                    search.apex.map_or(Location::Inside, |_| search.circle.locate(point));
                if matches!(location, Location::On) {
                    lasting.get_or_insert(search);
                }
                if self.is_better(points, location, [a, b], candidate) {
                    search.apex = Some(candidate);
                    search.circle = Circle::through(from, to, point);
                }
            }
            search.n_seen = candidate + 1;
        }
        self.pair([a, b]).search = lasting.unwrap_or(search);
        search.apex
    }

    /// Returns whether a candidate for the edge from `a` to `b` replaces the current one.
    fn is_better(
        &self,
        points: &[Vec3],
        location: Location,
        [a, b]: [u8; 2],
        candidate: u8,
    ) -> bool {
        match location {
            Location::Outside => false,
            Location::Inside => true,
            Location::On => {
                !self.crosses_any(points, [a, candidate])
                    && !self.crosses_any(points, [b, candidate])
            }
        }
    }

    /// Returns whether the line between two points crosses an edge that ends at neither of them.
    fn crosses_any(&self, points: &[Vec3], line: [u8; 2]) -> bool {
        self.edges.iter().any(|edge| {
            !edge.ends.iter().any(|end| line.contains(end))
                && crosses(segment(points, edge.ends), segment(points, line))
        })
    }

    /// Assembles the triangles from their edges.
    fn collect(&mut self, triangles: &mut Vec<[u8; 3]>) -> Outcome {
        self.faces.clear();
        self.faces.resize(usize::from(self.n_faces), [None; 3]);
        for &Edge { ends: [a, b], left, right } in &self.edges {
            for (side, from, to) in [(right, a, b), (left, b, a)] {
                if let Side::Face(face) = side {
                    extend(&mut self.faces[usize::from(face)], from, to);
                }
            }
        }
        let mut outcome = Outcome::Sound;
        triangles.clear();
        let mut i = 0;
        while i < self.faces.len() {
            if let [Some(a), Some(b), Some(c)] = self.faces[i] {
                triangles.push([a, b, c]);
                i += 1;
            } else {
                self.faces.swap_remove(i);
                outcome = Outcome::Holes;
            }
        }
        outcome
    }
}

/// Returns the number of an ordered pair of points, below n² for the first n points. So tables grow with the number of
/// points, and no entry moves.
fn slot(ends: [u8; 2]) -> usize {
    let [a, b] = ends.map(usize::from);
    if a < b { b * b + a } else { a * a + a + b }
}

/// Returns an index plus one, so that an optional index has the same size.
#[expect(clippy::cast_possible_truncation, reason = "127 points have at most 16,129 pairs")]
const fn one_more(index: usize) -> NonZeroU16 {
    NonZeroU16::MIN.saturating_add(index as u16)
}

/// Adds the vertices of an edge to a triangle that may have some of them.
fn extend(face: &mut [Option<u8>; 3], from: u8, to: u8) {
    match *face {
        [None, ..] => *face = [Some(from), Some(to), face[2]],
        [Some(first), ..] if first == to => face[2] = Some(from),
        [_, Some(second), _] if second == from => face[2] = Some(to),
        _ => {}
    }
}

fn segment(points: &[Vec3], [a, b]: [u8; 2]) -> [Vec3; 2] {
    [points[usize::from(a)], points[usize::from(b)]]
}

/// Returns whether the interiors of two segments intersect, seen from above.
fn crosses([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> bool {
    let abd = plane::cross(a, b, d);
    let abc = plane::cross(a, b, c);
    if abd * abc >= 0.0 {
        return false;
    }
    let cda = plane::cross(c, d, a);
    let cdb = cda + abc - abd;
    cda * cdb < 0.0
}

/// A circle seen from above.
#[derive(Clone, Copy, Debug, Default)]
struct Circle {
    x: f32,
    z: f32,
    radius: f32,
}

#[derive(Clone, Copy, Debug)]
enum Location {
    Inside,
    On,
    Outside,
}

impl Circle {
    /// Returns the circle through three points; a circle without radius if they are on a line.
    ///
    /// Source: `circumCircle`.
    fn through(a: Vec3, b: Vec3, c: Vec3) -> Self {
        // Relative to `a`, because coordinates may be large compared with the triangle.
        let [bx, bz] = [b.x - a.x, b.z - a.z];
        let [cx, cz] = [c.x - a.x, c.z - a.z];
        let doubled_area = bx * cz - bz * cx;
        if doubled_area.abs() <= MIN_CIRCLE_DOUBLED_AREA {
            return Self { x: a.x, z: a.z, radius: 0.0 };
        }
        let b_squared = bx * bx + bz * bz;
        let c_squared = cx * cx + cz * cz;
        let x = (b_squared * cz - c_squared * bz) / (2.0 * doubled_area);
        let z = (c_squared * bx - b_squared * cx) / (2.0 * doubled_area);
        Self { x: x + a.x, z: z + a.z, radius: (x * x + z * z).sqrt() }
    }

    fn locate(&self, point: Vec3) -> Location {
        let distance = plane::distance(Vec3::new(self.x, 0.0, self.z), point);
        if distance > self.radius * (1.0 + ON_CIRCLE) {
            Location::Outside
        } else if distance < self.radius * (1.0 - ON_CIRCLE) {
            Location::Inside
        } else {
            Location::On
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(xz: &[(f32, f32)]) -> Vec<Vec3> {
        xz.iter().map(|&(x, z)| Vec3::new(x, 0.0, z)).collect()
    }

    #[test]
    fn a_point_inside_a_square_makes_four_triangles() {
        let points = points(&[(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0), (1.9, 2.1)]);
        let mut triangles = Vec::new();
        let mut delaunay = Delaunay::default();
        delaunay.begin();
        let outcome = delaunay.run(&points, &[3, 0, 1, 2], &mut triangles);
        assert_eq!((outcome, triangles.len()), (Outcome::Sound, 4));
        assert!(triangles.iter().all(|t| t.contains(&4)));
    }

    #[test]
    fn triangles_cover_the_hull_and_hold_no_other_point() {
        let mut xz = vec![(0.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 0.0)];
        let scatter = |i: u8| {
            let i = f32::from(i);
            (1.0 + (i * 3.7) % 8.0, 1.0 + (i * 5.3) % 8.0)
        };
        xz.extend((1..40).map(scatter));
        let points = points(&xz);
        let mut triangles = Vec::new();
        let mut delaunay = Delaunay::default();
        for _ in 0..2 {
            delaunay.begin();
            let outcome = delaunay.run(&points, &[3, 0, 1, 2], &mut triangles);
            assert_eq!(outcome, Outcome::Sound);
            let area: f32 = triangles
                .iter()
                .map(|t| t.map(|i| points[usize::from(i)]))
                .map(|[a, b, c]| plane::cross(a, b, c).abs() / 2.0)
                .sum();
            assert!((area - 100.0).abs() < 1e-3, "{area}");
            for t in &triangles {
                let [a, b, c] = t.map(|i| points[usize::from(i)]);
                let circle = Circle::through(a, b, c);
                assert!(!points.iter().any(|&p| matches!(circle.locate(p), Location::Inside)));
            }
        }
    }

    #[test]
    fn continuing_from_earlier_points_gives_the_same_result() {
        // Points on a grid lie on common circles, so that ties abound.
        let mut xz = vec![(0.0, 0.0), (0.0, 12.0), (12.0, 12.0), (12.0, 0.0)];
        xz.extend((0..80_u8).map(|i| (f32::from(i % 9) + 1.5, f32::from(i / 9) + 1.5)));
        xz.dedup();
        let points = points(&xz);
        let hull = [3, 0, 1, 2];
        let mut grown = Delaunay::default();
        grown.begin();
        let [mut by_growing, mut afresh] = [Vec::new(), Vec::new()];
        for n in 5..points.len() {
            grown.run(&points[..n], &hull, &mut by_growing);
            let mut fresh = Delaunay::default();
            fresh.begin();
            fresh.run(&points[..n], &hull, &mut afresh);
            assert_eq!(by_growing, afresh, "{n} points");
        }
    }
}
