//! Changes to a baked navmesh before it is used: flags of areas, painted polygons, removed tiles and removed islands.
//! They refer to points and area ids, so they apply to every later bake.

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::BakePlan,
    ids::TileCoord,
    navmesh::{NavMesh, NavMeshError, PolyKind, Tile},
    query::{Filter, IslandRule, Pruning, prune_islands},
};

use super::{AreaTable, Document, Stroke};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Islands {
    /// Minimum area of an island without a seed, in square meters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_area: Option<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<Vec3>,
}

impl Islands {
    pub fn keeps_all(&self) -> bool {
        self.seeds.is_empty() && self.min_area.is_none()
    }

    fn rule(&self) -> IslandRule {
        let Self { min_area, seeds } = self.clone();
        IslandRule { seeds, min_area: min_area.map(f64::from), ..IslandRule::default() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    areas: AreaTable,
    strokes: Vec<Stroke>,
    removed: BTreeSet<TileCoord>,
    islands: Islands,
}

impl Document {
    pub fn finish(&self) -> Finish {
        Finish {
            areas: self.areas.clone(),
            strokes: self.strokes.clone(),
            removed: self.removed_tiles.clone(),
            islands: self.islands.clone(),
        }
    }
}

impl Finish {
    /// Returns the baked `tile` at `coord` with all changes applied; `None` if it is removed.
    pub fn tile(&self, coord: TileCoord, tile: &Arc<Tile>) -> Option<Arc<Tile>> {
        if self.removes(coord) {
            return None;
        }
        let near: Vec<_> = self.strokes.iter().filter(|stroke| stroke.is_near(tile)).collect();
        if near.is_empty() && !self.areas.has_own_areas() {
            return Some(Arc::clone(tile));
        }
        let mut polys = tile.polys.clone();
        for poly in polys.iter_mut().filter(|poly| poly.kind == PolyKind::Ground) {
            poly.flags = self.areas.own_flags(poly.area.0).unwrap_or(poly.flags);
        }
        for stroke in near {
            for poly in polys.iter_mut().filter(|poly| stroke.paints(tile, poly)) {
                (poly.area, poly.flags) = stroke.applied(poly, &self.areas);
            }
        }
        if polys == tile.polys {
            return Some(Arc::clone(tile));
        }
        Some(Arc::new(Tile { polys, ..Tile::clone(tile) }))
    }

    pub fn removes(&self, coord: TileCoord) -> bool {
        self.removed.contains(&coord)
    }

    /// Returns the whole navmesh with all changes applied.
    pub fn nav_mesh(&self, mesh: &NavMesh) -> Result<NavMesh, NavMeshError> {
        let mut finished = NavMesh::with_width(*mesh.params(), mesh.width())?;
        for (_, tile) in mesh.slots() {
            let [x, z] = [tile.header.x, tile.header.z].map(|at| u32::try_from(at).unwrap_or(0));
            let tile = self.tile(TileCoord::new(x, z), tile);
            tile.map_or(Ok(()), |tile| finished.add_tile(tile))?;
        }
        self.prune(&mut finished);
        Ok(finished)
    }

    /// Applies all changes to the baked `tiles` of `plan` and links them. Does not remove islands: see
    /// [`Finish::prune`].
    pub fn link(
        &self,
        plan: &BakePlan,
        tiles: &[(TileCoord, Arc<Tile>)],
    ) -> Result<NavMesh, NavMeshError> {
        plan.link(tiles.iter().filter_map(|(coord, tile)| self.tile(*coord, tile)))
    }

    pub fn changes_nothing(&self) -> bool {
        let Self { areas, strokes, removed, islands } = self;
        !areas.has_own_areas() && strokes.is_empty() && removed.is_empty() && islands.keeps_all()
    }

    pub fn keeps_all_islands(&self) -> bool {
        self.islands.keeps_all()
    }

    /// Removes the islands that are not kept; returns `None` if all are kept.
    pub fn prune(&self, mesh: &mut NavMesh) -> Option<Pruning> {
        if self.islands.keeps_all() {
            return None;
        }
        let pruning = prune_islands(mesh, &Filter::default(), &self.islands.rule()).ok()?;
        pruning.apply(mesh, 0);
        Some(pruning)
    }
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::{BakeConfig, bake},
        level::builtin,
        monitor::Unmonitored,
    };

    use super::*;
    use crate::document::{Brush, erased};

    /// Bakes the sample with the given cell size, in tiles of 32 voxels.
    fn tiles(cell_size: f32) -> Vec<Arc<Tile>> {
        let mut level = builtin("sample").unwrap().read().unwrap();
        level.config.settings.tile_size = 32;
        level.config.settings.cell_size = cell_size;
        let config: BakeConfig = level.config;
        let mesh = bake(config.with_mesh(Arc::new(level.mesh)), &Unmonitored).unwrap();
        mesh.slots().map(|(_, tile)| Arc::clone(tile)).collect()
    }

    fn finished(finish: &Finish, tiles: &[Arc<Tile>]) -> Vec<Arc<Tile>> {
        let at = |tile: &Tile| {
            let [x, z] = [tile.header.x, tile.header.z].map(|at| u32::try_from(at).unwrap());
            TileCoord::new(x, z)
        };
        tiles.iter().filter_map(|tile| finish.tile(at(tile), tile)).collect()
    }

    /// Returns the area, seen from above, of the polygons painted with area 9.
    fn painted(tiles: &[Arc<Tile>]) -> f32 {
        let each = |tile: &Arc<Tile>| {
            let polys = tile.polys.iter().filter(|poly| poly.area.0 == 9);
            let area = |poly| {
                let corners = tile.corners(poly);
                let fan = corners.windows(2).skip(1);
                let doubled = |edge: &[Vec3]| {
                    walkable::geom::from_above::doubled_area(corners[0], edge[0], edge[1]).abs()
                };
                fan.map(doubled).sum::<f32>() / 2.0
            };
            polys.map(area).sum::<f32>()
        };
        tiles.iter().map(each).sum()
    }

    #[test]
    fn what_changes_nothing_copies_nothing() {
        let tiles = tiles(0.3);
        for (before, after) in tiles.iter().zip(finished(&Finish::default(), &tiles)) {
            assert!(Arc::ptr_eq(before, &after));
        }
    }

    #[test]
    fn a_stroke_paints_the_polygons_there_whatever_the_bake_and_is_erased_there() {
        let place = builtin("sample").unwrap().read().unwrap().start;
        let stroke = Stroke { brush: Brush::Area(9), radius: 3.0, places: vec![place] };
        let finish = Finish { strokes: vec![stroke.clone()], ..Finish::default() };
        for cell_size in [0.3, 0.2] {
            let tiles = tiles(cell_size);
            let painted_area = painted(&finished(&finish, &tiles));
            assert!(painted_area > 1.0, "{painted_area} m²");
            let all = || tiles.iter().map(|tile| &**tile);
            assert_eq!(erased(&finish.strokes, all(), place + Vec3::Y * 9.0, 1.0), finish.strokes);
            assert_eq!(erased(&finish.strokes, all(), place, 0.0), []);
        }
    }

    #[test]
    fn later_strokes_win_and_flags_leave_the_area() {
        let tiles = tiles(0.3);
        let place = builtin("sample").unwrap().read().unwrap().start;
        let stroke = |brush| Stroke { brush, radius: 0.0, places: vec![place] };
        let strokes = vec![stroke(Brush::Area(9)), stroke(Brush::Flags(0x40))];
        let finish = Finish { strokes, ..Finish::default() };
        let polys: Vec<_> =
            finished(&finish, &tiles).iter().flat_map(|t| t.polys.clone()).collect();
        let changed: Vec<_> = polys.iter().filter(|poly| poly.flags == 0x40).collect();
        assert_eq!(changed.iter().map(|poly| poly.area.0).collect::<Vec<_>>(), [9]);
    }

    #[test]
    fn a_rule_removes_islands() {
        let tiles = tiles(0.3);
        let mesh = |tiles: &[Arc<Tile>]| {
            let params = walkable::navmesh::NavMeshParams {
                max_tiles: 1024,
                max_polys: 1024,
                tile_width: 9.6,
                tile_height: 9.6,
                origin: tiles[0].header.bounds.min,
            };
            let mut mesh = NavMesh::new(params).unwrap();
            for tile in tiles {
                mesh.add_tile(Arc::clone(tile)).unwrap();
            }
            mesh
        };
        let islands = Islands { min_area: Some(30.0), seeds: Vec::new() };
        let finish = Finish { islands, ..Finish::default() };
        let mut pruned = mesh(&tiles);
        let pruning = finish.prune(&mut pruned).unwrap();
        assert!(!pruning.kept.is_empty() && !pruning.dropped.is_empty());
        assert!(pruned.tiles().flat_map(|tile| &tile.polys).any(|poly| poly.flags == 0));
        assert!(Finish::default().prune(&mut pruned).is_none());
    }
}
