//! Path tests: queries with expected results, which show when a change of the level or of the settings breaks a path.
//!
//! A [`PathCase`] is a path or a ray between two points, with [`Expectation`]s. [`run_case`] runs it on a navmesh and
//! returns a [`CaseResult`] that lists each expectation that is not met, with the measured value and the limit.
//!
//! The module does not measure time. To check time limits, measure [`search_case`] and pass the time to [`check_case`].

mod check;
mod legs;
mod search;

use std::fmt;

pub use check::{check_case, run_case};
use glam::Vec3;
pub use search::search_case;
use serde::{Deserialize, Serialize};
use walkable_bake::bake::VolumeShape;
use walkable_runtime::{
    diagnostic::Phrase,
    ids::AreaId,
    navmesh::NavMesh,
    phrase,
    query::{Filter, PathStatus, WhyNot},
};

/// A query and its expected result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathCase {
    /// Name of the case; if it is empty, the case is named by its number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The kind of query.
    #[serde(default)]
    pub query: CaseQuery,
    /// Start, in world space.
    pub start: Vec3,
    /// End, in world space.
    pub end: Vec3,
    /// Changes to the query filter.
    #[serde(default)]
    pub filter: CaseFilter,
    /// Name of the project's agent on whose navmesh the case runs; `None` for the active agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The expectations. A case without expectations always passes.
    #[serde(default)]
    pub expects: Vec<Expectation>,
}

impl PathCase {
    /// Creates a path case without a name and without expectations.
    pub fn new(start: Vec3, end: Vec3) -> Self {
        Self {
            name: String::new(),
            query: CaseQuery::Path,
            start,
            end,
            filter: CaseFilter::default(),
            agent: None,
            expects: Vec::new(),
        }
    }

    /// Returns the name of the case, or its number counted from 1 if it has no name. `index` is its position in the
    /// suite.
    pub fn label(&self, index: usize) -> String {
        if self.name.is_empty() { format!("Case {}", index + 1) } else { self.name.clone() }
    }

    /// Returns the smallest time limit among the expectations, in milliseconds.
    pub fn max_ms(&self) -> Option<f32> {
        let limits = self.expects.iter().filter_map(|expected| match expected {
            Expectation::MaxMs(limit) => Some(*limit),
            Expectation::Outcome(_)
            | Expectation::Length(_)
            | Expectation::Cost(_)
            | Expectation::Volume { .. }
            | Expectation::Area { .. }
            | Expectation::Link { .. } => None,
        });
        limits.reduce(f32::min)
    }
}

/// The kind of query of a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseQuery {
    /// A path, searched with [`find_path`](walkable_runtime::query::find_path).
    #[default]
    Path,
    /// A straight line over the navmesh, cast with [`raycast`](walkable_runtime::query::raycast). It reaches its end if
    /// it hits no wall.
    Ray,
}

/// The query filter of a case. Costs that are not listed are those of the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaseFilter {
    /// A polygon passes only if it has at least one of these flags.
    pub include_flags: u16,
    /// A polygon with any of these flags does not pass.
    pub exclude_flags: u16,
    /// Costs per meter that replace those of the level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub area_costs: Vec<(AreaId, f32)>,
}

impl Default for CaseFilter {
    /// Returns a filter that passes all polygons with any flag, at the costs of the level.
    fn default() -> Self {
        Self { include_flags: 0xffff, exclude_flags: 0, area_costs: Vec::new() }
    }
}

impl CaseFilter {
    /// Returns the differences of `filter` from `base`. Only flags and costs per meter are compared.
    pub fn difference(filter: &Filter, base: &Filter) -> Self {
        let costs = (0..).map(AreaId).zip(filter.area_cost.iter().zip(&base.area_cost));
        let changed = costs.filter(|(_, (own, base))| own.to_bits() != base.to_bits());
        Self {
            include_flags: filter.include_flags,
            exclude_flags: filter.exclude_flags,
            area_costs: changed.map(|(area, (&own, _))| (area, own)).collect(),
        }
    }

    /// Returns `base` with the flags and costs of the case.
    pub fn over(&self, base: &Filter) -> Filter {
        let mut filter = Filter {
            include_flags: self.include_flags,
            exclude_flags: self.exclude_flags,
            ..base.clone()
        };
        for &(area, cost) in &self.area_costs {
            if let Some(known) = filter.area_cost.get_mut(usize::from(area.0)) {
                *known = cost;
            }
        }
        filter
    }
}

/// A condition on the result of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// The expected outcome of the path.
    Outcome(Outcome),
    /// Length of the path, in meters.
    Length(Tolerance),
    /// Cost of the path.
    Cost(Tolerance),
    /// The path passes a volume, or avoids it.
    Volume {
        /// The volume.
        volume: VolumeName,
        /// Whether the path must or must not pass it.
        rule: PassRule,
    },
    /// The path passes polygons of an area, or avoids them.
    Area {
        /// The area.
        area: AreaId,
        /// Whether the path must or must not pass it.
        rule: PassRule,
    },
    /// The path uses an off-mesh link, or avoids it.
    Link {
        /// The link.
        link: LinkChoice,
        /// Whether the path must or must not use it.
        rule: PassRule,
    },
    /// Maximum time of the search, in milliseconds.
    MaxMs(f32),
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => outcome.fmt(f),
            Self::Length(length) => write!(f, "length {length} m"),
            Self::Cost(cost) => write!(f, "cost {cost}"),
            Self::Volume { volume, rule: PassRule::Must } => write!(f, "passes {volume}"),
            Self::Volume { volume, rule: PassRule::MustNot } => write!(f, "avoids {volume}"),
            Self::Area { area, rule: PassRule::Must } => write!(f, "passes area {}", area.0),
            Self::Area { area, rule: PassRule::MustNot } => write!(f, "avoids area {}", area.0),
            Self::Link { link, rule: PassRule::Must } => write!(f, "uses {link}"),
            Self::Link { link: LinkChoice::Any, rule: PassRule::MustNot } => {
                f.write_str("uses no off-mesh link")
            }
            Self::Link { link, rule: PassRule::MustNot } => write!(f, "does not use {link}"),
            Self::MaxMs(limit) => write!(f, "at most {limit} ms"),
        }
    }
}

/// Whether a path must or must not pass something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassRule {
    /// The path must pass it.
    Must,
    /// The path must not pass it.
    MustNot,
}

/// The expected outcome of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A complete path leads to the end.
    Reachable,
    /// A path leads only part of the way.
    Partial,
    /// No complete path leads to the end: there is a partial path or none.
    NotReachable,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Reachable, Self::Partial, Self::NotReachable];

    /// Returns the name of the outcome, as in suite files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::Partial => "partial",
            Self::NotReachable => "not_reachable",
        }
    }

    /// Returns whether a path with this status has the outcome.
    const fn is(self, status: PathStatus) -> bool {
        match (self, status) {
            (Self::Reachable, PathStatus::Complete)
            | (Self::Partial, PathStatus::Partial)
            | (Self::NotReachable, PathStatus::Partial | PathStatus::Unreachable) => true,
            (Self::Reachable, PathStatus::Partial | PathStatus::Unreachable)
            | (Self::Partial, PathStatus::Complete | PathStatus::Unreachable)
            | (Self::NotReachable, PathStatus::Complete) => false,
        }
    }
}

impl Outcome {
    /// Returns the name of the outcome, for users.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Reachable => phrase!("reachable"),
            Self::Partial => phrase!("partial"),
            Self::NotReachable => phrase!("not reachable"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// A value, and the largest allowed difference from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// The expected value.
    pub value: f32,
    /// The largest allowed difference, in the same unit.
    pub tolerance: f32,
}

impl Tolerance {
    /// Rounds `measured` to hundredths and allows a difference of 5 %, at least 0.1.
    pub fn around(measured: f32) -> Self {
        let rounded = |value: f32| (value * 100.0).round() / 100.0;
        Self { value: rounded(measured), tolerance: rounded((measured * 0.05).max(0.1)) }
    }

    /// Returns the limit that `measured` exceeds; `None` if it is within the tolerance.
    fn exceeded(self, measured: f32) -> Option<f32> {
        // Computed in double precision, so that values such as 10 +- 0.1 are exact enough.
        let [value, tolerance, measured] = [self.value, self.tolerance, measured].map(f64::from);
        if (measured - value).abs() <= tolerance + 1e-6 * value.abs() {
            return None;
        }
        Some(if measured > value {
            self.value + self.tolerance
        } else {
            self.value - self.tolerance
        })
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {}", self.value, self.tolerance)
    }
}

/// The name or the number of a volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeName {
    /// All volumes with this name.
    Name(String),
    /// The volume with this number, counted from 1.
    Number(u32),
}

impl VolumeName {
    /// Returns the volume, for users.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Name(name) => phrase!("volume \"{name}\"", name = &**name),
            Self::Number(number) => phrase!("volume {number}", number = *number),
        }
    }
}

impl fmt::Display for VolumeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// A single off-mesh link, or any off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkChoice {
    /// Any off-mesh link.
    Any,
    /// The off-mesh link with this user ID.
    UserId(u32),
}

impl LinkChoice {
    /// Returns the link, for users.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Any => phrase!("an off-mesh link"),
            Self::UserId(number) => phrase!("off-mesh link {number}", number),
        }
    }
}

impl fmt::Display for LinkChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// A volume that expectations can name.
#[derive(Clone, Copy, Debug)]
pub struct NamedShape<'a> {
    /// Number of the volume, counted from 1.
    pub number: u32,
    /// Name of the volume; may be empty.
    pub name: &'a str,
    /// The shape.
    pub shape: &'a VolumeShape,
}

/// The navmesh on which cases run.
#[derive(Clone, Copy, Debug)]
pub struct SuiteWorld<'a> {
    /// The navmesh.
    pub mesh: &'a NavMesh,
    /// The filter that cases change, with the area costs of the level.
    pub filter: &'a Filter,
    /// The volumes of the level, in order.
    pub volumes: &'a [NamedShape<'a>],
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The status of the path. A path whose start or end was moved by more than 1 m onto the navmesh counts as partial.
    pub status: PathStatus,
    /// The reason if the path is not complete.
    pub why: Option<WhyNot>,
    /// Length of the path, in meters.
    pub length: f32,
    /// Cost of the path.
    pub cost: f32,
    /// The expectations that are not met.
    pub failures: Vec<CaseFailure>,
}

impl CaseResult {
    /// Returns whether all expectations are met.
    pub fn is_passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// Returns expectations that this result meets: outcome, and length if there is a path.
    pub fn as_expectations(&self) -> Vec<Expectation> {
        let length = Expectation::Length(Tolerance::around(self.length));
        match self.status {
            PathStatus::Complete => vec![Expectation::Outcome(Outcome::Reachable), length],
            PathStatus::Partial => vec![Expectation::Outcome(Outcome::Partial), length],
            PathStatus::Unreachable => vec![Expectation::Outcome(Outcome::NotReachable)],
        }
    }
}

/// An expectation that is not met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseFailure {
    /// The expectation.
    pub expectation: Expectation,
    /// The measured value, if the expectation has a limit.
    pub measured: Option<f32>,
    /// The exceeded limit.
    pub limit: Option<f32>,
    /// The position of the failure, if it has one.
    pub at: Option<Vec3>,
    /// Description for users.
    pub text: Phrase,
}
