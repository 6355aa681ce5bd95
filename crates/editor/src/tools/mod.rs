//! The tools of the 3D view: one state machine per tool for clicks and drags. Independent of the window, so that tools
//! can be tested with plain numbers.

pub mod crowd;
mod game;
pub mod gizmo;
pub mod handle;
mod hold;
pub mod link;
pub mod measure;
pub mod paint;
pub mod path;
pub mod query;
mod ring;
pub mod select;
#[cfg(test)]
mod testing;
pub mod tile;
pub mod volume;

pub use crowd::CrowdTool;
pub use game::game_picture;
pub use link::LinkTool;
pub use measure::MeasureTool;
pub use paint::PaintTool;
pub use path::{PathTool, walker};
pub use query::QueryTool;
pub use select::SelectTool;
pub use tile::TileTool;
pub use volume::VolumeTool;
use walkable::debug_draw::DrawList;

use crate::{
    command::{Command, Commands},
    pointer::{PointerEvent, PointerKind},
    session::{Hover, SessionView, ToolKind},
};

/// A hint in the status bar: the key or button, and its effect.
pub type Hint = (&'static str, &'static str);

/// Shape of the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor {
    /// The default shape.
    Arrow,
    /// Something can be clicked.
    PointingHand,
    /// Something will be placed.
    Crosshair,
    /// Something can be dragged.
    Grab,
    /// Something is being dragged.
    Grabbing,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ActiveTool {
    /// Inspects points of the level, and selects objects.
    Select(SelectTool),
    Path(PathTool),
    /// Draws volumes that paint areas.
    Volume(VolumeTool),
    /// Draws boxes that limit the bake.
    Bounds(VolumeTool),
    /// Measures between two points.
    Measure(MeasureTool),
    /// Runs queries on the navmesh.
    Query(QueryTool),
    /// Places off-mesh links.
    Link(LinkTool),
    /// Places obstacles and moves them.
    Obstacle(VolumeTool),
    /// Bakes single tiles again or removes them.
    Tile(TileTool),
    Paint(PaintTool),
    /// Places agents of a crowd.
    Crowd(CrowdTool),
}

impl ActiveTool {
    /// Creates a tool of this kind in its initial state.
    pub fn new(kind: ToolKind) -> Self {
        match kind {
            ToolKind::Select => Self::Select(SelectTool::default()),
            ToolKind::Path => Self::Path(PathTool::default()),
            ToolKind::Volume => Self::Volume(VolumeTool::default()),
            ToolKind::Bounds => Self::Bounds(VolumeTool::default()),
            ToolKind::Measure => Self::Measure(MeasureTool::default()),
            ToolKind::Query => Self::Query(QueryTool::default()),
            ToolKind::Link => Self::Link(LinkTool::default()),
            ToolKind::Obstacle => Self::Obstacle(VolumeTool::default()),
            ToolKind::Tile => Self::Tile(TileTool),
            ToolKind::Paint => Self::Paint(PaintTool::default()),
            ToolKind::Crowd => Self::Crowd(CrowdTool),
        }
    }

    pub const fn kind(&self) -> ToolKind {
        match self {
            Self::Select(_) => ToolKind::Select,
            Self::Path(_) => ToolKind::Path,
            Self::Volume(_) => ToolKind::Volume,
            Self::Bounds(_) => ToolKind::Bounds,
            Self::Measure(_) => ToolKind::Measure,
            Self::Query(_) => ToolKind::Query,
            Self::Link(_) => ToolKind::Link,
            Self::Obstacle(_) => ToolKind::Obstacle,
            Self::Tile(_) => ToolKind::Tile,
            Self::Paint(_) => ToolKind::Paint,
            Self::Crowd(_) => ToolKind::Crowd,
        }
    }

    /// Returns this tool if it is of this kind, else one of this kind in its initial state.
    #[must_use]
    pub fn switched_to(self, kind: ToolKind) -> Self {
        if self.kind() == kind { self } else { Self::new(kind) }
    }

    /// Handles `event` and returns the new state.
    #[must_use]
    pub fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        report_hover(&event, view, out);
        match self {
            Self::Select(tool) => Self::Select(tool.event(event, view, out)),
            Self::Path(tool) => Self::Path(tool.event(event, view, out)),
            Self::Volume(tool) => Self::Volume(tool.event(event, view, out)),
            Self::Bounds(tool) => Self::Bounds(tool.event(event, view, out)),
            Self::Measure(tool) => Self::Measure(tool.event(event, view, out)),
            Self::Query(tool) => Self::Query(tool.event(event, view, out)),
            Self::Link(tool) => Self::Link(tool.event(event, view, out)),
            Self::Obstacle(tool) => Self::Obstacle(tool.event(event, view, out)),
            Self::Tile(tool) => Self::Tile(tool.event(event, view, out)),
            Self::Paint(tool) => Self::Paint(tool.event(event, view, out)),
            Self::Crowd(tool) => Self::Crowd(tool.event(event, view, out)),
        }
    }

    /// Returns the state after the pointer left the view with no button down: not over a handle.
    #[must_use]
    pub fn left(self) -> Self {
        match self {
            Self::Select(SelectTool::Over(_) | SelectTool::OverGizmo(_)) => {
                Self::Select(SelectTool::Idle)
            }
            Self::Path(tool) => Self::Path(tool.left()),
            Self::Query(tool) => Self::Query(tool.left()),
            Self::Link(LinkTool::Over(_)) => Self::Link(LinkTool::Idle),
            Self::Select(_)
            | Self::Volume(_)
            | Self::Bounds(_)
            | Self::Measure(_)
            | Self::Link(_)
            | Self::Obstacle(_)
            | Self::Tile(_)
            | Self::Paint(_)
            | Self::Crowd(_) => self,
        }
    }

    /// Returns whether a frame is drawn around objects that will be selected.
    pub fn is_framing(&self) -> bool {
        matches!(self, Self::Select(SelectTool::Framing))
    }

    /// Cancels the current step (Escape); returns `None` if there is nothing to cancel.
    #[must_use]
    pub fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
        match self {
            Self::Select(tool) => tool.back(view, out).map(Self::Select),
            Self::Path(tool) => tool.back(view, out).map(Self::Path),
            Self::Volume(tool) => tool.back(view, out).map(Self::Volume),
            Self::Bounds(tool) => tool.back(view, out).map(Self::Bounds),
            Self::Measure(_) => MeasureTool::back(view, out).map(Self::Measure),
            Self::Query(tool) => tool.back(view, out).map(Self::Query),
            Self::Link(tool) => tool.back(view, out).map(Self::Link),
            Self::Obstacle(tool) => tool.back(view, out).map(Self::Obstacle),
            Self::Tile(_) => None,
            Self::Paint(tool) => tool.back(out).map(Self::Paint),
            Self::Crowd(tool) => tool.back(view, out).map(Self::Crowd),
        }
    }

    /// Returns the currently available actions.
    pub fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        match self {
            Self::Select(tool) => tool.hints(view),
            Self::Path(tool) => tool.hints(view),
            Self::Volume(tool) | Self::Bounds(tool) | Self::Obstacle(tool) => tool.hints(view),
            Self::Measure(tool) => tool.hints(),
            Self::Query(tool) => tool.hints(view),
            Self::Link(tool) => tool.hints(view),
            Self::Tile(_) => TileTool::hints(view),
            Self::Paint(tool) => tool.hints(view),
            Self::Crowd(_) => CrowdTool::hints(view),
        }
    }

    /// Returns the shape of the pointer.
    pub const fn cursor(&self) -> Cursor {
        match self {
            Self::Select(tool) => tool.cursor(),
            Self::Path(tool) => tool.cursor(),
            Self::Volume(tool) | Self::Bounds(tool) | Self::Obstacle(tool) => tool.cursor(),
            Self::Measure(_) => MeasureTool::cursor(),
            Self::Query(tool) => tool.cursor(),
            Self::Link(tool) => tool.cursor(),
            Self::Tile(_) => TileTool::cursor(),
            Self::Paint(_) => PaintTool::cursor(),
            Self::Crowd(_) => CrowdTool::cursor(),
        }
    }

    /// Draws the handles that nothing hides: those at the center of the selection.
    pub fn handles(&self, view: &SessionView<'_>) -> DrawList {
        match self {
            Self::Select(tool) => tool.handles(view),
            Self::Path(_)
            | Self::Volume(_)
            | Self::Bounds(_)
            | Self::Measure(_)
            | Self::Query(_)
            | Self::Link(_)
            | Self::Obstacle(_)
            | Self::Tile(_)
            | Self::Paint(_)
            | Self::Crowd(_) => DrawList::default(),
        }
    }

    /// Draws the tool's handles, and what the next click would place.
    pub fn preview(&self, view: &SessionView<'_>) -> DrawList {
        match self {
            Self::Select(tool) => tool.preview(view),
            Self::Path(tool) => tool.preview(view),
            Self::Volume(tool) | Self::Bounds(tool) | Self::Obstacle(tool) => tool.preview(view),
            Self::Measure(_) => MeasureTool::preview(view),
            Self::Query(_) => QueryTool::preview(view),
            Self::Link(tool) => tool.preview(view),
            Self::Tile(_) => TileTool::preview(view),
            Self::Paint(_) => PaintTool::preview(view),
            Self::Crowd(_) => CrowdTool::preview(view),
        }
    }
}

/// Returns the point of the level under the pointer.
fn place(event: &PointerEvent) -> Option<Hover> {
    event.hit.map(|point| Hover { point, triangle: event.triangle })
}

fn report_hover(event: &PointerEvent, view: &SessionView<'_>, out: &mut Commands) {
    let moved = matches!(event.kind, PointerKind::Hover | PointerKind::Drag);
    let hover = place(event);
    if moved && hover != view.hover {
        out.push(Command::Hover(hover));
    }
}
