//! A first sitting: the tour, a path, a setting, an export, objects, undo, and a crash.

use std::{fs, path::Path, process::Command};

use crate::display::{Display, Editor, act_until, end, wait_for};

const SIZE: [usize; 2] = [1400, 900];
/// The dark theme's color of the end flag: red, green, blue.
const FLAG: [u8; 3] = [0xff, 0x80, 0x78];
/// Positions of the clicks, in pixels of the screen: open ground, and the number of the radius.
const GROUND: [usize; 2] = [735, 410];
const RADIUS: [usize; 2] = [214, 560];

#[test]
fn a_first_sitting_with_mouse_and_keys() {
    let folder = tempfile::tempdir().unwrap();
    let display = Display::start(folder.path(), SIZE);
    let editor = Editor::start(&display, folder.path());
    let n_polygons = wait_for("the first bake", || editor.n_polygons());

    // Escape closes the tour of the first start.
    display.xdotool("key Escape sleep 0.2");

    // The path tool puts the end of the path at the clicked point.
    assert_eq!(display.count(FLAG, GROUND, 30), 0, "nothing stands here yet");
    let place_end = || {
        display.xdotool("key Escape key 2");
        display.click(GROUND);
    };
    let flag = || (display.count(FLAG, GROUND, 30) > 20).then_some(());
    act_until("the end flag", place_end, flag);

    // A wider agent, typed into the settings, fits in fewer places.
    let widen = || {
        display.click(RADIUS);
        display.xdotool("sleep 0.3 key ctrl+a sleep 0.2 type 1.2");
        display.xdotool("key Return");
    };
    let fewer = || editor.n_polygons().filter(|n| *n < n_polygons);
    act_until("fewer polygons", widen, fewer);

    // Tiles on disk, read back by the command line. Without a desktop the path is typed.
    let tiles = folder.path().join("sample.bin");
    let export = || {
        display.xdotool("key Escape sleep 0.2 key ctrl+e sleep 1.5 key ctrl+a");
        display.xdotool(&format!("type {}", tiles.display()));
        display.xdotool("key Return");
    };
    act_until("the exported file", export, || tiles.exists().then_some(()));
    let info = Command::new(env!("CARGO_BIN_EXE_walkable")).arg("info").arg(&tiles).output();
    let info = info.unwrap();
    assert!(info.status.success(), "{}", String::from_utf8_lossy(&info.stderr));

    let project = folder.path().join("course.walkable");
    author_save_and_undo(&display, &project);
    lose_and_find(&display, editor, folder.path(), &project);
}

/// Places items, saves them, and undoes everything.
fn author_save_and_undo(display: &Display, project: &Path) {
    let save_as = || {
        display.xdotool("key Escape sleep 0.2 key ctrl+shift+s sleep 1.5 key ctrl+a");
        display.xdotool(&format!("type {}", project.display()));
        display.xdotool("key Return");
    };
    act_until("the project file", save_as, || project.exists().then_some(()));
    let before = read_project(project);
    assert_eq!(radius_in_cm(&before), Some(120.0));

    // A volume of five clicks, moved by its center, and a link of two clicks: all of it is in the file.
    let place_and_save = || {
        place_volume_and_link(display);
        display.xdotool("key ctrl+s");
    };
    let lists = ["volumes", "off_mesh"];
    let has_more = |document: &serde_json::Value| {
        lists.iter().all(|list| count(document, list) > count(&before, list))
    };
    let authored = || Some(read_project(project)).filter(has_more);
    act_until("a volume and a link in the project", place_and_save, authored);

    place_agent(display, project);

    // Undone, everything is as it was when it was opened; the file follows when it is saved again.
    let undo_and_save = || {
        display.xdotool("key --repeat 12 --repeat-delay 150 ctrl+z");
        display.xdotool("key ctrl+s");
    };
    let is_as_opened = |document: &serde_json::Value| {
        let lists = lists.iter().chain(&["crowd"]);
        lists.into_iter().all(|list| count(document, list) == count(&before, list))
            && radius_in_cm(document) != radius_in_cm(&before)
    };
    let opened = || Some(read_project(project)).filter(is_as_opened);
    act_until("the project as it was opened", undo_and_save, opened);
}

fn place_volume_and_link(display: &Display) {
    let [x, y] = GROUND;
    let corners = [[x, y], [x + 80, y], [x + 80, y + 60], [x, y + 60], [x, y]];
    // Escape three times, to cancel what an earlier attempt left unfinished.
    display.xdotool("key --repeat 3 --repeat-delay 150 Escape sleep 0.2 key 3");
    for corner in corners {
        display.click(corner);
    }
    display.drag([x + 40, y + 30], [x + 60, y + 40]);
    display.xdotool("key 4");
    for end in [[x, y + 120], [x + 120, y + 140]] {
        display.click(end);
    }
}

/// Places an agent of the crowd with one click and its target with another, and saves both.
fn place_agent(display: &Display, project: &Path) {
    let ([x, y], [to_x, to_y]) = (GROUND, [GROUND[0] + 90, GROUND[1] + 50]);
    let agents = || -> Vec<serde_json::Value> {
        read_project(project)["crowd"].as_array().cloned().unwrap_or_default()
    };
    // One click at a time: if the first of two is lost, the second places another agent.
    let place_and_save = || {
        // Escape three times, so that the tool chooses no agent. A click on one from an earlier attempt chooses it
        // again.
        display.xdotool("key --repeat 3 --repeat-delay 150 Escape sleep 0.2 key k");
        display.click([x, y]);
        display.xdotool("key ctrl+s");
    };
    let placed = || Some(agents()).filter(|agents| !agents.is_empty());
    act_until("an agent in the project", place_and_save, placed);
    let send_and_save = || {
        display.click([to_x, to_y]);
        display.xdotool("key ctrl+s");
    };
    let sent = || Some(agents()).filter(|agents| agents[0]["target"].is_array());
    let agents = act_until("a target of the agent in the project", send_and_save, sent);
    assert_eq!(agents.len(), 1, "one agent was placed: {agents:?}");
    let agent = &agents[0];
    let place = |of: &str| {
        let place = agent[of].as_array().expect("a position");
        let place: Vec<f64> = place.iter().filter_map(serde_json::Value::as_f64).collect();
        <[f64; 3]>::try_from(place).unwrap()
    };
    let [at, target] = ["at", "target"].map(place);
    let distance = (target[0] - at[0]).hypot(target[2] - at[2]);
    assert!((1.0..30.0).contains(&distance), "{at:?} {target:?}");
}

fn radius_in_cm(document: &serde_json::Value) -> Option<f64> {
    document["settings"]["agent_radius"].as_f64().map(|radius| (radius * 100.0).round())
}

/// Kills the program with unsaved work: the next start finds it.
fn lose_and_find(display: &Display, mut editor: Editor<'_>, home: &Path, project: &Path) {
    let unsaved = home.join("walkable/unsaved");
    let redo = || drop(display.xdotool("key ctrl+shift+z"));
    let kept = || unsaved.join("running-0.walkable").exists().then_some(());
    act_until("unsaved work on disk", redo, kept);
    end(&mut editor.process);
    let mut editor = Editor::start_with(display, home, &[project.as_os_str()]);
    wait_for("the work found again", || {
        unsaved.join("recovered-1.walkable").exists().then_some(())
    });
    wait_for("the project", || editor.n_polygons());
    assert!(editor.quit().success());
}

/// Returns the document in a project file.
fn read_project(path: &Path) -> serde_json::Value {
    let text = fs::read_to_string(path).unwrap();
    let project: serde_json::Value = serde_json::from_str(&text).unwrap();
    project["document"].clone()
}

fn count(document: &serde_json::Value, list: &str) -> usize {
    document[list].as_array().map_or(0, Vec::len)
}
