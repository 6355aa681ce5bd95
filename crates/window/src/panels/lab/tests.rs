//! Tests of the lab, control by control.

use eframe::egui;
use egui_kittest::Harness;
use glam::Vec3;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, ExportKind, LabCommand, variant_id},
    searches::EstimateArg,
    session::{LabTab, Measure, Medium, Replay, Searcher, Session, Speed},
    testing::lab_row,
};

use super::lab_ui;
use crate::testing::{Bench, Find as _, bench, picture};

fn answered() -> Session {
    let mut session = Session::default();
    (session.path_mut().start, session.path_mut().end) = (Some(Vec3::ZERO), Some(Vec3::X));
    for searcher in [Searcher::Detour, Searcher::AStarOctile, Searcher::Jps, Searcher::Flight] {
        session.lab_mut().land(lab_row(searcher, 4.0));
    }
    session
}

fn window(session: Session) -> Harness<'static, Bench<()>> {
    bench([1500.0, 420.0], session, |(), ui, view, out| lab_ui(ui, view, out))
}

fn click(window: &mut Harness<'_, Bench<()>>, id: &str) -> Vec<Command> {
    window.by_id(id).click();
    window.run();
    window.state_mut().take()
}

fn lab(command: LabCommand) -> Vec<Command> {
    vec![command.into()]
}

#[test]
fn an_empty_lab_says_what_to_do_first() {
    let mut window = window(Session::default());
    window.text("Place a path's start and end to compare searches.");
    assert_eq!(click(&mut window, "lab.run"), lab(LabCommand::Run));
    assert_eq!(click(&mut window, "lab.tab.playback"), lab(LabCommand::Tab(LabTab::Playback)));
    picture(&mut window, "lab_empty");
}

#[test]
fn refused_search_spaces_are_named() {
    let mut session = answered();
    session
        .lab_mut()
        .refused
        .push((Medium::Grid, Phrase::verbatim("set Grid cell to 0.60 m or more.")));
    window(session).text("Grid of a floor: set Grid cell to 0.60 m or more.");
}

#[test]
fn every_search_can_be_chosen_to_be_run() {
    let mut window = window(Session::default());
    for searcher in Searcher::all() {
        let boxes = window.by_id(format!("lab.want.{}", variant_id(searcher)));
        boxes.scroll_to_me();
        window.run();
        window.by_id(format!("lab.want.{}", variant_id(searcher))).click();
        window.run();
        let want = LabCommand::Want(searcher, !searcher.is_usual());
        assert_eq!(window.state_mut().take(), lab(want), "{}", searcher.name());
    }
}

#[test]
fn the_titles_stay_while_the_table_scrolls() {
    let mut session = answered();
    for searcher in Searcher::all() {
        session.lab_mut().land(lab_row(searcher, 4.0));
    }
    let last = session.lab().rows.last().expect("all searches").searcher;
    let last = format!("lab.row.{}", variant_id(last));
    let mut window: Harness<'_, Bench<()>> =
        bench([1500.0, 240.0], session, |(), ui, view, out| lab_ui(ui, view, out));
    let tops = |window: &Harness<'_, Bench<()>>| {
        let row = window.by_id(&*last);
        [window.text("Suboptimality").top(), row.rect().top()]
    };
    let before = tops(&window);
    assert!(before[1] > 400.0, "the rows do not all fit: {before:?}");
    window.by_id(&*last).scroll_to_me();
    window.run();
    let after = tops(&window);
    assert!((after[0] - before[0]).abs() < 0.1 && after[1] < 240.0, "{after:?}");
    picture(&mut window, "lab_table_scrolled");
}

#[test]
fn nothing_of_the_table_is_cut_in_a_small_window() {
    // Width of the drawer between the side panels of a window of 1280 × 720, and of a larger one.
    for (width, has_menu, name) in [(692.0, true, "lab_narrow"), (1030.0, false, "lab_wide")] {
        let mut session = answered();
        for searcher in Searcher::all() {
            session.lab_mut().land(lab_row(searcher, 4.0));
        }
        let why = "no free path through the air, because the ends are in rooms that no opening wide enough for the \
                   flyer connects with each other";
        let row =
            session.lab_mut().rows.iter_mut().find(|row| row.searcher == Searcher::AStarOctile);
        row.expect("it was compared").why = Some(Phrase::verbatim(why));
        let mut window: Harness<'_, Bench<()>> =
            bench([width, 300.0], session, |(), ui, view, out| lab_ui(ui, view, out));
        let right =
            |rect: egui::Rect| (0.0..=width).contains(&rect.left()) && rect.right() <= width;
        for title in ["Search", "Length", "Suboptimality", "Expanded", "Opened", "Peak", "Time"]
            .into_iter()
            .chain(["Preprocessing", "Memory"])
        {
            let rects = window.texts(title);
            assert!(
                !rects.is_empty() && rects.iter().all(|rect| right(*rect)),
                "{title}: {rects:?}"
            );
        }
        for searcher in Searcher::all() {
            let row = window.by_id(format!("lab.row.{}", variant_id(searcher))).rect();
            assert!(right(row) && row.right() < window.text("Suboptimality").left(), "{row}");
        }
        let reason = window.text(why);
        assert!(right(reason) && reason.height() < 40.0, "{reason}");
        assert!(reason.top() >= window.by_id("lab.row.a-star-octile").rect().bottom() - 1.0);
        assert_eq!(window.find_id("lab.searches").is_some(), has_menu);
        window.by_id("lab.row.detour").scroll_to_me();
        window.run();
        picture(&mut window, name);
        let plots = window.by_id("lab.plot.open-peak");
        plots.scroll_to_me();
        window.run();
        assert!(right(window.by_id("lab.plot.open-peak").rect()));
        if has_menu {
            window.by_id("lab.searches").click();
            window.run();
            window.by_id("lab.want.jps").scroll_to_me();
            window.run();
            assert!(right(window.by_id("lab.want.jps").rect()));
            window.by_id("lab.want.jps").click();
            window.run();
            let want = LabCommand::Want(Searcher::Jps, !Searcher::Jps.is_usual());
            assert_eq!(window.state_mut().take(), lab(want));
        }
    }
}

#[test]
fn the_table_shows_results_and_selects_the_drawn_rows() {
    let mut window = window(answered());
    picture(&mut window, "lab_table");
    for title in ["Length", "Suboptimality", "Expanded", "Opened", "Peak", "Time", "Memory"] {
        assert!(window.n_texts(title) > 0, "{title}");
    }
    let choose = LabCommand::Choose(Some(Searcher::Jps), None);
    let label = window.by_id("lab.row.jps");
    label.click();
    window.run();
    assert_eq!(window.state_mut().take(), lab(choose));
    assert_eq!(click(&mut window, "file.export.lab"), [Command::Export(ExportKind::Lab)]);
    assert_eq!(click(&mut window, "lab.plot.open-peak"), lab(LabCommand::Plot(Measure::OpenPeak)));
}

#[test]
fn searches_are_played_back_alone_and_in_step() {
    let mut session = answered();
    session.lab_mut().tab = LabTab::Playback;
    session.lab_mut().choose(Some(Searcher::AStarOctile), Some(Searcher::Jps));
    let mut window = window(session);
    picture(&mut window, "lab_playback");
    let show = |replay| lab(LabCommand::Show(replay));
    assert_eq!(click(&mut window, "lab.replay.first"), show(Replay::at(0)));
    assert_eq!(click(&mut window, "lab.replay.back"), show(Replay::at(2)));
    let playing = Replay { step: Some(0), playing: true };
    assert_eq!(click(&mut window, "lab.replay.play"), show(playing));
    assert_eq!(click(&mut window, "lab.speed.slow"), lab(LabCommand::Speed(Speed::Slow)));
    assert_eq!(window.n_texts("3 of 3"), 2, "both");
    window.by_id("lab.compare-with").click();
    window.run();
    window.by_id("lab.compare-with.none").click();
    window.run();
    let alone = LabCommand::Choose(Some(Searcher::AStarOctile), None);
    assert_eq!(window.state_mut().take(), lab(alone));
}

#[test]
fn weights_are_set_by_name_and_the_scenario_says_what_it_needs() {
    let mut session = answered();
    session.lab_mut().tab = LabTab::Weights;
    let mut weights = window(session);
    weights.text("Place a path's start and end to compare searches.");
    for weight in [0.0, 1.0, 100.0_f32] {
        let weigh = LabCommand::Weigh(weight, EstimateArg::Octile);
        assert_eq!(click(&mut weights, &format!("lab.weight.{weight}")), lab(weigh));
    }
    assert_eq!(click(&mut weights, "lab.live"), lab(LabCommand::Live(false)));
    let mut session = answered();
    session.lab_mut().tab = LabTab::Scenario;
    window(session).text_with("Open a scenario of Moving AI's benchmarks");
}
