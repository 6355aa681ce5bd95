//! The kinds of files that can be exported.

use std::borrow::Cow;

use walkable::export::ExportFormat;

use super::Session;

struct Row {
    /// File extension.
    ending: &'static str,
    /// Name in the export dialog.
    name: &'static str,
    /// Programs that read the file; `None` if it is only for Walkable.
    readers: Option<&'static str>,
    /// Title of the file dialog.
    title: &'static str,
    /// Name of the command in menus.
    entry: Cow<'static, str>,
    /// Tooltip of the command.
    tooltip: Cow<'static, str>,
    /// What the file contains.
    keeps: &'static str,
    /// What the file does not contain.
    loses: &'static str,
    /// What the user has to do before the session has something to export; empty if nothing.
    needs: &'static str,
    /// Where the user can choose the export.
    offered: Offered,
    /// Whether the session has something to export.
    is_ready: fn(&Session) -> bool,
}

/// Where the user can choose an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offered {
    /// In the export dialog, the palette and by keys.
    Everywhere,
    /// Only in the panel that it belongs to.
    Apart,
}

/// Declares the enum of exports: the formats of navmeshes, and the other files with their rows.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// A kind of file that can be exported.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ExportKind {
            /// The navmesh in this format.
            Mesh(ExportFormat),
            $($(#[$doc])* $variant,)*
        }

        impl ExportKind {
            /// Everything but the navmesh.
            const OTHERS: &[Self] = &[$(Self::$variant,)*];

            fn row(self) -> Row {
                match self {
                    Self::Mesh(format) => mesh_row(format),
                    $(Self::$variant => Row { $($field: $value,)* },)*
                }
            }
        }
    };
}

kinds! {
    /// Tile cache layers in RecastDemo's format (TSET).
    Layers {
        ending: "bin",
        name: "Tile cache layers",
        readers: Some("games with dtTileCache, RecastDemo, Walkable"),
        title: "Export layers",
        entry: "Export layers…".into(),
        tooltip: "Writes tile cache layers, from which games bake tiles with obstacles (.bin)".into(),
        keeps: "heightfield layers, from which games bake tiles with obstacles",
        loses: "obstacles, off-mesh links",
        needs: "Prepare the level for obstacles and bake it first.",
        offered: Offered::Everywhere,
        is_ready: |session| session.bake.layered().is_some(),
    }
    /// A report with counts, times and warnings.
    Report {
        ending: "json",
        name: "Bake report",
        readers: Some("build scripts"),
        title: "Export bake report",
        entry: "Export bake report…".into(),
        tooltip: "Writes counts, times and warnings of each tile (.json)".into(),
        keeps: "counts, times and warnings of each tile",
        loses: "the navmesh itself",
        needs: "Open a level and bake it first.",
        offered: Offered::Everywhere,
        is_ready: |session| !session.bake.tiles.is_empty(),
    }
    /// Settings, volumes and off-mesh links, as `walkable bake --settings` reads them.
    Settings {
        ending: "cfg",
        name: "Settings",
        readers: Some("walkable bake"),
        title: "Export settings",
        entry: "Export settings…".into(),
        tooltip: "Writes settings, volumes and links (.cfg), for the command line".into(),
        keeps: "settings, areas, volumes, off-mesh links",
        loses: "the level, agents, path tests, views",
        needs: "",
        offered: Offered::Everywhere,
        is_ready: |_| true,
    }
    /// A scene for RecastDemo.
    Gset {
        ending: "gset",
        name: "RecastDemo scene",
        readers: Some("RecastDemo"),
        title: "Export a RecastDemo scene",
        entry: "Export RecastDemo scene…".into(),
        tooltip: "Writes what RecastDemo supports (.gset), and lists what is lost".into(),
        keeps: "the level's name, settings, volumes, off-mesh links",
        loses: "what RecastDemo does not support; the log lists it",
        needs: "Open a level first.",
        offered: Offered::Everywhere,
        is_ready: |session| session.level.is_some(),
    }
    /// The path with its level, to repeat a problem.
    PathRepro {
        ending: crate::files::REPRO_ENDING,
        name: "Repro of the path",
        readers: None,
        title: "Save repro of path",
        entry: "Save repro of path…".into(),
        tooltip: "Writes the level, its settings and items, and the path (.repro), so that others can repeat a problem".into(),
        keeps: "the level, its settings and items, the path",
        loses: "path tests, views",
        needs: "Find a path first.",
        offered: Offered::Everywhere,
        is_ready: |session| {
            let has_scene = session.level.is_some() || session.imported.is_some();
            session.path.ends().is_some() && has_scene
        },
    }
    /// The selected place with its level, to repeat a problem.
    PlaceRepro {
        ending: crate::files::REPRO_ENDING,
        name: "Repro of the place",
        readers: None,
        title: "Save repro of place",
        entry: "Save repro of place…".into(),
        tooltip: "Writes the level, its settings and items, and the selected place (.repro), so that others can repeat a problem".into(),
        keeps: "the level, its settings and items, the selected place",
        loses: "path tests, views",
        needs: "Select a place of the level first.",
        offered: Offered::Everywhere,
        is_ready: |session| session.level.is_some() && session.selection.is_some(),
    }
    /// The project.
    Project {
        ending: crate::project::ENDING,
        name: "Project",
        readers: None,
        title: "Save project",
        entry: "Save project…".into(),
        tooltip: "Writes the project".into(),
        keeps: "everything authored",
        loses: "the level itself, the navmesh",
        needs: "Open a level first.",
        offered: Offered::Apart,
        is_ready: |session| session.level.is_some(),
    }
    /// The path tests, as `walkable test` reads them.
    Suite {
        ending: "suite",
        name: "Path tests",
        readers: None,
        title: "Export path tests",
        entry: "Export path tests…".into(),
        tooltip: "Writes the path tests (.suite), for the command line".into(),
        keeps: "path tests",
        loses: "the level itself, the navmesh",
        needs: "Add a path test first.",
        offered: Offered::Apart,
        is_ready: |session| !session.document().path_tests.is_empty(),
    }
    /// The rows of the sweep, as `walkable sweep --resume` reads them.
    Sweep {
        ending: "csv",
        name: "Sweep",
        readers: None,
        title: "Export sweep",
        entry: "Export sweep…".into(),
        tooltip: "Writes settings and measures of each row (.csv)".into(),
        keeps: "settings and measures of each row",
        loses: "the navmeshes",
        needs: "Run a sweep first.",
        offered: Offered::Apart,
        is_ready: |session| session.sweep.n_done() > 0,
    }
    /// The results table of the search lab.
    Lab {
        ending: "csv",
        name: "Lab results",
        readers: None,
        title: "Export lab results",
        entry: "Export lab results…".into(),
        tooltip: "Writes lengths, nodes and times (.csv)".into(),
        keeps: "lengths, nodes and times",
        loses: "the paths",
        needs: "Compare searches first.",
        offered: Offered::Apart,
        is_ready: |session| !session.lab.rows.is_empty(),
    }
}

/// The row of a format of navmeshes.
fn mesh_row(format: ExportFormat) -> Row {
    let (name, ending) = (format.name(), format.ending());
    Row {
        ending,
        name,
        readers: Some(format.readers()),
        title: "Export navmesh",
        entry: format!("Export navmesh as {name}…").into(),
        tooltip: format!("Writes the navmesh for {} (.{ending})", format.readers()).into(),
        keeps: format.keeps(),
        loses: format.loses(),
        needs: "Open a level and bake it first.",
        offered: Offered::Everywhere,
        is_ready: |session| session.bake.navmesh.is_some(),
    }
}

impl ExportKind {
    /// The tiles that Detour loads.
    pub const NAVMESH: Self = Self::Mesh(ExportFormat::Detour);

    /// File extension.
    pub fn ending(self) -> &'static str {
        self.row().ending
    }

    /// Title of the file dialog.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Name and tooltip of the command.
    pub fn entry(self) -> [Cow<'static, str>; 2] {
        let row = self.row();
        [row.entry, row.tooltip]
    }

    /// Name in the export dialog.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Programs that read the file; `None` if it is only for Walkable.
    pub fn readers(self) -> Option<&'static str> {
        self.row().readers
    }

    /// What the file contains.
    pub fn keeps(self) -> &'static str {
        self.row().keeps
    }

    /// What the file does not contain.
    pub fn loses(self) -> &'static str {
        self.row().loses
    }

    /// What the user has to do before there is something to export.
    pub fn before(self) -> &'static str {
        self.row().needs
    }

    /// Tells whether a session has something to write.
    pub fn needs(self) -> fn(&Session) -> bool {
        self.row().is_ready
    }

    /// The exports in the export dialog and the palette.
    pub fn offered() -> impl Iterator<Item = Self> {
        let meshes = ExportFormat::ALL.iter().copied().map(Self::Mesh);
        meshes
            .chain(Self::OTHERS.iter().copied())
            .filter(|kind| kind.row().offered == Offered::Everywhere)
    }

    /// Whether `session` has something to export.
    pub fn is_ready(self, session: &Session) -> bool {
        (self.row().is_ready)(session)
    }
}
