//! Finds what is at a point in the shown stage: a triangle, a span, a region, a corner of a contour, a polygon.

use glam::Vec3;
use walkable::{
    bake::{Contour, GridFrame, Intermediates},
    debug_draw::{self, DrawList, Paint},
    geom::Aabb,
    ids::{RegionId, TileCoord},
    navmesh::PolyRef,
    query::{Filter, NearestRequest, nearest},
};
use walkable_workspace::stage_view::StageView;

use crate::{
    answer::Answers,
    session::{ColorBy, Hover, SessionView},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pick {
    Triangle(u32),
    Span(Aabb),
    Region(TileCoord, RegionId),
    /// Corner of a contour: the tile, the contour's index and the corner's.
    Corner(TileCoord, usize, usize),
    Polygon(PolyRef),
}

pub fn pick(view: &SessionView<'_>, answers: &Answers, place: Hover) -> Option<Pick> {
    match view.shown.stage {
        StageView::Input | StageView::Slope => place.triangle.map(Pick::Triangle),
        StageView::Spans
        | StageView::Filtered
        | StageView::Compact
        | StageView::Eroded
        | StageView::Distance => span(view, answers, place),
        StageView::Regions | StageView::Layers => {
            region(view, answers, place).or_else(|| span(view, answers, place))
        }
        StageView::ContoursRaw | StageView::Contours => corner(view, place.point),
        StageView::Polygons | StageView::Detail | StageView::Navmesh => {
            polygon(view, place.point).map(Pick::Polygon)
        }
    }
}

pub fn polygon(view: &SessionView<'_>, point: Vec3) -> Option<PolyRef> {
    /// Half-extents of the box around a place in which ground is searched, in meters.
    const REACH: Vec3 = Vec3::new(0.2, 1.0, 0.2);
    let navmesh = view.bake.navmesh.as_deref()?;
    let (half_extents, filter) = (REACH, &Filter::default());
    let request = NearestRequest { center: point, half_extents, filter };
    let found = nearest(navmesh, &request).ok()??;
    let beside = (found.point - point).with_y(0.0).length();
    (beside < 0.05).then_some(found.poly)
}

/// Returns the tile at `point` and its stages, if they are in memory.
fn stages_at<'a>(view: &SessionView<'a>, point: Vec3) -> Option<(TileCoord, &'a Intermediates)> {
    let plan = view.session.bake.plan.as_deref()?;
    let coord = walkable::explain::tile_at(plan, point)?;
    Some((coord, view.session.bake.stages_at(coord)?))
}

fn span(view: &SessionView<'_>, answers: &Answers, place: Hover) -> Option<Pick> {
    let (_, stages) = stages_at(view, place.point)?;
    let answer = answers.ask(view, place)?;
    let span = answer.explanation.column.get(answer.explanation.focus?)?;
    let frame: &GridFrame = &stages.spans.frame;
    let [x, z] = answer.explanation.cell.map(line);
    let [low, high] = [[x, z], [x + 1.0, z + 1.0]]
        .map(|[x, z]| frame.bounds.min + Vec3::new(x, 0.0, z) * frame.cell_size);
    Some(Pick::Span(Aabb { min: low.with_y(span.bottom), max: high.with_y(span.top) }))
}

fn region(view: &SessionView<'_>, answers: &Answers, place: Hover) -> Option<Pick> {
    let answer = answers.ask(view, place)?;
    let span = answer.explanation.column.get(answer.explanation.focus?)?;
    (span.region != RegionId::NONE).then_some(Pick::Region(answer.tile, span.region))
}

/// Returns the corner nearest to `point` of the contours of its tile, within five meters.
fn corner(view: &SessionView<'_>, point: Vec3) -> Option<Pick> {
    const REACH: f32 = 5.0;
    let (coord, stages) = stages_at(view, point)?;
    let corners = stages.contours.contours.iter().enumerate().flat_map(|(outline, contour)| {
        let of_stage = shown(contour, view.shown.stage).iter().enumerate();
        of_stage.map(move |(corner, vertex)| {
            let at = debug_draw::contour_corner(*vertex, &stages.contours.frame);
            (outline, corner, at.distance_squared(point))
        })
    });
    let (outline, corner, squared) = corners.min_by(|a, b| a.2.total_cmp(&b.2))?;
    (squared <= REACH * REACH).then_some(Pick::Corner(coord, outline, corner))
}

/// Returns the corners of `contour` that `stage` shows.
pub fn shown(contour: &Contour, stage: StageView) -> &[walkable::bake::ContourVertex] {
    if stage == StageView::ContoursRaw { &contour.raw } else { &contour.vertices }
}

pub fn picture(view: &SessionView<'_>, pick: Pick) -> DrawList {
    let mut list = DrawList::default();
    match pick {
        Pick::Triangle(number) => {
            let mesh = view.opened.level.as_ref().map(|level| &level.mesh);
            let mesh = mesh.filter(|mesh| (number as usize) < mesh.triangles().len());
            if let Some(mesh) = mesh {
                list.ring(&mesh.corners(number as usize), 2.5, Paint::Accent);
            }
        }
        Pick::Span(bounds) => list.append(debug_draw::edges(&bounds, 2.5, Paint::Accent)),
        Pick::Region(tile, region) => {
            if let Some(stages) = stages_of(view, tile) {
                let of_region = |contour: &&Contour| contour.region == region;
                for contour in stages.contours.contours.iter().filter(of_region) {
                    list.ring(&corners(stages, &contour.raw), 3.0, Paint::Accent);
                }
            }
        }
        Pick::Corner(tile, outline, corner) => {
            let stages = stages_of(view, tile);
            let contour = stages.and_then(|stages| stages.contours.contours.get(outline));
            if let Some((stages, contour)) = stages.zip(contour) {
                let corners = corners(stages, shown(contour, view.shown.stage));
                list.ring(&corners, 2.5, Paint::Accent);
                if let Some(&at) = corners.get(corner) {
                    list.point(at, 12.0, Paint::Accent);
                }
            }
        }
        Pick::Polygon(poly) => list.append(polygon_picture(view, poly)),
    }
    list
}

fn polygon_picture(view: &SessionView<'_>, poly: PolyRef) -> DrawList {
    let mut list = DrawList::default();
    let navmesh = view.bake.navmesh.as_deref();
    let Some((tile, index)) = navmesh.and_then(|navmesh| navmesh.resolve(poly)) else {
        return list;
    };
    if let Some(poly) = tile.polys.get(index) {
        list.ring(&tile.corners(poly), 3.0, Paint::Accent);
    }
    let of_tiles = [ColorBy::Tile, ColorBy::BakeTime, ColorBy::Memory];
    if of_tiles.contains(&view.shown.display.color_by) {
        list.append(debug_draw::edges(&tile.header.bounds, 2.0, Paint::Accent));
    }
    list
}

fn stages_of<'a>(view: &SessionView<'a>, tile: TileCoord) -> Option<&'a Intermediates> {
    view.session.bake.stages_at(tile).map(|stages| &**stages)
}

fn corners(stages: &Intermediates, outline: &[walkable::bake::ContourVertex]) -> Vec<Vec3> {
    let frame = &stages.contours.frame;
    outline.iter().map(|&vertex| debug_draw::contour_corner(vertex, frame)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "grids are narrower than 2^24 cells")]
fn line(number: u32) -> f32 {
    number as f32
}
