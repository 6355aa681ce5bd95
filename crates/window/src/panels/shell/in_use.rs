//! Decides which tab comes to the front when the tool, the selection or the step of the tour changes.

use std::collections::BTreeSet;

use walkable::ids::TileCoord;
use walkable_editor::{
    command::Pane,
    prefs::Prefs,
    session::{Hover, SceneItem, SessionView, ToolKind},
};

use super::tour::panel_of_step;
use crate::panels::tool::tool_ui;

#[derive(Debug)]
pub struct InUse {
    tool: ToolKind,
    selected: Selected,
    tour_step: Option<usize>,
}

/// What the inspector describes while nothing is under the cursor.
#[derive(Debug, Default, PartialEq)]
struct Selected {
    items: BTreeSet<SceneItem>,
    place: Option<Hover>,
    tile: Option<TileCoord>,
}

impl Default for InUse {
    fn default() -> Self {
        Self { tool: ToolKind::Select, selected: Selected::default(), tour_step: None }
    }
}

impl InUse {
    pub fn of(view: &SessionView<'_>, prefs: &Prefs) -> Self {
        let selected = Selected {
            items: view.items(),
            place: view.tools.selection,
            tile: view.shown.chosen_tile,
        };
        Self { tool: view.tools.tool, selected, tour_step: prefs.tour }
    }

    pub fn only_selects(&self, before: &Self) -> bool {
        self.tool == before.tool && self.tour_step == before.tour_step
    }

    /// Returns the panel that comes to the front after a change from `before`; `None` if all stay as they are.
    pub fn panel(&self, before: &Self) -> Option<Pane> {
        if self.tour_step != before.tour_step {
            return panel_of_step(self.tour_step?);
        }
        let is_new_tool = self.tool != before.tool;
        let is_selected = self.selected != before.selected && self.selected != Selected::default();
        let panel = tool_ui(self.tool).panel;
        if is_new_tool && panel.is_some() {
            return panel;
        }
        // The Path panel shows a selected path.
        let is_shown = panel == Some(Pane::Path) && self.selected.is_path();
        (is_selected && !is_shown).then_some(Pane::Inspector)
    }
}

impl Selected {
    fn is_path(&self) -> bool {
        self.items.iter().any(|item| matches!(item, SceneItem::Path(_)))
    }
}
