//! Comparison of two navmeshes by the ground they cover, independent of tile size, cell size and reference width.
//!
//! The ground of a navmesh is its polygons with flags. Polygons without flags, such as those of removed islands, are
//! not ground. The detail triangles of both navmeshes are cut against each other, seen from above, so areas are exact
//! up to rounding. Surfaces at the same place that are farther apart in height than [`CompareSettings::height`] are
//! different floors.
//!
//! Bakes with other cells or tiles round the same edge differently. [`CompareSettings::tolerance`] keeps those
//! differences out of the result: ground is gained or lost only if a part of it is farther than the tolerance from the
//! ground of the other navmesh. The area of the rest is reported as [`GroundChange::strips`].
//!
//! ```
//! # use std::sync::Arc;
//! # use walkable::{bake::*, compare::*, ids::TileCoord, level::*, monitor::Unmonitored};
//! # let level = generate(LevelKind::Sample, 1, 30.0)?;
//! # let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
//! # let before = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;
//! let mut after = before.clone();
//! after.remove_tile(TileCoord::new(1, 1), 0);
//! let sides = [CompareSide::of(&before), CompareSide::of(&after)];
//! let comparison = compare(sides, &CompareSettings::default(), &Unmonitored)?;
//! assert!(comparison.gained.patches.is_empty() && comparison.lost.area > 10.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convex;
mod ground;
mod islands;
mod links;
mod patches;
mod tiles;

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};
use ground::{Ground, SameGroundLimits, Shared, SharedParts, Tag};
pub use islands::{IslandChange, IslandChangeKind, IslandGround};
pub use links::{LinkChange, LinkChangeKind};
pub use patches::{GroundChange, GroundPatch};
use serde::{Deserialize, Serialize};
pub use tiles::{TileChanges, TileKey};
use walkable_bake::bake::OffMeshLink;
use walkable_runtime::{
    ids::AreaId,
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, NavMeshStats},
};

/// A navmesh to compare.
#[derive(Clone, Copy, Debug)]
pub struct CompareSide<'a> {
    /// The navmesh.
    pub mesh: &'a NavMesh,
    /// The off-mesh links of its bake; `None` to use the links in its tiles, which do not include links whose start is
    /// on no tile.
    pub links: Option<&'a [OffMeshLink]>,
}

impl<'a> CompareSide<'a> {
    /// Returns a navmesh with the links in its tiles.
    pub fn of(mesh: &'a NavMesh) -> Self {
        Self { mesh, links: None }
    }
}

/// The settings of a comparison, which determine which differences count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompareSettings {
    /// Width of strips along edges that count as rounding, in meters. `None` for 0 if both navmeshes have the same grid
    /// of tiles and voxels, and for 1.5 times the larger voxel otherwise, because a bake moves edges by up to
    /// [`BakeSettings::edge_max_error`](walkable_bake::bake::BakeSettings::edge_max_error), 1.3 voxels by default.
    pub tolerance: Option<f64>,
    /// Maximum height difference of the same ground, in meters; `None` for the larger climb of the two navmeshes.
    pub height: Option<f64>,
    /// Minimum area of a patch of ground, and of ground with another area or other flags, in square meters; `None` for
    /// the larger voxel seen from above.
    pub min_patch: Option<f64>,
    /// Minimum area of an island, in square meters.
    pub min_island: f64,
}

impl Default for CompareSettings {
    fn default() -> Self {
        Self { tolerance: None, height: None, min_patch: None, min_island: 1.0 }
    }
}

/// Maximum of all lengths in the settings, in meters.
const MAX_LENGTH: f64 = 100.0;
/// Maximum of all areas in the settings, in square meters.
const MAX_AREA: f64 = 1e9;
/// Tolerance between different grids, in voxels.
const ROUNDED_VOXELS: f64 = 1.5;
/// Voxel size of tiles that do not state it, in meters.
const DEFAULT_VOXEL: f64 = 0.3;

/// The limits that a comparison used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareLimits {
    /// Width of strips that do not count, in meters.
    pub tolerance: f64,
    /// Maximum height difference of the same ground, in meters.
    pub height: f64,
    /// Minimum area of a patch, in square meters.
    pub min_patch: f64,
    /// Minimum area of an island, in square meters.
    pub min_island: f64,
}

/// Ground that has another area or other flags.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AreaChange {
    /// Area id and flags in the first navmesh.
    pub before: (AreaId, u16),
    /// Area id and flags in the second navmesh.
    pub after: (AreaId, u16),
    /// Size seen from above, in square meters.
    pub area: f64,
    /// A point of that ground.
    pub point: Vec3,
}

/// Area and counts of a navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideStats {
    /// Area of its ground seen from above, in square meters.
    pub area: f64,
    /// Number of its islands of at least the minimum area.
    pub n_islands: usize,
    /// Counts of its data.
    #[serde(flatten)]
    pub stats: NavMeshStats,
}

/// The differences between two navmeshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The limits that were used.
    pub limits: CompareLimits,
    /// Sizes of the first navmesh.
    pub before: SideStats,
    /// Sizes of the second navmesh.
    pub after: SideStats,
    /// Ground that only the second navmesh has.
    pub gained: GroundChange,
    /// Ground that only the first navmesh has.
    pub lost: GroundChange,
    /// Islands that were split, joined, gained or lost, the largest change first.
    pub islands: Vec<IslandChange>,
    /// Off-mesh links that changed.
    pub off_mesh_links: Vec<LinkChange>,
    /// Ground with another area or other flags, the largest first.
    pub areas: Vec<AreaChange>,
    /// Tiles whose data changed; `None` if the grids of tiles differ.
    pub tiles: Option<TileChanges>,
}

impl Comparison {
    /// Returns whether agents find the same ground, islands, areas and off-mesh links in both navmeshes. Strips and the
    /// data of tiles do not count.
    pub fn is_same(&self) -> bool {
        self.gained.patches.is_empty()
            && self.lost.patches.is_empty()
            && self.islands.is_empty()
            && self.off_mesh_links.is_empty()
            && self.areas.is_empty()
    }
}

/// Why two navmeshes were not compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A setting is out of its range or not finite.
    #[error("{name} is {value}, but must be between 0 and {max}")]
    OutOfRange {
        /// Name of the setting.
        name: &'static str,
        /// The value.
        value: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// So many polygons overlap, or are within the tolerance of each other, that the comparison would take too long. No
    /// baked navmesh exceeds the limits at the default tolerance.
    #[error(
        "too many polygons overlap: the comparison stopped after {max} steps, and its result is not known; lower the \
        tolerance, or run `walkable check` on both navmeshes to find overlapping polygons"
    )]
    TooManyOverlaps {
        /// Maximum number of steps.
        max: usize,
    },
    /// The monitor cancelled the comparison.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Compares two navmeshes.
///
/// Takes time and memory proportional to the number of detail triangles, on all cores.
///
/// # Errors
/// [`CompareError`].
pub fn compare(
    [before, after]: [CompareSide<'_>; 2],
    settings: &CompareSettings,
    monitor: &dyn Monitor,
) -> Result<Comparison, CompareError> {
    let limits = limits(before.mesh, after.mesh, settings)?;
    let reach = SameGroundLimits { height: limits.height, aside: limits.tolerance };
    let old = Ground::new(before.mesh, monitor)?;
    let new = Ground::new(after.mesh, monitor)?;
    let mut shared = SharedGround::default();
    let mut share = |index, parts: &SharedParts| shared.add((&old, index), &new, parts);
    let of_old = ground::compare(&old, &new, reach, &mut share, monitor)?;
    let of_new = ground::compare(&new, &old, reach, &mut |_, _| {}, monitor)?;
    let areas = shared.area_changes(&old, limits.min_patch);
    let shared = shared.islands;
    let islands = islands::island_changes(&old.islands, &new.islands, &shared, limits.min_island);
    monitor.check()?;
    Ok(Comparison {
        limits,
        before: side_stats(before.mesh, &old, &limits),
        after: side_stats(after.mesh, &new, &limits),
        gained: patches::patches(of_new, reach, limits.min_patch)?,
        lost: patches::patches(of_old, reach, limits.min_patch)?,
        islands,
        off_mesh_links: links::link_changes(before, after),
        areas,
        tiles: tiles::tile_changes(before.mesh, after.mesh),
    })
}

/// Checks the settings and replaces unset values by their defaults.
fn limits(
    before: &NavMesh,
    after: &NavMesh,
    settings: &CompareSettings,
) -> Result<CompareLimits, CompareError> {
    let [old, new] = [before, after].map(voxel_size);
    let voxel = old.max(new);
    let same_voxels = (old - new).abs() < 1e-4 && tiles::same_grid(before, after);
    let rounded = if same_voxels { 0.0 } else { ROUNDED_VOXELS * voxel };
    let climb = |mesh: &NavMesh| {
        let climbs = mesh.tiles().map(|tile| f64::from(tile.header.walkable_climb));
        climbs.fold(0.0, f64::max)
    };
    let limits = CompareLimits {
        tolerance: settings.tolerance.unwrap_or(rounded),
        height: settings.height.unwrap_or_else(|| climb(before).max(climb(after))),
        min_patch: settings.min_patch.unwrap_or(voxel * voxel),
        min_island: settings.min_island,
    };
    let numbers = [
        ("tolerance", limits.tolerance, MAX_LENGTH),
        ("height", limits.height, MAX_LENGTH),
        ("min_patch", limits.min_patch, MAX_AREA),
        ("min_island", limits.min_island, MAX_AREA),
    ];
    // `contains` is negated, so that NaN is refused.
    match numbers.into_iter().find(|(_, value, max)| !(0.0..=*max).contains(value)) {
        None => Ok(limits),
        Some((name, value, max)) => Err(CompareError::OutOfRange { name, value, max }),
    }
}

/// Returns the size of a voxel in meters, according to the BV trees.
fn voxel_size(mesh: &NavMesh) -> f64 {
    let factors = mesh.tiles().map(|tile| f64::from(tile.header.bv_quant_factor));
    let least = factors.filter(|factor| *factor > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() && least > 0.01 { 1.0 / least } else { DEFAULT_VOXEL }
}

fn side_stats(mesh: &NavMesh, ground: &Ground, limits: &CompareLimits) -> SideStats {
    let is_large = |area: f64| area >= limits.min_island;
    let n_islands = ground.islands.iter().filter(|island| is_large(island.area)).count();
    SideStats { area: ground.area(), n_islands, stats: mesh.stats() }
}

/// The ground that both navmeshes have.
#[derive(Default)]
struct SharedGround {
    /// The area shared by each pair of islands.
    islands: BTreeMap<[u32; 2], f64>,
    /// For each change of tags, its area, and its largest part with the index of its facet.
    tags: BTreeMap<[Tag; 2], (f64, Shared, usize)>,
}

impl SharedGround {
    /// Adds the parts of a facet that the other navmesh has.
    fn add(&mut self, (old, index): (&Ground, usize), new: &Ground, parts: &SharedParts) {
        let own = &old.facets[index];
        for &(other, shared) in parts {
            let other = &new.facets[other as usize];
            *self.islands.entry([own.island, other.island]).or_default() += shared.area;
            if own.tag == other.tag {
                continue;
            }
            let start = Shared { area: 0.0, center: DVec2::ZERO };
            let (sum, largest, at) =
                self.tags.entry([own.tag, other.tag]).or_insert((0.0, start, index));
            *sum += shared.area;
            if shared.area > largest.area {
                (*largest, *at) = (shared, index);
            }
        }
    }

    /// Returns the ground whose area or flags changed.
    fn area_changes(&self, old: &Ground, min_area: f64) -> Vec<AreaChange> {
        let tags = self.tags.iter().filter(|(_, (area, ..))| *area >= min_area && *area > 0.0);
        let changes = tags.map(|([before, after], (area, largest, index))| AreaChange {
            before: (before.area, before.flags),
            after: (after.area, after.flags),
            area: *area,
            point: old.facets[*index].plane.point(largest.center),
        });
        let mut changes: Vec<AreaChange> = changes.collect();
        changes.sort_by(|a, b| b.area.total_cmp(&a.area));
        changes
    }
}
