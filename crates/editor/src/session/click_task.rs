//! The tasks that a click of the crowd tool gives the chosen agents.

use glam::Vec3;
use walkable::{diagnostic::Phrase, phrase, tasks::Reach};
use walkable_workspace::{document::SceneTask, lang::tr, table, text};

/// Difference between the distances at which an agent follows another one, in meters.
const FOLLOWED_BAND: f32 = 2.5;

struct Row {
    key: &'static str,
    name: &'static str,
    /// What it does with the chosen agents.
    what: &'static str,
    /// The command that chooses it for the next click, and what that click does.
    next_click: [&'static str; 2],
    /// The mouse and keys while it is chosen.
    hints: &'static [(&'static str, &'static str)],
    /// Label of the change of the document.
    label: fn() -> Phrase,
    target: ClickTarget,
}

/// What is clicked, and the task that this gives.
enum ClickTarget {
    Ground {
        task: fn(Vec3) -> SceneTask,
    },
    Agent {
        /// The name with the number of the clicked agent.
        name: fn(usize) -> String,
        /// The length is a distance between the centers of both agents that leaves room between them.
        task: fn(usize, f32, Reach) -> SceneTask,
    },
}

table! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ClickTask of Row {
        #[default]
        GoTo {
            key: "go-to",
            name: text!("Go to"),
            what: text!("Sends the chosen agents here"),
            next_click: [
                text!("Next click: go to"),
                text!("The next click gives the chosen agents a target"),
            ],
            hints: &[
                (text!("Click"), text!("send the chosen agents here")),
                (text!("Shift-click"), text!("place more agents")),
                (text!("Esc"), text!("choose none")),
            ],
            label: || phrase!("Set target"),
            target: ClickTarget::Ground { task: SceneTask::to_point },
        }
        Approach {
            key: "approach",
            name: text!("Approach agent"),
            what: text!("Lets the chosen agents go to this agent"),
            next_click: [
                text!("Next click: approach"),
                text!("The chosen agents go to the agent that you click next"),
            ],
            hints: &[
                (text!("Click an agent"), text!("let the chosen agents approach it")),
                (text!("Esc"), text!("choose none")),
            ],
            label: || phrase!("Approach agent"),
            target: ClickTarget::Agent {
                name: |agent| tr!("Approach agent {agent}"),
                task: |agent, radius, reach| SceneTask::Approach { agent, radius, reach },
            },
        }
        Follow {
            key: "follow",
            name: text!("Follow agent"),
            what: text!("Lets the chosen agents follow this agent"),
            next_click: [
                text!("Next click: follow"),
                text!("The chosen agents follow the agent that you click next, at a distance"),
            ],
            hints: &[
                (text!("Click an agent"), text!("let the chosen agents follow it")),
                (text!("Esc"), text!("choose none")),
            ],
            label: || phrase!("Follow agent"),
            target: ClickTarget::Agent {
                name: |agent| tr!("Follow agent {agent}"),
                task: |agent, nearest, reach| {
                    let farthest = nearest + FOLLOWED_BAND;
                    SceneTask::Follow { agent, nearest, farthest, reach }
                },
            },
        }
    }
}

impl ClickTask {
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn name_with(self, agent: usize) -> String {
        match self.row().target {
            ClickTarget::Ground { .. } => self.name().to_owned(),
            ClickTarget::Agent { name, .. } => name(agent),
        }
    }

    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    /// Returns the text of the command that chooses it for the next click, and what that click does.
    pub fn next_click(self) -> [&'static str; 2] {
        self.row().next_click.map(tr)
    }

    pub const fn hints(self) -> &'static [(&'static str, &'static str)] {
        self.row().hints
    }

    pub fn label(self) -> Phrase {
        (self.row().label)()
    }

    /// Returns whether an agent is clicked, not the ground.
    pub const fn is_for_agent(self) -> bool {
        matches!(self.row().target, ClickTarget::Agent { .. })
    }

    /// Returns the task that a click on the ground gives; `None` if an agent must be clicked.
    pub fn at_point(self, point: Vec3) -> Option<SceneTask> {
        match self.row().target {
            ClickTarget::Ground { task } => Some(task(point)),
            ClickTarget::Agent { .. } => None,
        }
    }

    /// Returns the task that a click on an agent gives to another one; `None` if the ground must be clicked.
    pub fn at_agent(self, agent: usize, radii: [f32; 2], reach: Reach) -> Option<SceneTask> {
        // Rounded up to decimeters, so that the numbers in the panel are short.
        let near = ((radii[0] + radii[1]) * 1.5 * 10.0).ceil() / 10.0;
        match self.row().target {
            ClickTarget::Ground { .. } => None,
            ClickTarget::Agent { task, .. } => Some(task(agent, near, reach)),
        }
    }
}
