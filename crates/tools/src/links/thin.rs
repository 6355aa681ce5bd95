//! Keeps the shortest of several proposals close together.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{LinkKind, LinkProposal};

/// Returns the proposals in their order, without those whose ends are nearer than `spacing` to the ends of a shorter
/// proposal of the same kind. A jump in the opposite direction counts as the same jump.
pub(super) fn thinned(all: &[LinkProposal], spacing: f32) -> Vec<LinkProposal> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    let length = |index: usize| {
        let [start, end] = all[index].ends();
        start.distance_squared(end)
    };
    order.sort_by(|&a, &b| length(a).total_cmp(&length(b)).then(a.cmp(&b)));
    let mut kept = KeptProposals { cells: BTreeMap::new(), spacing };
    order.retain(|&index| kept.keeps(&all[index]));
    order.sort_unstable();
    order.into_iter().map(|index| all[index]).collect()
}

/// The kept proposals, by the cell of their start. Cells have the size of the spacing.
struct KeptProposals {
    cells: BTreeMap<[i32; 2], Vec<(LinkKind, [Vec3; 2])>>,
    spacing: f32,
}

impl KeptProposals {
    /// Keeps `new` and returns `true`, unless a similar proposal was kept.
    fn keeps(&mut self, new: &LinkProposal) -> bool {
        let [start, end] = new.ends();
        let is_jump = new.kind == LinkKind::Jump;
        if self.has(new.kind, [start, end]) || (is_jump && self.has(new.kind, [end, start])) {
            return false;
        }
        self.cells.entry(self.cell(start)).or_default().push((new.kind, [start, end]));
        true
    }

    fn has(&self, kind: LinkKind, ends: [Vec3; 2]) -> bool {
        let [x, z] = self.cell(ends[0]);
        let is_close = |a: Vec3, b: Vec3| a.distance_squared(b) < self.spacing * self.spacing;
        let is_same = |(other_kind, other): &(LinkKind, [Vec3; 2])| {
            *other_kind == kind && is_close(other[0], ends[0]) && is_close(other[1], ends[1])
        };
        (-1..=1).any(|dx: i32| {
            let row = (-1..=1).filter_map(move |dz: i32| {
                self.cells.get(&[x.saturating_add(dx), z.saturating_add(dz)])
            });
            row.flatten().any(is_same)
        })
    }

    #[expect(clippy::cast_possible_truncation, reason = "far away, cells are shared")]
    fn cell(&self, at: Vec3) -> [i32; 2] {
        [at.x, at.z].map(|along| (along / self.spacing).floor() as i32)
    }
}
