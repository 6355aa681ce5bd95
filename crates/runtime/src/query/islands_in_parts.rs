//! The islands of a navmesh that is not in memory as a whole, from parts of it.

use std::collections::BTreeMap;

use super::{
    Filter, Island,
    islands::{area_from_above, middle, order},
};
use crate::{
    geom::Aabb,
    navmesh::{LiveTile, NavMesh, PolyKind, Tile, TilePlace},
};

/// Marks tiles that were not seen yet, and polygons that the filter rejects.
const NONE: u32 = u32::MAX;

/// Finds the islands of a navmesh of which parts are added, each with the tiles around it. Memory is about 4 bytes per
/// tile, 4 per group of connected polygons of a tile, and 150 per island.
///
/// All parts must have the slots of one world: see [`NavMesh::of_part`].
#[derive(Clone, Debug, Default)]
pub struct IslandParts {
    /// For each slot, the number of its tile's first group.
    first: Vec<u32>,
    /// For each group, another group of the same island; the smallest group of an island has itself.
    parents: Vec<u32>,
    /// By the smallest group.
    islands: BTreeMap<u32, FoundIsland>,
}

/// An island, and the tile of its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartIsland {
    /// The island. Its number is the order in which islands were found, with gaps.
    pub island: Island,
    /// The tile of [`Island::place`].
    pub tile: TilePlace,
}

/// An island, and the area of its largest polygon.
#[derive(Clone, Copy, Debug)]
struct FoundIsland {
    found: PartIsland,
    largest: f64,
}

impl FoundIsland {
    fn merged(self, other: Self) -> Self {
        let [a, b] = [&self.found.island, &other.found.island];
        let is_first = order(b.place.point) < order(a.place.point);
        let takes_other =
            other.largest > self.largest || (other.largest >= self.largest && is_first);
        let place = if takes_other { &other } else { &self };
        let island = Island {
            number: a.number.min(b.number),
            area: a.area + b.area,
            n_polys: a.n_polys + b.n_polys,
            bounds: a.bounds.grown_to(b.bounds.min).grown_to(b.bounds.max),
            place: place.found.island.place,
        };
        let found = PartIsland { island, tile: place.found.tile };
        Self { found, largest: place.largest }
    }
}

impl IslandParts {
    /// Adds the tiles of `mesh` that `is_own` accepts. `mesh` must also have the tiles that links lead to from these;
    /// each tile of the world must be accepted in one part.
    pub fn add(&mut self, mesh: &NavMesh, filter: &Filter, is_own: &dyn Fn(&Tile) -> bool) {
        let graph = mesh.graph();
        let mut group_of = vec![NONE; mesh.n_nodes()];
        for live in mesh.live_tiles() {
            let (groups, n_groups) = groups_within(mesh, live, filter);
            let first = self.first_group(live, n_groups);
            for (node, group) in live.numbers().zip(groups).filter(|(_, group)| *group != NONE) {
                group_of[node as usize] = first + group;
            }
        }
        for live in mesh.live_tiles().filter(|live| is_own(&live.tile)) {
            for (node, (index, poly)) in live.numbers().zip((0..).zip(&live.tile.polys)) {
                let group = group_of[node as usize];
                if group == NONE {
                    continue;
                }
                for link in graph.links(node) {
                    let to = group_of[link.to as usize];
                    if to != NONE && filter.rules.admits(mesh, *link) {
                        self.join(group, to);
                    }
                }
                if poly.kind == PolyKind::Ground {
                    let corners = live.tile.corners(poly).to_vec();
                    let area = area_from_above(&corners);
                    let island = Island {
                        number: group,
                        area,
                        n_polys: 1,
                        bounds: Aabb::around(corners.iter().copied()),
                        place: middle(mesh, live.poly_ref(index), &corners),
                    };
                    let tile = TilePlace::of(&live.tile);
                    let found = PartIsland { island, tile };
                    self.put(group, FoundIsland { found, largest: area });
                }
            }
        }
    }

    /// Returns the islands with ground, the largest first.
    pub fn finish(self) -> Vec<PartIsland> {
        let mut islands: Vec<_> = self.islands.into_values().map(|island| island.found).collect();
        islands.sort_by(|PartIsland { island: a, .. }, PartIsland { island: b, .. }| {
            let by_place = || order(a.place.point).partial_cmp(&order(b.place.point));
            b.area
                .total_cmp(&a.area)
                .then_with(|| by_place().unwrap_or_else(|| a.number.cmp(&b.number)))
        });
        islands
    }

    /// Returns the number of the first group of a tile, and adds `n_groups` groups if the tile is new.
    fn first_group(&mut self, live: &LiveTile, n_groups: u32) -> u32 {
        let slot = live.number as usize;
        if self.first.len() <= slot {
            self.first.resize(slot + 1, NONE);
        }
        if self.first[slot] == NONE {
            let first = u32::try_from(self.parents.len()).unwrap_or(NONE);
            self.first[slot] = first;
            self.parents.extend(first..first + n_groups);
        }
        self.first[slot]
    }

    /// Returns the smallest group of the island of a group.
    fn root(&mut self, group: u32) -> u32 {
        root(&mut self.parents, group)
    }

    fn join(&mut self, a: u32, b: u32) {
        let [a, b] = [a, b].map(|group| self.root(group));
        if a == b {
            return;
        }
        let (kept, joined) = (a.min(b), a.max(b));
        self.parents[joined as usize] = kept;
        if let Some(island) = self.islands.remove(&joined) {
            self.put(kept, island);
        }
    }

    /// Adds ground to the island of a group.
    fn put(&mut self, group: u32, island: FoundIsland) {
        let root = self.root(group);
        let known = self.islands.get(&root).copied();
        self.islands.insert(root, known.map_or(island, |known| known.merged(island)));
    }
}

/// Returns the smallest member of the set of `at`. Halves the path for the next call.
fn root(parents: &mut [u32], mut at: u32) -> u32 {
    loop {
        let parent = parents[at as usize];
        if parent == at {
            return at;
        }
        let beyond = parents[parent as usize];
        parents[at as usize] = beyond;
        at = beyond;
    }
}

/// Groups the polygons of a tile by the links within it. Returns the group of each, numbered in the order of their first
/// polygons, and the number of groups. The result does not depend on the tiles around it.
fn groups_within(mesh: &NavMesh, live: &LiveTile, filter: &Filter) -> (Vec<u32>, u32) {
    let graph = mesh.graph();
    let numbers = live.numbers();
    let mut parents: Vec<u32> = (0..).take(numbers.len()).collect();
    let is_used = |node: u32| filter.passes_flags(graph.marks(node).flags);
    for node in numbers.clone().filter(|node| is_used(*node)) {
        for link in graph.links(node) {
            let is_within = numbers.contains(&link.to) && is_used(link.to);
            if is_within && filter.rules.admits(mesh, *link) {
                let ends = [node, link.to].map(|end| root(&mut parents, end - numbers.start));
                parents[ends[0].max(ends[1]) as usize] = ends[0].min(ends[1]);
            }
        }
    }
    let (mut groups, mut n_groups) = (vec![NONE; numbers.len()], 0);
    for index in 0..groups.len() {
        let at = u32::try_from(index).unwrap_or(NONE);
        if !is_used(numbers.start + at) {
            continue;
        }
        let first = root(&mut parents, at) as usize;
        if groups[first] == NONE {
            groups[first] = n_groups;
            n_groups += 1;
        }
        groups[index] = groups[first];
    }
    (groups, n_groups)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        navmesh::{TilePlace, sample::tile},
        query::{Reachability, islands},
    };

    #[test]
    fn islands_of_parts_are_those_of_the_whole() {
        // A winding way through all tiles, an island in two tiles, and one within a tile.
        let rows = [[["#.", "##"], ["..", "#."]], [["#.", ".."], ["#.", ".#"]]];
        let tiles: Vec<_> = (0..3)
            .flat_map(|z| (0..3).map(move |x| (x, z)))
            .map(|(x, z)| {
                let form = rows[usize::from(x % 2 != 0)][usize::from(z % 2 != 0)];
                Arc::new(tile(x, z, &form))
            })
            .collect();
        let places: Vec<_> = tiles.iter().map(|tile| TilePlace::of(tile)).collect();
        let sample = crate::navmesh::sample::mesh(tiles.iter().map(|tile| (**tile).clone()));
        let (params, width) = (*sample.params(), sample.width());
        let part =
            |tiles: Vec<Arc<Tile>>| NavMesh::of_part(params, width, places.clone(), tiles).unwrap();
        let whole = part(tiles.clone());
        let filter = Filter::default();
        let expected = islands(&whole, &Reachability::new(&whole, &filter));
        assert!(expected.len() > 1, "{}", expected.len());

        let mut parts = IslandParts::default();
        for own in &tiles {
            let own = &own.header;
            let is_near = |tile: &&Arc<Tile>| {
                let header = &tile.header;
                header.x.abs_diff(own.x).max(header.z.abs_diff(own.z)) <= 1
            };
            let near = whole.other_part(tiles.iter().filter(is_near).cloned().collect()).unwrap();
            parts.add(&near, &filter, &|tile| (tile.header.x, tile.header.z) == (own.x, own.z));
        }
        let found: Vec<_> =
            parts.finish().into_iter().map(|found| Island { number: 0, ..found.island }).collect();
        let expected: Vec<_> =
            expected.into_iter().map(|island| Island { number: 0, ..island }).collect();
        assert_eq!(found, expected);
    }
}
