//! The path tool's points and its answer.

use std::time::Duration;

use glam::Vec3;
use walkable::query::{Filter, NavPath};

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
            show: PathShow { corridor: true, portals: true, expanded: true, line: true },
            answer: None,
        }
    }
}
