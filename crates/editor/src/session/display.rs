//! What is seen of level and stages, and how. It is neither saved nor undone.

use glam::Vec3;
use walkable::navmesh::{NavMesh, PolyKind};

use super::{Datum, LayerDisplay, Overlay, StageView};

/// What the 3D view shows.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplaySettings {
    /// How opaque the level is, from 0 to 1.
    pub level: f32,
    /// How opaque the picture of the stage shown is, from 0 to 1.
    pub stage: f32,
    /// Other stages shown under it, in pipeline order, with their opacity.
    pub under: Vec<(StageView, f32)>,
    /// Heights between which level and stages are seen.
    pub slice: Slice,
    /// The storey that the slice shows and how many there are, counted from 1, while it is one.
    pub storey: Option<(usize, usize)>,
    /// What the colors of polygons say.
    pub color_by: ColorBy,
    /// What is written on the navmesh.
    pub labels: Vec<LabelKind>,
    /// Overlays that are on.
    pub overlays: Vec<Overlay>,
    /// What is seen of the layers of a tile.
    pub layers: LayerDisplay,
    /// The part of the level, by index, that is pointed at in its list.
    pub part: Option<usize>,
    /// The piece of a tile's data that is pointed at in its list.
    pub datum: Option<Datum>,
    /// Where the divider between before and now stands, a part of the view's width.
    pub divider: Option<f32>,
}

impl Default for DisplaySettings {
    fn default() -> Self {
        Self {
            level: 1.0,
            stage: 1.0,
            under: Vec::new(),
            slice: Slice::ALL,
            storey: None,
            color_by: ColorBy::Area,
            labels: Vec::new(),
            overlays: Vec::new(),
            layers: LayerDisplay::default(),
            part: None,
            datum: None,
            divider: None,
        }
    }
}

impl DisplaySettings {
    /// Shows `stage` under the others, or no longer.
    pub fn put_under(&mut self, stage: StageView, opacity: Option<f32>) {
        self.under.retain(|(other, _)| *other != stage);
        self.under.extend(opacity.map(|opacity| (stage, opacity)));
        self.under.sort_by_key(|(stage, _)| *stage);
    }

    /// Writes `kind` on the navmesh, or no longer.
    pub fn toggle_label(&mut self, kind: LabelKind) {
        toggle(&mut self.labels, kind);
    }

    /// Draws `overlay`, or no longer.
    pub fn toggle_overlay(&mut self, overlay: Overlay) {
        toggle(&mut self.overlays, overlay);
    }

    /// Whether `overlay` is drawn.
    pub fn shows(&self, overlay: Overlay) -> bool {
        self.overlays.contains(&overlay)
    }

    /// Goes up or down one of `storeys`; from the last one all are shown, from there the first.
    pub fn step(&mut self, storeys: &[Slice], way: Way) {
        let n = storeys.len();
        // All storeys together stand before the first and after the last.
        let now = self.storey.map_or(0, |(number, _)| number.min(n));
        let by = match way {
            Way::Up => 1,
            Way::Down => n,
        };
        let next = (now + by) % (n + 1);
        let storey = next.checked_sub(1).and_then(|index| storeys.get(index));
        self.slice = storey.copied().unwrap_or(Slice::ALL);
        self.storey = storey.map(|_| (next, n));
    }
}

/// Adds `one` to a sorted list, or takes it out.
fn toggle<T: Ord + Copy>(list: &mut Vec<T>, one: T) {
    match list.binary_search(&one) {
        Ok(at) => drop(list.remove(at)),
        Err(at) => list.insert(at, one),
    }
}

/// From storey to storey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the next one above.
    Up,
    /// To the next one below.
    Down,
}

/// A place on the level's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hover {
    /// Where, in world space.
    pub point: Vec3,
    /// Index of the triangle hit, where known.
    pub triangle: Option<u32>,
}

/// Heights between which something is seen, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// The lowest.
    pub bottom: f32,
    /// The highest.
    pub top: f32,
}

impl Slice {
    /// Everything.
    pub const ALL: Self = Self { bottom: f32::MIN, top: f32::MAX };

    /// Whether what is at `height` is seen.
    pub fn holds(self, height: f32) -> bool {
        (self.bottom..=self.top).contains(&height)
    }
}

/// What the colors of polygons say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorBy {
    /// What the ground is.
    #[default]
    Area,
    /// The region a polygon was cut from.
    Region,
    /// The tile.
    Tile,
    /// What can be reached from where.
    Island,
    /// How steep the ground is.
    Slope,
    /// What walking costs.
    Cost,
    /// How long the tile took to bake.
    BakeTime,
    /// How large the tile's data are.
    Memory,
}

impl ColorBy {
    /// All, the usual one first.
    pub const ALL: [Self; 8] = [
        Self::Area,
        Self::Region,
        Self::Tile,
        Self::Island,
        Self::Slope,
        Self::Cost,
        Self::BakeTime,
        Self::Memory,
    ];

    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Area => "Area",
            Self::Region => "Region",
            Self::Tile => "Tile",
            Self::Island => "Island",
            Self::Slope => "Slope",
            Self::Cost => "Cost",
            Self::BakeTime => "Bake time",
            Self::Memory => "Memory",
        }
    }

    /// What it says, in one sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Area => "What the ground is: one color per area",
            Self::Region => "One color per region that polygons were cut from",
            Self::Tile => "One color per tile",
            Self::Island => "One color per island; no path leads from one to another",
            Self::Slope => "How steep the ground is, up to the agent's limit",
            Self::Cost => "What a meter costs with the path's filter",
            Self::BakeTime => "Heat map: how long each tile took to bake",
            Self::Memory => "How large the data of each tile are",
        }
    }
}

/// What is written on the navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelKind {
    /// Coordinates, time and size of tiles.
    Tile,
    /// Index of each polygon in its tile.
    Polygon,
    /// Name of its area.
    Area,
    /// What a meter costs.
    Cost,
    /// Names of its flags.
    Flags,
    /// What the path's search knew at each node.
    Node,
}

impl LabelKind {
    /// All.
    pub const ALL: [Self; 6] =
        [Self::Tile, Self::Polygon, Self::Area, Self::Cost, Self::Flags, Self::Node];

    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tile => "Tiles",
            Self::Polygon => "Polygons",
            Self::Area => "Areas",
            Self::Cost => "Costs",
            Self::Flags => "Flags",
            Self::Node => "Search nodes",
        }
    }

    /// What it writes, in one sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Tile => "Column and row of each tile, its bake time and its size",
            Self::Polygon => "Index of each polygon in its tile",
            Self::Area => "What the ground of each polygon is",
            Self::Cost => "What a meter on each polygon costs with the path's filter",
            Self::Flags => "Flags of each polygon",
            Self::Node => {
                "Cost so far (g), heuristic (h) and their sum (f) at each node of the path's search"
            }
        }
    }
}

/// The storeys of `mesh`, from the lowest to the highest: heights at which much ground lies, each with
/// room for an agent of height `head_room` meters.
pub fn storeys(mesh: &NavMesh, head_room: f32) -> Vec<Slice> {
    let ground = mesh.tiles().flat_map(|tile| {
        let ground = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground);
        ground.map(|poly| {
            let corners = tile.corners(poly);
            let middle = corners.iter().map(|corner| corner.y).sum::<f32>();
            let fan = corners.windows(2).skip(1).map(|edge| {
                let across = (edge[0] - corners[0]).cross(edge[1] - corners[0]);
                0.5 * across.length()
            });
            (middle / count(corners.len()), fan.sum::<f32>())
        })
    });
    storeys_of(ground.collect(), head_room.max(0.5))
}

/// As [`storeys`], of pieces of ground by height and area.
fn storeys_of(mut ground: Vec<(f32, f32)>, head_room: f32) -> Vec<Slice> {
    /// Ground less than this part of all is no storey: stairs, tables.
    const LEAST: f32 = 0.02;
    /// Below a floor so much is seen of it, in meters.
    const BELOW: f32 = 0.6;
    ground.retain(|(height, area)| height.is_finite() && area.is_finite());
    ground.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: f32 = ground.iter().map(|(_, area)| area).sum();
    let mut floors: Vec<f32> = Vec::new();
    let mut left = ground;
    while let Some((floor, area)) = fullest(&left, 0.5 * head_room) {
        if area < LEAST * all {
            break;
        }
        floors.push(floor);
        left.retain(|(height, _)| (height - floor).abs() >= head_room);
    }
    floors.sort_by(f32::total_cmp);
    let next = floors.iter().skip(1).map(|next| next - BELOW).chain([f32::MAX]);
    let slice = |(floor, next): (&f32, f32)| Slice {
        bottom: floor - BELOW,
        top: (floor + head_room).min(next),
    };
    floors.iter().zip(next).map(slice).collect()
}

/// Where a band of height `band` holds most ground of `sorted`: the mean height of that, and how much it is.
fn fullest(sorted: &[(f32, f32)], band: f32) -> Option<(f32, f32)> {
    let (mut end, mut held, mut moment) = (0, 0.0, 0.0);
    let mut best: Option<(f32, f32)> = None;
    for (start, &(floor, area)) in sorted.iter().enumerate() {
        end = end.max(start);
        while let Some(&(height, more)) = sorted.get(end).filter(|it| it.0 <= floor + band) {
            held += more;
            moment += more * height;
            end += 1;
        }
        if best.is_none_or(|(_, most)| held > most) {
            best = Some((if held > 0.0 { moment / held } else { floor }, held));
        }
        held -= area;
        moment -= area * floor;
    }
    best
}

#[expect(clippy::cast_precision_loss, reason = "a polygon has six corners")]
fn count(n: usize) -> f32 {
    n.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storeys_are_where_much_ground_lies() {
        let floor = |height: f32| (0..10_u8).map(move |n| (height + 0.01 * f32::from(n), 5.0));
        // Two floors joined by stairs, and a table.
        let stairs = (0..30_u8).map(|n| (0.1 * f32::from(n), 0.05));
        let ground: Vec<_> =
            floor(0.0).chain(floor(3.0)).chain(stairs).chain([(1.0, 0.5)]).collect();
        let found = storeys_of(ground, 2.0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].holds(0.0) && !found[0].holds(2.8) && found[1].holds(3.0));
        assert!(!found[1].holds(1.9), "{found:?}");
    }

    #[test]
    fn ground_without_numbers_has_no_storeys() {
        assert_eq!(storeys_of(Vec::new(), 2.0), []);
        assert_eq!(storeys_of(vec![(f32::NAN, 1.0)], 2.0), []);
    }

    #[test]
    fn steps_go_round_through_all_storeys() {
        let storeys = [Slice { bottom: 0.0, top: 2.0 }, Slice { bottom: 3.0, top: 5.0 }];
        let mut display = DisplaySettings::default();
        let mut seen = Vec::new();
        for _ in 0..3 {
            display.step(&storeys, Way::Up);
            seen.push(display.storey);
        }
        assert_eq!(seen, [Some((1, 2)), Some((2, 2)), None]);
        assert_eq!(display.slice, Slice::ALL);
        display.step(&storeys, Way::Down);
        assert_eq!((display.storey, display.slice), (Some((2, 2)), storeys[1]));
        display.step(&[], Way::Up);
        assert_eq!((display.storey, display.slice), (None, Slice::ALL));
    }

    #[test]
    fn stages_lie_under_others_in_pipeline_order_and_once() {
        let mut display = DisplaySettings::default();
        display.put_under(StageView::Navmesh, Some(0.5));
        display.put_under(StageView::Spans, Some(1.0));
        display.put_under(StageView::Navmesh, Some(0.7));
        assert_eq!(display.under, [(StageView::Spans, 1.0), (StageView::Navmesh, 0.7)]);
        display.put_under(StageView::Spans, None);
        assert_eq!(display.under, [(StageView::Navmesh, 0.7)]);
    }
}
