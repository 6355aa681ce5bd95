//! Describes a break in words and numbers.

use glam::Vec3;
use walkable_bake::bake::{BakePlan, Stage, Steepness};
use walkable_runtime::{
    diagnostic::{ArgumentValue, Phrase},
    geom::Aabb,
    phrase,
};

use super::{
    RouteBreak,
    costs::Costs,
    crossing::{Break, Crossing, Kind},
    price::{Agent, float, meters},
    probe::{Ground, Probe, Width},
    relaxed::Relaxed,
};
use crate::explain::{
    Cause, Measure, MeasureUnit, Obstacle, Reason, Remedy, TooCoarse, degrees, meters as m,
    meters_apart, widen, width_for,
};

/// Half-size of the box around a break in which triangles are considered, in meters.
const AROUND: Vec3 = Vec3::new(4.0, 6.0, 4.0);
/// Maximum number of floors at which the width is measured.
const MAX_WIDTHS: usize = 12;

/// Describes a break of `crossing`.
pub(super) fn describe(
    plan: &BakePlan,
    costs: &Costs<'_>,
    crossing: &Crossing,
    found: &Break,
) -> RouteBreak {
    let place = |i: usize| costs.terrain.place(crossing.floors[i]);
    let middle = (place(found.first) + place(found.last)) * 0.5 + found.offset_to_middle;
    let bounds = Aabb { min: middle - AROUND, max: middle + AROUND };
    let describer = Describer {
        plan,
        costs,
        crossing,
        found,
        probe: Probe::new(plan, &bounds),
        user: Agent::of(plan),
        ends: [place(found.before), place(found.beyond)],
        middle,
    };
    describer.describe()
}

/// Describes a break in a path that the agent could walk if the voxels were finer than those of `coarse`.
pub(super) fn too_coarse(
    plan: &BakePlan,
    path: &[Vec3],
    coarse: &Relaxed<'_>,
) -> Option<RouteBreak> {
    let settings = &plan.input().settings;
    let agent = Agent::of(plan);
    let reach = coarse.costs.reach();
    let is_open = |place: &Vec3| {
        coarse.costs.terrain.floor_at(*place, reach, |floor| coarse.holds(floor)).is_some()
    };
    let first = path.iter().position(|place| !is_open(place))?;
    let n = path[first..].iter().take_while(|place| !is_open(place)).count();
    let shut = &path[first..first + n];
    let middle = shut[n / 2];
    let probe = Probe::new(plan, &Aabb { min: middle - AROUND, max: middle + AROUND });
    let body = [meters(agent.climb_vx, agent.cell_height), settings.agent_height];
    let stride = n.div_ceil(MAX_WIDTHS).max(1);
    let widths = shut.iter().step_by(stride).filter_map(|place| probe.width(*place, body));
    let exact = widths.min_by(|a, b| a.width.total_cmp(&b.width));
    let clear = shut.iter().map(|place| {
        let floor = coarse.costs.terrain.floor_at(*place, reach, |_| true);
        floor.map_or(0, |floor| coarse.clearance(floor))
    });
    let (text, measure) = too_few_voxels(&agent, clear.min().unwrap_or(0), exact.as_ref());
    let mut found =
        RouteBreak::plain(Cause::CellTooCoarse, exact.map_or(middle, |exact| exact.middle), text);
    found.measure = Some(measure);
    found.ends = [path[first.saturating_sub(1)], path[(first + n).min(path.len() - 1)]];
    found.remedies = vec![
        Remedy::finer(settings, "cell_size"),
        Remedy::finer(settings, "cell_height"),
        Remedy::smaller_radius(settings),
    ];
    Some(found)
}

/// Describes a passage that is wide enough, but not in voxels: of its floors, the nearest to an edge is `clear` half voxels
/// away from it.
fn too_few_voxels(agent: &Agent, clear: u32, exact: Option<&Width>) -> (Phrase, Measure) {
    let (n, needed) = (clear + 1, 2 * agent.radius_vx + 1);
    let cell = m(agent.cell_size);
    let text = phrase!(
        "a passage has {n} of the {needed} voxels of {cell} that the radius takes",
        n,
        cell,
        needed
    );
    let text = match exact {
        Some(exact) => {
            phrase!("{text} (in the level {width})", text, width = m(exact.width))
        }
        None => text,
    };
    (
        text,
        Measure { measured: Some(float(n)), limit: Some(float(needed)), unit: MeasureUnit::Cells },
    )
}

struct Describer<'a> {
    plan: &'a BakePlan,
    costs: &'a Costs<'a>,
    crossing: &'a Crossing,
    found: &'a Break,
    probe: Probe,
    /// The agent in the voxels of the settings; the voxels of `costs` may be finer.
    user: Agent,
    /// Positions before and beyond the break at which the agent can stand.
    ends: [Vec3; 2],
    middle: Vec3,
}

impl Describer<'_> {
    fn describe(&self) -> RouteBreak {
        let described = match self.found.kind {
            Kind::Step => self.step(),
            Kind::Gap => self.gap(),
            Kind::LowCeiling => self.low_ceiling(),
            Kind::TooSteep => self.too_steep(),
            Kind::Narrow => self.narrow(),
            Kind::Volume => self.volume(),
            Kind::Outside => self.outside(),
            Kind::FacesDown => self.faces_down(),
            Kind::Marked => self.marked(),
        };
        RouteBreak { ends: self.ends, price: self.found.price.share(), ..described }
    }

    fn floor(&self, i: usize) -> usize {
        self.crossing.floors[i]
    }

    fn place(&self, i: usize) -> Vec3 {
        self.costs.terrain.place(self.floor(i))
    }

    /// Returns the ground of a floor, measured in the level.
    fn ground(&self, i: usize) -> Ground {
        let place = self.place(i);
        let agent = &self.costs.agent;
        let found = self.probe.ground(place, 1.5 * agent.cell_height + agent.cell_size);
        found.unwrap_or(Ground { height: place.y, slope_deg: 0.0 })
    }

    fn lower_end(&self) -> f32 {
        self.ends[0].y.min(self.ends[1].y)
    }

    fn step(&self) -> RouteBreak {
        let agent = &self.costs.agent;
        let settings = &self.plan.input().settings;
        // The highest single rise. A slope of many rises is reported as the sum between its ends.
        let rises = (self.found.first..self.found.last).map(|i| {
            let vx = self.costs.rise(self.floor(i), self.floor(i + 1));
            let [a, b] = [i, i + 1].map(|i| self.ground(i));
            (vx, (a.height - b.height).abs(), i)
        });
        let (rise_vx, exact, at) = rises.max_by_key(|(vx, ..)| *vx).unwrap_or_default();
        let voxel = meters(rise_vx, agent.cell_height);
        let foot = self.middle.y - 0.5 * voxel;
        let is_near = (exact - voxel).abs() <= 2.0 * agent.cell_height + 0.05;
        let rise = if is_near && exact > 0.0 { exact } else { voxel };
        let limit = meters(self.user.climb_vx, self.user.cell_height);
        let climb = settings.agent_max_climb;
        // Where no rise between the floors is too high, the ground beside them rises by more.
        let is_beside = rise_vx <= agent.climb_vx;
        let rise_vx = if is_beside { agent.least_rise(self.found.price) } else { rise_vx };
        let (over, voxel) = (rise - limit, meters(rise_vx, agent.cell_height));
        let place = self.middle.with_y(foot);
        // The ground beside the floors is that of two neighbors.
        let (ends, own) = if is_beside {
            (self.beside(at, voxel), 0.5 * voxel)
        } else {
            (vec![self.on_ground(at + 1)], rise)
        };
        if let Some(coarse) = self.coarse_rise(at, &ends, (own, voxel)) {
            let reason = Reason::CellTooCoarse(coarse);
            let advice = reason.geometry_fix(self.plan, place);
            let Obstacle { cause, measure, text, remedies, .. } =
                reason.obstacle(self.plan, Stage::Filtered);
            let plain = RouteBreak::plain(cause, place, text);
            return RouteBreak { measure, advice, remedies, ..plain };
        }
        let [height, in_voxels, most] = meters_apart([rise, voxel, limit]);
        let text = if rise > limit {
            phrase!("a step of {height} is higher than the climb of {most}", height, most)
        } else if is_beside {
            phrase!(
                "a step of {in_voxels} in whole voxels is higher than the climb of {most}",
                in_voxels,
                most
            )
        } else {
            phrase!(
                "a step of {in_voxels} in whole voxels is higher than the climb of {most} (in the level {height})",
                in_voxels,
                most,
                height
            )
        };
        let text = match self.rounding(climb, self.user.climb_vx, limit) {
            Some([set, n, cell]) => {
                phrase!("{text} (climb {set} is {n} voxels of {cell})", text, set, n, cell)
            }
            None => text,
        };
        let step = Reason::Step { height: rise, climb: limit };
        let advice = step.geometry_fix(self.plan, place).filter(|_| over > 0.0);
        let highest = voxel.max(rise) + 2.0 * self.user.cell_height;
        let mut remedies = vec![Remedy::larger_climb(settings, highest)];
        remedies.push(Remedy::finer(settings, "cell_height"));
        let measure = Some(Measure {
            measured: Some(if over > 0.0 { rise } else { voxel }),
            limit: Some(limit),
            unit: MeasureUnit::Meters,
        });
        RouteBreak { measure, advice, remedies, ..RouteBreak::plain(Cause::Step, place, text) }
    }

    /// Returns why the agent can climb the rise from floor `at` to each of `ends` in the level, but not in voxels: a ramp, or
    /// stairs. Returns `None` if it is a step.
    fn coarse_rise(
        &self,
        at: usize,
        ends: &[Vec3],
        (rise, in_voxels): (f32, f32),
    ) -> Option<TooCoarse> {
        let limit = meters(self.user.climb_vx, self.user.cell_height);
        let slopes = [at, at + 1].map(|i| self.ground(i).slope_deg);
        let slope_deg = slopes[0].max(slopes[1]);
        if slope_deg > self.plan.input().settings.agent_max_slope {
            return None;
        }
        TooCoarse::of_rise(self.plan, (rise, in_voxels), slope_deg).or_else(|| {
            let from = self.on_ground(at);
            let climbs = |end: &Vec3| self.probe.climbs(from, *end, limit);
            let rise = rise.max(in_voxels);
            let is_coarse = rise > limit && limit > 0.0 && ends.iter().all(climbs);
            is_coarse.then_some(TooCoarse::Slope { rise, is_ramp: false, climb: limit })
        })
    }

    fn on_ground(&self, i: usize) -> Vec3 {
        self.place(i).with_y(self.ground(i).height)
    }

    /// Returns the ground in the neighboring voxels of a floor, at most `rise` above or below it.
    fn beside(&self, i: usize, rise: f32) -> Vec<Vec3> {
        let place = self.on_ground(i);
        let aside = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z].map(|way| {
            let at = place + way * self.costs.agent.cell_size;
            let ground = self.probe.ground(at, rise + self.user.cell_height)?;
            Some(at.with_y(ground.height))
        });
        aside.into_iter().flatten().collect()
    }

    /// Returns why a length differs from the setting: 0.9 m is 4 voxels of 0.2 m; `None` if it does not.
    fn rounding(&self, set: f32, n_vx: u32, rounded: f32) -> Option<[ArgumentValue; 3]> {
        let is_rounded = (set - rounded).abs() >= 1e-3;
        is_rounded.then(|| [m(set), n_vx.into(), m(self.user.cell_height)])
    }

    fn gap(&self) -> RouteBreak {
        let [from, to] = [self.place(self.found.first), self.place(self.found.last)];
        let agent = &self.costs.agent;
        let n_void: u32 = (self.found.first..self.found.last)
            .map(|i| u32::from(self.crossing.transitions[i].n_void))
            .sum();
        let by_voxels = meters(n_void, agent.cell_size);
        // A voxel that is only touched by ground counts as ground, so the real gap is wider than the voxels show.
        let exact = self.probe.gap(from, to, meters(agent.climb_vx, agent.cell_height));
        let width = exact.map_or(by_voxels, |[a, b]| (b - a).with_y(0.0).length());
        let middle =
            exact.map_or(self.middle, |[a, b]| (a + b) * 0.5 + self.found.offset_to_middle);
        if self.probe.is_left_out(middle, 2.0 * agent.cell_height) {
            let advice = Reason::LeftOut.geometry_fix(self.plan, middle);
            let text = phrase!("the object or material of the ground is left out of the bake");
            return RouteBreak { advice, ..RouteBreak::plain(Cause::MarkedSurface, middle, text) };
        }
        let text = phrase!("the ground is missing over {width}", width = m(width));
        let advice = Some(phrase!(
            "close this gap of {width}, or place an off-mesh link across it",
            width = m(width)
        ));
        let measure =
            Some(Measure { measured: Some(width), limit: Some(0.0), unit: MeasureUnit::Meters });
        RouteBreak { measure, advice, ..RouteBreak::plain(Cause::Gap, middle, text) }
    }

    fn low_ceiling(&self) -> RouteBreak {
        let agent = &self.costs.agent;
        let settings = &self.plan.input().settings;
        let rooms = (self.found.first..=self.found.last).filter_map(|i| {
            let ground = self.place(i).with_y(self.ground(i).height);
            self.probe.room(ground)
        });
        let least_vx =
            (self.found.first..=self.found.last).map(|i| self.costs.room(self.floor(i))).min();
        let by_voxels = meters(least_vx.unwrap_or(0), agent.cell_height);
        let exact = rooms.min_by(f32::total_cmp);
        let is_near = |room: &f32| (room - by_voxels).abs() <= 3.0 * agent.cell_height + 0.1;
        let room = exact.filter(is_near).unwrap_or(by_voxels);
        let limit = meters(self.user.height_vx, self.user.cell_height);
        let [own, in_voxels, needed] = meters_apart([room, by_voxels, limit]);
        let text = if room >= limit {
            phrase!(
                "head room of {in_voxels} in whole voxels is less than the height of {needed} (in the level {own})",
                in_voxels,
                needed,
                own
            )
        } else {
            phrase!("head room of {own} is less than the height of {needed}", own, needed)
        };
        let text = match self.rounding(settings.agent_height, self.user.height_vx, limit) {
            Some([set, n, cell]) => {
                phrase!("{text} (height {set} is {n} voxels of {cell})", text, set, n, cell)
            }
            None => text,
        };
        let lacking = m((limit - room).max(0.0) + agent.cell_height);
        let advice = Some(phrase!("raise the ceiling here by {lacking}", lacking));
        let remedies =
            vec![Remedy::smaller_height(settings), Remedy::finer(settings, "cell_height")];
        let measure = Some(Measure {
            measured: Some(if room < limit { room } else { by_voxels }),
            limit: Some(limit),
            unit: MeasureUnit::Meters,
        });
        let place = self.middle.with_y(self.lower_end());
        RouteBreak {
            measure,
            advice,
            remedies,
            ..RouteBreak::plain(Cause::LowCeiling, place, text)
        }
    }

    fn too_steep(&self) -> RouteBreak {
        let settings = &self.plan.input().settings;
        let limit = settings.agent_max_slope;
        let by_class = (self.found.first..=self.found.last)
            .filter_map(|i| Steepness::least_slope_deg(self.costs.class(self.floor(i)), limit))
            .fold(limit, f32::max);
        let exact = (self.found.first..=self.found.last)
            .map(|i| self.ground(i).slope_deg)
            .filter(|slope_deg| (slope_deg - by_class).abs() < 2.0 && *slope_deg > limit)
            .fold(by_class, f32::max);
        let [slope, most] = [exact, limit].map(degrees);
        let text = phrase!("a slope of {slope} is steeper than {most}", slope, most);
        let over = degrees((exact - limit).max(0.0) + 0.1);
        let advice = Some(phrase!("make this slope {over} flatter", over));
        let measure =
            Some(Measure { measured: Some(exact), limit: Some(limit), unit: MeasureUnit::Degrees });
        let remedies = vec![Remedy::larger_slope(exact)];
        let place = self.middle;
        RouteBreak { measure, advice, remedies, ..RouteBreak::plain(Cause::TooSteep, place, text) }
    }

    fn narrow(&self) -> RouteBreak {
        let agent = &self.user;
        let settings = &self.plan.input().settings;
        let body = [meters(agent.climb_vx, agent.cell_height), settings.agent_height];
        let n = self.found.last - self.found.first + 1;
        let stride = n.div_ceil(MAX_WIDTHS).max(1);
        let widths = (self.found.first..=self.found.last).step_by(stride).filter_map(|i| {
            let feet = self.place(i).with_y(self.ground(i).height);
            self.probe.width(feet, body)
        });
        let exact = widths.min_by(|a, b| a.width.total_cmp(&b.width));
        let limit = 2.0 * meters(agent.radius_vx, agent.cell_size);
        let needed = width_for(0.5 * limit, agent.cell_size);
        let fits = exact.is_some_and(|exact| exact.width >= 2.0 * settings.agent_radius);
        let width = exact.map(|exact| exact.width);
        let (text, measure) = if fits {
            too_few_voxels(agent, agent.least_clearance(self.found.price), exact.as_ref())
        } else {
            let needed = m(limit);
            let text = match width.map(m) {
                Some(width) => phrase!(
                    "a passage of {width} is narrower than {needed}, twice the radius",
                    width,
                    needed
                ),
                None => {
                    phrase!("a passage is narrower than {needed}, twice the radius", needed)
                }
            };
            (text, Measure { measured: width, limit: Some(limit), unit: MeasureUnit::Meters })
        };
        let advice = width.map(|width| {
            if width < needed {
                widen(width, needed, (0.5 * limit, agent.cell_size))
            } else {
                phrase!("widen this passage by {lacking}", lacking = m(agent.cell_size))
            }
        });
        let cause = if fits { Cause::CellTooCoarse } else { Cause::Narrow };
        let mut remedies = vec![
            Remedy::smaller_radius(settings),
            Remedy::finer(settings, "cell_size"),
            Remedy::off(settings, "filter_ledge_spans"),
        ];
        if fits {
            remedies.swap(0, 1);
        }
        let place = exact.map_or(self.middle, |exact| exact.middle).with_y(self.middle.y);
        let measure = Some(measure);
        RouteBreak { measure, advice, remedies, ..RouteBreak::plain(cause, place, text) }
    }

    fn volume(&self) -> RouteBreak {
        let mut floors = (self.found.first..=self.found.last).map(|i| self.floor(i));
        let index = floors.find_map(|floor| self.costs.terrain.volume(floor)).unwrap_or(0);
        let number = index + 1;
        let text = phrase!("volume {number} makes the ground unwalkable", number);
        let advice = Some(phrase!("remove volume {number}, or give it a walkable area", number));
        RouteBreak { advice, ..RouteBreak::plain(Cause::Volume, self.middle, text) }
    }

    fn outside(&self) -> RouteBreak {
        let text = phrase!("the ground is outside the boxes that limit the bake");
        let advice = Reason::OutOfBounds.geometry_fix(self.plan, self.middle);
        RouteBreak { advice, ..RouteBreak::plain(Cause::OutOfBounds, self.middle, text) }
    }

    fn faces_down(&self) -> RouteBreak {
        let text = phrase!("the ground faces down: the winding of its triangles is inverted");
        let advice = Some(phrase!("flip the triangles of the ground here"));
        RouteBreak { advice, ..RouteBreak::plain(Cause::FacesDown, self.middle, text) }
    }

    fn marked(&self) -> RouteBreak {
        let text = phrase!("the object or material of the ground is marked as not walkable");
        let advice =
            Some(phrase!("give the object or material of the ground here a walkable area"));
        RouteBreak { advice, ..RouteBreak::plain(Cause::MarkedSurface, self.middle, text) }
    }
}
