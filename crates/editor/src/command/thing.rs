//! Commands for the objects placed in the level.

use std::collections::BTreeSet;

use super::{
    Command, Effect, Key, Shortcut,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::{
    lang::tr,
    session::{
        ChosenThings, CopiedThings, GizmoMode, GizmoSettings, NewVolume, SavedPath, Session, Thing,
        ToolKind, remove,
    },
};

/// A command for objects placed in the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThingCommand {
    /// Selects this object alone, or nothing.
    Choose(Option<Thing>),
    /// Adds this object to the selection, or removes it.
    Toggle(Thing),
    /// Selects the objects in the list from the selected one to this one.
    ChooseUpTo(Thing),
    /// Selects all objects.
    ChooseAll,
    /// Removes the selected objects.
    Delete,
    /// Adds copies of the selected objects.
    Duplicate,
    /// Copies the selected objects to the clipboard.
    Copy,
    /// Copies the selected objects to the clipboard, and removes them.
    Cut,
    /// Sets the shape of the next volume.
    NextVolume(NewVolume),
    /// Activates the select tool, whose handles move, turn or scale the selected objects.
    Gizmo(GizmoMode),
    /// Switches whether objects snap to the grid when they are dragged.
    ToggleSnap,
    /// Sets the spacing of the grid to which objects snap.
    SnapStep(f32),
}

impl ThingCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        let all = [
            Self::ChooseAll,
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
            Self::Choose(Some(thing)) => says(
                format!("thing.choose.{}", variant_id(thing)),
                tr!("Select {}", lower_first(thing.kind_name())),
                tr!("Shows its properties"),
            ),
            Self::Toggle(thing) => says(
                format!("thing.choose-too.{}", variant_id(thing)),
                tr!("Add {} to the selection", lower_first(thing.kind_name())),
                tr!("Selects the object in addition to others, or deselects it"),
            ),
            Self::ChooseUpTo(thing) => says(
                format!("thing.choose-to.{}", variant_id(thing)),
                tr!("Select up to {}", lower_first(thing.kind_name())),
                tr!("Selects the objects in between, too"),
            ),
            Self::ChooseAll => says(
                "thing.choose-all",
                tr!("Select all objects"),
                tr!("Selects all volumes, off-mesh links, bake boxes, obstacles and places"),
            )
            .needs(|session| Thing::placed_in(session.document()).next().is_some())
            .key(Shortcut::ctrl('A')),
            Self::Choose(None) => says(
                "thing.choose-none",
                tr!("Clear selection"),
                tr!("Deselects the selected objects"),
            ),
            Self::Delete => {
                says("thing.delete", tr!("Delete"), tr!("Removes the selected objects"))
                    .needs(|session| session.thing().is_some())
                    .key(Shortcut::plain(Key::Delete))
            }
            Self::Duplicate => says(
                "thing.duplicate",
                tr!("Duplicate"),
                tr!("Adds copies of the selected objects beside them"),
            )
            .needs(|session| session.thing().is_some())
            .key(Shortcut::ctrl('D')),
            Self::Copy => says(
                "thing.copy",
                tr!("Copy"),
                tr!("Copies the selected objects to the clipboard, also for other projects"),
            )
            .needs(|session| session.thing().is_some())
            .key(Shortcut::ctrl('C')),
            Self::Cut => says(
                "thing.cut",
                tr!("Cut"),
                tr!("Copies the selected objects to the clipboard and removes them"),
            )
            .needs(|session| session.thing().is_some())
            .key(Shortcut::ctrl('X')),
            Self::Gizmo(mode) => {
                says(format!("thing.gizmo.{}", variant_id(mode)), mode.command(), mode.tooltip())
                    .key(Shortcut::plain(Key::Char(mode.key())))
            }
            Self::ToggleSnap => says(
                "thing.toggle-snap",
                tr!("Snap to grid"),
                tr!(
                    "Objects that are dragged snap to the grid, angles to 15°, sizes to tenths; Ctrl does the opposite"
                ),
            ),
            Self::SnapStep(_) => says(
                "thing.snap-step",
                tr!("Grid spacing"),
                tr!("Spacing of the grid to which objects snap"),
            ),
            Self::NextVolume(new) => {
                let kind = lower_first(new.kind.name());
                says(
                    format!("thing.next-volume.{}", variant_id(new.kind)),
                    tr!("Draw volumes as {kind}"),
                    tr!("Sets the shape of the next volume"),
                )
            }
        }
    }
}

impl From<ThingCommand> for Command {
    fn from(command: ThingCommand) -> Self {
        Self::Thing(command)
    }
}

impl ThingCommand {
    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session) -> Option<Effect> {
        let chosen = session.things();
        match self {
            Self::NextVolume(new) => session.new_volume = new,
            Self::Gizmo(mode) => (session.gizmo.mode, session.tool) = (mode, ToolKind::Select),
            Self::ToggleSnap => session.gizmo.snaps = !session.gizmo.snaps,
            Self::SnapStep(step) => {
                session.gizmo = GizmoSettings { step, ..session.gizmo }.limited();
            }
            Self::Choose(thing) => {
                (session.selection, session.chosen_things) = (None, thing.into());
                take_path(session);
            }
            Self::Toggle(thing) => {
                session.selection = None;
                session.chosen_things.toggle(thing);
            }
            Self::ChooseUpTo(thing) => {
                session.selection = None;
                session.chosen_things.extend_to(thing);
            }
            Self::ChooseAll => {
                session.selection = None;
                session.chosen_things = Thing::placed_in(session.document()).collect();
            }
            Self::Delete => {
                let label = label(session, &chosen, |name| tr!("Delete {name}"));
                delete(session, &chosen, label);
            }
            Self::Duplicate => {
                let label = label(session, &chosen, |name| tr!("Duplicate {name}"));
                let copied = CopiedThings::of(session.document(), &chosen);
                add(session, label, copied);
            }
            Self::Copy => return copy(session, &chosen),
            Self::Cut => {
                let effect = copy(session, &chosen)?;
                let label = label(session, &chosen, |name| tr!("Cut {name}"));
                delete(session, &chosen, label);
                return Some(effect);
            }
        }
        None
    }
}

/// The label of a change of `things`.
fn label(
    session: &Session,
    things: &BTreeSet<Thing>,
    with_name: impl Fn(String) -> String,
) -> String {
    let name = match things.first() {
        Some(thing) if things.len() == 1 => lower_first(&thing.name(session.document())),
        _ => tr!("{} objects", things.len()),
    };
    with_name(name)
}

fn delete(session: &mut Session, things: &BTreeSet<Thing>, label: String) {
    session.history.change(label, |document| remove(document, things));
    session.chosen_things = ChosenThings::default();
}

fn copy(session: &Session, things: &BTreeSet<Thing>) -> Option<Effect> {
    if things.is_empty() {
        return None;
    }
    // Numbers of a document are finite, so this does not fail.
    CopiedThings::of(session.document(), things).to_text().ok().map(Effect::Copy)
}

/// Adds copied objects, and selects them.
pub(crate) fn add(session: &mut Session, label: String, copied: CopiedThings) {
    let mut added = Vec::new();
    session.history.change(label, |document| added = copied.add_to(document));
    if !added.is_empty() {
        (session.selection, session.chosen_things) = (None, added.into_iter().collect());
    }
}

/// Shows the selected object's path, if it is one.
fn take_path(session: &mut Session) {
    let Some(Thing::Path(number)) = session.thing() else { return };
    if let Some(SavedPath { start, end }) = session.document().paths.get(number).map(|it| it.of) {
        (session.path.start, session.path.end) = (Some(start), Some(end));
        session.update_path();
    }
}
