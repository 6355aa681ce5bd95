use std::collections::{BTreeMap, BTreeSet};

use super::*;

#[test]
fn no_two_commands_share_a_shortcut() {
    let mut taken = BTreeMap::new();
    for command in listed() {
        if let Some(shortcut) = command.shortcut() {
            let other = taken.insert(shortcut, command.text());
            assert_eq!(other, None, "{shortcut} also means {}", command.text());
        }
    }
}

#[test]
fn listed_commands_have_unique_names_in_sentence_case() {
    let mut names = BTreeSet::new();
    for command in listed() {
        let text = command.text().into_owned();
        assert!(text.starts_with(|c: char| c.is_ascii_uppercase()), "{text}");
        assert!(!text.ends_with(['.', ':']), "{text}");
        assert!(!command.tooltip().is_empty(), "{text}");
        assert!(names.insert(text.clone()), "{text} is there twice");
    }
}

#[test]
fn every_command_has_an_id_of_its_own() {
    let mut ids = BTreeSet::new();
    for command in listed() {
        let id = command.id();
        assert!(id.chars().all(|c| c.is_ascii_lowercase() || "-.0123456789".contains(c)), "{id}");
        assert!(ids.insert(id.clone().into_owned()), "{id} is there twice");
    }
    assert_eq!(variant_id(Some(ExportKind::Gset)), "some-gset");
    assert_eq!(variant_id(ToolKind::Bounds), "bounds");
}

#[test]
fn the_keys_of_the_window_are_there() {
    let of = |command: Command| command.shortcut().map(|s| s.to_string());
    let cases = [
        (Command::from(ViewCommand::FrameSelected), "F"),
        (Command::from(ViewCommand::FrameAll), "Home"),
        (Command::from(ViewCommand::NextStage), "Right"),
        (Command::from(ViewCommand::PlayStages), "Space"),
        (Command::Undo, "Ctrl+Z"),
        (Command::Redo, "Ctrl+Shift+Z"),
        (Command::Palette, "Ctrl+K"),
        (Command::Export(ExportKind::NAVMESH), "Ctrl+E"),
        (Command::Back, "Esc"),
        (Command::from(ViewCommand::ToggleLevel), "H"),
        (Command::TogglePanels, "F11"),
        (Command::ChooseTool(ToolKind::Path), "2"),
    ];
    for (command, key) in cases {
        assert_eq!(of(command.clone()).as_deref(), Some(key), "{command:?}");
    }
}
