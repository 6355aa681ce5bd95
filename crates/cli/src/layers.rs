//! Compressed heightfield layers instead of tiles: `walkable bake --layers`, and the information about such a file.

use std::{fmt, time::Instant};

use anyhow::Context as _;
use clap::ValueEnum;
use serde::Serialize;
use walkable::{
    bake::{BakeOutput, BakePlan, DirtyTiles, LayerCut, RefBits},
    diagnostic::{Diagnostic, Finding},
    geom::Aabb,
    navmesh::{NavMesh, polygons_without_flags},
    tile_cache::{CacheBake, CacheMesh, TileCache, TileCacheError, TileCacheStats},
};
use walkable_workspace::{limits::InTime, report::OutputReport, runner};

use super::{empty::nothing_walkable, findings::Findings};

/// How the heightfield is split into layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CutArg {
    /// By sweep lines, as Recast does.
    Sweep,
    /// By watershed basins, as Unreal does.
    Watershed,
}

impl From<CutArg> for LayerCut {
    fn from(cut: CutArg) -> Self {
        match cut {
            CutArg::Sweep => Self::Sweep,
            CutArg::Watershed => Self::Watershed,
        }
    }
}

pub(super) struct BakedLayers {
    pub(super) cache: TileCache,
    mesh: NavMesh,
    pub(super) bytes: Vec<u8>,
    pub(super) warnings: Vec<Diagnostic>,
    summary: String,
}

pub(super) struct PreviousLayers<'a> {
    pub(super) layers: &'a BakedLayers,
    pub(super) stale: &'a DirtyTiles,
}

impl BakedLayers {
    pub(super) fn report(&self) -> OutputReport {
        OutputReport {
            format: "layers",
            reference_bits: 32,
            bytes: self.bytes.len(),
            polygons: self.mesh.stats().n_polys,
        }
    }
}

impl fmt::Display for BakedLayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}

/// Bakes the layers of `plan`, and builds their navmesh to make sure that a program can build it. Reuses the layers in
/// `known` that are not stale.
pub(super) fn bake(
    plan: &BakePlan,
    cut: CutArg,
    threads: usize,
    known: Option<&PreviousLayers<'_>>,
    findings: &mut Findings,
) -> anyhow::Result<BakedLayers> {
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .context("cannot start threads")?;
    let made = pool.install(|| {
        let CacheBake { mut cache, warnings } = match known {
            None => TileCache::bake(plan, cut.into(), &InTime)?,
            Some(PreviousLayers { layers, stale }) => {
                layers.cache.rebake(plan, cut.into(), stale, &InTime)?
            }
        };
        let built = match known {
            None => cache.build(&InTime)?,
            Some(PreviousLayers { layers, stale }) => {
                cache.rebuild(&layers.mesh, stale, &InTime)?
            }
        };
        Ok::<_, TileCacheError>((cache, warnings, built))
    });
    let (cache, mut warnings, CacheMesh { mesh, warnings: of_meshes }) = made?;
    if mesh.tiles().next().is_none() {
        let again = runner::from_memory(plan, BakeOutput::Stages);
        return Err(nothing_walkable(plan, &again, findings));
    }
    let asks_wide = plan.input().settings.refs == RefBits::Wide;
    warnings.extend(asks_wide.then(|| Finding::WideReferencesInLayers {}.into()));
    warnings.extend(of_meshes);
    warnings.extend(polygons_without_flags(mesh.tiles()));
    let n = plan.input().off_mesh.len();
    warnings.extend((n > 0).then(|| Finding::LinksNotInLayers { n }.into()));
    let (n_polys, secs) = (mesh.stats().n_polys, started.elapsed().as_secs_f32());
    let TileCacheStats { n_layers, n_places, n_bytes, .. } = cache.stats();
    let summary = format!(
        "{n_layers} layers in {n_places} tiles, {n_polys} polygons, {n_bytes} bytes, {secs:.2} s"
    );
    let bytes = cache.to_bytes();
    Ok(BakedLayers { cache, mesh, bytes, warnings, summary })
}

#[derive(Serialize)]
pub(super) struct LayersInfo {
    kind: &'static str,
    #[serde(flatten)]
    stats: TileCacheStats,
    n_polys: usize,
    ref_bits: u32,
    max_layers: u32,
    max_obstacles: u32,
    max_polys: u32,
    cell_size: f32,
    cell_height: f32,
    tile_columns: u32,
    tile_rows: u32,
    agent_height: f32,
    agent_radius: f32,
    agent_max_climb: f32,
    edge_max_error: f32,
    pub(super) bounds: Aabb,
}

impl LayersInfo {
    pub(super) fn of(bytes: &[u8]) -> anyhow::Result<Self> {
        let cache = TileCache::from_bytes(bytes)?;
        let mesh = cache.loaded_nav_mesh(&InTime)?;
        let params = cache.params();
        Ok(Self {
            kind: "layers",
            stats: cache.stats(),
            n_polys: mesh.stats().n_polys,
            ref_bits: mesh.width().bits(),
            max_layers: params.max_tiles,
            max_obstacles: params.max_obstacles,
            max_polys: cache.nav_mesh_params().max_polys,
            cell_size: params.cell_size,
            cell_height: params.cell_height,
            tile_columns: params.n_x,
            tile_rows: params.n_z,
            agent_height: params.agent_height,
            agent_radius: params.agent_radius,
            agent_max_climb: params.agent_max_climb,
            edge_max_error: params.edge_max_error,
            bounds: cache.bounds(),
        })
    }

    pub(super) fn in_words(&self) -> Vec<String> {
        let TileCacheStats { n_layers, n_places, n_ground_cells, n_bytes, n_unpacked_bytes } =
            self.stats;
        vec![
            format!("{n_layers} layers in {n_places} tiles"),
            format!(
                "  tile      {} x {} cells of {} m, {} m high",
                self.tile_columns, self.tile_rows, self.cell_size, self.cell_height
            ),
            format!("  refs      {} bits", self.ref_bits),
            format!(
                "  capacity  {} layers of {} polygons, and {} obstacles",
                self.max_layers, self.max_polys, self.max_obstacles
            ),
            format!("  ground    {n_ground_cells} cells, {} polygons", self.n_polys),
            format!(
                "  agent     {} m high, radius {} m, climbs {} m",
                self.agent_height, self.agent_radius, self.agent_max_climb
            ),
            format!("  size      {n_bytes} bytes, {n_unpacked_bytes} unpacked"),
        ]
    }
}
