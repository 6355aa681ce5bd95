//! Links from the polygons of one tile to those next to them, as they are while tiles are in a mesh.

use glam::Vec3;
use serde::Serialize;

use super::PolyRef;

/// Value of [`Link::side`] for a link that does not cross a tile border.
pub(crate) const INSIDE: u8 = 0xff;
/// Value of [`Link::edge`] for a link from ground to a connection that starts or ends there.
pub(crate) const NO_EDGE: u8 = 0xff;
/// The two ends of an edge, as [`Link::limits`] count.
pub(crate) const WHOLE_EDGE: [u8; 2] = [0, 255];

/// An edge that a path crosses from one polygon to the next, as seen when walking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Portal {
    /// Its left end.
    pub left: Vec3,
    /// Its right end.
    pub right: Vec3,
}

impl Portal {
    /// Point half way between its ends.
    pub fn midpoint(&self) -> Vec3 {
        (self.left + self.right) * 0.5
    }
}

/// A way from a polygon to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyLink {
    /// Where it leads.
    pub to: PolyRef,
    /// Edge it crosses; for connections the end it leaves from, or 0xff from the ground onto one.
    pub edge: u8,
    /// Tile border it crosses, from 0 (+x) over 2 (+z) to 7; 0xff inside a tile.
    pub side: u8,
    /// Where the part of the edge that it crosses starts and ends, in 255ths; zero inside a tile.
    pub limits: [u8; 2],
    /// What a path crosses.
    pub portal: Portal,
}

/// A link as a tile of a mesh stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// Tile it leads to, as the mesh numbers its tiles.
    pub(crate) to_tile: u32,
    /// Polygon of that tile.
    pub(crate) to_poly: u32,
    /// Edge it crosses, end of the connection, or [`NO_EDGE`].
    pub(crate) edge: u8,
    /// Tile border it crosses, or [`INSIDE`].
    pub(crate) side: u8,
    /// Where the part of the edge that it crosses starts and ends, in 255ths; zero inside a tile.
    pub(crate) limits: [u8; 2],
    /// What a path to that polygon crosses. Where several links lead to one polygon, paths use the
    /// portal of the first.
    pub(crate) portal: Portal,
}

impl Link {
    /// A link whose portal is still to be found.
    pub(crate) fn new(to_tile: u32, to_poly: u32, edge: u8, side: u8) -> Self {
        let portal = Portal { left: Vec3::ZERO, right: Vec3::ZERO };
        Self { to_tile, to_poly, edge, side, limits: [0, 0], portal }
    }

    /// Whether it leads to the same polygon as `other`.
    pub(crate) fn leads_where(&self, other: &Self) -> bool {
        (self.to_tile, self.to_poly) == (other.to_tile, other.to_poly)
    }
}

/// The links of all polygons of a tile, polygon by polygon, the newest first.
///
/// Searches take links in this order, and ties between paths fall by it. New links wait in a queue
/// until [`LinkTable::settle`] puts them in their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkTable {
    /// Per polygon, and once more at the end: where its links start.
    starts: Vec<u32>,
    links: Vec<Link>,
    queue: Vec<(u32, Link)>,
    capacity: usize,
    n_refused: usize,
}

impl LinkTable {
    /// No links between `n_polys` polygons, room for `capacity`.
    pub(crate) fn new(n_polys: usize, capacity: usize) -> Self {
        Self { starts: vec![0; n_polys + 1], capacity, ..Self::default() }
    }

    /// Links of a polygon.
    pub(crate) fn of(&self, poly: usize) -> &[Link] {
        &self.links[self.starts[poly] as usize..self.starts[poly + 1] as usize]
    }

    /// Links of a polygon, to set their portals.
    pub(crate) fn of_mut(&mut self, poly: usize) -> &mut [Link] {
        &mut self.links[self.starts[poly] as usize..self.starts[poly + 1] as usize]
    }

    /// Number of links.
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Links for which there was no room.
    pub(crate) fn n_refused(&self) -> usize {
        self.n_refused
    }

    /// Puts a link before all others of its polygon. Where the tile has no room it is left out, as
    /// Detour does, and counted.
    pub(crate) fn prepend(&mut self, poly: u32, link: Link) {
        if self.links.len() + self.queue.len() < self.capacity {
            self.queue.push((poly, link));
        } else {
            self.n_refused += 1;
        }
    }

    /// Removes all links to a tile.
    pub(crate) fn remove_to(&mut self, tile: u32) {
        self.queue.retain(|(_, link)| link.to_tile != tile);
        let (mut kept, mut start) = (0, 0);
        for poly in 0..self.starts.len().saturating_sub(1) {
            let end = self.starts[poly + 1] as usize;
            for index in start..end {
                if self.links[index].to_tile != tile {
                    self.links[kept] = self.links[index];
                    kept += 1;
                }
            }
            start = end;
            self.starts[poly + 1] = index_u32(kept);
        }
        self.links.truncate(kept);
    }

    /// Puts waiting links in their places.
    pub(crate) fn settle(&mut self) {
        if self.queue.is_empty() {
            return;
        }
        self.queue.reverse();
        self.queue.sort_by_key(|&(poly, _)| poly);
        let mut links = Vec::with_capacity(self.links.len() + self.queue.len());
        let mut queue = self.queue.drain(..).peekable();
        let mut start = 0;
        for poly in 0..self.starts.len().saturating_sub(1) {
            let end = self.starts[poly + 1] as usize;
            while let Some((_, link)) = queue.next_if(|&(from, _)| from as usize == poly) {
                links.push(link);
            }
            links.extend_from_slice(&self.links[start..end]);
            start = end;
            self.starts[poly + 1] = index_u32(links.len());
        }
        drop(queue);
        self.links = links;
    }
}

/// Position in a list of links, whose length is limited by a number of 32 bits in the tile's header.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(table: &LinkTable, poly: usize) -> Vec<u32> {
        table.of(poly).iter().map(|link| link.to_poly).collect()
    }

    fn link(tile: u32, poly: u32) -> Link {
        Link::new(tile, poly, 0, INSIDE)
    }

    #[test]
    fn newer_links_come_first_and_removal_keeps_the_order() {
        let mut table = LinkTable::new(3, 6);
        for (from, to) in [(0, link(0, 1)), (2, link(0, 2)), (0, link(1, 3))] {
            table.prepend(from, to);
        }
        table.settle();
        table.prepend(0, link(0, 4));
        table.prepend(0, link(1, 5));
        table.settle();
        assert_eq!(targets(&table, 0), [5, 4, 3, 1]);
        assert_eq!(targets(&table, 2), [2]);
        table.remove_to(1);
        assert_eq!(targets(&table, 0), [4, 1]);
        assert_eq!((targets(&table, 1), targets(&table, 2)), (vec![], vec![2]));
    }

    #[test]
    fn a_full_table_refuses_links_and_counts_them() {
        let mut table = LinkTable::new(1, 2);
        (0..5).for_each(|n| table.prepend(0, link(0, n)));
        table.settle();
        assert_eq!((targets(&table, 0), table.n_refused()), (vec![1, 0], 3));
        table.remove_to(0);
        table.prepend(0, link(0, 7));
        table.settle();
        assert_eq!(targets(&table, 0), [7]);
    }
}
