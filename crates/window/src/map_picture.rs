//! Pictures of navmeshes from above, with a legend.

use std::sync::Arc;

use walkable::{
    debug_draw::{DrawList, Paint, painted_tile},
    geom::Aabb,
    navmesh::NavMesh,
};
use walkable_editor::{
    pictures::{Batch, PictureId},
    session::Slice,
};

use crate::{
    legend::{LegendEntry, Pixels},
    png::png,
    theme::Theme,
    viewport::{PictureCamera, Scene, Split, render},
};

const SIZE: [u32; 2] = [1920, 1080];
pub(crate) const THEME: Theme = Theme::MAP;

/// Returns the ground of `mesh`, with its outlines but without edges between polygons.
pub(crate) fn plain_ground(mesh: &NavMesh) -> DrawList {
    let mut ground = DrawList::default();
    for tile in mesh.tiles() {
        ground.append(painted_tile(tile, |_, _| Paint::Blocked));
    }
    ground.lines.retain(|line| line.paint == Paint::BoundaryEdge);
    ground
}

/// Draws `foreground` over `ground`, from above, as a PNG file. Fails if there is no graphics driver.
pub(crate) fn map_picture(
    bounds: Aabb,
    ground: DrawList,
    foreground: &DrawList,
    legend: &[LegendEntry],
) -> anyhow::Result<Vec<u8>> {
    let scene = Scene {
        level: None,
        surroundings: None,
        batches: &[Batch::undivided(PictureId::Navmesh, 0, Arc::new(ground))],
        foreground,
        handles: &DrawList::default(),
        frame_bounds: bounds,
        show_grid: false,
        ambient_occlusion: false,
        theme: &THEME,
        is_changing: false,
        tool: "",
        hints: &[],
        slice: Slice::ALL,
        split: Split::None,
        captions: &[],
        covered_top: 0.0,
    };
    let mut bytes = render(&scene, PictureCamera::Above, SIZE)?;
    Pixels { size: SIZE, bytes: &mut bytes }.write_legend(legend, &THEME);
    png(SIZE, bytes)
}
