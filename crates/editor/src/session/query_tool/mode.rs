//! What can be asked, and how.

use walkable::query::{Crossings, Shortcuts};

/// What is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueryMode {
    /// Where an agent sets its feet on its way.
    Follow,
    /// The path's points.
    Straight,
    /// The corridor's search, some nodes at a time.
    Sliced,
    /// How near the next wall is.
    WallDistance,
    /// How far one can walk straight.
    #[default]
    Raycast,
    /// What can be walked to over edges that touch a circle.
    Circle,
    /// The same for a square between the two places.
    Shape,
    /// Polygons around that do not overlap, and their walls.
    Neighborhood,
    /// Where a step ends that slides along walls.
    Slide,
    /// Random points around.
    Random,
}

impl QueryMode {
    /// All: those of Detour's tester in its order, then more.
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

    /// Name for people.
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

    /// What it answers, in one sentence.
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

    /// Whether it needs a second place.
    pub const fn has_end(self) -> bool {
        match self {
            Self::Follow | Self::Straight | Self::Sliced | Self::Raycast | Self::Slide => true,
            Self::WallDistance | Self::Circle | Self::Shape | Self::Neighborhood | Self::Random => {
                false
            }
        }
    }
}

/// How questions are asked; each mode looks at some of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// How far around, in meters.
    pub radius: f32,
    /// How many random points.
    pub n_points: u32,
    /// Where straight paths get extra points between their corners.
    pub crossings: Crossings,
    /// Which shortcuts a sliced search takes.
    pub shortcuts: Shortcuts,
    /// How many nodes a sliced search expands in one step.
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
