//! Display options of the level and the stages. They are neither saved nor undone.

use glam::Vec3;
use walkable::navmesh::{NavMesh, PolyKind};
use walkable_workspace::{lang::tr, stage_view::StageView};

use super::{Datum, LayerDisplay, Overlay};

#[derive(Clone, Debug, PartialEq)]
pub struct DisplaySettings {
    /// Opacity of the level, from 0 to 1.
    pub level: f32,
    /// Opacity of the current stage, from 0 to 1.
    pub stage: f32,
    /// Other stages drawn under it, in pipeline order, with their opacity.
    pub under: Vec<(StageView, f32)>,
    pub slice: Slice,
    /// The story that the slice shows, counted from 1, and the number of stories; `None` for any other slice.
    pub story: Option<(usize, usize)>,
    pub color_by: ColorBy,
    pub labels: Vec<LabelKind>,
    pub overlays: Vec<Overlay>,
    pub layers: LayerDisplay,
    pub part: Option<usize>,
    pub datum: Option<Datum>,
    /// Position of the divider between the baseline and the current results, as a fraction of the view's width.
    pub divider: Option<f32>,
}

impl Default for DisplaySettings {
    fn default() -> Self {
        Self {
            level: 1.0,
            stage: 1.0,
            under: Vec::new(),
            slice: Slice::ALL,
            story: None,
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
    /// Shows `stage` under the current one; `None` hides it.
    pub fn put_under(&mut self, stage: StageView, opacity: Option<f32>) {
        self.under.retain(|(other, _)| *other != stage);
        self.under.extend(opacity.map(|opacity| (stage, opacity)));
        self.under.sort_by_key(|(stage, _)| *stage);
    }

    pub fn toggle_label(&mut self, kind: LabelKind) {
        toggle(&mut self.labels, kind);
    }

    pub fn toggle_overlay(&mut self, overlay: Overlay) {
        toggle(&mut self.overlays, overlay);
    }

    pub fn shows(&self, overlay: Overlay) -> bool {
        self.overlays.contains(&overlay)
    }

    /// Goes up or down one of `stories`; after the last one comes the whole level, and then the first one.
    pub fn step(&mut self, stories: &[Slice], direction: SliceDirection) {
        let n = stories.len();
        // Number 0 stands for all stories together, before the first and after the last.
        let now = self.story.map_or(0, |(number, _)| number.min(n));
        let by = match direction {
            SliceDirection::Up => 1,
            SliceDirection::Down => n,
        };
        let next = (now + by) % (n + 1);
        let story = next.checked_sub(1).and_then(|index| stories.get(index));
        self.slice = story.copied().unwrap_or(Slice::ALL);
        self.story = story.map(|_| (next, n));
    }
}

fn toggle<T: Ord + Copy>(list: &mut Vec<T>, one: T) {
    match list.binary_search(&one) {
        Ok(at) => drop(list.remove(at)),
        Err(at) => list.insert(at, one),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceDirection {
    Up,
    Down,
}

/// A point on the level's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hover {
    pub point: Vec3,
    pub triangle: Option<u32>,
}

/// A visible range of heights, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    pub bottom: f32,
    pub top: f32,
}

impl Slice {
    pub const ALL: Self = Self { bottom: f32::MIN, top: f32::MAX };

    pub fn holds(self, height: f32) -> bool {
        (self.bottom..=self.top).contains(&height)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorBy {
    #[default]
    Area,
    Region,
    Tile,
    Island,
    Cluster,
    Slope,
    Cost,
    BakeTime,
    Memory,
    /// The height of the detail surface above the level.
    SurfaceDistance,
}

impl ColorBy {
    pub const ALL: [Self; 10] = [
        Self::Area,
        Self::Region,
        Self::Tile,
        Self::Island,
        Self::Cluster,
        Self::Slope,
        Self::Cost,
        Self::BakeTime,
        Self::Memory,
        Self::SurfaceDistance,
    ];

    /// Returns the name on the command line and in ids of commands.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::Region => "region",
            Self::Tile => "tile",
            Self::Island => "island",
            Self::Cluster => "cluster",
            Self::Slope => "slope",
            Self::Cost => "cost",
            Self::BakeTime => "bake-time",
            Self::Memory => "memory",
            Self::SurfaceDistance => "surface-distance",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Area => tr!("Area"),
            Self::Region => tr!("Region"),
            Self::Tile => tr!("Tile"),
            Self::Island => tr!("Island"),
            Self::Cluster => tr!("Cluster"),
            Self::Slope => tr!("Slope"),
            Self::Cost => tr!("Cost"),
            Self::BakeTime => tr!("Bake time"),
            Self::Memory => tr!("Memory"),
            Self::SurfaceDistance => tr!("Surface distance"),
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Area => tr!("Area of the ground: one color per area"),
            Self::Region => tr!("One color per region that polygons were made from"),
            Self::Tile => tr!("One color per tile"),
            Self::Island => tr!("One color per island; no path leads from one to another"),
            Self::Cluster => tr!(
                "One color per cluster: polygons in a cell of 4 by 4 tiles that reach each other within it, with the path's filter"
            ),
            Self::Slope => tr!("How steep the ground is, up to the agent's limit"),
            Self::Cost => tr!("Cost per meter with the path's filter"),
            Self::BakeTime => tr!("Heat map: how long each tile took to bake"),
            Self::Memory => tr!("Heat map: size of each tile's data"),
            Self::SurfaceDistance => {
                tr!(
                    "Heat map: height of the surface above or below the level, measured by the check"
                )
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelKind {
    Tile,
    /// Index of each polygon in its tile.
    Polygon,
    Area,
    Cost,
    Flags,
    /// Costs of the search at each node of the path.
    Node,
}

impl LabelKind {
    pub const ALL: [Self; 6] =
        [Self::Tile, Self::Polygon, Self::Area, Self::Cost, Self::Flags, Self::Node];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tile => tr!("Tiles"),
            Self::Polygon => tr!("Polygons"),
            Self::Area => tr!("Areas"),
            Self::Cost => tr!("Costs"),
            Self::Flags => tr!("Flags"),
            Self::Node => tr!("Search nodes"),
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Tile => tr!("Column and row of each tile, its bake time and its size"),
            Self::Polygon => tr!("Index of each polygon in its tile"),
            Self::Area => tr!("Area of each polygon"),
            Self::Cost => tr!("Cost per meter on each polygon with the path's filter"),
            Self::Flags => tr!("Flags of each polygon"),
            Self::Node => {
                tr!(
                    "Cost so far (g), heuristic (h) and their sum (f) at each node of the path's search"
                )
            }
        }
    }
}

/// Finds the stories of `mesh`, from the lowest to the highest: heights with much ground, each with clearance for an
/// agent of `head_room` meters.
pub fn stories(mesh: &NavMesh, head_room: f32) -> Vec<Slice> {
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
    stories_of(ground.collect(), head_room.max(0.5))
}

/// Like [`stories`], for pieces of ground given by height and area.
fn stories_of(mut ground: Vec<(f32, f32)>, head_room: f32) -> Vec<Slice> {
    /// Minimum share of all ground; anything smaller is not a story but stairs or tables.
    const LEAST: f32 = 0.02;
    /// Height range below a floor that is shown with it, in meters.
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

/// Finds the band of height `band` with the most ground of `sorted`; returns its mean height and its ground area.
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
    fn stories_are_heights_with_much_ground() {
        let floor = |height: f32| (0..10_u8).map(move |n| (height + 0.01 * f32::from(n), 5.0));
        // Two floors joined by stairs, and a table.
        let stairs = (0..30_u8).map(|n| (0.1 * f32::from(n), 0.05));
        let ground: Vec<_> =
            floor(0.0).chain(floor(3.0)).chain(stairs).chain([(1.0, 0.5)]).collect();
        let found = stories_of(ground, 2.0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].holds(0.0) && !found[0].holds(2.8) && found[1].holds(3.0));
        assert!(!found[1].holds(1.9), "{found:?}");
    }

    #[test]
    fn ground_without_numbers_has_no_stories() {
        assert_eq!(stories_of(Vec::new(), 2.0), []);
        assert_eq!(stories_of(vec![(f32::NAN, 1.0)], 2.0), []);
    }

    #[test]
    fn steps_cycle_through_all_stories() {
        let stories = [Slice { bottom: 0.0, top: 2.0 }, Slice { bottom: 3.0, top: 5.0 }];
        let mut display = DisplaySettings::default();
        let mut seen = Vec::new();
        for _ in 0..3 {
            display.step(&stories, SliceDirection::Up);
            seen.push(display.story);
        }
        assert_eq!(seen, [Some((1, 2)), Some((2, 2)), None]);
        assert_eq!(display.slice, Slice::ALL);
        display.step(&stories, SliceDirection::Down);
        assert_eq!((display.story, display.slice), (Some((2, 2)), stories[1]));
        display.step(&[], SliceDirection::Up);
        assert_eq!((display.story, display.slice), (None, Slice::ALL));
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
