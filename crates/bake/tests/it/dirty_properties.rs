//! After an edit, every tile that changes is reported as dirty, and the reported tiles lie near the edit.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        AreaFlags, AreaVolume, BakeInput, BakePlan, BakeSettings, DirtyTiles, Keep, LayerCut,
        OffMeshLink, RawArea, SurfaceRule, SurfaceSource, SurfaceUse, VolumeShape, bake_tile,
        dirty_tiles,
    },
    geom::Aabb,
    ids::{AreaId, TileCoord},
    mesh::{MeshPart, TriMesh},
    monitor::Unmonitored,
    tile_cache::TileCache,
};

/// Side of the level, in meters: six tiles of 10 voxels.
const SIDE: f32 = 24.0;

/// A point in the level.
fn place() -> impl Strategy<Value = Vec3> {
    (0..=96u8, 0..=24u8, 0..=96u8)
        .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25)
}

/// A triangle of a few meters, usually flat and walkable.
fn triangle() -> impl Strategy<Value = [Vec3; 3]> {
    let size = || (1..20u8).prop_map(|n| f32::from(n) * 0.25);
    (place(), size(), size(), 0..4u8).prop_map(|(at, x, z, tilt)| {
        let rise = f32::from(tilt / 3) * 2.0;
        let far = Vec3::new(SIDE, 6.0, SIDE);
        [at, at + Vec3::new(0.0, rise, z), at + Vec3::new(x, 0.0, 0.0)].map(|v| v.min(far))
    })
}

fn shape() -> impl Strategy<Value = VolumeShape> {
    let size = || (1..16u8).prop_map(|n| f32::from(n) * 0.25);
    let sizes = || [size(), size(), size()].prop_map(Vec3::from);
    prop_oneof![
        (place(), sizes()).prop_map(|(min, size)| VolumeShape::Box(Aabb::new(min, min + size))),
        (place(), sizes(), 0.0..3.0f32).prop_map(|(center, half_extents, yaw)| {
            VolumeShape::TurnedBox { center, half_extents, yaw }
        }),
        (place(), size(), size()).prop_map(|(base, radius, height)| VolumeShape::Cylinder {
            base,
            radius,
            height
        }),
        (place(), size(), size()).prop_map(|(at, x, z)| VolumeShape::Prism {
            min_y: at.y - 1.0,
            max_y: at.y + 1.0,
            outline: vec![at, at + Vec3::new(0.0, 0.0, z), at + Vec3::new(x, 0.0, z)],
        }),
    ]
}

fn volume() -> impl Strategy<Value = AreaVolume> {
    (prop::sample::select(vec![0, 1, 5]), shape())
        .prop_map(|(area, shape)| AreaVolume { area: RawArea(area), shape })
}

fn link() -> impl Strategy<Value = OffMeshLink> {
    (place(), place(), 0..3u16).prop_map(|(start, end, flags)| OffMeshLink {
        start,
        end,
        radius: 0.5,
        bidirectional: flags == 1,
        area: AreaId(5),
        flags,
        user_id: 1000,
    })
}

fn bound() -> impl Strategy<Value = Aabb> {
    let around = Just(Aabb::new(Vec3::splat(-1.0), Vec3::splat(99.0)));
    prop_oneof![around, [place(), place()].prop_map(|[a, b]| Aabb::new(a, b))]
}

/// The level and the user's edits. Triangles from `n_floor` on belong to the object `rest`.
#[derive(Clone, Debug)]
struct Scene {
    triangles: Vec<[Vec3; 3]>,
    n_floor: usize,
    volumes: Vec<AreaVolume>,
    links: Vec<OffMeshLink>,
    bounds: Vec<Aabb>,
    becomes: Option<SurfaceUse>,
}

fn scene() -> impl Strategy<Value = Scene> {
    let becomes = prop_oneof![
        2 => Just(None),
        1 => Just(Some(SurfaceUse::LeftOut)),
        1 => Just(Some(SurfaceUse::Area(RawArea(2)))),
    ];
    (
        prop::collection::vec(triangle(), 2..40),
        prop::collection::vec(volume(), 0..4),
        prop::collection::vec(link(), 0..4),
        prop::collection::vec(bound(), 0..3),
        becomes,
    )
        .prop_map(|(mut triangles, volumes, links, bounds, becomes)| {
            let [a, b, c, d] = [[0.0, 0.0], [0.0, SIDE], [SIDE, SIDE], [SIDE, 0.0]]
                .map(|[x, z]| Vec3::new(x, 1.0, z));
            triangles.splice(0..0, [[a, b, c], [a, c, d]]);
            let n_floor = 2 + triangles.len() / 3;
            Scene { triangles, n_floor, volumes, links, bounds, becomes }
        })
}

#[derive(Clone, Debug)]
enum Edit {
    Triangle(usize, [Vec3; 3]),
    AddTriangle(usize, [Vec3; 3]),
    RemoveTriangle(usize),
    SwapTriangles(usize, usize),
    Volume(usize, AreaVolume),
    AddVolume(usize, AreaVolume),
    RemoveVolume(usize),
    SwapVolumes,
    Link(usize, OffMeshLink),
    AddLink(OffMeshLink),
    Bound(usize, Aabb),
    AddBound(Aabb),
    Becomes(Option<SurfaceUse>),
}

fn edit() -> impl Strategy<Value = Edit> {
    let becomes = prop_oneof![
        Just(None),
        Just(Some(SurfaceUse::LeftOut)),
        Just(Some(SurfaceUse::Area(RawArea(1)))),
    ];
    let index = || 0..50usize;
    prop_oneof![
        4 => (index(), triangle()).prop_map(|(i, t)| Edit::Triangle(i, t)),
        2 => (index(), triangle()).prop_map(|(i, t)| Edit::AddTriangle(i, t)),
        2 => index().prop_map(Edit::RemoveTriangle),
        2 => (index(), index()).prop_map(|(i, j)| Edit::SwapTriangles(i, j)),
        2 => (index(), volume()).prop_map(|(i, v)| Edit::Volume(i, v)),
        1 => (index(), volume()).prop_map(|(i, v)| Edit::AddVolume(i, v)),
        1 => index().prop_map(Edit::RemoveVolume),
        1 => Just(Edit::SwapVolumes),
        1 => (index(), link()).prop_map(|(i, l)| Edit::Link(i, l)),
        1 => link().prop_map(Edit::AddLink),
        1 => (index(), bound()).prop_map(|(i, b)| Edit::Bound(i, b)),
        1 => bound().prop_map(Edit::AddBound),
        1 => becomes.prop_map(Edit::Becomes),
    ]
}

impl Scene {
    /// Applies the edit, if there is something to edit. The two triangles of the floor, which determine the size of
    /// the level, stay.
    fn edited(&self, edit: &Edit) -> Self {
        let mut scene = self.clone();
        let n = scene.triangles.len();
        let at = |index: usize| 2 + index % (n - 2);
        match edit.clone() {
            Edit::Triangle(index, triangle) => scene.triangles[at(index)] = triangle,
            Edit::AddTriangle(index, triangle) => scene.triangles.insert(at(index), triangle),
            Edit::RemoveTriangle(index) => drop(scene.triangles.remove(at(index))),
            Edit::SwapTriangles(i, j) => scene.triangles.swap(at(i), at(j)),
            Edit::Volume(index, volume) => replace(&mut scene.volumes, index, volume),
            Edit::AddVolume(index, volume) => {
                let index = index % (scene.volumes.len() + 1);
                scene.volumes.insert(index, volume);
            }
            Edit::RemoveVolume(index) if !scene.volumes.is_empty() => {
                drop(scene.volumes.remove(index % self.volumes.len()));
            }
            Edit::RemoveVolume(_) => {}
            Edit::SwapVolumes => scene.volumes.reverse(),
            Edit::Link(index, link) => replace(&mut scene.links, index, link),
            Edit::AddLink(link) => scene.links.push(link),
            Edit::Bound(index, bound) => replace(&mut scene.bounds, index, bound),
            Edit::AddBound(bound) => scene.bounds.push(bound),
            Edit::Becomes(becomes) => scene.becomes = becomes,
        }
        scene.n_floor = scene.n_floor.min(scene.triangles.len());
        scene
    }

    fn plan(&self) -> BakePlan {
        let n = |n: usize| u32::try_from(n).unwrap();
        let part = |object: &str, triangles| MeshPart {
            object: object.into(),
            material: "".into(),
            triangles,
        };
        let ends = [n(self.n_floor), n(self.triangles.len())];
        let parts = vec![part("floor", 0..ends[0]), part("rest", ends[0]..ends[1])];
        // Two additional vertices keep the height of the level constant.
        let mut vertices = self.triangles.concat();
        vertices.extend([Vec3::ZERO, Vec3::new(SIDE, 6.0, SIDE)]);
        let triangles = (0..ends[1]).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let rule = |becomes| SurfaceRule {
            source: SurfaceSource::Object,
            name: "rest".to_owned(),
            becomes,
        };
        BakePlan::new(BakeInput {
            mesh: Arc::new(TriMesh::with_parts(vertices, triangles, parts).unwrap()),
            settings: BakeSettings {
                cell_size: 0.4,
                cell_height: 0.25,
                agent_height: 1.0,
                agent_radius: 0.4,
                region_min_size: 1.0,
                tile_size: 10,
                ..BakeSettings::default()
            },
            volumes: self.volumes.clone(),
            off_mesh: self.links.clone(),
            surfaces: self.becomes.into_iter().map(rule).collect(),
            bounds: self.bounds.clone(),
            area_flags: AreaFlags::default(),
        })
        .unwrap()
    }

    /// Boxes around everything that differs between the scenes, including the order of lists; `None` if the whole
    /// level is affected.
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

fn replace<T>(list: &mut [T], index: usize, value: T) {
    let n = list.len().max(1);
    if let Some(slot) = list.get_mut(index % n) {
        *slot = value;
    }
}

/// Boxes around the elements between the common prefix and the common suffix of two lists.
fn differing<T: PartialEq>(a: &[T], b: &[T], bounds: impl Fn(&T) -> Aabb) -> Vec<Aabb> {
    let n_front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let [rest_a, rest_b] = [&a[n_front..], &b[n_front..]];
    let n_back = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle =
        |list: &[T]| -> Vec<_> { list[..list.len() - n_back].iter().map(&bounds).collect() };
    [middle(rest_a), middle(rest_b)].concat()
}

fn bytes(plan: &BakePlan, tile: TileCoord) -> Option<Vec<u8>> {
    bake_tile(plan, tile, Keep::Tile, &Unmonitored).unwrap().tile.map(|tile| tile.to_bytes())
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
        prop_assert!(dirty.removed.is_empty());
        let dirty: BTreeSet<_> = dirty.changed.into_iter().collect();
        for tile in new.tiles() {
            prop_assert!(
                dirty.contains(&tile) || bytes(&old, tile) == bytes(&new, tile),
                "{tile} is stale after {edits:?}"
            );
        }
        let Some(changes) = scene.changes(&edited) else { return Ok(()) };
        let cell = Vec3::splat(old.params().cell_size);
        for tile in dirty {
            let Aabb { min, max } = new.tile_frame(tile).bounds;
            let around = Aabb { min: min - cell, max: max + cell };
            let is_near = changes.iter().any(|change| change.overlaps_xz(&around));
            prop_assert!(is_near, "{tile} is dirty after {edits:?}");
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
        let (old, new) = (scene.plan(), edited.plan());
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
    let volume = AreaVolume { area: RawArea(1), shape: middle };
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
