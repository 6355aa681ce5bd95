//! `walkable check`: finds faults of a navmesh, or of the bake of a level.
//!
//! JSON, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `name`, `kind` | name of the file or level; `level` or `navmesh` |
//! | `n_tiles`, `n_polys` | tiles and polygons of ground |
//! | `n_warnings`, `n_notes` | findings that are listed, by severity |
//! | `bake` | findings about the level and its bake |
//! | `seams` | findings on borders between tiles |
//! | `polygons` | polygons on which queries give wrong results |
//! | `off_mesh_links` | off-mesh links that no agent can take |
//! | `islands` | islands that nothing leads to |
//! | `surface` | distances between the navmesh and the level |
//! | `settings` | settings that work against each other |
//! | `limits` | limits that are nearly reached |
//!
//! A finding is an object as in the report of `walkable bake`, with `code`, `severity`, `text`, `locations` (tile, polygon,
//! point), `arguments` and `count`. The exit code is 0 even if there are findings. With `--strict` it is 1 if there are
//! warnings.

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable::{
    bake::settings_advice,
    check::{CheckReport, check},
    diagnostic::{Diagnostic, Location, Severity},
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::Pruning,
};

use super::{
    Failure,
    baked::{LevelRequest, bake_level},
    findings::{Findings, refuse},
    import::ImportArgs,
    limit::LimitArgs,
    load::{LevelArg, SettingsArgs},
    output::Output,
};

/// Arguments of `walkable check`.
#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// Baked navmesh (MSET), baked layers (TSET), or a level to bake and check: as for `walkable bake`.
    file: LevelArg,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    /// Exit with 1 if there are warnings.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// The answer of the command.
#[derive(Serialize)]
struct Checked {
    name: String,
    kind: &'static str,
    n_tiles: usize,
    n_polys: usize,
    n_warnings: usize,
    n_notes: usize,
    bake: Vec<Diagnostic>,
    #[serde(flatten)]
    report: CheckReport,
}

impl Checked {
    fn new(
        args: &CheckArgs,
        kind: &'static str,
        mesh: &NavMesh,
        (bake, report): (Vec<Diagnostic>, CheckReport),
    ) -> Self {
        let stats = mesh.stats();
        let count = |is_counted: fn(&Diagnostic) -> bool| {
            bake.iter().chain(report.all()).filter(|found| is_counted(found)).count()
        };
        Self {
            name: args.file.to_string(),
            kind,
            n_tiles: stats.n_tiles,
            n_polys: stats.n_polys,
            n_warnings: count(Diagnostic::is_warning),
            n_notes: count(|found| found.severity() == Severity::Note),
            bake,
            report,
        }
    }

    fn in_words(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let kinds = [("bake", &self.bake[..])].into_iter().chain(self.report.kinds());
        for (kind, found) in kinds.filter(|(_, found)| !found.is_empty()) {
            lines.push(format!("{kind}:"));
            lines.extend(found.iter().map(|one| format!("  {}", one.line())));
        }
        let Self { name, n_tiles, n_polys, n_warnings, n_notes, .. } = self;
        lines.push(format!(
            "{name}: {n_polys} polygons in {n_tiles} tiles, {n_warnings} warnings, {n_notes} notes"
        ));
        lines
    }
}

pub(super) fn run(args: &CheckArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let checked = match args.file.navmesh()? {
        Some(_) if !args.settings.is_empty() => {
            let text = format!("{}: settings belong to a level, and this is a navmesh", args.file);
            return Err(Failure::Usage(text));
        }
        Some(mesh) => {
            let report = check(&mesh, None, &Unmonitored).context("cannot check")?;
            Checked::new(args, "navmesh", &mesh, (Vec::new(), report))
        }
        None => check_level(args)?,
    };
    if args.json {
        let text = serde_json::to_string_pretty(&checked);
        output.line(&text.context("cannot write the findings as JSON")?)?;
    } else {
        checked.in_words().iter().try_for_each(|line| output.line(line))?;
    }
    if args.strict {
        output.finish()?;
        refuse(&args.file, checked.n_warnings)?;
    }
    Ok(())
}

/// Bakes a level and checks the navmesh.
fn check_level(args: &CheckArgs) -> Result<Checked, Failure> {
    let mut findings = Findings::quiet(&args.file);
    let CheckArgs { file: level, settings, import, .. } = args;
    let request = LevelRequest { level, settings, import: import.options() };
    let (_, mut baked) = bake_level(&request, &mut findings)?;
    // The tiles of a level that supports runtime obstacles have no detail surface to compare.
    let plan = (!baked.is_layered).then_some(&baked.plan);
    let report = check(&baked.mesh, plan, &Unmonitored);
    let mut report = report.with_context(|| args.file.to_string())?;
    if baked.is_layered {
        report.settings = settings_advice(&baked.plan.input().settings);
    }
    // The rule clears the flags of islands, which the check would report.
    if let Some(pruning) = baked.prune() {
        report.islands.retain(|found| !is_removed(found, &pruning));
    }
    let mut of_bake = findings.all().to_vec();
    of_bake.retain(|found| !report.settings.contains(found));
    Ok(Checked::new(args, "level", &baked.mesh, (of_bake, report)))
}

/// Returns whether a finding is at a polygon that the rule for islands removes.
fn is_removed(found: &Diagnostic, pruning: &Pruning) -> bool {
    let is_here = |reference: u64| pruning.disabled.iter().any(|poly| poly.0.get() == reference);
    found.locations().iter().any(|at| matches!(at, Location::Polygon(name) if is_here(*name)))
}
