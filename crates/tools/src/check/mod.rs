//! Checks of a finished navmesh: tiles that do not join at their border, polygons that break queries, islands that
//! are not connected to the largest one, and distances from the level.
//!
//! Every finding is a [`Diagnostic`] with its tile, polygon and point. Warnings are faults, and a clean bake has none.
//! Notes also occur in clean bakes; `docs/answers.md` has the numbers.
//!
//! The time grows with the number of polygons. Edges on a border are sorted and compared in order, and a polygon is
//! compared with the polygons of its tile that overlap it along x. Both end early in navmeshes with thousands of
//! polygons at one place: see [`CheckCutShort`](walkable_runtime::diagnostic::Finding::CheckCutShort).

mod border;
mod islands;
mod limits;
mod location;
mod overlap;
mod parts;
mod polygons;
mod seams;
mod shift;
mod surface;
mod surface_map;
mod tile_size;

use std::cmp::Reverse;

pub use limits::{Limit, grid_limits, layer_limit, mesh_limits};
pub(crate) use location::FindingLocation;
pub use parts::{PartsCheck, PartsReport};
pub(crate) use seams::audit as audit_seams;
use serde::{Deserialize, Serialize};
pub use surface::{SurfaceDistance, surface_distance, surface_limit};
pub use surface_map::{PolySamples, SurfaceMap, SurfacePiece, SurfaceSample};
pub use tile_size::{TILE_SIZES, TileMeasurement, TileSizeRow, best_tile_size, tile_sample};
use walkable_bake::bake::{BakePlan, settings_advice};
use walkable_runtime::{
    diagnostic::{Diagnostic, FindingList, Location},
    in_order,
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, polygons_without_flags},
};

use crate::links::{LinkCheck, off_mesh_links};

in_order! {
    /// A kind of finding, in the order in which a check looks for them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CheckKind {
        /// Findings on borders between tiles.
        Seams,
        /// Findings on single polygons, and overlaps.
        Polygons,
        /// Off-mesh links that no agent can take.
        OffMeshLinks,
        /// Islands that are not connected to the largest one.
        Islands,
        /// Distances between the navmesh and its level.
        Surface,
        /// Settings that work against each other.
        Settings,
        /// Limits that are nearly reached.
        Limits,
    }
}

impl CheckKind {
    /// Returns the name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seams => "seams",
            Self::Polygons => "polygons",
            Self::OffMeshLinks => "off-mesh links",
            Self::Islands => "islands",
            Self::Surface => "surface",
            Self::Settings => "settings",
            Self::Limits => "limits",
        }
    }
}

/// The findings of a check, by kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Findings of [`CheckKind::Seams`].
    pub seams: Vec<Diagnostic>,
    /// Findings of [`CheckKind::Polygons`].
    pub polygons: Vec<Diagnostic>,
    /// Findings of [`CheckKind::OffMeshLinks`].
    pub off_mesh_links: Vec<Diagnostic>,
    /// Findings of [`CheckKind::Islands`].
    pub islands: Vec<Diagnostic>,
    /// Findings of [`CheckKind::Surface`]; empty without a plan.
    pub surface: Vec<Diagnostic>,
    /// Findings of [`CheckKind::Settings`]; empty without a plan.
    pub settings: Vec<Diagnostic>,
    /// Findings of [`CheckKind::Limits`].
    pub limits: Vec<Diagnostic>,
}

impl CheckReport {
    /// Returns the findings of a kind.
    pub fn of(&self, kind: CheckKind) -> &[Diagnostic] {
        match kind {
            CheckKind::Seams => &self.seams,
            CheckKind::Polygons => &self.polygons,
            CheckKind::OffMeshLinks => &self.off_mesh_links,
            CheckKind::Islands => &self.islands,
            CheckKind::Surface => &self.surface,
            CheckKind::Settings => &self.settings,
            CheckKind::Limits => &self.limits,
        }
    }

    /// Returns all findings.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        CheckKind::ALL.into_iter().flat_map(|kind| self.of(kind))
    }

    /// Returns the number of warnings and errors, listed or not.
    pub fn n_warnings(&self) -> usize {
        self.all().filter(|found| found.is_warning()).map(Diagnostic::count).sum()
    }
}

/// Checks a navmesh. The report lists the first [`FindingList::MAX_LISTED`] findings of each code; the last one also
/// counts the others.
///
/// `plan` is the plan of the bake, if it is known. With a plan, the surface is compared with the level, and tiles of
/// the plan that are not in the navmesh count as tiles without ground.
///
/// # Errors
/// [`Cancelled`] soon after the monitor cancels.
pub fn check(
    mesh: &NavMesh,
    plan: Option<&BakePlan>,
    monitor: &dyn Monitor,
) -> Result<CheckReport, Cancelled> {
    Ok(check_reporting(mesh, plan, &mut |_| {}, monitor)?.0)
}

/// Checks a navmesh like [`check`], and calls `entered` with each kind before looking for it. Also returns the heights
/// of the surface above the level that were compared; none without a plan.
///
/// # Errors
/// See [`check`].
pub fn check_reporting(
    mesh: &NavMesh,
    plan: Option<&BakePlan>,
    entered: &mut dyn FnMut(CheckKind),
    monitor: &dyn Monitor,
) -> Result<(CheckReport, Option<SurfaceMap>), Cancelled> {
    let (mut report, mut map) = (CheckReport::default(), None);
    for kind in CheckKind::ALL {
        monitor.check()?;
        entered(kind);
        match kind {
            CheckKind::Seams => {
                let mut list = FindingList::default();
                let mut report_one = |location: FindingLocation, finding| {
                    location.add_to(&mut list, finding);
                };
                let refused = seams::audit(mesh, plan, &mut report_one, monitor)?;
                list.extend(refused);
                report.seams = listed(list);
            }
            CheckKind::Polygons => {
                let mut list = FindingList::default();
                polygons::lint(mesh, &|_| true, &mut list, monitor)?;
                list.extend(polygons_without_flags(mesh.tiles()));
                report.polygons = listed(list);
            }
            CheckKind::OffMeshLinks => report.off_mesh_links = listed(link_findings(mesh, plan)),
            CheckKind::Islands => report.islands = listed(islands::find(mesh)),
            CheckKind::Surface => {
                if let Some(plan) = plan {
                    let (found, samples) = surface::compare(mesh, plan, monitor)?;
                    (report.surface, map) = (listed(found), Some(samples));
                }
            }
            CheckKind::Settings => {
                report.settings =
                    plan.map(|plan| settings_findings(mesh, plan)).unwrap_or_default();
            }
            CheckKind::Limits => report.limits = limit_findings(mesh, plan),
        }
    }
    Ok((report, map))
}

/// Returns the findings, warnings first.
fn listed(list: FindingList) -> Vec<Diagnostic> {
    let mut found = list.into_diagnostics();
    found.sort_by_key(|one| Reverse(one.severity()));
    found
}

fn link_findings(mesh: &NavMesh, plan: Option<&BakePlan>) -> FindingList {
    let own_links = || off_mesh_links(mesh);
    let links = plan.map_or_else(own_links, |plan| plan.input().off_mesh.clone());
    let (check, mut list) = (LinkCheck::new(mesh), FindingList::default());
    for (number, link) in (1..).zip(&links) {
        for finding in check.of(link).1 {
            let at = Location::OffMeshLink(number);
            list.add_with(finding.code(), || Diagnostic::new(finding).at(at));
        }
    }
    list
}

fn limit_findings(mesh: &NavMesh, plan: Option<&BakePlan>) -> Vec<Diagnostic> {
    let mut limits = mesh_limits(mesh);
    limits.push(layer_limit(mesh.tiles().map(|tile| (tile.header.x, tile.header.z))));
    limits.extend(plan.map(grid_limits).into_iter().flatten());
    limits.iter().filter_map(Limit::diagnostic).collect()
}

fn settings_findings(mesh: &NavMesh, plan: &BakePlan) -> Vec<Diagnostic> {
    let mut found = settings_advice(&plan.input().settings);
    found.extend(plan.beyond_grid());
    found.extend(plan.why_wide(mesh));
    found
}
