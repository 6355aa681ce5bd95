//! A stage of a bake as surfaces and lines, for export.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use glam::Vec3;
use walkable::{
    bake::{AreaTable, BakeError, BakeOutput, BakePlan, Intermediates, TileBake},
    debug_draw::{Block, DrawList, Paint, region_number},
    export::{ExportFormat, StageInput, StagePart, StageTile},
    ids::{AreaId, TileCoord},
    monitor::{Cancelled, Monitor},
};

use crate::{
    palette::paint_color,
    runner::{self, TileFailure, TileOutcome},
    stage_pictures::{layer_pictures, stage_picture},
    stage_view::StageView,
};

/// Maximum number of triangles and lines in a file. Half a gigabyte as text.
pub const MAX_ELEMENTS: usize = 10_000_000;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StageError {
    #[error("{0} cannot contain a stage of the bake")]
    Format(&'static str),
    #[error("cannot bake tile {tile}: {failure}")]
    Tile { tile: TileCoord, failure: TileFailure },
    #[error(
        "the stage {stage} has more than {limit} triangles and lines, too many for one file; export single tiles with \
         walkable export --stage {stage} --tile COLUMN,ROW"
    )]
    TooLarge { stage: &'static str, limit: usize },
}

/// A stage to export: its tiles are baked again, so that no results of stages need to be kept.
#[derive(Clone, Debug)]
pub struct StageBake {
    stage: StageView,
    tiles: Vec<(Arc<BakePlan>, TileCoord)>,
    areas: AreaTable,
    layer: Option<u16>,
    limit: usize,
    n_baked: usize,
    n_elements: usize,
    done: Vec<StageTile>,
    failure: Option<StageError>,
}

impl StageBake {
    /// Prepares the export of `stage` of the `tiles`, each with the plan that it is baked from.
    pub fn new(stage: StageView, tiles: Vec<(Arc<BakePlan>, TileCoord)>, areas: AreaTable) -> Self {
        Self {
            stage,
            tiles,
            areas,
            layer: None,
            limit: MAX_ELEMENTS,
            n_baked: 0,
            n_elements: 0,
            done: Vec::new(),
            failure: None,
        }
    }

    #[must_use]
    pub fn with_layer(self, layer: Option<u16>) -> Self {
        Self { layer, ..self }
    }

    #[must_use]
    pub fn with_limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    pub const fn is_done(&self) -> bool {
        self.failure.is_some() || self.n_baked == self.tiles.len()
    }

    pub const fn is_new(&self) -> bool {
        self.n_baked == 0
    }

    /// Bakes the next tiles on all cores; in a web page, one tile. Stops early if `cancel` is set.
    pub fn advance(&mut self, cancel: &AtomicBool) {
        let rest = &self.tiles[self.n_baked..];
        let Some((plan, _)) = rest.first() else { return };
        let of_plan = rest.iter().take_while(|(other, _)| Arc::ptr_eq(other, plan));
        let order: Vec<TileCoord> = of_plan.map(|(_, coord)| *coord).collect();
        let piece = runner::piece(&order);
        let n_elements = AtomicUsize::new(self.n_elements);
        let made = Mutex::new((Vec::new(), None));
        let is_full = || n_elements.load(Ordering::Relaxed) > self.limit;
        let bake_one = runner::from_memory(plan, BakeOutput::Stages);
        // Once the limit is exceeded, the other tiles need not be baked.
        let bake_one = |coord, monitor: &dyn Monitor| {
            if is_full() {
                return Err(TileFailure::Bake(BakeError::Cancelled(Cancelled)));
            }
            bake_one(coord, monitor)
        };
        let take = |TileOutcome { coord, result, .. }: TileOutcome| {
            let tile = result.map(|bake| self.tile(plan, &bake));
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            match tile {
                Ok(tile) => {
                    n_elements.fetch_add(count(&tile), Ordering::Relaxed);
                    made.0.push(tile);
                }
                Err(failure) => made.1 = Some(StageError::Tile { tile: coord, failure }),
            }
        };
        let tiles = piece.iter().copied();
        runner::run(tiles, &bake_one, runner::default_threads(), cancel, &take);
        let n_elements = n_elements.into_inner();
        let (mut tiles, failure) = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        let too_large = StageError::TooLarge { stage: self.stage.key(), limit: self.limit };
        self.failure = if n_elements > self.limit { Some(too_large) } else { failure };
        // Threads finish in any order.
        tiles.sort_by_key(|tile| (tile.coord.z, tile.coord.x));
        (self.n_baked, self.n_elements) = (self.n_baked + piece.len(), n_elements);
        self.done.append(&mut tiles);
    }

    /// Returns the bytes of the file, once all tiles are baked. Fails if a tile failed, if there are too many elements,
    /// or if the format cannot contain the stage.
    pub fn bytes(&self, format: ExportFormat) -> anyhow::Result<Vec<u8>> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone().into());
        }
        let writer = format.stage().ok_or_else(|| StageError::Format(format.name()))?;
        let settings = self.tiles.first().map(|(plan, _)| &plan.input().settings);
        let [cell_size, cell_height] =
            settings.map_or([0.0; 2], |known| [known.cell_size, known.cell_height]);
        let (stage, tiles) = (self.stage.key(), &*self.done);
        Ok(writer.write(&StageInput { stage, tiles, cell_size, cell_height })?)
    }

    fn tile(&self, plan: &BakePlan, bake: &TileBake) -> StageTile {
        let coord = bake.coord;
        let mut tile = StageTile { coord, parts: Vec::new() };
        let Some(stages) = &bake.stages else { return tile };
        if self.stage == StageView::Layers {
            for (number, list) in (0..).zip(layer_pictures(stages, coord)) {
                if self.layer.is_none_or(|only| only == number) {
                    let named =
                        |_| Meaning { name: "layer".to_owned(), value: Some(number.into()) };
                    tile.parts.extend(self.parts(list, named));
                }
            }
            return tile;
        }
        let list = stage_picture(self.stage, &plan.input().mesh, (coord, stages));
        let meters = largest_distance(stages);
        tile.parts = self.parts(list, |paint| self.meaning(paint, coord, meters));
        tile
    }

    /// Returns what a paint in the picture of a tile means. `meters` is the largest distance of the tile.
    fn meaning(&self, paint: Paint, tile: TileCoord, meters: f32) -> Meaning {
        #[expect(clippy::cast_precision_loss, reason = "numbers of regions have 15 bits")]
        let (name, value) = match paint {
            Paint::Area(AreaId(id)) => {
                return Meaning { name: self.areas.area(id).name, value: Some(id.into()) };
            }
            Paint::Hue(hue) => ("region", Some(region_number(hue, tile) as f32)),
            Paint::Scalar(value) => ("distance", Some(value * meters)),
            _ => (fixed_name(paint), None),
        };
        Meaning { name: name.to_owned(), value }
    }

    fn parts(&self, list: DrawList, meaning: impl Fn(Paint) -> Meaning) -> Vec<StagePart> {
        let mut parts = BTreeMap::new();
        for triangle in list.triangles {
            self.part(&mut parts, triangle.paint, &meaning).triangles.push(triangle.corners);
        }
        for block in list.blocks {
            self.part(&mut parts, block.paint, &meaning).triangles.extend(sides(&block));
        }
        for line in list.lines {
            self.part(&mut parts, line.paint, &meaning).lines.push([line.a, line.b]);
        }
        parts.into_values().collect()
    }

    fn part<'a>(
        &self,
        parts: &'a mut BTreeMap<(u8, u32), StagePart>,
        paint: Paint,
        meaning: &impl Fn(Paint) -> Meaning,
    ) -> &'a mut StagePart {
        parts.entry(order_of(paint)).or_insert_with(|| {
            let Meaning { name, value } = meaning(paint);
            StagePart {
                name,
                value,
                color: paint_color(paint, &self.areas),
                is_colored_by_value: matches!(paint, Paint::Hue(_) | Paint::Scalar(_)),
                triangles: Vec::new(),
                lines: Vec::new(),
            }
        })
    }
}

struct Meaning {
    name: String,
    value: Option<f32>,
}

/// The names of parts without a value.
const NAMES: [(Paint, &str); 10] = [
    (Paint::LevelWalkable, "walkable slope"),
    (Paint::LevelSteep, "steep slope"),
    (Paint::Blocked, "not walkable"),
    (Paint::Lost, "removed"),
    (Paint::Bounds, "border"),
    (Paint::InnerEdge, "inner edge"),
    (Paint::BoundaryEdge, "boundary edge"),
    (Paint::PortalEdge, "tile edge"),
    (Paint::DetailEdge, "detail edge"),
    (Paint::RawContour, "raw contour"),
];

fn fixed_name(paint: Paint) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == paint).map_or("other", |(_, name)| name)
}

/// Returns a key by which paints are sorted; it differs if the paints of stages differ.
fn order_of(paint: Paint) -> (u8, u32) {
    match paint {
        Paint::Area(AreaId(id)) => (0, id.into()),
        Paint::Hue(hue) => (1, hue),
        Paint::Scalar(value) => (2, value.to_bits()),
        _ => {
            let fixed = (3..).zip(NAMES).find(|(_, (known, _))| *known == paint);
            (fixed.map_or(u8::MAX, |(number, _)| number), 0)
        }
    }
}

/// Returns the largest distance of a tile to a border, in meters. Distances are counted in halves of a cell.
fn largest_distance(stages: &Intermediates) -> f32 {
    let max = stages.distance.as_ref().map_or(0, |distance| distance.max.max(1));
    f32::from(max) * stages.compact.frame.cell_size / 2.0
}

fn count(tile: &StageTile) -> usize {
    tile.parts.iter().map(|part| part.triangles.len() + part.lines.len()).sum()
}

/// Returns the sides of a box, counter-clockwise seen from outside.
fn sides(Block { min, max, .. }: &Block) -> [[Vec3; 3]; 12] {
    /// Corners of each side. Bit 0 of a corner's number is x, bit 1 is y, bit 2 is z.
    const QUADS: [[u8; 4]; 6] =
        [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]];
    let corner = |number: u8| {
        let of = |axis: usize| if (number >> axis) & 1 == 0 { min[axis] } else { max[axis] };
        Vec3::new(of(0), of(1), of(2))
    };
    let mut triangles = [[Vec3::ZERO; 3]; 12];
    for (pair, [a, b, c, d]) in triangles.chunks_exact_mut(2).zip(QUADS) {
        pair[0] = [a, b, c].map(corner);
        pair[1] = [a, c, d].map(corner);
    }
    triangles
}

#[cfg(test)]
mod tests;
