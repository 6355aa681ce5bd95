//! RecastDemo's format for tile cache layers, magic `TSET`, version 1.

use walkable_runtime::{
    geom::{MAX_COORDINATE, in_range},
    navmesh::{
        NavMesh, NavMeshError, NavMeshParams,
        format::{FormatError, Reader, Writer},
    },
};

use super::{
    LayerTile, TileCache, TileCacheError, TileCacheParams, layer_tile::MAX_SIDE,
    params::TILE_AND_POLY_BITS,
};

/// Magic number of the format, in the first four bytes.
const MAGIC: u32 = 0x5453_4554;
const VERSION: u32 = 1;

impl TileCache {
    /// Writes the layers in RecastDemo's format: a header, then each layer in the order in which they were added.
    /// Obstacles are not saved.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u32(MAGIC);
        out.u32(VERSION);
        out.count(self.tiles().count());
        self.nav_mesh_params().write_to(&mut out);
        write_params(&mut out, self.params());
        let salt = 1 << self.params().tile_bits();
        for (number, tile) in (0..).zip(self.in_order()) {
            let bytes = tile.to_bytes();
            out.u32(salt | number);
            out.count(bytes.len());
            out.bytes.extend_from_slice(&bytes);
        }
        out.bytes
    }

    /// Reads layers in RecastDemo's format. Every layer is decompressed once to validate it; memory use is bounded by
    /// the size of the file. Tiles have no off-mesh links: see [`TileCache::with_off_mesh`].
    ///
    /// As in RecastDemo, layers get new references, in the order of the file.
    ///
    /// # Errors
    /// Returns a [`FormatError`] if the bytes are not exactly one valid set of layers.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut input = Reader::new(bytes);
        input.magic("layer tile set", MAGIC)?;
        input.version("layer tile set", VERSION)?;
        let n_tiles = input.count("number of layer tiles")?;
        let nav_mesh_params = NavMeshParams::read_from(&mut input)?;
        // Rejects parameters that are invalid for a navmesh.
        NavMesh::new(nav_mesh_params)?;
        let params = read_params(&mut input)?;
        let mut cache = Self::new(params, Vec::new()).with_nav_mesh_params(nav_mesh_params);
        for index in 0..n_tiles {
            let offset = input.offset();
            read_tile(&mut input, &mut cache).map_err(|error| FormatError::InTile {
                index,
                offset,
                error: Box::new(error),
            })?;
        }
        if input.n_left() > 0 {
            let n_bytes = input.n_left();
            return Err(FormatError::LeftOver { what: "the last layer tile", n_bytes });
        }
        Ok(cache)
    }
}

fn write_params(out: &mut Writer, params: &TileCacheParams) {
    out.vec3(params.origin);
    out.f32(params.cell_size);
    out.f32(params.cell_height);
    out.u32(params.n_x);
    out.u32(params.n_z);
    out.f32(params.agent_height);
    out.f32(params.agent_radius);
    out.f32(params.agent_max_climb);
    out.f32(params.edge_max_error);
    out.u32(params.max_tiles);
    out.u32(params.max_obstacles);
}

fn read_params(input: &mut Reader<'_>) -> Result<TileCacheParams, FormatError> {
    let offset = input.offset();
    let origin = input.vec3("origin")?;
    if !in_range(origin) {
        return Err(FormatError::NotFinite { what: "origin", offset });
    }
    let cell_size = size(input, "cell size")?;
    let cell_height = size(input, "cell height")?;
    let n_x = side(input, "number of columns")?;
    let n_z = side(input, "number of rows")?;
    let agent_height = size(input, "agent height")?;
    let agent_radius = size(input, "agent radius")?;
    let agent_max_climb = size(input, "agent climb")?;
    let edge_max_error = size(input, "largest error of edges")?;
    let offset = input.offset();
    let max_tiles = input.count("most layer tiles")?;
    let max_obstacles = input.count("most obstacles")?;
    let params = TileCacheParams {
        origin,
        cell_size,
        cell_height,
        n_x,
        n_z,
        agent_height,
        agent_radius,
        agent_max_climb,
        edge_max_error,
        max_tiles,
        max_obstacles,
    };
    if TILE_AND_POLY_BITS < params.tile_bits() {
        let value = i64::from(max_tiles);
        return Err(FormatError::BadNumber { what: "most layer tiles", offset, value });
    }
    Ok(params)
}

/// Reads a finite length that is not negative; cell sizes must also be nonzero.
fn size(input: &mut Reader<'_>, what: &'static str) -> Result<f32, FormatError> {
    let offset = input.offset();
    let value = input.f32(what)?;
    if value.is_nan() || MAX_COORDINATE < value {
        return Err(FormatError::NotFinite { what, offset });
    }
    if value < 0.0 || (what.starts_with("cell") && value <= 0.0) {
        #[expect(clippy::cast_possible_truncation, reason = "only shown")]
        let value = value as i64;
        return Err(FormatError::BadNumber { what, offset, value });
    }
    Ok(value)
}

fn side(input: &mut Reader<'_>, what: &'static str) -> Result<u32, FormatError> {
    let offset = input.offset();
    let n = input.count(what)?;
    if (1..=MAX_SIDE).contains(&n) {
        Ok(n)
    } else {
        Err(FormatError::BadNumber { what, offset, value: i64::from(n) })
    }
}

fn read_tile(input: &mut Reader<'_>, cache: &mut TileCache) -> Result<(), FormatError> {
    let offset = input.offset();
    let reference = input.u32("layer tile reference")?;
    if reference == 0 {
        return Err(FormatError::BadReference { offset, reference: 0 });
    }
    let n_bytes = input.count("layer tile size")?;
    let tile = LayerTile::from_bytes(input.slice("layer tile", n_bytes as usize)?)?;
    let key = tile.key();
    cache.add_tile(tile).map_err(|error| {
        // `add_tile` returns this error or `Full`.
        FormatError::Mesh(Box::new(if matches!(error, TileCacheError::Occupied { .. }) {
            NavMeshError::Occupied {
                x: key.x.cast_signed(),
                z: key.z.cast_signed(),
                layer: key.layer.cast_signed(),
            }
        } else {
            NavMeshError::Full { max_tiles: cache.params().max_tiles }
        }))
    })
}
