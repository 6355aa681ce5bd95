//! The result of the query of a repro file.

use std::{fmt, str::FromStr};

use glam::Vec3;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{IntoDeserializer as _, value},
};
use walkable::{bake::Stage, explain::Cause, query::PathStatus};

use super::ReproQuery;

/// Maximum distance between the places of the same problem, in meters.
pub const PLACE_TOLERANCE: f32 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReproStatus {
    Walkable,
    NotWalkable,
    Complete,
    /// A path leads only a part of the way.
    Partial,
    Unreachable,
}

impl ReproStatus {
    /// Returns its name in files and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Walkable => "walkable",
            Self::NotWalkable => "not_walkable",
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Unreachable => "unreachable",
        }
    }

    /// Returns whether a query of this kind can have this outcome.
    const fn fits(self, query: &ReproQuery) -> bool {
        match self {
            Self::Walkable | Self::NotWalkable => matches!(query, ReproQuery::At(_)),
            Self::Complete | Self::Partial | Self::Unreachable => {
                matches!(query, ReproQuery::Path(_))
            }
        }
    }
}

impl From<PathStatus> for ReproStatus {
    fn from(status: PathStatus) -> Self {
        match status {
            PathStatus::Complete => Self::Complete,
            PathStatus::Partial => Self::Partial,
            PathStatus::Unreachable => Self::Unreachable,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReproResult {
    pub status: ReproStatus,
    /// The first cause; `None` if there is no problem or the cause is unknown.
    pub cause: Option<Cause>,
    /// The bake stage that caused the problem, if it was one.
    pub stage: Option<Stage>,
    /// The value that decided, such as the height of a step.
    pub measured: Option<f32>,
    #[serde(rename = "where")]
    pub place: Option<Vec3>,
    pub text: String,
    /// The lengths, areas and angles in `text`; empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f32>,
}

impl ReproResult {
    /// Returns whether status, cause and stage are equal, and the places are at most [`PLACE_TOLERANCE`] apart. The
    /// descriptions may differ.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let is_near = match (self.place, other.place) {
            (None, None) => true,
            (Some(place), Some(other)) => place.distance(other) <= PLACE_TOLERANCE,
            (Some(_), None) | (None, Some(_)) => false,
        };
        is_near && (self.status, self.cause, self.stage) == (other.status, other.cause, other.stage)
    }
}

/// Maximum difference between the lengths and angles of the same obstacle, in meters or degrees, and relative to them.
const MEASURE_TOLERANCE: f32 = 0.1;

impl ReproResult {
    /// Returns whether this is certainly the same problem as `other`, in a part of its scene: the places are at most
    /// `voxel` meters apart, and all values in the descriptions are about the same.
    pub(super) fn is_still(&self, other: &Self, voxel: f32) -> bool {
        let is_near =
            self.place.zip(other.place).is_none_or(|(at, other)| at.distance(other) <= voxel);
        let is_like = |(a, b): (f32, f32)| {
            (a - b).abs()
                <= (b.abs() * MEASURE_TOLERANCE).min(MEASURE_TOLERANCE) + f32::EPSILON * 100.0
        };
        let measures_like = match (self.measured, other.measured) {
            (Some(a), Some(b)) => (a - b).abs() <= b.abs() * MEASURE_TOLERANCE,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let (ours, others) = (&self.values, &other.values);
        let alike = ours.len() == others.len()
            && ours.iter().copied().zip(others.iter().copied()).all(is_like);
        let alike = alike || others.is_empty();
        self.is_same_as(other) && is_near && measures_like && alike
    }
}

impl fmt::Display for ReproResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, cause, place, text, .. } = self;
        write!(f, "{}", status.key().replace('_', " "))?;
        if text != status.key() {
            write!(f, ": {text}")?;
        }
        if let Some(cause) = cause {
            write!(f, " [{}]", cause.key())?;
        }
        match place {
            Some(Vec3 { x, y, z }) => write!(f, " at {x:.2},{y:.2},{z:.2}"),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedResult {
    Status(ReproStatus),
    /// The query is expected to find a problem with this cause.
    Cause(Cause),
}

impl ExpectedResult {
    /// Returns its name in files and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Status(status) => status.key(),
            Self::Cause(cause) => cause.key(),
        }
    }

    pub fn is_met_by(self, result: &ReproResult) -> bool {
        match self {
            Self::Status(status) => result.status == status,
            Self::Cause(cause) => result.cause == Some(cause),
        }
    }

    pub const fn fits(self, query: &ReproQuery) -> bool {
        match self {
            Self::Status(status) => status.fits(query),
            Self::Cause(_) => true,
        }
    }
}

impl FromStr for ExpectedResult {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let status = ReproStatus::deserialize(text.into_deserializer());
        if let Ok(status) = status as Result<_, value::Error> {
            return Ok(Self::Status(status));
        }
        let cause: Result<_, value::Error> = Cause::deserialize(text.into_deserializer());
        cause.map(Self::Cause).map_err(|_unknown| {
            "expected walkable, not_walkable, complete, partial, unreachable or a cause such as step, which \
             `walkable why` prints in brackets"
                .to_owned()
        })
    }
}

impl Serialize for ExpectedResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

impl<'de> Deserialize<'de> for ExpectedResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
