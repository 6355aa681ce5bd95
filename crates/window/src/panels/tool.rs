//! What the window shows of each tool.

use eframe::egui;
use walkable_editor::{
    command::Commands,
    session::{SessionView, ToolKind},
};

use super::{
    areas::brush::brush_ui,
    inspect::measure::measure_ui,
    links_and_volumes::{
        bound::no_bound_ui, obstacle::new_obstacle_ui, proposals::proposals_ui,
        volume::new_volume_ui,
    },
    query::query_ui,
    tiles::removed_tiles_ui,
};
use crate::icons::{self, MaterialIcon};

#[derive(Debug)]
pub struct ToolUi {
    pub icon: MaterialIcon,
    /// Fills the inspector while nothing is selected; without it, the inspector describes the place under the cursor.
    pub inspector: Option<fn(&mut egui::Ui, &SessionView<'_>, &mut Commands)>,
}

pub fn tool_ui(kind: ToolKind) -> ToolUi {
    match kind {
        ToolKind::Select => ToolUi { icon: icons::ICON_ARROW_SELECTOR_TOOL, inspector: None },
        ToolKind::Path => ToolUi { icon: icons::ICON_ROUTE, inspector: None },
        ToolKind::Volume => ToolUi { icon: icons::ICON_PENTAGON, inspector: Some(new_volume_ui) },
        ToolKind::Link => ToolUi { icon: icons::ICON_LINK, inspector: Some(proposals_ui) },
        ToolKind::Bounds => ToolUi {
            icon: icons::ICON_SELECT,
            inspector: Some(|ui, view, _| no_bound_ui(ui, view)),
        },
        ToolKind::Measure => ToolUi {
            icon: icons::ICON_STRAIGHTEN,
            inspector: Some(|ui, view, _| measure_ui(ui, view)),
        },
        ToolKind::Query => ToolUi { icon: icons::ICON_RADAR, inspector: Some(query_ui) },
        ToolKind::Obstacle => {
            ToolUi { icon: icons::ICON_DEPLOYED_CODE, inspector: Some(new_obstacle_ui) }
        }
        ToolKind::Tile => ToolUi { icon: icons::ICON_GRID_ON, inspector: Some(removed_tiles_ui) },
        ToolKind::Paint => ToolUi { icon: icons::ICON_BRUSH, inspector: Some(brush_ui) },
        ToolKind::Crowd => ToolUi { icon: icons::ICON_GROUPS, inspector: None },
    }
}
