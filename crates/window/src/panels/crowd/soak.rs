//! The soak run: settings, progress, and the places where agents get stuck.

use eframe::egui::{self, Button, RichText};
use walkable::soak::{SoakFinding, SoakReport};
use walkable_editor::{
    command::{Command, Commands, CrowdCommand, ExportKind},
    session::{HeatSource, SessionView, SoakInput, SoakPlaces},
    task::TaskId,
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use super::heat::{heat_choice_ui, heat_scale_ui};
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::{AuthorId as _, Labeled},
        combo::combo_ui,
        command_button::{add_button, command_button},
        legend::empty,
        numeric::{self, NumberSpec},
        player::Player,
    },
};

const AGENTS: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 500.0], limits: [1.0, 10_000.0], step: 1.0 };
/// Simulated time of a run, in minutes.
const MINUTES: NumberSpec<'_> =
    NumberSpec { unit: "min", slider: [1.0, 60.0], limits: [0.1, 1440.0], step: 1.0 };
const SEED: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [0.0, 100.0], limits: [0.0, 1e9], step: 1.0 };

pub(super) fn soak_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        input_ui(ui, view.soak.input, out);
        places_ui(ui, view, out);
        if view.runs(TaskId::Soak) {
            command_button(ui, view, CrowdCommand::CancelSoak, out);
        } else {
            command_button(ui, view, CrowdCommand::Soak, out);
        }
        heat_choice_ui(ui, view, HeatSource::Soak, out);
    });
    if view.runs(TaskId::Soak) {
        let progress = view.soak.progress;
        let places = format::counted(progress.n_findings, "place", "places");
        let bar = egui::ProgressBar::new(progress.done).text(tr!("stuck at {places}"));
        ui.add(bar.desired_height(16.0));
    }
    match &view.soak.result {
        None if view.runs(TaskId::Soak) => {}
        None => empty(
            ui,
            tr!(
                "Agents walk between random or saved places in the background, and the places where they get stuck are listed."
            ),
        ),
        Some(Err(why)) => empty(ui, &lang::error_text(why)),
        Some(Ok(report)) => report_ui(ui, report, view, out),
    }
}

fn input_ui(ui: &mut egui::Ui, input: SoakInput, out: &mut Commands) {
    let n_agents = u32::try_from(input.n_agents).unwrap_or(u32::MAX);
    let mut next = [f64::from(n_agents), f64::from(input.minutes), f64::from(input.seed)];
    let fields = [
        ("soak.agents", tr!("Agents"), AGENTS),
        ("soak.minutes", tr!("Time"), MINUTES),
        ("soak.seed", tr!("Seed"), SEED),
    ];
    for ((id, name, spec), value) in fields.into_iter().zip(&mut next) {
        let label = ui.label(name);
        numeric::field(ui, Labeled { id, label: label.id }, value, &spec, 64.0);
    }
    let [n_agents, minutes, seed] = next;
    let changed = SoakInput {
        n_agents: numeric_count(n_agents) as usize,
        minutes: numeric::narrow(minutes),
        seed: numeric_count(seed),
        ..input
    };
    if changed != input {
        out.push(CrowdCommand::SetSoak(changed));
    }
}

fn places_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let (input, n_places) = (view.soak.input, view.document().places.len());
    let name = |places| match places {
        SoakPlaces::Random => tr!("Random places").to_owned(),
        SoakPlaces::Saved => tr!("Saved places ({n_places})"),
    };
    combo_ui(ui, ["soak.places", tr!("Places of the soak run")], &name(input.places), |ui| {
        for (places, key) in [(SoakPlaces::Random, "random"), (SoakPlaces::Saved, "saved")] {
            let next = SoakInput { places, ..input };
            let entry = Button::selectable(places == input.places, name(places));
            let is_possible = next.is_possible(n_places);
            let entry = ui.add_enabled(is_possible, entry);
            let entry = entry.author_id(format_args!("soak.places.{key}"));
            let why =
                tr!("Save two places or more: select each in the 3D view, then Keep this place");
            if entry.on_disabled_hover_text(why).clicked() {
                out.push(CrowdCommand::SetSoak(next));
            }
        }
    });
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
fn numeric_count(value: f64) -> u32 {
    value.round() as u32
}

fn report_ui(ui: &mut egui::Ui, report: &SoakReport, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal_wrapped(|ui| {
        let (text, color) = match report.findings.len() {
            0 => (tr!("No agent got stuck").to_owned(), theme.good),
            n => (tr!("Stuck at {}", format::counted(n, "place", "places")), theme.warning),
        };
        ui.label(RichText::new(text).color(color));
        let trips = format::counted(report.n_trips, "trip", "trips");
        let text = tr!("{} agents, {:.0} min, {trips}", report.n_agents, report.seconds / 60.0);
        ui.label(RichText::new(text).small().color(theme.text_weak));
        if !view.soak.is_current(&view.bake) {
            let text = tr!("The result is that of an earlier bake");
            ui.label(RichText::new(text).small().color(theme.text_weak));
        }
        heat_scale_ui(ui, view, HeatSource::Soak);
    });
    for (index, finding) in report.findings.iter().enumerate() {
        finding_ui(ui, index, finding, view, out);
        if view.soak.chosen == Some(index) {
            recording_ui(ui, view, out);
        }
    }
}

fn recording_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let Some(recording) = view.soak.shown_recording() else { return };
    let n_steps = view.soak.n_recorded();
    let player = Player {
        id: "crowd.recording",
        whole: tr!("recording"),
        step: tr!("moment"),
        end: tr!("To the moment when the agent is stuck"),
        n_steps,
    };
    let before = view.soak.recording;
    ui.horizontal(|ui| {
        let theme = Theme::of(ui.ctx().theme());
        ui.add_space(18.0);
        let mut next = player.buttons_ui(ui, before);
        next = player.slider_ui(ui, next, 110.0);
        let n_left = u16::try_from(n_steps - player.shown(next)).unwrap_or(u16::MAX);
        let seconds = f32::from(n_left) * recording.seconds_per_sample;
        let text = if n_left == 0 { tr!("stuck").to_owned() } else { tr!("{seconds:.1} s before") };
        ui.label(RichText::new(text).color(theme.text_weak));
        if next != before {
            out.push(CrowdCommand::Recording(next));
        }
        let save = Command::Export(ExportKind::FindingScene);
        add_button(ui, Button::new(tr!("Save scene…")).small(), view, save, out);
    });
}

fn finding_ui(
    ui: &mut egui::Ui,
    index: usize,
    finding: &SoakFinding,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        ui.label(RichText::new(icons::ICON_WARNING.codepoint).color(theme.warning));
        let show = Command::from(CrowdCommand::ShowFinding(index));
        let name =
            format!("{} ({}×)", format::sentence(&finding.kind.key().replace('_', " ")), finding.n);
        let label = ui.selectable_label(view.soak.chosen == Some(index), name).author_id(show.id());
        if label.on_hover_text(show.tooltip()).clicked() {
            out.push(show);
        }
        let take = Command::from(CrowdCommand::TakeFinding(index));
        add_button(ui, Button::new(take.text()).small(), view, take, out);
        let cause = lang::phrase(&finding.cause.phrase());
        let text = RichText::new(&cause).small().color(theme.text_weak);
        ui.add(egui::Label::new(text).truncate()).on_hover_text(cause);
    });
}
