//! The results of the measure tool: distance, height, slope, and wall clearance at both ends.

use eframe::egui::{self, RichText};
use glam::Vec3;
use walkable::query::{
    Filter, NearestRequest, Scratch, WallDistanceRequest, nearest, wall_distance,
};
use walkable_editor::session::SessionView;
use walkable_workspace::{format, lang::tr};

use crate::widgets::legend::{empty, fact, heading};

/// Maximum distance of a wall, in meters.
const FAR: f32 = 20.0;
/// Maximum number of nodes of the search for a wall.
const MAX_NODES: usize = 4096;

pub(in crate::panels) fn measure_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    ui.label(RichText::new(tr!("Measure")).strong());
    let Some([start, end]) = view.tools.measured else {
        return empty(ui, tr!("Click two places on the level to measure between them."));
    };
    let Measured { distance, run, rise, slope_deg } = measured(start, end);
    fact(ui, tr!("Distance"), &format::length(distance));
    fact(ui, tr!("Horizontal distance"), &format::length(run));
    fact(ui, tr!("Height"), &format::signed_length(rise));
    fact(ui, tr!("Slope"), &format!("{slope_deg:.1}°"));
    let settings = &view.document().settings;
    let verdict = if slope_deg.abs() > settings.agent_max_slope && run > 0.0 {
        tr!("steeper than {}°", format::number(settings.agent_max_slope.into()))
    } else if rise.abs() > settings.agent_max_climb {
        tr!("a slope, not a step").to_owned()
    } else {
        tr!("within one step").to_owned()
    };
    fact(ui, tr!("For the agent"), &verdict);
    heading(ui, tr!("Wall clearance"));
    for (name, at) in [(tr!("At the start"), start), (tr!("At the end"), end)] {
        fact(ui, name, &clearance(view, at));
    }
}

/// Distances between two points, in meters.
struct Measured {
    distance: f32,
    /// Horizontal distance.
    run: f32,
    /// Height of the second point above the first.
    rise: f32,
    slope_deg: f32,
}

fn measured(start: Vec3, end: Vec3) -> Measured {
    let (run, rise) = ((end - start).with_y(0.0).length(), end.y - start.y);
    Measured { distance: start.distance(end), run, rise, slope_deg: rise.atan2(run).to_degrees() }
}

/// Formats the distance from `at` to the wall behind the nearest border of the navmesh.
fn clearance(view: &SessionView<'_>, at: Vec3) -> String {
    let Some(navmesh) = view.bake.navmesh.as_deref() else { return tr!("not baked").to_owned() };
    let filter = Filter { include_flags: u16::MAX, ..Filter::default() };
    let half_extents = Vec3::new(0.5, 2.0, 0.5);
    let request = NearestRequest { center: at, half_extents, filter: &filter };
    let Ok(Some(place)) = nearest(navmesh, &request) else {
        return tr!("off the navmesh").to_owned();
    };
    let radius = view.document().settings.agent_radius;
    let request = WallDistanceRequest::new(place, FAR, &filter);
    let request = WallDistanceRequest { max_nodes: MAX_NODES, ..request };
    match wall_distance(navmesh, &request, &mut Scratch::default()) {
        Ok(wall) if wall.point.is_some() => format::length(wall.distance + radius),
        _ => tr!("more than {}", format::length(FAR)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_of_three_in_four() {
        let ramp = measured(Vec3::ZERO, Vec3::new(0.0, 3.0, 4.0));
        assert!((ramp.distance - 5.0).abs() < 1e-6 && (ramp.run - 4.0).abs() < 1e-6);
        assert!((ramp.slope_deg - 36.87).abs() < 0.01);
        assert!((measured(Vec3::Y, Vec3::ZERO).slope_deg + 90.0).abs() < 1e-3);
    }
}
