//! Groups walkable spans into regions that are connected, do not overlap, and have a simple contour.
//!
//! [`watershed`], [`monotone`](sweep) and [`layers`] are three ways to partition the ground. After the first two,
//! [`merge`] merges or removes small regions; [`layers`] does this itself.

mod floors;
mod layers;
mod merge;
mod piece;
mod sweep;
mod watershed;

use std::ops::Range;

use piece::{Piece, WidePiece};
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    ids::RegionId,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    CompactField, DistanceField, GridFrame, RawArea,
    limit::{Limit, StageError},
    pulse::Pulse,
};

/// The region of each open span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regions {
    /// One element per span of the compact heightfield.
    pub ids: Vec<RegionId>,
    /// Largest region number in use.
    pub max: u16,
}

impl Regions {
    /// Returns the number of regions that have spans, without those in the tile's border.
    pub fn n_regions(&self) -> usize {
        let mut is_used = vec![false; usize::from(u16::MAX) + 1];
        for id in self.ids.iter().filter(|id| id.is_ground()) {
            is_used[usize::from(id.0)] = true;
        }
        is_used.into_iter().filter(|is_used| *is_used).count()
    }
}

/// The ground to be partitioned into regions.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) field: &'a CompactField,
    /// One element per span.
    pub(super) areas: &'a [RawArea],
}

/// The partitioning, and its input.
#[derive(Clone, Copy)]
pub(super) enum Cut<'a> {
    Watershed(&'a DistanceField),
    Monotone,
    Layers,
}

/// Limits for small regions, as areas in cells.
#[derive(Clone, Copy)]
pub(super) struct SizeLimits {
    /// Isolated regions with a smaller area are removed.
    pub(super) min_area_vx: u32,
    /// Regions up to this area are merged with a neighbor if possible.
    pub(super) merge_area_vx: u32,
}

/// Regions, and the number of those that overlap themselves.
pub(super) struct Grouped {
    pub(super) regions: Regions,
    pub(super) n_overlapping: usize,
}

/// Partitions `ground` into regions. The border of the frame has separate regions, marked by [`RegionId::BORDER_BIT`].
///
/// Source: Recast, `rcBuildRegions`, `rcBuildRegionsMonotone`, `rcBuildLayerRegions`.
/// Differs: there can be any number of regions before small ones are merged and removed, and at most 32,766
/// afterwards. In Recast, numbers overflow into the bit that marks borders.
pub(super) fn group(
    ground: Ground<'_>,
    cut: Cut<'_>,
    sizes: SizeLimits,
    monitor: &dyn Monitor,
) -> Result<Grouped, StageError> {
    match group_by::<RegionId>(ground, cut, sizes, monitor) {
        Err(StageError::Limit(_)) => group_by::<WidePiece>(ground, cut, sizes, monitor),
        grouped => grouped,
    }
}

/// Like [`group`], with a given integer type for the numbers before merging.
fn group_by<P: Piece>(
    ground: Ground<'_>,
    cut: Cut<'_>,
    sizes: SizeLimits,
    monitor: &dyn Monitor,
) -> Result<Grouped, StageError> {
    let draft = Draft::<P>::with_border(ground, monitor)?;
    match cut {
        Cut::Watershed(distance) => {
            let draft = watershed::cut(ground, distance, draft, monitor)?;
            merge::join_small(ground, &draft, sizes, monitor)
        }
        Cut::Monotone => {
            let draft = sweep::cut(ground, draft, monitor)?;
            merge::join_small(ground, &draft, sizes, monitor)
        }
        Cut::Layers => {
            let draft = sweep::cut(ground, draft, monitor)?;
            layers::join(ground, &draft, sizes.min_area_vx, monitor)
        }
    }
}

/// Returns the number of steps of a partitioning: water levels of the watershed, or rows.
pub(super) fn n_steps(frame: &GridFrame, cut: Cut<'_>) -> usize {
    match cut {
        Cut::Watershed(distance) => watershed::n_levels(distance),
        Cut::Monotone | Cut::Layers => frame.n_z.saturating_sub(2 * frame.border_vx) as usize,
    }
}

/// Returns the pieces of `ground` after `n` [`n_steps`], before merging and removing. If there are more pieces than
/// region numbers, some share a number.
pub(super) fn pieces_until(
    ground: Ground<'_>,
    cut: Cut<'_>,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<RegionId>, StageError> {
    match cut_until::<RegionId>(ground, cut, n, monitor) {
        Err(StageError::Limit(_)) => {
            let ids = cut_until::<WidePiece>(ground, cut, n, monitor)?;
            Ok(ids.into_iter().map(WidePiece::folded).collect())
        }
        ids => ids,
    }
}

fn cut_until<P: Piece>(
    ground: Ground<'_>,
    cut: Cut<'_>,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<P>, StageError> {
    let draft = Draft::with_border(ground, monitor)?;
    let draft = match cut {
        Cut::Watershed(distance) => watershed::cut_until(ground, distance, draft, n, monitor)?,
        Cut::Monotone | Cut::Layers => sweep::cut_until(ground, draft, n, monitor)?,
    };
    Ok(draft.ids)
}

/// Partitions `ground` into regions without merging or removing any, numbered from 1. Some narrow ground may be in
/// none.
pub(super) fn patches(
    ground: Ground<'_>,
    cut: Cut<'_>,
    monitor: &dyn Monitor,
) -> Result<Vec<RegionId>, StageError> {
    let draft = Draft::<RegionId>::with_border(ground, monitor)?;
    let first = draft.next;
    let Draft { mut ids, .. } = match cut {
        Cut::Watershed(distance) => watershed::cut(ground, distance, draft, monitor)?,
        Cut::Monotone | Cut::Layers => sweep::cut(ground, draft, monitor)?,
    };
    for id in ids.iter_mut().filter(|id| id.is_ground()) {
        *id = RegionId::numbered(u32::from(id.0) + 1 - first);
    }
    Ok(ids)
}

/// Regions under construction.
struct Draft<P> {
    /// One element per span.
    ids: Vec<P>,
    /// The next unused number.
    next: u32,
}

impl<P: Piece> Draft<P> {
    /// Creates the regions of the frame's border only: 1 to 4 for the sides at −x, +x, −z and +z. Corners belong to the
    /// later side.
    fn with_border(ground: Ground<'_>, monitor: &dyn Monitor) -> Result<Self, Cancelled> {
        let frame = &ground.field.frame;
        let mut ids = vec![P::default(); ground.field.adjacency.len()];
        let border = frame.border_vx;
        if border == 0 {
            return Ok(Self { ids, next: 1 });
        }
        let mut paint = |side: u16, z: u32, xs: Range<u32>| {
            let first = frame.cell_index(xs.start, z);
            let [start, end] = [first, first + xs.len()].map(|at| ground.field.starts[at] as usize);
            for (id, area) in ids[start..end].iter_mut().zip(&ground.areas[start..end]) {
                if area.is_walkable() {
                    *id = P::border(side);
                }
            }
        };
        let right = frame.n_x.saturating_sub(border);
        let mut pulse = Pulse::new(monitor);
        for z in 0..frame.n_z {
            pulse.steps(frame.n_x)?;
            if frame.n_z <= z + border {
                paint(4, z, 0..frame.n_x);
            } else if z < border {
                paint(3, z, 0..frame.n_x);
            } else {
                paint(1, z, 0..border.min(right));
                paint(2, z, right..frame.n_x);
            }
        }
        Ok(Self { ids, next: 5 })
    }

    /// Returns the next unused region without allocating it.
    fn upcoming(&self) -> P {
        P::numbered(self.next)
    }

    /// Allocates a region.
    fn allocate(&mut self) -> Result<P, Limit> {
        let number = self.next;
        if P::MAX < number {
            return Err(too_many(number as usize, P::MAX));
        }
        self.next += 1;
        Ok(P::numbered(number))
    }
}

fn too_many(n_regions: usize, limit: u32) -> Limit {
    Limit {
        what: "the number of regions",
        value: n_regions as u64,
        limit: u64::from(limit),
        remedy: "use smaller tiles, a larger cell_size or a larger region_min_size",
    }
}

/// Renumbers `ids` from 1 in the order in which they first appear; 0 is kept. Returns the largest number.
fn renumber(ids: &mut [usize]) -> usize {
    let mut new_ids = vec![0; ids.iter().max().map_or(0, |max| max + 1)];
    let mut last = 0;
    for id in ids.iter_mut().filter(|id| **id != 0) {
        let new = &mut new_ids[*id];
        if *new == 0 {
            last += 1;
            *new = last;
        }
        *id = *new;
    }
    last
}

/// Returns the regions of pieces: `region_of` has a region number for each piece, which several can share, or 0 if the
/// piece was removed. Border regions are kept. The last piece of the table has no spans and is ignored.
fn regions<P: Piece>(ids: &[P], mut region_of: Vec<usize>) -> Result<Regions, Limit> {
    let last = renumber(&mut region_of);
    let n_regions = last.saturating_sub(1);
    let max = u16::try_from(last).ok().filter(|_| n_regions <= RegionId::MAX as usize);
    let max = max.ok_or_else(|| too_many(n_regions, RegionId::MAX))?;
    #[expect(clippy::cast_possible_truncation, reason = "none is larger than `max`")]
    let numbers: Vec<u16> = region_of.into_iter().map(|id| id as u16).collect();
    let region = |id: &P| match id.side() {
        Some(side) => RegionId::border(side),
        None => RegionId(numbers[id.number()]),
    };
    Ok(Regions { ids: ids.iter().map(region).collect(), max })
}

#[cfg(test)]
mod tests;
