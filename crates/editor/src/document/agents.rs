//! The agent profiles of a project.

use crate::lang::tr;
use serde::{Deserialize, Serialize};
use walkable::bake::BakeSettings;

use super::{Document, Rgb};

/// Number of the hue of the first agent's outline; the others follow.
pub const AGENT_HUE: u32 = 1 << 31;

/// One who walks the level: its size, its skills and how fine its navmesh is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Color of its outline; `None` for the program's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Rgb>,
    /// Its settings; those of the chosen agent are the document's.
    pub settings: BakeSettings,
}

/// All agents of a project. An empty list stands for a single agent without a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Agents {
    /// The agents.
    pub list: Vec<Agent>,
    /// Number of the one whose navmesh is shown.
    pub chosen: usize,
}

impl Agents {
    /// Maximum number of agents of a project.
    pub const MAX: usize = 16;

    /// The agent whose navmesh is shown; `None` if there is a single agent without a name.
    pub fn active(&self) -> Option<&Agent> {
        self.list.get(self.chosen)
    }

    /// The agents with one more, which begins as `settings`; the first one as well if there was none.
    #[must_use]
    pub fn with_one_more(&self, settings: &BakeSettings) -> Self {
        let mut agents = self.clone();
        let first = usize::from(agents.list.is_empty());
        for _ in 0..=first {
            let name = tr!("Agent {}", agents.list.len() + 1);
            agents.list.push(Agent { name, color: None, settings: settings.clone() });
        }
        agents
    }

    /// The agents without number `number`; the last one of all leaves an empty list.
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

    /// The agents with number `number` chosen.
    #[must_use]
    pub fn choosing(&self, number: usize) -> Self {
        let chosen = number.min(self.list.len().saturating_sub(1));
        Self { chosen, ..self.clone() }
    }
}

impl Document {
    /// Takes the agents, and with them the settings of the chosen one.
    pub fn take_agents(&mut self, agents: Agents) {
        if let Some(agent) = agents.list.get(agents.chosen) {
            self.settings = agent.settings.clone();
        }
        self.agents = agents;
    }

    /// Updates the active agent from the settings.
    pub fn keep_agent(&mut self) {
        let Agents { list, chosen } = &mut self.agents;
        if let Some(agent) = list.get_mut(*chosen) {
            agent.settings.clone_from(&self.settings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_agent_follows_the_settings() {
        let mut document = Document::default();
        let agents = document.agents.with_one_more(&document.settings);
        assert_eq!(agents.list.len(), 2, "the nameless one is the first");
        document.take_agents(agents.choosing(1));
        document.settings.agent_radius = 1.25;
        document.keep_agent();
        let radii = |document: &Document| -> Vec<f32> {
            document.agents.list.iter().map(|agent| agent.settings.agent_radius).collect()
        };
        assert_eq!(radii(&document), [0.6, 1.25]);
        document.take_agents(document.agents.choosing(0));
        assert_eq!((document.settings.agent_radius, radii(&document)), (0.6, vec![0.6, 1.25]));
        document.take_agents(document.agents.without(0));
        assert_eq!((document.settings.agent_radius, document.agents.chosen), (1.25, 0));
        document.take_agents(document.agents.without(0));
        assert_eq!(document.agents, Agents::default());
    }
}
