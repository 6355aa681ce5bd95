//! Groups of polygons within a cell, and which groups can be reached from which.

use super::{
    cells::{Cell, Crossing, NONE, Spot, TileKey},
    local::Local,
};
use crate::query::reach::{Closure, graph_of};

/// The polygons of a cell of the lowest level, grouped so that all polygons of a group reach each other within the cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Groups {
    /// The tiles of the cell, and their numbers of polygons.
    pub(super) tiles: Vec<(TileKey, u32)>,
    /// Number of groups.
    pub(super) n: u16,
    /// The group of each polygon, in the order of the tiles; empty if there is at most one group.
    pub(super) of_poly: Vec<u16>,
    /// Groups from which links lead to others within the cell.
    pub(super) links: Vec<[u16; 2]>,
    /// Whether there are more groups than can be numbered; then nothing is known.
    pub(super) are_too_many: bool,
}

impl Groups {
    pub(super) fn new(local: &Local) -> Self {
        let graph = local.graph();
        let (of_poly, n) = graph.components();
        let (Ok(n), Ok(of_poly)) = (
            u16::try_from(n),
            of_poly.iter().map(|&group| u16::try_from(group)).collect::<Result<Vec<u16>, _>>(),
        ) else {
            return Self { tiles: local.tiles().collect(), are_too_many: true, ..Self::default() };
        };
        let group = |poly: u32| of_poly[poly as usize];
        let links = (0..graph.len())
            .flat_map(|from| graph.edges(from).iter().map(move |&to| [from, to].map(group)));
        let mut links: Vec<[u16; 2]> = links.filter(|[from, to]| from != to).collect();
        links.sort_unstable();
        links.dedup();
        let of_poly = if n > 1 { of_poly } else { Vec::new() };
        Self { tiles: local.tiles().collect(), n, of_poly, links, are_too_many: false }
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.tiles) + size_of_val(&*self.of_poly) + size_of_val(&*self.links)
    }

    /// The group of a polygon.
    pub(super) fn of(&self, spot: Spot) -> Option<u16> {
        let tile = self.tiles.binary_search_by_key(&spot.tile(), |&(key, _)| key).ok()?;
        if spot.poly() >= self.tiles[tile].1 || self.n == 0 {
            return None;
        }
        if self.of_poly.is_empty() {
            return Some(0);
        }
        let before: usize = self.tiles[..tile].iter().map(|&(_, n_polys)| n_polys as usize).sum();
        self.of_poly.get(before + spot.poly() as usize).copied()
    }
}

/// Which groups of the world can be reached from which.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// By cell of the lowest level, the number of its first group.
    first: Vec<u32>,
    /// `None` if a cell has too many groups.
    known: Option<Closure>,
}

impl Reach {
    /// Joins the groups of the cells of the lowest level.
    pub(super) fn new(groups: &[&Groups], cells: &[Cell], crossings: &[Crossing]) -> Self {
        let mut first = Vec::with_capacity(groups.len());
        let mut n = 0_u32;
        for groups in groups {
            first.push(n);
            n = n.saturating_add(u32::from(groups.n));
        }
        if groups.iter().any(|groups| groups.are_too_many) || n == NONE {
            return Self { first, known: None };
        }
        let mut links = Vec::new();
        for (groups, &first) in groups.iter().zip(&first) {
            let number = |group| first + u32::from(group);
            links.extend(groups.links.iter().map(|link| link.map(number)));
        }
        let start = links.len();
        for cell in cells {
            for &exit in &cell.exits {
                let crossing = &crossings[exit as usize];
                if crossing.row == NONE {
                    continue;
                }
                let ends = [(crossing.leaves, crossing.from), (crossing.enters, crossing.to)];
                let [from, to] = ends.map(|(leaf, spot)| {
                    let group = groups[leaf as usize].of(spot)?;
                    Some(first[leaf as usize] + u32::from(group))
                });
                // Most crossings connect the same groups as the one before.
                if let (Some(from), Some(to)) = (from, to)
                    && (links.len() == start || links.last() != Some(&[from, to]))
                {
                    links.push([from, to]);
                }
            }
        }
        let known = Closure::new(&graph_of(n, links), &vec![true; n as usize]);
        Self { first, known: Some(known) }
    }

    /// Whether a group can be reached from another, both given by their cells and numbers. `None` if it is not known.
    pub(super) fn reaches(&self, from: (u32, u16), to: (u32, u16)) -> Option<bool> {
        let known = self.known.as_ref()?;
        let [from, to] =
            [from, to].map(|(leaf, group)| self.first[leaf as usize] + u32::from(group));
        Some(known.reaches(from, to))
    }
}
