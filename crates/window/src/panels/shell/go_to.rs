//! A dialog for going to a position: coordinates, typed or pasted from a log, a tile, a reference or a name.

use eframe::egui::{self, Id, Key, Modal, RichText, WidgetInfo, accesskit::Role};
use walkable_editor::{
    command::{Commands, ViewCommand},
    destination::destination,
    session::{SessionView, World},
};
use walkable_workspace::{lang::tr, units::units};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, dialog},
};

#[derive(Debug, Default)]
pub struct GoTo {
    text: Option<String>,
}

impl GoTo {
    pub fn open(&mut self) {
        self.text = Some(String::new());
    }

    pub fn close(&mut self) -> bool {
        self.text.take().is_some()
    }

    pub fn ui(&mut self, ctx: &egui::Context, view: &SessionView<'_>, out: &mut Commands) {
        let Some(text) = &mut self.text else { return };
        let (mut goes, mut closed) = (false, false);
        let modal = Modal::new(Id::unique("go to")).show(ctx, |ui| {
            dialog::set_width(ui, 340.0);
            let theme = Theme::of(ui.ctx().theme());
            ui.label(RichText::new(tr!("Go to a place")).heading());
            let symbol = units().symbol();
            let what = tr!("x, y (up) and z in {symbol}, as the inspector and the log write them; or a tile (tile 3,4), a \
                        polygon (ref 4194306 or 0x400002), the name of a kept place.");
            ui.add(egui::Label::new(RichText::new(what).color(theme.text_weak)).wrap());
            let field = egui::TextEdit::singleline(text).desired_width(f32::INFINITY);
            let response = ui.add(field.hint_text("12.5 0 -7.25"));
            response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, tr!("Place to go to")));
            let response = response.author_id("go-to.place");
            if ui.memory(|memory| memory.focused().is_none()) {
                response.request_focus();
            }
            let place = destination(text, view);
            if let Err(why) = &place
                && !text.trim().is_empty()
            {
                let text = RichText::new(why).small().color(theme.warning);
                ui.add(egui::Label::new(text).wrap());
            }
            let place = place.ok();
            ui.horizontal(|ui| {
                let button = ui.add_enabled(place.is_some(), egui::Button::new(tr!("Go there")));
                let button = button.author_id("go-to.go");
                let enter = ui.input(|input| input.key_pressed(Key::Enter));
                goes = place.is_some() && (button.clicked() || enter);
                closed = ui.button(tr!("Cancel")).author_id("go-to.cancel").clicked();
            });
            if let Some(place) = place.filter(|_| goes) {
                out.push(ViewCommand::LookAt(place));
                let is_elsewhere =
                    |world: &World| world.contains(place) && !world.is_loaded(place);
                if view.world().is_some_and(is_elsewhere) {
                    out.push(ViewCommand::WorkAt(place));
                }
            }
        });
        if goes || closed || modal.should_close() {
            self.text = None;
        }
    }
}
