//! Paths with one fault each, generated from a seed. Every case includes the repaired level, in which the path reaches
//! its end, so the fault is known independently of the explanation.
//!
//! The level has four rooms in a horseshoe: the first and the last share a wall, and the fault is between the second
//! and the third.

use std::f32::consts::TAU;

use walkable::{
    bake::{
        AreaVolume, BakeInput, BakeSettings, OffMeshLink, RawArea, SurfaceRule, SurfaceSource,
        SurfaceUse, VolumeShape, VoxelParams, bake,
    },
    explain::Cause,
    geom::Aabb,
    glam::Vec3,
    ids::AreaId,
    monitor::Unmonitored,
    query::{Filter, MAX_NODES, NavPath, PathRequest, PathStatus, Scratch, find_path},
    route::is_there,
};
use walkable_runtime::random::Random;

use super::{
    places::{agent, without_flags},
    scene::Scene,
};

/// A path that does not reach its end.
pub(crate) struct PathFault {
    pub(crate) name: &'static str,
    /// The accepted causes, the most specific first.
    pub(crate) causes: Vec<Cause>,
    /// The level with the fault.
    pub(crate) broken: BakeInput,
    repaired: BakeInput,
    pub(crate) ends: [Vec3; 2],
    pub(crate) terms: Terms,
    repaired_terms: Terms,
    /// The line that contains the break.
    pub(crate) zone: Option<[Vec3; 2]>,
    /// Whether settings can fix it.
    pub(crate) has_fix: bool,
}

/// Search options.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    pub(super) max_nodes: usize,
    pub(super) exclude: u16,
}

pub(super) const USUAL: Terms = Terms { max_nodes: MAX_NODES, exclude: 0 };

impl Terms {
    pub(crate) fn filter(self) -> Filter {
        Filter { exclude_flags: self.exclude, ..Filter::default() }
    }

    pub(crate) fn request(self, [start, end]: [Vec3; 2], filter: &Filter) -> PathRequest<'_> {
        PathRequest { max_nodes: self.max_nodes, ..PathRequest::new(start, end, filter) }
    }
}

/// The kinds of faults.
pub(crate) const KINDS: [fn(&mut Random) -> PathFault; 21] = [
    sill, stage, gap, door, beam, steep, volume, gate, one_way, dead_link, start_off, end_off,
    few_nodes, island, coarse, marked, lane, stairs, boxes, no_flags, left_out,
];

/// Generates a fault from `seed`, which cycles through the kinds. If rounding to voxels removes the fault, another one
/// of the same kind is generated.
pub(crate) fn path_fault(seed: u64) -> PathFault {
    let kind = usize::try_from(seed).unwrap() % KINDS.len();
    let mut random = Random::new(seed);
    let mut made = (0..100).map(|_| KINDS[kind](&mut random));
    made.find(PathFault::holds).expect("no seed of this kind gives a fault")
}

/// Generates a level in which the path reaches its end.
pub(crate) fn clean_path(seed: u64) -> (BakeInput, [Vec3; 2]) {
    let mut random = Random::new(seed);
    let mut made = (0..100).map(|_| {
        let (scene, rooms) = scene(&mut random);
        (rooms.built(scene.clone()).bake_input(), rooms.ends(&scene))
    });
    let leads = |(input, ends): &(BakeInput, [Vec3; 2])| leads(input, *ends, USUAL);
    made.find(leads).expect("no seed gives connected rooms")
}

impl PathFault {
    fn holds(&self) -> bool {
        !leads(&self.broken, self.ends, self.terms)
            && leads(&self.repaired, self.ends, self.repaired_terms)
    }
}

/// Returns whether a path connects both ends in the whole level.
pub(crate) fn leads(input: &BakeInput, ends: [Vec3; 2], terms: Terms) -> bool {
    path(input, ends, terms).is_some_and(|path| {
        path.status == PathStatus::Complete
            && is_there(ends[0], path.start)
            && is_there(ends[1], path.end)
    })
}

fn path(input: &BakeInput, ends: [Vec3; 2], terms: Terms) -> Option<NavPath> {
    let mesh = bake(input.clone(), &Unmonitored).ok()?;
    let filter = terms.filter();
    find_path(&mesh, &terms.request(ends, &filter), &mut Scratch::default()).ok()
}

/// Side of a room, in meters.
pub(super) const SIDE: f32 = 10.0;
/// Center of the opening between the second and the third room, along z.
const MIDDLE: f32 = 1.5 * SIDE;
/// Near edge of the pit across the third room, along x.
pub(super) const BRINK: f32 = SIDE + 2.0;

/// Shape of the four rooms.
#[derive(Clone)]
pub(super) struct Rooms {
    /// Width of the opening between the second and the third room.
    pub(super) opening: f32,
    /// Height of the third and the fourth room above the others.
    pub(super) rise: f32,
    /// Width of a pit across the third room.
    pub(super) pit: f32,
    pub(super) start: [f32; 2],
    pub(super) end: [f32; 2],
    /// Obstacles in the rooms.
    pub(super) crates: Vec<[f32; 3]>,
}

pub(super) fn scene(random: &mut Random) -> (Scene, Rooms) {
    let settings = agent(random);
    let yaw = if random.chance(0.5) { 0.0 } else { random.between(0.0, TAU) };
    let moved = Vec3::new(
        random.between(-60.0, 60.0),
        random.between(-8.0, 8.0),
        random.between(-60.0, 60.0),
    );
    let n_crates = random.below(4);
    let crates = (0..n_crates).map(|_| {
        let x = random.pick(&[0.5, 1.0, 18.0, 18.4]);
        [x, random.between(0.8, 3.0), random.between(0.4, 1.4)]
    });
    let crates = crates.collect();
    let rooms = Rooms {
        opening: random.between(2.6, 3.6),
        rise: 0.0,
        pit: 0.0,
        start: [random.between(3.5, 6.5), random.between(4.5, 6.0)],
        end: [random.between(13.5, 16.5), random.between(4.5, 6.0)],
        crates,
    };
    (Scene::new(settings, yaw, moved), rooms)
}

impl Rooms {
    /// Builds the rooms in `scene`.
    pub(super) fn built(&self, mut scene: Scene) -> Scene {
        let Self { opening, rise, pit, .. } = *self;
        let (far, wall) = (2.0 * SIDE, 0.15);
        scene.boxed("floor", [0.0, -0.3, 0.0], [SIDE, 0.0, far]);
        scene.boxed("floor", [SIDE, -0.3, 0.0], [far, rise, SIDE]);
        scene.boxed("floor", [SIDE, -0.3, SIDE], [BRINK, rise, far]);
        scene.boxed("floor", [BRINK + pit, -0.3, SIDE], [far, rise, far]);
        if pit > 0.0 {
            scene.boxed("pit", [BRINK, -3.4, SIDE], [BRINK + pit, -3.1, far]);
        }
        let mut walled = |[x0, z0]: [f32; 2], [x1, z1]: [f32; 2]| {
            let high = rise + 2.8;
            scene.boxed("wall", [x0 - wall, -0.4, z0 - wall], [x1 + wall, high, z1 + wall]);
        };
        walled([0.0, 0.0], [far, 0.0]);
        walled([0.0, far], [far, far]);
        walled([0.0, 0.0], [0.0, far]);
        walled([far, 0.0], [far, far]);
        walled([SIDE, 0.0], [SIDE, MIDDLE - opening / 2.0 - wall]);
        walled([SIDE, MIDDLE + opening / 2.0 + wall], [SIDE, far]);
        walled([0.0, SIDE], [3.5, SIDE]);
        walled([6.8, SIDE], [SIDE, SIDE]);
        walled([SIDE, SIDE], [16.8, SIDE]);
        walled([19.4, SIDE], [far, SIDE]);
        for &[x, z, size] in &self.crates {
            let y = if x < SIDE { 0.0 } else { rise };
            scene.boxed("crate", [x, y - 0.1, z], [x + size, y + size, z + size]);
        }
        scene
    }

    pub(super) fn ends(&self, scene: &Scene) -> [Vec3; 2] {
        let ([a, b], [c, d]) = (self.start, self.end);
        [scene.place([a, 0.0, b]), scene.place([c, self.rise, d])]
    }

    /// Returns both sides of the opening, along z.
    fn sides(&self) -> [f32; 2] {
        [MIDDLE - self.opening / 2.0, MIDDLE + self.opening / 2.0]
    }
}

/// A fault before its levels are built.
struct FaultDraft<'a> {
    name: &'static str,
    causes: &'a [Cause],
    has_fix: bool,
    /// The ends of the line that contains the break.
    zone: [[f32; 3]; 2],
}

impl FaultDraft<'_> {
    fn of(self, rooms: &Rooms, broken: &Scene, repaired: &Scene) -> PathFault {
        PathFault {
            name: self.name,
            causes: self.causes.to_vec(),
            broken: broken.bake_input(),
            repaired: repaired.bake_input(),
            ends: rooms.ends(broken),
            terms: USUAL,
            repaired_terms: USUAL,
            zone: Some(self.zone.map(|at| broken.place(at))),
            has_fix: self.has_fix,
        }
    }
}

fn voxels(scene: &Scene) -> VoxelParams {
    VoxelParams::new(&scene.settings).unwrap()
}

/// Returns the height of a step that is too high: by less than a voxel, by a voxel, by half the climb, or by far.
pub(super) fn too_high(random: &mut Random, scene: &Scene) -> f32 {
    let climb = voxels(scene).climb();
    let voxel = scene.settings.cell_height;
    let least = climb + 0.4 * voxel;
    let far = random.between(1.1, 1.5);
    random.pick(&[least, climb + voxel, 1.5 * climb + voxel, far]).max(least)
}

const STEP: [Cause; 2] = [Cause::Step, Cause::CellTooCoarse];

fn sill(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let (high, thick) = (too_high(random, &scene), random.between(0.5, 1.6));
    let repaired = rooms.built(scene);
    let mut broken = repaired.clone();
    let [z0, z1] = rooms.sides();
    broken.boxed("sill", [SIDE - thick / 2.0, -0.2, z0], [SIDE + thick / 2.0, high, z1]);
    let zone = [[SIDE - 0.15, 0.0, MIDDLE], [SIDE + 0.15, 0.0, MIDDLE]];
    FaultDraft { name: "sill", causes: &STEP, has_fix: true, zone }.of(&rooms, &broken, &repaired)
}

fn stage(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let rooms = Rooms { rise: too_high(random, &scene), ..rooms };
    let broken = rooms.built(scene);
    let mut repaired = broken.clone();
    let [z0, z1] = rooms.sides();
    let run = rooms.rise / 25.0_f32.to_radians().tan();
    repaired.ramp("ramp", [SIDE - run, 0.0, z0], [SIDE + 0.1, rooms.rise, z1]);
    let zone = [[SIDE, 0.0, MIDDLE], [SIDE, rooms.rise, MIDDLE]];
    FaultDraft { name: "stage", causes: &STEP, has_fix: true, zone }.of(&rooms, &broken, &repaired)
}

fn gap(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let wide = random.pick(&[0.9_f32, 1.3, 2.0, 2.6]).max(2.0 * scene.settings.cell_size + 0.3);
    let repaired = rooms.built(scene.clone());
    let broken = Rooms { pit: wide, ..rooms.clone() }.built(scene);
    let x = BRINK + wide / 2.0;
    let zone = [[x, 0.0, SIDE], [x, 0.0, 2.0 * SIDE]];
    FaultDraft { name: "gap", causes: &[Cause::Gap], has_fix: false, zone }
        .of(&rooms, &broken, &repaired)
}

const NARROW: [Cause; 3] = [Cause::Narrow, Cause::NearEdge, Cause::CellTooCoarse];

fn door(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let radius = scene.settings.agent_radius;
    let opening = (2.0 * radius * random.pick(&[0.4, 0.75, 0.97])).max(0.3);
    let repaired = rooms.built(scene.clone());
    let broken = Rooms { opening, ..rooms.clone() }.built(scene);
    let zone = [[SIDE - 0.15, 0.0, MIDDLE], [SIDE + 0.15, 0.0, MIDDLE]];
    FaultDraft { name: "door", causes: &NARROW, has_fix: true, zone }.of(&rooms, &broken, &repaired)
}

/// Returns two hedges in the opening, with a lane between them.
fn lane(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let BakeSettings { agent_radius: radius, agent_max_climb: climb, .. } = scene.settings;
    let half = radius * random.pick(&[0.5, 0.75, 0.97]);
    let high = random.between(climb + 0.15, 1.8);
    let thick = random.between(0.8, 1.8) * radius;
    let repaired = rooms.built(scene);
    let mut broken = repaired.clone();
    let [z0, z1] = rooms.sides();
    let across = [SIDE - thick / 2.0, SIDE + thick / 2.0];
    broken.boxed("hedge", [across[0], -0.2, z0], [across[1], high, MIDDLE - half]);
    broken.boxed("hedge", [across[0], -0.2, MIDDLE + half], [across[1], high, z1]);
    let zone = across.map(|x| [x, 0.0, MIDDLE]);
    FaultDraft { name: "lane", causes: &NARROW, has_fix: true, zone }.of(&rooms, &broken, &repaired)
}

/// Returns stairs with two or three risers that are too high.
fn stairs(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let (riser, tread) = (too_high(random, &scene).min(1.3), random.between(0.8, 1.6));
    let n = random.pick(&[1_u8, 2]);
    let rooms = Rooms { rise: riser * f32::from(n + 1), ..rooms };
    let broken = {
        let mut scene = rooms.built(scene);
        let [z0, z1] = rooms.sides();
        for step in 1..=n {
            let (x, y) = (tread * f32::from(n + 1 - step), riser * f32::from(step));
            scene.boxed("stair", [SIDE - x, -0.2, z0], [SIDE, y, z1]);
        }
        for z in [z0 - 0.3, z1] {
            scene.boxed("wall", [SIDE - tread * 2.0, -0.2, z], [SIDE, 5.0, z + 0.3]);
        }
        scene
    };
    let mut repaired = broken.clone();
    let [z0, z1] = rooms.sides();
    let run = rooms.rise / 30.0_f32.to_radians().tan();
    repaired.ramp("ramp", [SIDE - run, 0.0, z0], [SIDE + 0.1, rooms.rise, z1]);
    let zone = [[SIDE - tread * f32::from(n), 0.0, MIDDLE], [SIDE, rooms.rise, MIDDLE]];
    FaultDraft { name: "stairs", causes: &STEP, has_fix: true, zone }.of(&rooms, &broken, &repaired)
}

fn beam(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let voxel = scene.settings.cell_height;
    let room = scene.settings.agent_height * random.pick(&[0.45, 0.75, 1.0]) - 0.6 * voxel;
    let repaired = rooms.built(scene);
    let mut broken = repaired.clone();
    let [z0, z1] = rooms.sides();
    broken.boxed("beam", [SIDE - 0.8, room, z0], [SIDE + 0.8, 2.8, z1]);
    let zone = [[SIDE - 0.15, 0.0, MIDDLE], [SIDE + 0.15, 0.0, MIDDLE]];
    let causes = [Cause::LowCeiling, Cause::CellTooCoarse];
    FaultDraft { name: "beam", causes: &causes, has_fix: true, zone }.of(&rooms, &broken, &repaired)
}

fn steep(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let slope = scene.settings.agent_max_slope + random.pick(&[0.7, 1.5, 5.0, 12.0]);
    let rooms = Rooms { rise: random.between(1.3, 1.8), ..rooms };
    let [z0, z1] = rooms.sides();
    let with = |slope: f32| {
        let mut scene = rooms.built(scene.clone());
        let run = rooms.rise / slope.to_radians().tan();
        scene.ramp("ramp", [SIDE + 0.15 - run, 0.0, z0], [SIDE + 0.15, rooms.rise, z1]);
        (scene, run)
    };
    let ((broken, run), (repaired, _)) = (with(slope), with(25.0));
    let zone = [[SIDE + 0.15 - run, 0.0, MIDDLE], [SIDE + 0.15, rooms.rise, MIDDLE]];
    let made = FaultDraft { name: "steep", causes: &[Cause::TooSteep], has_fix: true, zone };
    made.of(&rooms, &broken, &repaired)
}

/// Returns a volume across the opening.
fn across(scene: &Scene, rooms: &Rooms, area: RawArea) -> AreaVolume {
    let [z0, z1] = rooms.sides();
    let corners = [[-1.0, z0 - 0.4], [-1.0, z1 + 0.4], [1.0, z1 + 0.4], [1.0, z0 - 0.4]];
    let outline = corners.map(|[x, z]| scene.place([SIDE + x, 0.0, z])).to_vec();
    let floor = scene.place([SIDE, 0.0, MIDDLE]).y;
    AreaVolume::new(area, VolumeShape::Prism { min_y: floor - 0.6, max_y: floor + 1.5, outline })
}

fn volume(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let repaired = rooms.built(scene);
    let zone = [[SIDE, 0.0, rooms.sides()[0]], [SIDE, 0.0, rooms.sides()[1]]];
    let made = FaultDraft { name: "volume", causes: &[Cause::Volume], has_fix: false, zone };
    let mut fault = made.of(&rooms, &repaired, &repaired);
    fault.broken.volumes.push(across(&repaired, &rooms, RawArea::NULL));
    fault
}

/// Returns water in the opening, for an agent that cannot swim.
fn gate(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let built = rooms.built(scene);
    let zone = [[SIDE, 0.0, rooms.sides()[0]], [SIDE, 0.0, rooms.sides()[1]]];
    let made = FaultDraft { name: "gate", causes: &[Cause::Filtered], has_fix: false, zone };
    let mut fault = made.of(&rooms, &built, &built);
    let water = across(&built, &rooms, RawArea(1));
    fault.broken.volumes.push(water.clone());
    fault.repaired.volumes.push(water);
    fault.terms.exclude = 2;
    fault
}

/// Returns water in the opening that no agent may use.
fn no_flags(random: &mut Random) -> PathFault {
    let fault = volume(random);
    let mut broken = fault.broken.clone();
    broken.volumes[0].area = RawArea(9);
    broken.area_flags = without_flags(9);
    PathFault { name: "no flags", causes: vec![Cause::AreaWithoutFlags], broken, ..fault }
}

/// Returns bake boxes that leave out a strip of the third room.
fn boxes(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let wide = random.pick(&[0.9_f32, 1.3, 2.0, 3.6]).max(2.0 * scene.settings.cell_size + 0.3);
    let built = rooms.built(Scene::new(scene.settings, 0.0, Vec3::ZERO));
    let x = BRINK + wide / 2.0;
    let zone = [[x, 0.0, SIDE], [x, 0.0, 2.0 * SIDE]];
    let made = FaultDraft { name: "boxes", causes: &[Cause::OutOfBounds], has_fix: false, zone };
    let mut fault = made.of(&rooms, &built, &built);
    let far = 2.0 * SIDE + 1.0;
    let strip = [BRINK, BRINK + wide];
    fault.broken.bounds = [[-1.0, strip[0], far], [strip[1], far, far], [strip[0], strip[1], SIDE]]
        .map(|[x0, x1, z]| Aabb::new(Vec3::new(x0, -4.0, -1.0), Vec3::new(x1, 4.0, z)))
        .to_vec();
    fault
}

/// Returns a level with a pit, and the ends of a link across it.
fn linked(random: &mut Random) -> (Scene, Rooms, [Vec3; 2]) {
    let (scene, rooms) = scene(random);
    let rooms = Rooms { pit: random.between(1.8, 2.6), ..rooms };
    let off = scene.settings.agent_radius + 0.4;
    let built = rooms.built(scene);
    let ends = [BRINK - off, BRINK + rooms.pit + off].map(|x| built.place([x, 0.0, MIDDLE]));
    (built, rooms, ends)
}

/// Returns a bidirectional link.
fn link([start, end]: [Vec3; 2]) -> OffMeshLink {
    let (area, flags, user_id) = (AreaId(5), 8, 1000);
    OffMeshLink { start, end, radius: 0.4, bidirectional: true, area, flags, user_id }
}

fn one_way(random: &mut Random) -> PathFault {
    let (built, rooms, [near, far]) = linked(random);
    let zone = [[BRINK, 0.0, MIDDLE]; 2];
    let made = FaultDraft { name: "one way", causes: &[Cause::OneWay], has_fix: false, zone };
    let mut fault = made.of(&rooms, &built, &built);
    fault.zone = Some([near, far]);
    let both_ways = link([far, near]);
    fault.broken.off_mesh.push(OffMeshLink { bidirectional: false, ..both_ways });
    fault.repaired.off_mesh.push(both_ways);
    fault
}

fn dead_link(random: &mut Random) -> PathFault {
    let (built, rooms, ends) = linked(random);
    let zone = [[BRINK, 0.0, MIDDLE]; 2];
    let made = FaultDraft { name: "dead link", causes: &[Cause::DeadLink], has_fix: false, zone };
    let mut fault = made.of(&rooms, &built, &built);
    let mut wrong = ends;
    let at = random.below(2);
    wrong[at].y += 1.5;
    fault.zone = Some([wrong[at]; 2]);
    fault.broken.off_mesh.push(link(wrong));
    fault.repaired.off_mesh.push(link(ends));
    fault
}

/// Adds plates around a place, so that an agent cannot stand at it.
fn plates(scene: &mut Scene, [x, z]: [f32; 2]) {
    for n in 0..6_u8 {
        let y = 0.5 * f32::from(n);
        scene.boxed("plate", [x - 2.4, y - 0.1, z - 2.4], [x + 2.4, y + 0.1, z + 2.4]);
    }
}

fn start_off(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let repaired = rooms.built(scene);
    let mut broken = repaired.clone();
    plates(&mut broken, rooms.start);
    let zone = [[rooms.start[0], 0.0, rooms.start[1]]; 2];
    let made =
        FaultDraft { name: "start off", causes: &[Cause::StartOffMesh], has_fix: false, zone };
    made.of(&rooms, &broken, &repaired)
}

fn end_off(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let repaired = rooms.built(scene);
    let mut broken = repaired.clone();
    plates(&mut broken, rooms.end);
    let zone = [[rooms.end[0], 0.0, rooms.end[1]]; 2];
    let made = FaultDraft { name: "end off", causes: &[Cause::EndOffMesh], has_fix: false, zone };
    made.of(&rooms, &broken, &repaired)
}

fn few_nodes(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let built = rooms.built(scene);
    let zone = [[0.0; 3]; 2];
    let made = FaultDraft { name: "few nodes", causes: &[Cause::NodeLimit], has_fix: false, zone };
    let mut fault = made.of(&rooms, &built, &built);
    fault.terms.max_nodes = 4;
    fault.zone = None;
    fault
}

/// Returns a stepping stone in a wide pit, smaller than the minimum region size.
fn island(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let rooms = Rooms { pit: 5.0, ..rooms };
    let VoxelParams { walkable_radius_vx, cell_size, .. } = voxels(&scene);
    #[expect(clippy::cast_precision_loss, reason = "a few voxels")]
    let half = walkable_radius_vx as f32 * cell_size + 0.5;
    let mut built = rooms.built(scene);
    let x = BRINK + 2.5;
    built.boxed("stone", [x - half, -3.2, MIDDLE - half], [x + half, 0.0, MIDDLE + half]);
    let off = built.settings.agent_radius + 0.3;
    let [near, stone, far] =
        [BRINK - off, x, BRINK + 5.0 + off].map(|x| built.place([x, 0.0, MIDDLE]));
    let zone = [[x, 0.0, MIDDLE]; 2];
    let causes = [Cause::IslandRemoved, Cause::RegionTooSmall, Cause::DeadLink];
    let made = FaultDraft { name: "island", causes: &causes, has_fix: true, zone };
    let mut fault = made.of(&rooms, &built, &built);
    for input in [&mut fault.broken, &mut fault.repaired] {
        let two = [[near, stone], [stone, far]].map(link);
        input.off_mesh.extend(two.map(|link| OffMeshLink { radius: 0.6, ..link }));
    }
    fault.repaired.settings.region_min_size = 1.0;
    fault
}

/// Returns a passage that is wide enough, but not in voxels this coarse.
fn coarse(random: &mut Random) -> PathFault {
    let (mut scene, rooms) = scene(random);
    let opening = 2.0 * scene.settings.agent_radius + random.between(0.3, 0.5);
    scene.settings.cell_size = random.pick(&[0.5, 0.6, 0.7]);
    scene.settings.tile_size = 0;
    let rooms = Rooms { opening, ..rooms };
    let broken = rooms.built(scene);
    let mut repaired = broken.clone();
    repaired.settings = BakeSettings { cell_size: 0.1, ..repaired.settings };
    let zone = [[SIDE - 0.15, 0.0, MIDDLE], [SIDE + 0.15, 0.0, MIDDLE]];
    let causes = [Cause::CellTooCoarse, Cause::Narrow, Cause::NearEdge];
    FaultDraft { name: "coarse", causes: &causes, has_fix: true, zone }
        .of(&rooms, &broken, &repaired)
}

/// Returns a strip of floor whose object is marked as not walkable.
fn marked(random: &mut Random) -> PathFault {
    let (scene, rooms) = scene(random);
    let pit = random.between(1.6, 2.4);
    let rooms = Rooms { pit, ..rooms };
    let mut built = rooms.built(scene);
    built.boxed("mat", [BRINK, -0.3, SIDE], [BRINK + pit, 0.0, 2.0 * SIDE]);
    let x = BRINK + pit / 2.0;
    let zone = [[x, 0.0, SIDE], [x, 0.0, 2.0 * SIDE]];
    let made = FaultDraft { name: "marked", causes: &[Cause::MarkedSurface], has_fix: false, zone };
    let mut fault = made.of(&rooms, &built, &built);
    fault.broken.surfaces.push(SurfaceRule {
        source: SurfaceSource::Object,
        name: "mat".to_owned(),
        becomes: SurfaceUse::Area(RawArea::NULL),
    });
    fault
}

/// Returns a strip of floor whose object is left out of the bake.
fn left_out(random: &mut Random) -> PathFault {
    let mut fault = marked(random);
    fault.broken.surfaces[0].becomes = SurfaceUse::LeftOut;
    PathFault { name: "left out", ..fault }
}
