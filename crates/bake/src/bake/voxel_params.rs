use crate::bake::{BakeSettings, SettingsError};

/// Settings converted to whole cells. Meters are rounded only here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxelParams {
    /// Size of a cell along x and z, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Agent height, rounded up.
    pub walkable_height_vx: u32,
    /// Max climb, rounded down.
    pub walkable_climb_vx: u32,
    /// Agent radius, rounded up.
    pub walkable_radius_vx: u32,
    /// Maximum edge length, rounded down; 0 for no limit.
    pub max_edge_len_vx: u32,
    /// Maximum distance of a simplified contour from the raw contour, in cells.
    pub max_edge_error_vx: f32,
    /// Minimum area of a region, in cells.
    pub min_region_area_vx: u32,
    /// Regions with a smaller area are merged, in cells.
    pub merge_region_area_vx: u32,
    /// Distance of height samples, in meters; 0 for none.
    pub detail_sample_dist: f32,
    /// Maximum height error of the detail mesh, in meters.
    pub detail_sample_max_error: f32,
    /// Width of the border around a tile, in cells; 0 without tiles.
    pub border_vx: u32,
    /// Size of a tile without border, in cells; 0 without tiles.
    pub tile_size_vx: u32,
}

/// Width of the border in addition to the agent's radius, for the neighborhoods of erosion and contours.
const BORDER_BEYOND_RADIUS_VX: u32 = 3;

/// Below this many voxels between samples, the detail mesh is not sampled.
const MIN_DETAIL_SAMPLE_DIST_VX: f32 = 0.9;

impl VoxelParams {
    /// Rounds and checks `settings`.
    ///
    /// Source: RecastDemo's tile and solo samples. All arithmetic is in `f32`, as there.
    ///
    /// # Errors
    /// Returns a [`SettingsError`] with the first setting that is out of range.
    pub fn new(settings: &BakeSettings) -> Result<Self, SettingsError> {
        settings.validate()?;
        let &BakeSettings { cell_size, cell_height, tile_size, .. } = settings;
        let walkable_radius_vx = truncated((settings.agent_radius / cell_size).ceil());
        let sampled = MIN_DETAIL_SAMPLE_DIST_VX <= settings.detail_sample_dist;
        Ok(Self {
            cell_size,
            cell_height,
            walkable_height_vx: truncated((settings.agent_height / cell_height).ceil()),
            walkable_climb_vx: truncated((settings.agent_max_climb / cell_height).floor()),
            walkable_radius_vx,
            max_edge_len_vx: truncated(settings.edge_max_len / cell_size),
            max_edge_error_vx: settings.edge_max_error,
            min_region_area_vx: truncated(settings.region_min_size * settings.region_min_size),
            merge_region_area_vx: truncated(
                settings.region_merge_size * settings.region_merge_size,
            ),
            detail_sample_dist: if sampled { cell_size * settings.detail_sample_dist } else { 0.0 },
            detail_sample_max_error: cell_height * settings.detail_sample_max_error,
            border_vx: if tile_size == 0 {
                0
            } else {
                walkable_radius_vx + BORDER_BEYOND_RADIUS_VX
            },
            tile_size_vx: tile_size,
        })
    }

    /// Returns max climb after rounding, in meters.
    pub fn climb(&self) -> f32 {
        meters(self.walkable_climb_vx, self.cell_height)
    }
}

/// Returns the length of `n` cells of size `cell`.
#[expect(clippy::cast_precision_loss, reason = "as the reference converts counts of cells")]
pub(crate) fn meters(n: u32, cell: f32) -> f32 {
    n as f32 * cell
}

/// Truncates `value` to an integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "validated settings are finite and not negative; their quotients stay far below 2^32"
)]
fn truncated(value: f32) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_round_as_recast_demo_rounds_them() {
        let params = VoxelParams::new(&BakeSettings::default()).unwrap();
        assert_eq!(
            params,
            VoxelParams {
                cell_size: 0.3,
                cell_height: 0.2,
                walkable_height_vx: 10,
                walkable_climb_vx: 4,
                walkable_radius_vx: 2,
                max_edge_len_vx: 40,
                max_edge_error_vx: 1.3,
                min_region_area_vx: 64,
                merge_region_area_vx: 400,
                detail_sample_dist: 0.3 * 6.0,
                detail_sample_max_error: 0.2,
                border_vx: 0,
                tile_size_vx: 0,
            }
        );
    }

    #[test]
    fn height_and_radius_round_up_and_climb_rounds_down() {
        let settings = BakeSettings {
            agent_height: 2.01,
            agent_radius: 0.61,
            agent_max_climb: 0.39,
            tile_size: 32,
            detail_sample_dist: 0.8,
            ..BakeSettings::default()
        };
        let params = VoxelParams::new(&settings).unwrap();
        assert_eq!(params.walkable_height_vx, 11);
        assert_eq!(params.walkable_radius_vx, 3);
        assert_eq!(params.walkable_climb_vx, 1);
        assert_eq!(params.border_vx, 6);
        assert!(params.detail_sample_dist.abs() < f32::EPSILON);
    }
}
