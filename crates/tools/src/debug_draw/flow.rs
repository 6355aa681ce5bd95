use glam::Vec3;
use walkable_runtime::{
    navmesh::{NavMesh, PolyKind, PolyRef, Tile},
    query::{FlowAgent, FlowField, MeshPoint, Scratch, closest_point},
};

use crate::debug_draw::{
    DrawList, Paint, clusters::mean, link::arrow_head, navmesh::detail_triangles,
};

/// Number of pieces into which the surfaces are cut at most, approximately. Each piece has one color.
const N_PIECES: f32 = 20_000.0;
/// Pieces with shorter sides than this are not cut, in meters.
const FINEST: f32 = 0.5;
/// Maximum number of arrows; the largest polygons have one.
const MAX_ARROWS: usize = 4000;
/// Height of the arrows above the ground, in meters.
const ABOVE: f32 = 0.1;

/// The costs of a flow field over the polygons of a navmesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlowExtent {
    /// The highest cost at a corner of a polygon from which a path leads to the goal.
    pub highest_cost: f32,
    /// Number of polygons from which a path leads to the goal.
    pub n_leading: usize,
    /// Number of polygons from which no path leads to the goal.
    pub n_cut_off: usize,
}

impl FlowExtent {
    /// Measures a flow field.
    pub fn of(mesh: &NavMesh, field: &FlowField) -> Self {
        let mut extent = Self::default();
        for (tile, index, poly) in ground(mesh) {
            let corners = tile.corners(&tile.polys[index]);
            let costs =
                corners.iter().filter_map(|&point| field.cost(mesh, MeshPoint { poly, point }));
            let highest = costs.reduce(f32::max);
            extent.highest_cost = extent.highest_cost.max(highest.unwrap_or(0.0));
            extent.n_leading += usize::from(highest.is_some());
            extent.n_cut_off += usize::from(highest.is_none());
        }
        extent
    }

    /// Returns the position of a cost on the color scale, from 0 at the goal to 1 at the highest cost.
    pub fn share(&self, cost: f32) -> f32 {
        cost / self.highest_cost.max(1e-6)
    }
}

/// Draws a flow field: surfaces colored by the cost of the path from there to the goal, as [`Paint::Scalar`], and in
/// each polygon an arrow in the direction of the path. Surfaces from which there is no path are drawn as blocked. Of
/// navmeshes with many polygons, only the largest ones have an arrow.
pub fn flow_field(mesh: &NavMesh, field: &FlowField) -> DrawList {
    let extent = FlowExtent::of(mesh, field);
    let mut list = DrawList::default();
    let mut polys: Vec<(f32, &Tile, usize, PolyRef)> = Vec::new();
    for (tile, index, poly) in ground(mesh) {
        let area = detail_triangles(tile, index).iter().map(|(corners, _)| area(corners)).sum();
        polys.push((area, tile, index, poly));
    }
    let whole: f32 = polys.iter().map(|(area, ..)| area).sum();
    let longest = (whole / N_PIECES).sqrt().max(FINEST) * 2.0;
    for &(_, tile, index, poly) in &polys {
        for (corners, _) in detail_triangles(tile, index) {
            cut(corners, longest, &mut |piece| {
                let cost = field.cost(mesh, MeshPoint { poly, point: mean(&piece) });
                let paint = cost.map_or(Paint::Blocked, |cost| Paint::Scalar(extent.share(cost)));
                list.fill(&piece, paint);
            });
        }
    }
    polys.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut scratch = Scratch::default();
    for &(area, tile, index, poly) in polys.iter().take(MAX_ARROWS) {
        let middle = mean(&tile.corners(&tile.polys[index]));
        arrow(&mut list, (mesh, field), (MeshPoint { poly, point: middle }, area), &mut scratch);
    }
    list
}

/// Draws the direction of the path at the middle of a polygon, within the polygon.
fn arrow(
    list: &mut DrawList,
    (mesh, field): (&NavMesh, &FlowField),
    (at, area): (MeshPoint, f32),
    scratch: &mut Scratch,
) {
    let ground = |point| closest_point(mesh, at.poly, point).map(|closest| closest.point).ok();
    let Some(point) = ground(at.point) else { return };
    let sample = field.sample(mesh, MeshPoint { point, ..at }, &mut FlowAgent::default(), scratch);
    let Some(sample) = sample.filter(|sample| sample.direction != Vec3::ZERO) else { return };
    let half = sample.direction * (0.3 * area.sqrt()).clamp(0.15, 1.0);
    let (Some(tail), Some(tip)) = (ground(point - half), ground(point + half)) else { return };
    let [tail, tip] = [tail, tip].map(|end| end + Vec3::Y * ABOVE);
    list.line([tail, tip], 2.5, Paint::Path);
    arrow_head(list, tail, tip, Paint::Path);
}

/// Returns the ground polygons of a navmesh.
fn ground(mesh: &NavMesh) -> impl Iterator<Item = (&Tile, usize, PolyRef)> {
    mesh.slots().flat_map(move |(slot, tile)| {
        let polys = tile.polys.iter().enumerate();
        let ground = polys.filter(|(_, poly)| poly.kind == PolyKind::Ground);
        ground.filter_map(move |(index, _)| Some((&**tile, index, mesh.poly_ref(slot, index)?)))
    })
}

fn area([a, b, c]: &[Vec3; 3]) -> f32 {
    0.5 * (b - a).cross(c - a).length()
}

/// Cuts a triangle in halves until no side is longer than `longest`.
fn cut(corners: [Vec3; 3], longest: f32, each: &mut impl FnMut([Vec3; 3])) {
    let [a, b, c] = corners;
    let sides = [[a, b, c], [b, c, a], [c, a, b]];
    let length = |side: &[Vec3; 3]| side[0].distance(side[1]);
    let side = sides.into_iter().max_by(|one, other| length(one).total_cmp(&length(other)));
    match side.filter(|side| length(side) > longest) {
        Some([from, to, opposite]) => {
            let middle = from.midpoint(to);
            cut([from, middle, opposite], longest, each);
            cut([middle, to, opposite], longest, each);
        }
        None => each(corners),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable_bake::bake::{BakeInput, BakeSettings, bake};
    use walkable_runtime::{
        monitor::Unmonitored,
        query::{Filter, FlowFieldRequest, NearestRequest, flow_field, nearest},
    };

    use super::*;
    use crate::level::{LevelKind, generate};

    #[test]
    fn arrows_lead_down_the_costs_and_pieces_cover_the_ground() {
        let level = generate(LevelKind::Sample, 1, 30.0).unwrap();
        let input = BakeInput::new(Arc::new(level.mesh), BakeSettings::default());
        let mesh = bake(input, &Unmonitored).unwrap();
        let filter = Filter::default();
        let on = |point| nearest(&mesh, &NearestRequest::new(point, &filter)).unwrap().unwrap();
        let goal = on(level.end);
        let field = flow_field(&mesh, &FlowFieldRequest::new(goal, &filter)).unwrap();
        let extent = FlowExtent::of(&mesh, &field);
        assert_eq!(extent.n_leading + extent.n_cut_off, ground(&mesh).count());
        assert!(extent.highest_cost > 15.0, "{extent:?}");
        let list = super::flow_field(&mesh, &field);
        let sum = |list: &DrawList| list.triangles.iter().map(|it| area(&it.corners)).sum::<f32>();
        let whole = sum(&crate::debug_draw::navmesh(&mesh));
        assert!((sum(&list) - whole).abs() < 0.001 * whole, "{} of {whole}", sum(&list));
        assert!(list.triangles.iter().all(|it| match it.paint {
            Paint::Scalar(share) => (0.0..=1.01).contains(&share),
            paint => paint == Paint::Blocked,
        }));
        // Each arrow has three lines, of which the first is the shaft.
        let shafts = list.lines.chunks(3).map(|lines| lines[0]);
        assert!(shafts.len() + 1 >= extent.n_leading, "{} arrows", shafts.len());
        let mut n_down = 0;
        for shaft in shafts.clone() {
            let [tail, tip] = [shaft.a, shaft.b].map(|end| field.cost(&mesh, on(end)).unwrap());
            n_down += usize::from(tip < tail);
        }
        assert!(20 * n_down >= 19 * shafts.len(), "{n_down} of {}", shafts.len());
    }
}
