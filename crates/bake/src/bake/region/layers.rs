//! Merges the strips of a sweep into layers: regions that can have holes but do not overlap themselves.
//!
//! Source: Recast, `mergeAndFilterLayerRegions`.

use std::collections::VecDeque;

use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use super::{Draft, Ground, Grouped, Piece, regions};
use crate::bake::{RawArea, limit::StageError, pulse::Pulse};

pub(super) fn join<P: Piece>(
    ground: Ground<'_>,
    draft: &Draft<P>,
    min_area_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Grouped, StageError> {
    let mut pulse = Pulse::new(monitor);
    let mut strips = survey(ground, draft, &mut pulse)?;
    // Layer of each strip, counted from 1.
    let mut layer_of = vec![0; strips.len()];
    let mut n_layers = 0;
    for root in 1..strips.len() {
        if layer_of[root] == 0 {
            n_layers += 1;
            spread(&mut strips, &mut layer_of, root, n_layers, &mut pulse)?;
        }
    }
    let is_small =
        |strip: &Strip| 0 < strip.n_spans && strip.n_spans < min_area_vx && !strip.touches_border;
    let mut is_dropped = vec![false; strips.len() + 1];
    for (strip, &layer) in strips.iter().zip(&layer_of) {
        is_dropped[layer] |= is_small(strip);
    }
    for layer in layer_of.iter_mut().filter(|layer| is_dropped[**layer]) {
        *layer = 0;
    }
    Ok(Grouped { regions: regions(&draft.ids, layer_of)?, n_overlapping: 0 })
}

/// A region of the sweep.
#[derive(Clone, Default)]
struct Strip {
    /// Number of spans; once layers are formed, that of the whole layer at the layer's first strip, and 0 at the
    /// others.
    n_spans: u32,
    area: RawArea,
    /// Adjacent strips without duplicates, in the order of the sweep.
    neighbors: Vec<usize>,
    /// Strips above or below one of its spans, without duplicates.
    floors: Vec<usize>,
    touches_border: bool,
}

fn add_once(ids: &mut Vec<usize>, id: usize) {
    if !ids.contains(&id) {
        ids.push(id);
    }
}

/// Returns the table of strips: index 0 is unused, and there is one more element than numbers.
fn survey<P: Piece>(
    ground: Ground<'_>,
    draft: &Draft<P>,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Strip>, Cancelled> {
    let mut strips = vec![Strip::default(); draft.next as usize + 1];
    for cell in 0..ground.field.frame.n_cells() {
        pulse.step()?;
        let spans = ground.field.cell(cell);
        for span in spans.clone() {
            let id = draft.ids[span];
            if !id.is_ground() {
                continue;
            }
            let strip = &mut strips[id.number()];
            strip.n_spans += 1;
            strip.area = ground.areas[span];
            for next in Dir::ALL.iter().filter_map(|&dir| ground.field.adjacency.step(span, dir)) {
                let beside = draft.ids[next];
                if beside.is_border() {
                    strip.touches_border = true;
                } else if beside.is_ground() && beside != id {
                    add_once(&mut strip.neighbors, beside.number());
                }
            }
            for floor in spans.clone().map(|other| draft.ids[other]) {
                if floor.is_ground() && floor != id {
                    add_once(&mut strip.floors, floor.number());
                }
            }
        }
    }
    Ok(strips)
}

/// Adds to the new layer `layer` the strip `root` and, in breadth-first order, all strips that can be reached from it,
/// have its area, and do not overlap the layer.
fn spread(
    strips: &mut [Strip],
    layer_of: &mut [usize],
    root: usize,
    layer: usize,
    pulse: &mut Pulse<'_>,
) -> Result<(), Cancelled> {
    let mut queue = VecDeque::from([root]);
    layer_of[root] = layer;
    while let Some(index) = queue.pop_front() {
        for at in 0..strips[index].neighbors.len() {
            pulse.step()?;
            let neighbor = strips[index].neighbors[at];
            let is_free = layer_of[neighbor] == 0;
            let is_alike = strips[neighbor].area == strips[index].area;
            if !is_free || !is_alike || strips[root].floors.contains(&neighbor) {
                continue;
            }
            queue.push_back(neighbor);
            layer_of[neighbor] = layer;
            let joined = strips[neighbor].clone();
            strips[neighbor].n_spans = 0;
            let root = &mut strips[root];
            root.n_spans += joined.n_spans;
            root.touches_border |= joined.touches_border;
            joined.floors.into_iter().for_each(|floor| add_once(&mut root.floors, floor));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    /// Checks the layers of the strips `1..`, given by their neighbors and the strips above or below them.
    #[track_caller]
    fn check(strips: &[(&[usize], &[usize])], expected: &[usize]) {
        let mut table = vec![Strip::default()];
        table.extend(strips.iter().map(|(neighbors, floors)| Strip {
            n_spans: 1,
            neighbors: neighbors.to_vec(),
            floors: floors.to_vec(),
            ..Strip::default()
        }));
        let mut layer_of = vec![0; table.len()];
        let mut n_layers = 0;
        for root in 1..table.len() {
            if layer_of[root] == 0 {
                n_layers += 1;
                let mut pulse = Pulse::new(&Unmonitored);
                spread(&mut table, &mut layer_of, root, n_layers, &mut pulse).unwrap();
            }
        }
        assert_eq!(layer_of[1..], *expected);
        let n_spans: usize = table.iter().map(|strip| strip.n_spans as usize).sum();
        assert_eq!(n_spans, strips.len(), "no span is lost or counted twice");
    }

    #[test]
    fn a_layer_never_lies_above_any_of_its_strips() {
        check(&[(&[2], &[]), (&[1, 3], &[]), (&[2], &[])], &[1, 1, 1]);
        // A ramp that turns until its end is above its start.
        check(&[(&[2], &[3]), (&[1, 3], &[]), (&[2], &[1])], &[1, 1, 2]);
        check(&[(&[2], &[]), (&[1, 3], &[4]), (&[2, 4], &[]), (&[3], &[2])], &[1, 1, 1, 2]);
    }

    #[test]
    fn strips_join_breadth_first() {
        // 4 lies above 3, and both are reached from 1; 3 is nearer.
        check(&[(&[2, 3], &[]), (&[1, 4], &[]), (&[1], &[4]), (&[2], &[3])], &[1, 1, 1, 2]);
    }
}
