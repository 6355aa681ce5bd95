//! Chooses starts and targets of agents.

use glam::Vec3;
use walkable_runtime::{
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyKind},
    query::{
        Corridor, CorridorRequest, Filter, MeshPoint, NearestRequest, PathPoint,
        RandomPointRequest, Reachability, Scratch, Seeded, StraightPathRequest, TileChoice,
        find_corridor_into, nearest, random_point, straight_path_into,
    },
};

use super::{SoakError, SoakSettings};

/// Maximum number of targets that are tried for a trip.
const MAX_TRIES: usize = 16;
/// Maximum number of starts that are tried for an agent.
const MAX_STARTS: usize = 32;
/// Minimum length of a trip, in arrival distances.
const MIN_TRIP: f32 = 4.0;

/// The state of the random choices of starts and targets.
pub(super) struct Trips<'a> {
    mesh: &'a NavMesh,
    filter: &'a Filter,
    reachability: Reachability,
    random: Seeded,
    places: Vec<MeshPoint>,
    min_trip: f32,
    scratch: Scratch,
    corridor: Corridor,
    corners: Vec<PathPoint>,
}

impl<'a> Trips<'a> {
    pub(super) fn new(
        mesh: &'a NavMesh,
        settings: &'a SoakSettings,
        monitor: &dyn Monitor,
    ) -> Result<Self, SoakError> {
        let filter = &settings.filter;
        let mut trips = Self {
            mesh,
            filter,
            reachability: Reachability::new(mesh, filter),
            random: Seeded::new(settings.seed),
            places: places(mesh, settings, monitor)?,
            min_trip: settings.arrival_distance() * MIN_TRIP,
            scratch: Scratch::default(),
            corridor: Corridor::default(),
            corners: Vec::new(),
        };
        trips.check_places(settings, monitor)?;
        Ok(trips)
    }

    /// Checks that a path leads from each listed place to another one that is far enough for a trip.
    fn check_places(
        &mut self,
        settings: &SoakSettings,
        monitor: &dyn Monitor,
    ) -> Result<(), SoakError> {
        let places = self.places.clone();
        for (index, &from) in places.iter().enumerate() {
            let others = places.iter().enumerate().filter(|&(other, _)| other != index);
            let (far, near): (Vec<_>, Vec<_>) =
                others.map(|(_, &to)| to).partition(|&to| self.is_trip(from, to));
            let mut has_path = |to: &[MeshPoint]| -> Result<bool, SoakError> {
                for &to in to {
                    monitor.check()?;
                    if self.distance(from, to).is_some() {
                        return Ok(true);
                    }
                }
                Ok(false)
            };
            if has_path(&far)? {
                continue;
            }
            let (number, Vec3 { x, y, z }) = (index + 1, settings.places[index]);
            return Err(if has_path(&near)? {
                SoakError::PlacesNear { number, x, y, z, min: self.min_trip }
            } else {
                SoakError::PlaceCutOff { number, x, y, z }
            });
        }
        Ok(())
    }

    fn is_trip(&self, from: MeshPoint, to: MeshPoint) -> bool {
        from.point.distance(to.point) >= self.min_trip
    }

    /// Returns a random number below `n`, which must not be 0.
    fn below(&mut self, n: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an index in a list"
        )]
        let index = (self.random.share() * n as f32) as usize;
        index.min(n - 1)
    }

    fn place(&mut self) -> Option<MeshPoint> {
        if self.places.is_empty() {
            let request = RandomPointRequest { filter: self.filter, tiles: TileChoice::ByArea };
            let random = &mut self.random;
            return random_point(self.mesh, &request, || random.share());
        }
        let index = self.below(self.places.len());
        self.places.get(index).copied()
    }

    /// Returns a start from which a target can be reached, the target, and the length of the path. Starts that
    /// `is_free` rejects are only used if no other start is found.
    pub(super) fn start(
        &mut self,
        monitor: &dyn Monitor,
        mut is_free: impl FnMut(Vec3) -> bool,
    ) -> Result<Option<(MeshPoint, MeshPoint, f32)>, Cancelled> {
        let mut taken = None;
        for _ in 0..MAX_STARTS {
            let Some(from) = self.start_place(monitor)? else { return Ok(None) };
            let Some((to, distance)) = self.target(from, monitor)? else { continue };
            if is_free(from.point) {
                return Ok(Some((from, to, distance)));
            }
            taken = Some((from, to, distance));
        }
        Ok(taken)
    }

    /// Returns a start. Agents start at random points of paths between listed places, because many agents cannot start
    /// at the same place.
    fn start_place(&mut self, monitor: &dyn Monitor) -> Result<Option<MeshPoint>, Cancelled> {
        let Some(from) = self.place() else { return Ok(None) };
        if self.places.is_empty() {
            return Ok(Some(from));
        }
        let Some((to, _)) = self.target(from, monitor)? else { return Ok(Some(from)) };
        Ok(self.point_on_path(from, to))
    }

    /// Returns a random point of the path between two places.
    fn point_on_path(&mut self, from: MeshPoint, to: MeshPoint) -> Option<MeshPoint> {
        self.distance(from, to);
        let index = self.below(self.corridor.polys.len().max(1));
        let Some(&poly) = self.corridor.polys.get(index) else { return Some(from) };
        let (tile, index) = self.mesh.resolve(poly)?;
        let corners = tile.corners(&tile.polys[index]);
        if tile.polys[index].kind != PolyKind::Ground {
            return Some(from);
        }
        let mut weights: Vec<f32> = corners.iter().map(|_| self.random.share() + 0.01).collect();
        let sum: f32 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= sum;
        }
        let point: Vec3 =
            corners.iter().zip(&weights).map(|(&corner, &weight)| corner * weight).sum();
        Some(MeshPoint { poly, point: tile.closest_point(index, point).point })
    }

    /// Returns a target that can be reached from `from`, and the length of the path.
    pub(super) fn target(
        &mut self,
        from: MeshPoint,
        monitor: &dyn Monitor,
    ) -> Result<Option<(MeshPoint, f32)>, Cancelled> {
        for _ in 0..MAX_TRIES {
            monitor.check()?;
            let Some(to) = self.place() else { return Ok(None) };
            if !self.is_trip(from, to) {
                continue;
            }
            if let Some(distance) = self.distance(from, to) {
                return Ok(Some((to, distance)));
            }
        }
        Ok(None)
    }

    /// Returns the length of the path from `from` to `to`; `None` if there is no complete path.
    pub(super) fn distance(&mut self, from: MeshPoint, to: MeshPoint) -> Option<f32> {
        if self.reachability.can_reach(self.mesh, from.poly, to.poly) != Some(true) {
            return None;
        }
        let Self { mesh, filter, scratch, corridor, corners, .. } = self;
        let request = CorridorRequest::new(from, to, filter);
        find_corridor_into(mesh, &request, scratch, corridor).ok()?;
        if !corridor.is_complete {
            return None;
        }
        let request = StraightPathRequest::new(from.point, to.point, &corridor.polys);
        straight_path_into(mesh, &request, scratch, corners).ok()?;
        let legs = corners.windows(2).map(|leg| leg[0].position.distance(leg[1].position));
        Some(legs.sum())
    }
}

/// Moves the listed places onto the navmesh.
fn places(
    mesh: &NavMesh,
    settings: &SoakSettings,
    monitor: &dyn Monitor,
) -> Result<Vec<MeshPoint>, SoakError> {
    if settings.places.len() == 1 {
        return Err(SoakError::OnePlace {});
    }
    let numbered = (1..).zip(&settings.places);
    let placed = numbered.map(|(number, &center)| {
        monitor.check()?;
        let half_extents = NearestRequest::HALF_EXTENTS;
        let request = NearestRequest { center, half_extents, filter: &settings.filter };
        let Vec3 { x, y, z } = center;
        let found = nearest(mesh, &request).ok().flatten();
        found.ok_or(SoakError::PlaceOffMesh { number, x, y, z })
    });
    placed.collect()
}
