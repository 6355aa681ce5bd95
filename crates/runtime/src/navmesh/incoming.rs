//! Links by where they lead: what searches against the direction of walking follow.
//!
//! Most links have one that leads back, but not all: off-mesh links can lead one way, and where many small edges
//! face a long one, or a tile has no room left, one of a pair is missing. So all are listed.

use super::link::{Link, index_u32};

/// For each polygon, the links that lead to it.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    /// Per polygon, where its links start in `links`; and the end of all.
    first: Vec<u32>,
    links: Vec<Place>,
}

/// Where a link is: polygon, and place among that polygon's links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) from: u32,
    pub(super) index: u32,
}

/// A link as seen from where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncomingLink {
    /// Number of the polygon from which it leads.
    pub(crate) from: u32,
    /// Its place among that polygon's links.
    pub(crate) index: usize,
    /// The link.
    pub(crate) link: Link,
}

impl Incoming {
    /// Sorts the links of `n_polys` polygons by where they lead; those to one polygon stay in their order.
    pub(super) fn new<'a>(n_polys: usize, links_of: impl Fn(u32) -> &'a [Link]) -> Self {
        let numbers = 0..index_u32(n_polys);
        let mut first = vec![0; n_polys + 1];
        for link in numbers.clone().flat_map(&links_of) {
            first[link.to as usize] += 1;
        }
        let mut n_links = 0;
        for n in &mut first {
            n_links += *n;
            *n = n_links;
        }
        let mut links = vec![Place { from: 0, index: 0 }; n_links as usize];
        // From the last to the first, so that each count ends as the place of its first link.
        for from in numbers.rev() {
            for (index, link) in links_of(from).iter().enumerate().rev() {
                let place = &mut first[link.to as usize];
                *place -= 1;
                links[*place as usize] = Place { from, index: index_u32(index) };
            }
        }
        Self { first, links }
    }

    /// Where the links are that lead to a polygon.
    pub(super) fn of(&self, number: u32) -> &[Place] {
        let [start, end] = [0, 1].map(|next| self.first[number as usize + next] as usize);
        &self.links[start..end]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::{
        ids::TileCoord,
        navmesh::{
            NavMesh,
            sample::{connect, mesh, tile},
        },
    };

    /// All links as pairs, once by where they start and once by where they lead.
    #[track_caller]
    fn check(mesh: &NavMesh) -> usize {
        let graph = mesh.graph();
        let numbers = 0..u32::try_from(graph.len()).unwrap();
        let outgoing = numbers.clone().flat_map(|from| {
            let links = graph.links(from).iter().enumerate();
            links.map(move |(index, link)| (link.to, from, index))
        });
        let mut outgoing: Vec<_> = outgoing.collect();
        let incoming = numbers.flat_map(|to| {
            graph.incoming(to).map(move |IncomingLink { from, index, link }| {
                assert_eq!(link.to, to);
                (to, from, index)
            })
        });
        let incoming: Vec<_> = incoming.collect();
        outgoing.sort_unstable();
        assert_eq!(incoming, outgoing);
        incoming.len()
    }

    #[test]
    fn links_are_found_from_their_ends_while_tiles_come_and_go() {
        let mut left = tile(0, 0, &["..", ".."]);
        connect(&mut left, [Vec3::new(0.5, 0.0, 0.5), Vec3::new(3.5, 0.0, 1.5)], 0, 0);
        let right = tile(1, 0, &["..", ".."]);
        let mut mesh = mesh([left, right.clone()]);
        // Eight inside each tile, four over the border, three of a connection that leads one way.
        assert_eq!(check(&mesh), 8 + 8 + 4 + 3);
        mesh.remove_tiles_at(TileCoord::new(1, 0));
        assert_eq!(check(&mesh), 8 + 2);
        mesh.add_tile(Arc::new(right)).unwrap();
        assert_eq!(check(&mesh), 8 + 8 + 4 + 3);
        mesh.remove_tiles_at(TileCoord::new(0, 0));
        assert_eq!(check(&mesh), 8);
        // Enough new tiles that polygons are numbered anew.
        for x in 2..9 {
            mesh.add_tile(Arc::new(tile(x, 0, &["..", ".."]))).unwrap();
            check(&mesh);
        }
    }
}
