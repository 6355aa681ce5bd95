//! Maps and scenarios of the literature, flat ones and volumes.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use walkable::{
    grid::{Cell, Grid, MovingAiError, read_map, read_scenario},
    search::Watch,
    voxel::{Volume, read_voxel_scenario, read_voxels},
};

use super::{
    algorithm::{Algorithm, Found, GridAlgorithm, Options, Promise, VolumeAlgorithm},
    grids::GridFinder,
    volumes::VolumeFinder,
};
use crate::files::{self, FileKind, Format};

/// A map.
#[derive(Clone, Debug)]
pub enum Map {
    /// Of cells.
    Grid(Grid),
    /// Of voxels.
    Volume(Volume),
}

impl Map {
    /// Reads the file of a map.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = files::read_text(file, Format::Map)?;
        Self::parse(&text).with_context(|| file.display().to_string())
    }

    /// Reads a map of either kind, told apart by how it begins.
    ///
    /// # Errors
    /// Names the line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, MovingAiError> {
        if FileKind::of(Path::new(""), text.as_bytes()) == Some(FileKind::VolumeMap) {
            read_voxels(text).map(Self::Volume)
        } else {
            read_map(text).map(Self::Grid)
        }
    }

    /// The search that such maps are meant for.
    pub const fn usual_algorithm(&self) -> Algorithm {
        match self {
            Self::Grid(_) => Algorithm::Grid(GridAlgorithm::AStar),
            Self::Volume(_) => Algorithm::Volume(VolumeAlgorithm::Dense26),
        }
    }

    /// Whether `algorithm` can search it.
    pub const fn suits(&self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Grid(_) => matches!(self, Self::Grid(_)),
            Algorithm::Volume(_) => matches!(self, Self::Volume(_)),
            Algorithm::Level(_) => false,
        }
    }

    /// Cells or voxels along each side.
    pub fn size(&self) -> Vec<u32> {
        match self {
            Self::Grid(grid) => vec![grid.n_x(), grid.n_y()],
            Self::Volume(volume) => volume.size().to_vec(),
        }
    }

    /// Whether the map has a place.
    pub fn contains(&self, place: &[u32]) -> bool {
        let size = self.size();
        place.len() == size.len() && place.iter().zip(&size).all(|(at, n)| at < n)
    }
}

/// A query of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Its line in the file.
    pub line: usize,
    /// Where from, by as many numbers as the map has dimensions.
    pub start: Vec<u32>,
    /// Where to.
    pub goal: Vec<u32>,
    /// Length of the shortest path, if there is a path.
    pub optimum: Option<f64>,
    /// To which the file is exact.
    pub tolerance: f64,
}

/// To which lengths in voxel scenarios are compared.
const VOXEL_TOLERANCE: f64 = 0.02;

/// Reads the file of a map's scenario.
pub fn read_queries(file: &Path, map: &Map) -> anyhow::Result<Vec<Query>> {
    let text = files::read_text(file, Format::Scenario)?;
    parse_queries(&text, map).with_context(|| file.display().to_string())
}

/// Reads a map's scenario.
///
/// # Errors
/// Names the line that cannot be read, or that does not belong to such a map.
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
        bail!("line {}: outside of the map of {:?} voxels", odd.line, map.size());
    }
    Ok(queries)
}

/// The map of a scenario: `x.map.scen` and `x.scen` belong to `x.map`, `x.3dmap.3dscen` and `x.3dscen` to
/// `x.3dmap`.
pub fn map_beside(scenario: &Path) -> PathBuf {
    let is_volume = FileKind::of_name(scenario) == Some(FileKind::VolumeScenario);
    let map = scenario.with_extension("");
    let kind = if is_volume { "3dmap" } else { "map" };
    if map.extension().is_some() { map } else { map.with_extension(kind) }
}

/// A search of a map.
#[derive(Debug)]
pub enum Finder<'a> {
    /// Of a grid.
    Grid(Box<GridFinder<'a>>),
    /// Of a volume.
    Volume(Box<VolumeFinder<'a>>),
}

impl<'a> Finder<'a> {
    /// Computes what the search needs, unless `watch` ends it; says what is wrong where it is none of such
    /// a map or does not go by such options.
    pub fn new(
        map: &'a Map,
        algorithm: Algorithm,
        options: Options,
        watch: &mut impl Watch,
    ) -> Result<Self, String> {
        match (map, algorithm) {
            (Map::Grid(grid), Algorithm::Grid(algorithm)) => {
                GridFinder::new(grid, algorithm, options, watch).map(Box::new).map(Self::Grid)
            }
            (Map::Volume(volume), Algorithm::Volume(algorithm)) => {
                VolumeFinder::new(volume, algorithm, options).map(Box::new).map(Self::Volume)
            }
            (Map::Grid(_), Algorithm::Volume(_) | Algorithm::Level(_)) => {
                Err(format!("{} cannot search grid maps", algorithm.name()))
            }
            (Map::Volume(_), Algorithm::Grid(_) | Algorithm::Level(_)) => {
                Err(format!("{} cannot search voxel maps", algorithm.name()))
            }
        }
    }

    /// What its paths are promised to be.
    pub fn promise(&self) -> Promise {
        match self {
            Self::Grid(finder) => finder.promise(),
            Self::Volume(finder) => finder.promise(),
        }
    }

    /// The path between two places of the map.
    pub fn find<W: Watch>(&mut self, start: &[u32], goal: &[u32], watch: &mut W) -> Found {
        match (self, start, goal) {
            (Self::Grid(finder), &[a, b], &[c, d]) => {
                finder.find(Cell::new(a, b), Cell::new(c, d), watch)
            }
            (Self::Volume(finder), &[a, b, c], &[d, e, f]) => {
                finder.find([a, b, c], [d, e, f], watch)
            }
            _ => Found::default(),
        }
    }
}
