use std::{cmp::Reverse, sync::Arc};

use rayon::prelude::*;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location},
    ids::TileCoord,
    monitor::Monitor,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile, format::RefWidth},
};

use crate::bake::{
    BakeError, BakeInput, BakeOutput, BakePlan, RefBits, bake_tile, ground_removal,
    nothing_walkable,
};

/// Bakes all tiles of `input` on all cores and links them. The same input gives the same mesh on any number of threads.
/// Use [`bake_tile`] to keep the results of stages, or to continue if a tile fails.
///
/// # Errors
/// Returns the first [`BakeError`] of any tile, by row and column, and [`BakeError::NothingWalkable`].
pub fn bake(input: BakeInput, monitor: &dyn Monitor) -> Result<NavMesh, BakeError> {
    let plan = BakePlan::new(input)?;
    let mut baked: Vec<_> = heaviest_first(&plan)
        .into_iter()
        // Tile by tile, so that at the end no thread has several tiles left while the others are idle.
        .par_bridge()
        .map(|(index, coord)| (index, bake_tile(&plan, coord, BakeOutput::Tile, monitor)))
        .collect();
    baked.sort_unstable_by_key(|(index, _)| *index);
    let mut tiles = Vec::with_capacity(baked.len());
    for (_, tile) in baked {
        tiles.extend(tile?.tile.map(Arc::new));
    }
    if tiles.is_empty() {
        let again = |coord| bake_tile(&plan, coord, BakeOutput::Stages, monitor).ok();
        let removal = ground_removal(&plan, &again, monitor)?;
        return Err(BakeError::NothingWalkable(nothing_walkable(removal)));
    }
    Ok(plan.link(tiles)?)
}

/// With at most this many tiles, the work on a single tile affects when the last thread is done.
const FEW_TILES: usize = 1024;

/// Returns all tiles, numbered by row and column, in the order in which to bake them: tiles with little work last, so
/// that all threads finish at about the same time. Tiles with about the same work keep their order, because neighbors
/// share triangles; the more tiles there are, the less their work matters.
fn heaviest_first(plan: &BakePlan) -> Vec<(usize, TileCoord)> {
    let weighed = plan.tiles().enumerate().map(|tile| (plan.weight(tile.1), tile));
    let mut weighed: Vec<_> = weighed.collect();
    let n_classes = (FEW_TILES / weighed.len().max(1)).max(2);
    let most = weighed.iter().map(|(weight, _)| *weight).max().unwrap_or(0);
    let class_size = most / n_classes + 1;
    weighed.sort_by_key(|(weight, _)| Reverse(weight / class_size));
    weighed.into_iter().map(|(_, tile)| tile).collect()
}

impl BakePlan {
    /// Builds the navmesh of `tiles`, added in order. A solo navmesh has the origin of its only tile. The width of
    /// references is [`BakePlan::ref_width`], or larger if a tile needs it and the settings allow it.
    ///
    /// # Errors
    /// Returns a [`NavMeshError`] if two tiles have the same place, or if there are too many tiles or polygons.
    pub fn link(
        &self,
        tiles: impl IntoIterator<Item = Arc<Tile>>,
    ) -> Result<NavMesh, NavMeshError> {
        let tiles: Vec<_> = tiles.into_iter().collect();
        let most_polys = tiles.iter().map(|tile| tile.polys.len()).max().unwrap_or(0);
        let (params, width) = self.link_params(tiles.first().map(|tile| &**tile), most_polys);
        NavMesh::of_tiles(params, width, tiles)
    }

    /// Returns the parameters of the navmesh of tiles with at most `most_polys` polygons each, and the width of its
    /// references; `first` is the first of the tiles.
    pub fn link_params(
        &self,
        first: Option<&Tile>,
        most_polys: usize,
    ) -> (NavMeshParams, RefWidth) {
        let width = self.width_for(most_polys);
        match first {
            Some(first) if self.is_solo() => (NavMeshParams::solo(first), width),
            _ => (self.nav_mesh_params_for(width), width),
        }
    }

    fn width_for(&self, most_polys: usize) -> RefWidth {
        let width = self.ref_width();
        let max_polys = self.nav_mesh_params_for(width).max_polys as usize;
        let is_free = self.input().settings.refs == RefBits::Auto && !self.is_solo();
        if is_free && max_polys < most_polys {
            return RefWidth::Bits64;
        }
        width
    }

    /// Returns why `mesh`, baked with this plan, has 64-bit references although the settings do not require them;
    /// `None` if it does not.
    pub fn why_wide(&self, mesh: &NavMesh) -> Option<Diagnostic> {
        if self.input().settings.refs != RefBits::Auto || mesh.width() == RefWidth::Bits32 {
            return None;
        }
        if self.ref_width() == RefWidth::Bits64 {
            let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
            let (found, limit) = (whole(self.n_boxed_tiles()), whole(Self::most_narrow_tiles()));
            return Some(Finding::WideReferencesForTiles { found, limit }.into());
        }
        let limit = self.nav_mesh_params_for(RefWidth::Bits32).max_polys;
        let first_of_most =
            |tile: &&Tile| (tile.polys.len(), Reverse(tile.header.z), Reverse(tile.header.x));
        let tile = mesh.tiles().max_by_key(first_of_most)?;
        let coord = TileCoord::new(tile.header.x.unsigned_abs(), tile.header.z.unsigned_abs());
        let (found, limit) = (tile.polys.len(), limit as usize);
        let why = Diagnostic::new(Finding::WideReferencesForPolygons { found, limit });
        Some(why.at(Location::Tile(coord)))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::level::{LevelKind, generate};
    use walkable_mesh::TriMesh;
    use walkable_runtime::monitor::{Cancelled, Unmonitored};

    use super::*;
    use crate::bake::BakeSettings;

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

        let plan = BakePlan::new(town(32)).unwrap();
        let tiles =
            plan.tiles().map(|coord| bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored));
        let tiles = tiles.filter_map(|baked| baked.unwrap().tile.map(Arc::new));
        assert_eq!(one, plan.link(tiles).unwrap().to_bytes());
    }

    #[test]
    fn tiles_with_little_work_come_last() {
        let plan = BakePlan::new(town(32)).unwrap();
        let order = heaviest_first(&plan);
        let weights: Vec<_> = order.iter().map(|(_, coord)| plan.weight(*coord)).collect();
        let most = weights.iter().max().unwrap();
        assert!(weights.windows(2).all(|pair| pair[1] <= pair[0] + most / 4), "{weights:?}");
        assert!(weights[order.len() - 1] < most / 4, "{weights:?}");
        let mut tiles = order;
        tiles.sort_unstable();
        assert_eq!(tiles, plan.tiles().enumerate().collect::<Vec<_>>());
    }

    #[test]
    fn solo_lies_where_its_tile_does() {
        let mesh = bake(town(0), &Unmonitored).unwrap();
        let tile = mesh.tiles().next().unwrap();
        assert_eq!(mesh.params().origin, tile.header.bounds.min);
        assert_eq!(mesh.tiles().count(), 1);
    }

    /// Plans 128 × 128 tiles, so that 32-bit references have space for 256 polygons per tile, and bakes the first tile,
    /// whose walls divide it into more.
    fn crowded(refs: RefBits) -> (BakePlan, Arc<Tile>) {
        let side = 0.5 * 64.0 * 128.0;
        let corners = [[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]];
        let mut vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
        for i in 0..196_u8 {
            let at = Vec3::new(f32::from(i % 14), 0.0, f32::from(i / 14)) * 2.0
                + Vec3::new(2.2, 0.0, 2.2);
            let first = u32::try_from(vertices.len()).unwrap();
            vertices.extend([at, at + Vec3::X, at + Vec3::Y * 3.0]);
            triangles.push([first, first + 1, first + 2]);
        }
        let settings = BakeSettings {
            cell_size: 0.5,
            agent_radius: 0.0,
            region_min_size: 0.0,
            edge_max_error: 0.1,
            verts_per_poly: 3,
            tile_size: 64,
            refs,
            ..BakeSettings::default()
        };
        let mesh = Arc::new(TriMesh::new(vertices, triangles).unwrap());
        let plan = BakePlan::new(BakeInput::new(mesh, settings)).unwrap();
        let first = bake_tile(&plan, TileCoord::new(0, 0), BakeOutput::Tile, &Unmonitored).unwrap();
        let tile = Arc::new(first.tile.unwrap());
        assert_eq!(plan.ref_width(), RefWidth::Bits32);
        assert!(256 < tile.polys.len(), "{}", tile.polys.len());
        (plan, tile)
    }

    #[test]
    fn a_crowded_tile_gets_wide_references_unless_the_user_forbids_it() {
        let (plan, tile) = crowded(RefBits::Auto);
        let mesh = plan.link([tile]).unwrap();
        assert_eq!(mesh.width(), RefWidth::Bits64);
        let read = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
        assert_eq!((read.width(), read.params()), (RefWidth::Bits64, mesh.params()));
        let why = plan.why_wide(&mesh).unwrap();
        let is_of_polygons =
            matches!(why.finding(), Finding::WideReferencesForPolygons { limit: 256, .. });
        assert!(is_of_polygons && why.to_string().contains("tile 0,0"), "{why}");

        let (plan, tile) = crowded(RefBits::Narrow);
        let error = plan.link([tile]).unwrap_err();
        assert!(matches!(error, NavMeshError::TooManyPolys { limit: 256, .. }), "{error}");
        assert!(
            error.to_string().contains("refs=64") && error.to_string().contains("larger tiles")
        );
    }

    #[test]
    fn wide_references_that_were_not_requested_are_explained() {
        let corners = [Vec3::ZERO, Vec3::Z * 80.0, Vec3::X * 80.0].to_vec();
        let mesh = Arc::new(TriMesh::new(corners, vec![[0, 1, 2]]).unwrap());
        let linked = |refs, tile_size| {
            let settings =
                BakeSettings { cell_size: 0.5, tile_size, refs, ..BakeSettings::default() };
            let plan = BakePlan::new(BakeInput::new(Arc::clone(&mesh), settings)).unwrap();
            let mesh = plan.link([]).unwrap();
            (mesh.width(), plan.why_wide(&mesh))
        };
        let why = Finding::WideReferencesForTiles { found: 25_600, limit: 16_384 }.into();
        assert_eq!(linked(RefBits::Auto, 1), (RefWidth::Bits64, Some(why)));
        assert_eq!(linked(RefBits::Wide, 1), (RefWidth::Bits64, None));
        assert_eq!(linked(RefBits::Auto, 2), (RefWidth::Bits32, None));
    }

    #[test]
    fn a_cancelled_bake_is_an_error() {
        assert_eq!(bake(town(32), &Stopped).unwrap_err(), BakeError::Cancelled(Cancelled));
    }
}
