//! Walkable in Bevy: loads navmeshes as assets, finds paths on them, moves agents along these paths, and returns a mesh
//! to draw. [`live`] connects a running game to the editor.

pub mod live;

use bevy::{
    asset::{AssetLoader, LoadContext, RenderAssetUsages, io::Reader},
    mesh::PrimitiveTopology,
    platform::collections::HashSet,
    prelude::*,
};
use walkable_runtime::{
    navmesh,
    query::{Filter, PathRequest, PathStatus, Scratch, find_path},
};

/// Loads navmeshes, and moves entities with a [`Walker`].
#[derive(Debug)]
pub struct WalkablePlugin;

impl Plugin for WalkablePlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<NavMesh>()
            .init_asset_loader::<NavMeshLoader>()
            .add_systems(Update, (find_paths, walk).chain());
    }
}

/// A navmesh, loaded from a file of `walkable bake`.
#[derive(Asset, TypePath, Debug)]
pub struct NavMesh(pub navmesh::NavMesh);

impl NavMesh {
    /// Returns the detail surface as a mesh to draw, with flat normals.
    pub fn to_mesh(&self) -> Mesh {
        let mut points: Vec<[f32; 3]> = Vec::new();
        for tile in self.0.tiles() {
            for poly in 0..tile.polys.len() {
                for &triangle in tile.detail_of(poly) {
                    points.extend(tile.detail_corners(poly, triangle).map(|at| at.to_array()));
                }
            }
        }
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, points)
            .with_computed_flat_normals()
    }
}

/// Reads `.bin` files as [`NavMesh`].
#[derive(Default, TypePath, Debug)]
struct NavMeshLoader;

impl AssetLoader for NavMeshLoader {
    type Asset = NavMesh;
    type Settings = ();
    type Error = BevyError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<NavMesh, BevyError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(NavMesh(navmesh::NavMesh::from_bytes(&bytes)?))
    }

    fn extensions(&self) -> &[&str] {
        &["bin"]
    }
}

/// An entity that walks to a goal over a navmesh. Its [`WalkerPath`] is found when the navmesh is loaded, and again when the
/// navmesh or the walker is changed.
#[derive(Component, Debug)]
#[require(Transform)]
pub struct Walker {
    /// The navmesh.
    pub nav_mesh: Handle<NavMesh>,
    /// The goal of the walk.
    pub goal: Vec3,
    /// Speed in meters per second.
    pub speed: f32,
}

/// The path of a [`Walker`].
#[derive(Component, Debug)]
pub struct WalkerPath {
    /// Whether the path leads to the goal.
    pub status: PathStatus,
    /// The points that are still ahead.
    pub ahead: Vec<Vec3>,
}

fn find_paths(
    mut commands: Commands,
    nav_meshes: Res<Assets<NavMesh>>,
    mut events: MessageReader<AssetEvent<NavMesh>>,
    walkers: Query<(Entity, Ref<Walker>, &Transform, Has<WalkerPath>)>,
    mut scratch: Local<Scratch>,
) -> Result {
    let filter = Filter::default();
    let changed: HashSet<AssetId<NavMesh>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, walker, transform, has_path) in &walkers {
        let Some(NavMesh(mesh)) = nav_meshes.get(&walker.nav_mesh) else { continue };
        if has_path && !walker.is_changed() && !changed.contains(&walker.nav_mesh.id()) {
            continue;
        }
        // The lock file selects the glam of Bevy for Walkable, so points need no conversion.
        let (start, end) = (transform.translation, walker.goal);
        let path = find_path(mesh, &PathRequest::new(start, end, &filter), &mut scratch)?;
        commands.entity(entity).insert(WalkerPath { status: path.status, ahead: path.points });
    }
    Ok(())
}

fn walk(time: Res<Time>, mut walkers: Query<(&Walker, &mut WalkerPath, &mut Transform)>) {
    for (walker, mut path, mut transform) in &mut walkers {
        let mut left = walker.speed * time.delta_secs();
        while left > 0.0
            && let Some(&next) = path.ahead.first()
        {
            let distance = transform.translation.distance(next);
            transform.translation = transform.translation.move_towards(next, left);
            left -= distance;
            if left >= 0.0 {
                path.ahead.remove(0);
            }
        }
    }
}
