//! The list of fixes for the selected point or the path.

use eframe::egui::{self, Button, RichText};
use walkable::{
    bake::Param,
    explain::{Fix, LinkFix, NewSetting, SearchTerm},
};
use walkable_editor::{
    command::{Command, Commands, FixCommand},
    session::{FixTarget, Fixes, SessionView},
    task::TaskId,
};
use walkable_workspace::{
    format::{self, unbroken},
    lang::{self, tr},
};

use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        busy::busy,
        buttons,
        command_button::{add_button, command_button, command_icon},
        legend::{empty, heading},
    },
};

pub(super) fn fixes_ui(
    ui: &mut egui::Ui,
    target: FixTarget,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    heading(ui, tr!("Fixes"));
    let Some(fixes) = view.fixes_of(target) else {
        let find = Command::from(FixCommand::Find(target));
        add_button(ui, Button::new(tr!("Find fixes")), view.session, find, out);
        return;
    };
    if view.runs(TaskId::Fixes) {
        ui.horizontal(|ui| {
            busy(ui);
            add_button(ui, Button::new(tr!("Stop")), view.session, FixCommand::Cancel.into(), out);
            empty(ui, tr!("Baking with other settings…"));
        });
    }
    found_ui(ui, fixes, view, out);
}

fn found_ui(ui: &mut egui::Ui, fixes: &Fixes, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let found = fixes.found();
    if let Some(why) = &fixes.error {
        let why = lang::error_text(why);
        let text = tr!("The search for fixes failed: {why}");
        ui.add(egui::Label::new(RichText::new(text).color(theme.error)).wrap());
    } else if found.fixes.is_empty() && !view.runs(TaskId::Fixes) {
        empty(ui, tr!("No change of the settings helps here."));
    }
    for then in &found.then {
        let then = lang::phrase(then);
        let text = unbroken(&tr!("Then: {then}"));
        ui.add(egui::Label::new(RichText::new(text).color(theme.text_weak)).wrap());
    }
    for (fix, number) in found.fixes.iter().zip(1..) {
        fix_ui(ui, number, fix, view, out);
    }
    if found.is_cut_short {
        empty(ui, tr!("There may be more fixes: the search reached its limit of bakes."));
    }
}

fn fix_ui(ui: &mut egui::Ui, number: usize, fix: &Fix, view: &SessionView<'_>, out: &mut Commands) {
    let Some((name, effect)) = in_words(fix) else {
        let fix = lang::phrase(&fix.phrase());
        ui.add(egui::Label::new(unbroken(&tr!("Or in the level: {fix}"))).wrap());
        return;
    };
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal_top(|ui| {
        let apply = Command::from(FixCommand::Apply(Box::new(fix.clone())));
        let button = buttons::icon(ui, icons::ICON_CHECK, &tr!("Apply fix {number}"));
        if button.author_id(format_args!("{}.{number}", apply.id())).clicked() {
            out.push(apply);
        }
        if !matches!(fix, Fix::Terms(_)) {
            let try_out = Command::from(FixCommand::TryOut(Box::new(fix.clone())));
            let id = format!("{}.{number}", try_out.id());
            let button = (icons::ICON_COMPARE, &*tr!("What if: fix {number}"));
            command_icon(ui, button, view.session, try_out, out).author_id(id);
        }
        ui.vertical(|ui| {
            let label = egui::Label::new(RichText::new(unbroken(&name)).strong()).wrap();
            ui.add(label).on_hover_text(details(fix));
            let effect = RichText::new(unbroken(&effect)).small();
            ui.add(egui::Label::new(effect.color(theme.text_weak)).wrap());
        });
    });
}

/// Distance of the preview card from the upper edge of the view, in points.
const BELOW_EDGE: f32 = 10.0;
/// Width reserved for the remarks on the picture, in points.
const BESIDE_REMARKS: f32 = 300.0;
/// Half the usual width of the preview card, in points.
const HALF_WIDTH: f32 = 115.0;

pub fn what_if_ui(
    ctx: &egui::Context,
    rect: egui::Rect,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let Some(preview) = &view.preview else { return };
    let theme = Theme::of(ctx.theme());
    let left = (rect.center().x - HALF_WIDTH).max(rect.left() + BESIDE_REMARKS);
    let at = egui::pos2(left, rect.top() + BELOW_EDGE);
    let area = egui::Area::new(egui::Id::unique("what if")).fixed_pos(at);
    area.order(egui::Order::Middle).show(ctx, |ui| {
        let frame = egui::Frame::new()
            .fill(theme.raised)
            .stroke(egui::Stroke::new(1.0, theme.accent))
            .corner_radius(egui::CornerRadius::same(6))
            .inner_margin(egui::Margin::symmetric(10, 6));
        frame.show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            let name = in_words(&preview.fix).map_or_else(String::new, |(name, _)| name);
            ui.label(RichText::new(tr!("What if: {name}")).strong());
            ui.label(RichText::new(state_of(view)).small().color(theme.text_weak));
            ui.horizontal(|ui| {
                for command in [FixCommand::Keep, FixCommand::Discard] {
                    command_button(ui, view.session, command, out);
                }
            });
        });
    });
}

fn state_of(view: &SessionView<'_>) -> String {
    if let Some(progress) = view.bake.progress {
        return tr!("Baking: {} of {} tiles", progress.n_done, progress.n_tiles);
    }
    let changed = view.bake.n_changed.map(|(n, of)| tr!("{n} of {of} tiles change"));
    let [old, new] = [view.current_bake(), &view.bake].map(|bake| bake.totals.area);
    let sign = if new < old { "−" } else { "+" };
    let ground = tr!("{sign}{} of ground", format::area((new - old).abs()));
    [changed, Some(ground)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns the change and its effect in words; `None` for a change to the level.
fn in_words(fix: &Fix) -> Option<(String, String)> {
    Some(match fix {
        Fix::Settings(fix) => {
            let set: Vec<_> = fix.set.iter().map(setting).collect();
            let [gained, lost] =
                [fix.side_effects.gained_m2, fix.side_effects.lost_m2].map(format::area);
            let effect = tr!("Tried: works. {gained} of ground gained, {lost} lost in these tiles");
            let agent = fix.changes_agent().then(|| tr!("Changes the agent"));
            let effects: Vec<_> =
                [Some(effect), agent.map(str::to_owned)].into_iter().flatten().collect();
            (set.join(", "), effects.join(". "))
        }
        Fix::Link(LinkFix { start, end, bidirectional, .. }) => {
            let length = format::length(start.distance(*end));
            let ways = if *bidirectional { tr!("both ways") } else { tr!("one way") };
            (tr!("Off-mesh link of {length}, {ways}"), tr!("Tried: works.").to_owned())
        }
        Fix::Terms(terms) => {
            let terms: Vec<_> = terms.iter().map(term).collect();
            (
                terms.join(", "),
                tr!("Tried: works. Changes the path tool, not the project").to_owned(),
            )
        }
        Fix::Geometry(_) => return None,
    })
}

/// Returns the ends of an off-mesh link; otherwise the options of the command line.
fn details(fix: &Fix) -> String {
    match fix {
        Fix::Link(LinkFix { start, end, .. }) => {
            format!("{} → {}", format::position(*start), format::position(*end))
        }
        Fix::Settings(_) | Fix::Terms(_) | Fix::Geometry(_) => fix.to_string(),
    }
}

/// Returns a search option and its value in the words of the path panel.
fn term(term: &SearchTerm) -> String {
    match term {
        SearchTerm::MaxNodes(n) => tr!("Node limit {}", format::count(*n)),
        SearchTerm::Include(flags) => tr!("Include flags {flags:#06x}"),
        SearchTerm::Exclude(flags) => tr!("Exclude flags {flags:#06x}"),
    }
}

fn setting(new: &NewSetting) -> String {
    match Param::find(new.key) {
        Ok(param) => {
            let label = tr(param.label);
            format!("{label}: {}", format::setting(param, new.value))
        }
        Err(_unknown) => new.to_string(),
    }
}
