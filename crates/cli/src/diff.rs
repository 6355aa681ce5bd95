//! `walkable diff`: compares two levels, projects or navmeshes by the ground that agents can walk on.
//!
//! JSON, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `inputs` | the two inputs: `name`, `kind` (`level` or `navmesh`), `bake_seconds` (`null` for a navmesh) |
//! | `same` | whether there is no difference in ground, islands, off-mesh links, areas and path tests |
//! | `limits` | `tolerance`, `height`, `min_patch`, `min_island` that were used |
//! | `before`, `after` | sizes: `area` in m², `n_islands`, `n_tiles`, `n_polys`, `n_vertices`, `n_bytes`, … |
//! | `gained`, `lost` | ground: `area` in m², `strips` in m², and `patches` with `area`, `bounds`, `point` |
//! | `islands` | `kind` (`split`, `joined`, `regrouped`, `lost`, `gained`), and the islands `before` and `after` |
//! | `off_mesh_links` | `kind` (`disconnected`, `connected`, `removed`, `added`), `user_id`, `start`, `end`, states, `findings` |
//! | `areas` | ground with another area or other flags: `before` and `after` as `[area, flags]`, `area` in m², `point` |
//! | `path_tests` | `n_same`, and `changed` with `text` and the results `before` and `after` as in `walkable test`; `null` without tests |
//! | `tiles` | `n_same`, and lists of `changed`, `added` and `removed` tiles; `null` if the grids differ |
//!
//! Differences are a valid answer: the exit code is 0. With `--strict`, the exit code is 1 if there are differences.

use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use walkable::{
    bake::OffMeshLink,
    compare::{CompareSettings, CompareSide, Comparison, SideStats, TileChanges, TileKey, compare},
    navmesh::NavMesh,
    suite::PathCase,
};
#[cfg(feature = "window")]
use walkable_window::diff_picture::DiffPicture;
use walkable_workspace::{
    changes::{Change, ChangeKind, changes, ground_text, path_changes},
    format,
    limits::InTime,
};

use super::{
    Failure,
    baked::{BakedLevel, LevelRequest, bake_level},
    findings::Findings,
    guard::InputFile,
    import::ImportArgs,
    limit::LimitArgs,
    load::{Level, LevelArg, SettingsArgs},
    output::Output,
    path_tests::{CaseOutcome, CaseReport, read_suite, report, run_on_level, run_on_navmesh},
};

/// Maximum number of changes of a kind that are listed as text.
const MAX_LISTED: usize = 20;

/// Arguments of `walkable diff`.
#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// The first level (as for `walkable bake`), baked navmesh (MSET) or file of baked layers (TSET).
    #[arg(value_name = "A")]
    before: LevelArg,
    /// The level, navmesh or file of layers to compare it with.
    #[arg(value_name = "B")]
    after: LevelArg,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Run the path tests of this suite on both and list those whose results differ; by default those of project B, or
    /// of A if B has none.
    #[arg(long, value_name = "SUITE")]
    suite: Option<InputFile>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    /// Exit with 1 if there is a difference in ground, islands, off-mesh links, areas or path tests.
    #[arg(long)]
    strict: bool,
    /// Width in meters of strips along edges that do not count; by default 0 if both have the same grid, else 1.5 voxels.
    #[arg(long, value_name = "METERS")]
    tolerance: Option<f64>,
    /// Maximum height difference in meters of the same ground; by default the agent's climb.
    #[arg(long, value_name = "METERS")]
    height: Option<f64>,
    /// Minimum area of a place in square meters; by default that of a voxel.
    #[arg(long, value_name = "M2")]
    min_area: Option<f64>,
    /// Minimum area of an island in square meters.
    #[arg(long, value_name = "M2", default_value_t = 1.0)]
    min_island: f64,
    /// PNG file for a picture from above: gained ground green, lost ground orange.
    #[cfg(feature = "window")]
    #[arg(long, value_name = "FILE.png")]
    picture: Option<crate::guard::OutputFile>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

impl DiffArgs {
    fn compare_settings(&self) -> CompareSettings {
        CompareSettings {
            tolerance: self.tolerance,
            height: self.height,
            min_patch: self.min_area,
            min_island: self.min_island,
        }
    }
}

#[derive(Serialize)]
struct DiffInput {
    name: String,
    kind: &'static str,
    bake_seconds: Option<f64>,
    #[serde(skip)]
    source: DiffSource,
}

enum DiffSource {
    Navmesh(Box<NavMesh>),
    Level(Box<(Level, BakedLevel)>),
}

impl DiffInput {
    fn mesh(&self) -> &NavMesh {
        match &self.source {
            DiffSource::Navmesh(mesh) => mesh,
            DiffSource::Level(level) => &level.1.mesh,
        }
    }

    /// Returns the level and its bake; `None` for a navmesh.
    fn level(&self) -> Option<&(Level, BakedLevel)> {
        match &self.source {
            DiffSource::Navmesh(_) => None,
            DiffSource::Level(level) => Some(level),
        }
    }

    fn links(&self) -> Option<&[OffMeshLink]> {
        self.level().map(|(_, baked)| &*baked.plan.input().off_mesh)
    }
}

#[derive(Serialize)]
struct ComparedTests {
    n_same: usize,
    changed: Vec<ChangedTest>,
    #[serde(skip)]
    changes: Vec<Change>,
}

#[derive(Serialize)]
struct ChangedTest {
    text: String,
    before: CaseReport,
    after: CaseReport,
}

#[derive(Serialize)]
struct Compared {
    inputs: [DiffInput; 2],
    same: bool,
    #[serde(flatten)]
    comparison: Comparison,
    path_tests: Option<ComparedTests>,
}

pub(super) fn run(args: &DiffArgs, output: &mut Output) -> Result<(), Failure> {
    args.limits.apply();
    let suite = args.suite.as_ref().map(|suite| read_suite(suite)).transpose()?;
    let meshes = [args.before.navmesh()?, args.after.navmesh()?];
    if !args.settings.is_empty() && meshes.iter().all(Option::is_some) {
        let text = "settings belong to a level, and both inputs are navmeshes".to_owned();
        return Err(Failure::Usage(text));
    }
    let [first, second] = meshes;
    let inputs = [input(args, &args.before, first)?, input(args, &args.after, second)?];
    // A navmesh knows only the links that start on one of its tiles, so two levels are compared with all their links.
    let are_levels = inputs.iter().all(|input| input.level().is_some());
    let sides = inputs.each_ref().map(|input| {
        let links = input.links().filter(|_| are_levels);
        CompareSide { mesh: input.mesh(), links }
    });
    let comparison = compare(sides, &args.compare_settings(), &InTime);
    let comparison = comparison.context("cannot compare")?;
    let path_tests = match suite.as_ref().map_or_else(|| own_cases(&inputs), |suite| &suite.cases) {
        [] => None,
        cases => Some(compare_tests(args, cases, &inputs)?),
    };
    #[cfg(feature = "window")]
    if let Some(file) = &args.picture {
        let [before, after] = inputs.each_ref().map(DiffInput::mesh);
        let picture = DiffPicture {
            names: inputs.each_ref().map(|input| &*input.name),
            meshes: [before, after],
            comparison: &comparison,
        };
        file.write(&picture.png()?)?;
    }
    let same =
        comparison.is_same() && path_tests.as_ref().is_none_or(|tests| tests.changes.is_empty());
    let compared = Compared { inputs, same, comparison, path_tests };
    if args.json {
        let text = serde_json::to_string_pretty(&compared);
        output.lines(&text.context("cannot write the differences as JSON")?)?;
    } else {
        compared.in_words().iter().try_for_each(|line| output.line(line))?;
    }
    if args.strict && !same {
        output.finish()?;
        let names = format!("{} and {}", args.before, args.after);
        return Err(anyhow::anyhow!("{names} differ, refused by --strict").into());
    }
    Ok(())
}

fn input(args: &DiffArgs, level: &LevelArg, mesh: Option<NavMesh>) -> Result<DiffInput, Failure> {
    let name = level.to_string();
    if let Some(mesh) = mesh {
        let source = DiffSource::Navmesh(Box::new(mesh));
        return Ok(DiffInput { name, kind: "navmesh", bake_seconds: None, source });
    }
    let import = args.import.options();
    let request = LevelRequest { level, settings: &args.settings, import };
    let (loaded, mut baked) = bake_level(&request, &mut Findings::new(level))?;
    baked.prune();
    let bake_seconds = Some(baked.elapsed.as_secs_f64());
    let source = DiffSource::Level(Box::new((loaded, baked)));
    Ok(DiffInput { name, kind: "level", bake_seconds, source })
}

/// Returns the path tests of the second input, or those of the first if it has none.
fn own_cases(inputs: &[DiffInput; 2]) -> &[PathCase] {
    let levels = inputs.iter().rev().filter_map(DiffInput::level);
    let cases = levels.map(|(level, _)| &level.document.path_tests[..]);
    cases.into_iter().find(|cases| !cases.is_empty()).unwrap_or_default()
}

fn compare_tests(
    args: &DiffArgs,
    cases: &[PathCase],
    inputs: &[DiffInput; 2],
) -> Result<ComparedTests, Failure> {
    let [first, second] = inputs;
    let run = |name: &LevelArg, input: &DiffInput| match input.level() {
        Some((level, baked)) => run_on_level((name, level), &args.settings, cases, Some(baked), 0),
        None => Ok(run_on_navmesh(input.mesh(), cases, 0)),
    };
    let (before, after) = (run(&args.before, first)?, run(&args.after, second)?);
    let states = |outcomes: &[CaseOutcome]| {
        outcomes.iter().map(|outcome| outcome.state.clone()).collect::<Vec<_>>()
    };
    let changes = path_changes(cases, &states(&before), &states(&after));
    let n_same = cases.len() - changes.len();
    let mut texts = changes.iter().peekable();
    let all = cases.iter().zip(before.into_iter().zip(after)).enumerate();
    let changed = all.filter_map(|(index, (case, (before, after)))| {
        let text = texts.next_if(|change| change.index == index)?.text();
        let [before, after] = [before, after].map(|run| report(case.label(index), case, run));
        Some(ChangedTest { text, before, after })
    });
    let changed = changed.collect();
    Ok(ComparedTests { n_same, changed, changes })
}

impl Compared {
    fn in_words(&self) -> Vec<String> {
        let Comparison { limits, before, after, gained, lost, tiles, .. } = &self.comparison;
        let [first, second] = &self.inputs;
        let mut lines = vec![size_line("before", first, before), size_line("after", second, after)];
        let mut all = changes(&self.comparison);
        let tests = self.path_tests.as_ref();
        all.extend(tests.iter().flat_map(|tests| tests.changes.iter().cloned()));
        for kind in ChangeKind::ALL {
            let of_kind: Vec<_> = all.iter().filter(|change| change.kind == kind).collect();
            let label = format::within(kind.label());
            match kind {
                ChangeKind::Gained | ChangeKind::Lost => {
                    let change = if kind == ChangeKind::Gained { gained } else { lost };
                    lines.push(format!("{label}: {}", ground_text(change, limits.tolerance)));
                }
                ChangeKind::Island | ChangeKind::Link | ChangeKind::Area => {
                    lines.extend((!of_kind.is_empty()).then(|| format!("{label}:")));
                }
                ChangeKind::Path => lines.extend(tests.map(|tests| {
                    format!("{label}: {} changed, {} unchanged", tests.changed.len(), tests.n_same)
                })),
            }
            let listed = of_kind.iter().take(MAX_LISTED);
            lines.extend(listed.map(|change| format!("  {}", change.text())));
            let n_more = of_kind.len().saturating_sub(MAX_LISTED);
            lines.extend((n_more > 0).then(|| format!("  and {n_more} more, listed by --json")));
        }
        lines.push(tiles.as_ref().map_or_else(
            || "tiles: not compared, because the grids differ".to_owned(),
            tiles_line,
        ));
        let result = if self.same { "no difference" } else { "they differ" };
        lines.push(format!("{} and {}: {result}", first.name, second.name));
        lines
    }
}

fn size_line(label: &str, input: &DiffInput, side: &SideStats) -> String {
    let stats = &side.stats;
    let counts = [
        format::area(side.area),
        format::counted(side.n_islands, "island", "islands"),
        format!("{} polygons", stats.n_polys),
        format!("{} vertices", stats.n_vertices),
        format::counted(stats.n_tiles, "tile", "tiles"),
        format!("{} bytes", stats.n_bytes),
    ];
    let time = input.bake_seconds.map(Duration::from_secs_f64);
    let baked = time.map(|time| format!(", baked in {}", format::time(time)));
    format!("{label}: {}: {}{}", input.name, counts.join(", "), baked.unwrap_or_default())
}

fn tiles_line(tiles: &TileChanges) -> String {
    let TileChanges { n_same, changed, added, removed } = tiles;
    let named = |tiles: &[TileKey], verb: &str| {
        let list = tiles.iter().take(MAX_LISTED);
        let list = list.map(|TileKey { x, z, layer }| match layer {
            0 => format!("{x},{z}"),
            _ => format!("{x},{z} layer {layer}"),
        });
        let mut names = list.collect::<Vec<_>>().join("; ");
        if tiles.len() > MAX_LISTED {
            names += "; …";
        }
        (!tiles.is_empty()).then(|| format!("{} {verb} ({names})", tiles.len()))
    };
    let differing = [named(changed, "changed"), named(added, "added"), named(removed, "removed")];
    let mut texts: Vec<String> = differing.into_iter().flatten().collect();
    texts.push(format!("{n_same} unchanged"));
    format!("tiles: {}", texts.join(", "))
}
