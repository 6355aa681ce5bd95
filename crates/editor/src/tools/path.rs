//! The path tool: two points on the level, placed by clicks and moved by drags.

use walkable::debug_draw::{DrawList, Paint};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Commands, PathCommand},
    pointer::{PointerButton, PointerEvent},
    session::SessionView,
    tools::{
        Cursor, Hint,
        hold::{End, EndHandles, Hold},
        ring::{body, ring},
    },
};

/// State of the path tool. The ends themselves are in the session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathTool(Hold);

const ENDS: EndHandles = EndHandles {
    at: |view, end| match end {
        End::Start => view.path.start,
        End::End => view.path.end,
    },
    put: |end, at| match end {
        End::Start => PathCommand::Start(at).into(),
        End::End => PathCommand::End(at).into(),
    },
    meant,
    clear: || PathCommand::Clear.into(),
};

/// Returns the end that a click places: the missing one, else the end; with Shift or the right button, the start.
fn meant(event: &PointerEvent, view: &SessionView<'_>) -> Option<End> {
    let wants_start = match event.button {
        PointerButton::Primary => event.modifiers.shift,
        PointerButton::Secondary => true,
        PointerButton::Middle => return None,
    };
    let is_start = wants_start || view.path.start.is_none();
    Some(if is_start { End::Start } else { End::End })
}

impl Tool for PathTool {
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
        const START: Hint = (text!("Click"), text!("place the start"));
        const END: Hint = (text!("Click"), text!("place the end"));
        const MOVE_END: Hint = (text!("Click"), text!("move the end here"));
        const MOVE_START: Hint = (text!("Right-click"), text!("move the start here"));
        const DRAG: Hint = (text!("Drag"), text!("move either end"));
        const HOLD: Hint = (text!("Drag"), text!("move it; the path follows"));
        const RELEASE: Hint = (text!("Release"), text!("leave it here"));
        const RESTORE: Hint = (text!("Esc"), text!("put it back"));
        const CLEAR: Hint = (text!("Esc"), text!("clear the path"));
        match self.0 {
            Hold::Dragging { .. } => &[RELEASE, RESTORE],
            Hold::Over(_) => &[HOLD, CLEAR],
            Hold::Idle => match (view.path.start, view.path.end) {
                (None, _) => &[START],
                (Some(_), None) => &[END, MOVE_START, CLEAR],
                (Some(_), Some(_)) => &[MOVE_END, MOVE_START, DRAG, CLEAR],
            },
        }
    }

    fn cursor(&self) -> Cursor {
        self.0.cursor()
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let at = self.0.end().and_then(|end| (ENDS.at)(view, end));
        let settings = &view.document().settings;
        let size = [settings.agent_radius.max(SMALLEST_RING), settings.agent_height];
        let lines = at.map(|at| ring(at, size[0])).unwrap_or_default();
        let mut list = DrawList { lines, ..DrawList::default() };
        let cursor = view.tools.hover.filter(|_| at.is_none()).map(|hover| hover.point);
        for (place, paint) in
            [(view.path.start, Paint::Start), (view.path.end, Paint::End), (cursor, Paint::Accent)]
        {
            if let Some(place) = place {
                body(&mut list, place, size, paint);
            }
        }
        list
    }
}

/// Draws the agent that walks along the path, if it does.
pub fn walker(view: &SessionView<'_>) -> DrawList {
    let mut list = DrawList::default();
    if let Some(at) = view.path.walker(view.bake.navmesh.as_deref()) {
        let settings = &view.document().settings;
        let size = [settings.agent_radius.max(SMALLEST_RING), settings.agent_height];
        body(&mut list, at, size, Paint::Path);
    }
    list
}

/// Smallest radius of the ring around a point, in meters.
const SMALLEST_RING: f32 = 0.2;

#[cfg(test)]
mod tests {
    use PointerKind::{Click, Drag, Hover, Press, Release};
    use glam::Vec3;

    use super::*;
    use crate::{
        command::Command, pointer::PointerKind, session::Session, testing::baked,
        tools::testing::event,
    };

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
    fn the_walker_follows_the_path_on_the_ground_and_stops_at_its_end() {
        let mut session = baked();
        let [start, end] = [2.0, 20.0].map(|x| Vec3::new(x, 0.0, 20.0));
        (session.path.start, session.path.end) = (Some(start), Some(end));
        session.update_path();
        session.path.toggle_walk();
        let mut places = Vec::new();
        while let Some(at) = session.path.walker(session.bake.navmesh.as_deref()) {
            let view = SessionView { session: &session, auto_bake: true };
            assert!(!walker(&view).lines.is_empty());
            places.push(at);
            session.path.walk_on();
        }
        let answer = session.path.answer.as_ref().unwrap();
        let [first, last] = [places[0], places[places.len() - 1]];
        assert!(first.distance(start) < 0.5 && first.distance(answer.path.points[0]) < 0.5);
        assert!(last.distance(*answer.path.points.last().unwrap()) < 0.5, "{last}");
        let farthest = places.windows(2).map(|step| step[0].distance(step[1])).fold(0.0, f32::max);
        assert!(farthest < 1.0, "a step has {farthest} m");
        let walked: f32 = places.windows(2).map(|step| step[0].distance(step[1])).sum();
        assert!(walked >= answer.path.length - 0.5, "{walked} of {} m", answer.path.length);
        assert_eq!(session.path.walk, None);
        session.path.toggle_walk();
        session.path.toggle_walk();
        assert_eq!(session.path.walk, None, "the same command ends it");
        session.path.forget();
        session.path.toggle_walk();
        assert_eq!(session.path.walk, None, "without a path there is no walk");
    }

    #[test]
    fn clicks_place_the_missing_point_then_move_the_end() {
        let at_c = event(Click, C.x, C.z);
        check(&session(None, None), &[at_c], &[Command::from(PathCommand::Start(C))]);
        check(&session(None, Some(B)), &[at_c], &[Command::from(PathCommand::Start(C))]);
        check(&session(Some(A), None), &[at_c], &[Command::from(PathCommand::End(C))]);
        check(&session(Some(A), Some(B)), &[at_c], &[Command::from(PathCommand::End(C))]);
    }

    #[test]
    fn right_and_shift_click_move_the_start() {
        let right = PointerEvent { button: PointerButton::Secondary, ..event(Click, C.x, C.z) };
        check(&session(Some(A), Some(B)), &[right], &[Command::from(PathCommand::Start(C))]);
        let mut shift = event(Click, C.x, C.z);
        shift.modifiers.shift = true;
        check(&session(Some(A), Some(B)), &[shift], &[Command::from(PathCommand::Start(C))]);
    }

    #[test]
    fn a_click_into_the_void_does_nothing() {
        let mut void = event(Click, C.x, C.z);
        void.hit = None;
        check(&session(Some(A), None), &[void], &[]);
    }

    #[test]
    fn drags_move_the_end_that_was_grabbed() {
        let session = session(Some(A), Some(B));
        let events = [
            event(Press, A.x + 0.1, A.z),
            event(Drag, 1.5, 1.0),
            event(Drag, C.x, C.z),
            event(Release, C.x, C.z),
        ];
        let moved = [
            Command::from(PathCommand::Start(Vec3::new(1.5, 0.0, 1.0))),
            Command::from(PathCommand::Start(C)),
        ];
        let tool = check(&session, &events, &moved);
        assert_eq!(tool, PathTool(Hold::Over(End::Start)));
        // 0.016 radians at 10 m are 16 cm.
        let miss = [event(Press, A.x + 0.2, A.z), event(Drag, C.x, C.z)];
        assert_eq!(check(&session, &miss, &[]), PathTool(Hold::Idle));
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
        assert_eq!(dragging.back(&view, &mut out), Some(PathTool(Hold::Idle)));
        assert_eq!(out.take(), [Command::from(PathCommand::End(B))]);
        assert_eq!(PathTool(Hold::Idle).back(&view, &mut out), Some(PathTool(Hold::Idle)));
        assert_eq!(out.take(), [Command::from(PathCommand::Clear)]);
        let empty = session(None, None);
        let view = SessionView { session: &empty, auto_bake: true };
        assert_eq!(PathTool(Hold::Idle).back(&view, &mut out), None);
    }

    #[test]
    fn hints_and_cursor_follow_the_state() {
        let empty = session(None, None);
        let view = SessionView { session: &empty, auto_bake: true };
        assert_eq!(PathTool(Hold::Idle).hints(&view)[0].1, "place the start");
        let half = session(Some(A), None);
        let view = SessionView { session: &half, auto_bake: true };
        assert_eq!(PathTool(Hold::Idle).hints(&view)[0].1, "place the end");
        let over = check(&half, &[event(Hover, A.x, A.z)], &[]);
        assert_eq!(over.left(), PathTool(Hold::Idle));
        let dragged = check(&half, &[event(Press, A.x, A.z)], &[]);
        assert_eq!(dragged.left(), dragged, "the button is still down");
        assert_eq!(over.cursor(), Cursor::Grab);
        let lines = over.preview(&view).lines;
        let (ring, body): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.paint == Paint::Accent);
        let settings = &half.document().settings;
        assert!(body.iter().all(|line| line.paint == Paint::Start));
        let head = body.iter().map(|line| line.b.y).fold(0.0, f32::max);
        assert!((head - settings.agent_height).abs() < 0.1, "the agent's height: {head}");
        assert!(
            ring.iter().all(|line| (line.a.distance(A) - 0.6).abs() < 0.01),
            "the agent's radius"
        );
        assert!(ring.len() > 8);
        assert_eq!(PathTool(Hold::Idle).cursor(), Cursor::Crosshair);
    }
}
