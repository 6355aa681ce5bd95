//! A sweep over settings in the whole program: run, stopped, continued, applied and exported.

use eframe::egui::vec2;
use walkable_editor::{
    command::{PathTestCommand, SweepCommand},
    session::{SweepMethod, SweepPlan, SweepSetting, SweepShow, SweepState, SweepTab, SweepValues},
    task::TaskId,
};
use walkable_workspace::sweep::read_sweep;

use super::{
    click,
    display::{picture, rest},
    document::wait,
    *,
};

fn sweep<'a>(harness: &'a Harness<'_, App>) -> &'a SweepState {
    &harness.state().editor.session().sweep
}

/// Cells from 0.2 m to 0.4 m and radii from 0.4 m to 2 m.
fn plan() -> SweepPlan {
    let range = |key, ends, n| SweepSetting { key, values: SweepValues::Range { ends, n } };
    let settings = vec![range("cell_size", [0.2, 0.4], 2), range("agent_radius", [0.4, 2.0], 2)];
    SweepPlan { settings, ..SweepPlan::default() }
}

/// Returns the sample with its path as a test, and the panel in front.
fn prepared() -> Harness<'static, App> {
    let mut harness = baked();
    trigger(&mut harness, PathTestCommand::Add.into());
    trigger(&mut harness, Command::ShowPanel(Pane::Sweep));
    trigger(&mut harness, SweepCommand::Plan(Box::new(plan())).into());
    harness
}

#[test]
fn a_row_is_applied_as_one_step_and_the_csv_file_continues_on_the_command_line() {
    let mut harness = prepared();
    harness.text("4 bakes");
    harness.by_id("sweep.run").click();
    settle(&mut harness);
    harness.text("4 of 4 bakes");
    let tests = |row: usize| {
        let result = sweep(&harness).entries[row].result().expect("a measured row");
        [result.tests_passed, result.tests_failed]
    };
    let [passes, fails] = [[Some(1), Some(0)], [Some(0), Some(1)]];
    assert_eq!(
        [tests(0), tests(1), tests(3)],
        [passes, fails, fails],
        "the radius of 2 m is too large"
    );
    let best = sweep(&harness).best_for_suite().expect("a row passes");
    click(&mut harness, "sweep.best-for-suite");
    assert_eq!(sweep(&harness).chosen, Some(best));

    harness.set_size(vec2(1280.0, 720.0));
    for tab in SweepTab::ALL {
        let show = SweepShow { tab, ..sweep(&harness).show };
        trigger(&mut harness, SweepCommand::Show(show).into());
        rest(&mut harness);
        picture(&mut harness, &format!("app-sweep-{tab:?}"));
    }
    let settings = |harness: &Harness<'_, App>| {
        let settings = &harness.state().editor.session().document().settings;
        (settings.cell_size, settings.agent_radius)
    };
    let before = settings(&harness);
    trigger(&mut harness, SweepCommand::Choose(Some(1)).into());
    harness.by_id("sweep.apply").click();
    settle(&mut harness);
    assert_eq!(settings(&harness), (0.2, 2.0));
    let session = harness.state().editor.session();
    assert_eq!(session.history.undo_label().as_deref(), Some("Apply row 2 of the sweep"));
    assert!(!session.is_stale() && !session.is_sweep_stale());
    assert_eq!(session.path_test_counts().failed, 1);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(settings(&harness), before);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sweep.csv");
    trigger(&mut harness, Command::ExportTo(ExportKind::Sweep, file.clone()));
    wait(&mut harness, "exporting", |_| file.exists());
    let rows = read_sweep(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(rows.len(), 4);
}

#[test]
fn a_stopped_sweep_keeps_its_rows_and_continues() {
    let mut harness = prepared();
    let many = SweepPlan { method: SweepMethod::LatinHypercube, n_latin: 5000, ..plan() };
    trigger(&mut harness, SweepCommand::Plan(Box::new(many)).into());
    harness.by_id("sweep.run").click();
    wait(&mut harness, "the first bake", |app| app.editor.session().sweep.n_done() > 0);
    harness.step();
    harness.by_id("sweep.cancel").click();
    settle(&mut harness);
    let n_done = sweep(&harness).n_done();
    assert!((1..5000).contains(&n_done), "{n_done}");
    // The rows that are known come first when the sweep continues.
    harness.by_id("sweep.run").click();
    wait(&mut harness, "the next bake", |app| app.editor.session().sweep.n_done() > n_done);
    harness.step();
    harness.by_id("sweep.cancel").click();
    settle(&mut harness);
    // Another level stops the sweep and clears its rows. Without the path test, nothing is unsaved.
    trigger(&mut harness, Command::Undo);
    harness.by_id("sweep.run").click();
    wait(&mut harness, "a bake", |app| app.editor.session().runs(TaskId::Sweep));
    trigger(&mut harness, Command::Load(LevelSource::Builtin("spiral".to_owned())));
    assert!(
        sweep(&harness).entries.is_empty() && !harness.state().editor.session().runs(TaskId::Sweep)
    );
}
