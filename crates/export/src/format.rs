//! The table of export formats.

use walkable_runtime::navmesh::format::obj;
use walkable_store::store_bytes;

use crate::{
    glb,
    godot::{self, GodotVersion},
    input::{ExportError, ExportInput},
    json, ply, polygon_map, rerecast,
    stage::StageFormat,
    stage_gltf, stage_json, stage_obj, stage_ply,
};

/// One row of the table.
struct Row {
    /// Name on the command line.
    key: &'static str,
    /// Display name.
    name: &'static str,
    /// File extension.
    ending: &'static str,
    /// Programs that read the file.
    readers: &'static str,
    /// What the file contains.
    keeps: &'static str,
    /// What the file does not contain.
    loses: &'static str,
    write: fn(&ExportInput<'_>) -> Result<Vec<u8>, ExportError>,
    /// How the format contains a stage of the bake; `None` if it cannot.
    stage: Option<StageFormat>,
}

/// What glTF contains of a stage.
const GLTF_STAGE: [&str; 2] = [
    "tiles as nodes, areas as materials, numbers of regions and layers and distances as vertex attributes and colors, lines",
    STAGE_LOSES,
];
/// What no format contains of a stage.
const STAGE_LOSES: &str = "connections between cells, cells of the border";

/// Declares the enum of formats, the list of them, and their rows.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// A format in which a navmesh can be exported.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ExportFormat {
            $($(#[$doc])* $variant,)*
        }

        impl ExportFormat {
            /// All formats. Of several formats with the same file extension, the first is the default.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            const fn row(self) -> Row {
                match self {
                    $(Self::$variant => Row { $($field: $value,)* },)*
                }
            }
        }
    };
}

formats! {
    /// Baked tiles in RecastDemo's format (MSET).
    Detour {
        key: "detour",
        name: "Detour tiles",
        ending: "bin",
        readers: "Detour, RecastDemo, DotRecast, recast-navigation-js, Walkable",
        keeps: "tiles, polygons, detail surface, areas, flags, off-mesh links",
        loses: "names, colors and costs of areas",
        write: |input| Ok(input.mesh.to_bytes()),
        stage: None,
    }
    /// Baked tiles in a file that is read tile by tile.
    TileStore {
        key: "tiles",
        name: "tile store",
        ending: "tiles",
        readers: "Walkable",
        keeps: "tiles, polygons, detail surface, areas, flags, off-mesh links",
        loses: "polygon references, names, colors and costs of areas",
        write: |input| Ok(store_bytes(input.mesh)?),
        stage: None,
    }
    /// glTF in one binary file.
    Glb {
        key: "glb",
        name: "glTF, binary",
        ending: "glb",
        readers: "Blender, three.js, Unity, Unreal, Godot",
        keeps: "polygons as triangles, areas with names, colors and costs, flags, off-mesh links",
        loses: "tiles, detail surface",
        write: glb::binary,
        stage: Some(StageFormat { keeps: GLTF_STAGE[0], loses: GLTF_STAGE[1], write: stage_gltf::binary }),
    }
    /// glTF in one text file.
    Gltf {
        key: "gltf",
        name: "glTF, text",
        ending: "gltf",
        readers: "Blender, three.js, Unity, Unreal, Godot",
        keeps: "polygons as triangles, areas with names, colors and costs, flags, off-mesh links",
        loses: "tiles, detail surface",
        write: glb::text,
        stage: Some(StageFormat { keeps: GLTF_STAGE[0], loses: GLTF_STAGE[1], write: stage_gltf::text }),
    }
    /// A scene of Godot 4.
    Godot {
        key: "godot",
        name: "Godot 4 scene",
        ending: "tscn",
        readers: "Godot 4",
        keeps: "tiles as regions, polygons, areas with costs, flags as layers, off-mesh links",
        loses: "detail surface, colors of areas, radii of off-mesh links",
        write: |input| godot::scene(input, GodotVersion::Four),
        stage: None,
    }
    /// A navigation mesh resource of Godot 4.
    GodotMesh {
        key: "godot-mesh",
        name: "Godot 4 NavigationMesh",
        ending: "tres",
        readers: "Godot 4",
        keeps: "polygons, agent",
        loses: "tiles, detail surface, areas, flags, off-mesh links",
        write: godot::resource,
        stage: None,
    }
    /// A scene of Godot 3.
    Godot3 {
        key: "godot3",
        name: "Godot 3 scene",
        ending: "tscn",
        readers: "Godot 3",
        keeps: "tiles, polygons",
        loses: "detail surface, areas, flags, off-mesh links",
        write: |input| godot::scene(input, GodotVersion::Three),
        stage: None,
    }
    /// A navmesh of Bevy's plugin `bevy_rerecast`.
    Rerecast {
        key: "rerecast",
        name: "bevy_rerecast navmesh",
        ending: "nav",
        readers: "Bevy with bevy_rerecast 0.5 and 0.6",
        keeps: "polygons and their neighbors, detail surface, areas, flags, agent",
        loses: "tiles, names and costs of areas, off-mesh links",
        write: rerecast::write,
        stage: None,
    }
    /// Wavefront OBJ.
    Obj {
        key: "obj",
        name: "Wavefront OBJ",
        ending: "obj",
        readers: "modeling programs",
        keeps: "tiles as groups, detail surface, off-mesh links as lines",
        loses: "polygons, areas, flags, direction of off-mesh links",
        write: |input| Ok(obj::to_obj(input.mesh).into_bytes()),
        stage: Some(StageFormat {
            keeps: "tiles as groups, names and values as materials, colors of vertices, lines",
            loses: STAGE_LOSES,
            write: stage_obj::write,
        }),
    }
    /// Polygon File Format.
    Ply {
        key: "ply",
        name: "PLY",
        ending: "ply",
        readers: "Blender, MeshLab, Open3D, scripts",
        keeps: "polygons with area, flags and tile, colors of areas",
        loses: "detail surface, names and costs of areas, off-mesh links",
        write: ply::write,
        stage: Some(StageFormat {
            keeps: "triangles and lines with tile, name and value, colors of vertices",
            loses: STAGE_LOSES,
            write: stage_ply::write,
        }),
    }
    /// JSON for scripts.
    Json {
        key: "json",
        name: "JSON",
        ending: "json",
        readers: "scripts",
        keeps: "tiles, polygons, links, portals, areas with names, colors and costs, flags, off-mesh links",
        loses: "detail surface",
        write: json::write,
        stage: Some(StageFormat {
            keeps: "tiles, triangles and lines with name, value and color, sizes of cells",
            loses: STAGE_LOSES,
            write: stage_json::write,
        }),
    }
    /// The polygon maps of Polyanya.
    PolygonMap {
        key: "polyanya",
        name: "Polyanya mesh",
        ending: "mesh",
        readers: "Polyanya and other any-angle searches",
        keeps: "polygons and their neighbors, from above",
        loses: "heights, tiles, areas, flags, off-mesh links",
        write: polygon_map::write,
        stage: None,
    }
}

impl ExportFormat {
    /// Returns the name on the command line.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// Returns the display name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the file extension, without the dot.
    pub const fn ending(self) -> &'static str {
        self.row().ending
    }

    /// Returns the programs that read the file.
    pub const fn readers(self) -> &'static str {
        self.row().readers
    }

    /// Returns what the file contains.
    pub const fn keeps(self) -> &'static str {
        self.row().keeps
    }

    /// Returns what the file does not contain.
    pub const fn loses(self) -> &'static str {
        self.row().loses
    }

    /// Returns the format with this name on the command line.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.key() == key)
    }

    /// Returns the first format with this file extension, ignoring case.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.ending().eq_ignore_ascii_case(ending))
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// Returns an error if the format cannot express the navmesh.
    pub fn write(self, input: &ExportInput<'_>) -> Result<Vec<u8>, ExportError> {
        (self.row().write)(input)
    }

    /// Returns how the format contains a stage of the bake; `None` if it cannot.
    pub const fn stage(self) -> Option<StageFormat> {
        self.row().stage
    }

    /// Returns the formats that can contain a stage of the bake.
    pub fn of_stages() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|format| format.stage().is_some())
    }
}
