//! Running games that are connected: how they connect, their agents, and the paths that they did not find.

#[cfg(test)]
mod tests;

use eframe::egui::{self, Align, Label, Layout, RichText, accesskit::Role, vec2};
use walkable::query::PathStatus;
use walkable_editor::{
    answer::coordinates,
    command::{Command, Commands, GameCommand},
    jobs::game::ListenRequest,
    session::{FailedPath, GameLink, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use super::path::answer_ui;
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        buttons,
        command_button::{add_button, command_button},
        legend::{empty, fact, heading},
    },
};

const WIDTHS: [f32; 2] = [260.0, 200.0];
/// Minimum width of the column with the failed paths.
const FAILED_WIDTH: f32 = 280.0;
const GAP: f32 = 20.0;
const MAX_AGENT_ROWS: usize = 200;

#[derive(Debug)]
pub struct GamePanel {
    address: String,
    token_file: String,
}

impl Default for GamePanel {
    fn default() -> Self {
        Self { address: "127.0.0.1:7777".to_owned(), token_file: String::new() }
    }
}

impl GamePanel {
    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
            let panel_width = ui.available_width();
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                column(ui, "connection", WIDTHS[0], |ui| self.connection_ui(ui, view, out));
                if view.game.link == GameLink::Off {
                    return;
                }
                column(ui, "agents", WIDTHS[1], |ui| agents_ui(ui, view, out));
                let fixed = WIDTHS.iter().sum::<f32>() + 2.0 * GAP;
                let width = (panel_width - fixed).max(FAILED_WIDTH);
                column(ui, "failed", width, |ui| failed_ui(ui, view, out));
            });
        });
    }

    fn connection_ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        heading(ui, tr!("Connection"));
        match &view.game.link {
            GameLink::Off => self.listen_ui(ui, view, out),
            GameLink::Opening => {
                ui.horizontal(|ui| {
                    busy(ui);
                    ui.label(tr!("Opening the socket…"));
                });
                command_button(ui, view, GameCommand::Disconnect, out);
            }
            GameLink::Listening { address, token } => {
                copied_ui(ui, tr!("Address"), address, GameCommand::CopyAddress, out);
                copied_ui(ui, tr!("Token"), token, GameCommand::CopyToken, out);
                let n_clients = view.game.clients.len();
                fact(ui, tr!("Connected"), &format::counted(n_clients, "game", "games"));
                if n_clients == 0 {
                    empty(ui, tr!("Waiting for a game on this machine that sends the token."));
                }
                command_button(ui, view, GameCommand::Disconnect, out);
            }
        }
    }

    fn listen_ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let theme = Theme::of(ui.ctx().theme());
        field_ui(ui, "game.address", tr!("Address"), "127.0.0.1:7777", &mut self.address);
        let hint = tr!("random token");
        field_ui(ui, "game.token-file", tr!("Token file"), hint, &mut self.token_file);
        let file = self.token_file.trim();
        let token_file = (!file.is_empty()).then(|| file.into());
        let request = ListenRequest { address: self.address.trim().to_owned(), token_file };
        let listen = Command::from(GameCommand::Listen(request));
        add_button(ui, egui::Button::new(listen.text()), view, listen, out);
        if let Some(why) = &view.game.error {
            let why = lang::error_text(why);
            ui.add(Label::new(RichText::new(why).color(theme.error)).wrap());
        }
        empty(
            ui,
            tr!(
                "A running game on this machine connects to this address, shows its agents here, and asks why its paths fail."
            ),
        );
    }
}

fn column(ui: &mut egui::Ui, id: &str, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let layout = Layout::top_down(Align::Min);
    ui.allocate_ui_with_layout(vec2(width, ui.available_height()), layout, |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        egui::ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, content);
    });
}

fn field_ui(ui: &mut egui::Ui, id: &str, label: &str, hint: &str, text: &mut String) {
    /// Maximum length of an address or path.
    const MAX_LETTERS: usize = 4096;
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        ui.label(RichText::new(label).color(theme.text_weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let field = egui::TextEdit::singleline(text).char_limit(MAX_LETTERS);
            let field = ui.add(field.hint_text(hint).desired_width(165.0)).author_id(id);
            field.widget_info(|| egui::WidgetInfo::labeled(Role::TextInput, true, label));
        });
    });
}

fn copied_ui(ui: &mut egui::Ui, name: &str, value: &str, copy: GameCommand, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).color(theme.text_weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let command = Command::from(copy);
            let button = buttons::icon(ui, icons::ICON_CONTENT_COPY, &command.text());
            if button.author_id(command.id()).clicked() {
                out.push(command);
            }
            ui.add(Label::new(value).selectable(true).truncate());
        });
    });
}

fn agents_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let agents = &view.game.agents;
    heading(ui, &tr!("Agents: {}", agents.len()));
    if agents.is_empty() {
        return empty(ui, tr!("The game has sent no agents yet."));
    }
    let theme = Theme::of(ui.ctx().theme());
    let agents_of_several = view.game.clients.len() > 1;
    for ((client, id), agent) in agents.iter().take(MAX_AGENT_ROWS) {
        let show = Command::from(GameCommand::ShowAgent(client, id));
        let of = if agents_of_several { format!("{client}: ") } else { String::new() };
        ui.horizontal(|ui| {
            let button = ui.selectable_label(false, format!("{of}{}", agent.label()));
            if button.author_id(show.id()).on_hover_text(show.tooltip()).clicked() {
                out.push(show);
            }
            let at = RichText::new(coordinates(agent.at)).small().color(theme.text_weak);
            ui.add(Label::new(at).truncate());
        });
    }
    if agents.len() > MAX_AGENT_ROWS {
        empty(ui, &tr!("and {} more", agents.len() - MAX_AGENT_ROWS));
    }
}

fn failed_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, &tr!("Failed paths: {}", view.game.failed.len()));
    if view.game.failed.is_empty() {
        return empty(ui, tr!("The game has not asked about a path yet."));
    }
    let theme = Theme::of(ui.ctx().theme());
    for failed in view.game.failed.iter().rev() {
        let is_chosen = view.game.chosen == Some(failed.number);
        let choose = GameCommand::Choose((!is_chosen).then_some(failed.number));
        let show = Command::from(GameCommand::Choose(Some(failed.number)));
        let [start, end] = failed.ends.map(coordinates);
        let mut title = tr!("{start} to {end}");
        if !failed.agent.is_empty() {
            title = format!("{}: {title}", failed.agent);
        }
        if failed.n_requests > 1 {
            title = format!("{title} ({}×)", failed.n_requests);
        }
        let label = ui.selectable_label(is_chosen, title).author_id(show.id());
        if label.on_hover_text(show.tooltip()).clicked() {
            out.push(choose);
        }
        if is_chosen {
            ui.indent("why", |ui| why_ui(ui, failed, view, out));
        } else {
            let outcome = RichText::new(outcome(failed)).small().color(theme.text_weak);
            ui.add(Label::new(outcome).truncate());
        }
    }
    command_button(ui, view, GameCommand::ClearFailed, out);
}

fn outcome(failed: &FailedPath) -> String {
    let found = match &failed.answer {
        None => return tr!("Waiting for the explanation…").to_owned(),
        Some((_, Err(why))) => {
            let why = lang::error_text(why);
            return tr!("The search for obstacles failed: {why}");
        }
        Some((_, Ok(found))) => found,
    };
    match (&found.answer.first, found.status) {
        (Some(first), _) => format::sentence(&lang::phrase(&first.text)),
        (None, PathStatus::Complete) => {
            tr!("The editor's navmesh has a path: the game's navmesh differs.").to_owned()
        }
        (None, PathStatus::Partial | PathStatus::Unreachable) => {
            tr!("No obstacle was found.").to_owned()
        }
    }
}

fn why_ui(ui: &mut egui::Ui, failed: &FailedPath, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    command_button(ui, view, GameCommand::TakePath(failed.number), out);
    if view.is_outdated(failed) {
        let text = tr!("Out of date: the path or the bake has changed since");
        ui.add(Label::new(RichText::new(text).small().color(theme.warning)).wrap());
    }
    match &failed.answer {
        Some((_, Ok(found)))
            if found.answer.first.is_some() || found.status != PathStatus::Complete =>
        {
            answer_ui(ui, "game", &found.answer, out);
        }
        None | Some(_) => {
            ui.add(Label::new(outcome(failed)).wrap());
        }
    }
}
