//! Walks over a navmesh without a window: `cargo run -- FILE.bin START GOAL`, for example
//! `cargo run -- level.bin 2,0,20 20,0,20`. Prints the position of the agent ten times a second.

use std::{env, path::Path, time::Duration};

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use walkable_bevy::{WalkablePlugin, Walker, WalkerPath};

const USAGE: &str = "usage: walkable-bevy FILE.bin x,y,z x,y,z";

fn main() -> Result {
    let [file, start, goal] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| USAGE)?;
    let (start, goal) = (point(&start)?, point(&goal)?);
    let file = Path::new(&file).canonicalize()?;
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(USAGE.into());
    };
    let name = name.to_string_lossy().into_owned();
    App::new()
        .add_plugins((
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(Duration::from_millis(100))),
            AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() },
            WalkablePlugin,
        ))
        .add_systems(Startup, move |mut commands: Commands, assets: Res<AssetServer>| {
            let walker = Walker { nav_mesh: assets.load(&name), goal, speed: 3.5 };
            commands.spawn((walker, Transform::from_translation(start)));
        })
        .add_systems(PostUpdate, report)
        .run();
    Ok(())
}

/// Prints the position of the agent, and exits when it has arrived.
fn report(walkers: Query<(&Transform, &WalkerPath)>, mut exit: MessageWriter<AppExit>) {
    for (transform, path) in &walkers {
        println!("{:.2}", transform.translation);
        if path.ahead.is_empty() {
            println!("{:?}", path.status);
            exit.write(AppExit::Success);
        }
    }
}

fn point(text: &str) -> Result<Vec3> {
    let numbers = text.split(',').map(str::parse).collect::<Result<Vec<f32>, _>>()?;
    Ok(<[f32; 3]>::try_from(numbers).map_err(|_| USAGE)?.into())
}
