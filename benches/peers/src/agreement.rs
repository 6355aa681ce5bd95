//! Compares the results of Walkable and C++ Recast for a tile.

mod layers;
mod room;

use walkable::{
    bake::{BakeError, BakeOutput, BakePlan, LayerCut, StageDigest, TileBake, bake_tile},
    ids::TileCoord,
    monitor::Unmonitored,
    stage::Stage,
};

use crate::recast::{Level, TileInput};
pub use layers::first_differing_layer;
use room::{has_room_for_layers, has_room_for_regions};

/// The results of C++ for a tile, as hashes.
#[derive(Debug, Default)]
struct Theirs {
    /// Hashes of all stages that ran.
    stages: Vec<(Stage, Option<u64>)>,
    /// Hash of the heightfield layers; `None` if Recast's tables are full, in which case ours must be, too.
    layers: Option<u64>,
}

/// The comparison of two bakes of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first stage that differs.
    pub differs_in: Option<&'static str>,
    /// Number of polygons of Walkable.
    pub n_polygons: usize,
    /// Whether only Walkable baked the tile, because C++ has no space for its regions.
    pub is_too_much: bool,
}

/// Bakes the tile at `coord` with both libraries and compares every stage. `input` is the input of C++ for this tile.
///
/// # Errors
/// Returns an error if the tile does not fit the formats.
pub fn compare(
    plan: &BakePlan,
    level: &Level,
    input: &TileInput,
    coord: TileCoord,
) -> Result<Comparison, BakeError> {
    let TileBake { tile, stages, .. } = bake_tile(plan, coord, BakeOutput::Stages, &Unmonitored)?;
    let stages = stages.expect("stages were asked for");
    let n_polygons = stages.polygons.polygons.len();
    if !has_room_for_regions(plan, &stages) {
        return Ok(Comparison { differs_in: None, n_polygons, is_too_much: true });
    }
    let ours = |stage: Stage| match stage {
        Stage::Tile => tile.as_ref().and_then(|tile| StageDigest::of_tile(tile).hash),
        stage => StageDigest::of(stage, &stages).and_then(|digest| digest.hash),
    };
    let with_layers = has_room_for_layers(plan, &stages);
    let mut theirs = Theirs::default();
    level.bake(input, &mut |stage, view| {
        if stage == Stage::Detail && ours(stage) != view.hash(stage) {
            view.take_edge_flags(&stages.detail.triangles);
        }
        theirs.stages.push((stage, view.hash(stage)));
        if with_layers && stage == Stage::Eroded {
            theirs.layers = view.layers_hash(plan.params());
        }
    });
    let differs = |stage: &Stage| {
        let of_stage = theirs.stages.iter().find(|(other, _)| other == stage);
        is_comparable(*stage, plan) && ours(*stage) != of_stage.and_then(|(_, hash)| *hash)
    };
    let layers = || {
        let ours = stages.height_layers(coord, LayerCut::Sweep, &Unmonitored).ok();
        let differ = with_layers && ours.map(|set| set.hash()) != theirs.layers;
        differ.then_some("heightfield layers")
    };
    let differs_in = Stage::ALL.into_iter().find(differs).map(Stage::key).or_else(layers);
    Ok(Comparison { differs_in, n_polygons, is_too_much: false })
}

/// Returns whether the stage can be compared. Without height samples, C++ reads out of bounds, so its detail and tile
/// cannot.
fn is_comparable(stage: Stage, plan: &BakePlan) -> bool {
    plan.params().detail_sample_dist > 0.0 || !matches!(stage, Stage::Detail | Stage::Tile)
}
