//! Joins holes to the outline around them.
//!
//! A region with a hole has two separate contours. A bridge, with an edge in each direction, makes them one outline
//! that can be triangulated. Bridges are short, and do not cross the outline or the remaining holes.

use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location},
    ids::RegionId,
    monitor::{Cancelled, Monitor},
};

use super::{Contour, ContourVertex};
use crate::bake::{
    lattice::{Cone, Point, segments_touch},
    pulse::Pulse,
};

/// Joins the holes among `contours`, which are clockwise, to the outline of their region. A joined hole remains in the
/// list, without vertices.
///
/// Holes without outline and holes without a possible bridge are unchanged, with a warning.
///
/// Source: second half of `rcBuildContours`.
/// Differs: for the hole with index `n` of its region, Recast ignores edges at the candidate with index `n`, and reads
/// uninitialized memory if there are fewer candidates. In that case no edge is ignored here.
pub(super) fn join_holes(
    contours: &mut [Contour],
    warnings: &mut Vec<Diagnostic>,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let mut outlines = Vec::new();
    let mut holes = Vec::new();
    for (i, contour) in contours.iter().enumerate() {
        let list = if runs_clockwise(&contour.vertices) { &mut holes } else { &mut outlines };
        list.push((contour.region, i));
    }
    // A stable sort keeps the order of tracing within a region.
    holes.sort_by_key(|&(region, _)| region);
    let mut joiner = Joiner { candidates: Vec::new(), pulse: Pulse::new(monitor) };
    for group in holes.chunk_by(|a, b| a.0 == b.0) {
        let region = group[0].0;
        let mut own = outlines.iter().filter(|outline| outline.0 == region);
        let last = own.next_back();
        let complaint = match (last, own.next()) {
            (None, _) => Some(Finding::ContourHoleWithoutOutline {}),
            (_, Some(_)) => Some(Finding::ContourSeveralOutlines {}),
            _ => None,
        };
        let of_region = |finding| Diagnostic::new(finding).at(Location::Region(region.0));
        warnings.extend(complaint.map(of_region));
        let Some(&(_, outline)) = last else { continue };
        let mut merged = std::mem::take(&mut contours[outline].vertices);
        let n_failed = joiner.join_group(&mut merged, contours, group)?;
        contours[outline].vertices = merged;
        if n_failed > 0 {
            warnings.push(of_region(Finding::ContourHolesNotJoined { n: n_failed }));
        }
    }
    Ok(())
}

/// Returns whether the signed area, in cells and rounded toward zero, is negative.
fn runs_clockwise(vertices: &[ContourVertex]) -> bool {
    let points = vertices.iter().map(|v| (i64::from(v.x), i64::from(v.z)));
    let before = points.clone().cycle().skip(vertices.len().saturating_sub(1));
    let doubled: i64 = points.zip(before).map(|((x, z), (bx, bz))| x * bz - bx * z).sum();
    (doubled + 1) / 2 < 0
}

/// A possible end of a bridge on the outline.
#[derive(Clone, Copy)]
struct Candidate {
    vertex: usize,
    distance_squared: i64,
}

/// A bridge from a vertex of the outline to a vertex of the hole.
#[derive(Clone, Copy)]
struct Bridge {
    outline_vertex: usize,
    hole_vertex: usize,
}

struct Joiner<'m> {
    /// Candidates of the last vertex, nearest first, followed by remaining ones of earlier vertices.
    candidates: Vec<Candidate>,
    pulse: Pulse<'m>,
}

impl Joiner<'_> {
    /// Joins the holes `group` to `outline`, from left to right, and returns how many failed.
    fn join_group(
        &mut self,
        outline: &mut Vec<ContourVertex>,
        contours: &mut [Contour],
        group: &[(RegionId, usize)],
    ) -> Result<usize, Cancelled> {
        let mut holes: Vec<(usize, usize)> =
            group.iter().map(|&(_, hole)| (hole, leftmost(&contours[hole].vertices))).collect();
        holes.sort_by_key(|&(hole, vertex)| {
            let v = contours[hole].vertices[vertex];
            (v.x, v.z)
        });
        self.candidates.clear();
        let mut n_failed = 0;
        for i in 0..holes.len() {
            let waiting: Vec<&[ContourVertex]> =
                holes[i..].iter().map(|&(hole, _)| contours[hole].vertices.as_slice()).collect();
            match self.find_bridge(outline, &waiting, holes[i].1, i)? {
                Some(bridge) => {
                    let hole = std::mem::take(&mut contours[holes[i].0].vertices);
                    *outline = joined(outline, &hole, bridge);
                }
                None => n_failed += 1,
            }
        }
        Ok(n_failed)
    }

    /// Returns the shortest possible bridge from the first vertex of the hole `waiting[0]` that has one, counted from
    /// `leftmost`.
    fn find_bridge(
        &mut self,
        outline: &[ContourVertex],
        waiting: &[&[ContourVertex]],
        leftmost: usize,
        n_before: usize,
    ) -> Result<Option<Bridge>, Cancelled> {
        let hole = waiting[0];
        let n_edges = outline.len() + waiting.iter().map(|hole| hole.len()).sum::<usize>();
        let n_edges = u32::try_from(n_edges).unwrap_or(u32::MAX);
        for hole_vertex in (0..hole.len()).map(|i| (leftmost + i) % hole.len()) {
            self.pulse.steps(n_edges)?;
            let corner = hole[hole_vertex].point();
            let n_candidates = self.collect_candidates(outline, corner);
            // Edges that touch an end of the bridge do not count. Recast does this for the candidate with the index of
            // the hole instead, which affects the bridge, so it is done here, too.
            let overlooked = self.candidates.get(n_before).map(|c| c.vertex);
            let is_clear = |c: &Candidate| {
                let bridge = [outline[c.vertex].point(), corner];
                !touches(bridge, outline, overlooked)
                    && !waiting.iter().any(|hole| touches(bridge, hole, None))
            };
            for candidate in &self.candidates[..n_candidates] {
                self.pulse.steps(n_edges)?;
                if is_clear(candidate) {
                    return Ok(Some(Bridge { outline_vertex: candidate.vertex, hole_vertex }));
                }
            }
        }
        Ok(None)
    }

    /// Stores the vertices of `outline` that have `corner` in front of them at the beginning of the candidates, nearest
    /// first, and returns their number.
    fn collect_candidates(&mut self, outline: &[ContourVertex], corner: Point) -> usize {
        let n = outline.len();
        let mut n_candidates = 0;
        for vertex in 0..n {
            let cone = Cone {
                before: outline[(vertex + n - 1) % n].point(),
                at: outline[vertex].point(),
                after: outline[(vertex + 1) % n].point(),
            };
            if cone.contains(corner) {
                let distance_squared = cone.at.distance_squared(corner);
                let candidate = Candidate { vertex, distance_squared };
                match self.candidates.get_mut(n_candidates) {
                    Some(slot) => *slot = candidate,
                    None => self.candidates.push(candidate),
                }
                n_candidates += 1;
            }
        }
        self.candidates[..n_candidates].sort_by_key(|c| c.distance_squared);
        n_candidates
    }
}

/// Returns the vertex with the smallest x, then z; the first if several are equal.
fn leftmost(vertices: &[ContourVertex]) -> usize {
    (0..vertices.len()).min_by_key(|&i| (vertices[i].x, vertices[i].z)).unwrap_or(0)
}

/// Returns whether `bridge` touches an edge of `outline`, except edges at the ends of the bridge and at the vertex
/// `overlooked`.
fn touches(bridge: [Point; 2], outline: &[ContourVertex], overlooked: Option<usize>) -> bool {
    let n = outline.len();
    (0..n).any(|i| {
        let next = if i + 1 < n { i + 1 } else { 0 };
        let edge = [outline[i].point(), outline[next].point()];
        overlooked != Some(i)
            && overlooked != Some(next)
            && !bridge.contains(&edge[0])
            && !bridge.contains(&edge[1])
            && segments_touch(bridge, edge)
    })
}

/// Returns `outline` from the bridge around to the bridge, followed by `hole` in the same way.
fn joined(outline: &[ContourVertex], hole: &[ContourVertex], bridge: Bridge) -> Vec<ContourVertex> {
    let around = |vertices: &[ContourVertex], from: usize, out: &mut Vec<ContourVertex>| {
        out.extend_from_slice(&vertices[from..]);
        out.extend_from_slice(&vertices[..=from]);
    };
    let mut out = Vec::with_capacity(outline.len() + hole.len() + 2);
    around(outline, bridge.outline_vertex, &mut out);
    around(hole, bridge.hole_vertex, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    fn contour(corners: [[i32; 2]; 4]) -> Vec<ContourVertex> {
        corners.map(|[x, z]| ContourVertex { x, y: 0, z, region_and_flags: 0 }).to_vec()
    }

    #[test]
    fn a_hole_numbered_higher_than_all_candidates_overlooks_no_edge() {
        let outline = contour([[0, 0], [0, 9], [9, 9], [9, 0]]);
        let hole = contour([[3, 4], [5, 4], [5, 6], [3, 6]]);
        let mut joiner = Joiner { candidates: Vec::new(), pulse: Pulse::new(&Unmonitored) };
        let bridge = joiner.find_bridge(&outline, &[&hole], 0, 4).unwrap();
        let ends = bridge.map(|bridge| (bridge.outline_vertex, bridge.hole_vertex));
        assert_eq!(ends, Some((0, 0)));
    }
}
