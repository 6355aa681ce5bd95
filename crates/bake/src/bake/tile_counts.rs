//! Number of elements that the stages of a tile produced.

use walkable_runtime::{ids::RegionId, navmesh::Tile};

use crate::bake::{Intermediates, RawArea, Stage};

/// Number of elements that each stage of a tile produced; unknown for stages whose results were not kept, except the
/// tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileCounts {
    by_stage: [Option<u64>; Stage::ALL.len()],
    raw_contours: Option<u64>,
}

/// Stored instead of an unknown number.
const UNKNOWN: u64 = u64::MAX;

impl TileCounts {
    /// Number of bytes of [`TileCounts::to_bytes`].
    pub(super) const N_BYTES: usize = (Stage::ALL.len() + 1) * 8;

    /// Counts the elements of `tile` and of its `stages`, if they were kept.
    pub fn new(tile: Option<&Tile>, stages: Option<&Intermediates>) -> Self {
        let by_stage = Stage::ALL.map(|stage| Some(count(stage, tile, stages)? as u64));
        let raw_contours = stages.map(|stages| {
            stages.contours.contours.iter().map(|contour| contour.raw.len() as u64).sum()
        });
        Self { by_stage, raw_contours }
    }

    /// Returns the number of elements that `stage` produced.
    pub fn of(&self, stage: Stage) -> Option<usize> {
        usize::try_from(self.by_stage[stage as usize]?).ok()
    }

    /// Returns the number of points of the contours before they are simplified.
    pub fn raw_contours(&self) -> Option<usize> {
        usize::try_from(self.raw_contours?).ok()
    }

    pub(super) fn to_bytes(self) -> impl Iterator<Item = u8> {
        let all = self.by_stage.into_iter().chain([self.raw_contours]);
        all.flat_map(|count| count.unwrap_or(UNKNOWN).to_le_bytes())
    }

    /// Reads [`TileCounts::to_bytes`].
    pub(super) fn from_bytes(bytes: &[u8; Self::N_BYTES]) -> Self {
        let mut all = bytes.as_chunks().0.iter();
        let mut next = || {
            let count = all.next().map_or(UNKNOWN, |bytes| u64::from_le_bytes(*bytes));
            (count != UNKNOWN).then_some(count)
        };
        Self { by_stage: Stage::ALL.map(|_| next()), raw_contours: next() }
    }
}

fn count(stage: Stage, tile: Option<&Tile>, stages: Option<&Intermediates>) -> Option<usize> {
    if stage == Stage::Tile {
        return Some(tile.map_or(0, |tile| tile.polys.len()));
    }
    let stages = stages?;
    Some(match stage {
        Stage::Slope => n_walkable(&stages.slopes.areas),
        Stage::Spans => stages.spans.spans.len(),
        Stage::Filtered => stages.filtered.n_walkable(),
        Stage::Compact => n_walkable(&stages.compact_areas),
        Stage::Eroded => n_walkable(&stages.eroded_areas),
        Stage::Distance => stages.distance.as_ref()?.distances.len(),
        Stage::Regions => n_regions(&stages.regions.ids),
        Stage::Contours => stages.contours.contours.iter().map(|c| c.vertices.len()).sum(),
        Stage::Polygons => stages.polygons.polygons.len(),
        Stage::Detail => stages.detail.triangles.len(),
        Stage::Tile => return None,
    })
}

fn n_walkable(areas: &[RawArea]) -> usize {
    areas.iter().filter(|area| area.is_walkable()).count()
}

/// Returns the number of regions that do not belong to the tile's border.
fn n_regions(ids: &[RegionId]) -> usize {
    let inner = || ids.iter().filter(|&&id| id != RegionId::NONE && !id.is_border());
    let largest = inner().map(|id| usize::from(id.0)).max().unwrap_or(0);
    // A set of regions would take longer than the stages do, and every tile of a bake is counted.
    let mut seen = vec![false; largest + 1];
    inner().for_each(|id| seen[usize::from(id.0)] = true);
    seen.into_iter().filter(|seen| *seen).count()
}
