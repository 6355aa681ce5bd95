use eframe::egui::accesskit::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use walkable_editor::{
    command::{Command, DisplayCommand},
    session::{ColorBy, LabelKind, LayerDisplay, Overlay, Session, Slice, StageView},
    testing,
};

use super::display_ui;
use crate::panels::testing::{Bench, bench, picture};

fn window(session: Session) -> Harness<'static, Bench<()>> {
    bench([300.0, 760.0], session, |(), ui, view, out| display_ui(ui, view, out))
}

#[test]
fn colors_and_labels_are_chosen_by_click() {
    let mut window = window(testing::baked());
    for by in ColorBy::ALL {
        window.get_by_label(by.name()).click();
        window.run();
        let sent = window.state_mut().take();
        assert_eq!(sent, [Command::Display(DisplayCommand::ColorBy(by))]);
    }
    for kind in LabelKind::ALL {
        window.get_by_label(kind.name()).click();
        window.run();
        let sent = window.state_mut().take();
        assert_eq!(sent, [Command::Display(DisplayCommand::ToggleLabel(kind))]);
    }
    picture(&mut window, "display");
}

#[test]
fn what_is_drawn_besides_is_chosen_by_click_and_says_when_there_is_none() {
    let mut window = window(testing::baked());
    for overlay in Overlay::ALL {
        window.get_by_label(overlay.name()).click();
        window.run();
        let sent = window.state_mut().take();
        assert_eq!(sent, [Command::Display(DisplayCommand::ToggleOverlay(overlay))]);
    }
    window.get_by_label("BV tree");
    window.state_mut().session.display.overlays = Overlay::ALL.to_vec();
    window.state_mut().session.stage = StageView::Navmesh;
    window.run();
    window.get_by_label("Voxels are seen at the stages spans and filtered");
    picture(&mut window, "display-overlays");
}

#[test]
fn of_layers_all_or_one_are_seen() {
    let mut window = window(testing::baked());
    assert!(window.query_by_label("Layer shown").is_none());
    window.state_mut().session.stage = StageView::Layers;
    window.run();
    assert!(window.get_by_label("Their areas").accesskit_node().is_disabled(), "no obstacles");
    window.get_by_role_and_label(Role::ComboBox, "Layer shown").click();
    window.run();
    window.get_by_label("Layer 1 alone").click();
    window.run();
    let wanted = LayerDisplay { number: Some(1), ..LayerDisplay::default() };
    assert_eq!(window.state_mut().take(), [Command::Display(DisplayCommand::Layers(wanted))]);
}

#[test]
fn a_stage_is_laid_under_and_taken_away() {
    let mut window = window(testing::baked());
    window.get_by_role_and_label(Role::ComboBox, "Add stage overlay…").click();
    window.run();
    window.get_by_label("Regions").click();
    window.run();
    let under = |opacity| Command::Display(DisplayCommand::Under(StageView::Regions, opacity));
    assert_eq!(window.state_mut().take(), [under(Some(0.6))]);
    window.state_mut().session.display.put_under(StageView::Regions, Some(0.6));
    window.run();
    picture(&mut window, "display-under");
    window.get_by_label("Hide regions").click();
    window.run();
    assert_eq!(window.state_mut().take(), [under(None)]);
}

#[test]
fn storeys_are_stepped_and_a_slice_is_ended() {
    let mut window = window(testing::baked());
    window.get_by_label("Storey up (Page up)").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::Display(DisplayCommand::StoreyUp)]);
    assert!(window.get_by_label("All heights").accesskit_node().is_disabled());
    window.state_mut().session.display.slice = Slice { bottom: 0.0, top: 1.0 };
    window.state_mut().session.display.storey = Some((1, 2));
    window.run();
    window.get_by_label("Storey 1 of 2");
    window.get_by_label("All heights").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::Display(DisplayCommand::AllHeights)]);
}
