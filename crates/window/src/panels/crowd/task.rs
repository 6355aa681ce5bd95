//! The tasks of the chosen agents.

use eframe::egui;
use walkable::{phrase, tasks::Reach};
use walkable_editor::{
    command::{Commands, CrowdCommand},
    session::{ClickTask, Edit, SceneTask, SessionView},
};
use walkable_workspace::{
    document::{TaskFields, reach_name},
    lang::tr,
};

use super::choice_ui;
use crate::{
    icons,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        combo::combo_ui,
        edited::Edited,
        numeric::{self, NumberSpec},
    },
};

const WIDTH: f32 = 64.0;
const DISTANCE: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 20.0], limits: [0.0, 1e6], step: 0.1 };
/// Smallest difference between the two distances from a followed agent, in meters.
const BAND: f32 = 0.1;

pub(super) fn click_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let is_enabled = !view.crowd.chosen.is_empty();
    ui.add_enabled_ui(is_enabled, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.label(tr!("Next click"));
            for &task in ClickTask::ALL {
                let is_on = (view.crowd.click == task).into();
                choice_ui(ui, is_on, task.name(), CrowdCommand::NextClick(task), out);
            }
        });
    });
}

/// Draws the task of the first chosen agent that has one. A change of its settings applies to the tasks of the same
/// kind of all chosen agents; removing it removes the tasks of all of them.
pub(super) fn task_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let chosen = view.chosen_sources();
    let mut agents = view.document().crowd.clone();
    let mut tasks = chosen.iter().filter_map(|&number| agents.get(number)?.task);
    let Some(before) = tasks.next() else { return };
    let mut after = Some(before);
    let own = chosen.first().and_then(|&number| agents.get(number));
    let radius = own.map_or(0.0, |agent| view.params_of(agent).radius);
    let mut edited = Edited::default();
    ui.horizontal_wrapped(|ui| {
        let mut task = before;
        edited = distances_ui(ui, &mut task, radius);
        let TaskFields { reach, .. } = task.fields();
        combo_ui(ui, ["crowd.task.reach", tr!("Arrival")], reach_name(*reach), |ui| {
            for choice in [Reach::Distance, Reach::LineOfSight, Reach::WalkingDistance] {
                let entry = ui.selectable_value(reach, choice, reach_name(choice));
                entry.author_id(format_args!("crowd.task.reach.{}", reach_key(choice)));
            }
        });
        after = Some(task);
        let remove = buttons::icon(ui, icons::ICON_DELETE, tr!("Remove task"));
        if remove.author_id("crowd.task.remove").clicked() {
            after = None;
        }
    });
    edited = edited.or_at_once(&after, &Some(before));
    for number in chosen {
        let Some(agent) = agents.get_mut(number) else { continue };
        // Tasks of other kinds stay, unless all are removed.
        agent.task =
            agent.task.zip(after).map(|(task, after)| after.with_target_of(task).unwrap_or(task));
    }
    edited.send(phrase!("Change task"), Edit::Crowd(agents), out);
}

fn distances_ui(ui: &mut egui::Ui, task: &mut SceneTask, radius: f32) -> Edited {
    let field = |ui: &mut egui::Ui, [id, name]: [&str; 2], value: &mut f32| {
        numeric::single_field(ui, [id, name], value, &DISTANCE, WIDTH)
    };
    let within = ["crowd.task.radius", tr!("Distance of arrival")];
    match task {
        SceneTask::GoTo { radius: own, .. } => {
            ui.label(tr!("Go to within"));
            let mut value = own.unwrap_or(radius);
            let edited = field(ui, within, &mut value);
            if edited.changed {
                *own = Some(value);
            }
            edited
        }
        SceneTask::Approach { agent, radius, .. } => {
            ui.label(tr!("Approach agent {agent} to within"));
            field(ui, within, radius)
        }
        SceneTask::Follow { agent, nearest, farthest, .. } => {
            ui.label(tr!("Follow agent {agent} at"));
            let nearest_edited =
                field(ui, ["crowd.task.nearest", tr!("Smallest distance")], nearest);
            if nearest_edited.changed {
                *farthest = farthest.max(*nearest + BAND);
            }
            ui.label(tr!("to"));
            let edited = field(ui, ["crowd.task.farthest", tr!("Largest distance")], farthest);
            if edited.changed {
                *farthest = farthest.max(BAND);
                *nearest = nearest.min(*farthest - BAND);
            }
            nearest_edited.or(edited)
        }
    }
}

const fn reach_key(reach: Reach) -> &'static str {
    match reach {
        Reach::Distance => "distance",
        Reach::LineOfSight => "line-of-sight",
        Reach::WalkingDistance => "walking-distance",
    }
}
