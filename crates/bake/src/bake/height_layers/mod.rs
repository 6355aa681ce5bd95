//! Ground cut into heightfield layers: pictures from above with one height, one area and the ways on for
//! each cell. They are what a tile cache keeps in place of the spans.
//!
//! The ground is first cut into patches ([`LayerCut`]), which [`fit`] makes fit for a layer. [`survey`] finds
//! which of them lie beside and which above one another, [`join`] puts those together that do not overlap,
//! and [`store`] draws the pictures.

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

/// How the ground is cut into patches before they are put together to layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerCut {
    /// In strips along x, as Recast does. At most 255 patches.
    Sweep,
    /// In basins of the distance field, as Unreal does: fewer and rounder patches, so that layers end
    /// where the ground is narrow.
    Watershed,
}

/// The ways on from a cell of a layer, a bit per direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerLinks(pub u8);

impl LayerLinks {
    /// Whether one can step in direction `dir` within the layer.
    pub const fn is_linked(self, dir: Dir) -> bool {
        self.0 & 1 << dir as u8 != 0
    }

    /// Whether the step in direction `dir` leads to another layer or another tile.
    pub const fn is_portal(self, dir: Dir) -> bool {
        self.0 & 0x10 << dir as u8 != 0
    }
}

/// Cells of a layer that hold ground: the smallest rectangle around them, ends included. All zero where
/// there are none.
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

/// Ground without anything above it.
///
/// Invariants: `heights`, `areas` and `links` have one entry per cell, row by row; where an area is null,
/// there is no ground, the height is [`HeightLayer::NO_HEIGHT`] and no link is set.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightLayer {
    /// World box: the tile without its border, from the lowest to the highest floor.
    pub bounds: Aabb,
    /// Side of a cell, in meters.
    pub cell_size: f32,
    /// Height of a cell, in meters.
    pub cell_height: f32,
    /// Cells along x.
    pub n_x: u32,
    /// Cells along z.
    pub n_z: u32,
    /// Where there is ground.
    pub used: CellRect,
    /// Lowest floor, in cells above the tile's floor.
    pub min_y_vx: u16,
    /// Highest floor, in cells above the tile's floor.
    pub max_y_vx: u16,
    /// Floor of each cell above `min_y_vx`. Beside a portal it is that of the higher side.
    pub heights: Vec<u8>,
    /// What the ground is.
    pub areas: Vec<RawArea>,
    /// Where one can go from there.
    pub links: Vec<LayerLinks>,
}

impl HeightLayer {
    /// Height of a cell without ground.
    pub const NO_HEIGHT: u8 = 0xff;
    /// Cells between the lowest and the highest floor of a layer, at most.
    pub const MAX_RANGE_VX: u16 = 254;

    /// Index of the cell in column `x` and row `z`.
    pub const fn cell_index(&self, x: u32, z: u32) -> usize {
        x as usize + z as usize * self.n_x as usize
    }

    /// Its grid, which has no border.
    pub const fn frame(&self) -> GridFrame {
        let Self { bounds, cell_size, cell_height, n_x, n_z, .. } = *self;
        GridFrame { bounds, cell_size, cell_height, n_x, n_z, border_vx: 0 }
    }

    /// Index of the cell one step from `at` in direction `dir`, if the layer has it.
    pub(super) fn neighbor_cell(&self, at: (u32, u32), dir: Dir) -> Option<usize> {
        let (x, z) = dir.step_from(at);
        (x < self.n_x && z < self.n_z).then(|| self.cell_index(x, z))
    }

    /// The cell below or above `at` and the height of its ground in the world; `None` beside the layer and where
    /// there is no ground.
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

    /// Number of cells with ground.
    pub fn n_ground_cells(&self) -> usize {
        self.areas.iter().filter(|area| area.is_walkable()).count()
    }
}

/// The layers of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightLayerSet {
    /// From the first patch met to the last.
    pub layers: Vec<HeightLayer>,
    /// Per span of the compact field: the layer that holds it, `None` for what is blocked, border or
    /// hidden.
    pub layer_of_span: Vec<Option<u16>>,
    /// Number of walkable spans in no layer, because a higher floor of the same strip hides them. 0 unless
    /// layers are cut by [`LayerCut::Sweep`] for an agent that climbs higher than it is tall.
    pub n_hidden: usize,
}

/// Puts the walkable ground of `field` in layers, the border of its frame left out. One of `areas` per span.
///
/// Each walkable span is in exactly one layer, and no layer holds two spans of a column; for the one
/// exception see [`HeightLayerSet::n_hidden`].
///
/// Source: Recast, `rcBuildHeightfieldLayers`; more patches or overlaps than its tables hold are an error
/// as they are there.
/// Differs: a strip that is higher than a byte is cut in pieces; Recast's bytes wrap.
pub(super) fn height_layers(
    field: &CompactField,
    areas: &[RawArea],
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<HeightLayerSet, StageError> {
    Ok(layers_until(field, areas, cut, usize::MAX, monitor)?.0)
}

/// Steps in which [`height_layers`] puts the ground together: patches taken into a layer, layers merged.
pub(super) fn n_steps(
    field: &CompactField,
    areas: &[RawArea],
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<usize, StageError> {
    Ok(usize::MAX - layers_until(field, areas, cut, usize::MAX, monitor)?.1)
}

/// As [`height_layers`], stopped after `n` of its [`n_steps`]; also how many of these were left when there was no
/// more to do.
pub(super) fn layers_until(
    field: &CompactField,
    areas: &[RawArea],
    cut: LayerCut,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<(HeightLayerSet, usize), StageError> {
    // Ground of every kind is one to a layer.
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

/// How much the tables of patches hold.
#[derive(Clone, Copy)]
struct Tables {
    /// Patches.
    patches: usize,
    /// Neighbors of a patch; others are forgotten.
    neighbors: usize,
    /// Patches above or below a patch or layer.
    overlaps: usize,
    /// Patches waiting while a layer spreads; others have to be reached again.
    queue: usize,
}

impl LayerCut {
    const fn tables(self) -> Tables {
        match self {
            // What Recast's hold: the same layers need the same limits.
            Self::Sweep => Tables { patches: 255, neighbors: 16, overlaps: 63, queue: 64 },
            Self::Watershed => {
                let most = usize::MAX;
                Tables { patches: most, neighbors: most, overlaps: most, queue: most }
            }
        }
    }
}

/// `Err` where there are more of `what` than `limit`.
fn check(what: &'static str, value: usize, limit: usize) -> Result<(), Limit> {
    if value <= limit {
        return Ok(());
    }
    let remedy = "use smaller tiles or a larger cell_size, or cut layers by watershed";
    Err(Limit { what, value: value as u64, limit: limit as u64, remedy })
}

/// Index of the patch with the number `id`; `None` for no patch and for the border.
fn patch_index(id: RegionId) -> Option<usize> {
    id.is_ground().then(|| usize::from(id.0) - 1)
}

/// One more than the largest index of a patch.
fn n_patches(ids: &[RegionId]) -> usize {
    ids.iter().filter_map(|&id| patch_index(id)).max().map_or(0, |last| last + 1)
}
