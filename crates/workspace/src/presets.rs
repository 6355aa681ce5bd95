//! Predefined bake settings.

use walkable::bake::BakeSettings;

use crate::text;

#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Identifier, the same in all languages.
    pub key: &'static str,
    pub name: &'static str,
    pub what: &'static str,
    apply: fn(&BakeSettings) -> BakeSettings,
}

impl Preset {
    pub fn apply(&self, present: &BakeSettings) -> BakeSettings {
        (self.apply)(present)
    }
}

/// All presets: first the defaults of other tools, then agents, then grids for the present agent.
pub const PRESETS: &[Preset] = &[
    Preset {
        key: "recast-demo",
        name: text!("RecastDemo default"),
        what: text!("The values RecastDemo starts with: a 2 m tall agent of 0.6 m radius"),
        apply: |_| BakeSettings::default(),
    },
    Preset {
        key: "unity",
        name: text!("Unity default"),
        what: text!(
            "Unity's agent Humanoid: 2 m tall, 0.5 m radius, climbs 0.75 m, voxels of a third of the radius, tiles of 256 voxels, islands of 2 m² removed. Unity does not publish the height of its voxels (half their width here), merging, edges and detail (RecastDemo's values here)"
        ),
        apply: |_| unity(),
    },
    Preset {
        key: "unreal",
        name: text!("Unreal default"),
        what: text!(
            "Unreal Engine's RecastNavMesh: 1.44 m tall, 0.34 m radius, climbs 0.35 m, slopes to 44°, voxels of 0.19 m, tiles of 52 voxels. Its chunks of regions, three resolutions and maximum agent height have no equivalent here"
        ),
        apply: |_| unreal(),
    },
    Preset {
        key: "godot",
        name: text!("Godot default"),
        what: text!(
            "Godot 4's NavigationMesh: 1.5 m tall, 0.5 m radius, climbs 0.25 m, voxels of 0.25 m, all filters off, one tile. Its border size has no equivalent here: tiles have their own border"
        ),
        apply: |_| godot(),
    },
    Preset {
        key: "human",
        name: text!("Human"),
        what: text!("1.8 m tall, 0.35 m radius, climbs steps of 0.4 m"),
        apply: |s| agent(s, [1.8, 0.35, 0.4, 45.0], [0.15, 0.1]),
    },
    Preset {
        key: "child",
        name: text!("Child, small creature"),
        what: text!("1 m tall, 0.25 m radius, fits through low and narrow gaps"),
        apply: |s| agent(s, [1.0, 0.25, 0.3, 45.0], [0.12, 0.1]),
    },
    Preset {
        key: "large",
        name: text!("Large creature"),
        what: text!("3.5 m tall, 1.2 m radius, climbs steps of 0.8 m"),
        apply: |s| agent(s, [3.5, 1.2, 0.8, 50.0], [0.4, 0.2]),
    },
    Preset {
        key: "vehicle",
        name: text!("Vehicle"),
        what: text!("2 m tall, 1.5 m radius, low curbs and gentle slopes only"),
        apply: |s| agent(s, [2.0, 1.5, 0.3, 25.0], [0.5, 0.15]),
    },
    Preset {
        key: "fine",
        name: text!("Fine detail"),
        what: text!("Small voxels for the current agent: finds narrow gaps, bakes slowly"),
        apply: |s| grid(s, 4.0),
    },
    Preset {
        key: "fast",
        name: text!("Fast preview"),
        what: text!("Large voxels for the current agent: bakes fast while you build a level"),
        apply: |s| grid(s, 1.5),
    },
];

/// Returns the defaults of Unity, of a new project's agent type Humanoid (`ProjectSettings/NavMeshAreas.asset`) and of
/// the structure [`NavMeshBuildSettings`].
///
/// - Radius 0.5, height 2, climb 0.75 and slope 45°. The old Navigation window, which bakes into the scene, climbs 0.4.
/// - `cellSize` is 0.1667, a third of the radius, and `tileSize` 256 voxels.
/// - `minRegionArea` is 2 m²: the area of a square with a side of √72 voxels.
///
/// [`NavMeshBuildSettings`]: https://docs.unity3d.com/ScriptReference/AI.NavMeshBuildSettings.html
fn unity() -> BakeSettings {
    BakeSettings {
        cell_size: 0.1667,
        cell_height: 0.083_3,
        agent_height: 2.0,
        agent_radius: 0.5,
        agent_max_climb: 0.75,
        agent_max_slope: 45.0,
        region_min_size: 8.5,
        tile_size: 256,
        ..BakeSettings::default()
    }
}

/// Returns the defaults of Unreal Engine's [`ARecastNavMesh`], in meters; the engine counts centimeters.
///
/// - `AgentRadius` 34, `AgentHeight` 144, `AgentMaxStepHeight` 35, `AgentMaxSlope` 44, `CellSize` 19 and `CellHeight`
///   10: section `RecastNavMesh` of `BaseEngine.ini`.
/// - `TileSizeUU` is 988, 52 cells; `MinRegionArea` is 0, and `MergeRegionSize` 400, a side of 21 cells.
/// - The generator limits edges to 1200, and samples the detail every 600 with an error of 1, all in centimeters.
///
/// [`ARecastNavMesh`]: https://dev.epicgames.com/documentation/unreal-engine/API/Runtime/NavigationSystem/ARecastNavMesh
fn unreal() -> BakeSettings {
    BakeSettings {
        cell_size: 0.19,
        cell_height: 0.1,
        agent_height: 1.44,
        agent_radius: 0.34,
        agent_max_climb: 0.35,
        agent_max_slope: 44.0,
        region_min_size: 0.0,
        region_merge_size: 21.0,
        edge_max_len: 12.0,
        detail_sample_dist: 31.6,
        detail_sample_max_error: 0.1,
        tile_size: 52,
        ..BakeSettings::default()
    }
}

/// The defaults of Godot's
/// [`NavigationMesh`](https://docs.godotengine.org/en/stable/classes/class_navigationmesh.html).
fn godot() -> BakeSettings {
    BakeSettings {
        cell_size: 0.25,
        cell_height: 0.25,
        agent_height: 1.5,
        agent_radius: 0.5,
        agent_max_climb: 0.25,
        agent_max_slope: 45.0,
        region_min_size: 2.0,
        region_merge_size: 20.0,
        edge_max_len: 0.0,
        filter_low_hanging_obstacles: false,
        filter_ledge_spans: false,
        filter_low_height_spans: false,
        ..BakeSettings::default()
    }
}

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

/// Returns the settings with voxels that divide the agent's radius and climb into `voxels` parts. Where possible,
/// voxels are narrow enough that the steepest slope rises by at most the climb from one voxel to the next.
fn grid(settings: &BakeSettings, voxels: f32) -> BakeSettings {
    /// Minimum size of voxels, so that a mistyped setting does not require billions of them.
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

    /// Returns the settings of the preset with this key, chosen over `present`.
    fn preset(key: &str, present: &BakeSettings) -> BakeSettings {
        PRESETS.iter().find(|preset| preset.key == key).expect("such a preset").apply(present)
    }

    #[test]
    fn no_preset_deserves_a_warning() {
        for preset in PRESETS {
            let settings = preset.apply(&BakeSettings::default());
            assert_eq!(settings_advice(&settings), [], "{}", preset.name);
        }
    }

    #[test]
    fn grid_presets_suit_every_agent_preset() {
        let (grids, agents): (Vec<&Preset>, Vec<_>) =
            PRESETS.iter().partition(|preset| ["fine", "fast"].contains(&preset.key));
        assert_eq!((grids.len(), agents.len()), (2, 8));
        for agent in agents {
            for grid in &grids {
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
        assert_eq!(preset("human", &tiled).tile_size, 64);
        assert_eq!(preset("fine", &tiled).agent_height, 2.0);
    }

    /// Checks agent and voxels after rounding: height, radius and climb in voxels.
    #[track_caller]
    #[expect(clippy::float_cmp, reason = "counts of voxels")]
    fn check_voxels(key: &str, expected: [f32; 3]) {
        let settings = preset(key, &BakeSettings::default());
        let keys = ["agent_height", "agent_radius", "agent_max_climb"];
        let voxels = keys.map(|key| walkable::bake::quantized(&settings, key).unwrap().voxels);
        assert_eq!(voxels, expected, "{key}");
    }

    #[test]
    fn tools_round_their_defaults_to_these_voxels() {
        check_voxels("recast-demo", [10.0, 2.0, 4.0]);
        check_voxels("unity", [25.0, 3.0, 9.0]);
        check_voxels("unreal", [15.0, 2.0, 3.0]);
        check_voxels("godot", [6.0, 2.0, 1.0]);
    }
}
