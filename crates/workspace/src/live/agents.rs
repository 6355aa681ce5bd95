//! The agents of running games, as their messages describe them.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use serde::Deserialize;

use super::ClientId;

/// Maximum number of agents, of all clients together.
pub const MAX_AGENTS: usize = 1000;
pub const MAX_PATH_POINTS: usize = 256;
pub const MAX_AGENT_NAME: usize = 64;

/// Maximum radius and height of an agent, in meters.
const MAX_SIZE: f32 = 1000.0;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameAgent {
    pub id: u64,
    /// Name; empty if it has none.
    #[serde(default)]
    pub name: String,
    pub at: Vec3,
    /// Radius, in meters; `None` if it is that of the bake settings.
    #[serde(default)]
    pub radius: Option<f32>,
    /// Height, in meters; `None` if it is that of the bake settings.
    #[serde(default)]
    pub height: Option<f32>,
    /// The points of its path that are still ahead.
    #[serde(default)]
    pub path: Vec<Vec3>,
}

impl GameAgent {
    pub(super) fn check(&self) -> Result<(), String> {
        let Self { id, name, at, radius, height, path } = self;
        let is_size = |size: f32| size > 0.0 && size <= MAX_SIZE;
        if name.len() > MAX_AGENT_NAME {
            Err(format!("the name of agent {id} is longer than {MAX_AGENT_NAME} bytes"))
        } else if path.len() > MAX_PATH_POINTS {
            let n = path.len();
            Err(format!("the path of agent {id} has {n} points, more than {MAX_PATH_POINTS}"))
        } else if !path.iter().chain([at]).all(|at| at.is_finite()) {
            Err(format!("a coordinate of agent {id} is infinite"))
        } else if !radius.iter().chain(height).all(|size| is_size(*size)) {
            Err(format!("radius and height of agent {id} must be between 0 and {MAX_SIZE} m"))
        } else {
            Ok(())
        }
    }

    /// Returns the name, or the number if it has none.
    pub fn label(&self) -> String {
        if self.name.is_empty() { self.id.to_string() } else { self.name.clone() }
    }
}

/// The agents of all clients, by client and number. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameAgents(BTreeMap<(ClientId, u64), Arc<GameAgent>>);

impl GameAgents {
    /// Removes agents of a client, then sets others. Changes nothing if there would be more than [`MAX_AGENTS`]
    /// afterwards, which is an error.
    pub fn change(
        &mut self,
        client: ClientId,
        replace: Vec<GameAgent>,
        remove: &[u64],
    ) -> Result<(), String> {
        let mut after = self.0.clone();
        for &id in remove {
            after.remove(&(client, id));
        }
        for agent in replace {
            after.insert((client, agent.id), Arc::new(agent));
        }
        let n = after.len();
        if n > MAX_AGENTS {
            return Err(format!("{n} agents, more than the limit of {MAX_AGENTS}"));
        }
        self.0 = after;
        Ok(())
    }

    pub fn forget(&mut self, client: ClientId) -> bool {
        let before = self.0.len();
        self.0.retain(|(of, _), _| *of != client);
        self.0.len() != before
    }

    pub fn get(&self, client: ClientId, id: u64) -> Option<&GameAgent> {
        self.0.get(&(client, id)).map(|agent| &**agent)
    }

    /// Returns the agents with their keys, in a constant order.
    pub fn iter(&self) -> impl Iterator<Item = ((ClientId, u64), &GameAgent)> {
        self.0.iter().map(|(key, agent)| (*key, &**agent))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(id: u64) -> GameAgent {
        let (name, at, path) = (String::new(), Vec3::ZERO, Vec::new());
        GameAgent { id, name, at, radius: None, height: None, path }
    }

    #[test]
    fn agents_belong_to_their_client() {
        let mut agents = GameAgents::default();
        agents.change(1, vec![agent(7), agent(8)], &[]).unwrap();
        agents.change(2, vec![agent(7)], &[]).unwrap();
        let moved = GameAgent { at: Vec3::X, name: "Guard".to_owned(), ..agent(7) };
        agents.change(1, vec![moved], &[8, 9]).unwrap();
        let keys: Vec<_> = agents.iter().map(|(key, agent)| (key, agent.label())).collect();
        assert_eq!(keys, [((1, 7), "Guard".to_owned()), ((2, 7), "7".to_owned())]);
        assert_eq!(agents.get(1, 7).unwrap().at, Vec3::X);
        assert!(agents.forget(1) && !agents.forget(1));
        assert_eq!((agents.len(), agents.get(1, 7)), (1, None));
    }

    #[test]
    fn too_many_agents_change_nothing() {
        let mut agents = GameAgents::default();
        agents.change(1, (0..999).map(agent).collect(), &[]).unwrap();
        let error = agents.change(2, vec![agent(0), agent(1)], &[]).unwrap_err();
        assert_eq!(error, "1001 agents, more than the limit of 1000");
        assert_eq!(agents.len(), 999);
        agents.change(1, vec![agent(5000), agent(5001)], &[0]).unwrap();
        assert_eq!(agents.len(), 1000);
    }

    #[test]
    fn sizes_names_and_paths_are_limited() {
        let long = vec![Vec3::ZERO; MAX_PATH_POINTS + 1];
        for (bad, why) in [
            (GameAgent { name: "x".repeat(65), ..agent(3) }, "the name of agent 3 is longer than"),
            (GameAgent { path: long, ..agent(3) }, "the path of agent 3 has 257 points"),
            (GameAgent { at: Vec3::INFINITY, ..agent(3) }, "a coordinate of agent 3 is infinite"),
            (GameAgent { path: vec![Vec3::NAN], ..agent(3) }, "a coordinate of agent 3"),
            (GameAgent { radius: Some(0.0), ..agent(3) }, "radius and height of agent 3"),
            (GameAgent { height: Some(f32::NAN), ..agent(3) }, "radius and height of agent 3"),
        ] {
            let error = bad.check().unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
        assert_eq!(GameAgent { radius: Some(0.4), ..agent(3) }.check(), Ok(()));
    }
}
