//! Random levels with volumes, off-mesh links, bounds and surface rules, and random edits of them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        AreaFlags, AreaVolume, BakeInput, BakePlan, BakeSettings, BakedAgent, OffMeshLink, RawArea,
        SurfaceRule, SurfaceSource, SurfaceUse, VolumeShape,
    },
    geom::Aabb,
    ids::AreaId,
    mesh::{MeshPart, TriMesh},
};

/// Side of the level, in meters: six tiles of 10 voxels.
pub(crate) const SIDE: f32 = 24.0;

/// Returns a point in the level.
fn place() -> impl Strategy<Value = Vec3> {
    (0..=96u8, 0..=24u8, 0..=96u8)
        .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25)
}

/// Returns a triangle of a few meters, usually flat and walkable.
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
    (prop::sample::select(vec![0, 1, 5]), shape(), any::<bool>()).prop_map(
        |(area, shape, erode)| AreaVolume { erode, ..AreaVolume::new(RawArea(area), shape) },
    )
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
pub(crate) struct Scene {
    pub(crate) triangles: Vec<[Vec3; 3]>,
    pub(crate) n_floor: usize,
    pub(crate) volumes: Vec<AreaVolume>,
    pub(crate) links: Vec<OffMeshLink>,
    pub(crate) bounds: Vec<Aabb>,
    pub(crate) becomes: Option<SurfaceUse>,
    pub(crate) agents: Vec<BakedAgent>,
}

/// Returns no agents, or a small one and one with a wider margin around volumes that also climbs steeper ground. Both have the
/// same climb, so that they step onto the same floors.
fn agents() -> impl Strategy<Value = Vec<BakedAgent>> {
    let agent = |radius, max_slope, flag| BakedAgent {
        radius,
        height: 1.0,
        max_climb: 0.25,
        max_slope,
        flag,
    };
    let several = vec![agent(0.4, 45.0, 0x100), agent(1.6, 70.0, 0x200)];
    prop_oneof![2 => Just(Vec::new()), 1 => Just(several)]
}

pub(crate) fn scene() -> impl Strategy<Value = Scene> {
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
        agents(),
    )
        .prop_map(|(mut triangles, volumes, links, bounds, becomes, agents)| {
            let [a, b, c, d] = [[0.0, 0.0], [0.0, SIDE], [SIDE, SIDE], [SIDE, 0.0]]
                .map(|[x, z]| Vec3::new(x, 1.0, z));
            triangles.splice(0..0, [[a, b, c], [a, c, d]]);
            let n_floor = 2 + triangles.len() / 3;
            Scene { triangles, n_floor, volumes, links, bounds, becomes, agents }
        })
}

#[derive(Clone, Debug)]
pub(crate) enum Edit {
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

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
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
    pub(crate) fn edited(&self, edit: &Edit) -> Self {
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

    pub(crate) fn plan(&self) -> BakePlan {
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
            part: None,
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
            agents: self.agents.clone(),
        })
        .unwrap()
    }
}

fn replace<T>(list: &mut [T], index: usize, value: T) {
    let n = list.len().max(1);
    if let Some(slot) = list.get_mut(index % n) {
        *slot = value;
    }
}
