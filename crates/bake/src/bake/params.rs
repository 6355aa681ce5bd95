//! The table of all settings with their names, meanings and limits. The settings panel, settings files, the command
//! line and validation all use it.

use glam::Vec3;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::bake::{BakeSettings, Partition, RefBits, SettingsError};

/// The group of a setting in the settings panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ParamGroup {
    /// The agent.
    Agent,
    /// The resolution of the voxel grid.
    Voxels,
    /// The partition of walkable ground.
    Regions,
    /// The simplification of contours to polygons.
    Polygons,
    /// The height detail of polygons.
    Detail,
    /// Walkability filters other than the slope.
    Filters,
    /// The division into tiles.
    Tiles,
}

impl ParamGroup {
    /// All groups in display order.
    pub const ALL: [Self; 7] = [
        Self::Agent,
        Self::Voxels,
        Self::Regions,
        Self::Polygons,
        Self::Detail,
        Self::Filters,
        Self::Tiles,
    ];

    /// Returns the heading of the group.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Agent => "Agent",
            Self::Voxels => "Voxels",
            Self::Regions => "Regions",
            Self::Polygons => "Polygons",
            Self::Detail => "Detail",
            Self::Filters => "Filters",
            Self::Tiles => "Tiles",
        }
    }
}

/// An option of a [`ParamKind::Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamChoice {
    /// Name in files.
    pub key: &'static str,
    /// Display name.
    pub label: &'static str,
}

/// The type and range of a setting. Sliders cover the useful range, limits the valid one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// A number.
    Float {
        /// Range of the slider.
        slider: [f32; 2],
        /// Step of the slider.
        step: f32,
        /// Minimum and maximum valid value.
        limits: [f32; 2],
    },
    /// A whole number.
    Integer {
        /// Range of the slider.
        slider: [u32; 2],
        /// Step of the slider.
        step: u32,
        /// Minimum and maximum valid value.
        limits: [u32; 2],
    },
    /// One of a list.
    Choice(&'static [ParamChoice]),
    /// On or off.
    Switch,
    /// A position in the world, or automatic.
    Place {
        /// Minimum and maximum valid coordinate, in meters.
        limits: [f32; 2],
    },
}

/// The key of a setting. [`Param::deserialize_key`] reads it.
pub type ParamKey = &'static str;

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamValue {
    /// A number.
    Float(f32),
    /// A whole number.
    Integer(u32),
    /// Index in the list of choices.
    Choice(usize),
    /// On or off.
    Switch(bool),
    /// A position, in meters; `None` for automatic.
    Place(Option<Vec3>),
}

/// Metadata of one setting.
#[derive(Debug)]
pub struct Param {
    /// Name in files and on the command line.
    pub key: &'static str,
    /// Display name.
    pub label: &'static str,
    /// Group in the settings panel.
    pub group: ParamGroup,
    /// Unit of the value; empty if it has none.
    pub unit: &'static str,
    /// What the value 0 means, such as `no limit`; empty if 0 is a value like any other.
    pub zero: &'static str,
    /// Type and range.
    pub kind: ParamKind,
    /// Description.
    pub tooltip: &'static str,
    field: Field,
}

/// Accesses the field of [`BakeSettings`] that a setting stands for.
#[derive(Clone, Copy, Debug)]
enum Field {
    Float(fn(&mut BakeSettings) -> &mut f32),
    Integer(fn(&mut BakeSettings) -> &mut u32),
    Partition(fn(&mut BakeSettings) -> &mut Partition),
    RefBits(fn(&mut BakeSettings) -> &mut RefBits),
    Switch(fn(&mut BakeSettings) -> &mut bool),
    Place(fn(&mut BakeSettings) -> &mut Option<Vec3>),
}

impl Param {
    /// Returns the setting named `key`.
    ///
    /// # Errors
    /// Returns [`SettingsError::UnknownKey`] if there is none.
    pub fn find(key: &str) -> Result<&'static Self, SettingsError> {
        PARAMS
            .iter()
            .find(|param| param.key == key)
            .ok_or_else(|| SettingsError::UnknownKey { key: key.to_owned() })
    }

    /// Reads the key of a setting, for serialized types with such a field.
    ///
    /// # Errors
    /// Returns an error unless there is a setting with that key.
    pub fn deserialize_key<'de, D: Deserializer<'de>>(from: D) -> Result<ParamKey, D::Error> {
        let key = String::deserialize(from)?;
        Self::find(&key).map(|param| param.key).map_err(D::Error::custom)
    }

    /// Returns the value of the setting in `settings`.
    pub fn get(&self, settings: &BakeSettings) -> ParamValue {
        // The accessors return `&mut`; cloning is cheap and avoids a second set of accessors.
        let mut settings = settings.clone();
        match self.field {
            Field::Float(of) => ParamValue::Float(*of(&mut settings)),
            Field::Integer(of) => ParamValue::Integer(*of(&mut settings)),
            Field::Partition(of) => choice_of(&PARTITIONS, of(&mut settings)),
            Field::RefBits(of) => choice_of(&REF_BITS, of(&mut settings)),
            Field::Switch(of) => ParamValue::Switch(*of(&mut settings)),
            Field::Place(of) => ParamValue::Place(*of(&mut settings)),
        }
    }

    /// Sets the value of the setting in `settings`. On error nothing changes.
    ///
    /// # Errors
    /// Returns a [`SettingsError`] if the value has the wrong kind or is out of range.
    pub fn set(&self, settings: &mut BakeSettings, value: ParamValue) -> Result<(), SettingsError> {
        self.check(value)?;
        match (self.field, value) {
            (Field::Float(of), ParamValue::Float(value)) => *of(settings) = value,
            (Field::Integer(of), ParamValue::Integer(value)) => *of(settings) = value,
            (Field::Switch(of), ParamValue::Switch(value)) => *of(settings) = value,
            (Field::Place(of), ParamValue::Place(value)) => *of(settings) = value,
            (Field::Partition(of), ParamValue::Choice(index)) => {
                *of(settings) = PARTITIONS.get(index).ok_or_else(|| self.wrong_kind())?.0;
            }
            (Field::RefBits(of), ParamValue::Choice(index)) => {
                *of(settings) = REF_BITS.get(index).ok_or_else(|| self.wrong_kind())?.0;
            }
            _ => return Err(self.wrong_kind()),
        }
        Ok(())
    }

    /// Returns the default value, which is RecastDemo's.
    pub fn default_value(&self) -> ParamValue {
        self.get(&BakeSettings::default())
    }

    /// Parses a value.
    ///
    /// # Errors
    /// Returns [`SettingsError::Malformed`] if the text is not a value of this setting's kind. The range is not
    /// checked.
    pub fn parse(&self, text: &str) -> Result<ParamValue, SettingsError> {
        let text = text.trim();
        let value = match self.kind {
            ParamKind::Float { .. } => text.parse().ok().map(ParamValue::Float),
            ParamKind::Integer { .. } => text.parse().ok().map(ParamValue::Integer),
            ParamKind::Choice(choices) => choices
                .iter()
                .position(|choice| choice.key == text)
                .or_else(|| text.parse().ok().filter(|&index: &usize| index < choices.len()))
                .map(ParamValue::Choice),
            ParamKind::Switch => match text {
                "1" | "true" | "on" => Some(ParamValue::Switch(true)),
                "0" | "false" | "off" => Some(ParamValue::Switch(false)),
                _ => None,
            },
            ParamKind::Place { .. } if text == AUTOMATIC => Some(ParamValue::Place(None)),
            ParamKind::Place { .. } => place(text).map(|place| ParamValue::Place(Some(place))),
        };
        value.ok_or_else(|| SettingsError::Malformed {
            key: self.key,
            text: text.to_owned(),
            expected: self.expected(),
        })
    }

    /// Formats `value` so that [`Param::parse`] returns the same value.
    pub fn format(&self, value: ParamValue) -> String {
        match (value, self.kind) {
            (ParamValue::Float(value), _) => value.to_string(),
            (ParamValue::Integer(value), _) => value.to_string(),
            (ParamValue::Switch(on), _) => u8::from(on).to_string(),
            (ParamValue::Place(None), _) => AUTOMATIC.to_owned(),
            (ParamValue::Place(Some(Vec3 { x, y, z })), _) => format!("{x},{y},{z}"),
            (ParamValue::Choice(index), ParamKind::Choice(choices)) if index < choices.len() => {
                choices[index].key.to_owned()
            }
            (ParamValue::Choice(index), _) => index.to_string(),
        }
    }

    /// Checks the kind and range of `value`.
    ///
    /// # Errors
    /// Returns [`SettingsError::OutOfRange`] or [`SettingsError::WrongKind`].
    pub fn check(&self, value: ParamValue) -> Result<(), SettingsError> {
        let (value, [min, max]) = match (self.kind, value) {
            // Values have the same order as the shown ones.
            (ParamKind::Float { limits: [min, max], .. }, ParamValue::Float(value))
                if min <= value && value <= max =>
            {
                return Ok(());
            }
            (ParamKind::Float { limits, .. }, ParamValue::Float(value)) => {
                (as_shown(value), limits.map(as_shown))
            }
            (ParamKind::Integer { limits, .. }, ParamValue::Integer(value)) => {
                (f64::from(value), limits.map(f64::from))
            }
            (ParamKind::Choice(choices), ParamValue::Choice(index)) if index < choices.len() => {
                return Ok(());
            }
            (ParamKind::Switch, ParamValue::Switch(_)) => return Ok(()),
            (ParamKind::Place { limits }, ParamValue::Place(place)) => {
                let limits = limits.map(as_shown);
                let coordinates = place.map(|place| place.to_array()).unwrap_or_default();
                // Only the first coordinate out of range is reported.
                let value = coordinates.map(as_shown).into_iter().find(|&c| !is_within(c, limits));
                (value.unwrap_or_default(), limits)
            }
            _ => return Err(self.wrong_kind()),
        };
        if is_within(value, [min, max]) {
            return Ok(());
        }
        Err(SettingsError::OutOfRange { key: self.key, value, min, max })
    }

    fn expected(&self) -> String {
        match self.kind {
            ParamKind::Float { .. } => "a number".to_owned(),
            ParamKind::Integer { .. } => "a whole number".to_owned(),
            ParamKind::Switch => "1 or 0".to_owned(),
            ParamKind::Place { .. } => format!("{AUTOMATIC} or three numbers x,y,z"),
            ParamKind::Choice(choices) => {
                let keys: Vec<_> = choices.iter().map(|choice| choice.key).collect();
                match keys.split_last() {
                    Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
                    None => "nothing".to_owned(),
                }
            }
        }
    }

    fn wrong_kind(&self) -> SettingsError {
        SettingsError::WrongKind { key: self.key, expected: self.expected() }
    }
}

/// Stands for an automatic position.
const AUTOMATIC: &str = "auto";

/// Parses three numbers separated by commas.
fn place(text: &str) -> Option<Vec3> {
    let mut numbers = text.split(',').map(|number| number.trim().parse().ok());
    let place = Vec3::new(numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(place)
}

/// Returns whether a number is within the limits; false for NaN.
fn is_within(value: f64, [min, max]: [f64; 2]) -> bool {
    min <= value && value <= max
}

/// Returns the `f64` that prints like `value`: 0.3 instead of 0.30000001192092896.
fn as_shown(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

const PARTITIONS: [(Partition, ParamChoice); 3] = [
    (Partition::Watershed, ParamChoice { key: "watershed", label: "Watershed" }),
    (Partition::Monotone, ParamChoice { key: "monotone", label: "Monotone" }),
    (Partition::Layers, ParamChoice { key: "layers", label: "Layers" }),
];

const PARTITION_CHOICES: [ParamChoice; 3] = [PARTITIONS[0].1, PARTITIONS[1].1, PARTITIONS[2].1];

const REF_BITS: [(RefBits, ParamChoice); 3] = [
    (RefBits::Auto, ParamChoice { key: "auto", label: "Automatic" }),
    (RefBits::Narrow, ParamChoice { key: "32", label: "32 bits" }),
    (RefBits::Wide, ParamChoice { key: "64", label: "64 bits" }),
];

const REF_BITS_CHOICES: [ParamChoice; 3] = [REF_BITS[0].1, REF_BITS[1].1, REF_BITS[2].1];

/// Returns the index of `value` in its list of choices.
fn choice_of<T: PartialEq>(choices: &[(T, ParamChoice)], value: &T) -> ParamValue {
    ParamValue::Choice(choices.iter().position(|(choice, _)| choice == value).unwrap_or(0))
}

const fn float(slider: [f32; 2], step: f32, limits: [f32; 2]) -> ParamKind {
    ParamKind::Float { slider, step, limits }
}

/// All settings, in the order of settings files, which within a group is also the order of the panel.
pub const PARAMS: &[Param] = &[
    Param {
        key: "cell_size",
        label: "Cell size",
        group: ParamGroup::Voxels,
        unit: "m",
        zero: "",
        kind: float([0.1, 1.0], 0.01, [0.001, 1000.0]),
        tooltip: "Side of a voxel seen from above. Halving it finds gaps and doorways half as wide, \
                  and takes about four times the time and memory. A third to a half of the agent's \
                  radius is a good start",
        field: Field::Float(|s| &mut s.cell_size),
    },
    Param {
        key: "cell_height",
        label: "Cell height",
        group: ParamGroup::Voxels,
        unit: "m",
        zero: "",
        kind: float([0.1, 1.0], 0.01, [0.001, 1000.0]),
        tooltip: "Height of a voxel. Steps, head room and ground height are no more precise than \
        this. Keep it well below the highest step the agent climbs",
        field: Field::Float(|s| &mut s.cell_height),
    },
    Param {
        key: "agent_height",
        label: "Height",
        group: ParamGroup::Agent,
        unit: "m",
        zero: "",
        kind: float([0.1, 5.0], 0.1, [0.0, 10_000.0]),
        tooltip: "Head room the agent needs. There is no navmesh under ceilings, beams or stairs \
        lower than this. Rounded up to whole voxels",
        field: Field::Float(|s| &mut s.agent_height),
    },
    Param {
        key: "agent_radius",
        label: "Radius",
        group: ParamGroup::Agent,
        unit: "m",
        zero: "",
        kind: float([0.0, 5.0], 0.05, [0.0, 10_000.0]),
        tooltip: "How far the agent's center keeps from walls and ledges. Doorways narrower than \
                  twice this close. Rounded up to whole voxels; 0 lets the navmesh touch the walls",
        field: Field::Float(|s| &mut s.agent_radius),
    },
    Param {
        key: "agent_max_climb",
        label: "Max climb",
        group: ParamGroup::Agent,
        unit: "m",
        zero: "",
        kind: float([0.1, 5.0], 0.1, [0.0, 10_000.0]),
        tooltip: "Highest step up or down the agent takes. Stairs with higher steps and curbs above this split the navmesh. Rounded down to whole voxels",
        field: Field::Float(|s| &mut s.agent_max_climb),
    },
    Param {
        key: "agent_max_slope",
        label: "Max slope",
        group: ParamGroup::Agent,
        unit: "\u{b0}",
        zero: "",
        kind: float([0.0, 90.0], 1.0, [0.0, 90.0]),
        tooltip: "Steepest ground the agent walks on. Triangles as steep as this or steeper carry \
                  no navmesh",
        field: Field::Float(|s| &mut s.agent_max_slope),
    },
    Param {
        key: "region_min_size",
        label: "Min region size",
        group: ParamGroup::Regions,
        unit: "voxels",
        zero: "everything kept",
        kind: float([0.0, 150.0], 1.0, [0.0, 40_000.0]),
        tooltip: "Side of the smallest patch of ground worth keeping. Unconnected patches with a \
                  smaller area, such as table tops and crates, get no navmesh; patches at a tile's \
                  border stay. 0 keeps everything",
        field: Field::Float(|s| &mut s.region_min_size),
    },
    Param {
        key: "region_merge_size",
        label: "Merged region size",
        group: ParamGroup::Regions,
        unit: "voxels",
        zero: "",
        kind: float([0.0, 150.0], 1.0, [0.0, 40_000.0]),
        tooltip: "Regions with less area than a square of this side are merged into a neighbor \
                  where that is possible. Larger values give fewer, larger polygons",
        field: Field::Float(|s| &mut s.region_merge_size),
    },
    Param {
        key: "edge_max_len",
        label: "Max edge length",
        group: ParamGroup::Polygons,
        unit: "m",
        zero: "no limit",
        kind: float([0.0, 50.0], 1.0, [0.0, 1_000_000.0]),
        tooltip: "Longest edge along walls and ledges; longer ones are split. Shorter edges avoid \
                  long thin polygons and cost more of them. 0 for no limit",
        field: Field::Float(|s| &mut s.edge_max_len),
    },
    Param {
        key: "edge_max_error",
        label: "Max edge error",
        group: ParamGroup::Polygons,
        unit: "voxels",
        zero: "",
        kind: float([0.1, 3.0], 0.1, [0.0, 10_000.0]),
        tooltip: "How far an outline may stray from the voxels when it is simplified. Low values \
                  follow every stair step of the voxels, high ones cut corners",
        field: Field::Float(|s| &mut s.edge_max_error),
    },
    Param {
        key: "verts_per_poly",
        label: "Verts per poly",
        group: ParamGroup::Polygons,
        unit: "",
        zero: "",
        kind: ParamKind::Integer { slider: [3, 12], step: 1, limits: [3, 12] },
        tooltip: "Most corners of a polygon. More corners mean fewer polygons and faster paths. \
                  Detour's tiles hold at most 6: above that there is no navmesh and no export",
        field: Field::Integer(|s| &mut s.verts_per_poly),
    },
    Param {
        key: "detail_sample_dist",
        label: "Sample distance",
        group: ParamGroup::Detail,
        unit: "voxels",
        zero: "not sampled",
        kind: float([0.0, 16.0], 0.1, [0.0, 10_000.0]),
        tooltip: "How far apart the ground's height is sampled inside a polygon. Smaller follows \
                  hills more closely and takes longer. Below 0.9 nothing is sampled",
        field: Field::Float(|s| &mut s.detail_sample_dist),
    },
    Param {
        key: "detail_sample_max_error",
        label: "Max sample error",
        group: ParamGroup::Detail,
        unit: "voxels",
        zero: "",
        kind: float([0.0, 16.0], 0.1, [0.0, 10_000.0]),
        tooltip: "How far, in voxels of height, the detail mesh may lie above or below the ground \
                  before a sample is added to it",
        field: Field::Float(|s| &mut s.detail_sample_max_error),
    },
    Param {
        key: "partition",
        label: "Partitioning",
        group: ParamGroup::Regions,
        unit: "",
        zero: "",
        kind: ParamKind::Choice(&PARTITION_CHOICES),
        tooltip: "Method that splits the ground into regions. Watershed gives the best polygons \
        and is the slowest; monotone is the fastest and gives long thin polygons; layers is in \
        between and suits small tiles",
        field: Field::Partition(|s| &mut s.partition),
    },
    Param {
        key: "filter_low_hanging_obstacles",
        label: "Low hanging obstacles",
        group: ParamGroup::Filters,
        unit: "",
        zero: "",
        kind: ParamKind::Switch,
        tooltip: "Lets the agent step onto steep or small things no higher than its climb, such as curbs and the edges of stairs",
        field: Field::Switch(|s| &mut s.filter_low_hanging_obstacles),
    },
    Param {
        key: "filter_ledge_spans",
        label: "Ledge spans",
        group: ParamGroup::Filters,
        unit: "",
        zero: "",
        kind: ParamKind::Switch,
        tooltip: "Keeps the agent off the last voxel before a drop deeper than its climb, and off \
                  ground that is too steep once sampled",
        field: Field::Switch(|s| &mut s.filter_ledge_spans),
    },
    Param {
        key: "filter_low_height_spans",
        label: "Low height spans",
        group: ParamGroup::Filters,
        unit: "",
        zero: "",
        kind: ParamKind::Switch,
        tooltip: "Keeps the agent out of places where it cannot stand upright",
        field: Field::Switch(|s| &mut s.filter_low_height_spans),
    },
    Param {
        key: "filter_median",
        label: "Median of areas",
        group: ParamGroup::Filters,
        unit: "",
        zero: "",
        kind: ParamKind::Switch,
        tooltip: "After volumes are painted, gives each walkable voxel the median of its own area \
        and those of its eight neighbors. Removes specks and ragged borders between areas, which \
        saves polygons. Ground that is not walkable stays so",
        field: Field::Switch(|s| &mut s.filter_median),
    },
    Param {
        key: "tile_size",
        label: "Tile size",
        group: ParamGroup::Tiles,
        unit: "voxels",
        zero: "one piece",
        kind: ParamKind::Integer { slider: [0, 1024], step: 16, limits: [0, 60_000] },
        tooltip: "Side of a tile. Tiles bake in parallel, and after a change only the changed \
        tiles bake; small tiles cost more seams, polygons and border voxels. 0 bakes the level in \
        one piece",
        field: Field::Integer(|s| &mut s.tile_size),
    },
    Param {
        key: "keep_grid",
        label: "Keep grid",
        group: ParamGroup::Tiles,
        unit: "",
        zero: "",
        kind: ParamKind::Switch,
        tooltip: "If a level is baked in one piece and limited by boxes, its grid has the size of \
        the boxes, which takes less time and memory. Switched on, the grid has the size of the \
        whole level, so that bakes with and without boxes have the same origin. Tiles always keep \
        their grid",
        field: Field::Switch(|s| &mut s.keep_grid),
    },
    Param {
        key: "origin",
        label: "Grid origin",
        group: ParamGroup::Tiles,
        unit: "m",
        zero: "",
        kind: ParamKind::Place { limits: [-1e6, 1e6] },
        tooltip: "Lowest corner of the grid of voxels and tiles, x,y,z. Automatic takes the \
        lowest corner of the level, so all tiles move when the level grows to the sides or \
        downwards. Ground beyond the corner is not baked; the bake warns about it",
        field: Field::Place(|s| &mut s.origin),
    },
    Param {
        key: "world_height",
        label: "World height",
        group: ParamGroup::Tiles,
        unit: "m",
        zero: "from the level",
        kind: float([0.0, 500.0], 1.0, [0.0, 1e6]),
        tooltip: "Height of the grid above its lowest corner. 0 takes the height of the level, so \
        all tiles change when the level grows upwards. Ground above is not baked; the bake warns \
        about it",
        field: Field::Float(|s| &mut s.world_height),
    },
    Param {
        key: "refs",
        label: "References",
        group: ParamGroup::Tiles,
        unit: "",
        zero: "",
        kind: ParamKind::Choice(&REF_BITS_CHOICES),
        tooltip: "Width of polygon references. 32 bits hold at most 16,384 tiles, and fewer \
        polygons per tile if there are more tiles. 64 bits need a Detour built with DT_POLYREF64. \
        Automatic takes 32 bits if they suffice",
        field: Field::RefBits(|s| &mut s.refs),
    },
];

impl BakeSettings {
    /// Sets the setting named `key` from text, as in a settings file or `--set key=value`.
    ///
    /// Switches accept `1`/`0`, `true`/`false` or `on`/`off`; choices accept their name or number. On error nothing
    /// changes.
    ///
    /// # Errors
    /// Returns a [`SettingsError`] if the key is unknown, or the text has the wrong kind or is out of range.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), SettingsError> {
        let param = Param::find(key)?;
        param.set(self, param.parse(text)?)
    }

    /// Checks the range of every setting.
    ///
    /// # Errors
    /// Returns [`SettingsError::OutOfRange`] for the first setting that is out of range or not finite.
    pub fn validate(&self) -> Result<(), SettingsError> {
        PARAMS.iter().try_for_each(|param| param.check(param.get(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_the_settings_is_in_the_table_once() {
        let json = serde_json::to_value(BakeSettings::default()).unwrap();
        let mut fields: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut keys: Vec<_> = PARAMS.iter().map(|param| param.key).collect();
        fields.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, fields);
    }

    #[test]
    fn each_accessor_reaches_the_field_of_its_key() {
        for param in PARAMS {
            let value = match param.default_value() {
                ParamValue::Float(value) => ParamValue::Float(value + 0.5),
                ParamValue::Integer(value) => ParamValue::Integer(value + 1),
                ParamValue::Choice(_) => ParamValue::Choice(1),
                ParamValue::Switch(on) => ParamValue::Switch(!on),
                ParamValue::Place(_) => ParamValue::Place(Some(Vec3::new(-0.5, 0.1, 1e-7))),
            };
            let mut settings = BakeSettings::default();
            param.set(&mut settings, value).unwrap();
            assert_eq!(param.get(&settings), value, "{}", param.key);
            assert_eq!(param.parse(&param.format(value)), Ok(value), "{}", param.key);

            let before = serde_json::to_value(BakeSettings::default()).unwrap();
            let after = serde_json::to_value(&settings).unwrap();
            for (key, value) in after.as_object().unwrap() {
                assert_eq!(before[key] != *value, key == param.key, "{}: {key}", param.key);
            }
        }
    }

    #[test]
    fn sliders_lie_within_limits_and_hold_the_default() {
        for param in PARAMS {
            if let (ParamKind::Float { slider, limits, step }, ParamValue::Float(value)) =
                (param.kind, param.default_value())
            {
                assert!(limits[0] <= slider[0] && slider[1] <= limits[1], "{}", param.key);
                assert!(slider[0] <= value && value <= slider[1] && step > 0.0, "{}", param.key);
            }
            assert!(param.tooltip.len() > 40 && !param.tooltip.ends_with('.'), "{}", param.key);
        }
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        let mut settings = BakeSettings::default();
        let param = Param::find("partition").unwrap();
        let error = param.set(&mut settings, ParamValue::Float(1.0)).unwrap_err();
        assert_eq!(error.to_string(), "partition takes watershed, monotone or layers");
        assert!(param.set(&mut settings, ParamValue::Choice(3)).is_err());
    }
}
