use serde::{Deserialize, Serialize};

/// How spans are grouped into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Partition {
    /// By basins of the distance field: best polygons, slowest.
    #[default]
    Watershed,
    /// By sweeping rows: fastest, long thin polygons.
    Monotone,
    /// By sweeping rows without overlaps: fast, good for small tiles.
    Layers,
}

/// What the designer sets: the agent and the grid, in metres and degrees where not said otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeSettings {
    /// Side of a voxel along x and z, in metres.
    pub cell_size: f32,
    /// Height of a voxel, in metres.
    pub cell_height: f32,
    /// Head room the agent needs, in metres.
    pub agent_height: f32,
    /// How far the agent keeps from walls and ledges, in metres.
    pub agent_radius: f32,
    /// Highest step the agent climbs, in metres.
    pub agent_max_climb: f32,
    /// Steepest ground the agent walks, in degrees.
    pub agent_max_slope: f32,
    /// Side, in voxels, of the square below whose area an isolated region is removed.
    pub region_min_size: f32,
    /// Side, in voxels, of the square below whose area a region is merged into a neighbour.
    pub region_merge_size: f32,
    /// Longest polygon edge along walls, in metres; 0 for no limit.
    pub edge_max_len: f32,
    /// How far a simplified outline may stray from the voxels, in voxels.
    pub edge_max_error: f32,
    /// Most corners of a polygon, 3 to 12; tile data holds up to 6.
    pub verts_per_poly: u32,
    /// Distance of height samples, in voxels; below 0.9 for no samples.
    pub detail_sample_dist: f32,
    /// How far the detail mesh may stray from the ground, in voxels of height.
    pub detail_sample_max_error: f32,
    /// How spans are grouped into regions.
    pub partition: Partition,
    /// Lets the agent step onto low obstacles.
    pub filter_low_hanging_obstacles: bool,
    /// Keeps the agent off ledges.
    pub filter_ledge_spans: bool,
    /// Keeps the agent out of places too low to stand.
    pub filter_low_height_spans: bool,
    /// Side of a tile, in voxels; 0 for one solo mesh.
    pub tile_size: u32,
}

impl Default for BakeSettings {
    /// RecastDemo's values.
    fn default() -> Self {
        Self {
            cell_size: 0.3,
            cell_height: 0.2,
            agent_height: 2.0,
            agent_radius: 0.6,
            agent_max_climb: 0.9,
            agent_max_slope: 45.0,
            region_min_size: 8.0,
            region_merge_size: 20.0,
            edge_max_len: 12.0,
            edge_max_error: 1.3,
            verts_per_poly: 6,
            detail_sample_dist: 6.0,
            detail_sample_max_error: 1.0,
            partition: Partition::Watershed,
            filter_low_hanging_obstacles: true,
            filter_ledge_spans: true,
            filter_low_height_spans: true,
            tile_size: 0,
        }
    }
}

/// Why settings cannot be baked or read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A number outside its range, or not finite.
    #[error("{key} is {value}, but must be between {min} and {max}")]
    OutOfRange {
        /// Name of the setting.
        key: &'static str,
        /// What it is.
        value: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
}
