//! The select tool: shows what is under the cursor and selects a point for the inspector.

use walkable::debug_draw::{DrawList, Paint, Point};

use crate::{
    command::{Command, Commands},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::SessionView,
    text,
    tools::{Hint, place},
};

/// Selects points. Its state is the session's selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectTool;

impl SelectTool {
    pub(super) fn event(self, event: PointerEvent, out: &mut Commands) -> Self {
        if (event.kind, event.button) == (PointerKind::Click, PointerButton::Primary) {
            out.push(Command::Select(place(&event)));
        }
        self
    }

    pub(super) fn back(self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        view.selection?;
        out.push(Command::Select(None));
        Some(self)
    }

    pub(super) fn hints(view: &SessionView<'_>) -> &'static [Hint] {
        const POINT: Hint = (text!("Click"), text!("inspect a place"));
        const DROP: Hint = (text!("Esc"), text!("deselect it"));
        if view.selection.is_some() { &[POINT, DROP] } else { &[POINT] }
    }

    pub(super) fn preview(view: &SessionView<'_>) -> DrawList {
        let point = |hover: crate::session::Hover| Point {
            at: hover.point,
            paint: Paint::Accent,
            size: 9.0,
        };
        DrawList { points: view.selection.map(point).into_iter().collect(), ..DrawList::default() }
    }
}
