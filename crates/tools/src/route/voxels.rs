//! Searches the voxels of a level for what separates two sides of its navmesh.

use glam::Vec3;
use walkable_bake::bake::{BakeError, BakeInput, BakePlan, BakeSettings};
use walkable_runtime::{
    geom::Aabb,
    monitor::{Cancelled, Monitor},
    navmesh::NavMesh,
};

use super::{
    RouteAnswer, RouteBreak, RouteDepth,
    costs::Costs,
    crossing::{Crossing, Sides, cheapest_crossing, crosses},
    describe::{describe, too_coarse},
    places::Places,
    price::{Agent, Price},
    relaxed::Relaxed,
    severed,
    sides::MeshSides,
    terrain::{Terrain, TileRect, survey_plan},
};
use crate::explain::Cause;

/// Maximum number of voxel columns per search.
const MAX_COLUMNS: u64 = 5_000_000;
/// Maximum number of columns up to which the whole level is searched at once.
const FEW_COLUMNS: u64 = 1_200_000;
/// Margin around the smaller side for the first search, in meters.
const FIRST_MARGIN: f32 = 24.0;
/// From this price on, the passage may be closed only because the voxels are too coarse.
const DOUBTFUL: f32 = 2.0;
/// Maximum ratio of the price of a crossing in finer voxels to the original one.
const MUCH_CHEAPER: f32 = 0.6;
/// Radius around a break in which other crossings are ignored, in meters.
const APART: f32 = 2.5;
/// Maximum number of crossings to report.
const N_CROSSINGS: usize = 3;
/// Maximum number of searches for crossings after the first one.
const N_SEARCHES: usize = 4;

/// Searches the voxels of `plan` for what separates the sides.
pub(super) fn search(
    plan: &BakePlan,
    mesh: &NavMesh,
    sides: &MeshSides,
    depth: RouteDepth,
    monitor: &dyn Monitor,
) -> Result<RouteAnswer, BakeError> {
    let places = Places::new(mesh, sides);
    let survey = survey_plan(plan)?;
    let bounds = [&places.start, &places.end].map(|places| Places::bounds(places));
    let smaller = bounds.into_iter().min_by(|a, b| extent(a).total_cmp(&extent(b)));
    let smaller = smaller.unwrap_or_else(|| mesh.bounds());
    let whole = TileRect::whole(&survey);
    let part = |margin: f32| {
        let margin = Vec3::splat(margin);
        let grown = Aabb { min: smaller.min - margin, max: smaller.max + margin };
        let is_small = whole.n_columns(&survey) <= FEW_COLUMNS;
        if is_small { whole } else { TileRect::over(&survey, &grown) }
    };
    let mut rect = part(FIRST_MARGIN);
    if rect.n_columns(&survey) > MAX_COLUMNS {
        let unknown = Some(too_large(rect.n_columns(&survey)));
        return Ok(RouteAnswer { unknown, ..RouteAnswer::default() });
    }
    let search = Search { plan, survey: &survey, mesh, sides, places: &places, depth, monitor };
    let mut margin = FIRST_MARGIN;
    loop {
        margin *= 3.0;
        let next = part(margin);
        let is_last = rect == whole || next.n_columns(&survey) > MAX_COLUMNS;
        if let Some(answer) = search.run(LevelPart { rect, is_last })? {
            return Ok(answer);
        }
        rect = next;
    }
}

fn extent(bounds: &Aabb) -> f32 {
    if bounds.is_empty() { f32::INFINITY } else { bounds.size().x * bounds.size().z }
}

fn too_large(n_columns: u64) -> String {
    format!(
        "the level around the break has {n_columns} columns of voxels, more than the limit of {MAX_COLUMNS}; \
         limit the bake to a part of it (bounds)"
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
struct Search<'a> {
    plan: &'a BakePlan,
    survey: &'a BakePlan,
    mesh: &'a NavMesh,
    sides: &'a MeshSides,
    places: &'a Places,
    depth: RouteDepth,
    monitor: &'a dyn Monitor,
}

impl Search<'_> {
    /// Searches a part of the level. Returns `None` if a cheaper crossing could lead through the rest of the level, unless the
    /// part is the last one.
    fn run(&self, part: LevelPart) -> Result<Option<RouteAnswer>, BakeError> {
        let LevelPart { rect, is_last } = part;
        let terrain = Terrain::new(self.survey, rect, self.monitor)?;
        let costs = Costs::new(&terrain, Agent::of(self.survey), self.monitor)?;
        let strict = Relaxed::new(&costs, Price::FREE, &[], self.monitor)?;
        let Some(sides) = self.floors(&strict)? else {
            let (strict, places) = (&strict, self.places);
            let severed = (strict, places);
            let answer = severed::between(self.plan, self.mesh, self.sides, severed, self.monitor)?;
            return Ok(Some(answer));
        };
        if sides.starts.is_empty() || !sides.is_end.contains(&true) {
            return Ok(is_last.then(RouteAnswer::default));
        }
        let mut blocked = Vec::new();
        let all = (Price::FREE.and_more(), &blocked[..]);
        let first = cheapest_crossing(&strict, &sides, all, self.monitor)?;
        if !is_last && self.may_leave(&strict, &sides, (rect, first.as_ref()))? {
            return Ok(None);
        }
        let price = first.as_ref().map_or(f32::INFINITY, |first| first.price.share());
        if price >= DOUBTFUL
            && self.depth == RouteDepth::Alternatives
            && let Some(finer) = self.finer(&strict, price)?
        {
            return Ok(Some(finer));
        }
        let Some(first) = first else { return Ok(Some(self.walled_in())) };
        let mut answer = RouteAnswer::default();
        let main = self.tell(&costs, &first, &mut answer);
        if self.depth == RouteDepth::First {
            return Ok(Some(answer));
        }
        let mut apart = main;
        for _ in 0..N_SEARCHES {
            let Some(place) = apart.take().filter(|_| answer.others.len() + 1 < N_CROSSINGS) else {
                break;
            };
            block(&costs, place, &mut blocked);
            let at_least = (first.price.and_more(), &blocked[..]);
            let Some(next) = cheapest_crossing(&strict, &sides, at_least, self.monitor)? else {
                break;
            };
            let mut other = RouteAnswer::default();
            apart = self.tell(&costs, &next, &mut other);
            // Crossings may differ only beyond their first obstacle.
            let is_known = |new: &RouteBreak| {
                let mut known = answer.first.iter().chain(&answer.others);
                known.any(|old| old.cause == new.cause && old.place.distance(new.place) < APART)
            };
            answer.others.extend(other.first.filter(|new| !is_known(new)));
        }
        Ok(Some(answer))
    }

    /// Whether a crossing cheaper than `first` could lead through ground outside `rect`: from both sides, an agent that
    /// overcomes all cheaper obstacles gets to the border of `rect`.
    fn may_leave(
        &self,
        strict: &Relaxed<'_>,
        sides: &Sides,
        (rect, first): (TileRect, Option<&Crossing>),
    ) -> Result<bool, Cancelled> {
        let most = first.map_or(Price::NEVER, |first| first.price).number();
        let Some(below) = most.checked_sub(1) else { return Ok(false) };
        let Costs { terrain, agent, .. } = strict.costs;
        // Near the border, clearance and jumps are unknown.
        let margin = u32::from(agent.farthest_jump()) + 2 * agent.radius_vx + 1;
        let borders = rect.borders_within(TileRect::whole(self.survey));
        let is_at_border = |floor: usize| terrain.is_near_border(floor, borders, margin);
        let relaxed = Relaxed::new(strict.costs, Price::from_number(below), &[], self.monitor)?;
        if !relaxed.reaches(&sides.starts, is_at_border, self.monitor)? {
            return Ok(false);
        }
        let ends: Vec<_> = (0..terrain.len()).filter(|&floor| sides.is_end[floor]).collect();
        relaxed.reaches(&ends, is_at_border, self.monitor)
    }

    /// The answer if no agent could cross.
    fn walled_in(&self) -> RouteAnswer {
        let sides = [&self.places.start, &self.places.end].map(|places| Places::bounds(places));
        let [start, end] = sides.map(|bounds| extent(&bounds));
        let (what, place) = if start <= end {
            ("start", self.places.start.first())
        } else {
            ("end", self.places.end.first())
        };
        let text = format!(
            "walls separate the two sides: from the part of the navmesh around the {what}, there is no step, crawlspace or gap that a more able agent could use"
        );
        let first = place.map(|(_, place)| RouteBreak::plain(Cause::Unexplained, *place, text));
        RouteAnswer { first, ..RouteAnswer::default() }
    }

    /// Adds the breaks of a crossing to `answer`, and returns the position of the most expensive one.
    fn tell(
        &self,
        costs: &Costs<'_>,
        crossing: &Crossing,
        answer: &mut RouteAnswer,
    ) -> Option<Vec3> {
        let most = crossing.breaks.iter().map(|one| one.price).max()?;
        for found in &crossing.breaks {
            let told = describe(self.plan, costs, crossing, found);
            if found.price == most && answer.first.is_none() {
                answer.first = Some(told);
            } else {
                answer.also.push(told);
            }
        }
        answer.first.as_ref().map(|first| first.place)
    }

    /// The floors of both sides; `None` if the voxels connect them.
    fn floors(&self, strict: &Relaxed<'_>) -> Result<Option<Sides>, Cancelled> {
        let parts = strict.parts(self.monitor)?;
        let n_parts = parts
            .iter()
            .filter(|&&part| part != u32::MAX)
            .max()
            .map_or(0, |&part| part as usize + 1);
        let [start, end] = [&self.places.start, &self.places.end].map(|places| {
            let mut is_in = vec![false; n_parts];
            for (_, place) in places {
                let reach = strict.costs.reach();
                let floor =
                    strict.costs.terrain.floor_at(*place, reach, |floor| parts[floor] != u32::MAX);
                if let Some(floor) = floor {
                    is_in[parts[floor] as usize] = true;
                }
            }
            is_in
        });
        if start.iter().zip(&end).any(|(start, end)| *start && *end) {
            return Ok(None);
        }
        let is_in = |side: &[bool], floor: usize| {
            side.get(parts[floor] as usize).is_some_and(|&is_in| is_in)
        };
        let starts = (0..parts.len())
            .filter(|&floor| is_in(&start, floor))
            .filter(|&floor| strict.is_rim(floor));
        let is_end = (0..parts.len()).map(|floor| is_in(&end, floor)).collect();
        Ok(Some(Sides { starts: starts.collect(), is_end }))
    }

    /// The crossing in finer voxels, if it is much cheaper.
    fn finer(&self, coarse: &Relaxed<'_>, price: f32) -> Result<Option<RouteAnswer>, BakeError> {
        let settings = &self.plan.input().settings;
        let fine = BakeSettings {
            cell_size: settings.cell_size * 0.4,
            cell_height: settings.cell_height * 0.5,
            ..settings.clone()
        };
        let Ok(plan) = self.plan.renewed(BakeInput { settings: fine, ..self.plan.input().clone() })
        else {
            return Ok(None);
        };
        let plan = survey_plan(&plan)?;
        let rect = TileRect::over(&plan, &coarse.costs.terrain.frame.bounds);
        if rect.n_columns(&plan) > MAX_COLUMNS {
            return Ok(None);
        }
        let terrain = Terrain::new(&plan, rect, self.monitor)?;
        let costs = Costs::new(&terrain, Agent::of(&plan), self.monitor)?;
        let strict = Relaxed::new(&costs, Price::FREE, &[], self.monitor)?;
        let mut answer = RouteAnswer::default();
        let Some(sides) = self.floors(&strict)? else {
            let Some(way) = severed::way_between(&strict, self.places, self.monitor)? else {
                return Ok(None);
            };
            answer.first = too_coarse(self.plan, &way, coarse);
            return Ok(answer.first.is_some().then_some(answer));
        };
        let much_cheaper = Price::below(price * MUCH_CHEAPER);
        // Most passages are still closed in finer voxels. A single search shows that.
        if !crosses(&costs, &sides, (*much_cheaper.end(), &[]), self.monitor)? {
            return Ok(None);
        }
        let crossing = cheapest_crossing(&strict, &sides, (much_cheaper, &[]), self.monitor)?;
        let Some(crossing) = crossing else { return Ok(None) };
        self.tell(&costs, &crossing, &mut answer);
        Ok(answer.first.is_some().then_some(answer))
    }
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
