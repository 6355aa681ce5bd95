//! The start page, which is shown while no level is open.

use std::path::Path;

use eframe::egui::{
    self, Align2, Area, Color32, CornerRadius, FontId, Frame, Id, Margin, Order, Rect, RichText,
    ScrollArea, Sense, TextureHandle, Vec2, WidgetInfo,
    accesskit::Role,
    epaint::RectShape,
    pos2,
    text::{LayoutJob, TextWrapping},
    vec2,
};
use walkable_editor::{
    command::{Command, Commands, KeysCommand, TourCommand},
    session::LevelSource,
};
use walkable_workspace::lang::{self, tr};

use crate::{
    icons,
    panels::Chrome,
    theme::{BASE_SIZE, CAPTION_SIZE, Theme},
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        keymap::key_of,
        legend::{empty, heading},
    },
};

/// Maximum width of the page, in points.
const WIDTH: f32 = 640.0;
/// Width above which recent levels and samples are next to each other.
const WIDE: f32 = 460.0;
const MARGIN: i8 = 20;
const ENTRY: f32 = 38.0;
/// Size of the picture of a level, in points.
const PICTURE: Vec2 = vec2(60.0, 40.0);

pub fn start_page_ui(
    ctx: &egui::Context,
    rect: Rect,
    theme: &Theme,
    chrome: &Chrome<'_>,
    out: &mut Commands,
) {
    let area = Area::new(Id::unique("start page")).fixed_pos(rect.center());
    area.pivot(Align2::CENTER_CENTER).order(Order::Middle).show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme.raised)
            .stroke(egui::Stroke::new(1.0, theme.border))
            .corner_radius(CornerRadius::same(8))
            .inner_margin(Margin::same(MARGIN));
        frame.show(ui, |ui| {
            let outside = 2.0 * f32::from(MARGIN) + 16.0;
            let width = (rect.width() - outside).clamp(200.0, WIDTH);
            if let Some(name) = chrome.opening {
                ui.set_width(width.min(360.0));
                ui.horizontal(|ui| {
                    busy(ui);
                    ui.label(tr!("Reading {name}…"));
                });
                return;
            }
            ui.set_width(width);
            // An area offers no more than the height of its content in the last frame.
            let height = (rect.height() - outside).max(120.0);
            ui.set_max_height(height);
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                page_ui(ui, theme, chrome, out);
            });
        });
    });
}

fn page_ui(ui: &mut egui::Ui, theme: &Theme, chrome: &Chrome<'_>, out: &mut Commands) {
    ui.label(RichText::new("Walkable").heading());
    let text =
        tr!("Drop a level, a project or a navmesh here, open a file, or start with a sample.");
    ui.label(RichText::new(text).color(theme.text_weak));
    ui.add_space(8.0);
    ui.horizontal_wrapped(|ui| {
        let open = egui::Button::new(RichText::new(Command::Open.text()).strong())
            .shortcut_text(key(ui, &Command::Open))
            .fill(theme.selection);
        button_ui(ui, open, Command::Open, out);
        for command in [
            Command::RecoverWork,
            Command::ReadGuide,
            TourCommand::Start.into(),
            KeysCommand::Edit.into(),
        ] {
            button_ui(ui, egui::Button::new(command.text()), command, out);
        }
    });
    ui.add_space(6.0);
    if ui.available_width() > WIDE {
        ui.columns(2, |columns| {
            if let [left, right] = columns {
                recent_ui(left, theme, chrome, out);
                samples_ui(right, theme, chrome, out);
            }
        });
    } else {
        recent_ui(ui, theme, chrome, out);
        samples_ui(ui, theme, chrome, out);
    }
}

fn key(ui: &egui::Ui, command: &Command) -> String {
    key_of(ui.ctx(), command).map(|key| key.to_string()).unwrap_or_default()
}

fn button_ui(ui: &mut egui::Ui, button: egui::Button<'_>, command: Command, out: &mut Commands) {
    let response = ui.add(button).author_id(format_args!("start.{}", command.id()));
    if response.on_hover_text(command.tooltip()).clicked() {
        out.push(command);
    }
}

fn recent_ui(ui: &mut egui::Ui, theme: &Theme, chrome: &Chrome<'_>, out: &mut Commands) {
    heading(ui, tr!("Recent"));
    if chrome.prefs.recent.is_empty() {
        empty(ui, tr!("Levels and projects that you open are listed here."));
    }
    for (number, recent) in chrome.prefs.recent.iter().enumerate() {
        let (icon, folder) = match &recent.source {
            LevelSource::File(path) => {
                let folder = path.parent().map(Path::display);
                (icons::ICON_DRAFT, folder.map(|folder| folder.to_string()).unwrap_or_default())
            }
            LevelSource::Builtin(_) => (icons::ICON_DEPLOYED_CODE, tr!("Sample").to_owned()),
        };
        let entry = Entry {
            id: format!("start.recent.{number}"),
            icon: icon.codepoint,
            picture: EntryPicture::Of(chrome.thumbnails.show(ui.ctx(), &recent.source)),
            name: recent.source.name(),
            detail: folder,
            note: recent.age().as_ref().map(lang::phrase).unwrap_or_default(),
        };
        entry.ui(ui, theme, Command::Load(recent.source.clone()), out);
    }
}

fn samples_ui(ui: &mut egui::Ui, theme: &Theme, chrome: &Chrome<'_>, out: &mut Commands) {
    heading(ui, tr!("Samples"));
    for sample in chrome.samples {
        let load = Command::Load(sample.source.clone());
        let entry = Entry {
            id: format!("start.{}", load.id()),
            icon: icons::ICON_DEPLOYED_CODE.codepoint,
            picture: EntryPicture::IconOnly,
            name: sample.source.name(),
            detail: tr(&sample.what).to_owned(),
            note: String::new(),
        };
        entry.ui(ui, theme, load, out);
    }
}

enum EntryPicture {
    IconOnly,
    /// A picture of the level; without one, a frame with the icon.
    Of(Option<TextureHandle>),
}

struct Entry {
    id: String,
    icon: &'static str,
    picture: EntryPicture,
    name: String,
    detail: String,
    note: String,
}

impl Entry {
    fn ui(&self, ui: &mut egui::Ui, theme: &Theme, command: Command, out: &mut Commands) {
        let (height, start) = match self.picture {
            EntryPicture::IconOnly => (ENTRY, 28.0),
            EntryPicture::Of(_) => (PICTURE.y + 8.0, PICTURE.x + 10.0),
        };
        let size = vec2(ui.available_width(), height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let label = format!("{}, {}", self.name, self.detail);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        let response = response.author_id(&self.id);
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 4.0, theme.control_hover);
        }
        let inner = rect.shrink2(vec2(8.0, 3.0));
        let font = FontId::proportional;
        let note =
            ui.painter().layout_no_wrap(self.note.clone(), font(CAPTION_SIZE), theme.text_weak);
        let note_width = note.size().x;
        let painter = ui.painter();
        let icon = |at, align| painter.text(at, align, self.icon, font(18.0), theme.text_weak);
        let left = pos2(inner.left(), inner.center().y);
        match &self.picture {
            EntryPicture::IconOnly => drop(icon(left, Align2::LEFT_CENTER)),
            EntryPicture::Of(picture) => {
                let frame = Align2::LEFT_CENTER.anchor_size(left, PICTURE);
                painter.rect_filled(frame, 3.0, theme.viewport);
                match picture {
                    Some(picture) => {
                        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                        let shape = RectShape::filled(frame, 3.0, Color32::WHITE);
                        painter.add(shape.with_texture(picture.id(), whole));
                    }
                    None => drop(icon(frame.center(), Align2::CENTER_CENTER)),
                }
            }
        }
        let middle = 0.5 * (height - ENTRY);
        let text = inner.with_min_x(inner.left() + start).shrink2(vec2(0.0, middle));
        painter.galley(pos2(text.right() - note_width, text.top() + 2.0), note, theme.text_weak);
        let name_width = text.width() - note_width - 8.0;
        let name = truncated(ui, &self.name, font(BASE_SIZE), theme.text, name_width);
        painter.galley(text.min, name, theme.text);
        let detail = truncated(ui, &self.detail, font(CAPTION_SIZE), theme.text_weak, text.width());
        let below = pos2(text.left(), text.bottom() - detail.size().y);
        painter.galley(below, detail, theme.text_weak);
        if response.on_hover_text(command.tooltip()).clicked() {
            out.push(command);
        }
    }
}

/// Lays out a line that ends with … if it is longer than `width`.
fn truncated(
    ui: &egui::Ui,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> std::sync::Arc<egui::Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    ui.painter().layout_job(job)
}
