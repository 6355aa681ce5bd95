//! Bounding volume tree of a tile.
