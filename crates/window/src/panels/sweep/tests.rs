//! Tests of the sweep panel, control by control.

use eframe::egui::Theme;
use egui_kittest::Harness;
use walkable::{bake::Param, diagnostic::Phrase, sweep::SweepMeasure};
use walkable_editor::{
    command::{Command, ExportKind, Group, SweepCommand},
    session::{
        Session, SweepColumn, SweepMethod, SweepPlan, SweepSetting, SweepShow, SweepTab,
        SweepValues,
    },
    testing,
};

use super::sweep_ui;
use crate::testing::{Bench, Find as _, bench, picture};

fn window(session: Session) -> Harness<'static, Bench<()>> {
    bench([1240.0, 300.0], session, |(), ui, view, out| sweep_ui(ui, view, out))
}

fn click(window: &mut Harness<'_, Bench<()>>, id: &str) -> Vec<Command> {
    window.by_id(id).click();
    window.run();
    window.state_mut().take()
}

fn show(change: impl FnOnce(&mut SweepShow)) -> Vec<Command> {
    let mut show = SweepShow::default();
    change(&mut show);
    vec![SweepCommand::Show(show).into()]
}

/// Returns the session of [`testing::swept`], with another tab.
fn on_tab(tab: SweepTab) -> Session {
    let mut session = testing::swept();
    session.sweep.show.tab = tab;
    session
}

#[test]
fn settings_are_added_with_their_ranges_and_removed() {
    let mut window = window(Session::default());
    window.text_with("Choose settings and their ranges");
    picture(&mut window, "sweep_empty");
    assert_eq!(click(&mut window, "sweep.run"), []);
    assert_eq!(click(&mut window, "sweep.add"), []);
    picture(&mut window, "sweep_add");
    let added =
        SweepSetting { key: "cell_size", values: SweepValues::Range { ends: [0.15, 0.45], n: 3 } };
    let plan = SweepPlan { settings: vec![added], ..SweepPlan::default() };
    let commands = click(&mut window, "sweep.add.cell_size");
    assert_eq!(commands, [SweepCommand::Plan(Box::new(plan.clone())).into()]);
    window.state_mut().session.sweep.plan = plan.clone();
    window.run();
    window.text("3 bakes");
    let latin = SweepPlan { method: SweepMethod::LatinHypercube, ..plan };
    let commands = click(&mut window, "sweep.method.latin-hypercube");
    assert_eq!(commands, [SweepCommand::Plan(Box::new(latin.clone())).into()]);
    window.state_mut().session.sweep.plan = latin.clone();
    window.run();
    window.text("20 bakes");
    let commands = click(&mut window, "sweep.setting.cell_size.remove");
    let none = SweepPlan { settings: Vec::new(), ..latin };
    assert_eq!(commands, [SweepCommand::Plan(Box::new(none)).into()]);
}

#[test]
fn every_setting_but_positions_can_be_varied() {
    let settings = Session::default().document().settings.clone();
    for param in walkable::bake::PARAMS {
        let plan = |setting| SweepPlan { settings: vec![setting], ..SweepPlan::default() };
        match SweepSetting::new(param, &settings).map(plan) {
            Some(plan) => {
                let n = plan.combinations().map(|all| all.len());
                assert_eq!(n, Ok(plan.n_combinations()), "{}", param.key);
                assert!(plan.n_combinations() > 1, "{}", param.key);
            }
            None => assert_eq!(param.key, "origin"),
        }
    }
    assert!(Param::find("cell_size").is_ok());
}

#[test]
fn too_many_bakes_are_named_before_the_sweep() {
    let mut session = testing::swept();
    for key in ["agent_radius", "agent_height", "agent_max_slope"] {
        let values = SweepValues::Range { ends: [1.0, 2.0], n: 20 };
        session.sweep.plan.settings.push(SweepSetting { key, values });
    }
    window(session).text_with("can run: use fewer values");
}

#[test]
fn the_table_selects_sorts_and_exports_rows() {
    let mut window = window(testing::swept());
    picture(&mut window, "sweep_table");
    window.text("6 of 6 bakes");
    let rows = window.all_by_id("sweep.row.").len();
    assert_eq!(rows, 6);
    assert_eq!(click(&mut window, "sweep.apply"), [], "no row is selected");
    let chosen = [SweepCommand::Choose(Some(2)).into()];
    assert_eq!(click(&mut window, "sweep.row.2"), chosen);
    window.state_mut().session.sweep.chosen = Some(2);
    window.run();
    window.text("Apply row 3");
    assert_eq!(click(&mut window, "sweep.apply"), [SweepCommand::Apply.into()]);
    assert_eq!(click(&mut window, "sweep.row.2"), [SweepCommand::Choose(None).into()]);
    let sorted = show(|show| show.sort = SweepColumn::Measure(SweepMeasure::Polygons));
    assert_eq!(click(&mut window, "sweep.sort.polygons"), sorted);
    let export = [Command::Export(ExportKind::Sweep)];
    assert_eq!(click(&mut window, "file.export.sweep"), export);
    let best = window.state().session.sweep.best_for_suite();
    assert_eq!(click(&mut window, "sweep.best-for-suite"), [SweepCommand::Choose(best).into()]);
    let tab = show(|show| show.tab = SweepTab::Pareto);
    assert_eq!(click(&mut window, "sweep.tab.pareto"), tab);
}

#[test]
fn rows_are_sorted_by_every_column() {
    let mut session = testing::swept();
    let polygons = SweepColumn::Measure(SweepMeasure::Polygons);
    let columns = [SweepColumn::Number, SweepColumn::Setting(0), SweepColumn::Setting(1), polygons];
    for (sort, is_descending) in columns.into_iter().flat_map(|sort| [(sort, false), (sort, true)])
    {
        session.sweep.show = SweepShow { sort, is_descending, ..SweepShow::default() };
        let sweep = &session.sweep;
        let order = sweep.sorted();
        let values: Vec<_> =
            order.iter().map(|&index| sweep.entries[index].value(sort, index)).collect();
        let texts: Vec<_> =
            order.iter().map(|&index| sweep.entries[index].values[1].clone()).collect();
        match (sort, is_descending) {
            (SweepColumn::Setting(1), false) => assert!(texts.is_sorted(), "{texts:?}"),
            (SweepColumn::Setting(1), true) => assert!(texts.iter().rev().is_sorted(), "{texts:?}"),
            (_, false) => assert!(values.is_sorted(), "{values:?}"),
            (_, true) => assert!(values.iter().rev().is_sorted(), "{values:?}"),
        }
    }
}

#[test]
fn points_of_the_pareto_plot_select_rows() {
    let mut window = window(on_tab(SweepTab::Pareto));
    picture(&mut window, "sweep_pareto");
    assert_eq!(window.all_by_id("sweep.point.").len(), 6);
    click(&mut window, "sweep.axis.x");
    let axes = [SweepMeasure::Seconds, SweepMeasure::Ground];
    let expected = [SweepShow { axes, tab: SweepTab::Pareto, ..SweepShow::default() }];
    let expected = expected.map(|show| Command::from(SweepCommand::Show(show)));
    assert_eq!(click(&mut window, "sweep.axis.x.seconds"), expected);
    // The median changes no area of this level: rows 5 and 6 are at the same point, and the last one is on top.
    let chosen = [SweepCommand::Choose(Some(5)).into()];
    assert_eq!(click(&mut window, "sweep.point.5"), chosen);
    window.by_id("sweep.point.5").hover();
    window.run();
    assert!(window.n_texts("Row 6") > 1, "the grip and the tooltip");
    picture(&mut window, "sweep_pareto_hover");
}

#[test]
fn lines_of_parallel_coordinates_select_rows() {
    let mut session = on_tab(SweepTab::Parallel);
    session.sweep.chosen = Some(1);
    let mut window = window(session);
    picture(&mut window, "sweep_parallel");
    let area = window.by_id("sweep.parallel").rect();
    // All rows with the smallest cells start at the lower end of the first axis.
    let start = eframe::egui::pos2(area.left() + 58.0, area.bottom() - 18.0);
    window.hover_at(start);
    window.run();
    picture(&mut window, "sweep_parallel_hover");
    window.drag_at(start);
    window.drop_at(start);
    window.run();
    let sent = window.state_mut().take();
    let [Command::Group(Group::Sweep(SweepCommand::Choose(row)))] = sent[..] else {
        panic!("{sent:?}")
    };
    let sweep = &window.state().session.sweep;
    let cell = |index: usize| sweep.entries[index].values[0].clone();
    assert!(row.is_none_or(|row| cell(row) == cell(0)), "{row:?}");
}

#[test]
fn a_change_of_another_setting_is_named() {
    let mut window = window(testing::swept());
    let stale = "The level or another setting has changed since the sweep.";
    assert_eq!(window.n_texts(stale), 0);
    let history = &mut window.state_mut().session.history;
    history.change(Phrase::verbatim("Cells"), |document| document.settings.cell_size = 0.35);
    window.run();
    assert_eq!(window.n_texts(stale), 0, "the sweep varies the cell size");
    let history = &mut window.state_mut().session.history;
    history.change(Phrase::verbatim("Radius"), |document| document.settings.agent_radius = 0.9);
    window.run();
    assert_eq!(window.n_texts(stale), 1);
}

#[test]
fn the_hint_before_a_sweep_is_read_whole_in_a_narrow_panel() {
    let mut window: Harness<'_, Bench<()>> =
        bench([700.0, 180.0], Session::default(), |(), ui, view, out| sweep_ui(ui, view, out));
    window.run();
    assert!(window.text_with("Choose settings and their ranges").right() <= 700.0);
}

#[test]
fn the_panel_fits_the_light_theme_and_a_small_window() {
    for tab in SweepTab::ALL {
        let mut window: Harness<'_, Bench<()>> =
            bench([900.0, 240.0], on_tab(tab), |(), ui, view, out| sweep_ui(ui, view, out));
        window.ctx.set_theme(Theme::Light);
        window.run();
        picture(&mut window, &format!("sweep_light_{tab:?}"));
        assert!(window.by_id("sweep.tab.table").rect().right() < 900.0);
    }
}
