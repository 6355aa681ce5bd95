//! RecastDemo's set of tiles, magic `MSET`, version 1.

use std::{
    io::{self, Write},
    sync::Arc,
};

use super::{
    FormatError, RefWidth,
    bytes::{Reader, Writer},
    dnav, mmap,
};
use crate::navmesh::{
    NavMesh, NavMeshError, NavMeshParams, RefLayout, Tile, TilePlace, seams::Seams, slots::SlotName,
};

/// First four bytes of a set of tiles.
const MAGIC: u32 = 0x4d53_4554;
const VERSION: u32 = 1;
/// Size of the set's header, in bytes.
const HEADER_SIZE: usize = 40;
/// Minimum number of bytes per polygon, and per link, of most sets. Memory is reserved accordingly; for other sets it
/// grows while they are read.
const BYTES_PER_POLY: usize = 160;
const BYTES_PER_LINK: usize = 40;

impl RefWidth {
    /// Returns the number of bytes between the set's header and the first tile, and between tiles.
    const fn tile_header_size(self) -> usize {
        match self {
            Self::Bits32 => 8,
            Self::Bits64 => 16,
        }
    }
}

impl NavMeshParams {
    /// Appends the 28 bytes of the parameters in a set of tiles.
    #[doc(hidden)] // As `Writer`: for the tile cache.
    pub fn write_to(&self, out: &mut Writer) {
        out.vec3(self.origin);
        out.f32(self.tile_width);
        out.f32(self.tile_height);
        out.u32(self.max_tiles);
        out.u32(self.max_polys);
    }

    /// Reads the bytes of [`NavMeshParams::write_to`] without validation.
    #[doc(hidden)] // As `Reader`: for the tile cache.
    pub fn read_from(input: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            origin: input.vec3("origin")?,
            tile_width: input.f32("tile width")?,
            tile_height: input.f32("tile height")?,
            max_tiles: input.count("most tiles")?,
            max_polys: input.count("most polygons")?,
        })
    }
}

impl NavMesh {
    /// Returns the mesh in RecastDemo's format: the header, then each tile by slot. Links in the tiles are zero.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes.reserve_exact(self.file_size());
        put_header(&mut out, self.params(), self.live_tiles().count());
        for live in self.live_tiles() {
            put_tile(&mut out, live.poly_ref(0).0.get(), &live.tile, self.width());
        }
        out.bytes
    }

    /// Returns slot and salt of a tile's reference; `None` if it refers to a polygon or has no salt.
    pub(super) fn tile_name(&self, reference: u64) -> Option<SlotName> {
        let parts = self.layout().parts(reference)?;
        let is_tile = parts.salt > 0 && parts.poly == 0;
        is_tile.then_some(SlotName { number: parts.slot, salt: parts.salt })
    }

    /// Returns the length of [`NavMesh::to_bytes`].
    pub(in crate::navmesh) fn file_size(&self) -> usize {
        let tiles = self
            .live_tiles()
            .map(|live| self.width().tile_header_size() + live.tile.n_bytes(self.width()));
        HEADER_SIZE + tiles.sum::<usize>()
    }

    /// Returns whether a file that starts with `bytes` is one for [`NavMesh::from_bytes`].
    pub fn is_start(bytes: &[u8]) -> bool {
        let Some(first) = bytes.first_chunk().map(|four| u32::from_le_bytes(*four)) else {
            return false;
        };
        // A set without magic is recognized by its first tile.
        let tiles = bytes.get(HEADER_SIZE - 4..).filter(|_| first == VERSION);
        let widths = [RefWidth::Bits32, RefWidth::Bits64];
        [MAGIC, dnav::MAGIC, mmap::MAGIC].contains(&first)
            || tiles.is_some_and(|tiles| widths.iter().any(|&width| has_tile_after(tiles, width)))
    }

    /// Reads a set of tiles in RecastDemo's format or KBEngine's, which is the same without the magic, with 32- or 64-bit
    /// references. Tiles keep their slots and salts, so that references from before saving remain valid. Also reads a
    /// single tile, as Detour's tile data or as a `.mmtile` of TrinityCore.
    ///
    /// # Errors
    /// Returns a [`FormatError`] if the bytes are not exactly one valid set of tiles, or one valid tile.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut input = Reader::new(bytes);
        match bytes.first_chunk().map(|four| u32::from_le_bytes(*four)) {
            Some(dnav::MAGIC) => return Self::of_tile_data(bytes),
            Some(mmap::MAGIC) => return Self::of_tile_data(mmap::tile_data(bytes)?),
            Some(VERSION) => {}
            _ => input.magic("tile set", MAGIC)?,
        }
        input.version("tile set", VERSION)?;
        let n_tiles = input.count("number of tiles")?;
        let params = NavMeshParams::read_from(&mut input)?;
        let width = ref_width(&bytes[input.offset()..]);
        let mut mesh = Self::with_width(params, width)?;
        let mut seams = Seams::new();
        let left = input.n_left();
        mesh.reserve(
            (n_tiles as usize).min(left / (dnav::HEADER_SIZE + width.tile_header_size())),
            left / BYTES_PER_POLY,
        );
        seams.reserve(left / BYTES_PER_POLY, left / BYTES_PER_LINK);
        let (arrivals, numbers) = arrivals(input.clone(), &mesh, n_tiles);
        mesh.expect(&arrivals, numbers, &mut seams);
        for index in 0..n_tiles {
            let offset = input.offset();
            read_tile(&mut input, &mut mesh, &mut seams).map_err(|error| FormatError::InTile {
                index,
                offset,
                error: Box::new(error),
            })?;
        }
        if input.n_left() > 0 {
            return Err(FormatError::LeftOver { what: "the last tile", n_bytes: input.n_left() });
        }
        mesh.settle(&seams);
        Ok(mesh)
    }

    /// Reads Detour's tile data as a mesh of this tile.
    fn of_tile_data(bytes: &[u8]) -> Result<Self, FormatError> {
        let tile = Arc::new(Tile::from_bytes(bytes)?);
        let is_narrow = tile.n_bytes(RefWidth::Bits32) == bytes.len();
        let width = if is_narrow { RefWidth::Bits32 } else { RefWidth::Bits64 };
        Ok(Self::of_tiles(NavMeshParams::solo(&tile), width, vec![tile])?)
    }
}

/// Writes a set of tiles one by one, so that they need not be in memory together: the bytes of [`NavMesh::to_bytes`] of a
/// mesh to which the tiles were added in this order.
#[derive(Debug)]
pub struct TileSetWriter<W> {
    to: W,
    layout: RefLayout,
    width: RefWidth,
    /// Number of tiles of the set, and how many of them were written.
    n_tiles: [u32; 2],
}

impl<W: Write> TileSetWriter<W> {
    /// Starts a set of `n_tiles` tiles in `to`.
    ///
    /// # Errors
    /// Returns an error if `to` cannot be written, or if the parameters are not those of a navmesh.
    pub fn new(
        mut to: W,
        params: &NavMeshParams,
        width: RefWidth,
        n_tiles: u32,
    ) -> io::Result<Self> {
        let layout = RefLayout::for_params(params, width).map_err(io::Error::other)?;
        let mut header = Writer::default();
        put_header(&mut header, params, n_tiles as usize);
        to.write_all(&header.bytes)?;
        Ok(Self { to, layout, width, n_tiles: [n_tiles, 0] })
    }

    /// Writes the next tile. Off-mesh links of a tile of a navmesh have moved to the ground: see [`NavMesh::tile`].
    ///
    /// # Errors
    /// Returns an error if it cannot be written, or if there are more tiles than was said.
    pub fn add(&mut self, tile: &Tile) -> io::Result<()> {
        let [n_tiles, n_written] = &mut self.n_tiles;
        let base = self.layout.base(*n_written, 1).filter(|_| n_written < n_tiles);
        let base = base.ok_or_else(|| io::Error::other("there are too many tiles"))?;
        *n_written += 1;
        let mut out = Writer::default();
        put_tile(&mut out, base.get(), tile, self.width);
        self.to.write_all(&out.bytes)
    }

    /// Ends the set and returns the writer.
    ///
    /// # Errors
    /// Returns an error if it cannot be written, or if tiles are missing.
    pub fn finish(mut self) -> io::Result<W> {
        let [n_tiles, n_written] = self.n_tiles;
        if n_written < n_tiles {
            return Err(io::Error::other("tiles are missing"));
        }
        self.to.flush()?;
        Ok(self.to)
    }
}

fn put_header(out: &mut Writer, params: &NavMeshParams, n_tiles: usize) {
    out.u32(MAGIC);
    out.u32(VERSION);
    out.count(n_tiles);
    params.write_to(out);
}

/// Appends a tile after its reference.
fn put_tile(out: &mut Writer, reference: u64, tile: &Tile, width: RefWidth) {
    let reference = reference.to_le_bytes();
    let bytes = tile.to_bytes_with(width);
    match width {
        RefWidth::Bits32 => {
            let [a, b, c, d, ..] = reference;
            out.put([a, b, c, d]);
            out.count(bytes.len());
        }
        RefWidth::Bits64 => {
            out.put(reference);
            out.count(bytes.len());
            out.zeros(4);
        }
    }
    out.bytes.extend_from_slice(&bytes);
}

/// Returns the places and numbers of the tiles of a set, up to the first one that cannot be read.
fn arrivals(mut input: Reader<'_>, mesh: &NavMesh, n_tiles: u32) -> (Vec<TilePlace>, Vec<u32>) {
    let (mut arrivals, mut numbers) = (Vec::new(), Vec::new());
    for _ in 0..n_tiles {
        let Ok((reference, bytes)) = tile_data(&mut input, mesh.width()) else { break };
        let Ok(arrival) = dnav::place_of(bytes) else { break };
        arrivals.push(arrival);
        numbers.extend(mesh.tile_name(reference).map(|name| name.number));
    }
    (arrivals, numbers)
}

/// Returns the reference of the next tile and its bytes.
fn tile_data<'a>(input: &mut Reader<'a>, width: RefWidth) -> Result<(u64, &'a [u8]), FormatError> {
    let (reference, size) = match width {
        RefWidth::Bits32 => (u64::from(input.u32("tile reference")?), input.count("tile size")?),
        RefWidth::Bits64 => {
            let reference = input.u64("tile reference")?;
            let size = input.count("tile size")?;
            input.u32("padding")?;
            (reference, size)
        }
    };
    Ok((reference, input.slice("tile data", size as usize)?))
}

/// Returns the width of references, which the position of the first tile's data shows.
fn ref_width(tiles: &[u8]) -> RefWidth {
    if has_tile_after(tiles, RefWidth::Bits64) && !has_tile_after(tiles, RefWidth::Bits32) {
        RefWidth::Bits64
    } else {
        RefWidth::Bits32
    }
}

/// Returns whether tile data follows a tile's reference and size.
fn has_tile_after(tiles: &[u8], width: RefWidth) -> bool {
    let start = width.tile_header_size();
    tiles.get(start..start + 4) == Some(&dnav::MAGIC.to_le_bytes())
}

fn read_tile(
    input: &mut Reader<'_>,
    mesh: &mut NavMesh,
    seams: &mut Seams,
) -> Result<(), FormatError> {
    let offset = input.offset();
    let (reference, bytes) = tile_data(input, mesh.width())?;
    let name = mesh.tile_name(reference).ok_or(FormatError::BadReference { offset, reference })?;
    let tile = Tile::from_bytes(bytes)?;
    // A single tile may have references of either width; in a set all have the same.
    let [narrow, wide] = [RefWidth::Bits32, RefWidth::Bits64].map(|width| tile.n_bytes(width));
    if tile.n_bytes(mesh.width()) != bytes.len() {
        let (narrow, wide) = (narrow as u64, wide as u64);
        return Err(FormatError::WrongSize { found: bytes.len(), narrow, wide });
    }
    mesh.insert(Arc::new(tile), Some(name), seams)?;
    Ok(())
}

impl From<NavMeshError> for FormatError {
    fn from(error: NavMeshError) -> Self {
        Self::Mesh(Box::new(error))
    }
}
