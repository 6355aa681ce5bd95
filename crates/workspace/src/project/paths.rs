//! Relative paths, so that a project can be moved together with its level.

use std::{
    ffi::OsStr,
    path::{Component, Path, PathBuf},
};

#[cfg(target_family = "wasm")]
use crate::files;

/// Returns `path` relative to `folder`, with `/` as the separator; unchanged if there is no relative path.
pub(crate) fn relative(path: &Path, folder: &Path) -> PathBuf {
    let (path, folder) = (absolute(path), absolute(folder));
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut names: Vec<_> = folder.components().skip(common).map(|_| OsStr::new("..")).collect();
    let has_root = path.components().skip(common).any(|part| is_root(&part));
    if common == 0 || has_root {
        return path;
    }
    names.extend(path.components().skip(common).map(Component::as_os_str));
    names.join(OsStr::new("/")).into()
}

#[cfg(target_family = "wasm")]
pub(super) fn resolved(written: &Path, folder: &Path) -> PathBuf {
    files::named_in(folder, written)
}

#[cfg(not(target_family = "wasm"))]
pub(super) fn resolved(written: &Path, folder: &Path) -> PathBuf {
    let folder = absolute(folder);
    let mut path = folder.clone();
    for part in written.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path
}

fn is_root(part: &Component<'_>) -> bool {
    matches!(part, Component::RootDir | Component::Prefix(_))
}

/// Makes `path` absolute; reads only the current folder from the system.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_back_to_where_they_came_from() {
        let cases = [
            ("/a/b/level.obj", "/a/b", "level.obj"),
            ("/a/b/level.obj", "/a", "b/level.obj"),
            ("/a/level.obj", "/a/b/c", "../../level.obj"),
            ("/x/level.obj", "/a/b", "../../x/level.obj"),
        ];
        for (path, folder, text) in cases {
            assert_eq!(relative(Path::new(path), Path::new(folder)), Path::new(text));
            assert_eq!(resolved(Path::new(text), Path::new(folder)), Path::new(path));
        }
    }

    #[test]
    fn a_path_from_the_root_stays() {
        assert_eq!(resolved(Path::new("/x/y.obj"), Path::new("/a")), Path::new("/x/y.obj"));
    }
}
