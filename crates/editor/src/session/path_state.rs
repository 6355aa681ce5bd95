//! The path tool's points and its answer.

use std::time::{Duration, Instant};

use glam::Vec3;
use walkable::{
    diagnostic::Diagnostic,
    navmesh::NavMesh,
    query::{
        Crossings, Expansion, Filter, MAX_NODES, NavPath, NearestRequest, PathRequest,
        RandomPointRequest, Scratch, Seeded, StraightPathRequest, TileChoice, check_ends,
        find_path, find_shortest_path, random_point, straight_path,
    },
};

use super::{AreaTable, Replay};

/// Two points and what lies between them.
#[derive(Clone, Debug)]
pub struct PathState {
    /// Where the path starts.
    pub start: Option<Vec3>,
    /// Where it ends.
    pub end: Option<Vec3>,
    /// What may be walked and what it costs.
    pub filter: Filter,
    /// What the filter's costs come from, but for those changed by hand.
    pub areas: AreaTable,
    /// Half the box in which the nearest polygon of an end is sought, in meters.
    pub half_extents: Vec3,
    /// Most nodes the search may use.
    pub max_nodes: usize,
    /// How the way is searched.
    pub method: Method,
    /// Whether the search goes from the end to the start.
    pub backwards: bool,
    /// Whether what the search makes for, the end or else the start, must be on the navmesh.
    pub requires_goal: bool,
    /// Where a funnel path gets extra points between its corners.
    pub crossings: Crossings,
    /// What is drawn.
    pub show: PathShow,
    /// The answer, once both points are set and there is a navmesh.
    pub answer: Option<PathAnswer>,
    /// What it is compared with.
    pub second: Second,
    /// The answer to that.
    pub second_answer: Option<PathAnswer>,
    /// How far the search is played back.
    pub replay: Replay,
    random: Seeded,
    /// Memory of the search that is shown.
    traced: Scratch,
    /// Memory of the others.
    scratch: Scratch,
    last_serial: u64,
}

/// An answer and how long it took.
#[derive(Clone, Debug)]
pub struct PathAnswer {
    /// The path.
    pub path: NavPath,
    /// What the search expanded, in order.
    pub expanded: Vec<Expansion>,
    /// Ends that were moved farther than the agent reaches.
    pub findings: Vec<Diagnostic>,
    /// Time the query took.
    pub time: Duration,
    /// Length and time of the other method's path, where it leads as far.
    pub other: Option<(f32, Duration)>,
    /// Grows with every answer, for caches of what is drawn.
    pub serial: u64,
}

/// Another search between the same two places, to compare with.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Second {
    /// None.
    #[default]
    Off,
    /// The same navmesh with another filter.
    Filter(Box<Filter>),
    /// The bake that was kept as before, of another agent perhaps, with the same filter.
    Kept,
    /// The navmesh of another agent, by number, with the same filter.
    Agent(usize),
}

/// How a way is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// A* over polygons, then the funnel, as Detour does.
    #[default]
    Detour,
    /// The shortest path in any direction.
    Polyanya,
}

impl Method {
    /// All, the usual one first.
    pub const ALL: [Self; 2] = [Self::Detour, Self::Polyanya];

    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Detour => "Detour A*",
            Self::Polyanya => "Polyanya",
        }
    }

    /// What it finds, in one sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Detour => "A good path: A* over polygons, then the funnel. Knows costs of areas",
            Self::Polyanya => "The shortest path in any direction. All areas must cost the same",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Detour => Self::Polyanya,
            Self::Polyanya => Self::Detour,
        }
    }

    /// The path and how long the search took; `None` if the request is refused: areas that cost differently are
    /// too much for Polyanya.
    fn ask(
        self,
        navmesh: &NavMesh,
        request: &PathRequest<'_>,
        scratch: &mut Scratch,
    ) -> Option<(NavPath, Duration)> {
        let clock = Instant::now();
        let path = match self {
            Self::Detour => find_path(navmesh, request, scratch),
            Self::Polyanya => find_shortest_path(navmesh, request, scratch),
        };
        Some((path.ok()?, clock.elapsed()))
    }
}

/// What of a path is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a check box of its own")]
pub struct PathShow {
    /// Polygons passed.
    pub corridor: bool,
    /// Edges crossed.
    pub portals: bool,
    /// Nodes the search touched.
    pub expanded: bool,
    /// The line itself.
    pub line: bool,
}

impl Default for PathState {
    fn default() -> Self {
        Self {
            start: None,
            end: None,
            filter: Filter::default(),
            areas: AreaTable::default(),
            half_extents: NearestRequest::HALF_EXTENTS,
            max_nodes: MAX_NODES,
            method: Method::default(),
            backwards: false,
            requires_goal: true,
            crossings: Crossings::None,
            show: PathShow { corridor: true, portals: true, expanded: false, line: true },
            answer: None,
            second: Second::Off,
            second_answer: None,
            replay: Replay::default(),
            random: Seeded::new(1),
            traced: Scratch::traced(),
            scratch: Scratch::default(),
            last_serial: 0,
        }
    }
}

impl PathState {
    /// Asks `navmesh` for the way between the two points, and what it is compared with: `other`, where that is another
    /// navmesh.
    pub fn update(&mut self, navmesh: Option<&NavMesh>, other_mesh: Option<&NavMesh>) {
        (self.answer, self.replay) = (None, Replay::default());
        self.second_answer = None;
        let (Some(navmesh), Some(start), Some(end)) = (navmesh, self.start, self.end) else {
            return;
        };
        let request = self.request([start, end], &self.filter);
        let other = self.method.other().ask(navmesh, &request, &mut self.scratch);
        let Some((mut path, time)) = self.method.ask(navmesh, &request, &mut self.traced) else {
            return;
        };
        let findings = check_ends(navmesh, &request, &path);
        if self.method == Method::Detour {
            self.add_points(navmesh, &mut path);
        }
        let other = other.filter(|(other, _)| other.status == path.status);
        let other = other.map(|(path, time)| (path.length, time));
        self.last_serial += 1;
        let serial = self.last_serial;
        let expanded = self.traced.expanded().to_vec();
        self.answer = Some(PathAnswer { path, expanded, findings, time, other, serial });
        self.update_second(navmesh, other_mesh);
    }

    /// What is asked of a navmesh.
    fn request<'a>(&self, [start, end]: [Vec3; 2], filter: &'a Filter) -> PathRequest<'a> {
        PathRequest {
            half_extents: self.half_extents,
            max_nodes: self.max_nodes,
            backwards: self.backwards,
            requires_goal: self.requires_goal,
            ..PathRequest::new(start, end, filter)
        }
    }

    /// Adds the requested points between the corners of the path.
    fn add_points(&mut self, navmesh: &NavMesh, path: &mut NavPath) {
        let (Some(&start), Some(&end)) = (path.points.first(), path.points.last()) else { return };
        if self.crossings == Crossings::None {
            return;
        }
        let request = StraightPathRequest::new(start, end, &path.corridor);
        let request = StraightPathRequest { crossings: self.crossings, ..request };
        if let Ok(points) = straight_path(navmesh, &request, &mut self.scratch) {
            path.points = points.into_iter().map(|point| point.position).collect();
        }
    }

    /// A place of `navmesh` that the filter lets walk, another one each time.
    pub fn random_place(&mut self, navmesh: &NavMesh) -> Option<Vec3> {
        let Self { random, filter, .. } = self;
        let request = RandomPointRequest { filter, tiles: TileChoice::ByArea };
        let found = random_point(navmesh, &request, || random.share());
        found.map(|found| found.point)
    }

    fn update_second(&mut self, navmesh: &NavMesh, other_mesh: Option<&NavMesh>) {
        let (filter, navmesh) = match &self.second {
            Second::Off => return,
            Second::Filter(filter) => (&**filter, Some(navmesh)),
            Second::Kept | Second::Agent(_) => (&self.filter, other_mesh),
        };
        let (Some(navmesh), Some(start), Some(end)) = (navmesh, self.start, self.end) else {
            return;
        };
        let request = self.request([start, end], filter);
        let answer = self.method.ask(navmesh, &request, &mut self.scratch);
        self.second_answer = answer.map(|(path, time)| {
            let (findings, serial) = (check_ends(navmesh, &request, &path), self.last_serial);
            PathAnswer { path, expanded: Vec::new(), findings, time, other: None, serial }
        });
    }

    /// Nodes of the search that can be played back.
    pub fn n_expanded(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.expanded.len())
    }

    /// Removes both points.
    pub fn forget(&mut self) {
        (self.start, self.end, self.answer) = (None, None, None);
        self.second_answer = None;
        self.replay = Replay::default();
    }
}
