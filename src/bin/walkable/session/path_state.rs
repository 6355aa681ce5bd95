//! The path tool's points and its answer.

use std::time::{Duration, Instant};

use glam::Vec3;
use walkable::{
    navmesh::NavMesh,
    query::{Filter, NavPath, PathRequest, Scratch, find_path},
};

use super::Replay;

/// Two points and what lies between them.
#[derive(Clone, Debug)]
pub(crate) struct PathState {
    /// Where the path starts.
    pub(crate) start: Option<Vec3>,
    /// Where it ends.
    pub(crate) end: Option<Vec3>,
    /// What may be walked and what it costs.
    pub(crate) filter: Filter,
    /// Half the box in which the nearest polygon of an end is sought, in metres.
    pub(crate) half_extents: Vec3,
    /// Most nodes the search may use.
    pub(crate) max_nodes: usize,
    /// What is drawn.
    pub(crate) show: PathShow,
    /// The answer, once both points are set and there is a navmesh.
    pub(crate) answer: Option<PathAnswer>,
    /// How far the search is played back.
    pub(crate) replay: Replay,
    scratch: Scratch,
    last_serial: u64,
}

/// An answer and how long it took.
#[derive(Clone, Debug)]
pub(crate) struct PathAnswer {
    /// The path, its search trace included.
    pub(crate) path: NavPath,
    /// Time the query took.
    pub(crate) time: Duration,
    /// Grows with every answer, for caches of what is drawn.
    pub(crate) serial: u64,
}

/// What of a path is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a check box of its own")]
pub(crate) struct PathShow {
    /// Polygons passed.
    pub(crate) corridor: bool,
    /// Edges crossed.
    pub(crate) portals: bool,
    /// Nodes the search touched.
    pub(crate) expanded: bool,
    /// The line itself.
    pub(crate) line: bool,
}

impl Default for PathState {
    fn default() -> Self {
        Self {
            start: None,
            end: None,
            filter: Filter::default(),
            half_extents: Vec3::new(2.0, 4.0, 2.0),
            max_nodes: 65_535,
            show: PathShow { corridor: true, portals: true, expanded: false, line: true },
            answer: None,
            replay: Replay::default(),
            scratch: Scratch::default(),
            last_serial: 0,
        }
    }
}

impl PathState {
    /// Asks `navmesh` for the way between the two points.
    pub(crate) fn update(&mut self, navmesh: Option<&NavMesh>) {
        (self.answer, self.replay) = (None, Replay::default());
        let (Some(navmesh), Some(start), Some(end)) = (navmesh, self.start, self.end) else {
            return;
        };
        let request = PathRequest {
            start,
            end,
            half_extents: self.half_extents,
            filter: &self.filter,
            max_nodes: self.max_nodes,
            trace: true,
        };
        let clock = Instant::now();
        let path = find_path(navmesh, &request, &mut self.scratch);
        let time = clock.elapsed();
        self.last_serial += 1;
        self.answer = Some(PathAnswer { path, time, serial: self.last_serial });
    }

    /// Nodes of the search that can be played back.
    pub(crate) fn n_expanded(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.path.expanded.len())
    }

    /// Removes both points.
    pub(crate) fn forget(&mut self) {
        (self.start, self.end, self.answer) = (None, None, None);
        self.replay = Replay::default();
    }
}
