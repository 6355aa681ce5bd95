use std::sync::Arc;

use walkable::level::{LevelKind, generate};
use walkable_runtime::{ids::Dir, monitor::Unmonitored};

use super::*;
use crate::bake::{BakeInput, BakeOutput, BakeSettings, Partition, bake_tile};

/// The tile in the middle of a level, with its stage results.
struct Baked {
    plan: BakePlan,
    tile: TileCoord,
    made: Intermediates,
}

impl Baked {
    fn new(kind: LevelKind, partition: Partition, tile_size: u32) -> Self {
        let level = generate(kind, 3, 30.0).unwrap();
        let settings = BakeSettings { partition, tile_size, ..BakeSettings::default() };
        let plan = BakePlan::new(BakeInput::new(Arc::new(level.mesh), settings)).unwrap();
        let [n_x, n_z] = plan.n_tiles();
        let tile = TileCoord::new(n_x / 2, n_z / 2);
        let bake = bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored).unwrap();
        Self { plan, tile, made: *bake.stages.unwrap() }
    }

    fn sample() -> Self {
        Self::new(LevelKind::Sample, Partition::Watershed, 0)
    }

    fn animation(&self, of: AnimatedStage) -> StageAnimation<'_> {
        StageAnimation::new(&self.plan, self.tile, &self.made, of, &Unmonitored).unwrap()
    }

    /// Returns whether the last frame of an animation equals the result of the stage.
    fn is_made(&self, stopped: &Unfinished) -> bool {
        let made = &self.made;
        match stopped {
            Unfinished::Slope(slopes) => *slopes == made.slopes,
            Unfinished::Spans(spans) => *spans == made.spans,
            Unfinished::Filtered(spans) => *spans == made.filtered,
            Unfinished::Compact(field) => *field == made.compact,
            Unfinished::Eroded(areas) => *areas == made.eroded_areas,
            Unfinished::Distance(all) => {
                made.distance.as_ref().is_some_and(|made| made.distances == *all)
            }
            Unfinished::Regions(ids) => *ids == made.regions.ids,
            Unfinished::Layers(set) => {
                *set == made.height_layers(self.tile, LAYER_CUT, &Unmonitored).unwrap()
            }
            Unfinished::Contours(set) => {
                let raw = |set: &ContourSet| -> Vec<_> {
                    set.contours.iter().map(|it| (it.region, it.area, it.raw.clone())).collect()
                };
                raw(set) == raw(&made.contours)
            }
            Unfinished::Polygons(mesh) => *mesh == made.polygons,
            Unfinished::Detail(detail) => *detail == made.detail,
        }
    }
}

impl StageAnimation<'_> {
    fn at(&self, n: usize) -> Unfinished {
        self.stopped(n, &Unmonitored).unwrap()
    }
}

#[test]
fn every_animation_has_a_first_and_a_last_frame_that_differ() {
    let baked = Baked::sample();
    for of in AnimatedStage::all() {
        let animation = baked.animation(of);
        let n = animation.n_steps();
        assert!(n > 1, "{of:?} has {n} steps");
        assert_ne!(animation.at(0), animation.at(n - 1), "{of:?}");
        assert_eq!(animation.frame(n, &Unmonitored).unwrap(), None);
    }
}

#[test]
fn after_the_last_step_a_stage_equals_that_of_the_bake() {
    // For the other stages, the last step does the remaining work, so their last frame may differ.
    let exact = [
        AnimatedStage::Slope,
        AnimatedStage::Spans,
        AnimatedStage::Filtered,
        AnimatedStage::Compact,
        AnimatedStage::Distance,
        AnimatedStage::Layers,
        AnimatedStage::RawContours,
        AnimatedStage::Detail,
    ];
    for kind in [LevelKind::Sample, LevelKind::Terrain, LevelKind::Tower, LevelKind::Caves] {
        for (partition, tile_size) in [(Partition::Watershed, 48), (Partition::Layers, 0)] {
            let baked = Baked::new(kind, partition, tile_size);
            let is_measured = baked.made.distance.is_some();
            for of in exact.into_iter().filter(|of| *of != AnimatedStage::Distance || is_measured) {
                let animation = baked.animation(of);
                let n = animation.n_steps();
                assert!(baked.is_made(&animation.at(n)), "{kind:?} {partition:?}: {of:?}");
                assert!(
                    n == 0 || animation.at(n) != animation.at(0),
                    "{kind:?} {partition:?}: {of:?}"
                );
            }
        }
    }
}

#[test]
fn the_frame_before_the_end_lacks_only_the_last_step() {
    let baked = Baked::sample();
    let made = &baked.made;
    let last = |of| {
        let animation = baked.animation(of);
        animation.at(animation.n_steps() - 1)
    };
    let eroded = last(AnimatedStage::Eroded);
    assert!(baked.is_made(&eroded), "no volumes");
    let Unfinished::Contours(contours) = last(AnimatedStage::Contours) else { panic!() };
    for (shown, made) in contours.contours.iter().zip(&made.contours.contours) {
        // The last step merges holes into other contours.
        let is_joined = made.vertices.is_empty() || made.vertices.len() > shown.vertices.len();
        assert!(is_joined || shown.vertices == made.vertices, "region {}", made.region.0);
    }
    let Unfinished::Polygons(polygons) = last(AnimatedStage::Polygons) else { panic!() };
    assert_eq!(polygons.polygons, made.polygons.polygons, "no tile border, no corners to go");
}

#[test]
fn columns_are_linked_to_the_next_in_order() {
    let baked = Baked::sample();
    let animation = baked.animation(AnimatedStage::Compact);
    let (made, n_x) = (&baked.made.compact, baked.made.compact.frame.n_x as usize);
    for n in [0, 1, n_x, n_x + 7, animation.n_steps() / 2, animation.n_steps() - 1] {
        let Unfinished::Compact(field) = animation.at(n) else { panic!() };
        for cell in 0..made.frame.n_cells() {
            // A pair of columns is linked in both directions when its first column is processed.
            let first = |dir| match dir {
                Dir::East | Dir::North => Some(cell),
                Dir::West => cell.checked_sub(1),
                Dir::South => cell.checked_sub(n_x),
            };
            for span in made.cell(cell) {
                for dir in Dir::ALL {
                    let is_linked = first(dir).is_some_and(|first| first < n);
                    let expected = made.adjacency.step(span, dir).filter(|_| is_linked);
                    assert_eq!(field.adjacency.step(span, dir), expected, "{n} at {cell}");
                }
            }
        }
    }
}

#[test]
fn distances_are_swept_forward_and_back_and_blurred() {
    let baked = Baked::sample();
    let animation = baked.animation(AnimatedStage::Distance);
    let field = &baked.made.compact;
    let (n_x, n_z) = (field.frame.n_x as usize, field.frame.n_z as usize);
    let at = |n| match animation.at(n) {
        Unfinished::Distance(distances) => distances,
        other => panic!("{other:?}"),
    };
    assert!(at(0).iter().all(|&distance| distance == u16::MAX), "nothing is known at first");
    let [there, back, blurred] = [1, 2, 3].map(|pass| at(pass * n_z));
    assert_eq!(blurred, baked.made.distance.as_ref().unwrap().distances);
    assert!(back.iter().zip(&there).all(|(back, there)| back <= there), "sweeps bring nearer");
    for row in (1..n_z).step_by(5) {
        let split = field.starts[row * n_x] as usize;
        let half = at(row);
        assert!(half[..split] == there[..split] && half[split..].iter().all(|&d| d == u16::MAX));
        let split = field.starts[(n_z - row) * n_x] as usize;
        let half = at(n_z + row);
        assert!(half[..split] == there[..split] && half[split..] == back[split..], "row {row}");
        let split = field.starts[row * n_x] as usize;
        let half = at(2 * n_z + row);
        assert!(half[..split] == blurred[..split] && half[split..] == back[split..], "row {row}");
    }
}

#[test]
fn polygons_get_their_detail_one_after_the_other_sample_by_sample() {
    let baked = Baked::new(LevelKind::Caves, Partition::Watershed, 0);
    let animation = baked.animation(AnimatedStage::Detail);
    let made = &baked.made.detail;
    assert!(
        animation.polygon_steps.iter().any(|&steps| steps > 2),
        "{:?}",
        animation.polygon_steps
    );
    let (mut n_done, mut before) = (0, 0);
    for n in 0..animation.n_steps() {
        let Unfinished::Detail(detail) = animation.at(n) else { panic!() };
        if n == before + animation.polygon_steps[n_done] {
            before = n;
            n_done += 1;
        }
        let is_begun = n > before;
        assert_eq!(detail.patches.len(), n_done + usize::from(is_begun), "step {n}");
        assert_eq!(detail.patches[..n_done], made.patches[..n_done]);
        assert!(made.vertices.starts_with(&detail.vertices), "samples stay where they are put");
        if is_begun {
            let missing = animation.polygon_steps[n_done] - (n - before);
            let patch = made.patches[n_done];
            let n_vertices = (patch.first_vertex + patch.n_vertices) as usize;
            assert_eq!(detail.vertices.len() + missing, n_vertices, "step {n}");
        }
    }
}

#[test]
fn patches_join_layers_and_stay() {
    let baked = Baked::new(LevelKind::Tower, Partition::Watershed, 0);
    let animation = baked.animation(AnimatedStage::Layers);
    let filled = |n| match animation.at(n) {
        Unfinished::Layers(set) => set.layer_of_span.iter().flatten().count(),
        other => panic!("{other:?}"),
    };
    let filled: Vec<_> = (0..=animation.n_steps()).map(filled).collect();
    assert_eq!(filled[0], 0);
    assert!(filled.is_sorted(), "{filled:?}");
    let walkable = baked.made.eroded_areas.iter().filter(|area| area.is_walkable()).count();
    assert_eq!(filled.last(), Some(&walkable));
}

#[test]
fn each_step_goes_a_little_further() {
    let baked = Baked::sample();
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let baked = Baked::new(LevelKind::Sample, partition, 0);
        let animation = baked.animation(AnimatedStage::Regions);
        let ground = |n| match animation.at(n) {
            Unfinished::Regions(ids) => ids.iter().filter(|id| id.is_ground()).count(),
            other => panic!("{other:?}"),
        };
        let covered: Vec<_> = (0..animation.n_steps()).map(ground).collect();
        assert_eq!(covered[0], 0, "{partition:?}");
        assert!(covered.is_sorted() && covered.last() > covered.first(), "{covered:?}");
    }
    let animation = baked.animation(AnimatedStage::Polygons);
    let pieces = |n| match animation.at(n) {
        Unfinished::Polygons(mesh) => mesh.polygons.len(),
        other => panic!("{other:?}"),
    };
    for n in 0..animation.n_steps() - 1 {
        assert_eq!(pieces(n), pieces(n + 1) + 1, "a merge makes one of two");
    }
    let animation = baked.animation(AnimatedStage::Contours);
    let corners = |n| match animation.at(n) {
        Unfinished::Contours(set) => {
            set.contours.iter().map(|contour| contour.vertices.len()).sum::<usize>()
        }
        other => panic!("{other:?}"),
    };
    assert!((0..animation.n_steps() - 1).all(|n| corners(n) <= corners(n + 1)));
}

#[test]
fn distances_are_measured_only_where_regions_need_them() {
    for partition in [Partition::Monotone, Partition::Layers] {
        let baked = Baked::new(LevelKind::Sample, partition, 0);
        let animation = baked.animation(AnimatedStage::Distance);
        assert_eq!((animation.n_steps(), animation.frame(0, &Unmonitored).unwrap()), (0, None));
    }
}
