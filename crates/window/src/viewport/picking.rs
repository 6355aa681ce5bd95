//! Finds what is under the pointer.

use eframe::egui::{Pos2, Rect};
use glam::{Vec2, Vec3, vec2};
use walkable::{debug_draw::DrawList, geom::Ray};
use walkable_editor::{
    pictures::Batch,
    pointer::{PointerKind, ViewFrame},
};

use super::{LevelView, Scene, camera::Projection, input::Signal};

/// Converts a position of the window to a point of `view`, from −1 to 1 with y up.
pub(super) fn place_in(view: Rect, at: Pos2) -> Vec2 {
    let from_corner = (at - view.min) / view.size();
    vec2(from_corner.x * 2.0 - 1.0, 1.0 - from_corner.y * 2.0)
}

/// Converts a point of `view`, from −1 to 1 with y up, to a position of the window.
pub(super) fn point_in(view: Rect, place: Vec2) -> Pos2 {
    view.min + eframe::egui::vec2(0.5 + 0.5 * place.x, 0.5 - 0.5 * place.y) * view.size()
}

/// Returns the rectangle between press and pointer as the part of space that is seen in it, for drags and releases.
pub(super) fn frame(picture: Rect, signal: &Signal, projection: &Projection) -> Option<ViewFrame> {
    match signal.kind {
        PointerKind::Drag | PointerKind::Release => {}
        PointerKind::Hover | PointerKind::Press | PointerKind::Click => return None,
    }
    let [from, to] = [signal.pressed_at, signal.at].map(|at| place_in(picture, at));
    let ray = |x, y| projection.ray(vec2(x, y));
    Some(ViewFrame::new([
        ray(from.x, from.y)?,
        ray(to.x, from.y)?,
        ray(to.x, to.y)?,
        ray(from.x, to.y)?,
    ]))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PickedPoint {
    pub(super) point: Vec3,
    pub(super) triangle: Option<u32>,
}

/// Returns the first hit of `ray` on the level, or without a level on the pictures of stages, and on the overview of what is
/// not loaded.
pub(super) fn find(scene: &Scene<'_>, ray: &Ray) -> Option<PickedPoint> {
    let loaded = match scene.level {
        Some(level) => hit_level(level, scene, ray),
        None => hit_pictures(scene, ray),
    };
    let overview = scene.surroundings.and_then(|level| hit_level(level, scene, ray));
    let overview = overview.map(|found| PickedPoint { triangle: None, ..found });
    let off = |found: &PickedPoint| found.point.distance(ray.origin);
    match (loaded, overview) {
        // The overview of a tile store also covers what is loaded, up to this distance above it.
        (Some(loaded), Some(overview)) if off(&overview) + OVERVIEW_ERROR < off(&loaded) => {
            Some(overview)
        }
        (loaded, overview) => loaded.or(overview),
    }
}

/// Maximum distance of an overview from the surface that it simplifies, in meters.
const OVERVIEW_ERROR: f32 = 2.0;

fn hit_pictures(scene: &Scene<'_>, ray: &Ray) -> Option<PickedPoint> {
    let lists = scene.batches.iter().flat_map(Batch::lists);
    let t = lists.filter_map(|list| hit_list(list, scene, ray)).min_by(f32::total_cmp)?;
    Some(PickedPoint { point: ray.at(t), triangle: None })
}

pub(super) fn hit_level(level: &LevelView, scene: &Scene<'_>, ray: &Ray) -> Option<PickedPoint> {
    /// Maximum number of hidden faces behind each other.
    const MAX_BACKS: usize = 64;
    /// Fraction of the distance by which the search continues behind a face.
    const PAST: f32 = 1e-5;
    let mut ray = *ray;
    for _ in 0..MAX_BACKS {
        let hit = level.bvh.raycast(level.mesh.as_ref(), &ray)?;
        let [a, b, c] = level.mesh.corners(hit.triangle as usize);
        let is_back = (b - a).cross(c - a).dot(ray.direction) > 0.0;
        let is_hidden = (level.hide_backs && is_back) || level.has_hole_at(hit.point);
        if !is_hidden && scene.slice.holds(hit.point.y) {
            return Some(PickedPoint { point: hit.point, triangle: Some(hit.triangle) });
        }
        let reach = hit.t.max(1.0) * PAST;
        ray.origin = hit.point + ray.direction * reach;
    }
    None
}

/// Returns the distance to the nearest triangle of `list`. Tests every triangle, because it is only used without a
/// level, for navmeshes of moderate size.
fn hit_list(list: &DrawList, scene: &Scene<'_>, ray: &Ray) -> Option<f32> {
    let distances = list.triangles.iter().filter_map(|triangle| ray.hit_triangle(triangle.corners));
    distances.filter(|&t| scene.slice.holds(ray.at(t).y)).min_by(f32::total_cmp)
}

/// Returns the point that zooming keeps in place: the visible point under the pointer, or else the ground, or else a
/// point at the target's depth.
pub(super) fn anchor(scene: &Scene<'_>, projection: &Projection, ray: &Ray) -> Vec3 {
    let camera = &projection.camera;
    let ground_y = if scene.frame_bounds.is_empty() { 0.0 } else { scene.frame_bounds.min.y };
    let on_ground = ray
        .hit_horizontal_plane(ground_y)
        // Ground near the horizon is distant; with it as the anchor, the camera would jump.
        .filter(|point| point.distance(camera.eye()) < 4.0 * camera.distance);
    let beside_target = || {
        let forward = camera.axes().forward;
        let depth = (camera.target - ray.origin).dot(forward) / ray.direction.dot(forward);
        ray.at(depth)
    };
    let seen = find(scene, ray).map(|found| found.point);
    seen.or(on_ground).unwrap_or_else(beside_target)
}
