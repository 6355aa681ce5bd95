//! `walkable shot`: pictures without a window.

use std::fs;

use tempfile::TempDir;

use crate::run::run_in;

/// Returns the width and height in the header of a PNG file.
fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "not a PNG file");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn shot_renders_without_a_window() {
    let folder = TempDir::new().unwrap();
    let mut pictures = Vec::new();
    let search = ["--search", "jump-points", "--search", "theta", "--step", "9"];
    for more in
        [&[][..], &["--stage", "regions"], &["--view", "top"], &["--light"], &search[..2], &search]
    {
        let args = ["shot", "builtin:sample", "-o", "shot.png", "--size", "320x200"];
        run_in(folder.path(), &[&args, more].concat()).succeeded();
        let picture = fs::read(folder.path().join("shot.png")).unwrap();
        assert_eq!(png_size(&picture), [320, 200]);
        pictures.push(picture);
    }
    let alike = pictures.iter().enumerate().any(|(i, one)| pictures[..i].contains(one));
    assert!(!alike, "two options gave the same picture");
}

#[test]
fn shot_draws_the_crowd_of_a_project_at_a_time() {
    let folder = TempDir::new().unwrap();
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    fs::write(folder.path().join("floor.obj"), floor).unwrap();
    let agents = r#"[{"at":[2.0,0.0,2.0],"target":[18.0,0.0,18.0]},{"at":[4.0,0.0,2.0]}]"#;
    let project = format!(
        r#"{{"walkable_project":5,"level":{{"file":"floor.obj"}},"document":{{"crowd":{agents}}}}}"#
    );
    fs::write(folder.path().join("a.walkable"), project).unwrap();
    let pictures = [&[][..], &["--crowd-time", "0"], &["--crowd-time", "4"]].map(|more| {
        let args = ["shot", "a.walkable", "-o", "shot.png", "--size", "320x200", "--view", "top"];
        run_in(folder.path(), &[&args, more].concat()).succeeded();
        fs::read(folder.path().join("shot.png")).unwrap()
    });
    let [none, start, later] = &pictures;
    assert!(none != start && start != later, "agents are missing or do not walk");
    // At the start, only the size of the second kind differs.
    let project = fs::read_to_string(folder.path().join("a.walkable")).unwrap();
    let settings = r#""settings":{"agent_radius":1.2}"#;
    let kinds = format!(
        r#""agents":{{"list":[{{"name":"A","settings":{{}}}},{{"name":"B",{settings}}}],"chosen":0}},"crowd""#
    );
    let kinds =
        project.replace(r#""crowd""#, &kinds).replace(r#"{"at":[4"#, r#"{"kind":"B","at":[4"#);
    fs::write(folder.path().join("a.walkable"), kinds).unwrap();
    let args = ["shot", "a.walkable", "-o", "shot.png", "--size", "320x200", "--view", "top"];
    run_in(folder.path(), &[&args[..], &["--crowd-time", "0"]].concat()).succeeded();
    let other = fs::read(folder.path().join("shot.png")).unwrap();
    assert!(other != *start, "the second agent is not larger");
}

#[test]
fn shot_reports_what_it_cannot_render() {
    let folder = TempDir::new().unwrap();
    let shot = |more: &[&str]| {
        run_in(folder.path(), &[&["shot", "builtin:sample", "-o", "shot.png"], more].concat())
    };
    shot(&["--view", "gate"]).failed(1, &["there is no view \"gate\"", "has no views"]);
    shot(&["--tile", "99,0", "--stage", "spans"]).failed(1, &["there is no tile"]);
    shot(&["--stage", "sponge"]).failed(2, &["raw-contours"]);
    shot(&["--color-by", "sponge"]).failed(2, &["surface-distance"]);
    shot(&["--search", "sponge"]).failed(2, &["jump-points"]);
    shot(&["--size", "0x9"]).failed(2, &["1920x1080"]);
    shot(&["--crowd-time", "601"]).failed(2, &["from 0 to 600"]);
    shot(&["--crowd-time", "5"]).failed(1, &["there are no agents"]);
    run_in(folder.path(), &["shot", "no.obj", "-o", "shot.png"]).failed(1, &["no.obj"]);
    assert!(!folder.path().join("shot.png").exists(), "a failure left a file");
}
