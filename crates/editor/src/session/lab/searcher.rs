//! The searches of the lab, in the order of what they search.

use Algorithm as A;
use EstimateArg as E;
use GraphAlgorithm as R;
use GridAlgorithm as G;
use NavmeshAlgorithm as N;
use VolumeAlgorithm as V;
use serde::{Deserialize, Serialize};
use walkable_workspace::{
    lang::tr,
    searches::{
        Algorithm, EstimateArg, GraphAlgorithm, GridAlgorithm, Medium, NavmeshAlgorithm, Options,
        VolumeAlgorithm,
    },
    table, text,
};

struct Row {
    algorithm: Algorithm,
    options: Options,
    /// Whether the search is selected by default.
    is_usual: bool,
    name: &'static str,
    what: &'static str,
}

const USUAL: Options = Options::by(E::Octile, 1.0);

table! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Searcher of Row {
        Detour { algorithm: A::Navmesh(N::Detour), options: USUAL, is_usual: true, name: text!("Detour A*"), what: text!("A* over the polygons, then the funnel, as games do") }
        MovingEntries { algorithm: A::Navmesh(N::MovingEntries), options: USUAL, is_usual: false, name: text!("A*, moving entries"), what: text!("The same with Unreal's addition: a polygon's entry point moves when a cheaper path reaches it") }
        Polyanya { algorithm: A::Navmesh(N::Polyanya), options: USUAL, is_usual: true, name: text!("Polyanya"), what: text!("The shortest path over the navmesh in any direction") }
        Route { algorithm: A::Navmesh(N::Route), options: USUAL, is_usual: false, name: text!("Route"), what: text!("The cheapest way with precomputed costs through cells of 4, 16 and 64 tiles along a side, for large worlds") }
        AStarZero { algorithm: A::Grid(G::AStar), options: Options::by(E::Zero, 1.0), is_usual: false, name: text!("A*, zero"), what: text!("A* without a heuristic: Dijkstra's algorithm") }
        AStarManhattan { algorithm: A::Grid(G::AStar), options: Options::by(E::Manhattan, 1.0), is_usual: false, name: text!("A*, Manhattan"), what: text!("Heuristic of steps along rows and columns: overestimates if diagonals are allowed, so paths may be longer") }
        AStarChebyshev { algorithm: A::Grid(G::AStar), options: Options::by(E::Chebyshev, 1.0), is_usual: false, name: text!("A*, Chebyshev"), what: text!("Heuristic of the longer of the two sides: never overestimates, but weak") }
        AStarOctile { algorithm: A::Grid(G::AStar), options: USUAL, is_usual: true, name: text!("A*, octile"), what: text!("Heuristic of the cost on an empty grid: the usual choice") }
        AStarEuclid { algorithm: A::Grid(G::AStar), options: Options::by(E::Euclidean, 1.0), is_usual: false, name: text!("A*, Euclid"), what: text!("Heuristic of the straight line: never overestimates, weaker than octile") }
        AStarWeighted { algorithm: A::Grid(G::AStar), options: USUAL, is_usual: false, name: text!("A*, weighted"), what: text!("Octile heuristic times the factor set under Weights") }
        Landmarks { algorithm: A::Grid(G::Landmarks), options: USUAL, is_usual: false, name: text!("A*, landmarks"), what: text!("Heuristic from precomputed costs to 16 cells (ALT)") }
        BothEnds { algorithm: A::Grid(G::Bidirectional), options: USUAL, is_usual: false, name: text!("A*, both ends"), what: text!("Searches from both ends at once: fast if one of them is walled in") }
        Jps { algorithm: A::Grid(G::Jps), options: USUAL, is_usual: true, name: text!("Jump points"), what: text!("Jump Point Search: scans rows and opens only cells at which a path can turn") }
        JpsPruned { algorithm: A::Grid(G::JpsPruned), options: USUAL, is_usual: false, name: text!("Jump points, pruned"), what: text!("The same without jump points in the middle of diagonals") }
        JpsPlus { algorithm: A::Grid(G::JpsPlus), options: USUAL, is_usual: false, name: text!("JPS+"), what: text!("Jump Point Search with precomputed scans") }
        Theta { algorithm: A::Grid(G::Theta), options: USUAL, is_usual: true, name: text!("Theta*"), what: text!("Paths in any direction: a cell's parent may be any cell in sight") }
        LazyTheta { algorithm: A::Grid(G::LazyTheta), options: USUAL, is_usual: false, name: text!("Lazy Theta*"), what: text!("The same, checking lines of sight only for expanded cells") }
        BreadthFirst { algorithm: A::Graph(R::BreadthFirst), options: USUAL, is_usual: false, name: text!("Breadth first"), what: text!("Expands the nearest cells first: the path with the fewest steps") }
        DepthFirst { algorithm: A::Graph(R::DepthFirst), options: USUAL, is_usual: false, name: text!("Depth first"), what: text!("Expands the newest cell first: finds a path, but a very long one") }
        Dijkstra { algorithm: A::Graph(R::Dijkstra), options: USUAL, is_usual: true, name: text!("Dijkstra"), what: text!("The cheapest path with 4 neighbors, slopes included") }
        Walk { algorithm: A::Walk, options: USUAL, is_usual: true, name: text!("Surface walking"), what: text!("From floor to floor with the agent's climb and head room") }
        Dense6 { algorithm: A::Volume(V::Dense6), options: USUAL, is_usual: false, name: text!("Voxels, 6 neighbors"), what: text!("A* voxel by voxel along the axes") }
        Dense26 { algorithm: A::Volume(V::Dense26), options: USUAL, is_usual: false, name: text!("Voxels, 26 neighbors"), what: text!("A* voxel by voxel, diagonals too") }
        Spans { algorithm: A::Volume(V::Spans), options: USUAL, is_usual: true, name: text!("Spans, exact"), what: text!("6 neighbors, a whole column at a time, paths as cheap as voxel by voxel") }
        SpansOne { algorithm: A::Volume(V::SpansOne), options: USUAL, is_usual: false, name: text!("Spans, fast"), what: text!("The same with one entry per span: inexact, up to an eighth longer") }
        Octree { algorithm: A::Volume(V::Octree), options: Options::by(E::Octile, 3.0), is_usual: false, name: text!("Flight, octree"), what: text!("A* over the cubes of an octree, weight 3, smoothed by line of sight") }
        Flight { algorithm: A::Volume(V::Svo), options: Options::by(E::Octile, 1.0), is_usual: true, name: text!("Flight, weight 1"), what: text!("A* over the cubes of a sparse voxel octree, smoothed by line of sight") }
        HastyFlight { algorithm: A::Volume(V::Svo), options: Options::by(E::Octile, 3.0), is_usual: true, name: text!("Flight, weight 3"), what: text!("The same with heuristic weight 3: faster, perhaps longer") }
        Swim { algorithm: A::Swim, options: Options::by(E::Octile, 3.0), is_usual: false, name: text!("Swim"), what: text!("The cubes of the sparse octree that lie in water, weight 3, smoothed by line of sight") }
    }
}

impl Searcher {
    pub const fn algorithm(self) -> Algorithm {
        self.row().algorithm
    }

    /// Returns the options of the search. The weighted A* uses the options that are `set` in the lab.
    pub fn options(self, set: Options) -> Options {
        if self == Self::AStarWeighted { set } else { self.row().options }
    }

    pub const fn medium(self) -> Medium {
        self.algorithm().medium()
    }

    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    /// Returns the name on the command line and in file names.
    pub fn key(self) -> String {
        let name = self.row().name.to_lowercase().replace("theta*", "theta");
        let name = name.replace('*', "star").replace(',', "");
        name.replace(' ', "-").replace('+', "-plus")
    }

    pub const fn is_usual(self) -> bool {
        self.row().is_usual
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_media() {
        assert!(Searcher::ALL.is_sorted_by_key(|searcher| searcher.medium()));
        let all = || Searcher::ALL.iter().copied();
        let names: BTreeSet<_> = all().map(Searcher::name).collect();
        assert_eq!(names.len(), Searcher::ALL.len(), "names tell them apart");
        let keys: BTreeSet<_> = all().map(Searcher::key).collect();
        assert_eq!(keys.len(), names.len());
        assert!(keys.contains("astar-octile") && keys.contains("jps-plus"), "{keys:?}");
        assert!(keys.iter().flat_map(|key| key.chars()).all(|c| c == '-' || c.is_alphanumeric()));
        assert!(Medium::ALL.iter().all(|&m| all().any(|s| s.medium() == m)));
    }
}
