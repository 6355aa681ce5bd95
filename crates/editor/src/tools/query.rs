//! The query tool: a click places the start, another the end, and drags move them; the result is live.

use walkable::debug_draw::{DrawList, Paint};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Commands, QueryCommand},
    pointer::{PointerButton, PointerEvent},
    session::SessionView,
    tools::{
        Cursor, Hint,
        hold::{End, EndHandles, Hold},
    },
};

/// State of the query tool. The two points are in the session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueryTool(Hold);

/// The two points of the query; some queries have no end.
const ENDS: EndHandles = EndHandles {
    at: |view, end| match end {
        End::Start => view.tools.query_tool.start,
        End::End => view.tools.query_tool.end.filter(|_| view.tools.query_tool.mode.has_end()),
    },
    put: |end, at| match end {
        End::Start => QueryCommand::Start(at).into(),
        End::End => QueryCommand::End(at).into(),
    },
    meant: |event, view| {
        let is_primary = event.button == PointerButton::Primary;
        let is_end = is_primary
            && view.tools.query_tool.mode.has_end()
            && view.tools.query_tool.start.is_some();
        Some(if is_end { End::End } else { End::Start })
    },
    clear: || QueryCommand::Clear.into(),
};

impl Tool for QueryTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        Self(self.0.event(&ENDS, &event, view, out))
    }

    fn left(self) -> Self {
        Self(self.0.left())
    }

    fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        self.0.back(&ENDS, view, out).map(Self)
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        const CLEAR: Hint = (text!("Esc"), text!("clear it"));
        const STEP: Hint = (". ,", text!("one step forward, back"));
        const END: Hint = (text!("Click"), text!("put the end here"));
        const START: Hint = (text!("Right-click"), text!("put the start here"));
        const FROM: Hint = (text!("Click"), text!("query from here"));
        const GOAL: Hint = (text!("Click"), text!("put the goal here"));
        let plays = view.tools.query_tool.n_steps() > 0;
        match (self.0, view.tools.query_tool.mode.has_end(), view.tools.query_tool.start) {
            (Hold::Over(_), ..) => &[(text!("Drag"), text!("move it"))],
            (Hold::Dragging { .. }, ..) => {
                &[(text!("Release"), text!("leave it here")), (text!("Esc"), text!("put it back"))]
            }
            (_, _, None) if view.tools.query_tool.mode.has_goal() => &[GOAL],
            (_, _, None) => &[FROM],
            (_, true, _) if plays => &[END, START, STEP, CLEAR],
            (_, true, _) => &[END, START, CLEAR],
            (_, false, _) if view.tools.query_tool.mode.has_goal() => &[GOAL, CLEAR],
            (_, false, _) if plays => &[FROM, STEP, CLEAR],
            (_, false, _) => &[FROM, CLEAR],
        }
    }

    fn cursor(&self) -> Cursor {
        self.0.cursor()
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let mut list = view.tools.query_tool.picture(view.bake.navmesh.as_deref());
        let first = if view.tools.query_tool.mode.has_goal() { Paint::End } else { Paint::Start };
        for (end, paint) in [(End::Start, first), (End::End, Paint::End)] {
            if let Some(at) = (ENDS.at)(view, end) {
                list.point(at, 12.0, paint);
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        pointer::PointerKind,
        session::{QueryMode, Session},
        tools::testing::{self, event},
    };

    #[test]
    fn clicks_place_and_drags_move() {
        use PointerKind::{Click, Drag, Hover, Press, Release};
        let mut session = Session::default();
        let places =
            |session: &Session| (session.tools.query_tool.start, session.tools.query_tool.end);
        let run =
            |session: &mut Session, events: &[_]| testing::run(session, events, QueryTool::event);
        let second = [event(Press, 4.0, 0.0), event(Click, 4.0, 0.0)];
        run(&mut session, &[&[event(Click, 1.0, 0.0)], &second[..]].concat());
        assert_eq!(places(&session), (Some(Vec3::X), Some(Vec3::X * 4.0)));
        let drag = [event(Hover, 4.0, 0.0), event(Press, 4.0, 0.0), event(Drag, 5.0, 0.0)];
        let origin = Vec3::X * 4.0;
        assert_eq!(run(&mut session, &drag), QueryTool(Hold::Dragging { end: End::End, origin }));
        assert_eq!(places(&session), (Some(Vec3::X), Some(Vec3::X * 5.0)));
        let drag = [&drag[..], &[event(Release, 5.0, 0.0)]].concat();
        run(&mut session, &drag);
        // The button was released outside the view: nothing is dragged any longer.
        let lost = [&drag[..3], &[event(Hover, 20.0, 20.0)]].concat();
        assert_eq!(run(&mut session, &lost), QueryTool(Hold::Idle));
        // A click on a handle does not move it.
        let before = places(&session);
        run(&mut session, &[event(Hover, 5.0, 0.0), event(Click, 5.01, 0.0)]);
        assert_eq!(places(&session), before);
        session.tools.query_tool.mode = QueryMode::Circle;
        run(&mut session, &[event(Click, 7.0, 0.0)]);
        assert_eq!(
            session.tools.query_tool.start,
            Some(Vec3::X * 7.0),
            "one place is enough for a circle"
        );
    }
}
