//! Checks navmeshes for users: what is checked of a bake, and the answer as text and JSON.
//!
//! An answer as JSON is one object:
//!
//! | field | meaning |
//! |---|---|
//! | `name`, `kind` | name of the file or level; `level` or `navmesh` |
//! | `n_tiles`, `n_polys` | tiles and polygons of ground |
//! | `n_warnings`, `n_notes` | findings by severity, listed or not |
//! | `bake` | findings about the level and its bake, or about damaged tiles of a tile store |
//! | `seams` | findings on borders between tiles |
//! | `polygons` | polygons on which queries give wrong results |
//! | `off_mesh_links` | off-mesh links that no agent can take |
//! | `islands` | islands that nothing leads to |
//! | `surface` | distances between the navmesh and the level |
//! | `settings` | settings that work against each other |
//! | `limits` | limits that are nearly reached |
//!
//! A finding is an object as in the report of `walkable bake`, with `code`, `severity`, `text`, `locations` (tile, polygon,
//! point), `arguments` and `count`. At most 100 findings of a code are listed; the last of them also counts the others: its
//! `count` is their number plus one, and its `text` ends with "(and 7 more)".

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakePlan, settings_advice},
    check::{CheckKind, CheckReport, SurfaceMap, check_reporting},
    diagnostic::{Code, Diagnostic, Location, Severity},
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, polygons_without_flags},
    query::Pruning,
    tile_cache::TileCache,
};

use crate::{changes::at, layered::Layered};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    pub answer: CheckAnswer,
    /// The heights of the surface above the level; `None` if the navmesh was not compared with the level.
    pub surface: Option<Arc<SurfaceMap>>,
    /// The ends of the off-mesh links, by the numbers of the findings.
    pub links: BTreeMap<usize, [Vec3; 2]>,
    pub tiles: CheckedTiles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckedTiles {
    Loaded,
    /// All tiles of the tile store with this hash, including those that are not loaded.
    Store(u128),
    /// All tiles of a level, including those that are not loaded.
    Level {
        hash: u128,
        /// Revision of the document with which they were baked.
        document: u64,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct CheckedBake<'a> {
    pub mesh: &'a NavMesh,
    /// The plan that all tiles were baked from, if it is known.
    pub plan: Option<&'a BakePlan>,
    /// The layers that the navmesh consists of, if the level supports runtime obstacles. They have no detail surface,
    /// and are compared with their own ground.
    pub layers: Option<&'a Layered>,
    /// The islands that a rule of the project removed from the navmesh.
    pub pruning: Option<&'a Pruning>,
}

impl CheckedBake<'_> {
    /// Checks the navmesh, and calls `entered` with each kind of check before it begins. Also returns the heights of
    /// the surface above the level, if the two can be compared. Fails only if the monitor cancels.
    pub fn check(
        self,
        entered: &mut dyn FnMut(CheckKind),
        monitor: &dyn Monitor,
    ) -> Result<(CheckReport, Option<SurfaceMap>), Cancelled> {
        let Self { mesh, plan, layers, pruning } = self;
        let compared = plan.filter(|_| layers.is_none());
        let (mut report, surface) = check_reporting(mesh, compared, entered, monitor)?;
        if let Some(layers) = layers {
            add_layer_findings(&mut report, layers.cache(), mesh, monitor)?;
            report.settings =
                plan.map(|plan| settings_advice(&plan.input().settings)).unwrap_or_default();
            report.settings.extend(plan.and_then(BakePlan::beyond_grid));
        }
        if let Some(pruning) = pruning {
            leave_out_removed(&mut report, mesh, pruning);
        }
        Ok((report, surface))
    }
}

/// Adds what only the layers of `mesh` tell.
pub fn add_layer_findings(
    report: &mut CheckReport,
    layers: &TileCache,
    mesh: &NavMesh,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let found = layers.findings(mesh, monitor)?;
    let (unlinked, off_ground): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|found| found.code() == Code::LayersNotLinked);
    report.seams.splice(0..0, unlinked);
    report.surface.extend(off_ground);
    Ok(())
}

/// Leaves out polygons of removed islands: they have no flags on purpose.
fn leave_out_removed(report: &mut CheckReport, mesh: &NavMesh, pruning: &Pruning) {
    let mut with_islands = mesh.clone();
    pruning.apply(&mut with_islands, u16::MAX);
    report.polygons.retain(|found| found.code() != Code::PolygonsWithoutFlags);
    report.polygons.splice(0..0, polygons_without_flags(with_islands.tiles()));
}

/// Returns the locations of a finding as text, for lists that show them apart from its text.
pub fn place_text(found: &Diagnostic) -> String {
    let text = |location: &Location| match location {
        Location::Point(point) => at(*point),
        location => location.to_string(),
    };
    found.locations().iter().map(text).collect::<Vec<_>>().join(" · ")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    Level,
    Navmesh,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckAnswer {
    name: String,
    kind: AnswerKind,
    n_tiles: usize,
    n_polys: usize,
    pub n_warnings: usize,
    pub n_notes: usize,
    bake: Vec<Diagnostic>,
    #[serde(flatten)]
    report: CheckReport,
}

impl CheckAnswer {
    pub fn of_navmesh(name: String, mesh: &NavMesh, report: CheckReport) -> Self {
        Self::new(name, AnswerKind::Navmesh, mesh, (Vec::new(), report))
    }

    pub fn of_level(
        name: String,
        mesh: &NavMesh,
        mut bake: Vec<Diagnostic>,
        report: CheckReport,
    ) -> Self {
        bake.retain(|found| report.all().all(|known| known != found));
        Self::new(name, AnswerKind::Level, mesh, (bake, report))
    }

    fn new(
        name: String,
        kind: AnswerKind,
        mesh: &NavMesh,
        (bake, report): (Vec<Diagnostic>, CheckReport),
    ) -> Self {
        let stats = mesh.stats();
        Self::of_counts(name, kind, [stats.n_tiles, stats.n_polys], (bake, report))
    }

    /// Creates the answer about a tile store called `name` with these numbers of tiles and polygons of ground, and the
    /// findings about its file.
    pub fn of_store(
        name: String,
        counts: [usize; 2],
        file: Vec<Diagnostic>,
        report: CheckReport,
    ) -> Self {
        Self::of_counts(name, AnswerKind::Navmesh, counts, (file, report))
    }

    /// Like [`CheckAnswer::of_level`], for a level that was checked as a whole. `counts` are its numbers of tiles and of
    /// polygons with ground.
    pub fn of_whole_level(
        name: String,
        counts: [usize; 2],
        mut bake: Vec<Diagnostic>,
        report: CheckReport,
    ) -> Self {
        bake.retain(|found| !report.settings.contains(found));
        Self::of_counts(name, AnswerKind::Level, counts, (bake, report))
    }

    fn of_counts(
        name: String,
        kind: AnswerKind,
        [n_tiles, n_polys]: [usize; 2],
        (bake, report): (Vec<Diagnostic>, CheckReport),
    ) -> Self {
        let count = |is_counted: fn(&Diagnostic) -> bool| {
            let counted = bake.iter().chain(report.all()).filter(|found| is_counted(found));
            counted.map(Diagnostic::count).sum()
        };
        Self {
            name,
            kind,
            n_tiles,
            n_polys,
            n_warnings: count(Diagnostic::is_warning),
            n_notes: count(|found| found.severity() == Severity::Note),
            bake,
            report,
        }
    }

    pub fn kinds(&self) -> impl Iterator<Item = (&'static str, &[Diagnostic])> {
        let of_report = CheckKind::ALL.into_iter().map(|kind| (kind.name(), self.report.of(kind)));
        [("bake", &self.bake[..])].into_iter().chain(of_report)
    }

    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kinds().flat_map(|(_, found)| found)
    }

    /// Returns the answer as text: each kind with its findings, and the summary.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (kind, found) in self.kinds().filter(|(_, found)| !found.is_empty()) {
            lines.push(format!("{kind}:"));
            lines.extend(found.iter().map(|one| format!("  {}", one.line())));
        }
        let Self { name, n_tiles, n_polys, n_warnings, n_notes, .. } = self;
        lines.push(format!(
            "{name}: {n_polys} polygons in {n_tiles} tiles, {n_warnings} warnings, {n_notes} notes"
        ));
        lines
    }

    /// Returns the answer as JSON. This never fails, because JSON can represent all values of an answer.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}
