//! Tests of the time between an input and the first picture that shows its result: at most two frames.

use std::time::Duration;

use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use walkable_editor::{command::Command, session::ToolKind};
use walkable_workspace::stage_view::StageView;

use super::{App, baked, settle, steps, trigger};
use crate::testing::Find as _;

/// Maximum number of frames from an input to its result, the frame in which the input arrives included.
const MAX_FRAMES: usize = 2;

/// Draws frames until the result of an input is shown; returns their number. Each frame that does not show it must
/// request another one at once.
#[track_caller]
fn frames_until(
    harness: &mut Harness<'_, App>,
    is_shown: impl Fn(&Harness<'_, App>) -> bool,
) -> usize {
    for n in 1..=MAX_FRAMES {
        harness.step();
        if is_shown(harness) {
            return n;
        }
        let views = harness.output().viewport_output.values();
        let delay = views.map(|view| view.repaint_delay).min();
        assert_eq!(delay, Some(Duration::ZERO), "no frame is requested after {n} frames");
    }
    panic!("{MAX_FRAMES} frames do not show the result");
}

/// Returns a picture of the 3D view.
fn view_picture(harness: &mut Harness<'_, App>) -> image::RgbaImage {
    let rect = harness.by_id("viewport").rect();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the window is small, and its corner is at 0"
    )]
    let [x, y, width, height] =
        [rect.left(), rect.top(), rect.width(), rect.height()].map(|at| at.round() as u32);
    let window = harness.render().expect("a graphics driver is available");
    image::imageops::crop_imm(&window, x, y, width, height).to_image()
}

/// Checks that the 3D view is complete: later frames show the same.
#[track_caller]
fn is_final(harness: &mut Harness<'_, App>) {
    let now = view_picture(harness);
    settle(harness);
    steps(harness, 3);
    let later = view_picture(harness);
    for (image, name) in [(&now, "response-now"), (&later, "response-later")] {
        crate::testing::save(image, name);
    }
    assert!(now == later, "the picture changes afterwards");
}

/// Presses and releases a mouse button.
fn press_and_release(pos: Pos2, button: PointerButton) -> [Event; 2] {
    [true, false].map(|pressed| {
        let modifiers = Modifiers::NONE;
        Event::PointerButton { pos, button, pressed, modifiers }
    })
}

#[test]
fn two_frames_after_the_pointer_moves_the_place_under_it_is_explained() {
    let mut harness = baked();
    let middle = harness.by_id("viewport").rect().center();
    let point = |harness: &Harness<'_, App>| {
        harness.state().editor.session().tools.hover.map(|hover| hover.point)
    };
    for (n_moves, at) in [middle, middle + vec2(40.0, 25.0)].into_iter().enumerate() {
        let before = point(&harness);
        harness.hover_at(at);
        let n = frames_until(&mut harness, |harness| point(harness) != before);
        assert!(n <= MAX_FRAMES, "{n} frames");
        let session = harness.state().editor.session();
        let place = session.tools.hover.expect("the level is under the pointer").point;
        let position = walkable_workspace::format::position(place);
        assert!(harness.n_texts_with(&position) > 0, "the status bar does not show {position}");
        // The first tooltip fades in.
        if n_moves > 0 {
            is_final(&mut harness);
        }
        settle(&mut harness);
    }
}

#[test]
fn two_frames_after_a_click_the_new_path_is_drawn() {
    let mut harness = baked();
    trigger(&mut harness, Command::ChooseTool(ToolKind::Path));
    let at = harness.by_id("viewport").rect().center() + vec2(30.0, 20.0);
    harness.hover_at(at);
    steps(&mut harness, 3);
    let before = view_picture(&mut harness);
    let serial = |harness: &Harness<'_, App>| {
        harness.state().editor.session().path.answer.as_ref().map(|answer| answer.serial)
    };
    let old = serial(&harness);
    let [press, release] = press_and_release(at, PointerButton::Primary);
    harness.event(press);
    harness.step();
    harness.event(release);
    frames_until(&mut harness, |harness| serial(harness) != old);
    assert!(view_picture(&mut harness) != before, "the path is not drawn");
    is_final(&mut harness);
}

#[test]
fn a_drag_turns_the_view_in_the_same_frame() {
    let mut harness = baked();
    let at = harness.by_id("viewport").rect().center();
    harness.hover_at(at);
    harness.step();
    let [press, release] = press_and_release(at, PointerButton::Middle);
    harness.event(press);
    harness.step();
    let look = |harness: &Harness<'_, App>| harness.state().view.viewport.camera().to_look();
    for far in [1.0, 2.0, 3.0] {
        let before = look(&harness);
        harness.hover_at(at + vec2(20.0, 5.0) * far);
        assert_eq!(frames_until(&mut harness, |harness| look(harness) != before), 1, "move {far}");
    }
    harness.event(release);
}

#[test]
fn keys_work_in_the_same_frame_and_buttons_in_the_next() {
    let mut harness = baked();
    let stage = |harness: &Harness<'_, App>| harness.state().editor.session().shown.stage;
    let before = stage(&harness);
    harness.key_press(Key::ArrowLeft);
    assert_eq!(frames_until(&mut harness, |harness| stage(harness) != before), 1);
    settle(&mut harness);
    let at = harness.by_id("view.stage.regions").rect().center();
    harness.hover_at(at);
    harness.step();
    let [press, release] = press_and_release(at, PointerButton::Primary);
    harness.event(press);
    harness.step();
    harness.event(release);
    frames_until(&mut harness, |harness| stage(harness) == StageView::Regions);
}
