//! The path tool's ends, settings and result.

use std::time::Duration;

use glam::Vec3;
use walkable::{
    diagnostic::Diagnostic,
    navmesh::NavMesh,
    query::{
        Crossings, Expansion, Filter, MAX_NODES, NavPath, NearestRequest, PathRequest, PathStatus,
        RandomPointRequest, Reachability, Scratch, Seeded, StraightPathRequest, TileChoice, WhyNot,
        check_ends, check_reach, nearest, random_point, straight_path,
    },
};
use walkable_workspace::path_terms::{Method, PathTerms};
use web_time::Instant;

use super::{AreaTable, PathFilter, Replay};

/// Speed of the walker, in meters per second.
const WALKING_SPEED: f32 = 3.5;
/// Maximum duration of a walk, which sets the speed on long paths.
const MAX_WALK: Duration = Duration::from_secs(12);
/// Time between two positions of the walker.
pub const WALK_STEP: Duration = Duration::from_millis(33);

#[derive(Clone, Debug)]
pub struct PathState {
    pub start: Option<Vec3>,
    pub end: Option<Vec3>,
    pub filter: Filter,
    /// The document's changes of the filter that are applied.
    pub changes: PathFilter,
    /// The areas whose costs the filter uses, except for costs that the user changed.
    pub areas: AreaTable,
    /// Half-extents of the search for the ends' polygons, in meters.
    pub half_extents: Vec3,
    pub max_nodes: usize,
    pub method: Method,
    pub backwards: bool,
    /// Whether the goal of the search must be on the navmesh: the end, or the start if it runs backwards.
    pub requires_goal: bool,
    /// Where a funnel path gets extra points between its corners.
    pub crossings: Crossings,
    pub show: PathShow,
    /// The result, if both ends are set and there is a navmesh.
    pub answer: Option<PathAnswer>,
    pub second: Second,
    pub second_answer: Option<PathAnswer>,
    pub replay: Replay,
    /// Meters that the preview of the walk has covered; `None` if it does not run.
    pub walk: Option<f32>,
    random: Seeded,
    /// What can be reached on the newest navmesh with the filter that was used last.
    known: Option<(Filter, Reachability)>,
    /// Memory of the displayed search, with its trace.
    traced: Scratch,
    /// Memory of the other queries.
    scratch: Scratch,
    last_serial: u64,
}

#[derive(Clone, Debug)]
pub struct PathAnswer {
    pub path: NavPath,
    pub expanded: Vec<Expansion>,
    /// Warnings about ends that were moved farther than the agent reaches.
    pub findings: Vec<Diagnostic>,
    pub time: Duration,
    /// Whether the end can be reached at all, known before the search; `None` if that was not queried.
    pub reach: Option<ReachAnswer>,
    /// Length and time of the other method's path, if both paths are complete; `None` also if the end cannot be
    /// reached.
    pub other: Option<(f32, Duration)>,
    /// Increases with every result; the key of picture caches.
    pub serial: u64,
}

/// Whether the end of a path can be reached, and the time of that query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachAnswer {
    /// Why the end cannot be reached; `None` if it can.
    pub why: Option<WhyNot>,
    pub time: Duration,
}

impl PathAnswer {
    /// Returns why the path does not reach its end. If it cannot be reached, that is the reason, whether or not the
    /// search ended early.
    pub fn why(&self) -> Option<WhyNot> {
        self.path.why.map(|why| self.reach.and_then(|reach| reach.why).unwrap_or(why))
    }

    /// Returns whether the path may end early because a part of the level is not loaded.
    pub fn is_not_loaded(&self) -> bool {
        let reasons = [WhyNot::StartNotLoaded, WhyNot::EndNotLoaded, WhyNot::NotLoaded];
        self.why().is_some_and(|why| reasons.contains(&why))
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Second {
    #[default]
    Off,
    Filter(Box<Filter>),
    /// The pinned bake, possibly of another agent, with the same filter.
    Kept,
    /// The navmesh of the agent with this index, with the same filter.
    Agent(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a check box of its own")]
pub struct PathShow {
    pub corridor: bool,
    pub portals: bool,
    pub expanded: bool,
    pub line: bool,
    pub breaks: bool,
}

impl Default for PathState {
    fn default() -> Self {
        Self {
            start: None,
            end: None,
            filter: Filter::default(),
            changes: PathFilter::default(),
            areas: AreaTable::default(),
            half_extents: NearestRequest::HALF_EXTENTS,
            max_nodes: MAX_NODES,
            method: Method::default(),
            backwards: false,
            requires_goal: true,
            crossings: Crossings::None,
            show: PathShow {
                corridor: true,
                portals: true,
                expanded: false,
                line: true,
                breaks: true,
            },
            answer: None,
            second: Second::Off,
            second_answer: None,
            replay: Replay::default(),
            walk: None,
            random: Seeded::new(1),
            known: None,
            traced: Scratch::traced(),
            scratch: Scratch::default(),
            last_serial: 0,
        }
    }
}

impl PathState {
    /// Searches the path on `navmesh`, and the path to compare it with, on `other_mesh` if that is given.
    pub fn update(&mut self, navmesh: Option<&NavMesh>, other_mesh: Option<&NavMesh>) {
        (self.answer, self.replay) = (None, Replay::default());
        self.second_answer = None;
        let (Some(navmesh), Some(start), Some(end)) = (navmesh, self.start, self.end) else {
            return;
        };
        let Some(reach) = self.ask_reach(navmesh, [start, end]) else { return };
        let request = self.request([start, end], &self.filter);
        let other = reach.why.is_none();
        let other = other.then(|| self.method.other().ask(navmesh, &request, &mut self.scratch));
        let Some((mut path, time)) = self.method.ask(navmesh, &request, &mut self.traced) else {
            return;
        };
        let (findings, reach) = (check_ends(navmesh, &request, &path), Some(reach));
        if self.method == Method::Detour {
            self.add_points(navmesh, &mut path);
        }
        let are_complete =
            |other: &NavPath| [other.status, path.status] == [PathStatus::Complete; 2];
        let other = other.flatten().filter(|(other, _)| are_complete(other));
        let other = other.map(|(path, time)| (path.length, time));
        self.last_serial += 1;
        let serial = self.last_serial;
        let expanded = self.traced.expanded().to_vec();
        self.answer = Some(PathAnswer { path, expanded, findings, time, reach, other, serial });
        self.update_second(navmesh, other_mesh);
    }

    /// Tells whether the end can be reached; `None` if the request is refused.
    fn ask_reach(&mut self, navmesh: &NavMesh, ends: [Vec3; 2]) -> Option<ReachAnswer> {
        let is_current = |(filter, known): &(Filter, Reachability)| {
            known.is_current(navmesh) && *filter == self.filter
        };
        let known = self.known.take().filter(is_current);
        let new = || (self.filter.clone(), Reachability::new(navmesh, &self.filter));
        let (filter, known) = known.unwrap_or_else(new);
        let request = self.request(ends, &filter);
        let clock = Instant::now();
        let reach = check_reach(navmesh, &request, &known, &mut self.scratch);
        let time = clock.elapsed();
        self.known = Some((filter, known));
        Some(ReachAnswer { why: reach.ok()?.why, time })
    }

    pub fn ends(&self) -> Option<[Vec3; 2]> {
        self.start.zip(self.end).map(<[Vec3; 2]>::from)
    }

    pub fn terms(&self) -> Option<PathTerms> {
        self.ends().map(|ends| self.terms_between(ends))
    }

    pub fn terms_between(&self, ends: [Vec3; 2]) -> PathTerms {
        let &Self { half_extents, max_nodes, method, backwards, requires_goal, .. } = self;
        let filter = self.filter.clone();
        PathTerms { ends, filter, half_extents, max_nodes, method, backwards, requires_goal }
    }

    pub fn take_terms(&mut self, terms: PathTerms) {
        let PathTerms { ends: [start, end], filter, half_extents, max_nodes, .. } = terms;
        (self.start, self.end) = (Some(start), Some(end));
        (self.filter, self.half_extents, self.max_nodes) = (filter, half_extents, max_nodes);
        self.method = terms.method;
        (self.backwards, self.requires_goal) = (terms.backwards, terms.requires_goal);
    }

    fn request<'a>(&self, [start, end]: [Vec3; 2], filter: &'a Filter) -> PathRequest<'a> {
        PathRequest {
            half_extents: self.half_extents,
            max_nodes: self.max_nodes,
            backwards: self.backwards,
            requires_goal: self.requires_goal,
            ..PathRequest::new(start, end, filter)
        }
    }

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

    /// Returns a random point of `navmesh` that passes the filter.
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
            let (reach, other) = (None, None);
            PathAnswer { path, expanded: Vec::new(), findings, time, reach, other, serial }
        });
    }

    pub fn n_expanded(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.expanded.len())
    }

    pub fn forget(&mut self) {
        (self.start, self.end, self.answer) = (None, None, None);
        self.second_answer = None;
        self.replay = Replay::default();
        self.walk = None;
    }

    /// Returns whether there is a path that leads somewhere.
    pub fn can_walk(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.path.length > 0.0)
    }

    pub fn toggle_walk(&mut self) {
        self.walk = if self.walk.is_none() && self.can_walk() { Some(0.0) } else { None };
    }

    /// Continues the walk by the time of one step; ends it at the end of the path.
    pub fn walk_on(&mut self) {
        let length = self.answer.as_ref().map_or(0.0, |answer| answer.path.length);
        let speed = WALKING_SPEED.max(length / MAX_WALK.as_secs_f32());
        let next = self.walk.map(|walked| walked + speed * WALK_STEP.as_secs_f32());
        self.walk = next.filter(|walked| *walked < length);
    }

    /// Returns the position of the walker, on the ground of `navmesh` if it is there.
    pub fn walker(&self, navmesh: Option<&NavMesh>) -> Option<Vec3> {
        let mut left = self.walk?;
        let points = &self.answer.as_ref()?.path.points;
        let leg = points.windows(2).find_map(|leg| {
            let length = leg[0].distance(leg[1]);
            let at = (left <= length).then(|| leg[0].lerp(leg[1], left / length.max(f32::EPSILON)));
            left -= length;
            at
        });
        let at = leg.or_else(|| points.last().copied())?;
        let half_extents = Vec3::new(0.05, self.half_extents.y, 0.05);
        let request = NearestRequest { half_extents, ..NearestRequest::new(at, &self.filter) };
        let ground = navmesh.and_then(|navmesh| nearest(navmesh, &request).ok().flatten());
        Some(ground.map_or(at, |ground| at.with_y(ground.point.y)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable::ids::TileCoord;

    use super::*;
    use crate::{session::Session, testing::baked};

    /// Returns the path between two places with at most this many nodes.
    fn answer(session: &mut Session, ends: [Vec3; 2], max_nodes: usize) -> PathAnswer {
        (session.path.start, session.path.end) = (Some(ends[0]), Some(ends[1]));
        session.path.max_nodes = max_nodes;
        session.update_path();
        session.path.answer.clone().unwrap()
    }

    #[test]
    fn what_cannot_be_reached_is_known_before_the_search_ends() {
        let mut session = baked();
        let ends = [Vec3::new(1.0, 0.0, 1.0), Vec3::new(20.0, 0.0, 22.0)];
        let far = answer(&mut session, ends, 2);
        assert_eq!((far.path.why, far.why()), (Some(WhyNot::NodeLimit), Some(WhyNot::NodeLimit)));
        assert_eq!(far.reach.unwrap().why, None, "with more nodes it is reached");
        assert_eq!(far.other, None, "there is no complete path to compare");
        let complete = answer(&mut session, ends, MAX_NODES);
        assert_eq!((complete.why(), complete.reach.unwrap().why), (None, None));
        assert!(complete.other.is_some());
        // Without its middle row of tiles, the floor is in two parts.
        let mut navmesh = NavMesh::clone(session.bake.navmesh.as_deref().unwrap());
        for x in 0..3 {
            assert!(navmesh.remove_tiles_at(TileCoord::new(x, 1)));
        }
        session.bake.navmesh = Some(Arc::new(navmesh));
        let cut = answer(&mut session, ends, 2);
        assert_eq!(cut.path.why, Some(WhyNot::NodeLimit));
        assert_eq!(cut.why(), Some(WhyNot::Disconnected), "whatever the limit");
        assert_eq!(cut.other, None, "nothing else is searched");
        // The filter matters, and so does a change of it.
        session.path.filter.exclude_flags = 0xffff;
        let shut = answer(&mut session, ends, MAX_NODES);
        assert_eq!(shut.reach.unwrap().why, Some(WhyNot::StartFiltered));
    }
}
