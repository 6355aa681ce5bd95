//! The agents of the crowd tool.

use std::collections::BTreeSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    crowd::AvoidanceParams,
    tasks::{MovementTask, Reach, TaskTarget},
};

use super::named::is_default;
use crate::{format, lang::tr};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedAgent", into = "SavedAgent")]
pub struct SceneAgent {
    pub at: Vec3,
    /// Its task; `None` for an agent that stands.
    pub task: Option<SceneTask>,
    /// Adds agents at regular times; `None` for a single agent.
    pub spawner: Option<Spawner>,
    /// Name of the project's agent whose size and speed it has; `None` for the current one.
    pub kind: Option<String>,
    pub avoidance: Avoidance,
}

/// The task of an agent. Other agents are named by their position in the scene; a spawner stands for the oldest agent
/// that it added.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SceneTask {
    GoTo {
        point: Vec3,
        /// The distance at which it has arrived, in meters; `None` for its radius.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        radius: Option<f32>,
        /// Arrival condition.
        #[serde(default, skip_serializing_if = "is_default")]
        reach: Reach,
    },
    Approach {
        agent: usize,
        /// The distance at which it has arrived, in meters.
        radius: f32,
        #[serde(default, skip_serializing_if = "is_default")]
        reach: Reach,
    },
    /// Stays between two distances from another agent.
    Follow {
        agent: usize,
        /// Smallest distance, in meters.
        nearest: f32,
        /// Largest distance, in meters.
        farthest: f32,
        #[serde(default, skip_serializing_if = "is_default")]
        reach: Reach,
    },
}

impl SceneTask {
    pub const fn to_point(point: Vec3) -> Self {
        Self::GoTo { point, radius: None, reach: Reach::Distance }
    }

    /// Returns what all tasks have.
    pub const fn fields(&mut self) -> TaskFields<'_> {
        match self {
            Self::GoTo { point, reach, .. } => {
                TaskFields { target: TargetField::Point(point), reach }
            }
            Self::Approach { agent, reach, .. } | Self::Follow { agent, reach, .. } => {
                TaskFields { target: TargetField::Agent(agent), reach }
            }
        }
    }

    /// Returns what arrival requires in addition to the distance.
    pub const fn reach(mut self) -> Reach {
        *self.fields().reach
    }

    /// Returns the task with the target of another one of its kind; `None` if that is of a different kind.
    #[must_use]
    pub fn with_target_of(mut self, mut other: Self) -> Option<Self> {
        if std::mem::discriminant(&self) != std::mem::discriminant(&other) {
            return None;
        }
        match (self.fields().target, other.fields().target) {
            (TargetField::Point(own), TargetField::Point(other)) => *own = *other,
            (TargetField::Agent(own), TargetField::Agent(other)) => *own = *other,
            (TargetField::Point(_), TargetField::Agent(_))
            | (TargetField::Agent(_), TargetField::Point(_)) => return None,
        }
        Some(self)
    }

    pub fn text(self) -> String {
        let length = |meters: f32| format::exact_quantity(meters, "m");
        let text = match self {
            Self::GoTo { point, radius: None, .. } => tr!("go to {}", format::position(point)),
            Self::GoTo { point, radius: Some(radius), .. } => {
                tr!("go to within {} of {}", length(radius), format::position(point))
            }
            Self::Approach { agent, radius, .. } => {
                tr!("approach agent {agent} to within {}", length(radius))
            }
            Self::Follow { agent, nearest, farthest, .. } => {
                tr!("follow agent {agent} at {} to {}", length(nearest), length(farthest))
            }
        };
        format!("{text}, {}", reach_name(self.reach()))
    }

    /// Returns the task of an agent of this radius in a crowd. The entity of its target is the position in the scene.
    pub fn movement(self, own_radius: f32) -> MovementTask {
        let entity = |agent| TaskTarget::Entity(u32::try_from(agent).unwrap_or(u32::MAX));
        match self {
            Self::GoTo { point, radius, .. } => {
                MovementTask::GoTo { point, radius: radius.unwrap_or(own_radius) }
            }
            Self::Approach { agent, radius, .. } => {
                MovementTask::Approach { target: entity(agent), radius }
            }
            Self::Follow { agent, nearest, farthest, .. } => {
                MovementTask::Follow { target: entity(agent), nearest, farthest }
            }
        }
    }
}

/// What all tasks have.
#[derive(Debug)]
pub struct TaskFields<'a> {
    pub target: TargetField<'a>,
    /// What arrival requires in addition to the distance.
    pub reach: &'a mut Reach,
}

#[derive(Debug)]
pub enum TargetField<'a> {
    Point(&'a mut Vec3),
    Agent(&'a mut usize),
}

/// An agent as in a file, where a target point can stand for a task.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedAgent {
    at: Vec3,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<Vec3>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<SceneTask>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spawner: Option<Spawner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    avoidance: Avoidance,
}

impl TryFrom<SavedAgent> for SceneAgent {
    type Error = String;

    fn try_from(saved: SavedAgent) -> Result<Self, String> {
        let SavedAgent { at, target, task, spawner, kind, avoidance } = saved;
        if target.is_some() && task.is_some() {
            return Err("an agent has a target or a task, not both".to_owned());
        }
        if let Some(task) = task {
            task.movement(0.0).check().map_err(|error| error.to_string())?;
        }
        let task = task.or_else(|| target.map(SceneTask::to_point));
        Ok(Self { at, task, spawner, kind, avoidance })
    }
}

impl From<SceneAgent> for SavedAgent {
    fn from(SceneAgent { at, task, spawner, kind, avoidance }: SceneAgent) -> Self {
        let (target, task) = match task {
            Some(SceneTask::GoTo { point, radius: None, reach: Reach::Distance }) => {
                (Some(point), None)
            }
            task => (None, task),
        };
        Self { at, target, task, spawner, kind, avoidance }
    }
}

impl SceneAgent {
    /// Maximum number of agents that the editor simulates; others of the scene are left out.
    pub const MAX: usize = 200;

    pub const fn new(at: Vec3) -> Self {
        Self { at, task: None, spawner: None, kind: None, avoidance: Avoidance::High }
    }

    pub fn going(at: Vec3, target: Vec3) -> Self {
        Self { task: Some(SceneTask::to_point(target)), ..Self::new(at) }
    }

    /// Returns the agents that remain after some are removed. Tasks keep their target agents; a task whose target is removed ends.
    pub fn without(agents: &[Self], removed: &BTreeSet<usize>) -> Vec<Self> {
        let left = agents.iter().enumerate().filter(|(number, _)| !removed.contains(number));
        let left = left.map(|(_, agent)| {
            let mut agent = agent.clone();
            let task = agent.task.as_mut().map(|task| task.fields().target);
            if let Some(TargetField::Agent(target)) = task {
                if removed.contains(target) {
                    agent.task = None;
                } else {
                    *target -= removed.range(..*target).count();
                }
            }
            agent
        });
        left.collect()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Avoidance {
    Low,
    Medium,
    Good,
    #[default]
    High,
    Reciprocal,
}

impl Avoidance {
    pub const ALL: [Self; 5] = [Self::Low, Self::Medium, Self::Good, Self::High, Self::Reciprocal];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::Good => "good",
            Self::High => "high",
            Self::Reciprocal => "reciprocal",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Low => tr!("Sampled, low"),
            Self::Medium => tr!("Sampled, medium"),
            Self::Good => tr!("Sampled, good"),
            Self::High => tr!("Sampled, high"),
            Self::Reciprocal => tr!("Reciprocal (ORCA)"),
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Low | Self::Medium | Self::Good | Self::High => {
                tr!("Agents choose the best of some sampled velocities, as in DetourCrowd")
            }
            Self::Reciprocal => {
                tr!("Agents share the avoidance of each other (ORCA), and do not overlap")
            }
        }
    }

    /// Returns the index of its settings in a crowd: the presets have the indices 0 to 3.
    pub const fn index(self) -> u8 {
        match self {
            Self::Low => 0,
            Self::Medium => 1,
            Self::Good => 2,
            Self::High => 3,
            Self::Reciprocal => 4,
        }
    }

    pub const fn params(self) -> AvoidanceParams {
        match self {
            Self::Low => AvoidanceParams::PRESETS[0],
            Self::Medium => AvoidanceParams::PRESETS[1],
            Self::Good => AvoidanceParams::PRESETS[2],
            Self::High => AvoidanceParams::PRESETS[3],
            Self::Reciprocal => AvoidanceParams::RECIPROCAL,
        }
    }
}

pub fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Distance => tr!("by distance"),
        Reach::LineOfSight => tr!("in line of sight"),
        Reach::WalkingDistance => tr!("by walking distance"),
    }
}

/// Adds agents at regular times. They are removed when they arrive at their target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedSpawner")]
pub struct Spawner {
    /// Time between two agents, in seconds.
    pub every: f32,
    /// Maximum number of its agents at a time.
    pub limit: u8,
}

impl Spawner {
    pub const FIRST: Self = Self { every: 2.0, limit: 10 };
    /// Smallest and largest time between two agents, in seconds.
    pub const EVERY: [f32; 2] = [0.1, 600.0];
    pub const LIMIT: [u8; 2] = [1, 200];
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedSpawner {
    every: f32,
    limit: u8,
}

impl TryFrom<SavedSpawner> for Spawner {
    type Error = String;

    fn try_from(SavedSpawner { every, limit }: SavedSpawner) -> Result<Self, String> {
        let [[least, most], [fewest, largest]] = [Self::EVERY, Self::LIMIT.map(f32::from)];
        if !(least..=most).contains(&every) {
            return Err(format!(
                "a spawner adds an agent every {least} to {most} s, not {every} s"
            ));
        }
        if !(fewest..=largest).contains(&f32::from(limit)) {
            return Err(format!("a spawner has {fewest} to {largest} agents, not {limit}"));
        }
        Ok(Self { every, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_scenes_have_targets_and_tasks_are_checked() {
        let read = |text: &str| {
            serde_json::from_str::<SceneAgent>(text).map_err(|error| error.to_string())
        };
        let old = r#"{"at":[1.0,0.0,0.0],"target":[0.0,0.0,1.0]}"#;
        let going = SceneAgent::going(Vec3::X, Vec3::Z);
        assert_eq!(read(old), Ok(going.clone()));
        assert_eq!(serde_json::to_string(&going).unwrap(), old);
        let tasks = [
            SceneTask::GoTo { point: Vec3::Z, radius: Some(2.0), reach: Reach::Distance },
            SceneTask::GoTo { point: Vec3::Z, radius: None, reach: Reach::LineOfSight },
            SceneTask::Approach { agent: 3, radius: 1.5, reach: Reach::WalkingDistance },
            SceneTask::Follow { agent: 0, nearest: 1.5, farthest: 4.0, reach: Reach::Distance },
        ];
        for task in tasks {
            let agent = SceneAgent { task: Some(task), ..SceneAgent::new(Vec3::X) };
            let text = serde_json::to_string(&agent).unwrap();
            assert_eq!(read(&text), Ok(agent), "{text}");
        }
        let with = |fields: &str| read(&format!(r#"{{"at":[1,0,0],{fields}}}"#)).unwrap_err();
        let approach = r#""task":{"approach":{"agent":1,"radius":-1.0}}"#;
        assert!(with(approach).contains("the radius of the task is -1"), "{}", with(approach));
        let follow = r#""task":{"follow":{"agent":1,"nearest":4.0,"farthest":2.0}}"#;
        assert!(with(follow).contains("must be below the largest"), "{}", with(follow));
        let both = r#""target":[0,0,1],"task":{"approach":{"agent":1,"radius":1.0}}"#;
        assert!(with(both).contains("a target or a task"), "{}", with(both));
        assert!(with(r#""task":{"dance":{}}"#).contains("dance"));
        assert!(
            with(r#""task":{"approach":{"agent":1,"radius":1.0,"speed":1}}"#).contains("speed")
        );
    }

    #[test]
    fn tasks_keep_their_targets_when_agents_are_removed() {
        let after = |agent: usize| {
            let task = SceneTask::Approach { agent, radius: 1.5, reach: Reach::Distance };
            let task = SceneAgent { task: Some(task), ..SceneAgent::new(Vec3::X) };
            let mut agents = vec![SceneAgent::new(Vec3::Z); 5];
            agents.push(task);
            let left = SceneAgent::without(&agents, &[0, 2].into());
            assert_eq!(left.len(), 4);
            let mut task = left[3].task?;
            let TargetField::Agent(target) = task.fields().target else { panic!("another task") };
            Some(*target)
        };
        assert_eq!([1, 2, 3, 4].map(after), [Some(0), None, Some(1), Some(2)]);
        assert_eq!(after(99), Some(97), "a target that does not exist");
        let going = [SceneAgent::new(Vec3::X), SceneAgent::going(Vec3::X, Vec3::Z)];
        assert_eq!(SceneAgent::without(&going, &[0].into()), [going[1].clone()]);
    }

    #[test]
    fn spawners_out_of_range_are_rejected() {
        let read = |every: f32, limit: u8| {
            let text = format!(r#"{{"every":{every:?},"limit":{limit}}}"#);
            serde_json::from_str::<Spawner>(&text).map_err(|error| error.to_string())
        };
        assert_eq!(read(0.1, 200), Ok(Spawner { every: 0.1, limit: 200 }));
        assert!(read(0.01, 5).unwrap_err().contains("every 0.1 to 600 s, not 0.01 s"));
        assert!(read(1e9, 5).is_err() && read(-1.0, 5).is_err());
        assert!(read(1.0, 0).unwrap_err().contains("1 to 200 agents, not 0"));
        assert!(read(1.0, 201).is_err());
    }
}
