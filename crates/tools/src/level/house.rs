//! Parts of buildings: rooms with doors and windows, floors with stairs through them, roofs.

use glam::Vec3;
use walkable_runtime::{ids::Dir, random::Random};

use crate::level::solid::{Opening, Solids, level_outline};

/// Height of a story, in meters.
pub(super) const STORY_HEIGHT: f32 = 3.2;
/// Thickness of a floor, in meters.
pub(super) const SLAB: f32 = 0.3;
/// Thickness of a wall, in meters.
pub(super) const WALL: f32 = 0.3;
/// Length of a flight of stairs over one story, in meters.
pub(super) const FLIGHT: f32 = 5.2;
/// Width of a flight, in meters.
pub(super) const FLIGHT_WIDTH: f32 = 2.8;

const FLIGHT_STEPS: u8 = 16;
const DOOR_WIDTH: f32 = 2.0;
const DOOR_HEIGHT: f32 = 2.3;
const WINDOW_WIDTH: f32 = 1.4;

/// A rectangle on the ground at height `y`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloorRect {
    pub(super) min: Vec3,
    pub(super) max: Vec3,
}

impl FloorRect {
    pub(super) fn new(x: [f32; 2], z: [f32; 2], y: f32) -> Self {
        Self { min: Vec3::new(x[0], y, z[0]), max: Vec3::new(x[1], y, z[1]) }
    }

    pub(super) fn shrunk(self, by: f32) -> Self {
        let inset = Vec3::new(by, 0.0, by);
        Self { min: self.min + inset, max: self.max - inset }
    }

    pub(super) fn raised(self, by: f32) -> Self {
        Self { min: self.min + Vec3::Y * by, max: self.max + Vec3::Y * by }
    }

    pub(super) fn size(self) -> Vec3 {
        self.max - self.min
    }

    pub(super) fn center(self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Adds the box from `bottom` to `top` above the lot.
    pub(super) fn cuboid(self, solids: &mut Solids, bottom: f32, top: f32) {
        solids.cuboid(self.min + Vec3::Y * bottom, self.max + Vec3::Y * top);
    }
}

/// Adds four walls around the inside of `lot`, `height` high, with windows, and with a door toward each of `doors`.
pub(super) fn outer_walls(solids: &mut Solids, lot: FloorRect, height: f32, doors: &[Dir]) {
    let FloorRect { min, max } = lot;
    let top = min.y + height;
    for dir in Dir::ALL {
        // Walls along x include the corners.
        let (from, to) = match dir {
            Dir::South => (min, Vec3::new(max.x, top, min.z + WALL)),
            Dir::North => (Vec3::new(min.x, min.y, max.z - WALL), max.with_y(top)),
            Dir::West => {
                (Vec3::new(min.x, min.y, min.z + WALL), Vec3::new(min.x + WALL, top, max.z - WALL))
            }
            Dir::East => {
                (Vec3::new(max.x - WALL, min.y, min.z + WALL), Vec3::new(max.x, top, max.z - WALL))
            }
        };
        let along_x = matches!(dir, Dir::South | Dir::North);
        let ends = if along_x { [min.x, max.x] } else { [min.z, max.z] };
        solids.wall(from, to, &openings(ends, min.y, doors.contains(&dir).then_some(DOOR_WIDTH)));
    }
}

/// Returns a door in the middle, if requested, and windows to the left and right of it.
fn openings(ends: [f32; 2], floor: f32, door_width: Option<f32>) -> Vec<Opening> {
    let length = ends[1] - ends[0];
    let centered = |at: f32, width: f32, heights: [f32; 2]| {
        let middle = ends[0] + length * at;
        let along = [middle - width * 0.5, middle + width * 0.5];
        Opening { along, heights: heights.map(|y| floor + y) }
    };
    let window = |at: f32| centered(at, WINDOW_WIDTH, [1.0, 2.3]);
    let door = door_width.map(|width| centered(0.5, width, [0.0, DOOR_HEIGHT]));
    match (door, length > 7.0) {
        (Some(door), true) => vec![window(0.2), door, window(0.8)],
        (Some(door), false) => vec![door],
        (None, true) => vec![window(0.25), window(0.75)],
        (None, false) => vec![window(0.5)],
    }
}

/// Adds a wall across `lot` at `z`, with one doorway in the middle of each half.
pub(super) fn inner_wall(solids: &mut Solids, lot: FloorRect, z: f32, height: f32) {
    let (from, to) = (lot.min.x + WALL, lot.max.x - WALL);
    let doorway = |at: f32| {
        let middle = from + (to - from) * at;
        let along = [middle - DOOR_WIDTH * 0.5, middle + DOOR_WIDTH * 0.5];
        Opening { along, heights: [lot.min.y, lot.min.y + DOOR_HEIGHT] }
    };
    solids.wall(
        Vec3::new(from, lot.min.y, z - 0.1),
        Vec3::new(to, lot.min.y + height, z + 0.1),
        &[doorway(0.25), doorway(0.75)],
    );
}

/// Returns the location of a flight: along the west or east wall of `lot`, in the middle of its length.
pub(super) fn flight_place(lot: FloorRect, side: Dir) -> FloorRect {
    let inside = lot.shrunk(WALL);
    let z = inside.center().z - FLIGHT * 0.5;
    let x = if side == Dir::East { inside.max.x - FLIGHT_WIDTH } else { inside.min.x };
    FloorRect::new([x, x + FLIGHT_WIDTH], [z, z + FLIGHT], lot.min.y)
}

/// Adds a flight from the floor of `lot` to the next one, rising to the north in the west and to the south in the east.
pub(super) fn flight(solids: &mut Solids, lot: FloorRect, side: Dir) {
    let place = flight_place(lot, side);
    let dir = if side == Dir::East { Dir::South } else { Dir::North };
    solids.stairs(place.min, place.max + Vec3::Y * STORY_HEIGHT, dir, FLIGHT_STEPS);
}

/// Adds the ceiling of a story of `lot`, which is the floor of the next one, open over the flight on `side`.
pub(super) fn ceiling(solids: &mut Solids, lot: FloorRect, side: Option<Dir>) {
    let (min, max) = (lot.min + Vec3::Y * (STORY_HEIGHT - SLAB), lot.max + Vec3::Y * STORY_HEIGHT);
    let Some(side) = side else {
        solids.cuboid(min, max);
        return;
    };
    let hole = flight_place(lot, side);
    solids.slab_with_hole(min, max, [hole.min.x..hole.max.x, hole.min.z..hole.max.z]);
}

/// Adds rails, 1 m high, around the hole over the flight on `side`, open at the end of the flight. They keep agents
/// away from the edge, and prevent the edge from counting as a ledge on the stairs.
pub(super) fn rails(solids: &mut Solids, lot: FloorRect, side: Dir) {
    const RAIL: f32 = 0.1;
    let hole = flight_place(lot.raised(STORY_HEIGHT), side);
    let (z, inner) = if side == Dir::East {
        (hole.max.z, hole.min.x - RAIL)
    } else {
        (hole.min.z - RAIL, hole.max.x)
    };
    let along = FloorRect::new([inner, inner + RAIL], [hole.min.z, hole.max.z], hole.min.y);
    let across = FloorRect::new([hole.min.x, hole.max.x], [z, z + RAIL], hole.min.y);
    along.cuboid(solids, 0.0, 1.0);
    across.cuboid(solids, 0.0, 1.0);
}

/// Adds a low wall around the edge of a flat roof.
pub(super) fn parapet(solids: &mut Solids, roof: FloorRect, height: f32) {
    let (min, max) = (roof.min, roof.max);
    let hole = roof.shrunk(WALL);
    solids.slab_with_hole(
        min,
        max + Vec3::Y * height,
        [hole.min.x..hole.max.x, hole.min.z..hole.max.z],
    );
}

/// Adds a steep roof with its ridge along the longer side.
fn gable(solids: &mut Solids, lot: FloorRect) {
    let FloorRect { min, max } = lot;
    let bottom = level_outline(min, max, min.y);
    let size = lot.size();
    let rise = Vec3::Y * (size.x.min(size.z) * 0.6);
    let center = lot.center();
    let ridge = if size.x >= size.z {
        bottom.map(|corner| corner.with_z(center.z) + rise)
    } else {
        bottom.map(|corner| corner.with_x(center.x) + rise)
    };
    for i in 0..4 {
        let next = (i + 1) % 4;
        if ridge[i] == ridge[next] {
            solids.polygon(&[bottom[i], bottom[next], ridge[i]]);
        } else {
            solids.polygon(&[bottom[i], bottom[next], ridge[next], ridge[i]]);
        }
    }
    solids.polygon(&[bottom[0], bottom[3], bottom[2], bottom[1]]);
}

/// Adds a house of one or two stories with its door toward `door`.
pub(super) fn house(
    solids: &mut Solids,
    name: &str,
    lot: FloorRect,
    door: Dir,
    random: &mut Random,
) {
    let plaster = random.pick(&["plaster", "brick", "stone"]);
    let size = lot.size();
    let roomy = size.x > 9.0 && size.z > FLIGHT + 5.0;
    let n_stories: u8 = if roomy && random.chance(0.45) { 2 } else { 1 };
    for story in 0..n_stories {
        let floor = lot.raised(f32::from(story) * STORY_HEIGHT);
        let doors: &[Dir] = if story == 0 { &[door] } else { &[] };
        outer_walls(solids.part(name, plaster), floor, STORY_HEIGHT - SLAB, doors);
        let stairs = (story + 1 < n_stories).then_some(Dir::West);
        if stairs.is_some() {
            flight(solids.part(name, "wood"), floor, Dir::West);
            rails(solids.part(name, "metal"), floor, Dir::West);
        }
        ceiling(solids.part(name, plaster), floor, stairs);
    }
    let roof = lot.raised(f32::from(n_stories) * STORY_HEIGHT);
    if random.chance(0.6) {
        gable(solids.part(name, "roof tiles"), roof);
    } else {
        parapet(solids.part(name, plaster), roof, 0.9);
    }
}
