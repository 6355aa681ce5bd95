//! Small sessions for tests.

mod edits;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

#[cfg(test)]
pub(crate) use edits::LOOK;
pub use edits::edits;
use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings},
    check::{CheckReport, TileSizeRow},
    diagnostic::Phrase,
    geom::Aabb,
    level::{LevelKind, generate},
    mesh::{ImportOptions, TriMesh},
    monitor::Unmonitored,
    search::{SearchStep, Side, StepKind, Watch as _},
    suite::{Expectation, Outcome, PathCase},
};
use walkable_workspace::{
    check::{CheckAnswer, CheckResult, CheckedTiles},
    runner::{self, TileOutcome},
    searches::Recorder,
    tile_sizes::{SkippedTileSize, TileSizeAdvice},
};

use crate::{
    command::{Effect, SweepCommand},
    jobs::{
        open::prepared, path_tests::PathTestRequest, sweep::SweepMessage, tasks::TaskRequest,
        work::Work,
    },
    session::{
        Effort, LabRow, LevelSource, Prepared, Searcher, Session, Shape, SweepSetting, SweepValues,
        TileResult,
    },
};

/// Returns a session with a floor of 24 m at height 0 with a ramp of 60° and a low table, baked in tiles of 9.6 m.
///
/// # Panics
///
/// Panics if the bake fails.
pub fn baked() -> Session {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for [x0, y0, z0, x1, y1, z1] in [
        [0.0, 0.0, 0.0, 24.0, 0.0, 24.0],
        [12.0, 0.0, 4.0, 14.0, 3.464, 8.0],
        [4.0, 1.0, 4.0, 7.0, 1.0, 7.0_f32],
    ] {
        let first = u32::try_from(vertices.len()).unwrap_or_default();
        vertices.extend([[x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]].map(Vec3::from));
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    let mesh = Arc::new(TriMesh::new(vertices, triangles).expect("the level is well formed"));
    let mut session = Session::default();
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    session
        .history
        .change(Phrase::verbatim("set up"), |document| document.settings = settings.clone());
    let input = BakeInput::new(mesh, settings);
    let plan = Arc::new(BakePlan::new(input).expect("the settings are sound"));
    bake(&mut session, plan);
    session
}

/// Returns the session of [`baked`] for a slim agent, for which the table is an island.
///
/// # Panics
///
/// Panics if the bake fails.
pub fn baked_with_island() -> Session {
    let mut session = baked();
    let settings = BakeSettings {
        agent_radius: 0.3,
        region_min_size: 1.0,
        ..session.document().settings.clone()
    };
    let level = session.bake.plan.as_ref().map(|plan| Arc::clone(&plan.input().mesh));
    let input = BakeInput::new(level.expect("the level is baked"), settings.clone());
    session.history.change(Phrase::verbatim("set up"), |document| document.settings = settings);
    bake(&mut session, Arc::new(BakePlan::new(input).expect("the settings are sound")));
    session
}

fn bake(session: &mut Session, plan: Arc<BakePlan>) {
    let done = Mutex::new(Vec::new());
    let note = |outcome: TileOutcome| done.lock().expect("no test panics here").push(outcome);
    runner::run(
        plan.tiles(),
        &runner::from_memory(&plan, BakeOutput::Stages),
        1,
        &AtomicBool::new(false),
        &note,
    );
    let revision = session.revision();
    session.bake.begin(plan, Prepared::No);
    session.bake.started = Some(revision);
    for TileOutcome { result, times, .. } in done.into_inner().expect("no test panics here") {
        let bake = result.expect("every tile bakes");
        session.land(TileResult::baked(bake, times, revision));
    }
    session.bake.finish(Duration::from_millis(42));
}

/// Runs the path tests of `session`, as after a bake.
pub fn run_path_tests(session: &mut Session) {
    let Some(question) = session.due_path_tests() else { return };
    let Some(request) = PathTestRequest::of(session) else { return };
    session.path_tests.ask(question);
    let runs = request.run(&Unmonitored).unwrap_or_default();
    session.path_tests.land(runs);
}

/// Stores `report` as the check of the current navmesh.
pub fn land_check(session: &mut Session, report: CheckReport) {
    let bake = &session.bake;
    let Some(navmesh) = bake.navmesh.as_deref() else { return };
    let answer = CheckAnswer::of_level("level".to_owned(), navmesh, Vec::new(), report);
    session.check.begin(bake.navmesh_serial);
    let (links, tiles) = (BTreeMap::new(), CheckedTiles::Loaded);
    session.check.land(CheckResult { answer, surface: None, links, tiles });
}

/// Stores a comparison of tile sizes in which 64 voxels is best and 16 voxels was not measured.
pub fn land_tile_sizes(session: &mut Session) {
    let row = |(tile_size, n_tiles, seconds)| TileSizeRow {
        tile_size,
        n_tiles,
        n_measured: 12,
        tile_seconds: seconds / 40.0,
        seconds,
        tile_memory: 1000 * (tile_size * tile_size) as usize,
        bytes: 90_000,
        max_polys: tile_size as usize,
        poly_limit: 32_767,
        fits: true,
    };
    let why = walkable::phrase!("no tile was baked in its share of the time");
    let advice = TileSizeAdvice {
        current: session.document().settings.tile_size,
        best: Some(64),
        n_threads: 2,
        rows: [(32, 400, 2.5), (64, 100, 1.25), (128, 25, 1.2)].map(row).to_vec(),
        skipped: vec![SkippedTileSize { tile_size: 16, why }],
    };
    session.begin_tile_sizes();
    session.tile_sizes.land(Ok(advice));
}

/// Returns a session with the sample level, a sweep over three cell sizes and two methods of partitioning, and a path
/// test.
///
/// # Panics
///
/// Panics if the sample cannot be baked.
pub fn swept() -> Session {
    let mut session = Session::default();
    let level = generate(LevelKind::Sample, 1, 30.0).expect("the sample has that size");
    let source = LevelSource::Builtin("sample".to_owned());
    session.opened.level =
        Some(prepared(level.mesh, ImportOptions::default(), &source, Vec::new()));
    let expects = vec![Expectation::Outcome(Outcome::NotReachable)];
    let case = PathCase { expects, ..PathCase::new(Vec3::ZERO, Vec3::splat(1e3)) };
    session.history.change(Phrase::verbatim("Add"), |document| document.path_tests = vec![case]);
    session.sweep.plan.settings = vec![
        SweepSetting { key: "cell_size", values: SweepValues::Range { ends: [0.3, 0.5], n: 3 } },
        SweepSetting { key: "filter_median", values: SweepValues::All },
    ];
    run_sweep(&mut session);
    session
}

/// Runs the sweep of `session` on this thread.
///
/// # Panics
///
/// Panics if the sweep cannot start.
pub fn run_sweep(session: &mut Session) {
    let request = match SweepCommand::Run.carry_out(session) {
        Some(Effect::Work(Work::Run(TaskRequest::Sweep(request)))) => Some(request),
        _ => None,
    };
    let messages = Mutex::new(Vec::new());
    let note = |message| messages.lock().expect("no test panics here").push(message);
    request.expect("the sweep starts").run(&AtomicBool::new(false), &note);
    for message in messages.into_inner().expect("no test panics here") {
        match message {
            SweepMessage::Planned(serial, all) => session.sweep.land_plan(serial, &all),
            SweepMessage::Done(serial, own, outcome) => session.sweep.land(serial, own, &outcome),
        }
    }
}

/// Returns a row of the lab with a search of three cells.
pub fn lab_row(searcher: Searcher, length: f64) -> LabRow {
    let mut recorder = Recorder::new(|place| {
        let min = Vec3::X * if place == 0 { 0.0 } else { 1.0 }
            + Vec3::Z * if place > 1 { 1.0 } else { 0.0 };
        Shape::Cell(Aabb::new(min, min + Vec3::new(1.0, 0.0, 1.0)))
    });
    let step = |kind, place| SearchStep {
        kind,
        place,
        parent: (place > 0).then(|| place - 1),
        side: Side::Start,
        g: 1.5,
        h: 2.0,
        f: 3.5,
    };
    for place in 0..3 {
        recorder.step(|| step(StepKind::Opened, place));
        recorder.step(|| step(StepKind::Expanded, place));
    }
    LabRow {
        searcher,
        points: vec![Vec3::ZERO, Vec3::X],
        length,
        cost: Some((length, 4.0)),
        why: None,
        effort: Effort { n_expanded: 7, n_opened: Some(9), open_peak: None },
        time: Duration::from_micros(12),
        preprocessing_time: None,
        n_bytes: 100,
        recording: Arc::new(recorder.finish()),
    }
}
