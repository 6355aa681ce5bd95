//! Two places that clicks put down and drags move: what the pointer is about, for the tools that have
//! them.

use glam::Vec3;

use crate::{
    command::{Command, Commands},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::SessionView,
    tools::{Cursor, handle},
};

/// One of the two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Where it starts.
    Start,
    /// Where it ends.
    End,
}

/// The state of the pointer. The session holds the places themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Hold {
    /// Over nothing that can be taken hold of.
    #[default]
    Idle,
    /// Over one of the places.
    Over(End),
    /// Moving one of the places, which came from `origin`.
    Dragging {
        /// Which one.
        end: End,
        /// Where it was.
        origin: Vec3,
    },
}

/// Where a tool's two places come from and go to.
pub(super) struct Ends {
    /// Where a place is, if it is seen.
    pub(super) at: fn(&SessionView<'_>, End) -> Option<Vec3>,
    /// The command that places an end at a point.
    pub(super) put: fn(End, Vec3) -> Command,
    /// Which place a click means; `None` for neither.
    pub(super) meant: fn(&PointerEvent, &SessionView<'_>) -> Option<End>,
    /// Removes both.
    pub(super) clear: fn() -> Command,
}

impl Ends {
    /// The place under the pointer, and where it is; the end, which was placed last, lies on top.
    fn under(&self, event: &PointerEvent, view: &SessionView<'_>) -> Option<(End, Vec3)> {
        let places = [End::End, End::Start].into_iter();
        let mut seen = places.filter_map(|end| Some((end, (self.at)(view, end)?)));
        seen.find(|&(_, at)| handle::is_on(event.ray_in_world, at))
    }
}

impl Hold {
    pub(super) fn event(
        self,
        ends: &Ends,
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
            // Also where the pointer was let go where the view could not see it.
            (_, PointerKind::Hover) => {
                ends.under(event, view).map_or(Self::Idle, |(end, _)| Self::Over(end))
            }
            (_, PointerKind::Press) if is_primary => ends
                .under(event, view)
                .map_or(Self::Idle, |(end, origin)| Self::Dragging { end, origin }),
            // A place that was pressed and not moved is not one to put another at.
            (Self::Over(_), PointerKind::Click) if is_primary => self,
            (_, PointerKind::Click) => {
                let meant = (ends.meant)(event, view).zip(event.hit);
                out.push_all(meant.map(|(end, at)| (ends.put)(end, at)));
                Self::Idle
            }
            _ => self,
        }
    }

    /// Cancels the drag, else removes both places; `None` if there are none.
    pub(super) fn back(
        self,
        ends: &Ends,
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

    /// The place that is held or could be.
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
