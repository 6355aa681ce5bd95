//! What the pointer does in the view, as numbers that tools take. Knows no window library.

use glam::Vec3;
use walkable::geom::Ray;

/// What happened. A press is followed by drags, a release and, where the pointer did not move, a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointerKind {
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
pub(crate) enum PointerButton {
    /// Left, for tools. [`PointerKind::Hover`] names it too.
    Primary,
    /// Right: only its clicks are events, its drags look around.
    Secondary,
    /// Wheel: only its clicks are events, its drags turn the view.
    Middle,
}

/// Keys held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PointerModifiers {
    /// Shift.
    pub(crate) shift: bool,
    /// Control, Command on a Mac.
    pub(crate) command: bool,
    /// Alt.
    pub(crate) alt: bool,
}

/// One thing the pointer did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PointerEvent {
    /// What.
    pub(crate) kind: PointerKind,
    /// With which button.
    pub(crate) button: PointerButton,
    /// With which keys held.
    pub(crate) modifiers: PointerModifiers,
    /// The line of sight under the pointer.
    pub(crate) ray_in_world: Ray,
    /// Where that line meets the level, or without a level the navmesh.
    pub(crate) hit: Option<Vec3>,
    /// The level's triangle that it meets there.
    pub(crate) triangle: Option<u32>,
}
