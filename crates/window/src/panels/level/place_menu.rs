//! The context menu of a place in the 3D view, for a level larger than memory.

use eframe::egui::{
    self, Align, Id, LayerId, Layout, Popup, PopupKind, Pos2, SetOpenCommand,
    containers::menu::menu_style,
};
use glam::Vec3;
use walkable_editor::{
    command::{Command, Commands, ViewCommand},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::{RightClick, SessionView},
};
use walkable_workspace::lang::tr;

use crate::widgets::author_id::AuthorId as _;

#[derive(Debug, Default)]
pub struct PlaceMenu {
    at: Option<(Pos2, Vec3)>,
    opens: bool,
}

impl PlaceMenu {
    /// Opens the menu if `event` is a right click on the level that the tool does not need. Returns whether it is.
    pub fn takes(
        &mut self,
        event: &PointerEvent,
        view: &SessionView<'_>,
        pointer: Option<Pos2>,
    ) -> bool {
        let is_click = (event.kind, event.button) == (PointerKind::Click, PointerButton::Secondary);
        let (Some(world), Some(place), Some(pointer)) = (view.world(), event.hit, pointer) else {
            return false;
        };
        let is_free = match view.tools.tool.right_click() {
            RightClick::Menu => true,
            RightClick::ToolOnLoadedGround => !world.is_loaded(place),
            RightClick::Tool => false,
        };
        let takes = is_click && is_free && world.contains(place);
        if takes {
            (self.at, self.opens) = (Some((pointer, place)), true);
        }
        takes
    }

    pub fn ui(&mut self, ctx: &egui::Context, out: &mut Commands) {
        let Some((at, place)) = self.at else { return };
        let id = Id::unique("place menu");
        let opens = std::mem::take(&mut self.opens).then_some(SetOpenCommand::Bool(true));
        let popup = Popup::new(id, ctx.clone(), at, LayerId::background())
            .kind(PopupKind::Menu)
            .layout(Layout::top_down_justified(Align::Min))
            .style(menu_style)
            .gap(0.0)
            .open_memory(opens);
        let shown = popup.show(|ui| {
            ui.set_min_width(160.0);
            let work = Command::from(ViewCommand::WorkAt(place));
            let button = ui.button(tr!("Work here")).author_id("place-menu.work-here");
            if button.on_hover_text(work.tooltip()).clicked() {
                out.push(work);
                ui.close();
            }
        });
        if shown.is_none() {
            self.at = None;
        }
    }
}
