//! Values of a setting that make a difference in the bake, starting with the value nearest to the current one.

use serde::{Deserialize, Serialize};
use walkable_bake::bake::{BakeSettings, Param, ParamKey, ParamValue, VoxelParams};

use super::fix::NewSetting;

/// A setting that may help, with the values to try, ordered from the smallest change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remedy {
    /// Name of the setting.
    #[serde(deserialize_with = "Param::deserialize_key")]
    pub key: ParamKey,
    /// The values, each a larger change than the previous one.
    pub values: Vec<ParamValue>,
}

/// Maximum number of values per setting.
const MAX_RUNGS: u32 = 400;
/// Factors by which voxels become finer, relative to the current size.
const FINER: [f32; 8] = [0.8, 0.667, 0.5, 0.4, 0.333, 0.25, 0.167, 0.125];

impl Remedy {
    /// Returns the change to value number `rung`.
    pub fn at(&self, rung: usize) -> Option<NewSetting> {
        self.values.get(rung).map(|&value| NewSetting { key: self.key, value })
    }

    /// Turns off a switch. The remedy has no values if the switch is already off.
    pub fn off(settings: &BakeSettings, key: &'static str) -> Self {
        let is_on = Param::find(key).is_ok_and(|p| p.get(settings) == ParamValue::Switch(true));
        Self { key, values: if is_on { vec![ParamValue::Switch(false)] } else { Vec::new() } }
    }

    /// Tries the choices of a setting other than the current one.
    pub fn others(settings: &BakeSettings, key: &'static str, choices: &[&str]) -> Self {
        let value = |text: &&str| {
            let param = Param::find(key).ok()?;
            param.parse(text).ok().filter(|value| *value != param.get(settings))
        };
        Self { key, values: choices.iter().filter_map(value).collect() }
    }

    /// Tries the given integers.
    pub fn integers(key: &'static str, values: &[u32]) -> Self {
        Self { key, values: values.iter().copied().map(ParamValue::Integer).collect() }
    }

    /// Reduces the radius, voxel by voxel.
    pub fn smaller_radius(settings: &BakeSettings) -> Self {
        let voxels = voxels(settings, |p| p.walkable_radius_vx);
        let cell = settings.cell_size;
        values_for(settings, "agent_radius", (0..voxels).rev(), cell, |p| p.walkable_radius_vx)
    }

    /// Reduces the height of the agent, voxel by voxel.
    pub fn smaller_height(settings: &BakeSettings) -> Self {
        let voxels = voxels(settings, |p| p.walkable_height_vx);
        let cell = settings.cell_height;
        values_for(settings, "agent_height", (1..voxels).rev(), cell, |p| p.walkable_height_vx)
    }

    /// Raises the climb, voxel by voxel up to `highest` meters, but below the agent's height.
    pub fn larger_climb(settings: &BakeSettings, highest: f32) -> Self {
        let present = voxels(settings, |p| p.walkable_climb_vx);
        let cell = settings.cell_height;
        // An agent cannot climb a step of its own height.
        let height = voxels(settings, |p| p.walkable_height_vx).saturating_sub(1);
        let last = floor(highest / cell).saturating_add(1).min(height);
        values_for(settings, "agent_max_climb", present + 1..=last, cell, |p| p.walkable_climb_vx)
    }

    /// Raises the maximum slope, starting with the first tenth of a degree above `least`.
    pub fn larger_slope(least: f32) -> Self {
        let first = floor(least * 10.0 + 0.01) + 1;
        let values = (first..900).map(|tenths| ParamValue::Float(float(tenths) / 10.0));
        Self { key: "agent_max_slope", values: values.take(MAX_RUNGS as usize).collect() }
    }

    /// Reduces a number in steps of `step`, starting with the first multiple at or below `from`, down to 0.
    pub fn smaller(settings: &BakeSettings, key: &'static str, from: f32, step: f32) -> Self {
        let present = Param::find(key).map(|param| param.get(settings));
        let Ok(ParamValue::Float(present)) = present else {
            return Self { key, values: Vec::new() };
        };
        let first = floor(from.clamp(0.0, present) / step + 1e-3);
        let steps = (0..=first).rev().map(|n| round(float(n) * step, 3));
        let values = steps.filter(|value| *value < present).map(ParamValue::Float);
        Self { key, values: values.take(MAX_RUNGS as usize).collect() }
    }

    /// Reduces the voxel size (`cell_size`) or the voxel height (`cell_height`).
    pub fn finer(settings: &BakeSettings, key: &'static str) -> Self {
        let present = Param::find(key).map(|param| param.get(settings));
        let Ok(ParamValue::Float(present)) = present else {
            return Self { key, values: Vec::new() };
        };
        // Rounded to few digits that still distinguish the values.
        let digits = if present >= 0.1 { 2 } else { 3 };
        let values = FINER.map(|share| round(share * present, digits)).into_iter();
        Self { key, values: values.filter(|&v| v >= 0.005).map(ParamValue::Float).collect() }
    }
}

/// Returns values of the setting `key` for which `count` returns each of `wanted` voxels.
fn values_for(
    settings: &BakeSettings,
    key: &'static str,
    wanted: impl Iterator<Item = u32>,
    cell: f32,
    count: fn(&VoxelParams) -> u32,
) -> Remedy {
    let value = |n: u32| {
        let is_right = |value: &f32| {
            let mut changed = settings.clone();
            NewSetting { key, value: ParamValue::Float(*value) }.apply(&mut changed).is_ok()
                && voxels(&changed, count) == n
        };
        // Prefers few digits. Float division may round an exact multiple in either direction.
        let exact = float(n) * cell;
        let near = [0.0, 0.01, -0.01, 0.001, -0.001].map(|off| round(exact + off * cell, 4));
        let short = [2, 3, 4].into_iter().map(|digits| round(exact, digits));
        short.chain(near).find(is_right).map(ParamValue::Float)
    };
    Remedy { key, values: wanted.take(MAX_RUNGS as usize).filter_map(value).collect() }
}

fn voxels(settings: &BakeSettings, count: fn(&VoxelParams) -> u32) -> u32 {
    VoxelParams::new(settings).map_or(0, |params| count(&params))
}

/// Rounds `value` to `digits` decimals.
fn round(value: f32, digits: i32) -> f32 {
    let scale = 10_f32.powi(digits);
    (value * scale).round() / scale
}

#[expect(clippy::cast_precision_loss, reason = "counts of voxels are far below 2^24")]
fn float(n: u32) -> f32 {
    n as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-integer cast saturates, and negative values become 0"
)]
fn floor(value: f32) -> u32 {
    value.floor() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(remedy: &Remedy) -> Vec<f32> {
        let float = |value: &ParamValue| match value {
            ParamValue::Float(value) => *value,
            ParamValue::Integer(_)
            | ParamValue::Choice(_)
            | ParamValue::Switch(_)
            | ParamValue::Place(_) => f32::NAN,
        };
        remedy.values.iter().map(float).collect()
    }

    #[test]
    fn values_differ_in_voxels() {
        let settings = BakeSettings::default();
        assert_eq!(floats(&Remedy::larger_climb(&settings, 1.3)), [1.0, 1.2, 1.4]);
        assert_eq!(floats(&Remedy::smaller_radius(&settings)), [0.3, 0.0]);
        assert_eq!(floats(&Remedy::smaller_height(&settings))[..3], [1.8, 1.6, 1.4]);
        assert_eq!(floats(&Remedy::larger_slope(45.0))[..2], [45.1, 45.2]);
        let sizes = floats(&Remedy::smaller(&settings, "region_min_size", 5.47, 0.1));
        assert_eq!((sizes[0], sizes.len()), (5.4, 55));
        assert_eq!(Remedy::off(&settings, "filter_median").values, []);
        assert_eq!(
            Remedy::others(&settings, "partition", &["watershed", "monotone"]).values.len(),
            1
        );
    }

    #[test]
    fn each_value_rounds_to_a_different_number_of_voxels() {
        for cell in [0.07, 0.1, 0.15, 0.3, 0.55] {
            let settings =
                BakeSettings { cell_size: cell, cell_height: cell, ..BakeSettings::default() };
            let climbs = Remedy::larger_climb(&settings, 3.0);
            let before = voxels(&settings, |p| p.walkable_climb_vx);
            for (n, rung) in (before + 1..).zip(0..climbs.values.len()) {
                let mut changed = settings.clone();
                climbs.at(rung).unwrap().apply(&mut changed).unwrap();
                assert_eq!(voxels(&changed, |p| p.walkable_climb_vx), n, "{cell}");
            }
        }
    }
}
