//! Random settings, usual ones and extreme ones.

use glam::Vec3;
use walkable::bake::{BakeSettings, Partition};
use walkable_runtime::random::Random;

/// Maximum number of cells along a side of the grid. Fine sampling of large polygons is slow in C++.
const SIDES_VX: [f32; 6] = [32.0, 64.0, 64.0, 128.0, 128.0, 256.0];
/// Factor by which the level may be larger if it is divided into tiles, of which some are baked.
const TILED_IS_LARGER: f32 = 3.0;
/// Maximum number of cells along a side of the grid if samples are closer than [`FINE_SAMPLES_VX`].
const MAX_FINELY_SAMPLED_VX: f32 = 64.0;
const FINE_SAMPLES_VX: f32 = 2.5;
/// Maximum height in cells: C++ stores 13 bits and clamps what is higher.
const MAX_HEIGHT_VX: f32 = 8000.0;
/// Maximum radius in cells: the distances with which C++ erodes are bytes.
const MAX_RADIUS_VX: usize = 12;

/// Returns settings for a level of this size.
pub(super) fn settings(random: &mut Random, size: Vec3) -> BakeSettings {
    let tile_size = random.pick(&[0, 0, 0, 0, 1, 5, 8, 16, 24, 32, 48, 64]);
    let detail_sample_dist =
        number(random, &[0.0, 0.9, 1.0, 2.0, 3.0, 6.0, 6.0, 16.0], [0.9, 20.0]);
    let mut side_vx = random.pick(&SIDES_VX);
    if detail_sample_dist < FINE_SAMPLES_VX {
        side_vx = side_vx.min(MAX_FINELY_SAMPLED_VX);
    }
    if tile_size > 0 {
        side_vx *= TILED_IS_LARGER;
    }
    let cell_size = number(random, &[0.1, 0.2, 0.25, 0.3, 0.3, 0.5, 1.0], [0.08, 0.8])
        .max(size.x.max(size.z) / side_vx);
    let cell_height = number(random, &[0.05, 0.1, 0.2, 0.2, 0.25, 0.5, 1.0], [0.03, 0.6])
        .max(size.y / MAX_HEIGHT_VX);
    let region_min_size = number(random, &[0.0, 0.0, 2.0, 8.0], [0.0, 15.0]);
    BakeSettings {
        cell_size,
        cell_height,
        agent_height: length(random, cell_height, 20, 3.0),
        agent_radius: length(random, cell_size, 4, 0.8).min(cell_size * MAX_RADIUS_VX as f32),
        agent_max_climb: length(random, cell_height, 12, 1.5),
        agent_max_slope: number(random, &[0.0, 30.0, 45.0, 45.0, 60.0, 89.0, 90.0], [0.0, 90.0]),
        region_min_size,
        region_merge_size: number(random, &[0.0, 5.0, 20.0, 20.0], [0.0, 50.0]),
        edge_max_len: number(random, &[0.0, 0.0, cell_size, 3.0, 12.0, 12.0], [0.0, 20.0]),
        edge_max_error: number(random, &[0.0, 0.1, 1.0, 1.3, 1.3, 3.0], [0.0, 5.0]),
        verts_per_poly: random.pick(&[3, 4, 5, 6, 6, 6, 6, 7, 12]),
        detail_sample_dist,
        detail_sample_max_error: number(random, &[0.0, 0.5, 1.0, 1.0, 4.0], [0.0, 3.0]),
        partition: random.pick(&[
            Partition::Watershed,
            Partition::Watershed,
            Partition::Monotone,
            Partition::Layers,
        ]),
        filter_low_hanging_obstacles: random.chance(0.6),
        filter_ledge_spans: random.chance(0.5),
        filter_low_height_spans: random.chance(0.7),
        filter_median: random.chance(0.3),
        tile_size,
        ..BakeSettings::default()
    }
}

/// Returns one of the usual numbers, or any number in a range.
fn number(random: &mut Random, usual: &[f32], [low, high]: [f32; 2]) -> f32 {
    if random.chance(0.7) { random.pick(usual) } else { random.between(low, high) }
}

/// Returns a length: a whole number of cells below `n`, rarely up to three times as many, or any length up to `most`.
fn length(random: &mut Random, cell: f32, n: usize, most: f32) -> f32 {
    match random.below(10) {
        0..5 => random.below(n) as f32 * cell,
        5 => random.below(3 * n) as f32 * cell,
        _ => random.between(0.0, most),
    }
}
