//! The volume tool: clicks draw a volume that paints an area, or a box to which the bake is limited;
//! drags move it and its corners.

use glam::Vec3;
use walkable::{
    bake::{AreaVolume, VolumeShape},
    debug_draw::{self, DrawList, Paint},
};

use crate::{
    command::{Command, Commands, ThingCommand, ToolKind, lower_first},
    session::{
        Edit, Obstacle, SessionView, ShapeKind, Thing, handles, pulled, turns, with_obstacle,
    },
    tools::{Cursor, Hint, handle},
    viewport::{PointerButton, PointerEvent, PointerKind},
};

/// A place of a volume, or of a box to which the bake is limited, to take hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VolumeHandle {
    /// What it is a place of.
    pub(crate) thing: Thing,
    /// Number of the handle; 0 is the middle.
    pub(crate) handle: usize,
}

/// What the pointer is about. The volumes themselves are the document's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum VolumeTool {
    /// Over nothing that can be taken hold of.
    #[default]
    Idle,
    /// Corners so far.
    Drawing(Vec<Vec3>),
    /// Over a handle.
    Over(VolumeHandle),
    /// Pulling a handle.
    Dragging(VolumeHandle),
}

impl VolumeTool {
    pub(crate) fn event(
        self,
        event: PointerEvent,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) -> Self {
        let primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            (Self::Drawing(corners), PointerKind::Click) => draw(corners, &event, view, out),
            (Self::Dragging(held), PointerKind::Drag) => {
                let moved = event.hit.and_then(|hit| held.pulled_to(hit, view));
                out.push_all(moved.map(Command::Apply));
                Self::Dragging(held)
            }
            (Self::Dragging(held), PointerKind::Release) => {
                out.push(Command::Commit);
                Self::Over(held)
            }
            (Self::Idle | Self::Over(_) | Self::Dragging(_), PointerKind::Hover) => {
                under(&event, view).map_or(Self::Idle, Self::Over)
            }
            (Self::Idle | Self::Over(_), PointerKind::Press) if primary => {
                let Some(held) = under(&event, view) else { return Self::Idle };
                out.push(ThingCommand::Choose(Some(held.thing)));
                out.push(Command::Begin(held.label(view).into()));
                Self::Dragging(held)
            }
            (Self::Idle, PointerKind::Click) if primary && view.tool == ToolKind::Obstacle => {
                drop_obstacle(&event, view, out);
                Self::Idle
            }
            (Self::Idle, PointerKind::Click) if primary => {
                out.push(ThingCommand::Choose(None));
                event.hit.map_or(Self::Idle, |hit| Self::Drawing(vec![hit]))
            }
            (state, _) => state,
        }
    }

    pub(crate) fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        match self {
            // One corner after the other.
            Self::Drawing(corners) if corners.len() > 1 => {
                return Some(Self::Drawing(corners[..corners.len() - 1].to_vec()));
            }
            Self::Drawing(_) => {}
            Self::Dragging(_) => out.push(Command::Abort),
            Self::Idle | Self::Over(_) => {
                view.thing()?;
                out.push(ThingCommand::Choose(None));
            }
        }
        Some(Self::Idle)
    }

    pub(crate) fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        const START: Hint = ("Click", "start a volume");
        const CORNER: Hint = ("Click", "add a corner");
        const CLOSE: Hint = ("Right-click", "close it here");
        const FIRST: Hint = ("Click the first corner", "close it");
        const SECOND: Hint = ("Click", "end it here");
        const LESS: Hint = ("Esc", "take back a corner");
        const HOLD: Hint = ("Drag", "move it");
        const RELEASE: Hint = ("Release", "leave it here");
        const RESTORE: Hint = ("Esc", "put it back");
        const DELETE: Hint = ("Del", "delete the chosen volume");
        const DROP: Hint = ("Click", "drop an obstacle");
        const DELETE_IT: Hint = ("Del", "delete the chosen one");
        match self {
            Self::Drawing(_) if new_kind(view) != ShapeKind::Prism => &[SECOND, LESS],
            Self::Drawing(corners) if corners.len() < 3 => &[CORNER, LESS],
            Self::Drawing(_) => &[CORNER, CLOSE, FIRST, LESS],
            Self::Over(_) => &[HOLD],
            Self::Dragging(_) => &[RELEASE, RESTORE],
            Self::Idle if view.tool == ToolKind::Obstacle => &[DROP, DELETE_IT],
            Self::Idle if view.thing().is_some() => &[START, DELETE],
            Self::Idle => &[START],
        }
    }

    pub(crate) const fn cursor(&self) -> Cursor {
        match self {
            Self::Idle | Self::Drawing(_) => Cursor::Crosshair,
            Self::Over(_) => Cursor::Grab,
            Self::Dragging(_) => Cursor::Grabbing,
        }
    }

    /// The volume that the next click would add, and places to take hold of.
    pub(crate) fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let mut list = DrawList::default();
        let mut middle = None;
        for (grip, at) in grips(view) {
            let chosen = view.thing() == Some(grip.thing);
            if grip.handle == 0 {
                middle = Some(at);
            }
            if let Some(middle) = middle.filter(|_| grip.is_turn(view)) {
                list.line([middle, at], 1.5, Paint::Accent);
            }
            list.point(at, if chosen { 10.0 } else { 7.0 }, Paint::Accent);
        }
        let Self::Drawing(corners) = self else { return list };
        let mut corners = corners.clone();
        corners.extend(view.hover.map(|hover| hover.point));
        if let Some(shape) = drawn(view, &corners) {
            let volume = AreaVolume { area: view.new_volume.area, shape };
            list.append(debug_draw::volume(&volume, Paint::Accent));
        }
        for pair in corners.windows(2) {
            list.line([pair[0], pair[1]], 2.5, Paint::Accent);
        }
        for &corner in &corners {
            list.point(corner, 8.0, Paint::Accent);
        }
        list
    }
}

/// A click while a volume is drawn: one corner more, or the last.
fn draw(
    mut corners: Vec<Vec3>,
    event: &PointerEvent,
    view: &SessionView<'_>,
    out: &mut Commands,
) -> VolumeTool {
    let kind = new_kind(view);
    let on_first = corners.len() > 2 && handle::is_on(event.ray_in_world, corners[0]);
    let closes = event.button == PointerButton::Secondary || on_first;
    if !on_first {
        corners.extend(event.hit);
    }
    let done = closes || kind != ShapeKind::Prism;
    let Some(shape) = drawn(view, &corners).filter(|_| done) else {
        return VolumeTool::Drawing(corners);
    };
    let document = view.document();
    let (label, edit, thing) = if view.tool == ToolKind::Bounds {
        let mut bounds = document.bounds.clone();
        bounds.push(shape.bounds().into());
        let thing = Thing::Bound(bounds.len() - 1);
        ("Add bake box", Edit::Bounds(bounds), thing)
    } else {
        let mut volumes = document.volumes.clone();
        volumes.push(AreaVolume { area: view.new_volume.area, shape }.into());
        let thing = Thing::Volume(volumes.len() - 1);
        ("Add volume", Edit::Volumes(volumes), thing)
    };
    out.push(Command::Change(label.into(), edit));
    out.push(ThingCommand::Choose(Some(thing)));
    VolumeTool::Idle
}

/// A click of the obstacle tool.
fn drop_obstacle(event: &PointerEvent, view: &SessionView<'_>, out: &mut Commands) {
    let Some(shape) = event.hit.and_then(|at| view.new_obstacle.dropped(at)) else { return };
    let (edit, thing) = with_obstacle(view.document(), Obstacle { shape });
    out.push(Command::Change("Drop obstacle".into(), edit));
    out.push(ThingCommand::Choose(Some(thing)));
}

/// The kind of what the next clicks draw: the bake is limited by boxes along the axes only.
fn new_kind(view: &SessionView<'_>) -> ShapeKind {
    if view.tool == ToolKind::Bounds { ShapeKind::Box } else { view.new_volume.kind }
}

/// What clicks on `corners` draw; `None` while there are too few.
fn drawn(view: &SessionView<'_>, corners: &[Vec3]) -> Option<VolumeShape> {
    match view.tool {
        ToolKind::Bounds => ShapeKind::Box.drawn(corners),
        _ => view.new_volume.drawn(corners),
    }
}

impl VolumeHandle {
    /// Whether it turns what it is a place of.
    fn is_turn(self, view: &SessionView<'_>) -> bool {
        let document = view.document();
        let shape = match self.thing {
            Thing::Volume(number) => document.volumes.get(number).map(|it| &it.shape),
            Thing::Obstacle(number) => document.obstacles.list.get(number).map(|it| &it.shape),
            Thing::Bound(_)
            | Thing::Link(_)
            | Thing::Path(_)
            | Thing::Place(_)
            | Thing::View(_) => None,
        };
        shape.is_some_and(|shape| turns(shape, self.handle))
    }

    fn label(self, view: &SessionView<'_>) -> String {
        let name = lower_first(&self.thing.name(view.document()));
        match self.handle {
            0 => format!("Move {name}"),
            _ if self.is_turn(view) => format!("Turn {name}"),
            _ => format!("Reshape {name}"),
        }
    }

    fn pulled_to(self, at: Vec3, view: &SessionView<'_>) -> Option<Edit> {
        let document = view.document();
        match self.thing {
            Thing::Volume(number) => {
                let mut volumes = document.volumes.clone();
                let volume = volumes.get_mut(number)?;
                volume.shape = pulled(&volume.shape, self.handle, at);
                Some(Edit::Volumes(volumes))
            }
            Thing::Bound(number) => {
                let mut bounds = document.bounds.clone();
                let bound = bounds.get_mut(number)?;
                bound.of = pulled(&VolumeShape::Box(bound.of), self.handle, at).bounds();
                Some(Edit::Bounds(bounds))
            }
            Thing::Obstacle(number) => {
                let mut obstacles = document.obstacles.clone();
                let obstacle = obstacles.list.get_mut(number)?;
                obstacle.shape = pulled(&obstacle.shape, self.handle, at);
                Some(Edit::Obstacles(obstacles))
            }
            Thing::Link(_) | Thing::Path(_) | Thing::Place(_) | Thing::View(_) => None,
        }
    }
}

/// All handles of what the tool in use draws: the corners of the chosen one, the middle of each.
fn grips(view: &SessionView<'_>) -> Vec<(VolumeHandle, Vec3)> {
    let document = view.document();
    let shapes: Vec<(Thing, VolumeShape)> = if view.tool == ToolKind::Obstacle {
        let all = document.obstacles.list.iter().enumerate();
        all.map(|(number, it)| (Thing::Obstacle(number), it.shape.clone())).collect()
    } else if view.tool == ToolKind::Bounds {
        let bounds = document.bounds.iter().enumerate();
        bounds.map(|(number, it)| (Thing::Bound(number), VolumeShape::Box(it.of))).collect()
    } else {
        let volumes = document.volumes.iter().enumerate();
        volumes.map(|(number, it)| (Thing::Volume(number), it.shape.clone())).collect()
    };
    let mut all = Vec::new();
    for (thing, shape) in shapes.iter().filter(|(thing, _)| !thing.is_hidden(document)) {
        let shown = if view.thing() == Some(*thing) { usize::MAX } else { 1 };
        let places = handles(shape).into_iter().enumerate().take(shown);
        all.extend(places.map(|(handle, at)| (VolumeHandle { thing: *thing, handle }, at)));
    }
    all
}

/// The handle under the pointer; the volume placed last lies on top.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<VolumeHandle> {
    let grips = grips(view).into_iter().rev();
    let mut hit = grips.filter(|(_, at)| handle::is_on(event.ray_in_world, *at));
    hit.next().map(|(grip, _)| grip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        session::{NewVolume, Session},
        tools::testing::{self, event},
    };

    use PointerKind::{Click, Drag, Press, Release};

    fn run(session: &mut Session, events: &[PointerEvent]) -> VolumeTool {
        testing::run(session, events, VolumeTool::event)
    }

    fn square(session: &mut Session) -> VolumeTool {
        let mut events: Vec<_> =
            [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)].map(|(x, z)| event(Click, x, z)).to_vec();
        events.push(PointerEvent { button: PointerButton::Secondary, ..event(Click, 0.0, 4.0) });
        run(session, &events)
    }

    #[test]
    fn corners_close_by_right_click_and_by_the_first_corner() {
        let mut session = Session::default();
        assert_eq!(square(&mut session), VolumeTool::Idle);
        assert_eq!(handles(&session.document().volumes[0].shape).len(), 5);
        let corners = [(9.0, 0.0), (12.0, 0.0), (12.0, 3.0), (9.0, 0.05)];
        run(&mut session, &corners.map(|(x, z)| event(Click, x, z)));
        assert_eq!(handles(&session.document().volumes[1].shape).len(), 4);
        assert_eq!(session.thing(), Some(Thing::Volume(1)));
        assert_eq!(session.history.undo_label(), Some("Add volume"));
    }

    #[test]
    fn boxes_and_cylinders_take_two_clicks() {
        for kind in [ShapeKind::Box, ShapeKind::TurnedBox, ShapeKind::Cylinder] {
            let mut session = Session::default();
            session.new_volume = NewVolume { kind, ..NewVolume::default() };
            run(&mut session, &[event(Click, 1.0, 1.0), event(Click, 3.0, 2.0)]);
            assert_eq!(ShapeKind::of(&session.document().volumes[0].shape), kind);
        }
    }

    #[test]
    fn a_box_is_turned_by_its_last_handle() {
        let mut session = Session::default();
        session.new_volume = NewVolume { kind: ShapeKind::TurnedBox, ..NewVolume::default() };
        run(&mut session, &[event(Click, 0.0, 0.0), event(Click, 4.0, 2.0)]);
        let at = handles(&session.document().volumes[0].shape)[5];
        run(
            &mut session,
            &[event(Press, at.x, at.z), event(Drag, 9.0, 1.0), event(Release, 9.0, 1.0)],
        );
        assert_eq!(session.history.undo_label(), Some("Turn volume 1"));
        let VolumeShape::TurnedBox { yaw, .. } = session.document().volumes[0].shape else {
            panic!("a turned box")
        };
        assert!((yaw.to_degrees() - 90.0).abs() < 1e-3, "{yaw}");
    }

    #[test]
    fn drags_move_a_volume_and_its_corners_in_one_step_each() {
        let mut session = Session::default();
        square(&mut session);
        let drag = |from: (f32, f32), to: (f32, f32)| {
            [event(Press, from.0, from.1), event(Drag, to.0, to.1), event(Release, to.0, to.1)]
        };
        run(&mut session, &drag((2.0, 2.0), (5.0, 2.0)));
        assert_eq!(session.history.undo_label(), Some("Move volume 1"));
        let bounds = |session: &Session| session.document().volumes[0].shape.bounds();
        assert!((bounds(&session).min.x - 3.0).abs() < 1e-6);
        run(&mut session, &drag((7.0, 4.0), (9.0, 5.0)));
        assert_eq!(session.history.undo_label(), Some("Reshape volume 1"));
        assert!((bounds(&session).max.x - 9.0).abs() < 1e-6);
    }

    #[test]
    fn escape_takes_back_corner_by_corner() {
        let mut session = Session::default();
        let tool = run(&mut session, &[event(Click, 1.0, 1.0), event(Click, 3.0, 1.0)]);
        let view = SessionView { session: &session, auto_bake: true };
        let mut out = Commands::default();
        let one = tool.back(&view, &mut out).unwrap();
        assert_eq!(one, VolumeTool::Drawing(vec![Vec3::new(1.0, 0.0, 1.0)]));
        assert_eq!(one.back(&view, &mut out), Some(VolumeTool::Idle));
        assert_eq!(VolumeTool::Idle.back(&view, &mut out), None);
    }
}
