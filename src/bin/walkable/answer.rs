//! What is at a place of the level and why: the editor's side of the library's `explain`. Knows no
//! window.

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    bake::{BakePlan, Intermediates, Keep, bake_tile},
    explain::{Explanation, Verdict, explain, tile_at},
    ids::TileCoord,
    monitor::Unmonitored,
    query,
};

use crate::session::{AreaTable, Hover, SessionView, TileResult};

/// What is known of a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// The tile that contains it.
    pub(crate) tile: TileCoord,
    /// Why it is walkable or not.
    pub(crate) explanation: Explanation,
    /// Whether its tile is taken out of the navmesh.
    pub(crate) is_removed: bool,
    /// Whether the settings or the level have changed since the tile was baked.
    pub(crate) is_stale: bool,
}

impl Answer {
    /// The answer in one line: what it is, and why.
    pub(crate) fn line(&self, areas: &AreaTable) -> String {
        match &self.explanation.verdict {
            Verdict::Walkable { .. } if self.is_removed => {
                format!("taken out of the navmesh with tile {}", self.tile)
            }
            Verdict::Walkable { area, region, .. } => {
                format!("walkable · area {} · region {}", areas.name(*area), region.0)
            }
            lost @ Verdict::Lost { .. } => lost.to_string(),
        }
    }
}

/// Answers for the place asked about last, and stages of the tile baked last for asking.
///
/// Asking again about the same place of the same bake costs nothing. A tile whose stages were not
/// kept is baked once more, on the spot.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// The questions asked last, the newest first.
    last: RefCell<Vec<(Question, Option<Rc<Answer>>)>>,
    rebaked: RefCell<Option<(TileKey, Arc<Intermediates>)>>,
}

/// Answers kept: what is under the cursor, what is selected, the ends of a path.
const MAX_KEPT: usize = 6;
/// A tile whose bake took longer than this is not baked once more for a question.
const PATIENCE: Duration = Duration::from_millis(400);

/// Equal questions have equal answers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    place: Hover,
    tile: TileKey,
    is_stale: bool,
}

/// A tile of one bake.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TileKey {
    coord: TileCoord,
    serial: u64,
}

impl Answers {
    /// What is at `place`; `None` before anything is baked there and outside the level.
    pub(crate) fn ask(&self, view: &SessionView<'_>, place: Hover) -> Option<Rc<Answer>> {
        let plan = view.bake.plan.as_deref()?;
        let coord = tile_at(plan, place.point)?;
        let result = view.bake.tiles.get(&coord)?;
        let is_removed = result.tile.is_none() && result.baked.is_some();
        let is_stale = result.revision != view.revision();
        let tile = TileKey { coord, serial: result.serial };
        let question = Question { place, tile, is_stale };
        let known = |(asked, _): &&(Question, _)| *asked == question;
        if let Some((_, answer)) = self.last.borrow().iter().find(known) {
            return answer.clone();
        }
        let answer = self
            .explain(plan, tile, result, place)
            .map(|explanation| Rc::new(Answer { tile: coord, explanation, is_removed, is_stale }));
        let mut last = self.last.borrow_mut();
        last.insert(0, (question, answer.clone()));
        last.truncate(MAX_KEPT);
        answer
    }

    fn explain(
        &self,
        plan: &BakePlan,
        tile: TileKey,
        result: &TileResult,
        place: Hover,
    ) -> Option<Explanation> {
        let can_wait = result.times.total() <= PATIENCE;
        let rebake = || can_wait.then(|| self.rebake(plan, tile)).flatten();
        let stages = result.stages.clone().or_else(rebake)?;
        Some(explain(plan, &stages, place.point, place.triangle))
    }

    fn rebake(&self, plan: &BakePlan, tile: TileKey) -> Option<Arc<Intermediates>> {
        if let Some((key, stages)) = &*self.rebaked.borrow()
            && *key == tile
        {
            return Some(Arc::clone(stages));
        }
        let baked = bake_tile(plan, tile.coord, Keep::Stages, &Unmonitored).ok()?;
        let stages = Arc::new(*baked.stages?);
        *self.rebaked.borrow_mut() = Some((tile, Arc::clone(&stages)));
        Some(stages)
    }
}

/// An end of a path that no polygon is near to, and what could be done about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OffMesh {
    /// Where it is.
    pub(crate) point: Vec3,
    /// What is there, in one line.
    pub(crate) line: Option<String>,
    /// The nearest place that can be walked on, some way off.
    pub(crate) nearest: Option<Vec3>,
}

/// The nearest place of the navmesh that may be walked on, up to 40 times as far away as a path
/// looks for its ends.
pub(crate) fn nearest_walkable(view: &SessionView<'_>, point: Vec3) -> Option<Vec3> {
    let navmesh = view.bake.navmesh.as_deref()?;
    let within = |factor: f32| {
        let half_extents = view.path.half_extents * factor;
        query::nearest(navmesh, point, half_extents, &view.path.filter)
    };
    [3.0, 10.0, 40.0].into_iter().find_map(within).map(|end| end.point)
}

/// Coordinates with centimetres, as they are copied and pasted: `x y z`.
pub(crate) fn coordinates(point: Vec3) -> String {
    format!("{:.2} {:.2} {:.2}", point.x, point.y, point.z)
}

/// Reads three numbers as people and logs write places: `1 2 3`, `(1.5, 2, 3)`, `x=1 y=2 z=3`, `[1;2;3]`.
pub(crate) fn parse_coordinates(text: &str) -> Option<Vec3> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '−' | 'e' | 'E');
    let words = text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty());
    let numbers: Vec<f32> =
        words.filter_map(|word| word.replace('−', "-").parse().ok()).take(4).collect();
    let [x, y, z] = numbers[..] else { return None };
    let point = Vec3::new(x, y, z);
    point.is_finite().then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        let place = Some(Vec3::new(1.5, -2.0, 30.0));
        for text in ["1.5 -2 30", " (1.5, -2.0, 30) ", "x=1.5 y=-2 z=3e1", "[1.5;−2;30]"] {
            assert_eq!(parse_coordinates(text), place, "{text}");
        }
        for text in ["", "1 2", "1 2 3 4", "one two three", "1 2 1e99"] {
            assert_eq!(parse_coordinates(text), None, "{text}");
        }
        let point = Vec3::new(12.25, 0.0, -7.5);
        assert_eq!(parse_coordinates(&coordinates(point)), Some(point));
    }
}
