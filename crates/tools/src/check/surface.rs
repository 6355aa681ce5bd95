//! Comparison of the surface of a navmesh with its level.

use glam::Vec3;
use serde::Serialize;
use walkable_bake::bake::{BakePlan, SurfaceUse};
use walkable_mesh::TriMesh;
use walkable_runtime::{
    diagnostic::{Finding, FindingList, Meters},
    geom::{Aabb, Bvh, Ray, Split, Triangles, from_above},
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyKind, Tile},
    side_by_side,
};

use super::{
    FindingLocation,
    surface_map::{PolySamples, SurfaceMap, SurfaceSample},
};

/// Distance between samples, in voxels.
const SPACING: f32 = 4.0;
/// Minimum number of samples of a polygon from which it gets no additional ones.
const FEW_SAMPLES: usize = 3;
/// Maximum number of samples of a polygon along x or z.
const MAX_SAMPLES: u16 = 256;

/// Vertical distance of a navmesh from its level, measured at samples of the detail surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceDistance {
    /// Number of samples above or below ground of the level.
    pub n_samples: usize,
    /// Number of samples that are farther from the level than the sample error and the climb allow. They are not part
    /// of
    /// `mean` and `max`.
    pub n_off: usize,
    /// Mean distance, in meters.
    pub mean: f64,
    /// Largest distance, in meters.
    pub max: f64,
}

/// Measures how far the detail surface of `mesh` is from the level of `plan`.
///
/// # Errors
/// [`Cancelled`] soon after the monitor cancels.
pub fn surface_distance(
    mesh: &NavMesh,
    plan: &BakePlan,
    monitor: &dyn Monitor,
) -> Result<SurfaceDistance, Cancelled> {
    let mut all = SurfaceDistance::default();
    let mut sum = 0.0;
    for tile in of_tiles(mesh, plan, Samples::Drop, monitor)? {
        all.n_samples += tile.n_samples - tile.n_off;
        all.n_off += tile.n_off;
        all.max = all.max.max(tile.max);
        sum += tile.sum;
    }
    if all.n_samples > 0 {
        #[expect(clippy::cast_precision_loss, reason = "a number of samples")]
        let n = all.n_samples as f64;
        all.mean = sum / n;
    }
    Ok(all)
}

/// Compares heights of `mesh` with those of the level of `plan`. Returns the findings and the samples.
pub(super) fn compare(
    mesh: &NavMesh,
    plan: &BakePlan,
    monitor: &dyn Monitor,
) -> Result<(FindingList, SurfaceMap), Cancelled> {
    let allowed = Allowed::of(plan);
    let mut tiles = of_tiles(mesh, plan, Samples::Keep, monitor)?;
    let samples = tiles.iter_mut().map(|tile| (tile.name, std::mem::take(&mut tile.polys)));
    let map = SurfaceMap { limit: allowed.sampled, tiles: samples.collect() };
    Ok((findings(&allowed, tiles), map))
}

/// Returns the vertical distance from the level, in meters, that the sample error of the detail mesh and the height of
/// voxels explain.
pub fn surface_limit(plan: &BakePlan) -> f32 {
    Allowed::of(plan).sampled
}

/// Whether the samples of a comparison are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Samples {
    Keep,
    Drop,
}

/// Compares the surface of each tile with the level.
fn of_tiles(
    mesh: &NavMesh,
    plan: &BakePlan,
    samples: Samples,
    monitor: &dyn Monitor,
) -> Result<Vec<TileSurface>, Cancelled> {
    let level = BakedTriangles::of(plan);
    let tree = Bvh::build_with(&level, Split::Median);
    let allowed = Allowed::of(plan);
    let compare = Compare { mesh, level: &level, tree: &tree, allowed, samples };
    let tiles: Vec<(usize, &Tile)> = mesh.slots().map(|(slot, tile)| (slot, &**tile)).collect();
    // About a thousand steps per polygon.
    let n_steps = tiles.iter().map(|(_, tile)| tile.polys.len() * 1000).sum();
    let found = side_by_side::each(tiles, n_steps, |(slot, tile)| {
        monitor.check()?;
        Ok(compare.tile(slot, tile))
    });
    found.into_iter().collect()
}

/// The triangles of a level that are part of the bake.
struct BakedTriangles<'a> {
    mesh: &'a TriMesh,
    triangles: Vec<u32>,
}

impl<'a> BakedTriangles<'a> {
    fn of(plan: &'a BakePlan) -> Self {
        let mesh = &plan.input().mesh;
        let is_kept = |triangle: &u32| plan.surface_use(*triangle) != Some(SurfaceUse::LeftOut);
        let all = 0..Triangles::n_triangles(&**mesh);
        Self { mesh, triangles: all.filter(is_kept).collect() }
    }
}

impl Triangles for BakedTriangles<'_> {
    fn n_triangles(&self) -> u32 {
        u32::try_from(self.triangles.len()).unwrap_or(u32::MAX)
    }

    fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.mesh.corners(self.triangles[index as usize] as usize)
    }
}

/// Distances from the level that are allowed, in meters.
struct Allowed {
    cell: f32,
    height: f32,
    /// The sample error of the detail mesh, and the height of voxels.
    sampled: f32,
    /// `sampled` plus the climb, because the surface runs straight over steps.
    stepped: f32,
}

impl Allowed {
    fn of(plan: &BakePlan) -> Self {
        let (settings, params) = (&plan.input().settings, plan.params());
        // A voxel has the height of its highest point, and the surface is one voxel above the ground.
        let voxels = 2.0 * params.cell_height;
        let sampled = params.detail_sample_max_error + voxels;
        Self {
            cell: params.cell_size,
            height: settings.agent_height,
            sampled,
            stepped: sampled + settings.agent_max_climb,
        }
    }
}

/// The comparison of one tile.
#[derive(Default)]
struct TileSurface {
    n_samples: usize,
    /// Number of samples that are too far from the level to be compared with it.
    n_off: usize,
    /// The sum of the distances of the other samples, and the largest of them.
    sum: f64,
    max: f64,
    /// Number of samples that are farther from the level than the sample error allows.
    n_far: usize,
    /// The largest distance of these samples from the level, and its location.
    largest: Option<(f32, FindingLocation)>,
    /// Polygons without any sample near the level.
    off: FindingList,
    /// Column, row and layer of the tile.
    name: [i32; 3],
    /// The samples of each polygon, if they are kept.
    polys: Vec<PolySamples>,
}

struct Compare<'a> {
    mesh: &'a NavMesh,
    level: &'a BakedTriangles<'a>,
    tree: &'a Bvh,
    allowed: Allowed,
    samples: Samples,
}

impl Compare<'_> {
    fn tile(&self, slot: usize, tile: &Tile) -> TileSurface {
        let [x, z, layer] = [tile.header.x, tile.header.z, tile.header.layer];
        let mut surface = TileSurface { name: [x, z, layer], ..TileSurface::default() };
        if self.samples == Samples::Keep {
            surface.polys.resize_with(tile.polys.len(), PolySamples::default);
        }
        let polys = tile.polys.iter().enumerate();
        for (index, _) in polys.filter(|(_, poly)| poly.kind == PolyKind::Ground) {
            let poly = self.mesh.poly_ref(slot, index);
            let location = |point| FindingLocation {
                tile: [tile.header.x, tile.header.z],
                layer: tile.header.layer,
                poly,
                point,
            };
            let mut nearest: Option<(f32, Vec3)> = None;
            let corners = tile.corners(&tile.polys[index]);
            let spacing = spacing(&Aabb::around(corners), self.allowed.cell);
            if let Some(poly) = surface.polys.get_mut(index) {
                poly.spacing = spacing;
            }
            for point in samples(tile, index, spacing) {
                let off = self.distance(point);
                if let Some(poly) = surface.polys.get_mut(index) {
                    poly.samples.push(SurfaceSample { point, height: off });
                }
                surface.n_samples += 1;
                let distance = f64::from(off.abs());
                if off.abs() > self.allowed.stepped {
                    surface.n_off += 1;
                } else {
                    surface.sum += distance;
                    surface.max = surface.max.max(distance);
                }
                if nearest.is_none_or(|(least, _)| off.abs() < least.abs()) {
                    nearest = Some((off, point));
                }
                if off.abs() <= self.allowed.sampled || off.abs() > self.allowed.stepped {
                    continue;
                }
                surface.n_far += 1;
                if surface.largest.as_ref().is_none_or(|(most, _)| *most < off.abs()) {
                    surface.largest = Some((off.abs(), location(point)));
                }
            }
            let Some((off, point)) = nearest else { continue };
            if off.abs() > self.allowed.stepped {
                location(point).add_to(&mut surface.off, off_level(off));
            }
        }
        surface
    }

    /// Returns the height of a point above the level; infinite if no triangle is below or above it.
    fn distance(&self, at: Vec3) -> f32 {
        let straight = self.straight(at);
        if straight.abs() <= self.allowed.sampled {
            return straight;
        }
        // A voxel stands for everything in it, so the triangle may be beside the sample.
        let side = self.allowed.cell;
        let around = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z];
        let beside = around.map(|way| self.straight(at + way * side));
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let corners = corners.map(|(x, z)| self.straight(at + Vec3::new(x, 0.0, z) * side));
        let nearer = |a: f32, b: f32| if b.abs() < a.abs() { b } else { a };
        beside.into_iter().chain(corners).fold(straight, nearer)
    }

    fn straight(&self, at: Vec3) -> f32 {
        let up = self.allowed.stepped.max(self.allowed.height * 0.5);
        let hit = |origin: Vec3, way: Vec3| {
            let ray = Ray::new(origin, way)?;
            self.tree.raycast(self.level, &ray).map(|hit| at.y - hit.point.y)
        };
        let below = hit(at + Vec3::Y * up, Vec3::NEG_Y).unwrap_or(f32::INFINITY);
        if below.abs() <= self.allowed.stepped {
            return below;
        }
        let above = hit(at, Vec3::Y).unwrap_or(f32::INFINITY);
        if above.abs() < below.abs() { above } else { below }
    }
}

/// Returns the findings of all tiles.
fn findings(allowed: &Allowed, tiles: Vec<TileSurface>) -> FindingList {
    let (mut n, mut of) = (0, 0);
    let mut largest: Option<(f32, FindingLocation)> = None;
    let mut list = FindingList::default();
    for tile in tiles {
        (n, of) = (n + tile.n_far, of + tile.n_samples);
        if let Some((far, location)) = tile.largest
            && largest.as_ref().is_none_or(|(most, _)| *most < far)
        {
            largest = Some((far, location));
        }
        list.append(tile.off);
    }
    if let Some((far, location)) = largest {
        let (distance, allowed) = (Meters(far), Meters(allowed.sampled));
        location.add_to(&mut list, Finding::DetailOffLevel { distance, allowed, n, of });
    }
    list
}

fn off_level(off: f32) -> Finding {
    if !off.is_finite() {
        Finding::PolygonWithoutGround {}
    } else if off > 0.0 {
        Finding::PolygonAboveGround { distance: Meters(off) }
    } else {
        Finding::PolygonBelowGround { distance: Meters(-off) }
    }
}

/// Returns the distance between the samples of a polygon with these bounds, along x and along z.
fn spacing(around: &Aabb, cell: f32) -> f32 {
    let (size, most) = (around.size(), f32::from(MAX_SAMPLES));
    (SPACING * cell).max(size.x / most).max(size.z / most)
}

/// Returns points on the surface of a polygon, on a grid that all polygons share. Small polygons also get points
/// between their corners and their middle.
fn samples(tile: &Tile, index: usize, spacing: f32) -> Vec<Vec3> {
    let corners = tile.corners(&tile.polys[index]);
    let around = Aabb::around(corners.iter().copied());
    let mut found = Vec::new();
    let first = |min: f32| (min / spacing).ceil() * spacing;
    let along = |min: f32, max: f32| {
        (0..=MAX_SAMPLES)
            .map(move |n| first(min) + f32::from(n) * spacing)
            .take_while(move |at| *at < max)
    };
    for x in along(around.min.x, around.max.x) {
        for z in along(around.min.z, around.max.z) {
            let at = Vec3::new(x, around.center().y, z);
            if from_above::contains(&corners, at) {
                found.extend(tile.height_at(index, at).map(|y| at.with_y(y)));
            }
        }
    }
    if found.len() < FEW_SAMPLES {
        let n = f32::from(u8::try_from(corners.len()).unwrap_or(1).max(1));
        let middle = corners.iter().sum::<Vec3>() / n;
        let between = corners.iter().map(|corner| corner.midpoint(middle));
        let inside = between.chain([middle]);
        found.extend(inside.filter_map(|at| Some(at.with_y(tile.height_at(index, at)?))));
    }
    found
}
