//! What is to be seen: the level, pictures of stages, the overlay of the active tool.

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
    level_colors::LevelColors,
    pictures::Batch,
    session::{CoarseLevel, Slice},
};

use crate::theme::Theme;

/// Everything that one frame shows.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The level, where one is open and shown.
    pub level: Option<&'a LevelView>,
    /// Pictures that stay for many frames, drawn in this order.
    pub batches: &'a [Batch],
    /// Small picture that may differ each frame: path, markers, previews.
    pub foreground: &'a DrawList,
    /// What [`Viewport::frame`](super::Viewport::frame) shows and where the grid lies.
    pub frame_bounds: Aabb,
    /// Whether the ground grid is drawn.
    pub show_grid: bool,
    /// Colors.
    pub theme: &'a Theme,
    /// Whether pictures are still landing: the next frame will differ without anyone doing anything.
    pub is_changing: bool,
    /// What the active tool can do, bottom left: keys or buttons, and what they do.
    pub hints: &'a [(&'a str, &'a str)],
    /// Heights between which level and batches are seen.
    pub slice: Slice,
    /// How it is divided in two halves, if it is.
    pub split: Split,
    /// What is named, the most important first.
    pub captions: &'a [Caption],
    /// Height of the strip at the upper edge of the view that other overlays cover, in points.
    pub covered_top: f32,
}

/// A level ready to be drawn and picked. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LevelView {
    /// The triangles.
    pub mesh: Arc<TriMesh>,
    /// Tree over the triangles, for picking.
    pub bvh: Arc<Bvh>,
    /// Edges with a bend of more than 30°, and open ones.
    pub edges: Arc<Vec<[Vec3; 2]>>,
    /// What is drawn instead while the view moves and the whole would be too slow; `None` where the
    /// level is small.
    pub coarse: Option<Arc<CoarseLevel>>,
    /// What the colors of the triangles stand for.
    pub colors: LevelColors,
    /// Tints what is steeper than this, in degrees.
    pub slope_limit_deg: Option<f32>,
    /// From 0, unseen, to 1, opaque.
    pub opacity: f32,
    /// Leaves out faces seen from behind, so that one looks into rooms and tunnels from outside.
    pub hide_backs: bool,
}

/// How a view is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Split {
    /// Not at all.
    #[default]
    None,
    /// One picture, cut by a divider at this part of the width: each half shows what the other does not.
    Divider(f32),
    /// Two whole pictures side by side, from the same camera.
    Twins,
}

impl Split {
    /// The pictures in a view that covers `rect`: two side by side, or one. What a picture shows lies where the
    /// other shows it too.
    pub fn pictures(self, rect: Rect) -> [Rect; 2] {
        match self {
            Self::Twins => {
                let (left, right) = rect.split_left_right_at_fraction(0.5);
                [left, right]
            }
            Self::None | Self::Divider(_) => [rect; 2],
        }
    }

    /// The picture that `at` lies in.
    pub(super) fn picture_at(self, rect: Rect, at: Pos2) -> Rect {
        let [left, right] = self.pictures(rect);
        if right.contains(at) { right } else { left }
    }
}

impl LevelView {
    /// The same level with fewer triangles, where it has such a form.
    pub(super) fn coarse(&self) -> Self {
        let Some(coarse) = &self.coarse else { return self.clone() };
        let (mesh, edges) = (Arc::clone(&coarse.mesh), Arc::clone(&coarse.edges));
        Self { mesh, edges, ..self.clone() }
    }
}
