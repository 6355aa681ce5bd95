//! Modes and options of the query tool.

use walkable::query::{Crossings, Shortcuts};

/// A query of the query tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueryMode {
    /// A path along the surface, in small steps.
    Follow,
    /// The corners of the path.
    Straight,
    /// A sliced search, some nodes per update.
    Sliced,
    /// The distance to the nearest wall.
    WallDistance,
    /// The straight line until it hits a wall.
    #[default]
    Raycast,
    /// The polygons reachable over edges that touch a circle.
    Circle,
    /// The polygons reachable over edges that touch a square between the two points.
    Shape,
    /// Nearby polygons that do not overlap, and their walls.
    Neighborhood,
    /// The end of a move that slides along walls.
    Slide,
    /// Random points within the radius.
    Random,
}

impl QueryMode {
    /// All queries: those of Detour's tester in its order, then the others.
    pub const ALL: [Self; 10] = [
        Self::Follow,
        Self::Straight,
        Self::Sliced,
        Self::WallDistance,
        Self::Raycast,
        Self::Circle,
        Self::Shape,
        Self::Neighborhood,
        Self::Slide,
        Self::Random,
    ];

    /// Display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Follow => "Follow",
            Self::Straight => "Straight",
            Self::Sliced => "Sliced",
            Self::WallDistance => "Wall distance",
            Self::Raycast => "Raycast",
            Self::Circle => "Circle",
            Self::Shape => "Shape",
            Self::Neighborhood => "Neighborhood",
            Self::Slide => "Slide",
            Self::Random => "Random points",
        }
    }

    /// Description in one sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Follow => "Where an agent sets its feet on the way to the end, every half meter",
            Self::Straight => "The path's corners, and where it crosses into other polygons",
            Self::Sliced => "The search for the way, some nodes at a time, as a game spreads it",
            Self::WallDistance => "How near the next wall is",
            Self::Raycast => "How far one can walk straight towards the end",
            Self::Circle => "Polygons that can be walked to within a circle, and at what cost",
            Self::Shape => "Polygons that can be walked to within a square, and at what cost",
            Self::Neighborhood => "Polygons around that do not overlap, and their walls",
            Self::Slide => "Where a step towards the end leads, sliding along walls",
            Self::Random => "Points of the ground around that can be walked to, at random",
        }
    }

    /// Whether it needs a second point.
    pub const fn has_end(self) -> bool {
        match self {
            Self::Follow | Self::Straight | Self::Sliced | Self::Raycast | Self::Slide => true,
            Self::WallDistance | Self::Circle | Self::Shape | Self::Neighborhood | Self::Random => {
                false
            }
        }
    }
}

/// Options of queries; each mode uses some of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Search radius, in meters.
    pub radius: f32,
    /// Number of random points.
    pub n_points: u32,
    /// Where straight paths get extra points between their corners.
    pub crossings: Crossings,
    /// Which any-angle shortcuts a sliced search takes.
    pub shortcuts: Shortcuts,
    /// Number of nodes that a sliced search expands per update.
    pub nodes_a_step: u32,
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            radius: 3.0,
            n_points: 100,
            crossings: Crossings::None,
            shortcuts: Shortcuts::None,
            nodes_a_step: 1,
        }
    }
}
