//! The input that the bake of one tile reads.

use glam::Vec3;
use walkable_runtime::{
    geom::Aabb,
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    AreaVolume, BakePlan, GridFrame, OffMeshLink, VolumeShape, mark::touches, slope::mark_slopes,
    tile::is_within,
};

/// Whether triangles belong to the input that is read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Triangles {
    Read,
    Skip,
}

/// Appends everything that the bake of a tile reads, except the settings and the flags of areas, to `to` as bits: equal
/// lists give equal tiles.
pub(super) fn read_input(
    plan: &BakePlan,
    tile: TileCoord,
    triangles: Triangles,
    to: &mut impl Extend<u32>,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let input = plan.input();
    let frame = plan.tile_frame(tile);
    let mut read = Read(to);
    read.points([frame.bounds.min, frame.bounds.max]);
    read.words([frame.n_x, frame.n_z]);
    if triangles == Triangles::Read {
        read.triangles(plan, tile, monitor)?;
    }
    let radius = input.max_radius();
    input.volumes.iter().for_each(|volume| read.volume(volume, &frame, radius));
    read.bounds(&input.bounds, &frame);
    read.links(&input.off_mesh, &frame);
    Ok(())
}

/// The input read so far. Lists of variable length are preceded by their length or kind.
struct Read<'a, T>(&'a mut T);

impl<T: Extend<u32>> Read<'_, T> {
    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.0.extend(words);
    }

    fn numbers(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().map(|number| number.to_bits()));
    }

    fn points<const N: usize>(&mut self, points: [Vec3; N]) {
        for point in points {
            self.numbers(&point.to_array());
        }
    }

    /// Appends vertices and areas of the triangles that are rasterized.
    fn triangles(
        &mut self,
        plan: &BakePlan,
        tile: TileCoord,
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        let input = plan.input();
        let indices = plan.tile_triangles(tile);
        // The slopes and the agents, which are read apart, tell for which of them a triangle is too steep.
        let mut slopes = mark_slopes(&input.mesh, indices, input.max_slope(), monitor)?;
        plan.part_uses().paint(&mut slopes);
        self.count(slopes.triangles.len());
        for (&triangle, area) in slopes.triangles.iter().zip(&slopes.areas) {
            self.points(input.mesh.corners(triangle as usize));
            self.words([u32::from(area.0)]);
        }
        Ok(())
    }

    fn volume(&mut self, volume: &AreaVolume, frame: &GridFrame, agent_radius: f32) {
        let margin = volume.margin(agent_radius);
        if !touches(frame, &volume.shape, margin) {
            return;
        }
        let with_margin = if margin > 0.0 { 4 } else { 0 };
        let kind = with_margin
            + match volume.shape {
                VolumeShape::Prism { .. } => 0,
                VolumeShape::Box(_) => 1,
                VolumeShape::TurnedBox { .. } => 2,
                VolumeShape::Cylinder { .. } => 3,
            };
        let numbers = volume.shape.numbers();
        self.words([kind, u32::from(volume.area.0)]);
        self.count(numbers.len());
        self.numbers(&numbers);
    }

    /// Appends the parts of the bounds over the tile, sorted, since their order does not matter.
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
            self.words([u32::from(link.bidirectional), area_and_flags, link.user_id]);
        }
        self.count(links.iter().filter(|link| is_within(link.end, bounds)).count());
    }

    fn count(&mut self, n: usize) {
        self.words([u32::try_from(n).unwrap_or(u32::MAX)]);
    }
}
