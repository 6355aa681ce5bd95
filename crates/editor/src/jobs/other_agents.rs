//! Bakes the navmeshes of the other agents in the background.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeError, BakeInput, BakePlan, LevelPart, bake},
    debug_draw::{DrawList, Paint},
    diagnostic::Phrase,
    mesh::TriMesh,
    monitor::Monitor,
    navmesh::{NO_NEIGHBOR, NavMesh, PolyKind},
    phrase,
};
use walkable_workspace::{document::Finish, layered::Layered, limits};

use crate::{
    jobs::{
        slot::Reporter,
        task::{FollowUp, Job, Task},
    },
    session::{OtherAgentBake, OtherAgentToBake, Second, Session},
};

/// The navmesh of an agent by its number, or the reason why there is none.
#[derive(Debug, Serialize, Deserialize)]
pub struct OtherAgentBaked(pub usize, pub Result<OtherAgentBake, String>);

#[derive(Debug, Serialize, Deserialize)]
pub struct OtherAgentsRequest {
    mesh: Arc<TriMesh>,
    /// The part of the level that `mesh` is, if it is not the whole level.
    part: Option<LevelPart>,
    wanted: Vec<OtherAgentToBake>,
    finish: Finish,
    serial: u64,
}

impl OtherAgentsRequest {
    /// Creates the request for agents of the open level; `None` without a level.
    pub fn new(session: &mut Session, wanted: Vec<OtherAgentToBake>) -> Option<Self> {
        let finish = session.document().finish();
        let level = session.opened.level.as_ref()?;
        let (mesh, part) = (Arc::clone(&level.mesh), level.part());
        session.other_agents.serial += 1;
        Some(Self { mesh, part, wanted, finish, serial: session.other_agents.serial })
    }
}

impl Job for OtherAgentsRequest {
    type Message = OtherAgentBaked;

    fn carry_out(self, report: &Reporter<OtherAgentBaked>) {
        let Self { mesh, part, wanted, finish, serial } = self;
        let level = (mesh, part);
        for wanted in wanted {
            let number = wanted.number;
            let other = bake_agent(wanted, &level, &finish, report);
            let other = other.map(|(mesh, layered)| other_of(number, mesh, layered, serial));
            report.send(OtherAgentBaked(number, other.map_err(|error| error.to_string())));
        }
    }
}

impl Task for OtherAgentsRequest {
    const THREAD: &'static str = "agents";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Baking the other agents")
    }

    fn apply(session: &mut Session, message: OtherAgentBaked) -> Option<FollowUp> {
        let others = &mut session.other_agents;
        match message {
            OtherAgentBaked(number, Ok(mut other)) => {
                // Workers send no outlines.
                if other.outline.is_empty() {
                    other.outline = Arc::new(outline(&other.mesh, number));
                }
                others.baked.insert(number, other);
                if session.path.second == Second::Agent(number) {
                    session.update_path();
                }
            }
            OtherAgentBaked(number, Err(why)) => {
                drop(others.errors.insert(number, why));
            }
        }
        None
    }
}

fn other_of(
    number: usize,
    mesh: NavMesh,
    layered: Option<Arc<Layered>>,
    serial: u64,
) -> OtherAgentBake {
    let outline = Arc::new(outline(&mesh, number));
    OtherAgentBake { mesh: Arc::new(mesh), layered, outline, serial }
}

fn bake_agent(
    wanted: OtherAgentToBake,
    (mesh, part): &(Arc<TriMesh>, Option<LevelPart>),
    finish: &Finish,
    monitor: &dyn Monitor,
) -> anyhow::Result<(NavMesh, Option<Arc<Layered>>)> {
    let input = wanted.config.with_mesh(Arc::clone(mesh)).of_part(*part);
    let Some(obstacles) = wanted.obstacles else {
        let plan = admitted(input)?;
        let mesh = bake(plan.input().clone(), monitor)?;
        return Ok((finish.nav_mesh(&mesh).unwrap_or(mesh), None));
    };
    let mut layered = match wanted.layered {
        Some(known) => {
            let mut layered = Layered::clone(&known);
            layered.put(&obstacles);
            layered
        }
        None => Layered::bake(&admitted(input)?, &obstacles, monitor)?,
    };
    let mut mesh = layered.nav_mesh(finish, &mut 0)?;
    finish.prune(&mut mesh);
    Ok((mesh, Some(Arc::new(layered))))
}

/// Plans a bake and checks that it needs no more memory than allowed.
fn admitted(input: BakeInput) -> Result<BakePlan, BakeError> {
    let plan = BakePlan::new(input)?;
    limits::admit(&plan)?;
    Ok(plan)
}

/// Returns the boundary edges of the navmesh of agent `number`, a little higher than those of the agents before it.
fn outline(mesh: &NavMesh, number: usize) -> DrawList {
    let mut list = DrawList::default();
    let number = u16::try_from(number).unwrap_or(0);
    let lift = Vec3::Y * (0.04 * f32::from(number + 1));
    let paint = Paint::Agent(number);
    for tile in mesh.tiles() {
        for poly in
            tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground && poly.flags != 0)
        {
            let corners = tile.corners(poly);
            let next = corners.iter().cycle().skip(1);
            let edges = corners.iter().zip(next).zip(poly.neighbors);
            for ((&a, &b), _) in edges.filter(|(_, neighbor)| *neighbor == NO_NEIGHBOR) {
                list.line([a + lift, b + lift], 2.5, paint);
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::{BakeConfig, BakeSettings},
        monitor::Unmonitored,
        tile_cache::Obstacle,
    };

    use super::*;
    use crate::{jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked};

    #[test]
    fn a_worker_bakes_the_same_navmeshes() {
        let session = baked();
        let level = session.bake.plan.as_ref().unwrap().input();
        let base = Vec3::new(12.0, 0.0, 20.0);
        let obstacle = Obstacle::Cylinder { base, radius: 2.0, height: 2.0 };
        let wanted = |number, agent_radius| {
            let settings = BakeSettings { agent_radius, ..level.settings.clone() };
            let config = BakeConfig { settings, ..BakeConfig::default() };
            let settings = BakeSettings { tile_size: 32, ..config.settings.clone() };
            // The second agent has an obstacle, and layers without one.
            let obstacles = (number == 2).then(|| vec![obstacle.clone()]);
            let plan = || BakePlan::new(BakeInput::new(Arc::clone(&level.mesh), settings.clone()));
            let layered = obstacles
                .is_some()
                .then(|| Arc::new(Layered::bake(&plan().unwrap(), &[], &Unmonitored).unwrap()));
            let config = BakeConfig { settings: settings.clone(), ..config };
            OtherAgentToBake { number, config, obstacles, layered }
        };
        let [here, there] = here_and_in_worker(TaskId::OtherAgents, || OtherAgentsRequest {
            mesh: Arc::clone(&level.mesh),
            part: None,
            wanted: vec![wanted(1, 0.3), wanted(2, 1.2), wanted(4, -1.0)],
            finish: Finish::default(),
            serial: 5,
        });
        assert_eq!(here.len(), 3);
        for (OtherAgentBaked(number, here), OtherAgentBaked(expected, there)) in
            here.into_iter().zip(there)
        {
            assert_eq!(number, expected);
            match (here, there) {
                (Ok(here), Ok(there)) => {
                    assert_eq!(here.mesh.to_bytes(), there.mesh.to_bytes());
                    assert!(there.outline.is_empty(), "it is drawn here");
                    let layers = |other: &OtherAgentBake| {
                        other.layered.as_ref().map(|layered| layered.cache().clone())
                    };
                    assert_eq!(layers(&here), layers(&there));
                    assert_eq!(layers(&here).is_some(), number == 2);
                    assert_eq!((here.serial, there.serial), (5, 5));
                }
                (here, there) => {
                    assert_eq!(number, 4);
                    assert_eq!(here.unwrap_err(), there.unwrap_err());
                }
            }
        }
    }
}
