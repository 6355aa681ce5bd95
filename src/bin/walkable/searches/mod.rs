//! Searches by name on maps of the literature and on levels, for the commands and for the lab.

mod algorithm;
mod grids;
mod level;
mod map;
mod volumes;

pub(crate) use algorithm::{Algorithm, Found, Options, PathPoints, Promise};
#[cfg(feature = "gui")]
pub(crate) use algorithm::{EstimateArg, Kind};
#[cfg(feature = "gui")]
pub(crate) use grids::GridFinder;
pub(crate) use level::LevelQuestion;
pub(crate) use map::{Finder, Map, Query, map_beside, read_queries};
