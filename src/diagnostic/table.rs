//! Every code: its name, severity, arguments, text, cause and remedy. One row is all that a code needs, and a
//! row that lacks something does not compile.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Argument, Degrees, Meters, Severity};

/// What the documentation says about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePage {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, in a few words.
    pub title: &'static str,
    /// How its text reads.
    pub text: &'static str,
    /// Why it comes about, and what follows from it.
    pub cause: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// What its text and its JSON tell.
    pub arguments: &'static [ArgumentPage],
}

/// An argument of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentPage {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its unit, or what kind of value it is.
    pub unit: &'static str,
}

impl Code {
    /// The code called `name`.
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

/// Makes [`Code`], [`Finding`] and their pages of rows
/// `Name { argument: type } = "stable-name", Severity, "Title"; "text"; "Cause."; "Remedy.";`.
macro_rules! findings {
    ($(
        $name:ident { $($argument:ident: $kind:ty),* } = $key:literal, $severity:ident, $title:literal;
        $text:literal;
        $cause:literal;
        $remedy:literal;
    )*) => {
        /// The stable name of a finding. `docs/diagnostics.md` has the page of each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name in scripts, JSON and the documentation. It never changes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }

            /// What the documentation says about it.
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

        /// What was found, with its arguments.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum Finding {
            $(#[doc = $title] $name {
                $(#[doc = concat!("`{", stringify!($argument), "}` of the text.")] $argument: $kind,)*
            },)*
        }

        impl Finding {
            /// The stable name of what was found.
            pub const fn code(&self) -> Code {
                match self {
                    $(Self::$name { .. } => Code::$name,)*
                }
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
    // A level's file.
    FaceDropped { n: usize } = "face-dropped", Warning, "Face with fewer than three vertices";
        "face with {n} vertices left out";
        "A face with fewer than three vertices encloses nothing.";
        "Delete such faces in the modeling tool, if they were meant to be ground; else nothing.";
    TriangleDegenerate { triangle: usize } = "triangle-degenerate", Note, "Triangle without area";
        "triangle {triangle} has no area";
        "The vertices of the triangle lie on a line or at one point. It is kept, and may still mark voxels as solid.";
        "Nothing, or clean up the mesh in the modeling tool.";
    TriangleDuplicate { triangle: usize, original: usize, first_at: String } = "triangle-duplicate", Note, "Triangle given twice";
        "triangle {triangle} repeats triangle {original} of {first_at}";
        "Two triangles have the same vertices in the same order, mostly because an object lies in the level twice. Both are kept.";
        "Nothing, or delete the copy: it only costs time.";
    VertexUnused { vertex: usize } = "vertex-unused", Note, "Vertex that no face uses";
        "no face uses vertex {vertex}";
        "The vertex is kept and counts for the bounds of the level, which may be larger than its ground for that.";
        "Nothing, or delete loose vertices in the modeling tool.";
    StatementUnknown { statement: String } = "statement-unknown", Warning, "Unknown statement";
        "unknown statement \"{statement}\" skipped";
        "The line is none that OBJ files have, or one that says nothing about triangles, such as a curve.";
        "Check the line, if it was meant to be ground; else nothing.";
    NotTriangles { what: &'static str } = "not-triangles", Warning, "Primitive of points or lines";
        "{what} left out";
        "The primitive consists of points or lines, which nobody can stand on.";
        "Nothing, unless it was meant to be a surface: then export it as triangles.";
    PoseIgnored { what: &'static str } = "pose-ignored", Warning, "Skin or morph targets ignored";
        "{what} ignored: taken as it lies in the file";
        "Animation is no part of a level: the mesh is taken in its bind pose, which may not be where a game shows it.";
        "Apply the pose in the modeling tool, or leave the object out by an `object NAME none` line.";
    SceneLeftOut {} = "scene-left-out", Note, "Another scene of the file";
        "not the default scene, left out";
        "A glTF file may hold several scenes. The one that it names as its default is the level.";
        "Set the scene as the file's default, if it is the one to bake.";
    ExtensionUnknown { name: String } = "extension-unknown", Warning, "Required glTF extension is unknown";
        "the file requires {name}, which is unknown: something may be missing";
        "The file says that it cannot be understood without the extension. It is read as far as it can be.";
        "Export without the extension, and check in the editor that nothing is missing.";
    NotListed { n: usize } = "findings-not-listed", Note, "More findings than are listed";
        "{n} more findings are not listed";
        "Of each code only the first 100 findings in a file are listed.";
        "Mend the ones listed and load the level again.";

    // A bake: heightfield to polygons.
    FloorsInNoLayer { n: usize } = "floors-in-no-layer", Warning, "Floors are in no layer";
        "{n} floors are in no layer: the agent climbs higher than it is tall, and the floors above them are part of the same strip of ground";
        "A tile cache layer cannot hold two floors of one cell. Where the highest climb is more than the agent's height, ground can rise over itself within one strip.";
        "Set agent_max_climb below agent_height.";
    NeighborFloorTooHigh { n: usize, limit: u32 } = "neighbor-floor-too-high", Warning, "Connections between cells left out";
        "{n} connections between cells were left out: they lead to a floor with more than {limit} walkable floors below it";
        "The compact heightfield numbers the floors of a column with 6 bits, as in Recast. Floors above that cannot be reached from the next column.";
        "Raise cell_height or agent_height so that fewer floors are told apart, or limit the bake to some storeys by a bound.";
    RegionsOverlapThemselves { n: usize } = "regions-overlap-themselves", Warning, "Regions lie above themselves";
        "{n} regions lie partly above themselves";
        "Monotone and layer partition merge strips of ground that meet, as on a spiral ramp, until a region lies over itself. Its contour then overlaps when seen from above.";
        "Set region_partition to watershed, or use smaller tiles.";
    ContourTooLong { steps: u32 } = "contour-too-long", Warning, "Contour cut off";
        "its contour was cut off after {steps} steps; use smaller tiles";
        "The contour of a region is longer than the bake traces.";
        "Set a smaller tile_size, or tile_size at all where the level is baked in one piece.";
    ContoursCollapsed { n: usize } = "contours-collapsed", Note, "Contours collapsed";
        "{n} contours collapsed to fewer than three vertices and were left out";
        "A patch of ground is so narrow that its simplified contour has no area.";
        "Nothing, if such patches do not matter; else lower edge_max_error or cell_size.";
    ContourHoleWithoutOutline {} = "contour-hole-without-outline", Warning, "Hole without a contour around it";
        "there is a hole but no contour around it: it may be simplified too much";
        "Simplification turned the contour around the hole inside out or removed it, so that part of the region has no polygons.";
        "Lower edge_max_error.";
    ContourSeveralOutlines {} = "contour-several-outlines", Warning, "Region with several contours";
        "the region has several contours";
        "The ground of one region falls apart into pieces, or its simplified contour does. Its holes are joined to one of them only.";
        "Lower edge_max_error, or use another region_partition.";
    ContourHolesNotJoined { n: usize } = "contour-holes-not-joined", Warning, "Holes not joined to their contour";
        "{n} holes could not be joined to the contour around them";
        "There is no straight line from the hole to the contour around it that crosses neither. Polygons cover the hole there.";
        "Lower edge_max_error or region_merge_size, or use smaller tiles.";
    ContourOverlapsItself {} = "contour-overlaps-itself", Warning, "Contour lies on top of itself";
        "the contour lies on top of itself in places; lower edge_max_error";
        "Simplification moved two sides of the contour across each other, so that polygons overlap.";
        "Lower edge_max_error.";
    ContourCrossesItself {} = "contour-crosses-itself", Warning, "Contour crosses itself";
        "the contour crosses itself and is covered by polygons only in part; lower edge_max_error";
        "Simplification moved two sides of the contour across each other, so that it cannot be triangulated whole.";
        "Lower edge_max_error.";
    LayerContourCrossesItself {} = "layer-contour-crosses-itself", Warning, "Contour of a layer crosses itself";
        "the contour crosses or touches itself and is covered by polygons only in part";
        "Simplification moved two sides of the contour of a tile cache layer across each other.";
        "Lower edge_max_error, or move the obstacle there.";
    BorderPolygonsOverlap { n: usize } = "border-polygons-overlap", Warning, "Polygons at the border overlap or have gaps";
        "polygons around {n} vertices on the tile's border overlap or have gaps";
        "A vertex that only marks the end of a region on the tile's border was removed, and what was left around it could not be triangulated cleanly.";
        "Usually nothing; if a path goes wrong there, change tile_size so that the border lies elsewhere.";
    TooManyVertsPerPoly { found: usize, limit: usize } = "too-many-verts-per-poly", Warning, "Polygons with too many vertices for tile data";
        "polygons may have {found} vertices, but tile data holds {limit}: there is no tile";
        "Detour's tile data has room for 6 vertices a polygon. The stages before can be looked at with up to 12.";
        "Set verts_per_poly to 6 or less.";
    DetailFlat { n: usize } = "detail-flat", Note, "Flat height detail";
        "{n} polygons have no ground near their vertices; their height detail is flat";
        "The detail stage found no span to take heights from, mostly at tiny polygons beside steep ground.";
        "Usually nothing; a smaller cell_size follows the ground more closely.";
    DetailGaps { n: usize } = "detail-gaps", Note, "Gaps in the height detail";
        "{n} polygons have gaps in their height detail";
        "The detail stage could not triangulate all samples of a polygon. Heights in the gaps are those of the nearest triangle.";
        "Usually nothing; a larger detail_sample_max_error or detail_sample_dist takes fewer samples.";
}
