//! Tests of the pictures of tiles: blocks, budget, evicted stages.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use glam::Vec3;
use walkable::{
    bake::{BakeConfig, BakeOutput, BakePlan, BakeSettings, bake_tile},
    diagnostic::Phrase,
    ids::TileCoord,
    mesh::{ImportOptions, TriMesh},
    monitor::Unmonitored,
    navmesh::NavMesh,
};
use walkable_workspace::runner::StageTimes;

use super::*;
use crate::{
    jobs::open::prepared,
    session::{ColorBy, Hover, LevelSource, Look, Overlay, Prepared, TileResult},
};

/// Returns a floor of 42 m in tiles of this many voxels, baked.
fn session(tile_size: u32) -> Session {
    const SIDE: f32 = 42.0;
    let corners = [[0.0, 0.0], [0.0, SIDE], [SIDE, SIDE], [SIDE, 0.0]];
    let corners = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
    let mesh = TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let source = LevelSource::Builtin("floor".to_owned());
    let level = prepared(mesh, ImportOptions::default(), &source, Vec::new());
    let settings = BakeSettings { tile_size, agent_radius: 0.3, ..BakeSettings::default() };
    let mut session = Session::default();
    session.open(level, Some(BakeConfig { settings, ..BakeConfig::default() }));
    let plan = Arc::new(BakePlan::new(session.bake_input().unwrap()).unwrap());
    session.bake.begin(Arc::clone(&plan), Prepared::No);
    plan.tiles().for_each(|coord| land(&mut session, &plan, coord));
    session.bake.finish(Duration::ZERO);
    session
}

fn land(session: &mut Session, plan: &BakePlan, coord: TileCoord) {
    let bake = bake_tile(plan, coord, BakeOutput::Stages, &Unmonitored).unwrap();
    session.land(TileResult::baked(bake, StageTimes::default(), session.revision()));
}

/// Draws until all pictures are complete; bakes tiles again whose stages are needed.
fn settle(pictures: &mut Pictures, session: &mut Session) -> DrawnPictures {
    loop {
        let drawn = pictures.draw(session);
        let budget = session.bake.stages.budget();
        session.view_stages(drawn.wanted.clone());
        let wanted = session.wanted_stages();
        if wanted.is_empty() && !drawn.unfinished {
            return drawn;
        }
        for (plan, key) in wanted {
            let bake = bake_tile(&plan, key.coord, BakeOutput::Stages, &Unmonitored).unwrap();
            session.land_stages(key, bake.stages.map(|stages| Arc::new(*stages)));
            assert!(session.bake.stages.n_bytes() <= budget);
        }
    }
}

/// Returns the number of triangles, lines and blocks of all tiles.
fn amount(batches: &[Batch]) -> [usize; 3] {
    let lists = batches.iter().flat_map(Batch::lists);
    lists.fold([0; 3], |[a, b, c], list| {
        [a + list.triangles.len(), b + list.lines.len(), c + list.blocks.len()]
    })
}

fn look_at(session: &mut Session, x: f32, z: f32) {
    let target = Vec3::new(x, 0.0, z);
    session.shown.look =
        Some(Look { target, yaw: 0.0, pitch: 0.5, distance: 30.0, parallel: false });
}

#[test]
fn many_tiles_are_drawn_in_blocks_and_a_new_one_changes_its_own_block_only() {
    let mut session = session(8);
    assert_eq!(session.bake.tiles.len(), 18 * 18);
    let mut pictures = Pictures::default();
    let revisions = |drawn: &DrawnPictures| -> BTreeMap<PictureId, u64> {
        let blocks = drawn.batches.iter().filter(|batch| batch.lists.len() > 1);
        blocks.map(|batch| (batch.id, batch.revision)).collect()
    };
    let first = settle(&mut pictures, &mut session);
    let n_lists: usize = first.batches.iter().map(|batch| batch.lists.len()).sum();
    assert!(n_lists >= 18 * 18, "{n_lists}");
    let before = revisions(&first);
    assert_eq!(before.len(), 9);
    assert_eq!(revisions(&settle(&mut pictures, &mut session)), before);
    let plan = session.bake.plan.clone().unwrap();
    land(&mut session, &plan, TileCoord::new(9, 1));
    let after = revisions(&settle(&mut pictures, &mut session));
    let changed = before.iter().filter(|(id, revision)| after.get(id) != Some(revision));
    assert_eq!((after.len(), changed.count()), (9, 1));
}

#[test]
fn blocks_show_what_single_tiles_show() {
    let mut session = session(8);
    let blocks = settle(&mut Pictures::default(), &mut session);
    let mut singles = [0; 3];
    for coord in session.bake.tiles.keys().copied().collect::<Vec<_>>() {
        session.shown.chosen_tile = Some(coord);
        let single = settle(&mut Pictures::default(), &mut session);
        singles = std::array::from_fn(|kind| singles[kind] + amount(&single.batches)[kind]);
    }
    assert_eq!(amount(&blocks.batches), singles);
}

#[test]
fn pictures_keep_to_their_budget_and_follow_the_eye() {
    let mut session = session(8);
    session.shown.stage = StageView::Spans;
    look_at(&mut session, 0.0, 0.0);
    let mut pictures = Pictures::default();
    let all = settle(&mut pictures, &mut session);
    assert_eq!(all.n_left_out, 0);
    let budget = pictures.n_bytes() / 3;
    pictures.set_budget(budget);
    assert!(pictures.n_bytes() <= budget);
    let shown = |drawn: &DrawnPictures| -> BTreeSet<PictureId> {
        drawn.batches.iter().filter(|batch| batch.lists.len() > 1).map(|batch| batch.id).collect()
    };
    let near_start = settle(&mut pictures, &mut session);
    assert!(pictures.n_bytes() <= budget);
    assert!((200..300).contains(&near_start.n_left_out), "{}", near_start.n_left_out);
    let again = settle(&mut pictures, &mut session);
    assert_eq!(amount(&again.batches), amount(&near_start.batches), "nothing comes and goes");
    look_at(&mut session, 42.0, 42.0);
    let near_end = settle(&mut pictures, &mut session);
    assert!(pictures.n_bytes() <= budget);
    assert!(near_end.n_left_out > 200);
    assert!(shown(&near_start).is_disjoint(&shown(&near_end)) || shown(&near_end).len() < 9);
    look_at(&mut session, 0.0, 0.0);
    let back = settle(&mut pictures, &mut session);
    assert_eq!(shown(&back), shown(&near_start));
}

#[test]
fn stages_that_were_dropped_are_seen_as_before() {
    for (stage, color_by) in [
        (StageView::Spans, ColorBy::Area),
        (StageView::Regions, ColorBy::Area),
        (StageView::Contours, ColorBy::Area),
        (StageView::Polygons, ColorBy::Slope),
        (StageView::Navmesh, ColorBy::Region),
    ] {
        let mut session = session(24);
        (session.shown.stage, session.shown.display.color_by) = (stage, color_by);
        let kept = settle(&mut Pictures::default(), &mut session);
        let one = session.bake.stages.n_bytes() / session.bake.tiles.len();
        session.bake.stages.set_budget(3 * one);
        let mut pictures = Pictures::default();
        assert!(!pictures.draw(&session).wanted.is_empty(), "{stage:?}");
        let again = settle(&mut pictures, &mut session);
        let lists = |drawn: &DrawnPictures| -> Vec<DrawList> {
            drawn.batches.iter().flat_map(Batch::lists).cloned().collect()
        };
        assert!(lists(&again) == lists(&kept), "{stage:?}");
    }
}

#[test]
fn clusters_have_a_color_each_and_follow_navmesh_and_filter() {
    // 3 by 3 cells of 4 by 4 tiles.
    let mut session = session(16);
    session.shown.stage = StageView::Navmesh;
    session.shown.display.color_by = ColorBy::Cluster;
    session.shown.display.toggle_overlay(Overlay::ClusterLinks);
    let mut pictures = Pictures { at_once: true, ..Pictures::default() };
    let mut draw = |session: &mut Session| {
        let batches = settle(&mut pictures, session).batches;
        let (overlays, others): (Vec<_>, Vec<_>) = batches
            .into_iter()
            .partition(|batch| batch.id == PictureId::Overlay(Overlay::ClusterLinks));
        let lists = others.iter().flat_map(Batch::lists);
        let triangles = lists.flat_map(|list| &list.triangles);
        let hues: BTreeSet<u32> = triangles
            .filter_map(|triangle| match triangle.paint {
                Paint::Hue(hue) => Some(hue),
                _ => None,
            })
            .collect();
        let n_lines: usize =
            overlays.iter().flat_map(Batch::lists).map(|list| list.lines.len()).sum();
        (hues.len(), n_lines / 16)
    };
    assert_eq!(draw(&mut session), (9, 12));
    // If the filter allows no ground, each polygon is a cluster of its own, and nothing is linked.
    session.path.filter.include_flags = 0;
    let (n_hues, n_links) = draw(&mut session);
    assert!(n_hues > 20 && n_links == 0, "{n_hues} {n_links}");
    session.path.filter.include_flags = 0xffff;
    assert_eq!(draw(&mut session), (9, 12));
    // After a tile was removed, its cell is still connected.
    let mut navmesh = NavMesh::clone(session.bake.navmesh.as_deref().unwrap());
    navmesh.remove_tiles_at(TileCoord::new(5, 5));
    session.bake.navmesh = Some(Arc::new(navmesh));
    session.bake.navmesh_serial += 1;
    assert_eq!(draw(&mut session).1, 12);
    session.shown.display.toggle_overlay(Overlay::ClusterLinks);
    session.shown.display.color_by = ColorBy::Area;
    draw(&mut session);
    assert!(pictures.clusters.overlay().is_none(), "they are freed");
}

#[test]
fn before_the_polygons_the_path_is_faint_and_only_a_line() {
    let mut session = session(32);
    (session.path.start, session.path.end) =
        (Some(Vec3::new(4.0, 0.0, 4.0)), Some(Vec3::new(38.0, 0.0, 30.0)));
    session.update_path();
    session.path.show.expanded = true;
    for (stage, opacity, n_kinds) in [
        (StageView::Navmesh, 1.0, 3),
        (StageView::Detail, 1.0, 3),
        (StageView::Input, 0.25, 0),
        (StageView::Contours, 0.25, 0),
    ] {
        session.shown.stage = stage;
        let batches = Pictures::draw_at_once(&session);
        let path = batches.iter().find(|batch| batch.id == PictureId::Path).unwrap();
        assert!((path.opacity - opacity).abs() < 1e-6, "{stage:?}: {}", path.opacity);
        let lists = || path.lists();
        let has = |paint: fn(Paint) -> bool| {
            lists().any(|list| {
                let fills = list.triangles.iter().map(|triangle| triangle.paint);
                fills.chain(list.lines.iter().map(|line| line.paint)).any(paint)
            })
        };
        assert!(has(|paint| paint == Paint::Path), "{stage:?}");
        let cell_height = session.document().settings.cell_height;
        let rise = if stage == StageView::Detail { cell_height } else { 0.0 };
        let lowest = session.path.answer.as_ref().unwrap().path.points[0].y;
        assert!((path.lists().next().unwrap().bounds().min.y - lowest - rise).abs() < 1e-4);
        let kinds = [
            has(|paint| paint == Paint::Corridor),
            has(|paint| paint == Paint::PathPortal),
            has(|paint| matches!(paint, Paint::Expanded(_))),
        ];
        assert_eq!(kinds.iter().filter(|is_drawn| **is_drawn).count(), n_kinds, "{stage:?}");
    }
}

/// What a batch shows, and how.
type Shown = (PictureId, [f32; 2], ViewHalf, bool, [usize; 3]);

fn shown(batches: &[Batch]) -> Vec<Shown> {
    let one = |batch: &Batch| {
        let figures = [batch.opacity, batch.distance];
        (batch.id, figures, batch.half, batch.under, amount(std::slice::from_ref(batch)))
    };
    batches.iter().map(one).collect()
}

#[test]
fn tiles_that_are_kept_from_frame_to_frame_are_those_that_a_new_drawing_shows() {
    type Change = fn(&mut Session);
    let changes: [(&str, Change); 9] = [
        ("nothing", |_| {}),
        ("the pointer", |session| {
            session.tools.hover = Some(Hover { point: Vec3::ONE, triangle: None });
        }),
        ("the view's center", |session| look_at(session, 30.0, 5.0)),
        ("the selection", |session| {
            session.tools.selection = Some(Hover { point: Vec3::ZERO, triangle: None });
        }),
        ("the stage's opacity", |session| session.shown.display.stage = 0.5),
        ("a stage under it", |session| {
            session.shown.display.put_under(StageView::Regions, Some(0.3));
        }),
        ("the settings", |session| {
            session.history.change(Phrase::verbatim("Radius"), |document| {
                document.settings.agent_radius = 0.5;
            });
        }),
        ("a tile", |session| {
            let now = session.revision();
            session.bake.tiles.get_mut(&TileCoord::new(1, 1)).unwrap().revision = now;
        }),
        ("the chosen tile", |session| session.shown.chosen_tile = Some(TileCoord::new(2, 3))),
    ];
    let mut session = session(8);
    look_at(&mut session, 0.0, 0.0);
    let mut kept = Pictures::default();
    for (what, change) in changes {
        change(&mut session);
        let new = settle(&mut Pictures::default(), &mut session);
        for again in 0..2 {
            let now = settle(&mut kept, &mut session);
            assert_eq!(shown(&now.batches), shown(&new.batches), "{what}, {again}");
        }
        let n_passes = kept.n_passes;
        kept.draw(&session);
        assert_eq!(kept.n_passes, n_passes, "{what}: tiles were looked up again");
    }
}
