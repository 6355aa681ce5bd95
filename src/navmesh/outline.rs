//! What a walk straight ahead needs of a polygon, in one place.

use std::sync::OnceLock;

use glam::Vec3;

use super::{LiveTile, NavMesh, PORTAL_BIT, Poly, PolyKind, PolyRef};
use crate::geom::{RING_CORNERS, Ring};

/// Value of [`Outline::behind`] for an edge with nothing behind it.
const NOTHING: u32 = u32::MAX;
/// Value of [`Outline::behind`] for an edge of which the links know more.
const ASK_LINKS: u32 = u32::MAX - 1;

/// A polygon laid out for walks straight ahead. Edges are named by the corners at which they end.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Outline {
    /// It, seen from above.
    pub(crate) ring: Ring,
    /// Its name.
    pub(crate) poly: PolyRef,
    /// Height of the last corner, then of all in order.
    y: [f32; RING_CORNERS + 1],
    behind: [u32; RING_CORNERS],
    n_corners: u8,
}

const _: () = assert!(size_of::<Outline>() == 128, "two lines of a cache, the ring in the first");

/// What is behind an edge, as far as the tile knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// Nothing.
    Wall,
    /// The polygon with this number.
    Inside(u32),
    /// What the links say.
    Links,
}

impl Outline {
    fn new(live: &LiveTile, index: u32, poly: &Poly) -> Self {
        let corners = live.tile.corners(poly);
        let mut outline = Self {
            ring: Ring::new(&corners),
            y: [corners.last().map_or(0.0, |last| last.y); RING_CORNERS + 1],
            behind: [NOTHING; RING_CORNERS],
            n_corners: poly.n_vertices,
            poly: live.poly_ref(index),
        };
        for (y, corner) in outline.y[1..].iter_mut().zip(&corners) {
            *y = corner.y;
        }
        for corner in 0..corners.len() {
            let neighbor = poly.neighbors[outline.edge_to(corner)];
            outline.behind[corner] = if neighbor & PORTAL_BIT != 0
                || poly.kind == PolyKind::OffMesh
                || live.lacks_links()
            {
                ASK_LINKS
            } else {
                neighbor.checked_sub(1).map_or(NOTHING, |at| live.first_node + u32::from(at))
            };
        }
        outline
    }

    /// Number of the edge that ends at a corner.
    #[inline]
    pub(crate) fn edge_to(&self, corner: usize) -> usize {
        let n_before = if corner == 0 { usize::from(self.n_corners) } else { corner };
        n_before.wrapping_sub(1)
    }

    /// Ends of the edge that ends at a corner.
    #[inline]
    pub(crate) fn ends(&self, corner: usize) -> [Vec3; 2] {
        let heights = [corner, corner + 1].map(|place| self.y[place.min(RING_CORNERS)]);
        let [[a_x, a_z], [b_x, b_z]] = self.ring.edge_to(corner);
        [Vec3::new(a_x, heights[0], a_z), Vec3::new(b_x, heights[1], b_z)]
    }

    /// What is behind the edge that ends at a corner.
    #[inline]
    pub(crate) fn behind(&self, corner: usize) -> Behind {
        match self.behind[corner.min(RING_CORNERS - 1)] {
            NOTHING => Behind::Wall,
            ASK_LINKS => Behind::Links,
            number => Behind::Inside(number),
        }
    }
}

/// Outlines of all polygons by number. They are laid out when the first is asked for, and kept up from
/// then on: a mesh that is only loaded and saved needs none.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines(OnceLock<Vec<Outline>>);

impl Outlines {
    /// Forgets them all.
    pub(super) fn clear(&mut self) {
        self.0.take();
    }
}

impl NavMesh {
    /// Outlines of all polygons, by number.
    #[inline]
    pub(crate) fn outlines(&self) -> &[Outline] {
        self.outlines.0.get_or_init(|| self.all_outlines())
    }

    fn all_outlines(&self) -> Vec<Outline> {
        let mut all = Vec::new();
        for live in self.live_tiles() {
            put_outlines(live, self.n_nodes(), &mut all);
        }
        all
    }

    /// Lays out the polygons of a new tile, if others are.
    pub(super) fn outline(&mut self, id: u32) {
        if let Some(mut all) = self.outlines.0.take() {
            put_outlines(self.live(id), self.n_nodes(), &mut all);
            self.outlines.0 = OnceLock::from(all);
        }
    }
}

fn put_outlines(live: &LiveTile, n_nodes: usize, all: &mut Vec<Outline>) {
    let outlines = (0..).zip(&live.tile.polys).map(|(at, poly)| Outline::new(live, at, poly));
    for (number, outline) in live.numbers().zip(outlines) {
        if all.len() < n_nodes {
            // Numbers without a polygon are nobody's neighbours; any outline will do.
            all.resize(n_nodes, outline);
        }
        all[number as usize] = outline;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::TileCoord,
        navmesh::sample::{mesh, tile},
    };

    #[track_caller]
    fn check(mesh: &NavMesh) {
        for (slot, tile) in mesh.slots() {
            for (index, poly) in tile.polys.iter().enumerate() {
                let name = mesh.poly_ref(slot, index).unwrap();
                let outline = &mesh.outlines()[mesh.number(name).unwrap() as usize];
                assert_eq!(outline.poly, name);
                for corner in 0..usize::from(poly.n_vertices) {
                    let edge = outline.edge_to(corner);
                    assert_eq!(outline.ends(corner), tile.edge(poly, edge));
                    let neighbor = poly.neighbors[edge];
                    match outline.behind(corner) {
                        Behind::Wall => assert_eq!(neighbor, 0),
                        Behind::Links => assert!(neighbor & PORTAL_BIT != 0),
                        Behind::Inside(number) => {
                            let there = mesh.poly_ref(slot, usize::from(neighbor) - 1);
                            assert_eq!(Some(mesh.ref_of(number)), there);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn outlines_keep_up_with_the_tiles() {
        let row = |x| tile(x, 0, &["...", ".#.", "#.."]);
        let mut mesh = mesh([row(0), row(1), row(2)]);
        check(&mesh);
        // Often enough for all to be numbered anew.
        for round in 0..9 {
            let gone = mesh.remove_tile(TileCoord::new(round % 3, 0), 0).unwrap();
            check(&mesh);
            mesh.add_tile(gone).unwrap();
            check(&mesh);
        }
    }
}
