//! The query tool: a click places the start, another the end, and drags move them; the answer is live.

use walkable::debug_draw::{DrawList, Paint};

use crate::{
    command::{Command, Commands},
    session::SessionView,
    tools::{Cursor, Hint, handle},
    viewport::{PointerButton, PointerEvent, PointerKind},
};

/// What the pointer is about. The two places are the session's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ProbeTool {
    /// Over nothing that can be taken hold of.
    #[default]
    Idle,
    /// Over a place.
    Over(ProbeEnd),
    /// Moving a place.
    Dragging(ProbeEnd),
}

/// One of the two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeEnd {
    Start,
    End,
}

impl ProbeEnd {
    fn moved_to(self, event: &PointerEvent) -> Option<Command> {
        event.hit.map(match self {
            Self::Start => Command::ProbeStart,
            Self::End => Command::ProbeEnd,
        })
    }
}

impl ProbeTool {
    pub(crate) fn event(
        self,
        event: PointerEvent,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Self {
        match (self, event.kind) {
            (Self::Over(end), PointerKind::Press) => Self::Dragging(end),
            (Self::Dragging(end), PointerKind::Drag) => {
                out.push_all(end.moved_to(&event));
                self
            }
            (Self::Dragging(end), PointerKind::Release) => Self::Over(end),
            (Self::Dragging(_), _) => self,
            (_, PointerKind::Hover) => under(&event, view).map_or(Self::Idle, Self::Over),
            (_, PointerKind::Click) => {
                let is_end = event.button == PointerButton::Primary
                    && view.probe.mode.has_end()
                    && view.probe.start.is_some();
                let end = if is_end { ProbeEnd::End } else { ProbeEnd::Start };
                out.push_all(end.moved_to(&event));
                Self::Idle
            }
            _ => self,
        }
    }

    pub(crate) fn back(view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        view.probe.start?;
        out.push(Command::ClearProbe);
        Some(Self::Idle)
    }

    pub(crate) fn hints(self, view: &SessionView<'_>) -> &'static [Hint] {
        const CLEAR: Hint = ("Esc", "clear it");
        match (self, view.probe.mode.has_end(), view.probe.start) {
            (Self::Over(_), ..) => &[("Drag", "move it")],
            (Self::Dragging(_), ..) => &[("Release", "leave it here")],
            (_, _, None) => &[("Click", "ask from here")],
            (_, true, _) => {
                &[("Click", "put the end here"), ("Right-click", "put the start here"), CLEAR]
            }
            (_, false, _) => &[("Click", "ask from here"), CLEAR],
        }
    }

    pub(crate) const fn cursor(self) -> Cursor {
        match self {
            Self::Idle => Cursor::Crosshair,
            Self::Over(_) => Cursor::Grab,
            Self::Dragging(_) => Cursor::Grabbing,
        }
    }

    /// The answer and the two places.
    pub(crate) fn preview(view: &SessionView<'_>) -> DrawList {
        let probe = &view.probe;
        let mut list = probe.answer.as_ref().map(|it| it.picture.clone()).unwrap_or_default();
        if let Some(start) = probe.start {
            list.point(start, 12.0, Paint::Start);
        }
        if let Some(end) = probe.end.filter(|_| probe.mode.has_end()) {
            list.point(end, 12.0, Paint::End);
        }
        list
    }
}

/// The place under the pointer.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<ProbeEnd> {
    let end = view.probe.end.filter(|_| view.probe.mode.has_end());
    let places = [(end, ProbeEnd::End), (view.probe.start, ProbeEnd::Start)];
    let is_on = |at: Option<glam::Vec3>| at.is_some_and(|at| handle::is_on(event.ray_in_world, at));
    places.into_iter().find(|&(at, _)| is_on(at)).map(|(_, end)| end)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        session::{ProbeMode, Session},
        tools::testing::{self, event},
    };

    #[test]
    fn clicks_place_and_drags_move() {
        use PointerKind::{Click, Drag, Hover, Press, Release};
        let mut session = Session::default();
        let places = |session: &Session| (session.probe.start, session.probe.end);
        let run =
            |session: &mut Session, events: &[_]| testing::run(session, events, ProbeTool::event);
        run(&mut session, &[event(Click, 1.0, 0.0), event(Click, 4.0, 0.0)]);
        assert_eq!(places(&session), (Some(Vec3::X), Some(Vec3::X * 4.0)));
        let drag = [event(Hover, 4.0, 0.0), event(Press, 4.0, 0.0), event(Drag, 5.0, 0.0)];
        assert_eq!(run(&mut session, &drag), ProbeTool::Dragging(ProbeEnd::End));
        assert_eq!(places(&session), (Some(Vec3::X), Some(Vec3::X * 5.0)));
        let drag = [&drag[..], &[event(Release, 5.0, 0.0)]].concat();
        run(&mut session, &drag);
        session.probe.mode = ProbeMode::Circle;
        run(&mut session, &[event(Click, 7.0, 0.0)]);
        assert_eq!(session.probe.start, Some(Vec3::X * 7.0), "one place is enough for a circle");
    }
}
