//! The agents of the crowd tool.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// An agent of the crowd scene, or a spawner of agents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneAgent {
    /// Where it starts, in world space.
    pub at: Vec3,
    /// Its target; `None` for an agent that stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Vec3>,
    /// Adds agents at regular times; `None` for a single agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawner: Option<Spawner>,
}

impl SceneAgent {
    /// Maximum number of agents that the editor simulates; others of the scene are left out.
    pub const MAX: usize = 200;
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
    /// The settings of a new spawner.
    pub const FIRST: Self = Self { every: 2.0, limit: 10 };
    /// Smallest and largest time between two agents, in seconds.
    pub const EVERY: [f32; 2] = [0.1, 600.0];
    /// Smallest and largest number of agents at a time.
    pub const LIMIT: [u8; 2] = [1, 200];
}

/// A spawner before validation.
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
