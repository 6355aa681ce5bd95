//! Divides patches so that they fit into layers: all ground is in a patch, and no patch is too high or overlaps itself.

use std::collections::VecDeque;

use walkable_runtime::{
    ids::{Dir, RegionId},
    monitor::{Cancelled, Monitor},
};

use super::{HeightLayer, LayerCut, check, n_patches, patch_index};
use crate::bake::{limit::StageError, pulse::Pulse, region::Ground};

/// Divides the patches in `ids` into pieces where necessary. Ground in no patch becomes new patches. The first piece of
/// a patch keeps its number; the others get numbers after the last one.
pub(super) fn fit(
    ground: Ground<'_>,
    mut ids: Vec<RegionId>,
    cut: LayerCut,
    monitor: &dyn Monitor,
) -> Result<Vec<RegionId>, StageError> {
    let mut pulse = Pulse::new(monitor);
    let n_fit = n_patches(&ids);
    // Ground in no patch is treated as one more patch, which is divided into connected pieces.
    let rest = patch_number(n_fit + 1)?;
    for (span, id) in ids.iter_mut().enumerate() {
        pulse.step()?;
        if *id == RegionId::NONE && ground.areas[span].is_walkable() {
            *id = rest;
        }
    }
    let mut is_unfit = unfit_patches(ground, &ids, cut, &mut pulse)?;
    is_unfit[n_fit..].fill(true);
    if !is_unfit.contains(&true) {
        return Ok(ids);
    }
    let mut cutter = Cutter {
        ground,
        is_kept: vec![false; is_unfit.len()],
        piece_of: vec![0; ids.len()],
        cell_of: cells_of_spans(ground),
        piece_in: vec![0; ground.field.frame.n_cells()],
        n_pieces: 0,
        next: is_unfit.len() + 1,
        ids,
        pulse,
    };
    for span in 0..cutter.ids.len() {
        let Some(patch) = patch_index(cutter.ids[span]) else { continue };
        if is_unfit.get(patch) == Some(&true) && cutter.piece_of[span] == 0 {
            cutter.cut_out(span)?;
        }
    }
    Ok(cutter.ids)
}

/// Returns the patch with number `number`, if it is a valid number.
fn patch_number(number: usize) -> Result<RegionId, StageError> {
    let limit = RegionId::BORDER_BIT - 1;
    check("the number of patches of ground", number, usize::from(limit))?;
    Ok(RegionId(u16::try_from(number).unwrap_or(limit)))
}

/// Returns per patch whether it is too high for a layer or has two spans in a column. A strip of a sweep has two spans
/// in a column only if the agent climbs higher than it is tall; Recast does not divide it then.
fn unfit_patches(
    ground: Ground<'_>,
    ids: &[RegionId],
    cut: LayerCut,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<bool>, Cancelled> {
    let n_patches = n_patches(ids);
    let mut heights = vec![[u16::MAX, 0]; n_patches];
    let mut last_cell = vec![usize::MAX; n_patches];
    let mut is_unfit = vec![false; n_patches];
    for cell in 0..ground.field.frame.n_cells() {
        pulse.step()?;
        for span in ground.field.cell(cell) {
            let Some(patch) = patch_index(ids[span]) else { continue };
            let floor = ground.field.spans[span].floor_vx;
            let [min, max] = &mut heights[patch];
            (*min, *max) = (floor.min(*min), floor.max(*max));
            let is_twice = last_cell[patch] == cell && cut == LayerCut::Watershed;
            is_unfit[patch] |= is_twice || HeightLayer::MAX_RANGE_VX < *max - *min;
            last_cell[patch] = cell;
        }
    }
    Ok(is_unfit)
}

/// Returns the index of each span's cell.
fn cells_of_spans(ground: Ground<'_>) -> Vec<usize> {
    let cells = 0..ground.field.frame.n_cells();
    cells.flat_map(|cell| ground.field.cell(cell).map(move |_span| cell)).collect()
}

struct Cutter<'a> {
    ground: Ground<'a>,
    ids: Vec<RegionId>,
    /// Per span: number of its piece; 0 if it has none yet.
    piece_of: Vec<u32>,
    /// Per patch: whether a piece has its number.
    is_kept: Vec<bool>,
    /// Per span: index of its cell.
    cell_of: Vec<usize>,
    /// Per cell: the last piece that has a span there.
    piece_in: Vec<u32>,
    n_pieces: u32,
    /// The number of the next new patch.
    next: usize,
    pulse: Pulse<'a>,
}

impl Cutter<'_> {
    /// Creates a piece from spans that are connected to `start` in its patch, in breadth-first order, as long as no
    /// column is used twice and the height fits.
    fn cut_out(&mut self, start: usize) -> Result<(), StageError> {
        let patch = self.ids[start];
        let id = self.number_for(patch)?;
        self.n_pieces += 1;
        let floor = |span: usize| self.ground.field.spans[span].floor_vx;
        let (mut min, mut max) = (floor(start), floor(start));
        let mut queue = VecDeque::from([start]);
        self.piece_of[start] = self.n_pieces;
        self.piece_in[self.cell_of[start]] = self.n_pieces;
        while let Some(span) = queue.pop_front() {
            self.pulse.step()?;
            self.ids[span] = id;
            for next in
                Dir::ALL.iter().filter_map(|&dir| self.ground.field.adjacency.step(span, dir))
            {
                let is_free = self.ids[next] == patch && self.piece_of[next] == 0;
                let floor = self.ground.field.spans[next].floor_vx;
                let range = max.max(floor) - min.min(floor);
                let is_column_free = self.piece_in[self.cell_of[next]] != self.n_pieces;
                if is_free && is_column_free && range <= HeightLayer::MAX_RANGE_VX {
                    (min, max) = (min.min(floor), max.max(floor));
                    self.piece_of[next] = self.n_pieces;
                    self.piece_in[self.cell_of[next]] = self.n_pieces;
                    queue.push_back(next);
                }
            }
        }
        Ok(())
    }

    /// Returns the number of the next piece of `patch`.
    fn number_for(&mut self, patch: RegionId) -> Result<RegionId, StageError> {
        let kept = patch_index(patch).and_then(|index| self.is_kept.get_mut(index));
        if let Some(is_kept) = kept.filter(|is_kept| !**is_kept) {
            *is_kept = true;
            return Ok(patch);
        }
        let id = patch_number(self.next)?;
        self.next += 1;
        Ok(id)
    }
}
