//! Explains what is at a point of the level and why: the editor's side of the library's `explain`.

use std::{cell::RefCell, rc::Rc};

use glam::Vec3;
use walkable::{
    bake::BakePlan,
    explain::{Explanation, Verdict, explain, tile_at},
    ids::TileCoord,
    query::{NearestRequest, nearest},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    positions::{Positions, typed_positions},
};

use crate::{
    area_names::area_name,
    session::{AreaTable, Hover, SceneItem, Session, SessionView, TileKey, TileResult},
};

#[derive(Clone, Debug, PartialEq)]
pub struct PlaceAnswer {
    pub tile: TileCoord,
    pub explanation: Explanation,
    pub is_removed: bool,
    pub is_on_dropped_island: bool,
    /// Names of the obstacles that block the ground there; `None` if the level is not prepared for obstacles.
    pub obstacles: Option<Vec<String>>,
    /// Whether the settings or the level have changed since the tile was baked.
    pub is_stale: bool,
}

impl PlaceAnswer {
    pub fn line(&self, areas: &AreaTable) -> String {
        match &self.explanation.verdict {
            Verdict::Walkable { .. } if self.is_removed => {
                tr!("removed from the navmesh with tile {}", self.tile)
            }
            Verdict::Walkable { .. } if self.is_on_dropped_island => {
                tr!("not walkable: the rule for islands removed its island").to_owned()
            }
            Verdict::Walkable { .. } if self.is_under_obstacle() => {
                tr!("not walkable: {}", self.obstacle_note())
            }
            Verdict::Walkable { area, region, .. } => {
                tr!("walkable · area {} · region {}", area_name(areas, area.0), region.0)
            }
            lost @ Verdict::Lost { .. } => lang::phrase(&lost.phrase()),
        }
    }

    pub fn is_walkable(&self) -> bool {
        let is_lost = self.is_removed || self.is_on_dropped_island || self.is_under_obstacle();
        self.explanation.verdict.is_walkable() && !is_lost
    }

    pub fn is_under_obstacle(&self) -> bool {
        self.obstacles.as_ref().is_some_and(|obstacles| !obstacles.is_empty())
    }

    pub fn obstacle_note(&self) -> String {
        match self.obstacles.as_deref().unwrap_or_default() {
            [] => tr!("no obstacle lies here").to_owned(),
            [one] => tr!("an obstacle lies here: {one}"),
            several => tr!("obstacles lie here: {}", several.join(", ")),
        }
    }
}

/// Caches the latest answers, so that repeated questions about a point of the same bake are free.
#[derive(Debug, Default)]
pub struct Answers {
    /// The latest questions, newest first.
    last: RefCell<Vec<(Question, Rc<PlaceAnswer>)>>,
}

/// Number of cached answers: enough for the points under the cursor and selected, and the ends of a path.
const MAX_KEPT: usize = 6;

/// A cache key: equal questions have equal answers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    place: Hover,
    tile: TileKey,
    is_removed: bool,
    is_on_dropped_island: bool,
    is_stale: bool,
    /// For levels that are prepared for obstacles: serial number of the navmesh and revision of the document, which
    /// change with the obstacles and their names.
    obstacles: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AnswerState {
    Answer(Rc<PlaceAnswer>),
    /// The tile is still being processed; ask again later.
    Soon,
    /// The bake that is running has not reached this tile yet.
    Waiting(TileCoord),
    /// No answer is possible: nothing is baked there, the point is outside the level, or its stages were discarded and
    /// would take too long to bake again.
    Nothing,
}

impl AnswerState {
    /// Returns what is known in one line; `None` if nothing is, or not yet.
    pub fn line(&self, areas: &AreaTable) -> Option<String> {
        match self {
            Self::Answer(answer) => Some(answer.line(areas)),
            Self::Waiting(tile) => Some(tr!("tile {tile} waits for its bake")),
            Self::Soon | Self::Nothing => None,
        }
    }

    pub fn is_walkable(&self) -> Option<bool> {
        match self {
            Self::Answer(answer) => Some(answer.is_walkable()),
            Self::Waiting(_) | Self::Soon | Self::Nothing => None,
        }
    }
}

impl Answers {
    pub fn ask(&self, view: &SessionView<'_>, place: Hover) -> Option<Rc<PlaceAnswer>> {
        match self.know(view, place) {
            AnswerState::Answer(answer) => Some(answer),
            AnswerState::Soon | AnswerState::Waiting(_) | AnswerState::Nothing => None,
        }
    }

    pub fn know(&self, view: &SessionView<'_>, place: Hover) -> AnswerState {
        let plan = view.bake.plan.as_deref();
        let found = plan.and_then(|plan| Some((plan, tile_at(plan, place.point)?)));
        let Some((plan, coord)) = found else { return AnswerState::Nothing };
        let Some(result) = view.bake.tiles.get(&coord) else {
            let is_baking = view.bake.progress.is_some();
            return if is_baking { AnswerState::Waiting(coord) } else { AnswerState::Nothing };
        };
        let tile = TileKey::of(result);
        if view.is_pending(tile) {
            return AnswerState::Soon;
        }
        let answer = self.answer(view, plan, result, place);
        answer.map_or(AnswerState::Nothing, AnswerState::Answer)
    }

    fn answer(
        &self,
        view: &SessionView<'_>,
        plan: &BakePlan,
        result: &TileResult,
        place: Hover,
    ) -> Option<Rc<PlaceAnswer>> {
        let tile = TileKey::of(result);
        let is_removed = result.tile.is_none() && result.baked.is_some();
        let is_on_dropped_island = is_on_dropped_island(view, tile.coord, place.point);
        let is_stale = result.revision != view.revision();
        let revision = (view.bake.navmesh_serial, view.history.revision());
        let obstacles = view.bake.layered().map(|_| revision);
        let question =
            Question { place, tile, is_removed, is_on_dropped_island, is_stale, obstacles };
        let known = |(asked, _): &&(Question, _)| *asked == question;
        if let Some((_, answer)) = self.last.borrow().iter().find(known) {
            return Some(Rc::clone(answer));
        }
        let answer = view.bake.stages_of(result).map(|stages| {
            let explanation = explain(plan, stages, place.point, place.triangle);
            let obstacles = obstacles_at(view, place.point);
            Rc::new(PlaceAnswer {
                tile: tile.coord,
                explanation,
                is_removed,
                is_on_dropped_island,
                obstacles,
                is_stale,
            })
        })?;
        let mut last = self.last.borrow_mut();
        last.insert(0, (question, Rc::clone(&answer)));
        last.truncate(MAX_KEPT);
        Some(answer)
    }
}

/// Returns whether a polygon at `point` in the tile `coord` belongs to an island that was removed from the navmesh.
fn is_on_dropped_island(view: &SessionView<'_>, coord: TileCoord, point: Vec3) -> bool {
    let Some((pruning, navmesh)) = view.bake.pruning().zip(view.bake.navmesh.as_deref()) else {
        return false;
    };
    let at = [coord.x, coord.z].map(|at| i32::try_from(at).unwrap_or(i32::MAX));
    let dropped = pruning.disabled.iter().filter_map(|&poly| navmesh.resolve(poly));
    let mut here = dropped.filter(|(tile, _)| [tile.header.x, tile.header.z] == at);
    here.any(|(tile, index)| {
        tile.polys.get(index).is_some_and(|poly| lies_on(&tile.corners(poly), point))
    })
}

/// Returns whether `point` lies on a convex polygon seen from above, and close to it in height.
fn lies_on(corners: &[Vec3], point: Vec3) -> bool {
    /// Tolerance in height, in meters: detail mesh and voxels deviate less than this from the plane of a polygon.
    const NEAR: f32 = 1.0;
    let Some(last) = corners.last().filter(|_| corners.len() > 2) else { return false };
    let edges = std::iter::once(last).chain(corners).zip(corners);
    let sides = edges.map(|(a, b)| {
        let (along, to) = (*b - *a, point - *a);
        along.x * to.z - along.z * to.x
    });
    let (mut left, mut right) = (false, false);
    for side in sides {
        left |= side > 0.0;
        right |= side < 0.0;
    }
    let heights = corners.iter().map(|corner| corner.y);
    let low = heights.clone().fold(f32::INFINITY, f32::min) - NEAR;
    let high = heights.fold(f32::NEG_INFINITY, f32::max) + NEAR;
    !(left && right) && (low..=high).contains(&point.y)
}

/// Returns the names of the obstacles that block the ground at `point`; `None` if the level is not prepared for
/// obstacles.
fn obstacles_at(view: &SessionView<'_>, point: Vec3) -> Option<Vec<String>> {
    let numbers = view.bake.layered()?.obstacles_at(point);
    let name = |number| SceneItem::Obstacle(number).name(view.document());
    Some(numbers.into_iter().map(name).collect())
}

/// An end of a path that has no polygon nearby, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct OffMesh {
    pub point: Vec3,
    pub line: Option<String>,
    pub nearest: Option<Vec3>,
}

/// Returns the nearest walkable point on the navmesh, searching up to 40 times as far as a path does for its ends.
pub fn nearest_walkable(view: &SessionView<'_>, point: Vec3) -> Option<Vec3> {
    let navmesh = view.bake.navmesh.as_deref()?;
    let within = |factor: f32| {
        let half_extents = view.path.half_extents * factor;
        let filter = &view.path.filter;
        nearest(navmesh, &NearestRequest { center: point, half_extents, filter }).ok()?
    };
    [3.0, 10.0, 40.0].into_iter().find_map(within).map(|end| end.point)
}

/// Formats coordinates to about a centimeter in the unit of the window, for copying: `x y z`.
pub fn coordinates(point: Vec3) -> String {
    format::coordinates(point).join(" ")
}

/// Parses a position in the unit of the window in any of the usual notations: `1 2 3`, `(1.5, 2, 3)`, `x=1 y=2 z=3`,
/// `[1;2;3]`, or a line of a log with one position.
pub fn parse_coordinates(text: &str, session: &Session) -> Option<Vec3> {
    match session.in_level(typed_positions(text).ok()?) {
        Positions::Place(place) => Some(place),
        Positions::Path(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use walkable_workspace::units::{Units, set_units};

    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        let session = Session::default();
        let place = Some(Vec3::new(1.5, -2.0, 30.0));
        for text in ["1.5 -2 30", " (1.5, -2.0, 30) ", "x=1.5 y=-2 z=3e1", "[1.5;−2;30]"] {
            assert_eq!(parse_coordinates(text, &session), place, "{text}");
        }
        for text in ["", "1 2", "1 2 3 4", "one two three", "1 2 1e99"] {
            assert_eq!(parse_coordinates(text, &session), None, "{text}");
        }
        let point = Vec3::new(12.25, 0.0, -7.5);
        assert_eq!(parse_coordinates(&coordinates(point), &session), Some(point));
        set_units(Units::Centimeters);
        assert_eq!(coordinates(point), "1225 0 -750");
        assert_eq!(parse_coordinates("X=1225 Y=0 Z=-750", &session), Some(point));
        set_units(Units::Meters);
    }
}
