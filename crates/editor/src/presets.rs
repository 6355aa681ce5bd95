//! Predefined bake settings. Independent of the window.

use crate::text;
use walkable::bake::BakeSettings;

/// Settings with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name in the menu.
    pub name: &'static str,
    /// What it is for.
    pub what: &'static str,
    apply: fn(&BakeSettings) -> BakeSettings,
}

impl Preset {
    /// The settings after choosing this preset over `present`.
    pub fn apply(&self, present: &BakeSettings) -> BakeSettings {
        (self.apply)(present)
    }
}

/// All presets: first agents, then grids for the present agent.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: text!("RecastDemo default"),
        what: text!("The values RecastDemo starts with: a 2 m tall agent of 0.6 m radius"),
        apply: |_| BakeSettings::default(),
    },
    Preset {
        name: text!("Human"),
        what: text!("1.8 m tall, 0.35 m radius, climbs steps of 0.4 m"),
        apply: |s| agent(s, [1.8, 0.35, 0.4, 45.0], [0.15, 0.1]),
    },
    Preset {
        name: text!("Child, small creature"),
        what: text!("1 m tall, 0.25 m radius, fits through low and narrow gaps"),
        apply: |s| agent(s, [1.0, 0.25, 0.3, 45.0], [0.12, 0.1]),
    },
    Preset {
        name: text!("Large creature"),
        what: text!("3.5 m tall, 1.2 m radius, climbs steps of 0.8 m"),
        apply: |s| agent(s, [3.5, 1.2, 0.8, 50.0], [0.4, 0.2]),
    },
    Preset {
        name: text!("Vehicle"),
        what: text!("2 m tall, 1.5 m radius, low curbs and gentle slopes only"),
        apply: |s| agent(s, [2.0, 1.5, 0.3, 25.0], [0.5, 0.15]),
    },
    Preset {
        name: text!("Fine detail"),
        what: text!("Small voxels for the current agent: finds narrow gaps, bakes slowly"),
        apply: |s| grid(s, 4.0),
    },
    Preset {
        name: text!("Fast preview"),
        what: text!("Large voxels for the current agent: bakes fast while you build a level"),
        apply: |s| grid(s, 1.5),
    },
];

/// `settings` for an agent of `[height, radius, climb, slope]` on voxels of `[size, height]`.
fn agent(settings: &BakeSettings, agent: [f32; 4], voxel: [f32; 2]) -> BakeSettings {
    let [agent_height, agent_radius, agent_max_climb, agent_max_slope] = agent;
    let [cell_size, cell_height] = voxel;
    BakeSettings {
        cell_size,
        cell_height,
        agent_height,
        agent_radius,
        agent_max_climb,
        agent_max_slope,
        tile_size: settings.tile_size,
        partition: settings.partition,
        ..BakeSettings::default()
    }
}

/// `settings` with `voxels` to the agent's radius, and to its climb. Voxels are never so wide that the
/// steepest slope rises by more than the climb from one to the next.
fn grid(settings: &BakeSettings, voxels: f32) -> BakeSettings {
    /// Voxels are never smaller: a slip of the hand must not ask for billions of them.
    const SMALLEST: f32 = 0.05;
    let centimeters = |size: f32| ((size * 100.0).floor() / 100.0).max(SMALLEST);
    let BakeSettings { agent_radius, agent_max_climb, agent_max_slope, .. } = *settings;
    let cell_height = if agent_max_climb > 0.0 {
        centimeters(agent_max_climb / voxels.max(2.0))
    } else {
        settings.cell_height
    };
    let climb = (agent_max_climb / cell_height).floor() * cell_height;
    let rise = agent_max_slope.to_radians().tan();
    let widest = if climb > 0.0 && rise > 0.0 { climb / rise } else { f32::INFINITY };
    let cell_size = if agent_radius > 0.0 {
        centimeters((agent_radius / voxels).min(widest))
    } else {
        settings.cell_size
    };
    let cell_height = cell_height.min(cell_size.max(SMALLEST));
    BakeSettings { cell_size, cell_height, ..settings.clone() }
}

#[cfg(test)]
mod tests {
    use walkable::bake::settings_advice;

    use super::*;

    #[test]
    fn no_preset_deserves_a_warning() {
        for preset in PRESETS {
            let settings = preset.apply(&BakeSettings::default());
            assert_eq!(settings_advice(&settings), [], "{}", preset.name);
        }
    }

    #[test]
    fn grid_presets_suit_every_agent_preset() {
        for agent in &PRESETS[..5] {
            for grid in &PRESETS[5..] {
                let settings = grid.apply(&agent.apply(&BakeSettings::default()));
                let advice = settings_advice(&settings);
                assert_eq!(advice, [], "{} then {}", agent.name, grid.name);
            }
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "settings are set, not computed")]
    fn agents_keep_how_the_level_is_cut() {
        let tiled = BakeSettings { tile_size: 64, ..BakeSettings::default() };
        assert_eq!(PRESETS[1].apply(&tiled).tile_size, 64);
        assert_eq!(PRESETS[5].apply(&tiled).agent_height, 2.0);
    }
}
