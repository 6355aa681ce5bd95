//! The polygons of a navmesh, projected onto the ground plane for the search.

use glam::{DVec2, Vec3};

use super::surface::{Gate, GateEnd, PlaneCorner, PlanePoint, Polygons};
use crate::{
    navmesh::{Link, NavMesh, PolyAt, PolyKind, Portal, SharedEnd, for_each_with_first},
    query::{Filter, MeshPoint},
};

/// Adjacent tiles round a common corner differently. This is the largest distance between two such corners, as a
/// fraction of the largest coordinate, and at least in meters.
const LAST_DIGITS: f32 = 8.0 * f32::EPSILON;
const LEAST_TOLERANCE: f32 = 1e-4;

/// The polygons of a navmesh that pass a filter. Points of the plane are `(x, z)`; left is the same side as in Detour.
pub(super) struct Floors<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    tolerance: f64,
}

impl<'a> Floors<'a> {
    pub(super) fn new(mesh: &'a NavMesh, filter: &'a Filter, ends: [MeshPoint; 2]) -> Self {
        let farthest = ends.iter().map(|end| end.point.abs().max_element()).fold(0.0, f32::max);
        let tolerance = f64::from((farthest * LAST_DIGITS).max(LEAST_TOLERANCE));
        Self { mesh, filter, tolerance }
    }

    /// Locates an end of a path; `None` if its polygon is stale.
    pub(super) fn place(&self, end: MeshPoint) -> Option<PlanePoint<PolyAt>> {
        Some(PlanePoint { poly: self.mesh.locate(end.poly)?, point: from_above(end.point) })
    }
}

impl Polygons for Floors<'_> {
    type Poly = PolyAt;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn for_each_gate(&self, poly: PolyAt, mut visit: impl FnMut(&Gate<PolyAt>)) {
        let (mesh, graph) = (self.mesh, self.mesh.graph());
        let number = mesh.number_of(poly);
        let links = graph.links(number);
        for_each_with_first(links, |index, link, first| {
            // Several links between the same two polygons are one gate.
            let is_gate = first == index
                && self.filter.passes_flags(graph.marks(link.to).flags)
                && self.filter.rules.admits(mesh, link);
            if !is_gate {
                return;
            }
            let [left, right] = self.ends(number, index).map(|end| GateEnd {
                at: from_above(end.at),
                corner: (!self.is_open(end)).then(|| corner(end)),
            });
            let is_dead_end = leads_only_to(graph.links(link.to), number);
            visit(&Gate { left, right, to: mesh.at(link.to), is_dead_end });
        });
    }
}

fn from_above(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}

impl Floors<'_> {
    /// Returns the exact portal of a link: see [`NavMesh::shared_edge`].
    pub(super) fn portal(&self, from: u32, to: u32) -> Option<Portal> {
        let index = self.mesh.graph().links(from).iter().position(|link| link.to == to)?;
        let [left, right] = self.ends(from, index).map(|end| end.at);
        Some(Portal { left, right })
    }

    /// Returns the left and right end of the portal of link `index` of a polygon.
    fn ends(&self, from: u32, index: usize) -> [SharedEnd; 2] {
        let graph = self.mesh.graph();
        let link = graph.links(from)[index];
        let connection = if graph.marks(from).kind == PolyKind::OffMesh {
            from
        } else if graph.marks(link.to).kind == PolyKind::OffMesh {
            link.to
        } else {
            return self.mesh.shared_edge(from, link);
        };
        // An off-mesh link is entered and left at a point.
        let PolyAt { tile, poly } = self.mesh.at(connection);
        let data = &self.mesh.live(tile).tile;
        let vertices = data.polys[poly as usize].vertices;
        let at = self.mesh.portals().of(from)[index].left;
        let is_start = at == data.vertices[usize::from(vertices[0])];
        [SharedEnd { at, tile, vertex: vertices[usize::from(!is_start)] }; 2]
    }

    /// Returns whether a vertex is surrounded by polygons that all pass the filter.
    fn is_open(&self, end: SharedEnd) -> bool {
        let live = self.mesh.live(end.tile);
        let around = live.open_vertices().around(end.vertex);
        !around.is_empty()
            && around.iter().all(|&poly| self.filter.passes(&live.tile.polys[usize::from(poly)]))
    }
}

/// Returns whether all links lead to polygon `number`.
fn leads_only_to(links: &[Link], number: u32) -> bool {
    match links {
        [] => true,
        [only] => only.to == number,
        _ => false,
    }
}

/// Identifies a vertex.
fn corner(end: SharedEnd) -> PlaneCorner {
    PlaneCorner::new(u64::from(end.tile) << 36 | u64::from(end.vertex))
}
