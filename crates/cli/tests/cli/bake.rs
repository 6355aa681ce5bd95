//! What `walkable bake` writes can be loaded, or it says why nothing was written and what helps.

use std::{fmt::Write as _, fs, path::Path};

use glam::Vec3;
use tempfile::TempDir;
use walkable::{
    monitor::Unmonitored,
    query::{Filter, PathRequest, Scratch, find_path},
    tile_cache::TileCache,
};

use crate::run::{Run, json, run_in};

/// Returns flat ground of `width` by `depth` meters with walls across its corner, a meter and a half apart and `length`
/// meters wide: stairs of cells on both sides of each, and many polygons between them.
fn ground_with_walls([width, depth]: [u32; 2], n_walls: u32, length: f64) -> String {
    let mut obj =
        format!("v 0 0 0\nv 0 0 {depth}\nv {width} 0 {depth}\nv {width} 0 0\nf 1 2 3\nf 1 3 4\n");
    for wall in 0..n_walls {
        let (x, z) = (f64::from(wall) * 1.5 + 1.1, 1.1);
        let (x_end, z_end) = (x + length, z + length * 1.9);
        for y in [0, 3] {
            writeln!(obj, "v {x} {y} {z}\nv {x_end} {y} {z_end}").unwrap();
        }
        let [a, b, c, d] = [5, 6, 7, 8].map(|corner| corner + 4 * wall);
        writeln!(obj, "f {a} {b} {d}\nf {a} {d} {c}").unwrap();
    }
    obj
}

/// Settings with which each post counts, and each cell of the voxel grid is half a meter.
const COARSE: &str =
    "cell_size=0.5\ncell_height=0.5\nagent_radius=0\nregion_min_size=0\nedge_max_error=0.1\n";

/// Returns a folder with the level `level.obj` and the settings `level.cfg`.
fn folder_with(obj: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("level.obj"), obj).unwrap();
    fs::write(folder.path().join("level.cfg"), COARSE).unwrap();
    folder
}

fn bake(folder: &Path, more: &[&str]) -> Run {
    let bake = ["bake", "level.obj", "--settings", "level.cfg", "-o", "out.bin"];
    run_in(folder, &[&bake[..], more].concat())
}

/// Returns the maximum number of tiles and of polygons per tile of a file of layers.
fn room(folder: &Path) -> [u32; 2] {
    let bytes = fs::read(folder.join("out.bin")).unwrap();
    [32, 36].map(|at| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn more_layers_than_recast_demo_expects_can_be_loaded() {
    let folder = folder_with(&ground_with_walls([400, 640], 0, 0.0));
    bake(folder.path(), &["--set", "tile_size=8", "--layers"]).succeeded();
    let info = json(&run_in(folder.path(), &["info", "out.bin", "--json"]).succeeded());
    assert_eq!((&info["n_layers"], &info["n_polys"]), (&16_000.into(), &16_000.into()));
    assert_eq!(room(folder.path()), [1 << 14, 1 << 8], "as RecastDemo has it");

    let folder = folder_with(&ground_with_walls([400, 664], 0, 0.0));
    bake(folder.path(), &["--set", "tile_size=8", "--layers"]).succeeded();
    let info = json(&run_in(folder.path(), &["info", "out.bin", "--json"]).succeeded());
    assert_eq!((&info["n_layers"], &info["n_polys"]), (&16_600.into(), &16_600.into()));
    assert_eq!(room(folder.path()), [1 << 15, 1 << 7]);
}

#[test]
fn layers_of_many_polygons_take_the_room_of_layers_that_do_not_exist() {
    let folder = folder_with(&ground_with_walls([33 * 32, 32 * 32], 12, 14.0));
    let tiled = ["--set", "tile_size=64", "--layers"];
    let said = bake(folder.path(), &[&tiled[..], &["--set", "refs=64"]].concat());
    assert!(said.stderr.contains("refs=64 is not used"), "{}", said.stderr);
    said.succeeded();
    let info = json(&run_in(folder.path(), &["info", "out.bin", "--json"]).succeeded());
    assert_eq!(info["n_layers"], 33 * 32);
    assert!(info["n_polys"].as_u64() > Some(33 * 32 + 512), "{info}");
    assert_eq!(room(folder.path()), [1 << 12, 1 << 10]);
}

#[test]
fn layers_that_exceed_the_reference_bits_are_not_written() {
    let folder = folder_with(&ground_with_walls([65 * 28, 64 * 28], 10, 13.0));
    let path = folder.path();
    let run = bake(path, &["--set", "tile_size=56", "--layers"]);
    let words = ["4160 layers take 13 bits", " of tile 0,0 layer 0 take 10", "larger tile_size"];
    run.failed(1, &words);
    assert!(!path.join("out.bin").exists());
    // The remedy in the message works.
    bake(path, &["--set", "tile_size=112", "--layers"]).succeeded();
    run_in(path, &["info", "out.bin"]).succeeded();
}

/// Wide references are reported, and `refs=32` refuses them.
#[test]
fn wide_references_are_reported_and_can_be_refused() {
    let folder = folder_with(&ground_with_walls([400, 664], 0, 0.0));
    let folder = folder.path();
    let why = "16600 tiles are more than the 16384 that 32 bits have room for";
    let with = |refs| ["--set", "tile_size=8", "--set", refs, "--report", "out.json"];
    let of_file = || json(&run_in(folder, &["info", "out.bin", "--json"]).succeeded());
    let of_report = || json(&fs::read_to_string(folder.join("out.json")).unwrap());

    let said = bake(folder, &with("refs=auto"));
    assert!(said.stderr.contains("warning: level.obj: references have 64 bits"), "{}", said.stderr);
    assert!(said.stderr.contains(why) && said.stderr.contains("refs=32"), "{}", said.stderr);
    said.succeeded();
    assert_eq!(
        (&of_file()["ref_bits"], &of_report()["output"]["reference_bits"]),
        (&64.into(), &64.into())
    );
    let words = run_in(folder, &["info", "out.bin"]).succeeded();
    assert!(words.contains("refs      64 bits, for Detour built with DT_POLYREF64"), "{words}");

    // Nothing is reported if they were requested.
    let said = bake(folder, &with("refs=64"));
    assert!(!said.stderr.contains("64 bits"), "{}", said.stderr);
    said.succeeded();

    fs::remove_file(folder.join("out.bin")).unwrap();
    bake(folder, &with("refs=32"))
        .failed(1, &["level.obj: ", "more than the", "refs=64", "larger"]);
    assert!(!folder.join("out.bin").exists());
    let said = bake(folder, &["--set", "tile_size=16", "--set", "refs=32", "--report", "out.json"]);
    assert!(!said.stderr.contains("64 bits"), "{}", said.stderr);
    said.succeeded();
    assert_eq!(
        (&of_file()["ref_bits"], &of_report()["output"]["reference_bits"]),
        (&32.into(), &32.into())
    );
    let words = run_in(folder, &["info", "out.bin"]).succeeded();
    assert!(words.contains("refs      32 bits\n"), "{words}");
}

/// References are those of a game that loads the layers, not those of the program that baked them.
#[test]
fn paths_on_layers_have_the_references_of_a_game() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), args);
    let layers = ["--layers", "--set", "tile_size=32"];
    run(&[&["bake", "builtin:sample", "-o", "out.tset"][..], &layers].concat()).succeeded();
    let ask = ["path", "out.tset", "--from", "5.5,0,18.5", "--to", "20,3,4", "--json"];
    let answer = json(&run(&ask).succeeded());
    let corridor: Vec<u64> =
        answer["corridor"].as_array().unwrap().iter().map(|name| name.as_u64().unwrap()).collect();
    let file = fs::read(folder.path().join("out.tset")).unwrap();
    let mesh = TileCache::from_bytes(&file).unwrap().loaded_nav_mesh(&Unmonitored).unwrap();
    let (filter, ends) =
        (Filter::default(), [Vec3::new(5.5, 0.0, 18.5), Vec3::new(20.0, 3.0, 4.0)]);
    let request = PathRequest::new(ends[0], ends[1], &filter);
    let path = find_path(&mesh, &request, &mut Scratch::default()).unwrap();
    let expected: Vec<_> = path.corridor.iter().map(|name| name.0.get()).collect();
    assert!(expected.len() > 3);
    assert_eq!(corridor, expected);
}

/// Returns `n` by `n` islands of half a meter, and one of four meters, on cells of half a meter.
fn islands(n: u32) -> String {
    let mut obj = String::new();
    let squares = (0..n).flat_map(|x| (0..n).map(move |z| (x, z, 0.5)));
    for (index, (x, z, side)) in squares.chain([(n + 2, n + 2, 4.0)]).enumerate() {
        let [x, z] = [x, z].map(f64::from);
        let [far, back] = [x + side, z + side];
        writeln!(obj, "v {x} 0 {z}\nv {x} 0 {back}\nv {far} 0 {back}\nv {far} 0 {z}").unwrap();
        let [a, b, c, d] = [1, 2, 3, 4].map(|corner| 4 * index + corner);
        writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
    }
    obj
}

#[test]
fn failed_tiles_are_not_called_unwalkable_and_what_removed_the_ground_is_named() {
    let folder = folder_with(&islands(200));
    let plain = ["--set", "partition=monotone", "--set", "filter_ledge_spans=0"];
    let run = bake(folder.path(), &plain);
    assert!(!run.stderr.contains("walkable"), "{}", run.stderr);
    run.failed(1, &["the number of regions is 4", "region_min_size", "1 of 1 tiles failed"]);

    // Many pieces exceed no limit if only a few are kept.
    let said = bake(folder.path(), &[&plain[..], &["--set", "region_min_size=3"]].concat());
    assert!(said.succeeded().contains("out.bin: 1 polygons in 1 tiles"));
    fs::remove_file(folder.path().join("out.bin")).unwrap();

    for (more, words) in [
        (
            &["--set", "region_min_size=100"][..],
            ["the minimum region size removed ", "region_min_size"],
        ),
        (
            &["--set", "agent_radius=9"],
            ["erosion by agent_radius removed ", "a smaller agent_radius"],
        ),
        (
            &["--layers", "--set", "tile_size=255", "--set", "agent_radius=9"],
            ["erosion by", "removed "],
        ),
    ] {
        let run = bake(folder.path(), &[&plain[..], more, &["--report", "out.json"]].concat());
        let words =
            [&["level.obj", "nothing is walkable: of ", "walkable spans"][..], &words].concat();
        assert!(!folder.path().join("out.bin").exists());
        let report = json(&fs::read_to_string(folder.path().join("out.json")).unwrap());
        let found = report["warnings"].as_array().unwrap().last().unwrap();
        assert_eq!(
            (&found["code"], &found["severity"]),
            (&"nothing-walkable".into(), &"error".into())
        );
        assert!(run.stderr.contains(found["text"].as_str().unwrap()), "{found}");
        run.failed(1, &words);
    }
}

#[test]
fn a_report_can_be_a_table_of_tiles() {
    let folder = TempDir::new().unwrap();
    let bake = ["bake", "builtin:sample", "-o", "a.bin", "--set", "tile_size=48", "--report"];
    for report in ["a.json", "a.csv"] {
        run_in(folder.path(), &[&bake[..], &[report]].concat()).succeeded();
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (json, table) = (json(&read("a.json")), read("a.csv"));
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let (header, rows) = rows.split_first().unwrap();
    let tiles = json["tiles"].as_array().unwrap();
    assert_eq!(rows.len(), tiles.len());
    for (row, tile) in rows.iter().zip(tiles) {
        assert_eq!(row.len(), header.len());
        let number = |name: &str| -> u64 {
            row[header.iter().position(|column| *column == name).unwrap()].parse().unwrap()
        };
        assert_eq!(
            (number("column"), number("row")),
            (tile["tile"]["x"].as_u64().unwrap(), tile["tile"]["z"].as_u64().unwrap())
        );
        for stage in ["spans", "regions", "polygons", "contours_raw"] {
            assert_eq!(Some(number(stage)), tile["counts"][stage].as_u64(), "{stage}");
        }
    }
}

#[test]
fn settings_beside_a_level_are_those_of_its_bake() {
    let folder = folder_with(&ground_with_walls([20, 20], 0, 0.0));
    let run = |more: &[&str]| {
        let bake = ["bake", "level.obj", "-o", "out.bin", "--report", "out.json"];
        let run = run_in(folder.path(), &[&bake[..], more].concat());
        let report = fs::read_to_string(folder.path().join("out.json")).unwrap();
        let radius = json(&report)["settings"]["agent_radius"].as_f64().unwrap();
        (run, radius)
    };
    let (beside, radius) = run(&[]);
    assert_eq!((beside.code, radius), (0, 0.0), "{}", beside.stderr);
    assert!(beside.stderr.contains("settings of level.cfg, beside the level"), "{}", beside.stderr);
    let (changed, radius) = run(&["--set", "agent_radius=1"]);
    assert_eq!((changed.code, radius), (0, 1.0), "{}", changed.stderr);
    fs::write(folder.path().join("other.cfg"), "agent_radius=2\n").unwrap();
    let (other, radius) = run(&["--settings", "other.cfg"]);
    assert_eq!((other.code, radius), (0, 2.0), "{}", other.stderr);
    assert!(!other.stderr.contains("beside"), "{}", other.stderr);
    fs::write(folder.path().join("level.cfg"), "agent_radius=wide\n").unwrap();
    run_in(folder.path(), &["bake", "level.obj", "-o", "out.bin"])
        .failed(1, &["level.cfg", "line 1", "--settings"]);
    run_in(folder.path(), &["info", "level.obj"]).succeeded();
}
