//! Merges triangles to convex polygons by removing the edges between them, longest first.
//!
//! Source: the merge loop of `rcBuildPolyMesh` with `getPolyMergeValue`, which evaluates all pairs after each merge.
//! Here every polygon stores its best partner, with the same results.

use arrayvec::ArrayVec;
use walkable_runtime::{ids::RegionId, monitor::Cancelled};

use super::MAX_VERTS_PER_POLY;
use crate::bake::{
    RawArea,
    lattice::{Point, is_left},
    pulse::Pulse,
};

/// A polygon that may be merged.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bake) struct Piece {
    /// Corner indices, counter-clockwise seen from above.
    pub(in crate::bake) corners: ArrayVec<u16, MAX_VERTS_PER_POLY>,
    /// The region; [`RegionId::NONE`] if it covers several.
    pub(in crate::bake) region: RegionId,
    pub(in crate::bake) area: RawArea,
}

impl Piece {
    pub(super) fn triangle(corners: [u16; 3], region: RegionId, area: RawArea) -> Self {
        Self { corners: corners.into_iter().collect(), region, area }
    }

    /// Returns corner `i`, modulo the number of corners.
    pub(in crate::bake) fn corner(&self, i: usize) -> u16 {
        self.corners[i % self.corners.len()]
    }

    /// Returns all corners except the start of edge `edge`, beginning with its end.
    fn corners_after(&self, edge: usize) -> impl Iterator<Item = u16> {
        (1..self.corners.len()).map(move |i| self.corner(edge + i))
    }
}

/// A partner for a polygon, and the edge that the merge would remove.
#[derive(Clone, Copy, Debug)]
struct MergeCandidate {
    partner: usize,
    seam: Seam,
}

/// An edge between two polygons whose union is convex.
#[derive(Clone, Copy, Debug)]
struct Seam {
    edges: [usize; 2],
    length_squared: i64,
}

/// Merges polygons, with a buffer that is reused for each set.
#[derive(Debug, Default)]
pub(super) struct Merger {
    /// Per polygon, the best partner after it, the first if several are equal.
    candidates: Vec<Option<MergeCandidate>>,
}

impl Merger {
    /// Merges `pieces` over their longest common edges until no union is convex with at most `max_corners`. A merged
    /// piece replaces the first one, and the last piece replaces the second one.
    pub(super) fn run(
        &mut self,
        pieces: &mut Vec<Piece>,
        vertices: &[[u16; 3]],
        max_corners: usize,
        pulse: &mut Pulse<'_>,
    ) -> Result<(), Cancelled> {
        let mut all = usize::MAX;
        self.run_until(pieces, vertices, max_corners, &mut all, pulse)
    }

    /// Like [`Merger::run`], but merges at most `left` times, and reduces `left` by the number of merges.
    pub(super) fn run_until(
        &mut self,
        pieces: &mut Vec<Piece>,
        vertices: &[[u16; 3]],
        max_corners: usize,
        left: &mut usize,
        pulse: &mut Pulse<'_>,
    ) -> Result<(), Cancelled> {
        if max_corners <= 3 {
            return Ok(());
        }
        let shape = Shape { vertices, max_corners };
        self.candidates.clear();
        for i in 0..pieces.len() {
            pulse.steps(n_pieces(pieces))?;
            self.candidates.push(shape.best_candidate(pieces, i));
        }
        while *left > 0 {
            pulse.steps(n_pieces(pieces))?;
            let Some((first, candidate)) = self.longest() else { break };
            *left -= 1;
            let second = candidate.partner;
            merge(pieces, first, second, candidate.seam);
            self.candidates.swap_remove(second);
            for i in 0..pieces.len() {
                self.candidates[i] = self.offer_after_merge(shape, pieces, i, [first, second]);
            }
        }
        Ok(())
    }

    /// Returns the best candidate of piece `i` after `first` and `second` were merged. Both indices have other pieces
    /// than before, and the last index does not exist any more.
    fn offer_after_merge(
        &self,
        shape: Shape<'_>,
        pieces: &[Piece],
        i: usize,
        [first, second]: [usize; 2],
    ) -> Option<MergeCandidate> {
        let gone = pieces.len();
        let old = self.candidates[i];
        if [first, second].contains(&i)
            || old.is_some_and(|o| [first, second, gone].contains(&o.partner))
        {
            return shape.best_candidate(pieces, i);
        }
        [first, second]
            .into_iter()
            .filter(|&partner| i < partner && partner < gone)
            .fold(old, |best, partner| better(best, shape.candidate(pieces, i, partner)))
    }

    /// Returns the polygon with the longest seam, the first if several are equal.
    fn longest(&self) -> Option<(usize, MergeCandidate)> {
        let mut best: Option<(usize, MergeCandidate)> = None;
        for (i, candidate) in self.candidates.iter().enumerate() {
            let Some(candidate) = *candidate else { continue };
            if best.is_none_or(|(_, b)| candidate.seam.length_squared > b.seam.length_squared) {
                best = Some((i, candidate));
            }
        }
        best
    }
}

fn n_pieces(pieces: &[Piece]) -> u32 {
    u32::try_from(pieces.len()).unwrap_or(u32::MAX)
}

/// Returns the candidate with the longer seam; if both are equal, that with the smaller partner.
fn better(a: Option<MergeCandidate>, b: Option<MergeCandidate>) -> Option<MergeCandidate> {
    let rank = |o: &MergeCandidate| (o.seam.length_squared, std::cmp::Reverse(o.partner));
    [a, b].into_iter().flatten().max_by_key(rank)
}

/// Joins piece `second` to piece `first` over `seam`.
fn merge(pieces: &mut Vec<Piece>, first: usize, second: usize, seam: Seam) {
    let [a, b] = [&pieces[first], &pieces[second]];
    let corners = a.corners_after(seam.edges[0]).chain(b.corners_after(seam.edges[1])).collect();
    let region = if a.region == b.region { a.region } else { RegionId::NONE };
    pieces[first] = Piece { corners, region, area: a.area };
    pieces.swap_remove(second);
}

/// The conditions of a merge.
#[derive(Clone, Copy)]
struct Shape<'a> {
    vertices: &'a [[u16; 3]],
    max_corners: usize,
}

impl Shape<'_> {
    fn best_candidate(self, pieces: &[Piece], i: usize) -> Option<MergeCandidate> {
        let mut best: Option<MergeCandidate> = None;
        for partner in i + 1..pieces.len() {
            let Some(candidate) = self.candidate(pieces, i, partner) else { continue };
            if best.is_none_or(|b| candidate.seam.length_squared > b.seam.length_squared) {
                best = Some(candidate);
            }
        }
        best
    }

    fn candidate(self, pieces: &[Piece], i: usize, partner: usize) -> Option<MergeCandidate> {
        let seam = self.seam(&pieces[i], &pieces[partner])?;
        Some(MergeCandidate { partner, seam })
    }

    /// Returns the last common edge of two polygons, if their union without it is convex and small enough.
    fn seam(self, a: &Piece, b: &Piece) -> Option<Seam> {
        let [n_a, n_b] = [a.corners.len(), b.corners.len()];
        if n_a + n_b - 2 > self.max_corners {
            return None;
        }
        let [edge_a, edge_b] = last_common_edge(a, b)?;
        let turns_left = |before: u16, at: u16, after: u16| {
            is_left(self.point(before), self.point(at), self.point(after))
        };
        let is_convex =
            turns_left(a.corner(edge_a + n_a - 1), a.corner(edge_a), b.corner(edge_b + 2))
                && turns_left(b.corner(edge_b + n_b - 1), b.corner(edge_b), a.corner(edge_a + 2));
        let [from, to] = [a.corner(edge_a), a.corner(edge_a + 1)].map(|v| self.point(v));
        let length_squared = from.distance_squared(to);
        (is_convex && length_squared > 0)
            .then_some(Seam { edges: [edge_a, edge_b], length_squared })
    }

    fn point(self, vertex: u16) -> Point {
        let [x, _, z] = self.vertices[usize::from(vertex)];
        Point::new(i32::from(x), i32::from(z))
    }
}

/// Returns the last edge of `a` that is also an edge of `b`, and the first such edge of `b`.
fn last_common_edge(a: &Piece, b: &Piece) -> Option<[usize; 2]> {
    (0..a.corners.len()).rev().find_map(|i| {
        let [from, to] = [a.corners[i], a.corner(i + 1)];
        let is_same = |&j: &usize| {
            let edge = [b.corners[j], b.corner(j + 1)];
            edge == [to, from] || edge == [from, to]
        };
        (0..b.corners.len()).find(is_same).map(|j| [i, j])
    })
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    const SQUARES: [[u16; 3]; 8] =
        [[0, 0, 0], [0, 0, 4], [4, 0, 4], [4, 0, 0], [6, 0, 0], [6, 0, 4], [8, 0, 0], [8, 0, 4]];

    fn piece(corners: &[u16]) -> Piece {
        Piece {
            corners: corners.iter().copied().collect(),
            region: RegionId(1),
            area: RawArea::WALKABLE,
        }
    }

    fn run(pieces: &mut Vec<Piece>, vertices: &[[u16; 3]], max_corners: usize) {
        let mut pulse = Pulse::new(&Unmonitored);
        Merger::default().run(pieces, vertices, max_corners, &mut pulse).unwrap();
    }

    #[track_caller]
    fn check(pieces: &[&[u16]], max_corners: usize, expected: &[&[u16]]) {
        let mut merged: Vec<Piece> = pieces.iter().copied().map(piece).collect();
        run(&mut merged, &SQUARES, max_corners);
        assert_eq!(merged, expected.iter().copied().map(piece).collect::<Vec<_>>());
    }

    #[test]
    fn two_triangles_make_a_square() {
        check(&[&[0, 1, 2], &[0, 2, 3]], 6, &[&[0, 1, 2, 3]]);
    }

    #[test]
    fn triangles_stay_where_only_triangles_are_allowed() {
        check(&[&[0, 1, 2], &[0, 2, 3]], 3, &[&[0, 1, 2], &[0, 2, 3]]);
    }

    #[test]
    fn a_union_with_a_straight_corner_is_refused() {
        check(&[&[0, 1, 2, 3], &[3, 2, 5, 4]], 6, &[&[0, 1, 2, 3], &[3, 2, 5, 4]]);
    }

    #[test]
    fn pieces_of_several_regions_forget_their_region() {
        let mut pieces = vec![piece(&[0, 1, 2]), piece(&[0, 2, 3])];
        pieces[1].region = RegionId(2);
        run(&mut pieces, &SQUARES, 6);
        assert_eq!(pieces[0].region, RegionId::NONE);
    }

    /// Merges like the reference: evaluates all pairs after each merge.
    fn merge_slowly(pieces: &mut Vec<Piece>, vertices: &[[u16; 3]], max_corners: usize) {
        let shape = Shape { vertices, max_corners };
        loop {
            let mut best: Option<(usize, MergeCandidate)> = None;
            for i in 0..pieces.len() {
                if let Some(candidate) = shape.best_candidate(pieces, i)
                    && best
                        .is_none_or(|(_, b)| candidate.seam.length_squared > b.seam.length_squared)
                {
                    best = Some((i, candidate));
                }
            }
            let Some((i, candidate)) = best else { return };
            merge(pieces, i, candidate.partner, candidate.seam);
        }
    }

    #[test]
    fn stored_partners_give_the_same_result() {
        // A fan of triangles around a point, with rim vertices at many distances.
        for n in 5..40_u16 {
            let rim = |i: u16| {
                let quarter = 4 * i / n;
                let [side, along] = [50 + i * 7 % 13, (4 * i % n) * 100 / n];
                let [x, z] = match quarter {
                    0 => [200 + along - 50, 200 + side],
                    1 => [200 + side, 250 - along],
                    2 => [250 - along, 200 - side],
                    _ => [200 - side, 200 + along - 50],
                };
                [x, 0, z]
            };
            let mut vertices = vec![[200, 0, 200]];
            vertices.extend((0..n).map(rim));
            let fan: Vec<Piece> =
                (0..n).rev().map(|i| piece(&[0, i + 1, (i + 1) % n + 1])).collect();
            let [mut fast, mut slow] = [fan.clone(), fan];
            run(&mut fast, &vertices, 6);
            merge_slowly(&mut slow, &vertices, 6);
            assert_eq!(fast, slow);
            assert!(usize::from(n) > fast.len(), "something merged");
        }
    }
}
