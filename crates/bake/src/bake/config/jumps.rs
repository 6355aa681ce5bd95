//! How far an agent jumps and drops: limits for proposed off-mesh links.

use serde::{Deserialize, Serialize};

use super::{ConfigErrorKind, lines::LineWords};

/// The limits of the jumps and drops of an agent, in meters. A limit that is not set is derived from the agent's size.
/// Bakes do not use them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedLimits")]
pub struct JumpLimits {
    /// Maximum horizontal distance of a jump or drop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f32>,
    /// Maximum height of a drop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop: Option<f32>,
    /// Maximum height of a jump up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<f32>,
}

impl JumpLimits {
    /// Largest limit.
    pub const MAX: f32 = 1000.0;

    /// Returns whether no limit is set.
    pub fn is_automatic(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the part after `jump` on a line of a settings file that begins with it.
    pub(super) fn line(line: &str) -> Option<&str> {
        let rest = super::lines::without_comment(line).strip_prefix("jump")?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
    }

    /// Parses the part after `jump`: limits as `key=value`.
    pub(super) fn read(text: &str) -> Result<Self, ConfigErrorKind> {
        let mut limits = Self::default();
        for word in text.split_whitespace() {
            let surplus = || ConfigErrorKind::Surplus { text: word.to_owned() };
            let (key, value) = word.split_once('=').ok_or_else(surplus)?;
            let limit = JumpLimit::ALL.iter().find(|limit| limit.key == key).ok_or_else(surplus)?;
            let range = [limit.min, Self::MAX];
            let value = LineWords::new(value).within(limit.name, limit.expected, range)?;
            *(limit.of)(&mut limits) = Some(value);
        }
        Ok(limits)
    }

    /// Formats the limits that are set as a line for [`JumpLimits::read`].
    pub(super) fn to_line(mut self) -> String {
        let set = |limit: &JumpLimit| Some(format!(" {}={}", limit.key, (*(limit.of)(&mut self))?));
        format!("jump{}", JumpLimit::ALL.iter().filter_map(set).collect::<String>())
    }
}

/// A limit of jumps and drops: its key in settings files, its range, and its field.
#[derive(Clone, Copy, Debug)]
pub struct JumpLimit {
    /// Its key in settings files.
    pub key: &'static str,
    /// Its lowest value, in meters; the highest is [`JumpLimits::MAX`].
    pub min: f32,
    /// Its field.
    pub of: fn(&mut JumpLimits) -> &mut Option<f32>,
    /// Name in errors, and the valid range.
    name: &'static str,
    expected: &'static str,
}

impl JumpLimit {
    /// [`JumpLimits::distance`].
    pub const DISTANCE: Self = Self {
        key: "distance",
        min: 0.01,
        of: |limits| &mut limits.distance,
        name: "the distance",
        expected: "0.01 to 1000",
    };
    /// [`JumpLimits::drop`].
    pub const DROP: Self = Self {
        key: "drop",
        min: 0.0,
        of: |limits| &mut limits.drop,
        name: "the drop",
        expected: "0 to 1000",
    };
    /// [`JumpLimits::up`].
    pub const UP: Self = Self {
        key: "up",
        min: 0.0,
        of: |limits| &mut limits.up,
        name: "the jump up",
        expected: "0 to 1000",
    };
    /// All limits, in the order of settings files.
    const ALL: [Self; 3] = [Self::DISTANCE, Self::DROP, Self::UP];
}

/// Limits before validation.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SavedLimits {
    distance: Option<f32>,
    drop: Option<f32>,
    up: Option<f32>,
}

impl TryFrom<SavedLimits> for JumpLimits {
    type Error = String;

    fn try_from(SavedLimits { distance, drop, up }: SavedLimits) -> Result<Self, String> {
        let mut limits = Self { distance, drop, up };
        for JumpLimit { key, expected, min, of, .. } in JumpLimit::ALL {
            let value = of(&mut limits).filter(|value| !(min..=Self::MAX).contains(value));
            if let Some(value) = value {
                return Err(format!("the jump limit {key} is {expected}, not {value}"));
            }
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::BakeConfig;

    #[test]
    fn a_settings_file_has_the_limits_that_are_set() {
        let jumps = JumpLimits { drop: Some(0.0), up: Some(1.25), ..JumpLimits::default() };
        let text = BakeConfig { jumps, ..BakeConfig::default() }.to_text();
        assert!(text.contains("\njump drop=0 up=1.25\n"), "{text}");
        assert_eq!(BakeConfig::parse(&text).unwrap().jumps, jumps);
        assert!(!BakeConfig::default().to_text().contains("jump"));
        assert_eq!(BakeConfig::parse("jump # as its size").unwrap().jumps, JumpLimits::default());
        let three = BakeConfig::parse("jump distance=3 # m\njump up=1").unwrap().jumps;
        assert_eq!(three.distance, None, "the last line counts");
    }

    #[test]
    fn bad_limits_are_refused() {
        for (line, why) in [
            ("jump up=-1", "line 1: the jump up is `-1`, but must be 0 to 1000"),
            ("jump distance=0", "line 1: the distance is `0`, but must be 0.01 to 1000"),
            ("jump drop=nan", "line 1: the drop is `nan`, but must be 0 to 1000"),
            ("jump high=1", "line 1: `high=1` is left over"),
            ("jump 4", "line 1: `4` is left over"),
        ] {
            assert_eq!(BakeConfig::parse(line).unwrap_err().to_string(), why);
        }
        let json = serde_json::from_str::<JumpLimits>;
        assert_eq!(json("{\"up\":1.5}").unwrap().up, Some(1.5));
        assert!(json("{\"up\":-1}").is_err() && json("{\"high\":1}").is_err());
    }
}
