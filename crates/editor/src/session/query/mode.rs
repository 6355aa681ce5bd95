//! Modes and options of the query tool.

use glam::Vec3;
use walkable::query::{Crossings, MeshPoint, Shortcuts};
use walkable_workspace::{lang::tr, table, text};

use super::{QueryAnswer, QueryInput};

struct Row {
    name: &'static str,
    what: &'static str,
    /// Whether it needs a second point.
    has_end: bool,
    /// Whether its only point is a goal.
    has_goal: bool,
    options: &'static [QueryOption],
    run: fn(&QueryInput<'_>, MeshPoint, Vec3) -> QueryAnswer,
}

table! {
    /// A query of the query tool: those of Detour's tester in its order, then the others.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum QueryMode of Row {
        /// A path along the surface, in small steps.
        Follow {
            name: text!("Follow"),
            what: text!("Footprints of an agent that walks to the end, every half meter"),
            has_end: true,
            has_goal: false,
            options: &[],
            run: |input, start, end| input.follow(start, end),
        }
        Straight {
            name: text!("Straight"),
            what: text!("The path's corners, and its crossings into other polygons"),
            has_end: true,
            has_goal: false,
            options: &[QueryOption::Crossings],
            run: |input, start, end| input.straight(start, end),
        }
        /// A sliced search, some nodes per update.
        Sliced {
            name: text!("Sliced"),
            what: text!("A path search of some nodes per update, as games spread it over frames"),
            has_end: true,
            has_goal: false,
            options: &[QueryOption::Iterations, QueryOption::Shortcuts],
            run: |input, start, end| input.sliced(start, end),
        }
        WallDistance {
            name: text!("Wall distance"),
            what: text!("Distance to the nearest wall"),
            has_end: false,
            has_goal: false,
            options: &[QueryOption::Radius],
            run: |input, start, _| input.wall(start),
        }
        /// The straight line until it hits a wall.
        #[default]
        Raycast {
            name: text!("Raycast"),
            what: text!("How far an agent can walk straight towards the end"),
            has_end: true,
            has_goal: false,
            options: &[],
            run: |input, start, end| input.raycast(start, end),
        }
        /// The polygons reachable over edges that touch a circle.
        Circle {
            name: text!("Circle"),
            what: text!("Polygons reachable within a circle, and their costs"),
            has_end: false,
            has_goal: false,
            options: &[QueryOption::Radius],
            run: |input, start, _| input.circle(start),
        }
        /// The polygons reachable over edges that touch a square between the two points.
        Shape {
            name: text!("Shape"),
            what: text!("Polygons reachable within a square, and their costs"),
            has_end: false,
            has_goal: false,
            options: &[QueryOption::Radius],
            run: |input, start, _| input.shape(start),
        }
        /// Nearby polygons that do not overlap, and their walls.
        Neighborhood {
            name: text!("Neighborhood"),
            what: text!("Polygons around the start that do not overlap, and their walls"),
            has_end: false,
            has_goal: false,
            options: &[QueryOption::Radius],
            run: |input, start, _| input.neighborhood(start),
        }
        /// The end of a move that slides along walls.
        Slide {
            name: text!("Move along surface"),
            what: text!("Where a move towards the end leads, sliding along walls"),
            has_end: true,
            has_goal: false,
            options: &[],
            run: |input, start, end| input.slide(start, end),
        }
        /// Random points within the radius.
        Random {
            name: text!("Random points"),
            what: text!("Random points that can be reached around the start"),
            has_end: false,
            has_goal: false,
            options: &[QueryOption::Radius, QueryOption::Points],
            run: |input, start, _| input.random(start),
        }
        /// The cheapest paths from everywhere to one goal.
        FlowField {
            name: text!("Flow field"),
            what: text!("The cheapest paths from everywhere to one goal, as arrows and as cost"),
            has_end: false,
            has_goal: true,
            options: &[],
            run: |input, start, _| input.flow(start),
        }
    }
}

impl QueryMode {
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    pub const fn has_end(self) -> bool {
        self.row().has_end
    }

    /// Returns whether its only point is a goal.
    pub const fn has_goal(self) -> bool {
        self.row().has_goal
    }

    pub const fn options(self) -> &'static [QueryOption] {
        self.row().options
    }

    pub(super) fn run(self, input: &QueryInput<'_>, start: MeshPoint, end: Vec3) -> QueryAnswer {
        (self.row().run)(input, start, end)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryOption {
    Radius,
    Points,
    Crossings,
    Shortcuts,
    /// [`QueryOptions::nodes_a_step`].
    Iterations,
}

/// Options of queries; each mode uses some of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Search radius, in meters.
    pub radius: f32,
    pub n_points: u32,
    /// Where straight paths get extra points between their corners.
    pub crossings: Crossings,
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
