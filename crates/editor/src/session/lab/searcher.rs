//! The searches of the lab, by what they search.

use Algorithm as A;
use EstimateArg as E;
use GraphAlgorithm as R;
use GridAlgorithm as G;
use NavmeshAlgorithm as N;
use Searcher as S;
use VolumeAlgorithm as V;
use serde::{Deserialize, Serialize};
use walkable_workspace::{
    lang::tr,
    searches::{
        Algorithm, EstimateArg, GraphAlgorithm, GridAlgorithm, Medium, NavmeshAlgorithm, Options,
        VolumeAlgorithm,
    },
    text,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "`Searcher::name` says what each is called")]
pub enum Searcher {
    Detour,
    MovingEntries,
    Polyanya,
    Route,
    AStarZero,
    AStarManhattan,
    AStarChebyshev,
    AStarOctile,
    AStarEuclid,
    AStarWeighted,
    Landmarks,
    BothEnds,
    Jps,
    JpsPruned,
    JpsPlus,
    Theta,
    LazyTheta,
    BreadthFirst,
    DepthFirst,
    Dijkstra,
    Walk,
    Dense6,
    Dense26,
    Spans,
    SpansOne,
    Octree,
    Flight,
    HastyFlight,
    Swim,
}

const USUAL: Options = Options::by(E::Octile, 1.0);

/// All searches, in the order of the enum: algorithm, options, name, description.
#[rustfmt::skip]
const TABLE: [(Searcher, Algorithm, Options, &str, &str); 29] = [
    (S::Detour, A::Navmesh(N::Detour), USUAL, text!("Detour A*"), text!("A* over the polygons, then the funnel, as games do")),
    (S::MovingEntries, A::Navmesh(N::MovingEntries), USUAL, text!("A*, moving entries"), text!("The same with Unreal's addition: a polygon's entry point moves when a cheaper path reaches it")),
    (S::Polyanya, A::Navmesh(N::Polyanya), USUAL, text!("Polyanya"), text!("The shortest path over the navmesh in any direction")),
    (S::Route, A::Navmesh(N::Route), USUAL, text!("Route"), text!("The cheapest way with precomputed costs through cells of 4, 16 and 64 tiles along a side, for large worlds")),
    (S::AStarZero, A::Grid(G::AStar), Options::by(E::Zero, 1.0), text!("A*, zero"), text!("A* without a heuristic: Dijkstra's algorithm")),
    (S::AStarManhattan, A::Grid(G::AStar), Options::by(E::Manhattan, 1.0), text!("A*, Manhattan"), text!("Heuristic of steps along rows and columns: overestimates if diagonals are allowed, so paths may be longer")),
    (S::AStarChebyshev, A::Grid(G::AStar), Options::by(E::Chebyshev, 1.0), text!("A*, Chebyshev"), text!("Heuristic of the longer of the two sides: never overestimates, but weak")),
    (S::AStarOctile, A::Grid(G::AStar), USUAL, text!("A*, octile"), text!("Heuristic of the cost on an empty grid: the usual choice")),
    (S::AStarEuclid, A::Grid(G::AStar), Options::by(E::Euclidean, 1.0), text!("A*, Euclid"), text!("Heuristic of the straight line: never overestimates, weaker than octile")),
    (S::AStarWeighted, A::Grid(G::AStar), USUAL, text!("A*, weighted"), text!("Octile heuristic times the factor set under Weights")),
    (S::Landmarks, A::Grid(G::Landmarks), USUAL, text!("A*, landmarks"), text!("Heuristic from precomputed costs to 16 cells (ALT)")),
    (S::BothEnds, A::Grid(G::Bidirectional), USUAL, text!("A*, both ends"), text!("Searches from both ends at once: fast if one of them is walled in")),
    (S::Jps, A::Grid(G::Jps), USUAL, text!("Jump points"), text!("Jump Point Search: scans rows and opens only cells at which a path can turn")),
    (S::JpsPruned, A::Grid(G::JpsPruned), USUAL, text!("Jump points, pruned"), text!("The same without jump points in the middle of diagonals")),
    (S::JpsPlus, A::Grid(G::JpsPlus), USUAL, text!("JPS+"), text!("Jump Point Search with precomputed scans")),
    (S::Theta, A::Grid(G::Theta), USUAL, text!("Theta*"), text!("Paths in any direction: a cell's parent may be any cell in sight")),
    (S::LazyTheta, A::Grid(G::LazyTheta), USUAL, text!("Lazy Theta*"), text!("The same, checking lines of sight only for expanded cells")),
    (S::BreadthFirst, A::Graph(R::BreadthFirst), USUAL, text!("Breadth first"), text!("Expands the nearest cells first: the path with the fewest steps")),
    (S::DepthFirst, A::Graph(R::DepthFirst), USUAL, text!("Depth first"), text!("Expands the newest cell first: finds a path, but a very long one")),
    (S::Dijkstra, A::Graph(R::Dijkstra), USUAL, text!("Dijkstra"), text!("The cheapest path with 4 neighbors, slopes included")),
    (S::Walk, A::Walk, USUAL, text!("Surface walking"), text!("From floor to floor with the agent's climb and head room")),
    (S::Dense6, A::Volume(V::Dense6), USUAL, text!("Voxels, 6 neighbors"), text!("A* voxel by voxel along the axes")),
    (S::Dense26, A::Volume(V::Dense26), USUAL, text!("Voxels, 26 neighbors"), text!("A* voxel by voxel, diagonals too")),
    (S::Spans, A::Volume(V::Spans), USUAL, text!("Spans, exact"), text!("6 neighbors, a whole column at a time, paths as cheap as voxel by voxel")),
    (S::SpansOne, A::Volume(V::SpansOne), USUAL, text!("Spans, fast"), text!("The same with one entry per span: inexact, up to an eighth longer")),
    (S::Octree, A::Volume(V::Octree), Options::by(E::Octile, 3.0), text!("Flight, octree"), text!("A* over the cubes of an octree, weight 3, smoothed by line of sight")),
    (S::Flight, A::Volume(V::Svo), Options::by(E::Octile, 1.0), text!("Flight, weight 1"), text!("A* over the cubes of a sparse voxel octree, smoothed by line of sight")),
    (S::HastyFlight, A::Volume(V::Svo), Options::by(E::Octile, 3.0), text!("Flight, weight 3"), text!("The same with heuristic weight 3: faster, perhaps longer")),
    (S::Swim, A::Swim, Options::by(E::Octile, 3.0), text!("Swim"), text!("The cubes of the sparse octree that lie in water, weight 3, smoothed by line of sight")),
];

impl Searcher {
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    pub const fn algorithm(self) -> Algorithm {
        TABLE[self as usize].1
    }

    /// Returns its options; those of the weighted A* are `set` in the lab.
    pub fn options(self, set: Options) -> Options {
        if self == Self::AStarWeighted { set } else { TABLE[self as usize].2 }
    }

    pub const fn medium(self) -> Medium {
        self.algorithm().medium()
    }

    pub fn name(self) -> &'static str {
        tr(TABLE[self as usize].3)
    }

    /// Returns the description in one sentence.
    pub fn what(self) -> &'static str {
        tr(TABLE[self as usize].4)
    }

    /// Returns the name on the command line and in file names.
    pub fn key(self) -> String {
        let (.., name, _) = TABLE[self as usize];
        let name =
            name.to_lowercase().replace("theta*", "theta").replace('*', "star").replace(',', "");
        name.replace(' ', "-").replace('+', "-plus")
    }

    /// Returns whether it is selected by default: one or two of each kind.
    pub const fn is_usual(self) -> bool {
        matches!(
            self,
            Self::Detour
                | Self::Polyanya
                | Self::AStarOctile
                | Self::Jps
                | Self::Theta
                | Self::Dijkstra
                | Self::Walk
                | Self::Spans
                | Self::Flight
                | Self::HastyFlight
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_of_the_media() {
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, number, "{}", row.3);
        }
        assert!(TABLE.is_sorted_by_key(|row| row.0.medium()));
        let names: BTreeSet<_> = Searcher::all().map(Searcher::name).collect();
        assert_eq!(names.len(), TABLE.len(), "names tell them apart");
        let keys: BTreeSet<_> = Searcher::all().map(Searcher::key).collect();
        assert_eq!(keys.len(), TABLE.len());
        assert!(keys.contains("astar-octile") && keys.contains("jps-plus"), "{keys:?}");
        assert!(keys.iter().flat_map(|key| key.chars()).all(|c| c == '-' || c.is_alphanumeric()));
        assert!(Medium::ALL.iter().all(|&m| Searcher::all().any(|s| s.medium() == m)));
    }
}
