//! Searches through air and water, over voxels, voxel columns and the cubes of octrees.

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
        Airspace, AirspaceSettings, Cell, CellTree as _, Fill, SparseOctree, TreePart, Volume,
        Voxel, WalkRules,
    },
};

use super::{
    LevelAnswer, LevelQuestion, LevelSearch, LevelSpaces, Search, Sides, Way, length, prepared,
    recorded, side_that_does, timed, verbatim,
};
use crate::{
    format::{exact_quantity, fixed_length},
    searches::{
        Algorithm, Map, Medium, Options, PathPoints, Recording, SearchResult, Shape,
        VolumeAlgorithm, VolumeFinder,
    },
};

/// Distance that the air extends beyond the level, in meters.
const AIR: f32 = 3.0;
/// Maximum number of voxels that a flyer starts or ends above the clicked point.
const MAX_RISE: u8 = 40;
/// Maximum number of voxels of the space around a level.
const MAX_VOXELS: u64 = 400_000_000;
/// Maximum number of voxels for a reference search with 26 neighbors per voxel.
const MAX_COMPARED: u64 = 1_500_000;
/// The area that swimmers stay in.
const WATER: RawArea = RawArea(1);

/// The space around a level.
pub(super) struct AirWorld {
    air: Airspace,
}

impl AirWorld {
    fn new(question: &LevelQuestion<'_>, monitor: &dyn Monitor) -> Result<Self, Phrase> {
        if let Some(Map::Volume(volume)) = question.map {
            let tree = SparseOctree::of_volume(volume).map_err(verbatim)?;
            return Ok(Self { air: Airspace { tree, origin: Vec3::ZERO, voxel_size: 1.0 } });
        }
        let Sides { voxel: voxel_size, flyer_radius: agent_radius, .. } = question.sides;
        let bounds = question.input.mesh.bounds();
        let bounds = Aabb::new(bounds.min - Vec3::splat(AIR), bounds.max + Vec3::splat(AIR));
        check(n_voxels(bounds.size() / voxel_size), MAX_VOXELS, voxel_size)?;
        let settings = AirspaceSettings { voxel_size, agent_radius };
        let air = Airspace::new(&question.input.mesh, bounds, settings, monitor);
        Ok(Self { air: air.map_err(verbatim)? })
    }

    /// Returns the voxels where the path starts and ends: the clicked points, raised if they are blocked.
    fn ends(&self, ends: [Vec3; 2]) -> Result<[Voxel; 2], Phrase> {
        let [start, end] = ends.map(|end| self.air.voxel(raised(&self.air, end)));
        start
            .zip(end)
            .map(<[Voxel; 2]>::from)
            .ok_or_else(|| phrase!("An end is outside the level."))
    }

    /// Returns a point in a voxel, given relative to it, from (0, 0, 0) to (1, 1, 1).
    #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19 voxels")]
    fn point(&self, voxel: Voxel, within: Vec3) -> Vec3 {
        let corner = Vec3::from_array(voxel.map(|n| n as f32));
        self.air.origin + (corner + within) * self.air.voxel_size
    }

    /// Returns the same space with a bit for each voxel.
    fn volume(&self, max_voxels: u64) -> Result<Volume, Phrase> {
        let tree = &self.air.tree;
        check(n_of(tree.size()), max_voxels, self.air.voxel_size)?;
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
        "The space has {n} million voxels of {voxel}; choose voxels of {wider} or more.",
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

impl LevelSpaces<'_> {
    /// Returns the space around the level, and the time it took to build.
    fn air(&self) -> Result<(&AirWorld, Duration), Phrase> {
        prepared(&self.air, || AirWorld::new(&self.question, self.monitor))
    }

    /// Returns the space around the level with one bit per voxel, and the time it took to build.
    fn volume(&self) -> Result<(&Volume, Duration), Phrase> {
        let (air, in_air) = self.air()?;
        let (volume, in_volume) = prepared(&self.volume, || air.volume(self.question.max_voxels))?;
        Ok((volume, in_air + in_volume))
    }

    /// Returns whether the space has too many voxels to search all of them for comparison.
    pub(super) fn are_many_voxels(&self) -> Result<bool, Phrase> {
        Ok(n_of(self.air()?.0.air.tree.size()) > MAX_COMPARED)
    }

    pub(super) fn search_volume(
        &self,
        algorithm: VolumeAlgorithm,
        options: Options,
    ) -> Result<LevelSearch<'_>, Phrase> {
        let (world, in_air) = self.air()?;
        let none = phrase!("no free path");
        if algorithm == VolumeAlgorithm::Svo {
            let finder = VolumeFinder::in_tree(&world.air.tree, options);
            return self.in_air(world, (finder, Nodes::Cubes), in_air, none);
        }
        let (volume, in_volume) = self.volume()?;
        let (finder, in_finder) = timed(|| VolumeFinder::new(volume, algorithm, options));
        let is_of_cubes = Algorithm::Volume(algorithm).medium() == Medium::Air;
        let nodes = if is_of_cubes { Nodes::Cubes } else { Nodes::Voxels(volume, 0.5) };
        self.in_air(world, (finder.map_err(verbatim)?, nodes), in_volume + in_finder, none)
    }

    pub(super) fn walk(&self) -> Result<LevelSearch<'_>, Phrase> {
        let ((world, _), (volume, in_volume)) = (self.air()?, self.volume()?);
        let rules = self.walk_rules(world.air.voxel_size);
        let (finder, in_finder) = timed(|| VolumeFinder::over_floors(volume, rules));
        let search = (finder.map_err(verbatim)?, Nodes::Voxels(volume, 0.1));
        let none = phrase!("no path over floors with this climb");
        self.in_air(world, search, in_volume + in_finder, none)
    }

    pub(super) fn swim(&self, options: Options) -> Result<LevelSearch<'_>, Phrase> {
        let (air, in_air) = self.air()?;
        let (world, in_water) =
            prepared(&self.water, || in_water(air, &self.question.input.volumes))?;
        let search = (VolumeFinder::in_tree(&world.air.tree, options), Nodes::Cubes);
        let none = phrase!("the ends are not in the same water");
        self.in_air(world, search, in_air + in_water, none)
    }

    /// Prepares a search in `world`; `none` says that there is no path.
    fn in_air<'s>(
        &'s self,
        world: &'s AirWorld,
        (finder, nodes): (VolumeFinder<'s>, Nodes<'s>),
        time: Duration,
        none: Phrase,
    ) -> Result<LevelSearch<'s>, Phrase> {
        let (n_bytes, ends) = (finder.n_bytes(), world.ends(self.question.ends)?);
        Ok(LevelSearch {
            way: Way::Air(Box::new(AirSearch { world, finder, nodes, ends, none })),
            monitor: self.monitor,
            preprocessing_time: Some(time),
            n_bytes,
        })
    }

    /// Returns the agent's rules in voxels. Solid voxels are dilated by the flyer's radius, at the floor and at the
    /// ceiling, so the agent needs less head room by twice that radius.
    fn walk_rules(&self, voxel_size: f32) -> WalkRules {
        let LevelQuestion { input, sides, .. } = &self.question;
        let in_voxels = |length: f32| floor((length / voxel_size).max(1.0));
        let room = input.settings.agent_height - 2.0 * sides.flyer_radius;
        WalkRules {
            step_vx: in_voxels(input.settings.agent_max_climb),
            clearance_vx: in_voxels(room),
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn floor(n: f32) -> u32 {
    n.floor() as u32
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

/// The nodes of a search.
#[derive(Clone, Copy)]
enum Nodes<'s> {
    /// Voxels of a volume, and the height within a voxel at which a path is drawn, from 0 to 1.
    Voxels(&'s Volume, f32),
    Cubes,
}

pub(super) struct AirSearch<'s> {
    world: &'s AirWorld,
    finder: VolumeFinder<'s>,
    nodes: Nodes<'s>,
    ends: [Voxel; 2],
    /// The message if there is no path.
    none: Phrase,
}

impl Search for AirSearch<'_> {
    type Found = SearchResult;

    fn find<W: Watch>(&mut self, watch: &mut W) -> SearchResult {
        let [start, goal] = self.ends;
        self.finder.find(start, goal, watch)
    }

    fn answer(&self, found: SearchResult, _: &dyn Monitor) -> Result<LevelAnswer, Phrase> {
        let up = match self.nodes {
            Nodes::Voxels(_, up) => up,
            Nodes::Cubes => 0.5,
        };
        let side = self.world.air.voxel_size;
        let points: Vec<Vec3> = match found.path {
            PathPoints::Cells(cells) => {
                let voxels = cells.iter().filter_map(|cell| Voxel::try_from(&cell[..]).ok());
                voxels.map(|voxel| self.world.point(voxel, Vec3::new(0.5, up, 0.5))).collect()
            }
            PathPoints::Points(points) => {
                points.iter().map(|&point| self.world.air.origin + point * side).collect()
            }
            PathPoints::Plane(_) => Vec::new(),
        };
        let cost = found.cost.map(|cost| cost * f64::from(side));
        let (length, why) = (length(&points), cost.is_none().then(|| self.none.clone()));
        Ok(LevelAnswer { points, length, cost, why, effort: found.stats.into() })
    }

    fn record(&mut self, monitor: &dyn Monitor) -> Result<Recording, Phrase> {
        let (world, nodes) = (self.world, self.nodes);
        recorded(self, monitor, |place| match nodes {
            Nodes::Voxels(volume, up) => {
                Shape::Voxel(world.point(volume.voxel(place), Vec3::new(0.5, up, 0.5)))
            }
            Nodes::Cubes => world.cube(Cell::of_number(place)),
        })
    }
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
