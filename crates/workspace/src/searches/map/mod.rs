//! Maps and scenarios of the Moving AI benchmarks, on grids and in volumes.

mod bits;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use walkable::{
    grid::{Cell, Grid, MovingAiError, read_map, read_scenario},
    search::Watch,
    voxel::{Volume, read_voxel_scenario, read_voxels},
};

use self::bits::MapBits;
use super::{
    algorithm::{
        Algorithm, GridAlgorithm, Options, Promise, SearchError, SearchResult, VolumeAlgorithm,
    },
    grids::GridFinder,
    volumes::VolumeFinder,
};
use crate::files::{self, FileKind, Format};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "MapBits", try_from = "MapBits")]
pub enum Map {
    Grid(Grid),
    Volume(Volume),
}

impl Map {
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = files::read_text(file, Format::Map)?;
        Self::parse(&text).with_context(|| file.display().to_string())
    }

    pub fn of_scenario(scenario: &Path) -> anyhow::Result<Self> {
        let map = map_of_scenario(scenario);
        files::quotable(Self::read(&map), &map, scenario)
    }

    /// Parses a map of either kind, which is recognized by its beginning.
    ///
    /// # Errors
    /// Returns an error that names the line that cannot be parsed.
    pub fn parse(text: &str) -> Result<Self, MovingAiError> {
        if FileKind::of(Path::new(""), text.as_bytes()) == Some(FileKind::VolumeMap) {
            read_voxels(text).map(Self::Volume)
        } else {
            read_map(text).map(Self::Grid)
        }
    }

    pub const fn usual_algorithm(&self) -> Algorithm {
        match self {
            Self::Grid(_) => Algorithm::Grid(GridAlgorithm::AStar),
            Self::Volume(_) => Algorithm::Volume(VolumeAlgorithm::Dense26),
        }
    }

    pub const fn can_search(&self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Grid(_) => matches!(self, Self::Grid(_)),
            Algorithm::Volume(_) => matches!(self, Self::Volume(_)),
            Algorithm::Level(_) => false,
        }
    }

    /// Returns the number of cells or voxels along each axis.
    pub fn size(&self) -> Vec<u32> {
        match self {
            Self::Grid(grid) => vec![grid.n_x(), grid.n_y()],
            Self::Volume(volume) => volume.size().to_vec(),
        }
    }

    pub fn contains(&self, place: &[u32]) -> bool {
        let size = self.size();
        place.len() == size.len() && place.iter().zip(&size).all(|(at, n)| at < n)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Its line number in the file.
    pub line: usize,
    /// Coordinates of the start, one per dimension of the map.
    pub start: Vec<u32>,
    pub goal: Vec<u32>,
    /// Length of the optimal path, if there is a path.
    pub optimum: Option<f64>,
    /// Accuracy of `optimum` in the file.
    pub tolerance: f64,
}

/// Tolerance for lengths in voxel scenarios.
const VOXEL_TOLERANCE: f64 = 0.02;

pub fn read_queries(file: &Path, map: &Map) -> anyhow::Result<Vec<Query>> {
    let text = files::read_text(file, Format::Scenario)?;
    parse_queries(&text, map).with_context(|| file.display().to_string())
}

/// Parses the scenario of a map.
///
/// # Errors
/// Returns an error that names the line that cannot be parsed or does not fit the map.
pub fn parse_queries(text: &str, map: &Map) -> anyhow::Result<Vec<Query>> {
    let queries: Vec<Query> = match map {
        Map::Grid(grid) => {
            let queries = read_scenario(text)?;
            let (n_x, n_y) = (grid.n_x(), grid.n_y());
            if let Some(odd) = queries.iter().find(|query| query.size != [n_x, n_y]) {
                let ([w, h], line) = (odd.size, odd.line);
                bail!("line {line}: a map of {w} x {h} cells, but the map has {n_x} x {n_y}");
            }
            let of = |query: walkable::grid::GridScenario| Query {
                line: query.line,
                start: vec![query.start.x, query.start.y],
                goal: vec![query.goal.x, query.goal.y],
                optimum: query.optimum(),
                tolerance: (1e-5 * query.length).max(0.01),
            };
            queries.into_iter().map(of).collect()
        }
        Map::Volume(_) => {
            let (_, queries) = read_voxel_scenario(text)?;
            let of = |query: walkable::voxel::VoxelScenario| Query {
                line: query.line,
                start: query.start.to_vec(),
                goal: query.goal.to_vec(),
                optimum: Some(query.length),
                tolerance: VOXEL_TOLERANCE,
            };
            queries.into_iter().map(of).collect()
        }
    };
    if let Some(odd) = queries.iter().find(|q| !map.contains(&q.start) || !map.contains(&q.goal)) {
        bail!("line {}: outside the map of {:?} voxels", odd.line, map.size());
    }
    Ok(queries)
}

/// Returns the path of the map that belongs to a scenario: `x.map` for `x.map.scen` and `x.scen`, `x.3dmap` for
/// `x.3dmap.3dscen` and `x.3dscen`.
pub fn map_of_scenario(scenario: &Path) -> PathBuf {
    let is_volume = FileKind::of_name(scenario) == Some(FileKind::VolumeScenario);
    let map = scenario.with_extension("");
    let kind = if is_volume { "3dmap" } else { "map" };
    if map.extension().is_some() { map } else { map.with_extension(kind) }
}

#[derive(Debug)]
pub enum Finder<'a> {
    Grid(Box<GridFinder<'a>>),
    Volume(Box<VolumeFinder<'a>>),
}

impl<'a> Finder<'a> {
    /// Preprocesses the map for the search, unless `watch` stops it; returns an error if the search does not support
    /// such a map or these options.
    pub fn new(
        map: &'a Map,
        algorithm: Algorithm,
        options: Options,
        watch: &mut impl Watch,
    ) -> Result<Self, SearchError> {
        match (map, algorithm) {
            (Map::Grid(grid), Algorithm::Grid(algorithm)) => {
                GridFinder::new(grid, algorithm, options, watch).map(Box::new).map(Self::Grid)
            }
            (Map::Volume(volume), Algorithm::Volume(algorithm)) => {
                VolumeFinder::new(volume, algorithm, options).map(Box::new).map(Self::Volume)
            }
            (Map::Grid(_), Algorithm::Volume(_) | Algorithm::Level(_)) => Err(
                SearchError::Unsupported(format!("{} cannot search grid maps", algorithm.name())),
            ),
            (Map::Volume(_), Algorithm::Grid(_) | Algorithm::Level(_)) => Err(
                SearchError::Unsupported(format!("{} cannot search voxel maps", algorithm.name())),
            ),
        }
    }

    pub fn promise(&self) -> Promise {
        match self {
            Self::Grid(finder) => finder.promise(),
            Self::Volume(finder) => finder.promise(),
        }
    }

    /// Finds a path between two points of the map.
    pub fn find<W: Watch>(&mut self, start: &[u32], goal: &[u32], watch: &mut W) -> SearchResult {
        match (self, start, goal) {
            (Self::Grid(finder), &[a, b], &[c, d]) => {
                finder.find(Cell::new(a, b), Cell::new(c, d), watch)
            }
            (Self::Volume(finder), &[a, b, c], &[d, e, f]) => {
                finder.find([a, b, c], [d, e, f], watch)
            }
            _ => SearchResult::default(),
        }
    }
}
