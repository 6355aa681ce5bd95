//! One question to the navmesh at a time, other than for a path: what a game asks while agents move.

use std::time::{Duration, Instant};

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Paint},
    navmesh::{NavMesh, PolyRef},
    query::{
        Expansion, Filter, PathEnd, QueryError, Scratch, Seeded, local_neighborhood, move_along,
        nearest, polygons_around, polygons_around_shape, random_point_around, raycast,
        wall_distance, wall_segments,
    },
};

use super::Replay;

/// Half the box in which the ground under a click is sought, in metres.
const REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Most polygons that a ray passes.
const MAX_POLYS: usize = 4096;
/// Seed of random points: the same every time, so that pictures can be compared.
const SEED: u64 = 1;

/// What is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ProbeMode {
    /// How far one can walk straight.
    #[default]
    Raycast,
    /// Where a step ends that slides along walls.
    Slide,
    /// How near the next wall is.
    WallDistance,
    /// What can be walked to over edges that touch a circle.
    Circle,
    /// The same for a square between the two places.
    Shape,
    /// Polygons around that do not overlap, and their walls.
    Neighborhood,
    /// Random points around.
    Random,
}

impl ProbeMode {
    /// All.
    pub(crate) const ALL: [Self; 7] = [
        Self::Raycast,
        Self::Slide,
        Self::WallDistance,
        Self::Circle,
        Self::Shape,
        Self::Neighborhood,
        Self::Random,
    ];

    /// Name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Raycast => "Raycast",
            Self::Slide => "Slide",
            Self::WallDistance => "Wall distance",
            Self::Circle => "Circle",
            Self::Shape => "Shape",
            Self::Neighborhood => "Neighborhood",
            Self::Random => "Random points",
        }
    }

    /// What it answers, in one sentence.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Self::Raycast => "How far one can walk straight towards the end",
            Self::Slide => "Where a step towards the end leads, sliding along walls",
            Self::WallDistance => "How near the next wall is",
            Self::Circle => "Polygons that can be walked to within a circle, and at what cost",
            Self::Shape => "Polygons that can be walked to within a square, and at what cost",
            Self::Neighborhood => "Polygons around that do not overlap, and their walls",
            Self::Random => "Points of the ground around that can be walked to, at random",
        }
    }

    /// Whether it needs a second place.
    pub(crate) const fn has_end(self) -> bool {
        matches!(self, Self::Raycast | Self::Slide)
    }
}

/// The question and its answer.
#[derive(Clone, Debug)]
pub(crate) struct ProbeState {
    /// What is asked.
    pub(crate) mode: ProbeMode,
    /// Where from.
    pub(crate) start: Option<Vec3>,
    /// Where to.
    pub(crate) end: Option<Vec3>,
    /// How far around, in metres.
    pub(crate) radius: f32,
    /// How many random points.
    pub(crate) n_points: u32,
    /// The answer, once there is a start and a navmesh.
    pub(crate) answer: Option<ProbeAnswer>,
    /// How far its search is played back.
    pub(crate) replay: Replay,
}

/// What the navmesh said.
#[derive(Clone, Debug)]
pub(crate) struct ProbeAnswer {
    /// Figures by name.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// What is drawn.
    pub(crate) picture: DrawList,
    /// How long the query took.
    pub(crate) time: Duration,
    /// What the search behind it expanded, in order; empty where it is no search.
    pub(crate) expanded: Vec<Expansion>,
}

impl Default for ProbeState {
    fn default() -> Self {
        let mode = ProbeMode::default();
        Self {
            mode,
            start: None,
            end: None,
            radius: 3.0,
            n_points: 100,
            answer: None,
            replay: Replay::default(),
        }
    }
}

impl ProbeState {
    /// Asks `navmesh` anew.
    pub(crate) fn update(&mut self, navmesh: Option<&NavMesh>, filter: &Filter) {
        (self.answer, self.replay) = (None, Replay::default());
        let (Some(navmesh), Some(start)) = (navmesh, self.start) else { return };
        let ask = Ask { navmesh, filter, radius: self.radius, n_points: self.n_points };
        self.answer = Some(match nearest(navmesh, start, REACH, filter) {
            Some(found) => {
                let place = PathEnd { poly: found.poly, point: found.point };
                let end = self.end.unwrap_or(start);
                ask.answer(self.mode, place, end).unwrap_or_else(|why| refused(&why.to_string()))
            }
            None => refused("no navmesh near the start"),
        });
    }

    /// Expansions that can be played back.
    pub(crate) fn n_expanded(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.expanded.len())
    }

    /// Removes both places.
    pub(crate) fn forget(&mut self) {
        (self.start, self.end, self.answer) = (None, None, None);
        self.replay = Replay::default();
    }
}

fn refused(why: &str) -> ProbeAnswer {
    let facts = vec![("No answer", why.to_owned())];
    ProbeAnswer { facts, picture: DrawList::default(), time: Duration::ZERO, expanded: Vec::new() }
}

/// What all questions have in common.
struct Ask<'a> {
    navmesh: &'a NavMesh,
    filter: &'a Filter,
    radius: f32,
    n_points: u32,
}

type Answer = Result<ProbeAnswer, QueryError>;

impl Ask<'_> {
    fn answer(&self, mode: ProbeMode, start: PathEnd, end: Vec3) -> Answer {
        match mode {
            ProbeMode::Raycast => self.raycast(start, end),
            ProbeMode::Slide => self.slide(start, end),
            ProbeMode::WallDistance => self.wall(start),
            ProbeMode::Circle => self.circle(start),
            ProbeMode::Shape => self.shape(start),
            ProbeMode::Neighborhood => self.neighborhood(start),
            ProbeMode::Random => self.random(start),
        }
    }

    fn raycast(&self, start: PathEnd, end: Vec3) -> Answer {
        let mut visited = Vec::new();
        let (hit, time) =
            timed(|| raycast(self.navmesh, start, end, self.filter, MAX_POLYS, &mut visited));
        let hit = hit?;
        let stop = start.point.lerp(end, hit.t.unwrap_or(1.0));
        let mut picture = debug_draw::corridor(self.navmesh, &visited);
        picture.line([start.point, stop], 3.0, Paint::Path);
        let mut facts = vec![("Straight way", metres(start.point.distance(stop)))];
        if hit.t.is_some() {
            picture.dashed_line([stop, end], 2.0, Paint::Problem);
            picture.line([stop, stop + hit.normal], 2.0, Paint::Accent);
            picture.point(stop, 9.0, Paint::Problem);
            facts.push(("Stopped", "by a wall".to_owned()));
        } else {
            facts.push(("Stopped", "not at all".to_owned()));
        }
        facts.push(("Polygons", visited.len().to_string()));
        facts.push(("Cost", format!("{:.1}", hit.cost)));
        Ok(ProbeAnswer { facts, picture, time, expanded: Vec::new() })
    }

    fn slide(&self, start: PathEnd, end: Vec3) -> Answer {
        let mut visited = Vec::new();
        let (reached, time) =
            timed(|| move_along(self.navmesh, start, end, self.filter, &mut visited));
        let reached = reached?;
        let mut picture = debug_draw::corridor(self.navmesh, &visited);
        picture.line([start.point, reached], 3.0, Paint::Path);
        picture.dashed_line([reached, end], 1.5, Paint::Problem);
        picture.point(reached, 9.0, Paint::Accent);
        let facts = vec![
            ("Reached", metres(start.point.distance(reached))),
            ("Short of the end", metres(reached.distance(end))),
            ("Polygons", visited.len().to_string()),
        ];
        Ok(ProbeAnswer { facts, picture, time, expanded: Vec::new() })
    }

    fn wall(&self, start: PathEnd) -> Answer {
        let mut scratch = Scratch::traced();
        let (wall, time) = timed(|| {
            let (navmesh, filter) = (self.navmesh, self.filter);
            wall_distance(navmesh, start, self.radius, filter, MAX_POLYS, &mut scratch)
        });
        let wall = wall?;
        let mut picture = circle(start.point, wall.distance, Paint::Accent);
        let found = match wall.point {
            Some(at) => {
                picture.line([start.point, at], 3.0, Paint::Path);
                picture.point(at, 9.0, Paint::Problem);
                metres(wall.distance)
            }
            None => format!("none within {}", metres(self.radius)),
        };
        let facts = vec![("Nearest wall", found)];
        let expanded = scratch.expanded().to_vec();
        Ok(ProbeAnswer { facts, picture, time, expanded })
    }

    fn circle(&self, start: PathEnd) -> Answer {
        let (mut scratch, mut reached) = (Scratch::traced(), Vec::new());
        let (all, time) = timed(|| {
            let (navmesh, filter) = (self.navmesh, self.filter);
            polygons_around(navmesh, start, self.radius, filter, &mut scratch, &mut reached)
        });
        all?;
        let mut picture = self.polygons(reached.iter().map(|reached| reached.poly));
        picture.append(circle(start.point, self.radius, Paint::Accent));
        let dearest = reached.iter().map(|reached| reached.cost).fold(0.0, f32::max);
        let facts = vec![
            ("Polygons", reached.len().to_string()),
            ("Highest cost", format!("{dearest:.1}")),
        ];
        Ok(ProbeAnswer { facts, picture, time, expanded: scratch.expanded().to_vec() })
    }

    fn shape(&self, start: PathEnd) -> Answer {
        let r = self.radius;
        let corners = [[-r, -r], [r, -r], [r, r], [-r, r]];
        let shape = corners.map(|[x, z]| start.point + Vec3::new(x, 0.0, z));
        let (mut scratch, mut reached) = (Scratch::traced(), Vec::new());
        let (all, time) = timed(|| {
            let (navmesh, filter) = (self.navmesh, self.filter);
            polygons_around_shape(navmesh, start.poly, &shape, filter, &mut scratch, &mut reached)
        });
        all?;
        let mut picture = self.polygons(reached.iter().map(|reached| reached.poly));
        picture.ring(&shape, 2.0, Paint::Accent);
        let facts = vec![("Polygons", reached.len().to_string())];
        Ok(ProbeAnswer { facts, picture, time, expanded: scratch.expanded().to_vec() })
    }

    fn neighborhood(&self, start: PathEnd) -> Answer {
        let mut found = Vec::new();
        let (done, time) =
            timed(|| local_neighborhood(self.navmesh, start, self.radius, self.filter, &mut found));
        done?;
        let mut picture = self.polygons(found.iter().map(|neighbor| neighbor.poly));
        let (mut walls, mut n_walls) = (Vec::new(), 0);
        for neighbor in &found {
            wall_segments(self.navmesh, neighbor.poly, self.filter, &mut walls)?;
            n_walls += walls.len();
            for &wall in &walls {
                picture.line(wall, 3.0, Paint::Problem);
            }
        }
        picture.append(circle(start.point, self.radius, Paint::Accent));
        let facts = vec![("Polygons", found.len().to_string()), ("Walls", n_walls.to_string())];
        Ok(ProbeAnswer { facts, picture, time, expanded: Vec::new() })
    }

    fn random(&self, start: PathEnd) -> Answer {
        let (mut scratch, mut seeded) = (Scratch::traced(), Seeded::new(SEED));
        let mut picture = circle(start.point, self.radius, Paint::Accent);
        let (n_found, time) = timed(|| {
            let mut n_found = 0;
            for _ in 0..self.n_points {
                let (navmesh, filter) = (self.navmesh, self.filter);
                let random = || seeded.share();
                let point =
                    random_point_around(navmesh, start, self.radius, filter, &mut scratch, random)?;
                n_found += usize::from(point.is_some());
                if let Some(at) = point {
                    picture.point(at.point, 5.0, Paint::Accent);
                }
            }
            Ok(n_found)
        });
        let facts = vec![("Points", n_found?.to_string())];
        Ok(ProbeAnswer { facts, picture, time, expanded: scratch.expanded().to_vec() })
    }

    fn polygons(&self, polys: impl Iterator<Item = PolyRef>) -> DrawList {
        debug_draw::corridor(self.navmesh, &polys.collect::<Vec<_>>())
    }
}

fn timed<T>(ask: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let answer = ask();
    (answer, clock.elapsed())
}

fn metres(length: f32) -> String {
    format!("{length:.2} m")
}

/// A level circle around `center`.
fn circle(center: Vec3, radius: f32, paint: Paint) -> DrawList {
    const CORNERS: u8 = 48;
    let corner = |n: u8| {
        let (sin, cos) = (f32::from(n) / f32::from(CORNERS) * std::f32::consts::TAU).sin_cos();
        center + Vec3::new(cos, 0.0, sin) * radius
    };
    let mut list = DrawList::default();
    list.ring(&(0..CORNERS).map(corner).collect::<Vec<_>>(), 2.0, paint);
    list
}
