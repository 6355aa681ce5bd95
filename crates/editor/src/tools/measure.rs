//! The measure tool: two clicks, and the distances between them.

use glam::Vec3;
use walkable::debug_draw::{DrawList, Paint};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Commands, ViewCommand},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::SessionView,
    tools::{Cursor, Hint},
};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MeasureTool {
    #[default]
    Idle,
    From(Vec3),
}

impl Tool for MeasureTool {
    fn event(self, event: PointerEvent, _: &SessionView<'_>, out: &mut Commands) -> Self {
        let is_primary = event.button == PointerButton::Primary;
        match (self, event.kind, event.hit) {
            (Self::Idle, PointerKind::Click, Some(at)) if is_primary => {
                out.push(ViewCommand::Measure(Some([at, at])));
                Self::From(at)
            }
            (Self::From(start), PointerKind::Hover, Some(at)) => {
                out.push(ViewCommand::Measure(Some([start, at])));
                self
            }
            (Self::From(start), PointerKind::Click, Some(at)) if is_primary => {
                out.push(ViewCommand::Measure(Some([start, at])));
                Self::Idle
            }
            (state, ..) => state,
        }
    }

    fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        view.tools.measured?;
        out.push(ViewCommand::Measure(None));
        Some(Self::Idle)
    }

    fn hints(&self, _view: &SessionView<'_>) -> &'static [Hint] {
        match *self {
            Self::Idle => &[(text!("Click"), text!("measure from here"))],
            Self::From(_) => {
                &[(text!("Click"), text!("measure to here")), (text!("Esc"), text!("remove it"))]
            }
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let mut list = DrawList::default();
        let Some([start, end]) = view.tools.measured else { return list };
        let corner = end.with_y(start.y);
        list.dashed_line([start, corner], 1.5, Paint::Accent);
        list.dashed_line([corner, end], 1.5, Paint::Accent);
        list.line([start, end], 2.5, Paint::Accent);
        list.point(start, 8.0, Paint::Accent);
        list.point(end, 8.0, Paint::Accent);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        session::Session,
        tools::testing::{self, event},
    };

    #[test]
    fn two_clicks_measure_and_the_pointer_between_them_too() {
        use PointerKind::{Click, Hover};
        let mut session = Session::default();
        let events = [event(Click, 1.0, 0.0), event(Hover, 4.0, 4.0)];
        let tool = testing::run(&mut session, &events, MeasureTool::event);
        assert_eq!(tool, MeasureTool::From(Vec3::X));
        assert_eq!(session.tools.measured, Some([Vec3::X, Vec3::new(4.0, 0.0, 4.0)]));
        let events = [event(Click, 1.0, 0.0), event(Click, 2.0, 0.0), event(Hover, 9.0, 9.0)];
        assert_eq!(testing::run(&mut session, &events, MeasureTool::event), MeasureTool::Idle);
        assert_eq!(session.tools.measured, Some([Vec3::X, Vec3::X * 2.0]));
    }
}
