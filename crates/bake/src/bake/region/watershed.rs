//! Partitions ground into the basins of its distance field, as if water rose from the deepest points.
//!
//! The water rises by two half cells at a time. At each level the existing basins first grow into the newly reached
//! cells; the cells that remain dry then start new basins.
//!
//! Source: Recast, `rcBuildRegions`; after Haumont, Debunne and Sillion, *Volumetric cell-and-portal
//! generation*, 2003.

use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use super::{Draft, Ground, Piece};
use crate::bake::{
    DistanceField, RawArea,
    adjacency::{EitherLinks, Links, SpanIndex},
    limit::StageError,
    pulse::Pulse,
};

/// How far, in cells, basins grow at each level before new ones start.
const GROWTH_PER_LEVEL: u32 = 8;
/// Number of levels whose cells are sorted together.
const LEVELS_PER_SORT: usize = 8;
/// Half cells by which the water rises per level.
const LEVEL_STEP: u16 = 2;

pub(super) fn cut<P: Piece>(
    ground: Ground<'_>,
    distance: &DistanceField,
    draft: Draft<P>,
    monitor: &dyn Monitor,
) -> Result<Draft<P>, StageError> {
    cut_until(ground, distance, draft, usize::MAX, monitor)
}

/// Returns the number of levels until the water reaches the borders.
pub(super) fn n_levels(distance: &DistanceField) -> usize {
    usize::from(top(distance) / LEVEL_STEP)
}

/// Like [`cut`], but stops after the water has risen by `n_levels` levels.
pub(super) fn cut_until<P: Piece>(
    ground: Ground<'_>,
    distance: &DistanceField,
    draft: Draft<P>,
    n_levels: usize,
    monitor: &dyn Monitor,
) -> Result<Draft<P>, StageError> {
    let Ground { field, areas } = ground;
    match field.adjacency.links() {
        EitherLinks::Narrow(links) => flooded(links, areas, distance, draft, n_levels, monitor),
        EitherLinks::Wide(links) => flooded(links, areas, distance, draft, n_levels, monitor),
    }
}

/// Returns the initial water level.
fn top(distance: &DistanceField) -> u16 {
    distance.max.saturating_add(1) & !1
}

fn flooded<I: SpanIndex, P: Piece>(
    links: Links<'_, I>,
    areas: &[RawArea],
    distance: &DistanceField,
    mut draft: Draft<P>,
    n_levels: usize,
    monitor: &dyn Monitor,
) -> Result<Draft<P>, StageError> {
    let ids = std::mem::take(&mut draft.ids);
    let basins = ids.into_iter().map(|id| Basin { id, flooded_at: 0 }).collect();
    let mut watershed = Watershed {
        links,
        basins,
        areas,
        has_one_area: has_one_area(areas),
        distance,
        draft,
        stack: Vec::new(),
        grown: Vec::new(),
        pulse: Pulse::new(monitor),
    };
    watershed.rise_from(top(distance), n_levels)?;
    let Watershed { mut draft, basins, .. } = watershed;
    draft.ids = basins.into_iter().map(|basin| basin.id).collect();
    Ok(draft)
}

/// The basin of a span.
#[derive(Clone, Copy)]
struct Basin<P> {
    id: P,
    /// Distance, in half cells, from the basin at the time it grew there.
    flooded_at: u16,
}

fn has_one_area(areas: &[RawArea]) -> bool {
    let mut walkable = areas.iter().filter(|area| area.is_walkable());
    let first = walkable.next();
    walkable.all(|area| Some(area) == first)
}

struct Watershed<'a, I, P> {
    links: Links<'a, I>,
    /// Areas, one per span.
    areas: &'a [RawArea],
    /// Whether all walkable spans have the same area.
    has_one_area: bool,
    distance: &'a DistanceField,
    draft: Draft<P>,
    /// Basins, one per span.
    basins: Vec<Basin<P>>,
    /// Spans still to be visited by a flood.
    stack: Vec<u32>,
    /// Spans reached in one round of growth, with their new values.
    grown: Vec<(u32, P, u16)>,
    pulse: Pulse<'a>,
}

impl<I: SpanIndex, P: Piece> Watershed<'_, I, P> {
    /// Raises the water from distance `top` to 0, by at most `n_levels` levels.
    fn rise_from(&mut self, top: u16, mut n_levels: usize) -> Result<(), StageError> {
        let mut level = top;
        let mut sorted: [Vec<u32>; LEVELS_PER_SORT] = Default::default();
        let mut at = LEVELS_PER_SORT - 1;
        while 0 < level {
            if n_levels == 0 {
                return Ok(());
            }
            n_levels -= 1;
            level = level.saturating_sub(LEVEL_STEP);
            at = (at + 1) % LEVELS_PER_SORT;
            if at == 0 {
                self.sort_by_level(level, &mut sorted)?;
            } else {
                // Cells left dry by the previous level come last.
                let (before, from) = sorted.split_at_mut(at);
                let left = before.last().into_iter().flatten().copied();
                from[0].extend(left.filter(|&span| self.is_dry(span)));
            }
            let mut cells = std::mem::take(&mut sorted[at]);
            self.grow(&mut cells, (0 < level).then_some(GROWTH_PER_LEVEL))?;
            for &span in &cells {
                if self.is_dry(span) {
                    self.start_basin(span, level)?;
                }
            }
            sorted[at] = cells;
        }
        let mut cells = self.dry_cells()?;
        Ok(self.grow(&mut cells, None)?)
    }

    fn is_dry(&self, span: u32) -> bool {
        self.basins[span as usize].id == P::default()
    }

    fn dry_cells(&mut self) -> Result<Vec<u32>, Cancelled> {
        let mut cells = Vec::new();
        for span in 0..self.n_spans() {
            self.pulse.step()?;
            if self.is_dry(span) && self.areas[span as usize].is_walkable() {
                cells.push(span);
            }
        }
        Ok(cells)
    }

    /// Returns the number of spans; the voxel stages keep it far below 2^32.
    fn n_spans(&self) -> u32 {
        u32::try_from(self.basins.len()).unwrap_or(u32::MAX)
    }

    /// Sorts the dry cells that the water reaches at `level` and the following levels; cells that were missed earlier
    /// go to the first.
    fn sort_by_level(
        &mut self,
        level: u16,
        sorted: &mut [Vec<u32>; LEVELS_PER_SORT],
    ) -> Result<(), Cancelled> {
        sorted.iter_mut().for_each(Vec::clear);
        let first = level / LEVEL_STEP;
        for span in 0..self.n_spans() {
            self.pulse.step()?;
            let own = self.distance.distances[span as usize] / LEVEL_STEP;
            let Some(cells) = sorted.get_mut(usize::from(first.saturating_sub(own))) else {
                continue;
            };
            if self.is_dry(span) && self.areas[span as usize].is_walkable() {
                cells.push(span);
            }
        }
        Ok(())
    }

    /// Grows the basins into `cells`, by at most `rounds` cells or until nothing changes. Cells that stay dry remain
    /// in `cells`.
    fn grow(&mut self, cells: &mut Vec<u32>, rounds: Option<u32>) -> Result<(), Cancelled> {
        cells.retain(|&span| self.is_dry(span));
        let mut round = 0;
        while !cells.is_empty() {
            // Growth is based on the basins before the round, so that the order of cells does not matter.
            self.grown.clear();
            let mut n_dry = 0;
            for at in 0..cells.len() {
                self.pulse.step()?;
                let span = cells[at];
                if let Some((id, flooded_at)) = self.nearest_basin(span as usize) {
                    self.grown.push((span, id, flooded_at));
                } else {
                    cells[n_dry] = span;
                    n_dry += 1;
                }
            }
            cells.truncate(n_dry);
            if self.grown.is_empty() {
                break;
            }
            for &(span, id, flooded_at) in &self.grown {
                self.basins[span as usize] = Basin { id, flooded_at };
            }
            round += 1;
            if rounds.is_some_and(|rounds| rounds <= round) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the adjacent basin with the smallest distance to `span`, and that distance.
    fn nearest_basin(&self, span: usize) -> Option<(P, u16)> {
        let area = self.areas.get(span);
        let mut nearest: Option<(P, u16)> = None;
        for next in self.links.around(span) {
            let Some(&Basin { id, flooded_at }) = self.basins.get(next) else { continue };
            // Spans in a basin are walkable, and so have the same area if there is only one.
            if !id.is_ground() || !self.has_one_area && self.areas.get(next) != area {
                continue;
            }
            let flooded_at = flooded_at.saturating_add(2);
            if nearest.is_none_or(|(_, best)| flooded_at < best) {
                nearest = Some((id, flooded_at));
            }
        }
        nearest
    }

    /// Floods a new basin from `start`, over cells at most one level below `level`. Cells that touch another basin are
    /// left out; if all do, no new basin begins.
    fn start_basin(&mut self, start: u32, level: u16) -> Result<(), StageError> {
        let id = self.draft.upcoming();
        let lowest = level.saturating_sub(LEVEL_STEP);
        let mut is_new = false;
        self.stack.clear();
        self.stack.push(start);
        self.flood(start as usize, id);
        while let Some(span) = self.stack.pop() {
            self.pulse.step()?;
            let span = span as usize;
            if self.touches_other_basin(span, id) {
                self.basins[span].id = P::default();
                continue;
            }
            is_new = true;
            let area = self.areas.get(span);
            for next in self.links.around(span) {
                if self.areas.get(next) == area
                    && lowest <= self.distance.distances[next]
                    && self.basins[next].id == P::default()
                {
                    self.flood(next, id);
                    self.stack.extend(u32::try_from(next));
                }
            }
        }
        if is_new {
            self.draft.allocate()?;
        }
        Ok(())
    }

    fn flood(&mut self, span: usize, id: P) {
        self.basins[span] = Basin { id, flooded_at: 0 };
    }

    /// Returns whether one of the eight neighbors of `span` belongs to a basin other than `id`. Border regions count
    /// only at diagonals.
    fn touches_other_basin(&self, span: usize, id: P) -> bool {
        let ids = &self.basins;
        let area = self.areas.get(span);
        let is_like = |next: usize| self.areas.get(next) == area;
        let is_other = |next: usize| ids[next].id != P::default() && ids[next].id != id;
        Dir::ALL.into_iter().zip(self.links.around(span)).any(|(dir, side)| {
            if !is_like(side) || ids[side].id.is_border() {
                return false;
            }
            let corner = self.links.around(side)[dir.next() as usize];
            is_other(side) || is_like(corner) && is_other(corner)
        })
    }
}
