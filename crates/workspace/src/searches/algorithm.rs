//! The searches by name, and their options.

use clap::{Args, ValueEnum, builder::PossibleValue};
use glam::{DVec2, Vec3};
use serde::Serialize;
use walkable::grid::{Corners, Moves};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// A search of a grid: a map, or one floor of a level.
    Grid(GridAlgorithm),
    /// A search of a volume: a voxel map, or the air of a level.
    Volume(VolumeAlgorithm),
    /// A search of levels; [`LevelAlgorithm::Polyanya`] also of polygon meshes.
    Level(LevelAlgorithm),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The search does not support the map or the options.
    #[error("{0}")]
    Unsupported(String),
    #[error("{0}")]
    TooLarge(String),
}

impl From<SearchError> for String {
    fn from(error: SearchError) -> Self {
        error.to_string()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GridAlgorithm {
    /// A* with a heuristic and a weight.
    #[value(name = "astar")]
    AStar,
    /// A* without a heuristic.
    Dijkstra,
    /// A* from both ends.
    Bidirectional,
    /// A* with heuristics from landmarks (ALT).
    Landmarks,
    /// Jump Point Search.
    Jps,
    /// Jump Point Search with intermediate pruning.
    JpsPruned,
    /// Jump Point Search on a precomputed table.
    JpsPlus,
    /// Theta*: short any-angle paths.
    Theta,
    /// Theta* that checks the line of sight only when a node is expanded.
    LazyTheta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VolumeAlgorithm {
    /// Voxel by voxel, 6 neighbors.
    Dense6,
    /// Voxel by voxel, 26 neighbors.
    Dense26,
    /// 6 neighbors over columns of spans, exactly.
    Spans,
    /// The same with one entry into each span: not exact.
    SpansOne,
    /// Over the cubes of an octree, smoothed.
    Octree,
    /// Over the cubes of a sparse octree, smoothed.
    Svo,
}

/// A search that needs a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelAlgorithm {
    /// Of levels: Dijkstra's algorithm over the walkable cells of all floors, 4 neighbors.
    Graph,
    /// Of levels: A* over the polygons of the navmesh, as Detour does.
    Detour,
    /// Of levels and polygon meshes: the shortest any-angle path.
    Polyanya,
}

impl ValueEnum for Algorithm {
    fn value_variants<'a>() -> &'a [Self] {
        use GridAlgorithm as G;
        use LevelAlgorithm as L;
        use VolumeAlgorithm as V;
        &[
            Self::Grid(G::AStar),
            Self::Grid(G::Dijkstra),
            Self::Grid(G::Bidirectional),
            Self::Grid(G::Landmarks),
            Self::Grid(G::Jps),
            Self::Grid(G::JpsPruned),
            Self::Grid(G::JpsPlus),
            Self::Grid(G::Theta),
            Self::Grid(G::LazyTheta),
            Self::Volume(V::Dense6),
            Self::Volume(V::Dense26),
            Self::Volume(V::Spans),
            Self::Volume(V::SpansOne),
            Self::Volume(V::Octree),
            Self::Volume(V::Svo),
            Self::Level(L::Graph),
            Self::Level(L::Detour),
            Self::Level(L::Polyanya),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Grid(algorithm) => algorithm.to_possible_value(),
            Self::Volume(algorithm) => algorithm.to_possible_value(),
            Self::Level(algorithm) => algorithm.to_possible_value(),
        }
    }
}

impl Algorithm {
    pub fn name(self) -> String {
        name_of(&self)
    }
}

/// Returns the name of a value on the command line.
pub(super) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
#[expect(missing_docs, reason = "the command's help shows the docs; names that say it need none")]
pub enum EstimateArg {
    Zero,
    Manhattan,
    Chebyshev,
    Octile,
    Euclidean,
    /// Overestimates: paths can be twice as long as the optimum.
    SquaredEuclidean,
}

impl EstimateArg {
    /// Returns whether it never overestimates the cost with 8 neighbors.
    pub const fn is_never_too_high(self) -> bool {
        !matches!(self, Self::Manhattan | Self::SquaredEuclidean)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CornersArg {
    /// Diagonal steps need both adjacent cells to be free, as in the benchmarks.
    Keep,
    /// Diagonal steps need one of the adjacent cells to be free.
    Cut,
    /// None.
    Squeeze,
}

/// The options of a search.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Search")]
pub struct Options {
    /// Steps from a cell: 4 or 8.
    #[arg(long, value_name = "4|8", default_value = "8", value_parser = moves)]
    moves: u8,
    /// When a diagonal step past corners is allowed.
    #[arg(long, value_enum, default_value_t = CornersArg::Keep)]
    corners: CornersArg,
    /// Heuristic of `astar`.
    #[arg(long, value_enum, default_value_t = EstimateArg::Octile)]
    pub estimate: EstimateArg,
    /// Heuristic weight of `astar` and in volumes: higher is faster, but paths may be longer.
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = weight)]
    pub weight: f64,
    /// Number of landmarks of `landmarks`.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub n_landmarks: u8,
    /// How much cheaper large cubes are in `octree` and `svo`, from 0 to below 1.
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = compensation)]
    pub compensation: f64,
    /// Do not smooth the paths of `octree` and `svo`.
    #[arg(long)]
    pub raw: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            moves: 8,
            corners: CornersArg::Keep,
            estimate: EstimateArg::Octile,
            weight: 1.0,
            n_landmarks: 16,
            compensation: 0.0,
            raw: false,
        }
    }
}

impl Options {
    /// Returns the default options with this heuristic and weight.
    pub fn by(estimate: EstimateArg, weight: f64) -> Self {
        Self { estimate, weight, ..Self::default() }
    }

    pub const fn moves(&self) -> Moves {
        match (self.moves, self.corners) {
            (4, _) => Moves::Four,
            (_, CornersArg::Keep) => Moves::Eight(Corners::Keep),
            (_, CornersArg::Cut) => Moves::Eight(Corners::Cut),
            (_, CornersArg::Squeeze) => Moves::Eight(Corners::Squeeze),
        }
    }
}

fn moves(text: &str) -> Result<u8, String> {
    text.parse().ok().filter(|n| [4, 8].contains(n)).ok_or_else(|| "expected 4 or 8".to_owned())
}

fn compensation(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to below 1".to_owned())
}

fn weight(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number.is_finite() && number >= 1.0);
    number.ok_or_else(|| "expected a number of at least 1".to_owned())
}

#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// Cost of the path, if there is one.
    pub cost: Option<f64>,
    /// The path; empty if there is none.
    pub path: PathPoints,
    pub stats: walkable::search::SearchStats,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PathPoints {
    Cells(Vec<Vec<u32>>),
    /// Points in voxels, or in meters of a level.
    Points(Vec<Vec3>),
    /// Points of a polygon mesh.
    Plane(Vec<DVec2>),
}

impl Default for PathPoints {
    fn default() -> Self {
        Self::Cells(Vec::new())
    }
}

impl PathPoints {
    pub fn in_words(&self) -> String {
        let points: Vec<String> = match self {
            Self::Cells(cells) => cells
                .iter()
                .map(|cell| cell.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
                .collect(),
            Self::Points(points) => {
                points.iter().map(|p| format!("{:.3},{:.3},{:.3}", p.x, p.y, p.z)).collect()
            }
            Self::Plane(points) => {
                points.iter().map(|p| format!("{:.3},{:.3}", p.x, p.y)).collect()
            }
        };
        points.join("  ")
    }
}

/// What a search guarantees about the cost of its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// The cost is the optimum.
    Least,
    /// The cost is at most this many times the optimum.
    AtMost(f64),
    /// A path is found if one exists; it costs at least the optimum.
    Some,
    /// A path is found if one exists.
    Exists,
    /// The path may go in any direction; it can be shorter than the optimum with 8 neighbors by at most a twelfth.
    AnyDirection,
}

impl Promise {
    /// Returns whether a cost is as guaranteed, given the optimum with this `tolerance`.
    pub fn holds(self, cost: Option<f64>, least: Option<f64>, tolerance: f64) -> bool {
        let (Some(cost), Some(least)) = (cost, least) else {
            return cost.is_some() == least.is_some();
        };
        let (low, high) = match self {
            Self::Least => (least, least),
            Self::AtMost(factor) => (least, least * factor),
            Self::Some => (least, f64::INFINITY),
            Self::Exists => (0.0, f64::INFINITY),
            Self::AnyDirection => (least * 11.0 / 12.0, f64::INFINITY),
        };
        cost >= low - tolerance && cost <= high + tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_can_be_named_on_the_command_line() {
        let of = |pick: fn(&Algorithm) -> bool| {
            Algorithm::value_variants().iter().filter(|algorithm| pick(algorithm)).count()
        };
        let grid = of(|algorithm| matches!(algorithm, Algorithm::Grid(_)));
        let volume = of(|algorithm| matches!(algorithm, Algorithm::Volume(_)));
        let level = of(|algorithm| matches!(algorithm, Algorithm::Level(_)));
        assert_eq!(grid, GridAlgorithm::value_variants().len());
        assert_eq!(volume, VolumeAlgorithm::value_variants().len());
        assert_eq!(level, LevelAlgorithm::value_variants().len());
        for &algorithm in Algorithm::value_variants() {
            assert_eq!(Algorithm::from_str(&algorithm.name(), false), Ok(algorithm));
        }
    }

    #[test]
    fn promises_are_checked() {
        let holds = |promise: Promise, cost, least| promise.holds(cost, least, 0.01);
        assert!(holds(Promise::Least, None, None) && holds(Promise::Least, Some(5.005), Some(5.0)));
        assert!(!holds(Promise::Least, Some(5.0), None) && !holds(Promise::Some, None, Some(5.0)));
        assert!(!holds(Promise::Least, Some(5.02), Some(5.0)));
        assert!(!holds(Promise::Least, Some(4.98), Some(5.0)));
        assert!(holds(Promise::AtMost(2.0), Some(10.0), Some(5.0)));
        assert!(!holds(Promise::AtMost(2.0), Some(10.1), Some(5.0)));
        assert!(holds(Promise::AnyDirection, Some(4.7), Some(5.0)));
        assert!(!holds(Promise::AnyDirection, Some(4.5), Some(5.0)));
    }
}
