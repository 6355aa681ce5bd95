//! Islands that were split, joined, gained or lost.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    geom::{Aabb, total},
    query::Island,
    search::Graph,
};

/// Two islands are the same ground if they share at least this part of the smaller one.
const MIN_SHARE: f64 = 0.25;

/// How islands changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IslandChangeKind {
    /// One island became several.
    Split,
    /// Several islands became one.
    Joined,
    /// Several islands became several others.
    Regrouped,
    /// An island has no ground in the second navmesh.
    Lost,
    /// An island has no ground in the first navmesh.
    Gained,
}

/// An island of one of two navmeshes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IslandGround {
    /// Area seen from above, in square meters.
    pub area: f64,
    /// Bounds of the island.
    pub bounds: Aabb,
    /// The center of its largest polygon.
    pub point: Vec3,
}

/// Islands that share ground, and are not the same in both navmeshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IslandChange {
    /// How they changed.
    pub kind: IslandChangeKind,
    /// The islands of the first navmesh, the largest first.
    pub before: Vec<IslandGround>,
    /// The islands of the second navmesh, the largest first.
    pub after: Vec<IslandGround>,
}

impl IslandChange {
    /// Returns the area of the islands that are new or gone: all but the largest part of a split or joined island.
    pub fn area(&self) -> f64 {
        let sum = |islands: &[IslandGround], n: usize| {
            total(islands.iter().skip(n).map(|island| island.area))
        };
        match self.kind {
            IslandChangeKind::Split => sum(&self.after, 1),
            IslandChangeKind::Joined => sum(&self.before, 1),
            IslandChangeKind::Regrouped => sum(&self.before, 1).max(sum(&self.after, 1)),
            IslandChangeKind::Lost => sum(&self.before, 0),
            IslandChangeKind::Gained => sum(&self.after, 0),
        }
    }

    /// Returns a point of the change: a point of the second largest part of a split or joined island.
    pub fn point(&self) -> Option<Vec3> {
        let of = |islands: &[IslandGround], n: usize| islands.get(n).map(|island| island.point);
        match self.kind {
            IslandChangeKind::Split | IslandChangeKind::Regrouped => of(&self.after, 1),
            IslandChangeKind::Joined => of(&self.before, 1),
            IslandChangeKind::Lost => of(&self.before, 0),
            IslandChangeKind::Gained => of(&self.after, 0),
        }
    }
}

/// Finds the islands of at least `min_area` that changed. `shared` is the area that an island of `before` and one of
/// `after` have in common, by their numbers.
pub(super) fn island_changes(
    before: &[Island],
    after: &[Island],
    shared: &BTreeMap<[u32; 2], f64>,
    min_area: f64,
) -> Vec<IslandChange> {
    let large = |islands: &[Island]| -> Vec<Island> {
        islands.iter().filter(|island| island.area >= min_area).copied().collect()
    };
    let [before, after] = [before, after].map(large);
    let n_before = before.len();
    let share = |a: &Island, b: &Island| {
        let shared = shared.get(&[a.number, b.number]).copied().unwrap_or(0.0);
        shared > 0.0 && shared >= MIN_SHARE * a.area.min(b.area)
    };
    let n = u32::try_from(n_before + after.len()).unwrap_or(u32::MAX);
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let index_of: BTreeMap<u32, usize> =
        (0..).zip(&after).map(|(index, island)| (island.number, index)).collect();
    let graph = Graph::new(n, |vertex, linked| {
        let Some(own) = before.get(vertex as usize) else { return };
        let others = shared.range([own.number, 0]..=[own.number, u32::MAX]);
        let others = others.filter_map(|([_, other], _)| index_of.get(other).copied());
        let same = others.filter(|&other| share(own, &after[other]));
        linked.extend(same.map(|other| number(n_before + other)));
    });
    let (group_of, n_groups) = graph.islands();
    let mut groups = vec![(Vec::new(), Vec::new()); n_groups as usize];
    for (index, group) in group_of.into_iter().enumerate() {
        let (of_before, of_after) = &mut groups[group as usize];
        match index.checked_sub(n_before) {
            None => of_before.push(ground_of(&before[index])),
            Some(index) => of_after.push(ground_of(&after[index])),
        }
    }
    let changes = groups.into_iter().filter_map(|(before, after)| {
        let kind = match (before.len(), after.len()) {
            (1, 1) => return None,
            (0, _) => IslandChangeKind::Gained,
            (_, 0) => IslandChangeKind::Lost,
            (1, _) => IslandChangeKind::Split,
            (_, 1) => IslandChangeKind::Joined,
            (_, _) => IslandChangeKind::Regrouped,
        };
        Some(IslandChange { kind, before, after })
    });
    let mut changes: Vec<IslandChange> = changes.collect();
    changes.sort_by(|a, b| b.area().total_cmp(&a.area()));
    changes
}

fn ground_of(island: &Island) -> IslandGround {
    IslandGround { area: island.area, bounds: island.bounds, point: island.place.point }
}
