//! Fixes for a place that is not walkable or a path that is incomplete, with their text and JSON form.

use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap as _};
use walkable_bake::bake::{
    BakeSettings, Param, ParamGroup, ParamKey, ParamKind, ParamValue, SettingsError,
};
use walkable_runtime::{diagnostic::Phrase, phrase, text_form};

use super::measure::point;

/// A fix for the problem.
///
/// Its JSON is one of `{"set": {key: value}, "changes_agent": …, "verified": true, "side_effects": {…}}`,
/// `{"link": {…}, "verified": true}`, `{"args": […], "verified": true}` and `{"geometry": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum Fix {
    /// Different settings. They were baked, and the question was answered again to verify that they work.
    Settings(SettingsFix),
    /// An off-mesh link to add. It was baked, and the question was answered again to verify that it works.
    Link(LinkFix),
    /// Search options. The search was run again to verify that they work.
    Terms(Vec<SearchTerm>),
    /// A change to the level or to objects placed in it, in words. It was not tried.
    Geometry(Phrase),
}

/// A search option to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchTerm {
    /// A new value for [`PathRequest::max_nodes`](walkable_runtime::query::PathRequest::max_nodes).
    MaxNodes(usize),
    /// A new value for [`Filter::include_flags`](walkable_runtime::query::Filter::include_flags).
    Include(u16),
    /// A new value for [`Filter::exclude_flags`](walkable_runtime::query::Filter::exclude_flags).
    Exclude(u16),
}

impl SearchTerm {
    /// Returns the command-line option and its value.
    fn option(self) -> [String; 2] {
        match self {
            Self::MaxNodes(n) => ["--max-nodes".to_owned(), n.to_string()],
            Self::Include(flags) => ["--include".to_owned(), format!("{flags:#x}")],
            Self::Exclude(flags) => ["--exclude".to_owned(), format!("{flags:#x}")],
        }
    }
}

/// Settings that fix the problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingsFix {
    /// The settings to change.
    pub set: Vec<NewSetting>,
    /// Other changes in the baked tiles.
    pub side_effects: SideEffects,
}

/// An off-mesh link that fixes the problem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkFix {
    /// The start.
    pub start: Vec3,
    /// The end.
    pub end: Vec3,
    /// Radius: how far from its ends the ground may be, in meters.
    pub radius: f32,
    /// Whether it can be used in both directions.
    pub bidirectional: bool,
}

/// A new value for one setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewSetting {
    /// Name of the setting.
    #[serde(deserialize_with = "Param::deserialize_key")]
    pub key: ParamKey,
    /// The value.
    pub value: ParamValue,
}

/// Ground gained and lost by different settings, in the baked tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideEffects {
    /// Area that is walkable only with the new settings, in square meters.
    pub gained_m2: f32,
    /// Area that is walkable only with the old settings, in square meters.
    pub lost_m2: f32,
}

impl SideEffects {
    /// Returns the total area that changes.
    pub fn total_m2(self) -> f32 {
        self.gained_m2 + self.lost_m2
    }
}

impl SettingsFix {
    /// Returns whether it changes the agent: its radius, height, slope or climb.
    pub fn changes_agent(&self) -> bool {
        let is_of_agent = |new: &NewSetting| {
            Param::find(new.key).is_ok_and(|param| param.group == ParamGroup::Agent)
        };
        self.set.iter().any(is_of_agent)
    }

    /// Returns `settings` with the values of the fix.
    ///
    /// # Errors
    /// [`SettingsError`] if a value is out of range.
    pub fn applied(&self, settings: &BakeSettings) -> Result<BakeSettings, SettingsError> {
        let mut changed = settings.clone();
        self.set.iter().try_for_each(|new| new.apply(&mut changed))?;
        Ok(changed)
    }
}

impl NewSetting {
    /// Sets the setting to its value.
    ///
    /// # Errors
    /// [`SettingsError`] if the value is out of range.
    pub fn apply(&self, settings: &mut BakeSettings) -> Result<(), SettingsError> {
        Param::find(self.key)?.set(settings, self.value)
    }
}

impl fmt::Display for NewSetting {
    /// Writes `key=value`, as `--set` expects it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = Param::find(self.key).map_err(|_unknown| fmt::Error)?.format(self.value);
        write!(f, "{}={value}", self.key)
    }
}

impl fmt::Display for SettingsFix {
    /// Writes the options for the command line: `--set key=value --set key=value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, new) in self.set.iter().enumerate() {
            write!(f, "{}--set {new}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Fix {
    /// Returns the place in a list of fixes: voxels and other settings of the bake, links, changes to the level, search
    /// options, and last changes of the agent.
    pub fn rank(&self) -> u8 {
        match self {
            Self::Settings(settings) if settings.changes_agent() => 4,
            Self::Settings(_) => 0,
            Self::Link(_) => 1,
            Self::Geometry(_) => 2,
            Self::Terms(_) => 3,
        }
    }

    /// Returns the fix in words, or as options for the command line.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Settings(settings) => Phrase::verbatim(settings.to_string()),
            Self::Link(LinkFix { start, end, .. }) => {
                let [start, end] = [*start, *end].map(point);
                phrase!("place an off-mesh link from {start} to {end}", start, end)
            }
            Self::Terms(terms) => Phrase::verbatim(options(terms).join(" ")),
            Self::Geometry(words) => words.clone(),
        }
    }
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

text_form!(Fix, |fix| FixText(fix));

/// A fix as people and scripts read it.
struct FixText<'a>(&'a Fix);

impl Serialize for FixText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Fix::Settings(settings @ SettingsFix { set, side_effects }) => {
                map.serialize_entry("set", &Set(set))?;
                map.serialize_entry("changes_agent", &settings.changes_agent())?;
                map.serialize_entry("verified", &true)?;
                map.serialize_entry("side_effects", side_effects)?;
            }
            Fix::Link(link) => {
                map.serialize_entry("link", link)?;
                map.serialize_entry("verified", &true)?;
            }
            Fix::Terms(terms) => {
                map.serialize_entry("args", &options(terms))?;
                map.serialize_entry("verified", &true)?;
            }
            Fix::Geometry(words) => map.serialize_entry("geometry", words)?,
        }
        map.end()
    }
}

/// Returns the command-line options for `terms`.
fn options(terms: &[SearchTerm]) -> Vec<String> {
    terms.iter().flat_map(|term| term.option()).collect()
}

/// Settings, serialized as a map by name.
struct Set<'a>(&'a [NewSetting]);

impl Serialize for Set<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|new| (new.key, Value(*new))))
    }
}

/// The value of a setting, as settings files and `--set` accept it.
struct Value(NewSetting);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NewSetting { key, value } = self.0;
        match value {
            ParamValue::Float(value) => serializer.serialize_f32(value),
            ParamValue::Integer(value) => serializer.serialize_u32(value),
            ParamValue::Switch(on) => serializer.serialize_u8(u8::from(on)),
            ParamValue::Choice(index) => match Param::find(key).map(|param| param.kind) {
                Ok(ParamKind::Choice(choices)) if index < choices.len() => {
                    serializer.serialize_str(choices[index].key)
                }
                Ok(_) | Err(_) => serializer.serialize_u64(index as u64),
            },
            ParamValue::Place(place) => place.map(|place| place.to_array()).serialize(serializer),
        }
    }
}
