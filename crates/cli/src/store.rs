//! Prints what a tile store contains.

use serde::Serialize;
use walkable::{
    geom::Aabb,
    glam::Vec3,
    navmesh::{NavMeshParams, format::RefWidth},
    store::{StoreEntry, TileStore},
};

pub(super) fn bits(width: RefWidth) -> u8 {
    match width {
        RefWidth::Bits32 => 32,
        RefWidth::Bits64 => 64,
    }
}

#[derive(Serialize)]
pub(super) struct StoreInfo {
    kind: &'static str,
    n_tiles: usize,
    n_empty: usize,
    n_tile_bytes: u64,
    max_tile_bytes: u32,
    ref_bits: u8,
    max_tiles: u32,
    max_polys: u32,
    tile_width: f32,
    tile_height: f32,
    /// The rectangle of the tiles with ground: `[x, z]` of its corners. Their heights are in the tiles.
    pub(super) area: Option<[[f32; 2]; 2]>,
}

impl StoreInfo {
    pub(super) fn of(store: &TileStore) -> Self {
        let NavMeshParams { origin, tile_width, tile_height, max_tiles, max_polys } =
            *store.params();
        let has_ground = |entry: &&StoreEntry| entry.n_tile > 0;
        let tiles = || store.entries().iter().filter(has_ground);
        let n_tiles = tiles().count();
        #[expect(clippy::cast_precision_loss, reason = "columns and rows are small")]
        let corner =
            |x: i32, z: i32| origin + Vec3::new(x as f32 * tile_width, 0.0, z as f32 * tile_height);
        let corners = tiles().flat_map(|entry| {
            let (x, z) = (entry.place.x, entry.place.z);
            [corner(x, z), corner(x.saturating_add(1), z.saturating_add(1))]
        });
        let area = Aabb::around(corners);
        Self {
            kind: "tile store",
            n_tiles,
            n_empty: store.entries().len() - n_tiles,
            n_tile_bytes: tiles().map(|entry| u64::from(entry.n_tile)).sum(),
            max_tile_bytes: tiles().map(|entry| entry.n_tile).max().unwrap_or(0),
            ref_bits: bits(store.width()),
            max_tiles,
            max_polys,
            tile_width,
            tile_height,
            area: (n_tiles > 0).then(|| [area.min, area.max].map(|corner| [corner.x, corner.z])),
        }
    }

    pub(super) fn in_words(&self) -> Vec<String> {
        let Self { n_tiles, n_empty, n_tile_bytes, max_tile_bytes, ref_bits, .. } = self;
        let Self { max_tiles, max_polys, tile_width, tile_height, .. } = self;
        vec![
            format!("tile store with {n_tiles} tiles and {n_empty} without ground"),
            format!("  tile      {tile_width} x {tile_height} m, at most {max_tile_bytes} bytes"),
            format!("  refs      {ref_bits} bits"),
            format!("  capacity  {max_tiles} tiles of {max_polys} polygons"),
            format!("  tiles     {n_tile_bytes} bytes"),
        ]
    }
}
