//! Splits the ground into heightfield layers: grids with one height, one area and the connections of each cell. A tile
//! cache stores them instead of the spans.
//!
//! The ground is first split into patches ([`LayerCut`]), which [`fit`] divides further if they do not fit into a
//! layer. [`survey`] finds the patches that are adjacent or above one another, [`join`] merges those that do not
//! overlap into layers, and [`store`] writes the layers.

mod fit;
mod join;
mod store;
mod survey;
#[cfg(test)]
mod tests;

use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    ids::{Dir, RegionId},
    monitor::Monitor,
};

use crate::bake::{
    CompactField, GridFrame, RawArea, distance,
    limit::{Limit, StageError},
    region::{Cut, Ground, patches},
};

/// How the ground is split into patches before they are merged into layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerCut {
    /// Into strips along x, as in Recast. At most 255 patches.
    Sweep,
    /// By watershed of the distance field, as in Unreal: fewer and rounder patches, so that layers end where the ground
    /// is narrow.
    Watershed,
}

/// The connections of a cell of a layer, a bit per direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerLinks(pub u8);

impl LayerLinks {
    /// Returns whether the neighbor in direction `dir` is connected within the layer.
    pub const fn is_linked(self, dir: Dir) -> bool {
        self.0 & 1 << dir as u8 != 0
    }

    /// Returns whether the neighbor in direction `dir` is connected and belongs to another layer or tile.
    pub const fn is_portal(self, dir: Dir) -> bool {
        self.0 & 0x10 << dir as u8 != 0
    }
}

/// The smallest rectangle around the cells of a layer that have ground, both ends included. All zero if there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellRect {
    /// First column.
    pub min_x: u32,
    /// Last column.
    pub max_x: u32,
    /// First row.
    pub min_z: u32,
    /// Last row.
    pub max_z: u32,
}

/// A heightfield layer: ground that does not overlap itself.
///
/// Invariants: `heights`, `areas` and `links` have one entry per cell, row by row. A cell whose area is null has no
/// ground; its height is [`HeightLayer::NO_HEIGHT`] and it has no connections.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightLayer {
    /// Bounds in world space: the tile without its border, from the lowest to the highest ground.
    pub bounds: Aabb,
    /// Size of a cell along x and z, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Cells along x.
    pub n_x: u32,
    /// Cells along z.
    pub n_z: u32,
    /// Rectangle of the cells with ground.
    pub used: CellRect,
    /// Lowest ground, in cells above the bottom of the tile.
    pub min_y_vx: u16,
    /// Highest ground, in cells above the bottom of the tile.
    pub max_y_vx: u16,
    /// Height of each cell above `min_y_vx`. Next to a portal, it is that of the higher side.
    pub heights: Vec<u8>,
    /// Area of each cell.
    pub areas: Vec<RawArea>,
    /// Connections of each cell.
    pub links: Vec<LayerLinks>,
}

impl HeightLayer {
    /// Height of a cell without ground.
    pub const NO_HEIGHT: u8 = 0xff;
    /// Maximum height of a layer from its lowest to its highest ground, in cells.
    pub const MAX_RANGE_VX: u16 = 254;

    /// Returns the index of the cell in column `x` and row `z`.
    pub const fn cell_index(&self, x: u32, z: u32) -> usize {
        x as usize + z as usize * self.n_x as usize
    }

    /// Returns the grid, which has no border.
    pub const fn frame(&self) -> GridFrame {
        let Self { bounds, cell_size, cell_height, n_x, n_z, .. } = *self;
        GridFrame { bounds, cell_size, cell_height, n_x, n_z, border_vx: 0 }
    }

    /// Returns the index of the neighbor of cell `at` in direction `dir`; `None` outside the layer.
    pub(crate) fn neighbor_cell(&self, at: (u32, u32), dir: Dir) -> Option<usize> {
        let (x, z) = dir.step_from(at);
        (x < self.n_x && z < self.n_z).then(|| self.cell_index(x, z))
    }

    /// Returns the cell directly below or above `at`, and the height of its ground in world space; `None` outside the
    /// layer or if the cell has no ground.
    pub(crate) fn ground_at(&self, at: Vec3) -> Option<(usize, f32)> {
        let offset = (at - self.bounds.min) / self.cell_size;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "floats saturate, and what is below zero is not inside"
        )]
        let along = |d: f32, n: u32| (d >= 0.0).then_some(d as u32).filter(|cell| *cell < n);
        let cell = self.cell_index(along(offset.x, self.n_x)?, along(offset.z, self.n_z)?);
        let height = f32::from(self.heights[cell]) * self.cell_height + self.bounds.min.y;
        self.areas[cell].is_walkable().then_some((cell, height))
    }

    /// Returns the number of cells with ground.
    pub fn n_ground_cells(&self) -> usize {
        self.areas.iter().filter(|area| area.is_walkable()).count()
    }
}

/// The layers of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightLayerSet {
    /// The layers, in the order of their first patches.
    pub layers: Vec<HeightLayer>,
    /// Per span of the compact heightfield: its layer; `None` for spans that are blocked, in the border, or hidden.
    pub layer_of_span: Vec<Option<u16>>,
    /// Number of walkable spans in no layer, because higher ground of the same strip hides them. 0 unless layers are
    /// split by [`LayerCut::Sweep`] for an agent that climbs higher than it is tall.
    pub n_hidden: usize,
}

/// Splits the walkable ground of `field` into layers, without the border of its frame. `areas` has one element per
/// span.
///
/// Each walkable span is in exactly one layer, and no layer has two spans of a column; for the only exception, see
/// [`HeightLayerSet::n_hidden`].
///
/// Source: Recast, `rcBuildHeightfieldLayers`; more patches or overlaps than its tables hold are an error,
/// as in Recast.
/// Differs: a strip whose heights do not fit into a byte is split; in Recast, the heights wrap.
pub(super) fn height_layers(
    field: &CompactField,
    areas: &[RawArea],
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<HeightLayerSet, StageError> {
    Ok(layers_until(field, areas, cut, usize::MAX, monitor)?.0)
}

/// Returns the number of steps of [`height_layers`]: patches added to a layer, and layers merged.
pub(super) fn n_steps(
    field: &CompactField,
    areas: &[RawArea],
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<usize, StageError> {
    Ok(usize::MAX - layers_until(field, areas, cut, usize::MAX, monitor)?.1)
}

/// Like [`height_layers`], but stops after `n` of its [`n_steps`]. Also returns how many of the `n` steps were left
/// when the layers were complete.
pub(super) fn layers_until(
    field: &CompactField,
    areas: &[RawArea],
    cut: LayerCut,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<(HeightLayerSet, usize), StageError> {
    // Layers do not depend on areas: all ground counts as the same.
    let alike: Vec<RawArea> = areas
        .iter()
        .map(|area| if area.is_walkable() { RawArea::WALKABLE } else { RawArea::NULL })
        .collect();
    let ground = Ground { field, areas: &alike };
    let ids = match cut {
        LayerCut::Sweep => patches(ground, Cut::Monotone, monitor)?,
        LayerCut::Watershed => {
            let distance = distance::measure(&alike, &field.adjacency, monitor)?;
            patches(ground, Cut::Watershed(&distance), monitor)?
        }
    };
    let ids = fit::fit(ground, ids, cut, monitor)?;
    let tables = cut.tables();
    let patches = survey::survey(ground, &ids, tables, monitor)?;
    let height_vx = field.walkable_height_vx;
    let (layers, left) = join::join(&patches, tables, height_vx, n, monitor)?;
    let ground = Ground { areas, ..ground };
    Ok((store::store(ground, &ids, &layers, monitor)?, left))
}

/// Limits of the tables of patches.
#[derive(Clone, Copy)]
struct Tables {
    /// Maximum number of patches.
    patches: usize,
    /// Maximum number of neighbors of a patch; further ones are ignored.
    neighbors: usize,
    /// Maximum number of patches above or below a patch or layer.
    overlaps: usize,
    /// Size of the queue while a layer grows; further patches must be reached again.
    queue: usize,
}

impl LayerCut {
    const fn tables(self) -> Tables {
        match self {
            // The limits of Recast: equal layers require equal limits.
            Self::Sweep => Tables { patches: 255, neighbors: 16, overlaps: 63, queue: 64 },
            Self::Watershed => {
                let most = usize::MAX;
                Tables { patches: most, neighbors: most, overlaps: most, queue: most }
            }
        }
    }
}

/// Returns an error if there are more of `what` than `limit`.
fn check(what: &'static str, value: usize, limit: usize) -> Result<(), Limit> {
    if value <= limit {
        return Ok(());
    }
    let remedy = "use smaller tiles or a larger cell_size, or cut layers by watershed";
    Err(Limit { what, value: value as u64, limit: limit as u64, remedy })
}

/// Returns the index of the patch with number `id`; `None` for no patch and for the border.
fn patch_index(id: RegionId) -> Option<usize> {
    id.is_ground().then(|| usize::from(id.0) - 1)
}

/// Returns the largest index of a patch plus one.
fn n_patches(ids: &[RegionId]) -> usize {
    ids.iter().filter_map(|&id| patch_index(id)).max().map_or(0, |last| last + 1)
}
