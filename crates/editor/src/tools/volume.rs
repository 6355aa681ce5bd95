//! The volume tool. Clicks or a drag draw a volume, or a box that limits the bake. Drags of handles change it.

use glam::Vec3;
use walkable::{
    bake::VolumeShape,
    debug_draw::{self, DrawList, Paint},
    diagnostic::Phrase,
    geom::Ray,
    phrase,
};
use walkable_workspace::{document::Obstacle, text};

use super::Tool;
use crate::{
    command::{Command, Commands, SceneItemCommand},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::{
        Edit, Grip, NewVolume, SceneItem, SessionView, ShapeKind, ToolKind, arm, grips, item_names,
        pulled, with_obstacle,
    },
    tools::{Cursor, Hint, handle},
};

/// Length of an arrow's barbs, relative to the arrow.
const BARB: f32 = 0.35;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumeHandle {
    pub item: SceneItem,
    pub grip: Grip,
}

/// State of the volume tool. The volumes themselves are in the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum VolumeTool {
    #[default]
    Idle,
    Drawing(Vec<Vec3>),
    /// The button is down on the ground, where a drag begins a box.
    Pressed(Vec3),
    Stretching([Vec3; 2]),
    Over(VolumeHandle),
    /// Drags a handle. The vector leads from the point under the pointer to the handle. For [`Grip::Middle`], it leads
    /// from the ground straight to the handle.
    Dragging(VolumeHandle, Vec3),
}

impl Tool for VolumeTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        let primary = event.button == PointerButton::Primary;
        match (self, event.kind) {
            (Self::Drawing(corners), PointerKind::Click) => draw(corners, &event, view, out),
            (Self::Dragging(held, grab_offset), PointerKind::Drag) => {
                let goal = held.goal(&event, grab_offset, view);
                let moved = goal.and_then(|goal| held.pulled_to(goal, view));
                // Escape ends the transaction, but not the drag.
                let moved = moved.filter(|_| view.history.in_transaction());
                out.push_all(moved.map(Command::Apply));
                Self::Dragging(held, grab_offset)
            }
            (Self::Dragging(held, _), PointerKind::Release) => {
                out.push(Command::Commit);
                Self::Over(held)
            }
            (Self::Pressed(from) | Self::Stretching([from, _]), PointerKind::Drag) => {
                let to = event.hit.or_else(|| handle::at_height(event.ray_in_world, from));
                Self::Stretching([from, to.unwrap_or(from)])
            }
            (Self::Stretching(corners), PointerKind::Release) => {
                if let Some(shape) = stretched(view, &corners) {
                    add(shape, view, out);
                }
                Self::Idle
            }
            (Self::Pressed(_), PointerKind::Release) => Self::Idle,
            (
                Self::Idle
                | Self::Pressed(_)
                | Self::Stretching(_)
                | Self::Over(_)
                | Self::Dragging(..),
                PointerKind::Hover,
            ) => under(&event, view).map_or(Self::Idle, Self::Over),
            (Self::Idle | Self::Over(_), PointerKind::Press) if primary => press(&event, view, out),
            (Self::Idle, PointerKind::Click)
                if primary && view.tools.tool == ToolKind::Obstacle =>
            {
                drop_obstacle(&event, view, out);
                Self::Idle
            }
            (Self::Idle, PointerKind::Click) if primary => {
                out.push(SceneItemCommand::Select(None));
                event.hit.map_or(Self::Idle, |hit| Self::Drawing(vec![hit]))
            }
            (state, _) => state,
        }
    }

    fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        match self {
            // One corner after the other.
            Self::Drawing(corners) if corners.len() > 1 => {
                return Some(Self::Drawing(corners[..corners.len() - 1].to_vec()));
            }
            Self::Drawing(_) | Self::Stretching(_) => {}
            Self::Dragging(..) => out.push(Command::Abort),
            Self::Idle | Self::Pressed(_) | Self::Over(_) => {
                view.item()?;
                out.push(SceneItemCommand::Select(None));
            }
        }
        Some(Self::Idle)
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        const START: Hint = (text!("Click"), text!("start a volume"));
        const START_BOX: Hint = (text!("Click"), text!("start a bake box"));
        const STRETCH: Hint = (text!("Drag"), text!("draw a box"));
        const FINISH: Hint = (text!("Release"), text!("finish it here"));
        const CANCEL: Hint = (text!("Esc"), text!("cancel"));
        const CORNER: Hint = (text!("Click"), text!("add a corner"));
        const CLOSE: Hint = (text!("Right-click"), text!("close it here"));
        const FIRST: Hint = (text!("Click the first corner"), text!("close it"));
        const SECOND: Hint = (text!("Click"), text!("finish it here"));
        const LESS: Hint = (text!("Esc"), text!("remove a corner"));
        const HOLD: Hint = (text!("Drag"), text!("move it"));
        const RELEASE: Hint = (text!("Release"), text!("leave it here"));
        const RESTORE: Hint = (text!("Esc"), text!("put it back"));
        const DELETE: Hint = (text!("Del"), text!("delete the chosen one"));
        const DROP: Hint = (text!("Click"), text!("drop an obstacle"));
        match self {
            Self::Drawing(_) if new_kind(view) != ShapeKind::Prism => &[SECOND, LESS],
            Self::Drawing(corners) if corners.len() < 3 => &[CORNER, LESS],
            Self::Drawing(_) => &[CORNER, CLOSE, FIRST, LESS],
            Self::Over(held) => match held.grip {
                Grip::Middle => &[HOLD],
                Grip::Corner(_) => &[(text!("Drag"), text!("reshape it"))],
                Grip::Turn => &[(text!("Drag"), text!("turn it"))],
                Grip::Top => &[(text!("Drag"), text!("change its top"))],
                Grip::Bottom => &[(text!("Drag"), text!("change its bottom"))],
            },
            Self::Dragging(..) => &[RELEASE, RESTORE],
            Self::Stretching(_) => &[FINISH, CANCEL],
            Self::Idle if view.tools.tool == ToolKind::Obstacle => &[DROP, DELETE],
            Self::Idle | Self::Pressed(_) => {
                match (view.tools.tool == ToolKind::Bounds, view.item().is_some()) {
                    (true, true) => &[START_BOX, STRETCH, DELETE],
                    (true, false) => &[START_BOX, STRETCH],
                    (false, true) => &[START, STRETCH, DELETE],
                    (false, false) => &[START, STRETCH],
                }
            }
        }
    }

    fn cursor(&self) -> Cursor {
        match self {
            Self::Idle | Self::Pressed(_) | Self::Drawing(_) | Self::Stretching(_) => {
                Cursor::Crosshair
            }
            Self::Over(_) => Cursor::Grab,
            Self::Dragging(..) => Cursor::Grabbing,
        }
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let mut list = DrawList::default();
        let held = match self {
            Self::Over(held) | Self::Dragging(held, _) => Some(*held),
            Self::Idle | Self::Pressed(_) | Self::Drawing(_) | Self::Stretching(_) => None,
        };
        let (mut middle, mut barb) = (Vec3::ZERO, 0.0);
        for (handle, at) in handles(view) {
            if handle.grip == Grip::Middle {
                middle = at;
                let shape = handle.item.shape(view.document());
                barb = shape.map_or(0.0, |shape| BARB * arm(&shape));
            }
            let is_chosen = view.item() == Some(handle.item);
            let size = match handle.grip {
                _ if held == Some(handle) => 14.0,
                Grip::Middle | Grip::Corner(_) | Grip::Turn if is_chosen => 10.0,
                Grip::Middle | Grip::Corner(_) | Grip::Turn | Grip::Top | Grip::Bottom => 7.0,
            };
            lines_picture(&mut list, handle.grip, [middle, at], barb);
            list.point(at, size, Paint::Accent);
        }
        let (corners, shape) = match self {
            Self::Stretching(corners) => (corners.to_vec(), stretched(view, corners)),
            Self::Drawing(corners) => {
                let hovered = view.tools.hover.map(|hover| hover.point);
                let corners: Vec<_> = corners.iter().copied().chain(hovered).collect();
                let shape = drawn(view, &corners);
                (corners, shape)
            }
            Self::Idle | Self::Pressed(_) | Self::Over(_) | Self::Dragging(..) => return list,
        };
        if let Some(shape) = shape {
            let volume = view.tools.new_volume.with_shape(shape);
            list.append(debug_draw::volume(&volume, Paint::Accent));
            let settings = &view.document().settings;
            let [radius, cell_size] = [settings.agent_radius, settings.cell_size];
            list.append(debug_draw::volume_margin(&volume, radius, cell_size));
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

fn press(event: &PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> VolumeTool {
    let Some(held) = under(event, view) else {
        let drops = view.tools.tool == ToolKind::Obstacle;
        return event.hit.filter(|_| !drops).map_or(VolumeTool::Idle, VolumeTool::Pressed);
    };
    if event.modifiers.command {
        out.push(SceneItemCommand::Toggle(held.item));
        return VolumeTool::Over(held);
    }
    if !held.moves_all(view) {
        out.push(SceneItemCommand::Select(Some(held.item)));
    }
    out.push(Command::Begin(held.label(view)));
    VolumeTool::Dragging(held, grab_offset(held, event, view))
}

/// Returns the vector for [`VolumeTool::Dragging`]. It keeps the handle from jumping to the pointer when a drag begins,
/// and an object that is dragged along the ground at its height above it.
fn grab_offset(held: VolumeHandle, event: &PointerEvent, view: &SessionView<'_>) -> Vec3 {
    let Some(at) = held.place(view) else { return Vec3::ZERO };
    if held.grip == Grip::Middle {
        // The point under the pointer may be far behind the handle or in front of it, at another height.
        let ground = nearest_ground(at, view).or(event.hit);
        return ground.map_or(Vec3::ZERO, |ground| Vec3::Y * (at.y - ground.y));
    }
    held.goal(event, Vec3::ZERO, view).map_or(Vec3::ZERO, |goal| at - goal)
}

/// Returns the point of the level straight below or above `at`, whichever is nearer.
fn nearest_ground(at: Vec3, view: &SessionView<'_>) -> Option<Vec3> {
    let level = view.opened.level.as_ref()?;
    let hit = |direction| level.bvh.raycast(level.mesh.as_ref(), &Ray { origin: at, direction });
    let hits = [Vec3::NEG_Y, Vec3::Y].into_iter().filter_map(hit);
    hits.min_by(|a, b| a.t.total_cmp(&b.t)).map(|hit| hit.point)
}

/// Returns the point of `ray` at `height` above `ground`. If that point is behind the eye or much farther away than
/// `at`, returns the point straight above `ground`.
fn above_ground(ray: Ray, ground: Vec3, height: f32, at: Vec3) -> Vec3 {
    let above = ground + Vec3::Y * height;
    handle::at_height(ray, at.with_y(above.y)).unwrap_or(above)
}

/// Handles a click while a volume is drawn: adds a corner, or finishes the volume.
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
    add(shape, view, out);
    VolumeTool::Idle
}

fn add(shape: VolumeShape, view: &SessionView<'_>, out: &mut Commands) {
    let document = view.document();
    let (label, edit, item) = if view.tools.tool == ToolKind::Bounds {
        let mut bounds = document.bounds.clone();
        bounds.push(shape.bounds().into());
        let item = SceneItem::Bound(bounds.len() - 1);
        (phrase!("Add bake box"), Edit::Bounds(bounds), item)
    } else {
        let mut volumes = document.volumes.clone();
        volumes.push(view.tools.new_volume.with_shape(shape).into());
        let item = SceneItem::Volume(volumes.len() - 1);
        (phrase!("Add volume"), Edit::Volumes(volumes), item)
    };
    out.push(Command::Change(label, edit));
    out.push(SceneItemCommand::Select(Some(item)));
}

fn drop_obstacle(event: &PointerEvent, view: &SessionView<'_>, out: &mut Commands) {
    let Some(shape) = event.hit.and_then(|at| view.tools.new_obstacle.dropped(at)) else { return };
    let (edit, item) = with_obstacle(view.document(), Obstacle { shape });
    out.push(Command::Change(phrase!("Drop obstacle"), edit));
    out.push(SceneItemCommand::Select(Some(item)));
}

/// Returns the kind of shape to draw: bounds of the bake are always axis-aligned boxes.
fn new_kind(view: &SessionView<'_>) -> ShapeKind {
    if view.tools.tool == ToolKind::Bounds { ShapeKind::Box } else { view.tools.new_volume.kind }
}

/// Returns the shape that clicks on `corners` draw; `None` while there are too few.
fn drawn(view: &SessionView<'_>, corners: &[Vec3]) -> Option<VolumeShape> {
    if view.tools.tool == ToolKind::Bounds {
        ShapeKind::Box.drawn(corners)
    } else {
        view.tools.new_volume.drawn(corners)
    }
}

/// Returns the shape that a drag between two corners draws. If volumes are drawn as prisms, which need more corners, it
/// is a box. `None` if it has no width or no depth.
fn stretched(view: &SessionView<'_>, corners: &[Vec3; 2]) -> Option<VolumeShape> {
    let shape = match (view.tools.tool, view.tools.new_volume.kind) {
        (ToolKind::Bounds, _) => ShapeKind::Box.drawn(corners),
        (_, ShapeKind::Prism) => {
            NewVolume { kind: ShapeKind::Box, ..view.tools.new_volume }.drawn(corners)
        }
        (_, ShapeKind::Box | ShapeKind::TurnedBox | ShapeKind::Cylinder) => {
            view.tools.new_volume.drawn(corners)
        }
    }?;
    let size = shape.bounds().size();
    (size.x > 0.0 && size.z > 0.0).then_some(shape)
}

impl VolumeHandle {
    fn label(self, view: &SessionView<'_>) -> Phrase {
        let items = if self.moves_all(view) { view.items() } else { [self.item].into() };
        let (verb, name) = (self.grip.verb(), item_names(view.document(), &items));
        phrase!("{verb} {name}", verb, name)
    }

    /// Returns the target of the drag: along the ground, at its own height, or up and down.
    fn goal(self, event: &PointerEvent, grab_offset: Vec3, view: &SessionView<'_>) -> Option<Vec3> {
        let (ray, at) = (event.ray_in_world, self.place(view)?);
        let pointed_at = match (self.grip, event.hit) {
            (Grip::Top | Grip::Bottom, _) => handle::on_vertical(ray, at)?,
            (Grip::Corner(_) | Grip::Turn, hit) => handle::at_height(ray, at).or(hit)?,
            (Grip::Middle, Some(hit)) => return Some(above_ground(ray, hit, grab_offset.y, at)),
            (Grip::Middle, None) => return handle::at_height(ray, at),
        };
        Some(pointed_at + grab_offset)
    }

    fn place(self, view: &SessionView<'_>) -> Option<Vec3> {
        let shape = self.item.shape(view.document())?;
        grips(&shape).into_iter().find(|(grip, _)| *grip == self.grip).map(|(_, at)| at)
    }

    fn moves_all(self, view: &SessionView<'_>) -> bool {
        self.grip == Grip::Middle
            && view.tools.selected_items.contains(self.item)
            && view.items().len() > 1
    }

    fn pulled_to(self, at: Vec3, view: &SessionView<'_>) -> Option<Edit> {
        if self.moves_all(view) {
            let by = at - self.place(view)?;
            return Some(Edit::of_items(view.document(), |document| {
                view.items().into_iter().for_each(|item| item.move_in(document, by));
            }));
        }
        let shape = self.item.shape(view.document())?;
        self.item.reshaped_in(view.document(), pulled(&shape, self.grip, at))
    }
}

/// Returns all handles that the current tool shows: all grips of the selected object, the center of each other one.
fn handles(view: &SessionView<'_>) -> Vec<(VolumeHandle, Vec3)> {
    let document = view.document();
    let tool = view.tools.tool;
    let items: Vec<SceneItem> = if tool == ToolKind::Obstacle {
        (0..document.obstacles.list.len()).map(SceneItem::Obstacle).collect()
    } else if tool == ToolKind::Bounds {
        (0..document.bounds.len()).map(SceneItem::Bound).collect()
    } else {
        (0..document.volumes.len()).map(SceneItem::Volume).collect()
    };
    let mut all = Vec::new();
    for item in items.into_iter().filter(|item| !item.is_hidden(document)) {
        let Some(shape) = item.shape(document) else { continue };
        let shown = if view.item() == Some(item) { usize::MAX } else { 1 };
        // Bounds of the bake are axis-aligned.
        let can = |grip| grip != Grip::Turn || !matches!(item, SceneItem::Bound(_));
        let grips = grips(&shape).into_iter().filter(|(grip, _)| can(*grip)).take(shown);
        all.extend(grips.map(|(grip, at)| (VolumeHandle { item, grip }, at)));
    }
    all
}

/// Returns the handle under the pointer. Of several, the one of the newest volume takes precedence. Skips handles that
/// are dragged up or down if the view is too steep for that.
fn under(event: &PointerEvent, view: &SessionView<'_>) -> Option<VolumeHandle> {
    let ray = event.ray_in_world;
    let can = |grip: Grip, at| !grip.is_vertical() || handle::on_vertical(ray, at).is_some();
    let handles = handles(view).into_iter().rev();
    let mut hit = handles.filter(|(held, at)| handle::is_on(ray, *at) && can(held.grip, *at));
    hit.next().map(|(held, _)| held)
}

/// Draws the line from an object's `middle` to its handle `at`: an arrow up or down, or an arm for rotation.
fn lines_picture(list: &mut DrawList, grip: Grip, [middle, at]: [Vec3; 2], barb: f32) {
    let paint = Paint::Accent;
    match grip {
        Grip::Turn => list.line([middle, at], 1.5, paint),
        Grip::Top | Grip::Bottom => {
            list.line([middle, at], 1.5, paint);
            let back = if grip == Grip::Top { Vec3::NEG_Y } else { Vec3::Y } * barb;
            for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
                list.line([at, at + back + side * (0.5 * barb)], 3.0, paint);
            }
        }
        Grip::Middle | Grip::Corner(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use PointerKind::{Click, Drag, Press, Release};
    use walkable::mesh::{ImportOptions, TriMesh};

    use super::*;
    use crate::{
        jobs::open::prepared,
        pointer::PointerModifiers,
        session::{LevelSource, Session},
        tools::testing::{self, event},
    };

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
        assert_eq!(session.document().volumes[0].shape.outline().len(), 4);
        let corners = [(9.0, 0.0), (12.0, 0.0), (12.0, 3.0), (9.0, 0.05)];
        run(&mut session, &corners.map(|(x, z)| event(Click, x, z)));
        assert_eq!(session.document().volumes[1].shape.outline().len(), 3);
        assert_eq!(session.item(), Some(SceneItem::Volume(1)));
        assert_eq!(session.history.undo_label().as_deref(), Some("Add volume"));
    }

    #[test]
    fn a_drag_draws_a_box_and_a_click_still_begins_an_outline() {
        for (tool, kind) in [
            (ToolKind::Volume, ShapeKind::Prism),
            (ToolKind::Volume, ShapeKind::Cylinder),
            (ToolKind::Bounds, ShapeKind::Prism),
        ] {
            let mut session = Session::default();
            session.tools.tool = tool;
            session.tools.new_volume.kind = kind;
            let drag = [event(Press, 1.0, 1.0), event(Drag, 2.0, 2.0), event(Drag, 4.0, 3.0)];
            let stretching = run(&mut session, &drag);
            let view = SessionView { session: &session, auto_bake: true };
            assert!(!stretching.preview(&view).lines.is_empty(), "it is shown while it is drawn");
            let released = run(&mut session, &[&drag[..], &[event(Release, 4.0, 3.0)]].concat());
            assert_eq!(released, VolumeTool::Idle);
            let shape = session.item().unwrap().shape(session.document()).unwrap();
            let drawn = if kind == ShapeKind::Cylinder { kind } else { ShapeKind::Box };
            assert_eq!(ShapeKind::of(&shape), drawn, "{tool:?}");
            assert!((shape.bounds().max.x - if kind == drawn { 4.6056 } else { 4.0 }).abs() < 1e-3);
            session.history.undo();
            assert_eq!(session.item(), None, "{tool:?}: one step");
        }
        let mut session = Session::default();
        let click = [event(Press, 1.0, 1.0), event(Release, 1.0, 1.0), event(Click, 1.0, 1.0)];
        let tool = run(&mut session, &click);
        assert_eq!(tool, VolumeTool::Drawing(vec![Vec3::new(1.0, 0.0, 1.0)]));
    }

    #[test]
    fn escape_ends_the_box_that_a_drag_draws() {
        let mut session = Session::default();
        let tool = run(&mut session, &[event(Press, 1.0, 1.0), event(Drag, 4.0, 3.0)]);
        let view = SessionView { session: &session, auto_bake: true };
        let mut out = Commands::default();
        let tool = tool.back(&view, &mut out).unwrap();
        let tool = tool.event(event(Drag, 5.0, 3.0), &view, &mut out);
        let tool = tool.event(event(Release, 5.0, 3.0), &view, &mut out);
        assert!(tool == VolumeTool::Idle);
        assert!(!out.take().iter().any(|command| matches!(command, Command::Change(..))));
    }

    #[test]
    fn boxes_and_cylinders_take_two_clicks() {
        for kind in [ShapeKind::Box, ShapeKind::TurnedBox, ShapeKind::Cylinder] {
            let mut session = Session::default();
            session.tools.new_volume = NewVolume { kind, ..NewVolume::default() };
            run(&mut session, &[event(Click, 1.0, 1.0), event(Click, 3.0, 2.0)]);
            assert_eq!(ShapeKind::of(&session.document().volumes[0].shape), kind);
        }
    }

    /// Returns the position of `grip` of the selected object.
    fn place(session: &Session, wanted: Grip) -> Vec3 {
        let shape = session.item().unwrap().shape(session.document()).unwrap();
        grips(&shape).into_iter().find(|(grip, _)| *grip == wanted).unwrap().1
    }

    #[test]
    fn boxes_and_prisms_are_turned_by_their_arm() {
        for kind in [ShapeKind::Box, ShapeKind::TurnedBox] {
            let mut session = Session::default();
            session.tools.new_volume = NewVolume { kind, ..NewVolume::default() };
            run(&mut session, &[event(Click, 0.0, 0.0), event(Click, 4.0, 2.0)]);
            let at = place(&session, Grip::Turn);
            let drag = [event(Press, at.x, at.z), event(Drag, 9.0, 1.0), event(Release, 9.0, 1.0)];
            run(&mut session, &drag);
            assert_eq!(session.history.undo_label().as_deref(), Some("Turn volume 1"));
            let VolumeShape::TurnedBox { yaw, .. } = session.document().volumes[0].shape else {
                panic!("a rotated box")
            };
            assert!((yaw.to_degrees() - 90.0).abs() < 1e-3, "{yaw}");
        }
        let mut session = Session::default();
        square(&mut session);
        let at = place(&session, Grip::Turn);
        let drag = [event(Press, at.x, at.z), event(Drag, 2.0, 9.0), event(Release, 2.0, 9.0)];
        run(&mut session, &drag);
        let first = session.document().volumes[0].shape.outline()[0];
        assert!((first.x - 2.0).abs() < 1e-4 && (first.z - 2.0 - 8.0_f32.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn corners_follow_the_pointer_over_walls_and_over_nothing() {
        let mut session = Session::default();
        square(&mut session);
        let at = place(&session, Grip::Corner(2));
        // From the side, with a wall between the camera and the handle.
        let eye = Vec3::new(20.0, 12.0, 9.0);
        let aimed = |kind, to: Vec3, hit| {
            let ray_in_world = Ray { origin: eye, direction: (to - eye).normalize_or_zero() };
            PointerEvent { ray_in_world, hit, ..event(kind, 0.0, 0.0) }
        };
        let to = at + Vec3::new(1.5, 0.0, 0.75);
        let wall = Some(eye.lerp(to, 0.4));
        run(
            &mut session,
            &[aimed(Press, at, wall), aimed(Drag, to, wall), aimed(Release, to, wall)],
        );
        assert!(place(&session, Grip::Corner(2)).distance(to) < 1e-3, "not where the wall is");
        let middle = place(&session, Grip::Middle);
        let to = middle + Vec3::new(-2.0, 0.0, 1.0);
        run(
            &mut session,
            &[aimed(Press, middle, None), aimed(Drag, to, None), aimed(Release, to, None)],
        );
        assert!(
            place(&session, Grip::Middle).distance(to) < 1e-3,
            "over nothing it keeps its height"
        );
    }

    /// Returns an event that points from the side at `to`, over ground at `height`.
    fn slanted(kind: PointerKind, to: Vec3, height: f32) -> PointerEvent {
        let eye = to + Vec3::new(9.0, 6.0, 4.0);
        let ray_in_world = Ray { origin: eye, direction: (to - eye).normalize_or_zero() };
        let hit = ray_in_world.hit_horizontal_plane(height);
        PointerEvent { ray_in_world, hit, ..event(kind, 0.0, 0.0) }
    }

    #[test]
    fn a_dragged_obstacle_keeps_its_height_above_the_ground() {
        for kind in ShapeKind::OBSTACLES {
            let mut session = Session::default();
            session.tools.tool = ToolKind::Obstacle;
            session.tools.new_obstacle = kind;
            run(&mut session, &[event(Click, 2.0, 3.0)]);
            let heights = |session: &Session| {
                let bounds = session.document().obstacles.list[0].shape.bounds();
                [bounds.min.y, bounds.max.y]
            };
            let before = heights(&session);
            let from = place(&session, Grip::Middle);
            let to = from + Vec3::new(-3.0, 0.0, 2.0);
            let drag = [slanted(Press, from, 0.0), slanted(Drag, to, 0.0)];
            run(&mut session, &drag);
            for (before, after) in before.into_iter().zip(heights(&session)) {
                assert!((after - before).abs() < 1e-4, "{kind:?}: {after} instead of {before}");
            }
            let at = place(&session, Grip::Middle);
            assert!(at.distance(to) < 1e-3, "{kind:?}: the handle is under the pointer: {at}");
            let higher = to + Vec3::new(2.0, 3.0, 1.0);
            let drag =
                [slanted(Press, to, 0.0), slanted(Drag, higher, 3.0), slanted(Drag, from, 0.0)];
            run(&mut session, &drag[..2]);
            let at = place(&session, Grip::Middle);
            assert!(at.distance(higher) < 1e-3, "{kind:?} over a higher floor: {at}");
            run(&mut session, &[slanted(Press, higher, 3.0), drag[2]]);
            let back = place(&session, Grip::Middle);
            assert!(back.distance(from) < 1e-3, "{kind:?} down again: {back}");
        }
    }

    #[test]
    fn what_hides_an_obstacle_does_not_change_its_height() {
        let corners = [(0.0, 0.0), (0.0, 30.0), (30.0, 0.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let source = LevelSource::Builtin("floor".to_owned());
        let mut session = Session::default();
        session.opened.level = Some(prepared(mesh, ImportOptions::default(), &source, Vec::new()));
        session.tools.tool = ToolKind::Obstacle;
        run(&mut session, &[event(Click, 10.0, 12.0)]);
        let from = place(&session, Grip::Middle);
        let to = from + Vec3::new(0.5, 0.0, 0.5);
        let press = slanted(Press, from, 0.0);
        let wall = press.ray_in_world.at(4.0);
        let press = PointerEvent { hit: Some(wall), ..press };
        run(&mut session, &[press, slanted(Drag, to, 0.0)]);
        let at = place(&session, Grip::Middle);
        assert!(at.distance(to) < 1e-3, "{at} instead of {to}");
    }

    #[test]
    fn ctrl_selects_several_which_move_together() {
        let mut session = Session::default();
        square(&mut session);
        let corners = [(9.0, 0.0), (12.0, 0.0), (12.0, 3.0), (9.0, 0.05)];
        run(&mut session, &corners.map(|(x, z)| event(Click, x, z)));
        let middles = |session: &Session| {
            let all = session.document().volumes.iter();
            all.map(|volume| crate::session::middle(&volume.shape)).collect::<Vec<_>>()
        };
        let before = middles(&session);
        let first = before[0];
        let press = event(Press, first.x, first.z);
        let modifiers = PointerModifiers { command: true, ..press.modifiers };
        run(&mut session, &[PointerEvent { modifiers, ..press }]);
        assert_eq!(session.items().len(), 2);
        let (x, z) = (first.x + 3.0, first.z - 1.0);
        run(&mut session, &[press, event(Drag, x, z), event(Release, x, z)]);
        for (before, after) in before.iter().zip(middles(&session)) {
            assert!((after - *before - Vec3::new(3.0, 0.0, -1.0)).length() < 1e-3, "{after}");
        }
        assert_eq!(session.history.undo_label().as_deref(), Some("Move 2 objects"));
        assert_eq!(session.items().len(), 2, "they stay selected");
    }

    /// Looks along +x, at height `y` over the line z = `z`.
    fn level(kind: PointerKind, y: f32, z: f32) -> PointerEvent {
        let ray_in_world = Ray { origin: Vec3::new(-20.0, y, z), direction: Vec3::X };
        PointerEvent { ray_in_world, hit: None, ..event(kind, 0.0, z) }
    }

    #[test]
    fn arrows_change_heights_in_one_step_each_of_all_that_has_a_shape() {
        for tool in [ToolKind::Volume, ToolKind::Bounds, ToolKind::Obstacle] {
            let mut session = Session::default();
            session.tools.tool = tool;
            session.tools.new_volume.kind = ShapeKind::Cylinder;
            run(&mut session, &[event(Click, 1.0, 1.0), event(Click, 3.0, 2.0)]);
            let item = session.item().unwrap();
            let bounds = |session: &Session| item.shape(session.document()).unwrap().bounds();
            let before = bounds(&session);
            for (grip, by) in [(Grip::Top, 1.5), (Grip::Bottom, -0.5)] {
                let at = place(&session, grip);
                // Grabbed slightly above its position, which must not make it jump.
                let (y, steps) = (at.y + 0.1, session.history.past().count());
                let drag = [
                    level(Press, y, at.z),
                    level(Drag, y + 0.5 * by, at.z),
                    level(Drag, y + by, at.z),
                    level(Release, y + by, at.z),
                ];
                run(&mut session, &drag);
                assert_eq!(session.history.past().count(), steps + 1, "{tool:?} {grip:?}");
                let label = session.history.undo_label().unwrap();
                assert!(label.starts_with(&grip.verb().to_string()), "{label}");
            }
            let after = bounds(&session);
            assert!(
                (after.max - before.max - Vec3::Y * 1.5).length() < 1e-3,
                "{tool:?}: {after:?}"
            );
            assert!(
                (after.min - before.min + Vec3::Y * 0.5).length() < 1e-3,
                "{tool:?}: {after:?}"
            );
            session.history.undo();
            session.history.undo();
            assert_eq!(bounds(&session), before);
        }
    }

    #[test]
    fn a_bake_box_is_not_turned() {
        let mut session = Session::default();
        session.tools.tool = ToolKind::Bounds;
        run(&mut session, &[event(Click, 1.0, 1.0), event(Click, 3.0, 2.0)]);
        let view = SessionView { session: &session, auto_bake: true };
        assert!(handles(&view).len() > 4);
        assert!(handles(&view).iter().all(|(handle, _)| handle.grip != Grip::Turn));
    }

    #[test]
    fn drags_move_a_volume_and_its_corners_in_one_step_each() {
        let mut session = Session::default();
        square(&mut session);
        let drag = |from: (f32, f32), to: (f32, f32)| {
            [event(Press, from.0, from.1), event(Drag, to.0, to.1), event(Release, to.0, to.1)]
        };
        run(&mut session, &drag((2.0, 2.0), (5.0, 2.0)));
        assert_eq!(session.history.undo_label().as_deref(), Some("Move volume 1"));
        let bounds = |session: &Session| session.document().volumes[0].shape.bounds();
        assert!((bounds(&session).min.x - 3.0).abs() < 1e-6);
        run(&mut session, &drag((7.0, 4.0), (9.0, 5.0)));
        assert_eq!(session.history.undo_label().as_deref(), Some("Reshape volume 1"));
        assert!((bounds(&session).max.x - 9.0).abs() < 1e-6);
    }

    #[test]
    fn nothing_moves_after_escape_has_ended_a_drag() {
        let mut session = Session::default();
        square(&mut session);
        let before = session.document().clone();
        let tool = run(&mut session, &[event(Press, 2.0, 2.0), event(Drag, 5.0, 2.0)]);
        assert_ne!(*session.document(), before);
        session.history.abort();
        let mut out = Commands::default();
        let view = SessionView { session: &session, auto_bake: true };
        let _ = tool.event(event(Drag, 6.0, 2.0), &view, &mut out);
        assert_eq!((out.take(), session.document()), (vec![], &before));
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
