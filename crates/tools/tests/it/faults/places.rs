//! Places with one fault each, generated from a seed. Every case includes the repaired level, in which an agent can
//! stand at the place, so the fault is known independently of the explanation.

use std::f32::consts::TAU;

use walkable::{
    bake::{
        AreaFlags, BakeInput, BakeSettings, RawArea, SurfaceRule, SurfaceSource, SurfaceUse,
        VolumeShape, bake,
    },
    explain::Cause,
    geom::Aabb,
    glam::Vec3,
    monitor::Unmonitored,
    query::{Filter, NearestRequest, nearest},
};
use walkable_runtime::random::Random;

use super::scene::{Scene, Winding};

/// A place at which an agent cannot stand.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// The accepted causes, the most specific first.
    pub(crate) causes: Vec<Cause>,
    /// The level with the fault.
    pub(crate) broken: BakeInput,
    /// The level without it.
    pub(crate) repaired: BakeInput,
    pub(crate) at: Vec3,
    /// Whether settings can fix it.
    pub(crate) has_fix: bool,
    /// The number that the answer must contain, if known.
    pub(crate) measured: Option<f32>,
}

/// The kinds of faults.
pub(crate) const KINDS: [fn(&mut Random) -> Fault; 33] = [
    too_steep,
    flipped_sheet,
    flipped_box,
    duct,
    stage,
    kerb,
    long_step,
    doorway,
    beside_wall,
    closet,
    volume,
    out_of_bounds,
    hole,
    in_the_air,
    marked,
    left_out,
    niche,
    in_a_container,
    in_a_rock,
    level_end,
    no_basin,
    coarse_passage,
    climb_of_no_voxel,
    beside_level,
    stairs,
    uneven_ramp,
    balcony,
    table,
    in_a_wall,
    under_the_floor,
    under_stairs,
    lane,
    no_flags,
];

/// Generates a fault from `seed`, which cycles through the kinds. If rounding to voxels removes the fault, another one
/// of the same kind is generated.
pub(crate) fn fault(seed: u64) -> Fault {
    let kind = usize::try_from(seed).unwrap() % KINDS.len();
    let mut random = Random::new(seed);
    let mut made = (0..100).map(|_| KINDS[kind](&mut random));
    made.find(Fault::holds).expect("no seed of this kind gives a fault")
}

impl Fault {
    /// Returns whether an agent cannot stand at the place, but can in the repaired level.
    fn holds(&self) -> bool {
        !stands(&self.broken, self.at) && stands(&self.repaired, self.at)
    }
}

/// Returns whether the navmesh of the whole level covers a place: directly above or below, not only nearby.
pub(crate) fn stands(input: &BakeInput, at: Vec3) -> bool {
    let Ok(mesh) = bake(input.clone(), &Unmonitored) else { return false };
    let reach = (0.35 + 2.0 * input.settings.cell_height).min(0.6);
    let half_extents = Vec3::new(0.02, reach, 0.02);
    let request = NearestRequest { center: at, half_extents, filter: &Filter::default() };
    nearest(&mesh, &request).unwrap().is_some_and(|end| {
        let off = end.point - at;
        off.with_y(0.0).length() < 0.02 && off.y.abs() <= reach
    })
}

/// Returns settings for one of three agents: the large one of the demo, a person in a town, a person in a house.
pub(super) fn agent(random: &mut Random) -> BakeSettings {
    let kinds = [
        (0.3, 0.2, 2.0, 0.6, 0.9, 45.0),
        (0.2, 0.1, 1.8, 0.4, 0.45, 40.0),
        (0.15, 0.1, 1.7, 0.3, 0.35, 50.0),
    ];
    let (cell_size, cell_height, agent_height, agent_radius, agent_max_climb, agent_max_slope) =
        random.pick(&kinds);
    BakeSettings {
        cell_size,
        cell_height,
        agent_height,
        agent_radius,
        agent_max_climb,
        agent_max_slope,
        tile_size: random.pick(&[0, 0, 32, 48, 64]),
        ..BakeSettings::default()
    }
}

/// Returns an empty scene, rotated and moved at random.
fn scene(random: &mut Random, settings: BakeSettings) -> Scene {
    let yaw = if random.chance(0.5) { 0.0 } else { random.between(0.0, TAU) };
    let moved = Vec3::new(
        random.between(-60.0, 60.0),
        random.between(-8.0, 8.0),
        random.between(-60.0, 60.0),
    );
    Scene::new(settings, yaw, moved)
}

fn furnished(random: &mut Random, settings: BakeSettings) -> Scene {
    let mut scene = scene(random, settings);
    scene.boxed("floor", [-12.0, -0.3, -12.0], [12.0, 0.0, 12.0]);
    clutter(random, &mut scene);
    scene
}

fn clutter(random: &mut Random, scene: &mut Scene) {
    for _ in 0..random.below(6) {
        let (x, z) = (random.between(-11.0, 10.0), random.pick(&[-11.0, -9.0, 7.5, 9.0]));
        let size = random.between(0.4, 1.6);
        let [a, b] = if random.chance(0.5) { [x, z] } else { [z, x] };
        scene.boxed("crate", [a, 0.0, b], [a + size, size, b + size]);
    }
}

/// Returns the height above the floor at which a game logs an agent.
fn logged(random: &mut Random) -> f32 {
    random.pick(&[0.0, 0.02, 0.14, 0.14, 0.25, -0.04])
}

/// Returns a random point near the center.
fn middle(random: &mut Random) -> [f32; 2] {
    [random.between(-3.0, 3.0), random.between(-3.0, 3.0)]
}

struct FaultDraft<'a> {
    name: &'static str,
    causes: &'a [Cause],
    has_fix: bool,
}

impl FaultDraft<'_> {
    fn of(self, broken: &Scene, repaired: &Scene, at: [f32; 3]) -> Fault {
        Fault {
            name: self.name,
            causes: self.causes.to_vec(),
            broken: broken.bake_input(),
            repaired: repaired.bake_input(),
            at: broken.place(at),
            has_fix: self.has_fix,
            measured: None,
        }
    }
}

fn too_steep(random: &mut Random) -> Fault {
    let settings = agent(random);
    let limit = settings.agent_max_slope;
    let slope = limit + random.pick(&[0.2, 0.4, 1.0, 3.0, 8.0]);
    let base = furnished(random, settings);
    let (run, height) = (3.0, logged(random));
    let with = |slope: f32| {
        let mut scene = base.clone();
        let rise = run * slope.to_radians().tan();
        scene.ramp("ramp", [-1.5, 0.0, -2.5], [-1.5 + run, rise, 2.5]);
        scene.boxed("deck", [-1.5 + run, rise - 0.3, -2.5], [-1.5 + run + 3.0, rise, 2.5]);
        (scene, rise)
    };
    let ((broken, rise), (repaired, _)) = (with(slope), with(20.0));
    let at = [0.0, rise / 2.0 + height, 0.0];
    let fault = FaultDraft { name: "too steep", causes: &[Cause::TooSteep], has_fix: true }
        .of(&broken, &repaired, at);
    // The same place on a flatter ramp would be lower, so the repaired ramp starts higher.
    let lift = rise / 2.0 - run * 20.0_f32.to_radians().tan() / 2.0;
    let mut lifted = base.clone();
    let low = run * 20.0_f32.to_radians().tan();
    lifted.ramp("ramp", [-1.5, lift, -2.5], [-1.5 + run, lift + low, 2.5]);
    Fault { repaired: lifted.bake_input(), measured: Some(slope), ..fault }
}

fn flipped_sheet(random: &mut Random) -> Fault {
    let settings = agent(random);
    let base = furnished(random, settings);
    let (y, height) = (random.between(0.95, 4.0), logged(random));
    let with = |winding| {
        let mut scene = base.clone();
        scene.sheet("deck", [-3.0, -3.0], [3.0, 3.0], (y, winding));
        scene
    };
    let at = [random.between(-1.0, 1.0), y + height, random.between(-1.0, 1.0)];
    let made = FaultDraft { name: "flipped sheet", causes: &[Cause::FacesDown], has_fix: false };
    made.of(&with(Winding::In), &with(Winding::Out), at)
}

fn flipped_box(random: &mut Random) -> Fault {
    let settings = agent(random);
    let thick = settings.agent_max_climb + random.between(0.25, 0.5);
    let base = furnished(random, settings);
    let (y, height) = (thick + random.between(1.0, 3.0), logged(random));
    let with = |winding| {
        let mut scene = base.clone();
        scene.wound("deck", ([-3.0, y - thick, -3.0], [3.0, y, 3.0]), winding);
        scene
    };
    let at = [random.between(-1.0, 1.0), y + height, random.between(-1.0, 1.0)];
    let made = FaultDraft { name: "flipped box", causes: &[Cause::FacesDown], has_fix: false };
    made.of(&with(Winding::In), &with(Winding::Out), at)
}

fn duct(random: &mut Random) -> Fault {
    let settings = agent(random);
    let needed = settings.agent_height;
    let room = needed - random.pick(&[0.05, 0.2, 0.3, 0.6]);
    let side = random.between(1.2, 3.0);
    let base = furnished(random, settings);
    let with = |room: f32| {
        let mut scene = base.clone();
        scene.boxed("duct", [-side, room, -side], [side, room + 0.5, side]);
        scene
    };
    let at = [0.0, logged(random), 0.0];
    let made = FaultDraft { name: "duct", causes: &[Cause::LowCeiling], has_fix: true };
    Fault { measured: Some(room), ..made.of(&with(room), &with(needed + 0.6), at) }
}

/// Returns the edge of a stage for an agent with zero radius. Only the ledge filter removes the rim.
fn stage(random: &mut Random) -> Fault {
    let settings = BakeSettings { agent_radius: 0.0, ..agent(random) };
    let drop = settings.agent_max_climb * random.pick(&[2.0, 3.5, 5.0]) + 0.3;
    let near = settings.cell_size * 0.12;
    let base = furnished(random, settings);
    let mut broken = base.clone();
    broken.boxed("stage", [-4.0, 0.0, -4.0], [4.0, drop, 4.0]);
    let mut repaired = base;
    repaired.boxed("stage", [-5.5, 0.0, -5.5], [5.5, drop, 5.5]);
    let at = [4.0 - near, drop + logged(random), random.between(-2.0, 2.0)];
    let causes = [Cause::Ledge, Cause::Step, Cause::CellTooCoarse];
    FaultDraft { name: "stage", causes: &causes, has_fix: true }.of(&broken, &repaired, at)
}

/// Returns a traffic island in the road.
fn kerb(random: &mut Random) -> Fault {
    let settings = agent(random);
    let (climb, radius, cell) =
        (settings.agent_max_climb, settings.agent_radius, settings.cell_size);
    let over = random.pick(&[0.07, 0.15, 0.3]);
    let half = random.between(0.4, radius + 3.0 * cell);
    let base = furnished(random, settings);
    let with = |height: f32| {
        let mut scene = base.clone();
        scene.boxed("traffic island", [-half, 0.0, -half * 1.5], [half, height, half * 1.5]);
        scene
    };
    let (broken, repaired) = (with(climb + over), with(climb * 0.4));
    let at = [0.0, climb + over + logged(random), 0.0];
    let causes = [Cause::Step, Cause::Ledge, Cause::RegionTooSmall];
    let mut fault =
        FaultDraft { name: "kerb", causes: &causes, has_fix: true }.of(&broken, &repaired, at);
    // The repaired traffic island is as high, but the road around it is raised.
    let mut raised = base;
    raised.boxed("road", [-9.0, 0.0, -9.0], [9.0, climb * 0.6 + over, 9.0]);
    raised.boxed("traffic island", [-half, 0.0, -half * 1.5], [half, climb + over, half * 1.5]);
    fault.repaired = raised.bake_input();
    fault
}

/// Returns a terrace along the floor. The place is directly below the riser.
fn long_step(random: &mut Random) -> Fault {
    let settings = agent(random);
    let (climb, radius) = (settings.agent_max_climb, settings.agent_radius);
    let over = random.pick(&[0.08, 0.2, 0.4]);
    let base = furnished(random, settings);
    let with = |height: f32| {
        let mut scene = base.clone();
        scene.boxed("terrace", [0.0, -0.3, -12.0], [12.0, height, 12.0]);
        scene
    };
    let at = [-radius * random.between(0.2, 0.6), logged(random), random.between(-3.0, 3.0)];
    let causes = [Cause::Step, Cause::Ledge, Cause::NearEdge];
    let made = FaultDraft { name: "long step", causes: &causes, has_fix: true };
    Fault { measured: Some(climb + over), ..made.of(&with(climb + over), &with(climb * 0.4), at) }
}

fn doorway(random: &mut Random) -> Fault {
    let settings = agent(random);
    let radius = settings.agent_radius;
    let half = radius * random.pick(&[0.6, 0.8, 0.94]);
    let base = furnished(random, settings);
    let with = |half: f32| {
        let mut scene = base.clone();
        scene.boxed("wall", [-0.1, -0.2, -12.0], [0.1, 6.0, -half]);
        scene.boxed("wall", [-0.1, -0.2, half], [0.1, 6.0, 12.0]);
        scene
    };
    let at = [0.0, logged(random), 0.0];
    let made = FaultDraft { name: "doorway", causes: &[Cause::NearEdge], has_fix: true };
    Fault { measured: Some(half), ..made.of(&with(half), &with(radius * 1.6 + 0.6), at) }
}

/// Returns a lane between two hedges on which an agent could stand if it could climb them.
fn lane(random: &mut Random) -> Fault {
    let settings = agent(random);
    let (radius, climb) = (settings.agent_radius, settings.agent_max_climb);
    let half = radius * random.pick(&[0.75, 0.85, 0.94]);
    let high = random.between(climb + 0.15, 1.8);
    let thick = random.between(0.8, 1.8) * radius;
    let base = furnished(random, settings);
    let with = |half: f32| {
        let mut scene = base.clone();
        scene.boxed("hedge", [-6.0, -0.2, -half - thick], [6.0, high, -half]);
        scene.boxed("hedge", [-6.0, -0.2, half], [6.0, high, half + thick]);
        scene
    };
    let at = [random.between(-3.0, 3.0), logged(random), 0.0];
    let made = FaultDraft { name: "lane", causes: &[Cause::NearEdge], has_fix: true };
    Fault { measured: Some(half), ..made.of(&with(half), &with(radius * 1.6 + 0.6), at) }
}

fn beside_wall(random: &mut Random) -> Fault {
    let settings = agent(random);
    let near = settings.agent_radius * random.between(0.15, 0.85);
    let base = furnished(random, settings);
    let mut broken = base.clone();
    broken.boxed("wall", [near, -0.2, -12.0], [near + 0.25, 6.0, 12.0]);
    let at = [0.0, logged(random), random.between(-3.0, 3.0)];
    let made = FaultDraft { name: "beside a wall", causes: &[Cause::NearEdge], has_fix: true };
    Fault { measured: Some(near), ..made.of(&broken, &base, at) }
}

/// Returns four walls without a door.
fn closet(random: &mut Random) -> Fault {
    let settings = BakeSettings { tile_size: 0, ..agent(random) };
    let (cell, radius) = (settings.cell_size, settings.agent_radius);
    // Some voxels remain in the middle, but fewer than 64.
    let half = radius + cell * random.between(2.2, 3.2);
    let base = furnished(random, settings);
    let with = |door: bool| {
        let mut scene = base.clone();
        let outer = half + 0.2;
        scene.boxed("shaft", [-outer, -0.2, -outer], [-half, 6.0, outer]);
        scene.boxed("shaft", [-outer, -0.2, -outer], [outer, 6.0, -half]);
        scene.boxed("shaft", [-outer, -0.2, half], [outer, 6.0, outer]);
        if !door {
            scene.boxed("shaft", [half, -0.2, -outer], [outer, 6.0, outer]);
        }
        scene
    };
    let at = [0.0, logged(random), 0.0];
    let made = FaultDraft { name: "closet", causes: &[Cause::RegionTooSmall], has_fix: true };
    made.of(&with(false), &with(true), at)
}

fn volume(random: &mut Random) -> Fault {
    let settings = agent(random);
    let base = furnished(random, settings);
    let mut broken = base.clone();
    let [x, z] = middle(random);
    let [low, high] = [broken.place([x, -0.5, z]), broken.place([x, 1.5, z])];
    let half = random.between(1.2, 2.5);
    let shape = match random.below(3) {
        0 => VolumeShape::Cylinder { base: low, radius: half, height: 2.0 },
        1 => VolumeShape::Box(Aabb::new(
            low - Vec3::new(half, 0.0, half),
            high + Vec3::new(half, 0.0, half),
        )),
        _ => VolumeShape::TurnedBox {
            center: (low + high) / 2.0,
            half_extents: Vec3::new(half, 1.0, half),
            yaw: random.between(0.0, 3.0),
        },
    };
    broken.volume(shape);
    let at = [x, logged(random), z];
    FaultDraft { name: "volume", causes: &[Cause::Volume], has_fix: false }.of(&broken, &base, at)
}

fn no_flags(random: &mut Random) -> Fault {
    let base = volume(random);
    let mut broken = base.broken.clone();
    broken.volumes[0].area = RawArea(9);
    broken.area_flags = without_flags(9);
    Fault { name: "no flags", causes: vec![Cause::AreaWithoutFlags], broken, ..base }
}

/// Returns the default flags of areas, but none for `area`.
pub(super) fn without_flags(area: usize) -> AreaFlags {
    let mut flags: Vec<u16> = AreaFlags::default().into();
    flags[area] = 0;
    flags.try_into().unwrap()
}

fn out_of_bounds(random: &mut Random) -> Fault {
    let settings = agent(random);
    let base = furnished(random, settings);
    let at = [random.between(3.0, 4.5), logged(random), 0.0];
    let mut fault =
        FaultDraft { name: "out of bounds", causes: &[Cause::OutOfBounds], has_fix: false }
            .of(&base, &base, at);
    let far = base.place([-6.0, 0.0, 0.0]);
    let half = Vec3::new(4.0, 9.0, 4.0);
    fault.broken.bounds.push(Aabb::new(far - half, far + half));
    fault
}

/// Returns a hole in the floor.
fn hole(random: &mut Random) -> Fault {
    let settings = agent(random);
    let mut broken = scene(random, settings);
    let half = random.between(1.0, 2.5);
    broken.boxed("floor", [-12.0, -0.3, -12.0], [-half, 0.0, 12.0]);
    broken.boxed("floor", [half, -0.3, -12.0], [12.0, 0.0, 12.0]);
    broken.boxed("floor", [-half, -0.3, -12.0], [half, 0.0, -half]);
    broken.boxed("floor", [-half, -0.3, half], [half, 0.0, 12.0]);
    let mut repaired = broken.clone();
    repaired.boxed("floor", [-half, -0.3, -half], [half, 0.0, half]);
    let at = [random.between(-0.4, 0.4), logged(random), random.between(-0.4, 0.4)];
    FaultDraft { name: "hole", causes: &[Cause::NoGround], has_fix: false }
        .of(&broken, &repaired, at)
}

fn in_the_air(random: &mut Random) -> Fault {
    let settings = agent(random);
    let base = furnished(random, settings);
    let [x, z] = middle(random);
    let y = random.between(0.9, 3.0);
    let mut repaired = base.clone();
    repaired.boxed("deck", [-5.0, y - 0.2, -5.0], [5.0, y, 5.0]);
    let made = FaultDraft { name: "in the air", causes: &[Cause::NoGround], has_fix: false };
    made.of(&base, &repaired, [x, y, z])
}

fn rule(becomes: SurfaceUse) -> SurfaceRule {
    SurfaceRule { source: SurfaceSource::Object, name: "carpet".to_owned(), becomes }
}

fn deck(random: &mut Random) -> (Scene, [f32; 3]) {
    let settings = agent(random);
    let y = settings.agent_max_climb + random.between(0.8, 2.5);
    let mut base = furnished(random, settings);
    base.boxed("carpet", [-3.0, y - 0.2, -3.0], [3.0, y, 3.0]);
    let at = [random.between(-1.0, 1.0), y + logged(random), random.between(-1.0, 1.0)];
    (base, at)
}

fn marked(random: &mut Random) -> Fault {
    let (base, at) = deck(random);
    let made = FaultDraft { name: "marked", causes: &[Cause::MarkedSurface], has_fix: false };
    let mut fault = made.of(&base, &base, at);
    fault.broken.surfaces.push(rule(SurfaceUse::Area(RawArea::NULL)));
    fault
}

fn left_out(random: &mut Random) -> Fault {
    let (base, at) = deck(random);
    let made = FaultDraft { name: "left out", causes: &[Cause::MarkedSurface], has_fix: false };
    let mut fault = made.of(&base, &base, at);
    fault.broken.surfaces.push(rule(SurfaceUse::LeftOut));
    fault
}

/// Returns a niche that a coarse contour excludes.
fn niche(random: &mut Random) -> Fault {
    let agent = agent(random);
    let (cell, radius) = (agent.cell_size, agent.agent_radius);
    let error = random.pick(&[5.0, 6.0, 8.0]);
    let settings = BakeSettings { edge_max_error: error, tile_size: 0, ..agent };
    let mut broken = furnished(random, settings);
    let half = radius + 1.5 * cell;
    let depth = radius + cell * (error - 2.5);
    broken.boxed("wall", [1.0, -0.2, -12.0], [5.0, 6.0, -half]);
    broken.boxed("wall", [1.0, -0.2, half], [5.0, 6.0, 12.0]);
    broken.boxed("wall", [1.0 + depth, -0.2, -half], [5.0, 6.0, half]);
    let mut repaired = broken.clone();
    repaired.settings.edge_max_error = 1.0;
    let at = [1.0 + depth - radius - 1.5 * cell, logged(random), 0.0];
    FaultDraft { name: "niche", causes: &[Cause::CutOff], has_fix: true }.of(&broken, &repaired, at)
}

fn in_a_container(random: &mut Random) -> Fault {
    let settings = agent(random);
    let high = random.between(1.0, 4.0);
    let base = furnished(random, settings);
    let mut broken = base.clone();
    let half = random.between(0.8, 1.3);
    broken.boxed("container", [-half, 0.0, -half], [half, high, half]);
    let at = [random.between(-0.3, 0.3), logged(random).max(0.0), random.between(-0.3, 0.3)];
    let made = FaultDraft { name: "in a container", causes: &[Cause::Buried], has_fix: false };
    made.of(&broken, &base, at)
}

fn in_a_rock(random: &mut Random) -> Fault {
    let settings = agent(random);
    let base = furnished(random, settings);
    let mut broken = base.clone();
    // The rock extends through the floor, as is common in levels.
    let [a, b] = [random.between(1.0, 2.0), random.between(1.5, 3.0)];
    broken.boxed("rock", [-a, -1.0, -a], [a, b, a]);
    let at = [random.between(-0.4, 0.4), random.between(0.05, 0.3), random.between(-0.4, 0.4)];
    let made = FaultDraft { name: "in a rock", causes: &[Cause::Buried], has_fix: false };
    made.of(&broken, &base, at)
}

fn level_end(random: &mut Random) -> Fault {
    let settings = agent(random);
    let near = settings.cell_size * 0.4;
    let z = random.between(-4.0, 4.0);
    let height = logged(random);
    let with = |far: f32| {
        let mut scene = Scene::new(settings.clone(), 0.0, Vec3::new(7.0, 1.0, -3.0));
        scene.boxed("floor", [-12.0, -0.3, -12.0], [far, 0.0, 12.0]);
        scene
    };
    let at = [-12.0 + near, height, z];
    let broken = with(12.0);
    let mut repaired = with(12.0);
    repaired.boxed("floor", [-16.0, -0.3, -12.0], [-12.0, 0.0, 12.0]);
    let causes = [Cause::LevelEdge, Cause::Ledge];
    let has_fix = settings.agent_radius / 2.0 < near;
    FaultDraft { name: "level end", causes: &causes, has_fix }.of(&broken, &repaired, at)
}

/// Returns ground that is at most two voxels wide everywhere.
fn no_basin(random: &mut Random) -> Fault {
    let settings = BakeSettings {
        agent_radius: 0.0,
        filter_ledge_spans: false,
        tile_size: 0,
        region_min_size: 2.0,
        ..agent(random)
    };
    let cell = settings.cell_size;
    let at = [0.0, logged(random), 0.0];
    let with = |half: f32| {
        let mut scene = Scene::new(settings.clone(), 0.0, Vec3::ZERO);
        scene.boxed("beam", [-half, -0.3, -8.0], [half, 0.0, 8.0]);
        scene
    };
    let causes = [Cause::NoRegion, Cause::CellTooCoarse];
    let made = FaultDraft { name: "no basin", causes: &causes, has_fix: true };
    made.of(&with(cell), &with(cell * 4.0), at)
}

fn coarse_passage(random: &mut Random) -> Fault {
    let agent = agent(random);
    let radius = agent.agent_radius;
    let cell = radius * random.pick(&[1.5, 1.8]);
    let settings = BakeSettings { cell_size: cell, ..agent };
    let half = cell * random.between(1.1, 1.25);
    let base = furnished(random, settings);
    let with = |scene: &Scene, half: f32| {
        let mut scene = scene.clone();
        scene.boxed("wall", [-2.0, -0.2, -half - 3.0], [2.0, 6.0, -half]);
        scene.boxed("wall", [-2.0, -0.2, half], [2.0, 6.0, half + 3.0]);
        scene
    };
    let at = [0.0, logged(random), 0.0];
    let broken = with(&base, half);
    let mut repaired = broken.clone();
    repaired.settings.cell_size = radius / 4.0;
    let causes = [Cause::CellTooCoarse, Cause::NearEdge];
    FaultDraft { name: "coarse passage", causes: &causes, has_fix: true }.of(&broken, &repaired, at)
}

/// Returns a ramp for an agent whose climb is less than a voxel.
fn climb_of_no_voxel(random: &mut Random) -> Fault {
    let agent = agent(random);
    let settings =
        BakeSettings { agent_max_climb: agent.cell_height * random.pick(&[0.5, 0.9]), ..agent };
    let mut broken = furnished(random, settings);
    let rise = 6.0 * random.between(8.0_f32, 20.0).to_radians().tan();
    broken.ramp("ramp", [-3.0, 0.0, -3.0], [3.0, rise, 3.0]);
    let mut repaired = broken.clone();
    repaired.settings.cell_height = broken.settings.agent_max_climb / 3.0;
    repaired.settings.cell_size = 0.05;
    let at = [0.0, rise / 2.0 + logged(random), 0.0];
    let causes = [Cause::CellTooCoarse, Cause::Step];
    FaultDraft { name: "climb of no voxel", causes: &causes, has_fix: true }
        .of(&broken, &repaired, at)
}

fn beside_level(random: &mut Random) -> Fault {
    let settings = agent(random);
    let broken = furnished(random, settings);
    let mut repaired = broken.clone();
    let far = random.between(18.0, 22.0);
    repaired.boxed("floor", [12.0, -0.3, -30.0], [30.0, 0.0, 12.0]);
    let at = [far, logged(random), -far];
    let made =
        FaultDraft { name: "beside the level", causes: &[Cause::OutsideLevel], has_fix: false };
    made.of(&broken, &repaired, at)
}

/// Returns stairs with risers that are too high.
fn stairs(random: &mut Random) -> Fault {
    let settings = agent(random);
    let climb = settings.agent_max_climb;
    let riser = climb * random.pick(&[1.1, 1.3]) + 0.05;
    let base = furnished(random, settings);
    let tread = random.between(0.9, 1.6);
    let with = |riser: f32, from: f32| {
        let mut scene = base.clone();
        let mut y = from;
        for x in [0.0, 1.0, 2.0, 3.0] {
            y += riser;
            scene.boxed(
                "stair",
                [-4.0 + x * tread, -0.2, -3.0],
                [-4.0 + (x + 1.0) * tread, y, 3.0],
            );
        }
        scene
    };
    let at = [-4.0 + 1.5 * tread, 2.0 * riser + logged(random), 0.0];
    let (broken, repaired) = (with(riser, 0.0), with(climb * 0.3, 2.0 * riser - climb * 0.6));
    let causes = [Cause::Step, Cause::Ledge];
    FaultDraft { name: "stairs", causes: &causes, has_fix: true }.of(&broken, &repaired, at)
}

/// Returns a ramp that is not too steep, but rises by more than the climb from voxel to voxel.
fn uneven_ramp(random: &mut Random) -> Fault {
    let agent = agent(random);
    let settings =
        BakeSettings { agent_max_slope: 50.0, agent_max_climb: agent.cell_height * 1.5, ..agent };
    let mut broken = furnished(random, settings);
    let rise = 4.0 * random.between(36.0_f32, 44.0).to_radians().tan();
    broken.ramp("ramp", [-2.0, 0.0, -3.0], [2.0, rise, 3.0]);
    let mut repaired = broken.clone();
    repaired.settings.agent_max_climb = 1.2;
    let at = [0.0, rise / 2.0 + logged(random), 0.0];
    let causes = [Cause::CellTooCoarse, Cause::Step, Cause::Ledge];
    FaultDraft { name: "uneven ramp", causes: &causes, has_fix: true }.of(&broken, &repaired, at)
}

/// Returns a place near a drop higher than any step.
fn balcony(random: &mut Random) -> Fault {
    let settings = agent(random);
    let (radius, cell) = (settings.agent_radius, settings.cell_size);
    let drop = random.between(2.5, 6.0);
    // Farther from the edge than the voxels that are ledges themselves.
    let near = (radius * 0.7).max(cell * 1.5);
    let base = furnished(random, settings);
    let mut broken = base.clone();
    broken.boxed("stage", [-5.0, 0.0, -5.0], [4.0, drop, 5.0]);
    let mut repaired = base;
    repaired.boxed("stage", [-5.0, 0.0, -5.0], [6.0, drop, 5.0]);
    let at = [4.0 - near, drop + logged(random), random.between(-2.0, 2.0)];
    let causes = [Cause::NearEdge, Cause::Ledge];
    FaultDraft { name: "balcony", causes: &causes, has_fix: true }.of(&broken, &repaired, at)
}

fn table(random: &mut Random) -> Fault {
    let settings = BakeSettings { tile_size: 0, ..agent(random) };
    let (radius, cell) = (settings.agent_radius, settings.cell_size);
    let y = settings.agent_max_climb + random.between(0.3, 0.8);
    // Fewer than 64 voxels remain after the ledge filter and erosion.
    let half = radius + cell * random.between(3.2, 4.0);
    let base = furnished(random, settings);
    let with = |half: f32| {
        let mut scene = base.clone();
        scene.boxed("table", [-half, y - 0.1, -half], [half, y, half]);
        scene
    };
    let at = [0.0, y + logged(random), 0.0];
    let causes = [Cause::RegionTooSmall, Cause::Step, Cause::Ledge];
    FaultDraft { name: "table", causes: &causes, has_fix: true }.of(
        &with(half),
        &with(half * 3.0),
        at,
    )
}

fn in_a_wall(random: &mut Random) -> Fault {
    let settings = agent(random);
    let half = random.between(0.1, 0.5);
    let base = furnished(random, settings);
    let mut broken = base.clone();
    broken.boxed("wall", [-half, -0.2, -6.0], [half, 3.0, 6.0]);
    let at =
        [random.between(-0.4, 0.4) * half, logged(random).max(0.02), random.between(-2.0, 2.0)];
    let causes = [Cause::Buried, Cause::NearEdge];
    FaultDraft { name: "in a wall", causes: &causes, has_fix: false }.of(&broken, &base, at)
}

/// Returns a place below a hill without an underside.
fn under_the_floor(random: &mut Random) -> Fault {
    let settings = agent(random);
    let y = random.between(1.0, 3.0);
    let with = |random: &mut Random, y: f32| {
        let mut scene = scene(random, settings.clone());
        scene.sheet("terrain", [-12.0, -12.0], [12.0, 12.0], (y, Winding::Out));
        scene.boxed("mast", [8.0, -4.0, 8.0], [8.5, 6.0, 8.5]);
        scene
    };
    let (broken, repaired) = (with(&mut random.clone(), y), with(&mut random.clone(), 0.0));
    let causes = [Cause::Buried, Cause::NoGround];
    FaultDraft { name: "under the floor", causes: &causes, has_fix: false }.of(
        &broken,
        &repaired,
        [0.5, 0.05, 0.5],
    )
}

/// Returns a place below the landing of a flight of stairs, with too little head room.
fn under_stairs(random: &mut Random) -> Fault {
    let settings = agent(random);
    let room = settings.agent_height * random.between(0.75, 0.9);
    let base = furnished(random, settings);
    let with = |room: f32| {
        let mut scene = base.clone();
        scene.boxed("landing", [-2.0, room, -3.0], [2.0, room + 0.3, 3.0]);
        scene.ramp("flight", [2.0, room + 0.3, -3.0], [6.0, room + 2.8, 3.0]);
        scene
    };
    let at = [random.between(-0.3, 0.3), logged(random), random.between(-0.5, 0.5)];
    let made = FaultDraft { name: "under stairs", causes: &[Cause::LowCeiling], has_fix: true };
    made.of(&with(room), &with(settings_room(&base)), at)
}

/// Generates a place with two of: a slope, a low ceiling, a volume and a wall beside it.
pub(crate) fn two_faults(seed: u64) -> (BakeInput, Vec3, [Cause; 2]) {
    let pair = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][usize::try_from(seed % 6).unwrap()];
    let mut random = Random::new(seed ^ 0x7a1d);
    let random = &mut random;
    let settings = agent(random);
    let slope = settings.agent_max_slope + random.between(3.0, 8.0);
    let (room, near) = (settings.agent_height * 0.7, settings.agent_radius * 0.5);
    let mut scene = scene(random, settings);
    let rise = if pair.contains(&0) { 6.0 * slope.to_radians().tan() } else { 0.0 };
    scene.ramp("floor", [-3.0, 0.0, -6.0], [3.0, rise, 6.0]);
    if pair.contains(&1) {
        let above = |y: f32| if rise > 0.0 { y + rise } else { y };
        scene.ramp("ceiling", [-3.0, room + 0.1, -6.0], [3.0, above(room) + 0.1, 6.0]);
    }
    if pair.contains(&2) {
        let shape =
            VolumeShape::Cylinder { base: scene.place([0.0, -1.0, 0.0]), radius: 2.0, height: 9.0 };
        scene.volume(shape);
    }
    if pair.contains(&3) {
        scene.boxed("wall", [-3.0, -0.2, near], [3.0, 12.0, near + 0.3]);
    }
    let causes = [Cause::TooSteep, Cause::LowCeiling, Cause::Volume, Cause::NearEdge];
    (scene.bake_input(), scene.place([0.0, rise / 2.0, 0.0]), pair.map(|kind| causes[kind]))
}

fn settings_room(scene: &Scene) -> f32 {
    scene.settings.agent_height + 0.7
}

/// Returns a place without a fault, but near obstacles.
pub(crate) fn clean(seed: u64) -> (BakeInput, Vec3) {
    let random = &mut Random::new(seed ^ 0xc1ea);
    let settings = agent(random);
    let BakeSettings {
        cell_size: cell,
        cell_height,
        agent_radius: radius,
        agent_max_climb: climb,
        ..
    } = settings;
    let (limit, needed) = (settings.agent_max_slope, settings.agent_height);
    let mut scene = furnished(random, settings);
    let height = logged(random);
    let at = match seed % 5 {
        0 => {
            let rise = 6.0 * (limit - random.pick(&[1.0, 6.0, 15.0])).min(38.0).to_radians().tan();
            scene.ramp("ramp", [-3.0, 0.0, -4.0], [3.0, rise, 4.0]);
            [0.0, rise / 2.0 + height, 0.0]
        }
        1 => {
            scene.boxed("duct", [-3.0, needed + cell_height * 2.1, -3.0], [3.0, needed + 1.0, 3.0]);
            [0.0, height, 0.0]
        }
        2 => {
            let half = radius + 2.5 * cell;
            scene.boxed("wall", [-0.1, -0.2, -12.0], [0.1, 6.0, -half]);
            scene.boxed("wall", [-0.1, -0.2, half], [0.1, 6.0, 12.0]);
            [0.0, height, 0.0]
        }
        3 => {
            let step = climb - 1.1 * cell_height;
            scene.boxed("kerb", [-1.5, 0.0, -1.5], [1.5, step.max(0.05), 1.5]);
            [0.0, step.max(0.05) + height, 0.0]
        }
        _ => [0.0, height, 0.0],
    };
    (scene.bake_input(), scene.place(at))
}
