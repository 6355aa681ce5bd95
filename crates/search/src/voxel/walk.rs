use walkable_runtime::{geom::total, search::Watch};

use super::{
    Columns, Voxel, VoxelAnswer, VoxelPath, VoxelScratch, VoxelSpan,
    path::{nothing, sides},
    search::{Cost, Node, ONE, Space, Work, find, from_voxels},
};

/// Movement limits of a walking agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRules {
    /// Maximum height difference of a step, in voxels.
    pub step_vx: u32,
    /// Number of free voxels above the floor required to stand, and above the higher floor required to step.
    pub clearance_vx: u32,
}

/// Finds the shortest path on the floors of spans. A floor is the lowest free voxel of a span. A step leads to one of
/// the four adjacent columns and costs its straight-line length. The ends may be any voxels of their spans. The path
/// starts and ends on the floors below them.
///
/// The voxel below a floor is blocked or outside the volume.
pub fn walk<W: Watch>(
    columns: &Columns,
    [start, goal]: [Voxel; 2],
    rules: WalkRules,
    scratch: &mut VoxelScratch,
    watch: &mut W,
) -> VoxelAnswer<VoxelPath> {
    let floor = |[x, y, z]: Voxel| {
        let span = columns.span(columns.span_of([x, y, z])?);
        let stands = u32::from(span.top - span.bottom) >= rules.clearance_vx;
        stands.then(|| [x, u32::from(span.bottom), z])
    };
    let (Some(start), Some(goal)) = (floor(start), floor(goal)) else { return nothing() };
    let space = Floors { columns, goal, rules };
    let VoxelScratch { places, plain, open, .. } = scratch;
    let work = Work { places, nodes: plain, open, watch };
    let (nodes, stats) = find(&space, (space.number(start), ()), space.number(goal), 1.0, work);
    let path = nodes.map(|nodes| {
        let voxels: Vec<Voxel> = nodes.iter().map(|node| space.voxel(node.place)).collect();
        let steps = voxels.windows(2).map(|step| f64::from(step[0][1].abs_diff(step[1][1])));
        VoxelPath { cost: total(steps.map(|rise| rise.hypot(1.0))), voxels }
    });
    VoxelAnswer { path, stats }
}

struct Floors<'a> {
    columns: &'a Columns,
    goal: Voxel,
    rules: WalkRules,
}

impl Floors<'_> {
    /// Returns the number of a voxel, counted along x, then y, then z.
    fn number(&self, voxel: Voxel) -> u64 {
        let [n_x, n_y, _] = self.columns.size().map(u64::from);
        let [x, y, z] = voxel.map(u64::from);
        (z * n_y + y) * n_x + x
    }

    #[expect(clippy::cast_possible_truncation, reason = "remainders of 32 bit numbers")]
    fn voxel(&self, number: u64) -> Voxel {
        let [n_x, n_y, _] = self.columns.size().map(u64::from);
        [(number % n_x) as u32, (number / n_x % n_y) as u32, (number / n_x / n_y) as u32]
    }

    /// Returns whether a step from one span's floor to another's is possible.
    fn leads(&self, from: VoxelSpan, to: VoxelSpan) -> bool {
        let rise = u32::from(from.bottom.abs_diff(to.bottom));
        let room = from.top.min(to.top).saturating_sub(from.bottom.max(to.bottom));
        rise <= self.rules.step_vx && u32::from(room) >= self.rules.clearance_vx.max(1)
    }
}

impl Space for Floors<'_> {
    type Entry = ();

    fn steps(&self, from: &Node<()>, mut each: impl FnMut(u64, Cost, ())) {
        let at = self.voxel(from.place);
        let Some(span) = self.columns.span_of(at) else { return };
        let own = self.columns.span(span);
        for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let beside = [at[0].wrapping_add_signed(dx), at[2].wrapping_add_signed(dz)];
            for (_, there) in self.columns.overlapping(beside, own.bottom, own.top) {
                if self.leads(own, there) {
                    let rise = f64::from(own.bottom.abs_diff(there.bottom));
                    let to = [beside[0], u32::from(there.bottom), beside[1]];
                    each(self.number(to), from_voxels(rise.hypot(1.0)), ());
                }
            }
        }
    }

    fn estimate(&self, place: u64, (): ()) -> Cost {
        let [dx, _, dz] = sides(self.voxel(place), self.goal).map(Cost::from);
        ONE * (dx + dz)
    }
}
