use glam::Vec3;

use crate::{
    debug_draw::{DrawList, Paint},
    soak::{HeatMap, HeatMeasure},
};

/// Height of the squares above the ground, in meters.
const ABOVE: f32 = 0.05;
/// Cells whose position on the color scale is lower than this are not drawn.
const LEAST: f32 = 0.1;

/// Draws a heat map as colored squares. The position of a cell on the color scale is the square root of its share of the
/// longest time, so that short times are visible; [`agent_heat_value`] is the inverse.
pub fn agent_heat(map: &HeatMap, measure: HeatMeasure) -> DrawList {
    let mut list = DrawList::default();
    let longest = map.longest(measure).max(1e-3);
    let half = map.cell_size * 0.5;
    for cell in map.cells() {
        let at = (measure.of(cell) / longest).sqrt();
        if at < LEAST {
            continue;
        }
        let corner = |x: f32, z: f32| cell.center + Vec3::new(x * half, ABOVE, z * half);
        let corners = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
        list.fill(&corners, Paint::Scalar(at));
    }
    list
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
}
