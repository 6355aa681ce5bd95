//! Tests of the export dialog, control by control.

use eframe::egui::Theme;
use egui_kittest::Harness;
use walkable::{diagnostic::Phrase, export::ExportFormat};
use walkable_editor::{
    command::{AgentCommand, Command, ExportKind, variant_id},
    session::Session,
    testing,
};
use walkable_workspace::stage_view::StageView;

use super::export::ExportDialog;
use crate::testing::{Bench, Find as _, bench, picture};

fn window(session: Session) -> Harness<'static, Bench<ExportDialog>> {
    let mut window = bench([760.0, 620.0], session, |dialog: &mut ExportDialog, ui, view, out| {
        dialog.ui(ui.ctx(), view, out);
    });
    window.state_mut().panel.open();
    window.run();
    window
}

fn click(window: &mut Harness<'_, Bench<ExportDialog>>, id: &str) -> Vec<Command> {
    window.by_id(id).click();
    window.run();
    window.state_mut().take()
}

fn choose(window: &mut Harness<'_, Bench<ExportDialog>>, kind: ExportKind) {
    let id = format!("export.kind.{}", variant_id(kind));
    window.by_id(&*id).scroll_to_me();
    window.run();
    assert_eq!(click(window, &id), []);
}

/// Returns a baked session of a level in a folder.
fn session() -> Session {
    let mut session = testing::baked();
    session.project.path = Some("/levels/Old Town.walkable".into());
    session
}

#[test]
fn formats_say_what_they_keep_and_lose_and_propose_a_file() {
    let mut window = window(session());
    for &format in ExportFormat::ALL {
        choose(&mut window, ExportKind::Mesh(format));
        for text in [format.keeps(), format.loses(), format.readers()] {
            window.text(text);
        }
        let path = format!("/levels/navmesh.{}", format.ending());
        assert_eq!(window.by_id("export.path").value().as_deref(), Some(&*path));
    }
    choose(&mut window, ExportKind::Mesh(ExportFormat::Glb));
    picture(&mut window, "export");
    window.ctx.set_theme(Theme::Light);
    window.run();
    picture(&mut window, "export_light");
    let path = "/levels/navmesh.glb".into();
    let export = Command::ExportTo(ExportKind::Mesh(ExportFormat::Glb), path);
    assert_eq!(click(&mut window, "export.export"), [export]);
    assert!(!window.state_mut().panel.close(), "the dialog stays open");
}

#[test]
fn the_shown_stage_has_its_own_formats() {
    let mut session = session();
    session.shown.stage = StageView::Regions;
    let mut window = window(session);
    for format in ExportFormat::of_stages() {
        choose(&mut window, ExportKind::Stage(format));
        let stage = format.stage().unwrap();
        for text in [stage.keeps, stage.loses, "Shown stage: Regions"] {
            window.text(text);
        }
        let path = format!("/levels/navmesh_regions.{}", format.ending());
        assert_eq!(window.by_id("export.path").value().as_deref(), Some(&*path));
    }
    picture(&mut window, "export_stage");
}

#[test]
fn a_typed_path_keeps_its_name_in_another_format() {
    let mut window = window(session());
    let field = window.by_id("export.path");
    field.focus();
    field.type_text("s/yard.bin");
    window.run();
    choose(&mut window, ExportKind::Mesh(ExportFormat::Json));
    let value = window.by_id("export.path").value();
    assert_eq!(value.as_deref(), Some("/levels/navmesh.bins/yard.json"));
    choose(&mut window, ExportKind::Settings);
    let kind = ExportKind::Settings;
    assert_eq!(click(&mut window, "export.browse"), [Command::Export(kind)]);
}

#[test]
fn nothing_is_exported_before_the_bake() {
    let mut window = window(Session::default());
    assert_eq!(click(&mut window, "export.export"), []);
    window.text("Open a level and bake it first.");
    picture(&mut window, "export_empty");
    assert_eq!(click(&mut window, "export.cancel"), []);
    assert!(!window.state_mut().panel.close(), "the dialog stays open");
}

#[test]
fn one_of_several_agents_is_chosen() {
    let mut session = session();
    let agents = session.document().agents.with_one_more(session.document());
    session.history.change(Phrase::verbatim("Add agent"), |document| document.agents = agents);
    let mut window = window(session);
    picture(&mut window, "export_agents");
    window.by_id("export.agent").click();
    window.run();
    let choose = AgentCommand::Choose(0);
    assert_eq!(click(&mut window, "export.agent.0"), [Command::from(choose)]);
}

#[test]
fn all_agents_are_exported_with_a_file_each() {
    let mut session = session();
    let mut agents = session.document().agents.with_one_more(session.document());
    agents.list[1].name = "Big ogre".to_owned();
    session.history.change(Phrase::verbatim("Add agent"), |document| document.agents = agents);
    let mut window = window(session);
    assert_eq!(click(&mut window, "export.all-agents"), []);
    window.text("navmesh_agent_1.bin: Agent 1");
    window.text("navmesh_big_ogre.bin: Big ogre");
    assert!(window.find_id("export.agent").is_none());
    picture(&mut window, "export_all_agents");
    let path = "/levels/navmesh.bin".into();
    let export = Command::ExportTo(ExportKind::AllAgents(ExportFormat::Detour), path);
    assert_eq!(click(&mut window, "export.export"), [export]);
    window.state_mut().panel.open();
    window.run();
    choose(&mut window, ExportKind::Settings);
    assert!(window.find_id("export.all-agents").is_none());
}
