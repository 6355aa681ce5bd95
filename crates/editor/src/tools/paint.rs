//! The paint tool: a brush that assigns areas or flags to polygons, or erases them.

use glam::Vec3;
use walkable::{debug_draw::DrawList, phrase};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Command, Commands},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::{Edit, SessionView, Touch},
    tools::{Cursor, Hint, ring::ring},
};

/// Distance between two touches of the brush, as a fraction of its radius.
const STEP: f32 = 0.5;
/// Minimum distance between two touches, in meters.
const SMALLEST_STEP: f32 = 0.25;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PaintTool {
    #[default]
    Idle,
    /// Painting; the point of the last touch, if any.
    Painting(Option<Vec3>),
}

impl Tool for PaintTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        let is_primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            (Self::Idle, PointerKind::Press) if is_primary => {
                let label = if view.tools.new_stroke.erases {
                    phrase!("Erase paint")
                } else {
                    phrase!("Paint polygons")
                };
                out.push(Command::Begin(label));
                touch(event.hit, None, view, out)
            }
            (Self::Painting(last), PointerKind::Drag) => touch(event.hit, last, view, out),
            // A hover means that the button was released outside the view.
            (Self::Painting(_), PointerKind::Release | PointerKind::Hover) => {
                out.push(Command::Commit);
                Self::Idle
            }
            _ => self,
        }
    }

    fn back(&self, _view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        matches!(*self, Self::Painting(_)).then(|| {
            out.push(Command::Abort);
            Self::Idle
        })
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        match *self {
            Self::Painting(_) => {
                &[(text!("Release"), "finish"), (text!("Esc"), text!("take it back"))]
            }
            Self::Idle if view.tools.new_stroke.erases => &[(text!("Drag"), text!("erase paint"))],
            Self::Idle => &[
                (text!("Drag"), text!("paint polygons")),
                (text!("Click"), text!("paint this polygon")),
            ],
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let radius = view.tools.new_stroke.radius.max(0.1);
        let lines = view.tools.hover.map(|hover| ring(hover.point, radius)).unwrap_or_default();
        DrawList { lines, ..DrawList::default() }
    }
}

/// Touches the ground at `at`, unless the last touch was too close.
fn touch(
    at: Option<Vec3>,
    last: Option<Vec3>,
    view: &SessionView<'_>,
    out: &mut Commands,
) -> PaintTool {
    let step = (view.tools.new_stroke.radius * STEP).max(SMALLEST_STEP);
    let Some(at) = at.filter(|at| last.is_none_or(|last| last.distance(*at) >= step)) else {
        return PaintTool::Painting(last);
    };
    let touch = if last.is_none() { Touch::First } else { Touch::Further };
    out.push(Command::Apply(Edit::Strokes(view.with_touch(at, touch))));
    PaintTool::Painting(Some(at))
}

#[cfg(test)]
mod tests {
    use PointerKind::{Click, Drag, Hover, Press, Release};

    use super::*;
    use crate::{
        session::{NewStroke, Session},
        tools::testing::{self, event},
    };

    #[test]
    fn a_drag_is_one_stroke_and_one_step() {
        let mut session = Session::default();
        let drag = [
            event(Hover, 1.0, 2.0),
            event(Press, 1.0, 2.0),
            event(Drag, 1.1, 2.0),
            event(Drag, 3.0, 2.0),
            PointerEvent { hit: None, ..event(Drag, 5.0, 2.0) },
            event(Release, 3.0, 2.0),
        ];
        let tool = testing::run(&mut session, &drag, PaintTool::event);
        assert_eq!(tool, PaintTool::Idle);
        let [stroke] = &session.document().strokes[..] else { panic!("one stroke") };
        assert_eq!(stroke.places, [Vec3::new(1.0, 0.0, 2.0), Vec3::new(3.0, 0.0, 2.0)]);
        assert_eq!(session.history.undo_label().as_deref(), Some("Paint polygons"));
        let click = [event(Press, 8.0, 2.0), event(Release, 8.0, 2.0), event(Click, 8.0, 2.0)];
        testing::run(&mut session, &click, PaintTool::event);
        assert_eq!(session.document().strokes.len(), 2);
        session.history.undo();
        session.history.undo();
        assert_eq!(session.document().strokes, []);
    }

    #[test]
    fn an_eraser_without_paint_under_it_does_nothing() {
        let mut session = Session::default();
        let click = [event(Press, 8.0, 2.0), event(Release, 8.0, 2.0)];
        testing::run(&mut session, &click, PaintTool::event);
        session.tools.new_stroke = NewStroke { erases: true, ..session.tools.new_stroke };
        testing::run(&mut session, &click, PaintTool::event);
        assert_eq!(session.document().strokes.len(), 1, "no polygon is there");
        assert_eq!(session.history.past().count(), 1);
    }
}
