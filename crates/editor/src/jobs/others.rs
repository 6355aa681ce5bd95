//! Bakes the navmeshes of the other agents in the background.

use std::sync::Arc;

use glam::Vec3;

use walkable::{
    bake::{BakeError, BakeInput, BakePlan, LevelPart, bake},
    debug_draw::{DrawList, Paint},
    mesh::TriMesh,
    monitor::Monitor,
    navmesh::{NO_NEIGHBOR, NavMesh, PolyKind},
};

use crate::{
    document::{AGENT_HUE, Finish},
    jobs::slot::{JobEvent, JobSlot, Wake},
    layered::Layered,
    limits,
    session::{Other, WantedOther},
};

/// The navmesh of an agent by its number, or the reason why there is none.
pub type BakedOther = (usize, Result<Other, String>);

/// The one such job.
#[derive(Debug)]
pub(super) struct OthersJob {
    slot: JobSlot<BakedOther>,
    /// Serial number that distinguishes lists of all navmeshes.
    serial: u64,
}

impl OthersJob {
    /// Nothing to bake yet.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("agents", wake), serial: 0 }
    }

    /// Bakes `wanted` on a level, or the loaded part of one; cancels the bake in progress.
    pub(super) fn start(
        &mut self,
        level: (Arc<TriMesh>, Option<LevelPart>),
        wanted: Vec<WantedOther>,
        finish: Finish,
    ) {
        self.serial += 1;
        let serial = self.serial;
        self.slot.request(move |report| {
            for wanted in wanted {
                let number = wanted.number;
                let other = made(wanted, &level, &finish, report).map(|(mesh, layered)| {
                    let outline = Arc::new(outline(&mesh, number));
                    Other { mesh: Arc::new(mesh), layered, outline, serial }
                });
                report.send((number, other.map_err(|error| error.to_string())));
            }
        });
    }

    /// Whether it bakes.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// What was baked since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<BakedOther>> {
        self.slot.poll()
    }
}

/// The navmesh of an agent, with its layers where the level is prepared for obstacles.
fn made(
    wanted: WantedOther,
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

/// A bake made ready that does not need more memory than it may.
fn admitted(input: BakeInput) -> Result<BakePlan, BakeError> {
    let plan = BakePlan::new(input)?;
    limits::admit(&plan)?;
    Ok(plan)
}

/// Walls and drops of agent `number`, a little higher than those of the agents before it.
fn outline(mesh: &NavMesh, number: usize) -> DrawList {
    let mut list = DrawList::default();
    let number = u16::try_from(number).unwrap_or(0);
    let lift = Vec3::Y * (0.04 * f32::from(number + 1));
    let paint = Paint::Hue(AGENT_HUE + u32::from(number));
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
