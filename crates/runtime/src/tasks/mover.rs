//! The interface between a task and the agent or flyer that carries it out.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::{crowd::AgentId, query::WhyNot};

/// The state of a mover's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathProgress {
    /// The mover has no path.
    Idle,
    /// A path is being searched.
    Searching,
    /// No path was found, or the path was lost.
    Failed,
    /// The mover follows a path.
    Following {
        /// Whether the path ends before the place to which the mover was sent.
        is_partial: bool,
    },
    /// The mover is on an off-mesh link and cannot stop.
    OnLink,
    /// The mover is not at a place from which a path could start.
    OffMesh,
}

/// The result of a complete path search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathOutcome {
    /// A path leads to the target.
    Complete,
    /// A path leads only to `end`.
    Partial {
        /// End of the path.
        end: Vec3,
        /// Why it does not lead farther.
        why: Option<WhyNot>,
    },
    /// There is no path at all.
    Unreachable {
        /// The reason.
        why: Option<WhyNot>,
    },
}

/// Something that can be sent to a place: an agent of a crowd, or a flyer with paths through a volume.
pub trait Mover {
    /// A place to which the mover can be sent.
    type Place: Copy;

    /// Returns the position.
    fn position(&self) -> Vec3;

    /// Returns the radius, in meters.
    fn radius(&self) -> f32;

    /// Returns the state of the mover's path.
    fn progress(&self) -> PathProgress;

    /// Returns the distance between two points by the mover's measure, in meters; infinite if they are on different
    /// levels.
    fn distance(&self, from: Vec3, to: Vec3) -> f32;

    /// Returns the place nearest to `point` and at most about `range` away.
    ///
    /// # Errors
    /// Returns the reason, if it is known, if there is no place.
    fn place_near(&self, point: Vec3, range: f32) -> Result<Self::Place, Option<WhyNot>>;

    /// Returns a place that is `distance` farther away from `point`, if the mover can step back at all.
    fn place_away_from(&mut self, point: Vec3, distance: f32) -> Option<Self::Place>;

    /// Returns the point of a place.
    fn point_of(&self, place: Self::Place) -> Vec3;

    /// Sends the mover to a place.
    fn go(&mut self, place: Self::Place);

    /// Stops the mover.
    fn stop(&mut self);

    /// Returns whether a straight line leads from the mover to a place.
    fn sees(&mut self, place: Self::Place) -> bool;

    /// Returns the length of the path from the mover to a place, in meters; `None` if no path leads there.
    fn path_length(&mut self, place: Self::Place) -> Option<f32>;

    /// Searches the whole path to a place; `None` if there is no time for it in this update.
    fn search_path(&mut self, place: Self::Place) -> Option<PathOutcome>;

    /// Returns the nearest agent ahead that is close enough to block the mover.
    fn blocker(&self) -> Option<AgentId>;
}
