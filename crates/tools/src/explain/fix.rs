//! What to do about a place or a path that does not work, as it is shown and written.

use std::fmt;

use glam::Vec3;
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use walkable_bake::bake::{BakeSettings, Param, ParamKind, ParamValue, SettingsError};

/// One thing to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Fix {
    /// Other settings. They were baked, and the question asked again: with them it works.
    Settings(SettingsFix),
    /// An off-mesh link to place. It was baked, and the question asked again: with it, it works.
    Link(LinkFix),
    /// Other terms of the search. The question was asked again: with them it works.
    Terms(Vec<SearchTerm>),
    /// A change of the level or of what is placed in it, in words. It was not tried.
    Geometry(String),
}

/// A term of a search to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchTerm {
    /// [`PathRequest::max_nodes`](walkable_runtime::query::PathRequest::max_nodes).
    MaxNodes(usize),
    /// [`Filter::include_flags`](walkable_runtime::query::Filter::include_flags).
    Include(u16),
    /// [`Filter::exclude_flags`](walkable_runtime::query::Filter::exclude_flags).
    Exclude(u16),
}

impl SearchTerm {
    /// Returns the option of the command line and its value.
    fn option(self) -> [String; 2] {
        match self {
            Self::MaxNodes(n) => ["--max-nodes".to_owned(), n.to_string()],
            Self::Include(flags) => ["--include".to_owned(), format!("{flags:#x}")],
            Self::Exclude(flags) => ["--exclude".to_owned(), format!("{flags:#x}")],
        }
    }
}

/// Settings with which it works.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsFix {
    /// What to set.
    pub set: Vec<NewSetting>,
    /// What else changes in the tiles that were baked.
    pub side_effects: SideEffects,
}

/// An off-mesh link with which it works.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LinkFix {
    /// Where it starts.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How far from its ends the ground may be, in meters.
    pub radius: f32,
    /// Whether it leads both ways.
    pub bidirectional: bool,
}

/// A value for one setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewSetting {
    /// Name of the setting.
    pub key: &'static str,
    /// Its value.
    pub value: ParamValue,
}

/// Ground that other settings give or take, in the tiles that were baked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SideEffects {
    /// Ground that is walkable only with them, in square meters.
    pub gained_m2: f32,
    /// Ground that is walkable only without them, in square meters.
    pub lost_m2: f32,
}

impl SideEffects {
    /// How much ground changes.
    pub fn total_m2(self) -> f32 {
        self.gained_m2 + self.lost_m2
    }
}

impl SettingsFix {
    /// `settings` with the values of the fix.
    ///
    /// # Errors
    /// [`SettingsError`] where a value is out of limits.
    pub fn applied(&self, settings: &BakeSettings) -> Result<BakeSettings, SettingsError> {
        let mut changed = settings.clone();
        self.set.iter().try_for_each(|new| new.apply(&mut changed))?;
        Ok(changed)
    }
}

impl NewSetting {
    /// Gives the setting its value.
    ///
    /// # Errors
    /// [`SettingsError`] where the value is out of limits.
    pub fn apply(&self, settings: &mut BakeSettings) -> Result<(), SettingsError> {
        Param::find(self.key)?.set(settings, self.value)
    }
}

impl fmt::Display for NewSetting {
    /// As after `--set`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = Param::find(self.key).map_err(|_unknown| fmt::Error)?.format(self.value);
        write!(f, "{}={value}", self.key)
    }
}

impl fmt::Display for SettingsFix {
    /// As on the command line: `--set key=value --set key=value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, new) in self.set.iter().enumerate() {
            write!(f, "{}--set {new}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(settings) => settings.fmt(f),
            Self::Link(LinkFix { start, end, .. }) => {
                write!(f, "place an off-mesh link from {} to {}", point(*start), point(*end))
            }
            Self::Terms(terms) => f.write_str(&options(terms).join(" ")),
            Self::Geometry(words) => f.write_str(words),
        }
    }
}

impl Serialize for Fix {
    /// `{"set": {key: value}, "verified": true, "side_effects": {…}}` or `{"geometry": "…"}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Settings(SettingsFix { set, side_effects }) => {
                map.serialize_entry("set", &Set(set))?;
                map.serialize_entry("verified", &true)?;
                map.serialize_entry("side_effects", side_effects)?;
            }
            Self::Link(link) => {
                map.serialize_entry("link", link)?;
                map.serialize_entry("verified", &true)?;
            }
            Self::Terms(terms) => {
                map.serialize_entry("args", &options(terms))?;
                map.serialize_entry("verified", &true)?;
            }
            Self::Geometry(words) => map.serialize_entry("geometry", words)?,
        }
        map.end()
    }
}

/// The terms as options of the command line.
fn options(terms: &[SearchTerm]) -> Vec<String> {
    terms.iter().flat_map(|term| term.option()).collect()
}

/// Settings by their names.
struct Set<'a>(&'a [NewSetting]);

impl Serialize for Set<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|new| (new.key, Value(*new))))
    }
}

/// A value as settings files and `--set` take it.
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

/// A place as on the command line.
fn point(at: Vec3) -> String {
    let [x, y, z] = at.to_array();
    format!("{x:.2},{y:.2},{z:.2}")
}
