//! Commands for the objects placed in the level.

use std::collections::BTreeSet;

use walkable::{diagnostic::Phrase, phrase};
use walkable_workspace::lang::tr;

use super::{
    Command, Effect,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::{
    prefs::Prefs,
    session::{
        CopiedItems, GizmoMode, GizmoSettings, NewVolume, SavedPath, SceneItem, SelectedItems,
        Session, ToolKind, item_names, remove,
    },
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SceneItemCommand {
    /// Selects this object alone, or nothing.
    Select(Option<SceneItem>),
    Toggle(SceneItem),
    /// Selects the objects in the list from the selected one to this one.
    SelectUpTo(SceneItem),
    SelectAll,
    Delete,
    Duplicate,
    Copy,
    /// Copies the selected objects to the clipboard, and removes them.
    Cut,
    NextVolume(NewVolume),
    /// Activates the select tool, whose handles move, turn or scale the selected objects.
    Gizmo(GizmoMode),
    ToggleSnap,
    SnapStep(f32),
}

impl SceneItemCommand {
    pub(super) fn listed() -> Vec<Command> {
        let all = [
            Self::SelectAll,
            Self::Delete,
            Self::Duplicate,
            Self::Copy,
            Self::Cut,
            Self::ToggleSnap,
        ];
        let modes = GizmoMode::ALL.iter().copied().map(Self::Gizmo);
        all.into_iter().chain(modes).map(Command::from).collect()
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    pub(super) fn description(self) -> Description {
        match self {
            Self::Select(Some(item)) => says(
                format!("object.select.{}", variant_id(item)),
                tr!("Select {}", lower_first(item.kind_name())),
                tr!("Shows its properties"),
            ),
            Self::Toggle(item) => says(
                format!("object.toggle.{}", variant_id(item)),
                tr!("Add {} to the selection", lower_first(item.kind_name())),
                tr!("Selects the object in addition to others, or deselects it"),
            ),
            Self::SelectUpTo(item) => says(
                format!("object.select-up-to.{}", variant_id(item)),
                tr!("Select up to {}", lower_first(item.kind_name())),
                tr!("Selects the objects in between, too"),
            ),
            Self::SelectAll => says(
                "object.select-all",
                tr!("Select all objects"),
                tr!("Selects all volumes, off-mesh links, bake boxes, obstacles and places"),
            )
            .needs(
                |session| SceneItem::placed_in(session.document()).next().is_some(),
                tr!("Add an object first, for example a volume."),
            )
            .key(Shortcut::ctrl('A')),
            Self::Select(None) => says(
                "object.deselect",
                tr!("Clear selection"),
                tr!("Deselects the selected objects"),
            ),
            Self::Delete => {
                says("object.delete", tr!("Delete"), tr!("Removes the selected objects"))
                    .needs(|session| session.item().is_some(), tr!("Select an object first."))
                    .key(Shortcut::plain(Key::Delete))
            }
            Self::Duplicate => says(
                "object.duplicate",
                tr!("Duplicate"),
                tr!("Adds copies of the selected objects beside them"),
            )
            .needs(|session| session.item().is_some(), tr!("Select an object first."))
            .key(Shortcut::ctrl('D')),
            Self::Copy => says(
                "object.copy",
                tr!("Copy"),
                tr!("Copies the selected objects to the clipboard, also for other projects"),
            )
            .needs(|session| session.item().is_some(), tr!("Select an object first."))
            .key(Shortcut::ctrl('C')),
            Self::Cut => says(
                "object.cut",
                tr!("Cut"),
                tr!("Copies the selected objects to the clipboard and removes them"),
            )
            .needs(|session| session.item().is_some(), tr!("Select an object first."))
            .key(Shortcut::ctrl('X')),
            Self::Gizmo(mode) => {
                says(format!("object.gizmo.{}", variant_id(mode)), mode.command(), mode.tooltip())
                    .key(Shortcut::plain(Key::Char(mode.key())))
            }
            Self::ToggleSnap => says(
                "object.toggle-snap",
                tr!("Snap to grid"),
                tr!(
                    "Objects that are dragged snap to the grid, angles to 15°, sizes to tenths; Ctrl does the opposite"
                ),
            ),
            Self::SnapStep(_) => says(
                "object.snap-step",
                tr!("Grid spacing"),
                tr!("Spacing of the grid to which objects snap"),
            ),
            Self::NextVolume(new) => {
                let kind = lower_first(new.kind.name());
                says(
                    format!("object.next-volume.{}", variant_id(new.kind)),
                    tr!("Draw volumes as {kind}"),
                    tr!("Sets the shape of the next volume"),
                )
            }
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session, prefs: &mut Prefs) -> Option<Effect> {
        let selected = session.items();
        match self {
            Self::NextVolume(new) => session.tools.new_volume = new,
            Self::Gizmo(mode) => {
                (session.tools.gizmo.mode, session.tools.tool) = (mode, ToolKind::Select);
            }
            Self::ToggleSnap => session.tools.gizmo.snaps = !session.tools.gizmo.snaps,
            Self::SnapStep(step) => {
                session.tools.gizmo = GizmoSettings { step, ..session.tools.gizmo }.limited();
            }
            Self::Select(item) => {
                (session.tools.selection, session.tools.selected_items) = (None, item.into());
                take_path(session);
            }
            Self::Toggle(item) => {
                session.tools.selection = None;
                session.tools.selected_items.toggle(item);
            }
            Self::SelectUpTo(item) => {
                session.tools.selection = None;
                session.tools.selected_items.extend_to(item);
            }
            Self::SelectAll => {
                session.tools.selection = None;
                session.tools.selected_items = SceneItem::placed_in(session.document()).collect();
            }
            Self::Delete => {
                let name = item_names(session.document(), &selected);
                delete(session, &selected, phrase!("Delete {name}", name));
            }
            Self::Duplicate => {
                let name = item_names(session.document(), &selected);
                let copied = CopiedItems::of(session.document(), &selected);
                add(session, phrase!("Duplicate {name}", name), copied);
            }
            Self::Copy => return copy(session, &selected),
            Self::Cut => {
                let effect = copy(session, &selected)?;
                let name = item_names(session.document(), &selected);
                delete(session, &selected, phrase!("Cut {name}", name));
                return Some(effect);
            }
        }
        prefs.gizmo = session.tools.gizmo;
        None
    }
}

fn delete(session: &mut Session, items: &BTreeSet<SceneItem>, label: Phrase) {
    session.history.change(label, |document| remove(document, items));
    session.tools.selected_items = SelectedItems::default();
}

fn copy(session: &Session, items: &BTreeSet<SceneItem>) -> Option<Effect> {
    if items.is_empty() {
        return None;
    }
    // Numbers of a document are finite, so this does not fail.
    CopiedItems::of(session.document(), items).to_text().ok().map(Effect::Copy)
}

pub(crate) fn add(session: &mut Session, label: Phrase, copied: CopiedItems) {
    let mut added = Vec::new();
    session.history.change(label, |document| added = copied.add_to(document));
    if !added.is_empty() {
        (session.tools.selection, session.tools.selected_items) =
            (None, added.into_iter().collect());
    }
}

/// Shows the path of the selected object, if that is a saved path.
fn take_path(session: &mut Session) {
    let Some(SceneItem::Path(number)) = session.item() else { return };
    if let Some(SavedPath { start, end }) = session.document().paths.get(number).map(|it| it.of) {
        (session.path.start, session.path.end) = (Some(start), Some(end));
        session.update_path();
    }
}
