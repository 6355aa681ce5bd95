//! The command palette: finds commands and settings by name.

use eframe::egui::{
    self, Align, Id, Key, Layout, Modal, RichText, ScrollArea, WidgetInfo,
    accesskit::Role,
    text::{CCursor, CCursorRange},
};
use walkable_editor::{
    command::{Command, Commands, LayoutCommand, listed},
    session::{LevelSource, Session},
};
use walkable_workspace::lang::{self, tr};

use crate::{
    panels::{
        Chrome,
        settings::by_name::{LineChoice, SettingLine, setting_lines},
    },
    theme::Theme,
    widgets::{author_id::AuthorId as _, dialog, keymap::key_of},
};

/// Width of the palette and maximum height of its list, in points.
const SIZE: [f32; 2] = [460.0, 340.0];

#[derive(Debug, Default)]
pub struct Palette {
    open: bool,
    search: String,
    /// Whether the typed text was completed, so that the cursor moves to its end.
    is_completed: bool,
    marked: usize,
}

struct Line {
    id: String,
    text: String,
    tooltip: String,
    shortcut: String,
    before: Option<&'static str>,
    choice: LineChoice,
}

impl Line {
    fn of_command(ctx: &egui::Context, session: &Session, command: Command) -> Self {
        Self {
            id: format!("palette.{}", command.id()),
            text: command.text().into_owned(),
            tooltip: command.tooltip().into(),
            shortcut: key_of(ctx, &command).map(|key| key.to_string()).unwrap_or_default(),
            before: command.before(session),
            choice: LineChoice::Run(command),
        }
    }

    fn of_setting(number: usize, line: SettingLine) -> Self {
        Self {
            id: format!("palette.setting.{number}"),
            text: line.text,
            tooltip: line.tooltip.to_owned(),
            shortcut: String::new(),
            before: None,
            choice: line.choice,
        }
    }

    /// Returns the text and, on a second line, what the user has to do first.
    fn shown(&self, theme: &Theme) -> RichText {
        match self.before {
            None => RichText::new(&self.text),
            Some(before) => {
                RichText::new(format!("{}\n{before}", self.text)).color(theme.text_weak)
            }
        }
    }
}

impl Palette {
    pub fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn ui(
        &mut self,
        ctx: &egui::Context,
        session: &Session,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        if !self.open {
            return;
        }
        let mut lines = self.matching(ctx, session, chrome);
        let modal = Modal::new(Id::unique("palette")).area(
            Modal::default_area(Id::unique("palette"))
                .anchor(egui::Align2::CENTER_TOP, [0.0, top(ctx)]),
        );
        let mut chosen = None;
        let shown = modal.show(ctx, |ui| {
            dialog::set_width(ui, SIZE[0]);
            chosen = self.content_ui(ui, &lines);
        });
        let is_closed = match chosen.map(|index| lines.swap_remove(index).choice) {
            Some(LineChoice::Run(command)) => {
                out.push(command);
                true
            }
            Some(LineChoice::Complete(text)) => {
                self.search = text;
                self.is_completed = true;
                false
            }
            None => shown.should_close(),
        };
        if is_closed {
            self.open = false;
        }
    }

    /// Returns the matching lines. Those that begin with the search text come first; commands that have no effect now
    /// come last.
    fn matching(&self, ctx: &egui::Context, session: &Session, chrome: &Chrome<'_>) -> Vec<Line> {
        let samples = chrome.samples.iter().map(|sample| sample.source.clone());
        let recent = chrome.prefs.recent.iter().map(|recent| &recent.source);
        let levels = samples.chain(recent.filter(|source| is_file(source)).cloned());
        let skip = |command: &Command| matches!(command, Command::Palette | Command::Back);
        let layouts = chrome.prefs.layouts.own().iter().map(|layout| layout.name.clone());
        let layouts = layouts.map(|name| LayoutCommand::Show(Some(name)).into());
        let all = listed().into_iter().filter(|c| !skip(c)).chain(levels.map(Command::Load));
        let all = all.chain(layouts);
        let search = self.search.to_lowercase();
        let words: Vec<_> = search.split_whitespace().collect();
        // English names are found in every language, because tutorials and forums use them.
        let has_all = |command: &Command| {
            let is_named = |name: &str| {
                let name = name.to_lowercase();
                words.iter().all(|word| name.contains(word))
            };
            is_named(&command.text()) || lang::in_english(|| is_named(&command.text()))
        };
        let commands = all.filter(has_all).map(|command| Line::of_command(ctx, session, command));
        let found =
            setting_lines(&session.document().settings, &self.search).into_iter().enumerate();
        let found = found.map(|(number, line)| Line::of_setting(number, line));
        let mut lines: Vec<_> = commands.chain(found).collect();
        lines.sort_by_key(|line| {
            (line.before.is_some(), !line.text.to_lowercase().starts_with(search.trim_end()))
        });
        lines
    }

    fn content_ui(&mut self, ui: &mut egui::Ui, lines: &[Line]) -> Option<usize> {
        let (up, down, enter) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(egui::Modifiers::NONE, key);
            (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter))
        });
        let field = egui::TextEdit::singleline(&mut self.search)
            .hint_text(tr!("Command, stage, level, or setting such as radius 0.5"))
            .desired_width(f32::INFINITY);
        let mut output = field.show(ui);
        if std::mem::take(&mut self.is_completed) {
            let end = CCursorRange::one(CCursor::new(self.search.chars().count()));
            output.state.cursor.set_char_range(Some(end));
            output.state.store(ui.ctx(), output.response.id);
        }
        let response = output.response.response;
        response.widget_info(|| {
            WidgetInfo::labeled(Role::TextInput, true, tr!("Search commands field"))
        });
        let response = response.author_id("palette.search");
        response.request_focus();
        if response.changed() {
            self.marked = 0;
        }
        let last = lines.len().saturating_sub(1);
        self.marked = match (up, down) {
            (true, _) => self.marked.saturating_sub(1),
            (_, true) => (self.marked + 1).min(last),
            _ => self.marked.min(last),
        };
        ui.add_space(4.0);
        if lines.is_empty() {
            crate::widgets::legend::empty(ui, tr!("No command or setting has this name."));
            return None;
        }
        let moved_to = (up || down).then_some(self.marked);
        let clicked = self.lines_ui(ui, lines, moved_to);
        let chosen = clicked.or_else(|| enter.then_some(self.marked));
        chosen.filter(|&index| lines[index].before.is_none())
    }

    fn lines_ui(
        &self,
        ui: &mut egui::Ui,
        lines: &[Line],
        scroll_to: Option<usize>,
    ) -> Option<usize> {
        let theme = Theme::of(ui.ctx().theme());
        let mut clicked = None;
        let height = dialog::list_height(ui, SIZE[1], top(ui.ctx()));
        ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            ui.with_layout(Layout::top_down_justified(Align::Min), |ui| {
                for (index, line) in lines.iter().enumerate() {
                    let marked = index == self.marked;
                    let shortcut = RichText::new(&line.shortcut).color(theme.text_weak);
                    let button = egui::Button::selectable(marked, line.shown(&theme))
                        .shortcut_text(shortcut);
                    let response = ui.add(button).author_id(&line.id);
                    let enabled = line.before.is_none();
                    response.widget_info(|| {
                        WidgetInfo::selected(Role::Button, enabled, marked, line.text.as_str())
                    });
                    let response = response.on_hover_text(&line.tooltip);
                    if scroll_to == Some(index) {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        clicked = Some(index);
                    }
                }
            });
        });
        clicked
    }
}

fn top(ctx: &egui::Context) -> f32 {
    (ctx.content_rect().height() / 8.0).min(90.0)
}

fn is_file(source: &LevelSource) -> bool {
    matches!(source, LevelSource::File(_))
}
