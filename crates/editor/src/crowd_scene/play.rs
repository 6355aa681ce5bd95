//! A scene that is played, update by update.

use walkable::{
    crowd::{Agent, AgentId, Crowd, CrowdError, CrowdParams},
    navmesh::NavMesh,
    query::{NearestRequest, nearest},
};

use super::{Event, EventKind, Scene};

/// Polygons with this flag are not used, as in RecastDemo.
const DISABLED: u16 = 0x10;

/// A scene that is played.
#[derive(Debug)]
pub struct Play<'a> {
    mesh: &'a NavMesh,
    scene: &'a Scene,
    crowd: Crowd,
    /// The agents of the scene; `None` where the crowd was full.
    agents: Vec<Option<AgentId>>,
    n_done: u32,
    /// Events that the agents were told.
    n_told: usize,
}

impl<'a> Play<'a> {
    /// Puts the agents of `scene` on `mesh`.
    ///
    /// # Errors
    /// Where there can be no such crowd or agent.
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
        Ok(Self { mesh, scene, crowd, agents, n_done: 0, n_told: 0 })
    }

    /// How many updates are done.
    pub fn n_done(&self) -> u32 {
        self.n_done
    }

    /// The agents as they are, in the order of the scene; `None` where one was removed or the crowd was full.
    pub fn agents(&self) -> impl Iterator<Item = Option<&Agent>> {
        self.agents.iter().map(|id| id.and_then(|id| self.crowd.agent(id)))
    }

    /// Tells the agents what they are told before the next update.
    pub fn tell(&mut self) {
        while let Some(event) = self.scene.events.get(self.n_told)
            && event.after <= self.n_done
        {
            self.n_told += 1;
            self.follow(event);
        }
    }

    /// Moves the agents on.
    pub fn update(&mut self) {
        self.crowd.update(self.mesh, self.scene.seconds);
        self.n_done += 1;
    }

    /// What an agent that is not there is told changes nothing.
    fn follow(&mut self, event: &Event) {
        let Some(&Some(agent)) = self.agents.get(event.agent) else { return };
        let crowd = &mut self.crowd;
        let told = match event.kind {
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
        told.ok();
    }
}
