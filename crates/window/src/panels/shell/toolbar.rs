//! The toolbar: menus, tools, command search, agent, progress of the bake.

use std::time::Duration;

use eframe::egui::{self, Align, Button, Layout, RichText, WidgetInfo, accesskit::Role, vec2};
use walkable_editor::{
    command::{AgentCommand, Command, Commands},
    session::{BakeProgress, SessionView, Severity, ToolKind},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    stage_view::StageView,
};

use crate::{
    icons,
    panels::{Chrome, shell::menu::Menus, tool::tool_ui},
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        command_button::{Lit, add_button, icon_button, menu_switch},
        keymap::key_of,
        legend::heading,
        notice,
    },
};

pub fn toolbar_ui(
    ui: &mut egui::Ui,
    menus: &mut Menus,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    out: &mut Commands,
) {
    let room = Room::of(ui.available_width());
    egui::MenuBar::new().ui(ui, |ui| {
        menus.ui(ui, view, chrome, out);
        ui.separator();
        match room {
            Room::Wide | Room::Narrow => tools_ui(ui, view, out),
            Room::Tight => tool_menu_ui(ui, view, out),
        }
        ui.separator();
        history_ui(ui, view, out);
        ui.separator();
        search_ui(ui, room, out);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            bake_ui(ui, room, view, out);
            ui.separator();
            agent_ui(ui, room, view, out);
        });
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Wide,
    /// Search and bake only as icons.
    Narrow,
    /// The tools only as a menu, the agent without its size.
    Tight,
}

impl Room {
    const fn of(width: f32) -> Self {
        match width {
            width if width >= 1150.0 => Self::Wide,
            width if width >= 930.0 => Self::Narrow,
            _ => Self::Tight,
        }
    }
}

fn tools_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    for &kind in ToolKind::ALL {
        let lit = (view.tools.tool == kind).into();
        icon_button(ui, tool_ui(kind).icon, lit, Command::ChooseTool(kind), out);
    }
}

fn tool_menu_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let icon = tool_ui(view.tools.tool).icon.codepoint;
    let text = format!("{icon} {}", icons::ICON_ARROW_DROP_DOWN.codepoint);
    let menu = ui.menu_button(text, |ui| {
        ui.set_min_width(200.0);
        for &kind in ToolKind::ALL {
            menu_switch(ui, (view.tools.tool == kind).into(), Command::ChooseTool(kind), out);
        }
    });
    menu.response
        .author_id("toolbar.tools")
        .on_hover_text(tr!("The active tool; click for others"));
}

fn history_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.add_enabled_ui(view.history.can_undo(), |ui| {
        icon_button(ui, icons::ICON_UNDO, Lit::Off, Command::Undo, out);
    });
    ui.add_enabled_ui(view.history.can_redo(), |ui| {
        icon_button(ui, icons::ICON_REDO, Lit::Off, Command::Redo, out);
    });
}

fn search_ui(ui: &mut egui::Ui, room: Room, out: &mut Commands) {
    /// Width of the agent and bake controls on the right.
    const RIGHT: f32 = 430.0;
    if room != Room::Wide {
        icon_button(ui, icons::ICON_SEARCH, Lit::Off, Command::Palette, out);
        return;
    }
    let width = (ui.available_width() - RIGHT).clamp(96.0, 240.0);
    let name = if width < 200.0 { "" } else { tr!("Search commands") };
    let text = format!("{} {name}", icons::ICON_SEARCH.codepoint);
    let key = key_of(ui.ctx(), &Command::Palette).map(|key| key.to_string()).unwrap_or_default();
    let theme = Theme::of(ui.ctx().theme());
    let button = Button::new(RichText::new(text).color(theme.text_weak))
        .shortcut_text(key)
        .fill(theme.sunken)
        .stroke(egui::Stroke::new(1.0, theme.border))
        .min_size(vec2(width, 24.0));
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, tr!("Search commands")));
    let response = response.author_id(Command::Palette.id());
    if response.on_hover_text(Command::Palette.tooltip()).clicked() {
        out.push(Command::Palette);
    }
}

/// Maximum width of the agent's name and size with the gaps around them, in points.
const MAX_AGENT: f32 = 250.0;
/// Maximum length of the agent's name in the toolbar, in characters.
const MAX_NAME: usize = 14;

fn agent_ui(ui: &mut egui::Ui, room: Room, view: &SessionView<'_>, out: &mut Commands) {
    let settings = &view.document().settings;
    let agents = &view.document().agents;
    let name = agents.active().map_or_else(|| tr!("Agent"), |agent| agent.name.as_str());
    let name: String = name.chars().take(MAX_NAME).collect();
    let size = match room {
        Room::Wide | Room::Narrow => {
            format!(" {}", format::size([settings.agent_radius, settings.agent_height]))
        }
        Room::Tight => String::new(),
    };
    let person = icons::ICON_ACCESSIBILITY_NEW.codepoint;
    let text = format!("{person} {name}{size} {}", icons::ICON_ARROW_DROP_DOWN.codepoint);
    let menu = ui.menu_button(text, |ui| {
        ui.set_min_width(200.0);
        for (number, agent) in agents.list.iter().enumerate() {
            let choose = Command::from(AgentCommand::Choose(number));
            let button = Button::selectable(number == agents.chosen, &agent.name);
            if add_button(ui, button, view, choose, out).clicked() {
                ui.close();
            }
        }
        if !agents.list.is_empty() {
            heading(ui, tr!("Presets"));
        }
        for (number, preset) in walkable_workspace::presets::PRESETS.iter().enumerate() {
            let command = Command::UsePreset(number);
            if ui.button(tr(preset.name)).on_hover_text(command.tooltip()).clicked() {
                out.push(command);
                ui.close();
            }
        }
    });
    menu.response
        .author_id("toolbar.agent")
        .on_hover_text(tr!("Radius and height of the agent; click for other agents and presets"));
}

/// Draws the state of the bake, or how it ended. Laid out from right to left.
fn bake_ui(ui: &mut egui::Ui, room: Room, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    if let Some(progress) = &view.bake.progress {
        progress_ui(ui, room, &theme, progress, out);
        return;
    }
    let n_failed = view.bake.failures().count();
    let layers_error = view.bake.layers_error();
    if view.bake.error.is_some() || n_failed > 0 || layers_error.is_some() {
        let (icon, color) = notice::look(Severity::Error, &theme);
        let text = if n_failed > 0 {
            tr!("{} {n_failed} of {} tiles failed", icon.codepoint, view.bake.tiles.len())
        } else if view.bake.error.is_some() {
            tr!("{} Cannot bake", icon.codepoint)
        } else {
            tr!("{} Obstacles failed", icon.codepoint)
        };
        bake_button_ui(ui, out);
        let failure = || Some(view.bake.failures().next()?.1);
        let why = match &view.bake.error {
            Some(error) => lang::phrase(error),
            None => lang::error_text(failure().or(layers_error).unwrap_or_default()),
        };
        ui.label(RichText::new(text).color(color)).on_hover_text(why);
    } else if view.is_stale() {
        bake_button_ui(ui, out);
        let text = tr!("{} Out of date", icons::ICON_HISTORY.codepoint);
        ui.label(RichText::new(text).color(theme.warning)).on_hover_text(if view.auto_bake {
            tr!("The shown navmesh is older than the last change")
        } else {
            tr!("The shown navmesh is older than the last change; baking after each change is off")
        });
    } else if let Some(elapsed) = view.bake.elapsed {
        let n_tiles = view.bake.tiles.len();
        let tiles = format::counted(n_tiles, "tile", "tiles");
        let text = tr!("Baked {tiles} in {}", duration(elapsed));
        let icon = RichText::new(icons::ICON_CHECK_CIRCLE.codepoint).color(theme.good);
        let icon = ui.label(icon).on_hover_text(&text);
        icon.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        if room == Room::Wide {
            ui.label(RichText::new(text).color(theme.text_weak));
        }
    } else {
        ui.label(RichText::new(tr!("Nothing baked")).color(theme.text_weak));
    }
}

fn bake_button_ui(ui: &mut egui::Ui, out: &mut Commands) {
    let command = Command::Bake;
    if ui.button(tr!("Bake")).author_id(command.id()).on_hover_text(command.tooltip()).clicked() {
        out.push(command);
    }
}

fn progress_ui(
    ui: &mut egui::Ui,
    room: Room,
    theme: &Theme,
    progress: &BakeProgress,
    out: &mut Commands,
) {
    let stop = icons::ICON_CLOSE;
    icon_button(ui, stop, Lit::Off, Command::CancelBake, out);
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    let share = progress.n_done as f32 / progress.n_tiles.max(1) as f32;
    let (rect, response) = ui.allocate_exact_size(vec2(110.0, 6.0), egui::Sense::hover());
    response
        .widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, tr!("Bake progress")));
    ui.painter().rect_filled(rect, 3.0, theme.control);
    let done = egui::Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
    ui.painter().rect_filled(done, 3.0, theme.accent);
    let stage = progress.stage.map_or_else(|| tr!("Preparing"), |at| StageView::of(at).name());
    let stage = format::within(stage);
    let left = progress.left.map(|left| tr!(" · {} left", duration(left))).unwrap_or_default();
    let text = match progress.n_tiles {
        0 | 1 => {
            let about = progress.estimate.map(|about| format!(" ({about})")).unwrap_or_default();
            tr!("Baking: {stage} · {}{about}", duration(progress.elapsed))
        }
        n => tr!("Baking {} of {n}: {stage}{left}", progress.n_done),
    };
    let width = text_width(ui, &text);
    if room != Room::Wide || width > ui.available_width() - MAX_AGENT {
        response.on_hover_text(text);
        return;
    }
    let label = ui.label(RichText::new(text).color(theme.text_weak));
    if let Some(estimate) = progress.estimate {
        label.on_hover_text(tr!("The whole bake needs {estimate}"));
    }
}

fn text_width(ui: &egui::Ui, text: &str) -> f32 {
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x
}

fn duration(time: Duration) -> String {
    format::time(time)
}
