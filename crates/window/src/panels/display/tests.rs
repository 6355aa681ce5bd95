use egui_kittest::{Harness, kittest::NodeT as _};
use walkable_editor::{
    command::{Command, DisplayCommand},
    session::{ColorBy, LabelKind, LayerDisplay, Overlay, Session, Slice},
    testing,
};
use walkable_workspace::stage_view::StageView;

use super::display_ui;
use crate::testing::{Bench, Find as _, bench, picture};

fn window(session: Session) -> Harness<'static, Bench<()>> {
    bench([300.0, 760.0], session, |(), ui, view, out| display_ui(ui, view, out))
}

#[test]
fn colors_and_labels_are_chosen_by_click() {
    let mut window = window(testing::baked());
    for by in ColorBy::ALL {
        window.by_id(Command::from(DisplayCommand::ColorBy(by)).id()).click();
        window.run();
        let sent = window.state_mut().take();
        assert_eq!(sent, [Command::from(DisplayCommand::ColorBy(by))]);
    }
    for kind in LabelKind::ALL {
        window.by_id(Command::from(DisplayCommand::ToggleLabel(kind)).id()).click();
        window.run();
        let sent = window.state_mut().take();
        assert_eq!(sent, [Command::from(DisplayCommand::ToggleLabel(kind))]);
    }
    picture(&mut window, "display");
}

#[test]
fn what_is_drawn_besides_is_chosen_by_click_and_says_when_there_is_none() {
    let mut window = window(testing::baked());
    for overlay in Overlay::ALL {
        window.by_id(Command::from(DisplayCommand::ToggleOverlay(overlay)).id()).click();
        window.run();
        let sent = window.state_mut().take();
        assert_eq!(sent, [Command::from(DisplayCommand::ToggleOverlay(overlay))]);
    }
    window.text("BV tree");
    window.state_mut().session.shown.display.overlays = Overlay::ALL.to_vec();
    window.state_mut().session.shown.stage = StageView::Navmesh;
    window.run();
    window.text("Voxels are shown only at the stages spans and filtered");
    picture(&mut window, "display-overlays");
}

#[test]
fn of_layers_all_or_one_are_seen() {
    let mut window = window(testing::baked());
    assert!(window.n_texts("Layer shown") == 0);
    window.state_mut().session.shown.stage = StageView::Layers;
    window.run();
    assert!(window.by_id("display.layers.areas").accesskit_node().is_disabled(), "no obstacles");
    window.by_id("display.layer").click();
    window.run();
    window.by_id("display.layer.1").click();
    window.run();
    let wanted = LayerDisplay { number: Some(1), ..LayerDisplay::default() };
    assert_eq!(window.state_mut().take(), [Command::from(DisplayCommand::Layers(wanted))]);
}

#[test]
fn a_stage_is_laid_under_and_taken_away() {
    let mut window = window(testing::baked());
    window.by_id("display.add-overlay").click();
    window.run();
    window.by_id("display.under.regions").click();
    window.run();
    let under = |opacity| Command::from(DisplayCommand::Under(StageView::Regions, opacity));
    assert_eq!(window.state_mut().take(), [under(Some(0.6))]);
    window.state_mut().session.shown.display.put_under(StageView::Regions, Some(0.6));
    window.run();
    picture(&mut window, "display-under");
    window.by_id("display.under.regions").click();
    window.run();
    assert_eq!(window.state_mut().take(), [under(None)]);
}

#[test]
fn stories_are_stepped_and_a_slice_is_ended() {
    let mut window = window(testing::baked());
    window.by_id("display.storey-up").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(DisplayCommand::StoryUp)]);
    assert!(window.by_id("display.all-heights").accesskit_node().is_disabled());
    window.state_mut().session.shown.display.slice = Slice { bottom: 0.0, top: 1.0 };
    window.state_mut().session.shown.display.story = Some((1, 2));
    window.run();
    window.text("Story 1 of 2");
    window.by_id("display.all-heights").click();
    window.run();
    assert_eq!(window.state_mut().take(), [Command::from(DisplayCommand::AllHeights)]);
}
