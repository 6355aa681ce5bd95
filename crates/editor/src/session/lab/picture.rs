//! Draws searches: expanded nodes, open nodes and their parents.

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Line, Paint},
    geom::Aabb,
};

use super::{NodeState, Recording, ReplayState, Shape};

/// Maximum number of cubes or lines drawn; more would hide one another.
const MOST: usize = 3000;
/// Up to this many separate nodes are drawn as discs.
const FEW: usize = 250;
/// Height above the ground at which cells are drawn, in meters.
const ABOVE: f32 = 0.06;

/// Whether a search is drawn alone or over another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Ground,
    /// As narrow bands over another search.
    Over,
}

/// Draws a search after `shown` expansions in the colors of the search with this number, 0 or 1.
pub(super) fn search(
    list: &mut DrawList,
    recording: &Recording,
    shown: usize,
    (number, layer): (u8, Layer),
) {
    let replay = recording.state_after(shown);
    for (state, paint) in
        [(NodeState::Closed, Paint::Closed(number)), (NodeState::Open, Paint::Frontier(number))]
    {
        let with_state = replay.states.iter().zip(&recording.nodes);
        let nodes = with_state.filter(|(own, _)| **own == state).map(|(_, shape)| shape);
        shapes(list, nodes, paint, layer);
    }
    tree(list, recording, &replay, Paint::Frontier(number));
    // At the end the path itself is drawn.
    if shown < recording.n_expansions() {
        path_to_current(list, recording, &replay);
    }
}

/// Draws the path of a search; recent parts are thicker.
pub(super) fn path(list: &mut DrawList, points: &[Vec3], width: f32, paint: Paint) {
    for leg in points.windows(2) {
        list.line([leg[0], leg[1]], width, paint);
    }
}

fn shapes<'a>(
    list: &mut DrawList,
    shapes: impl Iterator<Item = &'a Shape>,
    paint: Paint,
    own: Layer,
) {
    let mut cells = Vec::new();
    let mut n_cubes = 0;
    for shape in shapes {
        match shape {
            Shape::Cell(bounds) => cells.push(*bounds),
            Shape::Voxel(at) => list.point(*at, 5.0, paint),
            Shape::Cube(bounds, layer) if matches!(paint, Paint::Closed(_)) => {
                n_cubes += 1;
                if n_cubes <= MOST {
                    let paint = if own == Layer::Ground { Paint::Hue(*layer) } else { paint };
                    edges(list, bounds, paint);
                }
            }
            Shape::Cube(bounds, _) => list.point(bounds.center(), 4.0, paint),
            Shape::Square(Aabb { min, max }, level) => {
                let corners = [(min.x, min.z), (min.x, max.z), (max.x, max.z), (max.x, min.z)];
                let corners = corners.map(|(x, z)| Vec3::new(x, max.y + ABOVE, z));
                let paint = if own == Layer::Ground { Paint::Hue(*level) } else { paint };
                list.ring(&corners, 3.0, paint);
            }
            Shape::Polygon(at, triangles) => {
                for corners in triangles {
                    list.fill(corners, paint);
                }
                list.point(*at, 6.0, paint);
            }
        }
    }
    for strip in strips(cells) {
        let (inset, above) = match own {
            Layer::Ground => (0.0, ABOVE),
            Layer::Over => (0.3 * (strip.max.z - strip.min.z), 2.0 * ABOVE),
        };
        let y = strip.max.y + above;
        let (low, high) = (strip.min.z + inset, strip.max.z - inset);
        let corner = |x, z| Vec3::new(x, y, z);
        let [a, b] = [strip.min.x, strip.max.x];
        list.fill(&[corner(a, low), corner(a, high), corner(b, high), corner(b, low)], paint);
    }
}

fn edges(list: &mut DrawList, cube: &Aabb, paint: Paint) {
    let frame = debug_draw::frame(cube, paint);
    list.lines.extend(frame.lines.into_iter().map(|line| Line { dashed: false, ..line }));
}

/// Merges adjacent cells of a row at the same height.
fn strips(mut cells: Vec<Aabb>) -> Vec<Aabb> {
    let key = |cell: &Aabb| [cell.max.y, cell.min.z, cell.min.x];
    cells.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2]))
    });
    let mut strips: Vec<Aabb> = Vec::new();
    for cell in cells {
        let slack = (cell.max.x - cell.min.x) * 0.01;
        let touches = |last: &Aabb| {
            (last.max.y - cell.max.y).abs() <= slack
                && (last.min.z - cell.min.z).abs() <= slack
                && (last.max.x - cell.min.x).abs() <= slack
        };
        match strips.last_mut() {
            Some(last) if touches(last) => last.max.x = cell.max.x,
            _ => strips.push(cell),
        }
    }
    strips
}

/// Draws lines from jump points to their parents, and rows whose scan found nothing.
fn tree(list: &mut DrawList, recording: &Recording, replay: &ReplayState, paint: Paint) {
    let at = |node: u32| recording.nodes.get(node as usize).map(raised);
    for &[from, to] in replay.scans.iter().rev().take(MOST) {
        if let (Some(from), Some(to)) = (at(from), at(to)) {
            for leg in scan(from, to).windows(2) {
                list.line([leg[0], leg[1]], 1.0, Paint::Bounds);
            }
        }
    }
    let jumps = replay.parents.iter().enumerate().filter_map(|(node, &parent)| {
        let (own, parent) = (recording.nodes.get(node)?, recording.nodes.get(parent? as usize)?);
        let (Shape::Cell(a), Shape::Cell(b)) = (own, parent) else { return None };
        let side = (a.max.x - a.min.x) * 1.5;
        let apart = (a.center() - b.center()).abs();
        (apart.x.max(apart.z) > side).then(|| [raised(parent), raised(own)])
    });
    let jumps: Vec<[Vec3; 2]> = jumps.take(MOST).collect();
    // Any-angle searches have many nodes, whose discs would hide everything else.
    let are_few = jumps.len() <= FEW;
    for [from, to] in jumps {
        let legs = if are_few { scan(from, to) } else { vec![from, to] };
        for leg in legs.windows(2) {
            list.line([leg[0], leg[1]], if are_few { 1.5 } else { 0.75 }, paint);
        }
        if are_few {
            list.point(to, 6.0, paint);
        }
    }
}

/// Returns the line from one place along a diagonal, then along a row or column.
fn scan(from: Vec3, to: Vec3) -> Vec<Vec3> {
    let away = to - from;
    let diagonal = away.x.abs().min(away.z.abs());
    let is_bent = diagonal > 1e-3 && (away.x.abs() - away.z.abs()).abs() > 1e-3;
    let step = Vec3::new(away.x.signum() * diagonal, 0.0, away.z.signum() * diagonal);
    if is_bent { vec![from, from + step, to] } else { vec![from, to] }
}

/// Draws the path to the node expanded last.
fn path_to_current(list: &mut DrawList, recording: &Recording, replay: &ReplayState) {
    let Some(current) = replay.current else { return };
    let mut node = current;
    // Parents come from earlier steps; the bound guards against cycles in malformed recordings.
    for _ in 0..recording.nodes.len() {
        let Some(parent) = replay.parents.get(node as usize).copied().flatten() else { break };
        let ends = [parent, node].map(|node| raised(&recording.nodes[node as usize]));
        list.line(ends, 3.0, Paint::Path);
        node = parent;
    }
    list.point(raised(&recording.nodes[current as usize]), 12.0, Paint::Path);
}

/// Returns the point where lines to a node end, above its shape.
fn raised(shape: &Shape) -> Vec3 {
    match shape {
        Shape::Cell(_) => shape.at() + Vec3::Y * (3.0 * ABOVE),
        Shape::Voxel(_) | Shape::Cube(..) | Shape::Square(..) | Shape::Polygon(..) => shape.at(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(x: f32, y: f32, z: f32) -> Aabb {
        Aabb::new(Vec3::new(x, y, z), Vec3::new(x + 1.0, y, z + 1.0))
    }

    #[test]
    fn cells_in_a_row_are_one_strip() {
        let cells = vec![
            cell(2.0, 0.0, 0.0),
            cell(0.0, 0.0, 0.0),
            cell(1.0, 0.0, 0.0),
            cell(4.0, 0.0, 0.0),
        ];
        assert_eq!(strips(cells).len(), 2);
        assert_eq!(strips(vec![cell(0.0, 0.0, 0.0), cell(1.0, 0.5, 0.0)]).len(), 2, "a step");
        assert_eq!(strips(vec![cell(0.0, 0.0, 0.0), cell(0.0, 0.0, 1.0)]).len(), 2);
    }

    #[test]
    fn squares_of_tiles_are_outlined_in_the_color_of_their_level() {
        for (own, paint) in [(Layer::Ground, Paint::Hue(2)), (Layer::Over, Paint::Closed(1))] {
            let mut list = DrawList::default();
            let square = Shape::Square(cell(0.0, 5.0, 0.0), 2);
            shapes(&mut list, [&square].into_iter(), Paint::Closed(1), own);
            assert_eq!(list.lines.len(), 4);
            assert!(list.lines.iter().all(|line| line.paint == paint && line.a.y > 5.0));
        }
    }

    #[test]
    fn scans_go_along_the_diagonal_first() {
        let bent = scan(Vec3::ZERO, Vec3::new(5.0, 0.0, -2.0));
        assert_eq!(bent, [Vec3::ZERO, Vec3::new(2.0, 0.0, -2.0), Vec3::new(5.0, 0.0, -2.0)]);
        assert_eq!(scan(Vec3::ZERO, Vec3::X).len(), 2);
    }
}
