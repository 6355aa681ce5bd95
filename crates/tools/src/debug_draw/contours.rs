use glam::Vec3;
use walkable_bake::bake::{ContourSet, ContourVertex, GridFrame};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{DrawList, Paint, regions::region_paint};

/// Draws the raw contours of regions, along every cell border, in the hue of their region as in
/// [`regions`](super::regions()), with a small disc on each corner. Edges on the border of the tile are dashed.
pub fn raw_contours(set: &ContourSet, tile: TileCoord) -> DrawList {
    let mut list = DrawList::default();
    for contour in &set.contours {
        let paint = region_paint(contour.region, tile);
        draw_outline(&contour.raw, &set.frame, |_| (2.0, paint), &mut list);
        for &vertex in &contour.raw {
            list.point(contour_corner(vertex, &set.frame), 2.5, paint);
        }
    }
    list
}

/// Draws the simplified contours, in the hue of their region as in [`regions`](super::regions()), with a disc on each
/// corner, over thin raw contours. Edges along a wall or drop are wider than edges between regions.
pub fn contours(set: &ContourSet, tile: TileCoord) -> DrawList {
    let mut list = DrawList::default();
    for contour in &set.contours {
        draw_outline(&contour.raw, &set.frame, |_| (1.0, Paint::RawContour), &mut list);
    }
    for contour in &set.contours {
        let paint = region_paint(contour.region, tile);
        let of_edge = |vertex: ContourVertex| {
            (if vertex.region() == RegionId::NONE { 2.5 } else { 1.5 }, paint)
        };
        draw_outline(&contour.vertices, &set.frame, of_edge, &mut list);
        for &vertex in &contour.vertices {
            list.point(contour_corner(vertex, &set.frame), 6.0, paint);
        }
    }
    list
}

fn draw_outline(
    outline: &[ContourVertex],
    frame: &GridFrame,
    of_edge: impl Fn(ContourVertex) -> (f32, Paint),
    list: &mut DrawList,
) {
    let next = outline.iter().cycle().skip(1);
    for (&from, &to) in outline.iter().zip(next) {
        let (width, paint) = of_edge(from);
        let ends = [from, to].map(|vertex| contour_corner(vertex, frame));
        if from.region().is_border() {
            list.dashed_line(ends, width, paint);
        } else {
            list.line(ends, width, paint);
        }
    }
}

/// Returns the world position of a contour vertex on the grid `frame`. Vertices are counted without the border.
#[expect(clippy::cast_precision_loss, reason = "grids are narrower than 2^24 cells")]
pub fn contour_corner(vertex: ContourVertex, frame: &GridFrame) -> Vec3 {
    let border = frame.border_vx as f32;
    frame.world_from_grid(vertex.x as f32 + border, vertex.y as f32, vertex.z as f32 + border)
}
