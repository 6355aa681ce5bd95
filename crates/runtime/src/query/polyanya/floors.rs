//! The polygons of a navmesh as the search sees them, from above.

use glam::{DVec2, Vec3};

use super::surface::{Gate, GateEnd, PlaneCorner, PlanePoint, Polygons};
use crate::{
    navmesh::{Link, NavMesh, PolyAt, PolyKind, Portal, SharedEnd},
    query::{Filter, MeshPoint},
};

/// Where tiles meet, each has rounded a common corner in its own way. How far such corners may be apart,
/// as share of the largest coordinate, and at least, in meters.
const LAST_DIGITS: f32 = 8.0 * f32::EPSILON;
const LEAST_TOLERANCE: f32 = 1e-4;

/// What of a navmesh a filter lets pass. Points of the plane are `(x, z)`; there, Detour's left is left.
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

    /// Where an end of a path lies; `None` where its polygon is stale.
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
        for (index, link) in links.iter().enumerate() {
            // All that two polygons share is one gate.
            let is_first = !links[..index].iter().any(|earlier| earlier.to == link.to);
            let passes = self.filter.passes_flags(graph.marks(link.to).flags)
                && self.filter.rules.admits(mesh, *link);
            if !is_first || !passes {
                continue;
            }
            let [left, right] = self.ends(number, index).map(|end| GateEnd {
                at: from_above(end.at),
                corner: (!self.is_open(end)).then(|| corner(end)),
            });
            let is_dead_end = leads_only_to(graph.links(link.to), number);
            visit(&Gate { left, right, to: mesh.at(link.to), is_dead_end });
        }
    }
}

fn from_above(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}

impl Floors<'_> {
    /// What a path crosses over a link, exactly: see [`NavMesh::shared_edge`].
    pub(super) fn portal(&self, from: u32, to: u32) -> Option<Portal> {
        let index = self.mesh.graph().links(from).iter().position(|link| link.to == to)?;
        let [left, right] = self.ends(from, index).map(|end| end.at);
        Some(Portal { left, right })
    }

    /// Left and right end of what a path crosses over link `index` of a polygon.
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
        // A connection is entered and left at a point.
        let PolyAt { tile, poly } = self.mesh.at(connection);
        let data = &self.mesh.live(tile).tile;
        let vertices = data.polys[poly as usize].vertices;
        let at = self.mesh.portals().of(from)[index].left;
        let is_start = at == data.vertices[usize::from(vertices[0])];
        [SharedEnd { at, tile, vertex: vertices[usize::from(!is_start)] }; 2]
    }

    /// Whether all polygons around a vertex pass, and there is nothing else around it.
    fn is_open(&self, end: SharedEnd) -> bool {
        let live = self.mesh.live(end.tile);
        let around = live.open_vertices().around(end.vertex);
        !around.is_empty()
            && around.iter().all(|&poly| self.filter.passes(&live.tile.polys[usize::from(poly)]))
    }
}

/// Whether no link leads anywhere else.
fn leads_only_to(links: &[Link], number: u32) -> bool {
    match links {
        [] => true,
        [only] => only.to == number,
        _ => false,
    }
}

/// Name of a vertex.
fn corner(end: SharedEnd) -> PlaneCorner {
    PlaneCorner::new(u64::from(end.tile) << 36 | u64::from(end.vertex))
}
