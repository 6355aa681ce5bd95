//! Checks the navmesh in the background.

use std::{collections::BTreeMap, sync::Arc};

use walkable::{
    bake::BakePlan,
    check::CheckKind,
    diagnostic::{Code, Diagnostic, Phrase},
    links::off_mesh_links,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    query::Pruning,
};

use crate::{
    check::{CheckAnswer, CheckedBake, leave_out_removed},
    jobs::{
        slot::{JobEvent, JobSlot, Reporter, Wake},
        store_source::{OpenedSource, SourceFolders, StoreSource},
    },
    lang,
    session::{CheckProgress, CheckResult, CheckedTiles, Session},
    store_check::{CheckedStore, StoreCheck, check_store},
};

/// A message of a check.
#[derive(Debug)]
pub enum CheckMessage {
    /// What the check does now.
    Entered(CheckProgress),
    /// The check ended with this result.
    Done(Box<CheckResult>),
    /// The tiles could not be checked, for this reason.
    Failed(Phrase),
}

/// What is checked.
#[derive(Clone, Debug)]
pub enum CheckWork {
    /// The navmesh in memory.
    Navmesh(Box<CheckRequest>),
    /// All tiles of what is open and loaded in part.
    Whole(WholeCheckRequest),
}

impl CheckWork {
    /// Creates the work for the current bake or tile store; `None` without a navmesh.
    pub fn of(session: &Session) -> Option<Self> {
        if session.store_in_part().is_some() {
            return Self::of_whole(session);
        }
        Some(Self::Navmesh(Box::new(CheckRequest::of(session)?)))
    }

    /// Creates the work for all tiles of the open tile store or level; `None` unless a part of it is loaded, or if the level
    /// cannot be baked tile by tile.
    pub fn of_whole(session: &Session) -> Option<Self> {
        Some(Self::Whole(WholeCheckRequest::of(session)?))
    }
}

/// The tile store or level to check.
#[derive(Clone, Debug)]
pub struct WholeCheckRequest {
    name: String,
    source: StoreSource,
    tiles: CheckedTiles,
    /// Findings about the level.
    found: Vec<Diagnostic>,
}

impl WholeCheckRequest {
    fn of(session: &Session) -> Option<Self> {
        let source = StoreSource::of(session)?;
        let tiles = match &source {
            StoreSource::Store { hash, .. } => CheckedTiles::Store(*hash),
            StoreSource::Level(level) => {
                CheckedTiles::Level { hash: level.hash, document: session.revision().document }
            }
        };
        let found = session.level.iter().flat_map(|level| &level.warnings).cloned().collect();
        Some(Self { name: session.name().unwrap_or_default(), source, tiles, found })
    }

    fn run(
        self,
        folders: &SourceFolders,
        report: &Reporter<CheckMessage>,
    ) -> anyhow::Result<CheckResult> {
        let Self { name, source, tiles, mut found } = self;
        let settings = source.settings();
        let baked = &mut |[n_baked, n_all]: [usize; 2]| {
            report.send(CheckMessage::Entered(CheckProgress::Baking { n_baked, n_all }));
        };
        let OpenedSource { store, mut file, found: of_tiles, .. } =
            source.open(folders, baked, report)?;
        found.extend(of_tiles);
        let entered = &mut |[n_checked, n_all]: [usize; 2]| {
            report.send(CheckMessage::Entered(CheckProgress::Tiles { n_checked, n_all }));
        };
        let checked = CheckedStore { name, settings: settings.as_ref(), found };
        let StoreCheck { answer, links } =
            check_store(checked, &store, &mut file, entered, report)?;
        Ok(CheckResult { answer, surface: None, links, tiles })
    }
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
        let links = links.into_iter().map(|link| [link.start, link.end]);
        let links: BTreeMap<_, _> = (1..).zip(links).collect();
        let answer = if is_imported {
            CheckAnswer::of_navmesh(name, &navmesh, report)
        } else {
            CheckAnswer::of_level(name, &navmesh, found, report)
        };
        Ok(CheckResult {
            answer,
            surface: surface.map(Arc::new),
            links,
            tiles: CheckedTiles::Loaded,
        })
    }
}

/// Handles one check at a time; a new one replaces it.
#[derive(Debug)]
pub(super) struct CheckJob {
    slot: JobSlot<CheckMessage>,
    folders: SourceFolders,
}

impl CheckJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("check navmesh", wake), folders: SourceFolders::default() }
    }

    /// Sets the folders that the bakes of levels use.
    pub(super) fn set_folders(&mut self, folders: SourceFolders) {
        self.folders = folders;
    }

    /// Starts a check.
    pub(super) fn start(&mut self, work: CheckWork) {
        let folders = self.folders.clone();
        self.slot.request(move |report| match work {
            CheckWork::Navmesh(request) => {
                let entered = &mut |kind| {
                    report.send(CheckMessage::Entered(CheckProgress::Kind(kind)));
                };
                if let Ok(result) = request.run(entered, report) {
                    report.send(CheckMessage::Done(Box::new(result)));
                }
            }
            CheckWork::Whole(request) => match request.run(&folders, report) {
                Ok(result) => report.send(CheckMessage::Done(Box::new(result))),
                // Messages of a cancelled job are dropped.
                Err(error) if error.is::<Cancelled>() => {}
                Err(error) => report.send(CheckMessage::Failed(lang::error(&error))),
            },
        });
    }

    /// Cancels the check.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Returns whether a check is running.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Results since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<CheckMessage>> {
        self.slot.poll()
    }
}
