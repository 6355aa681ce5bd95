//! The window in another language.

use std::collections::BTreeSet;

use egui_kittest::kittest::NodeT as _;
use walkable::{
    bake::{AreaVolume, RawArea, VolumeShape},
    geom::Aabb,
};
use walkable_editor::{
    prefs::Prefs,
    session::{LevelSource, Named, SceneItem},
};
use walkable_workspace::lang::Language;

use super::*;
use crate::host::Host;

/// Texts that are the same in all languages: names of programs, formats, algorithms and keys, and names from the level.
const NAMES: &[&str] = &[
    "Walkable",
    "Sample",
    "RecastDemo",
    "Recast",
    "Detour",
    "Unreal",
    "Unity",
    "Godot",
    "Blender",
    "Maya",
    "Polyanya",
    "Dijkstra",
    "English",
    "Lazy",
    "Theta",
    "CSV",
    "JSON",
    "Ctrl",
    "Shift",
    "Alt",
    "Esc",
    "Del",
    "Enter",
    "Home",
    "Tab",
    "Space",
];

/// Lowercase words of Chinese texts: of the key "Page down", a setting, names of packages, and file extensions.
const WORDS_IN_CHINESE: &[&str] = &[
    "down",
    "refs",
    "bevy",
    "rerecast",
    "three",
    "recast",
    "navigation",
    "suite",
    "gltf",
    "gset",
    "json",
    "mesh",
    "repro",
    "tiles",
    "tres",
    "tscn",
];

/// Returns the program in Chinese on the small sample, baked, with the font in the program: a character that it lacks fails.
fn in_chinese() -> Harness<'static, App> {
    let prefs = Prefs { language: Some(Language::Chinese), ..Prefs::default() };
    let host = Host { find_font: |_| None, ..Host::without_folders() };
    let harness = Harness::builder().with_size(vec2(1440.0, 900.0)).with_max_steps(200);
    let mut harness =
        harness.wgpu().build_eframe(move |cc| App::with_prefs_on(cc, None, prefs, &host));
    settle(&mut harness);
    harness
}

/// Adds the texts that contain English words, except names from the level and its settings. In a Chinese text, words with
/// capitals are names.
fn collect_english(harness: &Harness<'_, App>, found: &mut BTreeSet<String>) {
    let session = harness.state().editor.session();
    let mut data = BTreeSet::new();
    let parts = session.opened.level.iter().flat_map(|level| level.mesh.parts());
    data.extend(parts.map(|part| format!("{} · {}", part.object, part.material)));
    let data_words: BTreeSet<&str> = data.iter().flat_map(|text| words(text)).collect();
    for text in harness.all_texts() {
        let is_chinese = text.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter));
        let is_english = |word: &str| {
            let is_lowercase = word.chars().all(|letter| letter.is_ascii_lowercase());
            let is_known = data_words.contains(word) || WORDS_IN_CHINESE.contains(&word);
            !is_chinese || is_lowercase && !is_known
        };
        let is_name = |word: &str| word.len() <= 3 || NAMES.contains(&word);
        let has_english = words(&text).any(|word| !is_name(word) && is_english(word));
        if has_english && !data.contains(&text) {
            found.insert(text);
        }
    }
}

/// Returns the words of `text` in Latin letters.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphabetic())
}

#[test]
fn the_whole_window_is_translated() {
    let mut harness = in_chinese();
    let mut english = BTreeSet::new();
    collect_english(&harness, &mut english);
    for pane in Pane::panels() {
        if !harness.state().panels_in_front().contains(&pane) {
            trigger(&mut harness, Command::ShowPanel(pane));
        }
        collect_english(&harness, &mut english);
    }
    for tool in ToolKind::ALL {
        trigger(&mut harness, Command::ChooseTool(*tool));
        collect_english(&harness, &mut english);
    }
    for stage in StageView::ALL {
        trigger(&mut harness, ViewCommand::Stage(stage).into());
        collect_english(&harness, &mut english);
    }
    for dialog in [Command::PictureDialog, Command::EditPrefs, Command::Palette] {
        trigger(&mut harness, dialog);
        collect_english(&harness, &mut english);
        trigger(&mut harness, Command::Back);
    }
    assert!(english.is_empty(), "{english:#?}");
}

#[test]
fn messages_follow_the_language() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = in_chinese();
    trigger(&mut harness, Command::Load(LevelSource::File(folder.path().join("gone.obj"))));
    trigger(&mut harness, Command::ShowPanel(Pane::Log));
    let own = ["无法打开 gone.obj", "已打开 Sample：564 个三角形"];
    let english = ["Cannot open gone.obj", "Opened Sample: 564 triangles"];
    let is_shown = |harness: &Harness<'_, App>, texts: [&str; 2]| {
        texts.map(|text| harness.n_texts_with(text) > 0)
    };
    assert_eq!([is_shown(&harness, own), is_shown(&harness, english)], [[true; 2], [false; 2]]);
    trigger(&mut harness, Command::Speak(Some(Language::English)));
    steps(&mut harness, 2);
    assert_eq!([is_shown(&harness, own), is_shown(&harness, english)], [[false; 2], [true; 2]]);
}

#[test]
fn names_of_undo_steps_follow_the_language() {
    let mut harness = in_chinese();
    let document = harness.state().editor.session().document().clone();
    let shape = VolumeShape::Box(Aabb::new(Vec3::ZERO, Vec3::ONE));
    let [pond, other] = [1, 2].map(|area| AreaVolume::new(RawArea(area), shape.clone()));
    let named = Named { name: "Pond".to_owned(), ..pond.into() };
    let volumes = Edit::Volumes(vec![named, other.into()]);
    trigger(&mut harness, Command::Change(phrase!("Add volume"), volumes));
    for number in [0, 1] {
        let item = SceneItem::Volume(number);
        trigger(&mut harness, SceneItemCommand::Select(Some(item)).into());
        trigger(&mut harness, SceneItemCommand::Duplicate.into());
    }
    let radius = Phrase::new("Radius", Vec::new()).within();
    let label = phrase!("Change {name}", name = radius);
    trigger(&mut harness, Command::Change(label, with_radius(&document.settings, 0.8)));
    trigger(&mut harness, Command::ResetSettings);
    trigger(&mut harness, Command::Undo);
    trigger(&mut harness, Command::ShowPanel(Pane::History));
    let chinese = ["重置设置", "更改半径", "复制pond", "复制体积 2", "添加体积"];
    let english =
        ["Reset settings", "Change radius", "Duplicate pond", "Duplicate volume 2", "Add volume"];
    let is_shown =
        |harness: &Harness<'_, App>, texts: [&str; 5]| texts.map(|text| harness.n_texts(text) > 0);
    let names = |harness: &Harness<'_, App>| {
        let history = &harness.state().editor.session().history;
        (history.undo_label().unwrap(), history.redo_label().unwrap())
    };
    assert_eq!([is_shown(&harness, chinese), is_shown(&harness, english)], [[true; 5], [false; 5]]);
    let (undo, redo) = names(&harness);
    trigger(&mut harness, Command::Speak(Some(Language::English)));
    steps(&mut harness, 2);
    assert_eq!([is_shown(&harness, chinese), is_shown(&harness, english)], [[false; 5], [true; 5]]);
    assert_ne!(names(&harness), (undo, redo));
    assert_ne!(*harness.state().editor.session().document(), document);
}

#[test]
fn the_language_changes_while_the_program_runs() {
    let mut harness = in_chinese();
    let file = |harness: &Harness<'_, App>| harness.by_id("menu.file").accesskit_node().label();
    assert_eq!(file(&harness).as_deref(), Some("文件"));
    trigger(&mut harness, Command::Speak(Some(Language::English)));
    steps(&mut harness, 2);
    assert_eq!(file(&harness).as_deref(), Some("File"));
    // Without a locale, the language of the system is English.
    trigger(&mut harness, Command::Speak(Some(Language::Chinese)));
    trigger(&mut harness, Command::Speak(None));
    steps(&mut harness, 2);
    assert_eq!(file(&harness).as_deref(), Some("File"));
}
