//! `walkable soak`: lets agents walk between places for a long simulated time, and prints where they get stuck.
//!
//! JSON, one object:
//!
//! | field | meaning |
//! |---|---|
//! | `name` | the level or navmesh |
//! | `agents`, `seed` | number of agents, seed |
//! | `seconds` | simulated time |
//! | `is_complete` | whether the whole time was simulated; false after `--time` or Ctrl-C |
//! | `trips`, `meters` | trips that reached their target, and the distance that all agents walked |
//! | `n_not_listed` | events at places beyond the first 200 |
//! | `findings` | the places, the most frequent first; see [`FindingReport`] |
//!
//! The exit code is 1 if there are findings, or after Ctrl-C.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use glam::Vec3;
use serde::Serialize;
#[cfg(feature = "window")]
use walkable::soak::HeatMeasure;
use walkable::{
    diagnostic::Diagnostic,
    monitor::Cancelled,
    navmesh::NavMesh,
    query::Filter,
    soak::{SoakReport, SoakRun, SoakSettings, StuckCause, StuckKind},
};
#[cfg(feature = "window")]
use walkable_window::soak_picture::SoakPicture;
use walkable_workspace::{
    crowd_scene::{BAKED_NAVMESH, DISABLED, Scene, parse_places},
    files::{self, FileKind, Format},
    format::counted,
    limits::{self, InTime},
    path_tests::filter_of,
};

use super::{
    Failure,
    baked::{LevelRequest, bake_level},
    findings::Findings,
    guard::{FolderFiles, InputFile, OutputFile, OutputFolder},
    import::ImportArgs,
    junit,
    limit::{Deadline, LimitArgs, end_after},
    load::{LevelArg, SettingsArgs},
    output::Output,
    progress, values,
};

/// Arguments of `walkable soak`.
#[derive(Args, Debug)]
pub(super) struct SoakArgs {
    /// Baked navmesh (MSET), baked layers (TSET), or a level or project to bake: as for `walkable bake`.
    file: LevelArg,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Number of agents, at most 10000.
    #[arg(long, value_name = "N", default_value_t = 100)]
    agents: usize,
    /// Simulated time, in minutes.
    #[arg(long, value_name = "M", default_value_t = 10.0, value_parser = values::positive)]
    minutes: f32,
    /// Seed of the random places: the same seed gives the same result.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// File with the places between which agents walk, one position per line; by default random places.
    #[arg(long, value_name = "FILE")]
    places: Option<InputFile>,
    /// Maximum time of the run, as in 30s or 2h. The findings until then are reported.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = limits::parse_time)]
    time: u32,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
    /// Also write the findings to a file that build servers read (`JUnit` XML).
    #[arg(long, value_name = "FILE")]
    junit: Option<OutputFile>,
    /// Also write a scene for `walkable crowd` for each finding into this folder, and the navmesh if it was baked.
    #[arg(long, value_name = "DIR", value_parser = OutputFolder::of(&SCENES))]
    save: Option<OutputFolder>,
    /// PNG file for a picture from above: a heat map of the times of agents, and the places where they get stuck.
    #[cfg(feature = "window")]
    #[arg(long, value_name = "FILE.png")]
    picture: Option<OutputFile>,
    /// Times in the heat map: `passing` (moving agents), `waiting` (standing agents), `slowed` (moving agents below
    /// half of their maximum speed) or `colliding` (agents that overlap another one by more than 5 cm).
    #[cfg(feature = "window")]
    #[arg(long, value_name = "NAME", value_parser = heat, default_value = "waiting", requires = "picture")]
    heat: HeatMeasure,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    import: ImportArgs,
}

static SCENES: FolderFiles = FolderFiles {
    is_written: |name| {
        let number = name.strip_prefix("finding-").and_then(|name| name.strip_suffix(".txt"));
        number.and_then(|number| number.parse().ok()).is_some_and(|n| scene_name(n) == name)
    },
    is_own: |_, start| {
        start.starts_with(b"# ") && String::from_utf8_lossy(start).contains(Scene::FINDING_NOTE)
    },
};

fn scene_name(number: usize) -> String {
    format!("finding-{number}.txt")
}

#[cfg(feature = "window")]
fn heat(text: &str) -> Result<HeatMeasure, String> {
    HeatMeasure::ALL.into_iter().find(|measure| measure.key() == text).ok_or_else(|| {
        let all = HeatMeasure::ALL.map(HeatMeasure::key).join(", ");
        format!("there is no such measure; there are: {all}")
    })
}

#[derive(Serialize)]
struct Report {
    name: String,
    agents: usize,
    seed: u64,
    seconds: f32,
    is_complete: bool,
    trips: usize,
    meters: f64,
    n_not_listed: usize,
    findings: Vec<FindingReport>,
}

#[derive(Serialize)]
struct FindingReport {
    kind: StuckKind,
    cause: StuckCause,
    at: Vec3,
    /// How often agents got stuck, and how often by kind.
    n: usize,
    kinds: Vec<(StuckKind, usize)>,
    /// Numbers of the agents, at most 32.
    agents: Vec<u32>,
    /// Simulated time when the first agent counted as stuck.
    first_seconds: f32,
    trip: [Vec3; 2],
    /// Whether an agent gets stuck again in the scene.
    is_reproduced: bool,
    scene: Option<String>,
    diagnostic: Diagnostic,
}

/// A navmesh, and the polygons that agents may use.
struct Ground {
    mesh: NavMesh,
    filter: Filter,
    is_baked: bool,
    saved: Option<OutputFile>,
}

pub(super) fn run(args: &SoakArgs, output: &mut Output) -> Result<(), Failure> {
    let deadline = Deadline::after(Duration::from_secs(args.time.into())).or_interrupt();
    args.limits.apply();
    end_after(args.time, "--time");
    let ground = load(args)?;
    let settings = settings(args, &ground)?;
    let mut simulation = SoakRun::new(&ground.mesh, &settings, &InTime).map_err(|error| {
        Failure::Failed(anyhow::Error::from(error).context(args.file.to_string()))
    })?;
    let is_complete = simulate(args, &mut simulation, &deadline);
    let found = simulation.report();
    let scenes = save(args, &ground, &found)?;
    let report = Report::new(args, &ground.mesh, (&found, is_complete), scenes);
    if let Some(file) = &args.junit {
        file.write(report.to_junit().as_bytes())?;
    }
    if args.json {
        let text = serde_json::to_string_pretty(&report);
        output.lines(&text.context("cannot write the findings as JSON")?)?;
    } else {
        report.in_words().iter().try_for_each(|line| output.line(line))?;
    }
    #[cfg(feature = "window")]
    if let Some(file) = &args.picture {
        let (name, mesh, measure) = (&*report.name, &ground.mesh, args.heat);
        let picture = SoakPicture { name, mesh, report: &found, measure };
        file.write(&picture.png()?)?;
    }
    if !is_complete && deadline.is_interrupted() {
        output.finish()?;
        return Err(Failure::Negative(format!("{}: interrupted", report.name)));
    }
    if report.findings.is_empty() {
        return Ok(());
    }
    // The findings are printed before the message.
    output.finish()?;
    let places = counted(report.findings.len(), "place", "places");
    Err(Failure::Negative(format!("{}: agents get stuck at {places}", report.name)))
}

fn load(args: &SoakArgs) -> Result<Ground, Failure> {
    let mut ground = match args.file.navmesh()? {
        Some(_) if !args.settings.is_empty() => {
            let text = format!("{}: settings belong to a level, and this is a navmesh", args.file);
            return Err(Failure::Usage(text));
        }
        Some(mesh) => Ground { mesh, filter: Filter::default(), is_baked: false, saved: None },
        None => {
            let SoakArgs { file: level, settings, import, .. } = args;
            let saved = args.save.as_ref().map(saved_navmesh).transpose()?;
            let request = LevelRequest { level, settings, import: import.options() };
            let (_, mut baked) = bake_level(&request, &mut Findings::new(level))?;
            baked.prune();
            let filter = filter_of(&baked.areas);
            Ground { mesh: baked.mesh, filter, is_baked: true, saved }
        }
    };
    ground.filter.exclude_flags |= DISABLED;
    Ok(ground)
}

/// Returns the file for a baked navmesh. An earlier run wrote a navmesh and a scene beside it.
fn saved_navmesh(folder: &OutputFolder) -> Result<OutputFile, Failure> {
    let file = OutputFile::declare(folder.join(BAKED_NAVMESH), "--save")?;
    let has_scene = folder.names()?.contains(&scene_name(1));
    file.check_own(|start| has_scene && FileKind::of(&file, start) == Some(FileKind::Navmesh))?;
    Ok(file)
}

fn settings(args: &SoakArgs, ground: &Ground) -> anyhow::Result<SoakSettings> {
    let places = match &args.places {
        None => Vec::new(),
        Some(path) => {
            let text = files::read_text(path, Format::Queries)?;
            parse_places(&text).with_context(|| path.display().to_string())?
        }
    };
    Ok(SoakSettings {
        n_agents: args.agents,
        minutes: args.minutes,
        seed: args.seed,
        places,
        filter: ground.filter.clone(),
        ..SoakSettings::new(&ground.mesh)
    })
}

/// Simulates until the end of the run or until `deadline`; returns whether the run is complete.
fn simulate(args: &SoakArgs, simulation: &mut SoakRun<'_>, deadline: &Deadline) -> bool {
    let (line, started) = (progress::Line::new(), Instant::now());
    let is_complete = loop {
        match simulation.advance(deadline) {
            Ok(true) => line.show(|| progress_text(args, simulation, started.elapsed())),
            Ok(false) => break true,
            Err(Cancelled) => break false,
        }
    };
    line.clear();
    is_complete
}

fn progress_text(args: &SoakArgs, simulation: &SoakRun<'_>, elapsed: Duration) -> String {
    let done = simulation.seconds() / (args.minutes * 60.0);
    let places = counted(simulation.n_findings(), "place", "places");
    let left = elapsed.as_secs_f32() * (1.0 - done) / done.max(1e-6);
    let (minutes, percent) = (simulation.seconds() / 60.0, done * 100.0);
    format!("simulating: {minutes:.1} min, {percent:.0} %, {left:.0} s left; stuck at {places}")
}

/// Writes a scene for each finding; returns their names.
fn save(
    args: &SoakArgs,
    ground: &Ground,
    found: &SoakReport,
) -> Result<Vec<Option<String>>, Failure> {
    let Some(folder) = &args.save else { return Ok(vec![None; found.findings.len()]) };
    folder.create()?;
    if let Some(file) = ground.saved.as_ref().filter(|_| !found.findings.is_empty()) {
        file.write(&ground.mesh.to_bytes())?;
    }
    let navmesh = if ground.is_baked { BAKED_NAVMESH.to_owned() } else { args.file.to_string() };
    let written = (1..).zip(&found.findings).map(|(number, finding)| {
        let name = scene_name(number);
        let text = Scene::text_of_finding(found, finding, &navmesh);
        folder.write(&name, text.as_bytes())?;
        Ok(Some(name))
    });
    written.collect()
}

impl Report {
    fn new(
        args: &SoakArgs,
        mesh: &NavMesh,
        (found, is_complete): (&SoakReport, bool),
        scenes: Vec<Option<String>>,
    ) -> Self {
        let findings = found.findings.iter().zip(scenes).map(|(finding, scene)| FindingReport {
            kind: finding.kind,
            cause: finding.cause,
            at: finding.point,
            n: finding.n,
            kinds: finding.kinds.clone(),
            agents: finding.agents.clone(),
            first_seconds: finding.first_seconds,
            trip: finding.trip,
            is_reproduced: finding.is_reproduced,
            scene,
            diagnostic: finding.diagnostic(mesh),
        });
        Self {
            name: args.file.to_string(),
            agents: found.n_agents,
            seed: args.seed,
            seconds: found.seconds,
            is_complete,
            trips: found.n_trips,
            meters: found.distance,
            n_not_listed: found.n_not_listed,
            findings: findings.collect(),
        }
    }

    fn in_words(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for finding in &self.findings {
            lines.push(finding.diagnostic.line());
            if let Some(scene) = &finding.scene {
                let again =
                    if finding.is_reproduced { "" } else { ", in which no agent gets stuck" };
                lines.push(format!("    scene: {scene}{again}"));
            }
        }
        if self.n_not_listed > 0 {
            lines.push(format!("{} more events at other places", self.n_not_listed));
        }
        let Self { name, agents, trips, .. } = self;
        let (minutes, km) = (self.seconds / 60.0, self.meters / 1e3);
        let note = if self.is_complete { "" } else { "; stopped before the end" };
        lines.push(format!(
            "{name}: {agents} agents, {minutes:.1} min, {trips} trips, {km:.1} km{note}"
        ));
        lines
    }

    /// Formats the findings as `JUnit` XML: a failed case for each, or one case that passed.
    fn to_junit(&self) -> String {
        let mut cases: Vec<_> = (1..)
            .zip(&self.findings)
            .map(|(number, finding)| {
                let Vec3 { x, y, z } = finding.at;
                junit::Case {
                    name: format!("{number}: {} at {x:.2}, {y:.2}, {z:.2}", finding.kind.key()),
                    seconds: 0.0,
                    problem: Some(junit::Problem {
                        is_error: false,
                        message: finding.diagnostic.text(),
                        details: finding.diagnostic.line(),
                    }),
                }
            })
            .collect();
        if cases.is_empty() {
            let name = "no agent gets stuck".to_owned();
            cases.push(junit::Case { name, seconds: 0.0, problem: None });
        }
        junit::Suite { command: "walkable soak", name: &self.name, kind: "stuck_agents", cases }
            .to_xml()
    }
}
