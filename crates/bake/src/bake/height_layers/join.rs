//! Merges patches into layers: first patches that touch, then layers at similar heights.

use std::collections::{BTreeSet, VecDeque};

use walkable_runtime::monitor::Monitor;

use super::{HeightLayer, Tables, check, survey::Patch};
use crate::bake::{limit::StageError, pulse::Pulse};

/// Layers are merged if their heights differ by at most this many agent heights.
const MERGE_HEIGHT_AGENTS: u32 = 4;

/// The patches of a layer.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Indices of the patches.
    pub(super) patches: Vec<usize>,
    /// Lowest ground.
    pub(super) min_y_vx: u16,
    /// Highest ground.
    pub(super) max_y_vx: u16,
    /// Indices of patches above or below the layer.
    overlaps: BTreeSet<usize>,
}

/// Returns the layers of `patches` for an agent of the given height after `n` steps: patches added to a layer, then
/// layers merged. Also returns how many of the `n` steps were left when the layers were complete.
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
    /// Number of steps left.
    steps_left: usize,
    pulse: Pulse<'a>,
}

impl Joiner<'_> {
    /// Starts a layer at each patch that no earlier layer has reached.
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

    /// Returns the layer of the patch `root` and of all free patches that fit and can be reached from it, in
    /// breadth-first order.
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

    /// Merges each layer with later and earlier layers that it does not overlap and whose heights differ by at most
    /// `reach_vx`.
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

    /// Returns the first of `others` that can be merged with `layer`.
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

    /// Counts a step; returns whether there was one left.
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

/// Returns whether `layer` begins at most `reach_vx` above the highest ground of `other`.
fn is_below(layer: &Layer, other: &Layer, reach_vx: u32) -> bool {
    u32::from(layer.min_y_vx) <= u32::from(other.max_y_vx).saturating_add(reach_vx)
}

/// Returns whether the heights of `layer` fit into a byte after merging with ground between the given heights.
fn is_low_enough(layer: &Layer, min_y_vx: u16, max_y_vx: u16) -> bool {
    layer.max_y_vx.max(max_y_vx) - layer.min_y_vx.min(min_y_vx) <= HeightLayer::MAX_RANGE_VX
}
