//! The path tool: two points on the level, placed by clicks and moved by drags.

use glam::Vec3;
use walkable::debug_draw::DrawList;

use crate::{
    command::{Command, Commands, PathCommand},
    session::SessionView,
    tools::{Cursor, Hint, handle, ring::ring},
    viewport::{PointerButton, PointerEvent, PointerKind},
};

/// One of the two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Where the path starts.
    Start,
    /// Where it ends.
    End,
}

/// What the pointer is about. The points themselves are the session's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum PathTool {
    /// Over nothing that can be taken hold of.
    #[default]
    Idle,
    /// Over one of the points.
    Over(End),
    /// Moving one of the points, which came from `origin`.
    Dragging {
        /// Which one.
        end: End,
        /// Where it was.
        origin: Vec3,
    },
}

impl PathTool {
    pub(crate) fn event(
        self,
        event: PointerEvent,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Self {
        match (self, event.kind) {
            (Self::Dragging { end, .. }, PointerKind::Drag) => {
                if let Some(point) = event.hit {
                    out.push(end.command(point));
                }
                self
            }
            (Self::Dragging { end, .. }, PointerKind::Release) => Self::Over(end),
            // The pointer was let go where the view could not see it.
            (_, PointerKind::Hover) => {
                under(&event, view).map_or(Self::Idle, |(end, _)| Self::Over(end))
            }
            (_, PointerKind::Press) if event.button == PointerButton::Primary => {
                under(&event, view)
                    .map_or(Self::Idle, |(end, origin)| Self::Dragging { end, origin })
            }
            // A handle that was pressed and not moved is not a place to go to.
            (Self::Over(_), PointerKind::Click) if event.button == PointerButton::Primary => self,
            (_, PointerKind::Click) => {
                place(&event, view, out);
                Self::Idle
            }
            _ => self,
        }
    }

    pub(crate) fn back(self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        if let Self::Dragging { end, origin } = self {
            out.push(end.command(origin));
            return Some(Self::Idle);
        }
        let path = &view.path;
        if path.start.is_none() && path.end.is_none() {
            return None;
        }
        out.push(PathCommand::Clear);
        Some(Self::Idle)
    }

    pub(crate) fn hints(self, view: &SessionView<'_>) -> &'static [Hint] {
        const START: Hint = ("Click", "place the start");
        const END: Hint = ("Click", "place the end");
        const MOVE_END: Hint = ("Click", "move the end here");
        const MOVE_START: Hint = ("Right-click", "move the start here");
        const DRAG: Hint = ("Drag", "move either end");
        const HOLD: Hint = ("Drag", "move it; the path follows");
        const RELEASE: Hint = ("Release", "leave it here");
        const RESTORE: Hint = ("Esc", "put it back");
        const CLEAR: Hint = ("Esc", "clear the path");
        match self {
            Self::Dragging { .. } => &[RELEASE, RESTORE],
            Self::Over(_) => &[HOLD, CLEAR],
            Self::Idle => match (view.path.start, view.path.end) {
                (None, _) => &[START],
                (Some(_), None) => &[END, MOVE_START, CLEAR],
                (Some(_), Some(_)) => &[MOVE_END, MOVE_START, DRAG, CLEAR],
            },
        }
    }

    pub(crate) const fn cursor(self) -> Cursor {
        match self {
            Self::Idle => Cursor::Crosshair,
            Self::Over(_) => Cursor::Grab,
            Self::Dragging { .. } => Cursor::Grabbing,
        }
    }

    /// The outline of the agent around the point that is held or could be.
    pub(crate) fn preview(self, view: &SessionView<'_>) -> DrawList {
        let end = match self {
            Self::Idle => return DrawList::default(),
            Self::Over(end) | Self::Dragging { end, .. } => end,
        };
        let radius = view.document().settings.agent_radius.max(SMALLEST_RING);
        let lines = end.of(view).map(|at| ring(at, radius)).unwrap_or_default();
        DrawList { lines, ..DrawList::default() }
    }
}

/// Smallest radius of the ring around a point, in metres.
const SMALLEST_RING: f32 = 0.2;

impl End {
    fn command(self, at: Vec3) -> Command {
        match self {
            Self::Start => Command::Path(PathCommand::Start(at)),
            Self::End => Command::Path(PathCommand::End(at)),
        }
    }

    fn of(self, view: &SessionView<'_>) -> Option<Vec3> {
        match self {
            Self::Start => view.path.start,
            Self::End => view.path.end,
        }
    }
}

/// The point under the pointer; the end, which was placed last, lies on top.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<(End, Vec3)> {
    [End::End, End::Start]
        .into_iter()
        .filter_map(|end| end.of(view).map(|at| (end, at)))
        .find(|(_, at)| handle::is_on(event.ray_in_world, *at))
}

/// A click places the point that is missing, else moves the end; Shift or the right button means the
/// start.
fn place(event: &PointerEvent, view: &SessionView<'_>, out: &mut Commands) {
    let Some(point) = event.hit else { return };
    let wants_start = match event.button {
        PointerButton::Primary => event.modifiers.shift,
        PointerButton::Secondary => true,
        PointerButton::Middle => return,
    };
    let end = if wants_start || view.path.start.is_none() { End::Start } else { End::End };
    out.push(end.command(point));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{session::Session, tools::testing::event};

    use PointerKind::{Click, Drag, Hover, Press, Release};

    fn session(start: Option<Vec3>, end: Option<Vec3>) -> Session {
        let mut session = Session::default();
        session.path.start = start;
        session.path.end = end;
        session
    }

    #[track_caller]
    fn check(session: &Session, events: &[PointerEvent], expected: &[Command]) -> PathTool {
        let view = SessionView { session, auto_bake: true };
        let mut out = Commands::default();
        let tool = events
            .iter()
            .fold(PathTool::default(), |tool, &event| tool.event(event, &view, &mut out));
        assert_eq!(out.take(), expected);
        tool
    }

    const A: Vec3 = Vec3::new(1.0, 0.0, 1.0);
    const B: Vec3 = Vec3::new(4.0, 0.0, 1.0);
    const C: Vec3 = Vec3::new(2.0, 0.0, 3.0);

    #[test]
    fn clicks_place_the_missing_point_then_move_the_end() {
        let at_c = event(Click, C.x, C.z);
        check(&session(None, None), &[at_c], &[Command::Path(PathCommand::Start(C))]);
        check(&session(None, Some(B)), &[at_c], &[Command::Path(PathCommand::Start(C))]);
        check(&session(Some(A), None), &[at_c], &[Command::Path(PathCommand::End(C))]);
        check(&session(Some(A), Some(B)), &[at_c], &[Command::Path(PathCommand::End(C))]);
    }

    #[test]
    fn right_and_shift_click_move_the_start() {
        let right = PointerEvent { button: PointerButton::Secondary, ..event(Click, C.x, C.z) };
        check(&session(Some(A), Some(B)), &[right], &[Command::Path(PathCommand::Start(C))]);
        let mut shift = event(Click, C.x, C.z);
        shift.modifiers.shift = true;
        check(&session(Some(A), Some(B)), &[shift], &[Command::Path(PathCommand::Start(C))]);
    }

    #[test]
    fn a_click_into_the_void_does_nothing() {
        let mut void = event(Click, C.x, C.z);
        void.hit = None;
        check(&session(Some(A), None), &[void], &[]);
    }

    #[test]
    fn drags_move_the_end_that_was_taken() {
        let session = session(Some(A), Some(B));
        let events = [
            event(Press, A.x + 0.1, A.z),
            event(Drag, 1.5, 1.0),
            event(Drag, C.x, C.z),
            event(Release, C.x, C.z),
        ];
        let moved = [
            Command::Path(PathCommand::Start(Vec3::new(1.5, 0.0, 1.0))),
            Command::Path(PathCommand::Start(C)),
        ];
        let tool = check(&session, &events, &moved);
        assert_eq!(tool, PathTool::Over(End::Start));
        // 0.016 radians at 10 m are 16 cm.
        let miss = [event(Press, A.x + 0.2, A.z), event(Drag, C.x, C.z)];
        assert_eq!(check(&session, &miss, &[]), PathTool::Idle);
    }

    #[test]
    fn a_click_on_a_handle_moves_nothing() {
        let on_start = [event(Press, A.x, A.z), event(Release, A.x, A.z), event(Click, A.x, A.z)];
        check(&session(Some(A), Some(B)), &on_start, &[]);
    }

    #[test]
    fn a_drag_over_the_void_keeps_the_last_place() {
        let mut void = event(Drag, 100.0, 100.0);
        void.hit = None;
        check(&session(Some(A), Some(B)), &[event(Press, B.x, B.z), void], &[]);
    }

    #[test]
    fn escape_puts_back_then_clears_then_has_nothing_left() {
        let full = session(Some(A), Some(B));
        let view = SessionView { session: &full, auto_bake: true };
        let mut out = Commands::default();
        let dragging = check(&full, &[event(Press, B.x, B.z)], &[]);
        assert_eq!(dragging.back(&view, &mut out), Some(PathTool::Idle));
        assert_eq!(out.take(), [Command::Path(PathCommand::End(B))]);
        assert_eq!(PathTool::Idle.back(&view, &mut out), Some(PathTool::Idle));
        assert_eq!(out.take(), [Command::Path(PathCommand::Clear)]);
        let empty = session(None, None);
        let view = SessionView { session: &empty, auto_bake: true };
        assert_eq!(PathTool::Idle.back(&view, &mut out), None);
    }

    #[test]
    fn hints_and_cursor_follow_the_state() {
        let empty = session(None, None);
        let view = SessionView { session: &empty, auto_bake: true };
        assert_eq!(PathTool::Idle.hints(&view)[0].1, "place the start");
        let half = session(Some(A), None);
        let view = SessionView { session: &half, auto_bake: true };
        assert_eq!(PathTool::Idle.hints(&view)[0].1, "place the end");
        let over = check(&half, &[event(Hover, A.x, A.z)], &[]);
        assert_eq!(over.cursor(), Cursor::Grab);
        let ring = over.preview(&view).lines;
        assert!(
            ring.iter().all(|line| (line.a.distance(A) - 0.6).abs() < 0.01),
            "the agent's radius"
        );
        assert!(ring.len() > 8);
        assert_eq!(PathTool::Idle.cursor(), Cursor::Crosshair);
    }
}
