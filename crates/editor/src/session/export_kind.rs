//! The kinds of files that can be exported.

use std::borrow::Cow;

use walkable::export::ExportFormat;
use walkable_workspace::lang::tr;

use super::{Session, TileResult};

struct Row {
    ending: &'static str,
    name: &'static str,
    /// Programs that read the file; `None` if it is only for Walkable.
    readers: Option<&'static str>,
    title: &'static str,
    entry: Cow<'static, str>,
    tooltip: Cow<'static, str>,
    keeps: &'static str,
    loses: &'static str,
    /// What the user has to do before the session has something to export; empty if nothing.
    before: &'static str,
    offered: OfferedIn,
    is_ready: fn(&Session) -> bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OfferedIn {
    /// In the export dialog, the palette and by keys.
    Everywhere,
    /// Only in the panel that it belongs to.
    OwnPanel,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ExportKind {
            Mesh(ExportFormat),
            /// The navmesh of each agent in this format, one file per agent.
            AllAgents(ExportFormat),
            /// All tiles of the open tile store or level, of which a part is loaded, in this format.
            Whole(ExportFormat),
            Stage(ExportFormat),
            $($(#[$doc])* $variant,)*
        }

        impl ExportKind {
            /// All exports except those of the navmesh.
            const OTHERS: &[Self] = &[$(Self::$variant,)*];

            fn row(self) -> Row {
                match self {
                    Self::Mesh(format) => mesh_row(format),
                    Self::AllAgents(format) => agents_row(format),
                    Self::Whole(format) => whole_row(format),
                    Self::Stage(format) => stage_row(format),
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
        name: tr!("Tile cache layers"),
        readers: Some(tr!("games with dtTileCache, RecastDemo, Walkable")),
        title: tr!("Export layers"),
        entry: tr!("Export layers…").into(),
        tooltip: tr!("Writes tile cache layers, from which games bake tiles with obstacles (.bin)").into(),
        keeps: tr!("heightfield layers, from which games bake tiles with obstacles"),
        loses: tr!("obstacles, off-mesh links"),
        before: tr!("Prepare the level for obstacles and bake it first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| session.bake.layered().is_some(),
    }
    Report {
        ending: "json",
        name: tr!("Bake report"),
        readers: Some(tr!("build scripts")),
        title: tr!("Export bake report"),
        entry: tr!("Export bake report…").into(),
        tooltip: tr!("Writes counts, times and warnings of each tile (.json)").into(),
        keeps: tr!("counts, times and warnings of each tile"),
        loses: tr!("the navmesh itself"),
        before: tr!("Open a level and bake it first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| !session.bake.tiles.is_empty(),
    }
    ReportTable {
        ending: "csv",
        name: tr!("Bake report, table"),
        readers: Some(tr!("spreadsheets, scripts")),
        title: tr!("Export bake report"),
        entry: tr!("Export bake report as table…").into(),
        tooltip: tr!("Writes counts, times and number of warnings of each tile (.csv)").into(),
        keeps: tr!("counts, times and codes of warnings, a line per tile"),
        loses: tr!("texts of warnings, findings about the level, off-mesh links"),
        before: tr!("Open a level and bake it first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| !session.bake.tiles.is_empty(),
    }
    /// Settings, volumes and off-mesh links, as `walkable bake --settings` reads them.
    Settings {
        ending: "cfg",
        name: tr!("Settings"),
        readers: Some("walkable bake"),
        title: tr!("Export settings"),
        entry: tr!("Export settings…").into(),
        tooltip: tr!("Writes settings, volumes and off-mesh links (.cfg), for the command line").into(),
        keeps: tr!("settings, areas, volumes, off-mesh links"),
        loses: tr!("the level, agents, path tests, views"),
        before: "",
        offered: OfferedIn::Everywhere,
        is_ready: |_| true,
    }
    Gset {
        ending: "gset",
        name: tr!("RecastDemo scene"),
        readers: Some(tr!("RecastDemo")),
        title: tr!("Export a RecastDemo scene"),
        entry: tr!("Export RecastDemo scene…").into(),
        tooltip: tr!("Writes what RecastDemo supports (.gset), and lists what is lost").into(),
        keeps: tr!("the level's name, settings, volumes, off-mesh links"),
        loses: tr!("what RecastDemo does not support; the log lists it"),
        before: tr!("Open a level first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| session.opened.level.is_some(),
    }
    /// The path with its level, to repeat a problem.
    PathRepro {
        ending: walkable_workspace::files::REPRO_ENDING,
        name: tr!("Repro of the path"),
        readers: None,
        title: tr!("Save repro of path"),
        entry: tr!("Save repro of path…").into(),
        tooltip: tr!("Writes the level, its settings and items, and the path (.repro), so that others can repeat a problem").into(),
        keeps: tr!("the level, its settings and items, the path"),
        loses: tr!("path tests, views"),
        before: tr!("Find a path first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| {
            session.path.ends().is_some() && !session.is_empty()
        },
    }
    /// The selected place with its level, to repeat a problem.
    PlaceRepro {
        ending: walkable_workspace::files::REPRO_ENDING,
        name: tr!("Repro of the place"),
        readers: None,
        title: tr!("Save repro of place"),
        entry: tr!("Save repro of place…").into(),
        tooltip: tr!("Writes the level, its settings and items, and the selected place (.repro), so that others can repeat a problem").into(),
        keeps: tr!("the level, its settings and items, the selected place"),
        loses: tr!("path tests, views"),
        before: tr!("Select a place of the level first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| session.opened.level.is_some() && session.tools.selection.is_some(),
    }
    /// The scene of the shown finding of the soak run, as `walkable soak --save` writes it.
    FindingScene {
        ending: "txt",
        name: tr!("Scene of the finding"),
        readers: Some("walkable crowd"),
        title: tr!("Save scene of finding"),
        entry: tr!("Save scene of finding…").into(),
        tooltip: tr!("Writes the recorded agents of the shown place (.txt) and the navmesh (navmesh.bin), so that others can repeat how they get stuck").into(),
        keeps: tr!("starts, sizes and targets of the recorded agents, the navmesh"),
        loses: tr!("the level itself, its settings"),
        before: tr!("Find stuck agents, and choose a place first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| session.soak.shown_finding().is_some(),
    }
    Project {
        ending: walkable_workspace::project::ENDING,
        name: tr!("Project"),
        readers: None,
        title: tr!("Save project"),
        entry: tr!("Save project…").into(),
        tooltip: tr!("Writes the project").into(),
        keeps: tr!("everything authored"),
        loses: tr!("the level itself, the navmesh"),
        before: tr!("Open a level first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| session.opened.level.is_some(),
    }
    /// The path tests, as `walkable test` reads them.
    Suite {
        ending: "suite",
        name: tr!("Path tests"),
        readers: None,
        title: tr!("Export path tests"),
        entry: tr!("Export path tests…").into(),
        tooltip: tr!("Writes the path tests (.suite), for the command line").into(),
        keeps: tr!("path tests"),
        loses: tr!("the level itself, the navmesh"),
        before: tr!("Add a path test first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| !session.document().path_tests.is_empty(),
    }
    /// The rows of the sweep, as `walkable sweep --resume` reads them.
    Sweep {
        ending: "csv",
        name: tr!("Sweep"),
        readers: None,
        title: tr!("Export sweep"),
        entry: tr!("Export sweep…").into(),
        tooltip: tr!("Writes settings and measures of each row (.csv)").into(),
        keeps: tr!("settings and measures of each row"),
        loses: tr!("the navmeshes"),
        before: tr!("Run a sweep first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| session.sweep.n_done() > 0,
    }
    /// The triangles of a level in pieces, as `walkable bin` writes them.
    Sorted {
        ending: "tri",
        name: tr!("Sorted triangles"),
        readers: None,
        title: tr!("Save sorted triangles of the pieces"),
        entry: tr!("Save sorted triangles…").into(),
        tooltip: tr!("Writes the triangles of all pieces, sorted by place (.tri)").into(),
        keeps: tr!("the triangles of all pieces, names of objects and materials"),
        loses: tr!("vertex colors, textures"),
        before: tr!("Choose a folder of pieces first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| session.opened.pieces.source.is_some(),
    }
    Picture {
        ending: "png",
        name: tr!("Picture"),
        readers: None,
        title: tr!("Save picture"),
        entry: tr!("Save picture to file…").into(),
        tooltip: tr!("Writes the picture of the 3D view that was taken last (.png)").into(),
        keeps: tr!("the 3D view as it is shown"),
        loses: tr!("the navmesh itself"),
        before: tr!("Take a picture first: File, Save picture."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| session.shown.picture.is_some(),
    }
    Lab {
        ending: "csv",
        name: tr!("Lab results"),
        readers: None,
        title: tr!("Export lab results"),
        entry: tr!("Export lab results…").into(),
        tooltip: tr!("Writes lengths, nodes and times (.csv)").into(),
        keeps: tr!("lengths, nodes and times"),
        loses: tr!("the paths"),
        before: tr!("Compare searches first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| !session.lab.rows.is_empty(),
    }
}

fn mesh_row(format: ExportFormat) -> Row {
    let (name, ending) = (tr(format.name()), format.ending());
    Row {
        ending,
        name,
        readers: Some(tr(format.readers())),
        title: tr!("Export navmesh"),
        entry: tr!("Export navmesh as {name}…").into(),
        tooltip: tr!("Writes the navmesh for {} (.{ending})", tr(format.readers())).into(),
        keeps: tr(format.keeps()),
        loses: tr(format.loses()),
        before: tr!("Open a level and bake it first."),
        offered: OfferedIn::Everywhere,
        is_ready: |session| session.bake.navmesh.is_some(),
    }
}

fn agents_row(format: ExportFormat) -> Row {
    let (name, ending) = (tr(format.name()), format.ending());
    Row {
        title: tr!("Export navmeshes of all agents"),
        entry: tr!("Export navmeshes of all agents as {name}…").into(),
        tooltip: tr!("Writes a file per agent for {} (.{ending})", tr(format.readers())).into(),
        before: tr!("Add a second agent and bake the level first."),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| {
            session.bake.navmesh.is_some()
                && session.opened.level.is_some()
                && session.document().agents.list.len() > 1
        },
        ..mesh_row(format)
    }
}

/// Returns the row of a format of navmeshes, for all tiles of what is loaded in part.
fn whole_row(format: ExportFormat) -> Row {
    let (name, ending) = (tr(format.name()), format.ending());
    Row {
        title: tr!("Export all tiles"),
        entry: tr!("Export all tiles as {name}…").into(),
        tooltip: tr!(
            "Writes all tiles, also those that are not loaded, for {} (.{ending})",
            tr(format.readers())
        )
        .into(),
        before: tr!(
            "Open a tile store or level larger than the memory budget first, and wait until another export or check of all tiles has ended."
        ),
        offered: OfferedIn::OwnPanel,
        is_ready: |session| {
            let is_level = session.level_in_part().is_some();
            let is_part = if is_level {
                session.whole_level_obstacle().is_none()
            } else {
                session.store_in_part().is_some()
            };
            is_part && !session.bakes_whole_level()
        },
        ..mesh_row(format)
    }
}

fn stage_row(format: ExportFormat) -> Row {
    let (name, ending) = (tr(format.name()), format.ending());
    Row {
        title: tr!("Export shown stage"),
        entry: tr!("Export shown stage as {name}…").into(),
        tooltip: tr!(
            "Writes the shown stage of all tiles for {} (.{ending})",
            tr(format.readers())
        )
        .into(),
        keeps: format.stage().map_or("", |stage| tr(stage.keeps)),
        loses: format.stage().map_or("", |stage| tr(stage.loses)),
        before: tr!("Bake a level and show one of its stages first, for example Regions."),
        is_ready: |session| {
            let has_plan = |tile: &TileResult| tile.plan.is_some();
            session.shown.stage.needs_stages()
                && session.current_bake().tiles.values().any(has_plan)
        },
        ..mesh_row(format)
    }
}

impl ExportKind {
    /// The tiles that Detour loads.
    pub const NAVMESH: Self = Self::Mesh(ExportFormat::Detour);
    pub const REPROS: [Self; 2] = [Self::PathRepro, Self::PlaceRepro];

    pub fn ending(self) -> &'static str {
        self.row().ending
    }

    pub fn title(self) -> &'static str {
        self.row().title
    }

    pub fn entry(self) -> [Cow<'static, str>; 2] {
        let row = self.row();
        [row.entry, row.tooltip]
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub fn readers(self) -> Option<&'static str> {
        self.row().readers
    }

    pub fn keeps(self) -> &'static str {
        self.row().keeps
    }

    pub fn loses(self) -> &'static str {
        self.row().loses
    }

    /// Returns what the user has to do before there is something to export.
    pub fn before(self) -> &'static str {
        self.row().before
    }

    /// Returns a function that tells whether a session has something to write.
    pub fn needs(self) -> fn(&Session) -> bool {
        self.row().is_ready
    }

    /// Returns whether the export contains only the loaded part of a level larger than memory.
    pub const fn is_of_loaded_part(self) -> bool {
        match self {
            Self::Mesh(_)
            | Self::AllAgents(_)
            | Self::Stage(_)
            | Self::Layers
            | Self::Report
            | Self::ReportTable
            | Self::PathRepro
            | Self::PlaceRepro
            | Self::FindingScene
            | Self::Sweep
            | Self::Lab => true,
            Self::Whole(_)
            | Self::Settings
            | Self::Gset
            | Self::Project
            | Self::Suite
            | Self::Sorted
            | Self::Picture => false,
        }
    }

    pub const fn is_of_agent(self) -> bool {
        matches!(self, Self::Mesh(_) | Self::Whole(_) | Self::Stage(_) | Self::Layers)
    }

    pub fn offered() -> impl Iterator<Item = Self> {
        let meshes = ExportFormat::ALL.iter().copied().map(Self::Mesh);
        let stages = ExportFormat::of_stages().map(Self::Stage);
        meshes
            .chain(stages)
            .chain(Self::OTHERS.iter().copied())
            .filter(|kind| kind.row().offered == OfferedIn::Everywhere)
    }

    pub fn is_ready(self, session: &Session) -> bool {
        (self.row().is_ready)(session)
    }
}
