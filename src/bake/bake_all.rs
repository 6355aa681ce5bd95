use std::sync::Arc;

use rayon::prelude::*;

use crate::{
    bake::{BakeError, BakeInput, BakePlan, Keep, bake_tile},
    monitor::Monitor,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile},
};

/// Bakes all tiles of `input` on all cores and links them. The same input gives the same mesh on any
/// number of threads. Use [`bake_tile`] to keep stages, or to go on where one tile fails.
///
/// # Errors
/// The first [`BakeError`] of any tile, by row and column.
pub fn bake(input: BakeInput, monitor: &dyn Monitor) -> Result<NavMesh, BakeError> {
    let plan = BakePlan::new(input)?;
    let coords: Vec<_> = plan.tiles().collect();
    let bake_one = |coord| bake_tile(&plan, coord, Keep::Tile, monitor);
    let baked: Vec<_> = coords.into_par_iter().map(bake_one).collect();
    let mut tiles = Vec::with_capacity(baked.len());
    for tile in baked {
        tiles.extend(tile?.tile.map(Arc::new));
    }
    Ok(plan.link(tiles)?)
}

impl BakePlan {
    /// The navmesh of `tiles`, added in their order. A solo mesh lies where its one tile does.
    ///
    /// # Errors
    /// [`NavMeshError`] where two tiles have one place, or there are too many.
    pub fn link(
        &self,
        tiles: impl IntoIterator<Item = Arc<Tile>>,
    ) -> Result<NavMesh, NavMeshError> {
        let mut tiles = tiles.into_iter().peekable();
        let params = match tiles.peek() {
            Some(first) if self.is_solo() => NavMeshParams::solo(first),
            _ => self.nav_mesh_params(),
        };
        let mut mesh = NavMesh::new(params)?;
        for tile in tiles {
            mesh.add_tile(tile)?;
        }
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bake::BakeSettings,
        level::{LevelKind, generate},
        monitor::{Cancelled, Unmonitored},
    };

    struct Stopped;

    impl Monitor for Stopped {
        fn is_cancelled(&self) -> bool {
            true
        }
    }

    fn town(tile_size: u32) -> BakeInput {
        let level = generate(LevelKind::Town, 1, 100.0).unwrap();
        let settings = BakeSettings { tile_size, ..BakeSettings::default() };
        BakeInput::new(Arc::new(level.mesh), settings)
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bytes() {
        let on_threads = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            pool.install(|| bake(town(32), &Unmonitored)).unwrap().to_bytes()
        };
        let one = on_threads(1);
        assert!(one.len() > 1000);
        assert_eq!(one, on_threads(2));
        assert_eq!(one, on_threads(8));
    }

    #[test]
    fn solo_lies_where_its_tile_does() {
        let mesh = bake(town(0), &Unmonitored).unwrap();
        let tile = mesh.tiles().next().unwrap();
        assert_eq!(mesh.params().origin, tile.header.bounds.min);
        assert_eq!(mesh.tiles().count(), 1);
    }

    #[test]
    fn a_stopped_bake_says_so() {
        assert_eq!(bake(town(32), &Stopped).unwrap_err(), BakeError::Cancelled(Cancelled));
    }
}
