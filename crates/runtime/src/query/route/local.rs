//! The polygons of a cell of the lowest level, and the cheapest paths over the links between them.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec3;

use super::{
    cells::{CellPoly, Crossing, NONE, TileKey},
    costs::{Cost, FilterCosts, UNREACHED, sum},
    index,
};
use crate::{
    ids::AreaId,
    navmesh::{NavMesh, TilePlace},
    query::Filter,
    search::Graph,
};

/// Maximum number of arcs whose costs are kept, in 64 MiB. Cells of baked tiles have some tens of thousands.
const MAX_ARCS: u64 = 1 << 24;

#[derive(Clone, Copy, Debug)]
struct LocalLink {
    /// Local number of the target; [`NONE`] if the link leaves the cell.
    to: u32,
    /// Midpoint of the portal.
    at: Vec3,
    /// Cost of passing into another area.
    entering: Cost,
    /// For a link inside: index of the cost from this link to the first link out of its target.
    first_arc: u32,
}

#[derive(Clone, Copy, Debug)]
struct LocalPoly {
    /// Number of the polygon in the navmesh.
    number: u32,
    area: AreaId,
    first_link: u32,
    n_links: u32,
}

#[derive(Clone, Copy, Debug)]
struct LocalTile {
    key: TileKey,
    /// The number of its first polygon in the navmesh, their count, and the local number of the first.
    first_number: u32,
    n_polys: u32,
    first: u32,
}

/// The graph of the links in a cell: its vertices are links, and arcs lead from each link to the links out of its
/// target. The last links of a polygon are those that leave the cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    tiles: Vec<LocalTile>,
    polys: Vec<LocalPoly>,
    links: Vec<LocalLink>,
    /// The costs of the arcs, if many searches need them.
    arcs: Vec<Cost>,
    /// Links that leave the cell, in the order of its exits; [`NONE`] if there is no such polygon.
    exits: Vec<u32>,
}

/// Results of a search in a [`Local`] graph. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    costs: Vec<Cost>,
    parents: Vec<u32>,
    queue: BinaryHeap<Reverse<(Cost, u32)>>,
    /// Per polygon, the index in `incoming` of the first link into it; only for searches in reverse.
    starts: Vec<u32>,
    incoming: Vec<u32>,
}

impl Labels {
    fn reset(&mut self, n: usize) {
        self.costs.clear();
        self.costs.resize(n, UNREACHED);
        self.parents.clear();
        self.parents.resize(n, NONE);
        self.queue.clear();
    }

    /// Sets a cost if it is lower than the known one. Returns whether it was.
    fn lower(&mut self, at: u32, cost: Cost, parent: u32) -> bool {
        let known = &mut self.costs[at as usize];
        let is_lower = cost < *known;
        if is_lower {
            *known = cost;
            self.parents[at as usize] = parent;
        }
        is_lower
    }

    /// Removes and returns the cheapest entry that is not yet done.
    fn next(&mut self) -> Option<(Cost, u32)> {
        loop {
            let Reverse((cost, at)) = self.queue.pop()?;
            if self.costs[at as usize] == cost {
                return Some((cost, at));
            }
        }
    }
}

impl Local {
    /// Creates the graph of `tiles`, given by their internal numbers in the order of [`CellPoly::tile`], with all links
    /// that `filter` accepts. `exits` are the links out of them.
    pub(super) fn new<'a>(
        mesh: &NavMesh,
        filter: &Filter,
        filter_costs: &FilterCosts,
        tiles: &[u32],
        exits: impl ExactSizeIterator<Item = &'a Crossing>,
    ) -> Self {
        let mut local = Self::default();
        let mut n_polys = 0;
        for &tile in tiles {
            let live = mesh.live(tile);
            let n = index(live.tile.polys.len());
            let key = CellPoly::new(TilePlace::of(&live.tile), 0).tile();
            let first_number = live.first_node;
            local.tiles.push(LocalTile { key, first_number, n_polys: n, first: n_polys });
            n_polys += n;
        }
        local.exits = vec![NONE; exits.len()];
        let mut out: Vec<(u32, u32, Vec3, Cost)> = (0..)
            .zip(exits)
            .filter_map(|(nth, exit)| Some((local.at(exit.from)?, nth, exit.at, exit.entering)))
            .collect();
        if !out.is_sorted_by_key(|exit| (exit.0, exit.1)) {
            out.sort_unstable_by_key(|exit| (exit.0, exit.1));
        }
        let mut out = out.into_iter().peekable();
        let by_number = by_number(&local.tiles);
        let (graph, portals) = (mesh.graph(), mesh.portals());
        local.polys.reserve(n_polys as usize);
        for tile in 0..local.tiles.len() {
            let LocalTile { first_number, n_polys, first, .. } = local.tiles[tile];
            for number in first_number..first_number + n_polys {
                let first_link = index(local.links.len());
                let area = graph.marks(number).area;
                for (link, portal) in graph.links(number).iter().zip(portals.of(number)) {
                    let offset = link.to.wrapping_sub(first_number);
                    let to = if offset < n_polys {
                        first + offset
                    } else if let Some(to) = local_number(&by_number, link.to) {
                        to
                    } else {
                        continue;
                    };
                    let marks = graph.marks(link.to);
                    if !filter.passes_flags(marks.flags) || !filter.rules.admits(mesh, *link) {
                        continue;
                    }
                    let entering = filter_costs.entering(area, marks.area);
                    let at = portal.midpoint();
                    local.links.push(LocalLink { to, at, entering, first_arc: 0 });
                }
                let poly = first + (number - first_number);
                while let Some((_, nth, at, entering)) = out.next_if(|exit| exit.0 == poly) {
                    local.exits[nth as usize] = index(local.links.len());
                    local.links.push(LocalLink { to: NONE, at, entering, first_arc: 0 });
                }
                let n_links = index(local.links.len()) - first_link;
                local.polys.push(LocalPoly { number, area, first_link, n_links });
            }
        }
        local
    }

    /// Returns the number of arcs.
    pub(super) fn n_arcs(&self) -> u64 {
        let inside = self.links.iter().filter(|link| link.to != NONE);
        inside.map(|link| self.links_of(link.to).len() as u64).sum()
    }

    /// Computes the costs of all arcs, for many searches. If thousands of off-mesh links end at a polygon, there are too
    /// many arcs to keep, and searches compute their costs.
    pub(super) fn add_arcs(&mut self, filter_costs: &FilterCosts) {
        if self.n_arcs() > MAX_ARCS {
            return;
        }
        for at in 0..self.links.len() {
            let LocalLink { to, at: from, .. } = self.links[at];
            if to == NONE {
                continue;
            }
            self.links[at].first_arc = index(self.arcs.len());
            for link in self.links_of(to) {
                let cost = self.cost_to(filter_costs, from, to, link);
                self.arcs.push(cost);
            }
        }
    }

    /// Returns the local number of a polygon; `None` if the cell has none there.
    pub(super) fn at(&self, cell_poly: CellPoly) -> Option<u32> {
        let tile = self.tiles.binary_search_by_key(&cell_poly.tile(), |tile| tile.key).ok()?;
        let LocalTile { n_polys, first, .. } = self.tiles[tile];
        (cell_poly.poly() < n_polys).then(|| first + cell_poly.poly())
    }

    /// Returns the local number of a polygon, by its number in the navmesh; `None` if it belongs to another cell.
    pub(super) fn local(&self, number: u32) -> Option<u32> {
        self.tiles.iter().find_map(|tile| {
            let offset = number.wrapping_sub(tile.first_number);
            (offset < tile.n_polys).then(|| tile.first + offset)
        })
    }

    fn links_of(&self, poly: u32) -> std::ops::Range<u32> {
        let LocalPoly { first_link, n_links, .. } = self.polys[poly as usize];
        first_link..first_link + n_links
    }

    /// Returns the cost from a point of `poly` to a link out of it.
    fn cost_to(&self, filter_costs: &FilterCosts, from: Vec3, poly: u32, link: u32) -> Cost {
        let link = &self.links[link as usize];
        sum(filter_costs.line_cost(from, link.at, self.polys[poly as usize].area), link.entering)
    }

    /// Records that a link can be reached at this cost. Searches continue from it if it does not leave the cell.
    fn offer(&self, link: u32, cost: Cost, parent: u32, labels: &mut Labels) {
        if labels.lower(link, cost, parent) && self.links[link as usize].to != NONE {
            labels.queue.push(Reverse((cost, link)));
        }
    }

    /// Searches from a point of a polygon to all links.
    pub(super) fn search(
        &self,
        filter_costs: &FilterCosts,
        poly: u32,
        from: Vec3,
        labels: &mut Labels,
    ) {
        labels.reset(self.links.len());
        for link in self.links_of(poly) {
            self.offer(link, self.cost_to(filter_costs, from, poly, link), NONE, labels);
        }
        while let Some((cost, at)) = labels.next() {
            let LocalLink { to, at: from, first_arc, .. } = self.links[at as usize];
            let links = self.links_of(to);
            let arcs = self.arcs.get(first_arc as usize..).unwrap_or_default();
            for (nth, link) in links.enumerate() {
                let arc = match arcs.get(nth) {
                    Some(&arc) => arc,
                    None => self.cost_to(filter_costs, from, to, link),
                };
                self.offer(link, sum(cost, arc), at, labels);
            }
        }
    }

    /// Returns the costs of the exits in order, after [`Local::search`].
    pub(super) fn exit_costs<'a>(&'a self, labels: &'a Labels) -> impl Iterator<Item = Cost> + 'a {
        let cost = |&at: &u32| labels.costs.get(at as usize).copied().unwrap_or(UNREACHED);
        self.exits.iter().map(cost)
    }

    /// Returns the lowest cost of a point in a polygon, and the link over which it is reached, after [`Local::search`].
    pub(super) fn cost_at(
        &self,
        filter_costs: &FilterCosts,
        poly: u32,
        point: Vec3,
        labels: &Labels,
    ) -> Option<(Cost, u32)> {
        let area = self.polys[poly as usize].area;
        let into = (0..).zip(&self.links).filter(|(_, link)| link.to == poly);
        let costs = into.filter(|&(at, _)| labels.costs[at as usize] < UNREACHED);
        let costs = costs.map(|(at, link): (u32, _)| {
            (sum(labels.costs[at as usize], filter_costs.line_cost(link.at, point, area)), at)
        });
        costs.min().filter(|&(cost, _)| cost < UNREACHED)
    }

    /// Returns the polygons of the cell that are entered on the path to a link and over it, the last one first, by
    /// their numbers in the navmesh, after [`Local::search`].
    pub(super) fn polys_to<'a>(
        &'a self,
        link: u32,
        labels: &'a Labels,
    ) -> impl Iterator<Item = u32> + 'a {
        let links = std::iter::successors(Some(link), |&at| {
            Some(labels.parents[at as usize]).filter(|&parent| parent != NONE)
        });
        let inside = links.map(|at| self.links[at as usize].to).filter(|&to| to != NONE);
        inside.map(|to| self.polys[to as usize].number)
    }

    /// Returns the link of an exit, if it was reached, after [`Local::search`].
    pub(super) fn exit_link(&self, exit: usize, labels: &Labels) -> Option<u32> {
        let link = *self.exits.get(exit)?;
        (*labels.costs.get(link as usize)? < UNREACHED).then_some(link)
    }

    /// Searches in reverse: returns the cost from each of `entries` to a point of a polygon. An entry is a crossing
    /// with the polygon that it enters.
    pub(super) fn costs_to(
        &self,
        filter_costs: &FilterCosts,
        (poly, point): (u32, Vec3),
        entries: impl Iterator<Item = Option<(u32, Vec3)>>,
        labels: &mut Labels,
    ) -> Vec<Cost> {
        labels.reset(self.links.len());
        self.list_incoming(labels);
        let area = self.polys[poly as usize].area;
        for at in labels.links_into(poly) {
            let link = labels.incoming[at];
            let cost = filter_costs.line_cost(self.links[link as usize].at, point, area);
            self.offer(link, cost, NONE, labels);
        }
        while let Some((cost, at)) = labels.next() {
            // The link leads out of this polygon.
            let poly = self.poly_of_link(at);
            for before in labels.links_into(poly) {
                let before = labels.incoming[before];
                let arc = self.cost_to(filter_costs, self.links[before as usize].at, poly, at);
                self.offer(before, sum(cost, arc), at, labels);
            }
        }
        let cost = |entry: Option<(u32, Vec3)>| {
            let Some((entered, from)) = entry else { return UNREACHED };
            let ways = self.links_of(entered).map(|link| {
                sum(labels.costs[link as usize], self.cost_to(filter_costs, from, entered, link))
            });
            let straight = (entered == poly).then(|| filter_costs.line_cost(from, point, area));
            ways.chain(straight).min().unwrap_or(UNREACHED)
        };
        entries.map(cost).collect()
    }

    fn poly_of_link(&self, link: u32) -> u32 {
        let after = self.polys.partition_point(|poly| poly.first_link <= link);
        // Polygons without links begin where the next one does.
        index(after) - 1
    }

    /// Lists the links into each polygon.
    fn list_incoming(&self, labels: &mut Labels) {
        let Labels { starts, incoming, .. } = labels;
        starts.clear();
        starts.resize(self.polys.len() + 2, 0);
        let inside = || (0..).zip(&self.links).filter(|(_, link)| link.to != NONE);
        let inside = || inside().map(|(at, link)| (at, link.to as usize));
        inside().for_each(|(_, poly): (u32, _)| starts[poly + 2] += 1);
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        incoming.clear();
        incoming.resize(self.links.len(), 0);
        for (at, poly) in inside() {
            incoming[starts[poly + 1] as usize] = at;
            starts[poly + 1] += 1;
        }
    }

    /// Returns the tiles and their numbers of polygons.
    pub(super) fn tiles(&self) -> impl Iterator<Item = (TileKey, u32)> {
        self.tiles.iter().map(|tile| (tile.key, tile.n_polys))
    }

    /// Returns the polygons and the links inside the cell.
    pub(super) fn graph(&self) -> Graph {
        Graph::new(index(self.polys.len()), |poly, out| {
            let links = self.links_of(poly).map(|link| self.links[link as usize].to);
            out.extend(links.filter(|&to| to != NONE));
        })
    }
}

impl Labels {
    /// Returns the range in `incoming` of the links into a polygon.
    fn links_into(&self, poly: u32) -> std::ops::Range<usize> {
        self.starts[poly as usize] as usize..self.starts[poly as usize + 1] as usize
    }
}

/// Sorts the tiles by the numbers of their polygons in the navmesh.
fn by_number(tiles: &[LocalTile]) -> Vec<LocalTile> {
    let mut sorted = tiles.to_vec();
    sorted.sort_unstable_by_key(|tile| tile.first_number);
    sorted
}

fn local_number(by_number: &[LocalTile], number: u32) -> Option<u32> {
    let after = by_number.partition_point(|tile| tile.first_number <= number);
    let LocalTile { first_number, n_polys, first, .. } = by_number[after.checked_sub(1)?];
    (number - first_number < n_polys).then(|| first + (number - first_number))
}
