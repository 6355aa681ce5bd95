//! Checks the navmesh in the background.

use std::sync::Arc;

use walkable::{
    bake::BakePlan,
    check::CheckKind,
    diagnostic::{Code, Diagnostic},
    links::off_mesh_links,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    query::Pruning,
};

use crate::{
    check::{CheckAnswer, CheckedBake, leave_out_removed},
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::{CheckResult, Session},
};

/// A message of a check.
#[derive(Debug)]
pub enum CheckMessage {
    /// The check looks for findings of this kind now.
    Entered(CheckKind),
    /// The check ended with this result.
    Done(Box<CheckResult>),
}

/// The navmesh to check, and the plan of its bake.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    name: String,
    navmesh: Arc<NavMesh>,
    plan: Option<Arc<BakePlan>>,
    is_layered: bool,
    is_imported: bool,
    pruning: Option<Arc<Pruning>>,
    /// Findings about the level and its bake.
    found: Vec<Diagnostic>,
}

impl CheckRequest {
    /// Creates the request for the current bake; `None` without a navmesh.
    pub fn of(session: &Session) -> Option<Self> {
        let bake = session.current_bake();
        let level = session.level.iter().flat_map(|level| &level.warnings);
        let tiles = bake.tiles.values().flat_map(|tile| &tile.warnings);
        Some(Self {
            name: session.name().unwrap_or_default(),
            navmesh: Arc::clone(bake.navmesh.as_ref()?),
            plan: bake.finished_plan().cloned(),
            is_layered: bake.layered().is_some(),
            is_imported: session.imported.is_some(),
            pruning: bake.pruning().cloned(),
            found: session.part_finding().into_iter().chain(level.chain(tiles).cloned()).collect(),
        })
    }

    /// Checks the navmesh, and calls `entered` with each kind before looking for it.
    ///
    /// # Errors
    /// [`Cancelled`] soon after the monitor cancels.
    pub fn run(
        self,
        entered: &mut dyn FnMut(CheckKind),
        monitor: &dyn Monitor,
    ) -> Result<CheckResult, Cancelled> {
        let Self { name, navmesh, plan, is_layered, is_imported, pruning, found } = self;
        let plan = plan.as_deref();
        let bake = CheckedBake { mesh: &navmesh, plan, is_layered };
        let (mut report, surface) = bake.check(entered, monitor)?;
        if let Some(pruning) = &pruning {
            leave_out_removed(&mut report, pruning);
            // Polygons of removed islands have no flags on purpose.
            report.polygons.retain(|found| found.code() != Code::PolygonsWithoutFlags);
        }
        let own_links = || off_mesh_links(&navmesh);
        let links = plan.map_or_else(own_links, |plan| plan.input().off_mesh.clone());
        let links = links.into_iter().map(|link| [link.start, link.end]).collect();
        let answer = if is_imported {
            CheckAnswer::of_navmesh(name, &navmesh, report)
        } else {
            CheckAnswer::of_level(name, &navmesh, found, report)
        };
        Ok(CheckResult { answer, surface: surface.map(Arc::new), links })
    }
}

/// Handles one check at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct CheckJob {
    slot: JobSlot<CheckMessage>,
}

impl CheckJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("check navmesh", wake) }
    }

    /// Starts a check.
    pub(super) fn start(&mut self, request: CheckRequest) {
        self.slot.request(move |report| {
            let entered = &mut |kind| report.send(CheckMessage::Entered(kind));
            if let Ok(result) = request.run(entered, report) {
                report.send(CheckMessage::Done(Box::new(result)));
            }
        });
    }

    /// Cancels the check.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Whether a check is running.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<CheckMessage>> {
        self.slot.poll()
    }
}
