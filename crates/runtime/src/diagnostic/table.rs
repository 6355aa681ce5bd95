//! All codes with their names, severities, arguments, texts, causes and remedies. Each code is one row, and an
//! incomplete row does not compile.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Argument, Degrees, Meters, Phrase, PhraseArgument, Severity, SquareMeters};

/// The documentation of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePage {
    /// Severity.
    pub severity: Severity,
    /// Short title.
    pub title: &'static str,
    /// Template of the text.
    pub text: &'static str,
    /// The cause and its consequences.
    pub cause: &'static str,
    /// The remedy.
    pub remedy: &'static str,
    /// The arguments of text and JSON.
    pub arguments: &'static [ArgumentPage],
}

/// The documentation of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentPage {
    /// Name in JSON.
    pub name: &'static str,
    /// Unit, or type of the value.
    pub unit: &'static str,
}

impl Code {
    /// Returns the code with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// Generates [`Code`], [`Finding`] and their documentation from rows
/// `Name { argument: type } = "stable-name", Severity, "Title"; "text"; "Cause."; "Remedy.";`.
macro_rules! findings {
    ($(
        $name:ident { $($argument:ident: $kind:ty),* } = $key:literal, $severity:ident, $title:literal;
        $text:literal;
        $cause:literal;
        $remedy:literal;
    )*) => {
        /// The stable code of a finding. `docs/diagnostics.md` describes each of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name in scripts, JSON and the documentation. It never changes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }

            /// Returns the documentation of the code.
            pub const fn page(self) -> CodePage {
                match self {
                    $(Self::$name => CodePage {
                        severity: Severity::$severity,
                        title: $title,
                        text: $text,
                        cause: $cause,
                        remedy: $remedy,
                        arguments: &[$(ArgumentPage {
                            name: stringify!($argument),
                            unit: <$kind as Argument>::UNIT,
                        }),*],
                    },)*
                }
            }
        }

        /// A finding with its arguments.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum Finding {
            $(#[doc = $title] $name {
                $(#[doc = concat!("`{", stringify!($argument), "}` of the text.")] $argument: $kind,)*
            },)*
        }

        impl Finding {
            /// Returns the stable code of the finding.
            pub const fn code(&self) -> Code {
                match self {
                    $(Self::$name { .. } => Code::$name,)*
                }
            }

            /// Returns the text, for other languages and units.
            pub fn phrase(&self) -> Phrase {
                match self {
                    $(Self::$name { $($argument),* } => Phrase::new($text, vec![$(PhraseArgument {
                        name: stringify!($argument).into(),
                        value: $argument.value(),
                    }),*]),)*
                }
            }

            /// Appends the arguments to `out`.
            pub(super) fn store_arguments(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$name { $($argument),* } => { $($argument.store(out);)* })*
                }
            }

            /// Reads the stored arguments of `code` from the start of `input`, and advances `input`; `None` if they are
            /// damaged.
            pub(super) fn restore(code: Code, input: &mut &[u8]) -> Option<Self> {
                Some(match code {
                    $(Code::$name => Self::$name { $($argument: Argument::restore(input)?),* },)*
                })
            }
        }

        impl fmt::Display for Finding {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$name { $($argument),* } => write!(f, $text),)*
                }
            }
        }
    };
}

findings! {
    // Level files.
    FaceDropped { n: usize } = "face-dropped", Warning, "Face with fewer than three vertices";
        "face with {n} vertices left out";
        "A face with fewer than three vertices encloses nothing.";
        "Repair such faces in the modeling tool if they were meant to be ground; otherwise nothing.";
    FaceCrossing { n: usize } = "face-crossing", Warning, "Face that crosses itself";
        "the outline of the face with {n} vertices crosses itself, or is too large to be cut: its triangles may cover other ground";
        "A face is split into triangles that cover its inside. What is inside an outline that crosses itself is not defined.";
        "Triangulate the face in the modeling tool.";
    TriangleDegenerate { triangle: usize } = "triangle-degenerate", Note, "Triangle without area";
        "triangle {triangle} has no area";
        "The vertices of the triangle lie on a line or at one point. It is kept, and may still mark voxels as solid.";
        "Nothing, or clean up the mesh in the modeling tool.";
    TriangleDuplicate { triangle: usize, original: usize, first_at: String } = "triangle-duplicate", Note, "Duplicate triangle";
        "triangle {triangle} repeats triangle {original} of {first_at}";
        "Two triangles have the same vertices in the same order, usually because an object is in the level twice. Both are kept.";
        "Nothing, or delete the copy, which only costs time.";
    VertexUnused { vertex: usize } = "vertex-unused", Note, "Unused vertex";
        "no face uses vertex {vertex}";
        "The vertex is kept and extends the bounds of the level, which may therefore be larger than its ground.";
        "Nothing, or delete loose vertices in the modeling tool.";
    StatementUnknown { statement: String } = "statement-unknown", Warning, "Unknown statement";
        "unknown statement \"{statement}\" skipped";
        "The line is not a statement of OBJ files, or it does not describe triangles, such as a curve.";
        "Check the line if it was meant to be ground; otherwise nothing.";
    NotTriangles { what: String } = "not-triangles", Warning, "Primitive of points or lines";
        "{what} left out";
        "The primitive consists of points or lines, which have no area to stand on.";
        "Export it as triangles if it was meant to be a surface; otherwise nothing.";
    PoseIgnored { what: String } = "pose-ignored", Warning, "Skin or morph targets ignored";
        "{what} ignored: the mesh is used as stored";
        "A level has no animation: the mesh is used in its bind pose, which may differ from where a game shows it.";
        "Apply the pose in the modeling tool, or exclude the object with an `object NAME none` line.";
    SceneLeftOut {} = "scene-left-out", Note, "Another scene of the file";
        "not the default scene, left out";
        "A glTF file may contain several scenes. Its default scene is the level.";
        "Make the scene the file's default if it is the one to bake.";
    ExtensionUnknown { name: String } = "extension-unknown", Warning, "Required glTF extension is unknown";
        "the file requires {name}, which is unknown: something may be missing";
        "The file states that it requires the extension. Walkable reads the file without it.";
        "Export without the extension, and check in the editor that nothing is missing.";
    CollisionShapesOnly { n: usize, first: String, left_out: usize } = "collision-shapes-only", Note, "Only collision shapes are used";
        "objects named as collision shapes, such as `{first}`: {n}; other objects left out: {left_out}";
        "The import option \"Collision shapes only\" is set, and the level has objects with names that engines give to collision shapes.";
        "Nothing, or unset the option to use all objects.";
    CollisionShapesMissing {} = "collision-shapes-missing", Warning, "No collision shapes";
        "no object is named as a collision shape, so all objects are used";
        "The import option \"Collision shapes only\" is set, but no name begins with UCX_, UBX_, UCP_ or USP_, or ends with -col, -colonly, -convcol, -convcolonly or -collider (or _ instead of -).";
        "Rename the collision shapes in the modeling tool, or unset the option.";
    SettingsFileIgnored { reason: String } = "settings-file-ignored", Warning, "Settings beside the level cannot be read";
        "left out: {reason}";
        "A .cfg file with the level's name contains its settings. This one has a line that cannot be read, so the whole file is ignored.";
        "Correct the line, or rename the file.";
    SquareDamaged { x: Meters, z: Meters, reason: String } = "square-damaged", Warning, "A square of a large level cannot be read";
        "triangles left out in the square from x {x}, z {z}: {reason}";
        "A file of `walkable bin` stores triangles in squares. Numbers in this square are impossible, for instance because the file was damaged when it was copied. The other squares are used.";
        "Write the file again from the pieces of the level by `walkable bin`.";
    TileDamaged { reason: String } = "tile-damaged", Warning, "A tile of a tile store cannot be read";
        "left out: {reason}";
        "A tile store has a checksum for each tile. The data of this tile do not match it or are impossible, for instance because the file was damaged when it was copied. The other tiles are used; paths do not lead through this one.";
        "Bake into the store again: only the damaged tiles are baked.";
    PartOfLevel { width: Meters, depth: Meters, whole_width: Meters, whole_depth: Meters } = "part-of-level", Note, "Only a part of the level is loaded";
        "this concerns only the loaded part, {width} × {depth}, of a level of {whole_width} × {whole_depth}";
        "A level with more triangles than the memory budget allows is loaded and baked in part in the window. This result concerns that part only. The navmesh ends at the edges of the part although the level goes on, so islands and ends of paths near the edges may be connected in the whole level.";
        "For the whole level, use Check whole level, export all tiles in the export dialog, bake the .tri file by `walkable bake`, or raise Memory budget in Preferences.";
    AppearanceUnread { reason: String } = "appearance-unread", Warning, "Colors or a texture cannot be drawn";
        "not drawn: {reason}";
        "A texture or the vertex colors of a mesh cannot be read. The level is drawn with the base colors of its materials there. The bake does not depend on them.";
        "Put the image beside the level's file, under the name that the file has for it, as PNG or JPEG; or embed it by exporting GLB.";
    TexturesReduced { n: usize, side: usize } = "textures-reduced", Note, "Textures are drawn in a lower resolution";
        "textures drawn with at most {side} pixels per side: {n}";
        "The textures of a level are drawn with at most 2,048 pixels per side and within an eighth of the memory budget, so large or many textures are reduced.";
        "Nothing needs to be done: navmesh and export do not depend on textures. For more detail, raise Memory budget in Preferences and open the level again.";
    TexturedTrianglesLeftOut { n: usize, most: usize } = "textured-triangles-left-out", Warning, "Triangles are drawn without their texture";
        "triangles drawn without their texture: {n}; at most {most} have one";
        "The texture coordinates of a level take 24 bytes per triangle, so only the first triangles of a level have a texture. The others are drawn with the base colors of their materials.";
        "Nothing needs to be done: navmesh and export do not depend on textures. To see all textures, split the level or simplify its meshes.";

    // Imported levels.
    LevelTiny { side: Meters, scale: f32 } = "level-tiny", Warning, "Level too small for the agent";
        "the level is only {side} across, too small for the agent: try a scale of {scale}";
        "The file's unit is probably not the meter.";
        "Set the import scale to the meters per unit of the file: `--scale`, or Import options in the editor.";
    LevelHuge { side: Meters, scale: f32 } = "level-huge", Warning, "Level too large for the agent";
        "the level is {side} across, very large compared to the agent: try a scale of {scale}";
        "The file's unit is probably not the meter.";
        "Set the import scale to the meters per unit of the file: `--scale`, or Import options in the editor.";
    LevelWallsHigh { height: Meters, scale: f32 } = "level-walls-high", Warning, "Walls too high for a level in meters";
        "most walls are at least {height} high: try a scale of {scale}";
        "The file's unit is probably not the meter.";
        "Set the import scale to the meters per unit of the file: `--scale`, or Import options in the editor.";
    LevelFarFromOrigin { distance: Meters, step: Meters, origin: String } = "level-far-from-origin", Warning, "Coordinates coarse far from the origin";
        "coordinates up to {distance} from the origin are {step} apart as 32-bit numbers, which moves walls and floors: import the level with the origin {origin}";
        "Levels and navmeshes have 32-bit coordinates, as in Detour. The import reads the file with 64 bits and subtracts its origin before it rounds.";
        "Set the import origin: `--origin`, or Import options in the editor.";
    LevelMoved { origin: String } = "level-moved", Note, "Level moved to its import origin";
        "positions in the level and in exported files are relative to {origin} of the level's file";
        "The import origin was subtracted, because 32-bit coordinates are coarse far from the origin.";
        "In the game, move the navmesh back, or the level with it. Positions of logs are moved like the level.";
    LevelFacesDown {} = "level-faces-down", Warning, "Most surfaces face down";
        "most surfaces face down: try flipping the winding";
        "Faces are counterclockwise seen from the front. In this file they are probably clockwise, or its handedness differs.";
        "Flip the faces: `--flip`, or Import options in the editor; `--mirror` for files of left-handed tools.";
    LevelOtherUpAxis { axis: char } = "level-other-up-axis", Warning, "Most surfaces face along another axis";
        "most surfaces face along {axis}: try that as the up axis";
        "Walkable uses y as the up axis. Many modeling tools use z.";
        "Set the up axis of the file: `--up`, or Import options in the editor.";
    LevelOtherDownAxis { axis: char } = "level-other-down-axis", Warning, "Most surfaces face against another axis";
        "most surfaces face against {axis}: try that as the up axis and flip the winding";
        "Walkable uses y as the up axis, and faces are counterclockwise seen from the front.";
        "Set the up axis of the file and flip its faces: `--up` with `--flip`, or Import options in the editor.";

    // Settings.
    SettingsRefused { reason: String } = "settings-refused", Error, "Settings that cannot be baked";
        "{reason}";
        "A setting is out of its range, or two settings together exceed the limits of the grid.";
        "Change the named setting to a value in its range; docs/settings.md lists the ranges.";
    CellSizeTooCoarse { cell: Meters, radius: Meters, most: Meters } = "cell-size-too-coarse", Warning, "Cell size above the agent's radius";
        "a voxel of {cell} is wider than the agent's radius of {radius}, which is rounded up to it: narrow passages may be closed or open; use {most} or less";
        "Walls and gaps are only as precise as a voxel. The radius is rounded up to whole voxels.";
        "Set cell_size to a third or half of agent_radius.";
    CellSizeWasteful { voxels: u32 } = "cell-size-wasteful", Note, "Cell size far below the agent's radius";
        "the radius spans {voxels} voxels, where 2 to 4 are enough: a larger cell size bakes much faster";
        "Time and memory of a bake grow with the square of the number of voxels per side.";
        "Raise cell_size.";
    CellHeightAboveClimb { cell: Meters, climb: Meters, most: Meters } = "cell-height-above-climb", Warning, "Voxels higher than the highest step";
        "a voxel of {cell} is higher than the highest step of {climb}, which is rounded down to nothing: the agent climbs neither steps nor slopes; use {most} or less";
        "Heights are only as precise as a voxel, so steps cannot be distinguished from level ground.";
        "Set cell_height to half of agent_max_climb or less.";
    HeightBeyondClearance { voxels: u32, limit: u32 } = "height-beyond-clearance", Warning, "Agent too tall for the grid";
        "{voxels} voxels are more than the {limit} that the grid can tell apart, so nothing connects; raise cell_height";
        "The compact heightfield stores the clearance above a span in 8 bits, as in Recast.";
        "Raise cell_height until agent_height is 255 voxels or less.";
    HeightTooFewVoxels { voxels: u32 } = "height-too-few-voxels", Warning, "Agent only a few voxels tall";
        "an agent {voxels} voxels tall is too coarse to tell a gap from a wall; use a smaller cell_height";
        "Below three voxels, rounding decides whether the agent fits under a ceiling.";
        "Lower cell_height.";
    RadiusZero {} = "radius-zero", Warning, "Agent without a radius";
        "with a radius of 0 the navmesh touches the walls, so agents with a body get stuck on them";
        "The ground is not eroded.";
        "Set agent_radius to the radius of the agent's body, unless the game keeps its distance from walls itself.";
    ClimbZero {} = "climb-zero", Warning, "Climb of 0";
        "with a climb of 0 the agent climbs neither steps nor slopes";
        "Neighbor cells connect only if their heights differ by at most the climb.";
        "Raise agent_max_climb.";
    ClimbNotBelowHeight { climb: Meters, height: Meters } = "climb-not-below-height", Warning, "Climb not below the agent's height";
        "the agent climbs steps of {climb} but is only {height} tall: walls and tables become stairs";
        "Anything up to the climb counts as a step.";
        "Lower agent_max_climb; half of the agent's leg length is typical.";
    SlopeZero {} = "slope-zero", Warning, "Slope limit of 0";
        "at 0\u{b0} not even level ground is walkable; use at least 1\u{b0}";
        "Triangles as steep as the limit or steeper get no navmesh.";
        "Raise agent_max_slope.";
    SlopeNearlyUpright { slope: Degrees } = "slope-nearly-upright", Warning, "Slope limit near 90 degrees";
        "up to {slope}, nearly upright walls count as ground";
        "Only triangles as steep as the limit or steeper are excluded.";
        "Lower agent_max_slope; 45 to 60 degrees are typical.";
    ClimbTooLowForSlope { slope: Degrees, rise: Meters, climb: Meters } = "climb-too-low-for-slope", Warning, "Slope steeper than the climb allows";
        "ground of {slope} rises {rise} from voxel to voxel, more than the climb of {climb}, so it is not walkable; use a smaller cell_size or a larger agent_max_climb";
        "Neighbor cells connect only if their heights differ by at most the climb. On steep ground, large cells differ by more.";
        "Lower cell_size, or raise agent_max_climb.";
    MergeBelowMinSize { merge: f32, min: f32 } = "merge-below-min-size", Note, "Regions rarely merge";
        "merging up to {merge} is below the smallest region kept, {min}, so few regions merge";
        "Only regions below region_merge_size merge with a neighbor, and those below region_min_size are dropped.";
        "Raise region_merge_size above region_min_size.";
    EdgesVeryShort { length: Meters } = "edges-very-short", Note, "Edges of a few voxels";
        "{length} splits walls into edges of a few voxels: many tiny polygons and slow paths";
        "Each border edge longer than edge_max_len gets another vertex.";
        "Raise edge_max_len, or set it to 0 for no limit.";
    EdgeErrorAboveRadius { voxels: f32, radius: u32 } = "edge-error-above-radius", Warning, "Simplification exceeds the radius";
        "contours may stray {voxels} voxels, more than the {radius} kept from walls: paths can cut through corners";
        "Simplified contours deviate from the ground by up to edge_max_error, in voxels.";
        "Lower edge_max_error; 1.3 is typical.";
    DetailNotSampled {} = "detail-not-sampled", Note, "Heights are not sampled";
        "below 0.9, the ground's height is not sampled";
        "RecastDemo treats a detail_sample_dist below 0.9 voxels as 0, which turns sampling off.";
        "Raise detail_sample_dist, or set it to 0 if that is intended.";
    DetailErrorAboveClimb { error: Meters, climb: Meters } = "detail-error-above-climb", Warning, "Detail mesh far from the ground";
        "the detail mesh may lie {error} off the ground, more than the agent climbs ({climb})";
        "The detail mesh follows the ground within detail_sample_max_error.";
        "Lower detail_sample_max_error.";
    LedgesUnfiltered {} = "ledges-unfiltered", Warning, "Navmesh extends beyond ledges";
        "without this filter and with a radius of 0, the navmesh sticks out over ledges";
        "No filter removes the voxels that extend beyond the edge of a cliff.";
        "Set filter_ledge_spans to 1, or give the agent a radius.";
    TileSmallForBorder { tile: u32, border: u32, least: u32 } = "tile-small-for-border", Note, "Tiles small compared to their border";
        "a tile of {tile} voxels has a border of {border} on each side, so most voxels are baked more than twice; use {least} or more";
        "Each tile is baked with a border of the radius plus three voxels, which its neighbors also bake.";
        "Raise tile_size.";

    // Limits.
    LimitTiles { used: usize, most: usize, percent: usize } = "limit-tiles", Warning, "Tiles";
        "{used} of {most} tiles used ({percent} %)";
        "Tiles and polygons share the bits of a polygon reference.";
        "Use 64-bit references (setting refs), or fewer, larger tiles.";
    LimitPolygons { used: usize, most: usize, percent: usize } = "limit-polygons", Warning, "Polygons of a tile";
        "{used} of {most} polygons used in one tile ({percent} %)";
        "Tiles and polygons share the bits of a polygon reference.";
        "Use 64-bit references (setting refs), or smaller tiles, which have fewer polygons.";
    LimitVertices { used: usize, most: usize, percent: usize } = "limit-vertices", Warning, "Vertices of a tile";
        "{used} of {most} vertices used in one tile ({percent} %)";
        "Tile data identify vertices with 16 bits.";
        "Use smaller tiles.";
    LimitLayers { used: usize, most: usize, percent: usize } = "limit-layers", Warning, "Layers of a tile";
        "{used} of {most} layers used in one tile ({percent} %)";
        "Detour's tile cache supports at most 32 layers above one another.";
        "Limit the bake to fewer stories with a bound, or split layers by watershed.";
    LimitGridHeight { used: usize, most: usize, percent: usize } = "limit-grid-height", Warning, "Height of the voxel grid";
        "{used} of {most} voxels used for the height of the level ({percent} %)";
        "The heightfield stores heights in 15 bits.";
        "Use a larger cell_height, or remove geometry far above or below the ground.";
    LimitSearchNodes { used: usize, most: usize, percent: usize } = "limit-search-nodes", Warning, "Polygons expanded by the path";
        "{used} of {most} search nodes used ({percent} %)";
        "The search ends when it has used all its nodes, and the path is then partial.";
        "Raise the path's node limit.";

    // Bakes: from heightfields to polygons.
    NothingWalkable { why: Phrase } = "nothing-walkable", Error, "Nothing walkable";
        "nothing is walkable: {why}";
        "No tile has a navmesh. The text names the step of the bake that removed most of the ground.";
        "Change the setting that the text names, or ask `walkable why` with the level for settings that work.";
    FloorsInNoLayer { n: usize } = "floors-in-no-layer", Warning, "Floors in no layer";
        "floors that are in no layer: {n}; the agent climbs higher than it is tall, and the floors above them are part of the same strip of ground";
        "A tile cache layer cannot contain two floors of one cell. If the climb exceeds the agent's height, ground can rise above itself within one strip.";
        "Set agent_max_climb below agent_height.";
    NeighborFloorTooHigh { n: usize, limit: u32 } = "neighbor-floor-too-high", Warning, "Omitted connections between cells";
        "connections between cells left out: {n}; they lead to a floor with more than {limit} walkable floors below it";
        "The compact heightfield numbers the floors of a column with 6 bits, as in Recast. Higher floors cannot be reached from the next column.";
        "Raise cell_height or agent_height to distinguish fewer floors, or limit the bake to some stories with a bound.";
    RegionsOverlapThemselves { n: usize } = "regions-overlap-themselves", Warning, "Regions overlap themselves";
        "regions that lie partly above themselves: {n}";
        "The monotone and layers partitions merge adjacent strips of ground, as on a spiral ramp, until a region overlaps itself. Its contour then overlaps when seen from above.";
        "Set partition to watershed, or use smaller tiles.";
    ContourTooLong { steps: u32 } = "contour-too-long", Warning, "Contour cut off";
        "its contour was cut off after {steps} steps; use smaller tiles";
        "The contour of a region is longer than the bake traces.";
        "Set a smaller tile_size; if the level is baked in one piece, set a tile_size.";
    ContoursCollapsed { n: usize } = "contours-collapsed", Note, "Contours collapsed";
        "contours that collapsed to fewer than three vertices were left out: {n}";
        "A patch of ground is so narrow that its simplified contour has no area.";
        "Nothing, if such patches do not matter; otherwise lower edge_max_error or cell_size.";
    ContourHoleWithoutOutline {} = "contour-hole-without-outline", Warning, "Hole without a contour around it";
        "there is a hole but no contour around it: it may be simplified too much";
        "Simplification inverted or removed the contour around the hole, so part of the region has no polygons.";
        "Lower edge_max_error.";
    ContourSeveralOutlines {} = "contour-several-outlines", Warning, "Region with several contours";
        "the region has several contours";
        "The ground of a region, or its simplified contour, consists of several pieces. Its holes are joined to only one of them.";
        "Lower edge_max_error, or use another partition.";
    ContourHolesNotJoined { n: usize } = "contour-holes-not-joined", Warning, "Holes not joined to their contour";
        "holes that could not be joined to the contour around them: {n}";
        "Every straight line from the hole to the contour around it crosses one of them. Polygons cover the hole.";
        "Lower edge_max_error or region_merge_size, or use smaller tiles.";
    ContourOverlapsItself {} = "contour-overlaps-itself", Warning, "Contour overlaps itself";
        "the contour lies on top of itself in places; lower edge_max_error";
        "Simplification moved two sides of the contour across each other, so polygons overlap.";
        "Lower edge_max_error.";
    ContourCrossesItself {} = "contour-crosses-itself", Warning, "Contour crosses itself";
        "the contour crosses itself and is covered by polygons only in part; lower edge_max_error";
        "Simplification moved two sides of the contour across each other, so it cannot be triangulated completely.";
        "Lower edge_max_error.";
    LayerContourCrossesItself {} = "layer-contour-crosses-itself", Warning, "Contour of a layer crosses itself";
        "the contour crosses or touches itself and is covered by polygons only in part";
        "Simplification moved two sides of the contour of a tile cache layer across each other.";
        "Lower edge_max_error, or move the obstacle there.";
    BorderPolygonsOverlap { n: usize } = "border-polygons-overlap", Warning, "Polygons at the border overlap or have gaps";
        "polygons overlap or have gaps around vertices on the tile's border: {n}";
        "A vertex that only marks the end of a region on the tile's border was removed, and the area around it could not be triangulated correctly.";
        "Usually nothing; if a path is wrong there, change tile_size to move the border.";
    TooManyVertsPerPoly { found: usize, limit: usize } = "too-many-verts-per-poly", Warning, "Polygons with too many vertices for tile data";
        "polygons may have {found} vertices, but tile data holds {limit}: there is no tile";
        "Detour's tile data store at most 6 vertices per polygon. The earlier stages support up to 12.";
        "Set verts_per_poly to 6 or less.";
    DetailFlat { n: usize } = "detail-flat", Note, "Flat height detail";
        "polygons without ground near their vertices, whose height detail is flat: {n}";
        "The detail stage found no span to sample heights from, usually at tiny polygons next to steep ground.";
        "Usually nothing; a smaller cell_size follows the ground more closely.";
    DetailGaps { n: usize } = "detail-gaps", Note, "Gaps in the height detail";
        "polygons with gaps in their height detail: {n}";
        "The detail stage could not triangulate all samples of a polygon. In the gaps, the height of the nearest triangle is used.";
        "Usually nothing; a larger detail_sample_max_error or detail_sample_dist takes fewer samples.";

    SurfaceRuleUnused { source: String, name: String } = "surface-rule-unused", Warning, "Rule for an unknown name";
        "no {source} is named `{name}`";
        "An `object` or `material` line of the settings file names something that is not in the level. Names must match exactly, unless they contain `*` or `?`.";
        "Use a name that `walkable info` lists, or delete the line.";
    SurfacePattern { source: String, name: String, n: usize, first: String } = "surface-pattern", Note, "Rule for several names";
        "`{source} {name}` applies to {n} names, the first is `{first}`";
        "The name of an `object` or `material` rule contains `*` or `?`, so the rule applies to all names that fit and have no rule of their own.";
        "Nothing, or give names that it should not apply to a rule of their own.";
    AreaFromBelow { n: usize } = "area-from-below", Warning, "Area of a lower surface on higher ground";
        "voxels that took the area of a surface more than the climb below their top: {n}";
        "Surfaces that share a voxel are merged, as in Recast: a lower surface that comes later in the level sets the area of the top if its area is the larger one. Water then covers a wall that stands in it.";
        "Give the higher surface the larger area, or set its area with a volume.";
    StreamedWithoutTiles {} = "streamed-without-tiles", Warning, "Streamed level baked in one piece";
        "without tile_size, all of the level is read at once";
        "A file of `walkable bin` is read tile by tile, so the level does not need to fit in memory.";
        "Set tile_size.";

    LevelBeyondGrid { beyond: Meters } = "level-beyond-grid", Warning, "Level extends beyond the fixed grid";
        "the level reaches {beyond} beyond the grid that origin and world_height fix; what lies there is not baked";
        "The settings origin and world_height fix the lowest corner and the height of the grid, so that tiles stay the same while the level changes. Geometry before the origin, below it or above the grid is not baked.";
        "Set an origin and a world_height that enclose all walkable ground, or unset them (origin=auto, world_height=0).";

    // Navmeshes.
    IslandPlaceOffMesh { place: usize } = "island-place-off-mesh", Warning, "Place of a kept island off the navmesh";
        "place {place} of the islands to keep is off the navmesh";
        "The project identifies the islands to keep by places on them. The current bake has no navmesh at this place.";
        "Choose the island again in the editor, or delete the place.";
    LinksNotInLayers { n: usize } = "links-not-in-layers", Warning, "Off-mesh links omitted from layers";
        "off-mesh links left out of the file: {n}; files of layers hold none";
        "Files of layers contain no off-mesh links: Detour's tile cache gets them from the game and adds them when it builds tiles.";
        "Pass the off-mesh links to the game's tile cache (`TileCache::with_off_mesh`), or bake tiles.";
    WideReferencesForTiles { found: usize, limit: usize } = "wide-references-for-tiles", Warning, "Wide references because of the number of tiles";
        "references have 64 bits, because {found} tiles are more than the {limit} that 32 bits have room for: set refs=64 if your game reads them, else use a larger tile_size or cell_size (refs=32 makes sure of it)";
        "With refs=auto, a navmesh with many tiles gets 64-bit references. Detour reads it only if it was built with DT_POLYREF64.";
        "Set refs=64 if your Detour was built with DT_POLYREF64; otherwise use a larger tile_size or cell_size, and refs=32 to enforce it.";
    WideReferencesForPolygons { found: usize, limit: usize } = "wide-references-for-polygons", Warning, "Wide references because of the polygons of a tile";
        "references have 64 bits, because {found} polygons of the tile are more than the {limit} that 32 bits have room for: set refs=64 if your game reads them, else use a larger tile_size or cell_size (refs=32 makes sure of it)";
        "With refs=auto, a navmesh with many polygons in a tile gets 64-bit references. Detour reads it only if it was built with DT_POLYREF64.";
        "Set refs=64 if your Detour was built with DT_POLYREF64; otherwise use a larger tile_size, which leaves more bits for polygons, or a larger cell_size, and refs=32 to enforce it.";
    WideReferencesInLayers {} = "wide-references-in-layers", Warning, "Layers have 32-bit references";
        "layers are for references of 32 bits: refs=64 is not used";
        "Detour's tile cache always divides 22 bits between tiles and polygons.";
        "Do not set refs for a level that is baked in layers.";
    PolygonsWithoutFlags { n: usize, of: usize } = "polygons-without-flags", Warning, "Polygons without flags";
        "{n} of its {of} polygons have no flags, so that no query passes them";
        "Query filters require at least one of their include flags. Flags come from the area (its `area` line in a settings file, or the Areas panel of the editor) or from painting.";
        "Give the area flags, such as `area 7 mud flags=1`. If nobody should walk there, use area 0, which creates no polygons.";

    // A check of a navmesh: borders of tiles.
    SeamCornerOffBorder { distance: Meters } = "seam-corner-off-border", Warning, "Corner off the border of its tile";
        "the corner is {distance} from the border of its tile, although its edge leads across that border";
        "An edge that leads to the next tile is exactly on the border. Detour connects two edges only if their lines are at most 0.01 m apart. The corner was moved after the bake, or its coordinates were rounded.";
        "Bake the tile again. If another program wrote the file, let it write coordinates without rounding.";
    SeamHeightsDiffer { difference: Meters, climb: Meters } = "seam-heights-differ", Warning, "Edges on a border at different heights";
        "two edges run along the same part of the border, {difference} apart in height, and are not linked (the climb is {climb})";
        "Detour connects edges of two tiles if their heights differ by at most twice the climb. Several edges with the same ends differ by the same height, so one of the tiles was moved or baked from another level.";
        "Bake both tiles again, from the same level.";
    SeamTileShifted { difference: Meters, n: usize } = "seam-tile-shifted", Warning, "Tile at another height than its neighbors";
        "the tile is {difference} off in height from its neighbors, at the {n} corners that they share";
        "Tiles of one bake have the same heights at the corners that they share. This tile was moved or baked from another level.";
        "Bake the tile again, from the same level as its neighbors.";
    SeamCornerStep { difference: Meters, climb: Meters } = "seam-corner-step", Warning, "Shared corner with a step";
        "the corner that two tiles share differs by {difference} in height, more than the climb of {climb}";
        "Tiles of one bake have the same height at a corner that they share, or differ by a step that agents climb.";
        "Bake both tiles again, from the same level.";
    SeamCornerHeight { difference: Meters } = "seam-corner-height", Note, "Shared corner at two heights";
        "the corner that two tiles share differs by {difference} in height";
        "Each tile is rasterized separately. A wall or a step exactly on the edge of a voxel may be rounded into different voxels. Paths still cross the border.";
        "Nothing. If the difference is larger than any step of the level there, bake both tiles again.";
    SeamGroundDiffers { distance: Meters } = "seam-ground-differs", Note, "Ground of two tiles ends at different places";
        "the ground of one tile ends {distance} before that of the other";
        "Two polygons face each other across the border, and one ends where the other has no corner. Each tile is rasterized separately, and a wall exactly on the edge of a voxel may be rounded into different voxels. A corner that was moved has the same effect, and so does a bake whose border is too small for the radius.";
        "Nothing, if the distance is one voxel. Otherwise bake both tiles again, with a border of the radius and three voxels.";
    SeamTJunction { difference: Meters, climb: Meters } = "seam-t-junction", Note, "T-junction with a step";
        "a corner on the border is {difference} above or below the edge of the next tile (the climb is {climb})";
        "A corner of one tile is in the middle of an edge of the other. The edge is straight, but the ground below it is not.";
        "Usually nothing, because agents take heights from the detail surface. Smaller tiles have shorter edges.";
    SeamEdgesApart { difference: Meters, climb: Meters } = "seam-edges-apart", Note, "Unlinked edges on a border";
        "two edges run along the same part of the border, {difference} apart in height, and are not linked (the climb is {climb})";
        "Detour connects edges of two tiles if their heights differ by at most twice the climb. These edges are probably on different floors, whose ground ends exactly on the border. A step on the border has the same effect.";
        "Nothing, if agents should not pass there. Otherwise lower the step, or change tile_size so that the border is elsewhere.";
    SeamTileMissing { n: usize, length: Meters } = "seam-tile-missing", Warning, "Missing tile";
        "edges of {n} tiles lead to this place over {length} of border, but it has no tile";
        "Edges on a border lead to ground in the next tile. That tile was not baked, not written or not loaded.";
        "Bake and add the tile.";
    SeamTileAbsent { length: Meters } = "seam-tile-absent", Note, "Possibly missing tile";
        "edges lead to this place over {length} of border, but it has no tile";
        "Either the tile is missing, or the ground of its neighbors ends exactly on the border.";
        "Nothing, if the level has no ground there; otherwise bake and add the tile.";
    SeamLinksCut { n: usize, limit: usize } = "seam-links-cut", Warning, "Edge with more neighbors than Detour connects";
        "the edge touches {n} polygons of the next tile, of which Detour connects {limit}";
        "Detour connects an edge on a border to at most four polygons. From the other polygons a polygon link leads to this one, but not back.";
        "Use smaller tiles, or fewer areas along the border.";
    LayersNotLinked { layer: u32, n: usize } = "layers-not-linked", Warning, "Adjacent layers without a polygon link";
        "the ground goes on in layer {layer} over {n} cells, but no polygon link leads there";
        "Where a layer leads out on both sides of one line, as on a spiral ramp with a whole turn in a tile, Detour gives both edges the same direction and does not link one of them.";
        "Try other values of tile_size, usually smaller ones, or `--layers watershed`, until the warning is gone. Tiles instead of layers are always linked.";
    SeamLayersCut { n: usize, limit: usize } = "seam-layers-cut", Warning, "Too many layers to connect";
        "the place has {n} layers, of which Detour connects {limit} to other tiles";
        "Detour considers at most 32 tiles at a place when it connects a tile.";
        "Limit the bake to fewer stories with a bound, or split layers by watershed.";
    LinksRefused { n: usize } = "links-refused", Warning, "Polygon links that do not fit into their tile";
        "polygon links left out: {n}, because their tiles have no room for more";
        "The bake sets the maximum number of polygon links of a tile. If more tiles or layers meet than the bake expected, Detour leaves out the other polygon links, so that some borders can be crossed in one direction only, or not at all.";
        "Bake the tiles again, from one level with one set of settings.";

    // A check of a navmesh: polygons.
    PolygonNotConvex {} = "polygon-not-convex", Warning, "Polygon not convex";
        "the polygon is not convex, or its corners run the wrong way around";
        "Queries assume that a straight line between two points of a polygon stays inside it, and that corners run around it in one direction. Both fail on this polygon.";
        "Bake the tile again. If another program made it, split the polygon, or reverse its corners.";
    PolygonOffBvBox {} = "polygon-off-bv-box", Warning, "Polygon outside its box in the BV tree";
        "the polygon does not fit its box in the tile's BV tree";
        "Queries find polygons by the boxes of the BV tree, which the bake computes from the polygons. A corner of this polygon was moved after the bake.";
        "Bake the tile again.";
    PolygonNeedle { width: Meters, length: Meters } = "polygon-needle", Note, "Needle polygon";
        "the polygon is {length} long and {width} wide";
        "Triangulation produces thin polygons at walls that are not parallel to the grid. Paths through them are correct, but searches visit more polygons.";
        "Usually nothing; a larger edge_max_error produces fewer of them.";
    PolygonsOverlap { other: u64, difference: Meters } = "polygons-overlap", Warning, "Overlapping polygons";
        "the polygon overlaps polygon {other}, {difference} above or below it";
        "Two polygons of a tile cover the same ground. Simplification moved their contours across each other, or corners were moved after the bake. Queries may return the wrong polygon.";
        "Lower edge_max_error, or use another partition.";
    HoleTiny { width: Meters } = "hole-tiny", Note, "Hole of one voxel";
        "a hole in the ground is {width} wide";
        "A single voxel is not walkable, because of a post, a gap between triangles or a spike of the terrain.";
        "Close the gap in the level, or leave out small objects with an `object NAME none` line.";
    CheckCutShort { n: usize } = "check-cut-short", Warning, "Incomplete check";
        "the check stopped here after {n} comparisons, so there may be more faults";
        "Too many polygons lie on one another, too many edges run along the same part of a border, or too many off-mesh links are not connected. The rest of the tile, border or links was not compared.";
        "Fix the findings that are listed, or use smaller tiles, and check again.";

    // A check of a navmesh: its surface compared with the level.
    DetailOffLevel { distance: Meters, allowed: Meters, n: usize, of: usize } = "detail-off-level", Note, "Detail surface off the level";
        "the detail surface is {distance} from the level here, and more than {allowed} at {n} of {of} samples";
        "The detail mesh follows the ground up to detail_sample_max_error and the height of voxels. Between samples, and over steps that agents climb, it is straight.";
        "If agents float or sink in there, ask `walkable why LEVEL --at PLACE`, which tries other settings of the detail mesh.";
    SurfaceOffGround { distance: Meters, allowed: Meters, n: usize, of: usize } = "surface-off-ground", Warning, "Surface more than a step off the ground";
        "the surface is {distance} from the ground that it was made from, and more than {allowed} at {n} of {of} samples";
        "The detail mesh has a spike or a dent: where the ground has gaps, its heights can be those of another place. Layers have no detail mesh: their polygons are straight between their corners.";
        "Ask `walkable why LEVEL --at PLACE`, which tries other settings of the detail mesh. Instead of layers, bake tiles.";
    PolygonAboveGround { distance: Meters } = "polygon-above-ground", Warning, "Polygon above the level";
        "the polygon floats {distance} above the level";
        "Nowhere in the polygon is the level within the sample error and the climb. The polygon was moved or baked from another level.";
        "Bake the tile again.";
    PolygonBelowGround { distance: Meters } = "polygon-below-ground", Warning, "Polygon below the level";
        "the polygon lies {distance} below the level";
        "Nowhere in the polygon is the level within the sample error and the climb. The polygon was moved or baked from another level.";
        "Bake the tile again.";
    PolygonWithoutGround {} = "polygon-without-ground", Warning, "Polygon without a level";
        "the level has no surface below or above the polygon";
        "The polygon was moved or baked from another level.";
        "Bake the tile again.";

    // A check of a navmesh: islands.
    IslandNotConnected { area: SquareMeters, n: usize } = "island-not-connected", Note, "Unconnected island";
        "an island of {area} is not connected to the largest one (polygons: {n})";
        "No off-mesh link leads from the largest island to this one, or back. It may be a roof or a table, or a place that agents should reach.";
        "Ask `walkable why LEVEL --from PLACE --to PLACE`, which names the break. Add an off-mesh link, or remove small islands with a larger region_min_size or the islands rule of a project.";

    // Paths.
    PathStartFarFromMesh { horizontal: Meters, radius: Meters, vertical: Meters, up: Meters, down: Meters } = "path-start-far-from-mesh", Warning, "Start of a path far from the navmesh";
        "the start was moved onto the navmesh by {horizontal} horizontally (the agent reaches {radius}) and {vertical} vertically (it reaches {up} up and {down} down)";
        "The path starts at the nearest polygon in the query's search box. It is farther away than the agent reaches: its radius horizontally, its climb up and its height down. It may be on another story or behind a wall.";
        "Move the start onto the navmesh, or make the search box smaller: `--half-extents`, or Search half-extents in the editor.";
    PathEndFarFromMesh { horizontal: Meters, radius: Meters, vertical: Meters, up: Meters, down: Meters } = "path-end-far-from-mesh", Warning, "End of a path far from the navmesh";
        "the end was moved onto the navmesh by {horizontal} horizontally (the agent reaches {radius}) and {vertical} vertically (it reaches {up} up and {down} down)";
        "The path ends at the nearest polygon in the query's search box. It is farther away than the agent reaches: its radius horizontally, its climb up and its height down. It may be on another story or behind a wall.";
        "Move the end onto the navmesh, or make the search box smaller: `--half-extents`, or Search half-extents in the editor.";

    // Off-mesh links.
    LinkStartOffMesh { aside: Meters, radius: Meters, vertical: Meters, climb: Meters } = "link-start-off-mesh", Warning, "Start of an off-mesh link off the navmesh";
        "start not connected: the nearest navmesh is {aside} away seen from above (radius {radius}) and {vertical} vertically (climb {climb})";
        "A start is connected to the navmesh within the off-mesh link's radius horizontally and within the agent's climb up or down. An off-mesh link whose start is not connected cannot be reached.";
        "Move the start onto the navmesh, or raise the off-mesh link's radius.";
    LinkStartNoMesh { within: Meters } = "link-start-no-mesh", Warning, "Start of an off-mesh link far from the navmesh";
        "start not connected: no navmesh within {within}";
        "There is no navmesh near the start: it is outside the level, or on ground that is not walkable.";
        "Move the start onto the navmesh, or find out why the ground there is not walkable.";
    LinkStartRefused {} = "link-start-refused", Warning, "Start of an off-mesh link was not connected";
        "start not connected: the navmesh within its radius belongs to another tile, or the tile has no room for more polygon links";
        "An off-mesh link belongs to the tile that contains its start, and its start connects only to the navmesh of that tile. The bake sets the maximum number of polygon links of a tile.";
        "Move the start farther inside the navmesh.";
    LinkEndOffMesh { aside: Meters, radius: Meters, vertical: Meters, climb: Meters } = "link-end-off-mesh", Warning, "End of an off-mesh link off the navmesh";
        "end not connected: the nearest navmesh is {aside} away seen from above (radius {radius}) and {vertical} vertically (climb {climb})";
        "An end is connected to the navmesh within the off-mesh link's radius horizontally and within the agent's climb up or down. An off-mesh link whose end is not connected leads nowhere.";
        "Move the end onto the navmesh, or raise the off-mesh link's radius.";
    LinkEndNoMesh { within: Meters } = "link-end-no-mesh", Warning, "End of an off-mesh link far from the navmesh";
        "end not connected: no navmesh within {within}";
        "There is no navmesh near the end: it is outside the level, or on ground that is not walkable.";
        "Move the end onto the navmesh, or find out why the ground there is not walkable.";
    LinkEndTooFar { tiles: u32 } = "link-end-too-far", Warning, "Off-mesh link over more than one tile";
        "end not connected: it lies {tiles} tiles from the start, and an off-mesh link reaches the next tile only";
        "Detour connects an off-mesh link within a tile, or to one of the eight adjacent tiles.";
        "Use larger tiles, or several off-mesh links in sequence.";
    LinkEndRefused {} = "link-end-refused", Warning, "End of an off-mesh link was not connected";
        "end not connected: the navmesh within its radius belongs to another tile, or the tile has no room for more polygon links";
        "An end connects only to the navmesh of the tile that contains it. The bake sets the maximum number of polygon links of a tile.";
        "Move the end farther inside the navmesh.";
    LinkWithoutFlags {} = "link-without-flags", Warning, "Off-mesh link without flags";
        "it has no flags, so that no query passes it";
        "Query filters require at least one of their include flags.";
        "Give the off-mesh link flags: the last number of its `offmesh` line, 8 for jumps in RecastDemo.";
    LinkNotBaked {} = "link-not-baked", Note, "Off-mesh link not baked yet";
        "not baked yet";
        "Without a navmesh, the ends of the off-mesh link are not connected.";
        "Bake the level.";

    // Soak runs.
    AgentStands { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agent-stands", Warning, "Agents stand";
        "agents stand (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, agents with a path came no closer to their targets and hardly moved.";
        "Play the replay of the finding, then look at the ground and the path there. Widen narrow passages, or move the obstacle or the seam on which agents stop.";
    AgentsBlocked { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agents-blocked", Warning, "Agents block each other";
        "agents block each other (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, agents in contact with each other stood, usually because they want to pass each other where there is no room.";
        "Widen the passage to more than twice the diameter of an agent, give the two directions separate passages, or let fewer agents in.";
    AgentOscillates { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agent-oscillates", Warning, "Agents walk back and forth";
        "agents move but come no closer to their targets (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, agents with a path moved without making progress.";
        "Play the replay of the finding. Agents that push each other need a wider passage; an agent that moves alone is often pulled by two paths of nearly equal cost.";
    AgentOffNavmesh { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agent-off-navmesh", Warning, "Agents lose the navmesh";
        "agents are no longer on the navmesh (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, the crowd found no polygon near the agents any more and stopped moving them.";
        "Check flags and filter of the polygons there, and the ends of off-mesh links.";
    AgentOffCorridor { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agent-off-corridor", Warning, "Agents leave their corridor";
        "agents are not on the first polygon of their corridor (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, agents moved farther in an update than the crowd follows over polygons, so that their corridor no longer starts where they are.";
        "Use shorter updates or slower agents, or larger polygons: a larger edge_max_error or region_merge_size.";
    AgentWithoutPath { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agent-without-path", Warning, "Agents lose their path";
        "the crowd has no path, although there is one (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, the crowd gave up a path that a full search finds. Its own searches and corridors are limited.";
        "Give agents targets that are nearer, for example places on the way.";
    AgentMissesLink { n: usize, agents: usize, seconds: u32, cause: Phrase } = "agent-misses-link", Warning, "Agents do not take an off-mesh link";
        "agents stand at an off-mesh link that their path uses (events: {n}, agents: {agents}, first at {seconds} s): {cause}";
        "In a soak run, agents did not come close enough to the start of an off-mesh link: a crowd enters a link within 2.25 times the radius of the agent.";
        "Move the start of the off-mesh link away from walls and other agents, or place a second one for the other direction.";

    // Display in the editor.
    ColoringAtOtherStage {} = "coloring-at-other-stage", Note, "Coloring of another stage";
        "shown only at the stages polygons and navmesh";
        "The coloring applies to polygons, and the current stage has none.";
        "Select the stage polygons or navmesh.";
    ColoringRegionsUnknown {} = "coloring-regions-unknown", Note, "Regions of an imported navmesh";
        "a navmesh from a file does not contain its regions";
        "Tile data contain polygons, but not the regions they were made from.";
        "Open the level and bake it.";
    ColoringTimeUnknown {} = "coloring-time-unknown", Note, "Bake time of an imported navmesh";
        "the bake time of a navmesh from a file is unknown";
        "Tile data do not contain bake times.";
        "Open the level and bake it.";
    ColoringTimeOfLayers {} = "coloring-time-of-layers", Note, "Bake time of layers";
        "prepared for obstacles: the time to make each tile again from its layer";
        "In a level prepared for obstacles, tiles are built from tile cache layers, and rebuilt whenever an obstacle changes.";
        "Nothing: a game spends the same time at run time.";
    ColoringMemoryOfLayers {} = "coloring-memory-of-layers", Note, "Size of tiles built from layers";
        "prepared for obstacles: tiles of layers have no detail and no BV tree";
        "Detour's tile cache builds tiles without a detail mesh and without a BV tree, which are smaller.";
        "Nothing.";
    ColoringOneTile {} = "coloring-one-tile", Note, "Level in one tile";
        "the level is baked in one tile";
        "With one tile there is nothing to compare.";
        "Set tile_size to bake in tiles.";
    ColoringSurfaceUnknown {} = "coloring-surface-unknown", Note, "Surface of an imported navmesh";
        "surface distance: a navmesh from a file has no level";
        "The surface is compared with the level's triangles.";
        "Open the level and bake it.";
    ColoringSurfaceOfLayers {} = "coloring-surface-of-layers", Note, "Surface of tiles built from layers";
        "surface distance: tiles of layers have no detail surface";
        "Detour's tile cache builds tiles without a detail mesh, whose surface is only roughly at the height of the ground.";
        "Nothing.";
    ColoringNotChecked {} = "coloring-not-checked", Note, "Navmesh not checked";
        "shown once the check has ended";
        "The check of the navmesh measures the distances, after a bake in which no tile failed.";
        "Wait for the check, or start it with the command Check navmesh.";
    ColoringWhileBaking {} = "coloring-while-baking", Note, "Islands while baking";
        "islands are counted when the bake ends";
        "Islands are only meaningful after the bake.";
        "Wait for the bake.";
    OverlaySteepGroundUnknown {} = "overlay-steep-ground-unknown", Note, "Steep ground of an imported navmesh";
        "steep ground: a navmesh from a file has no level";
        "Steepness is computed from the level's triangles.";
        "Open the level.";
    OverlayVoxelsAtOtherStage {} = "overlay-voxels-at-other-stage", Note, "Voxels of another stage";
        "voxels are shown only at the stages spans and filtered";
        "The current stage has no solid voxels.";
        "Select the stage spans or filtered.";
    OverlayRegionsUnknown {} = "overlay-regions-unknown", Note, "Region adjacency of an imported navmesh";
        "region adjacency: a navmesh from a file does not contain its regions";
        "Tile data contain polygons, but not the regions they were made from.";
        "Open the level and bake it.";
    OverlayPortalsOneTile {} = "overlay-portals-one-tile", Note, "Portals of a single tile";
        "portals: there is only one tile";
        "Portals connect adjacent tiles.";
        "Set tile_size to bake in tiles.";
    ClustersOneCell {} = "clusters-one-cell", Note, "Clusters of a single cell";
        "clusters: all tiles are in one cell of 4 by 4 tiles";
        "Clusters are the parts of cells of 4 by 4 tiles. In a single cell, only one-way off-mesh links divide an island into clusters.";
        "Set a smaller tile_size to bake in more tiles.";
    OverlayNoBvTree {} = "overlay-no-bv-tree", Note, "Tiles without a BV tree";
        "BV tree: these tiles have none";
        "The tile cache builds tiles without a BV tree, and a file may omit it.";
        "Nothing: queries examine all polygons of such a tile.";
}
