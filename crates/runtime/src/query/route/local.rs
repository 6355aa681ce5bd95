//! The crossings within some tiles, and the cheapest ways between them.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec3;

use super::costs::{Cost, Prices, UNREACHED, sum};
use crate::{ids::AreaId, navmesh::NavMesh, query::Filter};

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A polygon of these tiles, by its local number.
    Inside(u32),
    /// The polygon with this number in the navmesh, of another tile.
    Outside(u32),
}

#[derive(Clone, Copy, Debug)]
struct LocalLink {
    to: Target,
    /// Midpoint of its portal.
    at: Vec3,
    /// Cost of passing into another area.
    entering: Cost,
    /// For a link inside: index of the cost from it to the first link out of its target.
    first_arc: u32,
}

#[derive(Clone, Copy, Debug)]
struct LocalPoly {
    /// Its number in the navmesh.
    number: u32,
    area: AreaId,
    first_link: u32,
    n_links: u32,
}

/// The graph of the crossings of some tiles: its vertices are links, and its arcs lead from each link to the links out
/// of its target.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    /// For each tile: the number of its first polygon in the navmesh, their count, and the local number of the first.
    ranges: Vec<[u32; 3]>,
    polys: Vec<LocalPoly>,
    links: Vec<LocalLink>,
    arcs: Vec<Cost>,
    /// Links that leave the tiles.
    exits: Vec<u32>,
}

/// A link that leaves some tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exit {
    /// Numbers of the polygons in the navmesh.
    pub(super) from: u32,
    pub(super) to: u32,
    /// Midpoint of its portal.
    pub(super) at: Vec3,
}

/// Results of a search in a [`Local`] graph. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    costs: Vec<Cost>,
    parents: Vec<u32>,
    queue: BinaryHeap<Reverse<(Cost, u32)>>,
    /// Per polygon, where the links into it begin in `incoming`; only for searches in reverse.
    starts: Vec<u32>,
    incoming: Vec<u32>,
}

impl Labels {
    fn reset(&mut self, n: usize) {
        self.costs.clear();
        self.costs.resize(n, UNREACHED);
        self.parents.clear();
        self.parents.resize(n, u32::MAX);
        self.queue.clear();
    }

    fn offer(&mut self, at: u32, cost: Cost, parent: u32) {
        let known = &mut self.costs[at as usize];
        if cost < *known {
            *known = cost;
            self.parents[at as usize] = parent;
            self.queue.push(Reverse((cost, at)));
        }
    }

    /// The cheapest entry that is not yet done.
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
    /// The graph of `tiles`, given by their internal numbers, with all links that `filter` lets pass.
    pub(super) fn new(mesh: &NavMesh, filter: &Filter, prices: &Prices, tiles: &[u32]) -> Self {
        let mut local = Self::default();
        let mut n_polys = 0;
        for &tile in tiles {
            let live = mesh.live(tile);
            let n = index(live.tile.polys.len());
            local.ranges.push([live.first_node, n, n_polys]);
            n_polys += n;
        }
        let ranges = local.ranges.clone();
        local.ranges.sort_unstable();
        let (graph, portals) = (mesh.graph(), mesh.portals());
        for [first_number, n, _] in ranges {
            for number in first_number..first_number + n {
                let first_link = index(local.links.len());
                let area = graph.marks(number).area;
                for (link, portal) in graph.links(number).iter().zip(portals.of(number)) {
                    let to = graph.marks(link.to);
                    if !filter.passes_flags(to.flags) || !filter.rules.admits(mesh, *link) {
                        continue;
                    }
                    let target = local.target(link.to);
                    if matches!(target, Target::Outside(_)) {
                        local.exits.push(index(local.links.len()));
                    }
                    let entering = prices.entering(area, to.area);
                    let at = portal.midpoint();
                    local.links.push(LocalLink { to: target, at, entering, first_arc: 0 });
                }
                let n_links = index(local.links.len()) - first_link;
                local.polys.push(LocalPoly { number, area, first_link, n_links });
            }
        }
        local.add_arcs(prices);
        local
    }

    fn add_arcs(&mut self, prices: &Prices) {
        for at in 0..self.links.len() {
            let Target::Inside(poly) = self.links[at].to else { continue };
            self.links[at].first_arc = index(self.arcs.len());
            let from = self.links[at].at;
            for link in self.links_of(poly) {
                let cost = self.cost_to(prices, from, poly, link);
                self.arcs.push(cost);
            }
        }
    }

    fn target(&self, number: u32) -> Target {
        self.local(number).map_or(Target::Outside(number), Target::Inside)
    }

    /// The local number of a polygon; `None` if it belongs to another tile.
    pub(super) fn local(&self, number: u32) -> Option<u32> {
        let after = self.ranges.partition_point(|range| range[0] <= number);
        let [first, n, local] = *self.ranges.get(after.checked_sub(1)?)?;
        (number - first < n).then_some(local + number - first)
    }

    fn links_of(&self, poly: u32) -> std::ops::Range<u32> {
        let LocalPoly { first_link, n_links, .. } = self.polys[poly as usize];
        first_link..first_link + n_links
    }

    /// Cost from a point of `poly` to a link out of it.
    fn cost_to(&self, prices: &Prices, from: Vec3, poly: u32, link: u32) -> Cost {
        let link = &self.links[link as usize];
        sum(prices.way(from, link.at, self.polys[poly as usize].area), link.entering)
    }

    /// The links that leave the tiles, in the order of tiles, polygons and links.
    pub(super) fn exits(&self) -> impl Iterator<Item = Exit> {
        let mut poly = 0;
        self.exits.iter().map(move |&at| {
            while self.links_of(poly).end <= at {
                poly += 1;
            }
            let link = self.links[at as usize];
            let to = match link.to {
                Target::Outside(number) => number,
                Target::Inside(_) => unreachable!("`exits` holds links to the outside"),
            };
            Exit { from: self.polys[poly as usize].number, to, at: link.at }
        })
    }

    /// Searches from a point of a polygon to all links.
    pub(super) fn search(&self, prices: &Prices, poly: u32, from: Vec3, labels: &mut Labels) {
        labels.reset(self.links.len());
        for link in self.links_of(poly) {
            labels.offer(link, self.cost_to(prices, from, poly, link), u32::MAX);
        }
        while let Some((cost, at)) = labels.next() {
            let link = self.links[at as usize];
            let Target::Inside(poly) = link.to else { continue };
            let links = self.links_of(poly);
            let arcs = &self.arcs[link.first_arc as usize..][..links.len()];
            for (link, &arc) in links.zip(arcs) {
                labels.offer(link, sum(cost, arc), at);
            }
        }
    }

    /// After [`Local::search`]: the costs of the exits, in order.
    pub(super) fn exit_costs<'a>(&'a self, labels: &'a Labels) -> impl Iterator<Item = Cost> + 'a {
        self.exits.iter().map(|&at| labels.costs[at as usize])
    }

    /// After [`Local::search`]: the cheapest cost of a point in a polygon, and the link over which it is reached.
    pub(super) fn cost_at(
        &self,
        prices: &Prices,
        poly: u32,
        point: Vec3,
        labels: &Labels,
    ) -> Option<(Cost, u32)> {
        let area = self.polys[poly as usize].area;
        let links = (0..).zip(&self.links);
        let into = links.filter(|(_, link)| link.to == Target::Inside(poly));
        let costs = into.filter(|&(at, _)| labels.costs[at as usize] < UNREACHED);
        let costs = costs.map(|(at, link): (u32, _)| {
            (sum(labels.costs[at as usize], prices.way(link.at, point, area)), at)
        });
        costs.min().filter(|&(cost, _)| cost < UNREACHED)
    }

    /// After [`Local::search`]: the polygons that are entered on the way to a link, the last one first, by their
    /// numbers in the navmesh. The target of `link` is the first of them.
    pub(super) fn polys_to<'a>(
        &'a self,
        link: u32,
        labels: &'a Labels,
    ) -> impl Iterator<Item = u32> + 'a {
        let links = std::iter::successors(Some(link), |&at| {
            Some(labels.parents[at as usize]).filter(|&parent| parent != u32::MAX)
        });
        links.map(|at| match self.links[at as usize].to {
            Target::Inside(poly) => self.polys[poly as usize].number,
            Target::Outside(number) => number,
        })
    }

    /// The link of an exit.
    pub(super) fn exit_link(&self, exit: usize) -> u32 {
        self.exits[exit]
    }

    /// Searches in reverse: the cost from each of `entries` to a point of a polygon. An entry is a crossing into a
    /// polygon, both given.
    pub(super) fn costs_to(
        &self,
        prices: &Prices,
        (poly, point): (u32, Vec3),
        entries: &[(u32, Vec3)],
        labels: &mut Labels,
    ) -> Vec<Cost> {
        labels.reset(self.links.len());
        self.list_incoming(labels);
        let area = self.polys[poly as usize].area;
        for at in labels.links_into(poly) {
            let link = labels.incoming[at];
            let cost = prices.way(self.links[link as usize].at, point, area);
            labels.offer(link, cost, u32::MAX);
        }
        while let Some((cost, at)) = labels.next() {
            // The link leads out of this polygon.
            let poly = self.poly_of_link(at);
            let nth = at - self.polys[poly as usize].first_link;
            for before in labels.links_into(poly) {
                let before = labels.incoming[before];
                let arc = self.arcs[(self.links[before as usize].first_arc + nth) as usize];
                labels.offer(before, sum(cost, arc), at);
            }
        }
        let cost = |&(entered, from): &(u32, Vec3)| {
            let ways = self.links_of(entered).map(|link| {
                sum(labels.costs[link as usize], self.cost_to(prices, from, entered, link))
            });
            let straight = (entered == poly).then(|| prices.way(from, point, area));
            ways.chain(straight).min().unwrap_or(UNREACHED)
        };
        entries.iter().map(cost).collect()
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
        let inside = || {
            (0..).zip(&self.links).filter_map(|(at, link)| match link.to {
                Target::Inside(poly) => Some((at, poly as usize)),
                Target::Outside(_) => None,
            })
        };
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
}

impl Labels {
    /// Range in `incoming` of the links into a polygon.
    fn links_into(&self, poly: u32) -> std::ops::Range<usize> {
        self.starts[poly as usize] as usize..self.starts[poly as usize + 1] as usize
    }
}

/// Converts an index in a list of links or polygons; far fewer than 2³² fit in memory.
pub(super) fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
