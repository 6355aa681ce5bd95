//! Commands for layouts of the panels.

use walkable_workspace::lang::tr;

use super::{
    Command, Effect,
    describe::{Description, says},
};
use crate::prefs::Prefs;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutCommand {
    Edit,
    Show(Option<String>),
    Reset,
    Save {
        name: String,
        /// The panels, in a format that only the window knows.
        panels: String,
    },
    Rename {
        old: String,
        new: String,
    },
    Delete(String),
}

impl LayoutCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Edit, Self::Show(None), Self::Reset].map(Command::from).to_vec()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Edit => says(
                "window.layouts",
                tr!("Layouts…"),
                tr!("Saves the current layout of the panels, and lists the saved ones"),
            ),
            Self::Show(None) => says(
                "window.layout.default",
                tr!("Default layout"),
                tr!("Shows the panels where they are in the beginning"),
            ),
            Self::Show(Some(name)) => says(
                format!("window.layout.own.{name}"),
                tr!("Layout: {name}"),
                tr!("Shows the panels as they were saved"),
            ),
            Self::Reset => says(
                "window.reset-layout",
                tr!("Reset layout"),
                tr!("Restores the layout of the panels that was chosen last"),
            ),
            Self::Save { name, .. } => says(
                "window.layout.save",
                tr!("Save layout {name}"),
                tr!("Saves the current layout of the panels"),
            ),
            Self::Rename { old, .. } => says(
                "window.layout.rename",
                tr!("Rename layout {old}"),
                tr!("Gives the layout another name"),
            ),
            Self::Delete(name) => says(
                format!("window.layout.delete.{name}"),
                tr!("Delete layout {name}"),
                tr!("Deletes the saved layout; the panels stay as they are"),
            ),
        }
    }

    pub(crate) fn carry_out(self, prefs: &mut Prefs) -> Option<Effect> {
        match self {
            Self::Edit => return Some(Effect::EditLayouts),
            Self::Show(name) => {
                prefs.layouts.choose(name);
                return Some(show_chosen(prefs));
            }
            Self::Reset => return Some(show_chosen(prefs)),
            Self::Save { name, panels } => prefs.layouts.save(&name, panels),
            Self::Rename { old, new } => prefs.layouts.rename(&old, &new),
            Self::Delete(name) => prefs.layouts.delete(&name),
        }
        None
    }
}

fn show_chosen(prefs: &mut Prefs) -> Effect {
    prefs.panels = true;
    Effect::ShowLayout(prefs.layouts.chosen().map(|layout| layout.panels.clone()))
}
