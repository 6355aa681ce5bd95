//! A game that is connected to `walkable watch`: it loads the tiles, walks, changes the level, and gets the reason why
//! a path fails. Another is connected to the editor. `.ci/bevy` names the program in `WALKABLE_PROGRAM`, and the address and the
//! file with the token of an editor with the built-in sample in `WALKABLE_EDITOR` and `WALKABLE_TOKEN_FILE`.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use bevy::{mesh::MeshPlugin, prelude::*, time::TimeUpdateStrategy};
use serde_json::json;
use walkable_bevy::{
    NavMesh, WalkablePlugin, Walker, WalkerPath,
    live::{Live, LiveAgent, LivePlugin, LiveReply, PathExplained},
};
use walkable_runtime::query::PathStatus;

const TOKEN: &str = "0123456789abcdef";
/// A yard of 40 by 40 meters.
const YARD: &str = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n";

/// A running `walkable watch` of the yard.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("yard.obj"), YARD).unwrap();
        fs::write(folder.join("token.txt"), TOKEN).unwrap();
        let mut child = Command::new(env::var("WALKABLE_PROGRAM").expect("run `bash .ci/bevy`"))
            .args(["watch", "yard.obj", "-o", "out.bin", "--when-asked", "--set", "tile_size=32"])
            .args(["--listen", "127.0.0.1:0", "--token-file", "token.txt"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .map(|line| line.unwrap())
            .find_map(|line| Some(line.strip_prefix("listening on ")?.to_owned()))
            .expect("the program listens");
        Self { child, address }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn app(address: &str, token: &str) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        MeshPlugin,
        WalkablePlugin,
        LivePlugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)));
    let live = Live::connect(address, token, &mut app.world_mut().resource_mut());
    app.insert_resource(live);
    app
}

/// Updates `app` until `found` returns a value.
fn wait<T>(app: &mut App, what: &str, mut found: impl FnMut(&mut App) -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        app.update();
        if let Some(found) = found(app) {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
    }
}

fn n_tiles(app: &App) -> usize {
    let nav_mesh = app.world().resource::<Live>().nav_mesh();
    let mesh = app.world().resource::<Assets<NavMesh>>().get(&nav_mesh);
    mesh.map_or(0, |NavMesh(mesh)| mesh.tiles().count())
}

#[test]
fn a_game_loads_the_tiles_and_hears_why_a_path_fails() {
    let program = Program::new("yard");
    let mut app = app(&program.address, TOKEN);
    let n = wait(&mut app, "no tiles", |app| Some(n_tiles(app)).filter(|&n| n > 0));
    assert!(n > 1, "{n} tiles");

    let goal = Vec3::new(37.0, 0.0, 20.0);
    let nav_mesh = app.world().resource::<Live>().nav_mesh();
    let start = Transform::from_xyz(3.0, 0.0, 20.0);
    let agent = LiveAgent { name: "Guard".into(), size: Some((0.6, 2.0)) };
    // It stands still, because it could pass the place of the wall while the wall is baked.
    let entity = app.world_mut().spawn((Walker { nav_mesh, goal, speed: 0.0 }, start, agent)).id();
    app.update();
    let path = app.world().get::<WalkerPath>(entity).unwrap();
    assert_eq!((path.status, path.ahead.len()), (PathStatus::Complete, 2));

    // A wall across the yard: the path changes with the tiles, and the program reports the obstacle.
    let wall = json!({
        "name": "Wall",
        "vertices": [[20, 0, -1], [20, 9, -1], [20, 0, 41], [20, 9, 41]],
        "triangles": [[0, 1, 2], [2, 1, 3], [0, 2, 1], [2, 3, 1]],
    });
    let mut live = app.world_mut().resource_mut::<Live>();
    live.ask("objects", json!({"replace": [wall]})).unwrap();
    let bake = live.ask("bake", json!({})).unwrap();
    let reply = wait(&mut app, "no bake", |app| {
        let mut replies = app.world_mut().resource_mut::<Messages<LiveReply>>();
        replies.drain().find(|reply| reply.id == bake)
    });
    assert_eq!(reply.reply.unwrap()["status"], "written");
    let explained = wait(&mut app, "no explanation", |app| {
        app.world_mut().resource_mut::<Messages<PathExplained>>().drain().next()
    });
    assert_eq!(app.world().get::<WalkerPath>(entity).unwrap().status, PathStatus::Partial);
    assert_eq!((explained.entity, &*explained.status), (entity, "partial"));
    assert!(!explained.text.is_empty());

    // Without the wall, the agent arrives. A path is reported once per goal.
    app.world_mut().get_mut::<Walker>(entity).unwrap().speed = 3.5;
    let mut live = app.world_mut().resource_mut::<Live>();
    live.ask("objects", json!({"remove": ["Wall"]})).unwrap();
    live.ask("bake", json!({})).unwrap();
    wait(&mut app, "the agent does not arrive", |app| {
        let at = app.world().get::<Transform>(entity).unwrap().translation;
        (at.distance(goal) < 0.5).then_some(())
    });
    assert!(app.world_mut().resource_mut::<Messages<PathExplained>>().drain().next().is_none());

    // A message with an error is rejected, and the connection stays open.
    let wrong = app.world_mut().resource_mut::<Live>().ask("bake", json!({"all": true})).unwrap();
    let reply = wait(&mut app, "no reply", |app| {
        let mut replies = app.world_mut().resource_mut::<Messages<LiveReply>>();
        replies.drain().find(|reply| reply.id == wrong)
    });
    assert!(reply.reply.unwrap_err().contains("all"));
    assert!(app.world().resource::<Live>().is_connected());

    drop(program);
    wait(&mut app, "the end is not seen", |app| {
        app.world().resource::<Live>().closed().map(str::to_owned)
    });
}

#[test]
fn a_game_walks_on_the_navmesh_of_the_editor_and_hears_why_a_path_fails() {
    let [address, token_file] = ["WALKABLE_EDITOR", "WALKABLE_TOKEN_FILE"]
        .map(|name| env::var(name).expect("run `bash .ci/bevy`"));
    let mut app = app(&address, &fs::read_to_string(token_file).unwrap());
    wait(&mut app, "no tiles", |app| Some(n_tiles(app)).filter(|&n| n > 0));

    let nav_mesh = app.world().resource::<Live>().nav_mesh();
    // On the floor of the pool.
    let goal = Vec3::new(20.0, -1.4, 20.0);
    let mut spawn = |name: &str, goal| {
        let walker = Walker { nav_mesh: nav_mesh.clone(), goal, speed: 3.5 };
        let agent = LiveAgent { name: name.into(), size: Some((0.6, 2.0)) };
        app.world_mut().spawn((walker, Transform::from_xyz(2.0, 0.0, 20.0), agent)).id()
    };
    let guard = spawn("Guard", goal);
    let scout = spawn("Scout", Vec3::new(45.0, 0.0, 12.0));
    let explained = wait(&mut app, "no explanation", |app| {
        app.world_mut().resource_mut::<Messages<PathExplained>>().drain().next()
    });
    assert_eq!((explained.entity, &*explained.status), (scout, "unreachable"));
    assert!(explained.text.contains("outside the level"), "{}", explained.text);
    wait(&mut app, "the agent does not arrive", |app| {
        let at = app.world().get::<Transform>(guard).unwrap().translation;
        (at.distance(goal) < 0.5).then_some(())
    });
    assert!(app.world().resource::<Live>().is_connected());
}

#[test]
fn a_wrong_token_is_refused() {
    let program = Program::new("token");
    let mut app = app(&program.address, "not the token of this program");
    let reason = wait(&mut app, "the connection stands", |app| {
        app.world().resource::<Live>().closed().map(str::to_owned)
    });
    assert!(reason.contains("token"), "{reason}");
    assert!(!app.world().resource::<Live>().is_connected());
}
