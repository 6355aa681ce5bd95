//! The limits of the jumps and drops of an agent. A limit that is not set shows what follows from the agent's size.

use eframe::egui;
use walkable::{
    bake::{BakeSettings, JumpLimits},
    links::LinkSettings,
    phrase,
};
use walkable_editor::{
    command::Commands,
    session::{Edit, JUMP_LIMITS, JumpLimitRow, SessionView, usual_jumps},
};
use walkable_workspace::{format, lang::tr};

use crate::widgets::{
    author_id::AuthorId as _,
    edited::Edited,
    legend::heading,
    numeric::{self, NumberSpec},
    property_row::{PropertyRow, reset_dot},
};

fn spec(row: &JumpLimitRow) -> NumberSpec<'static> {
    let limits = [f64::from(row.limit.min), f64::from(JumpLimits::MAX)];
    NumberSpec { unit: "m", slider: [0.0, 20.0], limits, step: 0.1 }
}

fn value_of(row: &JumpLimitRow, mut jumps: JumpLimits, usual: &LinkSettings) -> f32 {
    (row.limit.of)(&mut jumps).unwrap_or_else(|| (row.usual)(usual))
}

/// Returns the value that follows from the agent's size, as a text, if another one is set.
fn changed_from(row: &JumpLimitRow, mut jumps: JumpLimits, usual: &LinkSettings) -> Option<String> {
    (row.limit.of)(&mut jumps).as_ref()?;
    Some(tr!("{}, from the agent's size", format::length((row.usual)(usual))))
}

pub fn jumps_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let document = view.document();
    let usual = usual_jumps(&document.settings);
    let name = document.agents.active().map_or_else(|| tr!("Agent"), |agent| agent.name.as_str());
    heading(ui, &tr!("Jumps and drops of {name}"));
    for shown in &JUMP_LIMITS {
        let id = &format!("jumps.{}", shown.limit.key);
        let row = PropertyRow {
            id,
            label: tr(shown.label),
            tooltip: tr(shown.tooltip),
            changed_from: changed_from(shown, document.jumps, &usual),
            ..PropertyRow::default()
        };
        let mut value = f64::from(value_of(shown, document.jumps, &usual));
        let output = row.show(ui, |ui, name| numeric::slider(ui, name, &mut value, &spec(shown)));
        let mut next = document.jumps;
        *(shown.limit.of)(&mut next) = (!output.reset).then(|| numeric::narrow(value));
        let edited = if output.reset { Edited::at_once() } else { output.inner };
        edited.send(phrase!("Change jumps and drops"), Edit::Jumps(next), out);
    }
}

/// Draws the limits of an agent as a row of fields. `[id, name]` are the id of the agent's controls and its name.
pub fn jump_fields_ui(
    ui: &mut egui::Ui,
    [id, name]: [&str; 2],
    settings: &BakeSettings,
    jumps: &mut JumpLimits,
    width: f32,
) -> Edited {
    let usual = usual_jumps(settings);
    let before = *jumps;
    let mut edited = Edited::default();
    for row in &JUMP_LIMITS {
        let mut value = f64::from(value_of(row, before, &usual));
        let what = tr(row.label);
        let label = tr!("{what} of {}", name);
        let field = numeric::named_field(ui, &label, &mut value, &spec(row), width);
        let field = field.author_id(format_args!("{id}.{}", row.limit.key));
        let one = Edited::of(&field.on_hover_text(tr(row.tooltip)));
        if one.changed {
            *(row.limit.of)(jumps) = Some(numeric::narrow(value));
        }
        edited = edited.or(one);
    }
    let changed_from = (!before.is_automatic()).then_some(tr!("the limits of the agent's size"));
    let label = tr!("Jumps and drops of {name}");
    let height = ui.spacing().interact_size.y;
    if reset_dot(ui, [&format!("{id}.jumps"), &label], changed_from, height) {
        *jumps = JumpLimits::default();
        return Edited::at_once();
    }
    edited
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;
    use egui_kittest::{Harness, kittest::NodeT as _};
    use walkable::diagnostic::Phrase;
    use walkable_editor::session::Session;

    use super::*;
    use crate::{
        panels::{agents::agents_ui, links_and_volumes::proposals::proposals_ui},
        testing::{Bench, Draw, Find as _, bench, picture},
    };

    fn window(draw: Draw<()>) -> Harness<'static, Bench<()>> {
        let mut session = Session::default();
        session.history.change(Phrase::verbatim("Agents"), |document| {
            document.take_agents(document.agents.with_one_more(document));
        });
        bench([900.0, 420.0], session, draw)
    }

    fn enter(window: &mut Harness<'_, Bench<()>>, id: &str, text: &str) {
        window.by_id(id).click();
        window.run();
        window.by_id(id).type_text(text);
        window.run();
        window.key_press(Key::Enter);
        window.run();
    }

    #[test]
    fn limits_of_each_agent_are_typed_and_reset() {
        let mut window = window(|(), ui, view, out| agents_ui(ui, view, out));
        picture(&mut window, "agents_jumps");
        enter(&mut window, "agents.1.drop", "50cm");
        let jumps = |window: &Harness<'_, Bench<()>>, agent: usize| {
            window.state().session.document().agents.list[agent].jumps
        };
        let expected = JumpLimits { drop: Some(0.5), ..JumpLimits::default() };
        assert_eq!((jumps(&window, 0), jumps(&window, 1)), (JumpLimits::default(), expected));
        assert_eq!(window.state().session.history.undo_label().as_deref(), Some("Change Agent 2"));
        window.by_id("agents.1.jumps.reset").click();
        window.run();
        assert_eq!(jumps(&window, 1), JumpLimits::default());
        window.state_mut().session.history.undo();
        assert_eq!(jumps(&window, 1), expected);
    }

    #[test]
    fn the_link_tool_shows_the_limits_and_how_they_follow_from_the_size() {
        let mut window = window(|(), ui, view, out| proposals_ui(ui, view, out));
        picture(&mut window, "link_tool_jumps");
        let value = |window: &Harness<'_, Bench<()>>| {
            window.by_id("jumps.drop").accesskit_node().value().unwrap_or_default()
        };
        assert_eq!(value(&window), "4 m", "twice the height");
        enter(&mut window, "jumps.drop", "2*1.5");
        let document = window.state().session.document();
        assert_eq!(
            (document.jumps.drop, document.agents.list[0].jumps.drop),
            (Some(3.0), Some(3.0))
        );
        assert_eq!(value(&window), "3 m");
        window.by_id("jumps.drop.reset").click();
        window.run();
        assert!(window.state().session.document().jumps.is_automatic());
        assert_eq!(value(&window), "4 m");
    }
}
