//! The link tool: two clicks place an off-mesh link; a drag places a one-way link, or moves an existing end.

use glam::Vec3;
use walkable::{
    bake::OffMeshLink,
    debug_draw::{self, DrawList, Paint},
    diagnostic::Phrase,
    phrase,
};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Command, Commands, SceneItemCommand},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::{Edit, Named, SceneItem, SessionView, new_link, with_link},
    tools::{Cursor, Hint, handle},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkEnd {
    pub link: usize,
    pub is_start: bool,
}

/// State of the link tool. The links themselves are in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LinkTool {
    /// Not over an end that can be dragged.
    #[default]
    Idle,
    /// A link starts here; the next click places its end.
    From(Vec3),
    /// The button is down on the ground, where a drag begins a link.
    Pressed(Vec3),
    Pulling([Vec3; 2]),
    Over(LinkEnd),
    Dragging(LinkEnd),
}

impl Tool for LinkTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        let primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            (Self::Dragging(end), PointerKind::Drag) => {
                let moved = event.hit.and_then(|hit| end.moved_to(hit, view));
                // Escape ends the transaction, but not the drag.
                let moved = moved.filter(|_| view.history.in_transaction());
                out.push_all(moved.map(Command::Apply));
                self
            }
            (Self::Dragging(end), PointerKind::Release) => {
                out.push(Command::Commit);
                Self::Over(end)
            }
            (Self::Pressed(start) | Self::Pulling([start, _]), PointerKind::Drag) => {
                event.hit.map_or(self, |end| Self::Pulling([start, end]))
            }
            (Self::Pulling([start, end]), PointerKind::Release) => {
                let link = new_link(view.document(), start, end);
                add(OffMeshLink { bidirectional: false, ..link }, view, out);
                Self::Idle
            }
            (Self::Pressed(_), PointerKind::Release) => Self::Idle,
            (
                Self::Idle
                | Self::Pressed(_)
                | Self::Pulling(_)
                | Self::Over(_)
                | Self::Dragging(_),
                PointerKind::Hover,
            ) => under(&event, view).map_or(Self::Idle, Self::Over),
            (Self::Idle | Self::Over(_), PointerKind::Press) if primary => {
                let Some(end) = under(&event, view) else {
                    return event.hit.map_or(Self::Idle, Self::Pressed);
                };
                out.push(SceneItemCommand::Select(Some(SceneItem::Link(end.link))));
                out.push(Command::Begin(end.label()));
                Self::Dragging(end)
            }
            (Self::Idle, PointerKind::Click) if primary => event.hit.map_or(Self::Idle, Self::From),
            (Self::From(start), PointerKind::Click) if primary => {
                let Some(hit) = event.hit else { return self };
                add(new_link(view.document(), start, hit), view, out);
                Self::Idle
            }
            _ => self,
        }
    }

    fn left(self) -> Self {
        if matches!(self, Self::Over(_)) { Self::Idle } else { self }
    }

    fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        match *self {
            Self::From(_) | Self::Pulling(_) => {}
            Self::Dragging(_) => out.push(Command::Abort),
            Self::Idle | Self::Pressed(_) | Self::Over(_) => {
                view.item()?;
                out.push(SceneItemCommand::Select(None));
            }
        }
        Some(Self::Idle)
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        const START: Hint = (text!("Click"), text!("start an off-mesh link"));
        const ONE_WAY: Hint = (text!("Drag"), text!("place a one-way off-mesh link"));
        const END: Hint = (text!("Click"), text!("end the off-mesh link here"));
        const CANCEL: Hint = (text!("Esc"), text!("remove the start"));
        const HOLD: Hint = (text!("Drag"), text!("move this end"));
        const LAND: Hint = (text!("Release"), text!("end the off-mesh link here"));
        const FORGET: Hint = (text!("Esc"), text!("cancel"));
        const RELEASE: Hint = (text!("Release"), text!("leave it here"));
        const RESTORE: Hint = (text!("Esc"), text!("put it back"));
        const DELETE: Hint = (text!("Del"), text!("delete the chosen off-mesh link"));
        match *self {
            Self::From(_) => &[END, CANCEL],
            Self::Over(_) => &[HOLD],
            Self::Dragging(_) => &[RELEASE, RESTORE],
            Self::Pulling(_) => &[LAND, FORGET],
            Self::Idle | Self::Pressed(_) if view.item().is_some() => &[START, ONE_WAY, DELETE],
            Self::Idle | Self::Pressed(_) => &[START, ONE_WAY],
        }
    }

    fn cursor(&self) -> Cursor {
        match *self {
            Self::Idle | Self::Pressed(_) | Self::Pulling(_) | Self::From(_) => Cursor::Crosshair,
            Self::Over(_) => Cursor::Grab,
            Self::Dragging(_) => Cursor::Grabbing,
        }
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let document = view.document();
        let link = match (*self, view.tools.hover) {
            (Self::From(start), Some(hover)) => new_link(document, start, hover.point),
            (Self::Pulling([start, end]), _) => {
                OffMeshLink { bidirectional: false, ..new_link(document, start, end) }
            }
            _ => return DrawList::default(),
        };
        debug_draw::link(&link, Paint::Accent)
    }
}

fn add(link: OffMeshLink, view: &SessionView<'_>, out: &mut Commands) {
    let (edit, item) = with_link(view.document(), link);
    out.push(Command::Change(phrase!("Add off-mesh link"), edit));
    out.push(SceneItemCommand::Select(Some(item)));
}

impl LinkEnd {
    fn label(self) -> Phrase {
        let number = self.link + 1;
        if self.is_start {
            phrase!("Move start of off-mesh link {number}", number)
        } else {
            phrase!("Move end of off-mesh link {number}", number)
        }
    }

    fn moved_to(self, at: Vec3, view: &SessionView<'_>) -> Option<Edit> {
        let mut links = view.document().off_mesh.clone();
        let link = links.get_mut(self.link)?;
        *(if self.is_start { &mut link.start } else { &mut link.end }) = at;
        Some(Edit::Links(links))
    }
}

/// Returns the end under the pointer; the newest link takes precedence.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<LinkEnd> {
    let on = |at: Vec3| handle::is_on(event.ray_in_world, at);
    let hit = |(link, named): (usize, &Named<OffMeshLink>)| {
        let end = on(named.end).then_some(LinkEnd { link, is_start: false });
        end.or_else(|| on(named.start).then_some(LinkEnd { link, is_start: true }))
    };
    view.document().off_mesh.iter().enumerate().rev().filter(|(_, link)| !link.hidden).find_map(hit)
}

#[cfg(test)]
mod tests {
    use PointerKind::{Click, Drag, Hover, Press, Release};

    use super::*;
    use crate::{
        session::Session,
        tools::testing::{self, event},
    };

    fn run(session: &mut Session, events: &[PointerEvent]) -> LinkTool {
        testing::run(session, events, LinkTool::event)
    }

    #[test]
    fn two_clicks_place_a_link_and_undo_takes_it_away() {
        let mut session = Session::default();
        let tool = run(&mut session, &[event(Click, 1.0, 2.0), event(Click, 4.0, 2.0)]);
        assert_eq!(tool, LinkTool::Idle);
        let [link] = &session.document().off_mesh[..] else { panic!("one link") };
        assert_eq!((link.start, link.end), (Vec3::new(1.0, 0.0, 2.0), Vec3::new(4.0, 0.0, 2.0)));
        assert_eq!(session.item(), Some(SceneItem::Link(0)));
        assert_eq!(session.history.undo_label().as_deref(), Some("Add off-mesh link"));
        session.history.undo();
        assert_eq!(session.document().off_mesh, []);
        assert_eq!(session.item(), None);
    }

    #[test]
    fn a_drag_places_a_one_way_link_in_one_step() {
        let mut session = Session::default();
        let drag = [event(Press, 1.0, 2.0), event(Drag, 3.0, 2.0), event(Drag, 4.0, 2.0)];
        let pulling = run(&mut session, &drag);
        let view = SessionView { session: &session, auto_bake: true };
        assert!(!pulling.preview(&view).lines.is_empty(), "it is shown while it is placed");
        let void = PointerEvent { hit: None, ..event(Drag, 5.0, 2.0) };
        let tool = run(&mut session, &[&drag[..], &[void, event(Release, 5.0, 2.0)]].concat());
        assert_eq!(tool, LinkTool::Idle);
        let [link] = &session.document().off_mesh[..] else { panic!("one link") };
        assert_eq!((link.start, link.end), (Vec3::new(1.0, 0.0, 2.0), Vec3::new(4.0, 0.0, 2.0)));
        assert!(!link.bidirectional && session.item() == Some(SceneItem::Link(0)));
        session.history.undo();
        assert_eq!(session.document().off_mesh, []);
        let click = [event(Press, 1.0, 2.0), event(Release, 1.0, 2.0), event(Click, 1.0, 2.0)];
        assert_eq!(run(&mut session, &click), LinkTool::From(Vec3::new(1.0, 0.0, 2.0)));
    }

    #[test]
    fn a_drag_moves_one_end_in_one_step() {
        let mut session = Session::default();
        run(&mut session, &[event(Click, 1.0, 2.0), event(Click, 4.0, 2.0)]);
        let drag = [
            event(Press, 4.0, 2.0),
            event(Drag, 5.0, 2.0),
            event(Drag, 6.0, 3.0),
            event(Release, 6.0, 3.0),
            event(Click, 6.0, 3.0),
        ];
        let tool = run(&mut session, &drag);
        assert_eq!(tool, LinkTool::Over(LinkEnd { link: 0, is_start: false }));
        assert_eq!(session.document().off_mesh[0].end, Vec3::new(6.0, 0.0, 3.0));
        assert_eq!(session.history.undo_label().as_deref(), Some("Move end of off-mesh link 1"));
        session.history.undo();
        assert_eq!(session.document().off_mesh[0].end, Vec3::new(4.0, 0.0, 2.0));
    }

    #[test]
    fn escape_backs_out_step_by_step() {
        let mut session = Session::default();
        let tool = run(&mut session, &[event(Click, 1.0, 2.0)]);
        assert_eq!(tool, LinkTool::From(Vec3::new(1.0, 0.0, 2.0)));
        let mut out = Commands::default();
        let view = SessionView { session: &session, auto_bake: true };
        assert_eq!(tool.back(&view, &mut out), Some(LinkTool::Idle));
        assert_eq!(LinkTool::Idle.back(&view, &mut out), None);
        assert_eq!(out.take(), []);
    }

    #[test]
    fn a_click_into_the_void_starts_nothing() {
        let void = PointerEvent { hit: None, ..event(Click, 1.0, 2.0) };
        assert_eq!(run(&mut Session::default(), &[void]), LinkTool::Idle);
        let hover = run(&mut Session::default(), &[event(Hover, 1.0, 2.0)]);
        assert_eq!(hover.cursor(), Cursor::Crosshair);
    }
}
