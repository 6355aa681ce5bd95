//! The searches of the lab, by their search space.

use GridAlgorithm as G;
use GridOptions as O;
use SearchKind as K;
use Searcher as S;
use VolumeAlgorithm as V;
use serde::{Deserialize, Serialize};
use walkable_workspace::{
    lang::tr,
    searches::{Algorithm, EstimateArg, GridAlgorithm, Options, VolumeAlgorithm},
    text,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Medium {
    Navmesh,
    /// Walkable cells of one floor.
    Grid,
    /// Walkable cells of all floors.
    Graph,
    /// Floors of columns of voxels.
    Floors,
    Voxels,
    /// Free cubes of octrees.
    Air,
    /// The same within water.
    Water,
}

impl Medium {
    pub const ALL: [Self; 7] = [
        Self::Navmesh,
        Self::Grid,
        Self::Graph,
        Self::Floors,
        Self::Voxels,
        Self::Air,
        Self::Water,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Navmesh => tr!("Navmesh"),
            Self::Grid => tr!("Grid of a floor"),
            Self::Graph => tr!("Graph of cells"),
            Self::Floors => tr!("Floors of voxels"),
            Self::Voxels => tr!("Voxels"),
            Self::Air => tr!("Air, octrees"),
            Self::Water => tr!("Water"),
        }
    }

    /// Returns the description in one sentence.
    pub fn what(self) -> &'static str {
        match self {
            Self::Navmesh => tr!("The polygons of the bake"),
            Self::Grid => {
                tr!("The walkable cells of the floor on which the path starts, with 8 neighbors")
            }
            Self::Graph => tr!("The walkable cells of all floors, with 4 neighbors"),
            Self::Floors => {
                tr!("The lowest free voxel of each span, with step height and head room")
            }
            Self::Voxels => tr!("Free voxels, one by one or column by column"),
            Self::Air => {
                tr!("Free cubes of an octree: large where there is room, small near the level")
            }
            Self::Water => tr!("The same inside volumes painted as water"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchKind {
    Navmesh(NavmeshSearch),
    Grid(GridAlgorithm, GridOptions),
    /// A search of the graph of all walkable cells.
    Graph(GraphSearch),
    /// From floor to floor of voxel columns.
    Walk,
    Voxels(VoxelSearch),
    /// A flight over the cubes of an octree, with this heuristic weight.
    Air(VolumeAlgorithm, f64),
    /// A flight within water, with this heuristic weight.
    Swim(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavmeshSearch {
    AStar,
    /// A* that updates entry points on relaxation.
    MovingEntries,
    /// The shortest path in any direction.
    Polyanya,
    /// The cheapest route over the cells of an overlay.
    Route,
}

/// Heuristic and weight of a search of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridOptions {
    /// This heuristic, weight 1.
    By(EstimateArg),
    /// Heuristic and weight as set in the lab.
    AsSet,
}

/// A search of the graph of all walkable cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphSearch {
    /// The fewest steps.
    BreadthFirst,
    /// The newest cell first.
    DepthFirst,
    Dijkstra,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoxelSearch {
    Dense6,
    Dense26,
    Spans,
    SpansOne,
}

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

/// Searches of grids that have no choice of heuristic.
const OCTILE: GridOptions = GridOptions::By(EstimateArg::Octile);

/// All searches, in the order of the enum: kind, name, description.
#[rustfmt::skip]
const TABLE: [(Searcher, SearchKind, &str, &str); 29] = [
    (S::Detour, K::Navmesh(NavmeshSearch::AStar), text!("Detour A*"), text!("A* over the polygons, then the funnel, as games do")),
    (S::MovingEntries, K::Navmesh(NavmeshSearch::MovingEntries), text!("A*, moving entries"), text!("The same with Unreal's addition: a polygon's entry point moves when a cheaper path reaches it")),
    (S::Polyanya, K::Navmesh(NavmeshSearch::Polyanya), text!("Polyanya"), text!("The shortest path over the navmesh in any direction")),
    (S::Route, K::Navmesh(NavmeshSearch::Route), text!("Route"), text!("The cheapest way with precomputed costs through cells of 4, 16 and 64 tiles along a side, for large worlds")),
    (S::AStarZero, K::Grid(G::AStar, O::By(EstimateArg::Zero)), text!("A*, zero"), text!("A* without a heuristic: Dijkstra's algorithm")),
    (S::AStarManhattan, K::Grid(G::AStar, O::By(EstimateArg::Manhattan)), text!("A*, Manhattan"), text!("Heuristic of steps along rows and columns: overestimates if diagonals are allowed, so paths may be longer")),
    (S::AStarChebyshev, K::Grid(G::AStar, O::By(EstimateArg::Chebyshev)), text!("A*, Chebyshev"), text!("Heuristic of the longer of the two sides: never overestimates, but weak")),
    (S::AStarOctile, K::Grid(G::AStar, OCTILE), text!("A*, octile"), text!("Heuristic of the cost on an empty grid: the usual choice")),
    (S::AStarEuclid, K::Grid(G::AStar, O::By(EstimateArg::Euclidean)), text!("A*, Euclid"), text!("Heuristic of the straight line: never overestimates, weaker than octile")),
    (S::AStarWeighted, K::Grid(G::AStar, O::AsSet), text!("A*, weighted"), text!("Octile heuristic times the factor set under Weights")),
    (S::Landmarks, K::Grid(G::Landmarks, OCTILE), text!("A*, landmarks"), text!("Heuristic from precomputed costs to 16 cells (ALT)")),
    (S::BothEnds, K::Grid(G::Bidirectional, OCTILE), text!("A*, both ends"), text!("Searches from both ends at once: fast if one of them is walled in")),
    (S::Jps, K::Grid(G::Jps, OCTILE), text!("Jump points"), text!("Jump Point Search: scans rows and opens only cells at which a path can turn")),
    (S::JpsPruned, K::Grid(G::JpsPruned, OCTILE), text!("Jump points, pruned"), text!("The same without jump points in the middle of diagonals")),
    (S::JpsPlus, K::Grid(G::JpsPlus, OCTILE), text!("JPS+"), text!("Jump Point Search with precomputed scans")),
    (S::Theta, K::Grid(G::Theta, OCTILE), text!("Theta*"), text!("Paths in any direction: a cell's parent may be any cell in sight")),
    (S::LazyTheta, K::Grid(G::LazyTheta, OCTILE), text!("Lazy Theta*"), text!("The same, checking lines of sight only for expanded cells")),
    (S::BreadthFirst, K::Graph(GraphSearch::BreadthFirst), text!("Breadth first"), text!("Expands the nearest cells first: the path with the fewest steps")),
    (S::DepthFirst, K::Graph(GraphSearch::DepthFirst), text!("Depth first"), text!("Expands the newest cell first: finds a path, but a very long one")),
    (S::Dijkstra, K::Graph(GraphSearch::Dijkstra), text!("Dijkstra"), text!("The cheapest path with 4 neighbors, slopes included")),
    (S::Walk, K::Walk, text!("Surface walking"), text!("From floor to floor with the agent's climb and head room")),
    (S::Dense6, K::Voxels(VoxelSearch::Dense6), text!("Voxels, 6 neighbors"), text!("A* voxel by voxel along the axes")),
    (S::Dense26, K::Voxels(VoxelSearch::Dense26), text!("Voxels, 26 neighbors"), text!("A* voxel by voxel, diagonals too")),
    (S::Spans, K::Voxels(VoxelSearch::Spans), text!("Spans, exact"), text!("6 neighbors, a whole column at a time, paths as cheap as voxel by voxel")),
    (S::SpansOne, K::Voxels(VoxelSearch::SpansOne), text!("Spans, fast"), text!("The same with one entry per span: inexact, up to an eighth longer")),
    (S::Octree, K::Air(V::Octree, 3.0), text!("Flight, octree"), text!("A* over the cubes of an octree, weight 3, smoothed by line of sight")),
    (S::Flight, K::Air(V::Svo, 1.0), text!("Flight, weight 1"), text!("A* over the cubes of a sparse voxel octree, smoothed by line of sight")),
    (S::HastyFlight, K::Air(V::Svo, 3.0), text!("Flight, weight 3"), text!("The same with heuristic weight 3: faster, perhaps longer")),
    (S::Swim, K::Swim(3.0), text!("Swim"), text!("The cubes of the sparse octree that lie in water, weight 3, smoothed by line of sight")),
];

impl GridOptions {
    pub fn with(self, set: Options) -> Options {
        match self {
            Self::By(estimate) => Options::by(estimate, 1.0),
            Self::AsSet => set,
        }
    }
}

impl VoxelSearch {
    const fn algorithm(self) -> VolumeAlgorithm {
        match self {
            Self::Dense6 => VolumeAlgorithm::Dense6,
            Self::Dense26 => VolumeAlgorithm::Dense26,
            Self::Spans => VolumeAlgorithm::Spans,
            Self::SpansOne => VolumeAlgorithm::SpansOne,
        }
    }
}

impl Searcher {
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    pub const fn kind(self) -> SearchKind {
        TABLE[self as usize].1
    }

    pub const fn medium(self) -> Medium {
        match self.kind() {
            SearchKind::Navmesh(_) => Medium::Navmesh,
            SearchKind::Grid(..) => Medium::Grid,
            SearchKind::Graph(_) => Medium::Graph,
            SearchKind::Walk => Medium::Floors,
            SearchKind::Voxels(_) => Medium::Voxels,
            SearchKind::Air(..) => Medium::Air,
            SearchKind::Swim(_) => Medium::Water,
        }
    }

    /// Returns the same search for maps; `None` if it needs a level.
    pub fn on_maps(self, set: Options) -> Option<(Algorithm, Options)> {
        match self.kind() {
            SearchKind::Grid(algorithm, options) => {
                Some((Algorithm::Grid(algorithm), options.with(set)))
            }
            SearchKind::Voxels(search) => {
                Some((Algorithm::Volume(search.algorithm()), Options::default()))
            }
            SearchKind::Air(algorithm, weight) => {
                let options = Options::by(EstimateArg::Octile, weight);
                Some((Algorithm::Volume(algorithm), options))
            }
            SearchKind::Navmesh(_)
            | SearchKind::Graph(_)
            | SearchKind::Walk
            | SearchKind::Swim(_) => None,
        }
    }

    pub fn name(self) -> &'static str {
        tr(TABLE[self as usize].2)
    }

    /// Returns the description in one sentence.
    pub fn what(self) -> &'static str {
        tr(TABLE[self as usize].3)
    }

    /// Returns the name on the command line and in file names.
    pub fn key(self) -> String {
        let (_, _, name, _) = TABLE[self as usize];
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
            assert_eq!(row.0 as usize, number, "{}", row.2);
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
