//! The bake and the tile cache, tested through their public interface.

mod agents;
mod bake_properties;
mod dirty_properties;
mod input_properties;
mod layer_properties;
mod obstacles;
mod polygon_properties;
mod reference;
mod scenes;
mod tile_cache;
mod tile_keys;
