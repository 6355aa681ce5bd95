//! Flyers and swimmers that carry out movement tasks.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    crowd::AgentId,
    query::WhyNot,
    search::Unwatched,
    tasks::{Mover, PathOutcome, PathProgress},
};

use super::{Airspace, CellOptions, CellTree as _, Voxel, VoxelError, VoxelScratch, is_clear};

/// Maximum distance of a target from free space, in voxels.
const MAX_NEAR: f32 = 16.0;
/// Fractions of a step back that are tried, largest first.
const RETREATS: [f32; 3] = [1.0, 0.5, 0.25];

/// Parameters of a [`Flyer`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlyerParams {
    /// The radius, in meters; that of the [`Airspace`]. A flyer counts as at a point if it is nearer to it than a
    /// quarter of the radius.
    pub radius: f32,
    /// Maximum speed, in meters per second.
    pub max_speed: f32,
    /// Maximum change of the speed, in meters per second squared.
    pub max_acceleration: f32,
}

/// A flyer or swimmer that follows paths through an [`Airspace`].
///
/// It follows its path exactly, so it touches nothing: it accelerates and brakes, but turns instantly. Flyers do not
/// avoid each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flyer {
    params: FlyerParams,
    position: Vec3,
    velocity: Vec3,
    /// Remaining points of the path.
    ahead: Vec<Vec3>,
    progress: PathProgress,
}

impl Flyer {
    /// Creates a flyer that has no path.
    ///
    /// # Errors
    /// Returns an error if a parameter is not a finite number above 0.
    pub fn new(position: Vec3, params: FlyerParams) -> Result<Self, VoxelError> {
        let FlyerParams { radius, max_speed, max_acceleration } = params;
        for (name, value) in
            [("radius", radius), ("speed", max_speed), ("acceleration", max_acceleration)]
        {
            if !(value.is_finite() && value > 0.0) {
                return Err(VoxelError::Setting { name, value, rule: "above 0" });
            }
        }
        let (velocity, progress) = (Vec3::ZERO, PathProgress::Idle);
        Ok(Self { params, position, velocity, ahead: Vec::new(), progress })
    }

    /// Returns the position.
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// Returns the velocity, in meters per second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Returns the points of the path that are still ahead.
    pub fn path(&self) -> &[Vec3] {
        &self.ahead
    }

    /// Moves along the path for `seconds`. Does nothing if `seconds` is negative or not finite.
    pub fn update(&mut self, seconds: f32) {
        if !seconds.is_finite() || seconds < 0.0 {
            return;
        }
        let FlyerParams { max_speed, max_acceleration, .. } = self.params;
        // The highest speed from which it can still stop at the end.
        let stoppable = (2.0 * max_acceleration * length(self.position, &self.ahead)).sqrt();
        let faster = self.velocity.length() + max_acceleration * seconds;
        let speed = faster.min(max_speed).min(stoppable);
        let before = self.position;
        self.advance(speed * seconds);
        let direction = (self.position - before).normalize_or_zero();
        self.velocity = if self.ahead.is_empty() { Vec3::ZERO } else { direction * speed };
    }

    /// Moves a distance along the path.
    fn advance(&mut self, distance: f32) {
        let mut left = distance;
        let mut n_passed = 0;
        for &next in &self.ahead {
            let step = self.position.distance(next);
            if step > left {
                self.position = self.position.move_towards(next, left);
                break;
            }
            (self.position, left) = (next, left - step);
            n_passed += 1;
        }
        self.ahead.drain(..n_passed);
    }

    /// Returns the flyer in its space, to carry out a task of [`TaskState`](walkable_runtime::tasks::TaskState).
    pub fn within<'a>(
        &'a mut self,
        space: &'a Airspace,
        scratch: &'a mut VoxelScratch,
    ) -> FlyerInSpace<'a> {
        FlyerInSpace { flyer: self, space, scratch }
    }
}

/// Returns the length of a path from `start`, in meters.
fn length(start: Vec3, path: &[Vec3]) -> f32 {
    let mut from = start;
    path.iter().map(|&to| std::mem::replace(&mut from, to).distance(to)).sum()
}

/// A [`Flyer`] in its [`Airspace`], as a [`Mover`]. Places are points in free voxels. Paths are searched immediately.
#[derive(Debug)]
pub struct FlyerInSpace<'a> {
    flyer: &'a mut Flyer,
    space: &'a Airspace,
    scratch: &'a mut VoxelScratch,
}

impl FlyerInSpace<'_> {
    fn is_free(&self, point: Vec3) -> bool {
        self.space.voxel(point).is_some_and(|voxel| !self.space.tree.is_blocked(voxel))
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let in_voxels = |point: Vec3| (point - self.space.origin) / self.space.voxel_size;
        is_clear(&self.space.tree, in_voxels(from), in_voxels(to))
    }

    /// Searches for a path to `place`, whose points follow the flyer's position.
    fn search(&mut self, place: Vec3) -> Option<Vec<Vec3>> {
        let ends = [self.flyer.position, place];
        let found =
            self.space.find_path(ends, CellOptions::default(), self.scratch, &mut Unwatched);
        let mut points = found.path?.points;
        // The path leads between the centers of the first and the last voxel. Within a voxel, all points are free.
        if let [_, second, ..] = points[..]
            && self.is_clear(self.flyer.position, second)
        {
            points.remove(0);
        }
        points.push(place);
        Some(points)
    }
}

impl Mover for FlyerInSpace<'_> {
    type Place = Vec3;

    fn position(&self) -> Vec3 {
        self.flyer.position
    }

    fn radius(&self) -> f32 {
        self.flyer.params.radius
    }

    fn progress(&self) -> PathProgress {
        if self.is_free(self.flyer.position) { self.flyer.progress } else { PathProgress::OffMesh }
    }

    fn distance(&self, from: Vec3, to: Vec3) -> f32 {
        from.distance(to)
    }

    fn place_near(&self, point: Vec3, range: f32) -> Result<Vec3, Option<WhyNot>> {
        if self.is_free(point) {
            return Ok(point);
        }
        let Airspace { origin, voxel_size, .. } = *self.space;
        let range = range.min(MAX_NEAR * voxel_size);
        let centers = voxels_within((point - origin) / voxel_size, range / voxel_size)
            .filter(|&voxel| !self.space.tree.is_blocked(voxel))
            .map(|voxel| origin + center(voxel) * voxel_size);
        let away = |center: &Vec3| center.distance_squared(point);
        let nearest = centers.min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.filter(|center| center.distance(point) <= range).ok_or(None)
    }

    fn place_away_from(&mut self, point: Vec3, distance: f32) -> Option<Vec3> {
        let position = self.flyer.position;
        let away = (position - point).try_normalize().unwrap_or(Vec3::X) * distance;
        let places = RETREATS.map(|part| position + away * part);
        places.into_iter().find(|&place| self.is_clear(position, place))
    }

    fn point_of(&self, place: Vec3) -> Vec3 {
        place
    }

    fn go(&mut self, place: Vec3) {
        let found = self.search(place);
        self.flyer.progress = match &found {
            Some(_) => PathProgress::Following { is_partial: false },
            None => PathProgress::Failed,
        };
        self.flyer.ahead = found.unwrap_or_default();
    }

    fn stop(&mut self) {
        self.flyer.ahead.clear();
        self.flyer.velocity = Vec3::ZERO;
        self.flyer.progress = PathProgress::Idle;
    }

    fn sees(&mut self, place: Vec3) -> bool {
        self.is_clear(self.flyer.position, place)
    }

    fn path_length(&mut self, place: Vec3) -> Option<f32> {
        self.search(place).map(|path| length(self.flyer.position, &path))
    }

    fn search_path(&mut self, place: Vec3) -> Option<PathOutcome> {
        Some(match self.search(place) {
            Some(_) => PathOutcome::Complete,
            None => PathOutcome::Unreachable { why: Some(WhyNot::Disconnected) },
        })
    }

    fn blocker(&self) -> Option<AgentId> {
        None
    }
}

/// Returns the voxels in a cube of `range` voxels around a point.
fn voxels_within(point: Vec3, range: f32) -> impl Iterator<Item = Voxel> {
    let [low, high] = [(point - range).as_uvec3(), (point + range).as_uvec3()];
    let along = |axis: usize| low[axis]..=high[axis];
    let [xs, ys, zs] = [0, 1, 2].map(along);
    xs.flat_map(move |x| {
        let zs = zs.clone();
        ys.clone().flat_map(move |y| zs.clone().map(move |z| [x, y, z]))
    })
}

#[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
fn center(voxel: Voxel) -> Vec3 {
    Vec3::from_array(voxel.map(|n| n as f32 + 0.5))
}

#[cfg(test)]
mod tests {
    use walkable_mesh::TriMesh;
    use walkable_runtime::{
        geom::Aabb,
        monitor::Unmonitored,
        tasks::{MovementTask, TaskEventKind, TaskRules, TaskState, TaskTarget},
    };

    use super::*;
    use crate::voxel::AirspaceSettings;

    const PARAMS: FlyerParams = FlyerParams { radius: 0.4, max_speed: 6.0, max_acceleration: 8.0 };

    /// Creates a box of air of 20 m, divided by a wall that is 12 m high.
    fn hall() -> Airspace {
        let corners = [[0.0, 0.0], [0.0, 12.0], [20.0, 12.0], [20.0, 0.0]];
        let vertices = corners.map(|[z, y]| Vec3::new(10.0, y, z)).to_vec();
        let mesh = TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let bounds = Aabb { min: Vec3::ZERO, max: Vec3::splat(20.0) };
        let settings = AirspaceSettings { voxel_size: 0.5, agent_radius: PARAMS.radius };
        Airspace::new(&mesh, bounds, settings, &Unmonitored).unwrap()
    }

    /// Carries out a task for at most a minute; returns the event that ends it. Checks that the flyer never leaves the
    /// free space and never exceeds its maximum speed. Saves and restores it every 50 frames.
    fn fly(
        space: &Airspace,
        flyer: &mut Flyer,
        task: MovementTask,
        target: impl Fn(f32) -> Option<Vec3>,
    ) -> Option<TaskEventKind> {
        let mut state = TaskState::new(task, TaskRules::default()).unwrap();
        let mut scratch = VoxelScratch::default();
        for frame in 0..3600_u16 {
            let seconds = f32::from(frame) / 60.0;
            let mut mover = flyer.within(space, &mut scratch);
            let event = state.update(&mut mover, target(seconds), 1.0 / 60.0);
            if let Some(event) = event.filter(|&event| state.is_ended_by(event)) {
                mover.stop();
                return Some(event);
            }
            let before = mover.position();
            if frame % 50 == 7 {
                let saved = serde_json::to_string(flyer).unwrap();
                *flyer = serde_json::from_str(&saved).unwrap();
                assert_eq!(serde_json::to_string(flyer).unwrap(), saved);
            }
            flyer.update(1.0 / 60.0);
            let moved = before.distance(flyer.position());
            assert!(moved <= PARAMS.max_speed / 60.0 * 1.001, "{moved} m in a frame");
            let voxel = space.voxel(flyer.position()).unwrap();
            assert!(!space.tree.is_blocked(voxel), "at {}", flyer.position());
        }
        None
    }

    #[test]
    fn a_flyer_goes_over_a_wall_and_stops_at_its_target() {
        let space = hall();
        let start = Vec3::new(2.0, 3.0, 10.0);
        let mut flyer = Flyer::new(start, PARAMS).unwrap();
        let point = Vec3::new(17.1, 2.2, 9.3);
        let task = MovementTask::GoTo { point, radius: 0.0 };
        assert_eq!(fly(&space, &mut flyer, task, |_| None), Some(TaskEventKind::Arrived));
        assert!(flyer.position().distance(point) <= PARAMS.radius * 0.25);
        assert!(flyer.path().is_empty() && flyer.velocity() == Vec3::ZERO);
    }

    #[test]
    fn a_flyer_follows_a_target_within_its_band() {
        let space = hall();
        let mut flyer = Flyer::new(Vec3::new(2.0, 3.0, 10.0), PARAMS).unwrap();
        let path = |seconds: f32| Vec3::new(2.0 + seconds.min(16.0), 16.0, 10.0);
        let task =
            MovementTask::Follow { target: TaskTarget::Entity(0), nearest: 2.0, farthest: 4.0 };
        assert_eq!(fly(&space, &mut flyer, task, |seconds| Some(path(seconds))), None);
        let distance = flyer.position().distance(path(60.0));
        assert!((1.9..=4.1).contains(&distance), "{distance} m");
    }

    #[test]
    fn targets_in_walls_are_near_free_space_or_unreachable() {
        let space = hall();
        let mut flyer = Flyer::new(Vec3::new(2.0, 3.0, 10.0), PARAMS).unwrap();
        let in_wall = Vec3::new(10.0, 6.0, 10.0);
        let near = MovementTask::GoTo { point: in_wall, radius: 2.0 };
        assert_eq!(fly(&space, &mut flyer, near, |_| None), Some(TaskEventKind::Arrived));
        let exact = MovementTask::GoTo { point: in_wall, radius: 0.1 };
        let event = fly(&space, &mut flyer, exact, |_| None);
        assert_eq!(event, Some(TaskEventKind::Unreachable { why: None }));
        let outside = MovementTask::GoTo { point: Vec3::splat(500.0), radius: 1.0 };
        let event = fly(&space, &mut flyer, outside, |_| None);
        assert_eq!(event, Some(TaskEventKind::Unreachable { why: None }));
    }

    #[test]
    fn a_target_in_another_pool_is_unreachable() {
        let pool =
            |x: f32| Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 4.0, 5.0, 20.0) };
        let space = hall().in_water(&[pool(0.0), pool(12.0)]).unwrap();
        let mut flyer = Flyer::new(Vec3::new(2.0, 3.0, 10.0), PARAMS).unwrap();
        let task = MovementTask::GoTo { point: Vec3::new(14.0, 2.0, 10.0), radius: 0.5 };
        let why = Some(WhyNot::Disconnected);
        let event = fly(&space, &mut flyer, task, |_| None);
        assert_eq!(event, Some(TaskEventKind::Unreachable { why }));
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(Flyer::new(Vec3::ZERO, FlyerParams { radius, ..PARAMS }).is_err());
        }
    }
}
