//! Faults that navmeshes of layers have in Detour, too: layers that are not linked, and surfaces off their ground.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use rayon::prelude::*;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location, Meters},
    geom::Aabb,
    ids::Dir,
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyKind, Tile},
};

use super::{LayerKey, LayerTile, TileCache, cache::MAX_LAYERS};
use crate::bake::HeightLayer;

/// Minimum number of cells over which layers are adjacent.
const LEAST_CELLS: usize = 3;
/// Fewer than twice this many cells of a polygon are compared along x, and along z.
const MAX_SAMPLES: u32 = 64;

impl TileCache {
    /// Returns warnings about `mesh`, the navmesh of all layers: layers of a tile that are adjacent but not linked, and
    /// surfaces more than the climb above or below the ground of their layer.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if `monitor` cancels.
    pub fn findings(
        &self,
        mesh: &NavMesh,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Diagnostic>, Cancelled> {
        let keys: Vec<LayerKey> = self.tiles().map(LayerTile::key).collect();
        let tiles: Vec<&[LayerKey]> = keys.chunk_by(|a, b| a.coord() == b.coord()).collect();
        let of_tile = |keys| monitor.check().map(|()| self.in_tile(keys, mesh));
        let found: Result<Vec<_>, _> = tiles.into_par_iter().map(of_tile).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    fn in_tile(&self, keys: &[LayerKey], mesh: &NavMesh) -> Vec<Diagnostic> {
        let keys = &keys[..keys.len().min(MAX_LAYERS)];
        let layer = |key: &LayerKey| Some((*key, self.layer(*key)?));
        let (keys, layers): (Vec<_>, Vec<HeightLayer>) = keys.iter().filter_map(layer).unzip();
        let mut found = Vec::new();
        for (own, (key, layer)) in keys.iter().zip(&layers).enumerate() {
            let Some(slot) = mesh.slot_at(key.coord(), key.layer) else { continue };
            let linked = linked_slots(mesh, slot);
            let adjacent = adjacent_cells(&layers, own).into_iter();
            let adjacent = adjacent.filter_map(|(other, cells)| {
                let beyond = mesh.slot_at(key.coord(), keys[other].layer)?;
                let is_unlinked = cells.len() >= LEAST_CELLS && !linked.contains(&beyond);
                let (layer, n) = (keys[other].layer, cells.len());
                is_unlinked.then_some((Finding::LayersNotLinked { layer, n }, cells[n / 2]))
            });
            let climb = self.params().agent_max_climb;
            let off = mesh.tile(slot).and_then(|tile| off_ground(layer, tile, climb));
            found.extend(adjacent.chain(off).map(|(finding, cell)| {
                let found = Diagnostic::new(finding).at(Location::Point(floor(layer, cell)));
                found.within(Location::Layer(key.layer)).within(Location::Tile(key.coord()))
            }));
        }
        found
    }
}

/// Returns a warning if the surface of a layer is farther from its ground than the climb and the height of voxels allow,
/// with the cell where it is farthest.
fn off_ground(layer: &HeightLayer, tile: &Tile, climb: f32) -> Option<(Finding, usize)> {
    let allowed = climb + 2.0 * layer.cell_height;
    let (mut n, mut of, mut farthest) = (0, 0, (0.0, 0));
    for (index, poly) in tile.polys.iter().enumerate() {
        if poly.kind == PolyKind::OffMesh {
            continue;
        }
        let around = Aabb::around(tile.corners(poly));
        let cell_at = |at: f32, start: f32| cell_count((at - start) / layer.cell_size);
        let start = layer.bounds.min;
        let [x0, x1] = [around.min.x, around.max.x].map(|at| cell_at(at, start.x).min(layer.n_x));
        let [z0, z1] = [around.min.z, around.max.z].map(|at| cell_at(at, start.z).min(layer.n_z));
        let step = |from: u32, to: u32| (to.saturating_sub(from) / MAX_SAMPLES).max(1) as usize;
        let column = || (x0..x1).step_by(step(x0, x1));
        for (x, z) in (z0..z1).step_by(step(z0, z1)).flat_map(|z| column().map(move |x| (x, z))) {
            let cell = layer.cell_index(x, z);
            let ground = floor(layer, cell);
            let height = tile.height_at(index, ground).filter(|_| layer.areas[cell].is_walkable());
            let Some(height) = height else { continue };
            let off = (height - ground.y).abs();
            of += 1;
            n += usize::from(off > allowed);
            if off > farthest.0 {
                farthest = (off, cell);
            }
        }
    }
    let (distance, cell) = farthest;
    let [distance, allowed] = [distance, allowed].map(Meters);
    (n > 0).then_some((Finding::SurfaceOffGround { distance, allowed, n, of }, cell))
}

/// Returns the middle of the ground of a cell.
#[expect(clippy::cast_precision_loss, reason = "a layer has at most 255 cells a side")]
fn floor(layer: &HeightLayer, cell: usize) -> Vec3 {
    let [x, z] = [cell % layer.n_x as usize, cell / layer.n_x as usize];
    let height = f32::from(layer.heights[cell]);
    layer.frame().world_from_grid(x as f32 + 0.5, height, z as f32 + 0.5)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
fn cell_count(cells: f32) -> u32 {
    cells.round() as u32
}

/// Returns the cells of a layer beside which the ground goes on in a later one, by the index of that layer.
fn adjacent_cells(layers: &[HeightLayer], own: usize) -> BTreeMap<usize, Vec<usize>> {
    let layer = &layers[own];
    let height = |layer: &HeightLayer, cell: usize| {
        layer.min_y_vx.saturating_add(u16::from(layer.heights[cell]))
    };
    let mut adjacent: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (x, z) in (0..layer.n_z).flat_map(|z| (0..layer.n_x).map(move |x| (x, z))) {
        let cell = layer.cell_index(x, z);
        for dir in Dir::ALL.into_iter().filter(|dir| layer.links[cell].is_portal(*dir)) {
            let Some(beyond) = layer.neighbor_cell((x, z), dir) else { continue };
            // Next to a portal, both sides have the height of the higher one.
            let goes_on = |other: &HeightLayer| {
                [other.n_x, other.n_z] == [layer.n_x, layer.n_z]
                    && other.areas[beyond].is_walkable()
                    && other.links[beyond].is_portal(dir.opposite())
                    && height(other, beyond) == height(layer, cell)
            };
            let later = (own + 1..layers.len()).filter(|other| goes_on(&layers[*other]));
            later.for_each(|other| adjacent.entry(other).or_default().push(cell));
        }
    }
    adjacent
}

/// Returns the slots to which links lead from the tile in a slot.
fn linked_slots(mesh: &NavMesh, slot: usize) -> BTreeSet<usize> {
    let n_polys = mesh.tile(slot).map_or(0, |tile| tile.polys.len());
    let polys = (0..n_polys).filter_map(|index| mesh.poly_ref(slot, index));
    polys.flat_map(|poly| mesh.links(poly)).filter_map(|link| mesh.slot_of(link.to)).collect()
}
