//! The files of TrinityCore and MaNGOS: a `.mmap` with the parameters of a map, and its tiles in `.mmtile` files.

use std::borrow::Borrow;

use super::{FormatError, bytes::Reader, dnav};
use crate::navmesh::{NavMeshParams, Tile};

/// First four bytes of a tile, and of a map by recent versions of TrinityCore.
pub(super) const MAGIC: u32 = 0x4d4d_4150;

/// Reads a `.mmtile`: a header of 20 bytes, then Detour's tile data.
///
/// # Errors
/// Returns a [`FormatError`] if the bytes are not exactly one valid tile.
pub fn mmap_tile(bytes: &[u8]) -> Result<Tile, FormatError> {
    Tile::from_bytes(tile_data(bytes)?)
}

/// Returns Detour's tile data in a `.mmtile`.
pub(super) fn tile_data(bytes: &[u8]) -> Result<&[u8], FormatError> {
    let mut input = Reader::new(bytes);
    input.magic("mmtile", MAGIC)?;
    input.version("tile data", dnav::VERSION)?;
    input.u32("version of the file")?;
    let size = input.count("tile size")?;
    input.u32("liquids")?;
    let data = input.slice("tile data", size as usize)?;
    match input.n_left() {
        0 => Ok(data),
        n_bytes => Err(FormatError::LeftOver { what: "the tile data", n_bytes }),
    }
}

/// Reads the grid of a `.mmap`: the navmesh's parameters, alone or after a magic and a version. The maximum
/// numbers of tiles and polygons are those of `tiles`, because those in the file can exceed what references can number.
///
/// # Errors
/// Returns a [`FormatError`] if the bytes are not those of such a file.
pub fn mmap_params(
    bytes: &[u8],
    tiles: &[impl Borrow<Tile>],
) -> Result<NavMeshParams, FormatError> {
    let mut input = Reader::new(bytes);
    let has_magic = bytes.starts_with(&MAGIC.to_le_bytes());
    if has_magic {
        input.slice("magic and version", 8)?;
    }
    let origin = input.vec3("origin")?;
    let (tile_width, tile_height) = (input.f32("tile width")?, input.f32("tile height")?);
    input.slice("maximum numbers of tiles and polygons", 8)?;
    let n_bytes = input.n_left();
    if n_bytes > 0 && !has_magic {
        return Err(FormatError::LeftOver { what: "the parameters", n_bytes });
    }
    let max_tiles = u32::try_from(tiles.len()).unwrap_or(u32::MAX);
    let max_polys = tiles.iter().map(|tile| tile.borrow().n_polys()).max().unwrap_or(1);
    Ok(NavMeshParams { origin, tile_width, tile_height, max_tiles, max_polys })
}
