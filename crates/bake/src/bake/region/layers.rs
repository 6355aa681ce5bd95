//! Merges the strips of a sweep into layers: regions that can have holes but do not overlap themselves.
//!
//! Source: Recast, `mergeAndFilterLayerRegions`.

use std::collections::VecDeque;

use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use super::{
    Draft, Ground, Grouped, Piece,
    floors::{self, Floors},
    regions,
};
use crate::bake::{RawArea, limit::StageError, pulse::Pulse};

pub(super) fn join<P: Piece>(
    ground: Ground<'_>,
    draft: &Draft<P>,
    min_area_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Grouped, StageError> {
    let mut pulse = Pulse::new(monitor);
    let strips = survey(ground, draft, &mut pulse)?;
    let Floors { others: floors, .. } =
        floors::survey(ground.field, &draft.ids, strips.len(), &mut pulse)?;
    let mut joiner = Joiner::new(strips, floors);
    joiner.spread_all(&mut pulse)?;
    let Joiner { strips, mut layer_of, .. } = joiner;
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
    touches_border: bool,
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
        for span in ground.field.cell(cell) {
            pulse.step()?;
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
                    let beside = beside.number();
                    if !strip.neighbors.contains(&beside) {
                        strip.neighbors.push(beside);
                    }
                }
            }
        }
    }
    Ok(strips)
}

struct Joiner<P> {
    strips: Vec<Strip>,
    /// Strips above or below each strip.
    floors: Vec<Vec<P>>,
    /// Layer of each strip, counted from 1.
    layer_of: Vec<usize>,
    /// The last layer that is above or below each strip.
    layer_over: Vec<usize>,
}

impl<P: Piece> Joiner<P> {
    fn new(strips: Vec<Strip>, floors: Vec<Vec<P>>) -> Self {
        let [layer_of, layer_over] = [(); 2].map(|()| vec![0; strips.len()]);
        Self { strips, floors, layer_of, layer_over }
    }

    /// Starts a layer at each strip that no earlier layer has reached.
    fn spread_all(&mut self, pulse: &mut Pulse<'_>) -> Result<(), Cancelled> {
        let mut n_layers = 0;
        for root in 1..self.strips.len() {
            if self.layer_of[root] == 0 {
                n_layers += 1;
                self.spread(root, n_layers, pulse)?;
            }
        }
        Ok(())
    }

    /// Adds to the new layer `layer` the strip `root` and, in breadth-first order, all strips that can be reached from
    /// it, have its area, and do not overlap the layer.
    fn spread(
        &mut self,
        root: usize,
        layer: usize,
        pulse: &mut Pulse<'_>,
    ) -> Result<(), Cancelled> {
        let mut queue = VecDeque::from([root]);
        self.add(root, layer);
        while let Some(index) = queue.pop_front() {
            for at in 0..self.strips[index].neighbors.len() {
                pulse.step()?;
                let neighbor = self.strips[index].neighbors[at];
                let is_free = self.layer_of[neighbor] == 0;
                let is_alike = self.strips[neighbor].area == self.strips[index].area;
                if !is_free || !is_alike || self.layer_over[neighbor] == layer {
                    continue;
                }
                queue.push_back(neighbor);
                self.add(neighbor, layer);
                let n_spans = std::mem::take(&mut self.strips[neighbor].n_spans);
                let touches_border = self.strips[neighbor].touches_border;
                let root = &mut self.strips[root];
                root.n_spans += n_spans;
                root.touches_border |= touches_border;
            }
        }
        Ok(())
    }

    fn add(&mut self, strip: usize, layer: usize) {
        self.layer_of[strip] = layer;
        for floor in &self.floors[strip] {
            self.layer_over[floor.number()] = layer;
        }
    }
}
#[cfg(test)]
mod tests {
    use walkable_runtime::{ids::RegionId, monitor::Unmonitored};

    use super::*;

    /// Checks the layers of the strips `1..`, given by their neighbors and the strips above or below them.
    #[track_caller]
    fn check(strips: &[(&[usize], &[usize])], expected: &[usize]) {
        let mut table = vec![Strip::default()];
        table.extend(strips.iter().map(|(neighbors, _)| Strip {
            n_spans: 1,
            neighbors: neighbors.to_vec(),
            ..Strip::default()
        }));
        let id = |&strip: &usize| RegionId::numbered(u32::try_from(strip).unwrap());
        let mut floors = vec![Vec::new()];
        floors.extend(strips.iter().map(|(_, floors)| floors.iter().map(id).collect()));
        let mut joiner = Joiner::new(table, floors);
        joiner.spread_all(&mut Pulse::new(&Unmonitored)).unwrap();
        let Joiner { strips: table, layer_of, .. } = joiner;
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
