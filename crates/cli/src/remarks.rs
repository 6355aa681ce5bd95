//! Prints findings about a bake, from its level to its navmesh.

use std::fmt;

use walkable::{
    bake::{BakeConfig, BakePlan, PatternUse, settings_advice},
    diagnostic::{Finding, FindingList, Location},
    links::check_links,
    mesh::ImportHint,
    navmesh::{NavMesh, polygons_without_flags},
    query::Pruning,
};
use walkable_workspace::runner::TileOutcome;

use super::{findings::Findings, load::Level, output::eprint_line};

pub(super) fn remark(level: &Level, config: &BakeConfig, findings: &mut Findings) {
    remark_level(level, config, findings);
    remark_settings(config, findings);
}

pub(super) fn remark_level(level: &Level, config: &BakeConfig, findings: &mut Findings) {
    findings.extend(level.warnings.summary());
    findings.extend(level.import_hint(&config.settings).map(ImportHint::diagnostic));
    findings.extend(level.document.import.moved());
}

pub(super) fn remark_settings(config: &BakeConfig, findings: &mut Findings) {
    findings.extend(settings_advice(&config.settings));
}

/// Reports rules without a matching object or material, rules that apply to several, and a level that exceeds its fixed grid.
pub(super) fn remark_plan(plan: &BakePlan, findings: &mut Findings) {
    findings.extend(plan.beyond_grid());
    let mut list = FindingList::default();
    for rule in plan.unused_surfaces() {
        let (source, name) = (rule.source.key().to_owned(), rule.name.clone());
        list.extend([Finding::SurfaceRuleUnused { source, name }.into()]);
    }
    for PatternUse { rule, n_names: n, first } in plan.pattern_uses() {
        let (source, name) = (rule.source.key().to_owned(), rule.name.clone());
        let first = first.to_owned();
        list.extend([Finding::SurfacePattern { source, name, n, first }.into()]);
    }
    findings.extend(list.into_diagnostics());
}

/// Reports polygons that no query passes and off-mesh links that no agent can take.
pub(super) fn remark_mesh(mesh: &NavMesh, plan: &BakePlan, findings: &mut Findings) {
    findings.extend(polygons_without_flags(mesh.tiles()));
    findings.extend(plan.why_wide(mesh));
    remark_links(mesh, plan, findings);
}

/// Reports off-mesh links that no agent can take. The report of a bake contains all of them.
pub(super) fn remark_links(mesh: &NavMesh, plan: &BakePlan, findings: &mut Findings) {
    findings.links = check_links(mesh, &plan.input().off_mesh);
    let mut list = FindingList::default();
    list.extend(findings.links.iter().flat_map(|link| link.findings.iter().cloned()));
    findings.extend(list.into_diagnostics());
}

/// Reports tiles with warnings and failed tiles, and returns the number of failed ones.
pub(super) fn remark_tiles(
    level: impl fmt::Display,
    outcomes: &[TileOutcome],
    findings: &mut Findings,
) -> usize {
    let n_failed =
        outcomes.iter().filter(|outcome| !remark_tile(&level, outcome, findings)).count();
    findings.print_many();
    n_failed
}

/// Collects the warnings of a tile, or reports that it failed and returns `false`.
pub(super) fn remark_tile(
    level: impl fmt::Display,
    outcome: &TileOutcome,
    findings: &mut Findings,
) -> bool {
    match &outcome.result {
        Ok(tile) => {
            for found in tile.warnings.iter().cloned() {
                findings.add_one_of_many(found.within(Location::Tile(outcome.coord)));
            }
            true
        }
        Err(failure) => {
            eprint_line(&format!("error: {level}: {failure}"));
            false
        }
    }
}

pub(super) fn remark_islands(pruning: &Pruning, findings: &mut Findings) {
    let (n, n_kept) = (pruning.dropped.len(), pruning.kept.len());
    if n > 0 {
        eprint_line(&format!("removed {n} of {} islands", n + n_kept));
    }
    for seed in &pruning.lost_seeds {
        findings.add(Finding::IslandPlaceOffMesh { place: seed + 1 });
    }
}
