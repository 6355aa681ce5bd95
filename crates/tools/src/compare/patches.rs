//! Connected patches of ground that only one of two navmeshes has.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    geom::{Aabb, total},
    search::Graph,
    text_form,
};

use super::{
    CompareError,
    ground::{GroundPiece, MissingGround, PieceTree, SameGroundLimits, Work, assign, grown},
};

/// Maximum distance of pieces that touch, in meters: vertices of detail triangles are rounded to the grid of the bake.
const TOUCHING: f64 = 0.01;

/// A connected patch of ground that only one of two navmeshes has.
///
/// Its JSON has `area`, `bounds` and `point`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct GroundPatch {
    /// Area seen from above, in square meters.
    pub area: f64,
    /// Bounds of the patch.
    pub bounds: Aabb,
    /// A point of the patch, away from its edges.
    pub point: Vec3,
    /// Convex pieces that make up the patch.
    pub pieces: Vec<Vec<Vec3>>,
}

text_form!(GroundPatch, |patch| PatchText {
    area: patch.area,
    bounds: patch.bounds,
    point: patch.point,
});

/// A patch as people and scripts read it.
#[derive(Serialize)]
struct PatchText {
    area: f64,
    bounds: Aabb,
    point: Vec3,
}

/// Ground that only one of two navmeshes has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundChange {
    /// Area of all patches seen from above, in square meters.
    pub area: f64,
    /// Area of the ground that is too narrow or too small for a patch, in square meters: see [`CompareSettings`].
    ///
    /// [`CompareSettings`]: super::CompareSettings
    pub strips: f64,
    /// The patches, the largest first.
    pub patches: Vec<GroundPatch>,
}

/// Groups missing ground into patches of at least `min_area`.
pub(super) fn patches(
    missing: MissingGround,
    reach: SameGroundLimits,
    min_area: f64,
) -> Result<GroundChange, CompareError> {
    let MissingGround { pieces: missing, far } = missing;
    let tree = PieceTree::new(&far);
    let (group_of, n_groups) = groups(&far, &tree, reach)?;
    let mut centers: Vec<Option<&GroundPiece>> = vec![None; n_groups];
    for (piece, &group) in far.iter().zip(&group_of) {
        let center = &mut centers[group as usize];
        if center.is_none_or(|center| center.shape.area() < piece.shape.area()) {
            *center = Some(piece);
        }
    }
    let (groups, mut strips) = if reach.aside > 0.0 {
        assign(&missing, (&far, &tree), (&group_of, n_groups), reach)?
    } else {
        let mut groups = vec![Vec::new(); n_groups];
        for (piece, &group) in far.iter().zip(&group_of) {
            groups[group as usize].push(piece.clone());
        }
        (groups, 0.0)
    };
    let mut patches = Vec::new();
    for (pieces, center) in groups.into_iter().zip(centers) {
        let area = total(pieces.iter().map(|piece| piece.shape.area()));
        match center.filter(|_| area >= min_area) {
            None => strips += area,
            Some(center) => patches.push(GroundPatch {
                area,
                bounds: Aabb::around(pieces.iter().flat_map(GroundPiece::points)),
                point: center.plane.point(center.shape.centroid()),
                pieces: pieces.iter().map(GroundPiece::points).collect(),
            }),
        }
    }
    let order = |patch: &GroundPatch| patch.point.to_array();
    patches.sort_by(|a, b| {
        let by_place = || order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal);
        b.area.total_cmp(&a.area).then_with(by_place)
    });
    let area = total(patches.iter().map(|patch| patch.area));
    Ok(GroundChange { area, strips, patches })
}

/// Groups connected pieces. Returns the group of each piece, and the number of groups.
fn groups(
    pieces: &[GroundPiece],
    tree: &PieceTree,
    reach: SameGroundLimits,
) -> Result<(Vec<u32>, usize), CompareError> {
    let (work, mut counted) = (Work::new(pieces.len()), Ok(()));
    let distance = 2.0 * reach.aside + TOUCHING;
    let n = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
    let graph = Graph::new(n, |index, near| {
        let piece = &pieces[index as usize];
        let bounds = grown(&piece.bounds(), distance, reach.height);
        if counted.is_err() {
            return;
        }
        let found = tree.near(&bounds);
        counted = work.add_pairs(found.len());
        near.extend(found.into_iter().filter(|&other| {
            other > index && piece.shape.is_near(&pieces[other as usize].shape, distance)
        }));
    });
    counted?;
    let (group_of, n_groups) = graph.islands();
    Ok((group_of, n_groups as usize))
}
