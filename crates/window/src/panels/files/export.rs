//! The export dialog: the formats, what each keeps and loses, and the file to write.

use std::path::{Path, PathBuf};

use eframe::egui::{
    self, Align, Button, Id, Key, Layout, Modal, RichText, ScrollArea, WidgetInfo, accesskit::Role,
    vec2,
};
use walkable::export::ExportFormat;
use walkable_editor::{
    command::{AgentCommand, Command, Commands, ExportKind, proposed_path, variant_id},
    session::SessionView,
};
use walkable_workspace::{agent_files::agent_files, format, lang::tr, store_export::is_streamed};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        dialog,
        legend::{empty, part_note},
    },
};

/// Maximum width of the dialog, widths of its list and of the labels next to it, in points.
const WIDTHS: [f32; 3] = [620.0, 236.0, 64.0];
/// Maximum height of the list, in points.
const HEIGHT: f32 = 440.0;

#[derive(Debug, Default)]
pub struct ExportDialog {
    open: bool,
    /// The selected kind, which is kept for the next time the dialog opens.
    kind: Option<ExportKind>,
    path: String,
    all_agents: bool,
    loaded_part: bool,
}

impl ExportDialog {
    pub fn open(&mut self) {
        *self = Self { open: true, path: String::new(), ..std::mem::take(self) };
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn ui(&mut self, ctx: &egui::Context, view: &SessionView<'_>, out: &mut Commands) {
        if !self.open {
            return;
        }
        let kind = *self.kind.get_or_insert(ExportKind::NAVMESH);
        if self.path.is_empty() {
            self.path = proposed_path(view, kind).display().to_string();
        }
        let mut chosen = None;
        let mut closed = false;
        let modal = Modal::new(Id::unique("export")).show(ctx, |ui| {
            dialog::set_width(ui, WIDTHS[0]);
            ui.label(RichText::new(tr!("Export")).heading());
            ui.add_space(4.0);
            let height = dialog::list_height(ui, HEIGHT, dialog::buttons_height(ui, 8.0));
            let size = vec2(ui.available_width(), height);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Min), |ui| {
                // Without it, the columns would be as high as the window.
                ui.set_max_height(height);
                let size = vec2(WIDTHS[1], height);
                ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                    let list = ScrollArea::vertical().id_salt("kinds").auto_shrink([false, false]);
                    list.show(ui, |ui| self.list_ui(ui, kind, view));
                });
                ui.separator();
                ui.vertical(|ui| {
                    let choice = ScrollArea::vertical().id_salt("choice").auto_shrink(false);
                    choice.show(ui, |ui| self.choice_ui(ui, view, out));
                });
            });
            ui.add_space(8.0);
            (chosen, closed) = self.buttons_ui(ui, view);
        });
        if let Some(command) = chosen {
            out.push(command);
            closed = true;
        }
        if closed || modal.should_close() {
            self.open = false;
        }
    }

    fn list_ui(&mut self, ui: &mut egui::Ui, selected: ExportKind, view: &SessionView<'_>) {
        let theme = Theme::of(ui.ctx().theme());
        ui.spacing_mut().item_spacing.y = 0.0;
        let (meshes, others): (Vec<_>, Vec<_>) =
            ExportKind::offered().partition(|kind| matches!(kind, ExportKind::Mesh(_)));
        let (stages, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|kind| matches!(kind, ExportKind::Stage(_)));
        let stage = tr!("Shown stage: {}", view.shown.stage.name());
        let groups = [(tr!("Navmesh"), meshes), (&*stage, stages), (tr!("Other files"), others)];
        for (title, kinds) in groups {
            ui.label(RichText::new(title).small().color(theme.text_weak));
            for kind in kinds {
                let is_ready = kind.is_ready(view);
                let text = RichText::new(kind.name());
                let text = if is_ready { text } else { text.color(theme.text_weak) };
                let ending = RichText::new(format!(".{}", kind.ending())).color(theme.text_weak);
                let row = Button::selectable(kind == selected, text).right_text(ending);
                let row = ui.add(row.min_size(vec2(ui.available_width(), 0.0)));
                if row.author_id(format!("export.kind.{}", variant_id(kind))).clicked() {
                    self.choose(kind, view);
                }
            }
            ui.add_space(6.0);
        }
    }

    /// Selects a kind. The path keeps what was typed, except for its extension.
    fn choose(&mut self, kind: ExportKind, view: &SessionView<'_>) {
        let before = self.kind.replace(kind);
        let is_proposed =
            before.is_some_and(|kind| Path::new(&self.path) == proposed_path(view, kind));
        let path = if is_proposed {
            proposed_path(view, kind)
        } else {
            PathBuf::from(&self.path).with_extension(kind.ending())
        };
        self.path = path.display().to_string();
    }

    fn choice_ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let theme = Theme::of(ui.ctx().theme());
        let Some(kind) = self.kind else { return };
        let is_stage = matches!(kind, ExportKind::Stage(_));
        let stage = is_stage.then(|| format!("{}, ", view.shown.stage.name()));
        let name = format!("{}{}", stage.unwrap_or_default(), kind.name());
        ui.label(RichText::new(format!("{name} (.{})", kind.ending())).strong());
        ui.add_space(6.0);
        let readers = kind.readers().map(|readers| (tr!("For"), readers));
        let rows =
            readers.into_iter().chain([(tr!("Keeps"), kind.keeps()), (tr!("Loses"), kind.loses())]);
        for (title, text) in rows {
            ui.horizontal_top(|ui| {
                label_ui(ui, title, &theme);
                ui.add(egui::Label::new(text).wrap());
            });
            ui.add_space(4.0);
        }
        self.part_ui(ui, kind, view);
        if self.exported(kind, view).is_of_loaded_part() {
            part_note(ui, view);
        }
        ui.add_space(4.0);
        self.agent_ui(ui, kind, view, out);
        ui.horizontal(|ui| {
            label_ui(ui, tr!("File"), &theme);
            let field = egui::TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY);
            let field = ui.add(field.hint_text(tr!("Path of the file"))).author_id("export.path");
            field.widget_info(|| {
                WidgetInfo::labeled(Role::TextInput, true, tr!("Path of the file"))
            });
        });
        if matches!(self.exported(kind, view), ExportKind::AllAgents(_)) {
            self.files_ui(ui, view, &theme);
        }
        let source = self.source_of(kind, view);
        if !source.is_ready(view) {
            ui.add_space(6.0);
            let is_whole = matches!(source, ExportKind::Whole(_)) && view.opened.level.is_some();
            let obstacle = view.whole_level_obstacle().filter(|_| is_whole);
            empty(ui, obstacle.unwrap_or_else(|| source.before()));
        }
    }

    /// Returns what must be there for the export: the navmesh, or all tiles.
    fn source_of(&self, kind: ExportKind, view: &SessionView<'_>) -> ExportKind {
        if view.world().is_some() { self.exported(kind, view) } else { kind }
    }

    /// Draws the choice between all tiles of a tile store or level and those that are loaded, and says what is written.
    fn part_ui(&mut self, ui: &mut egui::Ui, kind: ExportKind, view: &SessionView<'_>) {
        let ExportKind::Mesh(format) = kind else { return };
        if view.world().is_none() {
            return;
        }
        let theme = Theme::of(ui.ctx().theme());
        ui.horizontal(|ui| {
            label_ui(ui, tr!("Tiles"), &theme);
            let whole = ui.selectable_label(!self.loaded_part, tr!("All tiles"));
            if whole.author_id("export.all-tiles").clicked() {
                self.loaded_part = false;
            }
            let part = ui.selectable_label(self.loaded_part, tr!("Loaded tiles"));
            if part.author_id("export.loaded-tiles").clicked() {
                self.loaded_part = true;
            }
        });
        if self.loaded_part {
            return;
        }
        let text = whole_text(format, view);
        ui.horizontal_top(|ui| {
            label_ui(ui, "", &theme);
            ui.add(egui::Label::new(RichText::new(text).small().color(theme.text_weak)).wrap());
        });
        ui.add_space(4.0);
    }

    /// Returns what is exported: the navmeshes of all agents if that is selected and there are several, and all tiles
    /// of a tile store or level unless only the loaded ones are selected.
    fn exported(&self, kind: ExportKind, view: &SessionView<'_>) -> ExportKind {
        if let ExportKind::Mesh(format) = kind
            && !self.loaded_part
            && view.world().is_some()
        {
            return ExportKind::Whole(format);
        }
        if let ExportKind::Mesh(format) = kind
            && self.all_agents
            && has_agents(view)
        {
            return ExportKind::AllAgents(format);
        }
        kind
    }

    fn agent_ui(
        &mut self,
        ui: &mut egui::Ui,
        kind: ExportKind,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) {
        if !kind.is_of_agent() || !has_agents(view) {
            return;
        }
        let theme = Theme::of(ui.ctx().theme());
        // A whole level or tile store has the tiles of one agent.
        let is_whole = matches!(self.exported(kind, view), ExportKind::Whole(_));
        if matches!(kind, ExportKind::Mesh(_)) && !is_whole {
            ui.horizontal(|ui| {
                label_ui(ui, tr!("Agents"), &theme);
                let check = ui.checkbox(&mut self.all_agents, tr!("All agents, a file each"));
                let what = tr!("Writes the navmesh of each agent of the project to a file of its own, with the agent's name in the name of the file");
                check.author_id("export.all-agents").on_hover_text(what);
            });
        }
        if !matches!(self.exported(kind, view), ExportKind::AllAgents(_)) {
            agent_choice_ui(ui, view, &theme, out);
        }
        ui.add_space(4.0);
    }

    fn files_ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, theme: &Theme) {
        let agents = &view.document().agents.list;
        let path = Path::new(self.path.trim());
        let files = agent_files(path, agents.iter().map(|agent| &*agent.name));
        for (agent, file) in agents.iter().zip(files) {
            ui.horizontal(|ui| {
                label_ui(ui, "", theme);
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let text = RichText::new(tr!("{name}: {}", agent.name)).small();
                ui.add(egui::Label::new(text.color(theme.text_weak)).wrap());
            });
        }
    }

    fn buttons_ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>) -> (Option<Command>, bool) {
        let Some(kind) = self.kind else { return (None, false) };
        let (mut chosen, mut cancelled) = (None, false);
        let path = self.path.trim();
        // The height is fixed because the layout would otherwise take all the height of the window.
        let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            let is_ready = self.source_of(kind, view).is_ready(view);
            let export = ui.add_enabled(is_ready && !path.is_empty(), Button::new(tr!("Export")));
            let export = export.author_id("export.export");
            let enter = ui.input(|input| input.key_pressed(Key::Enter));
            if export.clicked() || (enter && export.enabled()) {
                chosen = Some(Command::ExportTo(self.exported(kind, view), path.into()));
            }
            let browse = ui.add_enabled(is_ready, Button::new(tr!("Choose file…")));
            if browse.author_id("export.browse").clicked() {
                chosen = Some(Command::Export(self.exported(kind, view)));
            }
            cancelled = ui.button(tr!("Cancel")).author_id("export.cancel").clicked();
        });
        (chosen, cancelled)
    }
}

fn whole_text(format: ExportFormat, view: &SessionView<'_>) -> String {
    let Some(store) = view.opened.store.as_ref().filter(|store| store.world.is_some()) else {
        return if is_streamed(format) {
            tr!(
                "Bakes all tiles of the level in the background, except for those that were baked before, and writes them one after the other."
            )
        } else {
            tr!(
                "Bakes all tiles of the level in the background, except for those that were baked before. This format needs them in memory together, within the memory budget."
            )
        }
        .to_owned();
    };
    let n = format::counted(store.index.ground_entries().count(), "tile", "tiles");
    if is_streamed(format) {
        tr!("Writes all {n} of the store in the background, one after the other.")
    } else {
        tr!(
            "Writes all {n} of the store in the background. This format needs them in memory together, within the memory budget."
        )
    }
}

fn has_agents(view: &SessionView<'_>) -> bool {
    view.document().agents.list.len() > 1
}

fn agent_choice_ui(ui: &mut egui::Ui, view: &SessionView<'_>, theme: &Theme, out: &mut Commands) {
    let agents = &view.document().agents;
    ui.horizontal(|ui| {
        label_ui(ui, tr!("Agent"), theme);
        let name = agents.active().map_or("", |agent| &agent.name);
        let combo = egui::ComboBox::from_id_salt("export agent").selected_text(name);
        let response = combo.show_ui(ui, |ui| {
            for (number, agent) in agents.list.iter().enumerate() {
                let row = ui.selectable_label(number == agents.chosen, &agent.name);
                if row.author_id(format!("export.agent.{number}")).clicked() {
                    out.push(AgentCommand::Choose(number));
                }
            }
        });
        let combo = response.response.author_id("export.agent");
        combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Agent")));
    });
}

fn label_ui(ui: &mut egui::Ui, text: &str, theme: &Theme) {
    let height = ui.spacing().interact_size.y.min(18.0);
    ui.allocate_ui_with_layout(vec2(WIDTHS[2], height), Layout::left_to_right(Align::Min), |ui| {
        ui.set_min_width(WIDTHS[2]);
        ui.label(RichText::new(text).color(theme.text_weak));
    });
}
