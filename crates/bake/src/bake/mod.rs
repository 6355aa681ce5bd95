//! The bake: from triangles to Detour tiles, one pure function per stage.
//!
//! [`BakePlan`] turns settings into voxels and the level into a grid of tiles; [`bake_tile`] runs the
//! stages of one tile in order. Every stage's output is a value of its own type, kept in
//! [`Intermediates`] on request, so that a tool can show and count each of them.

mod adjacency;
mod advice;
mod agent_ground;
mod animation;
mod areas;
mod bake_all;
mod baked_agent;
mod bound;
mod chamfer;
mod class;
mod compact;
mod config;
mod contour;
mod crop;
mod detail;
mod dirty;
mod distance;
mod erode;
mod error;
mod estimate;
mod filter;
mod frame;
mod ground_left;
mod hash;
mod height_layers;
mod heightfield;
mod input;
mod intermediates;
mod lattice;
mod layer_mesh;
mod limit;
mod mark;
mod median;
mod params;
#[cfg(test)]
mod pictures;
mod plan;
mod plan_checks;
mod polymesh;
mod pulse;
mod rasterize;
mod raw_area;
mod region;
mod rounding;
mod settings;
mod shards;
mod slope;
mod stage_bytes;
mod streamed;
mod surface;
mod survey;
mod tile;
mod tile_bake;
mod tile_counts;
mod tile_entry;
mod tile_input;
mod tile_key;
mod tile_range;
mod triangle_index;
mod volume;
mod voxel_params;
mod z_curve;

pub use advice::settings_advice;
pub use animation::{AnimatedStage, StageAnimation, Unfinished};
pub use areas::{Area, AreaFlags, AreaTable, COSTS, ENTERING_COSTS, FlagName, Rgb};
pub use bake_all::bake;
pub use baked_agent::{AgentsError, BakedAgent, MAX_BAKED_AGENTS};
pub use compact::{CompactField, NeighborSpan, OpenSpan};
pub use config::{
    BakeConfig, ConfigError, ConfigErrorKind, FIRST_OFF_MESH_USER_ID, Gset, GsetLoss, JumpLimit,
    JumpLimits, quoted, unquoted,
};
pub use contour::{Contour, ContourSet, ContourVertex};
pub use detail::{DetailMesh, DetailRange};
pub use dirty::{DirtyTiles, dirty_tiles};
pub use distance::DistanceField;
pub use error::BakeError;
pub use estimate::{BakeEstimate, BakeLimits};
pub use filter::SpanFilter;
pub use frame::GridFrame;
pub use ground_left::{GroundLeft, GroundRemoval, GroundRemover, ground_removal, nothing_walkable};
pub use hash::{StageDigest, StreamHash};
pub use height_layers::{CellRect, HeightLayer, HeightLayerSet, LayerCut, LayerLinks};
pub use heightfield::{Heightfield, Span};
pub use input::{BakeInput, LevelPart, OffMeshLink};
pub use intermediates::Intermediates;
pub use layer_mesh::{LayerMeshing, LayerOutline, MeshedLayer, mesh_layer};
pub(crate) use mark::carve_prism;
pub use mark::cells_in;
pub use params::{PARAMS, Param, ParamChoice, ParamGroup, ParamKey, ParamKind, ParamValue};
pub use plan::BakePlan;
pub use polymesh::{Edge, MAX_VERTS_PER_POLY, MeshPolygon, PolyMesh};
pub use raw_area::RawArea;
pub use region::Regions;
pub use rounding::{Quantized, quantized};
pub use settings::{BakeSettings, Partition, RefBits, SettingsError};
pub use shards::shards;
pub use slope::TriangleSlopes;
pub use streamed::{StreamError, StreamedBake};
pub use surface::{PatternUse, SurfaceRule, SurfaceSource, SurfaceUse};
pub use survey::{Steepness, survey_tile};
pub use tile_bake::{
    AgentSpans, BakeOutput, LayerBake, TileBake, bake_agent_ground, bake_ground, bake_layers,
    bake_tile,
};
pub use tile_counts::TileCounts;
pub use tile_entry::{EntryError, TileEntry};
pub use tile_key::{RESULTS_VERSION, TileKey};
pub use tile_range::TileRange;
pub(crate) use volume::prism_bounds;
pub use volume::{AreaVolume, VolumeShape};
pub use voxel_params::VoxelParams;
pub use walkable_runtime::stage::Stage;
