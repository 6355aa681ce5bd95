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
            Self::Slide => "Move along surface",
            Self::Random => "Random points",
        }
    }

    /// Description in one sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Follow => "Footprints of an agent that walks to the end, every half meter",
            Self::Straight => "The path's corners, and its crossings into other polygons",
            Self::Sliced => {
                "A path search of some nodes per update, as games spread it over frames"
            }
            Self::WallDistance => "Distance to the nearest wall",
            Self::Raycast => "How far an agent can walk straight towards the end",
            Self::Circle => "Polygons reachable within a circle, and their costs",
            Self::Shape => "Polygons reachable within a square, and their costs",
            Self::Neighborhood => "Polygons around the start that do not overlap, and their walls",
            Self::Slide => "Where a move towards the end leads, sliding along walls",
            Self::Random => "Random points that can be reached around the start",
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
