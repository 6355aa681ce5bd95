//! Splits a layer into strips, and merges strips that touch along one stretch only, so that no region has a hole.

use walkable_runtime::{
    ids::{Dir, RegionId},
    monitor::Monitor,
};

use crate::bake::{
    CompactField, HeightLayer, OpenSpan, RawArea,
    adjacency::Adjacency,
    limit::{Limit, StageError},
    region::{Cut, Ground, patches},
};

/// Maximum number of strips of a layer.
const MAX_STRIPS: usize = 255;

/// The region of each cell of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LayerRegions {
    /// One element per cell; no region if the cell has no ground.
    pub(super) ids: Vec<RegionId>,
    /// Number of regions. They are numbered from 1.
    pub(super) n_regions: usize,
}

/// Returns the regions of `layer` for an agent that climbs `climb_vx` cells.
///
/// Source: `dtBuildTileCacheRegions`.
pub(super) fn cut(
    layer: &HeightLayer,
    climb_vx: u32,
    monitor: &dyn Monitor,
) -> Result<LayerRegions, StageError> {
    let (field, areas, cells) = as_field(layer, climb_vx);
    let ground = Ground { field: &field, areas: &areas };
    let strip_of_span = patches(ground, Cut::Monotone, monitor)?;
    let mut strips = survey(&field.adjacency, &strip_of_span)?;
    for index in 0..strips.len() {
        if let Some(other) = best_partner(&strips, index) {
            join(&mut strips, index, other);
        }
    }
    let mut number_of = vec![RegionId::NONE; strips.len()];
    for strip in &strips {
        number_of[strip.region] = RegionId(1);
    }
    let mut last = 0;
    for number in number_of.iter_mut().filter(|number| **number != RegionId::NONE) {
        last += 1;
        *number = RegionId(last);
    }
    let mut ids = vec![RegionId::NONE; layer.areas.len()];
    for (&cell, id) in cells.iter().zip(strip_of_span) {
        ids[cell] = number_of[strips[usize::from(id.0) - 1].region];
    }
    Ok(LayerRegions { ids, n_regions: usize::from(last) })
}

/// Returns the walkable cells as spans of a compact heightfield, with the cell of each. Cells of one area are connected
/// if the agent can step from one to the other; clearance is ignored.
fn as_field(layer: &HeightLayer, climb_vx: u32) -> (CompactField, Vec<RawArea>, Vec<usize>) {
    let (mut starts, mut spans, mut links) = (vec![0], Vec::new(), Vec::new());
    let (mut areas, mut cells) = (Vec::new(), Vec::new());
    for z in 0..layer.n_z {
        for x in 0..layer.n_x {
            let cell = layer.cell_index(x, z);
            if layer.areas[cell].is_walkable() {
                links.push(Dir::ALL.map(|dir| match layer.neighbor_cell((x, z), dir) {
                    Some(next) if is_step(layer, cell, next, climb_vx) => 0,
                    _ => CompactField::NO_LINK,
                }));
                let floor_vx = u16::from(layer.heights[cell]);
                spans.push(OpenSpan { floor_vx, clearance_vx: u8::MAX });
                areas.push(layer.areas[cell]);
                cells.push(cell);
            }
            starts.push(u32::try_from(spans.len()).unwrap_or(u32::MAX));
        }
    }
    (CompactField::new(layer.frame(), [0, climb_vx], (starts, spans), &links), areas, cells)
}

fn is_step(layer: &HeightLayer, from: usize, to: usize, climb_vx: u32) -> bool {
    layer.areas[from] == layer.areas[to]
        && u32::from(layer.heights[from].abs_diff(layer.heights[to])) <= climb_vx
}

/// A strip of the sweep.
#[derive(Clone, Debug)]
struct Strip {
    n_cells: u32,
    /// Indices of adjacent strips, once for each stretch of cells along which they touch.
    neighbors: Vec<usize>,
    /// Region: the index of a strip.
    region: usize,
}

fn survey(adjacency: &Adjacency, strip_of_span: &[RegionId]) -> Result<Vec<Strip>, Limit> {
    let n_strips = strip_of_span.iter().map(|id| usize::from(id.0)).max().unwrap_or(0);
    if MAX_STRIPS < n_strips {
        return Err(Limit {
            what: "the number of separate stretches of ground in one layer",
            value: n_strips as u64,
            limit: MAX_STRIPS as u64,
            remedy: "use smaller tiles or a larger cell_size",
        });
    }
    let strip = |region| Strip { n_cells: 0, neighbors: Vec::new(), region };
    let mut strips: Vec<Strip> = (0..n_strips).map(strip).collect();
    let index_of = |span: usize| usize::from(strip_of_span[span].0) - 1;
    for span in 0..strip_of_span.len() {
        let index = index_of(span);
        strips[index].n_cells += 1;
        // Cells that touch within a row are of one strip.
        let Some(beside) = adjacency.step(span, Dir::South).map(index_of) else { continue };
        if beside != index {
            for [to, other] in [[index, beside], [beside, index]] {
                if strips[to].neighbors.last() != Some(&other) {
                    strips[to].neighbors.push(other);
                }
            }
        }
    }
    Ok(strips)
}

/// Returns the largest strip adjacent to strip `index` whose region can be merged with its own; the first of equal
/// ones.
fn best_partner(strips: &[Strip], index: usize) -> Option<usize> {
    let mut best: Option<usize> = None;
    for &other in &strips[index].neighbors {
        let [own, its] = [strips[index].region, strips[other].region];
        let largest = best.map_or(0, |best| strips[best].n_cells);
        if own != its && largest < strips[other].n_cells && touch_once(strips, own, its) {
            best = Some(other);
        }
    }
    best
}

/// Returns whether regions `a` and `b` touch along one stretch only.
fn touch_once(strips: &[Strip], a: usize, b: usize) -> bool {
    let of_a = strips.iter().filter(|strip| strip.region == a);
    let touches =
        of_a.flat_map(|strip| &strip.neighbors).filter(|&&other| strips[other].region == b);
    touches.take(2).count() == 1
}

/// Merges the region of strip `index` into that of strip `other`.
fn join(strips: &mut [Strip], index: usize, other: usize) {
    let [old, new] = [strips[index].region, strips[other].region];
    for strip in strips.iter_mut().filter(|strip| strip.region == old) {
        strip.region = new;
    }
}
