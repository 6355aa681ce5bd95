//! A task in progress: the rules of all tasks, for any mover.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    event::{LossCause, TaskEventKind},
    mover::{Mover, PathOutcome, PathProgress},
    task::{MovementTask, Reach, TaskError, TaskRules},
};

/// A mover counts as at a point within this many of its radii: agents slow down as they come closer.
const AT_POINT: f32 = 0.25;
/// A target without a path is measured again after this many meters.
const REMEASURE: f32 = 0.5;

/// What the mover of a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskPhase {
    /// The mover comes closer to the target.
    Closing,
    /// The mover waits within the band around the target that it follows.
    Holding,
    /// The mover steps back from the target that it follows.
    Retreating,
}

/// Where a mover was sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Plan<P> {
    place: P,
    /// Position of the target when the mover was sent.
    target: Vec3,
    /// Whether a partial path was found to be good enough.
    is_verified: bool,
}

/// A measured walking distance.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Measured {
    /// `None` if there was no path.
    length: Option<f32>,
    /// Total distance that the mover and the target have moved since the measurement.
    moved: f32,
}

/// A task in progress; `P` is the type of the mover's places.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskState<P> {
    task: MovementTask,
    rules: TaskRules,
    phase: TaskPhase,
    /// Seconds since the task was assigned.
    seconds: f32,
    plan: Option<Plan<P>>,
    /// Positions of the mover and the target in the previous update.
    last: Option<[Vec3; 2]>,
    measured: Option<Measured>,
    /// Position of the mover when it last moved by more than its radius.
    anchor: Option<Vec3>,
    /// Seconds at the anchor, in total and since the last event.
    still: [f32; 2],
    /// Seconds for which the target has been off the navmesh.
    off_mesh: f32,
}

impl<P: Copy> TaskState<P> {
    /// Starts a task.
    ///
    /// # Errors
    /// Returns a [`TaskError`] if a number of the task or of its rules is invalid.
    pub fn new(task: MovementTask, rules: TaskRules) -> Result<Self, TaskError> {
        task.check()?;
        rules.check()?;
        Ok(Self {
            task,
            rules,
            phase: TaskPhase::Closing,
            seconds: 0.0,
            plan: None,
            last: None,
            measured: None,
            anchor: None,
            still: [0.0; 2],
            off_mesh: 0.0,
        })
    }

    /// Returns the task.
    pub fn task(&self) -> &MovementTask {
        &self.task
    }

    /// Returns the rules.
    pub fn rules(&self) -> &TaskRules {
        &self.rules
    }

    /// Returns what the mover does.
    pub fn phase(&self) -> TaskPhase {
        self.phase
    }

    /// Returns the number of seconds since the task was assigned.
    pub fn seconds(&self) -> f32 {
        self.seconds
    }

    /// Returns whether an event ends this task.
    pub fn is_ended_by(&self, event: TaskEventKind) -> bool {
        match event {
            TaskEventKind::Arrived => self.task.ends_on_arrival(),
            TaskEventKind::Blocked { .. } => false,
            TaskEventKind::GaveUp { .. }
            | TaskEventKind::Unreachable { .. }
            | TaskEventKind::Lost { .. }
            | TaskEventKind::TimedOut => true,
        }
    }

    /// Continues the task by `seconds`. `target` is the position of the moving target, `None` if it is gone; tasks
    /// without a moving target ignore it. The mover is not stopped if the returned event ends the task.
    pub fn update<M: Mover<Place = P>>(
        &mut self,
        mover: &mut M,
        target: Option<Vec3>,
        seconds: f32,
    ) -> Option<TaskEventKind> {
        self.seconds += seconds;
        if mover.progress() == PathProgress::OffMesh {
            return Some(TaskEventKind::Lost { cause: LossCause::AgentOffMesh });
        }
        if self.rules.timeout.is_some_and(|timeout| self.seconds > timeout) {
            return Some(TaskEventKind::TimedOut);
        }
        match self.task {
            MovementTask::GoTo { point, radius } => self.close_in(mover, point, radius, seconds),
            MovementTask::Approach { radius, .. } => match target {
                Some(target) => self.close_in(mover, target, radius, seconds),
                None => Some(TaskEventKind::Lost { cause: LossCause::TargetGone }),
            },
            MovementTask::Follow { nearest, farthest, .. } => match target {
                Some(target) => self.follow(mover, target, [nearest, farthest], seconds),
                None => Some(TaskEventKind::Lost { cause: LossCause::TargetGone }),
            },
        }
    }

    /// Comes closer to the target; reports the arrival.
    fn close_in<M: Mover<Place = P>>(
        &mut self,
        mover: &mut M,
        target: Vec3,
        radius: f32,
        seconds: f32,
    ) -> Option<TaskEventKind> {
        self.note_moves(mover.position(), target);
        if self.is_within(mover, target, radius) {
            return Some(TaskEventKind::Arrived);
        }
        let failure = self.verify(mover, target, radius);
        let failure = failure.or_else(|| self.replan(mover, target, radius, seconds));
        failure.or_else(|| self.note_standstill(mover, seconds))
    }

    fn follow<M: Mover<Place = P>>(
        &mut self,
        mover: &mut M,
        target: Vec3,
        [nearest, farthest]: [f32; 2],
        seconds: f32,
    ) -> Option<TaskEventKind> {
        let middle = (nearest + farthest) * 0.5;
        let distance = mover.distance(mover.position(), target);
        match self.phase {
            TaskPhase::Closing => {
                let event = self.close_in(mover, target, middle, seconds);
                if event == Some(TaskEventKind::Arrived) {
                    self.hold(mover);
                }
                event
            }
            TaskPhase::Holding => {
                self.note_moves(mover.position(), target);
                if distance < nearest {
                    self.retreat(mover, target, middle - distance);
                } else if !self.is_within(mover, target, farthest) {
                    self.phase = TaskPhase::Closing;
                }
                None
            }
            TaskPhase::Retreating => {
                self.note_moves(mover.position(), target);
                let is_there = self.plan.is_none_or(|plan| {
                    let rest = mover.distance(mover.position(), mover.point_of(plan.place));
                    rest <= mover.radius() * AT_POINT || self.is_stale(mover, &plan, target)
                });
                if distance >= middle || is_there {
                    self.hold(mover);
                }
                None
            }
        }
    }

    fn hold(&mut self, mover: &mut impl Mover<Place = P>) {
        mover.stop();
        self.plan = None;
        self.anchor = None;
        self.phase = TaskPhase::Holding;
    }

    fn retreat(&mut self, mover: &mut impl Mover<Place = P>, target: Vec3, distance: f32) {
        let Some(place) = mover.place_away_from(target, distance) else { return };
        mover.go(place);
        self.plan = Some(Plan { place, target, is_verified: true });
        self.phase = TaskPhase::Retreating;
    }

    /// Adds the distances that the mover and the target have moved since the walking distance was measured.
    fn note_moves(&mut self, position: Vec3, target: Vec3) {
        if let (Some([before, target_before]), Some(measured)) = (self.last, &mut self.measured) {
            measured.moved += before.distance(position) + target_before.distance(target);
        }
        self.last = Some([position, target]);
    }

    /// Returns whether the mover has arrived.
    fn is_within<M: Mover<Place = P>>(&mut self, mover: &mut M, target: Vec3, radius: f32) -> bool {
        let radius = radius.max(mover.radius() * AT_POINT);
        let is_near = mover.distance(mover.position(), target) <= radius;
        if !is_near || mover.progress() == PathProgress::OnLink {
            return false;
        }
        match self.rules.reach {
            Reach::Distance => true,
            Reach::LineOfSight => {
                mover.place_near(target, radius).is_ok_and(|place| mover.sees(place))
            }
            Reach::WalkingDistance => self.can_walk_within(mover, target, radius),
        }
    }

    /// Returns whether a path no longer than `radius` leads to the target. While neither has moved far enough to change
    /// the result, nothing is searched.
    fn can_walk_within<M: Mover<Place = P>>(
        &mut self,
        mover: &mut M,
        target: Vec3,
        radius: f32,
    ) -> bool {
        match self.measured {
            Some(Measured { length: Some(length), moved }) if length + moved <= radius => {
                return true;
            }
            Some(Measured { length: Some(length), moved }) if length - moved > radius => {
                return false;
            }
            Some(Measured { length: None, moved }) if moved < REMEASURE => return false,
            Some(_) | None => {}
        }
        let place = mover.place_near(target, radius).ok();
        let length = place.and_then(|place| mover.path_length(place));
        self.measured = Some(Measured { length, moved: 0.0 });
        length.is_some_and(|length| length <= radius)
    }

    /// Determines whether a partial path or a missing one means that the target is unreachable.
    fn verify<M: Mover<Place = P>>(
        &mut self,
        mover: &mut M,
        target: Vec3,
        radius: f32,
    ) -> Option<TaskEventKind> {
        let plan = self.plan.as_mut()?;
        match mover.progress() {
            PathProgress::Following { is_partial: false } => {
                plan.is_verified = false;
                return None;
            }
            PathProgress::Following { is_partial: true } | PathProgress::Failed => {}
            PathProgress::Idle
            | PathProgress::Searching
            | PathProgress::OnLink
            | PathProgress::OffMesh => return None,
        }
        if plan.is_verified {
            return None;
        }
        match mover.search_path(plan.place)? {
            PathOutcome::Complete => {}
            PathOutcome::Partial { end, why } => {
                let is_enough = self.rules.reach == Reach::Distance
                    && mover.distance(end, target) <= radius.max(mover.radius() * AT_POINT);
                if !is_enough {
                    return Some(TaskEventKind::Unreachable { why });
                }
            }
            PathOutcome::Unreachable { why } => return Some(TaskEventKind::Unreachable { why }),
        }
        plan.is_verified = true;
        None
    }

    /// Returns whether a new path is needed.
    fn is_stale(&self, mover: &impl Mover<Place = P>, plan: &Plan<P>, target: Vec3) -> bool {
        match mover.progress() {
            PathProgress::Searching | PathProgress::OffMesh => false,
            PathProgress::Idle => true,
            PathProgress::Failed => plan.is_verified,
            PathProgress::Following { .. } | PathProgress::OnLink => {
                let far = mover.position().distance(target) * self.rules.replan_fraction;
                plan.target.distance(target) > self.rules.replan_distance.max(far)
            }
        }
    }

    /// Sends the mover to the target if it has no path, or if the target has moved too far from the end of the path.
    fn replan<M: Mover<Place = P>>(
        &mut self,
        mover: &mut M,
        target: Vec3,
        radius: f32,
        seconds: f32,
    ) -> Option<TaskEventKind> {
        if self.plan.is_some_and(|plan| !self.is_stale(mover, &plan, target)) {
            return None;
        }
        match mover.place_near(target, radius) {
            Ok(place) => {
                mover.go(place);
                self.plan = Some(Plan { place, target, is_verified: false });
                self.measured = None;
                self.off_mesh = 0.0;
                None
            }
            Err(why) if self.task.target().is_none() => Some(TaskEventKind::Unreachable { why }),
            Err(_off_mesh) => {
                self.off_mesh += seconds;
                let is_lost = self.off_mesh > self.rules.lost_after;
                is_lost.then_some(TaskEventKind::Lost { cause: LossCause::TargetOffMesh })
            }
        }
    }

    /// Reports a mover that does not move although it has a path.
    fn note_standstill(
        &mut self,
        mover: &mut impl Mover<Place = P>,
        seconds: f32,
    ) -> Option<TaskEventKind> {
        let position = mover.position();
        let is_still =
            self.anchor.is_some_and(|anchor| anchor.distance(position) <= mover.radius());
        if !is_still {
            self.anchor = Some(position);
            self.still = [0.0; 2];
            return None;
        }
        if mover.progress() == PathProgress::Searching {
            return None;
        }
        let [total, since_event] = self.still.map(|time| time + seconds);
        self.still = [total, since_event];
        if self.rules.give_up_after.is_some_and(|limit| total > limit) {
            return self.give_up(mover);
        }
        if since_event <= self.rules.blocked_after {
            return None;
        }
        self.still[1] = 0.0;
        self.plan = None;
        Some(TaskEventKind::Blocked { by: mover.blocker() })
    }

    /// Ends a task whose mover stands still. If the mover follows a partial path and avoidance stops it just before the
    /// end, the event says why the path is partial. Returns `None` if that needs a search in a later update.
    fn give_up(&self, mover: &mut impl Mover<Place = P>) -> Option<TaskEventKind> {
        let by = mover.blocker();
        let is_partial = mover.progress() == PathProgress::Following { is_partial: true };
        let Some(plan) = self.plan.filter(|_| by.is_none() && is_partial) else {
            return Some(TaskEventKind::GaveUp { by });
        };
        Some(match mover.search_path(plan.place)? {
            PathOutcome::Complete => TaskEventKind::GaveUp { by },
            PathOutcome::Partial { why, .. } | PathOutcome::Unreachable { why } => {
                TaskEventKind::Unreachable { why }
            }
        })
    }
}
