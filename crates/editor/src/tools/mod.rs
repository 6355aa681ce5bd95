//! The tools of the 3D view: one state machine per tool for clicks and drags.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor {
    Arrow,
    PointingHand,
    Crosshair,
    Grab,
    Grabbing,
}

/// What a tool does with the pointer, and what it draws. Its value is its state.
pub trait Tool: Default {
    #[must_use]
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self;

    /// Returns the state after the pointer left the view with no button down: not over a handle.
    #[must_use]
    fn left(self) -> Self {
        self
    }

    /// Cancels the current step (Escape); returns `None` if there is nothing to cancel.
    #[must_use]
    fn back(&self, _view: &SessionView<'_>, _out: &mut Commands) -> Option<Self> {
        None
    }

    /// Returns the currently available actions.
    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint];

    fn cursor(&self) -> Cursor;

    /// Draws the handles that nothing hides: those at the center of the selection.
    fn handles(&self, _view: &SessionView<'_>) -> DrawList {
        DrawList::default()
    }

    /// Draws the tool's handles, and what the next click would place.
    fn preview(&self, view: &SessionView<'_>) -> DrawList;
}

/// Defines [`ActiveTool`] from the kinds of tools and the types of their states.
macro_rules! tools {
    ($($kind:ident($tool:ty),)*) => {
        #[derive(Clone, Debug, PartialEq)]
        pub enum ActiveTool {
            $($kind($tool),)*
        }

        impl ActiveTool {
            pub fn new(kind: ToolKind) -> Self {
                match kind {
                    $(ToolKind::$kind => Self::$kind(<$tool>::default()),)*
                }
            }

            pub const fn kind(&self) -> ToolKind {
                match self {
                    $(Self::$kind(_) => ToolKind::$kind,)*
                }
            }

            #[must_use]
            pub fn event(
                self,
                event: PointerEvent,
                view: &SessionView<'_>,
                out: &mut Commands,
            ) -> Self {
                report_hover(&event, view, out);
                match self {
                    $(Self::$kind(tool) => Self::$kind(tool.event(event, view, out)),)*
                }
            }

            #[must_use]
            pub fn left(self) -> Self {
                match self {
                    $(Self::$kind(tool) => Self::$kind(tool.left()),)*
                }
            }

            #[must_use]
            pub fn back(&self, view: &SessionView<'_>, out: &mut Commands) -> Option<Self> {
                match self {
                    $(Self::$kind(tool) => tool.back(view, out).map(Self::$kind),)*
                }
            }

            pub fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
                match self {
                    $(Self::$kind(tool) => tool.hints(view),)*
                }
            }

            pub fn cursor(&self) -> Cursor {
                match self {
                    $(Self::$kind(tool) => tool.cursor(),)*
                }
            }

            pub fn handles(&self, view: &SessionView<'_>) -> DrawList {
                match self {
                    $(Self::$kind(tool) => tool.handles(view),)*
                }
            }

            pub fn preview(&self, view: &SessionView<'_>) -> DrawList {
                match self {
                    $(Self::$kind(tool) => tool.preview(view),)*
                }
            }
        }
    };
}

tools! {
    Select(SelectTool),
    Path(PathTool),
    Volume(VolumeTool),
    Link(LinkTool),
    Bounds(VolumeTool),
    Measure(MeasureTool),
    Query(QueryTool),
    Obstacle(VolumeTool),
    Tile(TileTool),
    Paint(PaintTool),
    Crowd(CrowdTool),
}

impl ActiveTool {
    /// Returns this tool if it is of this kind, else one of this kind in its initial state.
    #[must_use]
    pub fn switched_to(self, kind: ToolKind) -> Self {
        if self.kind() == kind { self } else { Self::new(kind) }
    }

    /// Returns whether a frame is drawn around objects that will be selected.
    pub fn is_framing(&self) -> bool {
        matches!(self, Self::Select(SelectTool::Framing))
    }
}

fn place(event: &PointerEvent) -> Option<Hover> {
    event.hit.map(|point| Hover { point, triangle: event.triangle })
}

fn report_hover(event: &PointerEvent, view: &SessionView<'_>, out: &mut Commands) {
    let moved = matches!(event.kind, PointerKind::Hover | PointerKind::Drag);
    let hover = place(event);
    if moved && hover != view.tools.hover {
        out.push(Command::Hover(hover));
    }
}
