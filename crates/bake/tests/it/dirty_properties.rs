//! After an edit, every tile that changes is reported as dirty, and the reported tiles lie near the edit.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        AreaVolume, BakeOutput, BakePlan, DirtyTiles, LayerCut, RawArea, VolumeShape, bake_tile,
        dirty_tiles,
    },
    geom::Aabb,
    ids::TileCoord,
    monitor::Unmonitored,
    tile_cache::TileCache,
};

use crate::scenes::{SIDE, Scene, edit, scene};

impl Scene {
    /// Returns boxes around everything that differs between the scenes, including the order of lists; `None` if the
    /// whole level is affected.
    fn changes(&self, other: &Self) -> Option<Vec<Aabb>> {
        let whole = self.becomes != other.becomes
            || self.bounds.is_empty() != other.bounds.is_empty()
            || self.triangles.len() != other.triangles.len() && self.becomes.is_some();
        if whole {
            return None;
        }
        let triangle = |corners: &[Vec3; 3]| Aabb::around(corners.iter().copied());
        let mut boxes = differing(&self.triangles, &other.triangles, triangle);
        boxes.extend(differing(&self.volumes, &other.volumes, |volume| volume.shape.bounds()));
        boxes.extend(differing(&self.bounds, &other.bounds, |bound| *bound));
        boxes
            .extend(differing(&self.links, &other.links, |link| Aabb::new(link.start, link.start)));
        boxes.extend(differing(&self.links, &other.links, |link| Aabb::new(link.end, link.end)));
        Some(boxes)
    }
}

/// Returns boxes around the elements between the common prefix and the common suffix of two lists.
fn differing<T: PartialEq>(a: &[T], b: &[T], bounds: impl Fn(&T) -> Aabb) -> Vec<Aabb> {
    let n_front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let [rest_a, rest_b] = [&a[n_front..], &b[n_front..]];
    let n_back = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle =
        |list: &[T]| -> Vec<_> { list[..list.len() - n_back].iter().map(&bounds).collect() };
    [middle(rest_a), middle(rest_b)].concat()
}

fn bytes(plan: &BakePlan, tile: TileCoord) -> Option<Vec<u8>> {
    bake_tile(plan, tile, BakeOutput::Tile, &Unmonitored).unwrap().tile.map(|tile| tile.to_bytes())
}

fn dirty(old: &BakePlan, new: &BakePlan) -> DirtyTiles {
    dirty_tiles(old, new, &Unmonitored).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_tile_is_stale_and_few_are_dirty(
        scene in scene(),
        edits in prop::collection::vec(edit(), 1..3),
    ) {
        let edited = edits.iter().fold(scene.clone(), |scene, edit| scene.edited(edit));
        let (old, new) = (scene.plan(), edited.plan());
        let dirty = dirty(&old, &new);
        // Tiles that no box touches any more.
        for &tile in &dirty.removed {
            prop_assert!(old.has_tile(tile) && !new.has_tile(tile), "{tile} after {edits:?}");
            prop_assert_eq!(bytes(&new, tile), None, "{} after {:?}", tile, edits);
        }
        let dirty: BTreeSet<_> = dirty.changed.into_iter().collect();
        for tile in new.tiles() {
            prop_assert!(
                dirty.contains(&tile) || bytes(&old, tile) == bytes(&new, tile),
                "{tile} is stale after {edits:?}"
            );
        }
        let Some(changes) = scene.changes(&edited) else { return Ok(()) };
        // A volume has a margin of the radius of an agent; that of the agent in the settings is one cell.
        let radii = edited.agents.iter().map(|agent| agent.radius);
        let reach = Vec3::splat(old.params().cell_size + radii.fold(0.0, f32::max));
        for tile in dirty {
            let Aabb { min, max } = new.tile_frame(tile).bounds;
            let around = Aabb { min: min - reach, max: max + reach };
            let is_near = changes.iter().any(|change| change.overlaps_xz(&around));
            let is_new = !old.has_tile(tile);
            prop_assert!(is_near || is_new, "{tile} is dirty after {edits:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn layers_that_are_kept_are_those_of_a_whole_bake(
        scene in scene(),
        edits in prop::collection::vec(edit(), 1..3),
        cut in prop::sample::select(vec![LayerCut::Sweep, LayerCut::Watershed]),
    ) {
        let edited = edits.iter().fold(scene.clone(), |scene, edit| scene.edited(edit));
        let [old, new] = [scene, edited].map(|scene| Scene { agents: Vec::new(), ..scene }.plan());
        let dirty = dirty(&old, &new);
        let whole = |plan: &BakePlan| {
            let mut cache = TileCache::bake(plan, cut, &Unmonitored).unwrap().cache;
            let mesh = cache.build(&Unmonitored).unwrap().mesh;
            (cache, mesh)
        };
        let (before, mesh_before) = whole(&old);
        let mut cache = before.rebake(&new, cut, &dirty, &Unmonitored).unwrap().cache;
        let mesh = cache.rebuild(&mesh_before, &dirty, &Unmonitored).unwrap().mesh;
        let (expected, expected_mesh) = whole(&new);
        prop_assert!(cache.to_bytes() == expected.to_bytes(), "{edits:?}");
        prop_assert!(mesh.to_bytes() == expected_mesh.to_bytes(), "{edits:?}");
    }
}

fn plain() -> Scene {
    let floor = [[0.0, 0.0], [0.0, SIDE], [SIDE, SIDE], [SIDE, 0.0]];
    let [a, b, c, d] = floor.map(|[x, z]| Vec3::new(x, 1.0, z));
    Scene {
        triangles: vec![[a, b, c], [a, c, d]],
        n_floor: 2,
        volumes: Vec::new(),
        links: Vec::new(),
        bounds: Vec::new(),
        becomes: None,
        agents: Vec::new(),
    }
}

#[test]
fn nothing_is_dirty_after_no_change() {
    let plan = plain().plan();
    assert_eq!(dirty(&plan, &plan), DirtyTiles::default());
    assert_eq!(dirty(&plan, &plain().plan()), DirtyTiles::default());
}

#[test]
fn a_volume_in_the_middle_of_a_tile_touches_no_other() {
    let old = plain();
    let middle = VolumeShape::Cylinder { base: Vec3::new(6.0, 0.0, 6.0), radius: 0.3, height: 9.0 };
    let volume = AreaVolume::new(RawArea(1), middle);
    let new = Scene { volumes: vec![volume], ..old.clone() };
    assert_eq!(dirty(&old.plan(), &new.plan()).changed, [TileCoord::new(1, 1)]);
}

#[test]
fn any_setting_changes_all_tiles() {
    let plan = plain().plan();
    let mut input = plan.input().clone();
    input.settings.agent_max_slope += 1.0;
    let new = BakePlan::new(input).unwrap();
    assert_eq!(dirty(&plan, &new).changed, new.tiles().collect::<Vec<_>>());
}

/// Plans a scene whose grid is set to that of the plain scene.
fn fixed(scene: &Scene) -> BakePlan {
    let mut input = scene.plan().input().clone();
    (input.settings.origin, input.settings.world_height) = (Some(Vec3::ZERO), 6.0);
    BakePlan::new(input).unwrap()
}

#[test]
fn a_fixed_grid_does_not_move_with_what_leaves_the_level() {
    let old = plain();
    assert_eq!(fixed(&old).whole_grid(), old.plan().whole_grid());
    for at in [[5.0, 40.0, 5.0], [5.0, -9.0, 5.0], [-7.0, 1.0, 5.0], [5.0, 1.0, -7.0]] {
        let (at, mut moved) = (Vec3::from(at), old.clone());
        moved.triangles.push([at, at + Vec3::Z, at + Vec3::X]);
        let all: Vec<_> = moved.plan().tiles().collect();
        assert_eq!(dirty(&old.plan(), &moved.plan()).changed, all, "{at}");

        let (before, after) = (fixed(&old), fixed(&moved));
        let dirty = dirty(&before, &after);
        // The edit touches one tile and the borders of three.
        assert!(dirty.changed.len() <= 4 && dirty.removed.is_empty(), "{at}: {dirty:?}");
        for tile in after.tiles().filter(|tile| !dirty.changed.contains(tile)) {
            assert_eq!(bytes(&before, tile), bytes(&after, tile), "{tile}");
        }
        assert!(after.beyond_grid().is_some_and(|found| found.is_warning()), "{at}");
    }
}

#[test]
fn tiles_come_and_go_with_the_size_of_the_level() {
    let small = plain();
    let mut large = small.clone();
    large.triangles.push([0.0, 1.0, 2.0].map(|z| Vec3::new(28.0 - z, 1.0, SIDE - z * z)));
    let (small, large) = (small.plan(), large.plan());
    let column = |x: u32| (0..6).map(move |z| TileCoord::new(x, z));
    let dirty_large = dirty(&small, &large);
    assert!(dirty_large.removed.is_empty());
    assert!(column(6).all(|tile| dirty_large.changed.contains(&tile)));
    assert!(!dirty_large.changed.contains(&TileCoord::new(0, 0)));
    assert_eq!(dirty(&large, &small).removed, column(6).collect::<Vec<_>>());
}
