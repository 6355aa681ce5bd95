use std::borrow::Cow;

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The method that groups spans into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Partition {
    /// The basins of the distance field: best polygons, slowest.
    #[default]
    Watershed,
    /// Sweeps over rows: fastest, long thin polygons.
    Monotone,
    /// Sweeps over rows without overlaps: fast, good for small tiles.
    Layers,
}

/// The width of polygon references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefBits {
    /// 32 bits if tiles and polygons fit, else 64.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// 32 bits, Detour's default.
    #[serde(rename = "32")]
    Narrow,
    /// 64 bits: for Detour built with `DT_POLYREF64`.
    #[serde(rename = "64")]
    Wide,
}

/// The settings of a bake: the agent and the grid, in meters and degrees unless noted otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each filter is on or off on its own")]
pub struct BakeSettings {
    /// Side of a voxel along x and z, in meters.
    pub cell_size: f32,
    /// Height of a voxel, in meters.
    pub cell_height: f32,
    /// Clearance that the agent needs, in meters.
    pub agent_height: f32,
    /// Distance that the agent keeps from walls and ledges, in meters.
    pub agent_radius: f32,
    /// Highest step that the agent climbs, in meters.
    pub agent_max_climb: f32,
    /// Steepest slope that the agent walks, in degrees.
    pub agent_max_slope: f32,
    /// Isolated regions smaller than a square with this side, in voxels, are removed.
    pub region_min_size: f32,
    /// Regions smaller than a square with this side, in voxels, are merged into a neighbor.
    pub region_merge_size: f32,
    /// Longest polygon edge along walls, in meters; 0 for no limit.
    pub edge_max_len: f32,
    /// Maximum deviation of a simplified contour, in voxels.
    pub edge_max_error: f32,
    /// Maximum number of vertices of a polygon, 3 to 12; tile data holds up to 6.
    pub verts_per_poly: u32,
    /// Distance between height samples, in voxels; below 0.9 for no samples.
    pub detail_sample_dist: f32,
    /// Maximum deviation of the detail mesh from the ground, in voxels of height.
    pub detail_sample_max_error: f32,
    /// The method that groups spans into regions.
    pub partition: Partition,
    /// Lets the agent step onto low obstacles.
    pub filter_low_hanging_obstacles: bool,
    /// Keeps the agent off ledges.
    pub filter_ledge_spans: bool,
    /// Keeps the agent out of spaces that are too low to stand in.
    pub filter_low_height_spans: bool,
    /// Smooths the borders between areas.
    pub filter_median: bool,
    /// Side of a tile, in voxels; 0 for a solo mesh.
    pub tile_size: u32,
    /// Whether the grid of a bake in one piece is that of the whole level even if boxes limit the bake.
    pub keep_grid: bool,
    /// Minimum of the grid, in meters; `None`, in JSON `"auto"`, for that of the level.
    #[serde(with = "place_or_auto")]
    pub origin: Option<Vec3>,
    /// Height of the grid above its minimum, in meters; 0 for that of the level.
    pub world_height: f32,
    /// Width of references.
    pub refs: RefBits,
}

impl Default for BakeSettings {
    /// Returns RecastDemo's values.
    fn default() -> Self {
        Self {
            cell_size: 0.3,
            cell_height: 0.2,
            agent_height: 2.0,
            agent_radius: 0.6,
            agent_max_climb: 0.9,
            agent_max_slope: 45.0,
            region_min_size: 8.0,
            region_merge_size: 20.0,
            edge_max_len: 12.0,
            edge_max_error: 1.3,
            verts_per_poly: 6,
            detail_sample_dist: 6.0,
            detail_sample_max_error: 1.0,
            partition: Partition::Watershed,
            filter_low_hanging_obstacles: true,
            filter_ledge_spans: true,
            filter_low_height_spans: true,
            filter_median: false,
            tile_size: 0,
            keep_grid: false,
            origin: None,
            world_height: 0.0,
            refs: RefBits::Auto,
        }
    }
}

/// Serializes positions: three numbers, or `"auto"` for `None`, because null stands for an infinite number.
mod place_or_auto {
    use glam::Vec3;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Text {
        Place(Vec3),
        Automatic(Automatic),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Automatic {
        Auto,
    }

    #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(super) fn serialize<S: Serializer>(place: &Option<Vec3>, to: S) -> Result<S::Ok, S::Error> {
        place.map_or(Text::Automatic(Automatic::Auto), Text::Place).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Vec3>, D::Error> {
        Ok(match Text::deserialize(from)? {
            Text::Place(place) => Some(place),
            Text::Automatic(Automatic::Auto) => None,
        })
    }
}

/// Maximum number of characters of a file that a message quotes.
const SHOWN_CHARS: usize = 80;

/// Shortens a text for a message: a line of a file can be as long as the file.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Why settings are invalid or cannot be parsed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A number is out of range or not finite.
    #[error("{key} is {value}, but must be between {min} and {max}")]
    OutOfRange {
        /// Name of the setting.
        key: &'static str,
        /// The value.
        value: f64,
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
    /// No setting has that name.
    #[error("there is no setting `{}`", shown(key))]
    UnknownKey {
        /// The name that was given.
        key: String,
    },
    /// The text does not have the setting's kind.
    #[error("{key} takes {expected}, not `{}`", shown(text))]
    Malformed {
        /// Name of the setting.
        key: &'static str,
        /// The text.
        text: String,
        /// The expected form.
        expected: String,
    },
    /// The value has the wrong kind.
    #[error("{key} takes {expected}")]
    WrongKind {
        /// Name of the setting.
        key: &'static str,
        /// The expected kind.
        expected: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_set(key: &str, text: &str, changed: impl FnOnce(&mut BakeSettings)) {
        let mut expected = BakeSettings::default();
        changed(&mut expected);
        let mut settings = BakeSettings::default();
        settings.set(key, text).unwrap();
        assert_eq!(settings, expected);
    }

    #[test]
    fn sets_each_kind_from_text() {
        check_set("cell_size", " 0.25 ", |s| s.cell_size = 0.25);
        check_set("agent_height", "1.2", |s| s.agent_height = 1.2);
        check_set("tile_size", "48", |s| s.tile_size = 48);
        check_set("partition", "monotone", |s| s.partition = Partition::Monotone);
        check_set("partition", "2", |s| s.partition = Partition::Layers);
        check_set("refs", "64", |s| s.refs = RefBits::Wide);
        check_set("origin", "-1.5, 0,1e2", |s| s.origin = Some(Vec3::new(-1.5, 0.0, 100.0)));
        check_set("origin", "auto", |_| ());
        check_set("filter_ledge_spans", "0", |s| s.filter_ledge_spans = false);
        check_set("filter_low_height_spans", "off", |s| s.filter_low_height_spans = false);
    }

    #[track_caller]
    fn check_refused(key: &str, text: &str, message: &str) {
        let mut settings = BakeSettings::default();
        assert_eq!(settings.set(key, text).unwrap_err().to_string(), message);
        assert_eq!(settings, BakeSettings::default());
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        check_refused("cell", "1", "there is no setting `cell`");
        check_refused("cell_size", "big", "cell_size takes a number, not `big`");
        check_refused("cell_size", "nan", "cell_size is NaN, but must be between 0.001 and 1000");
        check_refused("cell_size", "0", "cell_size is 0, but must be between 0.001 and 1000");
        check_refused("tile_size", "1.5", "tile_size takes a whole number, not `1.5`");
        check_refused("verts_per_poly", "13", "verts_per_poly is 13, but must be between 3 and 12");
        check_refused(
            "partition",
            "rows",
            "partition takes watershed, monotone or layers, not `rows`",
        );
        for bad in ["0,0", "0,0,0,0", "a,b,c", ""] {
            let message = format!("origin takes auto or three numbers x,y,z, not `{bad}`");
            check_refused("origin", bad, &message);
        }
        let range = "but must be between -1000000 and 1000000";
        check_refused("origin", "0,2e6,0", &format!("origin is 2000000, {range}"));
        check_refused("origin", "0,0,nan", &format!("origin is NaN, {range}"));
        check_refused("filter_ledge_spans", "2", "filter_ledge_spans takes 1 or 0, not `2`");
    }

    #[test]
    fn the_origin_is_auto_or_a_place_in_json() {
        for (origin, json) in [(None, "\"auto\""), (Some(Vec3::NEG_X), "[-1.0,0.0,0.0]")] {
            let settings = BakeSettings { origin, ..BakeSettings::default() };
            let text = serde_json::to_string(&settings).unwrap();
            assert!(text.contains(&format!("\"origin\":{json},")), "{text}");
            assert_eq!(serde_json::from_str::<BakeSettings>(&text).unwrap(), settings);
        }
        for bad in ["null", "\"level\"", "[1,2]"] {
            let text = format!("{{\"origin\":{bad}}}");
            assert!(serde_json::from_str::<BakeSettings>(&text).is_err(), "{bad}");
        }
    }

    #[test]
    fn validates_every_number() {
        assert_eq!(BakeSettings::default().validate(), Ok(()));
        let settings = BakeSettings { agent_radius: f32::INFINITY, ..BakeSettings::default() };
        assert!(matches!(
            settings.validate(),
            Err(SettingsError::OutOfRange { key: "agent_radius", .. })
        ));
    }
}
