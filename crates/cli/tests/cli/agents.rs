//! One navmesh for all agents of a project.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

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

/// Returns the numbers of the questions whose ends are on the mesh and connected, and of those with both ends on it.
fn answers(folder: &Path, args: &[&str]) -> [BTreeSet<usize>; 2] {
    let options = ["--queries", "questions.txt", "--can-reach", "--half-extents", "2,8,2"];
    let said = run_in(folder, &[&["path"], args, &options].concat()).succeeded();
    let answers: Vec<_> = (0..).zip(said.lines().map(parse)).collect();
    let with = |is_right: &dyn Fn(&Value) -> bool| {
        answers.iter().filter(|(_, answer)| is_right(answer)).map(|(number, _)| *number).collect()
    };
    let on_mesh = |answer: &Value| !answer["start"].is_null() && !answer["end"].is_null();
    [with(&|answer| answer["reachable"] == true), with(&on_mesh)]
}

#[test]
fn each_agent_reaches_on_the_common_navmesh_what_it_reaches_on_its_own() {
    for (level, tile_size) in [("sample", 0), ("sample", 32), ("town", 64), ("tower", 48)] {
        let folder = TempDir::new().unwrap();
        let run = |args: &[&str]| run_in(folder.path(), args);
        let (builtin, agents) = (json!({ "builtin": level }), agents(tile_size));
        write_project(folder.path(), "all.walkable", &builtin, &agents);
        run(&["bake", "all.walkable", "--for-all-agents", "-o", "all.bin"]).succeeded();
        write_questions(folder.path(), "all.bin");
        let (mut n, mut n_other) = (0, 0);
        for (name, ..) in AGENTS {
            run(&["bake", "all.walkable", "--agent", name, "-o", "own.bin"]).succeeded();
            let [own, own_ends] = answers(folder.path(), &["own.bin"]);
            let [common, _] = answers(folder.path(), &["all.bin", "--agent", name]);
            n += own_ends.len();
            n_other += own.symmetric_difference(&common).count();
            eprintln!(
                "{level} {tile_size} {name}: {} of {} reachable, {} differ",
                own.len(),
                own_ends.len(),
                own.symmetric_difference(&common).count()
            );
        }
        assert!(n > 100 && n_other * 50 <= n, "{level}: {n_other} of {n} differ");
    }
}
