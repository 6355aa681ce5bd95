//! The ground of a navmesh as planar facets, and the ground of one navmesh that another does not have.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicUsize, Ordering},
};

use glam::{DVec2, Vec3, Vec3Swizzles as _};
use walkable_runtime::{
    geom::{Aabb, Bvh, Split, Triangles, total},
    ids::AreaId,
    monitor::Monitor,
    navmesh::{NavMesh, PolyKind, Tile, VERTS_PER_POLYGON},
    query::{Filter, Island, Reachability, islands},
    side_by_side,
};

use super::{
    CompareError,
    convex::{Convex, HalfPlane},
};

/// Number of overlapping facets above which a polygon is first cut in half.
const MANY: usize = 48;
/// Maximum number of times that a polygon is cut in half.
const MAX_HALVINGS: u32 = 24;
/// Maximum number of pairs of facets whose bounds overlap, for each facet on average.
const MAX_PAIRS: usize = 512;
/// Maximum number of facets cut by others, for each facet on average.
const MAX_CUTS: usize = 128;
/// Number of cuts that a piece of the result counts as, which limits the memory for pieces.
const CUTS_PER_PIECE: usize = 16;
/// Number of facets that any navmesh has for these limits.
const MIN_FACETS: usize = 1000;
/// Number of facets whose shared ground is in memory.
const AT_ONCE: usize = 4096;
/// Height differences within this are rounding errors, in meters.
const SAME_HEIGHT: f64 = 1e-4;

/// The area id and the flags of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tag {
    pub(super) area: AreaId,
    pub(super) flags: u16,
}

/// A detail triangle of a polygon of ground.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    corners: [Vec3; 3],
    pub(super) shape: Convex,
    pub(super) plane: Plane,
    pub(super) tag: Tag,
    /// The number of its island.
    pub(super) island: u32,
}

/// The height of a facet as a function of x and z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    gradient: DVec2,
    height: f64,
}

impl Plane {
    /// Returns the plane through a triangle; a horizontal plane if the triangle is almost vertical.
    fn through(corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let (to_b, to_c) = (b - a, c - a);
        let doubled = to_b.x * to_c.z - to_b.z * to_c.x;
        let gradient = DVec2::new(
            (to_b.y * to_c.z - to_c.y * to_b.z) / doubled,
            (to_c.y * to_b.x - to_b.y * to_c.x) / doubled,
        );
        let gradient = if gradient.is_finite() { gradient } else { DVec2::ZERO };
        Self { gradient, height: a.y - gradient.dot(DVec2::new(a.x, a.z)) }
    }

    fn height_at(&self, at: DVec2) -> f64 {
        self.height + self.gradient.dot(at)
    }

    /// Returns a point of the plane.
    #[expect(clippy::cast_possible_truncation, reason = "rounded as all vertices are")]
    pub(super) fn point(&self, at: DVec2) -> Vec3 {
        Vec3::new(at.x as f32, self.height_at(at) as f32, at.y as f32)
    }

    /// Returns half-planes that contain the points at which two planes are at most `height` apart; `None` if there are
    /// no such points.
    fn within(&self, other: &Self, height: f64) -> Option<Vec<HalfPlane>> {
        let gradient = self.gradient - other.gradient;
        let difference = self.height - other.height;
        let slope = gradient.length();
        if slope < 1e-9 {
            return (difference.abs() <= height).then(Vec::new);
        }
        let normal = gradient / slope;
        let below = HalfPlane { normal, limit: (height - difference) / slope };
        let above = HalfPlane { normal: -normal, limit: (height + difference) / slope };
        Some(vec![below, above])
    }
}

/// A convex piece of ground.
#[derive(Clone, Debug)]
pub(super) struct GroundPiece {
    pub(super) shape: Convex,
    pub(super) plane: Plane,
}

impl GroundPiece {
    /// Returns its corners in the world.
    pub(super) fn points(&self) -> Vec<Vec3> {
        self.shape.corners().iter().map(|at| self.plane.point(*at)).collect()
    }

    pub(super) fn bounds(&self) -> Aabb {
        Aabb::around(self.shape.corners().iter().map(|at| self.plane.point(*at)))
    }
}

/// Pieces with a tree over their bounds.
pub(super) struct PieceTree {
    bounds: Vec<Aabb>,
    tree: Bvh,
}

impl PieceTree {
    pub(super) fn new(pieces: &[GroundPiece]) -> Self {
        let bounds: Vec<Aabb> = pieces.iter().map(GroundPiece::bounds).collect();
        let tree = Bvh::build_with(&Boxes(&bounds), Split::Median);
        Self { bounds, tree }
    }

    /// Returns the numbers of the pieces near `bounds`, in ascending order.
    pub(super) fn near(&self, bounds: &Aabb) -> Vec<u32> {
        in_box(&self.tree, bounds, |index| self.bounds[index as usize])
    }
}

/// Bounding boxes in the form of triangles, for [`Bvh`].
struct Boxes<'a>(&'a [Aabb]);

impl Triangles for Boxes<'_> {
    fn n_triangles(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    fn triangle(&self, index: u32) -> [Vec3; 3] {
        let Aabb { min, max } = self.0[index as usize];
        [min, max, min]
    }
}

fn in_box(tree: &Bvh, bounds: &Aabb, bounds_of: impl Fn(u32) -> Aabb) -> Vec<u32> {
    let mut found = Vec::new();
    tree.any_in_box(bounds, |index| {
        if bounds_of(index).overlaps(bounds) {
            found.push(index);
        }
        false
    });
    found.sort_unstable();
    found
}

/// Returns the bounds grown by `aside` along x and z and by `up` along y.
pub(super) fn grown(bounds: &Aabb, aside: f64, up: f64) -> Aabb {
    #[expect(clippy::cast_possible_truncation, reason = "a search box need not be exact")]
    let by = Vec3::new(aside as f32, up as f32, aside as f32) + 1e-3;
    Aabb { min: bounds.min - by, max: bounds.max + by }
}

/// The ground of a navmesh: the polygons with flags, without off-mesh links.
pub(super) struct Ground {
    pub(super) facets: Vec<Facet>,
    /// The corners of each facet and its number, sorted.
    by_corners: Vec<([u32; 9], u32)>,
    tree: Bvh,
    pub(super) islands: Vec<Island>,
}

impl Triangles for Ground {
    fn n_triangles(&self) -> u32 {
        u32::try_from(self.facets.len()).unwrap_or(u32::MAX)
    }

    fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.facets[index as usize].corners
    }
}

impl Ground {
    pub(super) fn new(mesh: &NavMesh, monitor: &dyn Monitor) -> Result<Self, CompareError> {
        let filter = Filter::default();
        let known = Reachability::new(mesh, &filter);
        let (mut facets, mut max_facets) = (Vec::new(), 0);
        for (slot, tile) in mesh.slots() {
            monitor.check()?;
            // Polygons of a hostile file can all have the same detail triangles.
            max_facets += tile.detail_triangles.len() + VERTS_PER_POLYGON * tile.polys.len();
            for (index, poly) in tile.polys.iter().enumerate() {
                if poly.kind != PolyKind::Ground || !filter.passes(poly) {
                    continue;
                }
                let named = mesh.poly_ref(slot, index);
                let Some(island) = named.and_then(|poly| known.island(mesh, poly)) else {
                    continue;
                };
                let tag = Tag { area: poly.area, flags: poly.flags };
                facets.extend(triangles(tile, index).into_iter().filter_map(|corners| {
                    let from_above = corners.map(|at| at.xz().as_dvec2());
                    let shape = Convex::new(from_above.to_vec())?;
                    Some(Facet { corners, shape, plane: Plane::through(corners), tag, island })
                }));
                if facets.len() > max_facets {
                    return Err(CompareError::TooManyOverlaps { max: max_facets });
                }
            }
        }
        let islands = islands(mesh, &known);
        let numbered = (0..).zip(&facets);
        let mut by_corners: Vec<_> =
            numbered.map(|(index, facet): (u32, &Facet)| (key(facet.corners), index)).collect();
        by_corners.sort_unstable();
        let tree = Bvh::build_with(&Boxes(&[]), Split::Median);
        let mut ground = Self { facets, by_corners, tree, islands };
        ground.tree = Bvh::build_with(&ground, Split::Median);
        Ok(ground)
    }

    /// Returns the area seen from above.
    pub(super) fn area(&self) -> f64 {
        total(self.facets.iter().map(|facet| facet.shape.area()))
    }

    fn near(&self, bounds: &Aabb) -> Vec<u32> {
        in_box(&self.tree, bounds, |index| Aabb::around(self.facets[index as usize].corners))
    }

    /// Returns the facets with these corners, in ascending order.
    fn with_corners(&self, corners: [Vec3; 3]) -> &[([u32; 9], u32)] {
        let key = key(corners);
        let first = self.by_corners.partition_point(|(other, _)| *other < key);
        let rest = &self.by_corners[first..];
        &rest[..rest.partition_point(|(other, _)| *other == key)]
    }
}

/// Returns numbers that are the same for the same corners.
fn key(corners: [Vec3; 3]) -> [u32; 9] {
    let [a, b, c] = corners.map(|corner| corner.to_array());
    let mut key = [0; 9];
    for (bits, at) in key.iter_mut().zip([a, b, c].as_flattened()) {
        // Adding 0 turns a negative zero into a positive one.
        *bits = (at + 0.0).to_bits();
    }
    key
}

/// Returns the detail triangles of a polygon; a fan of triangles if it has no detail.
fn triangles(tile: &Tile, index: usize) -> Vec<[Vec3; 3]> {
    let detail = tile.detail_of(index);
    if !detail.is_empty() {
        return detail.iter().map(|&triangle| tile.detail_corners(index, triangle)).collect();
    }
    let corners = tile.corners(&tile.polys[index]);
    corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]).collect()
}

/// Limits within which ground of two navmeshes counts as the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct SameGroundLimits {
    /// Maximum height difference.
    pub(super) height: f64,
    /// Width of strips along edges that do not count.
    pub(super) aside: f64,
}

/// The ground of one navmesh that the other does not have.
#[derive(Default)]
pub(super) struct MissingGround {
    pub(super) pieces: Vec<GroundPiece>,
    /// The parts of `pieces` that are farther from the other ground than the tolerance.
    pub(super) far: Vec<GroundPiece>,
}

/// The parts of a facet that the other ground has, with the facet that has it.
pub(super) type SharedParts = Vec<(u32, Shared)>;

/// A part of a facet that the other ground has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) area: f64,
    pub(super) center: DVec2,
}

/// Compares each facet of `own` with the ground of `other`. Passes the parts of each facet that the other ground has to
/// `share`, and returns the others.
pub(super) fn compare(
    own: &Ground,
    other: &Ground,
    reach: SameGroundLimits,
    share: &mut dyn FnMut(usize, &SharedParts),
    monitor: &dyn Monitor,
) -> Result<MissingGround, CompareError> {
    let work = Work::new(own.facets.len() + other.facets.len());
    let mut missing = MissingGround::default();
    let n = own.facets.len();
    for first in (0..n).step_by(AT_ONCE) {
        let some = first..n.min(first + AT_ONCE);
        // About ten facets overlap each facet, and each takes about a microsecond.
        let found = side_by_side::each(some.clone(), some.len() * 2000, |index| {
            monitor.check()?;
            compare_facet((own, index), other, reach, &work)
        });
        for (index, found) in some.zip(found) {
            let (shared, of_facet) = found?;
            share(index, &shared);
            missing.pieces.extend(of_facet.pieces);
            missing.far.extend(of_facet.far);
        }
    }
    Ok(missing)
}

/// Counts the work of a comparison, to stop if polygons overlap so much that it would take too long or too much memory.
pub(super) struct Work {
    n_pairs: AtomicUsize,
    n_cuts: AtomicUsize,
    facets: usize,
}

impl Work {
    /// Starts the count for this number of facets or pieces.
    pub(super) fn new(n_facets: usize) -> Self {
        let [n_pairs, n_cuts] = [0, 0].map(AtomicUsize::new);
        Self { n_pairs, n_cuts, facets: n_facets.max(MIN_FACETS) }
    }

    /// Counts pairs of facets whose bounds overlap.
    pub(super) fn add_pairs(&self, n: usize) -> Result<(), CompareError> {
        Self::add(&self.n_pairs, n, self.facets * MAX_PAIRS)
    }

    /// Counts facets that are cut by others.
    fn add_cuts(&self, n: usize) -> Result<(), CompareError> {
        Self::add(&self.n_cuts, n, self.facets * MAX_CUTS)
    }

    /// Counts pieces that are kept.
    fn add_pieces(&self, n: usize) -> Result<(), CompareError> {
        self.add_cuts(n * CUTS_PER_PIECE)
    }

    fn add(count: &AtomicUsize, n: usize, max: usize) -> Result<(), CompareError> {
        let before = count.fetch_add(n, Ordering::Relaxed);
        let is_over = before.saturating_add(n) > max;
        if is_over { Err(CompareError::TooManyOverlaps { max }) } else { Ok(()) }
    }
}

fn compare_facet(
    (own, index): (&Ground, usize),
    other: &Ground,
    reach: SameGroundLimits,
    work: &Work,
) -> Result<(SharedParts, MissingGround), CompareError> {
    let facet = &own.facets[index];
    let same = other.with_corners(facet.corners);
    if let Some(last) = same.last() {
        // A contour that crosses itself can produce the same triangle twice. The n-th occurrence is compared with the
        // n-th occurrence.
        let of_own = own.with_corners(facet.corners);
        let nth = of_own.partition_point(|(_, at)| (*at as usize) < index);
        let (_, same) = same.get(nth).unwrap_or(last);
        let shared = Shared { area: facet.shape.area(), center: facet.shape.centroid() };
        return Ok((vec![(*same, shared)], MissingGround::default()));
    }
    // Beyond the edges of a grown facet its plane continues, so the heights are grown as well.
    let bounds = Aabb::around(facet.corners);
    let near = other.near(&grown(&bounds, reach.aside, reach.height + 2.0 * reach.aside));
    let sides = |index: u32, aside: f64| {
        let cutter = &other.facets[index as usize];
        if cutter.shape.excludes(&facet.shape, aside) {
            return None;
        }
        let mut sides = facet.plane.within(&cutter.plane, reach.height + SAME_HEIGHT)?;
        sides.extend(cutter.shape.sides(aside));
        Some(sides)
    };
    let mut shared = SharedParts::new();
    let mut share = |index: u32, inner: &Convex| {
        shared.push((index, Shared { area: inner.area(), center: inner.centroid() }));
    };
    let (shapes, exact) = (vec![facet.shape.clone()], |index| sides(index, 0.0));
    let missing = subtract(shapes, (&near, &exact), work, &mut share)?;
    work.add_pieces(2 * missing.len())?;
    let with_plane = |shape| GroundPiece { shape, plane: facet.plane };
    let pieces: Vec<_> = missing.iter().cloned().map(with_plane).collect();
    let far = if reach.aside > 0.0 && !missing.is_empty() {
        let wider = |index| sides(index, reach.aside);
        let far = subtract(missing, (&near, &wider), work, &mut |_, _| {})?;
        work.add_pieces(far.len())?;
        far.into_iter().map(with_plane).collect()
    } else {
        pieces.clone()
    };
    Ok((shared, MissingGround { pieces, far }))
}

/// Subtracts the shapes with the numbers `cutters` from `shapes`, and passes each removed part to `removed`. `sides_of`
/// returns the half-planes of a cutter; `None` if it certainly removes nothing.
fn subtract(
    shapes: Vec<Convex>,
    (cutters, sides_of): (&[u32], &dyn Fn(u32) -> Option<Vec<HalfPlane>>),
    work: &Work,
    removed: &mut dyn FnMut(u32, &Convex),
) -> Result<Vec<Convex>, CompareError> {
    let mut rest = Vec::new();
    let shapes = shapes.into_iter().map(|shape| (shape, Cow::Borrowed(cutters), 0));
    let mut waiting: Vec<(Convex, Cow<'_, [u32]>, u32)> = shapes.collect();
    while let Some((shape, cutters, n_halvings)) = waiting.pop() {
        work.add_pairs(cutters.len())?;
        let mut touching: Vec<u32> = Vec::new();
        let (mut left, mut taken) = (vec![shape.clone()], Vec::new());
        for &index in &*cutters {
            let Some(sides) = sides_of(index) else { continue };
            work.add_cuts(1)?;
            if shape.inside_all(&sides).is_none() {
                continue;
            }
            touching.push(index);
            if touching.len() > MANY && n_halvings < MAX_HALVINGS {
                continue;
            }
            work.add_cuts(left.len())?;
            let mut next = Vec::with_capacity(left.len());
            for piece in left {
                taken.extend(piece.subtract(&sides, &mut next).map(|inner| (index, inner)));
            }
            left = next;
            if left.is_empty() {
                break;
            }
        }
        if touching.len() > MANY && n_halvings < MAX_HALVINGS {
            let halves = shape.halves().into_iter().flatten();
            waiting.extend(halves.map(|half| (half, Cow::Owned(touching.clone()), n_halvings + 1)));
            continue;
        }
        for (index, inner) in &taken {
            removed(*index, inner);
        }
        rest.extend(left);
    }
    Ok(rest)
}

/// Divides `missing` among groups of `far` pieces: each part within `aside` of a piece belongs to the group of that
/// piece. Returns the pieces of each group, and the area of the parts that belong to none.
pub(super) fn assign(
    missing: &[GroundPiece],
    (far, tree): (&[GroundPiece], &PieceTree),
    (group_of, n_groups): (&[u32], usize),
    reach: SameGroundLimits,
) -> Result<(Vec<Vec<GroundPiece>>, f64), CompareError> {
    let mut groups = vec![Vec::new(); n_groups];
    let mut rest_area = 0.0;
    let work = Work::new(missing.len() + far.len());
    for piece in missing {
        let bounds = grown(&piece.bounds(), reach.aside, reach.height + 2.0 * reach.aside);
        let near = tree.near(&bounds);
        let sides = |index: u32| {
            let cutter = &far[index as usize];
            let mut sides = piece.plane.within(&cutter.plane, reach.height + SAME_HEIGHT)?;
            sides.extend(cutter.shape.sides(reach.aside));
            Some(sides)
        };
        let mut n_taken = 0;
        let mut take = |index: u32, inner: &Convex| {
            n_taken += 1;
            let group = group_of[index as usize] as usize;
            groups[group].push(GroundPiece { shape: inner.clone(), plane: piece.plane });
        };
        let shapes = vec![piece.shape.clone()];
        let rest = subtract(shapes, (&near, &sides), &work, &mut take)?;
        work.add_pieces(n_taken)?;
        rest_area += total(rest.iter().map(Convex::area));
    }
    Ok((groups, rest_area))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a triangle of 1 m by 1 m with corners at these heights.
    fn plane(heights: [f32; 3]) -> Plane {
        let [a, b, c] = heights;
        Plane::through([Vec3::new(0.0, a, 0.0), Vec3::new(1.0, b, 0.0), Vec3::new(0.0, c, 1.0)])
    }

    proptest! {
        /// Checks that two surfaces are the same ground exactly at the points at which they are at most `height` apart.
        #[test]
        fn planes_are_compared_at_each_point(
            own in prop::array::uniform3(-3.0_f32..3.0),
            other in prop::array::uniform3(-3.0_f32..3.0),
            [x, z] in prop::array::uniform2(0.0..1.0_f64),
            height in 0.0..2.0_f64,
        ) {
            let (own, other, at) = (plane(own), plane(other), DVec2::new(x, z));
            let apart: f64 = (own.height_at(at) - other.height_at(at)).abs();
            // The planes rise by less than this over the square.
            prop_assume!((apart - height).abs() > 0.05);
            let around = [[-1e-3, -1e-3], [1e-3, -1e-3], [1e-3, 1e-3], [-1e-3, 1e-3]];
            let square = around.map(|by| at + DVec2::from(by)).to_vec();
            let square = Convex::new(square);
            let is_same = own.within(&other, height).is_some_and(|sides| {
                square.is_none_or(|square| square.inside_all(&sides).is_some())
            });
            prop_assert_eq!(is_same, apart < height);
        }
    }
}
