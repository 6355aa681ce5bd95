//! The list of fixes for the selected point or the path.

use eframe::egui::{self, Button, RichText};
use egui_material_icons::icons;
use walkable::{
    bake::Param,
    explain::{Fix, LinkFix, NewSetting, SearchTerm},
};
use walkable_editor::{
    command::{Command, Commands, FixCommand},
    format,
    session::{FixTarget, Fixes, SessionView},
};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        command_button::add_button,
        legend::{empty, heading},
    },
};

/// Draws the fixes of `target`.
pub(super) fn fixes_ui(
    ui: &mut egui::Ui,
    target: FixTarget,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    heading(ui, "Fixes");
    let Some(fixes) = view.fixes_of(target) else {
        let find = Command::from(FixCommand::Find(target));
        let button = add_button(ui, Button::new("Find fixes"), view.session, find, out);
        button.on_disabled_hover_text("Bake first: the bake is out of date");
        return;
    };
    if fixes.is_busy {
        ui.horizontal(|ui| {
            ui.spinner();
            add_button(ui, Button::new("Stop"), view.session, FixCommand::Cancel.into(), out);
            empty(ui, "Baking with other settings…");
        });
    }
    found_ui(ui, fixes, out);
}

fn found_ui(ui: &mut egui::Ui, fixes: &Fixes, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let found = fixes.found();
    if let Some(why) = &fixes.error {
        let text = format!("Fixes could not be looked for: {why}");
        ui.add(egui::Label::new(RichText::new(text).color(theme.error)).wrap());
    } else if found.fixes.is_empty() && !fixes.is_busy {
        empty(ui, "No setting helps here.");
    }
    for then in &found.then {
        let text = format!("Then: {then}");
        ui.add(egui::Label::new(RichText::new(text).color(theme.text_weak)).wrap());
    }
    for (fix, number) in found.fixes.iter().zip(1..) {
        fix_ui(ui, number, fix, out);
    }
    if found.is_cut_short {
        empty(ui, "There may be more: the search ended at its limit of bakes.");
    }
}

/// Draws a fix with its buttons.
fn fix_ui(ui: &mut egui::Ui, number: usize, fix: &Fix, out: &mut Commands) {
    let Some((name, effect)) = in_words(fix) else {
        ui.add(egui::Label::new(format!("Or in the level: {fix}")).wrap());
        return;
    };
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal_top(|ui| {
        let apply = Command::from(FixCommand::Apply(Box::new(fix.clone())));
        let button = buttons::icon(ui, icons::ICON_CHECK, &format!("Apply fix {number}"));
        if button.author_id(format_args!("{}.{number}", apply.id())).clicked() {
            out.push(apply);
        }
        ui.vertical(|ui| {
            let label = egui::Label::new(RichText::new(name).strong()).wrap();
            ui.add(label).on_hover_text(fix.to_string());
            ui.add(egui::Label::new(RichText::new(effect).small().color(theme.text_weak)).wrap());
        });
    });
}

/// Returns the change and its effect in words; `None` for a change to the level.
fn in_words(fix: &Fix) -> Option<(String, String)> {
    Some(match fix {
        Fix::Settings(fix) => {
            let set: Vec<_> = fix.set.iter().map(setting).collect();
            let [gained, lost] = [fix.side_effects.gained_m2, fix.side_effects.lost_m2];
            let effect = format!(
                "Tried: works. In these tiles {gained:.1} m² of ground more, {lost:.1} m² less"
            );
            (set.join(", "), effect)
        }
        Fix::Link(LinkFix { start, end, bidirectional, .. }) => {
            let length = format::meters(start.distance(*end));
            let ways = if *bidirectional { "both ways" } else { "one way" };
            (format!("Off-mesh link of {length}, {ways}"), "Tried: works.".to_owned())
        }
        Fix::Terms(terms) => {
            let terms: Vec<_> = terms.iter().map(term).collect();
            (terms.join(", "), "Tried: works. Changes the path tool, not the project".to_owned())
        }
        Fix::Geometry(_) => return None,
    })
}

/// Returns a search option and its value in the words of the path panel.
fn term(term: &SearchTerm) -> String {
    match term {
        SearchTerm::MaxNodes(n) => format!("Node limit {}", format::count(*n)),
        SearchTerm::Include(flags) => format!("Include flags {flags:#06x}"),
        SearchTerm::Exclude(flags) => format!("Exclude flags {flags:#06x}"),
    }
}

/// Formats a setting with its value, with the name from the settings panel.
fn setting(new: &NewSetting) -> String {
    match Param::find(new.key) {
        Ok(param) => {
            let (label, value, unit) = (param.label, param.format(new.value), param.unit);
            let gap = if matches!(unit, "" | "°") { "" } else { " " };
            format!("{label} {value}{gap}{unit}")
        }
        Err(_unknown) => new.to_string(),
    }
}
