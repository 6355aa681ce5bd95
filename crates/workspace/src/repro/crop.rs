//! The part of a level around the places of a query.

use walkable::{
    bake::{BakeConfig, BakePlan},
    geom::Aabb,
    ids::TileCoord,
    monitor::Monitor,
    shrink::{Cropped, cropped},
};

use super::{Repro, ReproLevel, ReproQuery, ReproScene};

impl ReproQuery {
    /// Returns the box around the places of the query, enlarged by `meters` in all directions.
    pub fn surroundings(&self, meters: f32) -> Aabb {
        let places = Aabb::around(self.places());
        Aabb { min: places.min - meters, max: places.max + meters }
    }
}

impl ReproLevel {
    /// Returns the part of the level that `around` touches, seen from above, extended to whole tiles. `None` if it has
    /// no triangles.
    pub(super) fn cropped(&self, plan: &BakePlan, around: &Aabb) -> Option<Self> {
        let Cropped { input, first_tile: [x, z] } = cropped(plan, around)?;
        let BakeConfig { areas, .. } = self.document.config();
        let mut document = (*self.document).clone();
        (document.settings, document.areas) = (input.settings, areas);
        if input.bounds != plan.input().bounds {
            document.bounds = input.bounds.into_iter().map(Into::into).collect();
        }
        let moved =
            |tile: &TileCoord| Some(TileCoord::new(tile.x.checked_sub(x)?, tile.z.checked_sub(z)?));
        document.removed_tiles = self.document.removed_tiles.iter().filter_map(moved).collect();
        Some(Self { name: self.name.clone(), mesh: input.mesh, document: Box::new(document) })
    }
}

/// Why a repro cannot be limited to a part of its level.
#[derive(Debug, thiserror::Error)]
pub enum CropError {
    #[error("a navmesh is kept whole: --around needs the level")]
    Navmesh,
    #[error("no triangle is within {meters} m of the query; use a larger --around")]
    Nothing { meters: f32 },
    #[error(
        "within {meters} m of the query, the result is \"{found}\" instead of \"{actual}\"; use a larger --around"
    )]
    Changed {
        meters: f32,
        /// The result in the part.
        found: String,
        /// The result in the level.
        actual: String,
    },
    #[error("within {meters} m of the query, the query fails: {why}; use a larger --around")]
    Failed { meters: f32, why: String },
}

impl Repro {
    /// Limits the level to the tiles that are at most `meters` away from the places of the query. Fails if the query
    /// has another result in this part of the level.
    pub fn cropped(&self, meters: f32, monitor: &dyn Monitor) -> Result<Self, CropError> {
        let ReproScene::Level(level) = &self.scene else { return Err(CropError::Navmesh) };
        let failed = |why: anyhow::Error| CropError::Failed { meters, why: format!("{why:#}") };
        let plan = level.plan().map_err(failed)?;
        let part = level.cropped(&plan, &self.query.surroundings(meters));
        let scene = ReproScene::Level(part.ok_or(CropError::Nothing { meters })?);
        let part = Self { scene, ..self.clone() };
        let found = part.ask(monitor).map_err(failed)?;
        if !found.is_same_as(&self.actual) {
            let (found, actual) = (found.to_string(), self.actual.to_string());
            return Err(CropError::Changed { meters, found, actual });
        }
        Ok(Self { actual: found, ..part })
    }
}
