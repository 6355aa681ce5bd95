use glam::Vec3;
use walkable_mesh::TriMesh;
use walkable_runtime::{
    geom::{Aabb, nearest_on_triangle, triangle_touches_box},
    monitor::Monitor,
    search::Watch,
};

use super::{
    CellOptions, CellTree as _, Fill, FlightPath, MAX_SIDE, SparseOctree, Voxel, VoxelAnswer,
    VoxelError, VoxelScratch, find_by_cells, smooth,
    source::{Known, Source, order},
};

/// Settings of an airspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirspaceSettings {
    /// Side length of a voxel, in meters.
    pub voxel_size: f32,
    /// Radius of the agent that flies or swims, in meters. Everything closer to a triangle is blocked.
    pub agent_radius: f32,
}

/// Space around a level in which an agent can fly, or water in which an agent can swim.
///
/// Triangles have no thickness: the space that they enclose is free, but unreachable from outside.
#[derive(Clone, Debug)]
pub struct Airspace {
    /// Octree of the voxels; a voxel is free if the center of an agent may be in the voxel.
    pub tree: SparseOctree,
    /// Corner of the space with the smallest coordinates, in meters.
    pub origin: Vec3,
    /// Side length of a voxel, in meters.
    pub voxel_size: f32,
}

impl Airspace {
    /// Builds the airspace of a level within `bounds`, on all cores.
    ///
    /// # Errors
    /// Returns an error if a setting is not a valid length, a side has too many voxels, the tree has too many nodes, or
    /// `monitor` is cancelled.
    pub fn new(
        mesh: &TriMesh,
        bounds: Aabb,
        settings: AirspaceSettings,
        monitor: &dyn Monitor,
    ) -> Result<Self, VoxelError> {
        let AirspaceSettings { voxel_size, agent_radius } = settings;
        let bad = |name, value, rule| Err(VoxelError::Setting { name, value, rule });
        if !(voxel_size.is_finite() && voxel_size > 0.0) {
            return bad("voxel size", voxel_size, "above 0");
        }
        if !(agent_radius.is_finite() && agent_radius >= 0.0) {
            return bad("agent radius", agent_radius, "of at least 0");
        }
        let extent = bounds.max - bounds.min;
        let size = extent.to_array().map(|length| n_voxels(length / voxel_size));
        if !extent.is_finite() {
            return Err(VoxelError::Side { size, limit: MAX_SIDE });
        }
        let (origin, radius) = (bounds.min, agent_radius);
        let source = Triangles { mesh, origin, voxel_size, radius, monitor };
        let tree = SparseOctree::of_source(size, &source, u32::MAX);
        monitor.check()?;
        let tree = tree?;
        Ok(Self { tree, origin: bounds.min, voxel_size })
    }

    /// Returns the airspace limited to water: only voxels that are entirely inside one of the boxes remain free.
    ///
    /// # Errors
    /// Returns an error if the tree has too many nodes.
    pub fn in_water(&self, boxes: &[Aabb]) -> Result<Self, VoxelError> {
        let tree = self.tree.limited_to(|min, side| {
            let cube = self.cube(min, side);
            let holds =
                |water: &Aabb| water.min.cmple(cube.min).all() && cube.max.cmple(water.max).all();
            let touches =
                |water: &Aabb| water.min.cmplt(cube.max).all() && cube.min.cmplt(water.max).all();
            match () {
                () if boxes.iter().any(holds) => Fill::Free,
                () if side > 1 && boxes.iter().any(touches) => Fill::Mixed,
                () => Fill::Blocked,
            }
        })?;
        Ok(Self { tree, ..*self })
    }

    /// Returns the voxel that contains a point, or `None` for a point outside.
    pub fn voxel(&self, point: Vec3) -> Option<Voxel> {
        let at = (point - self.origin) / self.voxel_size;
        let size = self.tree.size();
        let inside = (0..3).all(|axis| {
            #[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
            let n = size[axis] as f32;
            (0.0..n).contains(&at[axis])
        });
        inside.then(|| at.to_array().map(floored))
    }

    /// Finds a path between two points, in meters, and smooths it. The path starts and ends at the centers of the
    /// points' voxels.
    pub fn find_path<W: Watch>(
        &self,
        [start, goal]: [Vec3; 2],
        options: CellOptions,
        scratch: &mut VoxelScratch,
        watch: &mut W,
    ) -> VoxelAnswer<FlightPath> {
        let (Some(start), Some(goal)) = (self.voxel(start), self.voxel(goal)) else {
            return super::path::nothing();
        };
        let found = find_by_cells(&self.tree, [start, goal], options, scratch, watch);
        let path = found.path.map(|path| {
            let FlightPath { points, length } = smooth(&self.tree, &path);
            let in_world = points.into_iter().map(|point| self.origin + point * self.voxel_size);
            let length = length * f64::from(self.voxel_size);
            FlightPath { points: in_world.collect(), length }
        });
        VoxelAnswer { path, stats: found.stats }
    }

    fn cube(&self, min: Voxel, side: u32) -> Aabb {
        cube(self.origin, self.voxel_size, min, side)
    }
}

#[expect(clippy::cast_precision_loss, reason = "sides are at most 2^19")]
fn cube(origin: Vec3, voxel_size: f32, min: Voxel, side: u32) -> Aabb {
    let min = origin + Vec3::from_array(min.map(|n| n as f32)) * voxel_size;
    Aabb { min, max: min + Vec3::splat(side as f32 * voxel_size) }
}

/// Returns the number of voxels that cover a length in voxels, at least 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn n_voxels(length: f32) -> u32 {
    (length.ceil() as u32).max(1)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such casts saturate")]
fn floored(coordinate: f32) -> u32 {
    coordinate as u32
}

/// Triangles of a level, which block everything closer than a radius.
struct Triangles<'a> {
    mesh: &'a TriMesh,
    origin: Vec3,
    voxel_size: f32,
    radius: f32,
    /// Monitor of the build. After cancellation, all remaining cubes count as free.
    monitor: &'a dyn Monitor,
}

impl Triangles<'_> {
    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        let vertices = self.mesh.vertices();
        self.mesh.triangles()[triangle as usize].map(|vertex| vertices[vertex as usize])
    }

    /// Returns whether a triangle may be closer than the radius to a point of a cube. May return `true` for a triangle
    /// that is slightly farther away, but never `false` for a closer one.
    fn is_near(&self, triangle: u32, cube: &Aabb) -> bool {
        let corners = self.corners(triangle);
        let grown = Aabb { min: cube.min - self.radius, max: cube.max + self.radius };
        if !triangle_touches_box(corners, &grown) {
            return false;
        }
        let middle = (cube.min + cube.max) * 0.5;
        let reach = self.radius + middle.distance(cube.max);
        // The factor allows for rounding errors.
        nearest_on_triangle(corners, middle).distance(middle) <= reach * 1.000_01
    }

    fn near(&self, of: &[u32], cube: &Aabb) -> Vec<u32> {
        of.iter().copied().filter(|&triangle| self.is_near(triangle, cube)).collect()
    }
}

impl Source for Triangles<'_> {
    /// Triangles that may be close to the cube.
    type CubeData = Vec<u32>;

    fn whole_volume(&self) -> Vec<u32> {
        (0..u32::try_from(self.mesh.triangles().len()).unwrap_or(u32::MAX)).collect()
    }

    fn part(&self, of: &Vec<u32>, min: Voxel, side: u32) -> Known<Vec<u32>> {
        if self.monitor.is_cancelled() {
            return Known::All(Fill::Free);
        }
        let near = self.near(of, &cube(self.origin, self.voxel_size, min, side));
        if near.is_empty() { Known::All(Fill::Free) } else { Known::Mixed(near) }
    }

    fn block(&self, part: &Vec<u32>, min: Voxel) -> u64 {
        let mut bits = 0;
        for n in 0..64_u32 {
            let by = [n & 3, n >> 2 & 3, n >> 4];
            let voxel = std::array::from_fn(|axis| min[axis] + by[axis]);
            let cube = cube(self.origin, self.voxel_size, voxel, 1);
            if part.iter().any(|&triangle| self.is_near(triangle, &cube)) {
                bits |= 1 << order(by);
            }
        }
        bits
    }
}
