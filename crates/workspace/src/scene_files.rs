//! Reads settings files, projects and RecastDemo's scenes.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use walkable::{
    bake::{AreaTable, BakeConfig, Gset},
    geom::Aabb,
    mesh::ImportOptions,
};

use crate::{
    files::{self, FileKind, Format, RemotePath},
    project::Project,
    references,
};

/// Reads a settings file, a `.gset` file or a project, for a level with these bounds and import options. What a `.gset`
/// file places is moved in the same way as the level.
pub fn read_config(
    path: &Path,
    (bounds, import): (&Aabb, ImportOptions),
) -> anyhow::Result<BakeConfig> {
    match FileKind::read(path) {
        Ok(FileKind::Scene) => Ok(read_gset(path)?.moved_config_for(bounds, import.moved_by())),
        Ok(FileKind::Project) => Ok(read_project(path)?.document.config()),
        // For any other kind of file, the parser's error is more helpful: it names the first line that is not a
        // setting.
        Ok(_) | Err(_) => {
            let text = files::read_text(path, Format::Settings)?;
            BakeConfig::parse(&text).with_context(|| path.display().to_string())
        }
    }
}

/// Returns the path of the settings file beside a level, if it is there: the same name, ending in `cfg`.
pub fn settings_beside(level: &Path) -> Option<PathBuf> {
    Some(level.with_extension("cfg")).filter(|path| files::is_file(path))
}

pub fn read_areas(path: &Path) -> anyhow::Result<AreaTable> {
    Ok(read_config(path, (&Aabb::EMPTY, ImportOptions::default()))?.areas)
}

pub fn read_project(path: &Path) -> anyhow::Result<Project> {
    let text = files::read_text(path, Format::Project)?;
    references::declare(path, text.as_bytes())?;
    Project::parse(&text, &files::folder_of(path)).with_context(|| path.display().to_string())
}

pub fn read_gset(path: &Path) -> anyhow::Result<Gset> {
    let text = files::read_text(path, Format::Scene)?;
    references::declare(path, text.as_bytes())?;
    Gset::parse(&text).with_context(|| path.display().to_string())
}

/// Returns the path of the level that a `.gset` file names. It is relative to the file's folder; if there is no such
/// file, to the working folder, as in RecastDemo. Backslashes are accepted as separators.
pub fn mesh_file(path: &Path, mesh: &str) -> Result<PathBuf, RemotePath> {
    files::check_named(Path::new(mesh))?;
    let beside = files::folder_of(path);
    let plain = mesh.replace('\\', "/");
    let names = [Path::new(mesh), Path::new(&plain)];
    let folders = [&beside, &files::working_folder(&beside)];
    let places = folders.map(|folder| names.map(|name| files::named_in(folder, name))).concat();
    Ok(places.iter().find(|place| files::is_file(place)).unwrap_or(&places[0]).clone())
}
