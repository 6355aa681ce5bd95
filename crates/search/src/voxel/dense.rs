use walkable_runtime::search::Watch;

use super::{
    Volume, Voxel, VoxelAnswer, VoxelPath, VoxelScratch,
    path::{nothing, sides},
    search::{Cost, Node, ONE, Space, Work, find},
};

/// Moves from a voxel to its neighbors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VoxelMoves {
    /// Steps along the axes, with a cost of 1.
    Six,
    /// Steps along the axes and diagonals, which cost the square roots of 2 and 3. All voxels in the bounding box of a
    /// step must be free, as in Moving AI's benchmarks.
    #[default]
    TwentySix,
}

/// Cost of a step that changes 0 to 3 coordinates.
const COSTS: [Cost; 4] = [0, ONE, 1_482_910, 1_816_187];

/// Finds an optimal path from voxel to voxel by A*. With a `weight` above 1, a path is found sooner and costs at most
/// `weight` times the optimum.
///
/// Expands single voxels. Serves as the baseline for the other searches.
pub fn find_dense<W: Watch>(
    volume: &Volume,
    [start, goal]: [Voxel; 2],
    moves: VoxelMoves,
    weight: f64,
    scratch: &mut VoxelScratch,
    watch: &mut W,
) -> VoxelAnswer<VoxelPath> {
    if volume.is_blocked(start) || volume.is_blocked(goal) {
        return nothing();
    }
    let space = Dense { volume, goal, moves };
    let VoxelScratch { places, plain, open, .. } = scratch;
    let work = Work { places, nodes: plain, open, watch };
    let ends = (volume.number(start), ());
    let (nodes, stats) = find(&space, ends, volume.number(goal), weight, work);
    let path = nodes.map(|nodes| {
        let voxels: Vec<Voxel> = nodes.iter().map(|node| volume.voxel(node.place)).collect();
        let mut n_steps = [0_u32; 4];
        for step in voxels.windows(2) {
            n_steps[n_changed(step[0], step[1])] += 1;
        }
        let [_, straight, flat, full] = n_steps.map(f64::from);
        let cost = straight + flat * 2_f64.sqrt() + full * 3_f64.sqrt();
        VoxelPath { voxels, cost }
    });
    VoxelAnswer { path, stats }
}

fn n_changed(a: Voxel, b: Voxel) -> usize {
    (0..3).filter(|&axis| a[axis] != b[axis]).count()
}

struct Dense<'a> {
    volume: &'a Volume,
    goal: Voxel,
    moves: VoxelMoves,
}

impl Space for Dense<'_> {
    type Entry = ();

    fn steps(&self, from: &Node<()>, mut each: impl FnMut(u64, Cost, ())) {
        let at = self.volume.voxel(from.place);
        let moved = |by: [i32; 3]| -> Voxel {
            std::array::from_fn(|axis| at[axis].wrapping_add_signed(by[axis]))
        };
        if self.moves == VoxelMoves::Six {
            for (axis, by) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
                let mut step = [0; 3];
                step[axis] = by;
                let to = moved(step);
                if !self.volume.is_blocked(to) {
                    each(self.volume.number(to), ONE, ());
                }
            }
            return;
        }
        // Bits of the 27 voxels around, set if free.
        let steps = (0..27_i32).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
        let bit = |[x, y, z]: [i32; 3]| 1_u32 << ((z + 1) * 9 + (y + 1) * 3 + x + 1);
        let mut free = 0;
        for step in steps.clone() {
            if !self.volume.is_blocked(moved(step)) {
                free |= bit(step);
            }
        }
        for step in steps {
            let n = step.iter().filter(|&&by| by != 0).count();
            // Voxels in the bounding box of the step: each coordinate either changes or not.
            let [x, y, z] = step;
            let mut corners = 0;
            for (x, y, z) in [(x, 0, 0), (0, y, 0), (0, 0, z), (x, y, 0), (x, 0, z), (0, y, z)] {
                corners |= bit([x, y, z]);
            }
            corners |= bit(step);
            if n > 0 && free & corners == corners {
                each(self.volume.number(moved(step)), COSTS[n], ());
            }
        }
    }

    fn estimate(&self, place: u64, (): ()) -> Cost {
        let mut sides = sides(self.volume.voxel(place), self.goal).map(Cost::from);
        match self.moves {
            VoxelMoves::Six => ONE * sides.iter().sum::<Cost>(),
            VoxelMoves::TwentySix => {
                sides.sort_unstable();
                let [full, flat, straight] = [sides[0], sides[1] - sides[0], sides[2] - sides[1]];
                full * COSTS[3] + flat * COSTS[2] + straight * COSTS[1]
            }
        }
    }
}
