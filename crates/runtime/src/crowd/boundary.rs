//! The walls around an agent.

use arrayvec::ArrayVec;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::epoch::Checked;
use crate::{
    geom::from_above::nearest_on_segment,
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, LocalNeighborhoodRequest, MeshPoint, NeighborPoly, first_of_neighborhood,
        is_usable, wall_segments_into,
    },
};

/// Maximum number of walls that are stored.
pub(super) const MAX_WALLS: usize = 8;
/// Maximum number of polygons whose walls are considered.
const MAX_POLYS: usize = 16;
/// Maximum number of walls of one polygon.
const MAX_WALLS_OF_POLY: usize = 18;

/// A wall and its distance.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Wall {
    ends: [Vec3; 2],
    distance_sqr: f32,
}

/// Memory for finding walls.
#[derive(Clone, Debug, Default)]
pub(super) struct WallScratch {
    polys: Vec<NeighborPoly>,
    walls: Vec<[Vec3; 2]>,
}

/// The nearest walls around a point. They are stored until the agent is far from this point.
///
/// Source: `dtLocalBoundary`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[repr(C)]
pub(super) struct LocalBoundary {
    /// The point around which walls are stored; `None` if there are none.
    center: Option<Vec3>,
    /// The state in which all polygons around the point are usable.
    #[serde(skip)]
    checked: Checked,
    /// The nearest first.
    walls: ArrayVec<Wall, MAX_WALLS>,
    /// The polygons around the point.
    polys: ArrayVec<PolyRef, MAX_POLYS>,
}

impl LocalBoundary {
    /// Removes all walls.
    pub(super) fn clear(&mut self) {
        self.center = None;
        self.walls.clear();
        self.polys.clear();
        self.checked = Checked::default();
    }

    /// Returns the walls, the nearest first.
    pub(super) fn walls(&self) -> impl Iterator<Item = [Vec3; 2]> {
        self.walls.iter().map(|wall| wall.ends)
    }

    /// Returns whether the walls are valid for `position`: at most `slack` meters from the point, and all polygons
    /// exist and pass the filter.
    pub(super) fn is_current(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        slack: f32,
        (filter, checked): (&Filter, Checked),
    ) -> bool {
        let is_near = self.center.is_some_and(|center| {
            let (dx, dz) = (center.x - position.x, center.z - position.z);
            dx * dx + dz * dz <= slack * slack
        });
        if !is_near || self.polys.is_empty() {
            return false;
        }
        if self.checked != checked {
            if !self.polys.iter().all(|&poly| is_usable(mesh, poly, filter)) {
                return false;
            }
            self.checked = checked;
        }
        true
    }

    /// Finds the walls within `range` around `at`.
    pub(super) fn find(
        &mut self,
        mesh: &NavMesh,
        at: MeshPoint,
        range: f32,
        filter: &Filter,
        scratch: &mut WallScratch,
    ) {
        self.clear();
        self.center = Some(at.point);
        let WallScratch { polys, walls } = scratch;
        // If the polygon was removed, there are no walls.
        let request = LocalNeighborhoodRequest::new(at, range, filter);
        if first_of_neighborhood(mesh, &request, (MAX_POLYS, polys)).is_err() {
            return;
        }
        self.polys.extend(polys.iter().map(|found| found.poly).take(MAX_POLYS));
        for &NeighborPoly { poly, .. } in polys.iter().take(MAX_POLYS) {
            if wall_segments_into(mesh, poly, filter, walls).is_err() {
                continue;
            }
            for &[a, b] in walls.iter().take(MAX_WALLS_OF_POLY) {
                let distance_sqr = nearest_on_segment(at.point, a, b).distance_sqr;
                if distance_sqr <= range * range {
                    self.keep(Wall { ends: [a, b], distance_sqr });
                }
            }
        }
    }

    /// Inserts a wall by distance: before walls of equal distance, except at the end.
    fn keep(&mut self, wall: Wall) {
        let is_last = self.walls.last().is_none_or(|last| wall.distance_sqr >= last.distance_sqr);
        if is_last {
            // The list is full, and this wall is the farthest.
            let _ = self.walls.try_push(wall);
            return;
        }
        let place = self.walls.iter().position(|kept| wall.distance_sqr <= kept.distance_sqr);
        if self.walls.is_full() {
            self.walls.pop();
        }
        let place = place.unwrap_or(self.walls.len()).min(self.walls.len());
        self.walls.insert(place, wall);
    }
}
