//! Maps and scenarios of the Moving AI benchmarks, on grids and in volumes, and of polygon meshes.

mod bits;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use walkable::{
    grid::{Cell, Grid, read_map, read_scenario},
    query::polyanya::PolygonMesh,
    search::Watch,
    voxel::{Volume, read_voxel_scenario, read_voxels},
};

use self::bits::MapBits;
use super::{
    algorithm::{
        Algorithm, GridAlgorithm, NavmeshAlgorithm, Options, Promise, SearchError, SearchResult,
        VolumeAlgorithm,
    },
    grids::GridFinder,
    polygons::PolygonFinder,
    volumes::VolumeFinder,
};
use crate::files::{self, FileKind, Format};

/// A grid map, a voxel map or a polygon mesh. Polygon meshes are not sent to workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "MapBits", try_from = "MapBits")]
pub enum Map {
    Grid(Grid),
    Volume(Volume),
    Polygons(PolygonMesh),
}

/// A place on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// Coordinates of a cell or voxel.
    Cell(Vec<u32>),
    /// A point of a polygon mesh.
    Point([f64; 2]),
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

    /// Parses a map of any kind, which is recognized by its beginning.
    ///
    /// # Errors
    /// Returns an error that names the line that cannot be parsed.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let kind = FileKind::of(Path::new(""), text.as_bytes());
        Ok(if kind == Some(FileKind::VolumeMap) {
            Self::Volume(read_voxels(text)?)
        } else if kind == Some(FileKind::PolygonMesh) {
            Self::Polygons(text.parse()?)
        } else {
            Self::Grid(read_map(text)?)
        })
    }

    pub const fn usual_algorithm(&self) -> Algorithm {
        match self {
            Self::Grid(_) => Algorithm::Grid(GridAlgorithm::AStar),
            Self::Volume(_) => Algorithm::Volume(VolumeAlgorithm::Dense26),
            Self::Polygons(_) => Algorithm::Navmesh(NavmeshAlgorithm::Polyanya),
        }
    }

    pub const fn can_search(&self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Grid(_) => matches!(self, Self::Grid(_)),
            Algorithm::Volume(_) => matches!(self, Self::Volume(_)),
            Algorithm::Navmesh(NavmeshAlgorithm::Polyanya) => matches!(self, Self::Polygons(_)),
            Algorithm::Navmesh(
                NavmeshAlgorithm::Detour
                | NavmeshAlgorithm::MovingEntries
                | NavmeshAlgorithm::Route,
            )
            | Algorithm::Graph(_)
            | Algorithm::Walk
            | Algorithm::Swim => false,
        }
    }

    /// Returns the number of cells or voxels along each axis; empty for polygon meshes.
    pub fn size(&self) -> Vec<u32> {
        match self {
            Self::Grid(grid) => vec![grid.n_x(), grid.n_y()],
            Self::Volume(volume) => volume.size().to_vec(),
            Self::Polygons(_) => Vec::new(),
        }
    }

    pub fn contains(&self, place: &Place) -> bool {
        match (self, place) {
            (Self::Polygons(mesh), &Place::Point(point)) => mesh.locate(point.into()).is_some(),
            (Self::Grid(_) | Self::Volume(_), Place::Cell(cell)) => {
                let size = self.size();
                cell.len() == size.len() && cell.iter().zip(&size).all(|(at, n)| at < n)
            }
            (Self::Polygons(_), Place::Cell(_))
            | (Self::Grid(_) | Self::Volume(_), Place::Point(_)) => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Its line number in the file.
    pub line: usize,
    pub start: Place,
    pub goal: Place,
    /// Length of the optimal path, if there is a path.
    pub optimum: Option<f64>,
    /// Accuracy of `optimum` in the file.
    pub tolerance: f64,
}

/// Tolerance for lengths in voxel scenarios.
const VOXEL_TOLERANCE: f64 = 0.02;

/// Relative tolerance for lengths on polygon meshes.
const POLYGON_TOLERANCE: f64 = 1e-9;

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
                start: Place::Cell(vec![query.start.x, query.start.y]),
                goal: Place::Cell(vec![query.goal.x, query.goal.y]),
                optimum: query.optimum(),
                tolerance: (1e-5 * query.length).max(0.01),
            };
            queries.into_iter().map(of).collect()
        }
        Map::Volume(_) => {
            let (_, queries) = read_voxel_scenario(text)?;
            let of = |query: walkable::voxel::VoxelScenario| Query {
                line: query.line,
                start: Place::Cell(query.start.to_vec()),
                goal: Place::Cell(query.goal.to_vec()),
                optimum: Some(query.length),
                tolerance: VOXEL_TOLERANCE,
            };
            queries.into_iter().map(of).collect()
        }
        Map::Polygons(_) => {
            let lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty());
            lines.map(|(line, text)| polygon_query(line, text)).collect::<Result<_, _>>()?
        }
    };
    if let Some(odd) = queries.iter().find(|q| !map.contains(&q.start) || !map.contains(&q.goal)) {
        match map {
            Map::Grid(_) | Map::Volume(_) => {
                bail!("line {}: outside the map of {:?} voxels", odd.line, map.size())
            }
            Map::Polygons(_) => bail!("line {}: outside the polygons of the map", odd.line),
        }
    }
    Ok(queries)
}

/// Parses `x y X Y length`: a query on a polygon mesh with the length of its shortest path.
fn polygon_query(line: usize, text: &str) -> anyhow::Result<Query> {
    let numbers =
        text.split_whitespace().map(|word| word.parse().ok().filter(|n: &f64| n.is_finite()));
    let numbers: Option<Vec<f64>> = numbers.collect();
    let Some(&[x, y, to_x, to_y, length]) = numbers.as_deref() else {
        bail!("line {line}: expected five numbers, x y X Y length");
    };
    let (start, goal) = (Place::Point([x, y]), Place::Point([to_x, to_y]));
    let tolerance = POLYGON_TOLERANCE * length.abs().max(1.0);
    Ok(Query { line, start, goal, optimum: Some(length), tolerance })
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
    Polygons(Box<PolygonFinder<'a>>),
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
                return GridFinder::new(grid, algorithm, options, watch)
                    .map(Box::new)
                    .map(Self::Grid);
            }
            (Map::Volume(volume), Algorithm::Volume(algorithm)) => {
                return VolumeFinder::new(volume, algorithm, options)
                    .map(Box::new)
                    .map(Self::Volume);
            }
            (Map::Polygons(mesh), _) if map.can_search(algorithm) => {
                return Ok(Self::Polygons(Box::new(PolygonFinder::new(mesh))));
            }
            (Map::Grid(_) | Map::Volume(_) | Map::Polygons(_), _) => {}
        }
        let maps = match map {
            Map::Grid(_) => "grid maps",
            Map::Volume(_) => "voxel maps",
            Map::Polygons(_) => "polygon meshes",
        };
        let name = algorithm.name();
        Err(SearchError::Unsupported(format!("{name} cannot search {maps}")))
    }

    pub fn promise(&self) -> Promise {
        match self {
            Self::Grid(finder) => finder.promise(),
            Self::Volume(finder) => finder.promise(),
            Self::Polygons(_) => Promise::Least,
        }
    }

    /// Finds a path between two points of the map.
    pub fn find<W: Watch>(&mut self, start: &Place, goal: &Place, watch: &mut W) -> SearchResult {
        match (self, start, goal) {
            (Self::Polygons(finder), &Place::Point(start), &Place::Point(goal)) => {
                finder.find([start, goal].map(DVec2::from), watch)
            }
            (finder, Place::Cell(start), Place::Cell(goal)) => match (finder, &**start, &**goal) {
                (Self::Grid(finder), &[a, b], &[c, d]) => {
                    finder.find(Cell::new(a, b), Cell::new(c, d), watch)
                }
                (Self::Volume(finder), &[a, b, c], &[d, e, f]) => {
                    finder.find([a, b, c], [d, e, f], watch)
                }
                _ => SearchResult::default(),
            },
            _ => SearchResult::default(),
        }
    }
}
