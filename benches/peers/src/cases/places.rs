//! Random volumes, surfaces and off-mesh links.

use std::f32::consts::PI;

use glam::Vec3;
use walkable::{
    bake::{
        AreaVolume, FIRST_OFF_MESH_USER_ID, OffMeshLink, RawArea, SurfaceRule, SurfaceSource,
        SurfaceUse, VolumeShape,
    },
    geom::Aabb,
    ids::AreaId,
    mesh::TriMesh,
    tile_cache::Obstacle,
};
use walkable_runtime::random::Random;

/// Materials of random levels.
pub(super) const MATERIALS: [&str; 3] = ["a", "b", "c"];

const AREAS: [u8; 9] = [0, 1, 2, 3, 4, 5, 17, 62, 63];

fn area(random: &mut Random) -> RawArea {
    RawArea(random.pick(&AREAS))
}

/// Returns up to six volumes; often none.
pub(super) fn volumes(random: &mut Random, mesh: &TriMesh) -> Vec<AreaVolume> {
    if random.chance(0.4) {
        return Vec::new();
    }
    (0..1 + random.below(6)).map(|_| AreaVolume::new(area(random), shape(random, mesh))).collect()
}

fn shape(random: &mut Random, mesh: &TriMesh) -> VolumeShape {
    let middle = place(random, mesh);
    let reach = mesh.bounds().size().max_element() * random.between(0.02, 0.4);
    let half = Vec3::new(random.unit(), random.unit(), random.unit()) * reach;
    match random.below(4) {
        0 => VolumeShape::Box(Aabb { min: middle - half, max: middle + half }),
        1 => VolumeShape::Cylinder {
            base: middle - Vec3::Y * half.y,
            radius: half.x,
            height: half.z,
        },
        2 => VolumeShape::TurnedBox {
            center: middle,
            half_extents: half,
            yaw: random.between(-PI, PI),
        },
        _ => {
            let corner = |random: &mut Random| {
                middle + Vec3::new(random.unit() - 0.5, 0.0, random.unit() - 0.5) * 2.0 * reach
            };
            let outline = (0..3 + random.below(5)).map(|_| corner(random)).collect();
            VolumeShape::Prism { min_y: middle.y - half.y, max_y: middle.y + half.y, outline }
        }
    }
}

/// Returns up to seven off-mesh links between points on the level or close to it; often none.
pub(super) fn links(random: &mut Random, mesh: &TriMesh) -> Vec<OffMeshLink> {
    let n = if random.chance(0.5) { 0 } else { 1 + random.below(7) };
    (FIRST_OFF_MESH_USER_ID..)
        .take(n)
        .map(|user_id| OffMeshLink {
            start: place(random, mesh),
            end: place(random, mesh),
            radius: random.between(0.1, 3.0),
            bidirectional: random.chance(0.5),
            area: AreaId(random.pick(&AREAS)),
            flags: random.below(1 << 16) as u16,
            user_id,
        })
        .collect()
}

/// Returns a vertex of the level, or a point near it.
fn place(random: &mut Random, mesh: &TriMesh) -> Vec3 {
    let corner = mesh.vertices()[random.below(mesh.vertices().len())];
    let away = Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5);
    corner + away * random.pick(&[0.0, 1.0, 5.0])
}

/// Returns rules for materials; usually none.
pub(super) fn surfaces(random: &mut Random) -> Vec<SurfaceRule> {
    if random.chance(0.7) {
        return Vec::new();
    }
    let rule = |name: &str| SurfaceRule {
        source: SurfaceSource::Material,
        name: name.to_owned(),
        becomes: if random.chance(0.2) {
            SurfaceUse::LeftOut
        } else {
            SurfaceUse::Area(area(random))
        },
    };
    MATERIALS[1..].iter().copied().map(rule).collect()
}

/// Returns up to five obstacles of the kinds that Detour has.
pub(super) fn obstacles(random: &mut Random, mesh: &TriMesh) -> Vec<Obstacle> {
    let obstacle = |random: &mut Random| match shape(random, mesh) {
        VolumeShape::Box(bounds) => Some(Obstacle::Box(bounds)),
        VolumeShape::Cylinder { base, radius, height } => {
            Some(Obstacle::Cylinder { base, radius, height })
        }
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            Some(Obstacle::TurnedBox { center, half_size: half_extents, yaw })
        }
        VolumeShape::Prism { .. } => None,
    };
    (0..random.below(6)).filter_map(|_| obstacle(random)).collect()
}
