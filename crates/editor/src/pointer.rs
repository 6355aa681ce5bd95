//! Pointer events in the view, as plain numbers for tools. Independent of any window library.

use glam::Vec3;
use walkable::geom::Ray;

/// What happened. A press is followed by drags, a release and, where the pointer did not move, a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// The pointer is over the view, no button down. Once a frame.
    Hover,
    /// A button went down.
    Press,
    /// The pointer moved with the button down, far enough not to be a click. Once a frame.
    Drag,
    /// The button went up.
    Release,
    /// The button went down and up at one place.
    Click,
}

/// Mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerButton {
    /// Left, for tools. [`PointerKind::Hover`] names it too.
    Primary,
    /// Right: only its clicks are events, its drags look around.
    Secondary,
    /// Wheel: only its clicks are events, its drags turn the view.
    Middle,
}

/// Keys held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointerModifiers {
    /// Shift.
    pub shift: bool,
    /// Control, Command on a Mac.
    pub command: bool,
    /// Alt.
    pub alt: bool,
}

/// One thing the pointer did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerEvent {
    /// What.
    pub kind: PointerKind,
    /// With which button.
    pub button: PointerButton,
    /// With which keys held.
    pub modifiers: PointerModifiers,
    /// The line of sight under the pointer.
    pub ray_in_world: Ray,
    /// Where that line meets the level, or without a level the navmesh.
    pub hit: Option<Vec3>,
    /// The level's triangle that it meets there.
    pub triangle: Option<u32>,
}
