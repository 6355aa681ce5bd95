//! Tests of the lab in the whole program: weights, maps, scenarios, water, and playback of queries.

use glam::Vec3;
use walkable::{
    bake::{AreaVolume, RawArea, VolumeShape},
    diagnostic::Phrase,
    geom::Aabb,
};
use walkable_editor::{
    command::{GroundCommand, LabCommand, PathCommand},
    pictures::{PictureId, Pictures, ViewHalf},
    session::{Edit, LabTab, Medium, Replay, Searcher},
};

use super::{baked, settle, trigger, *};
use crate::testing::{Find as _, picture};

#[test]
fn weights_lead_from_dijkstra_to_greed() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    trigger(&mut harness, Command::from(LabCommand::Tab(LabTab::Weights)));
    let sweep = harness.state().editor.session().lab.sweep.clone();
    assert!(sweep.len() > 10 && sweep.is_sorted_by(|a, b| a.weight < b.weight));
    for point in &sweep {
        // The tolerance covers rounding errors in a sum of roots.
        let bound = (point.weight - 1.0).max(0.0) + 1e-9;
        assert!((-1e-9..=bound).contains(&point.over), "{point:?}");
    }
    let at = |weight: f64| {
        let found = sweep.iter().find(|point| (point.weight - weight).abs() < 1e-9);
        found.expect("a weight that is tried").n_expanded
    };
    assert!(at(0.0) > at(1.0) && at(1.0) > at(5.0), "{sweep:?}");
    harness.by_id("lab.weight.0").click();
    settle(&mut harness);
    let expanded = |harness: &Harness<'_, App>| {
        let row = harness.state().editor.session().lab.row(Some(Searcher::AStarWeighted)).cloned();
        row.expect("an answer").effort.n_expanded
    };
    assert_eq!(expanded(&harness), at(0.0));
    harness.by_id("lab.weight.100").click();
    settle(&mut harness);
    assert!(expanded(&harness) < at(1.0));
    picture(&mut harness, "lab_weights");
    // The result follows the ends.
    let before = harness.state().editor.session().lab.swept;
    let end = harness.state().editor.session().path.end.expect("the sample has a path");
    trigger(&mut harness, Command::from(PathCommand::End(end + Vec3::X)));
    assert_ne!(harness.state().editor.session().lab.swept, before);
}

#[test]
fn a_comparison_follows_the_bake() {
    let mut harness = baked();
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    trigger(&mut harness, LabCommand::Run.into());
    let length = |harness: &Harness<'_, App>| {
        let row = harness.state().editor.session().lab.row(Some(Searcher::Detour)).cloned();
        row.expect("an answer").length.to_bits()
    };
    let before = length(&harness);
    let set = |harness: &mut Harness<'_, App>, radius: f32| {
        let edit = with_radius(&harness.state().editor.session().document().settings, radius);
        trigger(harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    };
    set(&mut harness, 1.5);
    assert_ne!(length(&harness), before, "the wide agent does not reach the end");
    // Without repetition, the panel says that the results are old.
    let stale = "An end of the path or the navmesh has changed since the comparison.";
    assert_eq!(harness.n_texts(stale), 0);
    trigger(&mut harness, LabCommand::Live(false).into());
    set(&mut harness, 0.6);
    assert_ne!(length(&harness), before);
    assert_eq!(harness.n_texts(stale), 1);
}

#[test]
fn searches_are_drawn_while_the_lab_is_visible() {
    let mut harness = baked();
    trigger(&mut harness, LabCommand::Run.into());
    let is_drawn = |harness: &Harness<'_, App>| {
        let session = harness.state().editor.session();
        let mut batches = Pictures::default().draw(session).batches.into_iter();
        batches.any(|batch| matches!(batch.id, PictureId::Search(_)))
    };
    assert!(is_drawn(&harness));
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    assert!(!is_drawn(&harness));
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    assert!(is_drawn(&harness));
}

#[test]
fn a_map_is_a_level_and_its_scenario_is_compared_with_its_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..12).map(|y| if y == 5 { "@@@@@@@@@@..\n" } else { "............\n" }).collect();
    let map = format!("type octile\nheight 12\nwidth 12\nmap\n{rows}");
    std::fs::write(folder.path().join("hall.map"), map).unwrap();
    let query = |ends: &str, length: &str| format!("0\thall.map\t12\t12\t{ends}\t{length}\n");
    // The second query is wrong on purpose.
    let queries = [
        query("0\t0\t11\t0", "11"),
        query("0\t0\t4\t0", "3"),
        query("0\t0\t4\t4", "5.65685425"),
        query("11\t0\t11\t11", "11"),
    ];
    let scenario = folder.path().join("hall.map.scen");
    std::fs::write(&scenario, format!("version 1\n{}", queries.concat())).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(scenario)));
    let session = &harness.state().editor.session();
    let map = session.opened.level.as_ref().and_then(|level| level.map.clone()).expect("a map");
    assert_eq!(map.queries.len(), 4);
    assert_eq!(session.path.end, Some(Vec3::new(11.5, 0.0, 11.5)), "of the last query");
    let path = session.path.answer.as_ref().expect("a navmesh over the map");
    assert_eq!(path.path.status, walkable::query::PathStatus::Complete);
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    harness.by_id("lab.tab.scenario").click();
    settle(&mut harness);
    harness.by_id("lab.run-scenario").click();
    settle(&mut harness);
    let batch = harness.state().editor.session().lab.batch.clone();
    assert_eq!(batch.error, None);
    assert!(batch.rows.len() >= 3, "{:?}", batch.rows);
    for row in &batch.rows {
        assert_eq!(row.n_queries, [4, 4]);
        let odd: Vec<_> = row.mismatches.iter().map(|mismatch| mismatch.query).collect();
        // Any-angle paths are only checked against a bound.
        let expected: &[usize] = if row.searcher == Searcher::Theta { &[] } else { &[1] };
        assert_eq!(odd, expected, "{:?}", row.searcher);
    }
    picture(&mut harness, "lab_scenario");
    harness.set_size(vec2(1800.0, 900.0));
    settle(&mut harness);
    click(&mut harness, "lab.mismatch.jps.1");
    assert_eq!(harness.state().editor.session().path.end, Some(Vec3::new(4.5, 0.0, 0.5)));
    trigger(&mut harness, Command::from(LabCommand::Query(3)));
    trigger(&mut harness, Command::from(LabCommand::Tab(LabTab::Compare)));
    trigger(&mut harness, Command::from(LabCommand::Run));
    let lab = &harness.state().editor.session().lab;
    let jps = lab.row(Some(Searcher::Jps)).expect("the map is a grid");
    assert!((jps.length - 11.0).abs() < 1e-6 && jps.why.is_none());
    trigger(&mut harness, Command::from(LabCommand::Choose(Some(Searcher::AStarOctile), None)));
    picture(&mut harness, "lab_map");
}

#[test]
fn a_voxel_map_is_a_level_and_its_scenario_is_compared_with_its_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let map = "voxel 4 3 4\n1 0 0\n1 1 0\n1 0 1\n1 1 1\n1 0 2\n1 1 2\n1 0 3\n";
    std::fs::write(folder.path().join("small.3dmap"), map).unwrap();
    let scenario = folder.path().join("small.3dmap.3dscen");
    // The last query is wrong on purpose.
    let queries = "0 0 0 0 0 3 3 1\n0 0 0 0 2 0 2 1\n0 0 0 0 0 2 1 1\n";
    std::fs::write(&scenario, format!("version 1\nsmall.3dmap\n{queries}")).unwrap();
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(scenario)));
    let session = &harness.state().editor.session();
    let map = session.opened.level.as_ref().and_then(|level| level.map.clone()).expect("a map");
    assert_eq!(map.queries.len(), 3);
    trigger(&mut harness, Command::ShowPanel(Pane::Lab));
    harness.by_id("lab.tab.scenario").click();
    settle(&mut harness);
    trigger(&mut harness, Command::from(LabCommand::Want(Searcher::Dense26, true)));
    harness.by_id("lab.run-scenario").click();
    settle(&mut harness);
    let batch = harness.state().editor.session().lab.batch.clone();
    assert_eq!(batch.error, None);
    let blamed = |searcher| {
        let row = batch.rows.iter().find(|row| row.searcher == searcher).expect("it was asked");
        assert_eq!(row.n_queries, [3, 3]);
        row.mismatches.iter().map(|mismatch| mismatch.query).collect::<Vec<_>>()
    };
    assert_eq!(blamed(Searcher::Dense26), [2]);
    picture(&mut harness, "lab_scenario_3d");
}

#[test]
fn swimmers_stay_in_water() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(LabCommand::Want(Searcher::Swim, true)));
    let ends = [Vec3::new(10.0, 0.0, 4.0), Vec3::new(13.0, 0.0, 8.0)];
    trigger(&mut harness, Command::from(PathCommand::Start(ends[0])));
    trigger(&mut harness, Command::from(PathCommand::End(ends[1])));
    trigger(&mut harness, Command::Change(Phrase::verbatim("Empty"), Edit::Volumes(Vec::new())));
    trigger(&mut harness, Command::from(LabCommand::Run));
    let refused = harness.state().editor.session().lab.refused.clone();
    assert!(
        refused
            .iter()
            .any(|(medium, why)| *medium == Medium::Water && why.to_string().contains("water"))
    );
    let pool = Aabb::new(Vec3::new(8.0, -1.0, 2.0), Vec3::new(15.0, 4.0, 10.0));
    let water = AreaVolume::new(RawArea(1), VolumeShape::Box(pool));
    let water = vec![water.into()];
    trigger(&mut harness, Command::Change(Phrase::verbatim("Flood"), Edit::Volumes(water)));
    trigger(&mut harness, Command::from(LabCommand::Run));
    let lab = &harness.state().editor.session().lab;
    let swim = lab.row(Some(Searcher::Swim)).expect("an answer");
    assert_eq!(swim.why, None);
    assert!(
        swim.points
            .iter()
            .all(|&point| { pool.min.cmple(point).all() && point.cmple(pool.max).all() })
    );
}

#[test]
fn too_many_cells_are_refused_with_a_size_that_fits() {
    let mut harness = baked();
    let settings = harness.state().editor.session().lab.settings;
    let fine =
        walkable_editor::session::LabSettings { cell_size: 0.005, voxel_size: 0.02, ..settings };
    trigger(&mut harness, Command::from(LabCommand::Set(fine)));
    trigger(&mut harness, Command::from(LabCommand::Run));
    let lab = &harness.state().editor.session().lab;
    let why = |medium| lab.refused.iter().find(|(own, _)| *own == medium).map(|(_, why)| why);
    assert!(
        why(Medium::Grid)
            .is_some_and(|why| why.to_string().contains("choose cells of 0.05 m or more"))
    );
    assert!(
        why(Medium::Voxels).is_some_and(|why| why.to_string().contains("choose voxels of")),
        "{:?}",
        lab.refused
    );
    assert!(lab.row(Some(Searcher::Detour)).is_some(), "the others answer");
}

#[test]
fn two_searches_stand_side_by_side_in_step() {
    let mut harness = baked();
    harness.state_mut().editor.session_mut().lab.wanted =
        [Searcher::AStarOctile, Searcher::Jps].into();
    trigger(&mut harness, Command::from(LabCommand::Run));
    let both = LabCommand::Choose(Some(Searcher::AStarOctile), Some(Searcher::Jps));
    trigger(&mut harness, Command::from(both));
    trigger(&mut harness, Command::from(LabCommand::Tab(LabTab::Playback)));
    let n = harness.state().editor.session().lab.n_steps();
    trigger(&mut harness, Command::from(LabCommand::Show(Replay::at(n / 2))));
    assert!(harness.state().editor.session().lab.is_split());
    let told = |harness: &Harness<'_, App>, text: &str| harness.n_texts_with(text);
    // There are few jump points, so that search has already finished.
    for row in harness.state().editor.session().lab.drawn() {
        let (lab, all) = (&harness.state().editor.session().lab, row.recording.n_expansions());
        let [shown, all] = [lab.shown(row), all].map(format::count);
        harness.text(&format!("{shown} of {all} expanded"));
    }
    assert_eq!(told(&harness, "cost so far, g "), 1);
    picture(&mut harness, "lab_side_by_side");
    harness.state_mut().editor.prefs_mut().light = true;
    harness.step();
    harness.step();
    picture(&mut harness, "light_lab_side_by_side");
    harness.by_id("lab.overlay").click();
    settle(&mut harness);
    assert!(!harness.state().editor.session().lab.is_split());
    assert_eq!(told(&harness, "cost so far, g "), 0);
    picture(&mut harness, "lab_overlaid");
    harness.by_id("lab.side-by-side").click();
    settle(&mut harness);
    assert!(harness.state().editor.session().lab.is_split());
}

#[test]
fn all_that_is_drawn_has_a_picture_of_its_own() {
    let mut harness = baked();
    let document = harness.state().editor.session().document();
    let settings = BakeSettings { tile_size: 32, ..document.settings.clone() };
    let edit = Edit::Settings(Box::new(settings));
    trigger(&mut harness, Command::Change(Phrase::verbatim("Smaller tiles"), edit));
    harness.state_mut().editor.session_mut().lab.wanted =
        [Searcher::AStarOctile, Searcher::Jps].into();
    trigger(&mut harness, Command::from(LabCommand::Run));
    let both = LabCommand::Choose(Some(Searcher::AStarOctile), Some(Searcher::Jps));
    trigger(&mut harness, Command::from(both));
    let corner = walkable::ids::TileCoord::new(0, 0);
    trigger(&mut harness, Command::from(GroundCommand::RemoveTile(corner)));
    assert!(harness.state().editor.session().lab.is_split());
    let batches = Pictures::draw_at_once(harness.state().editor.session());
    let mut names: Vec<_> = batches.iter().map(|batch| batch.id).collect();
    for name in
        [PictureId::Search(ViewHalf::Left), PictureId::Search(ViewHalf::Right), PictureId::Removed]
    {
        assert!(names.contains(&name), "no {name:?} among {names:?}");
    }
    names.sort_unstable();
    let n_batches = names.len();
    names.dedup();
    assert_eq!(names.len(), n_batches, "two batches have the same id");
}
