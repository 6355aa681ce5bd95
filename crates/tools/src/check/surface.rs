//! Comparison of the surface of a navmesh with its level.

use std::{cell::OnceCell, collections::BTreeSet};

use glam::Vec3;
use serde::Serialize;
use walkable_bake::bake::{
    BakeError, BakeOutput, BakePlan, CompactField, Intermediates, SurfaceUse, bake_tile,
};
use walkable_mesh::TriMesh;
use walkable_runtime::{
    diagnostic::{Finding, FindingList, Meters},
    geom::{Aabb, Bvh, Ray, Split, Triangles, from_above},
    ids::{Dir, TileCoord},
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyKind, Tile},
    side_by_side,
};

use super::{
    FindingLocation,
    border::is_planned,
    surface_map::{PolySamples, SurfaceMap, SurfaceSample},
};

/// Distance between samples, in voxels.
const SPACING: f32 = 4.0;
/// Minimum number of samples of a polygon from which it gets no additional ones.
const FEW_SAMPLES: usize = 3;
/// Maximum number of samples of a polygon along x or z.
const MAX_SAMPLES: u16 = 256;
/// Maximum distance of a sample from the ground with which it is compared, in cells.
const MAX_REACH: u32 = 8;

/// Vertical distance of a navmesh from its level, measured at samples of the detail surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceDistance {
    /// Number of samples above or below ground of the level.
    pub n_samples: usize,
    /// Number of samples of polygons that are nowhere near the level, and of samples without ground. They are not part
    /// of `mean` and `max`.
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
    let compare = Compare { mesh, level: &level, tree: &tree, allowed, samples, monitor };
    let tiles: Vec<(usize, &Tile)> = mesh.slots().map(|(slot, tile)| (slot, &**tile)).collect();
    // About a thousand steps per polygon.
    let n_steps = tiles.iter().map(|(_, tile)| tile.polys.len() * 1000).sum();
    let found = side_by_side::each(tiles, n_steps, |(slot, tile)| {
        compare.tile(slot, tile, &|| TileGround::of(tile, plan, monitor))
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
    /// Height of a voxel.
    voxel: f32,
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
            voxel: params.cell_height,
            height: settings.agent_height,
            sampled,
            stepped: sampled + settings.agent_max_climb,
        }
    }
}

/// The ground that the polygons of a tile were made from.
struct TileGround {
    stages: Box<Intermediates>,
    /// Maximum distance of a polygon from its ground, in cells.
    reach: u32,
}

impl TileGround {
    /// Bakes the tile again. Returns `None` if it is from another bake.
    fn of(tile: &Tile, plan: &BakePlan, monitor: &dyn Monitor) -> Result<Option<Self>, Cancelled> {
        let [x, z] = [tile.header.x, tile.header.z];
        if !is_planned(Some(plan), [x, z]) {
            return Ok(None);
        }
        let coord = TileCoord::new(x.unsigned_abs(), z.unsigned_abs());
        let baked = match bake_tile(plan, coord, BakeOutput::Stages, monitor) {
            Ok(baked) => baked,
            Err(BakeError::Cancelled(cancelled)) => return Err(cancelled),
            Err(_refused) => return Ok(None),
        };
        let is_same = baked.tile.is_some_and(|baked| {
            baked.vertices == tile.vertices && baked.polys.len() == tile.polys.len()
        });
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let reach = (plan.params().max_edge_error_vx.ceil() as u32 + 1).min(MAX_REACH);
        Ok(baked.stages.filter(|_| is_same).map(|stages| Self { stages, reach }))
    }

    /// Returns whether a span can be the ground of polygon `index`: it is in the polygon's region, or in any region if the
    /// polygon was merged from several.
    fn is_of(&self, index: usize, span: usize) -> bool {
        let Intermediates { regions, polygons, .. } = &*self.stages;
        let region = polygons.polygons.get(index).map(|polygon| polygon.region);
        match region.filter(|region| region.is_ground()) {
            Some(region) => regions.ids[span] == region,
            None => regions.ids[span].is_ground(),
        }
    }

    /// Returns the cells `away` cells from that of a place, each with its offset from it in meters.
    fn cells(&self, at: Vec3, away: u32) -> impl Iterator<Item = ((u32, u32), Vec3)> {
        let (frame, away) = (self.stages.compact.frame, i64::from(away));
        #[expect(clippy::cast_possible_truncation, reason = "floats saturate")]
        let cell =
            ((at - frame.bounds.min) / frame.cell_size).floor().to_array().map(|at| at as i64);
        let around = (-away..=away).flat_map(move |x| (-away..=away).map(move |z| [x, z]));
        let around = around.filter(move |[x, z]| x.abs().max(z.abs()) == away);
        around.filter_map(move |[x, z]| {
            let in_grid = |at: i64, n: u32| u32::try_from(at).ok().filter(|at| *at < n);
            #[expect(clippy::cast_precision_loss, reason = "a few cells")]
            let aside = Vec3::new(x as f32, 0.0, z as f32) * frame.cell_size;
            let column = in_grid(cell[0].saturating_add(x), frame.n_x);
            let cell = column.zip(in_grid(cell[2].saturating_add(z), frame.n_z));
            Some((cell?, aside))
        })
    }

    fn spans(&self, (x, z): (u32, u32)) -> impl Iterator<Item = (usize, f32)> {
        let CompactField { frame, spans, .. } = &self.stages.compact;
        let floor =
            |span: usize| frame.bounds.min.y + f32::from(spans[span].floor_vx) * frame.cell_height;
        let cell = self.stages.compact.cell(frame.cell_index(x, z));
        cell.map(move |span| (span, floor(span)))
    }

    /// Returns the spans below a polygon that are connected with those at its corners. A region that leads over stairs can
    /// have other stories there.
    fn below(&self, index: usize, corners: &[Vec3], climb: f32) -> BTreeSet<usize> {
        let compact = &self.stages.compact;
        let around = Aabb::around(corners.iter().copied());
        #[expect(clippy::cast_precision_loss, reason = "a few cells")]
        let margin = self.reach as f32 * compact.frame.cell_size;
        let is_near = |(x, z): (u32, u32)| {
            #[expect(
                clippy::cast_precision_loss,
                reason = "grids have fewer than 2^24 cells a side"
            )]
            let at = compact.frame.world_from_grid(x as f32 + 0.5, 0.0, z as f32 + 0.5);
            (around.min.x - margin..=around.max.x + margin).contains(&at.x)
                && (around.min.z - margin..=around.max.z + margin).contains(&at.z)
        };
        let mut found = BTreeSet::new();
        let mut stack = Vec::new();
        for corner in corners {
            for (cell, _) in (0..=1).flat_map(|away| self.cells(*corner, away)) {
                let near = self.spans(cell).filter(|(_, floor)| (floor - corner.y).abs() <= climb);
                stack.extend(near.map(|(span, _)| (cell, span)));
            }
        }
        while let Some((cell, span)) = stack.pop() {
            if self.is_of(index, span) && is_near(cell) && found.insert(span) {
                let next = Dir::ALL.into_iter().filter_map(|dir| compact.neighbor(cell, span, dir));
                stack.extend(next.map(|next| ((next.x, next.z), next.span)));
            }
        }
        found
    }
}

/// The ground of a polygon.
struct PolyGround<'a> {
    tile: &'a TileGround,
    index: usize,
    /// Its spans, if the surface is so far from its corners or from the region that another story may be there.
    own: Option<BTreeSet<usize>>,
}

impl PolyGround<'_> {
    /// Returns the floors in the cells `away` cells from that of a place, each with the offset of its cell in meters.
    fn floors(&self, at: Vec3, away: u32) -> impl Iterator<Item = (Vec3, f32)> {
        self.tile.cells(at, away).flat_map(move |(cell, aside)| {
            let is_own = move |span: usize| {
                self.own.as_ref().is_none_or(|own| own.contains(&span))
                    && self.tile.is_of(self.index, span)
            };
            let spans = self.tile.spans(cell).filter(move |(span, _)| is_own(*span));
            spans.map(move |(_, floor)| (aside, floor))
        })
    }
}

/// A point of the surface, its height above the ground, and the point of the ground.
#[derive(Clone, Copy)]
struct Compared {
    point: Vec3,
    height: f32,
    ground: Vec3,
    /// Whether another story of the region is near. If the surface is as flat as the polygon, that is its ground.
    has_other: bool,
}

/// The surface of a polygon, compared with its ground or with the nearest triangles.
struct ComparedPolygon {
    on_surface: Vec<Compared>,
    at_vertices: Vec<Compared>,
    has_ground: bool,
}

impl ComparedPolygon {
    fn all(&self) -> impl Iterator<Item = &Compared> {
        self.on_surface.iter().chain(&self.at_vertices)
    }
}

/// Bakes the ground of a tile; returns `None` if the tile is from another bake.
type BakeGround<'a> = dyn Fn() -> Result<Option<TileGround>, Cancelled> + 'a;

/// The comparison of one tile.
#[derive(Default)]
struct TileSurface {
    n_samples: usize,
    /// Number of samples that cannot be compared with the level.
    n_off: usize,
    /// Number of vertices of the detail surface. They are compared like samples, but are not part of `sum`.
    n_vertices: usize,
    /// The sum of the distances of the other samples, and the largest of them.
    sum: f64,
    max: f64,
    /// Number of points that are farther from the level than the sample error allows, and than the climb allows.
    n_far: [usize; 2],
    /// The largest distance of these points from the level, and the location of the ground there.
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
    monitor: &'a dyn Monitor,
}

impl Compare<'_> {
    /// Compares a tile. `bake` returns its ground, which only polygons need whose surface is far from their corners or from
    /// the level.
    fn tile(
        &self,
        slot: usize,
        tile: &Tile,
        bake: &BakeGround<'_>,
    ) -> Result<TileSurface, Cancelled> {
        let [x, z, layer] = [tile.header.x, tile.header.z, tile.header.layer];
        let mut surface = TileSurface { name: [x, z, layer], ..TileSurface::default() };
        let Allowed { cell, sampled, stepped, .. } = self.allowed;
        if self.samples == Samples::Keep {
            surface.polys.resize_with(tile.polys.len(), PolySamples::default);
        }
        let baked = OnceCell::new();
        let polys = tile.polys.iter().enumerate();
        for (index, _) in polys.filter(|(_, poly)| poly.kind == PolyKind::Ground) {
            let poly = self.mesh.poly_ref(slot, index);
            let location = |point| FindingLocation { tile: [x, z], layer, poly, point };
            let corners = tile.corners(&tile.polys[index]);
            let spacing = spacing(&Aabb::around(corners.iter().copied()), cell);
            let points = samples(tile, index, spacing);
            let ComparedPolygon { on_surface, at_vertices, has_ground } =
                self.polygon((tile, index), &points, (&baked, bake))?;
            surface.n_samples += on_surface.len();
            let nearest =
                on_surface.iter().min_by(|a, b| a.height.abs().total_cmp(&b.height.abs()));
            if let Some(&Compared { point, height, .. }) = nearest
                && height.abs() > stepped
                && !has_ground
            {
                surface.n_off += on_surface.len();
                location(point).add_to(&mut surface.off, off_level(height));
            } else {
                let is_compared = |one: &&Compared| {
                    let rise = (one.point.y - flat_height(&corners, one.point)).abs();
                    let is_other = one.has_other && one.height.abs() > stepped && rise <= stepped;
                    one.height.is_finite() && !is_other
                };
                let near = on_surface.iter().filter(is_compared);
                surface.n_off += on_surface.len() - near.clone().count();
                surface.sum += near.map(|one| f64::from(one.height.abs())).sum::<f64>();
                surface.n_vertices += at_vertices.len();
                for one in on_surface.iter().chain(&at_vertices).filter(is_compared) {
                    let distance = one.height.abs();
                    surface.max = surface.max.max(f64::from(distance));
                    surface.n_far[0] += usize::from(distance > sampled);
                    surface.n_far[1] += usize::from(distance > stepped);
                    let is_largest = |(most, _): &(f32, FindingLocation)| *most < distance;
                    if distance > sampled && surface.largest.as_ref().is_none_or(is_largest) {
                        surface.largest = Some((distance, location(one.ground)));
                    }
                }
            }
            if let Some(poly) = surface.polys.get_mut(index) {
                let sample =
                    |one: &Compared| SurfaceSample { point: one.point, height: one.height };
                *poly = PolySamples { spacing, samples: on_surface.iter().map(sample).collect() };
            }
        }
        Ok(surface)
    }

    /// Compares the surface of a polygon at `points` and at its vertices with the level. If it is far from its corners or
    /// from the level, compares it with its ground in `baked`, which `bake` fills on first use.
    fn polygon(
        &self,
        (tile, index): (&Tile, usize),
        points: &[Vec3],
        (baked, bake): (&OnceCell<Option<TileGround>>, &BakeGround<'_>),
    ) -> Result<ComparedPolygon, Cancelled> {
        self.monitor.check()?;
        let (corners, vertices) = (tile.corners(&tile.polys[index]), detail_vertices(tile, index));
        let stepped = self.allowed.stepped;
        let is_far = |one: &Compared| {
            let rise = one.point.y - flat_height(&corners, one.point);
            one.height.abs() > stepped || rise.abs() > stepped
        };
        let compared = |ground: Option<&PolyGround<'_>>| {
            let all = |points: &[Vec3]| {
                points.iter().map(|point| self.compared(*point, ground)).collect::<Vec<_>>()
            };
            let (on_surface, at_vertices, has_ground) =
                (all(points), all(vertices), ground.is_some());
            ComparedPolygon { on_surface, at_vertices, has_ground }
        };
        let with_level = compared(None);
        if !with_level.all().any(is_far) {
            return Ok(with_level);
        }
        if baked.get().is_none() {
            _ = baked.set(bake()?);
        }
        let Some(Some(ground)) = baked.get() else { return Ok(with_level) };
        let mut ground = PolyGround { tile: ground, index, own: None };
        let with_region = compared(Some(&ground));
        if !with_region.all().any(is_far) {
            return Ok(with_region);
        }
        let own = ground.tile.below(index, &corners, stepped);
        ground.own = Some(own).filter(|own| !own.is_empty());
        let mut with_own = compared(Some(&ground));
        let own = with_own.on_surface.iter_mut().chain(&mut with_own.at_vertices);
        for (own, of_region) in own.zip(with_region.all()) {
            own.has_other = of_region.height.abs() <= stepped;
        }
        Ok(with_own)
    }

    fn compared(&self, point: Vec3, ground: Option<&PolyGround<'_>>) -> Compared {
        let (height, ground) = self.distance(point, ground);
        Compared { point, height, ground, has_other: false }
    }

    /// Returns the height of a point above `ground`, from which its polygon was made, or above the nearest triangle of the
    /// level; infinite if there is none. Also returns the point of the ground.
    fn distance(&self, at: Vec3, ground: Option<&PolyGround<'_>>) -> (f32, Vec3) {
        let Some(ground) = ground else {
            let height = self.nearest(at);
            return (height, at - Vec3::Y * height);
        };
        let mut least = (f32::INFINITY, at);
        for away in 0..=ground.tile.reach {
            let over = ground.floors(at, away).map(|(aside, floor)| self.over(at + aside, floor));
            let nearest = over.min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
            least = nearest.filter(|nearest| nearest.0.abs() < least.0.abs()).unwrap_or(least);
            // A voxel stands for everything in it, so the triangle may be beside the sample. Other stories of the region
            // may be there, too, unless the ground of the polygon is known.
            let is_settled = ground.own.is_some() && away > 0 && least.0.is_finite();
            if least.0.abs() <= self.allowed.sampled || is_settled {
                break;
            }
        }
        least
    }

    /// Returns the height of a point above the triangle at the top of a voxel, and the point there.
    fn over(&self, at: Vec3, floor: f32) -> (f32, Vec3) {
        let top = Ray::new(at.with_y(floor + 0.5 * self.allowed.voxel), Vec3::NEG_Y);
        let hit = top.and_then(|ray| self.tree.raycast(self.level, &ray));
        let triangle = hit.map(|hit| hit.point.y).filter(|y| floor - y <= self.allowed.sampled);
        let ground = triangle.unwrap_or(floor);
        (at.y - ground, at.with_y(ground))
    }

    /// Returns the height of a point above the nearest triangle.
    fn nearest(&self, at: Vec3) -> f32 {
        let straight = self.straight(at);
        if straight.abs() <= self.allowed.sampled {
            return straight;
        }
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
    let ([mut n_sampled, mut n_stepped], mut of) = ([0; 2], 0);
    let mut largest: Option<(f32, FindingLocation)> = None;
    let mut list = FindingList::default();
    for tile in tiles {
        (n_sampled, n_stepped) = (n_sampled + tile.n_far[0], n_stepped + tile.n_far[1]);
        of += tile.n_samples + tile.n_vertices;
        if let Some((far, location)) = tile.largest
            && largest.as_ref().is_none_or(|(most, _)| *most < far)
        {
            largest = Some((far, location));
        }
        list.append(tile.off);
    }
    if let Some((far, location)) = largest {
        let distance = Meters(far);
        let finding = if n_stepped > 0 {
            let allowed = Meters(allowed.stepped);
            Finding::SurfaceOffGround { distance, allowed, n: n_stepped, of }
        } else {
            let allowed = Meters(allowed.sampled);
            Finding::DetailOffLevel { distance, allowed, n: n_sampled, of }
        };
        location.add_to(&mut list, finding);
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

/// Returns the height of a polygon at a place without its detail surface.
fn flat_height(corners: &[Vec3], at: Vec3) -> f32 {
    let triangles = (2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]);
    let height =
        triangles.into_iter().find_map(|corners| from_above::height_on_triangle(at, corners));
    // Beside the polygon, due to rounding.
    let aside = |corner: &Vec3| (*corner - at).with_y(0.0).length_squared();
    let nearest = || corners.iter().min_by(|a, b| aside(a).total_cmp(&aside(b)));
    height.or_else(|| nearest().map(|corner| corner.y)).unwrap_or(at.y)
}

/// Returns the vertices of the detail surface of a polygon, without its corners.
pub(super) fn detail_vertices(tile: &Tile, index: usize) -> &[Vec3] {
    let own = tile.detail_patches.get(index).map_or(0..0, |patch| {
        let first = patch.first_vertex as usize;
        first..first + usize::from(patch.n_vertices)
    });
    tile.detail_vertices.get(own).unwrap_or(&[])
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
