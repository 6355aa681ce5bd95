//! Paths with two faults, each of which alone blocks the agent.

use walkable::{
    bake::{AreaVolume, BakeInput, RawArea, SurfaceRule, SurfaceSource, SurfaceUse, VolumeShape},
    explain::Cause,
    glam::Vec3,
};
use walkable_runtime::random::Random;

use super::{
    paths::{BRINK, Rooms, SIDE, Terms, USUAL, leads, scene, too_high},
    places::without_flags,
    scene::Scene,
};

/// A path with two faults.
pub(crate) struct TwoFaults {
    pub(crate) causes: [&'static [Cause]; 2],
    pub(crate) broken: BakeInput,
    pub(crate) ends: [Vec3; 2],
    pub(crate) terms: Terms,
}

/// A fault across a doorway between two rooms or, for the last three, in the floor of the third room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocked {
    Step,
    Low,
    Narrow,
    Volume,
    Filtered,
    NoFlags,
    Gap,
    Marked,
    LeftOut,
}

const DOORS: [Blocked; 6] = [
    Blocked::Step,
    Blocked::Low,
    Blocked::Narrow,
    Blocked::Volume,
    Blocked::Filtered,
    Blocked::NoFlags,
];
const FLOORS: [Blocked; 3] = [Blocked::Gap, Blocked::Marked, Blocked::LeftOut];

impl Blocked {
    fn causes(self) -> &'static [Cause] {
        match self {
            Self::Step => &[Cause::Step, Cause::CellTooCoarse],
            Self::Low => &[Cause::LowCeiling, Cause::CellTooCoarse],
            Self::Narrow => &[Cause::Narrow, Cause::NearEdge, Cause::CellTooCoarse],
            Self::Volume => &[Cause::Volume],
            Self::Filtered => &[Cause::Filtered],
            Self::NoFlags => &[Cause::AreaWithoutFlags],
            Self::Gap => &[Cause::Gap],
            Self::Marked | Self::LeftOut => &[Cause::MarkedSurface],
        }
    }
}

/// The doorway between the first two rooms, and that between the last two.
const DOORWAYS: [[f32; 2]; 2] = [[3.5, 6.8], [16.8, 19.4]];

/// Generates a path with two faults from `seed`, which cycles through the pairs of kinds.
pub(crate) fn two_faults(seed: u64) -> TwoFaults {
    let pair = usize::try_from(seed).unwrap() % 54;
    let first = DOORS[pair % 6];
    let second = DOORS.into_iter().chain(FLOORS).nth(pair / 6).unwrap();
    let mut random = Random::new(seed ^ 0x2fa7);
    let mut made = (0..100).map(|_| build(&mut random, [first, second]));
    made.find_map(|made| made).expect("no seed of this pair gives two faults")
}

/// Returns the path with both faults, if either one alone blocks it and it is complete without them.
fn build(random: &mut Random, kinds: [Blocked; 2]) -> Option<TwoFaults> {
    let (scene, rooms) = scene(random);
    let pit = random.between(1.6, 2.4);
    let made = |faults: [Option<Blocked>; 2], random: &mut Random| {
        let rooms = Rooms {
            pit: if faults[1].is_some_and(|kind| FLOORS.contains(&kind)) { pit } else { 0.0 },
            ..rooms.clone()
        };
        let mut scene = rooms.built(scene.clone());
        if faults[1] != Some(Blocked::Gap) {
            scene.boxed("mat", [BRINK, -0.3, SIDE], [BRINK + pit, 0.0, 2.0 * SIDE]);
        }
        let mut volumes = Vec::new();
        let mut rules = Vec::new();
        for (door, kind) in faults.into_iter().enumerate() {
            if let Some(kind) = kind {
                block(random, &mut scene, (kind, DOORWAYS[door]), (&mut volumes, &mut rules));
            }
        }
        let mut input = scene.bake_input();
        input.volumes.extend(volumes);
        input.surfaces.extend(rules);
        input.area_flags = without_flags(9);
        (input, rooms.ends(&scene))
    };
    let terms = Terms { exclude: 2, ..USUAL };
    let [a, b] = kinds.map(Some);
    let leads = |faults, random: &mut Random| {
        let (input, ends) = made(faults, random);
        leads(&input, ends, terms)
    };
    let holds = leads([None, None], &mut random.clone())
        && !leads([a, None], &mut random.clone())
        && !leads([None, b], &mut random.clone());
    let (broken, ends) = made([a, b], random);
    holds.then(|| TwoFaults { causes: kinds.map(Blocked::causes), broken, ends, terms })
}

fn block(
    random: &mut Random,
    scene: &mut Scene,
    (kind, [x0, x1]): (Blocked, [f32; 2]),
    (volumes, rules): (&mut Vec<AreaVolume>, &mut Vec<SurfaceRule>),
) {
    let middle = f32::midpoint(x0, x1);
    let mut across = |area| {
        let corners = [[x0 - 0.4, -1.0], [x1 + 0.4, -1.0], [x1 + 0.4, 1.0], [x0 - 0.4, 1.0]];
        let outline = corners.map(|[x, z]| scene.place([x, 0.0, SIDE + z])).to_vec();
        let floor = scene.place([middle, 0.0, SIDE]).y;
        let shape = VolumeShape::Prism { min_y: floor - 0.6, max_y: floor + 1.5, outline };
        volumes.push(AreaVolume::new(area, shape));
    };
    let mut rule = |becomes| {
        let (source, name) = (SurfaceSource::Object, "mat".to_owned());
        rules.push(SurfaceRule { source, name, becomes });
    };
    match kind {
        Blocked::Volume => across(RawArea::NULL),
        Blocked::Filtered => across(RawArea(1)),
        Blocked::NoFlags => across(RawArea(9)),
        Blocked::Step => {
            let high = too_high(random, scene);
            scene.boxed("sill", [x0, -0.2, SIDE - 0.5], [x1, high, SIDE + 0.5]);
        }
        Blocked::Low => {
            let room = scene.settings.agent_height * random.pick(&[0.5, 0.75]);
            scene.boxed("beam", [x0, room, SIDE - 0.8], [x1, 2.8, SIDE + 0.8]);
        }
        Blocked::Narrow => {
            let half = scene.settings.agent_radius * random.pick(&[0.5, 0.75]);
            scene.boxed("post", [x0, -0.2, SIDE - 0.2], [middle - half, 2.8, SIDE + 0.2]);
            scene.boxed("post", [middle + half, -0.2, SIDE - 0.2], [x1, 2.8, SIDE + 0.2]);
        }
        Blocked::Gap => {}
        Blocked::Marked => rule(SurfaceUse::Area(RawArea::NULL)),
        Blocked::LeftOut => rule(SurfaceUse::LeftOut),
    }
}
