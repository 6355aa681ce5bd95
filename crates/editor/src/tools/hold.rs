//! The state of the pointer for tools with two ends, which are placed by clicks and moved by drags.

use glam::Vec3;

use crate::{
    command::{Command, Commands},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::SessionView,
    tools::{Cursor, handle},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Start,
    End,
}

/// The state of the pointer. The session stores the ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Hold {
    #[default]
    Idle,
    Over(End),
    Dragging {
        end: End,
        origin: Vec3,
    },
}

pub(super) struct EndHandles {
    /// Returns the position of an end, if it is visible.
    pub(super) at: fn(&SessionView<'_>, End) -> Option<Vec3>,
    pub(super) put: fn(End, Vec3) -> Command,
    /// Returns the end that a click places; `None` for neither.
    pub(super) meant: fn(&PointerEvent, &SessionView<'_>) -> Option<End>,
    pub(super) clear: fn() -> Command,
}

impl EndHandles {
    /// Returns the end under the pointer and its position. If both are, it is [`End::End`], which was placed last.
    fn under(&self, event: &PointerEvent, view: &SessionView<'_>) -> Option<(End, Vec3)> {
        let places = [End::End, End::Start].into_iter();
        let mut seen = places.filter_map(|end| Some((end, (self.at)(view, end)?)));
        seen.find(|&(_, at)| handle::is_on(event.ray_in_world, at))
    }
}

impl Hold {
    pub(super) fn event(
        self,
        ends: &EndHandles,
        event: &PointerEvent,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Self {
        let is_primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            (Self::Dragging { end, .. }, PointerKind::Drag) => {
                out.push_all(event.hit.map(|at| (ends.put)(end, at)));
                self
            }
            (Self::Dragging { end, .. }, PointerKind::Release) => Self::Over(end),
            // Also after the button was released outside the view.
            (_, PointerKind::Hover) => {
                ends.under(event, view).map_or(Self::Idle, |(end, _)| Self::Over(end))
            }
            (_, PointerKind::Press) if is_primary => ends
                .under(event, view)
                .map_or(Self::Idle, |(end, origin)| Self::Dragging { end, origin }),
            // A click on an end does not place the other one there.
            (Self::Over(_), PointerKind::Click) if is_primary => self,
            (_, PointerKind::Click) => {
                let meant = (ends.meant)(event, view).zip(event.hit);
                out.push_all(meant.map(|(end, at)| (ends.put)(end, at)));
                // The end is then under the pointer.
                meant.map_or(Self::Idle, |(end, _)| Self::Over(end))
            }
            _ => self,
        }
    }

    pub(super) fn left(self) -> Self {
        if matches!(self, Self::Over(_)) { Self::Idle } else { self }
    }

    /// Cancels the drag, or else removes both ends; `None` if there are none.
    pub(super) fn back(
        self,
        ends: &EndHandles,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Option<Self> {
        if let Self::Dragging { end, origin } = self {
            out.push((ends.put)(end, origin));
            return Some(Self::Idle);
        }
        (ends.at)(view, End::Start).or_else(|| (ends.at)(view, End::End))?;
        out.push((ends.clear)());
        Some(Self::Idle)
    }

    /// Returns the end that is moved or under the pointer.
    pub(super) const fn end(self) -> Option<End> {
        match self {
            Self::Idle => None,
            Self::Over(end) | Self::Dragging { end, .. } => Some(end),
        }
    }

    pub(super) const fn cursor(self) -> Cursor {
        match self {
            Self::Idle => Cursor::Crosshair,
            Self::Over(_) => Cursor::Grab,
            Self::Dragging { .. } => Cursor::Grabbing,
        }
    }
}
