//! Compares every representation of small random volumes with the plain one.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use proptest::prelude::*;
use walkable_mesh::TriMesh;
use walkable_runtime::{
    geom::{Aabb, nearest_on_triangle},
    monitor::{Monitor, Unmonitored},
    search::{StepKind, Trace, Unwatched},
};

use super::*;

/// A reproducible generator of random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(n)).unwrap()
    }
}

fn all_voxels(size: [u32; 3]) -> impl Iterator<Item = Voxel> {
    let [n_x, n_y, n_z] = size;
    (0..n_z).flat_map(move |z| (0..n_y).flat_map(move |y| (0..n_x).map(move |x| [x, y, z])))
}

/// Creates a volume with `percent` of the voxels blocked, in boxes so that open space remains.
fn random(size: [u32; 3], percent: u64, seed: u64) -> Volume {
    let mut volume = Volume::new(size).unwrap();
    let mut numbers = Numbers(seed);
    let n: u64 = size.iter().map(|&n| u64::from(n)).product();
    while volume.n_blocked() * 100 < n * percent {
        let min = size.map(|n| numbers.below(n));
        let end: [u32; 3] = min.map(|n| n + 1 + numbers.below(4));
        for by in all_voxels(std::array::from_fn(|axis| end[axis] - min[axis])) {
            volume.set(std::array::from_fn(|axis| min[axis] + by[axis]), Fill::Blocked);
        }
    }
    volume
}

fn volumes(longest: u32) -> impl Strategy<Value = Volume> {
    let side = 1..=longest;
    ([side.clone(), side.clone(), side], 0_u64..60, any::<u64>())
        .prop_map(|(size, percent, seed)| random(size, percent, seed))
}

fn beside(voxel: Voxel) -> impl Iterator<Item = Voxel> {
    [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)].into_iter().map(move |(axis, by)| {
        let mut beside = voxel;
        beside[axis] = beside[axis].wrapping_add_signed(by);
        beside
    })
}

/// Returns the number of steps to all voxels that can be reached with six moves.
fn flooded(volume: &Volume, from: Voxel) -> BTreeMap<Voxel, u32> {
    let mut found = BTreeMap::from([(from, 0)]);
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(voxel) = open.pop_front() {
        let n = found[&voxel];
        for next in beside(voxel).filter(|&next| !volume.is_blocked(next)) {
            found.entry(next).or_insert_with(|| {
                open.push_back(next);
                n + 1
            });
        }
    }
    found
}

fn free_voxels(volume: &Volume) -> Vec<Voxel> {
    all_voxels(volume.size()).filter(|&voxel| !volume.is_blocked(voxel)).collect()
}

/// Returns the voxels of a path, one step apart.
fn steps(path: &VoxelPath) -> Vec<Voxel> {
    let mut steps: Vec<Voxel> = path.voxels.first().copied().into_iter().collect();
    for leg in path.voxels.windows(2) {
        let mut at = leg[0];
        while at != leg[1] {
            at = std::array::from_fn(|axis| {
                let (from, to) = (i64::from(at[axis]), i64::from(leg[1][axis]));
                u32::try_from(from + (to - from).signum()).unwrap()
            });
            steps.push(at);
        }
    }
    steps
}

/// Checks that the whole path is free. Along a border between voxels, one free side is sufficient.
#[track_caller]
fn check_flight(volume: &Volume, [start, goal]: [Voxel; 2], path: &FlightPath) {
    let ends = [start, goal].map(path::middle);
    assert_eq!((path.points.first(), path.points.last()), (Some(&ends[0]), Some(&ends[1])));
    let mut length = 0.0;
    for leg in path.points.windows(2) {
        length += leg[0].as_dvec3().distance(leg[1].as_dvec3());
        for n in 0..=200_u8 {
            let at = leg[0].lerp(leg[1], f32::from(n) / 200.0);
            let sides = [at - 2e-3, at + 2e-3].map(|p| p.floor().as_ivec3());
            let is_free = (0..8).any(|n| {
                let voxel = [0, 1, 2].map(|axis| sides[n >> axis & 1][axis]);
                voxel.iter().all(|&n| n >= 0)
                    && !volume.is_blocked(voxel.map(|n| u32::try_from(n).unwrap()))
            });
            assert!(is_free, "{at} of {leg:?} is blocked");
        }
    }
    assert!((length - path.length).abs() < 1e-3, "{length} is not {}", path.length);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn columns_hold_what_the_volume_holds(volume in volumes(14), changes in any::<u64>()) {
        let mut columns = Columns::of_volume(&volume).unwrap();
        let mut volume = volume;
        let mut numbers = Numbers(changes);
        for _ in 0..60 {
            let voxel = volume.size().map(|n| numbers.below(n));
            let fill = if numbers.below(2) == 0 { Fill::Free } else { Fill::Blocked };
            columns.set(voxel, fill).unwrap();
            volume.set(voxel, fill);
        }
        prop_assert_eq!(&columns, &Columns::of_volume(&volume).unwrap());
        let [n_x, n_y, n_z] = volume.size();
        for voxel in all_voxels([n_x + 1, n_y + 1, n_z + 1]) {
            prop_assert_eq!(columns.is_blocked(voxel), volume.is_blocked(voxel));
        }
        for (x, z) in (0..n_x).flat_map(|x| (0..n_z).map(move |z| (x, z))) {
            let free = columns.spans(x, z).iter().map(|span| span.top - span.bottom);
            let blocked = columns.blocked_spans(x, z);
            let blocked = blocked.iter().map(|span| span.top - span.bottom);
            prop_assert_eq!(u32::from(free.chain(blocked).sum::<u16>()), n_y);
        }
    }

    #[test]
    fn spans_are_as_cheap_as_voxels(volume in volumes(24), ends in any::<u64>()) {
        let columns = Columns::of_volume(&volume).unwrap();
        let free = free_voxels(&volume);
        let Some(&start) = free.get(usize::try_from(ends % 997).unwrap() % free.len().max(1)) else {
            return Ok(());
        };
        let costs = flooded(&volume, start);
        let mut scratch = VoxelScratch::default();
        for &goal in free.iter().step_by(1 + free.len() / 40) {
            let ends = [start, goal];
            let expected = costs.get(&goal).copied().map(f64::from);
            let dense =
                find_dense(&volume, ends, VoxelMoves::Six, 1.0, &mut scratch, &mut Unwatched).path;
            prop_assert_eq!(dense.map(|path| path.cost), expected);
            for keep in [SpanSearch::Exact, SpanSearch::OnePerSpan] {
                let found = find_by_spans(&columns, ends, keep, &mut scratch, &mut Unwatched).path;
                let cost = found.as_ref().map(|path| path.cost);
                if keep == SpanSearch::Exact {
                    prop_assert_eq!(cost, expected);
                } else {
                    prop_assert_eq!(cost.is_some(), expected.is_some());
                    prop_assert!(cost >= expected);
                }
                let Some(path) = found else { continue };
                let steps = steps(&path);
                prop_assert_eq!((steps[0], *steps.last().unwrap()), (start, goal));
                prop_assert!(steps.iter().all(|&voxel| !volume.is_blocked(voxel)));
                prop_assert!(steps.windows(2).all(|s| beside(s[0]).any(|to| to == s[1])));
                prop_assert_eq!(Some(path.cost), u32::try_from(steps.len() - 1).ok().map(f64::from));
            }
        }
    }

    #[test]
    fn trees_hold_what_the_volume_holds(volume in volumes(21)) {
        let plain = Octree::of_volume(&volume).unwrap();
        let sparse = SparseOctree::of_volume(&volume).unwrap();
        let [n_x, n_y, n_z] = volume.size();
        for voxel in all_voxels([n_x + 1, n_y + 1, n_z + 1]) {
            let cell = sparse.cell(voxel);
            prop_assert_eq!(cell, plain.cell(voxel));
            prop_assert_eq!(cell.is_some(), volume.contains(voxel));
            let Some(cell) = cell else { continue };
            prop_assert_eq!(cell.fill == Fill::Blocked, volume.is_blocked(voxel));
            prop_assert!(cell.contains(voxel));
            // Finds the largest cube that is entirely free or blocked. Everything outside counts as free.
            let is = |voxel: Voxel| volume.contains(voxel) && volume.is_blocked(voxel);
            let cube = |min: Voxel, side: u32| {
                all_voxels([side; 3]).map(move |by| std::array::from_fn(|i| min[i] + by[i]))
            };
            let blocked = cell.fill == Fill::Blocked;
            prop_assert!(cube(cell.min, cell.side()).all(|voxel| is(voxel) == blocked));
            let above = cell.min.map(|n| n >> (cell.layer + 1) << (cell.layer + 1));
            let whole = sparse.top().0 == cell.layer;
            prop_assert!(whole || cube(above, 2 * cell.side()).any(|voxel| is(voxel) != blocked));
        }
        prop_assert_eq!((plain.n_blocked(), sparse.n_blocked()), (volume.n_blocked(), volume.n_blocked()));
        let asked = SparseOctree::of_cubes(volume.size(), u32::MAX, |min, side| match side {
            1 if volume.contains(min) && volume.is_blocked(min) => Fill::Blocked,
            1 => Fill::Free,
            _ => Fill::Mixed,
        });
        prop_assert_eq!(asked.unwrap(), sparse);
    }

    #[test]
    fn neighbors_are_what_touches(volume in volumes(18)) {
        let tree = SparseOctree::of_volume(&volume).unwrap();
        let mut expected: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for voxel in free_voxels(&volume) {
            let own = tree.cell(voxel).unwrap();
            let touching = expected.entry(own.number()).or_default();
            for next in beside(voxel).filter(|&next| !volume.is_blocked(next)) {
                let other = tree.cell(next).unwrap();
                if other != own {
                    touching.insert(other.number());
                }
            }
        }
        for (number, touching) in &expected {
            let mut found = Vec::new();
            let cell = Cell::of_number(*number);
            prop_assert_eq!(cell.number(), *number);
            tree.neighbors(cell, |next| found.push(next.number()));
            prop_assert!(found.len() == found.iter().collect::<BTreeSet<_>>().len(), "each once");
            prop_assert_eq!(&found.iter().copied().collect::<BTreeSet<_>>(), touching);
        }
    }

    #[test]
    fn flights_are_free_and_found_where_there_are_any(volume in volumes(24), ends in any::<u64>()) {
        let tree = SparseOctree::of_volume(&volume).unwrap();
        let plain = Octree::of_volume(&volume).unwrap();
        let free = free_voxels(&volume);
        let Some(&start) = free.get(usize::try_from(ends % 997).unwrap() % free.len().max(1)) else {
            return Ok(());
        };
        let costs = flooded(&volume, start);
        let mut scratch = VoxelScratch::default();
        for &goal in free.iter().step_by(1 + free.len() / 15) {
            for (weight, compensation) in [(1.0, 0.0), (3.0, 0.0), (1.0, 0.5)] {
                let options = CellOptions { weight, compensation };
                let mut find = |tree: &dyn Fn(&mut VoxelScratch) -> VoxelAnswer<FlightPath>| {
                    tree(&mut scratch)
                };
                let found = find(&|scratch| {
                    find_by_cells(&tree, [start, goal], options, scratch, &mut Unwatched)
                });
                let again = find(&|scratch| {
                    find_by_cells(&plain, [start, goal], options, scratch, &mut Unwatched)
                });
                prop_assert_eq!(&found, &again, "both trees have the same cells");
                prop_assert_eq!(found.path.is_some(), costs.contains_key(&goal));
                let Some(path) = found.path else { continue };
                check_flight(&volume, [start, goal], &path);
                let smoothed = smooth(&tree, &path);
                check_flight(&volume, [start, goal], &smoothed);
                prop_assert!(smoothed.length <= path.length + 1e-3);
            }
        }
    }

    #[test]
    fn sight_is_what_sampling_says(volume in volumes(9), seed in any::<u64>()) {
        let tree = SparseOctree::of_volume(&volume).unwrap();
        let mut numbers = Numbers(seed);
        for _ in 0..40 {
            let mut point = || {
                Vec3::from_array(volume.size().map(|n| {
                    f32::from(u16::try_from(numbers.below(n * 100)).unwrap()) / 100.0 + 0.003
                }))
            };
            let (a, b) = (point(), point());
            let clear = is_clear(&tree, a, b);
            prop_assert_eq!(clear, is_clear(&tree, b, a));
            let mut sampled = true;
            for n in 0..=2000_u16 {
                let at = a.lerp(b, f32::from(n) / 2000.0).floor().as_uvec3().to_array();
                sampled &= !volume.is_blocked(at);
            }
            // The samples may miss a blocked voxel that the line touches only at a corner.
            prop_assert!(sampled || !clear, "{a} {b}");
        }
    }

    #[test]
    fn walking_is_the_shortest_way_over_floors(
        volume in volumes(9),
        step_vx in 0_u32..3,
        clearance_vx in 0_u32..4,
    ) {
        let columns = Columns::of_volume(&volume).unwrap();
        let height = volume.size()[1];
        let room =
            |[x, y, z]: Voxel| (y..height).take_while(|&y| !volume.is_blocked([x, y, z])).count();
        let stands = |voxel: Voxel| {
            let is_floor = voxel[1] == 0 || volume.is_blocked([voxel[0], voxel[1] - 1, voxel[2]]);
            is_floor && room(voxel) >= (clearance_vx as usize).max(1)
        };
        let floors: Vec<Voxel> = all_voxels(volume.size()).filter(|&voxel| stands(voxel)).collect();
        let Some(&start) = floors.first() else { return Ok(()) };
        let leads = |a: Voxel, b: Voxel| {
            let apart = a[0].abs_diff(b[0]) + a[2].abs_diff(b[2]);
            let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
            // Above the higher floor both columns have enough clearance.
            let over = (high[1] - low[1]) as usize + (clearance_vx as usize).max(1);
            apart == 1 && high[1] - low[1] <= step_vx && room(low) >= over
        };
        let mut costs = BTreeMap::from([(start, 0.0)]);
        let mut changed = true;
        while changed {
            changed = false;
            for &to in &floors {
                let ways = floors.iter().filter(|&&from| leads(from, to)).filter_map(|from| {
                    let rise = f64::from(from[1].abs_diff(to[1]));
                    Some(costs.get(from)? + rise.hypot(1.0))
                });
                let best = ways.fold(f64::INFINITY, f64::min);
                if costs.get(&to).copied().unwrap_or(f64::INFINITY) > best + 1e-9 {
                    costs.insert(to, best);
                    changed = true;
                }
            }
        }
        let rules = WalkRules { step_vx, clearance_vx };
        let mut scratch = VoxelScratch::default();
        for &goal in &floors {
            let found = walk(&columns, [start, goal], rules, &mut scratch, &mut Unwatched).path;
            match (costs.get(&goal), found) {
                (None, None) => {}
                (Some(cost), Some(path)) => prop_assert!((cost - path.cost).abs() < 1e-4),
                other => prop_assert!(false, "{goal:?}: {other:?}"),
            }
        }
    }

    /// Checks that voxels closer to a triangle than the radius are blocked, and that voxels farther away than the
    /// radius plus one voxel are free.
    #[test]
    fn airspace_keeps_its_distance(corners in prop::collection::vec([0.0..8.0_f32, 0.0..8.0, 0.0..8.0], 6), radius in 0.0..2.0_f32) {
        let vertices: Vec<Vec3> = corners.into_iter().map(Vec3::from_array).collect();
        let mesh = TriMesh::new(vertices.clone(), vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        let bounds = Aabb { min: Vec3::splat(-1.0), max: Vec3::splat(9.0) };
        let settings = AirspaceSettings { voxel_size: 0.5, agent_radius: radius };
        let space = Airspace::new(&mesh, bounds, settings, &Unmonitored).unwrap();
        for voxel in all_voxels(space.tree.size()) {
            let middle = space.origin + path::middle(voxel) * 0.5;
            let distance = [0, 3].map(|first| {
                let triangle = std::array::from_fn(|n| vertices[first + n]);
                nearest_on_triangle(triangle, middle).distance(middle)
            });
            let distance = distance[0].min(distance[1]);
            let half = 0.5 * 0.5 * 3_f32.sqrt();
            let blocked = space.tree.is_blocked(voxel);
            prop_assert!(blocked || distance >= radius - 1e-4, "{voxel:?} at {distance}");
            prop_assert!(!blocked || distance <= radius + half + 1e-3, "{voxel:?} at {distance}");
        }
    }
}

/// Checks that the path between opposite corners of an empty cube takes one span per column, not one per voxel.
#[test]
fn open_space_is_crossed_in_few_spans() {
    let columns = Columns::free([64, 64, 64]).unwrap();
    let mut scratch = VoxelScratch::default();
    let ends = [[0, 0, 0], [63, 63, 63]];
    let found = find_by_spans(&columns, ends, SpanSearch::Exact, &mut scratch, &mut Unwatched);
    assert_eq!(found.path.map(|path| path.cost), Some(3.0 * 63.0));
    assert!(found.stats.n_expanded <= 128, "{:?}", found.stats);
}

#[test]
fn too_many_nodes_are_an_error() {
    let checkered = |min: Voxel, side: u32| match side {
        1 if min.iter().sum::<u32>() % 2 == 0 => Fill::Blocked,
        1 => Fill::Free,
        _ => Fill::Mixed,
    };
    let build = |limit| SparseOctree::of_cubes([64; 3], limit, checkered);
    assert_eq!(build(4096).unwrap().n_nodes(), [4096, 512, 64, 8, 1]);
    assert_eq!(build(4095), Err(VoxelError::TooManyNodes { side: 4, limit: 4095 }));
    let side = |size| SparseOctree::of_cubes(size, u32::MAX, checkered).unwrap_err();
    assert_eq!(side([1, 0, 1]), VoxelError::Side { size: [1, 0, 1], limit: MAX_SIDE });
    let size = [1, MAX_SIDE + 1, 1];
    assert_eq!(side(size), VoxelError::Side { size, limit: MAX_SIDE });
    assert_eq!(Columns::free([1, 65_536, 1]).map(|_| ()), {
        Err(VoxelError::Side { size: [1, 65_536, 1], limit: Columns::MAX_HEIGHT })
    });
    assert!(matches!(Volume::new([MAX_SIDE; 3]), Err(VoxelError::TooLarge { .. })));
}

#[test]
fn trees_are_the_same_on_any_number_of_threads() {
    let volume = random([70, 40, 90], 20, 3);
    let on = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| SparseOctree::of_volume(&volume).unwrap())
    };
    assert_eq!(on(1), on(7));
}

#[test]
fn swimmers_stay_in_the_water() {
    let wall = [[8.0, -1.0, -1.0], [8.0, 2.0, -1.0], [8.0, 2.0, 12.0], [8.0, -1.0, 12.0]];
    let wall = wall.map(Vec3::from_array).to_vec();
    let mesh = TriMesh::new(wall, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let bounds = Aabb { min: Vec3::ZERO, max: Vec3::new(16.0, 8.0, 8.0) };
    let settings = AirspaceSettings { voxel_size: 0.5, agent_radius: 0.0 };
    let air = Airspace::new(&mesh, bounds, settings, &Unmonitored).unwrap();
    let water = [
        Aabb { min: Vec3::ZERO, max: Vec3::new(16.0, 1.0, 8.0) },
        Aabb { min: Vec3::new(7.0, 1.0, 0.0), max: Vec3::new(9.0, 4.0, 8.0) },
    ];
    let sea = air.in_water(&water).unwrap();
    let ends = [Vec3::new(1.0, 0.4, 1.0), Vec3::new(15.0, 0.4, 1.0)];
    let mut scratch = VoxelScratch::default();
    let mut trace = Trace::default();
    let options = CellOptions::default();
    let path = sea.find_path(ends, options, &mut scratch, &mut trace).path.unwrap();
    for leg in path.points.windows(2) {
        for n in 0..=100_u8 {
            let at = leg[0].lerp(leg[1], f32::from(n) / 100.0);
            let holds =
                |water: &Aabb| at.cmpge(water.min - 1e-4).all() && at.cmple(water.max + 1e-4).all();
            assert!(water.iter().any(holds), "{at}");
        }
    }
    assert!(path.points.iter().any(|point| point.y > 1.5), "over the wall");
    assert!(trace.steps.iter().any(|step| step.kind == StepKind::Expanded));
    // The lower water alone does not reach across the wall.
    let low = air.in_water(&water[..1]).unwrap();
    assert_eq!(low.find_path(ends, options, &mut scratch, &mut Unwatched).path, None);
    let out = [ends[0], Vec3::new(1.0, 5.0, 1.0)];
    assert_eq!(sea.find_path(out, options, &mut scratch, &mut Unwatched).path, None);
    assert!(air.find_path(out, options, &mut scratch, &mut Unwatched).path.is_some());
}

#[test]
fn dividing_space_can_be_cancelled() {
    struct Stopped;
    impl Monitor for Stopped {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Z], vec![[0, 1, 2]]).unwrap();
    let bounds = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    let settings = AirspaceSettings { voxel_size: 0.1, agent_radius: 0.1 };
    let stopped = Airspace::new(&mesh, bounds, settings, &Stopped);
    assert_eq!(stopped.err(), Some(VoxelError::Cancelled(Cancelled)));
}

#[test]
fn bad_settings_are_named() {
    let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Z], vec![[0, 1, 2]]).unwrap();
    let bounds = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    let new = |voxel_size, agent_radius| {
        let settings = AirspaceSettings { voxel_size, agent_radius };
        Airspace::new(&mesh, bounds, settings, &Unmonitored).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(new(0.0, 1.0), "voxel size is 0; it must be a finite number above 0");
    assert_eq!(new(1.0, f32::NAN), "agent radius is NaN; it must be a finite number of at least 0");
    assert!(new(1e-9, 0.0).contains("sides must be from 1 to 524288"));
}
