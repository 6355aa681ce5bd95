//! The exact segment that two neighboring polygons share.
//!
//! Detour rounds the parts of edges on tile borders to 255ths of the edge of each polygon. Here, the ends are vertices
//! of one of the polygons, the same for both directions.

use glam::Vec3;

use super::{
    INSIDE, Link, NavMesh, PORTAL_BIT, PolyAt,
    border::{BorderEdge, opposite},
};

/// An end of a shared edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SharedEnd {
    /// The position. Its height is that of the edge of the polygon `from`.
    pub(crate) at: Vec3,
    /// The tile of the vertex.
    pub(crate) tile: u32,
    /// Index of the vertex.
    pub(crate) vertex: u16,
}

/// The end of a shared part that comes first along the border.
#[derive(Clone, Copy)]
struct SharedPart {
    min: (f32, SharedEnd),
    max: (f32, SharedEnd),
}

impl NavMesh {
    /// Returns the left and right end, seen from polygon `from`, of the segment that it shares with the ground polygon
    /// of the link. Convex polygons share one segment, which may consist of several edges.
    pub(crate) fn shared_edge(&self, from: u32, link: Link) -> [SharedEnd; 2] {
        if link.side == INSIDE {
            return self.shared_inside(from, link);
        }
        let at = self.at(from);
        let mut shared: Option<SharedPart> = None;
        let same = |own: &&Link| own.to == link.to && own.side == link.side;
        for own in self.graph().links(from).iter().filter(same) {
            self.for_each_part((from, at), *own, |part| {
                let before = shared.unwrap_or(part);
                shared = Some(SharedPart {
                    min: if part.min.0 < before.min.0 { part.min } else { before.min },
                    max: if part.max.0 > before.max.0 { part.max } else { before.max },
                });
            });
        }
        let ends = self.edge_ends(at, usize::from(link.edge));
        let Some(SharedPart { min, max }) = shared else { return ends };
        let is_rising = ends[0].at.x + ends[0].at.z < ends[1].at.x + ends[1].at.z;
        if is_rising { [min.1, max.1] } else { [max.1, min.1] }
    }

    /// Returns the ends of the edge that starts at a corner of a polygon.
    fn edge_ends(&self, at: PolyAt, edge: usize) -> [SharedEnd; 2] {
        let tile = &self.live(at.tile).tile;
        let poly = &tile.polys[at.poly as usize];
        let next = if edge + 1 < usize::from(poly.n_vertices) { edge + 1 } else { 0 };
        [edge, next].map(|corner| {
            let vertex = poly.vertices[corner];
            SharedEnd { at: tile.vertices[usize::from(vertex)], tile: at.tile, vertex }
        })
    }

    /// Joins the edges inside a tile that lead to the same polygon.
    fn shared_inside(&self, from: u32, link: Link) -> [SharedEnd; 2] {
        let at = self.at(from);
        let [mut left, mut right] = self.edge_ends(at, usize::from(link.edge));
        let others = || {
            let links = self.graph().links(from).iter();
            let others = links.filter(|other| {
                other.to == link.to && other.side == INSIDE && other.edge != link.edge
            });
            others.map(|other| self.edge_ends(at, usize::from(other.edge)))
        };
        // At most as often as there are others to join.
        for _ in others() {
            for [start, end] in others() {
                if start.vertex == right.vertex && end.vertex != left.vertex {
                    right = end;
                } else if end.vertex == left.vertex && start.vertex != right.vertex {
                    left = start;
                }
            }
        }
        [left, right]
    }

    /// Calls `visit` with each part of a border edge that is also part of an edge of the neighbor.
    fn for_each_part(
        &self,
        (from, at): (u32, PolyAt),
        link: Link,
        mut visit: impl FnMut(SharedPart),
    ) {
        let own_edge = usize::from(link.edge);
        let own = self.border_edge(at, own_edge, link.side);
        let to = self.at(link.to);
        let there = &self.live(to.tile).tile;
        let facing = opposite(link.side);
        let poly = &there.polys[to.poly as usize];
        for edge in 0..usize::from(poly.n_vertices) {
            if poly.neighbors[edge] != PORTAL_BIT | u16::from(facing) {
                continue;
            }
            let other = self.border_edge(to, edge, facing);
            let climb = there.header.walkable_climb;
            if own.touching(std::slice::from_ref(&other), climb).is_empty() {
                continue;
            }
            let [own_ends, other_ends] = [
                own.in_order(self.edge_ends(at, own_edge)),
                other.in_order(self.edge_ends(to, edge)),
            ];
            // If both have a vertex there, that of the polygon with the smaller number is used.
            let (own_min, own_max) = own.reach();
            let (min, max) = other.reach();
            let takes_min = min > own_min || (min >= own_min && link.to < from);
            let takes_max = max < own_max || (max <= own_max && link.to < from);
            let min = if takes_min { (min, other_ends[0]) } else { (own_min, own_ends[0]) };
            let max = if takes_max { (max, other_ends[1]) } else { (own_max, own_ends[1]) };
            let as_high = |(place, end): (f32, SharedEnd)| {
                (place, SharedEnd { at: end.at.with_y(own.height_at(place)), ..end })
            };
            visit(SharedPart { min: as_high(min), max: as_high(max) });
        }
    }

    fn border_edge(&self, at: PolyAt, edge: usize, side: u8) -> BorderEdge {
        let [a, b] = self.edge_ends(at, edge);
        BorderEdge::new((at.poly, 0), side, [a.at, b.at])
    }
}
