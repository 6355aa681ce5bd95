//! Checks the navmesh in the background.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use walkable::{
    bake::BakePlan,
    check::CheckKind,
    diagnostic::{Diagnostic, Phrase},
    links::off_mesh_links,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
    phrase,
    query::Pruning,
};
use walkable_workspace::{
    check::{CheckAnswer, CheckResult, CheckedBake, CheckedTiles},
    lang,
    layered::Layered,
    store_check::{CheckedStore, StoreCheck, check_store},
};

use crate::{
    jobs::{
        slot::Reporter,
        store_source::{OpenedSource, SourceFolders, StoreSource},
        task::{FollowUp, Job, Task, TaskProblem, TaskResources},
    },
    session::{CheckProgress, Session},
};

#[derive(Debug, Serialize, Deserialize)]
pub enum CheckMessage {
    Entered(CheckProgress),
    Done(Box<CheckResult>),
    Failed(Phrase),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CheckWork {
    Navmesh(Box<CheckRequest>),
    /// All tiles of a store or level that is loaded in part. Not for workers, which open no files.
    #[serde(skip)]
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

#[derive(Clone, Debug)]
pub struct WholeCheckRequest {
    name: String,
    source: StoreSource,
    tiles: CheckedTiles,
    found: Vec<Diagnostic>,
    folders: SourceFolders,
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
        let found =
            session.opened.level.iter().flat_map(|level| &level.warnings).cloned().collect();
        let folders = SourceFolders::default();
        Some(Self { name: session.name().unwrap_or_default(), source, tiles, found, folders })
    }

    fn run(self, report: &Reporter<CheckMessage>) -> anyhow::Result<CheckResult> {
        let Self { name, source, tiles, mut found, folders } = self;
        let settings = source.settings();
        let baked = &mut |[n_baked, n_all]: [usize; 2]| {
            report.send(CheckMessage::Entered(CheckProgress::Baking { n_baked, n_all }));
        };
        let OpenedSource { store, mut file, found: of_tiles, .. } =
            source.open(&folders, baked, report)?;
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

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckRequest {
    name: String,
    navmesh: Arc<NavMesh>,
    plan: Option<Arc<BakePlan>>,
    layers: Option<Box<Layered>>,
    is_imported: bool,
    pruning: Option<Arc<Pruning>>,
    found: Vec<Diagnostic>,
}

impl CheckRequest {
    /// Creates the request for the current bake; `None` without a navmesh.
    pub fn of(session: &Session) -> Option<Self> {
        let bake = session.current_bake();
        let level = session.opened.level.iter().flat_map(|level| &level.warnings);
        let tiles = bake.tiles.values().flat_map(|tile| &tile.warnings);
        Some(Self {
            name: session.name().unwrap_or_default(),
            navmesh: Arc::clone(bake.navmesh.as_ref()?),
            plan: bake.finished_plan().cloned(),
            layers: bake.layered().cloned().map(Box::new),
            is_imported: session.opened.imported.is_some(),
            pruning: bake.pruning().cloned(),
            found: session.part_finding().into_iter().chain(level.chain(tiles).cloned()).collect(),
        })
    }

    /// Checks the navmesh, and calls `entered` with each kind before looking for it.
    pub fn run(
        self,
        entered: &mut dyn FnMut(CheckKind),
        monitor: &dyn Monitor,
    ) -> Result<CheckResult, Cancelled> {
        let Self { name, navmesh, plan, layers, is_imported, pruning, found } = self;
        let plan = plan.as_deref();
        let bake = CheckedBake {
            mesh: &navmesh,
            plan,
            layers: layers.as_deref(),
            pruning: pruning.as_deref(),
        };
        let (report, surface) = bake.check(entered, monitor)?;
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

impl Job for CheckWork {
    type Message = CheckMessage;

    fn carry_out(self, report: &Reporter<CheckMessage>) {
        let result = match self {
            Self::Navmesh(request) => {
                let entered = &mut |kind| {
                    report.send(CheckMessage::Entered(CheckProgress::Kind(kind)));
                };
                request.run(entered, report).map_err(anyhow::Error::from)
            }
            Self::Whole(request) => request.run(report),
        };
        match result {
            Ok(result) => report.send(CheckMessage::Done(Box::new(result))),
            // Messages of a cancelled job are dropped.
            Err(error) if error.is::<Cancelled>() => {}
            Err(error) => report.send(CheckMessage::Failed(lang::error(&error))),
        }
    }

    fn can_be_sent(&self) -> bool {
        match self {
            // A navmesh file does not store which part of the level is loaded.
            Self::Navmesh(request) => {
                request.plan.as_ref().is_none_or(|plan| plan.input().part.is_none())
            }
            Self::Whole(_) => false,
        }
    }
}

impl Task for CheckWork {
    const THREAD: &'static str = "check navmesh";
    const ENDS_WITH_LEVEL: bool = true;

    fn what() -> Phrase {
        phrase!("Checking the navmesh")
    }

    fn set_resources(&mut self, resources: &TaskResources) {
        if let Self::Whole(request) = self {
            request.folders = resources.folders.clone();
        }
    }

    fn apply(session: &mut Session, message: CheckMessage) -> Option<FollowUp> {
        match message {
            CheckMessage::Entered(progress) => {
                session.check.progress = Some(progress);
            }
            CheckMessage::Done(result) => session.check.land(*result),
            CheckMessage::Failed(why) => {
                return Some(FollowUp::Problem(TaskProblem {
                    title: phrase!("Cannot check all tiles"),
                    why,
                }));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        bake::{BakeInput, BakePlan, BakeSettings, OffMeshLink, bake},
        diagnostic::{Code, Finding, Location, Meters},
        ids::AreaId,
        mesh::TriMesh,
        monitor::Unmonitored,
        navmesh::PolyRef,
    };
    use walkable_workspace::document::Finish;

    use super::*;
    use crate::{
        jobs::job_worker::testing::here_and_in_worker, task::TaskId, testing::baked_with_island,
    };

    /// Returns a helical ramp within one tile. Its layers are not linked to each other, as in Detour.
    fn helix() -> (Arc<BakePlan>, Arc<NavMesh>, Layered) {
        let at = |n: u8, radius: f32| {
            let turn = f32::from(n) / 24.0;
            let angle = turn * std::f32::consts::TAU;
            Vec3::new(angle.cos() * radius, turn * 4.0, angle.sin() * radius)
        };
        let vertices = (0..73).flat_map(|n| [at(n, 3.0), at(n, 6.0)]).collect();
        let quads = (0..72).map(|n| 2 * n);
        let triangles = quads.flat_map(|n| [[n, n + 2, n + 1], [n + 1, n + 2, n + 3]]).collect();
        let mesh = TriMesh::new(vertices, triangles).unwrap();
        let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
        let plan = BakePlan::new(BakeInput::new(mesh.into(), settings)).unwrap();
        let mut layers = Layered::bake(&plan, &[], &Unmonitored).unwrap();
        let navmesh = layers.nav_mesh(&Finish::default(), &mut 0).unwrap();
        (plan.into(), navmesh.into(), layers)
    }

    /// Returns the text of each message, and of the answer as JSON, which together have all values.
    fn texts(messages: &[CheckMessage]) -> Vec<(String, Option<String>)> {
        let text = |message: &CheckMessage| {
            let answer = match message {
                CheckMessage::Done(result) => Some(result.answer.to_json().unwrap()),
                CheckMessage::Entered(_) | CheckMessage::Failed(_) => None,
            };
            (format!("{message:?}"), answer)
        };
        messages.iter().map(text).collect()
    }

    #[test]
    fn a_worker_finds_the_same() {
        let session = baked_with_island();
        let level = session.bake.plan.as_ref().unwrap().input().clone();
        let nowhere = OffMeshLink {
            start: Vec3::new(2.0, 0.0, 2.0),
            end: Vec3::new(5.0, 9.0, 5.0),
            radius: 0.5,
            bidirectional: true,
            area: AreaId::GROUND,
            flags: 1,
            user_id: 7,
        };
        let settings = BakeSettings { region_merge_size: 0.5, ..level.settings.clone() };
        let mut input = level;
        (input.settings, input.off_mesh) = (settings, vec![nowhere]);
        let plan = Arc::new(BakePlan::new(input).unwrap());
        let navmesh = Arc::new(bake(plan.input().clone(), &Unmonitored).unwrap());
        let tiny = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 });
        let of_level = || CheckRequest {
            name: "yard".to_owned(),
            navmesh: Arc::clone(&navmesh),
            plan: Some(Arc::clone(&plan)),
            layers: None,
            is_imported: false,
            pruning: None,
            found: vec![tiny.clone().at(Location::Setting("tile_size".into()))],
        };
        let work = |request: CheckRequest| CheckWork::Navmesh(Box::new(request));
        let [here, there] = here_and_in_worker(TaskId::Check, || work(of_level()));
        assert_eq!(texts(&here), texts(&there));
        let [entered @ .., CheckMessage::Done(result)] = &here[..] else { panic!("{here:?}") };
        let kinds = CheckKind::ALL.map(|kind| format!("{:?}", CheckProgress::Kind(kind)));
        let entered: Vec<_> = entered.iter().map(|message| format!("{message:?}")).collect();
        assert_eq!(entered, kinds.map(|kind| format!("Entered({kind})")));
        assert!(result.surface.as_ref().unwrap().n_samples() > 0);
        assert_eq!(result.links[&1], [nowhere.start, nowhere.end]);
        let codes: Vec<_> = result.answer.all().map(Diagnostic::setting).collect();
        assert!(codes.iter().flatten().count() > 1, "{:?}", result.answer);
        assert!(result.answer.n_warnings > 1, "{:?}", result.answer);

        // Islands that a rule removes are left out.
        let islands = |answer: &CheckAnswer| {
            let is_island = |found: &&Diagnostic| found.code() == Code::IslandNotConnected;
            answer.all().filter(is_island).cloned().collect::<Vec<_>>()
        };
        let found = islands(&result.answer);
        let named = |location: &Location| {
            let Location::Polygon(name) = location else { return None };
            (*name).try_into().ok().map(PolyRef)
        };
        let disabled = found.iter().flat_map(Diagnostic::locations).filter_map(named);
        let pruning = Arc::new(Pruning { disabled: disabled.collect(), ..Pruning::default() });
        assert_ne!(pruning.disabled, []);
        let mut pruned = NavMesh::clone(&navmesh);
        pruning.apply(&mut pruned, 0);
        let pruned = Arc::new(pruned);
        let imported = || CheckRequest {
            navmesh: Arc::clone(&pruned),
            pruning: Some(Arc::clone(&pruning)),
            plan: None,
            is_imported: true,
            ..of_level()
        };
        let [here, there] = here_and_in_worker(TaskId::Check, || work(imported()));
        assert_eq!(texts(&here), texts(&there));
        let Some(CheckMessage::Done(result)) = here.last() else { panic!("{here:?}") };
        assert_eq!(islands(&result.answer), []);
        let has_no_flags = |found: &Diagnostic| found.code() == Code::PolygonsWithoutFlags;
        assert!(!result.answer.all().any(has_no_flags), "{:?}", result.answer);
    }

    #[test]
    fn layers_that_are_not_linked_are_found_here_and_in_a_worker() {
        let (plan, navmesh, layers) = helix();
        let request = || CheckRequest {
            name: "helix".to_owned(),
            navmesh: Arc::clone(&navmesh),
            plan: Some(Arc::clone(&plan)),
            layers: Some(Box::new(layers.clone())),
            is_imported: false,
            pruning: None,
            found: Vec::new(),
        };
        let work = || CheckWork::Navmesh(Box::new(request()));
        let [here, there] = here_and_in_worker(TaskId::Check, work);
        assert_eq!(texts(&here), texts(&there));
        let Some(CheckMessage::Done(result)) = here.last() else { panic!("{here:?}") };
        let codes: Vec<_> = result.answer.all().map(Diagnostic::code).collect();
        assert!(codes.contains(&Code::LayersNotLinked), "{codes:?}");
    }
}
