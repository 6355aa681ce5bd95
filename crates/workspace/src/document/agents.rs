//! The agent profiles of a project.

use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeSettings, JumpLimits},
    crowd::AgentParams,
};

use super::{Document, Rgb, SceneAgent, named::is_default};
use crate::lang::tr;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    pub name: String,
    /// Color of its outline; `None` for the program's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Rgb>,
    /// Its settings; those of the chosen agent are the document's.
    pub settings: BakeSettings,
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: Pace,
    /// Limits for its jumps and drops; those of the chosen agent are the document's.
    #[serde(default, skip_serializing_if = "JumpLimits::is_automatic")]
    pub jumps: JumpLimits,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedPace")]
pub struct Pace {
    /// Maximum speed, in meters per second.
    pub max_speed: f32,
    /// Maximum acceleration, in meters per second squared.
    pub max_acceleration: f32,
}

impl Pace {
    pub const MAX: f32 = 1000.0;
}

impl Default for Pace {
    fn default() -> Self {
        let AgentParams { max_speed, max_acceleration, .. } = AgentParams::of_size(0.6, 2.0);
        Self { max_speed, max_acceleration }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPace {
    max_speed: f32,
    max_acceleration: f32,
}

impl TryFrom<SavedPace> for Pace {
    type Error = String;

    fn try_from(SavedPace { max_speed, max_acceleration }: SavedPace) -> Result<Self, String> {
        for (what, value) in [("speed", max_speed), ("acceleration", max_acceleration)] {
            if !(0.0..=Self::MAX).contains(&value) {
                return Err(format!("the {what} of an agent is 0 to {}, not {value}", Self::MAX));
            }
        }
        Ok(Self { max_speed, max_acceleration })
    }
}

/// All agents of a project. An empty list stands for a single agent without a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Agents {
    pub list: Vec<Agent>,
    /// Index of the active agent, whose navmesh is shown.
    pub chosen: usize,
}

impl Agents {
    pub const MAX: usize = 16;

    /// Returns the agent whose navmesh is shown; `None` if there is a single agent without a name.
    pub fn active(&self) -> Option<&Agent> {
        self.list.get(self.chosen)
    }

    /// Returns the agents with one more, which is like the active agent of `document`. If the list is empty, the active
    /// agent itself is added first.
    #[must_use]
    pub fn with_one_more(&self, document: &Document) -> Self {
        let mut agents = self.clone();
        let first = usize::from(agents.list.is_empty());
        let pace = self.active().map(|agent| agent.pace).unwrap_or_default();
        for _ in 0..=first {
            let name = tr!("Agent {}", agents.list.len() + 1);
            let (settings, jumps) = (document.settings.clone(), document.jumps);
            agents.list.push(Agent { name, color: None, settings, pace, jumps });
        }
        agents
    }

    /// Returns the agents without the one at index `number`; an empty list if it was the only one.
    #[must_use]
    pub fn without(&self, number: usize) -> Self {
        let mut agents = self.clone();
        if number < agents.list.len() {
            agents.list.remove(number);
        }
        if agents.chosen > number || agents.chosen >= agents.list.len() {
            agents.chosen = agents.chosen.saturating_sub(1);
        }
        agents
    }

    #[must_use]
    pub fn choosing(&self, number: usize) -> Self {
        let chosen = number.min(self.list.len().saturating_sub(1));
        Self { chosen, ..self.clone() }
    }
}

impl Document {
    /// Replaces the agents, and activates the settings and jump limits of the chosen one. If one agent was renamed, the
    /// crowd uses the new name.
    pub fn take_agents(&mut self, agents: Agents) {
        let pairs = || self.agents.list.iter().zip(&agents.list);
        let renamed = pairs().filter(|(old, new)| old.name != new.name);
        let renamed: Vec<_> = renamed.collect();
        if let [(old, new)] = renamed[..]
            && self.agents.list.len() == agents.list.len()
        {
            let of_it = |agent: &&mut SceneAgent| agent.kind.as_ref() == Some(&old.name);
            for agent in self.crowd.iter_mut().filter(of_it) {
                agent.kind = Some(new.name.clone());
            }
        }
        if let Some(agent) = agents.list.get(agents.chosen) {
            (self.settings, self.jumps) = (agent.settings.clone(), agent.jumps);
        }
        self.agents = agents;
    }

    /// Returns the agent with this name, unless it is the active one.
    pub fn other_agent(&self, name: &str) -> Option<&Agent> {
        let Agents { list, chosen } = &self.agents;
        let number = list.iter().position(|agent| agent.name == name)?;
        list.get(number).filter(|_| number != *chosen)
    }

    /// Returns the settings and the pace of the agent `name`, or of the active agent if there is no name or no such
    /// agent.
    pub fn kind(&self, name: Option<&str>) -> (&BakeSettings, Pace) {
        if let Some(agent) = name.and_then(|name| self.other_agent(name)) {
            return (&agent.settings, agent.pace);
        }
        (&self.settings, self.agents.active().map(|agent| agent.pace).unwrap_or_default())
    }

    /// Updates the active agent from the settings and jump limits.
    pub fn keep_agent(&mut self) {
        let Agents { list, chosen } = &mut self.agents;
        if let Some(agent) = list.get_mut(*chosen) {
            agent.settings.clone_from(&self.settings);
            agent.jumps = self.jumps;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_agent_follows_the_settings() {
        let mut document = Document::default();
        let agents = document.agents.with_one_more(&document);
        assert_eq!(agents.list.len(), 2, "the nameless one is the first");
        document.take_agents(agents.choosing(1));
        document.settings.agent_radius = 1.25;
        document.jumps.up = Some(1.5);
        document.keep_agent();
        let radii = |document: &Document| -> Vec<f32> {
            document.agents.list.iter().map(|agent| agent.settings.agent_radius).collect()
        };
        assert_eq!(radii(&document), [0.6, 1.25]);
        document.take_agents(document.agents.choosing(0));
        assert_eq!(document.jumps.up, None, "the limits of the other agent");
        assert_eq!((document.settings.agent_radius, radii(&document)), (0.6, vec![0.6, 1.25]));
        document.take_agents(document.agents.without(0));
        assert_eq!((document.settings.agent_radius, document.agents.chosen), (1.25, 0));
        assert_eq!(document.jumps.up, Some(1.5));
        document.take_agents(document.agents.without(0));
        assert_eq!(document.agents, Agents::default());
    }
}
