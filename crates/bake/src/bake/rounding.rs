//! Settings after rounding to voxels, for display: "0.9 m → 4 voxels = 0.8 m".

use std::fmt;

use crate::bake::{BakeSettings, VoxelParams, voxel_params::meters};

/// A setting after rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantized {
    /// The value in `voxel_unit`.
    pub voxels: f32,
    /// Unit of `voxels`: `"voxels"` or, for an area, `"cells"`.
    pub voxel_unit: &'static str,
    /// The same value in `world_unit`.
    pub world: f32,
    /// `"m"` or, for an area, `"m²"`.
    pub world_unit: &'static str,
}

impl Quantized {
    /// Returns the value in voxels with its unit, such as `4 voxels`.
    pub fn in_voxels(&self) -> String {
        // One voxel, but 1.5 voxels.
        let one = (self.voxels - 1.0).abs() < f32::EPSILON;
        let unit = if one { self.voxel_unit.trim_end_matches('s') } else { self.voxel_unit };
        format!("{} {unit}", short(self.voxels))
    }
}

impl fmt::Display for Quantized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} {}", self.in_voxels(), short(self.world), self.world_unit)
    }
}

/// Formats `value` with at most three decimals and no trailing zeros.
fn short(value: f32) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the setting `key` after rounding; `None` if the setting is not rounded, its value means "off", or `settings`
/// are not valid.
pub fn quantized(settings: &BakeSettings, key: &str) -> Option<Quantized> {
    let params = VoxelParams::new(settings).ok()?;
    let (cs, ch) = (params.cell_size, params.cell_height);
    let length = |voxels: f32, meters: f32| Quantized {
        voxels,
        voxel_unit: "voxels",
        world: meters,
        world_unit: "m",
    };
    let whole = |voxels: u32, cell: f32| length(count(voxels), count(voxels) * cell);
    let area = |cells: u32| Quantized {
        voxels: count(cells),
        voxel_unit: "cells",
        world: count(cells) * cs * cs,
        world_unit: "m\u{b2}",
    };
    match key {
        "agent_height" => Some(whole(params.walkable_height_vx, ch)),
        "agent_radius" => Some(whole(params.walkable_radius_vx, cs)),
        "agent_max_climb" => Some(whole(params.walkable_climb_vx, ch)),
        "region_min_size" => Some(area(params.min_region_area_vx)),
        "region_merge_size" => Some(area(params.merge_region_area_vx)),
        "edge_max_len" if params.max_edge_len_vx > 0 => Some(whole(params.max_edge_len_vx, cs)),
        "edge_max_error" => Some(length(params.max_edge_error_vx, params.max_edge_error_vx * cs)),
        "detail_sample_dist" if params.detail_sample_dist > 0.0 => {
            Some(length(settings.detail_sample_dist, params.detail_sample_dist))
        }
        "detail_sample_max_error" => {
            Some(length(settings.detail_sample_max_error, params.detail_sample_max_error))
        }
        "tile_size" if params.tile_size_vx > 0 => Some(whole(params.tile_size_vx, cs)),
        _ => None,
    }
}

fn count(n: u32) -> f32 {
    meters(n, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(key: &str, text: &str, expected: Option<&str>) {
        let mut settings = BakeSettings::default();
        settings.set(key, text).unwrap();
        let shown = quantized(&settings, key).map(|quantized| quantized.to_string());
        assert_eq!(shown.as_deref(), expected, "{key}={text}");
    }

    #[test]
    fn shows_the_rounding() {
        check("agent_max_climb", "0.9", Some("4 voxels = 0.8 m"));
        check("agent_max_climb", "0.2", Some("1 voxel = 0.2 m"));
        check("agent_height", "1.9", Some("10 voxels = 2 m"));
        check("agent_radius", "0.61", Some("3 voxels = 0.9 m"));
        check("region_min_size", "8", Some("64 cells = 5.76 m\u{b2}"));
        check("edge_max_len", "12", Some("40 voxels = 12 m"));
        check("edge_max_len", "0", None);
        check("edge_max_error", "1.5", Some("1.5 voxels = 0.45 m"));
        check("detail_sample_dist", "6", Some("6 voxels = 1.8 m"));
        check("detail_sample_dist", "0.5", None);
        check("tile_size", "48", Some("48 voxels = 14.4 m"));
        check("tile_size", "0", None);
        check("cell_size", "0.3", None);
    }
}
