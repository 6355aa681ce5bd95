//! Searches by name on maps of the literature and on levels, for the commands and for the lab.

mod algorithm;
mod grids;
mod level;
mod map;
mod volumes;

pub use algorithm::{
    Algorithm, EstimateArg, Found, GridAlgorithm, LevelAlgorithm, Options, PathPoints, Promise,
    SearchError, VolumeAlgorithm,
};
pub use grids::GridFinder;
pub use level::LevelQuestion;
pub use map::{Finder, Map, Query, map_beside, parse_queries, read_queries};
pub use volumes::VolumeFinder;
