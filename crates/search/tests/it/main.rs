//! Searches of grids and volumes, from outside.

mod cancelled_searches;
mod movingai;
mod voxels;
