//! The searches by name, and their options.

use std::sync::LazyLock;

use clap::{Args, ValueEnum, builder::PossibleValue};
use glam::{DVec2, Vec3};
use serde::Serialize;
use walkable::grid::{Corners, Moves};

use super::Medium;

/// A search algorithm. The kinds differ in what is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// Searches the navmesh of a level; [`NavmeshAlgorithm::Polyanya`] also searches polygon meshes.
    Navmesh(NavmeshAlgorithm),
    /// Searches a grid: a map, or one floor of a level.
    Grid(GridAlgorithm),
    /// Searches the walkable cells of all floors of a level.
    Graph(GraphAlgorithm),
    /// Walks from floor to floor in the voxel columns of a level, with the agent's climb and height.
    Walk,
    /// Searches a volume: a voxel map, or the air of a level.
    Volume(VolumeAlgorithm),
    /// Searches the free cubes of a level's water.
    Swim,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum NavmeshAlgorithm {
    /// Of levels: A* over the polygons of the navmesh, as Detour does.
    Detour,
    /// Of levels: the same, with entry points that move when a cheaper path reaches a polygon.
    MovingEntries,
    /// Of levels and polygon meshes: the shortest any-angle path.
    Polyanya,
    /// Of levels: the cheapest route over the cells of an overlay.
    Route,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum GraphAlgorithm {
    /// Of levels: over walkable cells, the path with the fewest steps.
    BreadthFirst,
    /// Of levels: over walkable cells, the newest first: a long path.
    DepthFirst,
    /// Of levels: Dijkstra's algorithm over the walkable cells of all floors, 4 neighbors.
    #[value(name = "graph")]
    Dijkstra,
}

impl ValueEnum for Algorithm {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Algorithm>> = LazyLock::new(|| {
            let mut all: Vec<Algorithm> = Vec::new();
            all.extend(GridAlgorithm::value_variants().iter().copied().map(Algorithm::Grid));
            all.extend(VolumeAlgorithm::value_variants().iter().copied().map(Algorithm::Volume));
            all.extend(NavmeshAlgorithm::value_variants().iter().copied().map(Algorithm::Navmesh));
            all.extend(GraphAlgorithm::value_variants().iter().copied().map(Algorithm::Graph));
            all.extend([Algorithm::Walk, Algorithm::Swim]);
            all
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let of_level = |name: &'static str, help| Some(PossibleValue::new(name).help(help));
        match self {
            Self::Navmesh(algorithm) => algorithm.to_possible_value(),
            Self::Grid(algorithm) => algorithm.to_possible_value(),
            Self::Graph(algorithm) => algorithm.to_possible_value(),
            Self::Walk => of_level(
                "walk",
                "Of levels: from floor to floor of columns of voxels, with the agent's climb and height",
            ),
            Self::Volume(algorithm) => algorithm.to_possible_value(),
            Self::Swim => of_level("swim", "Of levels: over the free cubes of water, smoothed"),
        }
    }
}

impl Algorithm {
    pub fn all() -> &'static [Self] {
        Self::value_variants()
    }

    pub fn name(self) -> String {
        name_of(&self)
    }

    /// Returns what the algorithm searches in a level.
    pub const fn medium(self) -> Medium {
        use VolumeAlgorithm as V;
        match self {
            Self::Navmesh(_) => Medium::Navmesh,
            Self::Grid(_) => Medium::Grid,
            Self::Graph(_) => Medium::Graph,
            Self::Walk => Medium::Floors,
            Self::Volume(V::Dense6 | V::Dense26 | V::Spans | V::SpansOne) => Medium::Voxels,
            Self::Volume(V::Octree | V::Svo) => Medium::Air,
            Self::Swim => Medium::Water,
        }
    }

    /// Returns the algorithm that finds the optimum with which the costs of this one are compared.
    pub(super) const fn optimal(self) -> Option<Self> {
        use VolumeAlgorithm as V;
        match self {
            Self::Navmesh(_) => Some(Self::Navmesh(NavmeshAlgorithm::Polyanya)),
            Self::Grid(_) => Some(Self::Grid(GridAlgorithm::JpsPruned)),
            Self::Graph(_) => Some(Self::Graph(GraphAlgorithm::Dijkstra)),
            Self::Volume(V::Dense6 | V::Spans | V::SpansOne) => Some(Self::Volume(V::Spans)),
            Self::Volume(V::Dense26 | V::Octree | V::Svo) => Some(Self::Volume(V::Dense26)),
            Self::Walk => Some(Self::Walk),
            Self::Swim => None,
        }
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
    /// Heuristic of `astar` and `bidirectional`.
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
        Self::by(EstimateArg::Octile, 1.0)
    }
}

impl Options {
    /// Returns the default options with this heuristic and weight.
    pub const fn by(estimate: EstimateArg, weight: f64) -> Self {
        Self {
            moves: 8,
            corners: CornersArg::Keep,
            estimate,
            weight,
            n_landmarks: 16,
            compensation: 0.0,
            raw: false,
        }
    }

    /// Checks that each option that is set applies to at least one of the algorithms.
    pub fn check(&self, algorithms: &[Algorithm]) -> Result<(), SearchError> {
        use Algorithm::{Grid, Swim, Volume};
        use GridAlgorithm as G;
        use VolumeAlgorithm as V;
        let usual = Self::default();
        let any = |uses: fn(&Algorithm) -> bool| algorithms.iter().any(uses);
        let grid = any(|it| matches!(it, Grid(_)));
        let estimate = any(|it| matches!(it, Grid(G::AStar | G::Bidirectional)));
        let landmarks = any(|it| matches!(it, Grid(G::Landmarks)));
        let cubes = any(|it| matches!(it, Volume(V::Octree | V::Svo) | Swim));
        let weight =
            cubes || any(|it| matches!(it, Grid(G::AStar) | Volume(V::Dense6 | V::Dense26)));
        let options = [
            ("--moves", self.moves != usual.moves, grid),
            ("--corners", self.corners != usual.corners, grid),
            ("--estimate", self.estimate != usual.estimate, estimate),
            ("--weight", self.weight > usual.weight, weight),
            ("--n-landmarks", self.n_landmarks != usual.n_landmarks, landmarks),
            ("--compensation", self.compensation > usual.compensation, cubes),
            ("--raw", self.raw, cubes),
        ];
        match options.into_iter().find(|&(_, is_set, is_used)| is_set && !is_used) {
            None => Ok(()),
            Some((option, ..)) => {
                let names: Vec<String> = algorithms.iter().map(|it| it.name()).collect();
                let names = names.join(", ");
                Err(SearchError::Unsupported(format!("{option} does not apply to {names}")))
            }
        }
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
        for &algorithm in Algorithm::value_variants() {
            assert_eq!(Algorithm::from_str(&algorithm.name(), false), Ok(algorithm));
            let best = algorithm.optimal();
            assert_eq!(best.and_then(Algorithm::optimal), best, "nothing is better than the best");
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
