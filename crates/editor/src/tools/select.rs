//! The select tool. It selects a place for the inspector, or objects by their handles or with a frame. It moves,
//! rotates and scales the selected objects.

use std::collections::BTreeSet;

use glam::Vec3;
use walkable::{
    debug_draw::{DrawList, Paint, Point},
    phrase,
};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Command, Commands, SceneItemCommand},
    pointer::{PointerButton, PointerEvent, PointerKind, PointerModifiers, ViewFrame},
    session::{Document, Edit, GizmoMode, SceneItem, SessionView, grips, item_names},
    tools::{
        Cursor, Hint,
        gizmo::{Gizmo, GizmoDrag, GizmoPart},
        handle, place,
    },
};

/// State of the select tool. The session stores what is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SelectTool {
    #[default]
    Idle,
    Over(SceneItem),
    /// The button went down over nothing: a click, or the start of a frame.
    Pressed,
    Framing,
    /// Over a part of the handles at the center of the selection.
    OverGizmo(GizmoPart),
    Dragging(GizmoDrag),
}

impl Tool for SelectTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        let primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            // Also after the button was released outside the view.
            (_, PointerKind::Hover) => Self::over(&event, view),
            (_, PointerKind::Press) if primary => match Self::over(&event, view) {
                Self::Over(item) => {
                    choose(item, event.modifiers, view, out);
                    Self::drag_handle(item, &event, view, out)
                }
                Self::OverGizmo(part) => {
                    let drag =
                        Gizmo::of(view).and_then(|gizmo| gizmo.grab(part, event.ray_in_world));
                    drag.map_or(Self::Idle, |drag| {
                        begin(&drag, &view.items(), view, out);
                        Self::Dragging(drag)
                    })
                }
                Self::Idle | Self::Pressed | Self::Framing | Self::Dragging(_) => Self::Pressed,
            },
            (Self::Dragging(drag), PointerKind::Drag) => {
                // Escape ends the transaction, but not the drag.
                let edit = dragged(&drag, &event, view);
                out.push_all(edit.filter(|_| view.history.in_transaction()).map(Command::Apply));
                self
            }
            (Self::Dragging(_), PointerKind::Release) => {
                out.push(Command::Commit);
                Self::over(&event, view)
            }
            (Self::Pressed | Self::Framing, PointerKind::Drag) => Self::Framing,
            (Self::Framing, PointerKind::Release) => {
                if let Some(frame) = event.frame {
                    choose_framed(&frame, event.modifiers, view, out);
                }
                Self::Idle
            }
            (Self::Pressed, PointerKind::Release) => Self::Idle,
            (Self::Over(item), PointerKind::Click)
                if primary && !event.modifiers.shift && !event.modifiers.command =>
            {
                out.push(SceneItemCommand::Select(Some(item)));
                self
            }
            // A click that would add to the selection leaves it, if there is nothing to add.
            (Self::Idle | Self::Pressed, PointerKind::Click)
                if primary && !event.modifiers.shift && !event.modifiers.command =>
            {
                out.push(Command::Select(place(&event)));
                Self::Idle
            }
            (state, _) => state,
        }
    }

    fn left(self) -> Self {
        if matches!(self, Self::Over(_) | Self::OverGizmo(_)) { Self::Idle } else { self }
    }

    fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        if *self == Self::Framing {
            return Some(Self::Idle);
        }
        if view.tools.selection.is_some() {
            out.push(Command::Select(None));
        } else {
            view.item()?;
            out.push(SceneItemCommand::Select(None));
        }
        Some(Self::Idle)
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        const POINT: Hint = (text!("Click"), text!("inspect a place"));
        const FRAME: Hint = (text!("Drag"), text!("select objects in a frame"));
        const DROP: Hint = (text!("Esc"), text!("deselect it"));
        const CLEAR: Hint = (text!("Esc"), text!("clear the selection"));
        const MODES: Hint = (text!("W, E, R"), text!("move, turn, scale"));
        const SNAP: Hint = (text!("Ctrl"), text!("snap"));
        match *self {
            Self::Over(_) => &[
                (text!("Click"), text!("select it")),
                (text!("Drag"), text!("move it")),
                (text!("Shift+click"), text!("add it")),
                (text!("Ctrl+click"), text!("add or remove it")),
            ],
            Self::OverGizmo(part) => match (part, view.tools.gizmo.mode) {
                (_, GizmoMode::Turn) => &[(text!("Drag"), text!("turn the selection")), SNAP],
                (_, GizmoMode::Scale) => &[(text!("Drag"), text!("scale the selection")), SNAP],
                (GizmoPart::Ground, GizmoMode::Move) => {
                    &[(text!("Drag"), text!("move the selection on the ground")), SNAP]
                }
                (GizmoPart::Axis(_) | GizmoPart::Ring | GizmoPart::Center, GizmoMode::Move) => {
                    &[(text!("Drag"), text!("move the selection along the axis")), SNAP]
                }
            },
            Self::Dragging(_) => &[
                (text!("Release"), text!("leave it here")),
                SNAP,
                (text!("Esc"), text!("put it back")),
            ],
            Self::Framing => &[
                (text!("Release"), text!("select what is inside")),
                (text!("Shift"), text!("add")),
                (text!("Ctrl"), text!("add or remove")),
                (text!("Esc"), text!("cancel")),
            ],
            Self::Idle | Self::Pressed if view.tools.selection.is_some() => &[POINT, FRAME, DROP],
            Self::Idle | Self::Pressed if view.item().is_some() => &[POINT, FRAME, MODES, CLEAR],
            Self::Idle | Self::Pressed => &[POINT, FRAME],
        }
    }

    fn cursor(&self) -> Cursor {
        match *self {
            Self::Idle | Self::Pressed => Cursor::Arrow,
            Self::Over(_) => Cursor::PointingHand,
            Self::OverGizmo(_) => Cursor::Grab,
            Self::Dragging(_) => Cursor::Grabbing,
            Self::Framing => Cursor::Crosshair,
        }
    }

    fn handles(&self, view: &SessionView<'_>) -> DrawList {
        match *self {
            Self::Dragging(drag) => drag.picture(view),
            Self::OverGizmo(part) => picture(view, Some(part)),
            Self::Idle | Self::Over(_) | Self::Pressed | Self::Framing => picture(view, None),
        }
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let mut list = DrawList::default();
        for (item, at) in handles(view.document()) {
            let is_chosen = view.tools.selected_items.contains(item);
            let is_under = matches!(*self, Self::Over(over) if over == item);
            let size = if is_under {
                14.0
            } else if is_chosen {
                10.0
            } else {
                7.0
            };
            list.point(at, size, Paint::Accent);
        }
        let selected = view.tools.selection.map(|place| place.point);
        list.points.extend(selected.map(|at| Point { at, paint: Paint::Accent, size: 9.0 }));
        list
    }
}

impl SelectTool {
    /// Returns the state for what is under the pointer. With Shift or Ctrl, which change the selection, the handles of
    /// objects take precedence over the handles at the center of the selection.
    fn over(event: &PointerEvent, view: &SessionView<'_>) -> Self {
        let item = under(event, view);
        let selects = event.modifiers.shift || event.modifiers.command;
        if let Some(item) = item.filter(|_| selects) {
            return Self::Over(item);
        }
        let part = Gizmo::of(view).and_then(|gizmo| gizmo.under(event.ray_in_world));
        part.map(Self::OverGizmo).or_else(|| item.map(Self::Over)).unwrap_or(Self::Idle)
    }

    /// Begins to drag `item`, together with the other selected objects if it is selected. Does nothing with Shift or
    /// Ctrl, which only change the selection.
    fn drag_handle(
        item: SceneItem,
        event: &PointerEvent,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Self {
        let selects = event.modifiers.shift || event.modifiers.command;
        let ray = event.ray_in_world;
        let at = handles(view.document()).find(|(of, at)| *of == item && handle::is_on(ray, *at));
        let drag = at.filter(|_| !selects);
        let drag = drag.and_then(|(_, at)| GizmoDrag::along_ground(view, at, ray));
        drag.map_or(Self::Over(item), |drag| {
            let is_chosen = view.tools.selected_items.contains(item);
            let items = if is_chosen { view.items() } else { [item].into() };
            begin(&drag, &items, view, out);
            Self::Dragging(drag)
        })
    }
}

fn picture(view: &SessionView<'_>, held: Option<GizmoPart>) -> DrawList {
    Gizmo::of(view).map(|gizmo| gizmo.picture(held)).unwrap_or_default()
}

fn begin(
    drag: &GizmoDrag,
    items: &BTreeSet<SceneItem>,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let (verb, name) = (drag.mode().phrase(), item_names(view.document(), items));
    out.push(Command::Begin(phrase!("{verb} {name}", verb, name)));
}

fn dragged(drag: &GizmoDrag, event: &PointerEvent, view: &SessionView<'_>) -> Option<Edit> {
    let snaps = view.tools.gizmo.snaps != event.modifiers.command;
    let transform = drag.transform(event.ray_in_world, snaps.then_some(view.tools.gizmo.step))?;
    Some(Edit::of_items(view.history.base(), |document| {
        for item in view.items() {
            item.transform_in(document, transform);
        }
    }))
}

/// Selects a clicked object: with Shift in addition to others; with Ctrl, a selected one is deselected.
fn choose(item: SceneItem, held: PointerModifiers, view: &SessionView<'_>, out: &mut Commands) {
    let is_chosen = view.tools.selected_items.contains(item);
    if held.command || (held.shift && !is_chosen) {
        out.push(SceneItemCommand::Toggle(item));
    } else if !is_chosen {
        out.push(SceneItemCommand::Select(Some(item)));
    }
}

/// Selects the objects that have a handle in `frame`. With Shift, adds them to the selection; with Ctrl, toggles each
/// of them.
fn choose_framed(
    frame: &ViewFrame,
    held: PointerModifiers,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let mut framed: Vec<SceneItem> =
        handles(view.document()).filter(|(_, at)| frame.holds(*at)).map(|(item, _)| item).collect();
    framed.dedup();
    if held.command {
        // Each is selected or deselected.
    } else if held.shift {
        framed.retain(|item| !view.tools.selected_items.contains(*item));
    } else {
        out.push(SceneItemCommand::Select(None));
    }
    out.push_all(framed.into_iter().map(|item| SceneItemCommand::Toggle(item).into()));
}

/// Returns the handles of all visible objects: the center of a shape, the ends of a link, a place.
fn handles(document: &Document) -> impl DoubleEndedIterator<Item = (SceneItem, Vec3)> {
    let visible: Vec<_> =
        SceneItem::placed_in(document).filter(|item| !item.is_hidden(document)).collect();
    visible.into_iter().flat_map(|item| {
        let places = match item {
            SceneItem::Link(index) => document
                .off_mesh
                .get(index)
                .map_or_else(Vec::new, |link| vec![link.start, link.end]),
            SceneItem::Place(index) => {
                document.places.get(index).map(|place| place.at).into_iter().collect()
            }
            SceneItem::Volume(_) | SceneItem::Bound(_) | SceneItem::Obstacle(_) => {
                let shape = item.shape(document);
                shape.and_then(|shape| Some(grips(&shape).first()?.1)).into_iter().collect()
            }
            SceneItem::Path(_) | SceneItem::View(_) => Vec::new(),
        };
        places.into_iter().map(move |at| (item, at))
    })
}

/// Returns the object whose handle is under the pointer; the one drawn last takes precedence.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<SceneItem> {
    let is_on = |(_, at): &(SceneItem, Vec3)| handle::is_on(event.ray_in_world, *at);
    handles(view.document()).rev().find(is_on).map(|(item, _)| item)
}

#[cfg(test)]
mod tests {
    use PointerKind::{Click, Drag, Hover, Press, Release};
    use walkable::{
        bake::{AreaVolume, RawArea, VolumeShape},
        diagnostic::Phrase,
        geom::Aabb,
    };
    use walkable_workspace::document::SavedPlace;

    use super::*;
    use crate::{
        session::{Session, middle, new_link},
        tools::testing::{self, event, framed},
    };

    const SHIFT: PointerModifiers = PointerModifiers { shift: true, command: false, alt: false };
    const CTRL: PointerModifiers = PointerModifiers { shift: false, command: true, alt: false };

    /// Returns a session with a volume around (2, 2), a link from (6, 2) to (8, 2), an obstacle-free place at (2, 8),
    /// and a hidden place at (4, 4).
    fn session() -> Session {
        let mut session = Session::default();
        session.history.change(Phrase::verbatim("Place"), |document| {
            let shape =
                VolumeShape::Box(Aabb::new(Vec3::new(1.0, -1.0, 1.0), Vec3::new(3.0, 2.0, 3.0)));
            document.volumes = vec![AreaVolume::new(RawArea(2), shape).into()];
            let [start, end] = [6.0, 8.0].map(|x| Vec3::new(x, 0.0, 2.0));
            document.off_mesh = vec![new_link(document, start, end).into()];
            let places = [[2.0, 8.0], [4.0, 4.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
            document.places = places.map(|at| SavedPlace { at }.into()).into();
            document.places[1].hidden = true;
            document.normalize();
        });
        session
    }

    fn run(session: &mut Session, events: &[PointerEvent]) -> SelectTool {
        testing::run(session, events, SelectTool::event)
    }

    /// Draws a frame while these keys are held, and returns what is selected then.
    fn frame(
        session: &mut Session,
        held: PointerModifiers,
        [from, to]: [[f32; 2]; 2],
    ) -> BTreeSet<SceneItem> {
        let all = [
            event(Press, from[0], from[1]),
            framed(Drag, from, [from[0] + 0.1, from[1]]),
            framed(Drag, from, to),
            framed(Release, from, to),
        ];
        let all = all.map(|event| PointerEvent { modifiers: held, ..event });
        assert_eq!(run(session, &all), SelectTool::Idle);
        session.items()
    }

    #[test]
    fn a_frame_selects_what_has_a_handle_in_it() {
        let mut session = session();
        let none = PointerModifiers::default();
        let all = [SceneItem::Volume(0), SceneItem::Link(0), SceneItem::Place(0)].into();
        assert_eq!(frame(&mut session, none, [[0.0, 0.0], [10.0, 10.0]]), all);
        // One end of the link is enough; the order of the corners does not matter.
        let link = [SceneItem::Link(0)].into();
        assert_eq!(frame(&mut session, none, [[9.0, 3.0], [7.0, 1.0]]), link);
        assert_eq!(frame(&mut session, none, [[4.5, 4.5], [3.5, 3.5]]), [].into(), "it is hidden");
        assert_eq!(
            session.history.undo_label().as_deref(),
            Some("Place"),
            "the document does not change"
        );
    }

    #[test]
    fn shift_adds_and_ctrl_toggles() {
        let mut session = session();
        let volume = frame(&mut session, SHIFT, [[0.5, 0.5], [3.5, 3.5]]);
        assert_eq!(volume, [SceneItem::Volume(0)].into());
        let both = [SceneItem::Volume(0), SceneItem::Link(0)].into();
        assert_eq!(frame(&mut session, SHIFT, [[0.5, 0.5], [9.0, 3.5]]), both);
        let others = [SceneItem::Link(0), SceneItem::Place(0)].into();
        assert_eq!(frame(&mut session, CTRL, [[0.5, 0.5], [3.5, 9.0]]), others);
    }

    #[test]
    fn escape_cancels_a_frame() {
        let mut session = session();
        let from = [0.0, 0.0];
        let pressed = [event(Press, 0.0, 0.0), framed(Drag, from, [9.0, 9.0])];
        let tool = run(&mut session, &pressed);
        assert_eq!(tool, SelectTool::Framing);
        let view = SessionView { session: &session, auto_bake: true };
        let mut out = Commands::default();
        let mut tool = tool.back(&view, &mut out).expect("a frame is drawn");
        for event in [framed(Drag, from, [10.0, 10.0]), framed(Release, from, [10.0, 10.0])] {
            tool = tool.event(event, &view, &mut out);
        }
        assert_eq!((tool, out.take()), (SelectTool::Idle, vec![]));
    }

    #[test]
    fn clicks_select_handles_and_places() {
        let mut session = session();
        run(
            &mut session,
            &[event(Press, 8.0, 2.0), event(Release, 8.0, 2.0), event(Click, 8.0, 2.0)],
        );
        assert_eq!(session.items(), [SceneItem::Link(0)].into());
        let press = PointerEvent { modifiers: CTRL, ..event(Press, 2.0, 8.0) };
        run(&mut session, &[press]);
        assert_eq!(session.items().len(), 2);
        let beside = |modifiers| {
            let at = [event(Press, 5.0, 9.0), event(Release, 5.0, 9.0), event(Click, 5.0, 9.0)];
            at.map(|event| PointerEvent { modifiers, ..event })
        };
        run(&mut session, &beside(SHIFT));
        assert_eq!((session.items().len(), session.tools.selection), (2, None));
        run(&mut session, &beside(PointerModifiers::default()));
        assert!(session.items().is_empty() && session.tools.selection.is_some());
        assert_eq!(
            run(&mut session, &[event(Hover, 2.0, 8.0)]),
            SelectTool::Over(SceneItem::Place(0))
        );
    }

    /// Returns the session with this mode and these objects selected.
    fn with_gizmo(mode: GizmoMode, items: &[SceneItem]) -> Session {
        let mut session = session();
        session.tools.gizmo.mode = mode;
        session.tools.selected_items = items.iter().copied().collect();
        session
    }

    /// Drags from one place to another, by two steps.
    fn drag(session: &mut Session, held: PointerModifiers, [from, to]: [[f32; 2]; 2]) {
        let half = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        let at = [(Press, from), (Drag, half), (Drag, to), (Release, to)];
        let n_steps = session.history.past().count();
        run(
            session,
            &at.map(|(kind, [x, z])| PointerEvent { modifiers: held, ..event(kind, x, z) }),
        );
        assert_eq!(session.history.past().count(), n_steps + 1, "one step for each drag");
    }

    fn volume(session: &Session) -> VolumeShape {
        session.document().volumes[0].shape.clone()
    }

    #[test]
    fn arrows_move_along_their_axis_and_ctrl_snaps_to_the_grid() {
        let none = PointerModifiers::default();
        let mut session = with_gizmo(GizmoMode::Move, &[SceneItem::Volume(0)]);
        drag(&mut session, none, [[3.0, 2.0], [3.7, 2.9]]);
        let moved = middle(&volume(&session));
        assert!(moved.distance(Vec3::new(2.7, 0.5, 2.0)) < 1e-4, "{moved}");
        assert_eq!(session.history.undo_label().as_deref(), Some("Move volume 1"));
        session.history.undo();
        drag(&mut session, CTRL, [[3.0, 2.0], [3.7, 2.9]]);
        let moved = middle(&volume(&session));
        assert!(moved.distance(Vec3::new(2.5, 0.5, 2.0)) < 1e-4, "{moved}");
        session.history.undo();
        // With snapping on, Ctrl does the opposite.
        session.tools.gizmo.snaps = true;
        drag(&mut session, CTRL, [[3.0, 2.0], [3.7, 2.9]]);
        let moved = middle(&volume(&session));
        assert!(moved.distance(Vec3::new(2.7, 0.5, 2.0)) < 1e-4, "{moved}");
        session.history.undo();
        // The square moves along both axes.
        drag(&mut session, none, [[2.5, 2.5], [3.7, 5.5]]);
        let moved = middle(&volume(&session));
        assert!(moved.distance(Vec3::new(3.0, 0.5, 5.0)) < 1e-4, "{moved}");
    }

    #[test]
    fn the_ring_turns_and_ctrl_snaps_to_15_degrees() {
        let mut session = with_gizmo(GizmoMode::Turn, &[SceneItem::Volume(0)]);
        let yaw = |session: &Session| match volume(session) {
            VolumeShape::TurnedBox { yaw, .. } => yaw.to_degrees(),
            other => panic!("{other:?} is not rotated"),
        };
        let to = |degrees: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            [[2.0, 3.2], [2.0 + 1.2 * sin, 2.0 + 1.2 * cos]]
        };
        drag(&mut session, PointerModifiers::default(), to(37.0));
        assert!((yaw(&session) - 37.0).abs() < 1e-2, "{}", yaw(&session));
        assert_eq!(session.history.undo_label().as_deref(), Some("Turn volume 1"));
        session.history.undo();
        drag(&mut session, CTRL, to(37.0));
        assert!((yaw(&session) - 30.0).abs() < 1e-2, "{}", yaw(&session));
    }

    #[test]
    fn boxes_scale_and_never_through_zero() {
        let none = PointerModifiers::default();
        let mut session = with_gizmo(GizmoMode::Scale, &[SceneItem::Volume(0)]);
        drag(&mut session, none, [[3.0, 2.0], [4.5, 2.0]]);
        let size = volume(&session).bounds().size();
        assert!(size.distance(Vec3::new(5.0, 3.0, 2.0)) < 1e-3, "{size}");
        session.history.undo();
        drag(&mut session, CTRL, [[3.0, 2.0], [4.46, 2.0]]);
        let size = volume(&session).bounds().size();
        assert!(size.distance(Vec3::new(5.0, 3.0, 2.0)) < 1e-3, "{size}");
        session.history.undo();
        drag(&mut session, none, [[3.0, 2.0], [-3.0, 2.0]]);
        let size = volume(&session).bounds().size();
        assert!(size.x > 0.0 && size.x < 0.1, "{size}");
    }

    #[test]
    fn several_objects_turn_about_their_center_in_one_step() {
        let items = [SceneItem::Volume(0), SceneItem::Place(0), SceneItem::Link(0)];
        let mut session = with_gizmo(GizmoMode::Turn, &items);
        // Their center is at (4.5, 4.5).
        drag(&mut session, CTRL, [[4.5, 5.7], [5.7, 4.5]]);
        assert_eq!(session.history.undo_label().as_deref(), Some("Turn 3 objects"));
        let document = session.document();
        let place = document.places[0].at;
        assert!(place.distance(Vec3::new(8.0, 0.0, 7.0)) < 1e-3, "{place}");
        let link = &document.off_mesh[0];
        assert!(link.start.distance(Vec3::new(2.0, 0.0, 3.0)) < 1e-3, "{}", link.start);
        assert!(link.end.distance(Vec3::new(2.0, 0.0, 1.0)) < 1e-3, "{}", link.end);
        let center = middle(&volume(&session));
        assert!(center.distance(Vec3::new(2.0, 0.5, 7.0)) < 1e-3, "{center}");
        assert_eq!(document.places[1].at, Vec3::new(4.0, 0.0, 4.0), "it is not selected");
    }

    #[test]
    fn a_handle_moves_its_object_and_escape_ends_every_drag() {
        let none = PointerModifiers::default();
        let mut session = session();
        drag(&mut session, none, [[2.0, 8.0], [5.0, 9.0]]);
        assert_eq!(session.document().places[0].at, Vec3::new(5.0, 0.0, 9.0));
        assert_eq!(session.items(), [SceneItem::Place(0)].into());

        let before = session.document().clone();
        let tool = run(&mut session, &[event(Press, 5.0, 9.0), event(Drag, 7.0, 9.0)]);
        assert!(matches!(tool, SelectTool::Dragging(_)));
        assert_ne!(*session.document(), before);
        session.history.abort();
        let mut out = Commands::default();
        let view = SessionView { session: &session, auto_bake: true };
        let _ = tool.event(event(Drag, 8.0, 9.0), &view, &mut out);
        assert_eq!((out.take(), session.document()), (vec![], &before));
    }
}
