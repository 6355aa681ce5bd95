//! Groups of polygons within a cell, and which groups can be reached from which.

use super::{
    local::Local,
    overlay::{NONE, RouteOverlay, Spot, TileKey},
};
use crate::{
    navmesh::TilePoly,
    query::reach::{Closure, graph_of},
};

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
    fn of(&self, spot: Spot) -> Option<u16> {
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
    fn new(overlay: &RouteOverlay) -> Self {
        let leaves = &overlay.leaves;
        let mut first = Vec::with_capacity(leaves.len());
        let mut n = 0_u32;
        for leaf in leaves {
            first.push(n);
            n = n.saturating_add(u32::from(leaf.groups.n));
        }
        if leaves.iter().any(|leaf| leaf.groups.are_too_many) || n == NONE {
            return Self { first, known: None };
        }
        let mut links = Vec::new();
        for (leaf, &first) in leaves.iter().zip(&first) {
            let number = |group| first + u32::from(group);
            links.extend(leaf.groups.links.iter().map(|link| link.map(number)));
        }
        let start = links.len();
        for cell in &overlay.levels[0].cells {
            for &exit in &cell.exits {
                let crossing = &overlay.crossings[exit as usize];
                if crossing.row == NONE {
                    continue;
                }
                let ends = [(crossing.leaves, crossing.from), (crossing.enters, crossing.to)];
                let [from, to] = ends.map(|(leaf, spot)| {
                    let group = leaves[leaf as usize].groups.of(spot)?;
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
}

impl RouteOverlay {
    /// Whether a polygon can be reached from another, as of the last update; tiles need not be loaded. `None` if it has
    /// no such polygon, or its cell was never computed.
    ///
    /// Takes constant time if there are few one-way links; the first call after an update takes time in proportion to
    /// the number of cells. [`find_route`](super::find_route) calls it before it searches.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use walkable::{bake::*, level::*, monitor::Unmonitored};
    /// # use walkable::query::*;
    /// # let level = generate(LevelKind::Sample, 1, 30.0)?;
    /// # let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    /// # let mesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
    /// # let filter = Filter::default();
    /// # let on = |point| nearest(&mesh, &NearestRequest::new(point, &filter)).map(Option::unwrap);
    /// # let (start, end) = (on(level.start)?, on(level.end)?);
    /// let overlay = RouteOverlay::new(&mesh, &filter)?;
    /// // A game can keep these: they do not depend on what is loaded.
    /// let [start, end] = [start, end].map(|point| mesh.tile_poly(point.poly).expect("not stale"));
    /// assert_eq!(overlay.can_reach(start, end), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_reach(&self, from: TilePoly, to: TilePoly) -> Option<bool> {
        let [from, to] = [from, to].map(|poly| {
            let leaf = self.leaf_at(poly.tile)?;
            let group = self.leaves[leaf as usize].groups.of(Spot::of(poly))?;
            Some((leaf, group))
        });
        let (from, to) = (from?, to?);
        if from == to {
            return Some(true);
        }
        let reach = self.reach.get_or_init(|| Reach::new(self));
        let known = reach.known.as_ref()?;
        let [from, to] =
            [from, to].map(|(leaf, group)| reach.first[leaf as usize] + u32::from(group));
        Some(known.reaches(from, to))
    }

    /// Number of groups of polygons: the polygons of a group reach each other within their cell of 4 by 4 tiles.
    pub fn n_groups(&self) -> usize {
        self.leaves.iter().map(|leaf| usize::from(leaf.groups.n)).sum()
    }
}
