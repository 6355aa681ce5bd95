//! Determines without a search whether one polygon can be reached from another.
//!
//! Ground is linked in both directions, so two polygons on one island can usually reach each other. One-way off-mesh
//! links divide an island into strongly connected components, which form an acyclic graph. A row of bits per component
//! stores the components to which it leads.

use std::ops::Range;

use super::Filter;
use crate::{
    navmesh::{NavMesh, PolyRef, Revision},
    search::Graph,
};

/// Maximum number of bits for the components of all islands: 8 MiB.
const MAX_BITS: usize = 1 << 26;
/// Number of a polygon that is not usable.
const OUTSIDE: u32 = u32::MAX;

/// Reachability between polygons, for one filter and one state of a navmesh.
///
/// Memory is 8 bytes per polygon, 4 per link between components and 12 per component; plus k² bits for each island
/// with k components, as long as the total is at most 8 MiB. On islands beyond that, components are searched in time
/// linear in their number. All other queries take constant time.
#[derive(Clone, Debug)]
pub struct Reachability {
    state: Revision,
    /// The closure of the polygons, by their numbers in searches.
    known: Closure,
}

/// Which vertices of a graph can be reached from which.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    /// Island of each vertex.
    island: Vec<u32>,
    component: Vec<u32>,
    islands: Vec<Island>,
    /// Island of each component, and its index among that island's components.
    places: Vec<[u32; 2]>,
    /// From each component to those it leads to, which have smaller numbers.
    between: Graph,
    bits: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Island {
    n_components: u32,
    /// Index of the island's bits, a row for each component; `None` if they were not kept.
    start: Option<usize>,
}

impl Island {
    /// Returns the length of a row, in words.
    fn n_words(self) -> usize {
        self.n_components.div_ceil(64) as usize
    }
}

impl Reachability {
    /// Analyzes all polygons and links that `filter` and its rules accept; costs and limits are ignored.
    pub fn new(mesh: &NavMesh, filter: &Filter) -> Self {
        let n = u32::try_from(mesh.n_nodes()).unwrap_or(u32::MAX);
        let mut is_used = vec![false; n as usize];
        let mut links: Vec<[u32; 2]> = Vec::new();
        for live in mesh.live_tiles() {
            let polys = (0..).zip(&live.tile.polys).filter(|(_, poly)| filter.passes(poly));
            for (index, _) in polys {
                is_used[(live.first_node + index) as usize] = true;
                for link in mesh.graph().links(live.first_node + index) {
                    let passes = filter.passes_flags(mesh.graph().marks(link.to).flags);
                    if passes && filter.rules.admits(mesh, *link) {
                        links.push([live.first_node + index, link.to]);
                    }
                }
            }
        }
        let known = Closure::new(&graph_of(n, links), &is_used);
        Self { state: mesh.state().clone(), known }
    }
}

impl Closure {
    /// Analyzes a graph. Vertices that are not used have no edges.
    pub(super) fn new(graph: &Graph, is_used: &[bool]) -> Self {
        let (mut island, _) = graph.islands();
        let (mut component, _) = graph.components();
        let [n_islands, n_components] =
            [&mut island, &mut component].map(|numbers| leave_out(numbers, is_used));
        let links = (0..graph.len()).flat_map(|from| {
            let ends = graph.edges(from).iter().map(move |&to| [from, to]);
            ends.map(|link| link.map(|vertex| component[vertex as usize]))
        });
        let links = links.filter(|[from, to]| from != to).collect();
        let between = graph_of(n_components, links);
        let mut islands = vec![Island::default(); n_islands as usize];
        let mut places = vec![[OUTSIDE; 2]; n_components as usize];
        for (&island, &component) in island.iter().zip(&component).filter(|(i, _)| **i != OUTSIDE) {
            let place = &mut places[component as usize];
            if place[0] == OUTSIDE {
                let n = &mut islands[island as usize].n_components;
                *place = [island, *n];
                *n += 1;
            }
        }
        let bits = Vec::new();
        let mut known = Self { island, component, islands, places, between, bits };
        known.fill_bits();
        known
    }

    /// Computes the bits of all components in order: a component leads only to smaller numbers, whose bits are already
    /// known.
    fn fill_bits(&mut self) {
        let mut n_words = 0;
        for island in self.islands.iter_mut().filter(|island| island.n_components > 1) {
            let wanted = island.n_words() * island.n_components as usize;
            if 64 * (n_words + wanted) <= MAX_BITS {
                island.start = Some(n_words);
                n_words += wanted;
            }
        }
        self.bits.resize(n_words, 0);
        for component in 0..self.between.len() {
            let Some(row) = self.row(component) else { continue };
            let [_, place] = self.places[component as usize];
            self.bits[row.start + place as usize / 64] |= 1 << (place % 64);
            for &to in self.between.edges(component) {
                let below = self.row(to).unwrap_or(0..0);
                for (word, below) in row.clone().zip(below) {
                    self.bits[word] |= self.bits[below];
                }
            }
        }
    }

    /// Returns the bits of a component, if they were kept.
    fn row(&self, component: u32) -> Option<Range<usize>> {
        let [island, place] = self.places[component as usize];
        let island = self.islands[island as usize];
        let start = island.start? + island.n_words() * place as usize;
        Some(start..start + island.n_words())
    }

    /// Returns whether a vertex can be reached from another; both must be used.
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        let [from, to] = [from, to].map(|vertex| self.component[vertex as usize]);
        from == to || self.leads(from, to)
    }

    /// Returns whether a component leads to another.
    fn leads(&self, from: u32, to: u32) -> bool {
        let [[island, _], [other, place]] = [from, to].map(|at| self.places[at as usize]);
        if island != other || to > from {
            return false;
        }
        match self.row(from) {
            Some(row) => self.bits[row.start + place as usize / 64] & (1 << (place % 64)) != 0,
            None => self.leads_by_search(from, to),
        }
    }

    fn leads_by_search(&self, from: u32, to: u32) -> bool {
        let mut is_met = vec![false; from as usize + 1];
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if at == to {
                return true;
            }
            // A component with a smaller number than the target cannot lead to it.
            for &next in self.between.edges(at).iter().filter(|&&next| next >= to) {
                if !std::mem::replace(&mut is_met[next as usize], true) {
                    waiting.push(next);
                }
            }
        }
        false
    }
}

impl Reachability {
    /// Returns whether the result is still valid for `mesh`: no tile, flag or area has changed.
    pub fn is_current(&self, mesh: &NavMesh) -> bool {
        self.state.is(mesh.state())
    }

    /// Returns the number of islands: parts of the navmesh without links between them.
    pub fn n_islands(&self) -> usize {
        self.known.islands.len()
    }

    /// Returns the number of strongly connected components: parts within which every polygon can reach every other.
    pub fn n_components(&self) -> u32 {
        self.known.between.len()
    }

    /// Returns the island of a polygon, numbered from 0; `None` if the filter rejects it, it is stale, or the navmesh
    /// has changed.
    pub fn island(&self, mesh: &NavMesh, poly: PolyRef) -> Option<u32> {
        self.number_in(&self.known.island, mesh, poly)?
    }

    /// Returns the component of a polygon, numbered from 0; `None` as for [`Reachability::island`]. Links between
    /// components lead to smaller numbers.
    pub fn component(&self, mesh: &NavMesh, poly: PolyRef) -> Option<u32> {
        self.number_in(&self.known.component, mesh, poly)?
    }

    /// Returns whether `to` can be reached from `from`. Polygons that the filter rejects cannot be reached and lead
    /// nowhere. `None` if a polygon is stale or the navmesh has changed.
    pub fn can_reach(&self, mesh: &NavMesh, from: PolyRef, to: PolyRef) -> Option<bool> {
        let from = self.number_in(&self.known.component, mesh, from)?;
        let to = self.number_in(&self.known.component, mesh, to)?;
        Some(from.zip(to).is_some_and(|(from, to)| from == to || self.known.leads(from, to)))
    }

    /// Returns the number of an existing polygon, if it has one.
    #[expect(clippy::option_option, reason = "being gone and being left out are different answers")]
    fn number_in(&self, numbers: &[u32], mesh: &NavMesh, poly: PolyRef) -> Option<Option<u32>> {
        let at = mesh.locate(poly).filter(|_| self.is_current(mesh))?;
        let number = numbers[mesh.number_of(at) as usize];
        Some((number != OUTSIDE).then_some(number))
    }
}

/// Returns the graph of `n` vertices with these edges, without duplicates.
pub(super) fn graph_of(n: u32, mut links: Vec<[u32; 2]>) -> Graph {
    links.sort_unstable();
    links.dedup();
    let mut rest = links.as_slice();
    Graph::new(n, |vertex, out| {
        let (own, others) = rest.split_at(rest.partition_point(|link| link[0] == vertex));
        out.extend(own.iter().map(|link| link[1]));
        rest = others;
    })
}

/// Renumbers the used entries without gaps and in the same order; all others become [`OUTSIDE`]. Returns how many are
/// used.
fn leave_out(numbers: &mut [u32], is_used: &[bool]) -> u32 {
    let mut new: Vec<u32> = vec![0; numbers.len()];
    for (&number, _) in numbers.iter().zip(is_used).filter(|(_, is_used)| **is_used) {
        new[number as usize] = 1;
    }
    let mut n = 0;
    for number in &mut new {
        n += *number;
        *number = n.saturating_sub(1);
    }
    for (number, &is_used) in numbers.iter_mut().zip(is_used) {
        *number = if is_used { new[*number as usize] } else { OUTSIDE };
    }
    n
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;
    use crate::navmesh::sample::{connect, mesh, tile};

    /// Returns three rooms in a row, linked one way from left to right, and a separate one above.
    fn rooms() -> NavMesh {
        let mut rooms = tile(0, 0, &[".#.#.", ".#.#.", ".#.#.", "#####", "....."]);
        for x in [0.9, 2.9] {
            connect(&mut rooms, [Vec3::new(x, 0.0, 1.5), Vec3::new(x + 1.2, 0.0, 1.5)], 0, 0xff);
        }
        mesh([rooms])
    }

    #[test]
    fn one_way_connections_lead_one_way() {
        let mut mesh = rooms();
        let [left, middle, right, alone, connection] =
            [0, 1, 2, 9, 14].map(|poly| mesh.poly_ref(0, poly).unwrap());
        let known = Reachability::new(&mesh, &Filter::default());
        assert_eq!((known.n_islands(), known.n_components()), (2, 4));
        let can = |from, to| known.can_reach(&mesh, from, to).unwrap();
        assert!(can(left, right) && can(left, middle) && can(middle, right) && can(left, left));
        assert!(!can(right, left) && !can(middle, left) && !can(left, alone) && !can(alone, left));
        // An agent can turn around on an off-mesh link.
        assert!(can(connection, left) && can(connection, middle) && can(left, connection));
        assert_ne!(known.island(&mesh, left), known.island(&mesh, alone));
        assert!(known.component(&mesh, left) > known.component(&mesh, right));

        let closed = Filter { exclude_flags: 2, ..Filter::default() };
        mesh.set_flags(connection, 2);
        assert_eq!(known.can_reach(&mesh, left, right), None, "flags have changed");
        let known = Reachability::new(&mesh, &closed);
        assert_eq!(known.can_reach(&mesh, left, right), Some(false));
        assert_eq!(known.can_reach(&mesh, middle, right), Some(true));
        assert_eq!(known.can_reach(&mesh, connection, left), Some(false));
        assert_eq!((known.n_islands(), known.island(&mesh, connection)), (3, None));
    }

    proptest! {
        /// Bits and search agree with each other and with a traversal edge by edge.
        #[test]
        fn any_graph_is_analyzed_correctly(
            edges in prop::collection::vec([0u32..100, 0u32..100], 0..180),
            unused in prop::collection::btree_set(0usize..100, 0..20),
        ) {
            let is_used: Vec<bool> = (0..100).map(|vertex| !unused.contains(&vertex)).collect();
            let mut edges = edges;
            edges.retain(|edge| edge.iter().all(|&vertex| is_used[vertex as usize]));
            let graph = graph_of(100, edges);
            let known = Closure::new(&graph, &is_used);
            for from in (0..100u32).filter(|&from| is_used[from as usize]) {
                let mut reached = std::collections::BTreeSet::from([from]);
                let mut waiting = vec![from];
                while let Some(at) = waiting.pop() {
                    waiting.extend(graph.edges(at).iter().filter(|&&to| reached.insert(to)));
                }
                for to in (0..100u32).filter(|&to| is_used[to as usize]) {
                    let [a, b] = [from, to].map(|vertex| known.component[vertex as usize]);
                    let expected = reached.contains(&to);
                    prop_assert_eq!(a == b || known.leads(a, b), expected);
                    prop_assert_eq!(a == b || known.leads_by_search(a, b), expected);
                }
            }
        }
    }
}
