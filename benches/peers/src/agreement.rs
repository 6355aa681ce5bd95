//! Whether Walkable and C++ Recast make the same of a tile.

mod layers;
mod room;

use walkable::{
    bake::{BakeError, BakePlan, Keep, LayerCut, StageDigest, TileBake, bake_tile},
    ids::TileCoord,
    monitor::Unmonitored,
    stage::Stage,
};

use crate::recast::{Level, TileInput};
pub use layers::first_differing_layer;
use room::{has_room_for_layers, has_room_for_regions};

/// What C++ makes of a tile, as hashes.
#[derive(Debug, Default)]
struct Theirs {
    /// Of every stage that there was.
    stages: Vec<(Stage, Option<u64>)>,
    /// Of the heightfield layers; `None` where Recast's tables are full, as ours must then be.
    layers: Option<u64>,
}

/// How two bakes of a tile compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first stage that differs.
    pub differs_in: Option<&'static str>,
    /// Polygons that Walkable makes.
    pub n_polygons: usize,
    /// Whether the tile was left to Walkable alone, because C++ has no room for its regions.
    pub is_too_much: bool,
}

/// Bakes the tile at `coord`, which is `input` to C++, with both and compares every stage.
///
/// # Errors
/// Where the tile does not fit the formats.
pub fn compare(
    plan: &BakePlan,
    level: &Level,
    input: &TileInput,
    coord: TileCoord,
) -> Result<Comparison, BakeError> {
    let TileBake { tile, stages, .. } = bake_tile(plan, coord, Keep::Stages, &Unmonitored)?;
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

/// Without height samples C++ reads out of bounds: there are neither detail nor tile of it.
fn is_comparable(stage: Stage, plan: &BakePlan) -> bool {
    plan.params().detail_sample_dist > 0.0 || !matches!(stage, Stage::Detail | Stage::Tile)
}
