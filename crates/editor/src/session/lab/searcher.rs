//! The searches that the lab knows, by what they search.

use Medium as M;
use Searcher as S;

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Medium {
    /// Polygons.
    Navmesh,
    /// Walkable cells of one floor.
    Grid,
    /// Walkable cells of all floors.
    Graph,
    /// Floors of columns of voxels.
    Floors,
    /// Voxels and columns of them.
    Voxels,
    /// Free cubes of octrees.
    Air,
    /// The same within water.
    Water,
}

impl Medium {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::Navmesh,
        Self::Grid,
        Self::Graph,
        Self::Floors,
        Self::Voxels,
        Self::Air,
        Self::Water,
    ];

    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Navmesh => "Navmesh",
            Self::Grid => "Grid of a floor",
            Self::Graph => "Graph of cells",
            Self::Floors => "Floors of voxels",
            Self::Voxels => "Voxels",
            Self::Air => "Air, octrees",
            Self::Water => "Water",
        }
    }

    /// What it is, in one sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Navmesh => "The polygons of the bake",
            Self::Grid => "The walkable cells of the floor on which the path starts, eight ways",
            Self::Graph => "The walkable cells of all floors, four ways",
            Self::Floors => "The lowest free voxel of each span, with step height and head room",
            Self::Voxels => "Free voxels, one by one or column by column",
            Self::Air => "Free cubes of an octree: large where there is room, small near the level",
            Self::Water => "The same inside of the volumes that are painted as water",
        }
    }
}

/// A way to find a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Searcher {
    Detour,
    MovingEntries,
    Polyanya,
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

/// All, in the order of the enum: medium, name, what it is.
#[rustfmt::skip]
const TABLE: [(Searcher, Medium, &str, &str); 28] = [
    (S::Detour, M::Navmesh, "Detour A*", "A* over the polygons, then the funnel, as games do"),
    (S::MovingEntries, M::Navmesh, "A*, moving entries", "The same with Unreal's addition: the place where a polygon is entered moves along with cheaper ways"),
    (S::Polyanya, M::Navmesh, "Polyanya", "The shortest path over the navmesh in any direction"),
    (S::AStarZero, M::Grid, "A*, zero", "A* without an estimate: Dijkstra's algorithm"),
    (S::AStarManhattan, M::Grid, "A*, Manhattan", "Estimates steps along rows and columns: too high where there are diagonals, so paths may be longer"),
    (S::AStarChebyshev, M::Grid, "A*, Chebyshev", "Estimates the longer of the two sides: never too high, but weak"),
    (S::AStarOctile, M::Grid, "A*, octile", "Estimates the cost on an empty grid: the usual choice"),
    (S::AStarEuclid, M::Grid, "A*, Euclid", "Estimates the straight line: never too high, weaker than octile"),
    (S::AStarWeighted, M::Grid, "A*, weighted", "Octile estimates that count more than once, as set under Weights"),
    (S::Landmarks, M::Grid, "A*, landmarks", "Estimates from costs to 16 cells that were computed beforehand (ALT)"),
    (S::BothEnds, M::Grid, "A*, both ends", "From start and end at once: for ends that may be walled in"),
    (S::Jps, M::Grid, "Jump points", "Jump Point Search: scans rows and opens only cells where a path can turn"),
    (S::JpsPruned, M::Grid, "Jump points, pruned", "The same without jump points in the middle of diagonals"),
    (S::JpsPlus, M::Grid, "JPS+", "Jump Point Search that reads its scans from a table"),
    (S::Theta, M::Grid, "Theta*", "Paths in any direction: a cell's parent may be any cell in sight"),
    (S::LazyTheta, M::Grid, "Lazy Theta*", "The same, looking only where it goes on"),
    (S::BreadthFirst, M::Graph, "Breadth first", "The fewest steps, nearest cells first"),
    (S::DepthFirst, M::Graph, "Depth first", "Goes on from the newest cell: finds some way, a very long one"),
    (S::Dijkstra, M::Graph, "Dijkstra", "The cheapest way by four ways, slopes counted"),
    (S::Walk, M::Floors, "Surface walking", "From floor to floor with the agent's climb and head room"),
    (S::Dense6, M::Voxels, "Voxels, 6 ways", "A* voxel by voxel along the axes"),
    (S::Dense26, M::Voxels, "Voxels, 26 ways", "A* voxel by voxel, diagonals too"),
    (S::Spans, M::Voxels, "Spans, exact", "6 ways, a whole column at a time, as cheap as voxel by voxel"),
    (S::SpansOne, M::Voxels, "Spans, fast", "The same with one way into each column: inexact, up to an eighth longer"),
    (S::Octree, M::Air, "Flight, octree", "A* over the cubes of an octree, weight 3, smoothed by sight"),
    (S::Flight, M::Air, "Flight, weight 1", "A* over the cubes of a sparse voxel octree, smoothed by sight"),
    (S::HastyFlight, M::Air, "Flight, weight 3", "The same with an estimate that counts three times: found sooner, maybe longer"),
    (S::Swim, M::Water, "Swim", "The cubes of the sparse octree that lie in water, weight 3, smoothed by sight"),
];

impl Searcher {
    /// All, by medium.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// What it searches.
    pub const fn medium(self) -> Medium {
        TABLE[self as usize].1
    }

    /// Name for people.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// What it is, in one sentence.
    pub const fn what(self) -> &'static str {
        TABLE[self as usize].3
    }

    /// Name on the command line and of files.
    pub fn key(self) -> String {
        let name = self
            .name()
            .to_lowercase()
            .replace("theta*", "theta")
            .replace('*', "star")
            .replace(',', "");
        name.replace(' ', "-").replace('+', "-plus")
    }

    /// Whether it is run until the user says otherwise: one or two of each kind.
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
        assert!(TABLE.is_sorted_by_key(|row| row.1));
        let names: BTreeSet<_> = Searcher::all().map(Searcher::name).collect();
        assert_eq!(names.len(), TABLE.len(), "names tell them apart");
        let keys: BTreeSet<_> = Searcher::all().map(Searcher::key).collect();
        assert_eq!(keys.len(), TABLE.len());
        assert!(keys.contains("astar-octile") && keys.contains("jps-plus"), "{keys:?}");
        assert!(keys.iter().flat_map(|key| key.chars()).all(|c| c == '-' || c.is_alphanumeric()));
        assert!(Medium::ALL.iter().all(|&m| Searcher::all().any(|s| s.medium() == m)));
    }
}
