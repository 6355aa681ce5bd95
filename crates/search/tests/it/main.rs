//! Tests of searches of grids and volumes through the public interface.

mod cancelled_searches;
mod movingai;
mod voxels;
