//! Explains the path in the background.

use std::{cell::Cell, sync::Arc};

use walkable::{
    bake::{BakeError, BakePlan},
    explain::Fix,
    ids::TileCoord,
    monitor::{Monitor, Unmonitored},
    navmesh::{NavMesh, NavMeshError, Tile},
    query::{NavPath, PathRequest},
    route::{
        Known, PathFixes, RouteAnswer, RouteBreak, RouteDepth, RouteQuestion, explain_path,
        find_path_fixes,
    },
    tile_cache::Obstacle,
};

use crate::{
    document::Finish,
    jobs::slot::{JobEvent, JobSlot, Wake},
    layered::Layered,
    limits,
    session::{PathTerms, Session},
};

/// The explanation, or the reason why there is none.
pub type PathWhyAnswer = Result<RouteAnswer, String>;

/// The path to explain, its navmesh, and the bake of that navmesh.
#[derive(Clone, Debug)]
pub struct PathWhyRequest {
    /// `None` for an imported navmesh.
    plan: Option<Arc<BakePlan>>,
    navmesh: Arc<NavMesh>,
    terms: PathTerms,
    finish: Finish,
    obstacles: Option<Vec<Obstacle>>,
}

impl PathWhyRequest {
    /// Creates the request for the session's path; `None` without a path or a navmesh.
    pub fn of(session: &Session) -> Option<Self> {
        Some(Self {
            plan: session.bake.plan.clone(),
            navmesh: Arc::clone(session.bake.navmesh.as_ref()?),
            terms: session.path.terms()?,
            finish: session.document().finish(),
            obstacles: session.document().obstacles_on_layers(),
        })
    }

    /// Searches the path and explains the result.
    fn answer(&self, monitor: &dyn Monitor) -> Result<RouteAnswer, BakeError> {
        let request = self.terms.request();
        // A request that is refused leads nowhere.
        let path = self.terms.search(&self.navmesh, &request);
        let path = path.unwrap_or_else(|_| NavPath::unreachable());
        let plan = self.plan.as_deref();
        explain_path(plan, &self.navmesh, (&request, &path), RouteDepth::Alternatives, monitor)
    }

    /// Finds fixes for the obstacle `first`, and calls `found` with each fix as soon as it is verified.
    pub(super) fn find_fixes(
        &self,
        first: &RouteBreak,
        found: &mut dyn FnMut(Fix),
        monitor: &dyn Monitor,
    ) -> Result<PathFixes, BakeError> {
        let Some(plan) = self.plan.as_deref() else { return Ok(PathFixes::default()) };
        let assemble = |plan: &BakePlan, tiles| self.assembled(plan, tiles);
        let search = |mesh: &NavMesh, request: &PathRequest<'_>| self.terms.search(mesh, request);
        let question = RouteQuestion {
            request: self.terms.request(),
            assemble: &assemble,
            search: &search,
            known: Some(Known { plan, found: first }),
            spent: Cell::default(),
        };
        find_path_fixes(&question, &self.navmesh, limits::of_bakes(), found, monitor)
    }

    /// Assembles the navmesh of `tiles` as the session does. Returns an empty navmesh if the layers cannot be baked, so
    /// that no path is found on it.
    fn assembled(
        &self,
        plan: &BakePlan,
        tiles: Vec<(TileCoord, Arc<Tile>)>,
    ) -> Result<NavMesh, NavMeshError> {
        let mut mesh = match &self.obstacles {
            None => {
                let finished =
                    |(coord, tile): &(TileCoord, Arc<Tile>)| self.finish.tile(*coord, tile);
                plan.link(tiles.iter().filter_map(finished))?
            }
            Some(obstacles) => {
                let layered = Layered::bake(plan, obstacles, &Unmonitored);
                match layered {
                    Ok(mut layered) => layered.nav_mesh(&self.finish, &mut 0)?,
                    Err(_unusable) => plan.empty_nav_mesh()?,
                }
            }
        };
        self.finish.prune(&mut mesh);
        Ok(mesh)
    }
}

/// Handles one path at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct PathWhyJob {
    slot: JobSlot<PathWhyAnswer>,
}

impl PathWhyJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("explain path", wake) }
    }

    /// Starts the explanation of a path.
    pub(super) fn start(&mut self, request: PathWhyRequest) {
        self.slot.request(move |report| {
            report.send(request.answer(report).map_err(|error| error.to_string()));
        });
    }

    /// Whether a path is being explained.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<PathWhyAnswer>> {
        self.slot.poll()
    }
}
