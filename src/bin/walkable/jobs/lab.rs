//! Runs the searches of the lab in the background.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use glam::Vec3;
use walkable::{
    geom::Aabb,
    mesh::TriMesh,
    navmesh::NavMesh,
    query::{Filter, PathRequest, PathStatus, Scratch, find_path, find_shortest_path},
    search::Trace,
    voxel::{Airspace, AirspaceSettings, Cell, CellOptions, CellTree as _, Fill, VoxelScratch},
};

use crate::{
    jobs::slot::{JobEvent, JobSlot, Wake},
    session::{LabRow, LabSettings, Searcher, Session},
};

/// The air reaches so far beyond the level, in metres.
const AIR: f32 = 3.0;
/// A flyer starts and ends at most so many voxels above the place that was clicked.
const MAX_RISE: u8 = 40;
/// Half the box in which the nearest polygon of an end is sought, in metres.
const REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// What is compared.
#[derive(Clone, Debug)]
pub(crate) struct LabRequest {
    mesh: Arc<TriMesh>,
    navmesh: Option<Arc<NavMesh>>,
    ends: [Vec3; 2],
    filter: Filter,
    settings: LabSettings,
}

/// What the lab says.
#[derive(Debug)]
pub(crate) enum LabMessage {
    /// A search is done.
    Row(Box<LabRow>),
    /// There is nothing to fly in.
    Refused(String),
}

impl LabRequest {
    /// What `session` asks for; why nothing can be compared.
    pub(crate) fn of(session: &Session) -> Result<Self, &'static str> {
        let level = session.level.as_ref().ok_or("Open a level first.")?;
        let ends = session.path.start.zip(session.path.end);
        let (start, end) = ends.ok_or("Place both ends of a path first (2).")?;
        Ok(Self {
            mesh: Arc::clone(&level.mesh),
            navmesh: session.bake.navmesh.clone(),
            ends: [start, end],
            filter: session.path.filter.clone(),
            settings: session.lab.settings,
        })
    }
}

/// One comparison at a time; the newest wins.
#[derive(Debug)]
pub(crate) struct LabJob {
    slot: JobSlot<LabMessage>,
}

impl LabJob {
    /// Nothing to compare yet.
    pub(crate) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("lab", wake) }
    }

    /// Compares.
    pub(crate) fn start(&mut self, request: LabRequest) {
        self.slot.request(move |report| {
            for row in on_navmesh(&request) {
                report.send(LabMessage::Row(Box::new(row)));
            }
            if report.is_cancelled() {
                return;
            }
            match in_air(&request) {
                Ok(rows) => {
                    for row in rows {
                        report.send(LabMessage::Row(Box::new(row)));
                    }
                }
                Err(why) => report.send(LabMessage::Refused(why)),
            }
        });
    }

    /// Whether a comparison is under way.
    pub(crate) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// What was found since the last poll.
    pub(crate) fn poll(&mut self) -> Vec<JobEvent<LabMessage>> {
        self.slot.poll()
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let made = work();
    (made, clock.elapsed())
}

/// Both searches over the navmesh, where there is one.
fn on_navmesh(request: &LabRequest) -> Vec<LabRow> {
    let Some(navmesh) = request.navmesh.as_deref() else { return Vec::new() };
    let [start, end] = request.ends;
    let asked = PathRequest {
        start,
        end,
        half_extents: REACH,
        filter: &request.filter,
        max_nodes: 65_535,
        trace: false,
    };
    let mut scratch = Scratch::default();
    let n_bytes = navmesh.stats().n_bytes;
    let mut rows = Vec::new();
    for searcher in [Searcher::Detour, Searcher::Polyanya] {
        // Once to fill caches and memory, as in a game that runs.
        let mut ask = || match searcher {
            Searcher::Polyanya => find_shortest_path(navmesh, &asked, &mut scratch).ok(),
            _ => Some(find_path(navmesh, &asked, &mut scratch)),
        };
        drop(ask());
        let (found, time) = timed(ask);
        let (why, path) = match found {
            None => (Some("areas cost differently".to_owned()), None),
            Some(path) if path.status == PathStatus::Complete => (None, Some(path)),
            Some(path) => (Some("no whole path".to_owned()), Some(path)),
        };
        rows.push(LabRow {
            searcher,
            length: path.as_ref().map_or(0.0, |path| path.length.into()),
            n_expanded: path.as_ref().map_or(0, |path| path.n_expanded as u64),
            points: path.map(|path| path.points).unwrap_or_default(),
            why,
            time,
            made_in: None,
            n_bytes,
            cells: Vec::new(),
        });
    }
    rows
}

/// Both flights.
fn in_air(request: &LabRequest) -> Result<Vec<LabRow>, String> {
    let LabSettings { voxel_size, flyer_radius: agent_radius } = request.settings;
    let bounds = request.mesh.bounds();
    let bounds = Aabb::new(bounds.min - Vec3::splat(AIR), bounds.max + Vec3::splat(AIR));
    let settings = AirspaceSettings { voxel_size, agent_radius };
    let (air, made_in) = timed(|| Airspace::new(&request.mesh, bounds, settings));
    let air = air.map_err(|error| error.to_string())?;
    let ends = request.ends.map(|end| raised(&air, end));
    let n_bytes = air.tree.n_bytes();
    let mut scratch = VoxelScratch::default();
    let mut rows = Vec::new();
    for (searcher, weight) in [(Searcher::Flight, 1.0), (Searcher::HastyFlight, 3.0)] {
        let options = CellOptions { weight, ..CellOptions::default() };
        let mut trace = Trace::default();
        let watched = air.find_path(ends, options, &mut scratch, &mut trace);
        let mut unwatched = walkable::search::Unwatched;
        let (found, time) = timed(|| air.find_path(ends, options, &mut scratch, &mut unwatched));
        let cells = trace.expanded().map(|step| cube(&air, Cell::of_number(step.place)));
        let why = found.path.is_none().then(|| "no free way through the air".to_owned());
        let path = watched.path.unwrap_or_default();
        rows.push(LabRow {
            searcher,
            length: path.length,
            n_expanded: found.stats.n_expanded,
            points: path.points,
            why,
            time,
            made_in: Some(made_in),
            n_bytes,
            cells: cells.collect(),
        });
    }
    Ok(rows)
}

/// The first place from `at` upwards where a flyer fits; `at` where there is none near.
fn raised(air: &Airspace, at: Vec3) -> Vec3 {
    let higher = |n: u8| at + Vec3::Y * (air.voxel_size * f32::from(n));
    let is_free = |place: &Vec3| {
        let cell = air.voxel(*place).and_then(|voxel| air.tree.cell(voxel));
        cell.is_some_and(|cell| cell.fill == Fill::Free)
    };
    (0..MAX_RISE).map(higher).find(is_free).unwrap_or(at)
}

#[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19 voxels")]
fn cube(air: &Airspace, cell: Cell) -> (Aabb, u32) {
    let min = air.origin + Vec3::from_array(cell.min.map(|n| n as f32)) * air.voxel_size;
    let side = cell.side() as f32 * air.voxel_size;
    (Aabb::new(min, min + Vec3::splat(side)), cell.layer)
}
