//! Tests of the public interface of the tools.

mod checked;
mod compared;
mod crowded_links;
mod explained;
mod faults;
mod ground;
mod level_paths;
mod no_ground;
mod pictures;
mod routes;
mod soaked;
mod suites;
mod swept;
