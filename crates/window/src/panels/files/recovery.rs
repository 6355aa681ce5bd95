//! The list of unsaved work of runs that crashed.

use std::path::PathBuf;

use eframe::egui::{self, Id, Label, Modal, RichText, ScrollArea};
use walkable_editor::{
    command::{Command, Commands},
    recovered_work::RecoveredWork,
    session::LevelSource,
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, dialog, legend::empty},
};

/// Width of the list and its maximum height, in points.
const SIZE: [f32; 2] = [520.0, 380.0];

/// A file, and its parts that differ from the saved project, each with the differences in words.
type Compared = (PathBuf, Vec<(&'static str, Vec<String>)>);

#[derive(Debug, Default)]
pub struct RecoveryDialog {
    open: bool,
    /// The work that was found at the start, newest first.
    found: Vec<RecoveredWork>,
    confirming: Option<PathBuf>,
    compared: Option<Compared>,
}

impl RecoveryDialog {
    pub fn list(&mut self, found: Vec<RecoveredWork>) {
        self.found = found;
    }

    pub fn open(&mut self) {
        self.open = true;
        self.refresh();
    }

    /// Drops work whose file no longer exists.
    pub fn refresh(&mut self) {
        self.confirming = None;
        self.found.retain(RecoveredWork::is_there);
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn ui(&mut self, ctx: &egui::Context, out: &mut Commands) {
        if !self.open {
            return;
        }
        let mut closed = false;
        let modal = Modal::new(Id::unique("recovery")).show(ctx, |ui| {
            dialog::set_width(ui, SIZE[0]);
            ui.label(RichText::new(tr!("Unsaved work")).heading());
            if self.found.is_empty() {
                empty(ui, tr!("No unsaved work was found."));
            }
            let height = dialog::list_height(ui, SIZE[1], dialog::buttons_height(ui, 8.0));
            let list = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            list.show(ui, |ui| {
                for (number, work) in self.found.iter().enumerate() {
                    ui.add_space(6.0);
                    closed |= row_ui(ui, number, work, &mut self.confirming, out);
                    compare_ui(ui, number, work, &mut self.compared);
                }
            });
            ui.add_space(8.0);
            closed |= ui.button(tr!("Close")).author_id("recovery.close").clicked();
        });
        if closed || modal.should_close() {
            self.open = false;
        }
    }
}

fn row_ui(
    ui: &mut egui::Ui,
    number: usize,
    work: &RecoveredWork,
    confirming: &mut Option<PathBuf>,
    out: &mut Commands,
) -> bool {
    let theme = Theme::of(ui.ctx().theme());
    let weak = |text: &str| RichText::new(text).color(theme.text_weak);
    ui.horizontal(|ui| {
        ui.label(RichText::new(&work.name).strong());
        ui.label(weak(&work.age().as_ref().map(lang::phrase).unwrap_or_default()));
    });
    let changes: Vec<_> = work.changes().collect();
    let changes = match &changes[..] {
        [] => tr!("No changes").to_owned(),
        changes => {
            let verb = if work.was_saved { tr!("Changed") } else { tr!("Contains") };
            format!("{verb}: {}", changes.join(", "))
        }
    };
    ui.add(Label::new(weak(&changes)).wrap());
    let mut opened = false;
    ui.horizontal(|ui| {
        let open = ui.button(tr!("Open")).author_id(format_args!("recovery.{number}.open"));
        if open.clicked() {
            out.push(Command::Load(LevelSource::File(work.file.clone())));
            opened = true;
        }
        if confirming.as_ref() != Some(&work.file) {
            let discard =
                ui.button(tr!("Discard…")).author_id(format_args!("recovery.{number}.discard"));
            if discard.clicked() {
                *confirming = Some(work.file.clone());
            }
            return;
        }
        let remove = ui.button(RichText::new(tr!("Delete permanently")).color(theme.error));
        if remove.author_id(format_args!("recovery.{number}.delete")).clicked() {
            out.push(Command::DiscardWork(work.file.clone()));
        }
        if ui.button(tr!("Keep")).author_id(format_args!("recovery.{number}.keep")).clicked() {
            *confirming = None;
        }
    });
    opened
}

fn compare_ui(
    ui: &mut egui::Ui,
    number: usize,
    work: &RecoveredWork,
    compared: &mut Option<Compared>,
) {
    let is_shown = compared.as_ref().is_some_and(|(file, _)| *file == work.file);
    let button = ui.selectable_label(is_shown, tr!("Compare"));
    let button = button.author_id(format_args!("recovery.{number}.compare"));
    let what = if work.was_saved {
        tr!("Shows what differs from the saved project")
    } else {
        tr!("Shows what differs from a new project, because this one was never saved")
    };
    if button.on_hover_text(what).clicked() {
        *compared = (!is_shown).then(|| (work.file.clone(), work.comparison()));
    }
    let Some((_, parts)) = compared.as_ref().filter(|(file, _)| *file == work.file) else { return };
    if parts.is_empty() {
        return empty(ui, tr!("Nothing differs."));
    }
    let theme = Theme::of(ui.ctx().theme());
    ui.indent(("compared", number), |ui| {
        for (part, lines) in parts {
            ui.label(RichText::new(format::sentence(part)).strong());
            for line in lines {
                ui.add(Label::new(RichText::new(line).color(theme.text_weak)).wrap());
            }
        }
    });
}
