//! Plays a scene, update by update.

use walkable::{
    crowd::{Agent, AgentId, Crowd, CrowdError, CrowdParams},
    navmesh::NavMesh,
    query::{NearestRequest, nearest},
};

use super::{Event, EventKind, Scene};

/// Polygon flag excluded from the paths of agents, as in RecastDemo.
pub const DISABLED: u16 = 0x10;

#[derive(Debug)]
pub struct ScenePlayer<'a> {
    mesh: &'a NavMesh,
    scene: &'a Scene,
    crowd: Crowd,
    /// The agents of the scene; `None` if the crowd was full.
    agents: Vec<Option<AgentId>>,
    n_done: u32,
    n_events_handled: usize,
}

impl<'a> ScenePlayer<'a> {
    pub fn new(mesh: &'a NavMesh, scene: &'a Scene) -> anyhow::Result<Self> {
        let Scene { max_agents, max_agent_radius, .. } = *scene;
        let mut crowd = Crowd::new(CrowdParams { max_agents, max_agent_radius })?;
        crowd.filters_mut()[0].exclude_flags = DISABLED;
        let mut agents = Vec::with_capacity(scene.agents.len());
        for &(position, params) in &scene.agents {
            agents.push(match crowd.add_agent(mesh, position, params) {
                Ok(agent) => Some(agent),
                Err(CrowdError::Full { .. }) => None,
                Err(error) => return Err(error.into()),
            });
        }
        Ok(Self { mesh, scene, crowd, agents, n_done: 0, n_events_handled: 0 })
    }

    pub fn n_done(&self) -> u32 {
        self.n_done
    }

    /// Returns the agents in the order of the scene; `None` for agents that were removed or did not fit in the crowd.
    pub fn agents(&self) -> impl Iterator<Item = Option<&Agent>> {
        self.agents.iter().map(|id| id.and_then(|id| self.crowd.agent(id)))
    }

    pub fn apply_due_events(&mut self) {
        while let Some(event) = self.scene.events.get(self.n_events_handled)
            && event.after <= self.n_done
        {
            self.n_events_handled += 1;
            self.follow(event);
        }
    }

    pub fn update(&mut self) {
        self.crowd.update(self.mesh, self.scene.seconds);
        self.n_done += 1;
    }

    /// Carries out `event`; does nothing if its agent does not exist.
    fn follow(&mut self, event: &Event) {
        let Some(&Some(agent)) = self.agents.get(event.agent) else { return };
        let crowd = &mut self.crowd;
        let result = match event.kind {
            EventKind::Target(point) => {
                let half_extents = crowd.query_half_extents();
                let filter = &crowd.filters()[0];
                let request = NearestRequest { center: point, half_extents, filter };
                let target = nearest(self.mesh, &request).ok().flatten();
                target.map_or(Ok(()), |target| crowd.set_target(agent, target))
            }
            EventKind::Velocity(velocity) => crowd.set_velocity(agent, velocity),
            EventKind::Reset => crowd.reset_target(agent),
            EventKind::Remove => {
                crowd.remove_agent(agent);
                Ok(())
            }
        };
        result.ok();
    }
}
