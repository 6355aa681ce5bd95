//! Groups walkable spans into regions: connected, not above one another, and each with a simple outline.
//!
//! [`watershed`], [`monotone`](sweep) and [`layers`] cut the ground in different ways; [`merge`] joins and
//! removes small regions after the first two, [`layers`] does so itself.

mod layers;
mod merge;
mod sweep;
mod watershed;

use std::ops::Range;

use walkable_runtime::{
    ids::{AreaId, RegionId},
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    CompactField, DistanceField, GridFrame,
    limit::{Limit, StageError},
    pulse::Pulse,
};

/// Which region each open span belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    /// One per span of the compact field.
    pub ids: Vec<RegionId>,
    /// Largest region number handed out.
    pub max: u16,
}

impl Regions {
    /// Number of regions that have spans, those over the tile's border left out.
    pub fn n_regions(&self) -> usize {
        let mut is_used = vec![false; usize::from(u16::MAX) + 1];
        for id in self.ids.iter().filter(|id| id.is_ground()) {
            is_used[usize::from(id.0)] = true;
        }
        is_used.into_iter().filter(|is_used| *is_used).count()
    }
}

/// The ground to be cut into regions.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) field: &'a CompactField,
    /// One per span.
    pub(super) areas: &'a [AreaId],
}

/// How to cut, and what that needs.
#[derive(Clone, Copy)]
pub(super) enum Cut<'a> {
    Watershed(&'a DistanceField),
    Monotone,
    Layers,
}

/// Which regions are too small, in cells of area.
#[derive(Clone, Copy)]
pub(super) struct SizeLimits {
    /// Unconnected ground below this is dropped.
    pub(super) min_area_vx: u32,
    /// Regions up to this are joined to a neighbour where possible.
    pub(super) merge_area_vx: u32,
}

/// Regions, and how many of them lie partly above themselves.
pub(super) struct Grouped {
    pub(super) regions: Regions,
    pub(super) n_overlapping: usize,
}

/// Cuts `ground` into regions. The border of the frame is covered by regions of its own, marked by
/// [`RegionId::BORDER_BIT`].
///
/// Source: Recast, `rcBuildRegions`, `rcBuildRegionsMonotone`, `rcBuildLayerRegions`.
/// Differs: more than 32766 regions are an error; Recast's run into the bit that marks borders.
pub(super) fn group(
    ground: Ground<'_>,
    cut: Cut<'_>,
    sizes: SizeLimits,
    monitor: &dyn Monitor,
) -> Result<Grouped, StageError> {
    let draft = Draft::with_border(ground, monitor)?;
    match cut {
        Cut::Watershed(distance) => {
            let draft = watershed::cut(ground, distance, draft, monitor)?;
            Ok(merge::join_small(ground, draft, sizes, monitor)?)
        }
        Cut::Monotone => {
            let draft = sweep::cut(ground, draft, monitor)?;
            Ok(merge::join_small(ground, draft, sizes, monitor)?)
        }
        Cut::Layers => {
            let draft = sweep::cut(ground, draft, monitor)?;
            Ok(layers::join(ground, draft, sizes.min_area_vx, monitor)?)
        }
    }
}

/// Steps in which `cut` cuts the ground of `frame`: levels by which the water of the watershed rises, or rows.
pub(super) fn n_steps(frame: &GridFrame, cut: Cut<'_>) -> usize {
    match cut {
        Cut::Watershed(distance) => watershed::n_levels(distance),
        Cut::Monotone | Cut::Layers => frame.n_z.saturating_sub(2 * frame.border_vx) as usize,
    }
}

/// The pieces of `ground` after `n` [`n_steps`], nothing joined or dropped yet.
pub(super) fn pieces_until(
    ground: Ground<'_>,
    cut: Cut<'_>,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<RegionId>, StageError> {
    let draft = Draft::with_border(ground, monitor)?;
    let draft = match cut {
        Cut::Watershed(distance) => watershed::cut_until(ground, distance, draft, n, monitor)?,
        Cut::Monotone | Cut::Layers => sweep::cut_until(ground, draft, n, monitor)?,
    };
    Ok(draft.ids)
}

/// Cuts `ground` into regions without joining or dropping any, numbered from 1. Some narrow ground may be in
/// none.
pub(super) fn patches(
    ground: Ground<'_>,
    cut: Cut<'_>,
    monitor: &dyn Monitor,
) -> Result<Vec<RegionId>, StageError> {
    let draft = Draft::with_border(ground, monitor)?;
    let first = draft.next;
    let Draft { mut ids, .. } = match cut {
        Cut::Watershed(distance) => watershed::cut(ground, distance, draft, monitor)?,
        Cut::Monotone | Cut::Layers => sweep::cut(ground, draft, monitor)?,
    };
    for id in ids.iter_mut().filter(|id| id.is_ground()) {
        *id = RegionId(id.0 + 1 - first);
    }
    Ok(ids)
}

/// Regions while they are being made.
struct Draft {
    /// One per span.
    ids: Vec<RegionId>,
    /// The number after the last one handed out.
    next: u16,
}

impl Draft {
    /// Only the regions over the frame's border: 1 to 4 for the sides towards −x, +x, −z and +z. In the
    /// corners the later ones win.
    fn with_border(ground: Ground<'_>, monitor: &dyn Monitor) -> Result<Self, Cancelled> {
        let frame = &ground.field.frame;
        let mut ids = vec![RegionId::NONE; ground.field.adjacency.len()];
        let border = frame.border_vx;
        if border == 0 {
            return Ok(Self { ids, next: 1 });
        }
        let mut paint = |side: u16, z: u32, xs: Range<u32>| {
            let first = frame.cell_index(xs.start, z);
            let [start, end] = [first, first + xs.len()].map(|at| ground.field.starts[at] as usize);
            for (id, area) in ids[start..end].iter_mut().zip(&ground.areas[start..end]) {
                if area.is_walkable() {
                    *id = RegionId(side | RegionId::BORDER_BIT);
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

    /// A new region.
    fn allocate(&mut self) -> Result<RegionId, Limit> {
        let id = self.next;
        // One number is kept free: tables of regions are one longer than the numbers handed out.
        let limit = RegionId::BORDER_BIT - 2;
        if limit < id {
            return Err(Limit {
                what: "the number of regions",
                value: u64::from(id),
                limit: u64::from(limit),
                remedy: "use smaller tiles or a larger cell_size",
            });
        }
        self.next += 1;
        Ok(RegionId(id))
    }
}

/// Renumbers `ids` from 1 in the order in which they first appear; 0 stays. The largest number is
/// returned.
fn renumber(ids: &mut [u16]) -> u16 {
    let mut new_ids = vec![0; ids.len()];
    let mut last = 0;
    for id in ids.iter_mut().filter(|id| **id != 0) {
        let new = &mut new_ids[usize::from(*id)];
        if *new == 0 {
            last += 1;
            *new = last;
        }
        *id = *new;
    }
    last
}

/// Gives each span the number `new_ids` has for its region; border regions stay.
fn renamed(mut ids: Vec<RegionId>, new_ids: &[u16]) -> Vec<RegionId> {
    for id in ids.iter_mut().filter(|id| !id.is_border()) {
        *id = RegionId(new_ids[usize::from(id.0)]);
    }
    ids
}

#[cfg(test)]
mod tests;
