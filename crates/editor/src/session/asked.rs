//! Stages of tiles that are asked about and whose own were not kept: baked once more, for the answer.

use std::{sync::Arc, time::Duration};

use walkable::{
    bake::{BakePlan, Intermediates},
    explain::tile_at,
    ids::TileCoord,
    query::WhyNot,
};

use super::{BakeState, Session, TileResult};

/// A tile whose bake took longer than this is not baked once more for a question.
const PATIENCE: Duration = Duration::from_millis(400);

/// A tile of one bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileKey {
    /// Which tile.
    pub coord: TileCoord,
    /// Serial number of its result.
    pub serial: u64,
}

impl TileKey {
    /// The key of a result.
    pub const fn of(result: &TileResult) -> Self {
        Self { coord: result.coord, serial: result.serial }
    }
}

/// The tiles that were baked once more; `None` those that could not be.
#[derive(Clone, Debug, Default)]
pub struct Asked(Vec<(TileKey, Option<Arc<Intermediates>>)>);

impl BakeState {
    /// The stages of `tile` that were baked once more.
    pub fn asked(&self, tile: TileKey) -> Option<&Arc<Intermediates>> {
        let found = self.asked.0.iter().find(|(key, _)| *key == tile);
        found.and_then(|(_, stages)| stages.as_ref())
    }
}

impl Session {
    /// The next tile to bake for an answer: one that is asked about, whose stages are not known.
    pub fn wanted_answer(&self) -> Option<(Arc<BakePlan>, TileKey)> {
        let plan = self.bake.plan.as_ref()?;
        let wanted = self.asked_tiles().into_iter().find(|&tile| self.is_pending(tile))?;
        Some((Arc::clone(plan), wanted))
    }

    /// Whether the stages of `tile` are on their way.
    pub fn is_pending(&self, tile: TileKey) -> bool {
        let result = self.bake.tiles.get(&tile.coord).filter(|it| it.serial == tile.serial);
        let gone = result.is_some_and(|it| it.stages.is_none() && it.times.total() <= PATIENCE);
        gone && self.bake.asked.0.iter().all(|(key, _)| *key != tile)
    }

    /// The stages of `tile` have come; those of tiles that nobody asks about any more go.
    pub fn land_answer(&mut self, tile: TileKey, stages: Option<Arc<Intermediates>>) {
        let wanted = self.asked_tiles();
        let asked = &mut self.bake.asked.0;
        asked.retain(|(key, _)| *key != tile && wanted.contains(key));
        asked.push((tile, stages));
    }

    /// The tiles of what is selected and pointed at, and of an end of the path that is off the navmesh.
    fn asked_tiles(&self) -> Vec<TileKey> {
        let Some(plan) = self.bake.plan.as_deref() else { return Vec::new() };
        let off_mesh = match self.path.answer.as_ref().and_then(|answer| answer.path.why) {
            Some(WhyNot::StartOffMesh) => self.path.start,
            Some(WhyNot::EndOffMesh) => self.path.end,
            _ => None,
        };
        let places = [self.selection, self.hover].map(|place| place.map(|place| place.point));
        let places = places.into_iter().chain([off_mesh]).flatten();
        places
            .filter_map(|point| self.bake.tiles.get(&tile_at(plan, point)?))
            .map(TileKey::of)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{session::Hover, testing};

    fn place(x: f32) -> Hover {
        Hover { point: Vec3::new(x, 0.0, 20.0), triangle: None }
    }

    /// A baked level of which no stages were kept.
    fn forgetful() -> Session {
        let mut session = testing::baked();
        for tile in session.bake.tiles.values_mut() {
            tile.stages = None;
        }
        session
    }

    #[test]
    fn tiles_are_wanted_until_they_land_and_kept_while_they_are_asked_about() {
        let mut session = forgetful();
        assert_eq!(session.wanted_answer().map(|wanted| wanted.1), None, "nobody asks");
        (session.selection, session.hover) = (Some(place(2.0)), Some(place(20.0)));
        let mut landed = Vec::new();
        while let Some((_, tile)) = session.wanted_answer() {
            assert!(session.is_pending(tile));
            session.land_answer(tile, None);
            assert!(!session.is_pending(tile), "a tile that cannot be baked is not tried again");
            landed.push(tile.coord);
        }
        assert_eq!(landed, [TileCoord::new(0, 2), TileCoord::new(2, 2)]);
        session.hover = Some(place(12.0));
        let (_, middle) = session.wanted_answer().unwrap();
        session.land_answer(middle, None);
        session.hover = Some(place(20.0));
        let again = session.wanted_answer().map(|wanted| wanted.1.coord);
        assert_eq!(again, Some(TileCoord::new(2, 2)), "what nobody asked about is gone");
    }
}
