//! How a bake treats input other than settings: excluded and painted surfaces, and bounds.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    bake::{
        BakeInput, BakeOutput, BakePlan, BakeSettings, Heightfield, Intermediates, RawArea,
        SurfaceRule, SurfaceSource, SurfaceUse, bake_tile,
    },
    geom::Aabb,
    mesh::{MeshPart, TriMesh},
    monitor::Unmonitored,
};

/// Returns a vertex in a box of 12 × 6 × 12 m.
fn corner() -> impl Strategy<Value = Vec3> {
    (0..=48u8, 0..=24u8, 0..=48u8)
        .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25)
}

/// Returns a floor of 12 m and up to 20 triangles, as a list of vertices.
fn soup() -> impl Strategy<Value = Vec<Vec3>> {
    let flat = (corner(), corner(), corner())
        .prop_map(|(a, b, c)| [a, Vec3::new(b.x, a.y, b.z), Vec3::new(c.x, a.y, c.z)]);
    let triangle = prop_oneof![flat, [corner(), corner(), corner()]];
    prop::collection::vec(triangle, 1..20).prop_map(|triangles| {
        let [a, b, c] = [Vec3::ZERO, Vec3::new(0.0, 6.0, 12.0), Vec3::new(12.0, 0.0, 0.0)];
        [vec![a, b, c], triangles.concat()].concat()
    })
}

const NAMES: [&str; 2] = ["kept", "odd"];

/// Returns a level of the first triangles of `corners`, as objects that end at the triangles in `ends`. Its bounds
/// contain all `corners`.
fn level(corners: &[Vec3], ends: &[u32]) -> TriMesh {
    let starts = std::iter::once(&0).chain(ends);
    let parts = NAMES.iter().zip(starts.zip(ends)).map(|(name, (&start, &end))| MeshPart {
        object: (*name).into(),
        material: "".into(),
        triangles: start..end,
    });
    let triangles = (0..ends[ends.len() - 1]).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriMesh::with_parts(corners.to_vec(), triangles, parts.collect()).unwrap()
}

fn count(corners: &[Vec3]) -> u32 {
    u32::try_from(corners.len() / 3).unwrap()
}

fn settings(tile_size: u32) -> BakeSettings {
    BakeSettings {
        cell_size: 0.4,
        cell_height: 0.25,
        agent_radius: 0.3,
        region_min_size: 2.0,
        tile_size,
        ..BakeSettings::default()
    }
}

fn rule(name: &str, becomes: SurfaceUse) -> SurfaceRule {
    SurfaceRule { source: SurfaceSource::Object, name: name.to_owned(), becomes }
}

fn stages(input: BakeInput) -> Vec<Intermediates> {
    let plan = BakePlan::new(input).unwrap();
    let bake = |tile| bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored).unwrap();
    plan.tiles().map(|tile| *bake(tile).stages.unwrap()).collect()
}

/// Returns all spans as cell, bottom, top and area.
fn spans(field: &Heightfield) -> Vec<(usize, u16, u16, u8)> {
    let column =
        |cell| field.column(cell).iter().map(move |s| (cell, s.min_vx, s.max_vx, s.area.0));
    (0..field.frame.n_cells()).flat_map(column).collect()
}

/// Returns whether `span` of `field` is inside `bound`, by its definition.
fn is_inside(field: &Heightfield, span: (usize, u16, u16, u8), bound: &Aabb) -> bool {
    let (frame, n_x) = (&field.frame, field.frame.n_x as usize);
    let (cell, min_vx, max_vx, _) = span;
    let index = |n: usize| f32::from(u16::try_from(n).unwrap());
    let at = |y: u16| {
        frame.world_from_grid(index(cell % n_x) + 0.5, f32::from(y), index(cell / n_x) + 0.5)
    };
    Aabb::new(at(min_vx), at(max_vx)).overlaps(bound)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn excluded_triangles_do_not_affect_the_bake(corners in soup(), n in 1..4u32) {
        let n = n.min(count(&corners));
        let with = |mesh, surfaces| BakeInput {
            surfaces,
            ..BakeInput::new(Arc::new(mesh), settings(16))
        };
        let left_out = with(level(&corners, &[n, count(&corners)]), vec![rule("odd", SurfaceUse::LeftOut)]);
        let absent = with(level(&corners, &[n]), Vec::new());
        prop_assert_eq!(stages(left_out), stages(absent));
    }

    #[test]
    fn painting_moves_no_span_and_makes_nothing_walkable(corners in soup(), area in 0..63u8) {
        let mesh = Arc::new(level(&corners, &[1, count(&corners)]));
        let plain = BakeInput::new(mesh, settings(0));
        let surfaces = vec![rule("odd", SurfaceUse::Area(RawArea(area)))];
        let painted = stages(BakeInput { surfaces, ..plain.clone() });
        let plain = stages(plain);
        let [before, after] = [&plain[0].spans, &painted[0].spans].map(spans);
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.into_iter().zip(after) {
            prop_assert_eq!((before.0, before.1, before.2), (after.0, after.1, after.2));
            prop_assert!([0, area, 63].contains(&after.3));
            prop_assert!(before.3 != 0 || after.3 == 0, "{before:?} {after:?}");
        }
    }

    #[test]
    fn bounds_keep_just_the_spans_inside(
        corners in soup(),
        boxes in prop::collection::vec([corner(), corner()], 1..4),
    ) {
        // Otherwise the cell indices of the spans would refer to a smaller grid.
        let settings = BakeSettings { keep_grid: true, ..settings(0) };
        let plain = BakeInput::new(Arc::new(level(&corners, &[1, count(&corners)])), settings);
        let bounds: Vec<_> = boxes.into_iter().map(|[a, b]| Aabb::new(a, b)).collect();
        let within = stages(BakeInput { bounds: bounds.clone(), ..plain.clone() });
        let all = stages(plain);
        let field = &all[0].spans;
        let expected = spans(field)
            .into_iter()
            .filter(|&span| bounds.iter().any(|bound| is_inside(field, span, bound)));
        prop_assert_eq!(spans(&within[0].spans), expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_bound_around_everything_changes_nothing(corners in soup()) {
        let plain = BakeInput::new(Arc::new(level(&corners, &[1, count(&corners)])), settings(16));
        let around = Aabb::new(Vec3::splat(-99.0), Vec3::splat(99.0));
        let within = stages(BakeInput { bounds: vec![around], ..plain.clone() });
        prop_assert_eq!(within, stages(plain));
    }
}
