//! Reads mouse and keys for the camera and the tools.

use eframe::egui::{self, Key, PointerButton as Button, Pos2, Rect};
use glam::{Vec2, Vec3, vec2, vec3};
use walkable_editor::{
    navigation::{Navigation, Steering},
    pointer::{PointerButton, PointerKind, PointerModifiers},
};

/// Maximum movement of a click between press and release, in points.
const CLICK_REACH: f32 = 4.0;
/// Rotation of the camera, in radians per point.
const TURN_PER_POINT: f32 = 0.006;
/// Change of the distance's logarithm per point of scrolling: a notch of a wheel, 50 points, is about a ninth.
const ZOOM_PER_POINT: f32 = 0.0024;
/// Change of the distance's logarithm per point of a dolly drag.
const DOLLY_PER_POINT: f32 = 0.005;
/// Largest change of the flight speed, as a logarithm: 16 times faster or slower.
const MAX_HURRY: f32 = 2.772_588_7;

/// A button that was pressed over the view and is still held.
#[derive(Clone, Copy, Debug)]
struct Hold {
    button: PointerButton,
    pressed_at: Pos2,
    /// Where the button went up, if it has.
    released_at: Option<Pos2>,
    has_moved: bool,
    /// `None` if the button belongs to the tools.
    steering: Option<Steering>,
}

/// An action of the pointer for a tool, without its position in the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Signal {
    pub(super) kind: PointerKind,
    pub(super) button: PointerButton,
    pub(super) at: Pos2,
    /// Where the button went down; the position itself if none is down.
    pub(super) pressed_at: Pos2,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Steer {
    /// Rotation around the target, in radians.
    pub(super) orbit: Vec2,
    /// Rotation in place, in radians.
    pub(super) look: Vec2,
    /// Movement sideways, in points on the screen.
    pub(super) pan: Vec2,
    /// Factor for the distance, and the position of the pointer.
    pub(super) zoom: Option<(f32, Pos2)>,
    /// Velocity of flight to the right, up and forward.
    pub(super) fly: Vec3,
    /// Whether keys fly, so that frames must keep coming.
    pub(super) is_flying: bool,
}

#[derive(Debug, Default)]
pub(super) struct Input {
    hold: Option<Hold>,
    /// Logarithm of the factor for the flight speed, which the wheel sets.
    hurry: f32,
}

impl Input {
    pub(super) fn read(
        &mut self,
        response: &egui::Response,
        navigation: Navigation,
    ) -> (Steer, Vec<Signal>) {
        let mut signals = Vec::new();
        let is_over = response.hovered();
        let mut waits = false;
        let steer = response.ctx.input(|input| {
            let was_free = self.hold.is_none();
            if was_free && is_over {
                self.hold = pressed(input, navigation, response.rect, &mut signals);
            }
            if let Some(hold) = &mut self.hold {
                hold.note_release(input);
                // A drag needs what the press grabs, and commands are carried out between frames.
                waits = was_free && hold.is_tool_drag(input);
            }
            let mut steer = match &mut self.hold {
                Some(hold) if !waits => follow(hold, input, &mut signals),
                _ => Steer::default(),
            };
            let held = self.hold.filter(|_| !waits);
            if let Some((hold, at)) = held.and_then(|hold| Some((hold, hold.released_at?))) {
                self.hold = None;
                signals.extend(released(hold, at));
            } else if self.hold.is_none() && is_over {
                let hover = |at| Signal {
                    kind: PointerKind::Hover,
                    button: PointerButton::Primary,
                    at,
                    pressed_at: at,
                };
                signals.extend(input.pointer.hover_pos().map(hover));
            }
            if self.is_looking() {
                let scrolled = input.smooth_scroll_delta().y * ZOOM_PER_POINT;
                self.hurry = (self.hurry + scrolled).clamp(-MAX_HURRY, MAX_HURRY);
                steer.fly *= self.hurry.exp();
            } else if is_over && steer.zoom.is_none() {
                steer.zoom = zoom(input);
            }
            steer
        });
        if waits {
            response.ctx.request_repaint();
        }
        (steer, signals)
    }

    fn is_looking(&self) -> bool {
        self.hold.is_some_and(|hold| hold.steering == Some(Steering::Look))
    }

    pub(super) fn dragged_from(&self) -> Option<Pos2> {
        let hold = self.hold.filter(|hold| hold.has_moved && hold.steering.is_none())?;
        Some(hold.pressed_at)
    }

    /// Returns the factor for the flight speed, while a drag turns the camera in place.
    pub(super) fn flight_speed(&self) -> Option<f32> {
        let is_moving = self.hold.is_some_and(|hold| hold.has_moved);
        (self.is_looking() && is_moving).then(|| self.hurry.exp())
    }
}

impl Hold {
    /// Remembers where the button went up, as the pointer may move on.
    fn note_release(&mut self, input: &egui::InputState) {
        let button = egui_button(self.button);
        if self.released_at.is_none() && !input.pointer.button_down(button) {
            let last = button_pos(input, (button, false)).or_else(|| input.pointer.latest_pos());
            self.released_at = Some(last.unwrap_or(self.pressed_at));
        }
    }

    /// Returns where the pointer is, or where the button went up.
    fn pos(&self, input: &egui::InputState) -> Option<Pos2> {
        self.released_at.or_else(|| input.pointer.interact_pos())
    }

    fn is_off(&self, at: Pos2) -> bool {
        at.distance(self.pressed_at) > CLICK_REACH
    }

    fn is_tool_drag(&self, input: &egui::InputState) -> bool {
        self.steering.is_none() && self.pos(input).is_some_and(|at| self.is_off(at))
    }
}

/// Returns where a button last went down (`true`) or up in this frame. The pointer may have moved since.
fn button_pos(input: &egui::InputState, (button, is_down): (Button, bool)) -> Option<Pos2> {
    input.events.iter().rev().find_map(|event| match *event {
        egui::Event::PointerButton { pos, button: of, pressed, .. }
            if of == button && pressed == is_down =>
        {
            Some(pos)
        }
        _ => None,
    })
}

pub(super) fn modifiers(input: &egui::InputState) -> PointerModifiers {
    let egui::Modifiers { shift, command, alt, .. } = input.modifiers;
    PointerModifiers { shift, command, alt }
}

fn egui_button(button: PointerButton) -> Button {
    match button {
        PointerButton::Primary => Button::Primary,
        PointerButton::Secondary => Button::Secondary,
        PointerButton::Middle => Button::Middle,
    }
}

fn pressed(
    input: &egui::InputState,
    navigation: Navigation,
    view: Rect,
    signals: &mut Vec<Signal>,
) -> Option<Hold> {
    let all = [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle];
    let button = all.into_iter().find(|&b| input.pointer.button_pressed(egui_button(b)))?;
    // The pointer may have moved into the view after a press elsewhere.
    let pressed_at = button_pos(input, (egui_button(button), true))
        .or_else(|| input.pointer.press_origin())
        .filter(|&at| view.contains(at))?;
    let steering = navigation.steering(button, modifiers(input));
    if steering.is_none() {
        signals.push(Signal { kind: PointerKind::Press, button, at: pressed_at, pressed_at });
    }
    Some(Hold { button, pressed_at, released_at: None, has_moved: false, steering })
}

fn follow(hold: &mut Hold, input: &egui::InputState, signals: &mut Vec<Signal>) -> Steer {
    let mut steer = Steer::default();
    let Some(at) = hold.pos(input) else { return steer };
    let started = !hold.has_moved && hold.is_off(at);
    hold.has_moved |= started;
    // The first movement includes that before the drag started, so that nothing lags behind the pointer.
    let moved = if started { at - hold.pressed_at } else { input.pointer.delta() };
    let moved = if hold.has_moved { vec2(moved.x, moved.y) } else { Vec2::ZERO };
    match hold.steering {
        None if hold.has_moved && moved != Vec2::ZERO => {
            let Hold { button, pressed_at, .. } = *hold;
            signals.push(Signal { kind: PointerKind::Drag, button, at, pressed_at });
        }
        None => {}
        Some(Steering::Orbit) => steer.orbit = moved * TURN_PER_POINT,
        Some(Steering::Pan) => steer.pan = moved,
        Some(Steering::Dolly) => {
            let factor = ((moved.y - moved.x) * DOLLY_PER_POINT).exp();
            steer.zoom = (moved != Vec2::ZERO).then_some((factor, hold.pressed_at));
        }
        Some(Steering::Look) => {
            steer.look = moved * TURN_PER_POINT;
            steer.fly = flight(input);
            steer.is_flying = steer.fly != Vec3::ZERO;
            // A right click after flying does not count as a click.
            hold.has_moved |= steer.is_flying;
        }
    }
    steer
}

fn released(hold: Hold, at: Pos2) -> impl Iterator<Item = Signal> {
    let Hold { button, pressed_at, .. } = hold;
    let signal = move |kind| Signal { kind, button, at, pressed_at };
    let is_alt_drag = hold.button == PointerButton::Primary && hold.steering.is_some();
    let release = hold.steering.is_none().then(|| signal(PointerKind::Release));
    let click = (!hold.has_moved && !is_alt_drag).then(|| signal(PointerKind::Click));
    release.into_iter().chain(click)
}

fn zoom(input: &egui::InputState) -> Option<(f32, Pos2)> {
    let at = input.pointer.hover_pos()?;
    let factor = (-input.smooth_scroll_delta().y * ZOOM_PER_POINT).exp() / input.zoom_delta();
    ((factor - 1.0).abs() > 1e-6 && factor.is_finite()).then_some((factor, at))
}

fn flight(input: &egui::InputState) -> Vec3 {
    let axis = |minus, plus| {
        f32::from(u8::from(input.key_down(plus))) - f32::from(u8::from(input.key_down(minus)))
    };
    let direction = vec3(axis(Key::A, Key::D), axis(Key::Q, Key::E), axis(Key::S, Key::W));
    direction.normalize_or_zero() * if input.modifiers.shift { 4.0 } else { 1.0 }
}
