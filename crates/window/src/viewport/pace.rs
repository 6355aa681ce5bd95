//! Limits how much is drawn while the view moves, if everything would be too slow for the graphics device.

use std::time::Duration;

use eframe::egui_wgpu::wgpu;
use walkable::debug_draw::DrawList;
use walkable_editor::{
    pictures::Batch,
    prefs::ViewQuality,
    session::{CoarseLevel, Overview},
};

use super::scene::Scene;

/// The view is at rest if nothing in it has moved for this time, in seconds.
const REST: f64 = 0.15;
/// The [`Coarse::scale`] of a software driver.
const SOFTWARE_SCALE: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coarse {
    pub(super) limit: usize,
    /// Factor by which the resolution is lower than that of the window.
    pub(super) scale: u32,
}

/// Number of triangles that a device can draw thirty times a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    budget: usize,
    is_software: bool,
    is_whole: bool,
    /// Time of the last movement, in seconds of the window's clock.
    moved_at: f64,
}

impl Pace {
    pub(super) fn new(device: wgpu::DeviceType) -> Self {
        let budget = match device {
            wgpu::DeviceType::Cpu => 100_000,
            wgpu::DeviceType::DiscreteGpu => 10_000_000,
            _ => 2_000_000,
        };
        let is_software = device == wgpu::DeviceType::Cpu;
        Self { budget, is_software, is_whole: false, moved_at: f64::NEG_INFINITY }
    }

    /// Returns the time between two frames that show new results of a bake. It is long for a software driver, which
    /// draws on the cores that bake, and takes half a second for a large level.
    pub(super) fn between_results(&self) -> Duration {
        Duration::from_millis(if self.is_software { 2000 } else { 33 })
    }

    /// Returns the time per frame for making pictures of tiles. If frames are slow, fewer frames are better.
    pub(super) fn for_pictures(&self) -> Duration {
        Duration::from_millis(if self.is_software { 100 } else { 12 })
    }

    pub(super) fn set_quality(&mut self, quality: ViewQuality) {
        self.is_whole = quality.moves_whole;
    }

    pub(super) fn moved(&mut self, now: f64) {
        self.moved_at = now;
    }

    /// Returns the level of detail and the time until the view is at rest, in seconds; `None` if everything is drawn.
    pub(super) fn coarse(&self, scene: &Scene<'_>, now: f64) -> Option<(Coarse, f64)> {
        let rests_in = self.moved_at + REST - now;
        if self.is_whole || rests_in <= 0.0 || weight(scene) <= self.budget {
            return None;
        }
        let surroundings = if scene.surroundings.is_some() { Overview::MAX_COARSE } else { 0 };
        let n_of_levels = 2 * CoarseLevel::MAX_TRIANGLES + surroundings;
        let left = self.budget.saturating_sub(n_of_levels);
        // A line is two triangles, so each kind gets a third of the batch's share.
        let share = left / scene.batches.len().max(1) / 3;
        let scale = if self.is_software { SOFTWARE_SCALE } else { 1 };
        Some((Coarse { limit: share.max(8), scale }, rests_in))
    }
}

fn weight(scene: &Scene<'_>) -> usize {
    let levels = scene.level.into_iter().chain(scene.surroundings);
    let levels = levels.filter(|level| level.opacity > 0.0);
    let levels = levels.map(|level| level.mesh.triangles().len() + 2 * level.edges.len());
    levels.sum::<usize>()
        + scene.batches.iter().flat_map(Batch::lists).map(n_triangles).sum::<usize>()
}

fn n_triangles(list: &DrawList) -> usize {
    list.triangles.len() + 2 * (list.lines.len() + list.points.len()) + 6 * list.blocks.len()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use walkable::{debug_draw::Paint, geom::Aabb};
    use walkable_editor::{pictures::PictureId, session::Slice};

    use super::*;
    use crate::{theme::Theme, viewport::Split};

    #[test]
    fn a_large_picture_is_thinned_while_it_moves_and_whole_when_it_rests() {
        let mut list = DrawList::default();
        (0..60_000).for_each(|_| list.line([Vec3::ZERO, Vec3::X], 1.0, Paint::InnerEdge));
        let batch = Batch::undivided(PictureId::Navmesh, 0, Arc::new(list));
        let (foreground, batches) = (DrawList::default(), [batch]);
        let scene = Scene {
            level: None,
            surroundings: None,
            batches: &batches,
            foreground: &foreground,
            handles: &DrawList::default(),
            frame_bounds: Aabb::EMPTY,
            show_grid: false,
            ambient_occlusion: false,
            theme: &Theme::DARK,
            is_changing: false,
            tool: "",
            hints: &[],
            slice: Slice::ALL,
            split: Split::None,
            captions: &[],
            covered_top: 0.0,
        };
        let mut slow = Pace::new(wgpu::DeviceType::Cpu);
        assert!(slow.coarse(&scene, 1.0).is_none(), "it was never moved");
        slow.moved(2.0);
        let (coarse, rests_in) = slow.coarse(&scene, 2.0).unwrap();
        assert!(coarse.limit < 10_000 && rests_in > 0.1, "{coarse:?} for {rests_in} s");
        assert_eq!(coarse.scale, 2, "a software driver draws fewer pixels");
        assert!(slow.coarse(&scene, 2.1).is_some());
        assert!(slow.coarse(&scene, 2.2).is_none());
        slow.set_quality(ViewQuality { moves_whole: true, ..ViewQuality::default() });
        assert!(slow.coarse(&scene, 2.1).is_none(), "the user wants to see everything");
        slow.set_quality(ViewQuality::default());
        let few = Scene { batches: &[], ..scene };
        assert!(slow.coarse(&few, 2.0).is_none());
        let mut fast = Pace::new(wgpu::DeviceType::DiscreteGpu);
        fast.moved(2.0);
        assert!(fast.coarse(&scene, 2.0).is_none());
    }
}
