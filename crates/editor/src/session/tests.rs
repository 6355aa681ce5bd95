//! Tests of how results are stored in the session, without threads.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, RefBits, bake_tile},
    ids::TileCoord,
    level::builtin,
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::format::RefWidth,
};
use walkable_workspace::runner::StageTimes;

use super::*;
use crate::{command::Command, reducer::testing::carry_out};

/// Plans the bake of the small sample with this tile size, in voxels.
fn plan(tile_size: u32, radius: f32) -> Arc<BakePlan> {
    let level = builtin("sample").unwrap().read().unwrap();
    let mut settings = level.config.settings;
    (settings.tile_size, settings.agent_radius) = (tile_size, radius);
    let mesh = Arc::new(level.mesh);
    let input = BakeInput::new(mesh, settings);
    Arc::new(BakePlan::new(input).unwrap())
}

fn revision(document: u64) -> Revision {
    Revision { document, level: 1 }
}

fn baked(plan: &BakePlan, coord: TileCoord, document: u64) -> TileResult {
    let bake = bake_tile(plan, coord, BakeOutput::Stages, &Unmonitored).unwrap();
    TileResult::baked(bake, StageTimes::default(), revision(document))
}

/// Returns a state that has all tiles of `plan`.
fn complete(plan: &Arc<BakePlan>) -> BakeState {
    let mut state = BakeState::default();
    state.begin(Arc::clone(plan), Prepared::No);
    for coord in plan.tiles() {
        state.land(coord, baked(plan, coord, 1));
    }
    state.finish(std::time::Duration::ZERO);
    state
}

fn n_tiles_in_navmesh(state: &BakeState) -> usize {
    state.navmesh.as_deref().map_or(0, |navmesh| navmesh.tiles().count())
}

#[test]
fn tiles_of_the_same_grid_are_replaced_one_by_one() {
    let first = plan(40, 0.6);
    let mut state = complete(&first);
    let n = state.tiles.len();
    assert!(n > 2, "the sample has {n} tiles");
    assert!(!state.is_stale(revision(1)));
    let navmesh = n_tiles_in_navmesh(&state);
    let second = plan(40, 0.3);
    state.begin(Arc::clone(&second), Prepared::No);
    assert_eq!((state.tiles.len(), state.leftovers.len()), (n, 0));
    let serial = state.navmesh_serial;
    state.land(TileCoord::new(0, 0), baked(&second, TileCoord::new(0, 0), 2));
    assert!(state.is_stale(revision(2)), "the other tiles are old");
    assert!(state.navmesh_serial > serial, "paths see the new tile at once");
    assert_eq!(n_tiles_in_navmesh(&state), navmesh);
    for coord in second.tiles() {
        state.land(coord, baked(&second, coord, 2));
    }
    assert!(!state.is_stale(revision(2)));
}

#[test]
fn the_order_in_which_tiles_are_baked_does_not_matter() {
    let plan = plan(40, 0.6);
    let baked_tile = |coord| baked(&plan, coord, 1);
    for min_area in [None, Some(30.0)] {
        let islands = Islands { min_area, ..Islands::default() };
        let finish = Document { islands, ..Document::default() }.finish();
        let tiles: Vec<_> = plan.tiles().collect();
        let made = tiles.iter().filter_map(|&coord| Some((coord, baked_tile(coord).baked?)));
        let mut expected = finish.link(&plan, &made.collect::<Vec<_>>()).unwrap();
        assert_eq!(finish.prune(&mut expected).is_some(), min_area.is_some());
        let mut state = BakeState::default();
        state.refinish(finish);
        state.begin(Arc::clone(&plan), Prepared::No);
        for &coord in tiles.iter().rev() {
            state.land(coord, baked_tile(coord));
        }
        assert!(state.navmesh.as_ref().unwrap().to_bytes() != expected.to_bytes(), "not yet");
        state.finish(std::time::Duration::ZERO);
        assert_eq!(state.navmesh.as_ref().unwrap().to_bytes(), expected.to_bytes());
        // After the bake of one tile, references to the others remain.
        state.land(tiles[1], baked_tile(tiles[1]));
        state.finish(std::time::Duration::ZERO);
        assert!(!state.navmesh.as_ref().unwrap().is_by_place());
        for &coord in &tiles {
            state.land(coord, baked_tile(coord));
        }
        state.finish(std::time::Duration::ZERO);
        assert_eq!(state.navmesh.as_ref().unwrap().to_bytes(), expected.to_bytes());
    }
}

#[test]
fn tiles_of_another_grid_stay_until_new_ones_cover_them() {
    let mut state = complete(&plan(40, 0.6));
    let (n, navmesh) = (state.tiles.len(), n_tiles_in_navmesh(&state));
    let coarse = plan(64, 0.6);
    state.begin(Arc::clone(&coarse), Prepared::No);
    assert_eq!((state.tiles.len(), state.leftovers.len()), (0, n));
    state.land(TileCoord::new(0, 0), baked(&coarse, TileCoord::new(0, 0), 2));
    assert!((1..n).contains(&state.leftovers.len()), "{} of {n} are left", state.leftovers.len());
    assert_eq!(n_tiles_in_navmesh(&state), navmesh, "paths keep the whole old mesh for now");
    for coord in coarse.tiles().skip(1) {
        state.land(coord, baked(&coarse, coord, 2));
    }
    state.finish(std::time::Duration::ZERO);
    assert!(state.leftovers.is_empty());
    assert!(n_tiles_in_navmesh(&state) < navmesh);
}

#[test]
fn the_first_bake_can_be_walked_on_tile_by_tile() {
    let plan = plan(40, 0.6);
    let mut state = BakeState::default();
    state.begin(Arc::clone(&plan), Prepared::No);
    for (n, coord) in plan.tiles().enumerate() {
        assert!(n_tiles_in_navmesh(&state) <= n);
        state.land(coord, baked(&plan, coord, 1));
    }
    let before = n_tiles_in_navmesh(&state);
    assert!(before > 1);
    state.finish(std::time::Duration::ZERO);
    assert_eq!(n_tiles_in_navmesh(&state), before);
}

#[test]
fn a_solo_bake_replaces_a_tiled_one_and_back() {
    let tiled = plan(40, 0.6);
    let mut state = complete(&tiled);
    let solo = plan(0, 0.6);
    let only = TileCoord::new(0, 0);
    state.begin(Arc::clone(&solo), Prepared::No);
    state.land(only, baked(&solo, only, 2));
    assert_eq!((state.leftovers.len(), n_tiles_in_navmesh(&state)), (0, 1));
    state.begin(Arc::clone(&tiled), Prepared::No);
    assert_eq!(state.leftovers.len(), 1);
    for coord in tiled.tiles() {
        state.land(coord, baked(&tiled, coord, 3));
    }
    state.finish(std::time::Duration::ZERO);
    assert!(n_tiles_in_navmesh(&state) > 1);
}

#[test]
fn a_failed_tile_keeps_its_old_result_and_says_why() {
    let plan = plan(40, 0.6);
    let mut state = complete(&plan);
    let coord = TileCoord::new(1, 0);
    let before = state.tiles[&coord].tile.clone();
    state.begin(Arc::clone(&plan), Prepared::No);
    let why = "too many corners".to_owned();
    state.land(coord, TileResult::failed(coord, why.clone(), StageTimes::default(), revision(2)));
    let after = &state.tiles[&coord];
    assert_eq!((&after.tile, &after.error), (&before, &Some(why.clone())));
    assert_eq!(state.failures().collect::<Vec<_>>(), [(coord, why.as_str())]);
    state.land(coord, baked(&plan, coord, 3));
    assert_eq!(state.failures().count(), 0);
}

#[test]
fn if_memory_is_short_the_stages_of_the_nearest_tiles_are_kept() {
    let plan = plan(40, 0.6);
    let mut state = BakeState::default();
    let one = baked(&plan, TileCoord::new(0, 0), 1).stages.unwrap().n_bytes();
    let budget = 3 * one;
    state.stages.set_budget(budget);
    state.begin(Arc::clone(&plan), Prepared::No);
    for (distance, coord) in [9.0, 1.0, 8.0, 2.0, 7.0, 6.0].into_iter().zip(plan.tiles()) {
        state.land_at(coord, baked(&plan, coord, 1), distance);
        assert!(state.stages.n_bytes() <= budget, "{coord}");
    }
    let kept: Vec<_> = plan.tiles().filter(|&coord| state.stages_at(coord).is_some()).collect();
    let nearest: Vec<_> = plan.tiles().skip(1).step_by(2).take(2).collect();
    assert!(nearest.iter().all(|coord| kept.contains(coord)), "{kept:?}");
    assert!(!kept.contains(&TileCoord::new(0, 0)), "it is the farthest");
    let spans = state.figure(StageView::Spans, None).count;
    assert!(spans > Some(0), "counts stay known without the stages");
}

#[test]
fn figures_of_all_tiles_are_the_sum_of_each() {
    let plan = plan(40, 0.6);
    let state = complete(&plan);
    for view in StageView::ALL.into_iter().filter(|&view| view != StageView::Input) {
        let each = plan.tiles().map(|tile| state.figure(view, Some(tile)).count);
        let sum: Option<usize> = each.sum();
        assert_eq!(state.figure(view, None).count, sum, "{view:?}");
    }
}

#[test]
fn stages_follow_one_another_and_end() {
    assert_eq!(StageView::Input.previous(), StageView::Input);
    assert_eq!(StageView::Navmesh.next(), StageView::Navmesh);
    for pair in StageView::ALL.windows(2) {
        assert_eq!((pair[0].next(), pair[1].previous()), (pair[1], pair[0]));
    }
}

#[test]
fn a_navmesh_from_a_file_takes_the_place_of_level_and_results() {
    let baked = complete(&plan(40, 0.6));
    let (navmesh, totals) = (baked.navmesh.clone().unwrap(), baked.totals);
    let mut session = Session::default();
    session.shown.chosen_tile = Some(TileCoord::new(9, 9));
    let source = LevelSource::File("some/where/level.bin".into());
    let look = Look { target: Vec3::ZERO, yaw: 0.0, pitch: 0.5, distance: 30.0, parallel: false };
    session.shown.look = Some(look);
    let opening = session.opening();
    session.open_navmesh(source.clone(), NavMesh::clone(&navmesh));
    assert_ne!(session.opening(), opening, "tasks about what was open end");
    assert_eq!(session.shown.look, None, "the camera shows all of it");
    session.shown.look = Some(look);
    session.open_navmesh(source, NavMesh::clone(&navmesh));
    assert_eq!(session.shown.look, Some(look), "the same file was read again");
    assert_eq!(session.name().as_deref(), Some("level.bin"));
    assert_eq!((session.shown.chosen_tile, session.is_stale()), (None, false));
    assert!(session.bake_input().is_none());
    let shown = session.bake.totals;
    assert!(shown.n_polys > 0 && shown.n_bytes > 0, "{shown:?}");
    assert_eq!((shown.n_polys, shown.area), (totals.n_polys, totals.area), "as of its bake");
}

/// Returns the plan of 128 × 128 tiles. 32-bit references have space for 256 polygons per tile; walls divide the first
/// tile into more.
fn crowded(refs: RefBits) -> Arc<BakePlan> {
    let side = 28.0 * 128.0;
    let mut vertices = vec![Vec3::ZERO, Vec3::Z * side, Vec3::new(side, 0.0, side), Vec3::X * side];
    let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
    for wall in 0..10_u8 {
        let start = Vec3::new(f32::from(wall) * 1.5 + 1.1, 0.0, 1.1);
        let end = start + Vec3::new(13.0, 0.0, 24.7);
        let [a, b, c, d] = [4, 5, 6, 7].map(|corner| corner + 4 * u32::from(wall));
        vertices.extend([start, end, start + Vec3::Y * 3.0, end + Vec3::Y * 3.0]);
        triangles.extend([[a, b, d], [a, d, c]]);
    }
    let settings = BakeSettings {
        cell_size: 0.5,
        cell_height: 0.5,
        agent_radius: 0.0,
        region_min_size: 0.0,
        edge_max_error: 0.1,
        tile_size: 56,
        refs,
        ..BakeSettings::default()
    };
    let mesh = Arc::new(TriMesh::new(vertices, triangles).unwrap());
    Arc::new(BakePlan::new(BakeInput::new(mesh, settings)).unwrap())
}

#[test]
fn references_become_wide_where_a_tile_has_too_many_polygons() {
    for refs in [RefBits::Auto, RefBits::Narrow] {
        let plan = crowded(refs);
        let mut state = BakeState::default();
        state.begin(Arc::clone(&plan), Prepared::No);
        let [crowd, plain, last] = [[0, 0], [5, 5], [9, 9]].map(|[x, z]| TileCoord::new(x, z));
        for coord in [plain, crowd, last] {
            state.land(coord, baked(&plan, coord, 1));
        }
        state.finish(std::time::Duration::ZERO);
        let (navmesh, is_free) = (state.navmesh.as_deref().unwrap(), refs == RefBits::Auto);
        assert_eq!(navmesh.width(), if is_free { RefWidth::Bits64 } else { RefWidth::Bits32 });
        assert_eq!(state.tiles[&crowd].error.is_none(), is_free);
        assert_eq!(navmesh.tiles().count(), if is_free { 3 } else { 2 });
        assert_eq!(plan.why_wide(navmesh).is_some(), is_free);
    }
}

/// Adds an obstacle, and returns the tile sizes of the document and of its agents.
fn sizes_with_another(session: &mut Session) -> Vec<u32> {
    let shape = ShapeKind::Box.dropped(Vec3::ZERO).unwrap();
    let (edit, item) = with_obstacle(session.document(), Obstacle { shape });
    carry_out(session, Command::Change(Phrase::verbatim("Drop"), edit));
    assert_eq!(item, SceneItem::Obstacle(session.document().obstacles.list.len() - 1));
    let document = session.document();
    let agents = document.agents.list.iter().map(|agent| agent.settings.tile_size);
    [document.settings.tile_size].into_iter().chain(agents).collect()
}

#[test]
fn the_first_obstacle_splits_the_level_into_tiles_for_each_agent_in_one_step() {
    let mut session = Session::default();
    session.history.change(Phrase::verbatim("agents"), |document| {
        let mut agents = document.agents.with_one_more(document);
        agents.list[1].settings.tile_size = 100;
        agents.list[1].settings.agent_radius = 1.5;
        document.take_agents(agents);
    });
    let before = session.document().clone();
    assert_eq!(sizes_with_another(&mut session), [48, 48, 100]);
    assert!(session.document().agents.list[1].settings.agent_radius > 1.4);
    session.history.undo();
    assert_eq!(*session.document(), before);
    session.history.redo();
    session
        .history
        .change(Phrase::verbatim("one piece"), |document| document.settings.tile_size = 0);
    assert_eq!(sizes_with_another(&mut session)[0], 0, "the user wants it so");
}

#[test]
fn tiles_that_can_be_split_into_layers_stay() {
    let mut session = Session::default();
    session.history.change(Phrase::verbatim("tiles"), |document| document.settings.tile_size = 32);
    assert_eq!(sizes_with_another(&mut session), [32]);
}
