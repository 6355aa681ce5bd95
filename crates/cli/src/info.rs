//! `walkable info`: what a level or a navmesh consists of.

use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use serde::{Serialize, Serializer};
use walkable::{
    bake::BakeSettings,
    diagnostic::Diagnostic,
    geom::Aabb,
    mesh::{FileWarnings, ImportHint},
    navmesh::{NavMesh, NavMeshStats},
    query::{Filter, Reachability},
    store::TileStore,
};
use walkable_workspace::{
    files::{self, FileKind},
    level_files::read_navmesh,
};

use super::{
    Failure,
    import::ImportArgs,
    layers::LayersInfo,
    load::{Level, LevelArg},
    output::Output,
    store::StoreInfo,
};

/// Arguments of `walkable info`.
#[derive(Args, Debug)]
pub(super) struct InfoArgs {
    /// A level (OBJ, glTF, PLY, STL or builtin:NAME), a baked mesh (MSET), a tile store or baked layers (TSET).
    file: LevelArg,
    /// Exit with code 1 if there are warnings about a level.
    #[arg(long)]
    strict: bool,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Serialize)]
struct LevelInfo {
    kind: &'static str,
    n_vertices: usize,
    n_faces: usize,
    n_triangles: usize,
    bounds: Aabb,
    parts: Vec<PartInfo>,
    warnings: FileWarnings,
    hint: Option<Diagnostic>,
}

#[derive(Serialize)]
struct PartInfo {
    #[serde(serialize_with = "as_text")]
    object: Arc<str>,
    #[serde(serialize_with = "as_text")]
    material: Arc<str>,
    n_triangles: usize,
}

fn as_text<S: Serializer>(name: &str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(name)
}

#[derive(Serialize)]
struct MeshInfo {
    kind: &'static str,
    #[serde(flatten)]
    stats: NavMeshStats,
    /// Number of parts with no connection in either direction.
    n_islands: usize,
    /// Number of parts in which every polygon can be reached from every other.
    n_components: u32,
    ref_bits: u32,
    max_tiles: u32,
    max_polys: u32,
    tile_width: f32,
    tile_height: f32,
    bounds: Aabb,
}

pub(super) fn run(args: &InfoArgs, output: &mut Output) -> Result<(), Failure> {
    if let Some(path) = args.file.file() {
        let kind = FileKind::read(path)?;
        if kind == FileKind::TileStore {
            let store = TileStore::read(&mut files::open(path)?);
            let info = StoreInfo::of(&store.with_context(|| args.file.to_string())?);
            print(&info, store_in_words, args, output)?;
            return Ok(());
        }
        if kind == FileKind::Navmesh {
            let bytes = read_navmesh(path)?;
            let mesh = NavMesh::from_bytes(&bytes).with_context(|| args.file.to_string())?;
            let info = mesh_info(&mesh);
            print(&info, mesh_in_words, args, output)?;
            return Ok(());
        }
        if kind == FileKind::Layers {
            let info = LayersInfo::of(&files::read(path, kind.format())?)
                .with_context(|| args.file.to_string())?;
            print(&info, layers_in_words, args, output)?;
            return Ok(());
        }
    }
    let info = level_info(args.file.load(args.import.options())?);
    print(&info, level_in_words, args, output)?;
    let mut found = info.warnings.summary().chain(info.hint.clone());
    if args.strict && found.any(|found| found.is_warning()) {
        output.finish()?;
        return Err(anyhow::anyhow!("{}: warnings, refused by --strict", args.file).into());
    }
    Ok(())
}

fn print<T: Serialize>(
    info: &T,
    in_words: fn(&T) -> Vec<String>,
    args: &InfoArgs,
    output: &mut Output,
) -> anyhow::Result<()> {
    if args.json {
        let json = serde_json::to_string_pretty(info);
        return output.lines(&json.context("cannot write the answer as JSON")?);
    }
    in_words(info).iter().try_for_each(|line| output.line(line))
}

fn level_info(level: Level) -> LevelInfo {
    let hint = level.import_hint(&BakeSettings::default());
    let Level { mesh, n_faces, warnings, .. } = level;
    let parts = mesh.parts().iter().map(|part| PartInfo {
        object: Arc::clone(&part.object),
        material: Arc::clone(&part.material),
        n_triangles: part.triangles.len(),
    });
    LevelInfo {
        kind: "level",
        n_vertices: mesh.vertices().len(),
        n_faces,
        n_triangles: mesh.triangles().len(),
        bounds: mesh.bounds(),
        parts: parts.collect(),
        warnings,
        hint: hint.map(ImportHint::diagnostic),
    }
}

fn mesh_info(mesh: &NavMesh) -> MeshInfo {
    let params = mesh.params();
    let reach = Reachability::new(mesh, &Filter::default());
    MeshInfo {
        kind: "navmesh",
        stats: mesh.stats(),
        n_islands: reach.n_islands(),
        n_components: reach.n_components(),
        ref_bits: mesh.width().bits(),
        max_tiles: params.max_tiles,
        max_polys: params.max_polys,
        tile_width: params.tile_width,
        tile_height: params.tile_height,
        bounds: mesh.bounds(),
    }
}

const MAX_PARTS: usize = 40;

fn level_in_words(info: &LevelInfo) -> Vec<String> {
    let mut lines = vec![
        format!("level with {} triangles", info.n_triangles),
        format!("  vertices  {}", info.n_vertices),
        format!("  faces     {}", info.n_faces),
    ];
    lines.extend(bounds_in_words(info.bounds));
    lines.push(format!("  parts     {}", info.parts.len()));
    for part in info.parts.iter().take(MAX_PARTS) {
        let name = match (&*part.object, &*part.material) {
            ("", "") => "(no name)".to_owned(),
            (object, "") => object.to_owned(),
            (object, material) => format!("{object} [{material}]"),
        };
        lines.push(format!("    {:>8}  {name}", part.n_triangles));
    }
    if info.parts.len() > MAX_PARTS {
        lines.push(format!("    and {} more", info.parts.len() - MAX_PARTS));
    }
    lines.extend(info.warnings.summary().map(|found| found.line()));
    lines.extend(info.warnings.listed().iter().map(|warning| format!("  {warning}")));
    lines.extend(info.hint.iter().map(Diagnostic::line));
    lines
}

fn mesh_in_words(info: &MeshInfo) -> Vec<String> {
    let MeshInfo { stats, max_tiles, max_polys, tile_width, tile_height, bounds, .. } = info;
    let refs = match info.ref_bits {
        64 => "64 bits, for Detour built with DT_POLYREF64".to_owned(),
        bits => format!("{bits} bits"),
    };
    let mut lines = vec![
        format!("navmesh with {} polygons in {} tiles", stats.n_polys, stats.n_tiles),
        format!("  tile      {tile_width} x {tile_height} m"),
        format!("  refs      {refs}"),
        format!("  capacity  {max_tiles} tiles of {max_polys} polygons"),
        format!("  off-mesh  {} links", stats.n_off_mesh),
        format!("  vertices  {} and {} of detail", stats.n_vertices, stats.n_detail_vertices),
        format!("  triangles {} of detail", stats.n_detail_triangles),
        format!("  links     {}", stats.n_links),
        islands_in_words(info),
        format!("  size      {} bytes", stats.n_bytes),
    ];
    lines.extend((!bounds.is_empty()).then(|| bounds_in_words(*bounds)).into_iter().flatten());
    if stats.n_refused_links > 0 {
        lines.push(format!("warning: {} links did not fit in their tiles", stats.n_refused_links));
    }
    lines
}

fn islands_in_words(info: &MeshInfo) -> String {
    let (islands, components) = (info.n_islands, info.n_components);
    match usize::try_from(components) {
        Ok(components) if components > islands => {
            format!("  islands   {islands}, of {components} parts that are linked both ways")
        }
        _ => format!("  islands   {islands}"),
    }
}

fn store_in_words(info: &StoreInfo) -> Vec<String> {
    let mut lines = info.in_words();
    if let Some([[min_x, min_z], [max_x, max_z]]) = info.area {
        lines.push(format!("  size      {} x {} m (x, z)", max_x - min_x, max_z - min_z));
        lines.push(format!("  area      {min_x},{min_z} to {max_x},{max_z}"));
    }
    lines
}

fn layers_in_words(info: &LayersInfo) -> Vec<String> {
    let mut lines = info.in_words();
    lines.extend(
        (!info.bounds.is_empty()).then(|| bounds_in_words(info.bounds)).into_iter().flatten(),
    );
    lines
}

fn bounds_in_words(bounds: Aabb) -> [String; 2] {
    let (min, max, size) = (bounds.min, bounds.max, bounds.size());
    [
        format!("  size      {} x {} x {} m (x, y, z)", size.x, size.y, size.z),
        format!("  bounds    {},{},{} to {},{},{}", min.x, min.y, min.z, max.x, max.y, max.z),
    ]
}
