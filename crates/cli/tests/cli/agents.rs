//! One navmesh for all agents of a project.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{json as parse, run_in};

/// Name, radius, height, climb and slope of the agents.
const AGENTS: [(&str, f32, f32, f32, f32); 5] = [
    ("child", 0.3, 1.2, 0.4, 45.0),
    ("guard", 0.6, 1.8, 0.6, 45.0),
    ("knight", 0.6, 2.2, 0.4, 40.0),
    ("horse", 0.9, 2.4, 0.8, 50.0),
    ("ogre", 1.5, 3.4, 0.8, 50.0),
];

fn agents(tile_size: u32) -> Value {
    let agent = |(name, radius, height, climb, slope): (&str, f32, f32, f32, f32)| {
        json!({ "name": name, "settings": {
            "agent_radius": radius, "agent_height": height, "agent_max_climb": climb,
            "agent_max_slope": slope, "tile_size": tile_size,
        } })
    };
    json!({ "list": AGENTS.map(agent) })
}

fn write_project(folder: &Path, name: &str, level: &Value, agents: &Value) {
    let document = json!({ "settings": agents["list"][0]["settings"], "agents": agents });
    let project = json!({ "walkable_project": 6, "level": level, "document": document });
    fs::write(folder.join(name), project.to_string()).unwrap();
}

/// Writes 100 questions with ends on the ground of `navmesh`.
fn write_questions(folder: &Path, navmesh: &str) {
    let info = parse(&run_in(folder, &["info", navmesh, "--json"]).succeeded());
    let corner = |at: &str| -> Vec<f64> {
        info["bounds"][at].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
    };
    let (min, max) = (corner("min"), corner("max"));
    // Spread evenly: fractions of multiples of irrational numbers.
    let steps = [0.754_877_666, 0.569_840_29, 0.414_213_562];
    let mut text = String::new();
    for number in 0..200_u32 {
        for axis in 0..3 {
            let share = (f64::from(number) * steps[axis]).fract();
            write!(text, "{} ", min[axis] + (max[axis] - min[axis]) * share).unwrap();
        }
        text.push(if number % 2 == 0 { ' ' } else { '\n' });
    }
    fs::write(folder.join("questions.txt"), text).unwrap();
}

/// The ends of a question on the navmesh, and whether the second can be reached from the first.
type Answer = Option<([[f64; 3]; 2], bool)>;

fn answers(folder: &Path, args: &[&str]) -> Vec<Answer> {
    let options = ["--queries", "questions.txt", "--can-reach", "--half-extents", "1,8,1"];
    let said = run_in(folder, &[&["path"], args, &options].concat()).succeeded();
    let answer = |answer: Value| {
        let end = |end: &str| -> Option<[f64; 3]> {
            let at = answer[end]["point"].as_array()?;
            Some([0, 1, 2].map(|axis| at[axis].as_f64().unwrap()))
        };
        let reachable = answer["reachable"].as_bool().unwrap();
        Some(([end("start")?, end("end")?], reachable))
    };
    said.lines().map(parse).map(answer).collect()
}

#[test]
fn each_agent_reaches_on_the_common_navmesh_what_it_reaches_on_its_own() {
    let (mut n, mut n_lost) = (0, 0);
    for (level, tile_size) in [("sample", 0), ("sample", 32), ("town", 64), ("tower", 48)] {
        let folder = TempDir::new().unwrap();
        let run = |args: &[&str]| run_in(folder.path(), args);
        let (builtin, agents) = (json!({ "builtin": level }), agents(tile_size));
        write_project(folder.path(), "all.walkable", &builtin, &agents);
        run(&["bake", "all.walkable", "--for-all-agents", "-o", "all.bin"]).succeeded();
        write_questions(folder.path(), "all.bin");
        for (name, ..) in AGENTS {
            run(&["bake", "all.walkable", "--agent", name, "-o", "own.bin"]).succeeded();
            let own = answers(folder.path(), &["own.bin"]);
            let common = answers(folder.path(), &["all.bin", "--agent", name]);
            let is_near = |[a, b]: [[f64; 3]; 2]| {
                (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>() < 0.25
            };
            for (own, common) in own.into_iter().zip(common) {
                let Some(((own_ends, own), (ends, common))) = own.zip(common) else { continue };
                // The same random place can be nearest to two different islands.
                if [0, 1].iter().all(|&end| is_near([own_ends[end], ends[end]])) {
                    n += 1;
                    n_lost += usize::from(own && !common);
                }
            }
        }
    }
    assert!(n > 500 && n_lost * 100 < n, "{n_lost} of {n}");
}

#[test]
fn the_table_of_agents_is_beside_the_navmesh() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let agents = agents(0);
    write_project(folder.path(), "all.walkable", &json!({ "builtin": "sample" }), &agents);
    let bake = |args: &[&str]| {
        run(&[&["bake", "all.walkable", "--for-all-agents", "-o", "all.bin"], args].concat())
    };
    bake(&["--first-agent-flag", "0x40"]).succeeded();
    let table = parse(&fs::read_to_string(folder.path().join("all.bin.agents.json")).unwrap());
    assert_eq!(
        (&table["agents"][4]["name"], &table["agents"][4]["flag"]),
        (&"ogre".into(), &1024.into())
    );
    let path = |args: &[&str]| {
        run(&[&["path", "all.bin", "--from", "2,0,20", "--to", "4,0,20"], args].concat())
    };
    assert!(path(&["--agent", "child"]).succeeded().starts_with("complete"));
    path(&["--agent", "cat"]).failed(1, &["there is no agent `cat`", "child, guard"]);
    path(&["--agent", "child", "--include", "1"]).failed(2, &["--include"]);
    bake(&["--first-agent-flag", "0x4000"]).failed(1, &["5 agents need a flag each"]);
    bake(&["--first-agent-flag", "3"]).failed(2, &["not one bit"]);
    bake(&["--set", "agent_radius=2"]).failed(2, &["leave out --set"]);
    run(&["bake", "builtin:sample", "--for-all-agents", "-o", "x.bin"]).failed(1, &["no agents"]);
    run(&["path", "own.bin", "--agent", "child", "--from", "2,0,20", "--to", "4,0,20"])
        .failed(1, &["own.bin"]);
    run(&["watch", "all.walkable", "--for-all-agents", "-o", "x.bin"]).failed(2, &["one agent"]);
    fs::write(folder.path().join("other.bin.agents.json"), "mine").unwrap();
    run(&["bake", "all.walkable", "--for-all-agents", "-o", "other.bin"])
        .failed(2, &["other.bin.agents.json"]);
    assert!(!folder.path().join("other.bin").exists());
}
