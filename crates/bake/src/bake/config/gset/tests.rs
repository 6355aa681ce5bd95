use glam::Vec3;
use proptest::prelude::*;
use walkable_runtime::ids::AreaId;

use super::*;
use crate::bake::{
    OffMeshLink, PARAMS, Partition, RawArea, RefBits, SurfaceRule, SurfaceSource, SurfaceUse,
};

/// As RecastDemo writes them, including 0 vertices per polygon.
const SAMPLE: &str = "f meshes/two towns.obj\r\n\
    s 0.250000 0.100000 1.800000 0.400000 0.500000 50.000000 4.000000 10.000000 8.000000 1.100000 0 \
    5.000000 0.900000 1 -10.000000 -1.500000 -20.000000 30.000000 12.000000 40.000000 48.000000\n\
    c 18.000000 -2.370000 -21.000000 2.000000 -2.370000 -6.000000 0.600000 1 5 8\n\
    c 1.000000 2.000000 3.000000 4.000000 5.000000 6.000000 0.400000 0 0 65535\n\
    v 3 4 -1.000000 5.000000\n\
    1.000000 0.000000 2.000000\n\
    3.000000 0.500000 4.000000\n\
    5.000000 0.000000 1.000000\n";

fn sample_bounds() -> Aabb {
    Aabb::new(Vec3::new(-10.0, -1.5, -20.0), Vec3::new(30.0, 12.0, 40.0))
}

#[test]
fn reads_what_recast_demo_writes() {
    let Gset { mesh, config } = Gset::parse(SAMPLE).unwrap();
    assert_eq!(mesh, "meshes/two towns.obj");
    let expected = BakeSettings {
        cell_size: 0.25,
        cell_height: 0.1,
        agent_height: 1.8,
        agent_radius: 0.4,
        agent_max_climb: 0.5,
        agent_max_slope: 50.0,
        region_min_size: 4.0,
        region_merge_size: 10.0,
        edge_max_len: 8.0,
        edge_max_error: 1.1,
        verts_per_poly: 6,
        detail_sample_dist: 5.0,
        detail_sample_max_error: 0.9,
        partition: Partition::Monotone,
        tile_size: 48,
        ..BakeSettings::default()
    };
    assert_eq!(config.settings, expected);
    assert_eq!(config.bounds, [sample_bounds()]);
    let [first, second] = config.off_mesh[..] else { panic!("two links") };
    assert_eq!((first.start.x, first.end.z, first.radius), (18.0, -6.0, 0.6));
    assert_eq!((first.bidirectional, first.area, first.flags), (true, AreaId(5), 8));
    assert_eq!((second.bidirectional, second.flags), (false, 65535));
    assert_eq!([first.user_id, second.user_id], [1000, 1001]);
    let [AreaVolume { area: RawArea(4), shape, .. }] = &config.volumes[..] else {
        panic!("a volume")
    };
    let outline =
        [[1.0, 0.0, 2.0], [3.0, 0.5, 4.0], [5.0, 0.0, 1.0]].map(Vec3::from_array).to_vec();
    assert_eq!(*shape, VolumeShape::Prism { min_y: -1.0, max_y: 5.0, outline });
}

#[test]
fn bounds_of_the_whole_level_are_no_bounds() {
    let gset = Gset::parse(SAMPLE).unwrap();
    assert_eq!(gset.clone().config_for(&sample_bounds()).bounds, []);
    let larger = sample_bounds().grown_to(Vec3::new(30.1, 0.0, 0.0));
    assert_eq!(gset.config_for(&larger).bounds, [sample_bounds()]);
    let alone = Gset::parse("# a level\n\nf a.obj").unwrap();
    assert_eq!(alone, Gset { mesh: "a.obj".to_owned(), config: BakeConfig::default() });
}

#[test]
fn every_setting_is_in_the_file_or_a_loss() {
    for param in PARAMS {
        let mut config = BakeConfig::default();
        let value = match param.default_value() {
            crate::bake::ParamValue::Float(value) => crate::bake::ParamValue::Float(value + 0.5),
            crate::bake::ParamValue::Integer(value) => crate::bake::ParamValue::Integer(value + 1),
            crate::bake::ParamValue::Choice(_) => crate::bake::ParamValue::Choice(1),
            crate::bake::ParamValue::Switch(on) => crate::bake::ParamValue::Switch(!on),
            crate::bake::ParamValue::Place(_) => crate::bake::ParamValue::Place(Some(Vec3::ONE)),
        };
        param.set(&mut config.settings, value).unwrap();
        let (text, losses) = Gset::to_text("a.obj", &config, &sample_bounds());
        let read = Gset::parse(&text).unwrap().config_for(&sample_bounds());
        assert_eq!(read == config, losses.is_empty() || param.key == "verts_per_poly");
        let words = losses.first().map(ToString::to_string).unwrap_or_default();
        assert!(losses.is_empty() || words.contains(param.key), "{words}");
    }
}

fn volume(shape: VolumeShape) -> BakeConfig {
    let mut volumes = vec![AreaVolume::new(RawArea(2), shape)];
    volumes[0].erode = true;
    BakeConfig { volumes, ..BakeConfig::default() }
}

/// Writes `shape` and reads it back, expecting these losses.
#[track_caller]
fn written(shape: VolumeShape, losses: &[GsetLoss]) -> Vec<Vec<Vec3>> {
    let (text, found) = Gset::to_text("a.obj", &volume(shape), &sample_bounds());
    assert_eq!(found, losses);
    let config = Gset::parse(&text).unwrap().config;
    let outline = |volume: AreaVolume| match volume.shape {
        VolumeShape::Prism { outline, .. } => outline,
        other => panic!("{other:?}"),
    };
    config.volumes.into_iter().map(outline).collect()
}

#[test]
fn the_margin_of_a_volume_is_lost() {
    let outline = vec![Vec3::ZERO, Vec3::X, Vec3::Z];
    let shape = VolumeShape::Prism { min_y: 0.0, max_y: 1.0, outline };
    let mut config = volume(shape);
    config.volumes[0].area = RawArea::NULL;
    let (_, losses) = Gset::to_text("a.obj", &config, &sample_bounds());
    assert_eq!(losses, [GsetLoss::Margin { volume: 0 }]);
}

fn area_of(outline: &[Vec3]) -> f32 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a.z * b.x - a.x * b.z).sum::<f32>().abs() / 2.0
}

/// Returns the corners on a circle of radius 2.
fn circle(n: u16) -> Vec<Vec3> {
    let angle = |i: u16| std::f32::consts::TAU * f32::from(i) / f32::from(n);
    (0..n).map(|i| Vec3::new(2.0 * angle(i).cos(), 0.0, 2.0 * angle(i).sin())).collect()
}

#[test]
fn other_shapes_become_prisms() {
    let shape = |shape| [GsetLoss::Shape { volume: 0, shape }];
    let bounds = Aabb::new(Vec3::ZERO, Vec3::new(2.0, 1.0, 3.0));
    let level = written(VolumeShape::Box(bounds), &shape("box"));
    assert!((area_of(&level[0]) - 6.0).abs() < 1e-4);
    let (center, half_extents) = (Vec3::ONE, Vec3::new(2.0, 1.0, 1.0));
    let turned = VolumeShape::TurnedBox { center, half_extents, yaw: 0.7 };
    assert!((area_of(&written(turned, &shape("turned box"))[0]) - 8.0).abs() < 1e-4);
    let cylinder = VolumeShape::Cylinder { base: Vec3::ONE, radius: 2.0, height: 1.0 };
    let round = written(cylinder, &shape("cylinder"));
    assert_eq!(round[0].len(), 12);
    assert!((area_of(&round[0]) - 4.0 * std::f32::consts::PI).abs() < 1e-3);
}

#[test]
fn recast_demo_gets_at_most_twelve_corners() {
    let prism = |outline| VolumeShape::Prism { min_y: 0.0, max_y: 1.0, outline };
    assert_eq!(written(prism(circle(12)), &[]).len(), 1);
    for n in 13..60 {
        let n_pieces = usize::from(n - 2).div_ceil(10);
        let pieces = written(prism(circle(n)), &[GsetLoss::Cut { volume: 0, n_pieces }]);
        assert!(pieces.iter().all(|piece| (3..=12).contains(&piece.len())));
        let sum: f32 = pieces.iter().map(|piece| area_of(piece)).sum();
        assert!((sum - area_of(&circle(n))).abs() < 1e-3, "{n}");
    }
    let mut star = circle(13);
    star[6] *= 0.2;
    let lost = GsetLoss::TooManyCorners { volume: 0, n_corners: 13 };
    assert_eq!(written(prism(star), &[lost]).len(), 0);
    let twice: Vec<Vec3> = circle(8).into_iter().cycle().take(16).collect();
    let lost = GsetLoss::TooManyCorners { volume: 0, n_corners: 16 };
    assert_eq!(written(prism(twice), &[lost]).len(), 0);
}

#[track_caller]
fn check_loss(config: &BakeConfig, message: &str) {
    let (text, losses) = Gset::to_text("a.obj", config, &sample_bounds());
    assert_eq!(losses.iter().map(ToString::to_string).collect::<Vec<_>>(), [message]);
    Gset::parse(&text).unwrap();
}

#[test]
fn losses_are_reported() {
    let link = OffMeshLink {
        start: Vec3::ZERO,
        end: Vec3::ONE,
        radius: 1.0,
        bidirectional: true,
        area: AreaId(1),
        flags: 1,
        user_id: 7,
    };
    let with_link = |link| BakeConfig { off_mesh: vec![link], ..BakeConfig::default() };
    check_loss(&with_link(link), "connection 0 will be number 1000, not 7");
    let bad = OffMeshLink { radius: f32::NAN, ..link };
    check_loss(&with_link(bad), "connection 0 was left out: it has a number that is not finite");
    let bad = OffMeshLink { area: AreaId(64), ..link };
    check_loss(&with_link(bad), "connection 0 was left out: its area is above 63");
    check_loss(
        &volume(VolumeShape::Prism { min_y: 0.0, max_y: 1.0, outline: vec![Vec3::ZERO; 2] }),
        "volume 0 was left out: it has fewer than 3 corners",
    );
    let becomes = SurfaceUse::LeftOut;
    let rule = SurfaceRule { source: SurfaceSource::Object, name: "a".to_owned(), becomes };
    let config = BakeConfig { surfaces: vec![rule], ..BakeConfig::default() };
    check_loss(&config, "1 rules for objects and materials were left out");
    let bounds = vec![Aabb::new(Vec3::ZERO, Vec3::ONE), Aabb::new(Vec3::ONE, 3.0 * Vec3::ONE)];
    check_loss(
        &BakeConfig { bounds, ..BakeConfig::default() },
        "2 bounds became the one box around them",
    );
    check_loss(
        &BakeConfig { bounds: vec![Aabb::EMPTY], ..BakeConfig::default() },
        "the bounds are empty or not finite, and the file holds a box of no size",
    );
    let settings = BakeSettings { refs: RefBits::Wide, ..BakeSettings::default() };
    check_loss(
        &BakeConfig { settings, ..BakeConfig::default() },
        "refs is 64, but the file cannot hold it",
    );
}

#[test]
fn paths_that_do_not_fit_a_row_are_a_loss() {
    let default = BakeConfig::default();
    let long = "ä".repeat(300);
    for path in ["", " a.obj", "a\nv.obj", &long] {
        let (text, losses) = Gset::to_text(path, &default, &sample_bounds());
        assert_eq!(losses, [GsetLoss::MeshPath], "{path:?}");
        assert!(!Gset::parse(&text).unwrap().mesh.is_empty());
        assert!(text.lines().all(|row| row.len() < 512));
    }
    let losses = |path| Gset::to_text(path, &default, &sample_bounds()).1;
    assert_eq!(losses("a b\\c.obj"), []);
    assert_eq!(losses("town.glb"), [GsetLoss::MeshFormat]);
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        -1e3..1e3f32,
        any::<i16>().prop_map(f32::from),
        Just(f32::MIN_POSITIVE),
        Just(f32::MAX),
        Just(0.0)
    ]
}

fn point() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from)
}

proptest! {
    /// Prisms of up to 12 corners, off-mesh links and one bound are read back as they were written.
    #[test]
    fn written_files_are_read_back(
        prisms in prop::collection::vec(
            (0..64_u8, number(), number(), prop::collection::vec(point(), 3..=12)), 0..5),
        links in prop::collection::vec(
            (point(), point(), number(), any::<bool>(), 0..64_u8, any::<u16>()), 0..5),
        bound in prop::option::of([point(), point()]),
        path in "[a-z./\\\\]{1,20}( [a-z#]{1,9})?[.]obj",
        cells in [0.01..10.0_f32, 0.01..10.0_f32],
        tile_size in 0..60_000_u32,
    ) {
        let mut config = BakeConfig::default();
        config.settings.cell_size = cells[0];
        config.settings.agent_radius = cells[1];
        config.settings.tile_size = tile_size;
        config.volumes.extend(prisms.into_iter().map(|(area, min_y, max_y, outline)| {
            AreaVolume::new(RawArea(area), VolumeShape::Prism { min_y, max_y, outline })
        }));
        config.off_mesh.extend(links.into_iter().zip(1000..).map(
            |((start, end, radius, bidirectional, area, flags), user_id)| OffMeshLink {
                start, end, radius, bidirectional, area: AreaId(area), flags, user_id,
            },
        ));
        config.bounds.extend(bound.map(|[a, b]| Aabb::new(a, b)));
        let level = Aabb::new(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
        let (text, losses) = Gset::to_text(&path, &config, &level);
        prop_assert_eq!(losses, []);
        prop_assert!(text.lines().all(|row| row.len() < 512));
        let gset = Gset::parse(&text).unwrap();
        prop_assert_eq!(&gset.mesh, &path);
        prop_assert_eq!(gset.config_for(&level), config);
    }

    /// Damaged files are either rejected or read, and what was read can be written and read again.
    #[test]
    fn damaged_files_never_panic(cut in 0..SAMPLE.len(), at in 0..SAMPLE.len(), by in "[ a-z0-9.\n-]") {
        let mut text = SAMPLE[..SAMPLE.len() - cut].to_owned();
        let at = at.min(text.len());
        text.insert_str(at, &by);
        if let Ok(gset) = Gset::parse(&text) {
            let (again, _) = Gset::to_text(&gset.mesh, &gset.config, &sample_bounds());
            let mut read = Gset::parse(&again).unwrap();
            read.config.bounds.truncate(gset.config.bounds.len());
            prop_assert_eq!(read, gset);
        }
    }
}

#[test]
fn a_stray_carriage_return_in_a_path_is_a_blank() {
    let gset = Gset::parse("f two\rtowns.obj\r\n").unwrap();
    assert_eq!(gset.mesh, "two towns.obj");
}

#[track_caller]
fn check_error(text: &str, message: &str) {
    assert_eq!(Gset::parse(text).unwrap_err().to_string(), message);
}

#[test]
fn errors_name_the_line() {
    check_error("", "line 0: there is no `f` row with the path of a mesh");
    check_error("# f\n\n", "line 2: there is no `f` row with the path of a mesh");
    check_error("f", "line 1: the path of the mesh is missing");
    check_error("f a\nf b", "line 2: there is an `f` row already");
    check_error("f a\nx 1", "line 2: expected a row that starts with f, s, c or v, not `x 1`");
    check_error("f a\ncc 1", "line 2: expected a row that starts with f, s, c or v, not `cc 1`");
    check_error("v 2 1 0 1", "line 1: a volume needs at least 3 corners, not 2");
    check_error("v 4 1 0 1\n0 0 0\n\n1 0 0", "line 1: the volume has 2 of its 4 corners");
    check_error(
        "v 18446744073709551615 1 0 1",
        "line 1: the volume has 0 of its 18446744073709551615 corners",
    );
    check_error("v -3 1 0 1", "line 1: the number of corners is `-3`, but must be a whole number");
    check_error("v 3 1 0 1\n0 0\n", "line 2: a corner's z is missing");
    check_error("v 3 1 0 1\n0 0 0 0\n", "line 2: `0` is left over");
    check_error(
        "v 3 1 0 1\n0 nan 0\n",
        "line 2: a corner's y is `nan`, but must be a finite number",
    );
    check_error("v 3 64 0 1", "line 1: the area is `64`, but must be a whole number up to 63");
    check_error("c 1 2 3 4 5 6 1 1 0", "line 1: the flags is missing");
    check_error("c 1 2 3 4 5 6 1 1 0 8 8", "line 1: `8` is left over");
    let settings = SAMPLE.lines().nth(1).unwrap();
    check_error(&format!("{settings}\n{settings}"), "line 2: there is an `s` row already");
    check_error(&settings.replace("0.250000", "nan"), NAN);
    check_error(&settings.replace(" 48.000000", ""), "line 1: the tile size is missing");
    check_error(
        &settings.replace(" 48.000000", " 48.5"),
        "line 1: the tile size is `48.5`, but must be a whole number",
    );
    check_error(
        &settings.replace(" 48.000000", " 70000"),
        "line 1: tile_size is 70000, but must be between 0 and 60000",
    );
    check_error(
        &settings.replace(" 12.000000", " -12"),
        "line 1: the box along y goes from -1.5 to -12, but the minimum must not exceed the maximum",
    );
    check_error(&settings.replace(" 1 -10", " 3 -10"), PARTITION);
}

const NAN: &str = "line 1: cell_size is NaN, but must be between 0.001 and 1000";
const PARTITION: &str = "line 1: partition takes watershed, monotone or layers, not `3`";
