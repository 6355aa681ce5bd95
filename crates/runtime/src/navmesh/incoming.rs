//! Links by their target, for searches in reverse.
//!
//! Most links have a counterpart in the opposite direction, but not all: off-mesh links can be one-way, and if many
//! small edges face a long one, or a tile has no space left, one of a pair is missing. So all links are listed.

use super::link::{Link, index_u32};

/// For each polygon, the links that lead to it.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    /// Index in `links` of the first link to each polygon, then the end of the last one's links.
    first: Vec<u32>,
    links: Vec<LinkPlace>,
}

/// The position of a link: its polygon, and its index among that polygon's links.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkPlace {
    pub(super) from: u32,
    pub(super) index: u32,
}

/// A link as seen from its target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncomingLink {
    /// Number of the source polygon.
    pub(crate) from: u32,
    /// Index among the source polygon's links.
    pub(crate) index: usize,
    /// The link.
    pub(crate) link: Link,
}

impl Incoming {
    /// Sorts the links of `n_polys` polygons by target; links to one polygon keep their order.
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
        let mut links = vec![LinkPlace { from: 0, index: 0 }; n_links as usize];
        // In reverse, so that each count ends as the index of its first link.
        for from in numbers.rev() {
            for (index, link) in links_of(from).iter().enumerate().rev() {
                let place = &mut first[link.to as usize];
                *place -= 1;
                links[*place as usize] = LinkPlace { from, index: index_u32(index) };
            }
        }
        Self { first, links }
    }

    /// Returns the positions of the links that lead to a polygon.
    pub(super) fn of(&self, number: u32) -> &[LinkPlace] {
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

    /// Compares all links as pairs, once by source and once by target.
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
        // Eight inside each tile, four over the border, three of a one-way off-mesh link.
        assert_eq!(check(&mesh), 8 + 8 + 4 + 3);
        mesh.remove_tiles_at(TileCoord::new(1, 0));
        assert_eq!(check(&mesh), 8 + 2);
        mesh.add_tile(Arc::new(right)).unwrap();
        assert_eq!(check(&mesh), 8 + 8 + 4 + 3);
        mesh.remove_tiles_at(TileCoord::new(0, 0));
        assert_eq!(check(&mesh), 8);
        // Enough new tiles to renumber the polygons.
        for x in 2..9 {
            mesh.add_tile(Arc::new(tile(x, 0, &["..", ".."]))).unwrap();
            check(&mesh);
        }
    }
}
