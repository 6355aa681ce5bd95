//! The limits of a navmesh and of its references.

use std::collections::BTreeMap;

use walkable_bake::bake::{BakePlan, Heightfield};
use walkable_runtime::{
    diagnostic::{Code, Diagnostic, Finding},
    navmesh::{NavMesh, Tile, format::RefWidth},
};

/// Maximum number of vertices of a tile: larger indices collide with the 16-bit value that marks no vertex.
const MAX_CORNERS: usize = 0xfffd;
/// Maximum number of polygons of a tile, for any reference width: edges store their neighbors in 15 bits.
const MAX_POLYS_OF_DATA: usize = 0x7fff;
/// Bits for tile and polygon in a reference of 32 bits. Source: `RecastDemo`.
const NARROW_BITS: u32 = 22;
/// Maximum number of these bits for the tile.
const NARROW_TILE_BITS: u32 = 14;
/// Bits for the tile in a reference of 64 bits.
const WIDE_TILE_BITS: u32 = 28;
/// Maximum number of layers at a place that Detour's tile cache builds together, and that Detour links.
pub(super) const MAX_LAYERS: usize = 32;

/// A limit, and how much of it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    finding: Finding,
    /// The amount that is used.
    pub used: usize,
    /// The maximum.
    pub most: usize,
}

impl Limit {
    /// Creates a limit. `of` creates its finding from the amount that is used, the maximum, and the percentage.
    pub fn new(used: usize, most: usize, of: fn([usize; 3]) -> Finding) -> Self {
        Self { finding: of([used, most, percent(used, most)]), used, most }
    }

    /// Returns the code of its finding, which has title, cause and remedy.
    pub fn code(&self) -> Code {
        self.finding.code()
    }

    /// Returns the used percentage, rounded up.
    pub fn percent(&self) -> usize {
        percent(self.used, self.most)
    }

    /// Returns its finding if more than 80 % is used.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        (self.percent() > 80).then(|| self.finding.clone().into())
    }
}

fn percent(used: usize, most: usize) -> usize {
    used.saturating_mul(100).div_ceil(most.max(1))
}

/// Returns the limits of a navmesh: tiles, polygons and vertices of a tile.
///
/// Tiles and polygons share the bits of a reference, so the number of each limits the other. The maxima in the file are
/// not the limits, because a bake sets them to the numbers that it needs.
pub fn mesh_limits(mesh: &NavMesh) -> Vec<Limit> {
    let mut sizes = MeshSizes::default();
    mesh.tiles().for_each(|tile| sizes.add(tile));
    limits_of(sizes, mesh.width())
}

/// The sizes of a navmesh that have limits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MeshSizes {
    n_tiles: usize,
    /// Maximum number of polygons of a tile.
    polys_per_tile: usize,
    /// Maximum number of vertices of a tile.
    vertices_per_tile: usize,
}

impl MeshSizes {
    /// Counts a tile.
    pub(super) fn add(&mut self, tile: &Tile) {
        self.n_tiles += 1;
        self.polys_per_tile = self.polys_per_tile.max(tile.polys.len());
        self.vertices_per_tile = self.vertices_per_tile.max(tile.vertices.len());
    }
}

/// Returns the limits of a navmesh of these sizes.
pub(super) fn limits_of(sizes: MeshSizes, width: RefWidth) -> Vec<Limit> {
    let MeshSizes { n_tiles, polys_per_tile: n_polys, vertices_per_tile: n_vertices } = sizes;
    let (max_tiles, max_polys) = (max_tiles(n_polys, width), max_polys(n_tiles, width));
    vec![
        Limit::new(n_tiles, max_tiles, |[used, most, percent]| Finding::LimitTiles {
            used,
            most,
            percent,
        }),
        Limit::new(n_polys, max_polys, |[used, most, percent]| Finding::LimitPolygons {
            used,
            most,
            percent,
        }),
        Limit::new(n_vertices, MAX_CORNERS, |[used, most, percent]| Finding::LimitVertices {
            used,
            most,
            percent,
        }),
    ]
}

/// Returns the maximum number of tiles of a navmesh whose tiles have at most `n_polys` polygons.
pub(super) fn max_tiles(n_polys: usize, width: RefWidth) -> usize {
    match width {
        RefWidth::Bits32 => bits_left(n_polys).min(1 << NARROW_TILE_BITS),
        RefWidth::Bits64 => 1 << WIDE_TILE_BITS,
    }
}

/// Returns the maximum number of polygons of a tile in a navmesh of `n_tiles` tiles.
pub(super) fn max_polys(n_tiles: usize, width: RefWidth) -> usize {
    match width {
        RefWidth::Bits32 => bits_left(n_tiles).min(MAX_POLYS_OF_DATA),
        RefWidth::Bits64 => MAX_POLYS_OF_DATA,
    }
}

/// Returns the number of items that a 32-bit reference can number with the bits that are left after numbering `n_taken`
/// others.
fn bits_left(n_taken: usize) -> usize {
    1 << NARROW_BITS.saturating_sub(bits(n_taken))
}

/// Returns the number of bits that number `n` items.
fn bits(n: usize) -> u32 {
    n.saturating_sub(1).checked_ilog2().map_or(0, |bits| bits + 1)
}

/// Returns the limit of layers at one place, given the place of each layer.
pub fn layer_limit<P: Ord>(places: impl IntoIterator<Item = P>) -> Limit {
    let mut at_place: BTreeMap<P, usize> = BTreeMap::new();
    for place in places {
        *at_place.entry(place).or_default() += 1;
    }
    layer_limit_of(at_place.into_values().max().unwrap_or_default())
}

/// Returns the limit of layers at one place, of which at most `used` are used.
pub(super) fn layer_limit_of(used: usize) -> Limit {
    Limit::new(used, MAX_LAYERS, |[used, most, percent]| Finding::LimitLayers {
        used,
        most,
        percent,
    })
}

/// Returns the limits of the voxel grid of a bake.
pub fn grid_limits(plan: &BakePlan) -> Vec<Limit> {
    let height = plan.whole_grid().size().y / plan.params().cell_height;
    let most = usize::from(Heightfield::MAX_HEIGHT_VX);
    vec![Limit::new(voxels(height), most, |[used, most, percent]| Finding::LimitGridHeight {
        used,
        most,
        percent,
    })]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
const fn voxels(height: f32) -> usize {
    height.ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_up_and_near_from_four_fifths_on() {
        for (used, most, percent, is_near) in [
            (0, 10, 0, false),
            (1, 1000, 1, false),
            (8, 10, 80, false),
            (9, 10, 90, true),
            (3, 0, 300, true),
        ] {
            let limit = Limit::new(used, most, |[used, most, percent]| Finding::LimitTiles {
                used,
                most,
                percent,
            });
            let is = (limit.percent(), limit.diagnostic().is_some());
            assert_eq!(is, (percent, is_near), "{used} of {most}");
        }
    }
}
