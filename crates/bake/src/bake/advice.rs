//! Warnings about settings that can be baked but hardly mean what the designer wants.

use crate::bake::{BakeSettings, VoxelParams};

/// A remark on one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The setting it is shown at.
    pub key: &'static str,
    /// What is odd and what to do about it.
    pub text: String,
}

/// More clearance than this cannot be told apart, so no two cells connect.
const MAX_CLEARANCE_VX: u32 = 255;
/// Most corners of a polygon in Detour's tiles.
const MAX_TILE_VERTS_PER_POLY: u32 = 6;

/// Combinations in `settings` that make little sense, in the order of the settings table. Settings that
/// cannot be baked at all give the one remark that says why.
pub fn settings_advice(settings: &BakeSettings) -> Vec<Advice> {
    let params = match VoxelParams::new(settings) {
        Ok(params) => params,
        Err(error) => {
            let key = match error {
                crate::bake::SettingsError::OutOfRange { key, .. } => key,
                _ => "",
            };
            return vec![Advice { key, text: error.to_string() }];
        }
    };
    let rules: &[fn(&BakeSettings, &VoxelParams) -> Option<Advice>] = &[
        cell_size_too_coarse,
        cell_size_wasteful,
        cell_height_above_climb,
        height_beyond_clearance,
        head_room_too_low,
        radius_below_cell,
        climb_below_voxel,
        climb_not_below_height,
        slope_flat_or_any,
        climb_too_low_for_slope,
        min_above_merge,
        edge_shorter_than_cell,
        edge_error_large,
        too_many_corners,
        samples_off,
        sample_error_above_climb,
        ledges_off,
        tile_small_for_border,
    ];
    rules.iter().filter_map(|rule| rule(settings, &params)).collect()
}

fn cell_size_too_coarse(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    (0.0 < s.agent_radius && s.agent_radius < s.cell_size).then(|| Advice { key: "cell_size", text: format!(
            "a voxel of {} m is wider than the agent's radius of {} m: narrow passages close or open \
             by chance; use {} m or less",
            s.cell_size,
            s.agent_radius,
            s.agent_radius / 2.0
        ) })
}

fn cell_size_wasteful(_: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    (16 < p.walkable_radius_vx).then(|| Advice { key: "cell_size", text: format!(
            "the radius spans {} voxels, where 2 to 4 are enough: a larger cell size bakes much faster",
            p.walkable_radius_vx
        ) })
}

fn cell_height_above_climb(s: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    let applies = p.walkable_climb_vx == 0 && 0.0 < s.agent_max_climb;
    applies.then(|| Advice {
        key: "cell_height",
        text: format!(
            "a voxel of {} m is higher than the highest step of {} m; use {} m or less",
            s.cell_height,
            s.agent_max_climb,
            s.agent_max_climb / 2.0
        ),
    })
}

fn height_beyond_clearance(_: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    (MAX_CLEARANCE_VX < p.walkable_height_vx).then(|| Advice { key: "agent_height", text: format!(
            "{} voxels are more than the {MAX_CLEARANCE_VX} the voxel grid can tell apart, so nothing \
             connects; raise the cell height",
            p.walkable_height_vx
        ) })
}

fn head_room_too_low(_: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    (p.walkable_height_vx < 3).then(|| Advice { key: "agent_height", text: format!(
            "head room of {} voxels is too coarse to tell a gap from a wall; use a smaller cell height",
            p.walkable_height_vx
        ) })
}

fn radius_below_cell(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    if s.agent_radius <= 0.0 {
        return Some(Advice { key: "agent_radius", text: "with a radius of 0 the navmesh touches the walls, so agents with a body get stuck on them"
                .to_owned() });
    }
    (s.agent_radius < s.cell_size).then(|| Advice {
        key: "agent_radius",
        text: format!(
            "{} m is less than one voxel and is rounded up to {} m",
            s.agent_radius, s.cell_size
        ),
    })
}

fn climb_below_voxel(s: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    (p.walkable_climb_vx == 0).then(|| Advice {
        key: "agent_max_climb",
        text: format!(
            "{} m is less than one voxel and is rounded down to nothing: the agent climbs neither \
             steps nor slopes",
            s.agent_max_climb
        ),
    })
}

fn climb_not_below_height(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    (s.agent_height <= s.agent_max_climb).then(|| Advice {
        key: "agent_max_climb",
        text: format!(
            "the agent climbs steps of {} m but is only {} m high: walls and tables become stairs",
            s.agent_max_climb, s.agent_height
        ),
    })
}

fn slope_flat_or_any(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    if s.agent_max_slope <= 0.0 {
        return Some(Advice {
            key: "agent_max_slope",
            text: "at 0\u{b0} not even level ground is walkable; use at least 1\u{b0}".to_owned(),
        });
    }
    (85.0 < s.agent_max_slope).then(|| Advice {
        key: "agent_max_slope",
        text: "nearly upright walls count as ground".to_owned(),
    })
}

/// A slope rises `tan(slope)` cells a cell; above the climb the ledge filter and the links refuse it.
fn climb_too_low_for_slope(s: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    let rise = s.agent_max_slope.to_radians().tan() * s.cell_size;
    let climb = p.climb();
    (0 < p.walkable_climb_vx && s.agent_max_slope <= 85.0 && climb < rise).then(|| Advice {
        key: "agent_max_slope",
        text: format!(
            "ground of {}\u{b0} rises {rise:.2} m from voxel to voxel, more than the climb of \
                 {climb:.2} m, so it is not walkable; use a smaller cell size or a higher climb",
            s.agent_max_slope
        ),
    })
}

fn min_above_merge(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    (s.region_merge_size < s.region_min_size).then(|| Advice {
        key: "region_merge_size",
        text: "is below the smallest region kept, so it merges next to nothing".to_owned(),
    })
}

fn edge_shorter_than_cell(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    let applies = 0.0 < s.edge_max_len && s.edge_max_len < 4.0 * s.cell_size;
    applies.then(|| Advice {
        key: "edge_max_len",
        text: "splits walls into edges of a few voxels: many tiny polygons and slow paths"
            .to_owned(),
    })
}

/// One voxel more than the radius is tolerated: the usual 1.3 with a radius of 1 works well.
fn edge_error_large(_: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    let radius = p.walkable_radius_vx;
    let applies = 0 < radius && f64::from(radius) + 1.0 < f64::from(p.max_edge_error_vx);
    applies.then(|| Advice {
        key: "edge_max_error",
        text: format!(
            "outlines may stray {} voxels, more than the {radius} kept from walls: paths can cut \
             through corners",
            p.max_edge_error_vx
        ),
    })
}

fn too_many_corners(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    (MAX_TILE_VERTS_PER_POLY < s.verts_per_poly).then(|| Advice { key: "verts_per_poly", text: format!(
            "Detour's tiles hold at most {MAX_TILE_VERTS_PER_POLY} corners a polygon: there will be \
             polygons to look at, but no navmesh"
        ) })
}

fn samples_off(s: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    let applies = 0.0 < s.detail_sample_dist && p.detail_sample_dist <= 0.0;
    applies.then(|| Advice {
        key: "detail_sample_dist",
        text: "below 0.9 the ground's height is not sampled at all".to_owned(),
    })
}

fn sample_error_above_climb(s: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    let applies = 0 < p.walkable_climb_vx && s.agent_max_climb < p.detail_sample_max_error;
    applies.then(|| Advice {
        key: "detail_sample_max_error",
        text: format!(
            "the detail mesh may lie {:.2} m off the ground, more than the agent climbs",
            p.detail_sample_max_error
        ),
    })
}

fn ledges_off(s: &BakeSettings, _: &VoxelParams) -> Option<Advice> {
    let applies = !s.filter_ledge_spans && s.agent_radius <= 0.0;
    applies.then(|| Advice {
        key: "filter_ledge_spans",
        text: "without this filter and with a radius of 0, the navmesh sticks out over ledges"
            .to_owned(),
    })
}

fn tile_small_for_border(_: &BakeSettings, p: &VoxelParams) -> Option<Advice> {
    let (tile, border) = (p.tile_size_vx, p.border_vx);
    (0 < tile && tile < 2 * border).then(|| Advice { key: "tile_size", text: format!(
            "a tile of {tile} voxels has a border of {border} on each side, so most voxels are baked \
             more than twice; use {} or more",
            (4 * border).next_multiple_of(16)
        ) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(changes: &[(&str, &str)], expected: &[&str]) {
        let mut settings = BakeSettings::default();
        for (key, text) in changes {
            settings.set(key, text).unwrap();
        }
        let keys: Vec<_> = settings_advice(&settings).iter().map(|advice| advice.key).collect();
        assert_eq!(keys, expected, "{changes:?}");
    }

    #[test]
    fn sensible_settings_get_no_advice() {
        check(&[], &[]);
        check(&[("tile_size", "48")], &[]);
    }

    #[test]
    fn odd_combinations_are_named_at_their_setting() {
        check(&[("agent_radius", "0.2")], &["cell_size", "agent_radius"]);
        check(&[("agent_radius", "0")], &["agent_radius"]);
        check(&[("agent_radius", "5.5"), ("tile_size", "32")], &["cell_size", "tile_size"]);
        check(&[("agent_max_climb", "2.5")], &["agent_max_climb"]);
        check(
            &[("agent_max_climb", "0.1"), ("detail_sample_max_error", "0")],
            &["cell_height", "agent_max_climb"],
        );
        check(&[("agent_height", "60")], &["agent_height"]);
        check(
            &[("agent_height", "0.3"), ("agent_max_climb", "0.25")],
            &["agent_height", "agent_max_slope"],
        );
        check(&[("agent_max_slope", "0")], &["agent_max_slope"]);
        check(&[("agent_max_slope", "89")], &["agent_max_slope"]);
        check(&[("agent_max_slope", "75")], &["agent_max_slope"]);
        check(&[("region_merge_size", "2")], &["region_merge_size"]);
        check(&[("edge_max_len", "0.5")], &["edge_max_len"]);
        check(&[("edge_max_error", "3.5")], &["edge_max_error"]);
        check(&[("verts_per_poly", "8")], &["verts_per_poly"]);
        check(&[("detail_sample_dist", "0.5")], &["detail_sample_dist"]);
        check(&[("detail_sample_max_error", "5")], &["detail_sample_max_error"]);
        check(&[("tile_size", "8")], &["tile_size"]);
    }

    #[test]
    fn settings_that_cannot_be_baked_say_why() {
        let settings = BakeSettings { cell_size: f32::NAN, ..BakeSettings::default() };
        let advice = settings_advice(&settings);
        assert_eq!(advice.len(), 1);
        assert_eq!(advice[0].key, "cell_size");
    }
}
