//! `walkable test`: suites on levels, navmeshes and projects.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;
use xml::reader::{EventReader, XmlEvent};

use crate::run::{self, Run, run_in};

/// Two floors of 10 m by 10 m at height 0, 3 m apart.
const FLOORS: &str = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n\
    v 13 0 0\nv 13 0 10\nv 23 0 10\nv 23 0 0\nf 5 6 7 8\n";
/// A one-way link from the first floor to the second, and a pond in the first.
const LINKED: &str = "offmesh 9 0 5 14 0 5 0.6 0 5 8\nbox 2 4 -1 -1 6 1 11\n";
/// All cases pass with the link, and the second and third fail without it.
const SUITE: &str = "walkable_suite 1\nlevel floors.obj\nsettings linked.cfg\n\
    path Through the pond\nstart 2 0 5\nend 8 0 5\nexpect reachable\nlength 6 0.1\npass volume 1\npass area 2\n\
    path Over the \"gap\" & <back>\nstart 8 0 5\nend 15 0 5\nexpect reachable\nuse link 1000\n\
    path\nstart 8 0 5\nend 15 0 5\npass area 5\nmax_ms 10000\n\
    path Back\nstart 15 0 5\nend 8 0 5\nexpect not_reachable\n\
    ray To the wall\nstart 8 0 5\nend 15 0 5\nexpect partial\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in [
        ("floors.obj", FLOORS),
        ("linked.cfg", LINKED),
        ("plain.cfg", "tile_size=0\n"),
        ("all.suite", SUITE),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Returns the results as JSON, although cases fail.
#[track_caller]
fn results(run: &Run, code: i32) -> Value {
    assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
    run::json(&run.stdout)
}

fn passed(results: &Value) -> Vec<bool> {
    let cases = results["cases"].as_array().unwrap();
    cases.iter().map(|case| case["passed"].as_bool().unwrap()).collect()
}

#[test]
fn a_suite_that_names_its_level_runs_alone() {
    let folder = folder();
    let said = run_in(folder.path(), &["test", "all.suite"]).succeeded();
    assert!(said.contains("passed  Through the pond: complete, 6.00 m, cost 6.00, "), "{said}");
    assert!(said.contains("passed  Case 3: complete"), "{said}");
    assert!(said.ends_with("all.suite: 5 passed, 0 failed\n"), "{said}");
}

#[test]
fn failed_cases_have_reason_cause_and_exit_code() {
    let folder = folder();
    let args = ["test", "floors.obj", "all.suite", "--settings", "plain.cfg"];
    let run = run_in(folder.path(), &args);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for line in [
        "FAILED  Through the pond: complete, 6.00 m",
        "        there is no volume 1\n",
        "        the path does not pass area 2\n",
        "        the path is partial (nothing connects start and end); expected reachable\n",
        "        the path does not use off-mesh link 1000\n",
        "all.suite: 2 passed, 3 failed\n",
    ] {
        assert!(run.stdout.contains(line), "no {line:?} in {}", run.stdout);
    }
    assert!(
        run.stdout.contains("        why: ") && run.stdout.contains("[gap] at "),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("all.suite: 3 of 5 path tests failed"), "{}", run.stderr);

    let answer = results(&run_in(folder.path(), &[&args[..], &["--json"]].concat()), 1);
    assert_eq!(passed(&answer), [false, false, false, true, true]);
    assert_eq!((&answer["n_passed"], &answer["n_failed"]), (&json!(2), &json!(3)));
    assert_eq!((&answer["name"], &answer["suite"]), (&json!("floors.obj"), &json!("all.suite")));
    let over = &answer["cases"][1];
    assert_eq!((&over["status"], &over["why"]), (&json!("partial"), &json!("disconnected")));
    assert_eq!(over["cause"]["cause"], "gap", "{over}");
    assert_eq!(over["failures"][0]["expected"], "reachable");
    let without = [&args[..], &["--json", "--no-causes"]].concat();
    let answer = results(&run_in(folder.path(), &without), 1);
    assert_eq!(answer["cases"][1]["cause"], Value::Null);
}

#[test]
fn a_navmesh_is_tested_without_its_level() {
    let folder = folder();
    let bake = ["bake", "floors.obj", "--settings", "linked.cfg", "-o", "floors.bin"];
    run_in(folder.path(), &bake).succeeded();
    let answer = results(&run_in(folder.path(), &["test", "floors.bin", "all.suite", "--json"]), 1);
    assert_eq!(passed(&answer), [false, true, true, true, true], "a navmesh has no volumes");
    assert_eq!(answer["cases"][0]["failures"][0]["text"], "there is no volume 1");
    let set = ["test", "floors.bin", "all.suite", "--set", "agent_radius=0.3"];
    run_in(folder.path(), &set).failed(2, &["settings belong to a level"]);
}

#[test]
fn overrides_apply_to_the_bake() {
    let folder = folder();
    let args = ["test", "all.suite", "--set", "agent_radius=6", "--json"];
    let run = run_in(folder.path(), &args);
    run.failed(1, &["nothing is walkable"]);
    let answer = results(
        &run_in(folder.path(), &["test", "all.suite", "--set", "agent_radius=1.5", "--json"]),
        1,
    );
    assert!(!passed(&answer)[1], "the ends of the link are off the navmesh");
}

/// Returns a case of a project from one point to another, reachable.
fn project_case(name: &str, agent: Option<&str>, [x, to_x]: [f32; 2]) -> Value {
    let mut case = json!({
        "name": name, "start": [x, 0, 5], "end": [to_x, 0, 5], "expects": [{ "outcome": "reachable" }],
    });
    if let Some(agent) = agent {
        case["agent"] = agent.into();
    }
    case
}

fn write_project(folder: &Path, cases: &[Value]) {
    let agents = json!({ "list": [
        { "name": "Cat", "settings": { "agent_radius": 0.3 } },
        { "name": "Giant", "settings": { "agent_radius": 2.0 } },
        { "name": "Titan", "settings": { "agent_radius": 8.0 } },
    ]});
    let pond = json!({ "name": "The pond", "area": 2, "shape": { "box": { "min": [4, -1, -1], "max": [6, 1, 11] } } });
    let project = json!({
        "walkable_project": 4, "level": { "file": "floors.obj" },
        "document": {
            "settings": { "agent_radius": 0.3 }, "agents": agents, "volumes": [pond], "path_tests": cases,
        },
    });
    fs::write(folder.join("floors.walkable"), project.to_string()).unwrap();
}

#[test]
fn a_project_has_tests_names_and_agents_of_its_own() {
    let folder = folder();
    let mut named = project_case("Named", None, [2.0, 8.0]);
    let avoid = json!({ "volume": { "volume": { "name": "The pond" }, "rule": "must_not" } });
    named["expects"].as_array_mut().unwrap().push(avoid);
    write_project(
        folder.path(),
        &[
            project_case("Corner", Some("Cat"), [0.6, 3.0]),
            project_case("Corner", Some("Giant"), [0.6, 3.0]),
            project_case("Corner", Some("Ghost"), [0.6, 3.0]),
            named,
            project_case("Corner", None, [0.6, 3.0]),
            project_case("Corner", Some("Titan"), [0.6, 3.0]),
        ],
    );
    let answer = results(&run_in(folder.path(), &["test", "floors.walkable", "--json"]), 1);
    assert_eq!(passed(&answer), [true, false, false, false, true, false], "{answer}");
    let error = answer["cases"][5]["error"].as_str().unwrap();
    assert!(error.contains("nothing is walkable"), "{error}");
    let text = |case: usize| answer["cases"][case]["failures"][0]["text"].as_str().unwrap();
    assert!(text(1).starts_with("the path is partial (the nearest navmesh is 1."), "{}", text(1));
    assert!(text(3).starts_with("the path passes volume \"The pond\" at 4."), "{}", text(3));
    assert_eq!(
        answer["cases"][2]["error"],
        "there is no agent `Ghost`; there are: Cat, Giant, Titan"
    );
    assert_eq!(answer["suite"], Value::Null);

    let settings = ["test", "floors.walkable", "--settings", "plain.cfg"];
    run_in(folder.path(), &settings).failed(2, &["replaces the settings of the agents"]);
    // A suite given by name is run instead of the project's tests, with the project's volumes.
    let other =
        results(&run_in(folder.path(), &["test", "floors.walkable", "all.suite", "--json"]), 1);
    assert!(passed(&other)[0]);
}

#[test]
fn test_cases_of_recast_demo_run_on_the_level_that_they_name() {
    let folder = folder();
    let cases = "s Solo Mesh\nf floors.obj\npf 2 0 5 8 0 5 0xffff 0x0\npf 8 0 5 15 0 5 0x3 0\nrc 8 0 5 15 0 5 1 0\npi 1\n";
    fs::write(folder.path().join("demo.txt"), cases).unwrap();
    let run = run_in(folder.path(), &["test", "demo.txt"]);
    assert!(
        run.stderr.contains("demo.txt: ignored 1 row that is not a test case"),
        "{}",
        run.stderr
    );
    let said = run.succeeded();
    assert!(said.contains("passed  pf 1: complete, 6.00 m"), "{said}");
    assert!(
        said.contains("passed  pf 2: partial") && said.contains("passed  rc 3: partial"),
        "{said}"
    );
}

#[test]
fn wrong_usage_has_its_exit_code() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("empty.suite", "walkable_suite 1\nlevel floors.obj\n");
    write("nowhere.suite", "walkable_suite 1\npath\nstart 0 0 0\nend 1 1 1\n");
    write("bad.suite", "walkable_suite 1\npath\nstart 0 0 x\n");
    for (args, code, words) in [
        (&["test", "all.suite", "all.suite"][..], 2, "give the level first"),
        (&["test", "empty.suite"], 2, "empty.suite contains no cases"),
        (&["test", "floors.obj"], 2, "contains no path tests: give a suite"),
        (&["test", "nowhere.suite"], 2, "names no level"),
        (
            &["test", "floors.obj", "bad.suite"],
            1,
            "bad.suite: line 3: \"x\" is not a finite number",
        ),
        (&["test", "floors.obj", "floors.obj"], 1, "floors.obj: line 1: a suite file begins with"),
        (&["test", "floors.obj", "gone.suite"], 1, "gone.suite"),
        (&["test", "all.suite", "--junit", "all.suite"], 2, "--junit"),
        (&["test", "all.suite", "--junit", "floors.obj"], 2, "--junit"),
        (&["test", "all.suite", "--junit", "linked.cfg"], 2, "--junit"),
    ] {
        run_in(folder.path(), args).failed(code, &[words]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("all.suite")).unwrap(), SUITE);
}

/// Name and attributes of an XML element.
type Element = (String, Vec<(String, String)>);

/// Returns the elements of an XML document, and its text. Panics if it is not well formed.
fn elements(xml: &str) -> (Vec<Element>, String) {
    let (mut elements, mut texts) = (Vec::new(), String::new());
    for event in EventReader::from_str(xml) {
        match event.unwrap_or_else(|error| panic!("{error}: {xml}")) {
            XmlEvent::StartElement { name, attributes, .. } => {
                let attributes = attributes.into_iter().map(|one| (one.name.local_name, one.value));
                elements.push((name.local_name, attributes.collect()));
            }
            XmlEvent::Characters(text) => texts.push_str(&text),
            _ => {}
        }
    }
    (elements, texts)
}

#[test]
fn junit_is_valid_whatever_the_names() {
    let folder = folder();
    let odd = "a & <b> \"c\" 'd'\t\u{1}\u{ffff}\u{1f600} ]]> ü";
    let json_name = format!("{odd}\nnext");
    write_project(
        folder.path(),
        &[
            project_case(&json_name, None, [2.0, 8.0]),
            project_case(&json_name, None, [2.0, 15.0]),
            project_case(odd, Some("<Ghost>"), [2.0, 8.0]),
        ],
    );
    let args = ["test", "floors.walkable", "--junit", "out.xml"];
    assert_eq!(run_in(folder.path(), &args).code, 1);
    let xml = fs::read_to_string(folder.path().join("out.xml")).unwrap();
    let (elements, texts) = elements(&xml);
    let names: Vec<_> = elements.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        ["testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "error"]
    );
    let attribute = |element: usize, key: &str| {
        let found = elements[element].1.iter().find(|(name, _)| name == key);
        found.unwrap_or_else(|| panic!("no {key} in {xml}")).1.clone()
    };
    for suite in [0, 1] {
        let counts = ["tests", "failures", "errors"].map(|key| attribute(suite, key));
        assert_eq!(counts, ["3", "1", "1"]);
    }
    let expected = json_name.replace(['\u{1}', '\u{ffff}'], "\u{fffd}");
    assert_eq!(attribute(2, "name"), expected);
    assert_eq!(attribute(2, "classname"), "floors.walkable");
    assert!(attribute(4, "message").contains("expected reachable"), "{xml}");
    assert!(attribute(6, "message").contains("`<Ghost>`"), "{xml}");
    assert!(texts.contains("the path is partial"), "{texts}");
}
