//! Joining holes to the outline around them.
//!
//! A region with a hole has two contours that never meet. A bridge, walked once in each direction,
//! makes them one outline, which the triangulation can eat. Bridges are kept short and must not
//! cross the outline or any hole still to be joined.

use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location},
    ids::RegionId,
    monitor::{Cancelled, Monitor},
};

use super::{Contour, ContourVertex};
use crate::bake::lattice::{Cone, Point, segments_touch};

/// Joins the holes among `contours`, which run clockwise, to the outline of their region. A joined
/// hole stays in the list without vertices.
///
/// Holes without outline and holes without a clear bridge are left as they are, with a warning.
///
/// Source: second half of `rcBuildContours`.
/// Differs: for the hole numbered `n` among those of its region, Recast overlooks edges at the candidate numbered
/// `n`, and reads memory that it never wrote where there were not as many; here no edge is overlooked then.
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
    // Stable: within a region the order of tracing stays.
    holes.sort_by_key(|&(region, _)| region);
    let mut joiner = Joiner::default();
    for group in holes.chunk_by(|a, b| a.0 == b.0) {
        monitor.check()?;
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
        let n_failed = joiner.join_group(&mut merged, contours, group, monitor)?;
        contours[outline].vertices = merged;
        if n_failed > 0 {
            warnings.push(of_region(Finding::ContourHolesNotJoined { n: n_failed }));
        }
    }
    Ok(())
}

/// Whether the signed area, in whole cells and rounded towards zero, is negative.
fn runs_clockwise(vertices: &[ContourVertex]) -> bool {
    let points = vertices.iter().map(|v| (i64::from(v.x), i64::from(v.z)));
    let before = points.clone().cycle().skip(vertices.len().saturating_sub(1));
    let doubled: i64 = points.zip(before).map(|((x, z), (bx, bz))| x * bz - bx * z).sum();
    (doubled + 1) / 2 < 0
}

/// A vertex of the outline to which a bridge might lead.
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

#[derive(Default)]
struct Joiner {
    /// Candidates of the vertex looked at last, shortest first; beyond them those of earlier ones.
    candidates: Vec<Candidate>,
}

impl Joiner {
    /// Joins the holes `group` to `outline`, from left to right, and returns how many failed.
    fn join_group(
        &mut self,
        outline: &mut Vec<ContourVertex>,
        contours: &mut [Contour],
        group: &[(RegionId, usize)],
        monitor: &dyn Monitor,
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
            monitor.check()?;
            let waiting: Vec<&[ContourVertex]> =
                holes[i..].iter().map(|&(hole, _)| contours[hole].vertices.as_slice()).collect();
            match self.find_bridge(outline, &waiting, holes[i].1, i) {
                Some(bridge) => {
                    let hole = std::mem::take(&mut contours[holes[i].0].vertices);
                    *outline = joined(outline, &hole, bridge);
                }
                None => n_failed += 1,
            }
        }
        Ok(n_failed)
    }

    /// The shortest clear bridge from the first vertex of the hole `waiting[0]`, counted from
    /// `leftmost`, that has one.
    fn find_bridge(
        &mut self,
        outline: &[ContourVertex],
        waiting: &[&[ContourVertex]],
        leftmost: usize,
        n_before: usize,
    ) -> Option<Bridge> {
        let hole = waiting[0];
        (0..hole.len()).map(|i| (leftmost + i) % hole.len()).find_map(|hole_vertex| {
            let corner = hole[hole_vertex].point();
            let n_candidates = self.collect_candidates(outline, corner);
            // Edges that touch an end of the bridge never count. The reference means to say so for
            // the candidate, but names the one numbered like the hole; which edges it overlooks
            // decides which bridge is built, so that is kept.
            let overlooked = self.candidates.get(n_before).map(|c| c.vertex);
            let is_clear = |c: &&Candidate| {
                let bridge = [outline[c.vertex].point(), corner];
                !touches(bridge, outline, overlooked)
                    && !waiting.iter().any(|hole| touches(bridge, hole, None))
            };
            let found = self.candidates[..n_candidates].iter().find(is_clear)?;
            Some(Bridge { outline_vertex: found.vertex, hole_vertex })
        })
    }

    /// Puts the vertices of `outline` that see `corner` in front of them to the front of the
    /// candidates, nearest first, and returns how many there are.
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

/// The vertex with the least x, then z; the first of equals.
fn leftmost(vertices: &[ContourVertex]) -> usize {
    (0..vertices.len()).min_by_key(|&i| (vertices[i].x, vertices[i].z)).unwrap_or(0)
}

/// Whether `bridge` touches an edge of `outline`, apart from edges that end where the bridge does
/// and edges at the vertex `overlooked`.
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

/// `outline` walked once around from the bridge and back to it, then `hole` likewise.
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
    use super::*;

    fn contour(corners: [[i32; 2]; 4]) -> Vec<ContourVertex> {
        corners.map(|[x, z]| ContourVertex { x, y: 0, z, region_and_flags: 0 }).to_vec()
    }

    #[test]
    fn a_hole_numbered_higher_than_all_candidates_overlooks_no_edge() {
        let outline = contour([[0, 0], [0, 9], [9, 9], [9, 0]]);
        let hole = contour([[3, 4], [5, 4], [5, 6], [3, 6]]);
        let bridge = |number| Joiner::default().find_bridge(&outline, &[&hole], 0, number);
        let ends = bridge(4).map(|bridge| (bridge.outline_vertex, bridge.hole_vertex));
        assert_eq!(ends, Some((0, 0)));
    }
}
