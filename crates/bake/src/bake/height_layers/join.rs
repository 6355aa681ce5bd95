//! Puts patches together to layers: first those that touch, then those that are about as high.

use std::collections::{BTreeSet, VecDeque};

use walkable_runtime::monitor::Monitor;

use super::{HeightLayer, Tables, check, survey::Patch};
use crate::bake::{limit::StageError, pulse::Pulse};

/// Layers whose heights are this many agents apart, or less, may be one.
const MERGE_HEIGHT_AGENTS: u32 = 4;

/// Patches that make one layer.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Indices of its patches.
    pub(super) patches: Vec<usize>,
    /// Lowest floor.
    pub(super) min_y_vx: u16,
    /// Highest floor.
    pub(super) max_y_vx: u16,
    /// Indices of patches above or below it.
    overlaps: BTreeSet<usize>,
}

/// Layers of `patches` for an agent of the given height, stopped after `n` steps: patches taken into a layer, then
/// layers merged. Also how many of these were left when there was no more to do.
pub(super) fn join(
    patches: &[Patch],
    tables: Tables,
    walkable_height_vx: u32,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<(Vec<Layer>, usize), StageError> {
    let mut joiner = Joiner { patches, tables, steps_left: n, pulse: Pulse::new(monitor) };
    let layers = joiner.spread_all()?;
    let layers = joiner.merge(layers, walkable_height_vx.saturating_mul(MERGE_HEIGHT_AGENTS))?;
    Ok((layers, joiner.steps_left))
}

struct Joiner<'a> {
    patches: &'a [Patch],
    tables: Tables,
    /// Patches to be taken and layers to be merged until it stops.
    steps_left: usize,
    pulse: Pulse<'a>,
}

impl Joiner<'_> {
    /// Starts a layer at each patch that no layer before it has reached.
    fn spread_all(&mut self) -> Result<Vec<Layer>, StageError> {
        let mut is_taken = vec![false; self.patches.len()];
        let mut layers = Vec::new();
        for root in 0..self.patches.len() {
            if !is_taken[root] && self.step_on() {
                layers.push(self.spread(root, &mut is_taken)?);
            }
        }
        Ok(layers)
    }

    /// The layer of the patch `root` and, breadth first, of all free patches reached from it that fit.
    fn spread(&mut self, root: usize, is_taken: &mut [bool]) -> Result<Layer, StageError> {
        let Patch { min_y_vx, max_y_vx, overlaps, .. } = self.patches[root].clone();
        let mut layer = Layer { patches: vec![root], min_y_vx, max_y_vx, overlaps };
        is_taken[root] = true;
        let mut queue = VecDeque::from([root]);
        while let Some(index) = queue.pop_front() {
            for &next in &self.patches[index].neighbors {
                self.pulse.step()?;
                let patch = &self.patches[next];
                let fits = !layer.overlaps.contains(&next)
                    && is_low_enough(&layer, patch.min_y_vx, patch.max_y_vx);
                if is_taken[next] || !fits || self.tables.queue <= queue.len() {
                    continue;
                }
                if !self.step_on() {
                    return Ok(layer);
                }
                is_taken[next] = true;
                queue.push_back(next);
                layer.patches.push(next);
                layer.grow(patch.min_y_vx, patch.max_y_vx, &patch.overlaps);
                self.check(&layer)?;
            }
        }
        Ok(layer)
    }

    /// Joins each layer with those after and before it that it does not overlap, while their heights are
    /// at most `reach_vx` apart.
    fn merge(&mut self, layers: Vec<Layer>, reach_vx: u32) -> Result<Vec<Layer>, StageError> {
        let mut layers: Vec<Option<Layer>> = layers.into_iter().map(Some).collect();
        for index in 0..layers.len() {
            let Some(mut layer) = layers[index].take() else { continue };
            while let Some(other) = self.mergeable(&layer, &layers, reach_vx)? {
                if !self.step_on() {
                    break;
                }
                let Some(other) = layers[other].take() else { continue };
                layer.patches.extend(&other.patches);
                layer.grow(other.min_y_vx, other.max_y_vx, &other.overlaps);
                self.check(&layer)?;
            }
            layers[index] = Some(layer);
        }
        Ok(layers.into_iter().flatten().collect())
    }

    /// The first of `others` that can be merged with `layer`.
    fn mergeable(
        &mut self,
        layer: &Layer,
        others: &[Option<Layer>],
        reach_vx: u32,
    ) -> Result<Option<usize>, StageError> {
        for (index, other) in others.iter().enumerate() {
            let Some(other) = other else { continue };
            self.pulse.step()?;
            let is_near = is_below(layer, other, reach_vx) && is_below(other, layer, reach_vx);
            let fits = is_low_enough(layer, other.min_y_vx, other.max_y_vx);
            if is_near && fits && !other.patches.iter().any(|patch| layer.overlaps.contains(patch))
            {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Whether there is a step to go; takes it.
    fn step_on(&mut self) -> bool {
        let goes_on = 0 < self.steps_left;
        self.steps_left = self.steps_left.saturating_sub(1);
        goes_on
    }

    fn check(&self, layer: &Layer) -> Result<(), StageError> {
        let what = "the number of patches of ground above or below one layer";
        Ok(check(what, layer.overlaps.len(), self.tables.overlaps)?)
    }
}

impl Layer {
    fn grow(&mut self, min_y_vx: u16, max_y_vx: u16, overlaps: &BTreeSet<usize>) {
        self.min_y_vx = self.min_y_vx.min(min_y_vx);
        self.max_y_vx = self.max_y_vx.max(max_y_vx);
        self.overlaps.extend(overlaps);
    }
}

/// Whether `layer` starts no more than `reach_vx` above the highest floor of `other`.
fn is_below(layer: &Layer, other: &Layer, reach_vx: u32) -> bool {
    u32::from(layer.min_y_vx) <= u32::from(other.max_y_vx).saturating_add(reach_vx)
}

/// Whether `layer`, joined with ground between the given heights, still fits a byte.
fn is_low_enough(layer: &Layer, min_y_vx: u16, max_y_vx: u16) -> bool {
    layer.max_y_vx.max(max_y_vx) - layer.min_y_vx.min(min_y_vx) <= HeightLayer::MAX_RANGE_VX
}
