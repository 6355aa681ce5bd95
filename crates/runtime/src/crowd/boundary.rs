//! The walls around an agent.

use arrayvec::ArrayVec;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::{
    geom::from_above::nearest_on_segment,
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, LocalNeighborhoodRequest, MeshPoint, NeighborPoly, first_of_neighborhood,
        is_usable, wall_segments_into,
    },
};

/// Most walls that are kept.
pub(super) const MAX_WALLS: usize = 8;
/// Most polygons whose walls are looked at.
const MAX_POLYS: usize = 16;
/// Most walls of one polygon.
const MAX_WALLS_OF_POLY: usize = 18;

/// A wall and how near it is.
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

/// The nearest walls around a place, found once and kept until the agent has left it.
///
/// Source: `dtLocalBoundary`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LocalBoundary {
    /// The place, `None` where nothing is known.
    center: Option<Vec3>,
    /// The nearest first.
    walls: ArrayVec<Wall, MAX_WALLS>,
    /// The polygons that have them.
    polys: ArrayVec<PolyRef, MAX_POLYS>,
}

impl LocalBoundary {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.center = None;
        self.walls.clear();
        self.polys.clear();
    }

    /// The walls, the nearest first.
    pub(super) fn walls(&self) -> impl Iterator<Item = [Vec3; 2]> {
        self.walls.iter().map(|wall| wall.ends)
    }

    /// Whether the walls still are those around `position`, up to `slack` meters aside.
    pub(super) fn is_current(
        &self,
        mesh: &NavMesh,
        position: Vec3,
        slack: f32,
        filter: &Filter,
    ) -> bool {
        let is_near = self.center.is_some_and(|center| {
            let (dx, dz) = (center.x - position.x, center.z - position.z);
            dx * dx + dz * dz <= slack * slack
        });
        is_near
            && !self.polys.is_empty()
            && self.polys.iter().all(|&poly| is_usable(mesh, poly, filter))
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
        // Where the polygon is gone there is nothing around.
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

    /// Keeps a wall where it belongs by distance, before others as far away unless they are the last.
    fn keep(&mut self, wall: Wall) {
        let is_last = self.walls.last().is_none_or(|last| wall.distance_sqr >= last.distance_sqr);
        if is_last {
            // One too many and the farthest: it does not count.
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
