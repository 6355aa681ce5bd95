//! The polygons of a navmesh as the search sees them, from above.

use glam::{DVec2, Vec3};

use super::surface::{Corner, Gate, GateEnd, Place, Polygons};
use crate::{
    navmesh::{INSIDE, Link, LiveTile, NavMesh, PolyAt, PolyKind, Portal, WHOLE_EDGE},
    query::{Filter, PathEnd},
};

/// Where tiles meet, each has rounded a common corner in its own way. How far such corners may be apart,
/// as share of the largest coordinate, and at least, in metres.
const LAST_DIGITS: f32 = 8.0 * f32::EPSILON;
const LEAST_TOLERANCE: f32 = 1e-4;
/// Bit of a corner's number that tells ends of parts of edges from vertices.
const PART_OF_EDGE: u64 = 1 << 35;

/// What of a navmesh a filter lets pass. Points of the plane are `(x, z)`; there, Detour's left is left.
pub(super) struct Floors<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    tolerance: f64,
}

impl<'a> Floors<'a> {
    pub(super) fn new(mesh: &'a NavMesh, filter: &'a Filter, ends: [PathEnd; 2]) -> Self {
        let farthest = ends.iter().map(|end| end.point.abs().max_element()).fold(0.0, f32::max);
        let tolerance = f64::from((farthest * LAST_DIGITS).max(LEAST_TOLERANCE));
        Self { mesh, filter, tolerance }
    }

    /// Where an end of a path lies; `None` where its polygon is stale.
    pub(super) fn place(&self, end: PathEnd) -> Option<Place<PolyAt>> {
        Some(Place { poly: self.mesh.locate(end.poly)?, point: from_above(end.point) })
    }
}

impl Polygons for Floors<'_> {
    type Poly = PolyAt;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn for_each_gate(&self, poly: PolyAt, mut visit: impl FnMut(&Gate<PolyAt>)) {
        let (mesh, graph) = (self.mesh, self.mesh.graph());
        let live = mesh.live(poly.tile);
        let number = mesh.number_of(poly);
        let links = graph.links(number);
        for (index, (link, portal)) in links.iter().zip(graph.portals(number)).enumerate() {
            // Paths cross the portal of the first link to a polygon only.
            let is_first = !links[..index].iter().any(|earlier| earlier.to == link.to);
            let passes = self.filter.passes_flags(graph.marks(link.to).flags)
                && self.filter.rules.admits(mesh, *link);
            if !is_first || !passes {
                continue;
            }
            let to = mesh.at(link.to);
            let to_live = if to.tile == poly.tile { live } else { mesh.live(to.tile) };
            let [left, right] = self.corners([(poly, live), (to, to_live)], index, (*link, portal));
            visit(&Gate {
                left: GateEnd { at: from_above(portal.left), corner: left },
                right: GateEnd { at: from_above(portal.right), corner: right },
                to,
                is_dead_end: leads_only_to(graph.links(link.to), number),
            });
        }
    }
}

fn from_above(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}

impl Floors<'_> {
    /// Names of the ends of the portal of link `index` of `from` to `to`; none in the open.
    fn corners(
        &self,
        [(from, from_live), (to, to_live)]: [(PolyAt, &LiveTile); 2],
        index: usize,
        (link, portal): (Link, &Portal),
    ) -> [Option<Corner>; 2] {
        let poly = &from_live.tile.polys[from.poly as usize];
        let to_poly = &to_live.tile.polys[to.poly as usize];
        match (poly.kind, to_poly.kind) {
            (PolyKind::OffMesh, _) => {
                [Some(vertex(from, poly.vertices[usize::from(link.edge.min(1))])); 2]
            }
            (_, PolyKind::OffMesh) => {
                let start = to_live.tile.vertices[usize::from(to_poly.vertices[0])];
                let end = usize::from(portal.left != start);
                [Some(vertex(to, to_poly.vertices[end])); 2]
            }
            (PolyKind::Ground, PolyKind::Ground)
                if link.side == INSIDE || link.limits == WHOLE_EDGE =>
            {
                let n = usize::from(poly.n_vertices);
                let edge = usize::from(link.edge);
                [edge, (edge + 1) % n].map(|corner| {
                    let index = poly.vertices[corner];
                    (!self.is_open(from_live, index)).then(|| vertex(from, index))
                })
            }
            (PolyKind::Ground, PolyKind::Ground) => [0, 1].map(|end| {
                let place = u64::from(from.poly) << 14 | (index as u64 & 0x1fff) << 1 | end;
                Some(Corner::new(u64::from(from.tile) << 36 | PART_OF_EDGE | place))
            }),
        }
    }

    /// Whether all polygons around a vertex pass, and there is nothing else around it.
    fn is_open(&self, live: &LiveTile, vertex: u16) -> bool {
        let around = live.open_vertices().around(vertex);
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

/// Name of a vertex of a polygon's tile.
fn vertex(of: PolyAt, vertex: u16) -> Corner {
    Corner::new(u64::from(of.tile) << 36 | u64::from(vertex))
}
