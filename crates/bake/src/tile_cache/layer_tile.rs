use glam::Vec3;
use walkable_runtime::{
    geom::{Aabb, in_range},
    ids::{AreaId, TileCoord},
    navmesh::format::{FormatError, Reader, Writer},
};

use super::{LayerKey, packing};
use crate::bake::{CellRect, HeightLayer, LayerLinks, RawArea};

/// First four bytes of a layer tile.
const MAGIC: u32 = 0x4454_4c52;
const VERSION: u32 = 1;
/// Bytes of the header.
const HEADER_SIZE: usize = 56;
/// Bytes per cell: height, area, connections.
const BYTES_PER_CELL: usize = 3;
/// Maximum number of cells along a side: the header has a byte for it.
pub(super) const MAX_SIDE: u32 = 255;

/// A compressed heightfield layer and its position in the level.
///
/// Invariant: the compressed cells are those of a valid layer of `n_x` × `n_z` cells, 1 to 255 along a side.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerTile {
    /// Coordinate of the tile and layer.
    pub(super) key: LayerKey,
    bounds: Aabb,
    min_y_vx: u16,
    max_y_vx: u16,
    n_x: u8,
    n_z: u8,
    /// Columns and rows with ground: first and last column, first and last row.
    used: [u8; 4],
    packed: Vec<u8>,
}

impl LayerTile {
    /// Compresses `layer`; `None` if it has no cells or more than 255 along a side.
    pub fn pack(key: LayerKey, layer: &HeightLayer) -> Option<Self> {
        let side = |n: u32| u8::try_from(n).ok().filter(|n| *n > 0);
        let CellRect { min_x, max_x, min_z, max_z } = layer.used;
        let used = [min_x, max_x, min_z, max_z].map(|at| u8::try_from(at).unwrap_or(u8::MAX));
        let mut cells = layer.heights.clone();
        cells.extend(layer.areas.iter().map(|area| area.0));
        cells.extend(layer.links.iter().map(|links| links.0));
        Some(Self {
            key,
            bounds: layer.bounds,
            min_y_vx: layer.min_y_vx,
            max_y_vx: layer.max_y_vx,
            n_x: side(layer.n_x)?,
            n_z: side(layer.n_z)?,
            used,
            packed: packing::pack(&cells),
        })
    }

    /// Returns the coordinate of the tile and the layer.
    pub fn key(&self) -> LayerKey {
        self.key
    }

    /// Decompresses the layer, with cells of the given size.
    pub fn unpack(&self, cell_size: f32, cell_height: f32) -> HeightLayer {
        let n_cells = self.n_cells();
        let cells = self.cells();
        let (heights, rest) = cells.split_at(n_cells);
        let (areas, links) = rest.split_at(n_cells);
        let [min_x, max_x, min_z, max_z] = self.used.map(u32::from);
        HeightLayer {
            bounds: self.bounds,
            cell_size,
            cell_height,
            n_x: u32::from(self.n_x),
            n_z: u32::from(self.n_z),
            used: CellRect { min_x, max_x, min_z, max_z },
            min_y_vx: self.min_y_vx,
            max_y_vx: self.max_y_vx,
            heights: heights.to_vec(),
            areas: areas.iter().map(|&area| RawArea(area)).collect(),
            links: links.iter().map(|&links| LayerLinks(links)).collect(),
        }
    }

    /// Returns the bounds of the cells with ground.
    ///
    /// Source: `dtTileCache::calcTightTileBounds`.
    pub(super) fn ground_bounds(&self, cell_size: f32) -> Aabb {
        let Aabb { min, max } = self.bounds;
        let [min_x, max_x, min_z, max_z] = self.used.map(u16::from);
        let at = |start: f32, cell: u16| start + f32::from(cell) * cell_size;
        Aabb {
            min: Vec3::new(at(min.x, min_x), min.y, at(min.z, min_z)),
            max: Vec3::new(at(min.x, max_x + 1), max.y, at(min.z, max_z + 1)),
        }
    }

    /// Returns the length of [`LayerTile::to_bytes`].
    pub fn n_bytes(&self) -> usize {
        self.header().len() + self.packed.len()
    }

    /// Returns the length of [`LayerTile::to_unpacked_bytes`].
    pub fn n_unpacked_bytes(&self) -> usize {
        self.header().len() + 3 * self.n_cells()
    }

    /// Returns header and compressed cells in Detour's format.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header();
        bytes.extend_from_slice(&self.packed);
        bytes
    }

    /// Like [`LayerTile::to_bytes`], but without compression: header, heights, areas, connections.
    pub fn to_unpacked_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header();
        bytes.extend(self.cells());
        bytes
    }

    fn header(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u32(MAGIC);
        out.u32(VERSION);
        out.u32(self.key.x);
        out.u32(self.key.z);
        out.u32(self.key.layer);
        out.vec3(self.bounds.min);
        out.vec3(self.bounds.max);
        out.u16(self.min_y_vx);
        out.u16(self.max_y_vx);
        out.put([self.n_x, self.n_z]);
        out.put(self.used);
        out.zeros(2);
        out.bytes
    }

    /// Returns heights, areas and connections.
    fn cells(&self) -> Vec<u8> {
        packing::unpack(&self.packed, self.n_cells() * BYTES_PER_CELL)
            .expect("the cells were packed here, or unpacked once when they were read")
    }

    fn n_cells(&self) -> usize {
        usize::from(self.n_x) * usize::from(self.n_z)
    }

    /// Reads the format of [`LayerTile::to_bytes`]. The cells can have been compressed by any compatible program.
    ///
    /// # Errors
    /// Returns a [`FormatError`] if the bytes are not exactly one valid layer tile.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut input = Reader::new(bytes);
        input.magic("layer tile", MAGIC)?;
        input.version("layer tile", VERSION)?;
        let x = input.count("tile column")?;
        let z = input.count("tile row")?;
        let layer = input.count("layer number")?;
        let min = finite(&mut input, "box")?;
        let max = finite(&mut input, "box")?;
        let min_y_vx = input.u16("lowest floor")?;
        let max_y_vx = input.u16("highest floor")?;
        let n_x = side(&mut input, "number of columns")?;
        let n_z = side(&mut input, "number of rows")?;
        let used = [
            below(&mut input, "first used column", n_x)?,
            below(&mut input, "last used column", n_x)?,
            below(&mut input, "first used row", n_z)?,
            below(&mut input, "last used row", n_z)?,
        ];
        input.slice("padding", HEADER_SIZE - input.offset())?;
        let offset = input.offset();
        let packed = input.slice("cells", input.n_left())?.to_vec();
        let key = LayerKey::new(TileCoord::new(x, z), layer);
        let bounds = Aabb { min, max };
        let tile = Self { key, bounds, min_y_vx, max_y_vx, n_x, n_z, used, packed };
        tile.check_cells(offset)?;
        Ok(tile)
    }

    /// Checks that the cells can be decompressed and have valid areas.
    fn check_cells(&self, offset: usize) -> Result<(), FormatError> {
        let n_cells = self.n_cells();
        let cells = packing::unpack(&self.packed, n_cells * BYTES_PER_CELL)
            .map_err(|why| FormatError::BadPacking { what: "cells", offset, why })?;
        let areas = &cells[n_cells..2 * n_cells];
        match areas.iter().find(|area| AreaId::COUNT <= usize::from(**area)) {
            None => Ok(()),
            Some(&area) => {
                let value = i64::from(area);
                Err(FormatError::BadNumber { what: "area of a cell in the tile", offset, value })
            }
        }
    }
}

fn finite(input: &mut Reader<'_>, what: &'static str) -> Result<Vec3, FormatError> {
    let offset = input.offset();
    let corner = input.vec3(what)?;
    if in_range(corner) { Ok(corner) } else { Err(FormatError::NotFinite { what, offset }) }
}

/// Reads a number of cells, at least one.
fn side(input: &mut Reader<'_>, what: &'static str) -> Result<u8, FormatError> {
    let offset = input.offset();
    match input.u8(what)? {
        0 => Err(FormatError::BadNumber { what, offset, value: 0 }),
        n => Ok(n),
    }
}

/// Reads the index of a column or row, below `n`.
fn below(input: &mut Reader<'_>, what: &'static str, n: u8) -> Result<u8, FormatError> {
    let offset = input.offset();
    let at = input.u8(what)?;
    if at < n { Ok(at) } else { Err(FormatError::BadNumber { what, offset, value: i64::from(at) }) }
}
