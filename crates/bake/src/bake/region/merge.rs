//! Removes islands that are too small and merges small regions into a neighbor.
//!
//! A region stores its neighbors in the order of its contour, since merging two regions that share more than one
//! section of it would enclose a hole.
//!
//! Source: Recast, `mergeAndFilterRegions`.

use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use super::{
    Draft, Ground, Grouped, Piece, SizeLimits,
    floors::{self, Floors},
    regions,
};
use crate::bake::{
    RawArea,
    adjacency::{EitherLinks, Links, SpanIndex},
    limit::StageError,
    pulse::Pulse,
};

/// Maximum number of steps along a contour. The decision is based on the steps up to there.
const MAX_OUTLINE_STEPS: u32 = 39_999;

pub(super) fn join_small<P: Piece>(
    ground: Ground<'_>,
    draft: &Draft<P>,
    sizes: SizeLimits,
    monitor: &dyn Monitor,
) -> Result<Grouped, StageError> {
    let mut pulse = Pulse::new(monitor);
    let mut table = match ground.field.adjacency.links() {
        EitherLinks::Narrow(links) => survey(ground, links, draft, &mut pulse)?,
        EitherLinks::Wide(links) => survey(ground, links, draft, &mut pulse)?,
    };
    drop_islands(&mut table, sizes.min_area_vx);
    let mut mentions = Mentions::of(&table);
    while join_once(&mut table, &mut mentions, sizes.merge_area_vx, &mut pulse)? {}

    let is_there = |region: &&Region<P>| region.id != P::default();
    let n_overlapping = table.iter().filter(is_there).filter(|r| r.is_overlapping).count();
    let region_of = table.iter().map(|region| region.id.number()).collect();
    Ok(Grouped { regions: regions(&draft.ids, region_of)?, n_overlapping })
}

/// One entry of the table of regions.
#[derive(Clone, Default)]
struct Region<P> {
    /// Initially the region's own index; after merging, that of the region into which it was merged; none once removed.
    id: P,
    n_spans: u32,
    area: RawArea,
    /// Regions along the contour in order, including none and border regions.
    neighbors: Vec<P>,
    /// Regions above or below one of the region's spans, by number, without duplicates.
    floors: Vec<P>,
    /// Whether the region lies above or below itself.
    is_overlapping: bool,
}

impl<P: Piece> Region<P> {
    /// Returns whether the contour touches a wall.
    fn touches_wall(&self) -> bool {
        self.neighbors.contains(&P::default())
    }

    /// Returns the position of a region among those above or below, or where it would be.
    fn floor(&self, id: P) -> Result<usize, usize> {
        self.floors.binary_search_by_key(&id.number(), |floor| floor.number())
    }

    fn rename_floor(&mut self, old: P, new: P) {
        if let Ok(at) = self.floor(old) {
            self.floors.remove(at);
            if let Err(at) = self.floor(new) {
                self.floors.insert(at, new);
            }
        }
    }

    /// Returns whether the table entry of this region allows merging it with `other`.
    fn may_join(&self, other: &Self) -> bool {
        self.area == other.area
            && self.neighbors.iter().filter(|id| **id == other.id).count() <= 1
            && self.floor(other.id).is_err()
    }

    /// Returns the neighbors along the contour after the first section along `id`, all the way around; `None` if `id`
    /// is not a neighbor.
    fn neighbors_after(&self, id: P) -> Option<impl Iterator<Item = P>> {
        let at = self.neighbors.iter().position(|neighbor| *neighbor == id)?;
        Some(self.neighbors[at + 1..].iter().chain(&self.neighbors[..at]).copied())
    }

    fn rename_neighbor(&mut self, old: P, new: P) {
        let mut is_changed = false;
        for neighbor in self.neighbors.iter_mut().filter(|id| **id == old) {
            *neighbor = new;
            is_changed = true;
        }
        if is_changed {
            remove_repeats(&mut self.neighbors);
        }
    }
}

/// Removes entries equal to the next one; the last is followed by the first.
fn remove_repeats<P: Piece>(ids: &mut Vec<P>) {
    ids.dedup();
    while 1 < ids.len() && ids.first() == ids.last() {
        ids.pop();
    }
}

/// Builds the table of regions: index 0 is no region, and the length is one more than the largest region id.
fn survey<I: SpanIndex, P: Piece>(
    ground: Ground<'_>,
    links: Links<'_, I>,
    draft: &Draft<P>,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Region<P>>, Cancelled> {
    let mut regions: Vec<_> =
        (0..=draft.next).map(|id| Region { id: P::numbered(id), ..Region::default() }).collect();
    let outline = Outline { links, ids: &draft.ids };
    for cell in 0..ground.field.frame.n_cells() {
        pulse.step()?;
        for span in ground.field.cell(cell) {
            pulse.step()?;
            let id = draft.ids[span];
            if !id.is_ground() {
                continue;
            }
            let region = &mut regions[id.number()];
            region.n_spans += 1;
            if region.neighbors.is_empty() {
                region.area = ground.areas[span];
                if let Some(dir) = outline.first_edge(span) {
                    region.neighbors = outline.walk(span, dir, pulse)?;
                }
            }
        }
    }
    let Floors { others, is_overlapping } =
        floors::survey(ground.field, &draft.ids, regions.len(), pulse)?;
    for ((region, floors), is_overlapping) in regions.iter_mut().zip(others).zip(is_overlapping) {
        (region.floors, region.is_overlapping) = (floors, is_overlapping);
    }
    Ok(regions)
}

/// Walks along the contours of regions.
struct Outline<'a, I, P> {
    links: Links<'a, I>,
    ids: &'a [P],
}

impl<I: SpanIndex, P: Piece> Outline<'_, I, P> {
    /// Returns the region across the side `dir` of `span`.
    fn across(&self, span: usize, dir: Dir) -> P {
        let next = self.links.around(span)[dir as usize];
        self.ids.get(next).copied().unwrap_or_default()
    }

    /// Returns the first side of `span` that lies on the contour of its region.
    fn first_edge(&self, span: usize) -> Option<Dir> {
        Dir::ALL.into_iter().find(|&dir| self.across(span, dir) != self.ids[span])
    }

    /// Returns the regions along a contour, in order, from the side `dir` of `span`.
    fn walk(&self, span: usize, dir: Dir, pulse: &mut Pulse<'_>) -> Result<Vec<P>, Cancelled> {
        let start = (span, dir);
        let mut current = self.across(span, dir);
        let mut neighbors = vec![current];
        let (mut span, mut dir) = start;
        for _ in 0..MAX_OUTLINE_STEPS {
            pulse.step()?;
            let across = self.across(span, dir);
            if across == self.ids[span] {
                // The span belongs to a region, so there is a span across.
                (span, dir) = (self.links.around(span)[dir as usize], dir.previous());
            } else {
                if across != current {
                    current = across;
                    neighbors.push(current);
                }
                dir = dir.next();
            }
            if (span, dir) == start {
                break;
            }
        }
        remove_repeats(&mut neighbors);
        Ok(neighbors)
    }
}

/// Removes connected groups of regions with less than `min_area_vx` spans in total. Groups that touch the tile's
/// border are kept, since their size is unknown.
fn drop_islands<P: Piece>(regions: &mut [Region<P>], min_area_vx: u32) {
    let mut is_visited = vec![false; regions.len()];
    for start in 1..regions.len() {
        if is_visited[start] || regions[start].n_spans == 0 {
            continue;
        }
        is_visited[start] = true;
        let mut island = vec![start];
        let mut n_spans = 0;
        let mut touches_border = false;
        let mut visited = 0;
        while let Some(&index) = island.get(visited) {
            visited += 1;
            n_spans += regions[index].n_spans;
            for &neighbor in &regions[index].neighbors {
                if neighbor.is_border() {
                    touches_border = true;
                    continue;
                }
                let neighbor = neighbor.number();
                if regions[neighbor].id != P::default() && !is_visited[neighbor] {
                    is_visited[neighbor] = true;
                    island.push(neighbor);
                }
            }
        }
        if n_spans < min_area_vx && !touches_border {
            for index in island {
                regions[index].n_spans = 0;
                regions[index].id = P::default();
            }
        }
    }
}

/// For each region, the table entries that mention it: its own entry and neighbors. Entries may be outdated. They avoid
/// a search of the whole table when a region is merged.
struct Mentions(Vec<Vec<usize>>);

impl Mentions {
    fn of<P: Piece>(regions: &[Region<P>]) -> Self {
        let mut mentions = Self((0..regions.len()).map(|index| vec![index]).collect());
        for (index, region) in regions.iter().enumerate() {
            mentions.add(index, region);
        }
        mentions
    }

    /// Records that the entry at `index` mentions `region` and its neighbors.
    fn add<P: Piece>(&mut self, index: usize, region: &Region<P>) {
        for id in region.neighbors.iter().filter(|id| id.is_ground()) {
            self.0[id.number()].push(index);
        }
    }

    /// Returns the entries that mention `old`, and records that they now mention `new`.
    fn renamed(&mut self, old: usize, new: usize) -> Vec<usize> {
        let mut places = std::mem::take(&mut self.0[old]);
        places.sort_unstable();
        places.dedup();
        self.0[new].extend_from_slice(&places);
        places
    }
}

/// Merges each small region, in order, into its smallest suitable neighbor. Returns whether any was merged.
fn join_once<P: Piece>(
    regions: &mut [Region<P>],
    mentions: &mut Mentions,
    merge_area_vx: u32,
    pulse: &mut Pulse<'_>,
) -> Result<bool, Cancelled> {
    let mut is_changed = false;
    for index in 0..regions.len() {
        pulse.step()?;
        let region = &regions[index];
        let is_joinable =
            region.id != P::default() && !region.is_overlapping && region.n_spans != 0;
        // Regions without walls are holes in others and are merged whatever their size.
        let is_large = merge_area_vx < region.n_spans && region.touches_wall();
        if !is_joinable || is_large {
            continue;
        }
        let Some(target) = smallest_partner(regions, index) else { continue };
        let old = region.id;
        mentions.add(target, region);
        pulse.steps(u32::try_from(region.floors.len()).unwrap_or(u32::MAX))?;
        if !join(regions, index, target) {
            continue;
        }
        is_changed = true;
        let new = regions[target].id;
        for place in mentions.renamed(old.number(), new.number()) {
            pulse.step()?;
            let region = &mut regions[place];
            if region.id == P::default() {
                continue;
            }
            if region.id == old {
                region.id = new;
            }
            region.rename_neighbor(old, new);
        }
    }
    Ok(is_changed)
}

/// Returns the smallest neighbor that the region at `index` can be merged into, the first along its contour if several
/// are equal.
fn smallest_partner<P: Piece>(regions: &[Region<P>], index: usize) -> Option<usize> {
    let region = &regions[index];
    region
        .neighbors
        .iter()
        .filter(|id| !id.is_border())
        .map(|id| &regions[id.number()])
        .filter(|other| other.id != P::default() && !other.is_overlapping)
        .filter(|other| region.may_join(other) && other.may_join(region))
        .min_by_key(|other| other.n_spans)
        .filter(|other| other.id != region.id)
        .map(|other| other.id.number())
}

/// Moves the spans and neighbors of the region at `source` to that at `target`; returns `false` if they are not
/// neighbors of each other.
fn join<P: Piece>(regions: &mut [Region<P>], source: usize, target: usize) -> bool {
    let (source_id, target_id) = (regions[source].id, regions[target].id);
    let (Some(after_source), Some(after_target)) =
        (regions[target].neighbors_after(source_id), regions[source].neighbors_after(target_id))
    else {
        return false;
    };
    let mut neighbors: Vec<_> = after_source.chain(after_target).collect();
    remove_repeats(&mut neighbors);

    regions[source].neighbors.clear();
    let n_spans = std::mem::take(&mut regions[source].n_spans);
    let floors = std::mem::take(&mut regions[source].floors);
    for floor in &floors {
        regions[floor.number()].rename_floor(source_id, target_id);
    }
    let target = &mut regions[target];
    target.neighbors = neighbors;
    target.n_spans += n_spans;
    target.floors.extend(floors);
    floors::sort(&mut target.floors);
    true
}
