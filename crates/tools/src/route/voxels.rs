//! Searches the voxels of a level for obstacles between two sides of its navmesh.

use std::{collections::BTreeSet, ops::ControlFlow};

use glam::Vec3;
use walkable_bake::bake::{BakeError, BakeInput, BakePlan, BakeSettings};
use walkable_runtime::{
    diagnostic::Phrase,
    geom::Aabb,
    monitor::{Cancelled, Monitor},
    phrase,
    query::{PathRequest, PathStatus},
    side_by_side,
};

use super::{
    AnsweredPath, RouteAnswer, RouteBreak, RouteDepth,
    costs::{Costs, each_in},
    crossing::{
        Crossing, CrossingRequest, SideReach, Sides, cheapest_crossing, crosses, smaller_reach,
    },
    describe::{describe, too_coarse},
    is_there, on_mesh,
    places::Places,
    price::{Agent, ObstaclePrice},
    relaxed::Relaxed,
    severed,
    sides::{MeshSides, Side},
    terrain::{Terrain, TileRect, survey_plan},
};
use crate::explain::Cause;

/// Maximum number of voxel columns per search.
const MAX_COLUMNS: u64 = 5_000_000;
/// Maximum number of columns up to which the whole level is searched in one pass.
const FEW_COLUMNS: u64 = 1_200_000;
/// Margin around the smaller side for the first search, in meters.
const FIRST_MARGIN: f32 = 24.0;
/// Margin around one side for the first search in finer voxels, in meters; longer than a jump.
const FINE_MARGIN: f32 = 10.0;
/// Minimum price at which a passage may be closed only because the voxels are too coarse.
const DOUBTFUL: f32 = 2.0;
/// Maximum ratio of the price of a crossing in finer voxels to the original one.
const MUCH_CHEAPER: f32 = 0.6;
/// Radius around a break in which other crossings are ignored, in meters.
const APART: f32 = 2.5;
/// Maximum number of crossings to report.
const N_CROSSINGS: usize = 3;
/// Maximum number of searches for crossings after the first one.
const N_SEARCHES: usize = 4;
/// Maximum number of stretches between breaks that are explained.
const N_STRETCHES: usize = 8;

/// Searches the voxels of `plan` for obstacles between the sides.
pub(super) fn search(
    plan: &BakePlan,
    answered: AnsweredPath<'_>,
    sides: &MeshSides,
    depth: RouteDepth,
    monitor: &dyn Monitor,
) -> Result<RouteAnswer, BakeError> {
    let places = Places::new(answered.mesh, sides);
    let survey = survey_plan(plan)?;
    let extents = Side::ALL.map(|side| extent(&places.bounds(side)));
    let near = if extents[0] <= extents[1] { Side::Start } else { Side::End };
    let search = |near| RectSearch {
        plan,
        survey: &survey,
        answered,
        sides,
        places: &places,
        near,
        depth,
        monitor,
    };
    let (mut answer, is_partial) = search(near).run()?;
    if is_partial && depth == RouteDepth::Alternatives {
        let (far, _) = search(near.opposite()).run()?;
        let price = |found: &Option<RouteBreak>| found.as_ref().map_or(0.0, |found| found.price);
        if price(&far.first) > price(&answer.first) {
            answer.also.extend(answer.first.take());
            answer.first = far.first;
        } else {
            answer.also.extend(far.first);
        }
        answer.also.extend(far.also);
    }
    let mut known: Vec<_> = answer.first.iter().map(Obstacle::of).collect();
    answer.also.retain(|found| {
        let found = Obstacle::of(found);
        let is_new = !known.iter().any(|known| known.is_same(found));
        known.extend(is_new.then_some(found));
        is_new
    });
    Ok(answer)
}

/// What tells the obstacles of breaks apart.
#[derive(Clone, Copy)]
struct Obstacle {
    cause: Cause,
    place: Vec3,
}

impl Obstacle {
    fn of(found: &RouteBreak) -> Self {
        Self { cause: found.cause, place: found.place }
    }

    /// Returns whether it is likely the same as another one.
    fn is_same(self, other: Self) -> bool {
        self.cause == other.cause && self.place.distance(other.place) < APART
    }
}

fn extent(bounds: &Aabb) -> f32 {
    if bounds.is_empty() { f32::INFINITY } else { bounds.size().x * bounds.size().z }
}

fn too_large(n_columns: u64) -> Phrase {
    phrase!(
        "the level around the break has {n_columns} columns of voxels, more than the limit of {limit}; limit the bake to a part of it (bounds)",
        n_columns = n_columns.to_string(),
        limit = MAX_COLUMNS.to_string()
    )
}

/// A part of the level to search.
#[derive(Clone, Copy)]
struct LevelPart {
    rect: TileRect,
    /// Whether no larger part is searched after this one.
    is_last: bool,
}

/// A search of one part of the level.
struct RectSearch<'a> {
    plan: &'a BakePlan,
    survey: &'a BakePlan,
    answered: AnsweredPath<'a>,
    sides: &'a MeshSides,
    places: &'a Places,
    /// The side around which the level is searched.
    near: Side,
    depth: RouteDepth,
    monitor: &'a dyn Monitor,
}

impl RectSearch<'_> {
    /// Searches increasingly large parts of the level around the near side. Also returns whether the far side is
    /// outside the part that was searched last.
    fn run(&self) -> Result<(RouteAnswer, bool), BakeError> {
        let whole = TileRect::all_of(self.survey);
        let bounds = self.places.bounds(self.near);
        let part = |margin: f32| {
            let margin = Vec3::splat(margin);
            let grown = Aabb { min: bounds.min - margin, max: bounds.max + margin };
            let is_small = whole.n_columns(self.survey) <= FEW_COLUMNS || bounds.is_empty();
            if is_small { whole } else { TileRect::over(self.survey, &grown) }
        };
        let mut rect = part(FIRST_MARGIN);
        if rect.n_columns(self.survey) > MAX_COLUMNS {
            let unknown = Some(too_large(rect.n_columns(self.survey)));
            return Ok((RouteAnswer { unknown, ..RouteAnswer::default() }, false));
        }
        let (mut margin, mut guess) = (FIRST_MARGIN, None);
        loop {
            margin *= 2.0;
            let next = part(margin);
            let is_last = rect == whole || next.n_columns(self.survey) > MAX_COLUMNS;
            match self.search_part(LevelPart { rect, is_last }, guess)? {
                ControlFlow::Break(answer) => return Ok((answer, !self.is_far_side_in(rect))),
                ControlFlow::Continue(price) => (rect, guess) = (next, price),
            }
        }
    }

    /// Returns whether part of the ground of the far side is in the tiles `rect`.
    fn is_far_side_in(&self, rect: TileRect) -> bool {
        let places = self.places.of(self.near.opposite());
        places.iter().any(|(_, place)| rect.contains(self.survey, *place))
    }

    /// Searches a part of the level. Unless the part is the last one, the search continues in a larger part if a
    /// cheaper crossing could lead through the rest of the level. The `Continue` value is then the price of the
    /// crossing found, if any.
    fn search_part(
        &self,
        part: LevelPart,
        guess: Option<ObstaclePrice>,
    ) -> Result<ControlFlow<RouteAnswer, Option<ObstaclePrice>>, BakeError> {
        let LevelPart { rect, is_last } = part;
        let terrain = Terrain::new((self.survey, self.bounds()), rect, self.monitor)?;
        let costs = Costs::new(&terrain, self.survey, self.monitor)?;
        let strict = Relaxed::new(&costs, ObstaclePrice::FREE, &[], self.monitor)?;
        let borders = rect.borders_within(TileRect::all_of(self.survey));
        let Some(sides) = self.floors(&strict, borders)? else {
            return Ok(ControlFlow::Break(
                self.connected(&strict).between(self.places, self.monitor)?,
            ));
        };
        if sides.is_empty(self.near) {
            return Ok(ControlFlow::Break(self.without_ground()));
        }
        if sides.is_empty(self.near.opposite()) {
            // All ground at the borders is connected to the near side, if there is any.
            let is_outside =
                |&floor: &usize| sides.is_on(self.near, floor) && leads_out(&costs, floor, borders);
            let outside = (0..terrain.len()).filter(is_outside).collect();
            let near = (self.near, self.places);
            let answer = self.connected(&strict).around(near, outside, self.monitor)?;
            let answer = answer.or_else(|| is_last.then(RouteAnswer::default));
            return Ok(answer.map_or(ControlFlow::Continue(None), ControlFlow::Break));
        }
        let all = CrossingRequest { guess, ..CrossingRequest::new(ObstaclePrice::FREE.and_more()) };
        let first = cheapest_crossing(&strict, &sides, &all, self.monitor)?;
        let most = first.as_ref().map_or(ObstaclePrice::NEVER, |first| first.price);
        let price = first.as_ref().map_or(f32::INFINITY, |first| first.price.share());
        let is_doubtful = price >= DOUBTFUL && self.depth == RouteDepth::Alternatives;
        let mut to_refine = None;
        if let Some(cheaper) = most.next_lower().filter(|_| !is_last || is_doubtful) {
            let relaxed = Relaxed::to_spread(&costs, cheaper, &[], self.monitor)?;
            if let Some(smaller) = smaller_reach(&relaxed, &sides, self.monitor)? {
                if !is_last && self.may_leave(&relaxed, &sides, (borders, &smaller))? {
                    return Ok(ControlFlow::Continue(first.map(|first| first.price)));
                }
                let places = smaller.floors.iter().map(|&floor| terrain.place(floor));
                to_refine = is_doubtful.then(|| (smaller.side, Aabb::around(places)));
            }
        }
        let finer = || to_refine.map_or(Ok(None), |around| self.finer(&strict, price, around));
        let coarse = || match &first {
            Some(first) => self.crossings(&strict, &sides, first),
            None => Ok(self.walled_in()),
        };
        let (finer, coarse) = side_by_side::both(finer, coarse);
        Ok(ControlFlow::Break(finer?.map_or(coarse, Ok)?))
    }

    /// Describes the cheapest crossing and the next cheapest ones.
    fn crossings(
        &self,
        strict: &Relaxed<'_>,
        sides: &Sides,
        first: &Crossing,
    ) -> Result<RouteAnswer, BakeError> {
        let costs = strict.costs;
        let mut answer = RouteAnswer::default();
        let mut apart = self.add_breaks(costs, first, &mut answer);
        if self.depth == RouteDepth::First {
            return Ok(answer);
        }
        answer.also.extend(self.between_breaks(strict, &ends_of(costs, first))?);
        let mut blocked = Vec::new();
        for _ in 0..N_SEARCHES {
            let Some(place) = apart.take().filter(|_| answer.others.len() + 1 < N_CROSSINGS) else {
                break;
            };
            block(costs, place, &mut blocked);
            let prices = first.price.and_more();
            let request = CrossingRequest { prices, guess: None, blocked: &blocked };
            let Some(next) = cheapest_crossing(strict, sides, &request, self.monitor)? else {
                break;
            };
            let mut other = RouteAnswer::default();
            apart = self.add_breaks(costs, &next, &mut other);
            // Crossings may differ only beyond their first obstacle.
            let is_known = |new: &RouteBreak| {
                let mut known = answer.first.iter().chain(&answer.others);
                known.any(|old| Obstacle::of(old).is_same(Obstacle::of(new)))
            };
            answer.others.extend(other.first.filter(|new| !is_known(new)));
        }
        Ok(answer)
    }

    fn connected<'b>(&'b self, strict: &'b Relaxed<'b>) -> severed::Connected<'b> {
        severed::Connected { plan: self.plan, mesh: self.answered.mesh, sides: self.sides, strict }
    }

    /// Returns the boxes that limit the bake.
    fn bounds(&self) -> &[Aabb] {
        &self.plan.input().bounds
    }

    /// Finds obstacles on the ground before, between and beyond the breaks of a crossing, which is connected in the voxels:
    /// polygons that the filter excludes, and ground that the navmesh lost. `ends` are those of the breaks, in order.
    fn between_breaks(
        &self,
        strict: &Relaxed<'_>,
        ends: &[[Vec3; 2]],
    ) -> Result<Vec<RouteBreak>, BakeError> {
        let AnsweredPath { mesh, request, path, .. } = self.answered;
        let [start, end] = [path.start, path.end].map(|end| end.map(|end| end.point));
        let (Some(start), Some(end)) = (start, end) else { return Ok(Vec::new()) };
        let from = std::iter::once(start).chain(ends.iter().map(|ends| ends[1]));
        let to = ends.iter().map(|ends| ends[0]).chain([end]);
        let (mut found, mut n_explained) = (Vec::new(), 0);
        for (start, end) in from.zip(to) {
            self.monitor.check()?;
            let request = PathRequest { start, end, ..*request };
            let path = on_mesh::search(mesh, &request);
            if path.status == PathStatus::Complete
                || !is_there(start, path.start)
                || !is_there(end, path.end)
            {
                continue;
            }
            n_explained += 1;
            if n_explained > N_STRETCHES {
                break;
            }
            let answered = AnsweredPath { request: &request, path: &path, ..self.answered };
            let answer = if let Some(answer) = on_mesh::answer(answered) {
                answer
            } else {
                let sides = answered.sides();
                let connected = severed::Connected { sides: &sides, ..self.connected(strict) };
                connected.between(&Places::new(mesh, &sides), self.monitor)?
            };
            let all = answer.first.into_iter().chain(answer.also);
            let all: Vec<_> = all.filter(|found| found.cause != Cause::Unexplained).collect();
            if all.is_empty() {
                // The ground is connected only in finer voxels.
                let (depth, sides) = (RouteDepth::First, answered.sides());
                found.extend(search(self.plan, answered, &sides, depth, self.monitor)?.first);
            }
            found.extend(all);
        }
        Ok(found)
    }

    /// Returns whether a crossing could lead through ground beyond the `borders` of the terrain: whether an agent on
    /// `relaxed` ground reaches them from both sides.
    fn may_leave(
        &self,
        relaxed: &Relaxed<'_>,
        sides: &Sides,
        (borders, smaller): ([bool; 4], &SideReach),
    ) -> Result<bool, Cancelled> {
        let is_at_border = |floor: usize| is_at_border(relaxed.costs, floor, borders);
        let larger = sides.seeds(smaller.side.opposite());
        Ok(smaller.floors.iter().any(|&floor| is_at_border(floor))
            && relaxed.reaches(larger, is_at_border, self.monitor)?)
    }

    /// Creates the answer if the voxels below the navmesh are not walkable.
    fn without_ground(&self) -> RouteAnswer {
        let unknown = match self.near {
            Side::Start => phrase!(
                "the level has no walkable voxels below the part of the navmesh around the start; the navmesh may be of another level or of other settings"
            ),
            Side::End => phrase!(
                "the level has no walkable voxels below the part of the navmesh around the end; the navmesh may be of another level or of other settings"
            ),
        };
        RouteAnswer { unknown: Some(unknown), ..RouteAnswer::default() }
    }

    /// Creates the answer if no agent could cross.
    fn walled_in(&self) -> RouteAnswer {
        let place = self.places.of(self.near).first();
        let text = match self.near {
            Side::Start => phrase!(
                "walls separate the two sides: from the part of the navmesh around the start, there is no step, crawlspace or gap that a more able agent could use"
            ),
            Side::End => phrase!(
                "walls separate the two sides: from the part of the navmesh around the end, there is no step, crawlspace or gap that a more able agent could use"
            ),
        };
        let first = place.map(|(_, place)| RouteBreak::plain(Cause::Unexplained, *place, text));
        RouteAnswer { first, ..RouteAnswer::default() }
    }

    /// Adds the breaks of a crossing to `answer`, and returns the position of the most expensive one.
    fn add_breaks(
        &self,
        costs: &Costs<'_>,
        crossing: &Crossing,
        answer: &mut RouteAnswer,
    ) -> Option<Vec3> {
        let first = crossing.main_break(costs)?;
        for (index, found) in crossing.breaks.iter().enumerate() {
            let told = describe(self.plan, costs, crossing, found);
            if index == first && answer.first.is_none() {
                answer.first = Some(told);
            } else {
                answer.also.push(told);
            }
        }
        answer.first.as_ref().map(|first| first.place)
    }

    /// Returns the floors of both sides; `None` if the voxels connect them. If the far side is not in the terrain, it
    /// is replaced by the ground at the `borders` beyond which the level continues.
    fn floors(&self, strict: &Relaxed<'_>, borders: [bool; 4]) -> Result<Option<Sides>, Cancelled> {
        let Costs { terrain, .. } = strict.costs;
        let parts = strict.parts(self.monitor)?;
        let n_parts = parts
            .iter()
            .filter(|&&part| part != u32::MAX)
            .max()
            .map_or(0, |&part| part as usize + 1);
        let mut is_part_on = Side::ALL.map(|side| {
            let mut is_in = vec![false; n_parts];
            for (_, place) in self.places.of(side) {
                let reach = strict.costs.reach();
                let floor = terrain.floor_at(*place, reach, |floor| parts[floor] != u32::MAX);
                if let Some(floor) = floor {
                    is_in[parts[floor] as usize] = true;
                }
            }
            is_in
        });
        let [near, far] = [self.near, self.near.opposite()].map(|side| side as usize);
        if !is_part_on[far].contains(&true) {
            for (floor, &part) in parts.iter().enumerate().filter(|(_, part)| **part != u32::MAX) {
                if leads_out(strict.costs, floor, borders) && !is_part_on[near][part as usize] {
                    is_part_on[far][part as usize] = true;
                }
            }
        }
        let [start, end] = is_part_on;
        if start.iter().zip(&end).any(|(start, end)| *start && *end) {
            return Ok(None);
        }
        // Floors on which the agent cannot stand are in no part, so they are on no side.
        let is_in = |side: &[bool], floor: usize| {
            side.get(parts[floor] as usize).is_some_and(|&is_in| is_in)
        };
        let n = parts.len();
        let floors = |side: &[bool]| -> Result<_, Cancelled> {
            let found = each_in(n, n, self.monitor, |floors| {
                let is_on: Vec<bool> = floors.clone().map(|floor| is_in(side, floor)).collect();
                let is_seed = |&floor: &usize| is_in(side, floor) && strict.is_rim(floor);
                (floors.filter(is_seed).collect::<Vec<_>>(), is_on)
            })?;
            let (seeds, is_on): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            Ok((seeds.concat(), is_on.concat()))
        };
        let (start, end) = (floors(&start)?, floors(&end)?);
        let (seeds, is_on) = ([start.0, end.0], [start.1, end.1]);
        Ok(Some(Sides { seeds, is_on }))
    }

    /// Returns the crossing in finer voxels, if it is much cheaper than `price`. An agent that overcomes all cheaper
    /// obstacles in the original voxels stays within the given bounds around one of the sides.
    fn finer(
        &self,
        coarse: &Relaxed<'_>,
        price: f32,
        around: (Side, Aabb),
    ) -> Result<Option<RouteAnswer>, BakeError> {
        let settings = &self.survey.input().settings;
        // A crossing that climbs over an obstacle costs at least `OVER`. Lower voxels would not lower its step;
        // only a passage beside it can be wider.
        let finer_height = if price < Agent::OVER { 0.5 } else { 1.0 };
        let fine = BakeSettings {
            cell_size: settings.cell_size * 0.4,
            cell_height: settings.cell_height * finer_height,
            ..settings.clone()
        };
        let Ok(plan) =
            self.survey.renewed(BakeInput { settings: fine, ..self.survey.input().clone() })
        else {
            return Ok(None);
        };
        let plan = survey_plan(&plan)?;
        let rect = TileRect::over(&plan, &coarse.costs.terrain.frame.bounds);
        let much_cheaper = ObstaclePrice::below(price * MUCH_CHEAPER);
        // Most passages are also closed in finer voxels, and a search around one of the sides shows it.
        if rect.n_columns(&plan) > MAX_COLUMNS
            || !self.may_cross(&plan, rect, *much_cheaper.end(), around)?
        {
            return Ok(None);
        }
        let terrain = Terrain::new((&plan, self.bounds()), rect, self.monitor)?;
        let costs = Costs::new(&terrain, &plan, self.monitor)?;
        let strict = Relaxed::new(&costs, ObstaclePrice::FREE, &[], self.monitor)?;
        let mut answer = RouteAnswer::default();
        let borders = rect.borders_within(TileRect::all_of(&plan));
        let Some(sides) = self.floors(&strict, borders)? else {
            let Some(path) = severed::path_between(&strict, self.places, self.monitor)? else {
                return Ok(None);
            };
            answer.first = too_coarse(self.plan, &path, coarse);
            if let Some(first) = &answer.first {
                answer.also = self.between_breaks(coarse, &[first.ends])?;
            }
            return Ok(answer.first.is_some().then_some(answer));
        };
        if !crosses(&costs, &sides, (*much_cheaper.end(), &[]), self.monitor)? {
            return Ok(None);
        }
        let request = CrossingRequest::new(much_cheaper);
        let crossing = cheapest_crossing(&strict, &sides, &request, self.monitor)?;
        let Some(crossing) = crossing else { return Ok(None) };
        self.add_breaks(&costs, &crossing, &mut answer);
        answer.also.extend(self.between_breaks(&strict, &ends_of(&costs, &crossing))?);
        Ok(answer.first.is_some().then_some(answer))
    }

    /// Returns whether a crossing with obstacles of at most `price` could exist in the tiles `whole` of `plan`,
    /// according to a search around the bounds of one side.
    fn may_cross(
        &self,
        plan: &BakePlan,
        whole: TileRect,
        price: ObstaclePrice,
        (side, bounds): (Side, Aabb),
    ) -> Result<bool, BakeError> {
        let margin = Vec3::splat(FINE_MARGIN);
        let around = Aabb { min: bounds.min - margin, max: bounds.max + margin };
        let rect = TileRect::over(plan, &around).within(whole);
        if rect == whole {
            return Ok(true);
        }
        let terrain = Terrain::new((plan, self.bounds()), rect, self.monitor)?;
        let costs = Costs::new(&terrain, plan, self.monitor)?;
        let strict = Relaxed::new(&costs, ObstaclePrice::FREE, &[], self.monitor)?;
        let borders = rect.borders_within(whole);
        let floors = |side: Side| {
            let places = self.places.of(side).iter();
            places.filter_map(|(_, place)| {
                terrain.floor_at(*place, costs.reach(), |floor| strict.holds(floor))
            })
        };
        let starts: Vec<_> = floors(side).collect();
        if starts.is_empty() {
            return Ok(true);
        }
        let goals: BTreeSet<_> = floors(side.opposite()).collect();
        let relaxed = Relaxed::to_spread(&costs, price, &[], self.monitor)?;
        let leads_on =
            |floor: usize| goals.contains(&floor) || is_at_border(&costs, floor, borders);
        Ok(relaxed.reaches(&starts, leads_on, self.monitor)?)
    }
}

/// Returns whether clearance or jumps at a floor depend on ground beyond `borders` of the terrain.
fn is_at_border(costs: &Costs<'_>, floor: usize, borders: [bool; 4]) -> bool {
    let Costs { terrain, agent, .. } = costs;
    let margin = u32::from(agent.farthest_jump()) + 2 * agent.radius_vx + 1;
    terrain.is_near_border(floor, borders, margin)
}

/// Returns whether a floor on which the agent can stand is one of the nearest to `borders` of the terrain. The border
/// counts as an edge, from which the agent keeps the distance of its radius.
fn leads_out(costs: &Costs<'_>, floor: usize, borders: [bool; 4]) -> bool {
    costs.terrain.is_near_border(floor, borders, costs.agent.radius_vx + 2)
}

/// Returns the places before and beyond each break of a crossing.
fn ends_of(costs: &Costs<'_>, crossing: &Crossing) -> Vec<[Vec3; 2]> {
    let place = |at: usize| costs.terrain.place(crossing.floors[at]);
    crossing.breaks.iter().map(|found| [found.before, found.beyond].map(place)).collect()
}

/// Blocks the floors around a place.
fn block(costs: &Costs<'_>, place: Vec3, blocked: &mut Vec<bool>) {
    let terrain = costs.terrain;
    blocked.resize(terrain.len(), false);
    for (floor, blocked) in blocked.iter_mut().enumerate() {
        let off = terrain.place(floor) - place;
        if off.y.abs() <= APART && off.with_y(0.0).length_squared() <= APART * APART {
            *blocked = true;
        }
    }
}
