//! The tile tool: a click bakes one tile again; with Shift it removes the tile from the navmesh or restores it.

use walkable::{
    debug_draw::{self, DrawList, Paint},
    explain::tile_at,
    ids::TileCoord,
};
use walkable_workspace::text;

use super::Tool;
use crate::{
    command::{Commands, GroundCommand},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::SessionView,
    tools::{Cursor, Hint},
};

/// Selects tiles. Has no state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileTool;

impl Tool for TileTool {
    fn event(self, event: PointerEvent, view: &SessionView<'_>, out: &mut Commands) -> Self {
        let is_click = event.kind == PointerKind::Click && event.button == PointerButton::Primary;
        let plan = view.bake.plan.as_deref().filter(|_| is_click);
        if let Some(tile) = plan.zip(event.hit).and_then(|(plan, at)| tile_at(plan, at)) {
            out.push(match (event.modifiers.shift, view.is_removed(tile)) {
                (false, _) => GroundCommand::BakeTile(tile),
                (true, false) => GroundCommand::RemoveTile(tile),
                (true, true) => GroundCommand::PutTileBack(tile),
            });
        }
        self
    }

    fn hints(&self, view: &SessionView<'_>) -> &'static [Hint] {
        const BAKE: Hint = (text!("Click"), text!("bake this tile again"));
        match under(view).map(|tile| view.is_removed(tile)) {
            Some(true) => &[(text!("Shift+click"), text!("put this tile back")), BAKE],
            _ => &[BAKE, (text!("Shift+click"), text!("remove this tile"))],
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn preview(&self, view: &SessionView<'_>) -> DrawList {
        let bounds = view.bake.plan.as_deref().zip(under(view));
        let bounds = bounds.map(|(plan, tile)| plan.tile_bounds(tile));
        bounds.map_or_else(DrawList::default, |bounds| debug_draw::frame(&bounds, Paint::Accent))
    }
}

fn under(view: &SessionView<'_>) -> Option<TileCoord> {
    tile_at(view.bake.plan.as_deref()?, view.tools.hover?.point)
}
