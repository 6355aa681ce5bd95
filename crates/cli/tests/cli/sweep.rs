//! `walkable sweep`.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::run_in;

const SWEEP: [&str; 6] =
    ["sweep", "builtin:sample", "--vary", "cell_size=0.2..0.4/2", "--vary", "agent_radius=0.4,0.8"];

fn sweep(folder: &Path, more: &[&str]) -> String {
    run_in(folder, &[&SWEEP[..], more].concat()).succeeded()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn each_combination_is_a_row() {
    let folder = TempDir::new().unwrap();
    let answer = json(&sweep(folder.path(), &["--json"]));
    assert_eq!(answer["varied"], serde_json::json!(["cell_size", "agent_radius"]));
    let rows = answer["rows"].as_array().unwrap();
    let values: Vec<_> = rows.iter().map(|row| row["values"].clone()).collect();
    let expected = [["0.2", "0.4"], ["0.2", "0.8"], ["0.4", "0.4"], ["0.4", "0.8"]];
    assert_eq!(values, expected.map(|values| serde_json::json!(values)));
    let measured = |row: usize, key: &str| rows[row]["outcome"]["measured"][key].as_f64().unwrap();
    assert!(measured(1, "ground_m2") < measured(0, "ground_m2"));
    // The measures are those of the bake.
    let bake = ["bake", "builtin:sample", "-o", "a.bin", "--set", "cell_size=0.4"];
    let baked = run_in(folder.path(), &[&bake[..], &["--set", "agent_radius=0.4"]].concat());
    let (polygons, bytes) = (measured(2, "polygons"), measured(2, "bytes"));
    let said = baked.succeeded();
    assert!(said.contains(&format!(" {polygons} polygons in 1 tiles, {bytes} bytes")), "{said}");
}

#[test]
fn combinations_that_fail_are_rows() {
    let folder = TempDir::new().unwrap();
    let vary = ["sweep", "builtin:sample", "--vary", "cell_size=0.01,0.3", "--max-memory", "50MB"];
    let said = run_in(folder.path(), &vary).succeeded();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[1].contains("0.01") && lines[1].contains("failed: "), "{said}");
    assert!(lines[1].contains("raise --max-memory") && !lines[2].contains("failed"), "{said}");
}

#[test]
fn an_interrupted_sweep_is_continued() {
    let folder = TempDir::new().unwrap();
    sweep(folder.path(), &["--csv", "all.csv"]);
    let all = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(all.lines().count(), 5, "{all}");
    // A result that no bake has shows that the row is taken from the file.
    let mut lines: Vec<String> = all.lines().take(3).map(str::to_owned).collect();
    let mut fields: Vec<&str> = lines[2].split(',').collect();
    fields[2] = "12345";
    lines[2] = fields.join(",");
    fs::write(folder.path().join("part.csv"), lines.join("\n")).unwrap();
    sweep(folder.path(), &["--resume", "part.csv"]);
    let part = fs::read_to_string(folder.path().join("part.csv")).unwrap();
    let grounds: Vec<_> = part.lines().map(|line| line.split(',').nth(2).unwrap()).collect();
    let original: Vec<_> = all.lines().map(|line| line.split(',').nth(2).unwrap()).collect();
    assert_eq!(grounds, [original[0], original[1], "12345", original[3], original[4]]);
    // The rows of another sweep are not replaced.
    let other = ["--resume", "part.csv", "--set", "agent_height=1.8"];
    run_in(folder.path(), &[&SWEEP[..], &other].concat())
        .failed(1, &["part.csv: 4 rows are of another level", "--csv"]);
    assert_eq!(fs::read_to_string(folder.path().join("part.csv")).unwrap(), part);
    fs::write(folder.path().join("wrong.csv"), "a,b\n1,2\n").unwrap();
    let wrong = [&SWEEP[..], &["--resume", "wrong.csv"]].concat();
    run_in(folder.path(), &wrong).failed(1, &["wrong.csv", "line 1: there is no column"]);
}

#[test]
fn the_best_rows_are_marked() {
    let folder = TempDir::new().unwrap();
    let best = ["--best", "max:ground_m2", "--best", "min:bytes"];
    let answer = json(&sweep(folder.path(), &[&best[..], &["--json"]].concat()));
    let rows = answer["rows"].as_array().unwrap();
    let measured = |row: &Value| {
        let result = &row["outcome"]["measured"];
        [result["ground_m2"].as_f64().unwrap(), -result["bytes"].as_f64().unwrap()]
    };
    for row in rows {
        let own = measured(row);
        let is_beaten = rows.iter().map(measured).any(|other| {
            other[0] >= own[0] && other[1] >= own[1] && other.iter().sum::<f64>() > own.iter().sum()
        });
        assert_eq!(row["is_best"], !is_beaten, "{row}");
    }
    let n_best = rows.iter().filter(|row| row["is_best"] == true).count();
    let said = sweep(folder.path(), &best);
    assert_eq!(said.lines().filter(|line| line.starts_with("* ")).count(), n_best, "{said}");
}

#[test]
fn a_latin_hypercube_has_the_requested_number_of_rows() {
    let folder = TempDir::new().unwrap();
    let latin = ["--vary", "agent_radius=0.3..0.9", "--latin", "5", "--json", "--seed"];
    let rows = |seed| {
        let args = [&["sweep", "builtin:sample"], &latin[..], &[seed]].concat();
        let answer = json(&run_in(folder.path(), &args).succeeded());
        let rows = answer["rows"].as_array().unwrap().clone();
        rows.iter().map(|row| row["values"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(rows("1").len(), 5);
    assert_eq!(rows("1"), rows("1"));
    assert_ne!(rows("1"), rows("2"));
}

#[test]
fn wrong_usage_is_refused() {
    let folder = TempDir::new().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["--vary", "size=1,2"], "there is no setting `size`"),
        (&["--vary", "cell_size=0.1..0.4"], "needs a number of values"),
        (&["--vary", "cell_size=0.1,0.2", "--vary", "cell_size=0.3"], "varied twice"),
        (&["--vary", "cell_size=0.1,9999"], "must be between"),
        (&["--vary", "cell_size=0.3", "--best", "min:size"], "ground_m2"),
        (&[], "--vary"),
    ];
    for (args, expected) in cases {
        let run = run_in(folder.path(), &[&["sweep", "builtin:sample"], args].concat());
        run.failed(2, &[expected]);
    }
    fs::write(folder.path().join("a.obj"), "v 0 0 0\n").unwrap();
    let over = ["sweep", "a.obj", "--vary", "cell_size=0.3", "--csv", "a.obj"];
    run_in(folder.path(), &over).failed(2, &["a.obj", "--csv"]);
}
