//! The heat map of a soak run, from above.

use glam::Vec3;
use walkable::{
    debug_draw::{DrawList, Paint, agent_heat, agent_heat_value},
    geom::Aabb,
    navmesh::NavMesh,
    soak::{HeatMeasure, SoakReport},
};
use walkable_workspace::format;

use crate::{
    legend::LegendEntry,
    map_picture::{THEME, map_picture, plain_ground},
};

/// Diameter of the marker of a finding, in points.
const MARKER: f32 = 12.0;
/// Distance of the scale bar from the navmesh, and length of the ticks at its ends, as shares of the size of the navmesh.
const GAP: f32 = 0.03;
const TICK: f32 = 0.008;

#[derive(Clone, Copy, Debug)]
pub struct SoakPicture<'a> {
    pub name: &'a str,
    pub mesh: &'a NavMesh,
    pub report: &'a SoakReport,
    pub measure: HeatMeasure,
}

impl SoakPicture<'_> {
    /// Returns a PNG file with the ground, the heat map, and the places where agents got stuck. Fails if there is no
    /// graphics driver.
    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        let mut foreground = agent_heat(&self.report.heat, self.measure);
        for finding in &self.report.findings {
            foreground.point(finding.point + Vec3::Y, MARKER, Paint::Problem);
        }
        let ground = self.mesh.bounds();
        let bar = ScaleBar::below(ground);
        foreground.append(bar.picture());
        let bounds = Aabb::around([ground.min, ground.max].into_iter().chain(bar.ends));
        map_picture(bounds, plain_ground(self.mesh), &foreground, &self.legend(&bar))
    }

    fn legend(&self, bar: &ScaleBar) -> Vec<LegendEntry> {
        let SoakReport { findings, n_agents, seconds, heat, .. } = self.report;
        let entry = |color, text| LegendEntry { color, text };
        let minutes = format::number((seconds / 60.0).into());
        let agents = format::counted(*n_agents, "agent", "agents");
        let what = match self.measure {
            HeatMeasure::Passing => "Time of moving agents",
            HeatMeasure::Waiting => "Time of standing agents",
            HeatMeasure::Slowed => "Time of agents below half of their speed",
            HeatMeasure::Colliding => "Time of overlapping agents",
        };
        let cell = format::length(heat.cell_size);
        let longest = heat.longest(self.measure);
        let mut entries = vec![
            entry(None, format!("{}: {agents}, {minutes} min", self.name)),
            entry(None, format!("{what}, per cell of {cell}")),
        ];
        if longest > 0.0 {
            entries.extend([1.0, 0.75, 0.5, 0.25].map(|at| {
                let seconds = format::number((longest * agent_heat_value(at)).into());
                entry(Some(THEME.paint(Paint::Scalar(at))), format!("{seconds} s"))
            }));
        } else {
            entries.push(entry(None, "none".to_owned()));
        }
        if !findings.is_empty() {
            let places = format::counted(findings.len(), "place", "places");
            let text = format!("Agents got stuck: {places}");
            entries.push(entry(Some(THEME.paint(Paint::Problem)), text));
        }
        let text = format!("Scale bar: {}", format::length(bar.length));
        entries.push(entry(Some(THEME.paint(Paint::Bounds)), text));
        entries
    }
}

/// A line of a round length next to the navmesh.
#[derive(Clone, Copy, Debug)]
struct ScaleBar {
    ends: [Vec3; 2],
    /// Length, in meters.
    length: f32,
    tick: f32,
}

impl ScaleBar {
    /// Places the bar at the lower left corner of a picture of `bounds` from above.
    fn below(bounds: Aabb) -> Self {
        let size = (bounds.max - bounds.min).with_y(0.0);
        let largest = size.max_element().max(0.1);
        let length = round_length(size.x.max(largest * 0.1) * 0.25);
        let start = Vec3::new(bounds.min.x, bounds.max.y, bounds.max.z + largest * GAP);
        Self { ends: [start, start + Vec3::X * length], length, tick: largest * TICK }
    }

    fn picture(&self) -> DrawList {
        let mut list = DrawList::default();
        list.line(self.ends, 3.0, Paint::Bounds);
        for end in self.ends {
            let tick = Vec3::Z * self.tick;
            list.line([end - tick, end + tick], 3.0, Paint::Bounds);
        }
        list
    }
}

/// Returns the largest of 1, 2 and 5 times a power of ten that is at most `length`.
fn round_length(length: f32) -> f32 {
    let power = 10.0_f32.powf(length.max(1e-3).log10().floor());
    let fits = [5.0, 2.0].into_iter().find(|factor| factor * power <= length);
    fits.unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_have_round_lengths() {
        for (length, expected) in [(60.0, 50.0), (49.0, 20.0), (19.0, 10.0), (0.3, 0.2)] {
            assert!((round_length(length) - expected).abs() < 1e-4, "{length}");
        }
        let bar = ScaleBar::below(Aabb::new(Vec3::ZERO, Vec3::new(100.0, 2.0, 50.0)));
        assert!((bar.length - 20.0).abs() < 1e-4);
        assert!(bar.ends[0].z > 50.0);
    }
}
