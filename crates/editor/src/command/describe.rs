//! The name, description and shortcut of each command.

use std::{borrow::Cow, fmt};

use walkable::bake::BakeSettings;
use walkable_workspace::{
    format,
    lang::{self, Language, tr},
    presets::PRESETS,
    units::Units,
};

use crate::{
    command::{Command, Pane},
    jobs::AutoSaveRule,
    session::{ExportKind, LevelSource, Session, ToolKind},
    shortcut::{Key, Shortcut},
};

pub(super) struct Description {
    id: Cow<'static, str>,
    text: Cow<'static, str>,
    tooltip: Cow<'static, str>,
    shortcut: Option<Shortcut>,
    second_shortcut: Option<Shortcut>,
    needs: fn(&Session) -> bool,
    before: &'static str,
}

/// Creates a description without a shortcut and without a precondition. `id` is never translated, because preferences
/// store shortcuts by it, and tests find controls by it.
pub(super) fn says(
    id: impl Into<Cow<'static, str>>,
    text: impl Into<Cow<'static, str>>,
    tooltip: impl Into<Cow<'static, str>>,
) -> Description {
    let (id, text, tooltip) = (id.into(), text.into(), tooltip.into());
    let (shortcut, second_shortcut) = (None, None);
    Description { id, text, tooltip, shortcut, second_shortcut, needs: |_| true, before: "" }
}

impl Description {
    pub(super) fn key(self, shortcut: Shortcut) -> Self {
        Self { shortcut: Some(shortcut), ..self }
    }

    /// Sets a second default shortcut, which users know from other programs.
    pub(super) fn second_key(self, shortcut: Shortcut) -> Self {
        Self { second_shortcut: Some(shortcut), ..self }
    }

    /// Sets the precondition, without which the command has no effect, and what the user has to do to meet it.
    pub(super) fn needs(self, needs: fn(&Session) -> bool, before: &'static str) -> Self {
        Self { needs, before, ..self }
    }
}

/// Returns the name of a variant as an id: `BoxTree` becomes `box-tree`.
pub fn variant_id(variant: impl fmt::Debug) -> String {
    let mut id = String::new();
    for letter in format!("{variant:?}").chars() {
        if !letter.is_ascii_alphanumeric() || letter.is_ascii_uppercase() {
            let is_inside = !id.is_empty() && !id.ends_with('-');
            id.extend(is_inside.then_some('-'));
        }
        id.extend(letter.is_ascii_alphanumeric().then(|| letter.to_ascii_lowercase()));
    }
    id.truncate(id.trim_end_matches('-').len());
    id
}

impl Command {
    pub fn id(&self) -> Cow<'static, str> {
        self.description().id
    }

    pub fn is_ready(&self, session: &Session) -> bool {
        self.before(session).is_none()
    }

    /// Returns what the user has to do before the command has an effect; `None` if it has one in `session`.
    pub fn before(&self, session: &Session) -> Option<&'static str> {
        let description = self.description();
        (!(description.needs)(session)).then_some(description.before)
    }

    /// Returns the name in menus and in the palette; it ends in `…` if the command asks for more input.
    pub fn text(&self) -> Cow<'static, str> {
        self.description().text
    }

    pub fn tooltip(&self) -> Cow<'static, str> {
        self.description().tooltip
    }

    pub fn shortcut(&self) -> Option<Shortcut> {
        self.description().shortcut
    }

    pub(super) fn second_shortcut(&self) -> Option<Shortcut> {
        self.description().second_shortcut
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    fn description(&self) -> Description {
        match self {
            Self::Load(source) => load_description(source),
            Self::CloseLevel => says(
                "file.close-level",
                tr!("Close level"),
                tr!("Closes the level and shows the start page"),
            )
            .needs(|session| !session.is_empty(), tr!("Open a level first."))
            .key(Shortcut::ctrl('W')),
            Self::RecoverWork => says(
                "file.recover-work",
                tr!("Unsaved work…"),
                tr!("Lists unsaved work of earlier runs that crashed"),
            ),
            Self::DiscardWork(path) => says(
                "file.discard-work",
                tr!("Delete {}", path.display()),
                tr!("Deletes unsaved work of an earlier run"),
            ),
            Self::Save => says(
                "file.save",
                tr!("Save"),
                tr!("Writes the project: level, settings and all objects"),
            )
            .needs(|session| session.opened.level.is_some(), tr!("Open a level first."))
            .key(Shortcut::ctrl('S')),
            Self::SaveAs => {
                says("file.save-as", tr!("Save as…"), tr!("Writes the project to another file"))
                    .needs(|session| session.opened.level.is_some(), tr!("Open a level first."))
                    .key(Shortcut::ctrl('S').with_shift())
            }
            Self::ImportOptions => says(
                "file.import-options",
                tr!("Import options…"),
                tr!("Up axis, scale, handedness and winding of the open level"),
            )
            .needs(
                Session::has_import_options,
                tr!("Open a level from a file with import options first, such as OBJ or glTF."),
            ),
            Self::Export(kind) => export_description(*kind),
            Self::CopyLink(kind) => copy_link_description(*kind),
            Self::ExportDialog => says(
                "file.export",
                tr!("Export…"),
                tr!("Chooses the format of an export, and shows what it keeps and loses"),
            )
            .needs(
                |session| ExportKind::offered().any(|kind| kind.is_ready(session)),
                tr!("Open a level first."),
            )
            .key(Shortcut::ctrl('E').with_shift()),
            Self::StopExport => says(
                "file.stop-export",
                tr!("Stop export"),
                tr!("Stops the export of all tiles. Nothing is written"),
            )
            .needs(|session| session.opened.store_export.is_some(), tr!("No export is running.")),
            Self::PictureDialog => says(
                "file.picture",
                tr!("Save picture…"),
                tr!("Saves a picture of the 3D view, with its legend and a scale bar if wanted"),
            )
            .needs(|session| !session.is_empty(), tr!("Open a level first.")),
            Self::SavePicture(_) => says(
                "file.save-picture",
                tr!("Save picture"),
                tr!("Asks for the file of the picture"),
            ),
            Self::ExportTo(kind, path) => says(
                format!("file.export-to.{}", variant_id(kind)),
                tr!("Write {}", path.display()),
                export_description(*kind).tooltip,
            ),
            Self::Replace(kind, path) => says(
                format!("file.replace.{}", variant_id(kind)),
                tr!("Replace {}", path.display()),
                export_description(*kind).tooltip,
            ),
            Self::Quit => {
                says("file.quit", tr!("Quit"), tr!("Ends the program")).key(Shortcut::ctrl('Q'))
            }
            Self::Open => says(
                "file.open",
                tr!("Open…"),
                tr!("Opens a project, a level, a navmesh, settings or a benchmark map"),
            )
            .key(Shortcut::ctrl('O')),
            Self::Undo => says("edit.undo", tr!("Undo"), tr!("Undoes the last change"))
                .needs(|session| session.history.can_undo(), tr!("There is nothing to undo."))
                .key(Shortcut::ctrl('Z')),
            Self::Redo => {
                says("edit.redo", tr!("Redo"), tr!("Redoes the change that was undone last"))
                    .needs(|session| session.history.can_redo(), tr!("There is nothing to redo."))
                    .key(Shortcut::ctrl('Z').with_shift())
                    .second_key(Shortcut::ctrl('Y'))
            }
            Self::ResetSettings => says(
                "settings.reset",
                tr!("Reset settings"),
                tr!("Sets all bake settings to their defaults"),
            )
            .needs(
                |session| session.document().settings != BakeSettings::default(),
                tr!("All settings have their defaults."),
            ),
            Self::UsePreset(number) => {
                let preset = PRESETS.get(*number);
                says(
                    format!("settings.preset.{}", preset.map_or("", |preset| preset.key)),
                    tr!("Use preset {}", preset.map_or("", |preset| tr(preset.name))),
                    preset.map_or(String::new(), |preset| format::converted(tr(preset.what))),
                )
            }
            Self::Bake => says("bake.start", tr!("Bake"), tr!("Bakes all tiles again"))
                .needs(|session| session.opened.level.is_some(), tr!("Open a level first."))
                .key(Shortcut::ctrl('B')),
            Self::CancelBake => says(
                "bake.cancel",
                tr!("Stop baking"),
                tr!("Stops the bake and keeps the tiles that are done"),
            )
            .needs(|session| session.bake.progress.is_some(), tr!("No bake is running.")),
            Self::LimitMemory(n) => says(
                format!("bake.limit-memory.{n}"),
                tr!("Bakes may take {n} GB"),
                tr!("Does not start bakes that need more memory"),
            ),
            Self::LimitTime(n) => says(
                format!("bake.limit-time.{n}"),
                tr!("Bakes may take {n} h"),
                tr!("Does not start bakes that take longer"),
            ),
            Self::ToggleAutoBake => says(
                "bake.toggle-auto",
                tr!("Bake after each change"),
                tr!("Bakes automatically when something changes"),
            ),
            Self::ToggleTileCache => says(
                "bake.toggle-cache",
                tr!("Cache baked tiles"),
                tr!(
                    "Stores tiles on disk, at most 4 GiB, and reads them in later bakes instead of \
                    baking them. Only tiles far from the camera, whose stages are not kept in memory"
                ),
            ),
            Self::ToggleAutoSave => says(
                "file.toggle-auto-save",
                tr!("Autosave"),
                tr!(
                    "Writes unsaved work to a recovery file. Without it, unsaved work is lost if the \
                    program ends unexpectedly"
                ),
            ),
            Self::SetAutoSave(seconds) => says(
                format!("file.auto-save.{seconds}"),
                AutoSaveRule::interval_text(*seconds),
                tr!("Sets the minimum time between two autosaves"),
            ),
            Self::Begin(label) | Self::Change(label, _) => {
                says("edit.change", lang::phrase(label), tr!("Changes the document"))
            }
            Self::Abort => says(
                "edit.abort",
                tr!("Cancel the change"),
                tr!("Restores the state before the drag"),
            ),
            Self::Apply(_) | Self::Commit | Self::PasteItems(_) => {
                says("edit.apply", tr!("Change"), tr!("Changes the document"))
            }
            Self::TogglePanels => says(
                "window.toggle-panels",
                tr!("Focus layout"),
                tr!("Hides the panels, so that the 3D view is alone; again shows them"),
            )
            .key(Shortcut::plain(Key::Function(11))),
            Self::ShowPanel(pane) => panel_description(*pane),
            Self::ToggleTheme => says(
                "window.toggle-theme",
                tr!("Light theme"),
                tr!("Switches between the dark and the light theme"),
            ),
            Self::Speak(language) => language_description(*language),
            Self::SetUnits(units) => units_description(*units),
            Self::ZoomIn => {
                says("window.zoom-in", tr!("Larger text"), tr!("Makes everything larger"))
                    .key(Shortcut::ctrl('+'))
            }
            Self::ZoomOut => {
                says("window.zoom-out", tr!("Smaller text"), tr!("Makes everything smaller"))
                    .key(Shortcut::ctrl('-'))
            }
            Self::ZoomReset => says(
                "window.zoom-reset",
                tr!("Default text size"),
                tr!("Restores the size of everything"),
            )
            .key(Shortcut::ctrl('0')),
            Self::Zoom(percent) => says(
                format!("window.zoom.{percent}"),
                tr!("Text size {percent} %"),
                tr!("Sets the size of everything"),
            ),
            Self::Navigate(navigation) => says(
                format!("window.navigation.{}", variant_id(navigation)),
                tr!("Navigate as in {}", navigation.name()),
                tr!("Sets the mouse buttons and keys that move the camera"),
            ),
            Self::ReadGuide => {
                says("window.guide", tr!("Guide"), tr!("Explains the program step by step"))
                    .key(Shortcut::plain(Key::Function(1)))
            }
            Self::About => says(
                "window.about",
                tr!("About Walkable…"),
                tr!("Shows the version, what it was built from, and the graphics device"),
            ),
            Self::EditPrefs => says(
                "window.preferences",
                tr!("Preferences…"),
                tr!("Shows appearance, navigation, bake limits, memory and keyboard shortcuts"),
            )
            .key(Shortcut::ctrl(',')),
            Self::MenuBar => says(
                "window.menu-bar",
                tr!("Menu bar"),
                tr!("Opens the first menu; arrow keys move between menus and entries"),
            )
            .key(Shortcut::plain(Key::Function(10))),
            Self::SetMemory(_) => says(
                "window.memory",
                tr!("Memory budget"),
                tr!("Limits the memory for stages and renderings of tiles"),
            ),
            Self::Back => says("window.back", tr!("Back"), tr!("Goes back one step"))
                .key(Shortcut::plain(Key::Escape)),
            Self::Palette => {
                says("window.palette", tr!("Commands…"), tr!("Finds a command by its name"))
                    .key(Shortcut::ctrl('K'))
            }
            Self::ChooseTool(kind) => tool_kind_description(*kind),
            Self::Hover(_) | Self::Select(_) => {
                says("select", tr!("Select"), tr!("Selects the place under the cursor"))
            }
            Self::Group(group) => group.description(),
        }
    }
}

fn units_description(units: Units) -> Description {
    says(
        format!("window.units.{}", variant_id(units)),
        tr!("Units: {}", tr(units.name())),
        tr!("Sets the unit of lengths in the window; files and command line use meters"),
    )
}

fn language_description(language: Option<Language>) -> Description {
    let (id, name) = match language {
        Some(language) => (variant_id(language), tr!("Language: {}", language.name())),
        None => ("system".to_owned(), tr!("Language of the system").to_owned()),
    };
    says(format!("window.language.{id}"), name, tr!("Sets the language of the window"))
}

fn load_description(source: &LevelSource) -> Description {
    match source {
        LevelSource::File(path) => {
            says("file.load", tr!("Open {}", source.name()), tr!("Opens {}", path.display()))
        }
        LevelSource::Builtin(id) => {
            let name = source.name();
            says(
                format!("file.load.{id}"),
                tr!("Open sample: {name}"),
                tr!("Opens one of the built-in levels"),
            )
        }
    }
}

fn export_description(kind: ExportKind) -> Description {
    let [entry, tooltip] = kind.entry();
    let description = says(format!("file.export.{}", variant_id(kind)), entry, tooltip);
    let description = description.needs(kind.needs(), kind.before());
    if kind == ExportKind::NAVMESH { description.key(Shortcut::ctrl('E')) } else { description }
}

fn copy_link_description(kind: ExportKind) -> Description {
    let name = lower_first(kind.name());
    says(
        format!("file.copy-link.{}", variant_id(kind)),
        tr!("Copy link to {name}"),
        tr!("Copies a link to this page that contains the repro file"),
    )
    .needs(kind.needs(), kind.before())
}

fn panel_description(pane: Pane) -> Description {
    says(format!("window.panel.{}", variant_id(pane)), tr!("{} panel", pane.name()), pane.tooltip())
}

fn tool_kind_description(kind: ToolKind) -> Description {
    says(format!("tool.{}", variant_id(kind)), kind.name(), kind.tooltip())
        .key(Shortcut::plain(Key::Char(kind.key())))
}

/// Returns `label` with a lower-case first letter, for use within a sentence.
pub fn lower_first(label: &str) -> String {
    let mut chars = label.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
