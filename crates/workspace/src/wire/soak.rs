//! Reports of soak runs.

use glam::Vec3;
use walkable::{
    crowd::AgentParams,
    navmesh::PolyRef,
    soak::{HeatMap, Replay, SoakFinding, SoakReport, StuckCause, StuckKind},
};

use super::Formed;

impl Formed for SoakFinding {
    /// What happened, where, how often and to which agents, and the recording.
    type Form = (
        (StuckKind, StuckCause, Vec<(StuckKind, usize)>),
        (Vec3, Option<PolyRef>, [Vec3; 2]),
        ([usize; 2], Vec<u32>, f32),
        (bool, Replay),
    );

    fn to_form(&self) -> Self::Form {
        let Self { kind, cause, point, poly, n, kinds, n_agents, agents, .. } = self;
        let Self { first_seconds, trip, is_reproduced, replay, .. } = self;
        (
            (*kind, *cause, kinds.clone()),
            (*point, *poly, *trip),
            ([*n, *n_agents], agents.clone(), *first_seconds),
            (*is_reproduced, replay.clone()),
        )
    }

    fn of_form((what, place, count, recording): Self::Form) -> Option<Self> {
        let ((kind, cause, kinds), (point, poly, trip)) = (what, place);
        let (([n, n_agents], agents, first_seconds), (is_reproduced, replay)) = (count, recording);
        Some(Self {
            kind,
            cause,
            point,
            poly,
            n,
            kinds,
            n_agents,
            agents,
            first_seconds,
            trip,
            is_reproduced,
            replay,
        })
    }
}

impl Formed for SoakReport {
    type Form =
        (Vec<<SoakFinding as Formed>::Form>, [usize; 3], (AgentParams, f32, f32, f64), HeatMap);

    fn to_form(&self) -> Self::Form {
        let Self { findings, n_not_listed, n_agents, seconds, agent, .. } = self;
        let Self { seconds_per_update, n_trips, distance, heat, .. } = self;
        (
            findings.to_form(),
            [*n_not_listed, *n_agents, *n_trips],
            (*agent, *seconds, *seconds_per_update, *distance),
            heat.clone(),
        )
    }

    fn of_form((findings, counts, measures, heat): Self::Form) -> Option<Self> {
        let [n_not_listed, n_agents, n_trips] = counts;
        let (agent, seconds, seconds_per_update, distance) = measures;
        Some(Self {
            findings: Vec::of_form(findings)?,
            n_not_listed,
            n_agents,
            seconds,
            agent,
            seconds_per_update,
            n_trips,
            distance,
            heat,
        })
    }
}
