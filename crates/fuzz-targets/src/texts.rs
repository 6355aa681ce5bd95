//! Text formats: settings, scenes, projects, command line arguments.

use std::{path::Path, str, sync::OnceLock};

use walkable::{
    bake::{BakeConfig, BakeInput, BakeSettings, Gset, bake},
    geom::Aabb,
    glam::Vec3,
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{Filter, Scratch},
    suite::{SuiteWorld, run_case},
    sweep::{SweepOutcome, SweepResult, VariedSetting, latin_hypercube},
};
use walkable_editor::{
    answer::parse_coordinates, habits::Habits, ranges::Corrected, session::Session,
};
use walkable_workspace::{
    crowd_scene::{Scene, ScenePlayer, parse_places},
    files::{
        beside::references,
        next_line,
        space::{PageFile, Space, name_beside},
    },
    limits,
    live::{self, GameAgents, LiveObjects, Message, Request},
    positions::find_positions,
    project::Project,
    repro::{Repro, ReproScene},
    suite_file::SuiteFile,
    sweep::{SweepRow, read_sweep, sweep_to_csv},
    values,
};

/// Maximum number of updates to simulate.
const MAX_UPDATES: u32 = 50;
/// Maximum number of agents to simulate; larger scenes are only parsed.
const MAX_AGENTS: usize = 128;

pub(crate) fn settings(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(config) = BakeConfig::parse(text) else { return };
    let again = BakeConfig::parse(&config.to_text());
    assert_eq!(again, Ok(config), "written: {:?}", again.as_ref().map(BakeConfig::to_text));
}

/// Reads the rows of a sweep and writes them again.
pub(crate) fn sweep(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for line in text.lines() {
        let Ok(varied) = VariedSetting::parse(line) else { continue };
        let drawn = latin_hypercube(&[varied], 8, 1);
        assert_eq!(drawn.map(|all| all.len()), Ok(8), "{line}");
    }
    let Ok(known) = read_sweep(text) else { return };
    let row = |(&fingerprint, result): (&u64, &SweepResult)| {
        let outcome = SweepOutcome::Measured(*result);
        let (is_best, is_best_for_suite) = (None, None);
        SweepRow { values: vec![String::new()], outcome, is_best, is_best_for_suite, fingerprint }
    };
    let rows: Vec<_> = known.iter().map(row).collect();
    assert_eq!(read_sweep(&sweep_to_csv(&["cell_size"], &rows)), Ok(known));
}

pub(crate) fn gset(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(scene) = Gset::parse(text) else { return };
    let bounds = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let (mesh, config) = (scene.mesh.clone(), scene.config_for(&bounds));
    let (text, losses) = Gset::to_text(&mesh, &config, &bounds);
    let _ = losses.iter().map(ToString::to_string).collect::<String>();
    let again = Gset::parse(&text);
    assert!(again.is_ok(), "the written text is not read back: {:?}\n{text}", again.err());
}

pub(crate) fn project(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let folder = Path::new("/levels/projects");
    let Ok(project) = Project::parse(text, folder) else { return };
    let _ = (project.document.config(), project.document.finish());
    let _ = project.document.obstacles_on_layers();
    let written = project.to_text(folder);
    let again = written.as_ref().ok().map(|text| Project::parse(text, folder).ok());
    assert_eq!(again, Some(Some(project)), "{written:?}");
}

/// Reads preferences: what is written again has all numbers in their ranges.
pub(crate) fn preferences(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok((habits, corrected)) = Habits::parse(text) else { return };
    let _ = corrected.phrase().to_string();
    assert!((0.8..=2.0).contains(&habits.prefs.scale));
    let written = serde_json::to_string(&habits).expect("no part of it cannot be written");
    let again = Habits::parse(&written).ok();
    assert_eq!(again, Some((habits, Corrected::default())), "{written}");
}

/// Resolves the names that a file refers to as the web page does. The first line is the name of the file, in a link or
/// dropped by the user; the rest is its content, and each line of it a name.
pub(crate) fn page_links(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (name, content) = text.split_once('\n').unwrap_or((text, ""));
    let mut others: Vec<_> = content.lines().map(str::to_owned).collect();
    for kind in ["a.walkable", "a.gset", "a.gltf", "a.obj", "a.mtl", "a.scen"] {
        let found = references(Path::new(kind), content.as_bytes()).into_iter();
        others.extend(found.map(|reference| reference.uri));
    }
    for space in [Space::User, Space::Link(0), Space::Link(u128::MAX)] {
        let file = PageFile::named(space, Path::new(name));
        assert_eq!((file.space(), PageFile::at(&file.path())), (space, file.clone()));
        let path = file.path();
        let Some(folder) = path.parent().filter(|_| file.name() != Path::new("")) else { continue };
        for other in others.iter().map(Path::new) {
            let read = PageFile::at(&PageFile::at(folder).named_here(other));
            assert_eq!(read.space(), space, "{name:?} names {}", other.display());
            let fetched = PageFile::named(space, &name_beside(Path::new(name), other));
            assert_eq!(read, fetched, "{name:?} names {}", other.display());
        }
    }
}

pub(crate) fn repro(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(repro) = Repro::parse(text) else { return };
    if let ReproScene::Level(level) = &repro.scene {
        let _ = (level.to_file(), level.plan(), level.document.finish());
        let _ = level.document.obstacles_on_layers();
    }
    let written = repro.to_text();
    let again = written.as_ref().ok().map(|text| Repro::parse(text).ok());
    assert_eq!(again, Some(Some(repro)), "{written:?}");
}

/// Parses a path suite and runs its cases.
pub(crate) fn suite(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let parsed = [SuiteFile::parse(text), SuiteFile::parse_test_cases(text)];
    for suite in parsed.into_iter().flatten() {
        let again = SuiteFile::parse(&suite.to_text()).ok();
        assert_eq!(again, Some(SuiteFile { n_ignored: 0, ..suite.clone() }), "{}", suite.to_text());
        let _ = suite.level_source(Path::new("/suites/a.suite"));
        let (filter, scratch) = (Filter::default(), &mut Scratch::default());
        let world = SuiteWorld { mesh: ground(), filter: &filter, volumes: &[] };
        for case in &suite.cases {
            let _ = run_case(&world, case, scratch);
        }
    }
}

/// Returns a small navmesh for agents to walk on.
fn ground() -> &'static NavMesh {
    static GROUND: OnceLock<NavMesh> = OnceLock::new();
    GROUND.get_or_init(|| {
        let input = BakeInput::new(square().into(), BakeSettings::default());
        bake(input, &Unmonitored).expect("two triangles can be baked")
    })
}

fn square() -> TriMesh {
    let corners = [[0.0, 0.0], [0.0, 12.0], [12.0, 12.0], [12.0, 0.0]];
    let corners = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
    TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("two triangles")
}

/// Parses a scene of agents and simulates some updates.
pub(crate) fn crowd(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let _ = parse_places(text);
    let Ok(scene) = Scene::parse(text) else { return };
    assert_eq!(Scene::parse(&scene.to_text()).ok(), Some(scene.clone()));
    if scene.agents.len().max(scene.max_agents) > MAX_AGENTS {
        return;
    }
    let Ok(mut play) = ScenePlayer::new(ground(), &scene) else { return };
    for _ in 0..scene.n_updates.min(MAX_UPDATES) {
        play.apply_due_events();
        play.update();
        assert_eq!(play.agents().count(), scene.agents.len());
    }
}

/// Parses option values, lines of queries, and lines of the standard input of `watch`.
pub(crate) fn values(bytes: &[u8]) {
    let mut input = bytes;
    let mut n_read = 0;
    while let Ok(Some(line)) = next_line(&mut input) {
        n_read += line.len();
        assert_eq!(n_read + input.len(), bytes.len(), "every byte is in one line");
        let Ok(line) = str::from_utf8(&line) else { continue };
        check_line(line.trim_end_matches('\n'));
    }
}

/// Applies the messages of a running game, one per line, to a level.
pub(crate) fn live(bytes: &[u8]) {
    let mut input = bytes;
    let (mut objects, mut agents) = (LiveObjects::default(), GameAgents::default());
    let level = square();
    while let Ok(Some(line)) = next_line(&mut input) {
        let Ok(request) = Request::parse(&line) else { continue };
        let (before, agents_before) = (objects.clone(), agents.clone());
        match request.message {
            Message::Objects { replace, remove, restore } => {
                match objects.change(replace, remove, &restore) {
                    Ok(()) => {
                        let n_triangles = objects.on(&level).map(|mesh| mesh.triangles().len());
                        assert!(n_triangles.is_ok_and(|n| n > 0) || !objects.is_empty());
                    }
                    Err(_) => assert_eq!(objects, before),
                }
            }
            Message::Agents { replace, remove } => match agents.change(1, replace, &remove) {
                Ok(()) => assert!(agents.len() <= live::MAX_AGENTS),
                Err(_) => assert_eq!(agents, agents_before),
            },
            Message::Hello { .. }
            | Message::Bake {}
            | Message::Obstacles { .. }
            | Message::Tiles { .. }
            | Message::WhyHere { .. }
            | Message::WhyPath { .. } => {}
        }
        assert!(agents.iter().all(|(_, agent)| agent.at.is_finite()));
    }
}

fn check_line(line: &str) {
    let _ = find_positions(line);
    let places =
        values::point(line).into_iter().chain(parse_coordinates(line, &Session::default()));
    let query = values::path_query(line).into_iter().flatten().flatten();
    assert!(places.chain(query).all(Vec3::is_finite));
    assert!(values::positive(line).into_iter().all(|number| number > 0.0 && number.is_finite()));
    assert!(values::area_cost(line).into_iter().all(|(area, cost)| area < 64 && cost >= 0.0));
    assert_ne!(limits::parse_size(line), Ok(0));
    assert_ne!(limits::parse_time(line), Ok(0));
    let _ = (values::flags(line), values::key_and_value(line));
}
