//! The form of a path test: name, ends, agent and expectations.

use eframe::egui::{self, Button, RichText};
use walkable::{
    ids::AreaId,
    phrase,
    suite::{
        CaseQuery, CaseResult, Expectation, LinkChoice, Outcome, PassRule, PathCase, Tolerance,
        VolumeName,
    },
};
use walkable_editor::{
    command::{Command, Commands, PathTestCommand, lower_first},
    session::{CaseState, Edit, SceneItem, SessionView},
};
use walkable_workspace::{format, lang::tr, path_tests::case_name};

use crate::{
    icons,
    panels::areas::choice::area_choice_ui,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        combo::combo_ui,
        command_button::add_button,
        edited::Edited,
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        text_field::text_field,
    },
};

const WIDTH: f32 = 70.0;
const LENGTH: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 100.0], limits: [0.0, 1e6], step: 0.1 };
const COST: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [0.0, 100.0], limits: [0.0, 1e9], step: 0.1 };
const TIME: NumberSpec<'_> =
    NumberSpec { unit: "ms", slider: [0.0, 10.0], limits: [0.0, 1e6], step: 0.1 };

pub(super) fn form_ui(
    ui: &mut egui::Ui,
    index: usize,
    case: &PathCase,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let with = |case: PathCase| {
        let mut cases = view.document().path_tests.clone();
        cases[index] = case;
        Edit::PathTests(cases)
    };
    let name = || case_name(case, index).within();
    ui.horizontal(|ui| {
        let typed =
            text_field(ui, "path-tests.name", tr!("Name of the path test"), &case.name, |it| {
                it.desired_width(180.0).hint_text(tr!("Case {number}", number = index + 1))
            });
        if let Some(typed) = typed {
            let label = phrase!("Rename {name}", name = name());
            let name = typed.trim().to_owned();
            out.push(Command::Change(label, with(PathCase { name, ..case.clone() })));
        }
        let remove = Command::from(PathTestCommand::Remove(index));
        let button = buttons::icon(ui, icons::ICON_DELETE, &remove.text());
        if button.author_id("path-tests.remove").clicked() {
            out.push(remove);
        }
    });
    ends_ui(ui, case);
    ui.horizontal_wrapped(|ui| {
        let take = PathTestCommand::TakePath(index).into();
        add_button(ui, Button::new(tr!("Use current path")), view, take, out);
        if view.case_state(index).is_some_and(|state| state.result().is_some()) {
            let accept = PathTestCommand::AcceptResult(index).into();
            add_button(ui, Button::new(tr!("Accept result")), view, accept, out);
        }
    });
    let mut next = case.clone();
    agent_ui(ui, &mut next, view);
    heading(ui, tr!("Expected"));
    if case.expects.is_empty() {
        empty(ui, tr!("Nothing is expected, so this test always passes."));
    }
    let mut edited = Edited::default();
    let mut removed = None;
    for (number, expected) in next.expects.iter_mut().enumerate() {
        ui.push_id(number, |ui| {
            ui.horizontal(|ui| {
                edited = edited.or(expectation_ui(ui, number, expected, view));
                let label = tr!("Remove expectation {}", number + 1);
                let button = buttons::icon(ui, icons::ICON_CLOSE, &label);
                let id = format_args!("path-tests.expectation.{number}.remove");
                removed = button.author_id(id).clicked().then_some(number).or(removed);
            });
        });
    }
    if let Some(number) = removed {
        next.expects.remove(number);
    }
    let result = view.case_state(index).and_then(CaseState::result);
    next.expects.extend(added_ui(ui, result));
    let edited = edited.or_at_once(&next, case);
    edited.send(phrase!("Change {name}", name = name()), with(next), out);
}

fn ends_ui(ui: &mut egui::Ui, case: &PathCase) {
    let kind = match case.query {
        CaseQuery::Path => tr!("Path"),
        CaseQuery::Ray => tr!("Straight line"),
    };
    for (name, at) in [(tr!("{kind} from"), case.start), (tr!("{kind} to"), case.end)] {
        fact(ui, &name, &format::position(at));
    }
    let filter = &case.filter;
    if filter.include_flags != 0xffff || filter.exclude_flags != 0 {
        let (include, exclude) = (filter.include_flags, filter.exclude_flags);
        fact(ui, tr!("Include, exclude flags"), &format!("{include:#x}, {exclude:#x}"));
    }
    for (area, cost) in &filter.area_costs {
        fact(ui, &tr!("Cost of area {}", area.0), &format::number(f64::from(*cost)));
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Reachable => tr!("Reachable"),
        Outcome::Partial => tr!("Partial"),
        Outcome::NotReachable => tr!("Not reachable"),
    }
}

fn agent_ui(ui: &mut egui::Ui, case: &mut PathCase, view: &SessionView<'_>) {
    let agents = &view.document().agents.list;
    if agents.is_empty() && case.agent.is_none() {
        return;
    }
    let selected = case.agent.clone().unwrap_or_else(|| tr!("Active agent").to_owned());
    combo_ui(ui, ["path-tests.agent", tr!("Agent of the path test")], &selected, |ui| {
        let entry = ui.selectable_value(&mut case.agent, None, tr!("Active agent"));
        entry.author_id("path-tests.agent.active");
        for (number, agent) in agents.iter().enumerate() {
            let name = Some(agent.name.clone());
            let entry = ui.selectable_value(&mut case.agent, name, &agent.name);
            entry.author_id(format_args!("path-tests.agent.{number}"));
        }
    });
}

fn expectation_ui(
    ui: &mut egui::Ui,
    number: usize,
    expected: &mut Expectation,
    view: &SessionView<'_>,
) -> Edited {
    let id = |field: &str| format!("path-tests.expectation.{number}.{field}");
    match expected {
        Expectation::Outcome(outcome) => {
            let selected = outcome_name(*outcome);
            combo_ui(ui, [&id("outcome"), tr!("Expected outcome")], selected, |ui| {
                for choice in Outcome::ALL {
                    let text = outcome_name(choice);
                    let entry = ui.selectable_value(outcome, choice, text);
                    entry.author_id(id(choice.key()));
                }
            });
            Edited::default()
        }
        Expectation::Length(tolerance) => {
            tolerance_ui(ui, &id("length"), tr!("Length"), tolerance, &LENGTH)
        }
        Expectation::Cost(tolerance) => {
            tolerance_ui(ui, &id("cost"), tr!("Cost"), tolerance, &COST)
        }
        Expectation::Volume { volume, rule } => {
            rule_ui(ui, &id("rule"), [tr!("Passes"), tr!("Avoids")], rule);
            volume_ui(ui, &id("volume"), volume, view);
            Edited::default()
        }
        Expectation::Area { area, rule } => {
            rule_ui(ui, &id("rule"), [tr!("Passes"), tr!("Avoids")], rule);
            let _ = area_choice_ui(ui, &view.document().areas, area);
            Edited::default()
        }
        Expectation::Link { link, rule } => {
            rule_ui(ui, &id("rule"), [tr!("Uses"), tr!("Does not use")], rule);
            link_ui(ui, &id("link"), link, view);
            Edited::default()
        }
        Expectation::MaxMs(limit) => {
            ui.label(tr!("Search takes at most"));
            numeric::single_field(ui, [&id("max-ms"), tr!("Maximum time")], limit, &TIME, WIDTH)
        }
    }
}

fn tolerance_ui(
    ui: &mut egui::Ui,
    id: &str,
    name: &str,
    tolerance: &mut Tolerance,
    spec: &NumberSpec<'_>,
) -> Edited {
    ui.label(name);
    let label = tr!("Expected {}", lower_first(name));
    let value = numeric::single_field(ui, [id, &label], &mut tolerance.value, spec, WIDTH);
    ui.label("±");
    let id = format!("{id}.tolerance");
    let label = tr!("Tolerance of the {}", lower_first(name));
    value.or(numeric::single_field(ui, [&id, &label], &mut tolerance.tolerance, spec, WIDTH))
}

fn rule_ui(ui: &mut egui::Ui, id: &str, names: [&str; 2], rule: &mut PassRule) {
    let choices = [(PassRule::Must, names[0], "must"), (PassRule::MustNot, names[1], "must-not")];
    let selected = match rule {
        PassRule::Must => names[0],
        PassRule::MustNot => names[1],
    };
    combo_ui(ui, [id, tr!("Required or forbidden")], selected, |ui| {
        for (choice, name, key) in choices {
            let entry = ui.selectable_value(rule, choice, name);
            entry.author_id(format_args!("{id}.{key}"));
        }
    });
}

fn volume_ui(ui: &mut egui::Ui, id: &str, volume: &mut VolumeName, view: &SessionView<'_>) {
    let document = view.document();
    let name_of = |index: usize| SceneItem::Volume(index).name(document);
    let selected = match volume {
        VolumeName::Name(name) => name.clone(),
        VolumeName::Number(number) => tr!("Volume {number}"),
    };
    combo_ui(ui, [id, tr!("Volume")], &selected, |ui| {
        for (index, one) in document.volumes.iter().enumerate() {
            let choice = if one.name.is_empty() {
                VolumeName::Number(one.number)
            } else {
                VolumeName::Name(one.name.clone())
            };
            let entry = ui.selectable_value(volume, choice, name_of(index));
            entry.author_id(format_args!("{id}.{index}"));
        }
    });
}

fn link_ui(ui: &mut egui::Ui, id: &str, link: &mut LinkChoice, view: &SessionView<'_>) {
    let document = view.document();
    let selected = match link {
        LinkChoice::Any => tr!("any off-mesh link").to_owned(),
        LinkChoice::UserId(user_id) => tr!("off-mesh link {user_id}"),
    };
    combo_ui(ui, [id, tr!("Off-mesh link")], &selected, |ui| {
        let entry = ui.selectable_value(link, LinkChoice::Any, tr!("any off-mesh link"));
        entry.author_id(format_args!("{id}.any"));
        for (index, one) in document.off_mesh.iter().enumerate() {
            let choice = LinkChoice::UserId(one.user_id);
            let name = format!("{} ({})", SceneItem::Link(index).name(document), one.user_id);
            let entry = ui.selectable_value(link, choice, name);
            entry.author_id(format_args!("{id}.{index}"));
        }
    });
}

/// Draws the menu with new expectations; returns the chosen one. Its length or cost starts with the value of `result`.
fn added_ui(ui: &mut egui::Ui, result: Option<&CaseResult>) -> Option<Expectation> {
    let [length, cost] = result.map_or([0.0; 2], |result| [result.length, result.cost]);
    let rule = PassRule::Must;
    let choices = [
        ("outcome", tr!("Outcome"), Expectation::Outcome(Outcome::Reachable)),
        ("length", tr!("Length"), Expectation::Length(Tolerance::around(length))),
        ("cost", tr!("Cost"), Expectation::Cost(Tolerance::around(cost))),
        ("volume", tr!("Volume"), Expectation::Volume { volume: VolumeName::Number(1), rule }),
        ("area", tr!("Area"), Expectation::Area { area: AreaId(0), rule }),
        ("link", tr!("Off-mesh link"), Expectation::Link { link: LinkChoice::Any, rule }),
        ("max-ms", tr!("Time"), Expectation::MaxMs(1.0)),
    ];
    let mut added = None;
    let theme = Theme::of(ui.ctx().theme());
    let text = RichText::new(tr!("Add expectation")).color(theme.text);
    let menu = ui.menu_button(text, |ui| {
        for (id, name, expected) in choices {
            if ui.button(name).author_id(format_args!("path-tests.add.{id}")).clicked() {
                added = Some(expected);
                ui.close();
            }
        }
    });
    menu.response.author_id("path-tests.add-expectation");
    added
}
