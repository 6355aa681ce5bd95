//! Finds the patches next to, above and below each patch of ground.

use std::collections::BTreeSet;

use walkable_runtime::{
    ids::{Dir, RegionId},
    monitor::Monitor,
};

use super::{Tables, check, n_patches, patch_index};
use crate::bake::{limit::StageError, pulse::Pulse, region::Ground};

/// A connected piece of ground, before layers are formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    /// Lowest floor.
    pub(super) min_y_vx: u16,
    /// Highest floor.
    pub(super) max_y_vx: u16,
    /// Indices of adjacent patches without duplicates, in the order of discovery.
    pub(super) neighbors: Vec<usize>,
    /// Indices of patches above or below one of its spans.
    pub(super) overlaps: BTreeSet<usize>,
}

impl Patch {
    const EMPTY: Self =
        Self { min_y_vx: u16::MAX, max_y_vx: 0, neighbors: Vec::new(), overlaps: BTreeSet::new() };
}

/// Builds the patches whose numbers are in `ids`, one entry per span.
pub(super) fn survey(
    ground: Ground<'_>,
    ids: &[RegionId],
    tables: Tables,
    monitor: &dyn Monitor,
) -> Result<Vec<Patch>, StageError> {
    let n_patches = n_patches(ids);
    check("the number of patches of ground", n_patches, tables.patches)?;
    let mut patches = vec![Patch::EMPTY; n_patches];
    let mut pulse = Pulse::new(monitor);
    let mut column = Vec::new();
    for cell in 0..ground.field.frame.n_cells() {
        pulse.step()?;
        column.clear();
        for span in ground.field.cell(cell) {
            let Some(index) = patch_index(ids[span]) else { continue };
            let floor = ground.field.spans[span].floor_vx;
            let patch = &mut patches[index];
            patch.min_y_vx = patch.min_y_vx.min(floor);
            patch.max_y_vx = patch.max_y_vx.max(floor);
            column.push(index);
            for next in Dir::ALL.iter().filter_map(|&dir| ground.field.adjacency.step(span, dir)) {
                let Some(beside) = patch_index(ids[next]).filter(|&beside| beside != index) else {
                    continue;
                };
                let is_full = tables.neighbors <= patch.neighbors.len();
                if !is_full && !patch.neighbors.contains(&beside) {
                    patch.neighbors.push(beside);
                }
            }
        }
        for (at, &low) in column.iter().enumerate() {
            for &high in column[at + 1..].iter().filter(|&&high| high != low) {
                patches[low].overlaps.insert(high);
                patches[high].overlaps.insert(low);
            }
        }
    }
    let most = patches.iter().map(|patch| patch.overlaps.len()).max().unwrap_or(0);
    check("the number of patches of ground above one another", most, tables.overlaps)?;
    Ok(patches)
}
