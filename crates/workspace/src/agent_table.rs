//! The table of agents beside a navmesh for several agents, as JSON.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use walkable::bake::{BakeSettings, BakedAgent};

use crate::{
    document::Agents,
    files::{self, Format},
};

/// Is added to the name of the navmesh.
const SUFFIX: &str = ".agents.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTable {
    walkable_agents: u32,
    pub agents: Vec<NamedAgent>,
}

/// An agent of a navmesh. Its flag is set on the polygons that are open to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedAgent {
    pub name: String,
    #[serde(flatten)]
    pub size: BakedAgent,
}

impl AgentTable {
    const VERSION: u32 = 1;

    /// Returns the table for `agents`, with a flag for each from `first_flag` on. All settings but the sizes of the agents
    /// must be alike.
    pub fn new(agents: &Agents, first_flag: u16) -> anyhow::Result<Self> {
        let n = agents.list.len();
        let first = agents.list.first().context("it has no agents; a project can have some")?;
        let n_flags = first_flag.leading_zeros() as usize + 1;
        anyhow::ensure!(
            n <= n_flags,
            "its {n} agents need a flag each, but from {first_flag:#06x} on there are {n_flags}"
        );
        let sized = |size: &BakeSettings| BakedAgent::new(size, 0).alone(&first.settings);
        let other = agents.list.iter().find(|agent| agent.settings != sized(&agent.settings));
        if let Some(other) = other {
            anyhow::bail!(
                "the agents \"{}\" and \"{}\" have different settings beside radius, height, max climb and \
                 max slope",
                first.name,
                other.name
            );
        }
        let named = (0..).zip(&agents.list).map(|(number, agent)| NamedAgent {
            name: agent.name.clone(),
            size: BakedAgent::new(&agent.settings, first_flag << number),
        });
        Ok(Self { walkable_agents: Self::VERSION, agents: named.collect() })
    }

    pub fn baked(&self) -> Vec<BakedAgent> {
        self.agents.iter().map(|agent| agent.size).collect()
    }

    /// Returns the file of the table beside the navmesh at `navmesh`.
    pub fn file_beside(navmesh: &Path) -> PathBuf {
        let mut name = navmesh.as_os_str().to_owned();
        name.push(SUFFIX);
        name.into()
    }

    /// Returns whether a file that begins with `start` is a table of agents.
    pub fn is_start(start: &[u8]) -> bool {
        String::from_utf8_lossy(start).contains("\"walkable_agents\"")
    }

    pub fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Returns the agent `name` of the navmesh at `navmesh`.
    pub fn find(navmesh: &Path, name: &str) -> anyhow::Result<NamedAgent> {
        let file = Self::file_beside(navmesh);
        let text = files::read_text(&file, Format::AgentTable).with_context(|| {
            let navmesh = navmesh.display();
            format!("{navmesh}: no table of agents is beside it, as `bake --for-all-agents` writes")
        })?;
        let context = || file.display().to_string();
        let table: Self = serde_json::from_str(&text).with_context(context)?;
        let version = table.walkable_agents;
        anyhow::ensure!(
            version == Self::VERSION,
            "{}: it has version {version}, not {}",
            file.display(),
            Self::VERSION
        );
        let all: Vec<_> = table.agents.iter().map(|agent| agent.name.clone()).collect();
        let found = table.agents.into_iter().find(|agent| agent.name == name);
        found.with_context(|| {
            format!("{}: there is no agent `{name}`; there are: {}", file.display(), all.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, Pace};

    fn agents(sizes: &[(&str, f32, f32)]) -> Agents {
        let agent = |&(name, radius, cell_size): &(&str, f32, f32)| {
            let mut document = Document::default();
            (document.settings.agent_radius, document.settings.cell_size) = (radius, cell_size);
            let agents = document.agents.with_one_more(&document);
            let agent = agents.list.into_iter().next()?;
            Some(crate::document::Agent { name: name.to_owned(), pace: Pace::default(), ..agent })
        };
        Agents { list: sizes.iter().filter_map(agent).collect(), chosen: 0 }
    }

    #[test]
    fn each_agent_has_a_flag_and_is_found_by_name() {
        let table = AgentTable::new(&agents(&[("child", 0.3, 0.3), ("ogre", 1.2, 0.3)]), 0x100);
        let table = table.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let navmesh = folder.path().join("town.bin");
        let why = AgentTable::find(&navmesh, "ogre").unwrap_err().to_string();
        assert!(why.contains("town.bin: no table of agents is beside it"), "{why}");
        std::fs::write(AgentTable::file_beside(&navmesh), table.to_bytes().unwrap()).unwrap();
        let ogre = AgentTable::find(&navmesh, "ogre").unwrap().size;
        assert_eq!((ogre.radius, ogre.flag), (1.2, 0x200));
        let why = AgentTable::find(&navmesh, "cat").unwrap_err().to_string();
        assert!(why.ends_with("there is no agent `cat`; there are: child, ogre"), "{why}");
    }

    #[test]
    fn agents_must_share_all_settings_but_their_sizes() {
        let why = |agents: &Agents, first_flag| {
            AgentTable::new(agents, first_flag).unwrap_err().to_string()
        };
        let odd = agents(&[("child", 0.3, 0.3), ("ogre", 1.2, 0.2)]);
        assert!(why(&odd, 0x100).contains("\"child\" and \"ogre\" have different settings"));
        assert!(why(&Agents::default(), 0x100).contains("it has no agents"));
        let three = agents(&[("a", 0.3, 0.3), ("b", 0.4, 0.3), ("c", 0.5, 0.3)]);
        assert!(why(&three, 0x4000).contains("3 agents need a flag each"));
        assert!(AgentTable::new(&three, 0x2000).is_ok());
    }
}
