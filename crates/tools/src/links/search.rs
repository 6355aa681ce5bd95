//! Finds starts and landings, and tests whether a link between them is useful.

use glam::Vec3;
use walkable_mesh::TriMesh;
use walkable_runtime::{
    geom::Bvh,
    ids::AreaId,
    navmesh::{NavMesh, PolyRef, Tile},
    query::{
        CorridorRequest, Filter, MeshPoint, PolygonsInBoxRequest, Reachability, Scratch,
        SearchRules, StraightPathRequest, closest_point, find_corridor, polygons_in_box_into,
        straight_path, wall_segments_into,
    },
};

use super::{
    LinkKind, LinkProposal, LinkSettings, arc,
    room::{Body, is_free},
};

/// Maximum number of polygons of a search for a walking path.
const MAX_WALK_NODES: usize = 512;
/// Maximum number of positions at which ground is searched from one start.
const MAX_PLACES: u8 = 64;
/// Maximum number of starts on one edge.
const MAX_STARTS: u16 = 4096;

/// The inputs and results of a search.
pub(super) struct LinkSearch<'a> {
    mesh: &'a NavMesh,
    level: &'a TriMesh,
    tree: Bvh,
    filter: &'a Filter,
    /// `filter` with an area cost of 1 for all areas.
    on_foot: Filter,
    settings: &'a LinkSettings,
    reach: Reachability,
    scratch: Scratch,
    walls: Vec<[Vec3; 2]>,
    around: Vec<PolyRef>,
    pub(super) found: Vec<LinkProposal>,
}

impl<'a> LinkSearch<'a> {
    pub(super) fn new(
        mesh: &'a NavMesh,
        level: &'a TriMesh,
        filter: &'a Filter,
        settings: &'a LinkSettings,
    ) -> Self {
        let rules = SearchRules {
            refused_connections: filter.rules.refused_connections.clone(),
            ..SearchRules::default()
        };
        let area_cost = [1.0; AreaId::COUNT];
        let on_foot = Filter { area_cost, rules, ..filter.clone() };
        Self {
            mesh,
            level,
            tree: Bvh::build(level),
            filter,
            reach: Reachability::new(mesh, &on_foot),
            on_foot,
            settings,
            scratch: Scratch::default(),
            walls: Vec::new(),
            around: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Looks for links from the edges of ground polygon `index` of the tile in `slot`.
    pub(super) fn leave(&mut self, slot: usize, tile: &Tile, index: usize) {
        let Some(poly) = self.mesh.poly_ref(slot, index) else { return };
        let mut walls = std::mem::take(&mut self.walls);
        if wall_segments_into(self.mesh, poly, self.filter, &mut walls).is_ok() {
            let corners = tile.corners(&tile.polys[index]);
            for wall in &walls {
                self.leave_over(poly, *wall, &corners);
            }
        }
        self.walls = walls;
    }

    fn leave_over(&mut self, poly: PolyRef, [a, b]: [Vec3; 2], corners: &[Vec3]) {
        let along = (b - a).with_y(0.0);
        let Some(square) = Vec3::new(-along.z, 0.0, along.x).try_normalize() else { return };
        // The side with most of the polygon is inside.
        let beyond: f32 = corners.iter().map(|&corner| (corner - a).dot(square)).sum();
        let out = if beyond > 0.0 { -square } else { square };
        let n = n_pieces(along.length(), self.settings.spacing);
        for piece in 0..n {
            let t = (f32::from(piece) + 0.5) / f32::from(n);
            let Ok(on) = closest_point(self.mesh, poly, a + (b - a) * t) else { continue };
            self.leap(MeshPoint { poly, point: on.point }, out);
        }
    }

    /// Finds the nearest jump and the nearest drop from `start`.
    fn leap(&mut self, start: MeshPoint, out: Vec3) {
        let distance = self.settings.max_distance;
        let apart = (self.settings.radius / 2.0).max(distance / f32::from(MAX_PLACES));
        let n = n_pieces(distance, apart).clamp(4, u16::from(MAX_PLACES));
        let mut has = [false; 2];
        for place in 1..=n {
            let at = start.point + out * (distance * f32::from(place) / f32::from(n));
            for end in self.ground_at(start.point, at) {
                let kind = self.kind(start.point, end.point);
                let has = &mut has[usize::from(kind == LinkKind::Drop)];
                if !*has && self.has_room([start, end]) && self.is_worth([start, end]) {
                    self.found.push(LinkProposal { kind, start, end });
                    *has = true;
                }
            }
            if has == [true; 2] {
                return;
            }
        }
    }

    fn kind(&self, start: Vec3, end: Vec3) -> LinkKind {
        if start.y - end.y <= self.settings.max_up { LinkKind::Jump } else { LinkKind::Drop }
    }

    /// Returns the ground above and below `at` whose height is within the limits, from the highest down.
    fn ground_at(&mut self, start: Vec3, at: Vec3) -> Vec<MeshPoint> {
        let LinkSettings { max_drop, max_up, snap, max_distance, .. } = *self.settings;
        let middle = at.with_y(start.y + (max_up - max_drop) / 2.0);
        let half = Vec3::new(snap, f32::midpoint(max_up, max_drop), snap);
        let request = PolygonsInBoxRequest::new(middle, half, self.filter);
        if polygons_in_box_into(self.mesh, &request, &mut self.around).is_err() {
            return Vec::new();
        }
        let heights = start.y - max_drop..=start.y + max_up;
        let mut ends = Vec::new();
        for &poly in &self.around {
            let is_ground = self
                .mesh
                .resolve(poly)
                .is_some_and(|(tile, index)| index < tile.header.off_mesh_base as usize);
            let Ok(on) = closest_point(self.mesh, poly, at) else { continue };
            let is_near = |from: Vec3, reach: f32| {
                (on.point - from).with_y(0.0).length_squared() <= reach * reach
            };
            let is_within = is_near(at, snap) && is_near(start, max_distance);
            let is_level = (on.point.y - start.y).abs() <= self.settings.step;
            let is_here = is_near(start, snap.max(STRAIGHT)) && is_level;
            if is_ground && is_within && !is_here && heights.contains(&on.point.y) {
                ends.push(MeshPoint { poly, point: on.point });
            }
        }
        ends.sort_by(|a, b| b.point.y.total_cmp(&a.point.y));
        ends
    }

    fn has_room(&self, [start, end]: [MeshPoint; 2]) -> bool {
        let LinkSettings { radius, height, step, .. } = *self.settings;
        // Touching is allowed: the navmesh keeps a distance of about the radius from walls.
        let body = Body { radius: radius * TOUCH, bottom: step, top: height.max(step) };
        let feet = arc(start.point, end.point, self.settings);
        is_free(self.level, &self.tree, body, &feet)
    }

    /// Returns whether the walking distance is much longer, or walking is not possible.
    fn is_worth(&mut self, ends: [MeshPoint; 2]) -> bool {
        let [from, to] = ends.map(|end| end.poly);
        if self.reach.can_reach(self.mesh, from, to) == Some(false) {
            return true;
        }
        let limit = self.settings.min_detour * ends[0].point.distance(ends[1].point);
        self.walk(ends).is_none_or(|length| length > limit + STRAIGHT)
    }

    /// Returns the walking distance; `None` if no path was found nearby.
    fn walk(&mut self, [start, end]: [MeshPoint; 2]) -> Option<f32> {
        let request = CorridorRequest::new(start, end, &self.on_foot);
        let request = CorridorRequest { max_nodes: MAX_WALK_NODES, ..request };
        let corridor = find_corridor(self.mesh, &request, &mut self.scratch).ok()?;
        if !corridor.is_complete {
            return None;
        }
        let ends = [start, end].map(|end| end.point);
        let request = StraightPathRequest::new(ends[0], ends[1], &corridor.polys);
        let points = straight_path(self.mesh, &request, &mut self.scratch).ok()?;
        // The heights at crossed edges are those of the edges, not of the ground, so only the heights of the ends
        // count.
        let legs = points.windows(2).map(|leg| leg[1].position - leg[0].position);
        let across: f32 = legs.map(|leg| leg.with_y(0.0).length()).sum();
        Some(across.hypot(ends[1].y - ends[0].y))
    }
}

/// Maximum error of the length of a straight walking path, in meters. Also excludes landings at their own start.
const STRAIGHT: f32 = 0.05;

/// Share of the radius that must be free. The distance of the navmesh from walls varies by the error of simplified
/// edges.
const TOUCH: f32 = 0.9;

/// Returns the number of pieces of about `spacing` in `length`, at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what fits; NaN becomes 0"
)]
fn n_pieces(length: f32, spacing: f32) -> u16 {
    ((length / spacing).round().min(f32::from(MAX_STARTS)) as u16).max(1)
}
