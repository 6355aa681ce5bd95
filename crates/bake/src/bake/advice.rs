//! Settings that can be baked but are probably not what the designer wants.

use walkable_runtime::{
    diagnostic::{Degrees, Diagnostic, Finding, Location, Meters},
    navmesh::VERTS_PER_POLYGON,
};

use crate::bake::{BakeSettings, SettingsError, VoxelParams};

/// Open spans store at most this clearance. If the agent needs more, no two cells connect.
const MAX_CLEARANCE_VX: u32 = 255;

/// The key of a setting, and the finding about it.
type Advice = Option<(&'static str, Finding)>;

/// Returns combinations in `settings` that make little sense, in the order of the settings table. If the settings
/// cannot be baked at all, returns only the diagnostic with the reason.
pub fn settings_advice(settings: &BakeSettings) -> Vec<Diagnostic> {
    let at = |(key, finding): (&'static str, _)| {
        Diagnostic::new(finding).at(Location::Setting(key.into()))
    };
    let params = match VoxelParams::new(settings) {
        Ok(params) => params,
        Err(error) => {
            let refused = Finding::SettingsRefused { reason: error.to_string() };
            return vec![match error {
                SettingsError::OutOfRange { key, .. } => at((key, refused)),
                _ => refused.into(),
            }];
        }
    };
    let rules: &[fn(&BakeSettings, &VoxelParams) -> Advice] = &[
        cell_size_too_coarse,
        cell_size_wasteful,
        cell_height_above_climb,
        height_beyond_clearance,
        head_room_too_low,
        radius_zero,
        climb_zero,
        climb_not_below_height,
        slope_flat_or_any,
        climb_too_low_for_slope,
        min_above_merge,
        edge_shorter_than_cell,
        edge_error_large,
        too_many_vertices,
        samples_off,
        sample_error_above_climb,
        ledges_off,
        tile_small_for_border,
    ];
    rules.iter().filter_map(|rule| rule(settings, &params)).map(at).collect()
}

fn cell_size_too_coarse(s: &BakeSettings, _: &VoxelParams) -> Advice {
    let (cell, radius) = (Meters(s.cell_size), Meters(s.agent_radius));
    let most = Meters(s.agent_radius / 2.0);
    (0.0 < s.agent_radius && s.agent_radius < s.cell_size)
        .then_some(("cell_size", Finding::CellSizeTooCoarse { cell, radius, most }))
}

fn cell_size_wasteful(_: &BakeSettings, p: &VoxelParams) -> Advice {
    let voxels = p.walkable_radius_vx;
    (16 < voxels).then_some(("cell_size", Finding::CellSizeWasteful { voxels }))
}

fn cell_height_above_climb(s: &BakeSettings, p: &VoxelParams) -> Advice {
    let (cell, climb) = (Meters(s.cell_height), Meters(s.agent_max_climb));
    let most = Meters(s.agent_max_climb / 2.0);
    (p.walkable_climb_vx == 0 && 0.0 < s.agent_max_climb)
        .then_some(("cell_height", Finding::CellHeightAboveClimb { cell, climb, most }))
}

fn height_beyond_clearance(_: &BakeSettings, p: &VoxelParams) -> Advice {
    let (voxels, limit) = (p.walkable_height_vx, MAX_CLEARANCE_VX);
    (limit < voxels).then_some(("agent_height", Finding::HeightBeyondClearance { voxels, limit }))
}

fn head_room_too_low(_: &BakeSettings, p: &VoxelParams) -> Advice {
    let voxels = p.walkable_height_vx;
    (voxels < 3).then_some(("agent_height", Finding::HeightTooFewVoxels { voxels }))
}

fn radius_zero(s: &BakeSettings, _: &VoxelParams) -> Advice {
    (s.agent_radius <= 0.0).then_some(("agent_radius", Finding::RadiusZero {}))
}

fn climb_zero(s: &BakeSettings, _: &VoxelParams) -> Advice {
    (s.agent_max_climb <= 0.0).then_some(("agent_max_climb", Finding::ClimbZero {}))
}

fn climb_not_below_height(s: &BakeSettings, _: &VoxelParams) -> Advice {
    let (climb, height) = (Meters(s.agent_max_climb), Meters(s.agent_height));
    (s.agent_height <= s.agent_max_climb)
        .then_some(("agent_max_climb", Finding::ClimbNotBelowHeight { climb, height }))
}

fn slope_flat_or_any(s: &BakeSettings, _: &VoxelParams) -> Advice {
    if s.agent_max_slope <= 0.0 {
        return Some(("agent_max_slope", Finding::SlopeZero {}));
    }
    let slope = Degrees(s.agent_max_slope);
    (85.0 < s.agent_max_slope).then_some(("agent_max_slope", Finding::SlopeNearlyUpright { slope }))
}

/// A slope rises by `tan(slope)` cells per cell. If that exceeds the climb, the ledge filter removes it and cells on it
/// are not linked.
fn climb_too_low_for_slope(s: &BakeSettings, p: &VoxelParams) -> Advice {
    let rise = s.agent_max_slope.to_radians().tan() * s.cell_size;
    let applies = 0 < p.walkable_climb_vx && s.agent_max_slope <= 85.0 && p.climb() < rise;
    let (slope, rise, climb) = (Degrees(s.agent_max_slope), Meters(rise), Meters(p.climb()));
    applies.then_some(("agent_max_slope", Finding::ClimbTooLowForSlope { slope, rise, climb }))
}

fn min_above_merge(s: &BakeSettings, _: &VoxelParams) -> Advice {
    let (merge, min) = (s.region_merge_size, s.region_min_size);
    (merge < min).then_some(("region_merge_size", Finding::MergeBelowMinSize { merge, min }))
}

fn edge_shorter_than_cell(s: &BakeSettings, _: &VoxelParams) -> Advice {
    let length = Meters(s.edge_max_len);
    (0.0 < s.edge_max_len && s.edge_max_len < 4.0 * s.cell_size)
        .then_some(("edge_max_len", Finding::EdgesVeryShort { length }))
}

/// One voxel more than the radius is tolerated: the usual 1.3 with a radius of 1 works well.
fn edge_error_large(_: &BakeSettings, p: &VoxelParams) -> Advice {
    let (voxels, radius) = (p.max_edge_error_vx, p.walkable_radius_vx);
    (0 < radius && f64::from(radius) + 1.0 < f64::from(voxels))
        .then_some(("edge_max_error", Finding::EdgeErrorAboveRadius { voxels, radius }))
}

fn too_many_vertices(s: &BakeSettings, _: &VoxelParams) -> Advice {
    let (found, limit) = (s.verts_per_poly as usize, VERTS_PER_POLYGON);
    (limit < found).then_some(("verts_per_poly", Finding::TooManyVertsPerPoly { found, limit }))
}

fn samples_off(s: &BakeSettings, p: &VoxelParams) -> Advice {
    (0.0 < s.detail_sample_dist && p.detail_sample_dist <= 0.0)
        .then_some(("detail_sample_dist", Finding::DetailNotSampled {}))
}

fn sample_error_above_climb(s: &BakeSettings, p: &VoxelParams) -> Advice {
    let (error, climb) = (Meters(p.detail_sample_max_error), Meters(s.agent_max_climb));
    (0 < p.walkable_climb_vx && s.agent_max_climb < p.detail_sample_max_error)
        .then_some(("detail_sample_max_error", Finding::DetailErrorAboveClimb { error, climb }))
}

fn ledges_off(s: &BakeSettings, _: &VoxelParams) -> Advice {
    (!s.filter_ledge_spans && s.agent_radius <= 0.0)
        .then_some(("filter_ledge_spans", Finding::LedgesUnfiltered {}))
}

fn tile_small_for_border(_: &BakeSettings, p: &VoxelParams) -> Advice {
    let (tile, border) = (p.tile_size_vx, p.border_vx);
    let least = (4 * border).next_multiple_of(16);
    (0 < tile && tile < 2 * border)
        .then_some(("tile_size", Finding::TileSmallForBorder { tile, border, least }))
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
        let advice = settings_advice(&settings);
        let keys: Vec<_> = advice.iter().filter_map(Diagnostic::setting).collect();
        assert_eq!(keys, expected, "{changes:?}");
    }

    #[test]
    fn sensible_settings_get_no_advice() {
        check(&[], &[]);
        check(&[("tile_size", "48")], &[]);
    }

    #[test]
    fn odd_combinations_are_named_at_their_setting() {
        check(&[("agent_radius", "0.2")], &["cell_size"]);
        check(&[("agent_radius", "0")], &["agent_radius"]);
        check(&[("agent_radius", "5.5"), ("tile_size", "32")], &["cell_size", "tile_size"]);
        check(&[("agent_max_climb", "0")], &["agent_max_climb"]);
        check(&[("agent_max_climb", "2.5")], &["agent_max_climb"]);
        check(&[("agent_max_climb", "0.1"), ("detail_sample_max_error", "0")], &["cell_height"]);
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
        assert_eq!(advice[0].setting(), Some("cell_size"));
    }
}
