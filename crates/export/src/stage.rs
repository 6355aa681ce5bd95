//! A stage of a bake to export: its surfaces and lines, tile by tile.

use glam::Vec3;
use walkable_bake::bake::Rgb;
use walkable_runtime::ids::TileCoord;

use crate::input::ExportError;

/// A stage of a bake to export.
#[derive(Clone, Copy, Debug)]
pub struct StageInput<'a> {
    /// Name of the stage, for example `regions`.
    pub stage: &'a str,
    /// The tiles.
    pub tiles: &'a [StageTile],
    /// Side of a cell in meters.
    pub cell_size: f32,
    /// Height of a voxel in meters.
    pub cell_height: f32,
}

/// A stage in one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct StageTile {
    /// Column and row of the tile.
    pub coord: TileCoord,
    /// Surfaces and lines, grouped by meaning.
    pub parts: Vec<StagePart>,
}

/// Surfaces and lines of one meaning, for example all ground of an area.
#[derive(Clone, Debug, PartialEq)]
pub struct StagePart {
    /// Name: that of an area, `region`, `distance`, `boundary edge`.
    pub name: String,
    /// Number of the area, region or layer, or the distance in meters.
    pub value: Option<f32>,
    /// Color.
    pub color: Rgb,
    /// Whether parts with this name and other values have other colors.
    pub is_colored_by_value: bool,
    /// Triangles, counter-clockwise seen from their front.
    pub triangles: Vec<[Vec3; 3]>,
    /// Lines.
    pub lines: Vec<[Vec3; 2]>,
}

/// How a format contains a stage.
#[derive(Clone, Copy, Debug)]
pub struct StageFormat {
    /// What the file contains.
    pub keeps: &'static str,
    /// What the file does not contain.
    pub loses: &'static str,
    pub(crate) write: fn(&StageInput<'_>) -> Result<Vec<u8>, ExportError>,
}

impl StageFormat {
    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// Returns an error if the stage is empty, or too large for the format.
    pub fn write(&self, input: &StageInput<'_>) -> Result<Vec<u8>, ExportError> {
        if input.tiles.iter().all(|tile| tile.parts.is_empty()) {
            return Err(ExportError::EmptyStage(input.stage.to_owned()));
        }
        (self.write)(input)
    }
}

/// Distinct vertices, in the order of their first use.
#[derive(Debug, Default)]
pub(crate) struct Vertices {
    pub(crate) points: Vec<Vec3>,
    numbers: std::collections::BTreeMap<[u32; 3], u32>,
}

impl Vertices {
    /// Returns the index of a vertex, which is added if it is new.
    pub(crate) fn index(&mut self, point: Vec3) -> u32 {
        let next = crate::ground::index_u32(self.points.len());
        let number = *self.numbers.entry(point.to_array().map(f32::to_bits)).or_insert(next);
        if number == next {
            self.points.push(point);
        }
        number
    }
}
