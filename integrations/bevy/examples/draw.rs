//! Draws an agent on its way over a navmesh, without a window:
//! `cargo run --example draw --features draw -- FILE.bin START GOAL PICTURE.png`, for example
//! `cargo run --example draw --features draw -- level.bin 2,0,20 20,0,20 walk.png`. The picture is taken when half of the
//! path is behind the agent. Needs a graphics driver; one in software is enough.

use std::{env, path::Path, time::Duration};

use bevy::{
    app::ScheduleRunnerPlugin,
    asset::RenderAssetUsages,
    camera::RenderTarget,
    core_pipeline::tonemapping::Tonemapping,
    math::bounding::Aabb3d,
    prelude::*,
    render::{
        RenderPlugin,
        render_resource::{TextureFormat, TextureUsages},
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    window::ExitCondition,
};
use walkable_bevy::{NavMesh, WalkablePlugin, Walker, WalkerPath};

const USAGE: &str = "usage: draw FILE.bin x,y,z x,y,z PICTURE.png";
/// Size of the picture, in pixels.
const SIZE: UVec2 = UVec2::new(1280, 800);
/// Radius and height of the agent, in meters.
const AGENT: [f32; 2] = [0.6, 2.0];
/// Offset of the drawn path. The path leads from corner to corner, and the ground between them may be higher.
const PATH_LIFT: Vec3 = Vec3::new(0.0, 0.4, 0.0);

/// What to draw.
#[derive(Resource)]
struct Walk {
    nav_mesh: Handle<NavMesh>,
    start: Vec3,
    goal: Vec3,
    picture: String,
}

/// The image that the camera draws.
#[derive(Resource)]
struct Target(Handle<Image>);

fn main() -> Result {
    let [file, start, goal, picture] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| USAGE)?;
    let (start, goal) = (point(&start)?, point(&goal)?);
    let file = Path::new(&file).canonicalize()?;
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(USAGE.into());
    };
    let name = name.to_string_lossy().into_owned();
    let windowless =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() };
    // Otherwise, meshes are missing until their pipelines are compiled.
    let render = RenderPlugin { synchronous_pipeline_compilation: true, ..default() };
    App::new()
        .add_plugins((
            DefaultPlugins.set(windowless).set(assets).set(render),
            ScheduleRunnerPlugin::run_loop(Duration::from_millis(16)),
            WalkablePlugin,
        ))
        .add_systems(Startup, move |mut commands: Commands, assets: Res<AssetServer>| {
            let (nav_mesh, picture) = (assets.load(&name), picture.clone());
            commands.insert_resource(Walk { nav_mesh, start, goal, picture });
        })
        .add_systems(Update, draw_nav_mesh)
        .add_systems(PostUpdate, (draw_path, take_picture))
        .run();
    Ok(())
}

/// Draws the navmesh once it is loaded, and starts the agent.
#[expect(clippy::too_many_arguments, reason = "a system takes all that it uses")]
fn draw_nav_mesh(
    mut commands: Commands,
    walk: Res<Walk>,
    mut events: MessageReader<AssetEvent<NavMesh>>,
    nav_meshes: Res<Assets<NavMesh>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    if !events.read().any(|event| event.is_added(&walk.nav_mesh)) {
        return;
    }
    let Some(nav_mesh) = nav_meshes.get(&walk.nav_mesh) else { return };
    let points = nav_mesh.0.tiles().flat_map(|tile| tile.vertices.iter().copied());
    let bounds = Aabb3d::from_point_cloud(Isometry3d::IDENTITY, points);
    commands.spawn((
        Mesh3d(meshes.add(nav_mesh.to_mesh())),
        MeshMaterial3d(materials.add(Color::srgb(0.35, 0.6, 0.85))),
    ));
    let [radius, height] = AGENT;
    let (nav_mesh, goal) = (walk.nav_mesh.clone(), walk.goal);
    commands
        .spawn((
            Walker { nav_mesh, goal, speed: 3.5 },
            Transform::from_translation(walk.start),
            Visibility::default(),
        ))
        .with_child((
            Mesh3d(meshes.add(Capsule3d::new(radius, height - 2.0 * radius))),
            MeshMaterial3d(materials.add(Color::srgb(0.9, 0.7, 0.2))),
            Transform::from_xyz(0.0, 0.5 * height, 0.0),
        ));
    let mut image = Image::new_target_texture(SIZE.x, SIZE.y, TextureFormat::Rgba8UnormSrgb, None);
    image.asset_usage = RenderAssetUsages::default();
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let image = images.add(image);
    commands.insert_resource(Target(image.clone()));
    let (center, size) = (Vec3::from(bounds.min.midpoint(bounds.max)), bounds.max - bounds.min);
    let eye = center + Vec3::new(0.0, 0.7, 0.55) * Vec3::from(size).length();
    commands.spawn((
        Camera3d::default(),
        RenderTarget::Image(image.into()),
        // Other kinds of tone mapping need tables that are not compiled in.
        Tonemapping::None,
        Transform::from_translation(eye).looking_at(center, Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight { illuminance: 4000.0, ..default() },
        Transform::from_xyz(0.5, 1.0, 0.3).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// Draws a new path as a chain of cylinders.
fn draw_path(
    mut commands: Commands,
    paths: Query<(&Transform, &WalkerPath), Added<WalkerPath>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (transform, path) in &paths {
        let material = materials.add(Color::srgb(0.85, 0.1, 0.35));
        let corners: Vec<_> = [transform.translation].iter().chain(&path.ahead).copied().collect();
        for ends in corners.windows(2) {
            let way = ends[1] - ends[0];
            let Some(direction) = way.try_normalize() else { continue };
            let turn = Quat::from_rotation_arc(Vec3::Y, direction);
            let middle = ends[0].midpoint(ends[1]) + PATH_LIFT;
            commands.spawn((
                Mesh3d(meshes.add(Cylinder::new(0.12, way.length()))),
                MeshMaterial3d(material.clone()),
                Transform::from_translation(middle).with_rotation(turn),
            ));
        }
    }
}

/// Takes the picture when half of the path is behind the agent, and exits when it is saved.
fn take_picture(
    mut commands: Commands,
    walk: Option<Res<Walk>>,
    target: Option<Res<Target>>,
    walkers: Query<(&Transform, &WalkerPath)>,
    mut length: Local<Option<f32>>,
    mut is_taken: Local<bool>,
) {
    let (Some(walk), Some(target), Ok((transform, path))) = (walk, target, walkers.single()) else {
        return;
    };
    let way = [transform.translation].into_iter().chain(path.ahead.iter().copied());
    let way: Vec<Vec3> = way.collect();
    let left: f32 = way.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    if *is_taken || left > 0.5 * *length.get_or_insert(left) {
        return;
    }
    *is_taken = true;
    let (picture, status) = (walk.picture.clone(), path.status);
    commands.spawn(Screenshot::image(target.0.clone())).observe(
        move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| -> Result {
            captured.image.clone().try_into_dynamic()?.to_rgb8().save(&picture)?;
            println!("{picture}: {status:?}");
            exit.write(AppExit::Success);
            Ok(())
        },
    );
}

fn point(text: &str) -> Result<Vec3> {
    let numbers = text.split(',').map(str::parse).collect::<Result<Vec<f32>, _>>()?;
    Ok(<[f32; 3]>::try_from(numbers).map_err(|_| USAGE)?.into())
}
