//! Maps of convex polygons in the plane, as in the literature on any-angle search.

use glam::DVec2;

use super::{
    locate::BoxTree,
    surface::{Gate, GateEnd, PlaneCorner, PlanePoint, Polygons},
};

/// A point closer than this to a polygon counts as on it, in units of the map.
const ON_POLYGON: f64 = 1e-9;
/// Rounding error of the intersection of a line and an edge, in units of the map.
const ON_LINE: f64 = 1e-8;
/// Distance at which points around a given one are tested to find its polygon.
const NUDGE: f64 = 1e-7;

/// Convex polygons in the plane, each counter-clockwise if x points right and y up, connected along whole edges.
///
/// Polygons may overlap: only edges connect them.
#[derive(Clone, Debug)]
pub struct PolygonMesh {
    vertices: Vec<DVec2>,
    /// Index of each polygon's first corner, then the end of the last one's corners.
    starts: Vec<u32>,
    /// Vertex indices, polygon by polygon.
    corners: Vec<u32>,
    /// Index of each polygon's first gate, then the end of the last one's gates.
    gate_starts: Vec<u32>,
    gates: Vec<Gate<u32>>,
    tree: BoxTree,
}

/// A polygon as read: corners, and for the edge that ends at each corner the neighbor.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    pub(super) corners: Vec<u32>,
    pub(super) neighbors: Vec<Option<u32>>,
}

impl PolygonMesh {
    /// Connects polygons that have been validated.
    pub(super) fn from_rings(vertices: Vec<DVec2>, rings: &[Ring]) -> Self {
        let is_turning_point = turning_points(vertices.len(), rings);
        let end = |vertex: u32| GateEnd {
            at: vertices[vertex as usize],
            corner: is_turning_point[vertex as usize].then(|| PlaneCorner::new(u64::from(vertex))),
        };
        let n_ways_out = |poly: u32| rings[poly as usize].neighbors.iter().flatten().count();
        let (mut starts, mut gate_starts) = (vec![0], vec![0]);
        let (mut corners, mut gates) = (Vec::new(), Vec::new());
        for ring in rings {
            for (left, (&right, neighbor)) in edges(ring) {
                let Some(to) = neighbor else { continue };
                let is_dead_end = n_ways_out(to) <= 1;
                gates.push(Gate { left: end(left), right: end(right), to, is_dead_end });
            }
            corners.extend_from_slice(&ring.corners);
            starts.push(index_u32(corners.len()));
            gate_starts.push(index_u32(gates.len()));
        }
        let boxes: Vec<[DVec2; 2]> = rings.iter().map(|ring| bounds(&vertices, ring)).collect();
        let tree = BoxTree::new(&boxes);
        Self { vertices, starts, corners, gate_starts, gates, tree }
    }

    /// Returns the number of polygons.
    pub fn n_polygons(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Returns the vertices of a polygon, counter-clockwise.
    ///
    /// # Panics
    /// Panics if no polygon has that index.
    pub fn corners(&self, poly: u32) -> impl ExactSizeIterator<Item = DVec2> {
        let range = self.starts[poly as usize] as usize..self.starts[poly as usize + 1] as usize;
        self.corners[range].iter().map(|&vertex| self.vertices[vertex as usize])
    }

    /// Returns the edges over which a polygon can be left.
    ///
    /// # Panics
    /// Panics if no polygon has that index.
    pub fn gates(&self, poly: u32) -> &[Gate<u32>] {
        let poly = poly as usize;
        &self.gates[self.gate_starts[poly] as usize..self.gate_starts[poly + 1] as usize]
    }

    /// Finds the polygon under a point. If several meet there, returns the one toward larger x and y, so that a corner
    /// where two separate parts touch belongs to one of them.
    pub fn locate(&self, point: DVec2) -> Option<PlanePoint<u32>> {
        let mut found = None;
        let beside = point + NUDGE;
        self.tree.for_each_at(point, ON_POLYGON, |poly| {
            let is_better = match found {
                None => true,
                Some((_, true)) => false,
                Some((_, false)) => self.contains(poly, beside),
            };
            if is_better && self.contains(poly, point) {
                found = Some((poly, self.contains(poly, beside)));
            }
        });
        found.map(|(poly, _)| PlanePoint { poly, point })
    }

    /// Returns whether a point lies in a polygon or on its boundary.
    fn contains(&self, poly: u32, point: DVec2) -> bool {
        let mut corners = self.corners(poly);
        let Some(first) = corners.next() else { return false };
        let mut from = first;
        corners.chain([first]).all(|to| {
            let edge = to - from;
            let is_left = edge.perp_dot(point - from) >= -ON_POLYGON * edge.length();
            from = to;
            is_left
        })
    }
}

impl Polygons for PolygonMesh {
    type Poly = u32;

    fn tolerance(&self) -> f64 {
        ON_LINE
    }

    fn for_each_gate(&self, poly: u32, visit: impl FnMut(&Gate<u32>)) {
        self.gates(poly).iter().for_each(visit);
    }
}

/// Returns the edges of a polygon: the vertex where it ends, the vertex where it starts, and the neighbor.
fn edges(ring: &Ring) -> impl Iterator<Item = (u32, (&u32, Option<u32>))> {
    let from = ring.corners.iter().cycle().skip(ring.corners.len().saturating_sub(1));
    ring.corners.iter().copied().zip(from.zip(ring.neighbors.iter().copied()))
}

/// Returns for each vertex whether a path may turn there, because an edge at it has no neighbor.
fn turning_points(n_vertices: usize, rings: &[Ring]) -> Vec<bool> {
    let mut is_turning_point = vec![false; n_vertices];
    for (to, (&from, neighbor)) in rings.iter().flat_map(edges) {
        if neighbor.is_none() {
            is_turning_point[to as usize] = true;
            is_turning_point[from as usize] = true;
        }
    }
    is_turning_point
}

fn bounds(vertices: &[DVec2], ring: &Ring) -> [DVec2; 2] {
    let corners = ring.corners.iter().map(|&vertex| vertices[vertex as usize]);
    corners.fold([DVec2::INFINITY, DVec2::NEG_INFINITY], |[min, max], corner| {
        [min.min(corner), max.max(corner)]
    })
}

/// Converts an index in a list whose length the reader has checked to fit in 32 bits.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
