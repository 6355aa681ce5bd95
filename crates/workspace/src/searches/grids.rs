//! Searches on grid maps.

use walkable::{
    grid::{
        Cell, Estimate, Grid, GridAnswer, GridQuery, GridScratch, JumpTable, Landmarks, Moves,
        Prune, SightCheck, astar, bidirectional, jps, jps_plus, theta,
    },
    search::Watch,
};

use super::algorithm::{
    EstimateArg, GridAlgorithm, Options, PathPoints, Promise, SearchError, SearchResult, name_of,
};
use crate::limits;

/// A search of a grid, with its precomputed tables.
#[derive(Debug)]
pub struct GridFinder<'a> {
    grid: &'a Grid,
    algorithm: GridAlgorithm,
    options: Options,
    landmarks: Option<Landmarks>,
    table: Option<JumpTable>,
    scratch: GridScratch,
}

impl<'a> GridFinder<'a> {
    /// Preprocesses the grid for the search, unless `watch` stops it; returns an error if the search does not support
    /// these options.
    pub fn new(
        grid: &'a Grid,
        algorithm: GridAlgorithm,
        options: Options,
        watch: &mut impl Watch,
    ) -> Result<Self, SearchError> {
        use GridAlgorithm as A;
        let name = name_of(&algorithm);
        let moves = options.moves();
        match algorithm {
            A::JpsPlus if moves != Moves::default() => {
                return Err(SearchError::Unsupported(format!(
                    "{name} supports only 8 moves and paths of corners"
                )));
            }
            A::Jps | A::JpsPruned if moves == Moves::Four => {
                return Err(SearchError::Unsupported(format!("{name} supports only 8 moves")));
            }
            A::JpsPlus
            | A::Jps
            | A::JpsPruned
            | A::AStar
            | A::Dijkstra
            | A::Bidirectional
            | A::Landmarks
            | A::Theta
            | A::LazyTheta => {}
        }
        limits::admit_tables(Self::table_bytes(grid, algorithm, options))
            .map_err(SearchError::TooLarge)?;
        let landmarks = (algorithm == A::Landmarks)
            .then(|| Landmarks::watched(grid, moves, options.n_landmarks, watch));
        let table = (algorithm == A::JpsPlus).then(|| JumpTable::new(grid));
        let scratch = GridScratch::default();
        Ok(Self { grid, algorithm, options, landmarks, table, scratch })
    }

    /// Returns the memory of the tables that a search computes beforehand, in bytes.
    pub fn table_bytes(grid: &Grid, algorithm: GridAlgorithm, options: Options) -> usize {
        match algorithm {
            GridAlgorithm::Landmarks => Landmarks::n_bytes(grid, options.n_landmarks),
            GridAlgorithm::JpsPlus => JumpTable::n_bytes(grid),
            GridAlgorithm::Jps
            | GridAlgorithm::JpsPruned
            | GridAlgorithm::AStar
            | GridAlgorithm::Dijkstra
            | GridAlgorithm::Bidirectional
            | GridAlgorithm::Theta
            | GridAlgorithm::LazyTheta => 0,
        }
    }

    pub fn promise(&self) -> Promise {
        let (_, estimate) = self.estimate();
        match self.algorithm {
            GridAlgorithm::Theta | GridAlgorithm::LazyTheta => Promise::AnyDirection,
            GridAlgorithm::AStar if !estimate.is_consistent(self.options.moves()) => Promise::Some,
            GridAlgorithm::AStar if self.options.weight > 1.0 => {
                Promise::AtMost(self.options.weight)
            }
            GridAlgorithm::AStar
            | GridAlgorithm::Dijkstra
            | GridAlgorithm::Bidirectional
            | GridAlgorithm::Landmarks
            | GridAlgorithm::Jps
            | GridAlgorithm::JpsPruned
            | GridAlgorithm::JpsPlus => Promise::Least,
        }
    }

    pub fn find<W: Watch>(&mut self, start: Cell, goal: Cell, watch: &mut W) -> SearchResult {
        let answer = self.answer(start, goal, watch);
        let cells = answer.path.as_ref().map_or(&[][..], |path| &path.cells);
        SearchResult {
            cost: answer.path.as_ref().map(|path| path.cost),
            path: PathPoints::Cells(cells.iter().map(|cell| vec![cell.x, cell.y]).collect()),
            stats: answer.stats,
        }
    }

    fn answer<W: Watch>(&mut self, start: Cell, goal: Cell, watch: &mut W) -> GridAnswer {
        let (weight, estimate) = match (&self.landmarks, self.estimate()) {
            (Some(landmarks), _) => (1.0, Estimate::Landmarks(landmarks)),
            (None, estimate) => estimate,
        };
        let query = &GridQuery { grid: self.grid, start, goal, moves: self.options.moves() };
        let scratch = &mut self.scratch;
        match self.algorithm {
            GridAlgorithm::AStar | GridAlgorithm::Dijkstra | GridAlgorithm::Landmarks => {
                astar(query, estimate, weight, scratch, watch)
            }
            GridAlgorithm::Bidirectional => bidirectional(query, estimate, scratch, watch),
            GridAlgorithm::Jps => jps(query, Prune::None, scratch, watch),
            GridAlgorithm::JpsPruned => jps(query, Prune::Intermediate, scratch, watch),
            GridAlgorithm::JpsPlus => self
                .table
                .as_ref()
                .map_or_else(GridAnswer::default, |table| jps_plus(query, table, scratch, watch)),
            GridAlgorithm::Theta => theta(query, SightCheck::Eager, scratch, watch),
            GridAlgorithm::LazyTheta => theta(query, SightCheck::Lazy, scratch, watch),
        }
    }

    fn estimate(&self) -> (f64, Estimate<'static>) {
        if self.algorithm == GridAlgorithm::Dijkstra {
            return (1.0, Estimate::Zero);
        }
        let estimate = match self.options.estimate {
            EstimateArg::Zero => Estimate::Zero,
            EstimateArg::Manhattan => Estimate::Manhattan,
            EstimateArg::Chebyshev => Estimate::Chebyshev,
            EstimateArg::Octile => Estimate::Octile,
            EstimateArg::Euclidean => Estimate::Euclidean,
            EstimateArg::SquaredEuclidean => Estimate::SquaredEuclidean,
        };
        (self.options.weight, estimate)
    }
}
