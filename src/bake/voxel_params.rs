use crate::bake::{BakeSettings, SettingsError};

/// Settings in whole cells: the only place where metres are rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxelParams {
    /// Side of a cell, in metres.
    pub cell_size: f32,
    /// Height of a cell, in metres.
    pub cell_height: f32,
    /// Head room: agent height, rounded up.
    pub walkable_height_vx: u32,
    /// Step: climb, rounded down.
    pub walkable_climb_vx: u32,
    /// Erosion: radius, rounded up.
    pub walkable_radius_vx: u32,
    /// Longest wall edge, rounded down; 0 for no limit.
    pub max_edge_len_vx: u32,
    /// How far an outline may stray, in cells.
    pub max_edge_error_vx: f32,
    /// Smallest region, in cells of area.
    pub min_region_area_vx: u32,
    /// Region merged below this, in cells of area.
    pub merge_region_area_vx: u32,
    /// Distance of height samples, in metres; 0 for none.
    pub detail_sample_dist: f32,
    /// Height error of the detail mesh, in metres.
    pub detail_sample_max_error: f32,
    /// Cells of border around a tile; 0 for solo.
    pub border_vx: u32,
    /// Side of a tile without border, in cells; 0 for solo.
    pub tile_size_vx: u32,
}

impl VoxelParams {
    /// Rounds and checks `settings`.
    ///
    /// # Errors
    /// [`SettingsError`] naming the first setting out of range.
    pub fn new(settings: &BakeSettings) -> Result<Self, SettingsError> {
        let _ = settings;
        todo!("bake helper")
    }
}
