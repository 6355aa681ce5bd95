//! The navmeshes of the other agents of the project.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{AreaTable, BakeConfig, BakeSettings, JumpLimits},
    debug_draw::DrawList,
    diagnostic::Phrase,
    export::ExportFormat,
    navmesh::NavMesh,
    phrase,
    query::{Filter, NearestRequest, nearest},
    tile_cache::Obstacle,
};
use walkable_workspace::layered::Layered;

use super::{Second, Session};

#[derive(Clone, Debug, Default)]
pub struct OtherAgents {
    pub shown: bool,
    pub baked: BTreeMap<usize, OtherAgentBake>,
    /// Why some could not be baked, by the agent's number.
    pub errors: BTreeMap<usize, String>,
    pub export: Option<AgentsExport>,
    /// Distinguishes the navmeshes of each request.
    pub(crate) serial: u64,
    input: Option<OtherAgentsInput>,
    /// Revision of the document that was checked last.
    seen: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AgentsExport {
    pub format: ExportFormat,
    /// The file; the name of each agent is appended to its name.
    pub path: PathBuf,
    /// Whether existing files are replaced without asking.
    pub replaces: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct OtherAgentsInput {
    level: u64,
    configs: Vec<(usize, BakeConfig)>,
    /// The obstacles; `None` if the level is not prepared for obstacles.
    obstacles: Option<Vec<Obstacle>>,
}

impl OtherAgentsInput {
    /// Returns whether only obstacles differ, which can be applied to the known layers.
    fn is_on_layers_of(&self, old: &Self) -> bool {
        let (mine, theirs) = (&self.obstacles, &old.obstacles);
        self.level == old.level && self.configs == old.configs && mine.is_some() && theirs.is_some()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OtherAgentToBake {
    pub number: usize,
    /// Its settings, and everything else that a bake depends on.
    pub config: BakeConfig,
    /// The obstacles on it; `None` if the level is not prepared for obstacles.
    pub obstacles: Option<Vec<Obstacle>>,
    /// Its layers with other obstacles on them, if they are known.
    pub layered: Option<Arc<Layered>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OtherAgentBake {
    pub mesh: Arc<NavMesh>,
    pub layered: Option<Arc<Layered>>,
    /// Not sent by workers.
    #[serde(skip)]
    pub outline: Arc<DrawList>,
    /// Serial number that distinguishes it from all others.
    pub serial: u64,
}

impl OtherAgents {
    pub(super) fn forget(&mut self) {
        *self = Self { shown: self.shown, ..Self::default() };
    }
}

impl Session {
    /// Returns the agents whose navmeshes have to be baked, because they are drawn, walked on or tested and not known.
    pub fn other_agents_to_bake(&mut self) -> Option<Vec<OtherAgentToBake>> {
        let level = self.opened.level.as_ref()?.serial;
        let now = Some((self.history.revision(), level));
        if self.other_agents.seen == now || self.history.in_transaction() {
            return None;
        }
        let are_needed = self.other_agents.shown
            || matches!(self.path.second, Second::Agent(_))
            || self.other_agents.export.is_some()
            || self.tested_agents().next().is_some();
        if !are_needed {
            return None;
        }
        self.other_agents.seen = now;
        let obstacles = self.document().obstacles_on_layers();
        let input = OtherAgentsInput { level, configs: self.other_agent_configs(), obstacles };
        let OtherAgents { input: before, baked, errors, .. } = &mut self.other_agents;
        if before.as_ref() == Some(&input) {
            return None;
        }
        // Until they are baked again, results that differ only in obstacles are kept.
        if !before.as_ref().is_some_and(|before| input.is_on_layers_of(before)) {
            baked.clear();
        }
        errors.clear();
        let wanted = input.configs.iter().map(|(number, config)| OtherAgentToBake {
            number: *number,
            config: config.clone(),
            obstacles: input.obstacles.clone(),
            layered: baked.get(number).and_then(|other| other.layered.clone()),
        });
        let wanted = wanted.collect();
        *before = Some(input);
        Some(wanted)
    }

    /// Returns the names of the agents that path tests run on, except the active one. A name may occur more than once.
    fn tested_agents(&self) -> impl Iterator<Item = &str> {
        let document = self.document();
        let active = document.agents.active().map(|agent| &*agent.name);
        let named = document.path_tests.iter().filter_map(|case| case.agent.as_deref());
        named.filter(move |name| Some(*name) != active)
    }

    /// Returns the navmeshes of the agents other than the active one on which path tests run, or why there is none.
    pub(crate) fn navmeshes_of_tests(&self) -> Vec<(String, Result<Arc<NavMesh>, Phrase>)> {
        let mut names: Vec<_> = self.tested_agents().collect();
        names.sort_unstable();
        names.dedup();
        let agents = &self.document().agents.list;
        let navmesh = |name: &str| {
            let number = agents.iter().position(|agent| agent.name == name);
            let number = number.ok_or_else(|| phrase!("there is no agent {name}", name))?;
            if let Some(other) = self.other_agents.baked.get(&number) {
                return Ok(Arc::clone(&other.mesh));
            }
            let why = self.other_agents.errors.get(&number).cloned();
            let not_baked = || phrase!("the navmesh of agent {name} is not baked", name);
            Err(why.map_or_else(not_baked, Phrase::from))
        };
        names.into_iter().map(|name| (name.to_owned(), navmesh(name))).collect()
    }

    /// Returns the names and serial numbers of the navmeshes in [`Session::navmeshes_of_tests`]; `None` while one of
    /// them is being baked.
    pub(super) fn serials_of_tests(&self) -> Option<Vec<(String, u64)>> {
        let mut names: Vec<_> = self.tested_agents().collect();
        names.sort_unstable();
        names.dedup();
        let agents = &self.document().agents.list;
        let mut serials = Vec::new();
        for name in names {
            let Some(number) = agents.iter().position(|agent| agent.name == name) else { continue };
            match self.other_agents.baked.get(&number) {
                Some(other) => serials.push((name.to_owned(), other.serial)),
                None if self.opened.level.is_none()
                    || self.other_agents.errors.contains_key(&number) => {}
                None => return None,
            }
        }
        Some(serials)
    }

    /// Returns whether the navmeshes of all agents are those of the current document and level, or could not be baked.
    fn knows_all_agents(&self) -> bool {
        let agents = &self.document().agents;
        let OtherAgents { baked, errors, input, .. } = &self.other_agents;
        let obstacles = self.document().obstacles_on_layers();
        let level = self.opened.level.as_ref().map(|level| level.serial);
        let is_asked = input.as_ref().is_some_and(|input| {
            Some(input.level) == level
                && input.configs == self.other_agent_configs()
                && input.obstacles == obstacles
        });
        let is_known = |number: &usize| baked.contains_key(number) || errors.contains_key(number);
        let mut others = (0..agents.list.len()).filter(|number| *number != agents.chosen);
        is_asked
            && self.bake.progress.is_none()
            && self.bake.navmesh.is_some()
            && others.all(|it| is_known(&it))
    }

    /// Takes the export that waits for navmeshes of agents if all are known.
    pub(crate) fn take_due_export(&mut self) -> Option<AgentsExport> {
        if self.other_agents.export.is_none() || !self.knows_all_agents() {
            return None;
        }
        self.other_agents.export.take()
    }

    /// Returns why the navmeshes of some agents are not exported.
    pub(crate) fn agents_without_navmesh(&self) -> Vec<Phrase> {
        let agents = &self.document().agents.list;
        let named = self.other_agents.errors.iter().filter_map(|(number, why)| {
            let name = &*agents.get(*number)?.name;
            Some(phrase!("no file for agent {name}: {why}", name, why = &**why))
        });
        named.collect()
    }

    pub fn mesh_of_agent(&self, number: usize) -> Option<&NavMesh> {
        if number == self.document().agents.chosen {
            return self.bake.navmesh.as_deref();
        }
        self.other_agents.baked.get(&number).map(|other| &*other.mesh)
    }

    pub(super) fn second_mesh(&self) -> Option<Arc<NavMesh>> {
        match self.path.second {
            Second::Kept => self.bake.before.as_ref()?.navmesh.clone(),
            Second::Agent(number) => {
                self.other_agents.baked.get(&number).map(|other| Arc::clone(&other.mesh))
            }
            Second::Off | Second::Filter(_) => None,
        }
    }

    fn other_agent_configs(&self) -> Vec<(usize, BakeConfig)> {
        let document = self.document();
        let others = document.agents.list.iter().enumerate();
        let others = others.filter(|(number, _)| *number != document.agents.chosen);
        let config = |settings: &BakeSettings| BakeConfig {
            settings: settings.clone(),
            // No bake reads them.
            jumps: JumpLimits::default(),
            // Flags are given to polygons after the bake, so that changing a flag requires no new bake.
            areas: AreaTable::default(),
            ..document.config()
        };
        others.map(|(number, agent)| (number, config(&agent.settings))).collect()
    }

    /// Returns whether agent `number` can stand at `place`; `None` if its navmesh is not known.
    pub fn fits(&self, number: usize, place: Vec3) -> Option<bool> {
        let mesh = self.mesh_of_agent(number);
        let (reach, filter) = (Vec3::new(0.02, 1.0, 0.02), &Filter::default());
        let request = NearestRequest { center: place, half_extents: reach, filter };
        let found = nearest(mesh?, &request).ok().flatten();
        Some(found.is_some_and(|end| (end.point - place).with_y(0.0).length() <= reach.x))
    }
}
