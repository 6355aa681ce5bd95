//! Level files.

use std::{fmt::Debug, io::Cursor};

use walkable::{
    bake::{BakeConfig, BakeOutput, StreamedBake},
    mesh::{
        BinnedLevel, ImportOptions, LevelFile, UpAxis, material_files, read_gltf,
        read_gltf_with_appearance, read_material_colors, read_obj, read_obj_with_appearance,
        read_ply, read_ply_with_appearance, read_stl, to_obj,
    },
    monitor::Unmonitored,
};
use walkable_editor::{overview_store::parse_overview, session::Overview};

use crate::bakes::LIMITS;

/// Maximum number of tiles to bake per file.
const MAX_TILES: usize = 16;

/// Imports a level, and checks that its triangles and parts are preserved.
fn check_level(level: LevelFile) {
    let (n_triangles, parts) = (level.triangles.len(), level.parts.clone());
    let other = ImportOptions { up: UpAxis::Z, scale: 0.01, ..ImportOptions::default() };
    let turned = other.import(level.clone());
    let Ok(mesh) = ImportOptions::default().import(level) else { return };
    assert_eq!(mesh.triangles().len(), n_triangles);
    assert_eq!(mesh.parts(), parts);
    assert_eq!(turned.map(|mesh| mesh.triangles().len()), Ok(n_triangles));
    let again = read_obj(to_obj(&mesh).as_bytes());
    assert_eq!(again.map(|level| level.triangles.len()), Ok(n_triangles));
}

/// Checks that the file is the same level if its vertex colors and textures are read, and that they belong to it.
fn check_appearance<E: Debug>(level: &LevelFile, with_appearance: Result<LevelFile, E>) {
    let other = with_appearance.expect("its triangles can be read");
    assert_eq!((&other.triangles, &other.parts), (&level.triangles, &level.parts));
    let options = ImportOptions { flip: true, collision_only: true, ..ImportOptions::default() };
    let Ok((mesh, Some(appearance))) = options.import_with_appearance(other) else { return };
    let n_colors = appearance.vertex_colors.len();
    assert!(n_colors == 0 || n_colors == mesh.vertices().len());
    for run in appearance.textured {
        assert!((run.image as usize) < appearance.images.len());
        assert!(run.first_triangle as usize + run.corners.len() <= mesh.triangles().len());
    }
}

pub(crate) fn obj(bytes: &[u8]) {
    let _ = material_files(bytes).len() + read_material_colors(bytes).len();
    if let Ok(level) = read_obj(bytes) {
        // The side files that it refers to are the file itself.
        check_appearance(&level, read_obj_with_appearance(bytes, &|_| Ok(bytes.to_vec())));
        let _ = level.warnings.summary().map(|warning| warning.line()).collect::<String>();
        check_level(level);
    }
}

pub(crate) fn gltf(bytes: &[u8]) {
    if let Ok(level) = read_gltf(bytes, &|_| Ok(vec![0; 64])) {
        check_appearance(&level, read_gltf_with_appearance(bytes, &|_| Ok(vec![0; 64])));
        let _ = level.warnings.summary().map(|warning| warning.line()).collect::<String>();
        check_level(level);
    }
}

pub(crate) fn ply(bytes: &[u8]) {
    if let Ok(level) = read_ply(bytes) {
        check_appearance(&level, read_ply_with_appearance(bytes));
        let _ = level.warnings.summary().map(|warning| warning.line()).collect::<String>();
        check_level(level);
    }
}

pub(crate) fn stl(bytes: &[u8]) {
    if let Ok(level) = read_stl(bytes) {
        let _ = level.warnings.summary().map(|warning| warning.line()).collect::<String>();
        check_level(level);
    }
}

/// Bakes a level file of `walkable bin`, tile by tile.
pub(crate) fn tri(bytes: &[u8]) {
    let mut file = Cursor::new(bytes);
    let Ok(level) = BinnedLevel::read(&mut file) else { return };
    let _ = level.triangles_over(&level.bounds(), &mut file);
    let _ = level.loaded_over(&level.bounds(), 1000, &mut file);
    let mut config = BakeConfig::default();
    config.settings.tile_size = 32;
    let Ok(streamed) = StreamedBake::new(level, config) else { return };
    if streamed.check_limits(1, LIMITS).is_err() {
        return;
    }
    for coord in streamed.plan().tiles().take(MAX_TILES) {
        let _ = streamed.bake_tile(coord, &mut file, BakeOutput::Tile, &Unmonitored);
    }
}

/// Reads the stored overview of a level larger than memory, without the header and the checksum of its file.
pub(crate) fn overview(bytes: &[u8]) {
    let Some(mesh) = parse_overview(bytes) else { return };
    assert!(mesh.triangles().len() <= Overview::MAX_TRIANGLES);
    let bounds = mesh.bounds();
    let _ = Overview::of(mesh, &bounds);
}
