//! Navmeshes, their files and queries, from outside.

mod avoidance;
mod detour;
mod flow_fields;
mod formats;
mod graphs;
mod hostile;
mod islands;
mod levels;
mod node_detour;
mod path_properties;
mod polyanya;
mod polyanya_tiles;
mod queries;
mod sight;
mod tasks;
mod tiles;
mod wide_references;
