//! Locations of diagnostics.

use std::{borrow::Cow, fmt};

use glam::Vec3;
use serde::Serialize;

use crate::ids::{AreaId, TileCoord};

/// A location of a diagnostic. A diagnostic can have several, from the outermost to the innermost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Location {
    /// A file, or the name of a level without a file.
    File(String),
    /// A line of a file, counted from 1.
    Line(u32),
    /// An element of a file with its index, counted from 0, and its name if it has one, such as `mesh 2 "Wall",
    /// primitive 0`.
    Element(String),
    /// A setting, by its key.
    Setting(Cow<'static, str>),
    /// A tile.
    Tile(TileCoord),
    /// A layer of the tile, counted from 0.
    Layer(u32),
    /// A region of the tile.
    Region(u16),
    /// A polygon, by its reference.
    Polygon(u64),
    /// An area, by its number.
    Area(AreaId),
    /// An off-mesh link, by its position in the list of links, counted from 1.
    OffMeshLink(usize),
    /// A point in world space.
    Point(Vec3),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(name) | Self::Element(name) => f.write_str(name),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Setting(key) => f.write_str(key),
            Self::Tile(tile) => write!(f, "tile {tile}"),
            Self::Layer(layer) => write!(f, "layer {layer}"),
            Self::Region(region) => write!(f, "region {region}"),
            Self::Polygon(reference) => write!(f, "polygon {reference}"),
            Self::Area(area) => write!(f, "area {area}"),
            Self::OffMeshLink(number) => write!(f, "off-mesh link {number}"),
            Self::Point(Vec3 { x, y, z }) => write!(f, "{x},{y},{z}"),
        }
    }
}
