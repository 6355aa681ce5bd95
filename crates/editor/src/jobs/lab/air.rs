//! Searches over the free cubes of octrees, in air and in water.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    bake::{AreaVolume, RawArea, VolumeShape},
    diagnostic::Phrase,
    geom::{Aabb, from_above},
    monitor::Monitor,
    phrase,
    search::Watch,
    voxel::{
        Airspace, AirspaceSettings, Cell, CellOptions, CellTree, Fill, FlightPath, Octree,
        SparseOctree, TreePart, Volume, Voxel, VoxelAnswer, VoxelMoves, VoxelScratch,
        find_by_cells, find_dense, smooth,
    },
};
use walkable_workspace::{
    format::{exact_quantity, fixed_length},
    searches::{Map, VolumeAlgorithm},
};

use super::{Lab, LabRequest, RepeatableSearch, effort, searched, side_that_does, timed, verbatim};
use crate::session::{LabRow, LabSettings, Searcher, Shape};

/// Distance that the air extends beyond the level, in meters.
const AIR: f32 = 3.0;
/// Maximum number of voxels that a flyer starts or ends above the clicked point.
const MAX_RISE: u8 = 40;
/// Maximum number of voxels of the space around a level.
const MAX_VOXELS: u64 = 400_000_000;
/// Maximum number of voxels stored as one bit each.
const MAX_DENSE: u64 = 16_000_000;
/// Maximum number of voxels for a reference search with 26 neighbors per voxel.
const MAX_COMPARED: u64 = 1_500_000;
/// The area that swimmers stay in.
const WATER: RawArea = RawArea(1);

/// The space around a level.
pub(super) struct AirWorld {
    pub(super) air: Airspace,
}

impl AirWorld {
    pub(super) fn new(request: &LabRequest, monitor: &dyn Monitor) -> Result<Self, Phrase> {
        if let Some(Map::Volume(volume)) = request.map.as_deref().map(|map| &map.map) {
            let tree = SparseOctree::of_volume(volume).map_err(verbatim)?;
            return Ok(Self { air: Airspace { tree, origin: Vec3::ZERO, voxel_size: 1.0 } });
        }
        let LabSettings { voxel_size, flyer_radius: agent_radius, .. } = request.settings;
        let bounds = request.input.mesh.bounds();
        let bounds = Aabb::new(bounds.min - Vec3::splat(AIR), bounds.max + Vec3::splat(AIR));
        check(n_voxels(bounds.size() / voxel_size), MAX_VOXELS, voxel_size)?;
        let settings = AirspaceSettings { voxel_size, agent_radius };
        let air = Airspace::new(&request.input.mesh, bounds, settings, monitor);
        Ok(Self { air: air.map_err(verbatim)? })
    }

    /// Returns the voxels where the path starts and ends: the clicked points, raised if they are blocked.
    pub(super) fn ends(&self, ends: [Vec3; 2]) -> Result<[Voxel; 2], Phrase> {
        let [start, end] = ends.map(|end| self.air.voxel(raised(&self.air, end)));
        start
            .zip(end)
            .map(<[Voxel; 2]>::from)
            .ok_or_else(|| phrase!("An end is outside the level."))
    }

    /// Returns a point in a voxel, given relative to it, from (0, 0, 0) to (1, 1, 1).
    #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19 voxels")]
    pub(super) fn point(&self, voxel: Voxel, within: Vec3) -> Vec3 {
        let corner = Vec3::from_array(voxel.map(|n| n as f32));
        self.air.origin + (corner + within) * self.air.voxel_size
    }

    /// Returns the same space with a bit for each voxel.
    pub(super) fn volume(&self, settings: &LabSettings) -> Result<Volume, Phrase> {
        let tree = &self.air.tree;
        check(n_of(tree.size()), MAX_DENSE, settings.voxel_size)?;
        let mut volume = Volume::new(tree.size()).map_err(verbatim)?;
        let (layer, top) = tree.top();
        let mut left = vec![(top, layer, [0; 3])];
        while let Some((part, layer, min)) = left.pop() {
            match part {
                TreePart::All(Fill::Free) => {}
                TreePart::All(_) => block(&mut volume, min, 1 << layer),
                TreePart::Node(_) | TreePart::Leaf(_) | TreePart::Octant(_) => {
                    left.extend((0..8_u32).map(|octant| {
                        let half = 1_u32 << (layer - 1);
                        let by = [octant & 1, octant >> 1 & 1, octant >> 2];
                        let corner = std::array::from_fn(|axis| min[axis] + by[axis] * half);
                        (tree.child(part, layer, octant), layer - 1, corner)
                    }));
                }
            }
        }
        Ok(volume)
    }

    fn cube(&self, cell: Cell) -> Shape {
        let side = self.air.voxel_size;
        let min = self.point(cell.min, Vec3::ZERO);
        #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19 voxels")]
        let max = min + Vec3::splat(cell.side() as f32 * side);
        Shape::Cube(Aabb::new(min, max), cell.layer)
    }
}

fn block(volume: &mut Volume, min: Voxel, side: u32) {
    let size = volume.size();
    let end: [u32; 3] = std::array::from_fn(|axis| (min[axis] + side).min(size[axis]));
    for z in min[2]..end[2] {
        for y in min[1]..end[1] {
            for x in min[0]..end[0] {
                volume.set([x, y, z], Fill::Blocked);
            }
        }
    }
}

fn check(n: u64, limit: u64, voxel_size: f32) -> Result<(), Phrase> {
    if n <= limit {
        return Ok(());
    }
    let wider = side_that_does(voxel_size, n, limit, 3.0);
    let n = (n / 1_000_000).to_string();
    let (voxel, wider) = (exact_quantity(voxel_size, "m"), fixed_length(wider));
    Err(phrase!(
        "The space has {n} million voxels of {voxel}; set Voxel to {wider} or more.",
        n,
        voxel,
        wider
    ))
}

fn n_of(size: [u32; 3]) -> u64 {
    size.into_iter().map(u64::from).product()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn n_voxels(size: Vec3) -> u64 {
    let [x, y, z] = size.to_array().map(|n| n.ceil() as u64);
    x.saturating_mul(y).saturating_mul(z)
}

/// Returns the first point from `at` upward where a flyer fits; `at` if there is none nearby.
fn raised(air: &Airspace, at: Vec3) -> Vec3 {
    let higher = |n: u8| at + Vec3::Y * (air.voxel_size * f32::from(n));
    let is_free = |place: &Vec3| {
        let cell = air.voxel(*place).and_then(|voxel| air.tree.cell(voxel));
        cell.is_some_and(|cell| cell.fill == Fill::Free)
    };
    (0..MAX_RISE).map(higher).find(is_free).unwrap_or(at)
}

pub(super) fn run_in_air(
    lab: &Lab<'_>,
    wanted: &[(Searcher, (VolumeAlgorithm, f64))],
) -> Result<(), Phrase> {
    let (world, preprocessing_time) = lab.air()?;
    let ends = world.ends(lab.request.ends)?;
    let least = optimal_voxel_length(lab, ends)?.map(|cost| cost * f64::from(world.air.voxel_size));
    for &(searcher, (tree, weight)) in wanted {
        let (octree, time) = timed(|| octree(lab, tree));
        let flight = Flight {
            searcher,
            weight,
            octree: octree?,
            ends,
            preprocessing_time: preprocessing_time + time,
        };
        let row = flight.row(lab, world)?;
        let cost = least.map(|least| (row.length, least));
        let why = row.why.map(|_| phrase!("no free path through the air"));
        lab.send(LabRow { cost, why, ..row });
        if lab.is_cancelled() {
            break;
        }
    }
    Ok(())
}

/// Runs the searches in the volumes painted as water.
pub(super) fn run_in_water(lab: &Lab<'_>, wanted: &[(Searcher, f64)]) -> Result<(), Phrase> {
    let (air, in_air) = lab.air()?;
    let (water, in_water) = timed(|| in_water(air, &lab.request.input.volumes));
    let water = water?;
    let (ends, preprocessing_time) = (water.ends(lab.request.ends)?, in_air + in_water);
    for &(searcher, weight) in wanted {
        let flight = Flight { searcher, weight, octree: None, ends, preprocessing_time };
        let row = flight.row(lab, &water)?;
        let why = row.why.map(|_| phrase!("the ends are not in the same water"));
        lab.send(LabRow { why, ..row });
        if lab.is_cancelled() {
            break;
        }
    }
    Ok(())
}

struct Flight {
    searcher: Searcher,
    weight: f64,
    /// The octree to search instead of the world's sparse octree.
    octree: Option<Octree>,
    ends: [Voxel; 2],
    preprocessing_time: Duration,
}

impl Flight {
    /// Runs the search in `world`. The row has no optimal cost yet, and a reason only if there is no path.
    fn row(self, lab: &Lab<'_>, world: &AirWorld) -> Result<LabRow, Phrase> {
        let Self { searcher, weight, octree, ends, preprocessing_time } = self;
        let n_bytes = octree.as_ref().map_or_else(|| world.air.tree.n_bytes(), CellTree::n_bytes);
        let scratch = VoxelScratch::default();
        let question = Question { world, octree, weight, ends, scratch };
        let cube = |place| world.cube(Cell::of_number(place));
        let (answer, time, recording) = searched(lab.report, question, cube)?;
        let path = answer.path.unwrap_or_default();
        let corner = |point: &Vec3| world.air.origin + *point * world.air.voxel_size;
        Ok(LabRow {
            searcher,
            length: path.length * f64::from(world.air.voxel_size),
            why: path.points.is_empty().then(|| phrase!("no free path")),
            points: path.points.iter().map(corner).collect(),
            cost: None,
            effort: effort(answer.stats),
            time,
            preprocessing_time: Some(preprocessing_time),
            n_bytes,
            recording,
        })
    }
}

/// Returns the octree without bit blocks, if that is the one to search.
fn octree(lab: &Lab<'_>, tree: VolumeAlgorithm) -> Result<Option<Octree>, Phrase> {
    if tree != VolumeAlgorithm::Octree {
        return Ok(None);
    }
    let (volume, _) = lab.volume()?;
    Octree::of_volume(volume).map(Some).map_err(verbatim)
}

/// Length of the optimal path with 26 neighbors per voxel, if it is found in time.
fn optimal_voxel_length(lab: &Lab<'_>, ends: [Voxel; 2]) -> Result<Option<f64>, Phrase> {
    let (air, _) = lab.air()?;
    if n_of(air.air.tree.size()) > MAX_COMPARED {
        return Ok(None);
    }
    let (volume, _) = lab.volume()?;
    let scratch = &mut VoxelScratch::default();
    let found =
        lab.search(|watch| find_dense(volume, ends, VoxelMoves::TwentySix, 1.0, scratch, watch))?;
    Ok(found.path.map(|path| path.cost))
}

/// Returns the part of the space whose voxel centers lie in volumes of water.
fn in_water(world: &AirWorld, volumes: &[AreaVolume]) -> Result<AirWorld, Phrase> {
    let water: Vec<&VolumeShape> =
        volumes.iter().filter(|volume| volume.area == WATER).map(|volume| &volume.shape).collect();
    if water.is_empty() {
        return Err(phrase!("Draw a volume of water (3) around both ends to swim in."));
    }
    let tree = world.air.tree.limited_to(|min, side| {
        let corner = world.point(min, Vec3::ZERO);
        #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19 voxels")]
        let cube = Aabb::new(corner, corner + Vec3::splat(side as f32 * world.air.voxel_size));
        let touches = |shape: &&&VolumeShape| {
            let bounds = shape.bounds();
            bounds.min.cmplt(cube.max).all() && cube.min.cmplt(bounds.max).all()
        };
        let mut near = water.iter().filter(touches).peekable();
        match side {
            _ if near.peek().is_none() => Fill::Blocked,
            1 if near.any(|shape| holds(shape, cube.center())) => Fill::Free,
            1 => Fill::Blocked,
            _ => Fill::Mixed,
        }
    });
    let tree = tree.map_err(verbatim)?;
    Ok(AirWorld { air: Airspace { tree, ..world.air } })
}

fn holds(shape: &VolumeShape, point: Vec3) -> bool {
    let bounds = shape.bounds();
    if point.y < bounds.min.y || point.y > bounds.max.y {
        return false;
    }
    if let VolumeShape::Cylinder { base, radius, .. } = shape {
        return base.with_y(0.0).distance(point.with_y(0.0)) < *radius;
    }
    from_above::contains(&shape.outline(), point)
}

struct Question<'a> {
    world: &'a AirWorld,
    octree: Option<Octree>,
    weight: f64,
    ends: [Voxel; 2],
    scratch: VoxelScratch,
}

impl RepeatableSearch for Question<'_> {
    type Output = VoxelAnswer<FlightPath>;

    fn search<W: Watch>(&mut self, watch: &mut W) -> VoxelAnswer<FlightPath> {
        let options = CellOptions { weight: self.weight, ..CellOptions::default() };
        match &self.octree {
            Some(tree) => fly(tree, self.ends, options, &mut self.scratch, watch),
            None => fly(&self.world.air.tree, self.ends, options, &mut self.scratch, watch),
        }
    }
}

fn fly<W: Watch>(
    tree: &impl CellTree,
    ends: [Voxel; 2],
    options: CellOptions,
    scratch: &mut VoxelScratch,
    watch: &mut W,
) -> VoxelAnswer<FlightPath> {
    let found = find_by_cells(tree, ends, options, scratch, watch);
    let path = found.path.map(|path| smooth(tree, &path));
    VoxelAnswer { path, stats: found.stats }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_volumes() {
        let outline =
            [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
        let prism = VolumeShape::Prism { min_y: 0.0, max_y: 2.0, outline: outline.to_vec() };
        assert!(holds(&prism, Vec3::new(3.5, 1.0, 2.0)));
        assert!(!holds(&prism, Vec3::new(1.0, 1.0, 2.0)), "in the bay");
        assert!(!holds(&prism, Vec3::new(3.5, 3.0, 2.0)), "above");
        let well = VolumeShape::Cylinder { base: Vec3::X, radius: 1.0, height: 3.0 };
        assert!(holds(&well, Vec3::new(1.5, 2.0, 0.5)) && !holds(&well, Vec3::new(1.9, 2.0, 0.9)));
    }
}
