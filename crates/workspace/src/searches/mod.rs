//! Search algorithms by name, on benchmark maps and on levels, for the commands and the lab.

mod algorithm;
mod grids;
mod level;
mod map;
mod medium;
mod polygons;
mod recording;
mod volumes;

pub use algorithm::{
    Algorithm, EstimateArg, GraphAlgorithm, GridAlgorithm, NavmeshAlgorithm, Options, PathPoints,
    Promise, SearchError, SearchResult, VolumeAlgorithm,
};
pub use grids::GridFinder;
pub use level::{Effort, LevelAnswer, LevelQuestion, LevelSearch, LevelSpaces, Sides};
pub use map::{Finder, Map, Place, Query, map_of_scenario, parse_queries, read_queries};
pub use medium::Medium;
pub use polygons::PolygonFinder;
pub use recording::{Event, NodeState, Recorder, Recording, ReplayState, Shape};
pub use volumes::VolumeFinder;
