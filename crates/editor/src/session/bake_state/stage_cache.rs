//! Stage results of tiles, cached within a budget and baked again on demand.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use walkable::{
    bake::{BakePlan, Intermediates},
    explain::tile_at,
    ids::TileCoord,
    query::WhyNot,
};

use super::BakeState;
use crate::{
    memory_budget::MemoryBudget,
    session::{Cache, LastUse, Session, TileResult},
};

/// Maximum bake time of a tile that is baked again only to answer a question. A slower tile is baked again only when it
/// is chosen or shown.
const PATIENCE: Duration = Duration::from_millis(400);

/// Identifies a tile of one bake: equal keys have equal stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileKey {
    pub coord: TileCoord,
    pub bake: u64,
}

impl TileKey {
    pub const fn of(result: &TileResult) -> Self {
        Self { coord: result.coord, bake: result.bake }
    }
}

#[derive(Clone, Debug)]
pub struct StageCache {
    kept: Cache<u64, Arc<Intermediates>>,
    failed: BTreeSet<u64>,
    /// Tiles that the 3D view needs for its pictures, the nearest first.
    viewed: Vec<TileKey>,
    /// Increases with each request.
    pass: u64,
}

impl Default for StageCache {
    fn default() -> Self {
        Self {
            kept: Cache::new(MemoryBudget::default().stages()),
            failed: BTreeSet::new(),
            viewed: Vec::new(),
            pass: 0,
        }
    }
}

impl StageCache {
    /// Returns an empty cache with the same budget.
    pub(super) fn emptied(&self) -> Self {
        Self { kept: Cache::new(self.kept.budget()), ..Self::default() }
    }

    pub const fn n_bytes(&self) -> usize {
        self.kept.n_bytes()
    }

    pub const fn budget(&self) -> usize {
        self.kept.budget()
    }

    pub fn set_budget(&mut self, budget: usize) {
        self.kept.set_budget(budget);
    }

    pub fn has_room(&self) -> bool {
        let each = self.kept.n_bytes() / self.kept.len().max(1);
        self.kept.n_bytes() + each <= self.kept.room()
    }

    /// Returns how many tiles to request together. More of them would drop stages before they are used.
    fn n_at_once(&self) -> usize {
        let each = self.kept.n_bytes() / self.kept.len().max(1);
        (self.kept.room() / each.max(1)).clamp(1, MOST_WANTED)
    }

    pub const fn version(&self) -> u64 {
        self.kept.version()
    }

    pub(super) fn insert(&mut self, bake: u64, stages: Arc<Intermediates>, used: LastUse) {
        let n_bytes = stages.n_bytes();
        self.kept.insert(bake, stages, n_bytes, used);
    }

    pub(super) fn remove(&mut self, bake: u64) {
        self.kept.remove(&bake);
        self.failed.remove(&bake);
    }
}

impl BakeState {
    /// Returns the stages of a tile, if they are in memory. [`Session::wanted_stages`] requests missing ones.
    pub fn stages_of(&self, result: &TileResult) -> Option<&Arc<Intermediates>> {
        self.stages.kept.get(&result.bake)
    }

    pub fn stages_at(&self, coord: TileCoord) -> Option<&Arc<Intermediates>> {
        self.stages_of(self.tiles.get(&coord)?)
    }

    /// Returns whether the stages of a tile are missing but can be baked again.
    pub fn can_bake_again(&self, result: &TileResult) -> bool {
        let is_gone = result.plan.is_some() && self.stages_of(result).is_none();
        is_gone && !self.stages.failed.contains(&result.bake)
    }

    pub(super) fn forget_stages(&mut self) {
        let before = self.before.iter().filter(|before| self.compares || before.is_pinned);
        let before = before.flat_map(|before| before.tiles.values());
        let old = self.leftovers.iter().map(|old| &old.result);
        let live: BTreeSet<u64> =
            self.tiles.values().chain(old).chain(before).map(|tile| tile.bake).collect();
        self.stages.kept.retain(|bake| live.contains(bake));
        self.stages.failed.retain(|bake| live.contains(bake));
    }

    /// Returns the result with this key, if it is still shown somewhere.
    fn result(&self, key: TileKey) -> Option<&TileResult> {
        let now = self.tiles.get(&key.coord);
        let before = || self.before.as_ref()?.tiles.get(&key.coord);
        let old = self.leftovers.iter().map(|old| &old.result);
        now.into_iter()
            .chain(std::iter::once_with(before).flatten())
            .chain(old)
            .find(|result| TileKey::of(result) == key)
    }
}

impl Session {
    /// Returns the tiles to bake again for their stages, the most urgent first, each with its plan: first tiles with
    /// pending questions, then the chosen one, the animated one, and those that the 3D view shows. Marks stages in
    /// memory that are needed as used.
    pub fn wanted_stages(&mut self) -> Vec<(Arc<BakePlan>, TileKey)> {
        self.bake.stages.pass += 1;
        let is_baking = self.bake.progress.is_some();
        let viewed = std::mem::take(&mut self.bake.stages.viewed);
        let queried = self.queried_tiles();
        let looked_at = self.looked_at();
        // Tiles of a running bake come with their stages.
        let seen = viewed.iter().copied().filter(|_| !is_baking);
        let mut wanted: Vec<(Arc<BakePlan>, TileKey)> = Vec::new();
        for key in queried.into_iter().chain(looked_at).chain(seen) {
            let Some(result) = self.bake.result(key) else { continue };
            let used = LastUse { pass: self.bake.stages.pass, distance: self.distance_of(result) };
            let plan = result.plan.clone().filter(|_| self.bake.can_bake_again(result));
            if self.bake.stages.kept.touch(&key.bake, used).is_none()
                && let Some(plan) = plan
                && wanted.iter().all(|(_, other)| *other != key)
            {
                wanted.push((plan, key));
            }
            if wanted.len() >= self.bake.stages.n_at_once() {
                break;
            }
        }
        self.bake.stages.viewed = viewed;
        wanted
    }

    /// Sets the tiles whose stages the 3D view needs, the nearest first.
    pub fn view_stages(&mut self, tiles: Vec<TileKey>) {
        self.bake.stages.viewed = tiles;
    }

    /// Returns whether the stages of `tile` are being baked to answer a question.
    pub fn is_pending(&self, tile: TileKey) -> bool {
        self.bake.result(tile).is_some_and(|result| {
            self.bake.can_bake_again(result)
                && (result.times.total() <= PATIENCE || self.looked_at().contains(&tile))
        })
    }

    /// Adds the stages of `tile`; `None` if it could not be baked again.
    pub fn land_stages(&mut self, tile: TileKey, stages: Option<Arc<Intermediates>>) {
        let Some(result) = self.bake.result(tile) else { return };
        let used = LastUse { pass: self.bake.stages.pass, distance: self.distance_of(result) };
        match stages {
            Some(stages) => self.bake.stages.insert(tile.bake, stages, used),
            None => drop(self.bake.stages.failed.insert(tile.bake)),
        }
    }

    /// Returns the tiles of the selection, of the hovered point, and of path ends that are off the navmesh.
    fn queried_tiles(&self) -> Vec<TileKey> {
        let Some(plan) = self.bake.plan.as_deref() else { return Vec::new() };
        let off_mesh = match self.path.answer.as_ref().and_then(|answer| answer.path.why) {
            Some(WhyNot::StartOffMesh) => self.path.start,
            Some(WhyNot::EndOffMesh) => self.path.end,
            _ => None,
        };
        let places =
            [self.tools.selection, self.tools.hover].map(|place| place.map(|place| place.point));
        let places = places.into_iter().chain([off_mesh]).flatten();
        places
            .filter_map(|point| self.bake.tiles.get(&tile_at(plan, point)?))
            .filter(|result| result.times.total() <= PATIENCE)
            .map(TileKey::of)
            .collect()
    }

    /// Returns the tile whose stages are shown alone, and the animated tile.
    fn looked_at(&self) -> Vec<TileKey> {
        let under = self.shown.display.under.iter().any(|(stage, _)| stage.needs_stages());
        let chosen = self.shown.chosen_tile.filter(|_| under || self.shown.stage.needs_stages());
        let animation = self.animation().map(|animation| animation.tile);
        let tiles = [chosen, animation].into_iter().flatten();
        tiles.filter_map(|coord| self.bake.tiles.get(&coord)).map(TileKey::of).collect()
    }
}

const MOST_WANTED: usize = 64;

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        bake::{BakeOutput, bake_tile},
        monitor::Unmonitored,
    };
    use walkable_workspace::stage_view::StageView;

    use super::*;
    use crate::{session::Hover, testing};

    fn place(x: f32) -> Hover {
        Hover { point: Vec3::new(x, 0.0, 20.0), triangle: None }
    }

    fn keys(wanted: &[(Arc<BakePlan>, TileKey)]) -> Vec<TileCoord> {
        wanted.iter().map(|(_, key)| key.coord).collect()
    }

    /// Creates a baked level whose stages were dropped, and returns the stages too.
    fn forgetful() -> (Session, Vec<(TileKey, Arc<Intermediates>)>) {
        let mut session = testing::baked();
        let tiles = session.bake.tiles.values();
        let stages = tiles
            .map(|tile| (TileKey::of(tile), Arc::clone(session.bake.stages_of(tile).unwrap())));
        let stages = stages.collect();
        let budget = session.bake.stages.budget();
        session.bake.stages = session.bake.stages.emptied();
        assert_eq!(session.bake.stages.budget(), budget);
        (session, stages)
    }

    /// Bakes the requested tiles until no more are requested.
    fn settle(session: &mut Session) {
        loop {
            let wanted = session.wanted_stages();
            if wanted.is_empty() {
                return;
            }
            for (plan, key) in wanted {
                let bake = bake_tile(&plan, key.coord, BakeOutput::Stages, &Unmonitored).unwrap();
                session.land_stages(key, bake.stages.map(|stages| Arc::new(*stages)));
            }
        }
    }

    #[test]
    fn tiles_are_wanted_until_they_land_and_kept_while_there_is_room() {
        let (mut session, _) = forgetful();
        assert_eq!(keys(&session.wanted_stages()), [], "nobody asks");
        (session.tools.selection, session.tools.hover) = (Some(place(2.0)), Some(place(20.0)));
        let wanted = session.wanted_stages();
        assert_eq!(keys(&wanted), [TileCoord::new(0, 2), TileCoord::new(2, 2)]);
        for (_, key) in wanted {
            assert!(session.is_pending(key));
            session.land_stages(key, None);
            assert!(!session.is_pending(key), "what cannot be baked is not tried again");
        }
        assert_eq!(keys(&session.wanted_stages()), []);
        session.tools.hover = Some(place(12.0));
        settle(&mut session);
        session.tools.hover = None;
        let middle = session.bake.stages_at(TileCoord::new(1, 2));
        assert!(middle.is_some(), "there is room for what nobody asks about any more");
    }

    #[test]
    fn what_was_dropped_comes_back_as_it_was() {
        let (mut session, before) = forgetful();
        session.shown.stage = StageView::Regions;
        session.view_stages(before.iter().map(|(key, _)| *key).collect());
        settle(&mut session);
        assert!(before.len() > 4);
        for (key, stages) in before {
            let again = session.bake.stages_at(key.coord).unwrap();
            assert!(!Arc::ptr_eq(again, &stages) && **again == *stages, "{}", key.coord);
        }
    }

    #[test]
    fn a_tile_of_older_settings_comes_back_as_it_was() {
        let (mut session, before) = forgetful();
        let mut input = session.bake.plan.as_ref().unwrap().input().clone();
        input.settings.agent_radius = 1.0;
        let plan = Arc::new(BakePlan::new(input).unwrap());
        session.bake.begin(plan, crate::session::Prepared::No);
        let (key, stages) = &before[4];
        session.shown.chosen_tile = Some(key.coord);
        session.shown.stage = StageView::Regions;
        settle(&mut session);
        assert_eq!(**session.bake.stages_at(key.coord).unwrap(), **stages);
    }

    #[test]
    fn a_tiny_budget_is_kept_and_the_farthest_tiles_are_dropped_first() {
        let (mut session, before) = forgetful();
        let largest = before.iter().map(|(_, stages)| stages.n_bytes()).max().unwrap();
        let budget = 3 * largest;
        session.bake.stages.set_budget(budget);
        session.tools.selection = Some(place(2.0));
        for (key, stages) in &before {
            session.land_stages(*key, Some(Arc::clone(stages)));
            assert!(session.bake.stages.n_bytes() <= budget);
        }
        settle(&mut session);
        assert!(session.bake.stages_at(TileCoord::new(0, 2)).is_some(), "it is asked about");
        assert!(session.bake.stages_at(TileCoord::new(2, 0)).is_none(), "it is the farthest");
        session.bake.stages.set_budget(1);
        let left = before.iter().filter(|(key, _)| session.bake.stages_at(key.coord).is_some());
        assert_eq!(left.count(), 1, "the one used last stays");
    }
}
