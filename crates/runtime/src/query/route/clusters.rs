//! Clusters of polygons within a cell, and reachability between clusters.

use super::{
    cells::{Cell, CellPoly, Crossing, NONE, TileKey},
    local::Local,
};
use crate::query::reach::{Closure, graph_of};

/// The polygons of a cell of the lowest level, grouped so that all polygons of a cluster reach each other within the cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clusters {
    /// The tiles of the cell, and their numbers of polygons.
    pub(super) tiles: Vec<(TileKey, u32)>,
    /// Number of clusters.
    pub(super) n: u16,
    /// The cluster of each polygon, in the order of the tiles; empty if there is at most one cluster.
    pub(super) of_poly: Vec<u16>,
    /// Clusters from which links lead to others within the cell.
    pub(super) links: Vec<[u16; 2]>,
    /// Whether there are more clusters than can be numbered; then no cluster is known.
    pub(super) are_too_many: bool,
}

impl Clusters {
    pub(super) fn new(local: &Local) -> Self {
        let graph = local.graph();
        let (of_poly, n) = graph.components();
        let (Ok(n), Ok(of_poly)) = (
            u16::try_from(n),
            of_poly.iter().map(|&cluster| u16::try_from(cluster)).collect::<Result<Vec<u16>, _>>(),
        ) else {
            return Self { tiles: local.tiles().collect(), are_too_many: true, ..Self::default() };
        };
        let cluster = |poly: u32| of_poly[poly as usize];
        let links = (0..graph.len())
            .flat_map(|from| graph.edges(from).iter().map(move |&to| [from, to].map(cluster)));
        let mut links: Vec<[u16; 2]> = links.filter(|[from, to]| from != to).collect();
        links.sort_unstable();
        links.dedup();
        let of_poly = if n > 1 { of_poly } else { Vec::new() };
        Self { tiles: local.tiles().collect(), n, of_poly, links, are_too_many: false }
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.tiles) + size_of_val(&*self.of_poly) + size_of_val(&*self.links)
    }

    /// Returns the cluster of a polygon.
    pub(super) fn of(&self, cell_poly: CellPoly) -> Option<u16> {
        let tile = self.tiles.binary_search_by_key(&cell_poly.tile(), |&(key, _)| key).ok()?;
        if cell_poly.poly() >= self.tiles[tile].1 || self.n == 0 {
            return None;
        }
        if self.of_poly.is_empty() {
            return Some(0);
        }
        let before: usize = self.tiles[..tile].iter().map(|&(_, n_polys)| n_polys as usize).sum();
        self.of_poly.get(before + cell_poly.poly() as usize).copied()
    }
}

/// The clusters of all cells, numbered consecutively.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    /// By cell of the lowest level, the number of its first cluster.
    pub(super) first: Vec<u32>,
    /// Number of clusters.
    n: u32,
}

impl Numbered {
    pub(super) fn new(clusters: &[&Clusters]) -> Self {
        let mut first = Vec::with_capacity(clusters.len());
        let mut n = 0_u32;
        for clusters in clusters {
            first.push(n);
            n = n.saturating_add(u32::from(clusters.n));
        }
        Self { first, n }
    }

    fn number(&self, (leaf, cluster): (u32, u16)) -> u32 {
        self.first[leaf as usize].saturating_add(cluster.into())
    }

    /// Returns the links between clusters; links between cells may be listed more than once.
    pub(super) fn links(
        &self,
        clusters: &[&Clusters],
        cells: &[Cell],
        crossings: &[Crossing],
    ) -> Vec<[u32; 2]> {
        let mut links = Vec::new();
        for (leaf, of_cell) in (0..).zip(clusters) {
            let number = |cluster| self.number((leaf, cluster));
            links.extend(of_cell.links.iter().map(|link| link.map(number)));
        }
        let start = links.len();
        for &exit in cells.iter().flat_map(|cell| &cell.exits) {
            let crossing = &crossings[exit as usize];
            if crossing.row == NONE {
                continue;
            }
            let ends = [(crossing.leaves, crossing.from), (crossing.enters, crossing.to)];
            let [from, to] = ends.map(|(leaf, cell_poly)| {
                let cluster = clusters[leaf as usize].of(cell_poly)?;
                Some(self.number((leaf, cluster)))
            });
            // Most crossings connect the same clusters as the one before.
            if let (Some(from), Some(to)) = (from, to)
                && (links.len() == start || links.last() != Some(&[from, to]))
            {
                links.push([from, to]);
            }
        }
        links
    }
}

/// Which clusters of the world can be reached from which.
#[derive(Clone, Debug)]
pub(super) struct ClusterReach {
    numbers: Numbered,
    /// `None` if a cell has too many clusters.
    known: Option<Closure>,
}

impl ClusterReach {
    /// Joins the clusters of the cells of the lowest level.
    pub(super) fn new(clusters: &[&Clusters], cells: &[Cell], crossings: &[Crossing]) -> Self {
        let numbers = Numbered::new(clusters);
        let n = numbers.n;
        if clusters.iter().any(|clusters| clusters.are_too_many) || n == NONE {
            return Self { numbers, known: None };
        }
        let links = numbers.links(clusters, cells, crossings);
        let known = Closure::new(&graph_of(n, links), &vec![true; n as usize]);
        Self { numbers, known: Some(known) }
    }

    /// Returns whether a cluster can be reached from another, both given by their cells and numbers; `None` if that is
    /// not known.
    pub(super) fn reaches(&self, from: (u32, u16), to: (u32, u16)) -> Option<bool> {
        let known = self.known.as_ref()?;
        Some(known.reaches(self.numbers.number(from), self.numbers.number(to)))
    }
}
