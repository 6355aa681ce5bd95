use std::{sync::Arc, thread, time::Duration};

use eframe::egui::Key;
use egui_kittest::Harness;
use glam::Vec3;
use walkable::{
    bake::{AreaVolume, RawArea, VolumeShape},
    diagnostic::Phrase,
    explain::Fix,
    geom::Aabb,
    ids::TileCoord,
    monitor::Unmonitored,
};
use walkable_editor::{
    command::{
        Command, DisplayCommand, FixCommand, Group, PathCommand, SceneItemCommand, ViewCommand,
        variant_id,
    },
    jobs::{answer::AnswerJob, fixes::FixRequest, slot::JobEvent},
    session::{
        BakeProgress, DataList, Datum, Edit, FixTarget, FoundFixes, Hover, NewVolume, SavedPlace,
        SceneItem, Session, SessionView, ToolKind, new_link, with_link,
    },
    task::TaskId,
    testing,
};

use super::InspectorPanel;
use crate::testing::{Bench, Find as _, bench, picture};

type Window = Harness<'static, Bench<InspectorPanel>>;

fn window(session: Session) -> Window {
    bench([290.0, 780.0], session, |panel, ui, view, out| panel.ui(ui, view, out))
}

fn hovering(at: [f32; 3]) -> Session {
    let mut session = testing::baked();
    session.tools.hover = Some(Hover { point: Vec3::from(at), triangle: None });
    session
}

#[test]
fn says_what_to_do_first() {
    let window = window(Session::default());
    window.text_with("Point at the level");
}

#[test]
fn shows_the_size_of_the_navmesh_while_nothing_is_pointed_at() {
    let session = testing::baked();
    let n_polygons = session.bake.totals.n_polys;
    let window = window(session);
    window.text_with("Point at the level");
    window.text_with("Polygons");
    window.text(&n_polygons.to_string());
}

#[test]
fn one_line_says_what_it_is_and_why() {
    let cases = [
        ([13.0, 1.732, 6.0], "not walkable: slope 60.0° > 45.0°"),
        ([5.5, 0.0, 5.5], "not walkable: head room 1 m < 2 m"),
        ([20.0, 0.0, 20.0], "walkable · area Ground · region "),
    ];
    let panel = InspectorPanel::default();
    for (at, expected) in cases {
        let session = hovering(at);
        let view = SessionView { session: &session, auto_bake: true };
        let line = panel.hover_line(&view).map(|line| line.text).unwrap_or_default();
        assert!(line.starts_with(expected), "{at:?}: {line}");
    }
    let outside = hovering([-5.0, 0.0, 0.0]);
    let view = SessionView { session: &outside, auto_bake: true };
    assert!(panel.hover_line(&view).is_none());
}

#[test]
fn a_tile_whose_turn_has_not_come_waits_for_its_bake() {
    let mut session = hovering([20.0, 0.0, 20.0]);
    // Without the navmesh, the place is on no polygon.
    (session.bake.navmesh, session.bake.progress) = (None, None);
    session.bake.tiles.remove(&TileCoord::new(2, 2)).expect("the place is in this tile");
    let mut window = window(session);
    window.text_with("Nothing is known about this place");
    window.state_mut().session.bake.progress = Some(BakeProgress {
        n_done: 3,
        n_tiles: 9,
        stage: None,
        elapsed: Duration::ZERO,
        left: None,
        estimate: None,
    });
    window.run();
    assert_eq!(window.n_texts_with("Nothing is known about this place"), 0);
    window.text("Tile 2,2 waits for its bake");
    window.text("3 of 9 tiles are baked.");
    let session = &window.state().session;
    let line = InspectorPanel::default().hover_line(&SessionView { session, auto_bake: true });
    let line = line.map(|line| (line.text, line.is_walkable));
    assert_eq!(line, Some(("tile 2,2 waits for its bake".to_owned(), None)));
}

#[test]
fn a_lost_place_shows_the_stage_that_lost_it() {
    let mut window = window(hovering([5.5, 0.0, 5.5]));
    window.text("Not walkable: head room 1 m < 2 m");
    window.text("Filtered");
    assert!(window.n_texts("Eroded") == 0, "later stages never saw it");
    window.text_with("0.8 m above");
    picture(&mut window, "inspector_lost");
}

/// Returns a session with the ramp of 60° selected.
fn ramp() -> Session {
    let mut session = hovering([0.0; 3]);
    let place = Hover { point: Vec3::new(13.0, 1.732, 6.0), triangle: None };
    session.tools.hover = None;
    session.tools.selection = Some(place);
    session
}

#[test]
fn fixes_of_a_lost_place_are_found_and_applied_by_a_click() {
    let mut window = window(ramp());
    window.by_id("fix.find-place").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(FixCommand::Find(FixTarget::Place))]);

    let mut session = ramp();
    let request = FixRequest::of(&session, FixTarget::Place).unwrap();
    let found: FoundFixes = request.search(&mut |_| {}, &Unmonitored).unwrap();
    session.ask_for_fixes(FixTarget::Place);
    session.fixes.land(Ok(found.clone()));
    session.running.remove(TaskId::Fixes.into());
    let mut window = self::window(session);
    assert!(window.n_texts_with("Max slope: 60.1°") > 0);
    assert!(window.n_texts_with("Tried: works.") > 0);
    window.by_id("fix.apply.2").click();
    window.run();
    let fix: Box<Fix> = Box::new(found.fixes[1].clone());
    assert_eq!(window.state_mut().take(), [Command::from(FixCommand::Apply(fix))]);
    picture(&mut window, "inspector_fixes");
}

#[test]
fn a_walkable_place_shows_its_polygon_and_tile() {
    let mut window = window(hovering([20.0, 0.0, 20.0]));
    for text in ["Under the cursor", "Reference", "Flags", "Tile data", "Tile 2,2"] {
        window.text(text);
    }
    picture(&mut window, "inspector_walkable");
    let top = |label: &str| window.text(label).top();
    let verdict = window.text_with("Walkable · area Ground").top();
    let order =
        [verdict, top("x y z, m"), top("Reference"), top("Stage by stage"), top("Tile data")];
    assert!(order.is_sorted(), "verdict, place, polygon, stages, tile: {order:?}");
}

#[test]
fn a_selected_place_stays_until_it_is_deselected() {
    let mut session = hovering([5.5, 0.0, 5.5]);
    session.tools.selection = Some(Hover { point: Vec3::new(20.0, 0.0, 20.0), triangle: None });
    let mut window = window(session);
    window.text("Selected place");
    window.by_id("inspect.tile-alone").click();
    window.run();
    window.by_id("inspect.let-go").click();
    window.run();
    let chosen = Command::from(ViewCommand::Tile(Some(TileCoord::new(2, 2))));
    assert_eq!(window.state_mut().take(), [chosen, Command::Select(None)]);
}

#[test]
fn results_of_older_settings_say_so() {
    let mut session = hovering([20.0, 0.0, 20.0]);
    session
        .history
        .change(Phrase::verbatim("later"), |document| document.settings.agent_radius = 1.0);
    let window = window(session);
    window.text_with("settings have changed since");
}

#[test]
fn stages_that_were_not_kept_are_baked_again() {
    let mut session = hovering([5.5, 0.0, 5.5]);
    session.bake.stages.set_budget(0);
    session.bake.stages.set_budget(1 << 30);
    let mut window = window(session);
    window.text("Inspecting the tile…");
    let session = &mut window.state_mut().session;
    let wanted = session.wanted_stages();
    assert_eq!(wanted.len(), 1, "the tile under the cursor");
    let mut job = AnswerJob::new(Arc::new(|| ()));
    job.start(&wanted);
    while job.is_busy() {
        for event in job.poll() {
            if let JobEvent::Message((tile, stages)) = event {
                session.land_stages(tile, stages);
            }
        }
        thread::yield_now();
    }
    window.run();
    window.text("Not walkable: head room 1 m < 2 m");
}

#[test]
fn a_selected_place_can_be_kept() {
    let mut session = testing::baked();
    session.tools.selection = Some(Hover { point: Vec3::new(20.0, 0.0, 20.0), triangle: None });
    let mut window = window(session);
    window.by_id("view.keep-place").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(ViewCommand::KeepPlace)]);
}

#[test]
fn a_kept_place_is_where_a_path_can_start() {
    let mut session = testing::baked();
    let at = Vec3::new(3.0, 0.0, 4.0);
    let places = vec![SavedPlace { at }.into()];
    session
        .history
        .change(Phrase::verbatim("Keep"), |document| Edit::Places(places).apply(document));
    session.tools.selected_items = SceneItem::Place(0).into();
    let mut window = window(session);
    window.text("3.00 0.00 4.00");
    for id in ["path.start", "view.look-at"] {
        window.by_id(id).click();
        window.run();
    }
    let expected = [Command::from(PathCommand::Start(at)), Command::from(ViewCommand::LookAt(at))];
    assert_eq!(window.state_mut().take(), expected);
    picture(&mut window, "inspector_place");
}

#[test]
fn the_number_of_a_link_is_typed() {
    let mut session = testing::baked();
    let link = new_link(session.document(), Vec3::ZERO, Vec3::X);
    let (edit, item) = with_link(session.document(), link);
    session.history.change(Phrase::verbatim("Link"), |document| edit.apply(document));
    session.tools.selected_items = item.into();
    let mut window = window(session);
    window.by_id("link.user-id").click();
    window.run();
    window.by_id("link.user-id").type_text("77");
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(window.state().session.document().off_mesh[0].user_id, 77);
    picture(&mut window, "inspector_link");
}

#[test]
fn the_data_of_a_tile_are_a_tree_that_points_into_the_view() {
    let mut session = testing::baked();
    session.tools.selection = Some(Hover { point: Vec3::new(2.0, 0.0, 2.0), triangle: None });
    let mut window =
        bench([320.0, 2000.0], session, |panel: &mut InspectorPanel, ui, view, out| {
            panel.ui(ui, view, out);
        });
    window.by_id("data.layer.0").click();
    window.run();
    for list in [DataList::Polygons, DataList::Corners, DataList::Triangles, DataList::Nodes] {
        window.by_id(format!("data.{}", variant_id(list))).click();
        window.run();
    }
    window.state_mut().take();
    for (row, list) in [
        ("0: Ground, ", DataList::Polygons),
        ("0: polygon 0, corners", DataList::Triangles),
        ("0: box, ", DataList::Nodes),
    ] {
        assert!(window.n_texts_with(row) > 0, "{row}");
        window.by_id(format!("data.{}.0", variant_id(list))).hover();
        window.run();
        let sent = window.state_mut().take();
        let Some(Command::Group(Group::Display(DisplayCommand::PointAtDatum(Some(datum))))) =
            sent.last()
        else {
            panic!("{row}: {sent:?}");
        };
        assert_eq!((datum.list, datum.index), (list, 0), "{row}");
        let navmesh = window.state().session.bake.navmesh.clone().unwrap();
        assert!(!datum.picture(&navmesh).lines.is_empty(), "{row}");
        let outside = Datum { index: usize::MAX, ..*datum };
        assert!(outside.picture(&navmesh).lines.is_empty() && outside.place(&navmesh).is_none());
    }
    picture(&mut window, "inspector_data");
    window.by_id("data.polygons.0").click();
    window.run();
    let sent = window.state_mut().take();
    assert!(sent.iter().any(|command| matches!(command, Command::Select(Some(_)))), "{sent:?}");
}

#[test]
fn what_the_next_volume_will_be_is_typed() {
    let mut session = testing::baked();
    session.tools.tool = ToolKind::Volume;
    let mut window = window(session);
    for (id, text) in [("volume.below", "0.25"), ("volume.above", "2.5"), ("volume.margin", "0.5")]
    {
        window.by_id(id).click();
        window.run();
        window.by_id(id).type_text(text);
        window.key_press(Key::Enter);
        window.run();
        let sent = window.state_mut().take();
        let [Command::Group(Group::SceneItem(SceneItemCommand::NextVolume(next)))] = sent[..]
        else {
            panic!("{sent:?}")
        };
        window.state_mut().session.tools.new_volume = next;
    }
    let next = window.state().session.tools.new_volume;
    let expected = NewVolume { below: 0.25, above: 2.5, margin: 0.5, ..NewVolume::default() };
    assert_eq!(next, expected);
    picture(&mut window, "inspector_new_volume");
}

#[test]
fn the_margin_of_a_volume_is_switched_on_if_it_is_not_walkable() {
    let mut session = testing::baked();
    let shape = VolumeShape::Box(Aabb::new(Vec3::ZERO, Vec3::ONE));
    let volume = AreaVolume::new(RawArea::NULL, shape);
    session
        .history
        .change(Phrase::verbatim("Place"), |document| document.volumes = vec![volume.into()]);
    session.tools.selected_items = Some(SceneItem::Volume(0)).into();
    let mut window = window(session);
    window.by_id("volume.erode").click();
    window.run();
    let volume = |window: &Window| window.state().session.document().volumes[0].clone();
    assert!(volume(&window).erode);
    assert_eq!(window.state().session.history.undo_label().as_deref(), Some("Change volume"));
    picture(&mut window, "inspector_volume_margin");
    window.state_mut().session.history.undo();
    assert!(!volume(&window).erode);
    window.state_mut().session.history.change(Phrase::verbatim("Water"), |document| {
        document.volumes[0].area = RawArea(1);
    });
    window.run();
    assert!(window.find_id("volume.erode").is_none());
}

#[test]
fn the_ends_of_a_link_are_typed() {
    let mut session = testing::baked();
    let link = new_link(session.document(), Vec3::new(1.0, 0.0, 1.0), Vec3::new(9.0, 0.0, 9.0));
    let (edit, item) = with_link(session.document(), link);
    session.history.change(Phrase::verbatim("Place"), |document| edit.apply(document));
    session.tools.selected_items = Some(item).into();
    let mut window = window(session);
    for (id, text) in [("link.start.x", "2*0.75"), ("link.end.y", "50cm"), ("link.end.z", "-1")] {
        window.by_id(id).click();
        window.run();
        window.by_id(id).type_text(text);
        window.key_press(Key::Enter);
        window.run();
    }
    let link = |window: &Window| window.state().session.document().off_mesh[0].of;
    assert_eq!(link(&window).start, Vec3::new(1.5, 0.0, 1.0));
    assert_eq!(link(&window).end, Vec3::new(9.0, 0.5, -1.0));
    assert_eq!(
        window.state().session.history.undo_label().as_deref(),
        Some("Change off-mesh link")
    );
    picture(&mut window, "inspector_link_ends");
    window.state_mut().session.history.undo();
    assert_eq!(link(&window).end, Vec3::new(9.0, 0.5, 9.0), "one step for each value");
}
