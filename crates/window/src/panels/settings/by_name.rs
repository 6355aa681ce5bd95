//! Settings that are found and changed by typing, in the command palette.

use walkable::{
    bake::{BakeSettings, PARAMS, Param, ParamKind, ParamValue, SettingsError},
    diagnostic::Phrase,
    phrase,
};
use walkable_editor::{command::Command, session::Edit};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use super::{from_number, number_spec};

#[derive(Debug)]
pub struct SettingLine {
    pub text: String,
    pub tooltip: &'static str,
    pub choice: LineChoice,
}

#[derive(Debug)]
pub enum LineChoice {
    Run(Command),
    /// Replaces what was typed, so that a value can be typed after it.
    Complete(String),
}

/// Returns the settings that match what was typed: words of a name, or a name and a value, such as "radius 50cm".
pub fn setting_lines(settings: &BakeSettings, typed: &str) -> Vec<SettingLine> {
    let typed = typed.trim_start();
    if typed.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for param in PARAMS {
        let value = param.get(settings);
        let mut push = |text: String, choice: LineChoice| {
            lines.push(SettingLine { text, tooltip: tr(param.tooltip), choice });
        };
        match (param.kind, value) {
            (ParamKind::Float { .. } | ParamKind::Integer { .. }, value) => {
                let Some((_, spec)) = number_spec(param, value) else { continue };
                let rest = [tr(param.label), param.label]
                    .into_iter()
                    .find_map(|name| after_name(typed, name));
                let number = rest.and_then(|rest| spec.evaluate(rest));
                match number.map(|number| set(settings, param, from_number(param, number))) {
                    Some(Ok((text, command))) => push(text, LineChoice::Run(command)),
                    Some(Err(error)) => push(error, LineChoice::Complete(typed.to_owned())),
                    None if has_words(tr(param.label), param, typed) => push(
                        format!("{}: {}", tr(param.label), format::setting(param, value)),
                        LineChoice::Complete(format!("{} ", tr(param.label))),
                    ),
                    None => {}
                }
            }
            (ParamKind::Switch, ParamValue::Switch(is_on)) => {
                let text = format!(
                    "{} {}",
                    if is_on { tr!("Turn off") } else { tr!("Turn on") },
                    format::within(tr(param.label))
                );
                if has_words(&text, param, typed)
                    && let Ok((_, command)) = set(settings, param, ParamValue::Switch(!is_on))
                {
                    push(text, LineChoice::Run(command));
                }
            }
            (ParamKind::Choice(choices), ParamValue::Choice(chosen)) => {
                for index in (0..choices.len()).filter(|&index| index != chosen) {
                    let text = format!("{}: {}", tr(param.label), tr(choices[index].label));
                    if has_words(&text, param, typed)
                        && let Ok((_, command)) = set(settings, param, ParamValue::Choice(index))
                    {
                        push(text, LineChoice::Run(command));
                    }
                }
            }
            _ => {}
        }
    }
    lines
}

/// Returns whether all typed words occur in a line's text, in the name of the setting's group, or in their English names.
fn has_words(text: &str, param: &Param, typed: &str) -> bool {
    let typed = typed.to_lowercase();
    let has_all = |text: &str, group: &str| {
        let text = format!("{text} {group}").to_lowercase();
        typed.split_whitespace().all(|word| text.contains(word))
    };
    let group = param.group.label();
    has_all(text, tr(group)) || has_all(param.label, group)
}

fn after_name<'a>(typed: &'a str, name: &str) -> Option<&'a str> {
    let (start, rest) = typed.split_at_checked(name.len())?;
    start.eq_ignore_ascii_case(name).then_some(rest)
}

/// Returns the command that changes a setting, and its name; or the reason why the value is not possible.
fn set(
    settings: &BakeSettings,
    param: &Param,
    value: ParamValue,
) -> Result<(String, Command), String> {
    let mut settings = settings.clone();
    let name = format::within(tr(param.label));
    param.set(&mut settings, value).map_err(|error| match error {
        SettingsError::OutOfRange { value, min, max, .. } => {
            let [value, min, max] = [value, min, max].map(|it| format::quantity(it, param.unit));
            tr!("Cannot set {name} to {value}: it must be between {min} and {max}")
        }
        error => lang::error_text(&error.to_string()),
    })?;
    let label = Phrase::new(param.label, Vec::new()).within();
    let label = phrase!("Change {name}", name = label);
    let command = Command::Change(label, Edit::Settings(Box::new(settings)));
    Ok((tr!("Set {name} to {}", format::setting(param, value)), command))
}

#[cfg(test)]
mod tests {
    use walkable_workspace::units::{Units, set_units};

    use super::*;

    fn texts(typed: &str) -> Vec<String> {
        let lines = setting_lines(&BakeSettings::default(), typed);
        lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn settings_are_found_by_words_and_changed_by_a_value() {
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(texts("agent rad"), ["Radius: 0.6 m"]);
        assert_eq!(texts("radius 25cm"), ["Set radius to 0.25 m"]);
        assert_eq!(texts("partition mono"), ["Partitioning: Monotone"]);
        assert_eq!(texts("turn off ledge").len(), 1);
        let lines = setting_lines(&BakeSettings::default(), "Max slope 2*20 + 3");
        let LineChoice::Run(Command::Change(label, Edit::Settings(settings))) = &lines[0].choice
        else {
            panic!("{lines:?}");
        };
        assert_eq!((&*label.to_string(), settings.agent_max_slope), ("Change max slope", 43.0));
    }

    #[test]
    fn values_are_in_the_unit_of_the_window() {
        set_units(Units::Centimeters);
        assert_eq!(texts("agent rad"), ["Radius: 60 cm"]);
        assert_eq!(texts("radius 25"), ["Set radius to 25 cm"]);
        assert_eq!(texts("radius 2ft"), ["Set radius to 60.96 cm"]);
        let refused = "Cannot set radius to -100 cm: it must be between 0 cm and";
        assert!(texts("radius -1 m")[0].starts_with(refused), "{:?}", texts("radius -1 m"));
        set_units(Units::Meters);
    }

    #[test]
    fn a_value_out_of_range_says_why() {
        let lines = setting_lines(&BakeSettings::default(), "radius -1");
        assert!(matches!(lines[0].choice, LineChoice::Complete(_)), "{lines:?}");
        assert!(lines[0].text.contains("-1"), "{lines:?}");
    }
}
