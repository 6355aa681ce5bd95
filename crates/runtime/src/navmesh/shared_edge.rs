//! What two polygons next to each other share, exactly: the part of their edges that belongs to both.
//!
//! Detour rounds the parts of edges on tile borders to 255ths, each polygon those of its own edge. Here the
//! ends are vertices of one polygon or the other, the same ones from both sides.

use glam::Vec3;

use super::{
    INSIDE, Link, NavMesh, PORTAL_BIT, PolyAt,
    border::{BorderEdge, opposite},
};

/// An end of a shared edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SharedEnd {
    /// Where; as high as the edge of the polygon from which it is seen.
    pub(crate) at: Vec3,
    /// The tile one of whose vertices it is.
    pub(crate) tile: u32,
    /// That vertex.
    pub(crate) vertex: u16,
}

/// Which end of a shared part comes first along the border.
#[derive(Clone, Copy)]
struct Part {
    min: (f32, SharedEnd),
    max: (f32, SharedEnd),
}

impl NavMesh {
    /// Left and right end, as seen when walking out of polygon `from`, of all that it shares with the
    /// ground polygon to which its link leads. Convex polygons share one segment, over however many of
    /// their edges it runs.
    pub(crate) fn shared_edge(&self, from: u32, link: Link) -> [SharedEnd; 2] {
        if link.side == INSIDE {
            return self.shared_inside(from, link);
        }
        let at = self.at(from);
        let mut shared: Option<Part> = None;
        let same = |own: &&Link| own.to == link.to && own.side == link.side;
        for own in self.graph().links(from).iter().filter(same) {
            self.for_each_part((from, at), *own, |part| {
                let before = shared.unwrap_or(part);
                shared = Some(Part {
                    min: if part.min.0 < before.min.0 { part.min } else { before.min },
                    max: if part.max.0 > before.max.0 { part.max } else { before.max },
                });
            });
        }
        let ends = self.edge_ends(at, usize::from(link.edge));
        let Some(Part { min, max }) = shared else { return ends };
        let is_rising = ends[0].at.x + ends[0].at.z < ends[1].at.x + ends[1].at.z;
        if is_rising { [min.1, max.1] } else { [max.1, min.1] }
    }

    /// Ends of the edge that starts at a corner of a polygon.
    fn edge_ends(&self, at: PolyAt, edge: usize) -> [SharedEnd; 2] {
        let tile = &self.live(at.tile).tile;
        let poly = &tile.polys[at.poly as usize];
        let next = if edge + 1 < usize::from(poly.n_vertices) { edge + 1 } else { 0 };
        [edge, next].map(|corner| {
            let vertex = poly.vertices[corner];
            SharedEnd { at: tile.vertices[usize::from(vertex)], tile: at.tile, vertex }
        })
    }

    /// Edges inside a tile that lead to the same polygon join to one.
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

    /// Calls `visit` with each part of a border edge that belongs to an edge of the polygon beyond, too.
    fn for_each_part(&self, (from, at): (u32, PolyAt), link: Link, mut visit: impl FnMut(Part)) {
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
            // Where both have a vertex, the polygon with the smaller number gives its own.
            let (own_min, own_max) = own.reach();
            let (min, max) = other.reach();
            let takes_min = min > own_min || (min >= own_min && link.to < from);
            let takes_max = max < own_max || (max <= own_max && link.to < from);
            let min = if takes_min { (min, other_ends[0]) } else { (own_min, own_ends[0]) };
            let max = if takes_max { (max, other_ends[1]) } else { (own_max, own_ends[1]) };
            let as_high = |(place, end): (f32, SharedEnd)| {
                (place, SharedEnd { at: end.at.with_y(own.height_at(place)), ..end })
            };
            visit(Part { min: as_high(min), max: as_high(max) });
        }
    }

    fn border_edge(&self, at: PolyAt, edge: usize, side: u8) -> BorderEdge {
        let [a, b] = self.edge_ends(at, edge);
        BorderEdge::new((at.poly, 0), side, [a.at, b.at])
    }
}
