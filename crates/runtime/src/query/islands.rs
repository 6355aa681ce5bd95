//! The islands of a navmesh by size, and a rule that disables small or unwanted ones.

use std::collections::BTreeSet;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    Filter, MeshPoint, NearestRequest, QueryError, Reachability, closest_point,
    error::check_finite, nearest,
};
use crate::{
    geom::{Aabb, from_above},
    navmesh::{NavMesh, PolyKind, PolyRef},
};

/// A part of a navmesh that no link leaves or enters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Island {
    /// Number of the island, as returned by [`Reachability::island`].
    pub number: u32,
    /// Area of the ground seen from above, in square meters.
    pub area: f64,
    /// Number of ground polygons.
    pub n_polys: usize,
    /// Bounds of the ground.
    pub bounds: Aabb,
    /// The center of its largest polygon; among equally large ones, the one with the smallest x, then z, then y. It is
    /// the same for every bake of the same level, and stays within the island after most changes to the level.
    pub place: MeshPoint,
}

/// Returns the islands of `mesh` with ground, the largest first. Empty if `known` does not belong to the current state
/// of this navmesh.
pub fn islands(mesh: &NavMesh, known: &Reachability) -> Vec<Island> {
    let mut found: Vec<Option<(Island, f64)>> = vec![None; known.n_islands()];
    for (poly, corners) in ground(mesh) {
        let Some(number) = known.island(mesh, poly) else { continue };
        let area = area_from_above(&corners);
        let bounds = Aabb::around(corners.iter().copied());
        let place = middle(mesh, poly, &corners);
        let Some(entry) = found.get_mut(number as usize) else { continue };
        match entry {
            None => *entry = Some((Island { number, area, n_polys: 1, bounds, place }, area)),
            Some((island, largest)) => {
                island.area += area;
                island.n_polys += 1;
                island.bounds = island.bounds.grown_to(bounds.min).grown_to(bounds.max);
                let is_first = || order(place.point).lt(&order(island.place.point));
                if area > *largest || (area >= *largest && is_first()) {
                    (island.place, *largest) = (place, area);
                }
            }
        }
    }
    let mut islands: Vec<Island> = found.into_iter().flatten().map(|(island, _)| island).collect();
    islands.sort_by(|a, b| {
        let by_place = || order(a.place.point).partial_cmp(&order(b.place.point));
        b.area
            .total_cmp(&a.area)
            .then_with(|| by_place().unwrap_or_else(|| a.number.cmp(&b.number)))
    });
    islands
}

/// A rule for which islands are kept. It contains points and sizes, not polygons, so it stays valid after a new bake.
///
/// An island is kept if it holds a seed or is at least `min_area` large. A rule without seeds and without a minimum
/// area keeps everything.
#[derive(Clone, Debug, PartialEq)]
pub struct IslandRule {
    /// Points on islands that are kept.
    pub seeds: Vec<Vec3>,
    /// Half-extents of the search for the ground nearest to a seed, in meters.
    pub half_extents: Vec3,
    /// Minimum area of an island that is kept without a seed, in square meters; `None` for no minimum.
    pub min_area: Option<f64>,
}

impl Default for IslandRule {
    /// Keeps everything. Seeds find ground as paths do, within 2 m horizontally and 4 m vertically.
    fn default() -> Self {
        Self { seeds: Vec::new(), half_extents: NearestRequest::HALF_EXTENTS, min_area: None }
    }
}

/// The result of applying an [`IslandRule`] to a navmesh.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pruning {
    /// Polygons that are not kept, including off-mesh links, by slot and index.
    pub disabled: Vec<PolyRef>,
    /// Islands with ground that are kept, the largest first.
    pub kept: Vec<Island>,
    /// Islands with ground that are not kept, the largest first.
    pub dropped: Vec<Island>,
    /// Indices of seeds without ground.
    pub lost_seeds: Vec<usize>,
}

impl Pruning {
    /// Sets the flags of all polygons that are not kept: to 0, which no filter accepts, or to a flag that means
    /// disabled in the game. Returns the number of changed polygons; stale references are skipped.
    pub fn apply(&self, mesh: &mut NavMesh, flags: u16) -> usize {
        self.disabled.iter().filter(|&&poly| mesh.set_flags(poly, flags)).count()
    }
}

/// Determines what `rule` keeps of `mesh`. Islands consist of the polygons that `filter` accepts; all others belong to
/// none and stay unchanged. Off-mesh links whose ends are not on kept ground are dropped.
///
/// # Errors
/// Returns [`QueryError::BadNumber`] if a seed or its half-extents are invalid.
pub fn prune_islands(
    mesh: &NavMesh,
    filter: &Filter,
    rule: &IslandRule,
) -> Result<Pruning, QueryError> {
    check_finite("the half extents", rule.half_extents)?;
    let known = Reachability::new(mesh, filter);
    let mut pruning = Pruning::default();
    let mut seeded = BTreeSet::new();
    for (index, &seed) in rule.seeds.iter().enumerate() {
        check_finite("a seed", seed)?;
        let (center, half_extents) = (seed, rule.half_extents);
        let ground = nearest(mesh, &NearestRequest { center, half_extents, filter })?;
        match ground.and_then(|on| known.island(mesh, on.poly)) {
            Some(number) => {
                seeded.insert(number);
            }
            None => pruning.lost_seeds.push(index),
        }
    }
    let keeps_all = rule.seeds.is_empty() && rule.min_area.is_none();
    let is_kept = |island: &Island| {
        let is_large = rule.min_area.is_some_and(|least| island.area >= least);
        keeps_all || is_large || seeded.contains(&island.number)
    };
    (pruning.kept, pruning.dropped) = islands(mesh, &known).into_iter().partition(is_kept);
    if !keeps_all {
        let kept: BTreeSet<u32> = pruning.kept.iter().map(|island| island.number).collect();
        let is_dropped = |poly: &PolyRef| {
            known.island(mesh, *poly).is_some_and(|number| !kept.contains(&number))
        };
        pruning.disabled = all_polys(mesh).filter(is_dropped).collect();
    }
    Ok(pruning)
}

/// Returns all polygons, by slot and index.
fn all_polys(mesh: &NavMesh) -> impl Iterator<Item = PolyRef> {
    mesh.slots().flat_map(move |(slot, tile)| {
        (0..tile.polys.len()).filter_map(move |index| mesh.poly_ref(slot, index))
    })
}

/// Returns all ground polygons with their vertices.
fn ground(mesh: &NavMesh) -> impl Iterator<Item = (PolyRef, Vec<Vec3>)> {
    mesh.slots().flat_map(move |(slot, tile)| {
        let polys = tile.polys.iter().enumerate();
        polys.filter(|(_, poly)| poly.kind == PolyKind::Ground).filter_map(move |(index, poly)| {
            Some((mesh.poly_ref(slot, index)?, tile.corners(poly).to_vec()))
        })
    })
}

pub(super) fn area_from_above(corners: &[Vec3]) -> f64 {
    let doubled = from_above::edges(corners).map(|(_, a, b)| {
        let (a, b) = (a.as_dvec3(), b.as_dvec3());
        a.z * b.x - a.x * b.z
    });
    (doubled.sum::<f64>() / 2.0).abs()
}

/// Returns the center of a polygon, on its surface.
pub(super) fn middle(mesh: &NavMesh, poly: PolyRef, corners: &[Vec3]) -> MeshPoint {
    let n = f32::from(u8::try_from(corners.len()).unwrap_or(u8::MAX)).max(1.0);
    let middle = corners.iter().map(|&corner| corner / n).sum();
    let point = closest_point(mesh, poly, middle).map_or(middle, |on| on.point);
    MeshPoint { poly, point }
}

pub(super) fn order(at: Vec3) -> [f32; 3] {
    [at.x, at.z, at.y]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::navmesh::sample::{connect, mesh, solo, tile};

    fn all(mesh: &NavMesh) -> Vec<Island> {
        islands(mesh, &Reachability::new(mesh, &Filter::default()))
    }

    fn pruned(mesh: &NavMesh, seeds: &[[f32; 3]], min_area: Option<f64>) -> Pruning {
        let seeds = seeds.iter().copied().map(Vec3::from_array).collect();
        let half_extents = Vec3::new(0.4, 1.0, 0.4);
        let rule = IslandRule { seeds, half_extents, min_area };
        prune_islands(mesh, &Filter::default(), &rule).unwrap()
    }

    /// Returns areas of 4, 2, 6 and 1 square meters; the one of 6 crosses the border of two tiles.
    fn archipelago() -> NavMesh {
        let left = tile(0, 0, &["..#.", "..#.", "####", ".#.."]);
        let right = tile(1, 0, &["####", "##.#", "####", "...."]);
        mesh([left, right])
    }

    #[test]
    fn islands_are_summed_up() {
        let mesh = archipelago();
        let found = all(&mesh);
        let sizes: Vec<_> = found.iter().map(|island| (island.area, island.n_polys)).collect();
        assert_eq!(sizes, [(6.0, 6), (4.0, 4), (2.0, 2), (1.0, 1), (1.0, 1)]);
        let bounds = Aabb::new(Vec3::new(2.0, 0.0, 3.0), Vec3::new(8.0, 0.0, 4.0));
        assert_eq!(found[0].bounds, bounds);
        assert_eq!(found[0].place.point, Vec3::new(2.5, 0.0, 3.5));
        assert_eq!(found[1].place.point, Vec3::new(0.5, 0.0, 0.5));
        // Equal sizes are ordered by position.
        assert_eq!(found[3].place.point, Vec3::new(0.5, 0.0, 3.5));
        assert_eq!(found[4].place.point, Vec3::new(6.5, 0.0, 1.5));
        let known = Reachability::new(&mesh, &Filter::default());
        assert!(found.iter().all(|i| known.island(&mesh, i.place.poly) == Some(i.number)));
        let other = archipelago();
        assert_eq!(islands(&other, &known), [], "known of another mesh");
    }

    #[test]
    fn seeds_and_size_keep_islands() {
        let mut mesh = archipelago();
        let areas = |islands: &[Island]| islands.iter().map(|i| i.area).collect::<Vec<_>>();
        let nothing = pruned(&mesh, &[], None);
        assert_eq!((nothing.disabled.len(), nothing.kept.len()), (0, 5), "no rule");
        let large = pruned(&mesh, &[], Some(4.0));
        assert_eq!(
            (areas(&large.kept), areas(&large.dropped)),
            (vec![6.0, 4.0], vec![2.0, 1.0, 1.0])
        );
        let seeded = pruned(&mesh, &[[3.5, 0.2, 1.2], [0.5, 9.0, 0.5], [5.2, 0.0, 1.5]], None);
        assert_eq!((areas(&seeded.kept), seeded.lost_seeds), (vec![2.0], vec![1, 2]));
        let both = pruned(&mesh, &[[6.5, 0.0, 1.5]], Some(6.0));
        assert_eq!(areas(&both.kept), [6.0, 1.0]);
        assert_eq!(both.apply(&mut mesh, 0), 7);
        assert_eq!(areas(&all(&mesh)), [6.0, 1.0], "no filter lets pass what has no flags");
        let again = pruned(&mesh, &[[6.5, 0.0, 1.5]], Some(6.0));
        assert_eq!((again.disabled, again.dropped), (vec![], vec![]));
        let bad = IslandRule { seeds: vec![Vec3::NAN], ..IslandRule::default() };
        assert!(prune_islands(&mesh, &Filter::default(), &bad).is_err());
    }

    #[test]
    fn connections_go_with_their_islands() {
        let mut rooms = tile(0, 0, &[".#.#.", ".#.#.", ".#.#.", "#####", "....."]);
        connect(&mut rooms, [Vec3::new(0.9, 0.0, 1.5), Vec3::new(2.1, 0.0, 1.5)], 0, 0xff);
        connect(&mut rooms, [Vec3::new(1.5, 0.0, 3.5), Vec3::new(3.5, 9.0, 3.5)], 0, 0xff);
        let mesh = mesh([rooms]);
        let found: Vec<_> = all(&mesh).iter().map(|i| (i.area, i.n_polys)).collect();
        assert_eq!(found, [(6.0, 6), (5.0, 5), (3.0, 3)], "one joined, dead ends not listed");
        let connections = [14, 15].map(|index| mesh.poly_ref(0, index).unwrap());
        let disabled = |min_area| {
            let disabled = pruned(&mesh, &[], min_area).disabled;
            connections.map(|connection| disabled.contains(&connection))
        };
        assert_eq!(disabled(Some(6.0)), [false, true]);
        assert_eq!(disabled(Some(7.0)), [true, true]);
        assert_eq!(disabled(None), [false, false]);
    }

    /// Returns the cells of a picture that are connected by steps.
    fn flooded(
        rows: &[String],
        from: (usize, usize),
        seen: &mut BTreeSet<(usize, usize)>,
    ) -> usize {
        let is_free = |&(x, z): &(usize, usize)| {
            rows.get(z).and_then(|row| row.as_bytes().get(x)).is_some_and(|&cell| cell == b'.')
        };
        let mut waiting = vec![from];
        let mut n = 0;
        while let Some((x, z)) = waiting.pop() {
            if is_free(&(x, z)) && seen.insert((x, z)) {
                n += 1;
                let beside =
                    [(x + 1, z), (x.wrapping_sub(1), z), (x, z + 1), (x, z.wrapping_sub(1))];
                waiting.extend(beside);
            }
        }
        n
    }

    proptest! {
        /// Compares with a flood fill of the picture.
        #[test]
        fn any_picture_is_pruned(rows in prop::collection::vec("[.#]{7}", 7), least in 1..12_u32) {
            prop_assume!(rows.iter().any(|row| row.contains('.')));
            let picture: Vec<&str> = rows.iter().map(String::as_str).collect();
            let mesh = solo(&picture);
            let mut seen = BTreeSet::new();
            let mut sizes = Vec::new();
            for (z, row) in rows.iter().enumerate() {
                for x in 0..row.len() {
                    if row.as_bytes()[x] == b'.' && !seen.contains(&(x, z)) {
                        sizes.push(flooded(&rows, (x, z), &mut seen));
                    }
                }
            }
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            let found: Vec<_> = all(&mesh).iter().map(|island| island.n_polys).collect();
            prop_assert_eq!(&found, &sizes);
            let dropped = sizes.iter().filter(|&&size| size < least as usize).sum::<usize>();
            let pruning = pruned(&mesh, &[], Some(f64::from(least)));
            prop_assert_eq!(pruning.disabled.len(), dropped);
            let n: usize = pruning.dropped.iter().map(|island| island.n_polys).sum();
            prop_assert_eq!(n, dropped);
        }
    }
}
