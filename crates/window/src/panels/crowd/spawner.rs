//! Turns an agent of the scene into a spawner.

use eframe::egui;
use walkable::phrase;
use walkable_editor::{
    command::Commands,
    session::{Edit, SessionView, Spawner},
};
use walkable_workspace::lang::tr;

use crate::widgets::{
    author_id::AuthorId as _,
    edited::Edited,
    numeric::{self, NumberSpec},
};

const WIDTH: f32 = 64.0;

/// Draws a check box that turns an agent of the scene into a spawner, and the settings of the spawner. Draws nothing
/// for agents that a spawner added.
pub(super) fn spawner_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    number: usize,
    out: &mut Commands,
) {
    let mut agents = view.document().crowd.clone();
    let Some(agent) = agents.get_mut(number) else { return };
    let mut edited = Edited::default();
    ui.horizontal(|ui| {
        let mut is_spawner = agent.spawner.is_some();
        let what = tr!("Adds agents here at regular times, and removes them when they arrive");
        let check = ui.checkbox(&mut is_spawner, tr!("Spawner")).author_id("crowd.spawner");
        if check.on_hover_text(what).changed() {
            agent.spawner = is_spawner.then_some(Spawner::FIRST);
            edited = Edited::at_once();
        }
        if let Some(spawner) = &mut agent.spawner {
            edited = edited.or(settings_ui(ui, spawner));
        }
    });
    edited.send(phrase!("Change spawner"), Edit::Crowd(agents), out);
}

fn settings_ui(ui: &mut egui::Ui, spawner: &mut Spawner) -> Edited {
    let limits = Spawner::EVERY.map(f64::from);
    let every = NumberSpec { unit: "s", slider: [limits[0], 10.0], limits, step: 0.5 };
    let name = tr!("Time between two agents");
    let edited =
        numeric::single_field(ui, ["crowd.spawner.every", name], &mut spawner.every, &every, WIDTH);
    let limits = Spawner::LIMIT.map(f64::from);
    let most = NumberSpec { unit: "", slider: [limits[0], 50.0], limits, step: 1.0 };
    ui.label(tr!("at most"));
    let mut limit = f32::from(spawner.limit);
    let name = tr!("Maximum number of its agents at a time");
    let of_limit =
        numeric::single_field(ui, ["crowd.spawner.limit", name], &mut limit, &most, WIDTH);
    spawner.limit = rounded(limit);
    edited.or(of_limit)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
fn rounded(value: f32) -> u8 {
    value.round() as u8
}
