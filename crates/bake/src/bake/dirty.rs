//! Finds the tiles that a change of the input makes stale.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;
use walkable_runtime::{
    geom::Aabb,
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    AreaVolume, BakePlan, BakeSettings, GridFrame, OffMeshLink, PARAMS, VolumeShape, mark::touches,
    slope::mark_slopes, tile::is_within,
};

/// The tiles to update after a change, by row and column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirtyTiles {
    /// Tiles of the new plan to bake: those whose result may have changed, and new ones.
    pub changed: Vec<TileCoord>,
    /// Tiles of the old plan that the new one does not have.
    pub removed: Vec<TileCoord>,
}

/// Finds the tiles that may differ between a bake of `old` and one of `new`.
///
/// A tile is changed if any input of its bake is: its position and the height of the level; the triangles whose box
/// touches its square including the border, their order and their areas; the volumes that touch it and their order;
/// the part of the bounds over it; the off-mesh links that start in it and the number of those that end in it. Any
/// setting and any flag of an area changes all tiles. So every stale tile is reported; a reported tile may still come
/// out the same, for instance if a moved triangle is hidden by others.
///
/// Takes time linear in the number of triangles if the meshes are not identical, else in tiles and volumes.
///
/// # Errors
/// Returns [`Cancelled`] soon after the monitor cancels.
pub fn dirty_tiles(
    old: &BakePlan,
    new: &BakePlan,
    monitor: &dyn Monitor,
) -> Result<DirtyTiles, Cancelled> {
    let same_settings = same_settings(&old.input().settings, &new.input().settings)
        && old.input().area_flags == new.input().area_flags;
    let triangles = if has_same_triangles(old, new) { Triangles::Same } else { Triangles::Unknown };
    let is_changed = |tile: TileCoord| -> Result<bool, Cancelled> {
        monitor.check()?;
        if !same_settings || !is_in(old, tile) {
            return Ok(true);
        }
        Ok(reads(old, tile, triangles, monitor)? != reads(new, tile, triangles, monitor)?)
    };
    let tiles: Vec<_> = new.tiles().collect();
    let changed: Result<Vec<_>, _> =
        tiles.into_par_iter().map(|tile| Ok(is_changed(tile)?.then_some(tile))).collect();
    let removed = old.tiles().filter(|&tile| !is_in(new, tile)).collect();
    Ok(DirtyTiles { changed: changed?.into_iter().flatten().collect(), removed })
}

/// Whether triangles have to be compared.
#[derive(Clone, Copy, PartialEq)]
enum Triangles {
    Same,
    Unknown,
}

fn is_in(plan: &BakePlan, TileCoord { x, z }: TileCoord) -> bool {
    let [n_x, n_z] = plan.n_tiles();
    x < n_x && z < n_z
}

/// Whether all settings have the same representation; 0 and −0 differ.
fn same_settings(old: &BakeSettings, new: &BakeSettings) -> bool {
    PARAMS.iter().all(|param| param.format(param.get(old)) == param.format(param.get(new)))
}

fn has_same_triangles(old: &BakePlan, new: &BakePlan) -> bool {
    Arc::ptr_eq(&old.input().mesh, &new.input().mesh) && old.part_uses() == new.part_uses()
}

/// Everything except the settings that the bake of a tile reads, as bits: equal lists give equal tiles.
fn reads(
    plan: &BakePlan,
    tile: TileCoord,
    triangles: Triangles,
    monitor: &dyn Monitor,
) -> Result<Vec<u32>, Cancelled> {
    let input = plan.input();
    let frame = plan.tile_frame(tile);
    let mut read = Read::default();
    read.points([frame.bounds.min, frame.bounds.max]);
    read.0.extend([frame.n_x, frame.n_z]);
    if triangles == Triangles::Unknown {
        read.triangles(plan, tile, monitor)?;
    }
    input.volumes.iter().for_each(|volume| read.volume(volume, &frame));
    read.bounds(&input.bounds, &frame);
    read.links(&input.off_mesh, &frame);
    Ok(read.0)
}

/// The input read so far. Lists of variable length are preceded by their length or kind.
#[derive(Default)]
struct Read(Vec<u32>);

impl Read {
    fn numbers(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().map(|number| number.to_bits()));
    }

    fn points<const N: usize>(&mut self, points: [Vec3; N]) {
        for point in points {
            self.numbers(&point.to_array());
        }
    }

    /// Vertices and areas of the triangles that are rasterized.
    fn triangles(
        &mut self,
        plan: &BakePlan,
        tile: TileCoord,
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        let input = plan.input();
        let indices = plan.tile_triangles(tile);
        let mut slopes =
            mark_slopes(&input.mesh, indices, input.settings.agent_max_slope, monitor)?;
        plan.part_uses().paint(&mut slopes);
        self.count(slopes.triangles.len());
        for (&triangle, area) in slopes.triangles.iter().zip(&slopes.areas) {
            self.points(input.mesh.corners(triangle as usize));
            self.0.push(u32::from(area.0));
        }
        Ok(())
    }

    fn volume(&mut self, volume: &AreaVolume, frame: &GridFrame) {
        if !touches(frame, &volume.shape) {
            return;
        }
        let kind = match volume.shape {
            VolumeShape::Prism { .. } => 0,
            VolumeShape::Box(_) => 1,
            VolumeShape::TurnedBox { .. } => 2,
            VolumeShape::Cylinder { .. } => 3,
        };
        let numbers = volume.shape.numbers();
        self.0.extend([kind, u32::from(volume.area.0)]);
        self.count(numbers.len());
        self.numbers(&numbers);
    }

    /// The parts of the bounds over the tile, sorted, since their order does not matter.
    fn bounds(&mut self, bounds: &[Aabb], frame: &GridFrame) {
        let tile = frame.bounds;
        let over = bounds.iter().filter(|bound| bound.overlaps_xz(&tile)).map(|bound| {
            let clip = |at: Vec3| at.clamp(tile.min, tile.max).with_y(at.y);
            Aabb { min: clip(bound.min), max: clip(bound.max) }
        });
        let mut over: Vec<_> = over.collect();
        let is_everything =
            |part: &Aabb| part.min.cmple(tile.min).all() && part.max.cmpge(tile.max).all();
        if bounds.is_empty() || over.iter().any(is_everything) {
            self.count(0);
            return;
        }
        let bits = |part: &Aabb| [part.min, part.max].map(|at| at.to_array().map(f32::to_bits));
        over.sort_by_key(bits);
        over.dedup();
        self.count(1 + over.len());
        for part in over {
            self.points([part.min, part.max]);
        }
    }

    fn links(&mut self, links: &[OffMeshLink], frame: &GridFrame) {
        let bounds = frame.inner_bounds();
        for link in links.iter().filter(|link| is_within(link.start, bounds)) {
            self.points([link.start, link.end]);
            self.numbers(&[link.radius]);
            let area_and_flags = u32::from(link.area.0) << 16 | u32::from(link.flags);
            self.0.extend([u32::from(link.bidirectional), area_and_flags, link.user_id]);
        }
        self.count(links.iter().filter(|link| is_within(link.end, bounds)).count());
    }

    fn count(&mut self, n: usize) {
        self.0.push(u32::try_from(n).unwrap_or(u32::MAX));
    }
}
