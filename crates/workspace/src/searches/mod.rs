//! Search algorithms by name, on benchmark maps and on levels, for the commands and the lab.

mod algorithm;
mod grids;
mod level;
mod map;
mod polygons;
mod volumes;

pub use algorithm::{
    Algorithm, EstimateArg, GridAlgorithm, LevelAlgorithm, Options, PathPoints, Promise,
    SearchError, SearchResult, VolumeAlgorithm,
};
pub use grids::GridFinder;
pub use level::LevelQuestion;
pub use map::{Finder, Map, Place, Query, map_of_scenario, parse_queries, read_queries};
pub use polygons::PolygonFinder;
pub use volumes::VolumeFinder;
