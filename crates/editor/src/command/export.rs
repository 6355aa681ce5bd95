//! The files that can be written.

use super::{
    Shortcut,
    describe::{Description, says, variant_id},
};
use crate::{session::Session, table::table};

struct Row {
    /// Ending of the file's name.
    ending: &'static str,
    /// Title of the dialog.
    title: &'static str,
    /// What it is called in menus.
    entry: &'static str,
    /// What it writes.
    tooltip: &'static str,
    /// Where it is offered.
    offered: Offered,
    /// Whether there is something to write.
    is_ready: fn(&Session) -> bool,
}

/// Where an export is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offered {
    /// In the File menu, the palette and by keys.
    Everywhere,
    /// Where it is needed, by a control of its own.
    Apart,
}

table! {
    /// What can be written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ExportKind of Row {
        /// RecastDemo's tile set.
        Navmesh {
            ending: "bin",
            title: "Export navmesh",
            entry: "Export navmesh…",
            tooltip: "Writes tiles that Detour loads (.bin)",
            offered: Offered::Everywhere,
            is_ready: |session| session.bake.navmesh.is_some(),
        }
        /// The navmesh's triangles.
        Obj {
            ending: "obj",
            title: "Export navmesh as OBJ",
            entry: "Export navmesh as OBJ…",
            tooltip: "Writes the navmesh's triangles (.obj)",
            offered: Offered::Everywhere,
            is_ready: |session| session.bake.navmesh.is_some(),
        }
        /// RecastDemo's set of layers.
        Layers {
            ending: "bin",
            title: "Export layers",
            entry: "Export layers…",
            tooltip: "Writes the layers from which a game makes tiles around obstacles (.bin)",
            offered: Offered::Everywhere,
            is_ready: |session| session.bake.layered().is_some(),
        }
        /// Counts, times and warnings.
        Report {
            ending: "json",
            title: "Export bake report",
            entry: "Export bake report…",
            tooltip: "Writes counts, times and warnings of each tile (.json)",
            offered: Offered::Everywhere,
            is_ready: |session| !session.bake.tiles.is_empty(),
        }
        /// Settings, volumes and links, as `walkable bake --settings` reads them.
        Settings {
            ending: "cfg",
            title: "Export settings",
            entry: "Export settings…",
            tooltip: "Writes settings, volumes and links (.cfg), for the command line",
            offered: Offered::Everywhere,
            is_ready: |_| true,
        }
        /// RecastDemo's scene.
        Gset {
            ending: "gset",
            title: "Export a scene of RecastDemo",
            entry: "Export RecastDemo scene…",
            tooltip: "Writes what RecastDemo knows of it (.gset), and says what is lost",
            offered: Offered::Everywhere,
            is_ready: |session| session.level.is_some(),
        }
        /// The project file.
        Project {
            ending: crate::project::ENDING,
            title: "Save project",
            entry: "Save project…",
            tooltip: "Writes the project",
            offered: Offered::Apart,
            is_ready: |session| session.level.is_some(),
        }
        /// The lab's table.
        Lab {
            ending: "csv",
            title: "Export the lab's table",
            entry: "Export the lab's table…",
            tooltip: "Writes lengths, nodes and times (.csv)",
            offered: Offered::Apart,
            is_ready: |session| !session.lab.rows.is_empty(),
        }
    }
}

impl ExportKind {
    /// Ending of the file's name.
    pub const fn ending(self) -> &'static str {
        self.row().ending
    }

    /// Title of the dialog.
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    pub(super) fn description(self) -> Description {
        let Row { entry, tooltip, is_ready, .. } = self.row();
        let description = says(format!("file.export.{}", variant_id(self)), entry, tooltip);
        let description = description.needs(is_ready);
        if self == Self::Navmesh { description.key(Shortcut::ctrl('E')) } else { description }
    }

    /// Those that menus and the palette offer.
    pub fn offered() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.row().offered == Offered::Everywhere)
    }

    /// Whether `session` has something to write.
    pub fn is_ready(self, session: &Session) -> bool {
        (self.row().is_ready)(session)
    }
}
