//! Tests of the lab, control by control.

use eframe::egui;
use egui_kittest::Harness;
use glam::Vec3;
use walkable::diagnostic::Phrase;
use walkable_editor::{
    command::{Command, ExportKind, LabCommand, variant_id},
    session::{LabTab, Measure, Medium, Replay, Searcher, Session, Speed},
    testing::lab_row,
};
use walkable_workspace::searches::EstimateArg;

use super::lab_ui;
use crate::testing::{Bench, Find as _, bench, picture};

fn answered() -> Session {
    let mut session = Session::default();
    (session.path.start, session.path.end) = (Some(Vec3::ZERO), Some(Vec3::X));
    for searcher in [Searcher::Detour, Searcher::AStarOctile, Searcher::Jps, Searcher::Flight] {
        session.lab.land(lab_row(searcher, 4.0));
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
    session.lab.refused.push((Medium::Grid, Phrase::verbatim("set Grid cell to 0.60 m or more.")));
    window(session).text("Grid of a floor: set Grid cell to 0.60 m or more.");
}

#[test]
fn every_search_can_be_chosen_to_be_run() {
    let mut window = window(Session::default());
    for searcher in Searcher::ALL.iter().copied() {
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
    for searcher in Searcher::ALL.iter().copied() {
        session.lab.land(lab_row(searcher, 4.0));
    }
    let last = session.lab.rows.last().expect("all searches").searcher;
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
        for searcher in Searcher::ALL.iter().copied() {
            session.lab.land(lab_row(searcher, 4.0));
        }
        let why = "no free path through the air, because the ends are in rooms that no opening wide enough for the \
                   flyer connects with each other";
        let row = session.lab.rows.iter_mut().find(|row| row.searcher == Searcher::AStarOctile);
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
        for searcher in Searcher::ALL.iter().copied() {
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

/// Returns the texts drawn in the last frame, also those in plots, and their rectangles.
fn drawn_texts(window: &Harness<'_, Bench<()>>) -> Vec<(String, egui::Rect)> {
    fn collect(shape: &egui::Shape, texts: &mut Vec<(String, egui::Rect)>) {
        match shape {
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
            egui::Shape::Text(text) => {
                let rect = text.galley.rect.translate(text.pos.to_vec2());
                texts.push((text.galley.text().to_owned(), rect));
            }
            _ => {}
        }
    }
    let mut texts = Vec::new();
    for clipped in &window.output().shapes {
        collect(&clipped.shape, &mut texts);
    }
    texts
}

#[test]
fn bars_have_a_title_ticks_on_top_and_values_at_their_ends() {
    // Width of the drawer between the side panels of a window of 1280 × 720, and of larger ones.
    for width in [692.0, 1030.0, 1500.0] {
        for (measure, title, scale) in [
            (Measure::Expanded, "Nodes expanded (log scale)", ["1", "100"]),
            (Measure::Length, "Length of the path", ["0 m", "200 m"]),
            (Measure::Time, "Time of the search (log scale)", ["1 µs", "1 ms"]),
            (Measure::Memory, "Memory (log scale)", ["1 B", "1 KiB"]),
            (Measure::OpenPeak, "Open peak (log scale)", ["1", "100"]),
        ] {
            let mut session = answered();
            let lab = &mut session.lab;
            lab.measure = measure;
            for (row, times) in lab.rows.iter_mut().zip([1, 40, 1500, 90_000_u32]) {
                row.effort.n_expanded = (7 * times).into();
                row.effort.open_peak = Some((3 * times).into());
                row.length = 10.0 + f64::from(times).sqrt();
                row.time *= times;
                row.n_bytes *= times as usize;
            }
            let mut window: Harness<'_, Bench<()>> =
                bench([width, 420.0], session, |(), ui, view, out| lab_ui(ui, view, out));
            window.by_id("lab.plot.open-peak").scroll_to_me();
            window.run();
            picture(&mut window, &format!("lab_bars_{measure:?}_{width}"));
            let top = window.text(title);
            let below = window.text("Suboptimality in percent, over nodes expanded").top();
            let texts = drawn_texts(&window).into_iter();
            let texts: Vec<_> = texts
                .filter(|(text, rect)| {
                    !text.is_empty()
                        && rect.left() >= top.left()
                        && rect.top() > top.bottom()
                        && rect.bottom() < below
                })
                .collect();
            let names: Vec<_> =
                window.state().session.lab.rows.iter().map(|row| row.searcher.name()).collect();
            let of = |name: &str| {
                let found = texts.iter().filter(|(text, _)| text == name);
                found.map(|(_, rect)| *rect).collect::<Vec<_>>()
            };
            let first = of(names[0])[0];
            for tick in scale {
                let rects = of(tick);
                assert!(rects.iter().any(|rect| rect.bottom() < first.top()), "{tick}: {texts:?}");
            }
            let mut last = 0.0;
            for name in &names {
                let name = of(name)[0];
                // Its value, or no bar.
                let beside: Vec<_> = texts
                    .iter()
                    .filter(|(_, rect)| rect.left() > name.right())
                    .filter(|(_, rect)| rect.y_range().contains(name.center().y))
                    .collect();
                let [(value, rect)] = beside[..] else { panic!("{beside:?} at {name}") };
                assert!(rect.left() > last, "{value} at {rect}: longer than the bar above");
                last = rect.left();
            }
            let right = window.by_id("lab.plot.open-peak").rect().right().max(width - 12.0);
            for (n, (text, rect)) in texts.iter().enumerate() {
                assert!(rect.right() <= right, "{text} at {rect} is cut");
                for (other, at) in &texts[n + 1..] {
                    assert!(!rect.intersects(*at), "{text} at {rect}, {other} at {at}");
                }
            }
        }
    }
}

#[test]
fn searches_are_played_back_alone_and_in_step() {
    let mut session = answered();
    session.lab.tab = LabTab::Playback;
    session.lab.choose(Some(Searcher::AStarOctile), Some(Searcher::Jps));
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
    session.lab.tab = LabTab::Weights;
    let mut weights = window(session);
    weights.text("Place a path's start and end to compare searches.");
    for weight in [0.0, 1.0, 100.0_f32] {
        let weigh = LabCommand::Weigh(weight, EstimateArg::Octile);
        assert_eq!(click(&mut weights, &format!("lab.weight.{weight}")), lab(weigh));
    }
    assert_eq!(click(&mut weights, "lab.live"), lab(LabCommand::Live(false)));
    let mut session = answered();
    session.lab.tab = LabTab::Scenario;
    window(session).text_with("Open a scenario of Moving AI's benchmarks");
}
