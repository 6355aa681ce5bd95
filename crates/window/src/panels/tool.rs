//! What the window shows of each tool.

use eframe::egui;
use walkable_editor::{
    command::{Commands, Pane},
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

type InspectorUi = fn(&mut egui::Ui, &SessionView<'_>, &mut Commands);

#[derive(Debug)]
pub struct ToolUi {
    pub icon: MaterialIcon,
    /// The panel that comes to the front when the tool is chosen.
    pub panel: Option<Pane>,
    /// Fills the inspector while nothing is selected; without it, the inspector describes the place under the cursor.
    pub inspector: Option<InspectorUi>,
}

pub fn tool_ui(kind: ToolKind) -> ToolUi {
    let inspector_of = |icon, inspector: Option<InspectorUi>| ToolUi {
        icon,
        panel: Some(Pane::Inspector),
        inspector,
    };
    match kind {
        ToolKind::Select => inspector_of(icons::ICON_ARROW_SELECTOR_TOOL, None),
        ToolKind::Path => {
            ToolUi { icon: icons::ICON_ROUTE, panel: Some(Pane::Path), inspector: None }
        }
        ToolKind::Volume => inspector_of(icons::ICON_PENTAGON, Some(new_volume_ui)),
        ToolKind::Link => inspector_of(icons::ICON_LINK, Some(proposals_ui)),
        ToolKind::Bounds => {
            inspector_of(icons::ICON_SELECT, Some(|ui, view, _| no_bound_ui(ui, view)))
        }
        ToolKind::Measure => {
            inspector_of(icons::ICON_STRAIGHTEN, Some(|ui, view, _| measure_ui(ui, view)))
        }
        ToolKind::Query => inspector_of(icons::ICON_RADAR, Some(query_ui)),
        ToolKind::Obstacle => inspector_of(icons::ICON_DEPLOYED_CODE, Some(new_obstacle_ui)),
        ToolKind::Tile => inspector_of(icons::ICON_GRID_ON, Some(removed_tiles_ui)),
        ToolKind::Paint => inspector_of(icons::ICON_BRUSH, Some(brush_ui)),
        ToolKind::Crowd => ToolUi { icon: icons::ICON_GROUPS, panel: None, inspector: None },
    }
}
