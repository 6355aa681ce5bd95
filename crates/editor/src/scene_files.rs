//! Settings files, projects, and RecastDemo's scenes, on disk.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use walkable::{
    bake::{AreaTable, BakeConfig, Gset},
    geom::Aabb,
};

use crate::{
    files::{self, FileKind, Format},
    project::Project,
};

/// Settings, areas and off-mesh links for a level with these bounds, from a settings file, a `.gset` file or a
/// project.
pub fn read_config(path: &Path, mesh_bounds: &Aabb) -> anyhow::Result<BakeConfig> {
    match FileKind::read(path) {
        Ok(FileKind::Scene) => Ok(read_gset(path)?.config_for(mesh_bounds)),
        Ok(FileKind::Project) => Ok(read_project(path)?.document.config()),
        // For any other kind of file, the parser names the line that is not a setting, which says more.
        Ok(_) | Err(_) => {
            let text = files::read_text(path, Format::Settings)?;
            BakeConfig::parse(&text).with_context(|| path.display().to_string())
        }
    }
}

/// The table of areas in a project or a settings file.
pub fn read_areas(path: &Path) -> anyhow::Result<AreaTable> {
    Ok(read_config(path, &Aabb::EMPTY)?.areas)
}

/// Reads a project.
pub fn read_project(path: &Path) -> anyhow::Result<Project> {
    let text = files::read_text(path, Format::Project)?;
    Project::parse(&text, &files::folder_of(path)).with_context(|| path.display().to_string())
}

/// Reads a scene of RecastDemo.
pub fn read_gset(path: &Path) -> anyhow::Result<Gset> {
    let text = files::read_text(path, Format::Scene)?;
    Gset::parse(&text).with_context(|| path.display().to_string())
}

/// Where the level is that the `.gset` file at `path` names: seen from the file's folder, or if there is
/// none, from the working folder, as in RecastDemo. Files written on Windows part names by backslashes.
pub fn mesh_file(path: &Path, mesh: &str) -> PathBuf {
    let beside = files::folder_of(path);
    let plain = mesh.replace('\\', "/");
    let places = [beside.join(mesh), beside.join(&plain), mesh.into(), plain.into()];
    places.iter().find(|place| place.is_file()).unwrap_or(&places[0]).clone()
}
