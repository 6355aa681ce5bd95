//! Polygons in the form that raycasts and moves along the surface read.

use std::sync::OnceLock;

use glam::Vec3;

use super::{
    LiveTile, PORTAL_BIT, PolyKind, WHOLE_EDGE,
    graph::{Graph, extend},
    link::Link,
};
use crate::geom::{RING_CORNERS, Ring};

/// A polygon, prepared for raycasts. Edges are identified by the corners at which they end.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Outline {
    /// The corners. The number of an edge is that of the corner at its start.
    pub(crate) ring: Ring,
    behind: [Behind; RING_CORNERS],
    /// By edge, the part that is a portal, in 255ths.
    limits: [[u8; 2]; RING_CORNERS],
    /// Whether all points of the detail surface have the same height.
    is_flat: bool,
}

const _: () = assert!(
    size_of::<Outline>() == 128,
    "two lines of a cache, what is seen from above in the first"
);

/// The neighbor over an edge: the number of a polygon, or one of the constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Behind(u32);

impl Behind {
    /// The first value that is not a number.
    const WORDS: u32 = u32::MAX - 1;
    /// There are several neighbors: see the links.
    pub(crate) const LINKS: Self = Self(Self::WORDS);
    /// There is no neighbor.
    pub(crate) const WALL: Self = Self(Self::WORDS + 1);

    /// Returns the number of the neighbor, if there is exactly one.
    #[inline]
    pub(crate) fn number(self) -> Option<u32> {
        (self.0 < Self::WORDS).then_some(self.0)
    }
}

impl Outline {
    /// Prepares a polygon and its links.
    fn new(live: &LiveTile, index: usize, graph: &Graph, links: &[Link]) -> Self {
        let poly = &live.tile.polys[index];
        let corners = live.tile.corners(poly);
        let mut outline = Self {
            ring: Ring::new(&corners),
            behind: [Behind::WALL; RING_CORNERS],
            limits: [WHOLE_EDGE; RING_CORNERS],
            is_flat: live.tile.is_flat(index),
        };
        for corner in 0..corners.len() {
            let neighbor = poly.neighbors[outline.ring.before(corner)];
            outline.behind[corner] = if poly.kind == PolyKind::OffMesh {
                Behind::LINKS
            } else if neighbor & PORTAL_BIT != 0 {
                outline.behind_border(corner, graph, links)
            } else if live.lacks_links() {
                Behind::LINKS
            } else {
                let inside = neighbor.checked_sub(1);
                inside.map_or(Behind::WALL, |at| Behind(live.first_node + u32::from(at)))
            };
        }
        outline
    }

    /// Returns the neighbor over an edge on a border of the tile, and stores the part of the edge that is the portal.
    fn behind_border(&mut self, corner: usize, graph: &Graph, links: &[Link]) -> Behind {
        let edge = self.ring.before(corner);
        let mut over = links.iter().filter(|link| usize::from(link.edge) == edge);
        let Some(link) = over.next() else { return Behind::WALL };
        // Parts are measured along the border.
        let axis = match link.side {
            0 | 4 => 1,
            2 | 6 => 0,
            _other => return Behind::LINKS,
        };
        let is_ground = graph.marks(link.to).kind == PolyKind::Ground;
        if over.next().is_some() || axis != self.ring.axis(corner) || !is_ground {
            return Behind::LINKS;
        }
        self.limits[corner] = link.limits;
        Behind(link.to)
    }

    /// Returns the height of the whole detail surface, if it has only one.
    #[inline]
    pub(crate) fn height(&self) -> Option<f32> {
        self.is_flat.then(|| self.ring.edge_to(0, 2)[1])
    }

    /// Returns the ends of the edge that ends at a corner.
    pub(crate) fn ends(&self, corner: usize) -> [Vec3; 2] {
        let [[a_x, b_x], [a_z, b_z], [a_y, b_y]] =
            [0, 1, 2].map(|axis| self.ring.edge_to(corner, axis));
        [Vec3::new(a_x, a_y, a_z), Vec3::new(b_x, b_y, b_z)]
    }

    /// Returns the neighbor over the edge that ends at a corner.
    #[inline]
    pub(crate) fn behind(&self, corner: usize) -> Behind {
        self.behind[corner.min(RING_CORNERS - 1)]
    }

    /// Returns the part of this edge that is the portal, in 255ths along its longer axis; inside a tile, the whole
    /// edge.
    #[inline]
    pub(crate) fn limits(&self, corner: usize) -> [u8; 2] {
        self.limits[corner.min(RING_CORNERS - 1)]
    }
}

/// Outlines of all polygons, by number. They are computed at the first use and then updated: a mesh that is only loaded
/// and saved needs none.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines(pub(super) OnceLock<Vec<Outline>>);

impl Outlines {
    /// Removes all outlines.
    pub(super) fn clear(&mut self) {
        self.0.take();
    }
}

/// Computes the outlines of a tile that is new or whose links have changed.
pub(super) fn put_outlines(live: &LiveTile, graph: &Graph, all: &mut Vec<Outline>) {
    for (number, index) in live.numbers().zip(0..live.tile.polys.len()) {
        let outline = Outline::new(live, index, graph, graph.links(number));
        if all.len() < graph.len() {
            // Numbers without a polygon are not neighbors of others, so any outline is correct.
            extend(all, graph.len(), outline);
        }
        all[number as usize] = outline;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::TileCoord,
        navmesh::{
            INSIDE, NavMesh, Poly, Tile,
            sample::{mesh, tile},
        },
    };

    #[track_caller]
    fn check(mesh: &NavMesh) {
        for (slot, tile) in mesh.slots() {
            for (index, poly) in tile.polys.iter().enumerate() {
                let name = mesh.poly_ref(slot, index).unwrap();
                let number = mesh.number(name).unwrap();
                assert_eq!(mesh.ref_of(number), name);
                check_edges(mesh, number, tile, poly);
            }
        }
    }

    #[track_caller]
    fn check_edges(mesh: &NavMesh, number: u32, tile: &Tile, poly: &Poly) {
        let outline = &mesh.outlines()[number as usize];
        for corner in 0..usize::from(poly.n_vertices) {
            let edge = outline.ring.before(corner);
            let [a, b] = outline.ends(corner);
            assert_eq!([a, b], tile.edge(poly, edge));
            assert_eq!(outline.ring.axis(corner) == 0, (b - a).x.abs() > (b - a).z.abs());
            let links = mesh.graph().links(number).iter();
            let links: Vec<Link> =
                links.copied().filter(|link| usize::from(link.edge) == edge).collect();
            let behind = outline.behind(corner);
            match links[..] {
                [] => assert_eq!(behind, Behind::WALL),
                [link] => {
                    assert_eq!(behind.number(), Some(link.to));
                    let is_inside = link.side == INSIDE;
                    let limits = if is_inside { WHOLE_EDGE } else { link.limits };
                    assert_eq!(outline.limits(corner), limits);
                }
                _ => assert_eq!(behind, Behind::LINKS),
            }
        }
    }

    #[test]
    fn outlines_keep_up_with_the_tiles() {
        let row = |x| tile(x, 0, &["...", ".#.", "#.."]);
        let mut mesh = mesh([row(0), row(1), row(2)]);
        check(&mesh);
        // Often enough that all polygons are renumbered.
        for round in 0..9 {
            let gone = mesh.remove_tile(TileCoord::new(round % 3, 0), 0).unwrap();
            check(&mesh);
            mesh.add_tile(gone).unwrap();
            check(&mesh);
        }
    }
}
