use std::collections::BTreeMap;

use glam::{IVec2, Vec3, Vec3Swizzles as _};

use crate::{
    debug_draw::{DrawList, Paint},
    soak::{HeatMap, HeatMeasure},
};

/// Height of the squares above the ground, in meters.
const ABOVE: f32 = 0.05;
/// Cells whose position on the color scale is lower than this are not drawn.
const LEAST: f32 = 0.1;

/// The corners of a square, in order.
const SQUARE: [IVec2; 4] = [IVec2::ZERO, IVec2::Y, IVec2::ONE, IVec2::X];

/// Draws a heat map as colored squares that follow the ground from cell to cell. The position of a cell on the color
/// scale is the square root of its share of the longest time, so that short times are visible; [`agent_heat_value`] is
/// the inverse.
pub fn agent_heat(map: &HeatMap, measure: HeatMeasure) -> DrawList {
    let mut list = DrawList::default();
    let longest = map.longest(measure).max(1e-3);
    let ground = Ground::of(map);
    for cell in map.cells() {
        let at = (measure.of(cell) / longest).sqrt();
        if at < LEAST {
            continue;
        }
        let corners = SQUARE.map(|by| ground.corner(cell.center, by));
        list.fill(&corners, Paint::Scalar(at));
    }
    list
}

/// Heights of the cells of a heat map.
struct Ground {
    cell_size: f32,
    /// By column.
    heights: BTreeMap<[i32; 2], Vec<f32>>,
}

impl Ground {
    fn of(map: &HeatMap) -> Self {
        let mut ground = Self { cell_size: map.cell_size, heights: BTreeMap::new() };
        for cell in map.cells() {
            let column = ground.column(cell.center).to_array();
            ground.heights.entry(column).or_default().push(cell.center.y);
        }
        ground
    }

    /// Returns the corner `by` columns from the smallest corner of the cell with this center. Its height is the mean of
    /// the cells around it that differ from this one by at most a cell's size, which is a slope of 45°.
    fn corner(&self, center: Vec3, by: IVec2) -> Vec3 {
        let corner = self.column(center) + by;
        let columns = SQUARE.map(|back| (corner - back).to_array());
        let heights = columns.iter().filter_map(|column| self.heights.get(column)).flatten();
        let is_level = |height: &&f32| (**height - center.y).abs() <= self.cell_size;
        let (sum, n) = heights
            .filter(is_level)
            .fold((0.0, 0.0_f32), |(sum, n), height| (sum + height, n + 1.0));
        let at = center.xz() + (by.as_vec2() - 0.5) * self.cell_size;
        Vec3::new(at.x, sum / n.max(1.0) + ABOVE, at.y)
    }

    fn column(&self, center: Vec3) -> IVec2 {
        (center.xz() / self.cell_size).floor().as_ivec2()
    }
}

/// Returns the time at a position on the color scale, from 0 to 1, as a share of the longest time.
pub fn agent_heat_value(at: f32) -> f32 {
    at * at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::AgentActivity;

    #[test]
    fn each_measure_has_its_own_cells_and_scale() {
        let mut map = HeatMap::new(1.0, 2.0);
        let waiting = AgentActivity { is_waiting: true, ..AgentActivity::default() };
        map.add(Vec3::new(0.5, 0.0, 0.5), 4.0, waiting);
        map.add(Vec3::new(1.5, 0.0, 0.5), 1.0, waiting);
        map.add(Vec3::new(2.5, 0.0, 0.5), 0.02, waiting);
        map.add(Vec3::new(3.5, 0.0, 0.5), 9.0, AgentActivity::default());
        let paints = |measure| {
            let triangles = agent_heat(&map, measure).triangles;
            triangles.iter().step_by(2).map(|triangle| triangle.paint).collect::<Vec<_>>()
        };
        assert_eq!(paints(HeatMeasure::Waiting), [Paint::Scalar(1.0), Paint::Scalar(0.5)]);
        assert_eq!(paints(HeatMeasure::Passing), [Paint::Scalar(1.0)]);
        assert!(paints(HeatMeasure::Colliding).is_empty());
        assert!((agent_heat_value(0.5) - 0.25).abs() < 1e-6);
        let bounds = agent_heat(&map, HeatMeasure::Passing).bounds();
        assert!(bounds.min.distance(Vec3::new(3.0, ABOVE, 0.0)) < 1e-6, "{bounds:?}");
        assert!(bounds.max.distance(Vec3::new(4.0, ABOVE, 1.0)) < 1e-6, "{bounds:?}");
    }

    #[test]
    fn squares_follow_a_ramp_and_keep_to_their_floor() {
        let mut map = HeatMap::new(1.0, 2.0);
        for (x, y) in [(0.5, 0.0), (1.5, 0.5), (2.5, 1.0), (1.5, 5.0)] {
            map.add(Vec3::new(x, y, 0.5), 1.0, AgentActivity::default());
        }
        let list = agent_heat(&map, HeatMeasure::Passing);
        let corners = list.triangles.iter().flat_map(|triangle| triangle.corners);
        let mut corners: Vec<_> = corners.map(|at| [at.x, at.y - ABOVE]).collect();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        corners.dedup();
        let expected = [[0.0, 0.0], [1.0, 0.25], [1.0, 5.0], [2.0, 0.75], [2.0, 5.0], [3.0, 1.0]];
        let differ = |(a, b): (&[f32; 2], &[f32; 2])| (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
        assert_eq!(corners.len(), expected.len(), "{corners:?}");
        assert!(corners.iter().zip(&expected).map(differ).all(|by| by < 1e-5), "{corners:?}");
    }
}
