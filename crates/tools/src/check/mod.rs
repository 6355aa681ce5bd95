//! Checks of a finished navmesh: tiles that do not join at their border, polygons that break queries, islands that nothing
//! leads to, and distances from the level.
//!
//! Every finding is a [`Diagnostic`] with its tile, polygon and point. Warnings are faults, and a clean bake has none.
//! Notes also occur in clean bakes; `docs/answers.md` has the numbers.
//!
//! The time grows with the number of polygons. Edges on a border are sorted and compared in order, and a polygon is
//! compared with the polygons of its tile that overlap it along x.

mod border;
mod islands;
mod limits;
mod listed;
mod overlap;
mod polygons;
mod seams;
mod shift;
mod surface;

use serde::Serialize;
use walkable_bake::bake::{BakePlan, settings_advice};
use walkable_runtime::{
    diagnostic::Diagnostic,
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, polygons_without_flags},
};

use crate::links::{check_links, off_mesh_links};
pub use limits::{Limit, grid_limits, layer_limit, mesh_limits};
pub(crate) use listed::Spot;
use listed::listed;
pub use surface::{SurfaceDistance, surface_distance};

/// The findings of a check, by kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// Findings on borders between tiles.
    pub seams: Vec<Diagnostic>,
    /// Findings on single polygons, and overlaps.
    pub polygons: Vec<Diagnostic>,
    /// Off-mesh links that no agent can take.
    pub off_mesh_links: Vec<Diagnostic>,
    /// Islands that nothing leads to.
    pub islands: Vec<Diagnostic>,
    /// Distances between the navmesh and its level; empty without a plan.
    pub surface: Vec<Diagnostic>,
    /// Settings that work against each other; empty without a plan.
    pub settings: Vec<Diagnostic>,
    /// Limits that are nearly reached.
    pub limits: Vec<Diagnostic>,
}

impl CheckReport {
    /// Returns the findings of each kind, with its name.
    pub fn kinds(&self) -> [(&'static str, &[Diagnostic]); 7] {
        [
            ("seams", &self.seams),
            ("polygons", &self.polygons),
            ("off-mesh links", &self.off_mesh_links),
            ("islands", &self.islands),
            ("surface", &self.surface),
            ("settings", &self.settings),
            ("limits", &self.limits),
        ]
    }

    /// Returns all findings.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kinds().into_iter().flat_map(|(_, found)| found)
    }

    /// Returns the number of warnings and errors.
    pub fn n_warnings(&self) -> usize {
        self.all().filter(|found| found.is_warning()).count()
    }
}

/// Checks a navmesh. The report lists at most [`MAX_LISTED`] findings of each code, and the number of the others.
///
/// `plan` is the plan of the bake, if it is known. With a plan, the surface is compared with the level, and tiles of the
/// plan that are not in the navmesh count as tiles without ground.
///
/// # Errors
/// [`Cancelled`] soon after the monitor cancels.
pub fn check(
    mesh: &NavMesh,
    plan: Option<&BakePlan>,
    monitor: &dyn Monitor,
) -> Result<CheckReport, Cancelled> {
    let seams = seams::audit(mesh, plan, monitor)?;
    let mut polygons = polygons::lint(mesh, monitor)?;
    polygons.extend(polygons_without_flags(mesh.tiles()));
    let own_links = || off_mesh_links(mesh);
    let links = plan.map_or_else(own_links, |plan| plan.input().off_mesh.clone());
    let off_mesh = check_links(mesh, &links).into_iter().flat_map(|link| link.findings);
    let surface = plan.map(|plan| surface::compare(mesh, plan, monitor)).transpose()?;
    let mut limits = mesh_limits(mesh);
    limits.push(layer_limit(mesh.tiles().map(|tile| (tile.header.x, tile.header.z))));
    limits.extend(plan.map(grid_limits).into_iter().flatten());
    Ok(CheckReport {
        seams: listed(seams),
        polygons: listed(polygons),
        off_mesh_links: listed(off_mesh.collect()),
        islands: listed(islands::find(mesh)),
        surface: listed(surface.unwrap_or_default()),
        settings: plan.map(|plan| settings_findings(mesh, plan)).unwrap_or_default(),
        limits: limits.iter().filter_map(Limit::diagnostic).collect(),
    })
}

fn settings_findings(mesh: &NavMesh, plan: &BakePlan) -> Vec<Diagnostic> {
    let mut found = settings_advice(&plan.input().settings);
    found.extend(plan.beyond_grid());
    found.extend(plan.why_wide(mesh));
    found
}

/// Maximum number of findings of one code in a report.
pub const MAX_LISTED: usize = 100;
