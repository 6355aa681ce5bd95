//! The findings of a soak run, grouped by place.

use std::fmt;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    crowd::AgentParams,
    diagnostic::{Diagnostic, Finding, Meters, Phrase},
    navmesh::{NavMesh, PolyRef},
    phrase,
};

use super::{HeatMap, Replay};
use crate::check::FindingLocation;

/// Maximum number of findings of a report.
const MAX_FINDINGS: usize = 200;
/// Maximum number of agents that a finding names.
const MAX_NAMED: usize = 32;

/// How an agent gets stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StuckKind {
    /// The agent left the navmesh.
    OffNavmesh,
    /// The agent left the first polygon of its corridor.
    OffCorridor,
    /// The crowd has no path to the target, although there is one.
    NoPath,
    /// The agent stands at the start of an off-mesh link that its path uses.
    MissesLink,
    /// Agents in contact with each other stand still.
    Blocked,
    /// The agent moves, but comes no closer to its target.
    Oscillates,
    /// The agent stands still.
    Stands,
}

impl StuckKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::OffNavmesh,
        Self::OffCorridor,
        Self::NoPath,
        Self::MissesLink,
        Self::Blocked,
        Self::Oscillates,
        Self::Stands,
    ];

    /// Returns the name of the kind, as in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::OffNavmesh => "off_navmesh",
            Self::OffCorridor => "off_corridor",
            Self::NoPath => "no_path",
            Self::MissesLink => "misses_link",
            Self::Blocked => "blocked",
            Self::Oscillates => "oscillates",
            Self::Stands => "stands",
        }
    }
}

/// The likely cause, derived from the navmesh and the agents around the place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StuckCause {
    /// The path goes over an off-mesh link here.
    OffMeshLink {
        /// Distance from the agent to the start of the link, in meters.
        distance: f32,
    },
    /// The crowd's path search ran out of nodes before it reached the target.
    NodeLimit {
        /// Maximum number of nodes of the crowd's path search.
        limit: usize,
    },
    /// The crowd's path ends before the target.
    PathEnds,
    /// Two agents cannot pass each other.
    Narrow {
        /// Width of the passage between its walls, in meters: the width of the navmesh plus the radius on both sides.
        width: f32,
        /// Width that two agents need, in meters.
        needed: f32,
    },
    /// Other agents are in contact.
    Crowding {
        /// Number of agents in contact.
        n_agents: usize,
    },
    /// The ground on the path rises or falls steeply.
    Step {
        /// Difference in height, in meters.
        height: f32,
    },
    /// The path turns sharply.
    Corner {
        /// Change of direction, in degrees.
        degrees: f32,
    },
    /// The path enters another tile.
    TileSeam,
    /// None of the other causes.
    Unknown,
}

impl StuckCause {
    /// Returns one clause for users.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::OffMeshLink { distance } => {
                let distance = Meters(distance);
                phrase!("the path uses an off-mesh link that starts {distance} away", distance)
            }
            Self::NodeLimit { limit } => {
                phrase!("the crowd's search used all its {limit} nodes before the target", limit)
            }
            Self::PathEnds => phrase!("the path of the crowd ends before the target"),
            Self::Narrow { width, needed } => {
                let [width, needed] = [width, needed].map(Meters);
                phrase!("the passage is {width} wide, and two agents need {needed}", width, needed)
            }
            Self::Crowding { n_agents: 1 } => phrase!("another agent is in the way"),
            Self::Crowding { n_agents } => phrase!("{n} other agents are in the way", n = n_agents),
            Self::Step { height } => {
                phrase!("there is a step of {height}", height = Meters(height))
            }
            Self::Corner { degrees } => {
                phrase!("the path turns by {angle}", angle = format!("{degrees:.0}\u{b0}"))
            }
            Self::TileSeam => phrase!("the path enters another tile"),
            Self::Unknown => phrase!("cause unknown"),
        }
    }
}

impl fmt::Display for StuckCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// An agent that got stuck.
#[derive(Clone, Debug)]
pub(super) struct StuckEvent {
    pub(super) kind: StuckKind,
    pub(super) cause: StuckCause,
    pub(super) point: Vec3,
    pub(super) poly: Option<PolyRef>,
    pub(super) seconds: f32,
    /// The stuck agent, and the agents that block it.
    pub(super) agents: Vec<u32>,
    /// Start and target of the agent's trip.
    pub(super) trip: [Vec3; 2],
}

/// A place at which agents get stuck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoakFinding {
    /// How agents get stuck: the most frequent kind.
    pub kind: StuckKind,
    /// The likely cause.
    pub cause: StuckCause,
    /// The narrowest point of a passage, the start of an off-mesh link, or the position of the first stuck agent.
    pub point: Vec3,
    /// The polygon of the first agent that got stuck.
    pub poly: Option<PolyRef>,
    /// Number of times that agents got stuck.
    pub n: usize,
    /// Number of times that agents got stuck, by kind.
    pub kinds: Vec<(StuckKind, usize)>,
    /// Number of different agents, at most 32.
    pub n_agents: usize,
    /// These agents, in the order in which they got stuck.
    pub agents: Vec<u32>,
    /// Simulated time when the first agent counted as stuck, in seconds.
    pub first_seconds: f32,
    /// Start and target of the first agent's trip.
    pub trip: [Vec3; 2],
    /// Whether an agent gets stuck again if only the recorded agents are simulated.
    pub is_reproduced: bool,
    /// The recorded agents.
    pub replay: Replay,
}

impl SoakFinding {
    fn new(event: &StuckEvent, (replay, is_reproduced): (Replay, bool)) -> Self {
        Self {
            kind: event.kind,
            cause: event.cause,
            point: event.point,
            poly: event.poly,
            n: 0,
            kinds: Vec::new(),
            n_agents: 0,
            agents: Vec::new(),
            first_seconds: event.seconds,
            trip: event.trip,
            is_reproduced,
            replay,
        }
    }

    /// Adds an event. `causes` are the causes of the first event of each of `kinds`.
    fn add(&mut self, event: &StuckEvent, causes: &mut Vec<StuckCause>) {
        self.n += 1;
        if let Some((_, n)) = self.kinds.iter_mut().find(|(kind, _)| *kind == event.kind) {
            *n += 1;
        } else {
            self.kinds.push((event.kind, 1));
            causes.push(event.cause);
        }
        // If several kinds are equally frequent, the first one is kept.
        let mut most = 0;
        for (&(kind, n), &cause) in self.kinds.iter().zip(&*causes) {
            if n > most {
                (most, self.kind, self.cause) = (n, kind, cause);
            }
        }
        for &agent in &event.agents {
            if self.agents.len() < MAX_NAMED && !self.agents.contains(&agent) {
                self.agents.push(agent);
            }
        }
        self.n_agents = self.agents.len();
    }

    /// Returns the finding as a diagnostic of `mesh`.
    pub fn diagnostic(&self, mesh: &NavMesh) -> Diagnostic {
        let (n, agents, cause) = (self.n, self.n_agents, self.cause.phrase());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most a week"
        )]
        let seconds = self.first_seconds.round() as u32;
        let finding = match self.kind {
            StuckKind::OffNavmesh => Finding::AgentOffNavmesh { n, agents, seconds, cause },
            StuckKind::OffCorridor => Finding::AgentOffCorridor { n, agents, seconds, cause },
            StuckKind::NoPath => Finding::AgentWithoutPath { n, agents, seconds, cause },
            StuckKind::MissesLink => Finding::AgentMissesLink { n, agents, seconds, cause },
            StuckKind::Blocked => Finding::AgentsBlocked { n, agents, seconds, cause },
            StuckKind::Oscillates => Finding::AgentOscillates { n, agents, seconds, cause },
            StuckKind::Stands => Finding::AgentStands { n, agents, seconds, cause },
        };
        let header = self.poly.and_then(|poly| mesh.resolve(poly)).map(|(tile, _)| tile.header);
        // Without a polygon, only the point is known.
        let (tile, layer) =
            header.map_or(([-1, -1], 0), |header| ([header.x, header.z], header.layer));
        FindingLocation { tile, layer, poly: self.poly, point: self.point }.diagnostic(finding)
    }
}

/// The result of a soak run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoakReport {
    /// Places at which agents get stuck, the most frequent first.
    pub findings: Vec<SoakFinding>,
    /// Number of times that agents got stuck at places beyond the limit of 200 findings.
    pub n_not_listed: usize,
    /// Number of agents.
    pub n_agents: usize,
    /// Simulated time, in seconds.
    pub seconds: f32,
    /// The agents.
    pub agent: AgentParams,
    /// Length of an update of the crowd, in seconds.
    pub seconds_per_update: f32,
    /// Number of trips that reached their target.
    pub n_trips: usize,
    /// Total distance that all agents walked, in meters.
    pub distance: f64,
    /// Times that agents passed and waited, by cell.
    pub heat: HeatMap,
}

/// Groups events by place.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// The findings, with the cause of the first event of each kind.
    findings: Vec<(SoakFinding, Vec<StuckCause>)>,
    n_not_listed: usize,
    /// Maximum distance between events at the same place, in meters.
    reach: f32,
    level_height: f32,
}

impl Gathered {
    pub(super) fn new(reach: f32, level_height: f32) -> Self {
        Self { findings: Vec::new(), n_not_listed: 0, reach, level_height }
    }

    /// Adds an event. The replay of the first event of a place is kept.
    pub(super) fn add(&mut self, event: &StuckEvent, replay: impl FnOnce() -> (Replay, bool)) {
        let is_here = |(finding, _): &&mut (SoakFinding, _)| {
            let away = finding.point - event.point;
            away.y.abs() < self.level_height && away.with_y(0.0).length() < self.reach
        };
        if let Some((known, causes)) = self.findings.iter_mut().find(is_here) {
            known.add(event, causes);
        } else if self.findings.len() < MAX_FINDINGS {
            let mut finding = SoakFinding::new(event, replay());
            let mut causes = Vec::new();
            finding.add(event, &mut causes);
            self.findings.push((finding, causes));
        } else {
            self.n_not_listed += 1;
        }
    }

    /// Returns the findings, the most frequent first, and the number of events that are not in them.
    pub(super) fn sorted(&self) -> (Vec<SoakFinding>, usize) {
        let findings = self.findings.iter().map(|(finding, _)| finding.clone());
        let mut findings: Vec<_> = findings.collect();
        findings.sort_by(|a, b| b.n.cmp(&a.n).then(a.first_seconds.total_cmp(&b.first_seconds)));
        (findings, self.n_not_listed)
    }

    pub(super) fn len(&self) -> usize {
        self.findings.len()
    }
}
