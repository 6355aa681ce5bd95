//! The kinds of files that can be exported.

use super::Session;
use crate::table::table;

struct Row {
    /// File extension.
    ending: &'static str,
    /// Title of the file dialog.
    title: &'static str,
    /// Name of the command in menus.
    entry: &'static str,
    /// Tooltip of the command.
    tooltip: &'static str,
    /// Where the user can choose the export.
    offered: Offered,
    /// Whether the session has something to export.
    is_ready: fn(&Session) -> bool,
}

/// Where the user can choose an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offered {
    /// In the File menu, the palette and by keys.
    Everywhere,
    /// Only in the panel that it belongs to.
    Apart,
}

table! {
    /// A kind of file that can be exported.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ExportKind of Row {
        /// Baked tiles in RecastDemo's format (MSET).
        Navmesh {
            ending: "bin",
            title: "Export navmesh",
            entry: "Export navmesh…",
            tooltip: "Writes tiles that Detour loads (.bin)",
            offered: Offered::Everywhere,
            is_ready: |session| session.bake.navmesh.is_some(),
        }
        /// The triangles of the navmesh as Wavefront OBJ.
        Obj {
            ending: "obj",
            title: "Export navmesh as OBJ",
            entry: "Export navmesh as OBJ…",
            tooltip: "Writes the navmesh's triangles (.obj)",
            offered: Offered::Everywhere,
            is_ready: |session| session.bake.navmesh.is_some(),
        }
        /// Tile cache layers in RecastDemo's format (TSET).
        Layers {
            ending: "bin",
            title: "Export layers",
            entry: "Export layers…",
            tooltip: "Writes tile cache layers, from which games bake tiles with obstacles (.bin)",
            offered: Offered::Everywhere,
            is_ready: |session| session.bake.layered().is_some(),
        }
        /// A report with counts, times and warnings.
        Report {
            ending: "json",
            title: "Export bake report",
            entry: "Export bake report…",
            tooltip: "Writes counts, times and warnings of each tile (.json)",
            offered: Offered::Everywhere,
            is_ready: |session| !session.bake.tiles.is_empty(),
        }
        /// Settings, volumes and off-mesh links, as `walkable bake --settings` reads them.
        Settings {
            ending: "cfg",
            title: "Export settings",
            entry: "Export settings…",
            tooltip: "Writes settings, volumes and links (.cfg), for the command line",
            offered: Offered::Everywhere,
            is_ready: |_| true,
        }
        /// A scene for RecastDemo.
        Gset {
            ending: "gset",
            title: "Export a RecastDemo scene",
            entry: "Export RecastDemo scene…",
            tooltip: "Writes what RecastDemo supports (.gset), and lists what is lost",
            offered: Offered::Everywhere,
            is_ready: |session| session.level.is_some(),
        }
        /// The path with its level, to repeat a problem.
        PathRepro {
            ending: crate::files::REPRO_ENDING,
            title: "Save repro of path",
            entry: "Save repro of path…",
            tooltip: "Writes the level, its settings and items, and the path (.repro), so that others can repeat a problem",
            offered: Offered::Everywhere,
            is_ready: |session| {
                let has_scene = session.level.is_some() || session.imported.is_some();
                session.path.ends().is_some() && has_scene
            },
        }
        /// The selected place with its level, to repeat a problem.
        PlaceRepro {
            ending: crate::files::REPRO_ENDING,
            title: "Save repro of place",
            entry: "Save repro of place…",
            tooltip: "Writes the level, its settings and items, and the selected place (.repro), so that others can repeat a problem",
            offered: Offered::Everywhere,
            is_ready: |session| session.level.is_some() && session.selection.is_some(),
        }
        /// The project.
        Project {
            ending: crate::project::ENDING,
            title: "Save project",
            entry: "Save project…",
            tooltip: "Writes the project",
            offered: Offered::Apart,
            is_ready: |session| session.level.is_some(),
        }
        /// The path tests, as `walkable test` reads them.
        Suite {
            ending: "suite",
            title: "Export path tests",
            entry: "Export path tests…",
            tooltip: "Writes the path tests (.suite), for the command line",
            offered: Offered::Apart,
            is_ready: |session| !session.document().path_tests.is_empty(),
        }
        /// The rows of the sweep, as `walkable sweep --resume` reads them.
        Sweep {
            ending: "csv",
            title: "Export sweep",
            entry: "Export sweep…",
            tooltip: "Writes settings and measures of each row (.csv)",
            offered: Offered::Apart,
            is_ready: |session| session.sweep.n_done() > 0,
        }
        /// The results table of the search lab.
        Lab {
            ending: "csv",
            title: "Export lab results",
            entry: "Export lab results…",
            tooltip: "Writes lengths, nodes and times (.csv)",
            offered: Offered::Apart,
            is_ready: |session| !session.lab.rows.is_empty(),
        }
    }
}

impl ExportKind {
    /// File extension.
    pub const fn ending(self) -> &'static str {
        self.row().ending
    }

    /// Title of the file dialog.
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// Name and tooltip of the command.
    pub const fn entry(self) -> [&'static str; 2] {
        [self.row().entry, self.row().tooltip]
    }

    /// Tells whether a session has something to write.
    pub const fn needs(self) -> fn(&Session) -> bool {
        self.row().is_ready
    }

    /// The exports in the File menu and the palette.
    pub fn offered() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.row().offered == Offered::Everywhere)
    }

    /// Whether `session` has something to export.
    pub fn is_ready(self, session: &Session) -> bool {
        (self.row().is_ready)(session)
    }
}
