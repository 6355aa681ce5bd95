//! Where the other agents of the project fit.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use walkable::{
    bake::{BakeConfig, BakeSettings},
    debug_draw::DrawList,
    navmesh::NavMesh,
    query::{Filter, nearest},
};

use super::Session;

/// Navmeshes of the agents that are not chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Others {
    /// Whether they are drawn.
    pub(crate) shown: bool,
    /// Those baked, by the agent's number.
    pub(crate) baked: BTreeMap<usize, Other>,
    /// Why some could not be baked, by the agent's number.
    pub(crate) errors: BTreeMap<usize, String>,
    /// What they were asked for with: the level's serial number and each agent's settings.
    asked: Option<(u64, Vec<(usize, BakeConfig)>)>,
    /// Revision of the document that was looked at last.
    seen: Option<(u64, u64)>,
}

/// The navmesh of one agent.
#[derive(Clone, Debug)]
pub(crate) struct Other {
    /// The navmesh.
    pub(crate) mesh: Arc<NavMesh>,
    /// Its outline.
    pub(crate) outline: Arc<DrawList>,
    /// Tells it from all others.
    pub(crate) serial: u64,
}

impl Others {
    /// Forgets all that was baked.
    pub(super) fn forget(&mut self) {
        *self = Self { shown: self.shown, ..Self::default() };
    }
}

impl Session {
    /// The agents whose navmeshes are to be baked, as they are drawn and not known; with their numbers.
    pub(crate) fn wanted_others(&mut self) -> Option<Vec<(usize, BakeConfig)>> {
        let level = self.level.as_ref().filter(|_| self.others.shown)?.serial;
        let now = Some((self.history.revision(), level));
        if self.others.seen == now || self.history.in_transaction() {
            return None;
        }
        self.others.seen = now;
        let wanted = self.other_configs();
        let is_known =
            |(asked_level, asked): &(u64, Vec<_>)| *asked_level == level && *asked == wanted;
        if self.others.asked.as_ref().is_some_and(is_known) {
            return None;
        }
        self.others.asked = Some((level, wanted.clone()));
        self.others.baked.clear();
        self.others.errors.clear();
        Some(wanted)
    }

    fn other_configs(&self) -> Vec<(usize, BakeConfig)> {
        let document = self.document();
        let others = document.agents.list.iter().enumerate();
        let others = others.filter(|(number, _)| *number != document.agents.chosen);
        let config = |settings: &BakeSettings| BakeConfig {
            settings: settings.clone(),
            ..document.config()
        };
        others.map(|(number, agent)| (number, config(&agent.settings))).collect()
    }

    /// Whether agent `number` can stand at `place`; `None` where its navmesh is not known.
    pub(crate) fn fits(&self, number: usize, place: Vec3) -> Option<bool> {
        let chosen = number == self.document().agents.chosen;
        let mesh = if chosen {
            self.bake.navmesh.as_deref()
        } else {
            self.others.baked.get(&number).map(|other| &*other.mesh)
        };
        let reach = Vec3::new(0.02, 1.0, 0.02);
        Some(
            nearest(mesh?, place, reach, &Filter::default())
                .is_some_and(|end| (end.point - place).with_y(0.0).length() <= reach.x),
        )
    }
}
