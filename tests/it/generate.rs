//! The generator creates the same level on every machine, and levels that can be baked; and the built-in levels.
//!
//! `UPDATE_GOLDEN=1 cargo test -p walkable --test it generate` writes the files of `assets/` again.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use walkable::{
    level::{BUILTIN_LEVELS, BuiltinLevel, GenerateError, LevelKind, builtin, generate},
    mesh::{ImportOptions, import_hint, read_obj, to_obj},
};

fn area_facing_up(kind: LevelKind, seed: u64, size: f32) -> f32 {
    let mesh = generate(kind, seed, size).unwrap().mesh;
    let normals = (0..mesh.triangles().len()).map(|triangle| {
        let [a, b, c] = mesh.corners(triangle);
        (b - a).cross(c - a) * 0.5
    });
    normals.filter(|n| n.y > 0.71 * n.length()).map(|n| n.y).sum()
}

fn golden(level: &BuiltinLevel) -> [(String, String); 2] {
    let made = generate(level.kind, level.seed, level.size).unwrap();
    let (obj, config) = (to_obj(&made.mesh), made.config.to_text());
    [(format!("{}.obj", level.name), obj), (format!("{}.cfg", level.name), config)]
}

#[test]
fn assets_are_what_the_generator_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for (file, text) in BUILTIN_LEVELS.iter().flat_map(golden) {
        assert!(text.len() < 1_500_000, "{file} has {} bytes", text.len());
        let path = folder.join(&file);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, text).unwrap();
        } else {
            let found = std::fs::read_to_string(&path).unwrap();
            assert!(found == text, "{file} differs: see the top of this file");
        }
    }
}

#[test]
fn builtin_levels_are_read_as_they_were_made() {
    for level in BUILTIN_LEVELS {
        let made = generate(level.kind, level.seed, level.size).unwrap();
        let read = level.read().unwrap_or_else(|error| panic!("{}: {error}", level.name));
        assert!(read.start.distance(made.start) < 1.0, "{}: starts at {}", level.name, made.start);
        assert!(read.end.distance(made.end) < 1.0, "{}: ends at {}", level.name, made.end);
        assert_eq!((read.mesh, read.config), (made.mesh, made.config), "{}", level.name);
        assert_eq!(builtin(level.name).unwrap().name, level.name);
    }
    assert!(builtin("nowhere").is_none());
}

#[test]
fn levels_are_clean_and_named() {
    for kind in LevelKind::ALL {
        let made = generate(kind, 3, kind.default_size()).unwrap();
        let level = read_obj(to_obj(&made.mesh).as_bytes()).unwrap();
        let faults: Vec<_> = level.warnings.summary().collect();
        assert!(faults.is_empty(), "{kind}: {faults:?} such as {}", level.warnings.listed()[0]);
        assert!(made.mesh.parts().iter().all(|p| !p.object.is_empty() && !p.material.is_empty()));
        assert_eq!(import_hint(&made.mesh, ImportOptions::default(), 2.0, 0.6), None, "{kind}");
        let bounds = made.mesh.bounds();
        for end in [made.start, made.end] {
            assert!((bounds.min.cmple(end) & bounds.max.cmpge(end)).all(), "{kind}: {end}");
        }
    }
}

#[test]
fn every_size_makes_a_level_to_walk_on() {
    for kind in LevelKind::ALL {
        let (smallest, largest) = (*kind.sizes().start(), *kind.sizes().end());
        for size in [smallest, kind.default_size(), largest.min(150.0)] {
            for seed in 0..3 {
                let area = area_facing_up(kind, seed, size);
                assert!(area > 0.2 * size * size, "{kind} {seed} {size}: {area}");
            }
        }
        let too_large = generate(kind, 1, largest + 1.0);
        assert!(matches!(too_large, Err(GenerateError::Size { .. })), "{kind}");
        assert!(generate(kind, 1, f32::NAN).is_err(), "{kind}");
    }
}

/// Returns the FNV-1a hash over the bits of all coordinates and all indices.
fn hash_of(kind: LevelKind, seed: u64) -> u64 {
    let mesh = generate(kind, seed, kind.default_size()).unwrap().mesh;
    let coordinates = mesh.vertices().iter().flat_map(|v| v.to_array().map(f32::to_bits));
    let words = coordinates.chain(mesh.triangles().as_flattened().iter().copied());
    words.flat_map(u32::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn the_same_seed_makes_the_same_level_on_every_machine() {
    let expected = [
        (LevelKind::Terrain, 1, 0x2297_73b8_8420_fd72),
        (LevelKind::Terrain, 2, 0xb6df_d70a_0dc5_7bcb),
        (LevelKind::Town, 2, 0x4844_dc0b_c373_2ecd),
        (LevelKind::Maze, 2, 0x8cfb_2bcc_7b99_d4e5),
        (LevelKind::Tower, 2, 0xf4b7_065e_a275_32dd),
        (LevelKind::Caves, 1, 0x8764_f774_8425_2d11),
        (LevelKind::Caves, 2, 0xbf8b_1759_43c5_4b10),
        (LevelKind::Spiral, 1, 0xbe28_3869_d974_5929),
        (LevelKind::Sample, 1, 0x20ce_dd48_68b1_27ba),
    ];
    let found = expected.map(|(kind, seed, _)| (kind, seed, hash_of(kind, seed)));
    assert!(found == expected, "{found:#x?}");
}

#[test]
fn seeds_differ() {
    for kind in
        [LevelKind::Terrain, LevelKind::Town, LevelKind::Maze, LevelKind::Tower, LevelKind::Caves]
    {
        let made = |seed| generate(kind, seed, kind.default_size()).unwrap().mesh;
        assert_ne!(made(1), made(2), "{kind}");
    }
}

#[test]
fn large_levels_have_the_size_that_benchmarks_expect() {
    for (kind, size, at_least, at_most) in
        [(LevelKind::Terrain, 600.0, 680_000, 800_000), (LevelKind::Town, 700.0, 100_000, 320_000)]
    {
        let n = generate(kind, 1, size).unwrap().mesh.triangles().len();
        assert!((at_least..at_most).contains(&n), "{kind}: {n} triangles");
    }
}

#[test]
fn names_of_kinds_are_read_back() {
    for kind in LevelKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    let message = "there is no kind of level called \"castle\"; there are terrain, town, maze, tower, \
                   caves, spiral, sample";
    assert_eq!("castle".parse::<LevelKind>().unwrap_err().to_string(), message);
}
