//! The content of a frame: the level, pictures of stages, the overlay of the active tool.

use std::sync::Arc;

use eframe::egui::{Pos2, Rect};
use glam::Vec3;
use walkable::{
    debug_draw::DrawList,
    geom::{Aabb, Bvh},
    mesh::TriMesh,
};
use walkable_editor::{
    labels::Caption,
    level_appearance::LevelAppearance,
    level_colors::LevelColors,
    pictures::Batch,
    session::{CoarseLevel, Slice},
};

use crate::theme::Theme;

#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub level: Option<&'a LevelView>,
    pub surroundings: Option<&'a LevelView>,
    /// Pictures that are kept for many frames, drawn in this order.
    pub batches: &'a [Batch],
    /// A small picture that can change each frame: path, markers, previews.
    pub foreground: &'a DrawList,
    pub handles: &'a DrawList,
    /// Bounds that [`Viewport::frame`](super::Viewport::frame) shows; the grid lies at their bottom.
    pub frame_bounds: Aabb,
    pub show_grid: bool,
    pub ambient_occlusion: bool,
    pub theme: &'a Theme,
    /// Whether pictures are still being made, so that the next frame will differ.
    pub is_changing: bool,
    pub tool: &'a str,
    /// Hints of the active tool, at the bottom left: keys or buttons, and what they do.
    pub hints: &'a [(&'a str, &'a str)],
    /// Heights between which level and batches are visible.
    pub slice: Slice,
    pub split: Split,
    /// Captions, the most important first.
    pub captions: &'a [Caption],
    /// Height of the strip at the upper edge of the view that other overlays cover, in points.
    pub covered_top: f32,
}

/// A level prepared for drawing and picking. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LevelView {
    pub mesh: Arc<TriMesh>,
    pub bvh: Arc<Bvh>,
    /// Edges with an angle of more than 30°, and open edges.
    pub edges: Arc<Vec<[Vec3; 2]>>,
    pub appearance: Option<Arc<LevelAppearance>>,
    /// A coarser level that is drawn while the view moves, if the whole level would be too slow; `None` if it is small.
    pub coarse: Option<Arc<CoarseLevel>>,
    pub colors: LevelColors,
    /// Triangles that are steeper than this are tinted, in degrees.
    pub slope_limit_deg: Option<f32>,
    /// From 0, invisible, to 1, opaque.
    pub opacity: f32,
    /// Hides back faces, so that rooms and tunnels are visible from outside.
    pub hide_backs: bool,
    /// A box in which nothing is drawn, seen from above.
    pub hole: Option<Aabb>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Split {
    #[default]
    None,
    /// One picture with a divider at this fraction of the width; the two halves show different content.
    Divider(f32),
    /// Two pictures side by side, from the same camera.
    Twins,
}

impl Split {
    /// Returns the rectangles of the pictures in a view that covers `rect`: two side by side, or one. Both have the
    /// same size, so the same point is at the same position in each.
    pub fn pictures(self, rect: Rect) -> [Rect; 2] {
        match self {
            Self::Twins => {
                let (left, right) = rect.split_left_right_at_fraction(0.5);
                [left, right]
            }
            Self::None | Self::Divider(_) => [rect; 2],
        }
    }

    pub(super) fn picture_at(self, rect: Rect, at: Pos2) -> Rect {
        let [left, right] = self.pictures(rect);
        if right.contains(at) { right } else { left }
    }
}

impl LevelView {
    pub(super) fn coarse(&self) -> Self {
        let Some(coarse) = &self.coarse else { return self.clone() };
        let CoarseLevel { mesh, edges, appearance } = &**coarse;
        let (mesh, edges) = (Arc::clone(mesh), Arc::clone(edges));
        Self { mesh, edges, appearance: appearance.clone(), ..self.clone() }
    }

    /// Returns whether nothing is drawn over or under a point.
    pub(super) fn has_hole_at(&self, at: Vec3) -> bool {
        self.hole.is_some_and(|Aabb { min, max }| {
            min.x < at.x && at.x < max.x && min.z < at.z && at.z < max.z
        })
    }

    pub(super) fn drawn_appearance(&self) -> Option<&LevelAppearance> {
        match self.colors {
            LevelColors::Texture => self.appearance.as_deref(),
            LevelColors::Material | LevelColors::Name | LevelColors::Slope | LevelColors::Clay => {
                None
            }
        }
    }
}
