//! The help of the command line in the language of the system.
//!
//! The code contains the English texts; [`Language::help_catalog`] translates them. Only help is translated: results and
//! errors are English, because scripts read them.

use std::{fmt::Write as _, sync::OnceLock};

use clap::{Arg, ArgAction, Command, builder::PossibleValue};
use walkable_workspace::lang::{Catalog, Language};

/// The catalog in use: headings of the parser need texts that live as long as the program.
static CATALOG: OnceLock<Catalog> = OnceLock::new();

pub(super) fn localized(command: Command, locale: Option<&str>) -> Command {
    let language = locale.map(Language::of_locale).unwrap_or_default();
    let Some(po) = language.help_catalog() else { return command };
    // A damaged catalog, which a test finds, translates nothing.
    let catalog = CATALOG.get_or_init(|| Catalog::read(po).unwrap_or_default());
    translated(built(command), catalog)
}

/// Adds what the parser would add by itself: the options and the command for help, with their texts.
fn built(mut command: Command) -> Command {
    command.build();
    command
}

/// Headings and words that the parser adds to help.
const ARGUMENTS: &str = "Arguments";
const COMMANDS: &str = "Commands";
const OPTIONS: &str = "Options";
pub(super) const IMPORT: &str = "Import";
const USAGE: &str = "Usage";
const DEFAULT: &str = "default";
const POSSIBLE_VALUES: &str = "Possible values";

fn translated(mut command: Command, catalog: &'static Catalog) -> Command {
    let tr = |text: &str| catalog.get(text).unwrap_or(text).to_owned();
    let word = |text: &'static str| catalog.get(text).unwrap_or(text);
    if let Some(about) = command.get_about().map(|text| tr(&text.to_string())) {
        command = command.about(about);
    }
    if let Some(about) = command.get_long_about().map(|text| tr(&text.to_string())) {
        command = command.long_about(about);
    }
    if let Some(after) = command.get_after_help().map(|text| tr(&text.to_string())) {
        command = command.after_help(after);
    }
    command
        .help_template(format!(
            "{{before-help}}{{about-with-newline}}\n{}: {{usage}}\n\n{{all-args}}{{after-help}}",
            word(USAGE)
        ))
        .subcommand_help_heading(word(COMMANDS))
        .mut_args(|arg| translated_arg(arg, catalog))
        .mut_subcommands(|below| translated(below, catalog))
}

/// Translates the help text of an argument. Appends the default and the possible values here, because clap would add
/// them in English.
fn translated_arg(arg: Arg, catalog: &'static Catalog) -> Arg {
    let tr = |text: &str| catalog.get(text).unwrap_or(text).to_owned();
    let word = |text: &'static str| catalog.get(text).unwrap_or(text);
    let heading = word(match arg.get_help_heading() {
        Some(IMPORT) => IMPORT,
        _ if arg.is_positional() => ARGUMENTS,
        _ => OPTIONS,
    });
    let (default, names, list) = values_in_words(&arg, catalog);
    let short = arg.get_help().map(|text| tr(&text.to_string()));
    let long = arg.get_long_help().map(|text| tr(&text.to_string()));
    let has_long = long.is_some() || !list.is_empty();
    let long = long.or_else(|| short.clone()).filter(|_| has_long);
    let mut arg = arg.help_heading(heading).hide_default_value(true).hide_possible_values(true);
    if let Some(long) = long {
        let values = if list.is_empty() { &names } else { &list };
        arg = arg.long_help(format!("{long}{default}{values}"));
    }
    if let Some(short) = short {
        arg = arg.help(format!("{short}{default}{names}"));
    }
    arg
}

/// Returns the default of an argument, its possible values, and a list that explains them if they have descriptions.
fn values_in_words(arg: &Arg, catalog: &'static Catalog) -> (String, String, String) {
    let word = |text: &'static str| catalog.get(text).unwrap_or(text);
    let mut default = String::new();
    let (mut names, mut list) = (String::new(), String::new());
    if !takes_value(arg) {
        return (default, names, list);
    }
    let defaults: Vec<_> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !arg.is_hide_default_value_set() && !defaults.is_empty() {
        default = format!(" [{}: {}]", word(DEFAULT), defaults.join(", "));
    }
    let mut values = arg.get_possible_values();
    values.retain(|value| !value.is_hide_set());
    if arg.is_hide_possible_values_set() || values.is_empty() {
        return (default, names, list);
    }
    let all: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
    names = format!(" [{}: {}]", word(POSSIBLE_VALUES), all.join(", "));
    if values.iter().any(|value| value.get_help().is_some()) {
        list = format!("\n\n{}:", word(POSSIBLE_VALUES));
        for value in &values {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            let help = catalog.get(&help).unwrap_or(&help);
            // Writing to a string cannot fail.
            let _ = write!(list, "\n- {}: {help}", value.get_name());
        }
    }
    (default, names, list)
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;

    /// Collects the texts of the help of `command` and of the commands below it.
    fn collect(command: &Command, texts: &mut BTreeSet<String>) {
        let own = [command.get_about(), command.get_long_about(), command.get_after_help()];
        texts.extend(own.into_iter().flatten().map(ToString::to_string));
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let own = [arg.get_help(), arg.get_long_help()];
            texts.extend(own.into_iter().flatten().map(ToString::to_string));
            if takes_value(arg) {
                let values = arg.get_possible_values();
                texts.extend(
                    values.iter().filter_map(|value| value.get_help()).map(ToString::to_string),
                );
            }
        }
        for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
            collect(below, texts);
        }
    }

    fn texts() -> BTreeSet<String> {
        let mut texts: BTreeSet<_> =
            [ARGUMENTS, COMMANDS, OPTIONS, IMPORT, USAGE, DEFAULT, POSSIBLE_VALUES]
                .map(str::to_owned)
                .into();
        collect(&built(crate::Args::command()), &mut texts);
        texts.remove("");
        texts
    }

    #[test]
    fn each_text_is_translated_and_each_translation_is_used() {
        let texts = texts();
        assert!(texts.len() > 200, "only {} texts were found", texts.len());
        for language in Language::ALL.iter().copied() {
            let Some(po) = language.help_catalog() else { continue };
            let catalog = Catalog::read(po).expect("the catalog can be read");
            let missing: Vec<_> = texts.iter().filter(|text| catalog.get(text).is_none()).collect();
            assert!(missing.is_empty(), "{} does not translate {missing:#?}", language.tag());
            // Without the window, its commands are missing.
            let unused = catalog
                .texts()
                .filter(|(text, _)| cfg!(feature = "window") && !texts.contains(*text));
            let unused: Vec<_> = unused.map(|(text, _)| text).collect();
            assert!(
                unused.is_empty(),
                "{} translates what is not a text: {unused:#?}",
                language.tag()
            );
        }
    }

    #[test]
    fn help_is_in_the_language_of_the_locale() {
        let help = |locale, args: &[&str]| {
            let command = localized(crate::Args::command(), locale);
            let shown = command.try_get_matches_from(args).expect_err("help is shown");
            shown.to_string()
        };
        let english = help(None, &["walkable", "bake", "--help"]);
        assert_eq!(english, help(Some("en_US.UTF-8"), &["walkable", "bake", "--help"]));
        assert!(english.contains("Usage: walkable bake"), "{english}");
        let chinese = help(Some("zh_CN.UTF-8"), &["walkable", "bake", "--help"]);
        for part in ["用法: walkable bake", "选项:", "参数:", "--threads", "[默认值: "] {
            assert!(chinese.contains(part), "{part} is missing in {chinese}");
        }
        for word in ["Usage", "Options:", "Print", "default", "possible"] {
            assert!(!chinese.contains(word), "{word} is in {chinese}");
        }
        assert!(help(Some("zh_CN"), &["walkable", "help"]).contains("命令:"));
    }

    #[test]
    fn arguments_are_parsed_in_every_language() {
        for locale in [None, Some("zh_CN")] {
            let command = localized(crate::Args::command(), locale);
            let args = ["walkable", "bake", "a.obj", "-o", "a.bin", "--set", "cell_size=0.2"];
            let matches = command.try_get_matches_from(args).expect("the arguments are right");
            assert_eq!(matches.subcommand_name(), Some("bake"), "{locale:?}");
        }
    }
}
