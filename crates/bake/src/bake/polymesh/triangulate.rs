//! Triangulates an outline by clipping ears, shortest cut first.
//!
//! Source: `triangulate` of `RecastMesh.cpp`, after O'Rourke, *Computational Geometry in C*, chapter 1.

use walkable_runtime::monitor::Cancelled;

use crate::bake::{
    lattice::{Cone, Point, is_left_or_on, segments_cross, segments_touch},
    pulse::Pulse,
};

/// How much of an outline the triangles cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(in crate::bake) enum Coverage {
    /// The triangles cover the outline.
    Full,
    /// The outline overlaps itself in places; triangles there may overlap or have the opposite winding.
    Overlapping,
    /// The outline crosses itself so that there was no ear left; the triangles cover a part of it.
    Partial,
}

/// What to do if an outline overlaps itself, so that there is no ear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::bake) enum NoEars {
    /// Clip corners whose cut only touches other edges.
    #[default]
    CutLoosely,
    /// Leave the rest uncovered.
    GiveUp,
}

/// A corner of the remaining outline.
#[derive(Clone, Copy, Debug)]
struct Corner {
    point: Point,
    /// Position in the original outline.
    index: usize,
    /// Whether the line from the previous to the next corner is a diagonal inside the outline.
    is_ear: bool,
}

/// Triangulates outlines, with reusable buffers.
#[derive(Debug, Default)]
pub(super) struct Triangulator {
    ring: Vec<Corner>,
    triangles: Vec<[usize; 3]>,
    no_ears: NoEars,
}

impl Triangulator {
    pub(super) fn new(no_ears: NoEars) -> Self {
        Self { no_ears, ..Self::default() }
    }

    /// Returns the triangles of the last outline, as positions in it, counter-clockwise seen from above.
    pub(super) fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// Triangulates an outline of corners, counter-clockwise seen from above. Holes are joined to it by bridges. The
    /// time is quadratic in the number of corners.
    pub(super) fn run(
        &mut self,
        outline: impl Iterator<Item = Point>,
        pulse: &mut Pulse<'_>,
    ) -> Result<Coverage, Cancelled> {
        let corner = |(index, point)| Corner { point, index, is_ear: false };
        self.ring.clear();
        self.ring.extend(outline.enumerate().map(corner));
        self.triangles.clear();
        if self.ring.len() < 3 {
            return Ok(Coverage::Partial);
        }
        for ear in 0..self.ring.len() {
            pulse.steps(self.n_corners())?;
            self.mark_ear(ear);
        }
        let mut coverage = Coverage::Full;
        while self.ring.len() > 3 {
            pulse.steps(self.n_corners())?;
            let mut ear = self.shortest_ear();
            if ear.is_none() {
                coverage = Coverage::Overlapping;
                if self.no_ears == NoEars::CutLoosely {
                    ear = self.shortest_loose_ear(pulse)?;
                }
            }
            let Some(ear) = ear else { return Ok(Coverage::Partial) };
            self.clip(ear);
        }
        let last = [self.ring[0], self.ring[1], self.ring[2]];
        self.triangles.push(last.map(|corner| corner.index));
        let [a, b, c] = last.map(|corner| corner.point);
        Ok(if is_left_or_on(a, b, c) { coverage } else { Coverage::Overlapping })
    }

    /// Returns the number of corners of the remaining outline; all outlines together have fewer than 65,536.
    fn n_corners(&self) -> u32 {
        u32::try_from(self.ring.len()).unwrap_or(u32::MAX)
    }

    fn after(&self, i: usize) -> usize {
        if i + 1 < self.ring.len() { i + 1 } else { 0 }
    }

    fn before(&self, i: usize) -> usize {
        if i > 0 { i - 1 } else { self.ring.len() - 1 }
    }

    fn mark_ear(&mut self, i: usize) {
        self.ring[i].is_ear = self.is_diagonal(self.before(i), self.after(i));
    }

    /// Returns the ear with the shortest cut; if several are equal, the first in the order of the corners
    /// before the ears.
    fn shortest_ear(&self) -> Option<usize> {
        let cut = |&ear: &usize| {
            let [from, to] = [self.before(ear), self.after(ear)];
            self.ring[from].point.distance_squared(self.ring[to].point)
        };
        self.ears().filter(|&ear| self.ring[ear].is_ear).min_by_key(cut)
    }

    /// Like [`Triangulator::shortest_ear`], for outlines that overlap themselves and have no ear: a cut may touch other
    /// edges, and the compared length is that to the corner after the end of the cut.
    fn shortest_loose_ear(&self, pulse: &mut Pulse<'_>) -> Result<Option<usize>, Cancelled> {
        let reach = |&ear: &usize| {
            let [from, beyond] = [self.before(ear), self.after(self.after(ear))];
            self.ring[from].point.distance_squared(self.ring[beyond].point)
        };
        let mut shortest = None;
        for ear in self.ears() {
            pulse.steps(self.n_corners())?;
            if self.is_loose_diagonal(self.before(ear), self.after(ear)) {
                shortest = [shortest, Some(ear)].into_iter().flatten().min_by_key(reach);
            }
        }
        Ok(shortest)
    }

    /// Returns all corners, beginning with the one after corner 0.
    fn ears(&self) -> impl Iterator<Item = usize> + use<> {
        (1..self.ring.len()).chain([0])
    }

    /// Clips the corner `ear`, and updates the corners beside it.
    fn clip(&mut self, ear: usize) {
        let corners = [self.before(ear), ear, self.after(ear)];
        self.triangles.push(corners.map(|i| self.ring[i].index));
        self.ring.remove(ear);
        let after = if ear < self.ring.len() { ear } else { 0 };
        self.mark_ear(self.before(after));
        self.mark_ear(after);
    }

    fn cone(&self, i: usize) -> Cone {
        let [before, at, after] = [self.before(i), i, self.after(i)].map(|i| self.ring[i].point);
        Cone { before, at, after }
    }

    fn is_diagonal(&self, i: usize, j: usize) -> bool {
        self.cone(i).contains(self.ring[j].point) && !self.is_blocked(i, j, segments_touch)
    }

    fn is_loose_diagonal(&self, i: usize, j: usize) -> bool {
        self.cone(i).contains_or_touches(self.ring[j].point)
            && !self.is_blocked(i, j, segments_cross)
    }

    /// Returns whether the line between corners `i` and `j` meets an edge, except edges at its ends.
    fn is_blocked(&self, i: usize, j: usize, meets: fn([Point; 2], [Point; 2]) -> bool) -> bool {
        let line = [self.ring[i].point, self.ring[j].point];
        let mut from = self.ring.len() - 1;
        (0..self.ring.len()).any(|to| {
            let edge = [self.ring[from].point, self.ring[to].point];
            from = to;
            !line.contains(&edge[0]) && !line.contains(&edge[1]) && meets(line, edge)
        })
    }
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::lattice::signed_area;

    fn points(corners: &[(i32, i32)]) -> Vec<Point> {
        corners.iter().map(|&(x, z)| Point::new(x, z)).collect()
    }

    /// Returns twice the area, positive if the corners are counter-clockwise seen from above.
    fn doubled_area(corners: &[Point]) -> i64 {
        (1..corners.len() - 1).map(|i| -signed_area(corners[0], corners[i], corners[i + 1])).sum()
    }

    fn run(triangulator: &mut Triangulator, outline: &[Point]) -> Coverage {
        triangulator.run(outline.iter().copied(), &mut Pulse::new(&Unmonitored)).unwrap()
    }

    #[track_caller]
    fn check(corners: &[(i32, i32)], expected: Coverage) {
        let outline = points(corners);
        let mut triangulator = Triangulator::default();
        assert_eq!(run(&mut triangulator, &outline), expected);
        let areas = triangulator.triangles().iter().map(|t| doubled_area(&t.map(|i| outline[i])));
        let areas: Vec<i64> = areas.collect();
        assert!(areas.iter().all(|&a| a >= 0), "{areas:?}");
        if expected != Coverage::Partial {
            assert_eq!(areas.iter().sum::<i64>(), doubled_area(&outline));
            assert_eq!(areas.len(), corners.len() - 2);
        }
    }

    #[test]
    fn convex_and_concave_outlines_are_covered() {
        check(&[(0, 0), (0, 4), (4, 4)], Coverage::Full);
        check(&[(0, 0), (0, 4), (4, 4), (4, 0)], Coverage::Full);
        check(&[(0, 0), (0, 6), (6, 6), (6, 4), (2, 4), (2, 0)], Coverage::Full);
        check(&[(0, 0), (0, 9), (9, 9), (9, 0), (6, 6), (3, 2)], Coverage::Full);
    }

    #[test]
    fn corners_on_a_straight_edge_are_used() {
        check(&[(0, 0), (0, 2), (0, 4), (4, 4), (4, 0), (2, 0)], Coverage::Full);
    }

    #[test]
    fn a_bridged_hole_stays_open() {
        let outline = [(0, 0), (0, 6), (6, 6), (6, 0), (0, 0)];
        let hole = [(2, 2), (4, 2), (4, 4), (2, 4), (2, 2)];
        check(&[outline, hole].concat(), Coverage::Full);
    }

    #[test]
    fn the_shortest_cut_comes_first() {
        let mut triangulator = Triangulator::default();
        let outline = points(&[(0, 0), (0, 10), (9, 10), (10, 9), (10, 0)]);
        assert_eq!(run(&mut triangulator, &outline), Coverage::Full);
        assert_eq!(triangulator.triangles()[0], [1, 2, 3]);
    }

    #[test]
    fn an_outline_that_comes_back_on_itself_is_covered() {
        let spike = [(0, 0), (0, 4), (4, 4), (8, 4), (4, 4), (4, 0)];
        check(&spike, Coverage::Overlapping);
    }

    #[test]
    fn an_outline_turned_over_is_reported() {
        let mut triangulator = Triangulator::default();
        let outline = points(&[(9, 8), (0, 9), (16, 7)]);
        assert_eq!(run(&mut triangulator, &outline), Coverage::Overlapping);
    }

    #[test]
    fn an_outline_inside_out_is_reported() {
        check(&[(0, 0), (4, 0), (4, 4), (0, 4)], Coverage::Partial);
        check(&[(0, 0), (4, 0)], Coverage::Partial);
    }
}
