//! Malicious files designed to use up memory or time: the program must end with a message, within 10 seconds of CPU
//! time and 1 GB of address space. Each file is small and is created here.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use walkable::{glam::Vec3, navmesh::NavMesh};
#[cfg(feature = "window")]
use walkable_test_support::glb::F32;
use walkable_test_support::{
    glb::Glb,
    piles::{PileTile, navmesh, pile},
};

/// Address space in KiB, for `ulimit -v`.
const MEMORY: u32 = 1_000_000;
/// CPU time. Wall time would depend on what else runs on the machine.
const SECONDS: u32 = 10;

/// The expected result of a command.
#[derive(Clone, Copy, Debug)]
enum ExpectedEnd<'a> {
    /// It succeeds.
    Done,
    /// It fails with an error that contains this text.
    Refused(&'a str),
    /// It succeeds or fails, and prints a message either way.
    Somehow,
}

/// Runs `walkable` in `folder` with the limits. Returns what it printed on the standard error.
#[track_caller]
fn check(folder: &Path, args: &[&str], ends: ExpectedEnd<'_>) -> String {
    check_within(&format!("ulimit -v {MEMORY}; ulimit -t {SECONDS}"), folder, args, ends)
}

/// Runs `walkable` in `folder` after these commands of the shell, which limit it. Returns what it printed on the standard
/// error.
#[track_caller]
fn check_within(limits: &str, folder: &Path, args: &[&str], ends: ExpectedEnd<'_>) -> String {
    let limits = format!("ulimit -c 0; {limits}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limits, env!("CARGO_BIN_EXE_walkable")])
        .args(args)
        .current_dir(folder)
        // Each thread reserves address space.
        .env("RAYON_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let (start, end) = (said.chars().take(300).collect::<String>(), said.lines().last());
    let said_at = format!("{args:?}: {:?}\n{start}\n…\n{end:?}", output.status);
    let code = output.status.code();
    match ends {
        ExpectedEnd::Done => assert_eq!(code, Some(0), "{said_at}"),
        ExpectedEnd::Refused(why) => {
            assert_eq!(code, Some(1), "{said_at}");
            assert!(said.contains(why), "{said_at}");
        }
        ExpectedEnd::Somehow => {
            assert!(matches!(code, Some(0 | 1)), "{said_at}");
            assert!(said.len() + output.stdout.len() > 0, "{said_at}");
        }
    }
    // The message must be short, and not repeat the file.
    assert!(said.len() < 100_000, "{} bytes: {said_at}", said.len());
    said.into_owned()
}

/// Writes a file, and runs `walkable info` on it.
#[track_caller]
fn check_info(name: &str, content: impl AsRef<[u8]>, ends: ExpectedEnd<'_>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    check(folder.path(), &["info", name], ends);
}

/// Writes a horizontal right-angled triangle with legs of `side` meters, and bakes it.
#[track_caller]
fn check_bake(side: f32, settings: &[&str], ends: ExpectedEnd<'_>) {
    let folder = tempfile::tempdir().unwrap();
    let obj = format!("v 0 0 0\nv 0 0 {side}\nv {side} 0 0\nf 1 2 3\n");
    fs::write(folder.path().join("level.obj"), obj).unwrap();
    let mut args = vec!["bake", "level.obj", "-o", "out.bin", "--threads", "2"];
    args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    check(folder.path(), &args, ends);
}

const TRIANGLE: &str = "v 0 0 0\nv 0 0 9\nv 9 0 0\n";

#[test]
fn bakes_over_the_limit_are_rejected_with_a_remedy() {
    let too_much = ExpectedEnd::Refused("more than the limit of");
    check_bake(3474.0, &[], ExpectedEnd::Refused("set tile_size=64"));
    check_bake(8000.0, &["tile_size=1", "cell_size=0.5"], ExpectedEnd::Refused("set tile_size=64"));
    check_bake(8000.0, &["tile_size=1"], too_much);
    check_bake(5000.0, &["tile_size=2"], too_much);
    check_bake(60_000.0, &["tile_size=60000"], too_much);
    check_bake(20.0, &["cell_size=0.001"], too_much);
    check_bake(1e30, &[], too_much);
    check_bake(3e38, &["tile_size=32"], too_much);
    check_bake(20.0, &["tile_size=16"], ExpectedEnd::Done);
}

#[test]
fn the_limit_can_be_raised() {
    let folder = tempfile::tempdir().unwrap();
    let obj = format!("{TRIANGLE}f 1 2 3\n");
    fs::write(folder.path().join("level.obj"), obj).unwrap();
    let bake = |limit: &str, ends| {
        let limit = format!("--max-memory={limit}");
        check(folder.path(), &["bake", "level.obj", "-o", "out.bin", &limit], ends);
    };
    bake("1kB", ExpectedEnd::Refused("or raise --max-memory"));
    bake("100MB", ExpectedEnd::Done);
}

#[test]
fn boxes_shrink_a_bake_without_tiles() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("level.obj"), "v 0 0 0\nv 0 0 3400\nv 3400 0 0\nf 1 2 3\n")
        .unwrap();
    fs::write(folder.path().join("box.cfg"), "bound 100 -1 100 112 1 131\n").unwrap();
    let args = ["bake", "level.obj", "-o", "out.bin", "--settings", "box.cfg"];
    check(folder.path(), &args, ExpectedEnd::Done);
    let kept = [&args[..], &["--set", "keep_grid=1"]].concat();
    check(folder.path(), &kept, ExpectedEnd::Refused("more than the limit of"));
}

#[test]
fn reading_counts_towards_the_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let check = |args: &[&str], ends| check(folder.path(), args, ends);
    let refused = |needed: &str, limit: &str| {
        format!(
            "reading it takes an estimated {needed} MB of memory, more than the limit of {limit} MB"
        )
    };
    // A file of a tenth of the address space of the process, whose contents do not fit in it.
    let polygon = format!("{TRIANGLE}f{}\n", " 1 2 3".repeat(17_000_000));
    fs::write(folder.path().join("level.obj"), polygon).unwrap();
    let process = refused("613", "568");
    check(&["info", "level.obj"], ExpectedEnd::Refused(&process));
    check(&["bake", "level.obj", "-o", "out.bin"], ExpectedEnd::Refused(&process));
    let bake = |name, limit| ["bake", name, "-o", "out.bin", "--max-memory", limit];
    let given = refused("613", "300");
    check(&bake("level.obj", "300MB"), ExpectedEnd::Refused(&given));
    // Small enough, but with many triangles for its size.
    let polygon = format!("{TRIANGLE}f{}\n", " 1 2 3".repeat(3_000_000));
    fs::write(folder.path().join("level.obj"), polygon).unwrap();
    check(&bake("level.obj", "200MB"), ExpectedEnd::Refused("take more than 181999974 bytes"));
    // The files that a level refers to count, too.
    let mut file = one_mesh();
    file.json["nodes"] = json!([{ "mesh": 0 }]);
    show_all(&mut file, 1);
    file.json["buffers"][0]["uri"] = "level.bin".into();
    file.json["buffers"][0]["byteLength"] = 60_000_000.into();
    file.bin.resize(60_000_000, 0);
    fs::write(folder.path().join("level.bin"), &file.bin).unwrap();
    fs::write(folder.path().join("level.gltf"), file.json.to_string()).unwrap();
    let estimated = refused("301", "300");
    check(&bake("level.gltf", "300MB"), ExpectedEnd::Refused(&estimated));
    for name in ["level.ply", "level.stl", "level.bin", "level.repro"] {
        fs::write(folder.path().join(name), vec![0; 60_000_000]).unwrap();
        let args = ["check", name, "--max-memory", "100MB"];
        check(&args, ExpectedEnd::Refused("more than the limit of 100 MB"));
    }
}

/// Returns a grayscale PNG file of this many pixels per side, all black: a few kilobytes stand for a million pixels.
#[cfg(feature = "window")]
fn black_png(side: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8; 4], data: &[u8]| {
        let named = [name, data].concat();
        let crc = named.iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
        });
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        png.extend(&named);
        png.extend((!crc).to_be_bytes());
    };
    chunk(b"IHDR", &[&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 0, 0, 0, 0]].concat());
    // Deflate with fixed codes, as bits in the order of the stream: a zero, repetitions of the last byte 258 times, and the
    // zeros that are left.
    let mut bits = vec![1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0];
    let n_bytes = u64::from(side) * u64::from(side + 1);
    for _ in 0..(n_bytes - 1) / 258 {
        bits.extend([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    }
    for _ in 0..(n_bytes - 1) % 258 {
        bits.extend([0, 0, 1, 1, 0, 0, 0, 0]);
    }
    bits.extend([0; 7]);
    let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
    // The decoder does not compare the checksum of the pixels.
    let deflated = [&[0x78, 1][..], &bits.chunks(8).map(byte).collect::<Vec<u8>>(), &[0; 4]];
    chunk(b"IDAT", &deflated.concat());
    chunk(b"IEND", &[]);
    png
}

#[test]
#[cfg(feature = "window")]
fn an_image_is_decoded_once() {
    let mut file = Glb::new();
    let n = 256_usize;
    let png = black_png(8192);
    let image = file.view(&png);
    let positions = file.positions(&[[0.0; 3], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]]);
    let coordinates = file.accessor(&[0; 24], F32, "VEC2", 3);
    for at in 0..n {
        let attributes = json!({ "POSITION": positions, "TEXCOORD_0": coordinates });
        let mesh = file.mesh(&json!({ "attributes": attributes, "material": at }));
        file.top_node(json!({ "mesh": mesh }));
    }
    let all = |made: &dyn Fn(usize) -> Value| Value::from((0..n).map(made).collect::<Vec<_>>());
    file.json["materials"] =
        all(&|at| json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": at } } }));
    file.json["textures"] = all(&|at| json!({ "source": at }));
    let folder = tempfile::tempdir().unwrap();
    let shot = |file: &Glb, ends| {
        fs::write(folder.path().join("level.glb"), file.to_glb()).unwrap();
        let args = ["shot", "level.glb", "-o", "shot.png", "--size", "64x64", "--stage", "input"];
        // The software driver reserves much address space.
        check_within("ulimit -t 30", folder.path(), &args, ends);
    };
    file.json["images"] = all(&|_| json!({ "bufferView": image }));
    shot(&file, ExpectedEnd::Done);
    // Copies of the image.
    let views: Vec<_> = (0..20).map(|_| file.view(&png)).collect();
    file.json["images"] = all(&|at| json!({ "bufferView": views[at % views.len()] }));
    shot(&file, ExpectedEnd::Done);
}

#[test]
fn names_in_obj_files_are_stored_once() {
    let long = "x".repeat(500_000);
    let face = "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n";
    let obj = format!("{TRIANGLE}o {long}\n{}", face.repeat(15_000));
    check_info("level.obj", obj, ExpectedEnd::Refused("line 4: a name has 500000 bytes"));
    let name = "x".repeat(4000);
    let obj = format!("{TRIANGLE}o {name}\n{}", face.repeat(30_000));
    check_info("level.obj", obj, ExpectedEnd::Done);
    let mut obj = format!("{TRIANGLE}o {name}\n");
    for group in 0..300_000 {
        writeln!(obj, "g {group}\nf 1 2 3").unwrap();
    }
    check_info("level.obj", obj, ExpectedEnd::Refused("the names of objects and groups together"));
}

#[test]
fn long_obj_lines_take_linear_time() {
    let corners = "1 2 3 \\\n".repeat(400_000);
    check_info("level.obj", format!("{TRIANGLE}f {corners}\n"), ExpectedEnd::Done);
    let ends = "\\\n".repeat(1_600_000);
    check_info("level.obj", format!("{TRIANGLE}f 1 2 3 {ends}\n"), ExpectedEnd::Done);
    check_info(
        "level.obj",
        format!("{TRIANGLE}{}", "f 1 2 x\n".repeat(400_000)),
        ExpectedEnd::Somehow,
    );
    check_info("level.obj", "v 0 0 0 ".repeat(400_000), ExpectedEnd::Somehow);
}

#[test]
fn ply_counts_and_polygons_are_limited() {
    let ply = |format: &str, n: u64, list: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex {n}\nproperty uchar x\nproperty uchar y\n\
             property uchar z\nelement face 1\nproperty list {list} vertex_indices\nend_header\n"
        )
    };
    let more = ExpectedEnd::Refused("but only 9 bytes follow");
    for n in [100_000_000, u64::MAX] {
        let claims =
            [&ply("binary_big_endian", n, "uchar uchar"), "\0\0\0\0\0\u{1}\u{1}\0\0"].concat();
        check_info("level.ply", claims, more);
    }
    let corners = "ply: \0\0\0\0\0\u{1}\u{1}\0\0";
    let polygon = |n: u32| {
        let mut bytes = ply("binary_little_endian", 3, "uint uchar").into_bytes();
        bytes.extend(&corners.as_bytes()[5..]);
        bytes.extend(n.to_le_bytes());
        bytes.extend((0..n).map(|at| u8::try_from(at % 3).unwrap()));
        bytes
    };
    check_info("level.ply", polygon(40_000_000), ExpectedEnd::Refused("too many triangles"));
    check_info("level.ply", polygon(2_000_000), ExpectedEnd::Done);
    let mut cut = polygon(10);
    let at = cut.len() - 14;
    cut[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    check_info("level.ply", cut, ExpectedEnd::Refused("level.ply"));
    let text = [&ply("ascii", 3, "uchar int"), "0 0 0\n0 0 9\n9 0 0\n"].concat();
    check_info(
        "level.ply",
        [&text, "2000000", &" 0 1 2".repeat(700_000)].concat(),
        ExpectedEnd::Somehow,
    );
    check_info(
        "level.ply",
        [text, "\n".repeat(20_000_000)].concat(),
        ExpectedEnd::Refused("cut off in face 0"),
    );
    let header = ["ply\nformat ascii 1.0\n", &"element e 0\n".repeat(2_000_000)].concat();
    check_info("level.ply", header, ExpectedEnd::Refused("line 1027: more than 1024"));
    check_info("level.ply", ["ply\n", &"x".repeat(20_000_000)].concat(), ExpectedEnd::Somehow);
}

#[test]
fn stl_files_are_limited() {
    let mut bytes = vec![0; 84];
    bytes[80..].copy_from_slice(&u32::MAX.to_le_bytes());
    check_info("level.stl", &bytes, ExpectedEnd::Refused("4294967295 triangles take"));
    let vertex = "vertex 0 0 0\nvertex 0 0 9\nvertex 9 0 0\n";
    let facet = "facet normal 0 0 0\nouter loop\n";
    let text = format!("solid a\n{facet}{}", vertex.repeat(300_000));
    check_info("level.stl", text.clone(), ExpectedEnd::Refused("\"endloop\" is missing"));
    check_info("level.stl", [&text, "endloop\nendfacet\nendsolid"].concat(), ExpectedEnd::Done);
    let solid = |at: usize| format!("solid {at}\n{facet}{vertex}endloop\nendfacet\nendsolid\n");
    check_info("level.stl", (0..100_000).map(solid).collect::<String>(), ExpectedEnd::Done);
    check_info(
        "level.stl",
        format!("solid {}", "x".repeat(20_000_000)),
        ExpectedEnd::Refused("line 1"),
    );
    check_info(
        "level.stl",
        "solid a\nendsolid\n".repeat(1_000_000),
        ExpectedEnd::Refused("no facets"),
    );
}

/// Returns a file with a triangle as mesh 0, and its accessor.
fn one_mesh() -> Glb {
    let mut file = Glb::new();
    let positions = file.positions(&[[0.0; 3], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]]);
    file.mesh(&json!({ "attributes": { "POSITION": positions } }));
    file
}

/// Adds nodes 0 to `n`, exclusive, to the scene.
fn show_all(file: &mut Glb, n: usize) {
    file.json["scenes"][0]["nodes"] = (0..n).collect::<Vec<_>>().into();
}

#[test]
fn names_in_gltf_files_are_stored_once() {
    let mut file = one_mesh();
    file.json["nodes"] = vec![json!({ "mesh": 0 }); 40_000].into();
    show_all(&mut file, 40_000);
    file.json["meshes"][0]["name"] = "x".repeat(500_000).into();
    check_info("level.glb", file.to_glb(), ExpectedEnd::Refused("a name has 500000 bytes"));
    file.json["meshes"][0]["name"] = "x".repeat(4000).into();
    check_info("level.glb", file.to_glb(), ExpectedEnd::Done);

    let mut file = one_mesh();
    let named = |c: &str| json!({ "name": c.repeat(4000) });
    file.json["materials"] = json!([named("a"), named("b")]);
    let primitive = |at: usize| json!({ "attributes": { "POSITION": 0 }, "material": at % 2 });
    file.json["meshes"][0]["primitives"] = (0..20_000).map(primitive).collect::<Vec<_>>().into();
    file.top_node(json!({ "mesh": 0 }));
    check_info("level.glb", file.to_glb(), ExpectedEnd::Done);
}

#[test]
fn copies_in_gltf_files_are_limited() {
    let mut file = Glb::new();
    let corners: Vec<_> = (0..3000_u16).map(|i| [f32::from(i), f32::from(i % 7), 1.0]).collect();
    let positions = file.positions(&corners);
    file.mesh(&json!({ "attributes": { "POSITION": positions } }));
    file.json["nodes"] = vec![json!({ "mesh": 0 }); 30_000].into();
    show_all(&mut file, 30_000);
    check_info("level.glb", file.to_glb(), ExpectedEnd::Refused("walkable bin"));

    // Many meshes that share the same bytes, each placed once.
    let primitive = json!({ "attributes": { "POSITION": 0 } });
    file.json["meshes"] = vec![json!({ "primitives": vec![primitive; 100] }); 300].into();
    file.json["nodes"] = (0..300).map(|mesh| json!({ "mesh": mesh })).collect::<Vec<_>>().into();
    show_all(&mut file, 300);
    check_info("level.glb", file.to_glb(), ExpectedEnd::Refused("walkable bin"));

    // The number of nodes times primitives is huge, but none has triangles.
    let empty = json!({ "attributes": { "POSITION": 0 }, "mode": 0 });
    file.json["meshes"] = json!([{ "primitives": vec![empty; 20_000] }]);
    file.json["nodes"] = vec![json!({ "mesh": 0 }); 100_000].into();
    show_all(&mut file, 100_000);
    check_info("level.glb", file.to_glb(), ExpectedEnd::Refused("no triangles"));
}

#[test]
fn nodes_of_gltf_files_are_small_and_may_be_deep() {
    let text =
        |nodes: &str| format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{nodes}{{}}]}}");
    check_info("level.gltf", text(&"{},".repeat(3_000_000)), ExpectedEnd::Refused("no triangles"));
    check_info("level.gltf", text(&"{},".repeat(5_000_000)), ExpectedEnd::Refused("objects"));
    let mut chain = String::new();
    for child in 1..200_000 {
        write!(chain, "{{\"children\":[{child}]}},").unwrap();
    }
    check_info("level.gltf", text(&chain), ExpectedEnd::Refused("no triangles"));
    check_info("level.gltf", text(&"[".repeat(3_000_000)), ExpectedEnd::Refused("line 1"));
    let array = format!("{{\"asset\":{{\"version\":[{}0]}}}}", "0,".repeat(5_000_000));
    check_info("level.gltf", array, ExpectedEnd::Refused("line 1"));
}

#[test]
fn sparse_accessors_are_checked_once() {
    let mut file = one_mesh();
    let n = 100_000_u32;
    let indices: Vec<u8> = (0..n).flat_map(u32::to_le_bytes).collect();
    let (indices, values) = (file.view(&indices), file.view(&vec![0; 12 * n as usize]));
    let sparse = json!({ "count": n, "indices": { "bufferView": indices, "componentType": 5125 },
        "values": { "bufferView": values } });
    let accessor = json!({ "componentType": 5126, "count": n, "type": "VEC3", "sparse": sparse });
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(accessor);
    // Instanced nodes, with a mesh that has no triangles.
    let empty = json!([{ "attributes": { "POSITION": 0 }, "mode": 0 }]);
    file.json["meshes"][0]["primitives"] = empty;
    let attributes = json!({ "attributes": { "TRANSLATION": 1 } });
    let node = json!({ "mesh": 0, "extensions": { "EXT_mesh_gpu_instancing": attributes } });
    file.json["nodes"] = vec![node; 40_000].into();
    show_all(&mut file, 40_000);
    check_info("level.glb", file.to_glb(), ExpectedEnd::Refused("no triangles"));

    // Each node has its own accessor over the same bytes.
    let accessor = file.json["accessors"][1].clone();
    file.json["accessors"] = vec![accessor; 20_000].into();
    for (at, node) in file.json["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
        node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] =
            (at % 20_000).into();
    }
    check_info("level.glb", file.to_glb(), ExpectedEnd::Refused("sparse accessors"));
}

#[test]
fn a_side_file_is_read_once_from_the_folder_of_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("deep");
    fs::create_dir(&deep).unwrap();
    let mut bytes = vec![0; 1_000_000];
    bytes[20..24].copy_from_slice(&9_f32.to_le_bytes());
    bytes[24..28].copy_from_slice(&9_f32.to_le_bytes());
    fs::write(deep.join("level.bin"), &bytes).unwrap();
    fs::write(folder.path().join("level.bin"), &bytes).unwrap();
    let write = |uri: &dyn Fn(usize) -> String| {
        let n = 5000;
        let all = |made: &dyn Fn(usize) -> Value| (0..n).map(made).collect::<Vec<_>>();
        let file = json!({
            "asset": { "version": "2.0" },
            "nodes": all(&|at| json!({ "mesh": at })),
            "meshes": all(&|at| json!({ "primitives": [{ "attributes": { "POSITION": at } }] })),
            "accessors": all(&|at| json!({ "bufferView": at, "componentType": 5126, "count": 3, "type": "VEC3" })),
            "bufferViews": all(&|at| json!({ "buffer": at, "byteLength": 36 })),
            "buffers": all(&|at| json!({ "uri": uri(at), "byteLength": 36 })),
        });
        fs::write(deep.join("level.gltf"), file.to_string()).unwrap();
    };
    write(&|_| "level.bin".to_owned());
    check(&deep, &["info", "level.gltf"], ExpectedEnd::Done);
    write(&|at| format!("{}%6cevel.bin", "./".repeat(at % 50)));
    check(&deep, &["info", "level.gltf"], ExpectedEnd::Done);
    write(&|_| "../level.bin".to_owned());
    check(&deep, &["info", "level.gltf"], ExpectedEnd::Refused("leaves the level's folder"));
    write(&|_| "a/%2e%2e/../level.bin".to_owned());
    check(&deep, &["info", "level.gltf"], ExpectedEnd::Refused("leaves the level's folder"));
}

/// Returns a binned level of `n` triangles with these parts, and with runs of `[first triangle, count]`.
fn tri(n: u32, parts: &[[&str; 2]], runs: &[[u64; 2]]) -> Vec<u8> {
    let mut bytes = [&b"WTRI"[..], &2_u32.to_le_bytes()].concat();
    for at in 0..n {
        bytes.extend(u64::from(at).to_le_bytes());
        bytes.extend((at % u32::try_from(parts.len()).unwrap()).to_le_bytes());
        for number in [0.0_f32, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0] {
            bytes.extend(number.to_le_bytes());
        }
    }
    let directory = bytes.len() as u64;
    for number in [0.0_f32, 0.0, 0.0, 9.0, 0.0, 9.0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(u64::from(n).to_le_bytes());
    bytes.extend((parts.len() as u64).to_le_bytes());
    for name in parts.iter().flatten() {
        bytes.extend(u32::try_from(name.len()).unwrap().to_le_bytes());
        bytes.extend(name.as_bytes());
    }
    bytes.extend((runs.len() as u64).to_le_bytes());
    for [first, n] in runs {
        bytes.extend((8 + 48 * first).to_le_bytes());
        bytes.extend(n.to_le_bytes());
        for number in [0.0_f32, 0.0, 9.0, 9.0] {
            bytes.extend(number.to_le_bytes());
        }
    }
    // Reading does not check the hash.
    bytes.extend([0; 16]);
    bytes.extend(directory.to_le_bytes());
    bytes.extend(b"WTRI");
    bytes
}

#[test]
fn binned_levels_use_memory_only_for_their_contents() {
    let folder = tempfile::tempdir().unwrap();
    let bake = |bytes: Vec<u8>, ends| {
        fs::write(folder.path().join("level.tri"), bytes).unwrap();
        let args =
            ["bake", "level.tri", "-o", "out.bin", "--set", "tile_size=32", "--threads", "2"];
        check(folder.path(), &args, ends);
    };
    bake(
        tri(10_000, &[["a", "b"]], &vec![[0, 10_000]; 20_000]),
        ExpectedEnd::Refused("two squares share"),
    );
    bake(tri(10, &[["a", "b"]], &[[0, 10]]), ExpectedEnd::Done);
    let long = "x".repeat(500_000);
    bake(
        tri(10_000, &[[&long, "a"], [&long, "b"]], &[[0, 10_000]]),
        ExpectedEnd::Refused("a name has"),
    );
    let name = "x".repeat(4000);
    bake(tri(20_000, &[[&name, "a"], [&name, "b"]], &[[0, 20_000]]), ExpectedEnd::Done);
    bake(tri(1, &[["a", "b"]], &[[0, u64::MAX / 48]]), ExpectedEnd::Refused("outside the file"));
}

/// Returns the header of an MSET file.
fn mset(n_tiles: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [0x4d53_4554, 1, n_tiles] {
        bytes.extend(u32::to_le_bytes(number));
    }
    for number in [0.0_f32, 0.0, 0.0, 10.0, 10.0] {
        bytes.extend(number.to_le_bytes());
    }
    // 2^20 tiles.
    bytes.extend((1_u32 << 20).to_le_bytes());
    bytes.extend(4_u32.to_le_bytes());
    bytes
}

/// Returns a tile with `n` polygons, all at the same place; each has an edge on the border towards +x and one towards
/// −x.
fn tile([x, z, layer]: [u32; 3], n: u32) -> Vec<u8> {
    let n_vertices = if n == 0 { 0 } else { 4 };
    let mut bytes = Vec::new();
    // Magic, version, x, y, layer and id, followed by the counts: polygons, vertices, links, detail meshes and so on.
    for number in [0x444e_4156, 7, x, z, layer, 0, n, n_vertices, 4 * n, n, 0, 2 * n, 0, 0, n] {
        bytes.extend(u32::to_le_bytes(number));
    }
    // Height, radius, climb, bounding box and quantization factor.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^24")]
    let corner = |at: u32| at as f32 * 10.0;
    for number in [2.0, 0.6, 0.9, corner(x), 0.0, corner(z), corner(x + 1), 1.0, corner(z + 1), 3.0]
    {
        bytes.extend(f32::to_le_bytes(number));
    }
    let all =
        if n == 0 { &[][..] } else { &[[0.0_f32, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]] };
    for [dx, dz] in all {
        for number in [corner(x) + dx, 0.5, corner(z) + dz] {
            bytes.extend(f32::to_le_bytes(number));
        }
    }
    for _ in 0..n {
        bytes.extend(u32::MAX.to_le_bytes());
        for vertex in [0_u16, 1, 2, 3, 0, 0] {
            bytes.extend(vertex.to_le_bytes());
        }
        for neighbor in [0x8004_u16, 0, 0x8000, 0, 0, 0] {
            bytes.extend(neighbor.to_le_bytes());
        }
        bytes.extend([1, 0, 4, 0]);
    }
    bytes.extend(vec![0; 4 * n as usize * 12]);
    for at in 0..n {
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend((2 * at).to_le_bytes());
        bytes.extend([0, 2, 0, 0]);
    }
    for _ in 0..n {
        bytes.extend([0, 1, 2, 1, 0, 2, 3, 4]);
    }
    bytes
}

/// Returns an MSET file of such tiles with these slot numbers.
fn mset_of(tiles: impl ExactSizeIterator<Item = (u32, [u32; 3])>, n_polys: u32) -> Vec<u8> {
    // A reference of 32 bits has 22 for the tile and the polygon below its salt.
    let polygon_bits = n_polys.next_power_of_two().trailing_zeros().max(2);
    let mut bytes = mset(u32::try_from(tiles.len()).unwrap());
    bytes[32..36].copy_from_slice(&(1_u32 << (22 - polygon_bits)).to_le_bytes());
    bytes[36..40].copy_from_slice(&(1_u32 << polygon_bits).to_le_bytes());
    for (number, place) in tiles {
        let tile = tile(place, n_polys);
        bytes.extend((1 << 22 | number << polygon_bits).to_le_bytes());
        bytes.extend(u32::try_from(tile.len()).unwrap().to_le_bytes());
        bytes.extend(tile);
    }
    bytes
}

#[test]
fn tiles_in_any_order_and_place_take_linear_time() {
    let layers = (0..20_000).map(|layer| (layer, [0, 0, layer]));
    check_info("layers.bin", mset_of(layers, 0), ExpectedEnd::Done);
    let layers = (0..20_000).map(|layer| (layer, [layer % 3, 0, layer / 3]));
    check_info("layers.bin", mset_of(layers, 1), ExpectedEnd::Done);
    let rows = (0..400_000).map(|at| (at, [0, 400_000 - at, 0]));
    check_info("rows.bin", mset_of(rows, 0), ExpectedEnd::Done);
    let columns = (0..200_000).map(|at| (200_000 - at, [200_000 - at, 0, 0]));
    check_info("columns.bin", mset_of(columns, 0), ExpectedEnd::Done);
    let twice = (0..20_000).map(|at| (at, [0, 0, at % 19_999]));
    check_info("twice.bin", mset_of(twice, 0), ExpectedEnd::Refused("there is already a tile"));
}

#[test]
fn tile_counts_are_not_trusted() {
    check_info("count.bin", mset(i32::MAX.cast_unsigned()), ExpectedEnd::Refused("error"));
    let mut bytes = mset(2);
    bytes[32..36].copy_from_slice(&2_u32.to_le_bytes());
    bytes[36..40].copy_from_slice(&(1_u32 << 20).to_le_bytes());
    for x in 0..2_u32 {
        let tile = tile([x, 0, 0], 60_000);
        bytes.extend((1_u32 << 21 | x << 20).to_le_bytes());
        bytes.extend(u32::try_from(tile.len()).unwrap().to_le_bytes());
        bytes.extend(tile);
    }
    check_info("borders.bin", bytes, ExpectedEnd::Refused("too many edges"));
    let mut layers = mset(1);
    layers[..4].copy_from_slice(&0x5453_4554_u32.to_le_bytes());
    layers.extend(vec![0xff; 100]);
    check_info("layers.bin", layers, ExpectedEnd::Refused("error"));
}

#[test]
fn polygons_at_one_place_are_checked_and_compared_within_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, mesh: &NavMesh| {
        fs::write(folder.path().join(name), mesh.to_bytes()).unwrap();
    };
    let run = |args: &[&str], ends| check(folder.path(), args, ends);
    write("pile.bin", &pile(16_000, Vec3::ZERO));
    write("small.bin", &pile(6_000, Vec3::ZERO));
    write("moved.bin", &pile(6_000, Vec3::X * 1e-4));
    run(&["check", "pile.bin", "--json"], ExpectedEnd::Done);
    let refused = ExpectedEnd::Refused("warnings, refused by --strict");
    run(&["check", "moved.bin", "--strict"], refused);
    run(&["diff", "pile.bin", "pile.bin", "--strict"], ExpectedEnd::Done);
    let too_many = ExpectedEnd::Refused("too many polygons overlap: the comparison stopped");
    run(&["diff", "small.bin", "moved.bin"], too_many);
    run(&["diff", "moved.bin", "small.bin", "--tolerance", "1"], too_many);
    // Edges on the same part of a border, and layers at one place.
    let beside = mset_of([(0, [0, 0, 0]), (1, [1, 0, 0])].into_iter(), 16_000);
    fs::write(folder.path().join("beside.bin"), beside).unwrap();
    run(&["check", "beside.bin"], ExpectedEnd::Done);
    let layers = (0..20_000).map(|layer| (layer, [layer % 3, 0, layer / 3]));
    fs::write(folder.path().join("layers.bin"), mset_of(layers, 1)).unwrap();
    run(&["check", "layers.bin"], ExpectedEnd::Done);
    run(&["diff", "layers.bin", "pile.bin"], ExpectedEnd::Somehow);
    let mut links = PileTile::new([0; 3]);
    for _ in 0..10_000 {
        links.square(Vec3::new(1.0, 0.5, 1.0), 5.0);
        links.link([Vec3::new(7.0, 0.5, 3.0), Vec3::new(8.0, 0.5, 3.0)], 0.1);
    }
    write("links.bin", &navmesh(vec![links.finish()]).unwrap());
    run(&["check", "links.bin"], ExpectedEnd::Done);
    run(&["diff", "links.bin", "pile.bin"], ExpectedEnd::Somehow);
}

#[test]
fn maps_use_at_most_the_memory_of_their_text() {
    let folder = tempfile::tempdir().unwrap();
    let search = |name: &str, text: String, ends, to: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        let from = if name.starts_with('3') { "0,0,0" } else { "0,0" };
        check(folder.path(), &["search", name, "--from", from, "--to", to], ends);
    };
    let few = ExpectedEnd::Refused("too large");
    search("3.3dmap", "voxel 2048 2048 2048\n".to_owned(), few, "1,1,1");
    search("3.3dmap", "voxel 92681 1 92681\n".to_owned(), few, "1,0,1");
    search("3.3dmap", "voxel 524288 128 128\n".to_owned(), few, "1,1,1");
    fs::write(folder.path().join("4.3dmap"), "voxel 5700 1 5700\n").unwrap();
    let spans = ["search", "4.3dmap", "--from", "0,0,0", "--to", "9,0,9", "--algorithm", "spans"];
    check(folder.path(), &spans, ExpectedEnd::Done);
    // An unreachable goal in a volume of the maximum size.
    let around = (0..27).filter(|&n| n != 13).map(|n| [n % 3, n / 3 % 3, n / 9].map(|n| n + 300));
    let around: Vec<_> = around.map(|[x, y, z]| format!("{x} {y} {z}")).collect();
    let around = around.join("\n");
    let walled = format!("voxel 320 320 320\n{around}");
    fs::write(folder.path().join("5.3dmap"), walled).unwrap();
    let closed = ["search", "5.3dmap", "--from", "0,0,0", "--to", "301,301,301"];
    let limited = [&closed[..], &["--max-memory", "300MB"]].concat();
    check(folder.path(), &limited, ExpectedEnd::Refused("raise --max-memory"));
    let header = "type octile\nheight 4294967295\nwidth 9\nmap\n";
    search("a.map", format!("{header}{}", "\n".repeat(24_000_000)), ExpectedEnd::Somehow, "1,1");
    let side = 3000;
    let row =
        |y: usize| (0..side).map(move |x| if usize::is_multiple_of(x + y, 2) { '.' } else { '@' });
    let rows: String = (0..side).flat_map(|y| row(y).chain(['\n'])).collect();
    let map = format!("type octile\nheight {side}\nwidth {side}\nmap\n{rows}");
    search("a.map", map, ExpectedEnd::Somehow, "2,2");
    fs::write(folder.path().join("b.map"), "type octile\nheight 1\nwidth 1\nmap\n.\n").unwrap();
    let scenario = format!("version 1\n{}", "a\n".repeat(12_000_000));
    fs::write(folder.path().join("b.map.scen"), scenario).unwrap();
    check(folder.path(), &["bench-scen", "b.map.scen"], ExpectedEnd::Refused("columns"));
}

#[test]
fn tables_of_searches_take_linear_time_and_limited_memory() {
    let folder = tempfile::tempdir().unwrap();
    let row = format!("{}\n", ".".repeat(5000));
    let map = format!("type octile\nheight 5000\nwidth 5000\nmap\n{}", row.repeat(5000));
    fs::write(folder.path().join("open.map"), map).unwrap();
    let search = |algorithm, ends| {
        let args = ["search", "open.map", "--from", "0,0", "--to", "4999,4999", "--algorithm"];
        check(folder.path(), &[&args[..], &[algorithm]].concat(), ends);
    };
    search(
        "landmarks",
        ExpectedEnd::Refused("MB of memory for its tables, more than the limit of"),
    );
    search("jps-plus", ExpectedEnd::Done);
}

#[test]
fn settings_and_scenes_take_linear_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut obj = TRIANGLE.to_owned();
    let mut rules = String::new();
    for at in 0..60_000 {
        writeln!(obj, "g {at}\nf 1 2 3").unwrap();
        writeln!(rules, "object {} 5", at + 30_000).unwrap();
    }
    fs::write(folder.path().join("level.obj"), obj).unwrap();
    let bake = |settings: String, ends| {
        fs::write(folder.path().join("a.cfg"), settings).unwrap();
        let args = ["bake", "level.obj", "-o", "out.bin", "--settings", "a.cfg"];
        check(folder.path(), &args, ends);
    };
    // None of the 30,000 rules matches anything, and each could print a warning.
    bake(rules, ExpectedEnd::Somehow);
    bake("x".repeat(10_000_000), ExpectedEnd::Refused("line 1"));
    bake(format!("volume 1 0 1 {}", "1 ".repeat(5_000_000)), ExpectedEnd::Refused("line 1"));
    bake(format!("cell_size={}", "9".repeat(10_000_000)), ExpectedEnd::Refused("line 1"));

    let scene = |text: String, ends| {
        fs::write(folder.path().join("a.gset"), text).unwrap();
        check(folder.path(), &["bake", "a.gset", "-o", "out.bin"], ends);
    };
    let corners = "v 4000000000 1 0 1\n0 0 0\n";
    scene(format!("f level.obj\n{corners}"), ExpectedEnd::Refused("corners"));
    let volume = "v 3 1 0 1\n0 0 0\n9 0 0\n0 0 9\n";
    scene(format!("f level.obj\n{}", volume.repeat(20_000)), ExpectedEnd::Done);
    scene(format!("f {}\n", "x".repeat(10_000_000)), ExpectedEnd::Somehow);
    scene("y".repeat(10_000_000), ExpectedEnd::Refused("line 1"));
}

#[test]
fn settings_that_cover_the_level_repeatedly_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let flat = "v 0 0 0\nv 0 0 60\nv 60 0 60\nv 60 0 0\nf 1 2 3 4\n";
    fs::write(folder.path().join("level.obj"), flat).unwrap();
    let bake = |settings: String, more: &[&str], ends| {
        fs::write(folder.path().join("a.cfg"), settings).unwrap();
        let args = ["bake", "level.obj", "-o", "out.bin", "--settings", "a.cfg"];
        check(folder.path(), &[&args, more].concat(), ends);
    };
    let too_many = ExpectedEnd::Refused("volumes and bounds cover");
    bake("box 5 0 -1 0 60 9 60\n".repeat(200_000), &[], too_many);
    bake("box 5 0 -1 0 60 9 60\n".repeat(50_000), &["--set", "tile_size=16"], too_many);
    bake("cylinder 5 0 -1e38 0 3e38 3e38\n".repeat(100_000), &[], too_many);
    bake("turned 5 30 0 30 1e30 1e30 1e30 1e30\n".repeat(100_000), &[], too_many);
    bake("bound 0 5 0 60 9 60\n".repeat(300_000), &[], too_many);
    // The outline is scanned once per row of cells.
    let corners = (0..60_000_u16).map(|n| f32::from(n).sin_cos());
    let corners: Vec<_> =
        corners.map(|(a, b)| format!("{} 0 {}", 30.0 + 29.0 * a, 30.0 + 29.0 * b)).collect();
    bake(format!("volume 5 -1 9 {}", corners.join(" ")), &[], ExpectedEnd::Done);
    // The number of messages about links is limited.
    bake(
        "offmesh 1 0 1 50 0 50 0.6 1 5 8\n".repeat(40_000),
        &["--set", "tile_size=16"],
        ExpectedEnd::Somehow,
    );
    bake("offmesh 1 0 1 3e38 3e38 3e38 1e30 1 5 8\n".repeat(30_000), &[], ExpectedEnd::Somehow);
    let name = "x".repeat(3_000_000);
    bake(format!("object \"{name}\" 5"), &[], ExpectedEnd::Refused("a name has 3000000 bytes"));
    bake(format!("area 7 {name}"), &[], ExpectedEnd::Refused("a name has 3000000 bytes"));
}

/// Returns `n` square floors above one another, as OBJ.
fn tower(n: usize) -> String {
    let mut obj = String::new();
    for y in (0..n).map(|floor| 3 * floor) {
        writeln!(obj, "v 0 {y} 0\nv 0 {y} 12\nv 12 {y} 12\nv 12 {y} 0\nf -4 -3 -2 -1").unwrap();
    }
    obj
}

#[test]
fn a_tower_of_a_thousand_floors_takes_the_time_of_its_ground() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("level.obj"), tower(1000)).unwrap();
    for partition in ["watershed", "monotone", "layers"] {
        let partition = format!("partition={partition}");
        let args = ["bake", "level.obj", "-o", "out.bin", "--set", &partition];
        check(folder.path(), &args, ExpectedEnd::Done);
    }
}

/// Writes a level whose bake takes minutes: a floor with ten thousand holes, as crossing strips, 300 m to a side. With
/// tiles of 1,000 voxels, it is the last of four tiles.
fn write_holes(folder: &Path) {
    let mut obj = "v 0 0 0\nv 0 0 9\nv 9 0 0\nf 1 2 3\n".to_owned();
    for strip in 0..100 {
        let (from, to) = (301 + 3 * strip, f64::from(301 + 3 * strip) + 2.1);
        for [[x0, x1], [z0, z1]] in
            [[[from.into(), to], [301.0, 599.0]], [[301.0, 599.0], [from.into(), to]]]
        {
            let corners = format!("v {x0} 0 {z0}\nv {x0} 0 {z1}\nv {x1} 0 {z1}\nv {x1} 0 {z0}");
            writeln!(obj, "{corners}\nf -4 -3 -2 -1").unwrap();
        }
    }
    fs::write(folder.join("level.obj"), obj).unwrap();
    fs::write(folder.join("level.cfg"), "partition=layers\nagent_radius=0.3\n").unwrap();
}

#[test]
fn a_time_limit_ends_a_bake_and_a_store_keeps_its_tiles() {
    let folder = tempfile::tempdir().unwrap();
    write_holes(folder.path());
    let bake = |more: &[&str], ends: &str| {
        let args = ["bake", "level.obj", "--settings", "level.cfg", "--max-time", "2"];
        check(folder.path(), &[&args, more].concat(), ExpectedEnd::Refused(ends))
    };
    let late = "stopped at the time limit of 2 s; raise --max-time";
    let tiles = ["--set", "tile_size=1000"];
    let said = bake(&[&tiles[..], &["-o", "out.bin"]].concat(), late);
    assert!(said.contains("nothing was written"), "{said}");
    let said = bake(&["-o", "out.bin"], late);
    assert!(said.contains("0 of 1 tiles were baked"), "{said}");
    bake(&["-o", "out.part", "--shard", "1/1"], late);
    let names = || {
        let names = fs::read_dir(folder.path()).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(names().len(), 2, "{:?}", names());
    let store = [&tiles[..], &["-o", "out.tiles"]].concat();
    let said = bake(&store, late);
    assert!(said.contains("3 of 4 tiles are kept for the next run"), "{said}");
    let said = bake(&store, late);
    assert!(said.contains("3 of 4 tiles found from a bake that ended early"), "{said}");
    assert!(!names().contains(&"out.tiles".to_owned()), "{:?}", names());
}

#[test]
fn a_time_limit_ends_every_command_that_bakes() {
    let folder = tempfile::tempdir().unwrap();
    write_holes(folder.path());
    let late = ExpectedEnd::Refused("stopped at the time limit of 1 s; raise --max-time");
    let with_settings: [&[&str]; 7] = [
        &["check", "level.obj"],
        &["export", "level.obj", "-o", "out.glb"],
        &["export", "level.obj", "-o", "out.obj", "--stage", "polygons"],
        &["why", "level.obj", "--at", "320,0,302"],
        &["why", "level.obj", "--from", "302,0,302", "--to", "590,0,302"],
        &["diff", "level.obj", "level.obj"],
        &["sweep", "level.obj", "--vary", "cell_height=0.2,0.3"],
    ];
    for args in with_settings {
        let limit = ["--settings", "level.cfg", "--max-time", "1"];
        check(folder.path(), &[args, &limit].concat(), late);
    }
    let ends = ["--from", "302,0,302", "--to", "590,0,302"];
    let sets = ["--set", "partition=layers", "--set", "agent_radius=0.3", "--max-time", "1"];
    check(folder.path(), &[&["search", "level.obj"][..], &ends, &sets].concat(), late);
    let soak = ["soak", "level.obj", "--settings", "level.cfg", "--time", "1"];
    let late = ExpectedEnd::Refused("stopped at the time limit of 1 s; raise --time");
    check(folder.path(), &soak, late);
}

#[test]
fn a_soak_run_ends_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let flat = "v 0 0 0\nv 0 0 200\nv 200 0 200\nv 200 0 0\nf 1 2 3 4\n";
    fs::write(folder.path().join("level.obj"), flat).unwrap();
    check(folder.path(), &["bake", "level.obj", "-o", "level.bin"], ExpectedEnd::Done);
    // Placing so many agents, and each of their seconds, takes longer than the run may.
    let soak = ["soak", "level.bin", "--agents", "10000", "--minutes", "1000", "--time", "2"];
    check(folder.path(), &soak, ExpectedEnd::Somehow);
}

#[test]
fn scenes_of_agents_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("level.obj"), format!("{TRIANGLE}f 1 2 3\n")).unwrap();
    check(folder.path(), &["bake", "level.obj", "-o", "level.bin"], ExpectedEnd::Done);
    let play = |scene: &str, ends| {
        fs::write(folder.path().join("a.scene"), scene).unwrap();
        check(folder.path(), &["crowd", "level.bin", "--scene", "a.scene"], ends);
    };
    play(
        "dt 0.1\nupdates 100000000\nevery 100000000\n",
        ExpectedEnd::Refused("at most 1000000 updates"),
    );
    play("dt 0.1\nupdates 1000000\nevery 1000000\n", ExpectedEnd::Done);
    let agent = "agent 1 0 1 0.6 2 8 3.5 7.2 18 2 7 1\n";
    let many = format!("dt 0.1\nupdates 1000000\n{}", agent.repeat(1000));
    play(&many, ExpectedEnd::Refused("updates of 1000 agents"));
    play(&format!("dt 0.1\nupdates 3\nmax_radius 1e-30\n{agent}"), ExpectedEnd::Done);
}

#[test]
fn invalid_projects_are_rejected() {
    let deep = format!("{{\"level\":{}", "[".repeat(5_000_000));
    check_info("a.walkable", deep, ExpectedEnd::Refused("a.walkable"));
    let wide = format!("{{\"walkable\":1,\"x\":[{}0]}}", "0,".repeat(5_000_000));
    check_info("a.walkable", wide, ExpectedEnd::Refused("a.walkable"));
}
