//! Explanations of paths with one seeded fault each. Checks that the first cause is right, that the break is in the
//! right place, that the fixes work, and that no problem is reported for complete paths.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

use std::{cell::Cell, sync::Arc};

use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile},
    explain::{
        Cause, Fix, FixLimits, Measure, PlaceQuestion, SettingsFix, find_fixes, stands_at, why_here,
    },
    geom::from_above::nearest_on_segment,
    glam::Vec3,
    ids::TileCoord,
    level::{LevelKind, generate},
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile},
    query::{Filter, NavPath, PathRequest, PathStatus, QueryError, Scratch, find_path},
    route::{KnownBreak, RouteAnswer, RouteDepth, RouteQuestion, explain_path, why_no_path},
};

use crate::{
    explained::{check_agent, check_needed, check_side, is_in_reach},
    faults::{
        pairs::{TwoFaults, two_faults},
        paths::{KINDS, PathFault, clean_path, leads, path_fault},
        scene::Scene,
    },
};

/// Number of cases of each kind.
const ROUNDS: usize = 2;
/// Number of ways with two faults: one of each pair of kinds.
const PAIRS: u64 = 54;
/// Number of levels without a fault.
const CLEAN: u64 = 24;
/// Maximum distance between the break and its reported place, in meters.
const TOLERANCE: f32 = 1.0;

fn assemble(
    plan: &BakePlan,
    tiles: Vec<(TileCoord, Arc<Tile>)>,
) -> Result<NavMesh, walkable::navmesh::NavMeshError> {
    plan.link(tiles.into_iter().map(|(_, tile)| tile))
}

fn search(mesh: &NavMesh, request: &PathRequest<'_>) -> Result<NavPath, QueryError> {
    find_path(mesh, request, &mut Scratch::default())
}

/// Searches for the path of a case, explains the result, and finds fixes.
fn ask(fault: &PathFault) -> (NavPath, RouteAnswer, Vec<SettingsFix>) {
    let plan = BakePlan::new(fault.broken.clone()).unwrap();
    let filter = fault.terms.filter();
    let request = fault.terms.request(fault.ends, &filter);
    let mut question = RouteQuestion {
        request,
        assemble: &assemble,
        search: &search,
        known: None,
        spent: Cell::default(),
    };
    let (mesh, _) = question.bake(&plan, &Unmonitored).unwrap();
    let path = search(&mesh, &question.request).unwrap();
    let asked = (&question.request, &path);
    let answer =
        explain_path(Some(&plan), &mesh, asked, RouteDepth::Alternatives, &Unmonitored).unwrap();
    let first = answer.first.as_ref().filter(|first| !first.remedies.is_empty());
    let fixes = first.map(|found| {
        question.known = Some(KnownBreak { plan: &plan, found });
        find_fixes(&plan, &question, FixLimits::default(), &Unmonitored).unwrap().fixes
    });
    let fixes = fixes.unwrap_or_default();
    (path, answer, fixes)
}

fn distance(at: Vec3, [a, b]: [Vec3; 2]) -> f32 {
    let t = nearest_on_segment(at, a, b).t;
    at.distance(a.lerp(b, t))
}

#[test]
fn path_breaks_are_found_and_every_fix_works() {
    let mut wrong = Vec::new();
    for seed in 0..u64::try_from(ROUNDS * KINDS.len()).unwrap() {
        let fault = path_fault(seed);
        let mut blame = |what: String| wrong.push(format!("{seed}, {}: {what}", fault.name));
        let (_, answer, fixes) = ask(&fault);
        let Some(first) = &answer.first else {
            blame("nothing is found".to_owned());
            continue;
        };
        let all = [&answer.also, &answer.others].into_iter().flatten();
        for found in all.chain([first]) {
            check_side(found.cause, found.measure, &found.text);
        }
        if !fault.causes.contains(&first.cause) {
            blame(format!("{} instead of {}", first.text, fault.causes[0].key()));
        }
        if let Some(zone) = fault.zone
            && distance(first.place, zone) > TOLERANCE
        {
            blame(format!("{} is {:.2} m off", first.place, distance(first.place, zone)));
        }
        for found in &answer.also {
            if !fault.causes.contains(&found.cause) {
                blame(format!("{} is named too", found.text));
            }
        }
        check_needed(&fixes.iter().collect::<Vec<_>>());
        for fix in &fixes {
            let mut input = fault.broken.clone();
            input.settings = fix.applied(&input.settings).unwrap();
            check_agent(&fault.broken.settings, &input.settings);
            if !leads(&input, fault.ends, fault.terms) {
                blame(format!("{fix} does not help"));
            }
        }
        if fault.has_fix && fixes.is_empty() && is_in_reach(first.measure) {
            blame(format!("nothing that helps is offered against: {}", first.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_of_two_faults_are_named() {
    let mut wrong = Vec::new();
    for seed in 0..PAIRS {
        let TwoFaults { causes, broken, ends, terms } = two_faults(seed);
        let filter = terms.filter();
        let request = terms.request(ends, &filter);
        let plan = BakePlan::new(broken).unwrap();
        let answer = why_no_path(&plan, request, None, &Unmonitored).unwrap().answer;
        let mut told: Vec<_> = answer.first.iter().chain(&answer.also).collect();
        for causes in causes {
            if let Some(at) = told.iter().position(|found| causes.contains(&found.cause)) {
                told.remove(at);
            } else {
                let told: Vec<_> = told.iter().map(|found| found.text.to_string()).collect();
                wrong.push(format!("{seed}: no {} in {told:?}", causes[0].key()));
            }
        }
    }
    assert!(wrong.len() <= 1, "{}", wrong.join("\n"));
}

/// Returns two floors, 4 m apart in height, and a ramp between them, with the middle of the ramp and places on the floors.
fn ramp(slope_deg: f32, settings: &BakeSettings) -> (BakeInput, Vec3, [Vec3; 2]) {
    let run = 4.0 / slope_deg.to_radians().tan();
    let across = [[0.0, 0.0], [10.0, 0.0], [10.0 + run, 4.0], [20.0 + run, 4.0]];
    let vertices = across.iter().flat_map(|[x, y]| [0.0, 8.0].map(|z| Vec3::new(*x, *y, z)));
    let triangles = (0..3).map(|n| 2 * n).flat_map(|n| [[n, n + 1, n + 2], [n + 2, n + 1, n + 3]]);
    let mesh = TriMesh::new(vertices.collect(), triangles.collect()).unwrap();
    let slope = slope_deg + 3.0;
    let settings = BakeSettings { agent_max_slope: slope, agent_radius: 0.4, ..settings.clone() };
    let ends = [Vec3::new(3.0, 0.0, 4.0), Vec3::new(15.0 + run, 4.0, 4.0)];
    (BakeInput::new(mesh.into(), settings), Vec3::new(10.0 + run / 2.0, 2.0, 4.0), ends)
}

#[test]
fn a_ramp_in_coarse_voxels_is_no_step_for_paths_and_places() {
    let cases = [
        (30.0, 0.05, [0.3, 0.2]),
        (30.0, 0.2, [0.3, 0.05]),
        (40.0, 0.1, [0.3, 0.2]),
        (50.0, 0.3, [0.3, 0.1]),
        (60.0, 0.45, [0.2, 0.05]),
    ];
    for (slope_deg, agent_max_climb, [cell_size, cell_height]) in cases {
        let settings =
            BakeSettings { agent_max_climb, cell_size, cell_height, ..BakeSettings::default() };
        let (input, at, ends) = ramp(slope_deg, &settings);
        let plan = BakePlan::new(input.clone()).unwrap();
        let (limits, filter) = (FixLimits::default(), Filter::default());
        let request = PathRequest::new(ends[0], ends[1], &filter);
        let path = why_no_path(&plan, request, Some(limits.bake), &Unmonitored).unwrap();
        let question = PlaceQuestion { at, triangle: None };
        let here = why_here(&plan, question, limits, &Unmonitored).unwrap();
        let first = path.answer.first.unwrap();
        let told = [
            (first.cause, first.measure, &first.text, &path.fixes.fixes),
            (here.chain[0].cause, here.chain[0].measure, &here.chain[0].text, &here.fixes),
        ];
        for (cause, measure, text, fixes) in told {
            assert_eq!(cause, Cause::CellTooCoarse, "{slope_deg}: {text}");
            let Measure { measured, limit, .. } = measure.unwrap();
            assert!(measured > limit, "{slope_deg}: {text}");
            assert!(!fixes.iter().any(|fix| matches!(fix, Fix::Link(_))), "{fixes:?}");
            // The first fix leaves the agent as it is.
            let Some(Fix::Settings(fix)) = fixes.first() else { panic!("{text}: {fixes:?}") };
            assert!(!fix.changes_agent(), "{slope_deg}: {fix}");
            let mut input = input.clone();
            input.settings = fix.applied(&input.settings).unwrap();
            let mesh = walkable::bake::bake(input.clone(), &Unmonitored).unwrap();
            let request = PathRequest::new(ends[0], ends[1], &filter);
            assert_eq!(search(&mesh, &request).unwrap().status, PathStatus::Complete, "{fix}");
            assert!(stands_at(&mesh, at, input.settings.cell_height), "{fix}");
        }
    }
}

#[test]
fn stairs_in_coarse_voxels_are_no_step_for_paths() {
    let mut scene = Scene::new(BakeSettings::default(), 0.0, Vec3::ZERO);
    scene.boxed("low", [0.0, -0.5, 0.0], [8.0, 0.0, 6.0]);
    for (n, height) in [(0.0, 0.5), (1.0, 1.0), (2.0, 1.5), (3.0, 2.0), (4.0, 2.5)] {
        scene.boxed("stair", [8.0 + 0.25 * n, -0.5, 0.0], [18.0, height, 6.0]);
    }
    let plan = BakePlan::new(scene.bake_input()).unwrap();
    let filter = Filter::default();
    let ends = [Vec3::new(3.0, 0.0, 3.0), Vec3::new(14.0, 2.5, 3.0)];
    let request = PathRequest::new(ends[0], ends[1], &filter);
    let limits = FixLimits::default().bake;
    let why = why_no_path(&plan, request, Some(limits), &Unmonitored).unwrap();
    let first = why.answer.first.unwrap();
    assert_eq!((first.cause, first.advice), (Cause::CellTooCoarse, None), "{}", first.text);
    let Some(Fix::Settings(fix)) = why.fixes.fixes.first() else { panic!("{:?}", why.fixes) };
    assert!(!fix.changes_agent(), "{fix}");
}

#[test]
fn a_step_is_to_be_lowered_by_as_much_for_paths_and_places() {
    let ask = |height: f32, base: f32| {
        let mut scene = Scene::new(BakeSettings::default(), 0.0, Vec3::Y * base);
        scene.boxed("low", [0.0, -0.5, 0.0], [10.0, 0.0, 10.0]);
        scene.boxed("high", [10.0, -0.5, 0.0], [20.0, height, 10.0]);
        let ends = [[3.0, 0.0, 5.0], [17.0, height, 5.0]].map(|end| scene.place(end));
        let at = scene.place([10.2, height, 5.0]);
        let plan = BakePlan::new(scene.bake_input()).unwrap();
        let filter = Filter::default();
        let request = PathRequest::new(ends[0], ends[1], &filter);
        let path = why_no_path(&plan, request, None, &Unmonitored).unwrap();
        let limits = FixLimits { n_bakes: 0, ..FixLimits::default() };
        let question = PlaceQuestion { at, triangle: None };
        (path, why_here(&plan, question, limits, &Unmonitored).unwrap())
    };
    for (height, base) in [(0.95, 0.0), (1.1, 0.07), (1.37, 0.6), (2.0, -3.25)] {
        let (path, here) = ask(height, base);
        let first = path.answer.first.unwrap();
        assert_eq!((first.cause, here.chain[0].cause), (Cause::Step, Cause::Step), "{height}");
        let advice = first.advice.unwrap();
        assert_eq!(here.fixes, [Fix::Geometry(advice.clone())], "{height}");
        let (lower, _) = ask(height - advice.quantities()[0], base);
        assert_eq!(lower.path.status, PathStatus::Complete, "{height}: {advice}");
    }
}

#[test]
fn complete_paths_have_no_break() {
    for seed in 0..CLEAN {
        let (input, ends) = clean_path(seed);
        let plan = BakePlan::new(input).unwrap();
        let mesh = walkable::bake::bake(plan.input().clone(), &Unmonitored).unwrap();
        let filter = Filter::default();
        let request = PathRequest::new(ends[0], ends[1], &filter);
        let path = search(&mesh, &request).unwrap();
        assert_eq!(path.status, PathStatus::Complete, "{seed}");
        let asked = (&request, &path);
        let depth = RouteDepth::Alternatives;
        let answer = explain_path(Some(&plan), &mesh, asked, depth, &Unmonitored).unwrap();
        assert_eq!((answer.first, answer.also), (None, Vec::new()), "{seed}");
    }
}

#[test]
fn both_ends_of_a_path_are_explained_though_they_are_far_apart() {
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    let mut scene = Scene::new(settings, 0.0, Vec3::ZERO);
    scene.boxed("ground", [0.0, -0.5, 0.0], [2400.0, 0.0, 50.0]);
    scene.boxed("platform", [21.0, 0.0, 18.0], [33.0, 1.2, 30.0]);
    scene.boxed("high platform", [2361.0, 0.0, 18.0], [2373.0, 1.5, 30.0]);
    let plan = BakePlan::new(scene.bake_input()).unwrap();
    let tiles = plan.tiles().filter_map(|coord| {
        bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile.map(Arc::new)
    });
    let mesh = plan.link(tiles).unwrap();
    let filter = Filter::default();
    let ends = [Vec3::new(27.0, 1.2, 24.0), Vec3::new(2367.0, 1.5, 24.0)];
    let request = PathRequest::new(ends[0], ends[1], &filter);
    let path = search(&mesh, &request).unwrap();
    let answer =
        explain_path(Some(&plan), &mesh, (&request, &path), RouteDepth::Alternatives, &Unmonitored)
            .unwrap();
    // The walls are vertical, on the edges of voxels.
    let mut told = answer.first.iter().chain(&answer.also).chain(&answer.others);
    assert!(told.all(|found| found.cause == Cause::Step), "{answer:?}");
    let breaks = [answer.first.unwrap(), answer.also[0].clone()];
    for (found, end) in breaks.iter().zip([ends[1], ends[0]]) {
        assert!(found.place.distance(end) < 10.0, "{found:?}");
    }
}

/// The largest part of the level that is searched contains only one of the ends.
#[test]
fn a_roof_far_from_the_other_end_is_explained() {
    let level = generate(LevelKind::Town, 1, 700.0).unwrap();
    let plan =
        BakePlan::new(BakeInput::new(Arc::new(level.mesh), BakeSettings::default())).unwrap();
    let tile = bake_tile(&plan, TileCoord::new(0, 0), BakeOutput::Tile, &Unmonitored).unwrap().tile;
    let mesh = plan.link(tile.map(Arc::new)).unwrap();
    let filter = Filter::default();
    let roof = Vec3::new(493.2, 6.7, 150.5);
    let request = PathRequest::new(roof, Vec3::new(144.9, 0.3, 294.4), &filter);
    let path = search(&mesh, &request).unwrap();
    assert_eq!(path.status, PathStatus::Partial);
    let asked = (&request, &path);
    let answer =
        explain_path(Some(&plan), &mesh, asked, RouteDepth::Alternatives, &Unmonitored).unwrap();
    let first = answer.first.unwrap();
    assert_eq!(first.cause, Cause::Step, "{}", first.text);
    assert!(first.place.distance(roof) < 50.0, "{}", first.place);
}

/// Breaks one of the six tiles of a corridor.
#[test]
fn a_broken_tile_border_is_found_without_the_level() {
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let mut scene = Scene::new(settings, 0.0, Vec3::ZERO);
    scene.boxed("ground", [0.0, -0.5, 0.0], [57.6, 0.0, 6.0]);
    let plan = BakePlan::new(scene.bake_input()).unwrap();
    let tiles: Vec<_> = plan
        .tiles()
        .filter_map(|coord| bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile)
        .collect();
    assert_eq!(tiles.len(), 6);
    let side = plan.tile_bounds(TileCoord::new(0, 0)).size().x;
    let check = |tiles: Vec<Tile>, border: f32, why: &str| {
        let mesh = plan.link(tiles.into_iter().map(Arc::new)).unwrap();
        let filter = Filter::default();
        let ends = [Vec3::new(2.0, 0.0, 3.0), Vec3::new(55.0, 0.0, 3.0)];
        let request = PathRequest::new(ends[0], ends[1], &filter);
        let path = search(&mesh, &request).unwrap();
        let asked = (&request, &path);
        let answer =
            explain_path(None, &mesh, asked, RouteDepth::Alternatives, &Unmonitored).unwrap();
        let first = answer.first.unwrap();
        assert_eq!(first.cause, Cause::Seam, "{why}: {first:?}");
        let off = (first.place.x - border - side / 2.0).abs() - side / 2.0;
        assert!(off <= TOLERANCE, "{why}, at {border}: {first:?}");
    };
    for (broken, border) in (1_u16..5).map(|n| (usize::from(n), f32::from(n) * side)) {
        for by in [-3.0, -2.0, 2.0, 3.0] {
            let mut moved = tiles.clone();
            let tile = &mut moved[broken];
            tile.vertices.iter_mut().chain(&mut tile.detail_vertices).for_each(|at| at.y += by);
            tile.header.bounds.min.y += by;
            tile.header.bounds.max.y += by;
            check(moved, border, "moved");
        }
        let mut without = tiles.clone();
        without.remove(broken);
        check(without, border, "removed");
    }
}
