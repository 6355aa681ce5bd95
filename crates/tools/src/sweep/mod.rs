//! Sweeps over bake settings: plans the combinations to bake, measures them, and finds the results that no other one
//! beats.
//!
//! A sweep has one or more [`VariedSetting`]s. [`grid`] combines all their values. [`latin_hypercube`] draws a given
//! number of combinations so that each setting takes values from its whole range.
//!
//! ```
//! # use walkable::sweep::*;
//! let cells = VariedSetting::parse("cell_size=0.1..0.4/4")?;
//! let radii = VariedSetting::parse("agent_radius=0.4,0.6")?;
//! let combinations = grid(&[cells, radii])?;
//! assert_eq!(combinations.len(), 8);
//! assert_eq!(combinations[7].texts(), ["0.4", "0.6"]);
//! # Ok::<(), SweepError>(())
//! ```

mod measure;
mod pareto;

pub use measure::{SweepMeasure, SweepResult, measure};
pub use pareto::{SweepGoal, best_for_suite, pareto_front};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use walkable_bake::bake::{BakeSettings, Param, ParamKind, ParamValue, SettingsError};
use walkable_runtime::{diagnostic::Phrase, random::Random};

/// Maximum number of combinations of a sweep.
pub const MAX_COMBINATIONS: usize = 10_000;

/// Why a sweep cannot be planned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The text is not `KEY=VALUES`.
    #[error("expected KEY=A,B,… or KEY=MIN..MAX/N, as in cell_size=0.1..0.4/4")]
    Malformed {},
    /// A value is invalid.
    #[error(transparent)]
    Setting(#[from] SettingsError),
    /// A range of a setting that is not a number.
    #[error("{key} has no range, because it is not a number; list its values, as in {key}=A,B")]
    NotNumeric {
        /// Name of the setting.
        key: &'static str,
    },
    /// A range without a number of values in a grid.
    #[error("the range of {key} needs a number of values of at least 2, as in {key}=MIN..MAX/4")]
    NoCount {
        /// Name of the setting.
        key: &'static str,
    },
    /// A setting is varied twice.
    #[error("{key} is varied twice; give all its values at once")]
    Repeated {
        /// Name of the setting.
        key: &'static str,
    },
    /// There are more combinations than [`MAX_COMBINATIONS`].
    #[error("there are more than {max} combinations; use fewer values or a Latin hypercube")]
    TooMany {
        /// Maximum number of combinations.
        max: usize,
    },
}

/// A setting and the values it takes in a sweep.
#[derive(Clone, Debug)]
pub struct VariedSetting {
    param: &'static Param,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    List(Vec<ParamValue>),
    /// From the first to the second value. A grid takes `n` values.
    Range {
        ends: [f64; 2],
        n: Option<u32>,
    },
}

impl VariedSetting {
    /// Parses `KEY=A,B,…`, `KEY=MIN..MAX/N` or `KEY=MIN..MAX`.
    ///
    /// # Errors
    /// [`SweepError`] if the text has another form, or if a value is not valid for the setting.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let (key, values) = text.split_once('=').ok_or(SweepError::Malformed {})?;
        let param = Param::find(key.trim())?;
        let Some((min, rest)) = values.split_once("..") else {
            return Ok(Self { param, values: Values::List(list(param, values)?) });
        };
        let (max, n) = match rest.split_once('/') {
            Some((max, n)) => {
                (max, Some(n.trim().parse().map_err(|_invalid| SweepError::Malformed {})?))
            }
            None => (rest, None),
        };
        let end = |text: &str| {
            param.parse(text)?;
            // Double precision rounds numbers between decimal fractions better.
            text.trim().parse::<f64>().map_err(|_invalid| SweepError::Malformed {})
        };
        if !is_number(param) {
            return Err(SweepError::NotNumeric { key: param.key });
        }
        Self::range(param, [end(min)?, end(max)?], n)
    }

    /// Creates a setting that takes values from a range; a grid takes `n` of them.
    ///
    /// # Errors
    /// [`SweepError`] if the setting is not a number, an end is not valid for it, or `n` is less than 2.
    pub fn range(
        param: &'static Param,
        ends: [f64; 2],
        n: Option<u32>,
    ) -> Result<Self, SweepError> {
        if !is_number(param) {
            return Err(SweepError::NotNumeric { key: param.key });
        }
        if n.is_some_and(|n| n < 2) {
            return Err(SweepError::NoCount { key: param.key });
        }
        for end in ends {
            param.check(number(param, end))?;
        }
        Ok(Self { param, values: Values::Range { ends, n } })
    }

    /// Creates a setting that takes all its values; `None` if it is a number or a position.
    pub fn all(param: &'static Param) -> Option<Self> {
        let values = match param.kind {
            ParamKind::Choice(choices) => (0..choices.len()).map(ParamValue::Choice).collect(),
            ParamKind::Switch => [false, true].map(ParamValue::Switch).to_vec(),
            ParamKind::Float { .. } | ParamKind::Integer { .. } | ParamKind::Place { .. } => {
                return None;
            }
        };
        Some(Self { param, values: Values::List(values) })
    }

    /// Returns the name of the setting.
    pub fn key(&self) -> &'static str {
        self.param.key
    }

    /// Returns the values in a grid.
    fn grid_values(&self) -> Result<Vec<ParamValue>, SweepError> {
        match &self.values {
            Values::List(values) => Ok(values.clone()),
            Values::Range { n: None, .. } => Err(SweepError::NoCount { key: self.param.key }),
            Values::Range { n: Some(n), .. } if *n as usize > MAX_COMBINATIONS => {
                Err(SweepError::TooMany { max: MAX_COMBINATIONS })
            }
            Values::Range { n: Some(n), .. } => {
                let last = f64::from(n.saturating_sub(1).max(1));
                Ok((0..*n).map(|at| self.between(f64::from(at) / last)).collect())
            }
        }
    }

    /// Returns the value at a position from 0 to 1 in the range or the list.
    fn between(&self, at: f64) -> ParamValue {
        match &self.values {
            Values::List(values) => values[index(at, values.len())],
            Values::Range { ends: [min, max], .. } => number(self.param, min + (max - min) * at),
        }
    }
}

fn is_number(param: &Param) -> bool {
    matches!(param.kind, ParamKind::Float { .. } | ParamKind::Integer { .. })
}

fn list(param: &Param, text: &str) -> Result<Vec<ParamValue>, SweepError> {
    let values = text.split(',').map(|text| {
        let value = param.parse(text)?;
        param.check(value)?;
        Ok(value)
    });
    values.collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "settings are single precision or small counts, and their limits are checked"
)]
fn number(param: &Param, value: f64) -> ParamValue {
    match param.kind {
        ParamKind::Integer { .. } => ParamValue::Integer(value.round() as u32),
        ParamKind::Float { .. }
        | ParamKind::Choice(_)
        | ParamKind::Switch
        | ParamKind::Place { .. } => ParamValue::Float(value as f32),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a position in a short list"
)]
fn index(at: f64, n: usize) -> usize {
    ((at * n as f64) as usize).min(n.saturating_sub(1))
}

/// Values of the varied settings, in their order.
#[derive(Clone, Debug)]
pub struct Combination {
    values: Vec<(&'static Param, ParamValue)>,
}

impl Combination {
    /// Sets the values in `settings`.
    ///
    /// # Errors
    /// [`SettingsError`] for the first invalid value.
    pub fn apply(&self, settings: &mut BakeSettings) -> Result<(), SettingsError> {
        self.values.iter().try_for_each(|(param, value)| param.set(settings, *value))
    }

    /// Returns the values as text, as in a settings file.
    pub fn texts(&self) -> Vec<String> {
        self.values.iter().map(|(param, value)| param.format(*value)).collect()
    }
}

impl Serialize for Combination {
    /// Writes keys and values as text, as in a settings file.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.values.iter().map(|(param, value)| (param.key, param.format(*value))))
    }
}

impl<'de> Deserialize<'de> for Combination {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let texts = Vec::<(String, String)>::deserialize(from)?;
        let value = |(key, text): (String, String)| {
            let param = Param::find(&key)?;
            Ok((param, param.parse(&text)?))
        };
        let values: Result<_, SettingsError> = texts.into_iter().map(value).collect();
        Ok(Self { values: values.map_err(D::Error::custom)? })
    }
}

/// Combines all values of all settings. The values of the last setting change first.
///
/// # Errors
/// [`SweepError`] if a range has no number of values, a setting is repeated, or there are too many combinations.
pub fn grid(varied: &[VariedSetting]) -> Result<Vec<Combination>, SweepError> {
    check_keys(varied)?;
    let mut all = vec![Combination { values: Vec::new() }];
    for setting in varied {
        let values = setting.grid_values()?;
        if all.len().saturating_mul(values.len()) > MAX_COMBINATIONS {
            return Err(SweepError::TooMany { max: MAX_COMBINATIONS });
        }
        let with = |combination: &Combination, value| {
            let mut values = combination.values.clone();
            values.push((setting.param, value));
            Combination { values }
        };
        all = all
            .iter()
            .flat_map(|combination| values.iter().map(move |value| with(combination, *value)))
            .collect();
    }
    Ok(all)
}

/// Draws `n` combinations: the range of each setting is divided into `n` equal parts, and each part is used once. The
/// same seed returns the same combinations.
///
/// Source: `McKay`, Beckman and Conover, "A comparison of three methods for selecting values of input variables", 1979.
///
/// # Errors
/// [`SweepError`] if a setting is repeated, or if `n` is above [`MAX_COMBINATIONS`].
pub fn latin_hypercube(
    varied: &[VariedSetting],
    n: u32,
    seed: u64,
) -> Result<Vec<Combination>, SweepError> {
    check_keys(varied)?;
    if n as usize > MAX_COMBINATIONS {
        return Err(SweepError::TooMany { max: MAX_COMBINATIONS });
    }
    let mut random = Random::new(seed);
    let mut all = vec![Combination { values: Vec::new() }; n as usize];
    for setting in varied {
        let mut parts: Vec<u32> = (0..n).collect();
        for at in (1..parts.len()).rev() {
            parts.swap(at, random.below(at + 1));
        }
        for (combination, part) in all.iter_mut().zip(parts) {
            let at = (f64::from(part) + f64::from(random.unit())) / f64::from(n);
            combination.values.push((setting.param, setting.between(at)));
        }
    }
    Ok(all)
}

fn check_keys(varied: &[VariedSetting]) -> Result<(), SweepError> {
    let repeated = varied.iter().enumerate().find(|(index, setting)| {
        varied[..*index].iter().any(|earlier| earlier.param.key == setting.param.key)
    });
    match repeated {
        Some((_, setting)) => Err(SweepError::Repeated { key: setting.param.key }),
        None => Ok(()),
    }
}

/// The result of one combination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepOutcome {
    /// The bake was measured.
    Measured(SweepResult),
    /// The bake failed or exceeds a limit.
    Failed(Phrase),
}

impl SweepOutcome {
    /// Returns the measured values, unless the bake failed.
    pub fn result(&self) -> Option<&SweepResult> {
        match self {
            Self::Measured(result) => Some(result),
            Self::Failed(_) => None,
        }
    }
}
