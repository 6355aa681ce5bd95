//! The query tool: a click places the start, another the end, and drags move them; the answer is live.

use glam::Vec3;
use walkable::debug_draw::{self, DrawList, Paint};

use crate::{
    command::{Command, Commands, ProbeCommand},
    session::SessionView,
    tools::{Cursor, Hint, handle},
    viewport::{PointerButton, PointerEvent, PointerKind},
};

/// What the pointer is about. The two places are the session's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ProbeTool {
    /// Over nothing that can be taken hold of.
    #[default]
    Idle,
    /// Over a place.
    Over(ProbeEnd),
    /// Moving a place, which came from `origin`.
    Dragging {
        /// Which one.
        end: ProbeEnd,
        /// Where it was.
        origin: Vec3,
    },
}

/// One of the two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeEnd {
    Start,
    End,
}

impl ProbeEnd {
    const fn command(self, at: Vec3) -> Command {
        match self {
            Self::Start => Command::Probe(ProbeCommand::Start(at)),
            Self::End => Command::Probe(ProbeCommand::End(at)),
        }
    }
}

impl ProbeTool {
    pub(crate) fn event(
        self,
        event: PointerEvent,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Self {
        let is_primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            (Self::Dragging { end, .. }, PointerKind::Drag) => {
                out.push_all(event.hit.map(|at| end.command(at)));
                self
            }
            (Self::Dragging { end, .. }, PointerKind::Release) => Self::Over(end),
            // Also where the pointer was let go where the view could not see it.
            (_, PointerKind::Hover) => {
                under(&event, view).map_or(Self::Idle, |(end, _)| Self::Over(end))
            }
            (_, PointerKind::Press) if is_primary => under(&event, view)
                .map_or(Self::Idle, |(end, origin)| Self::Dragging { end, origin }),
            // A handle that was pressed and not moved is not a place to ask from.
            (Self::Over(_), PointerKind::Click) if is_primary => self,
            (_, PointerKind::Click) => {
                let is_end = is_primary && view.probe.mode.has_end() && view.probe.start.is_some();
                let end = if is_end { ProbeEnd::End } else { ProbeEnd::Start };
                out.push_all(event.hit.map(|at| end.command(at)));
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
        view.probe.start?;
        out.push(ProbeCommand::Clear);
        Some(Self::Idle)
    }

    pub(crate) fn hints(self, view: &SessionView<'_>) -> &'static [Hint] {
        const CLEAR: Hint = ("Esc", "clear it");
        match (self, view.probe.mode.has_end(), view.probe.start) {
            (Self::Over(_), ..) => &[("Drag", "move it")],
            (Self::Dragging { .. }, ..) => &[("Release", "leave it here"), ("Esc", "put it back")],
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
            Self::Dragging { .. } => Cursor::Grabbing,
        }
    }

    /// The answer and the two places.
    pub(crate) fn preview(view: &SessionView<'_>) -> DrawList {
        let probe = &view.probe;
        let mut list = DrawList::default();
        if let Some(answer) = &probe.answer {
            match (probe.replay.step, view.bake.navmesh.as_deref()) {
                (Some(step), Some(navmesh)) => {
                    list = debug_draw::search_step(navmesh, &answer.expanded, step);
                }
                _ => list = answer.picture.clone(),
            }
        }
        if let Some(start) = probe.start {
            list.point(start, 12.0, Paint::Start);
        }
        if let Some(end) = probe.end.filter(|_| probe.mode.has_end()) {
            list.point(end, 12.0, Paint::End);
        }
        list
    }
}

/// The place under the pointer, and where it is.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<(ProbeEnd, Vec3)> {
    let end = view.probe.end.filter(|_| view.probe.mode.has_end());
    let places = [(ProbeEnd::End, end), (ProbeEnd::Start, view.probe.start)];
    let mut seen = places.into_iter().filter_map(|(end, at)| Some((end, at?)));
    seen.find(|&(_, at)| handle::is_on(event.ray_in_world, at))
}

#[cfg(test)]
mod tests {
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
        let origin = Vec3::X * 4.0;
        assert_eq!(run(&mut session, &drag), ProbeTool::Dragging { end: ProbeEnd::End, origin });
        assert_eq!(places(&session), (Some(Vec3::X), Some(Vec3::X * 5.0)));
        let drag = [&drag[..], &[event(Release, 5.0, 0.0)]].concat();
        run(&mut session, &drag);
        // Let go where the view could not see it: the pointer holds nothing any more.
        let lost = [&drag[..3], &[event(Hover, 20.0, 20.0)]].concat();
        assert_eq!(run(&mut session, &lost), ProbeTool::Idle);
        // A handle that is clicked stays where it is.
        let before = places(&session);
        run(&mut session, &[event(Hover, 5.0, 0.0), event(Click, 5.01, 0.0)]);
        assert_eq!(places(&session), before);
        session.probe.mode = ProbeMode::Circle;
        run(&mut session, &[event(Click, 7.0, 0.0)]);
        assert_eq!(session.probe.start, Some(Vec3::X * 7.0), "one place is enough for a circle");
    }
}
